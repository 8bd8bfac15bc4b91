//! Reading options: from JSON text to types, with errors that say where.

use crate::error::{Code, Error, Result};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Reads options. Every type is read from a `Value`, never from text: the code that reads it is there once.
///
/// # Errors
/// `InvalidInput` that names the place, such as `messages[0].role`, and what was expected there.
pub(super) fn read<T: DeserializeOwned>(options: &str) -> Result<T> {
    serde_json::from_str(options).and_then(serde_json::from_value).map_err(|error| {
        let told = error.to_string();
        let complaint = |value| serde_json::from_value::<T>(value).err().map(|error| error.to_string());
        let value = serde_json::from_str(options).unwrap_or_default();
        let place = Blamed { whole: value, told: &told, complaint: &complaint }.place();
        let colon = if place.is_empty() { "" } else { ": " };
        Error::new(Code::InvalidInput, format!("the options are not usable: {place}{colon}{told}"))
    })
}

/// A value that is complained about. An error of a `Value` knows no place, so the place is found by leaving parts out: the
/// part without which the complaint is another is to blame.
struct Blamed<'a> {
    whole: Value,
    told: &'a str,
    complaint: &'a dyn Fn(Value) -> Option<String>,
}

impl Blamed<'_> {
    /// The path to the smallest part to blame, as JavaScript writes it; empty for the whole.
    fn place(&self) -> String {
        let (mut pointer, mut path) = (String::new(), String::new());
        loop {
            match self.whole.pointer(&pointer) {
                Some(Value::Object(object)) => {
                    let Some(name) = self.property(&pointer, object) else { return path };
                    pointer.push_str(&format!("/{}", name.replace('~', "~0").replace('/', "~1")));
                    path.push_str(&written(name, path.is_empty()));
                }
                Some(Value::Array(items)) => {
                    let Some(index) = self.index(&pointer, items.len()) else { return path };
                    pointer.push_str(&format!("/{index}"));
                    path.push_str(&format!("[{index}]"));
                }
                _ => return path,
            }
        }
    }

    /// The property of an object that is to blame.
    fn property<'o>(&self, pointer: &str, object: &'o Map<String, Value>) -> Option<&'o str> {
        let lacks_a_field = self.told.starts_with("missing field");
        let mut names = object
            .iter()
            // What is no container cannot lack a field.
            .filter(|(_, value)| !lacks_a_field || value.is_object() || value.is_array())
            .map(|(name, _)| name.as_str());
        names.find(|name| {
            self.is_another_once(pointer, |object| {
                if let Value::Object(object) = object {
                    object.remove(*name);
                }
            })
        })
    }

    /// The item of a list that is to blame. Reading ends at the first bad one, so the shortest list that is complained about
    /// ends with it.
    fn index(&self, pointer: &str, length: usize) -> Option<usize> {
        let lengths: Vec<usize> = (0..=length).collect();
        let shortest = lengths.partition_point(|length| {
            self.is_another_once(pointer, |list| {
                if let Value::Array(items) = list {
                    items.truncate(*length);
                }
            })
        });
        shortest.checked_sub(1).filter(|index| *index < length)
    }

    /// Whether the complaint is another one once something of a part was left out.
    fn is_another_once(&self, pointer: &str, left_out: impl FnOnce(&mut Value)) -> bool {
        let mut less = self.whole.clone();
        if let Some(part) = less.pointer_mut(pointer) {
            left_out(part);
        }
        (self.complaint)(less).as_deref() != Some(self.told)
    }
}

/// A property's name as JavaScript writes it in a path.
fn written(name: &str, is_first: bool) -> String {
    let is_bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match (is_bare, is_first) {
        (true, true) => name.to_owned(),
        (true, false) => format!(".{name}"),
        (false, _) => format!("[{name:?}]"),
    }
}
