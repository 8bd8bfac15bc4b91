//! What JavaScript threw, as text. The thrown value itself never travels into the engine.

use crate::web::kind::kind;
use js_sys::Reflect;
use std::fmt;
use wasm_bindgen::JsValue;

/// The most characters of a thrown message that are kept.
const MAX_MESSAGE_CHARS: usize = 1000;

/// The text of something that was thrown or rejected with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Thrown {
    /// The `name` of an error, such as `QuotaExceededError`; empty when it has none.
    pub(super) name: String,
    /// The `code` of an error when that is a string; empty otherwise.
    pub(super) code: String,
    /// The message, cut to a sensible length; for other values, the value if it is short text or its sort.
    pub(super) message: String,
}

impl Thrown {
    /// Reads what it can; a getter that throws reads as missing.
    pub(super) fn new(value: &JsValue) -> Self {
        let text =
            |property: &str| Reflect::get(value, &property.into()).ok().and_then(|text| text.as_string());
        let message = value.as_string().or_else(|| text("message")).unwrap_or_else(|| kind(value));
        Self {
            name: text("name").unwrap_or_default(),
            code: text("code").unwrap_or_default(),
            message: message.chars().take(MAX_MESSAGE_CHARS).collect(),
        }
    }

    /// Whether its name or its code is this one.
    pub(super) fn is(&self, name: &str) -> bool {
        self.name == name || self.code == name
    }

    /// Whether a browser says with it that there is no room.
    pub(super) fn is_quota(&self) -> bool {
        self.is("QuotaExceededError") || self.is("NS_ERROR_DOM_QUOTA_REACHED")
    }
}

impl fmt::Display for Thrown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.as_str() {
            "" | "Error" => f.write_str(&self.message),
            name => write!(f, "{name}: {}", self.message),
        }
    }
}
