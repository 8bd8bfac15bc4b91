//! Reading options: from JSON text to types, with errors that say where.

use crate::error::{Code, Error, Result};
use serde::de::DeserializeOwned;

/// Reads options.
///
/// # Errors
/// `InvalidInput` that names the place, such as `messages[0].role`, and what was expected there.
pub(crate) fn read<T: DeserializeOwned>(options: &str) -> Result<T> {
    serde_json::from_str(options).map_err(|error| {
        // The position in the JSON means nothing to who wrote an object; the path does.
        let told = error.to_string();
        let told = told.split(" at line ").next().unwrap_or_default();
        let place = if error.line() == 1 { path(options, error.column()) } else { String::new() };
        let colon = if place.is_empty() { "" } else { ": " };
        Error::new(Code::InvalidInput, format!("the options are not usable: {place}{colon}{told}"))
    })
}

/// What encloses a place in a JSON text.
enum Enclosing<'a> {
    /// An object, and the name of the present property as written, with its quotes.
    Object(Option<&'a str>),
    /// A list, and the present index.
    List(usize),
}

/// The path of the value that ends at or holds the byte `end` of a JSON text on one line; empty for the whole.
fn path(json: &str, end: usize) -> String {
    let mut enclosing: Vec<Enclosing<'_>> = Vec::new();
    let mut text_from = None;
    let mut is_name = false;
    let mut escaped = false;
    for (at, byte) in json.bytes().enumerate().take(end) {
        if let Some(from) = text_from {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => {
                    text_from = None;
                    if is_name && let Some(Enclosing::Object(name)) = enclosing.last_mut() {
                        *name = json.get(from..=at);
                        is_name = false;
                    }
                }
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => text_from = Some(at),
            b'{' => {
                enclosing.push(Enclosing::Object(None));
                is_name = true;
            }
            b'[' => enclosing.push(Enclosing::List(0)),
            b'}' | b']' => {
                enclosing.pop();
                is_name = false;
            }
            b',' => match enclosing.last_mut() {
                Some(Enclosing::List(index)) => *index += 1,
                _ => is_name = true,
            },
            _ => {}
        }
    }
    written(&enclosing)
}

/// A path as JavaScript writes it.
fn written(enclosing: &[Enclosing<'_>]) -> String {
    let mut path = String::new();
    for level in enclosing {
        match level {
            Enclosing::Object(None) => {}
            Enclosing::Object(Some(name)) => {
                let bare = name.trim_matches('"');
                if bare.is_empty() || !bare.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                    path.push_str(&format!("[{name}]"));
                } else {
                    path.push_str(if path.is_empty() { "" } else { "." });
                    path.push_str(bare);
                }
            }
            Enclosing::List(index) => path.push_str(&format!("[{index}]")),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn a_place_is_named_as_javascript_writes_it() {
        let json = r#"{"a":1,"b":[{"c":"}\\\"]"},{"x y":true}],"d":{}}"#;
        let place = |value: &str| path(json, json.find(value).unwrap_or_default() + value.len());
        assert_eq!(place("1"), "a");
        assert_eq!(place("]\""), "b[0].c");
        assert_eq!(place("true"), "b[1][\"x y\"]");
        assert_eq!(place("true}"), "b[1]");
        assert_eq!(place(r#""d":"#), "d");
        assert_eq!(path(json, json.len()), "");
        assert_eq!(path(json, 1), "");
    }
}
