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
    json::from_value(value(options)?).map_err(refused)
}

fn refused(complaint: Complaint) -> Error {
    let place = complaint.place();
    let colon = if place.is_empty() { "" } else { ": " };
    unusable(&format!("{place}{colon}{complaint}"))
}

fn value(options: &str) -> Result<Value> {
    serde_json::from_str(options).map_err(|error| unusable(&error.to_string()))
}

fn unusable(why: &str) -> Error {
    Error::new(Code::InvalidInput, format!("the options are not usable: {why}"))
}
