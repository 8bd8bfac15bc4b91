//! Reading types from JSON values, with errors that say where.
//!
//! Every type is read from a `Value`, never from text, and by one small reader. It hands a struct its fields as a list, in
//! their order: to find them by their names is work that serde would compile anew for each struct.

mod complaint;
mod items;
mod members;
mod reader;
#[cfg(test)]
mod tests;

pub use complaint::Complaint;
pub(crate) use complaint::shown;

use crate::error::{Code, Error as Failure};
use reader::{Reader, Strangers};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// Reads a type from a value that was stored or answered. Properties that its structs have no fields for are let pass.
///
/// # Errors
/// What is wrong with the value, and where.
pub fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, Complaint> {
    T::deserialize(Reader { value: Some(value), strangers: Strangers::Pass })
}

/// Writes a type as a value, to be stored or answered.
///
/// # Errors
/// `Internal` for a type that JSON cannot hold, which none of the engine's is.
pub(crate) fn to_value<T: Serialize>(value: &T) -> Result<Value, Failure> {
    serde_json::to_value(value).map_err(|error| Failure::new(Code::Internal, error.to_string()))
}

/// Reads a type from a value that a caller wrote. Properties that its structs have no fields for are refused.
///
/// # Errors
/// What is wrong with the value, and where.
pub fn from_options<T: DeserializeOwned>(value: Value) -> Result<T, Complaint> {
    T::deserialize(Reader { value: Some(value), strangers: Strangers::Refuse })
}

/// Reads a field in which properties nobody knows are let pass, whatever holds around it.
///
/// # Errors
/// What is wrong with the value, and where.
pub fn loosely<'de, D: Deserializer<'de>, T: Deserialize<'de>>(value: D) -> Result<T, D::Error> {
    #[derive(Deserialize)]
    struct Loose<T>(T);
    Loose::deserialize(value).map(|Loose(read)| read)
}
