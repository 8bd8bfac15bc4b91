//! The application's language model.

use super::Callback;
use crate::error::{Code, Result};
use crate::ports::{Llm, ModelRequest, Pending};
use crate::web::given::is_array;
use crate::web::kind::kind;
use crate::web::thrown::Thrown;
use js_sys::{Function, JSON, Object, Reflect};
use serde_json::Value;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

/// An [`Llm`] that is a JavaScript function.
///
/// The function gets one plain object, `{ purpose, prompt, messages, schema?, maxTokens, signal }`, and returns a string or a
/// plain JSON object, or a promise of one. It should stop its work when `signal`, an `AbortSignal`, fires.
#[derive(Debug)]
pub struct LlmCallback(Callback);

impl LlmCallback {
    /// Wraps the function; it is not called yet.
    ///
    /// # Errors
    /// [`Code::Internal`] where JavaScript has no timers.
    pub fn new(function: Function) -> Result<Self> {
        Callback::new(function, "the llm callback", Code::Model).map(Self)
    }

    fn request(&self, request: &ModelRequest, signal: &AbortSignal) -> Result<JsValue> {
        let text = serde_json::to_string(request)
            .map_err(|error| self.0.failed(format!("cannot be given its request: {error}")))?;
        let unusable =
            |error: JsValue| self.0.failed(format!("cannot be given its request: {}", Thrown::new(&error)));
        let object = JSON::parse(&text).map_err(unusable)?;
        Reflect::set(&object, &"signal".into(), signal).map_err(unusable)?;
        Ok(object)
    }

    /// The answer without anything of JavaScript in it.
    fn answer(&self, answer: &JsValue) -> Result<Value> {
        if let Some(text) = answer.as_string() {
            return Ok(Value::String(text));
        }
        let unusable =
            |why: String| self.0.failed(format!("returned {why}; return a string or a plain JSON object"));
        if !is_plain(answer) {
            return Err(unusable(kind(answer)));
        }
        // JavaScript writes the text, so cycles, endless nesting and getters that throw are errors of its own.
        let text = JSON::stringify(answer)
            .map_err(|error| unusable(format!("an object that is not JSON ({})", Thrown::new(&error))))?;
        let text = text.as_string().ok_or_else(|| unusable("an object that is not JSON".to_owned()))?;
        match serde_json::from_str(&text) {
            Ok(object @ Value::Object(_)) => Ok(object),
            Ok(_) => Err(unusable("an object whose toJSON is not an object".to_owned())),
            Err(error) => Err(unusable(format!("an object that cannot be read ({error})"))),
        }
    }
}

impl Llm for LlmCallback {
    fn complete<'a>(&'a self, request: &'a ModelRequest, timeout_ms: u32) -> Pending<'a, Result<Value>> {
        Box::pin(async move {
            let arguments = |signal: &AbortSignal| Ok((self.request(request, signal)?, JsValue::UNDEFINED));
            let answer = self.0.call(timeout_ms, arguments).await?;
            self.answer(&answer)
        })
    }
}

/// Whether a value is an object made by `{}` in any realm: one whose prototype is null or has none itself.
fn is_plain(value: &JsValue) -> bool {
    if !value.is_object() || is_array(value) {
        return false;
    }
    let prototype =
        |of: &JsValue| Reflect::get_prototype_of(of.unchecked_ref::<Object>()).ok().map(JsValue::from);
    match prototype(value) {
        Some(parent) if parent.is_null() => true,
        Some(parent) => prototype(&parent).is_some_and(|grandparent| grandparent.is_null()),
        None => false,
    }
}
