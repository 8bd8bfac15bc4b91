//! Why a value is not what was asked for, and where.

use serde::de::{Error, Expected, Unexpected};
use serde_json::Value;
use std::fmt;

/// How many characters of a value are shown.
const SHOWN: usize = 60;

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

    /// What is wrong with that part and what to do, to be said behind its name: `is -1; pass a whole number from 1 to 1000`.
    #[must_use]
    pub fn told(&self) -> &str {
        &self.0.told
    }

    /// That a value is of another type; `None` for one that was not given.
    #[cold]
    pub(super) fn of_type(found: Option<&Value>, expected: &dyn Expected) -> Self {
        let found = found.map_or("missing".to_owned(), shown);
        Self::custom(format_args!("is {found}; pass {}", in_words(expected)))
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
        let place = self.place();
        f.write_str(if place.is_empty() { "it" } else { place })?;
        f.write_str(" ")?;
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
        let found = match found {
            Unexpected::Float(number) => Value::from(number),
            Unexpected::Unsigned(number) => Value::from(number),
            Unexpected::Signed(number) => Value::from(number),
            Unexpected::Bool(flag) => Value::from(flag),
            Unexpected::Str(text) => Value::from(text),
            // The reader itself complains of all others.
            _ => Value::Null,
        };
        Self::of_type(Some(&found), expected)
    }

    #[cold]
    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    #[cold]
    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("has {length} items; pass {expected}"))
    }

    #[cold]
    fn unknown_variant(found: &str, names: &'static [&'static str]) -> Self {
        Self::of_type(Some(&found.into()), &OneOf(names))
    }

    #[cold]
    fn unknown_field(_: &str, names: &'static [&'static str]) -> Self {
        if names.is_empty() {
            return Self::custom("is no option; there are none here");
        }
        Self::custom(format_args!("is no option; the options are {}", names.join(", ")))
    }
}

/// One of some names.
pub(super) struct OneOf(pub(super) &'static [&'static str]);

impl Expected for OneOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, name) in self.0.iter().enumerate() {
            let before = match place {
                0 => "",
                _ if place + 1 == self.0.len() => " or ",
                _ => ", ",
            };
            write!(f, "{before}\"{name}\"")?;
        }
        Ok(())
    }
}

/// A value as JSON, cut to a sensible length.
pub(crate) fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        None => text,
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
    }
}

/// What was expected, but not as the engine names its types.
fn in_words(expected: &dyn Expected) -> String {
    let told = expected.to_string();
    let words = match told.as_str() {
        "i64" => "a whole number",
        "u8" => "a whole number from 0 to 255",
        "u32" | "usize" => "a whole number from 0 to 4294967295",
        "u64" => "a whole number from 0",
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        other if other == "a map" || other.starts_with("struct ") => "an object",
        _ => return told,
    };
    words.to_owned()
}
