//! Reading options: from JSON text to types, with errors that say where.

use crate::error::{Code, Error, Result};
use crate::json::{self, Complaint};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads options.
///
/// # Errors
/// `InvalidInput` that names the place, such as `messages[0].role`, and what was expected there.
pub(super) fn read<T: DeserializeOwned>(options: &str) -> Result<T> {
    read_value(value(options)?)
}

/// Reads options that were parsed.
///
/// # Errors
/// As [`read`].
pub(super) fn read_value<T: DeserializeOwned>(options: Value) -> Result<T> {
    json::from_options(options).map_err(refused)
}

fn refused(complaint: Complaint) -> Error {
    let place = complaint.place();
    let colon = if place.is_empty() { "" } else { ": " };
    let error = unusable(&format!("{place}{colon}{}", plainly(&complaint.to_string())));
    match index(place) {
        Some(index) => error.with("index", index),
        None => error,
    }
}

/// The place in its list of what `messages[3].role` is about.
fn index(place: &str) -> Option<usize> {
    place.split_once('[')?.1.split_once(']')?.0.parse().ok()
}

/// A complaint in which what was expected is not named as the engine names its types.
fn plainly(told: &str) -> String {
    let Some((found, expected)) = told.rsplit_once(", expected ") else { return told.to_owned() };
    let expected = match expected {
        "i64" => "a whole number",
        "u8" => "a whole number from 0 to 255",
        "u32" | "u64" | "usize" => "a whole number, 0 or more",
        "f32" | "f64" => "a number",
        "a sequence" => "a list",
        other if other == "a map" || other.starts_with("struct ") => "an object",
        other => other,
    };
    format!("{found}, expected {expected}")
}

pub(super) fn value(options: &str) -> Result<Value> {
    serde_json::from_str(options).map_err(|error| unusable(&error.to_string()))
}

fn unusable(why: &str) -> Error {
    Error::new(Code::InvalidInput, format!("invalid options: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_expected_is_said_in_words() {
        for (told, plain) in [
            ("invalid type: null, expected i64", "invalid type: null, expected a whole number"),
            (
                "invalid value: integer `300`, expected u8",
                "invalid value: integer `300`, expected a whole number from 0 to 255",
            ),
            ("invalid type: sequence, expected struct Options", "invalid type: sequence, expected an object"),
            ("unknown field `x`, expected `a`", "unknown field `x`, expected `a`"),
            ("missing field `text`", "missing field `text`"),
        ] {
            assert_eq!(plainly(told), plain);
        }
    }
}
