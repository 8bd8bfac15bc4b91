//! The one error of the crate: a stable code, a message that names the value, the limit and the cure, and details.

use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt;
use std::ops::{Deref, DerefMut};

/// The result of every fallible call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Stable names for what went wrong; applications branch on these, never on messages.
///
/// The npm package has a subclass of `MnemicError` for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[non_exhaustive]
pub enum Code {
    /// An argument has the wrong type, shape or size; nothing was changed.
    InvalidInput,
    /// A scope is empty, has too many pairs, or holds a pair that is not allowed.
    InvalidScope,
    /// A filter uses an unknown operator or an operand of the wrong type.
    InvalidFilter,
    /// A JSON Schema cannot be used: malformed, or with a keyword that is not supported.
    InvalidSchema,
    /// A value does not validate against its schema; `details.violations` lists where.
    SchemaViolation,
    /// The named thing does not exist in this scope.
    NotFound,
    /// Somebody else changed what this call was based on.
    Conflict,
    /// The call would write, and was made in a view that only reads.
    ReadOnly,
    /// The storage is full; the state is as before the call.
    QuotaExceeded,
    /// The storage failed or refused.
    Storage,
    /// It was forgotten, or history no longer reaches back to it; nothing was changed.
    Forgotten,
    /// Stored bytes are damaged.
    Corrupt,
    /// Stored bytes were written by a newer version.
    UnsupportedVersion,
    /// The model callback failed, or its answer could not be used after a retry.
    Model,
    /// The embedding callback failed, or answered with the wrong shape.
    Embedder,
    /// A callback did not answer in time.
    Timeout,
    /// A budget of model calls or tokens is used up.
    BudgetExceeded,
    /// The call was aborted by its signal.
    Aborted,
    /// Something holds a secret, which is to be refused; `details.kind` says which. Nothing was changed.
    Secret,
    /// The memory is closed.
    Closed,
    /// The memory is encrypted, and no key was given for it; or it has been encrypted or decrypted elsewhere since.
    Locked,
    /// The key that was given does not open the memory.
    WrongKey,
    /// A part of the engine could not be loaded; the next call tries again.
    Load,
    /// A bug: an internal state that should be impossible.
    Internal,
}

impl Code {
    /// The code as the string applications see.
    ///
    /// ```
    /// assert_eq!(mnemic_core::Code::QuotaExceeded.as_str(), "QuotaExceeded");
    /// ```
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidInput => "InvalidInput",
            Self::InvalidScope => "InvalidScope",
            Self::InvalidFilter => "InvalidFilter",
            Self::InvalidSchema => "InvalidSchema",
            Self::SchemaViolation => "SchemaViolation",
            Self::NotFound => "NotFound",
            Self::Conflict => "Conflict",
            Self::ReadOnly => "ReadOnly",
            Self::QuotaExceeded => "QuotaExceeded",
            Self::Storage => "Storage",
            Self::Forgotten => "Forgotten",
            Self::Corrupt => "Corrupt",
            Self::UnsupportedVersion => "UnsupportedVersion",
            Self::Model => "Model",
            Self::Embedder => "Embedder",
            Self::Timeout => "Timeout",
            Self::BudgetExceeded => "BudgetExceeded",
            Self::Aborted => "Aborted",
            Self::Secret => "Secret",
            Self::Closed => "Closed",
            Self::Locked => "Locked",
            Self::WrongKey => "WrongKey",
            Self::Load => "Load",
            Self::Internal => "Internal",
        }
    }
}

/// What went wrong; its parts are those of [`Particulars`].
///
/// It is one word, because results are handed on in thousands of places, and each copies what it hands on.
///
/// ```
/// use mnemic_core::{Code, Error};
///
/// let error = Error::new(Code::NotFound, "there is no fact 7");
/// assert_eq!((error.code, error.message.as_str()), (Code::NotFound, "there is no fact 7"));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Error(Box<Particulars>);

/// What an [`Error`] says: a [`Code`] to branch on, a message for people, and details for machines.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Particulars {
    /// The stable code.
    pub code: Code,
    /// One sentence that names the value, the limit and what to do.
    pub message: String,
    /// Machine-readable particulars, such as `violations` or `limit`; empty when there are none.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub details: Map<String, Value>,
}

impl Error {
    /// An error with a code and a message.
    #[must_use]
    #[inline]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self::of(code, message.into())
    }

    #[cold]
    #[inline(never)]
    fn of(code: Code, message: String) -> Self {
        Self(Box::new(Particulars { code, message, details: Map::new() }))
    }

    /// The same error, which says first what it is about, such as `facts[3]`.
    #[must_use]
    #[cold]
    pub fn about(mut self, what: &str) -> Self {
        self.message = format!("{what}: {}", self.message);
        self
    }

    /// The same error with one more detail.
    #[must_use]
    #[inline]
    pub fn with(self, name: &str, value: impl Into<Value>) -> Self {
        self.with_value(name, value.into())
    }

    #[cold]
    #[inline(never)]
    fn with_value(mut self, name: &str, value: Value) -> Self {
        self.details.insert(name.to_owned(), value);
        self
    }
}

impl From<Error> for String {
    /// The message.
    fn from(error: Error) -> Self {
        error.0.message
    }
}

impl Deref for Error {
    type Target = Particulars;

    fn deref(&self) -> &Particulars {
        &self.0
    }
}

impl DerefMut for Error {
    fn deref_mut(&mut self) -> &mut Particulars {
        &mut self.0
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}

impl std::error::Error for Error {}
