//! What a model is told of a call.

use super::fit::fit;
use crate::error::{Code, Error, Result};
use crate::memory::counter::Counter;
use serde_json::Value;

/// How many faults of one value are told.
const FAULTS: usize = 5;

/// Whether a call was carried out, and what to tell the model, in so many tokens.
///
/// # Errors
/// The outcome's own when it is nothing that a model can do anything about, such as a storage that fails.
pub(crate) fn outcome(outcome: Result<String>, tokens: usize, counter: &Counter) -> Result<(bool, String)> {
    let (ok, told) = match outcome {
        Ok(told) => (true, told),
        Err(error) => (false, refusal(error)?),
    };
    Ok((ok, fit(told, tokens, counter)))
}

fn refusal(error: Error) -> Result<String> {
    if matches!(
        error.code,
        Code::Storage
            | Code::QuotaExceeded
            | Code::Corrupt
            | Code::UnsupportedVersion
            | Code::Aborted
            | Code::Closed
            | Code::Internal
    ) {
        return Err(error);
    }
    let mut told = error.message.clone();
    if let Some(Value::Array(violations)) = error.details.get("violations") {
        for violation in violations.iter().take(FAULTS) {
            let part = |name: &str| violation.get(name).and_then(Value::as_str).unwrap_or_default();
            told.push_str("\n- ");
            told.push_str(part("instance"));
            told.push_str(if part("instance").is_empty() { "" } else { ": " });
            told.push_str(part("message"));
        }
    }
    Ok(told)
}
