//! Scopes: whose memory it is.

use crate::error::{Code, Error, Result};
use crate::ordered::Ordered;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use std::borrow::Borrow;
use std::rc::Rc;

/// The most pairs a scope may have.
pub const MAX_SCOPE_PAIRS: usize = 5;
/// The most characters a key of a scope may have.
pub const MAX_SCOPE_KEY_CHARACTERS: usize = 64;
/// The most characters a value of a scope may have.
pub const MAX_SCOPE_VALUE_CHARACTERS: usize = 256;

/// An exact set of key/value pairs, such as `{"userId": "alice"}`; order does not matter.
///
/// Nothing read or written under one scope is ever visible under another.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Scope {
    /// The pairs as a JSON object with its keys sorted: the scope's one spelling, as stored.
    canonical: Rc<str>,
}

impl Scope {
    /// Makes a scope from a JSON object of strings.
    ///
    /// # Errors
    /// `InvalidScope` when it is not an object of 1 to 5 pairs of non-empty strings without `*`, within the limits.
    ///
    /// ```
    /// # use serde_json::json;
    /// let one = mnemic::Scope::from_json(&json!({"userId": "a", "app": "b"}))?;
    /// let same = mnemic::Scope::from_json(&json!({"app": "b", "userId": "a"}))?;
    /// assert_eq!(one, same);
    /// # Ok::<(), mnemic::Error>(())
    /// ```
    pub fn from_json(value: &Value) -> Result<Self> {
        let Value::Object(object) = value else {
            return Err(invalid(format!(
                "a scope is an object of strings such as {{\"userId\": \"alice\"}}, not {}",
                kind(value)
            )));
        };
        if object.is_empty() || object.len() > MAX_SCOPE_PAIRS {
            return Err(invalid(format!(
                "a scope has 1 to {MAX_SCOPE_PAIRS} pairs; this one has {}",
                object.len()
            )));
        }
        let mut sorted = Ordered::new();
        for (key, value) in object {
            let Value::String(text) = value else {
                return Err(invalid(format!("scope value of {key:?} must be a string, not {}", kind(value))));
            };
            part("key", key, MAX_SCOPE_KEY_CHARACTERS)?;
            part("value", text, MAX_SCOPE_VALUE_CHARACTERS)?;
            sorted.insert(key.clone(), Value::String(text.clone()));
        }
        let canonical = Value::Object(sorted.into_iter().collect::<Map<_, _>>()).to_string();
        Ok(Self { canonical: canonical.into() })
    }

    /// Reads the canonical form back, as stored.
    ///
    /// # Errors
    /// `InvalidScope` when the text is not one a scope would write.
    pub fn from_canonical(text: &str) -> Result<Self> {
        let value =
            serde_json::from_str(text).map_err(|_| invalid("a stored scope is not readable".to_owned()))?;
        Self::from_json(&value)
    }

    /// The one spelling of this scope: JSON with sorted keys.
    #[must_use]
    pub fn canonical(&self) -> &str {
        &self.canonical
    }
}

impl Borrow<str> for Scope {
    fn borrow(&self) -> &str {
        &self.canonical
    }
}

impl Serialize for Scope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value: Value = serde_json::from_str(&self.canonical).map_err(serde::ser::Error::custom)?;
        value.serialize(serializer)
    }
}

fn part(name: &str, text: &str, limit: usize) -> Result<()> {
    let characters = text.chars().count();
    if characters == 0 || characters > limit {
        return Err(invalid(format!(
            "a scope {name} has 1 to {limit} characters; this one has {characters}"
        )));
    }
    if text.contains('*') {
        return Err(invalid(format!("a scope {name} must not hold '*': {text:?}; scopes match exactly")));
    }
    Ok(())
}

fn invalid(message: String) -> Error {
    Error::new(Code::InvalidScope, message)
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn takes_pairs_in_any_order() {
        let scope = Scope::from_json(&json!({"b": "2", "a": "\"quoted\""})).unwrap();
        assert_eq!(scope.canonical(), r#"{"a":"\"quoted\"","b":"2"}"#);
        assert_eq!(Scope::from_canonical(scope.canonical()).unwrap(), scope);
    }

    #[test]
    fn refuses_what_cannot_be_exact() {
        let long = "x".repeat(257);
        for bad in [
            json!({}),
            json!(null),
            json!("alice"),
            json!([]),
            json!({"": "a"}),
            json!({"a": ""}),
            json!({"a": 1}),
            json!({"a": "*"}),
            json!({"a*": "b"}),
            json!({"a": long}),
            json!({"a": "1", "b": "2", "c": "3", "d": "4", "e": "5", "f": "6"}),
        ] {
            assert_eq!(Scope::from_json(&bad).unwrap_err().code, Code::InvalidScope, "{bad}");
        }
    }
}
