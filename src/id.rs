//! Ids: UUID version 7, made from a time and random bytes that come in as arguments.

use crate::error::{Code, Error, Result};
use serde::de::Unexpected;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use uuid::{Builder, Uuid};

/// The id of a record or a commit: a UUIDv7, written as 36 lower-case characters.
///
/// The time inside is for people; order comes from commit sequence numbers, never from ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id([u8; 16]);

impl Id {
    /// Makes an id from a time (milliseconds since 1970 UTC; earlier times count as 1970) and ten random bytes.
    ///
    /// ```
    /// let id = mnemic::Id::new(1_767_225_600_000, [7; 10]);
    /// assert_eq!(id.to_string().len(), 36);
    /// ```
    #[must_use]
    pub fn new(now: i64, random: [u8; 10]) -> Self {
        let milliseconds = u64::try_from(now).unwrap_or(0);
        Self(*Builder::from_unix_timestamp_millis(milliseconds, &random).into_uuid().as_bytes())
    }

    /// Reads an id as written by its `Display`.
    ///
    /// # Errors
    /// `InvalidInput` when the text is not a UUID.
    pub fn parse(text: &str) -> Result<Self> {
        Uuid::try_parse(text).map(|uuid| Self(*uuid.as_bytes())).map_err(|_| {
            let shown: String = text.chars().take(48).collect();
            Error::new(
                Code::InvalidInput,
                format!("{shown:?} is not an id; pass an id that this memory returned"),
            )
        })
    }

    /// The sixteen bytes, as stored.
    #[must_use]
    pub fn bytes(self) -> [u8; 16] {
        self.0
    }

    /// An id from its stored bytes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Uuid::from_bytes(self.0).as_hyphenated().fmt(f)
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(|_| {
            let found = Unexpected::Str(&text);
            serde::de::Error::invalid_value(found, &"an id that this memory returned")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_bytes_round_trip() {
        let id = Id::new(1_767_225_600_123, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(Id::parse(&id.to_string()).unwrap(), id);
        assert_eq!(Id::from_bytes(id.bytes()), id);
        assert_eq!(id.to_string().as_bytes()[14], b'7');
    }

    #[test]
    fn later_ids_sort_later() {
        assert!(Id::new(5, [255; 10]) < Id::new(6, [0; 10]));
    }

    #[test]
    fn refuses_other_text() {
        for bad in ["", "1", "not-an-id", "0191\u{0}"] {
            assert_eq!(Id::parse(bad).unwrap_err().code, Code::InvalidInput);
        }
    }
}
