//! Why a value is not what was asked for, and where.

use serde::de::{Error, Expected, Unexpected};
use serde_json::Value;
use std::fmt;

/// Why a value is not what was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint(Box<Parts>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Parts {
    /// The path to the part to blame, as JavaScript writes it behind the name of the whole, such as `.messages[0].role`.
    path: String,
    told: String,
}

impl Complaint {
    /// The path to the part to blame, such as `messages[0].role`; empty for the whole.
    #[must_use]
    pub fn place(&self) -> &str {
        let path = &self.0.path;
        path.strip_prefix('.').unwrap_or(path)
    }

    /// Says in which property it is.
    #[cold]
    pub(super) fn of_property(mut self, name: &str) -> Self {
        let is_bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let path = &self.0.path;
        self.0.path = if is_bare { format!(".{name}{path}") } else { format!("[{name:?}]{path}") };
        self
    }

    /// Says in which item it is.
    #[cold]
    pub(super) fn of_item(mut self, index: usize) -> Self {
        self.0.path = format!("[{index}]{}", self.0.path);
        self
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.told)
    }
}

impl std::error::Error for Complaint {}

impl Error for Complaint {
    #[cold]
    fn custom<T: fmt::Display>(told: T) -> Self {
        Self(Box::new(Parts { path: String::new(), told: told.to_string() }))
    }

    #[cold]
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("invalid type: {}, expected {expected}", described(found)))
    }

    #[cold]
    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("invalid value: {}, expected {expected}", described(found)))
    }
}

/// What was found. Numbers with a point are written as JSON: the standard library's way of it is 12 kB more.
fn described(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Float(number) => format!("floating point `{}`", Value::from(number)),
        Unexpected::Unsigned(number) => format!("integer `{number}`"),
        Unexpected::Signed(number) => format!("integer `{number}`"),
        Unexpected::Bool(flag) => format!("boolean `{flag}`"),
        Unexpected::Str(text) => format!("string {text:?}"),
        Unexpected::Seq => "sequence".to_owned(),
        Unexpected::Map => "map".to_owned(),
        Unexpected::Other(other) => other.to_owned(),
        _ => "null".to_owned(),
    }
}
