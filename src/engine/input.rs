//! Reading options: from JSON text to types, with errors that say where.

use crate::error::{Code, Error, Result};
use crate::json::{self, Complaint};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads options.
///
/// # Errors
/// `InvalidInput` that names the place, such as `messages[0].role`, its value and what to pass.
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
    let name = if place.is_empty() { "options" } else { place };
    let error = Error::new(Code::InvalidInput, format!("{name} {}", complaint.told())).with("path", place);
    match index(place) {
        Some(index) => error.with("index", index),
        None => error,
    }
}

/// The place in its list of what `messages[3].role` is about.
fn index(place: &str) -> Option<usize> {
    place.split_once('[')?.1.split_once(']')?.0.parse().ok()
}

pub(super) fn value(options: &str) -> Result<Value> {
    serde_json::from_str(options)
        .map_err(|error| Error::new(Code::InvalidInput, format!("options are no JSON: {error}")))
}
