//! Time, randomness and background work from the JavaScript runtime.

use crate::error::{Code, Error, Result};
use crate::ports::{Pending, Platform};
use crate::web::thrown::Thrown;
use crate::web::timer::Timers;
use crate::web::turn::Turns;
use js_sys::{Function, Promise, Reflect, global};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue, UnwrapThrowExt};
use wasm_bindgen_futures::JsFuture;

/// How many random bytes are drawn at once: an import makes an id for each record, and drawing takes longer than the bytes.
const DRAWN_AT_ONCE: usize = 1000;

/// The [`Platform`] of pages, workers and server runtimes.
#[derive(Debug, Clone)]
pub struct WebPlatform {
    crypto: web_sys::Crypto,
    /// Random bytes that nobody was given yet.
    drawn: Rc<RefCell<Vec<u8>>>,
    timers: Timers,
    turns: Turns,
    /// What brings later parts of the engine; none where all are in one module.
    parts: Option<Rc<Parts>>,
}

/// Functions that are given the name of a part of the engine.
#[derive(Debug)]
struct Parts {
    /// Loads it, and answers a promise, or nothing when it is there.
    load: Function,
    /// Whether it is there.
    has: Function,
}

impl WebPlatform {
    /// Finds the runtime's `crypto`, `setTimeout` and `clearTimeout`, and proves that random bytes may be drawn.
    ///
    /// # Errors
    /// [`Code::Internal`] where one is missing, or where random bytes are not allowed yet (edge runtimes refuse them
    /// outside of a request).
    pub fn new() -> Result<Self> {
        let timers = Timers::new()?;
        let crypto = Reflect::get(&global(), &"crypto".into())
            .ok()
            .filter(|crypto| !crypto.is_undefined() && !crypto.is_null())
            .ok_or_else(|| {
                Error::new(
                    Code::Internal,
                    "this JavaScript runtime has no crypto; use a browser or a server runtime",
                )
            })?
            .unchecked_into::<web_sys::Crypto>();
        crypto.get_random_values_with_u8_array(&mut [0; 1]).map_err(|error| {
            Error::new(
                Code::Internal,
                format!("crypto.getRandomValues failed ({}); on an edge runtime, open the memory inside a request", Thrown::new(&error)),
            )
        })?;
        Ok(Self { crypto, drawn: Rc::default(), timers, turns: Turns::new(), parts: None })
    }

    /// The same platform, whose later parts of the engine a function loads: it is given a name and answers a promise, or
    /// nothing when the part is there. Another one says whether it is.
    #[must_use]
    pub fn loading_by(self, load: Function, has: Function) -> Self {
        Self { parts: Some(Rc::new(Parts { load, has })), ..self }
    }
}

impl Platform for WebPlatform {
    fn now(&self) -> i64 {
        #[expect(clippy::cast_possible_truncation, reason = "whole milliseconds, far below 2^53")]
        let now = js_sys::Date::now() as i64;
        now
    }

    fn random(&self) -> [u8; 10] {
        let mut bytes = [0; 10];
        let mut drawn = self.drawn.borrow_mut();
        if drawn.len() < bytes.len() {
            drawn.resize(DRAWN_AT_ONCE, 0);
            self.crypto.get_random_values_with_u8_array(&mut drawn).expect_throw(
                "getRandomValues worked when the platform was made and refuses only more than 65536 bytes",
            );
        }
        for byte in &mut bytes {
            // Nothing that was given stays here.
            *byte = drawn.last_mut().map(std::mem::take).unwrap_or_default();
            drawn.pop();
        }
        bytes
    }

    fn sleep(&self, milliseconds: u32) -> Pending<'static, ()> {
        let timers = self.timers.clone();
        Box::pin(async move { timers.sleep_unreferenced(milliseconds).await })
    }

    fn yield_now(&self) -> Pending<'static, ()> {
        let turns = self.turns.clone();
        Box::pin(async move { turns.next().await })
    }

    fn is_of_page(&self) -> bool {
        Reflect::has(&global(), &"document".into()).unwrap_or_default()
    }

    fn spawn(&self, work: Pending<'static, ()>) {
        wasm_bindgen_futures::spawn_local(work);
    }

    fn load(&self, part: &'static str) -> Pending<'static, Result<()>> {
        let parts = self.parts.clone();
        Box::pin(async move {
            let Some(parts) = parts else { return Ok(()) };
            let failed = |error: JsValue| {
                let member =
                    |value: &JsValue, name: &str| Reflect::get(value, &name.into()).unwrap_or_default();
                let failed = Error::new(Code::Load, Thrown::new(&error).message).with("part", part);
                match member(&member(&error, "details"), "file").as_string() {
                    Some(file) => failed.with("file", file),
                    None => failed,
                }
            };
            let loading = parts.load.call1(&JsValue::UNDEFINED, &part.into()).map_err(failed)?;
            // A call for a part that is there waits for nothing, or a later call would come before it.
            if !loading.is_undefined() {
                JsFuture::from(loading.unchecked_into::<Promise>()).await.map_err(failed)?;
            }
            Ok(())
        })
    }

    fn is_loaded(&self, part: &'static str) -> bool {
        self.parts.as_ref().is_none_or(|parts| {
            parts.has.call1(&JsValue::UNDEFINED, &part.into()).is_ok_and(|answer| answer.is_truthy())
        })
    }
}
