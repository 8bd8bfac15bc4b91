//! The application's embedding model.

use super::Callback;
use crate::embedding::MAX_DIMENSIONS;
use crate::error::{Code, Result};
use crate::ports::{Embedder, Pending, TextPurpose};
use crate::web::given::{is_array, numbers};
use crate::web::kind::{kind, length};
use crate::web::thrown::Thrown;
use js_sys::{Array, Float32Array, Float64Array, Function, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

/// An [`Embedder`] that is a JavaScript function.
///
/// The function gets an array of strings and `{ signal, purpose }`, and returns one vector per string, in order, or a promise of
/// that. The purpose is `"query"` or `"document"`. A vector is an array of numbers, a `Float32Array` or a `Float64Array`; all have the same length. It should stop
/// its work when `signal`, an `AbortSignal`, fires.
#[derive(Debug)]
pub struct EmbedderCallback {
    callback: Callback,
    id: String,
}

impl EmbedderCallback {
    /// Wraps the function; it is not called yet. `id` names the model, and with it the vectors it makes.
    ///
    /// # Errors
    /// [`Code::Internal`] where JavaScript has no timers.
    pub fn new(id: impl Into<String>, function: Function) -> Result<Self> {
        Ok(Self { callback: Callback::new(function, "the embed callback", Code::Embedder)?, id: id.into() })
    }

    fn vectors(&self, answer: &JsValue, count: usize) -> Result<Vec<Vec<f32>>> {
        if !is_array(answer) {
            return Err(self
                .callback
                .failed(format!("returned {}; return an array of {count} vectors", kind(answer))));
        }
        if length(answer).map(|length| length as usize) != Some(count) {
            return Err(self
                .callback
                .failed(format!("returned {} for {count} texts; return one vector per text", kind(answer))));
        }
        let mut vectors: Vec<Vec<f32>> = Vec::with_capacity(count);
        for place in 0..count {
            let vector = self.vector(&self.item(answer, place)?, place)?;
            if let Some(first) = vectors.first()
                && first.len() != vector.len()
            {
                return Err(self.callback.failed(format!(
                    "returned vectors of {} and of {} values in one answer; they must be equally long",
                    first.len(),
                    vector.len()
                )));
            }
            vectors.push(vector);
        }
        Ok(vectors)
    }

    fn vector(&self, value: &JsValue, place: usize) -> Result<Vec<f32>> {
        let refused = |what: String| {
            self.callback.failed(format!(
                "returned {what} as vector {place}; return 1 to {MAX_DIMENSIONS} finite numbers"
            ))
        };
        let is_typed = value.is_instance_of::<Float32Array>() || value.is_instance_of::<Float64Array>();
        let dimensions = length(value)
            .filter(|_| is_typed || is_array(value))
            .ok_or_else(|| refused(kind(value)))? as usize;
        if dimensions == 0 || dimensions > MAX_DIMENSIONS {
            return Err(refused(format!("{dimensions} values")));
        }
        let numbers = if is_typed {
            numbers(value)
                .filter(|numbers| numbers.len() == dimensions)
                .ok_or_else(|| refused(format!("{} whose buffer is gone", kind(value))))?
        } else {
            let number = |item: JsValue| {
                item.as_f64().map(narrow).ok_or_else(|| refused(format!("{} in an array", kind(&item))))
            };
            (0..dimensions).map(|index| number(self.item(value, index)?)).collect::<Result<_>>()?
        };
        match numbers.iter().find(|number| !number.is_finite()) {
            Some(number) => {
                let what = match number.is_nan() {
                    true => "NaN",
                    false if *number > 0.0 => "inf",
                    false => "-inf",
                };
                Err(refused(format!("a number that is {what} as a 32-bit float")))
            }
            None => Ok(numbers),
        }
    }

    /// An element of an array of the application, which may be a proxy that throws.
    fn item(&self, array: &JsValue, index: usize) -> Result<JsValue> {
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        Reflect::get_u32(array.unchecked_ref::<Object>(), index).map_err(|error| {
            self.callback.failed(format!("returned an array that throws: {}", Thrown::new(&error)))
        })
    }
}

impl Embedder for EmbedderCallback {
    fn id(&self) -> &str {
        &self.id
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
        purpose: TextPurpose,
        timeout_ms: u32,
    ) -> Pending<'a, Result<Vec<Vec<f32>>>> {
        Box::pin(async move {
            let arguments = |signal: &AbortSignal| {
                let list: Array = texts.iter().map(JsValue::from).collect();
                let options = Object::new();
                for (name, value) in [("signal", signal.into()), ("purpose", JsValue::from(purpose.name()))] {
                    Reflect::set(&options, &name.into(), &value).map_err(|error| {
                        self.callback.failed(format!("cannot be given its {name}: {}", Thrown::new(&error)))
                    })?;
                }
                Ok((list.into(), options.into()))
            };
            let answer = self.callback.call(timeout_ms, arguments).await?;
            self.vectors(&answer, texts.len())
        })
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "vectors are 32-bit floats; what does not fit becomes infinite and is refused"
)]
fn narrow(number: f64) -> f32 {
    number as f32
}
