//! The application's tokenizer.

use crate::error::{Code, Error, Result};
use crate::ports::Tokenizer;
use crate::web::kind::kind;
use crate::web::thrown::Thrown;
use js_sys::Function;
use wasm_bindgen::JsValue;

/// A [`Tokenizer`] that is a JavaScript function of a string, which answers a number at once.
#[derive(Debug)]
pub struct TokenizerCallback(Function);

impl TokenizerCallback {
    /// Wraps the function; it is not called yet.
    #[must_use]
    pub fn new(function: Function) -> Self {
        Self(function)
    }
}

impl Tokenizer for TokenizerCallback {
    fn count(&self, text: &str) -> Result<usize> {
        let failed = |what: String| {
            Error::new(Code::InvalidInput, format!("the countTokens callback {what}; tokens are estimated"))
        };
        let answer = self
            .0
            .call1(&JsValue::UNDEFINED, &text.into())
            .map_err(|error| failed(format!("threw: {}", Thrown::new(&error))))?;
        let whole = answer.as_f64().filter(|number| number.fract() == 0.0);
        match whole.filter(|number| (0.0..=f64::from(u32::MAX)).contains(number)) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "checked on the line before"
            )]
            Some(number) => Ok(number as usize),
            None => {
                let number = answer.as_f64().map(|number| serde_json::Value::from(number).to_string());
                let returned = number.unwrap_or_else(|| kind(&answer));
                Err(failed(format!("returned {returned}, not a whole number from 0")))
            }
        }
    }
}
