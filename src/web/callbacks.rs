//! The application's models, which are JavaScript functions.

mod embedder;
mod llm;
mod tokenizer;

pub use embedder::EmbedderCallback;
pub use llm::LlmCallback;
pub use tokenizer::TokenizerCallback;

use crate::error::{Code, Error, Result};
use crate::web::given;
use crate::web::thrown::Thrown;
use crate::web::timer::Timers;
use futures_util::future::{Either, select};
use js_sys::Function;
use std::pin::pin;
use wasm_bindgen::JsValue;
use web_sys::{AbortController, AbortSignal};

/// A callback of the application: sync or async, slow, wrong or hostile.
#[derive(Debug)]
struct Callback {
    function: Function,
    timers: Timers,
    /// What it is called in messages, such as `the llm callback`.
    name: &'static str,
    /// The code of its failures.
    code: Code,
}

impl Callback {
    fn new(function: Function, name: &'static str, code: Code) -> Result<Self> {
        Ok(Self { function, timers: Timers::new()?, name, code })
    }

    /// A failure of this callback.
    fn failed(&self, what: impl std::fmt::Display) -> Error {
        Error::new(self.code, format!("{} {what}", self.name))
    }

    /// Calls the function with what `arguments` makes of an abort signal, and waits for its answer.
    ///
    /// The signal fires when `timeout_ms` pass or the future is dropped, never after an answer.
    async fn call(
        &self,
        timeout_ms: u32,
        arguments: impl FnOnce(&AbortSignal) -> Result<(JsValue, JsValue)>,
    ) -> Result<JsValue> {
        let mut abort = AbortOnDrop::new()
            .map_err(|error| self.failed(format!("has no AbortController: {}", Thrown::new(&error))))?;
        let (first, second) = arguments(&abort.controller.signal())?;
        let threw = |error: JsValue| self.failed(format!("threw: {}", Thrown::new(&error)));
        let answer = match self.function.call2(&JsValue::UNDEFINED, &first, &second) {
            Ok(answer) => given::answer(&answer),
            Err(error) => {
                abort.settled = true;
                return Err(threw(error));
            }
        };
        match select(answer, pin!(self.timers.sleep(timeout_ms))).await {
            Either::Left((answer, _)) => {
                abort.settled = true;
                answer.map_err(threw)
            }
            Either::Right(_) => Err(Error::new(
                Code::Timeout,
                format!(
                    "{} did not answer within {timeout_ms} ms; make it faster or allow it more time",
                    self.name
                ),
            )
            .with("timeoutMs", timeout_ms)),
        }
    }
}

/// Fires its signal when it is dropped unsettled.
struct AbortOnDrop {
    controller: AbortController,
    settled: bool,
}

impl AbortOnDrop {
    fn new() -> Result<Self, JsValue> {
        Ok(Self { controller: AbortController::new()?, settled: false })
    }
}

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        if !self.settled {
            self.controller.abort();
        }
    }
}
