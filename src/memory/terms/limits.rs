//! Checks that every system makes of its input.

use crate::error::{Code, Error, Result};
use crate::time::{MAX_TIMESTAMP, MIN_TIMESTAMP, Timestamp};
use serde::de::{Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::fmt;
use std::ops::RangeInclusive;

/// The most bytes of metadata a record may carry.
pub const MAX_METADATA_BYTES: usize = 16 * 1024;
/// The most labels of one revision.
pub const MAX_LABELS: usize = 16;
/// The most bytes of a label, and of its name.
pub const MAX_LABEL_BYTES: usize = 256;
/// The most relations that are walked from one to the next.
pub(crate) const MAX_HOPS: usize = 3;
/// The most tokens a text may be asked to have.
pub(crate) const MAX_TOKENS: usize = 1_000_000;
/// The most results one call may ask for.
pub const MAX_LIMIT: usize = 1000;
/// The most bytes of a search query; what is beyond could not be embedded by any model anyway.
pub const MAX_QUERY_BYTES: usize = 64 * 1024;

/// A text that is not blank and not over `limit` bytes.
pub(crate) fn text(name: &str, text: &str, limit: usize) -> Result<()> {
    if text.trim().is_empty() {
        return Err(invalid(format!("{name} is empty; give it some words")));
    }
    bytes(name, text, limit)
}

/// A text that is not over `limit` bytes; it may be blank.
pub(crate) fn bytes(name: &str, text: &str, limit: usize) -> Result<()> {
    if text.len() > limit {
        return Err(invalid(format!(
            "{name} has {} bytes, over the limit of {limit}; shorten or split it",
            text.len()
        ))
        .with("bytes", text.len())
        .with("limit", limit));
    }
    Ok(())
}

/// A whole number within bounds.
pub(crate) fn whole(name: &str, number: usize, bounds: RangeInclusive<usize>) -> Result<()> {
    if bounds.contains(&number) {
        return Ok(());
    }
    let (least, most) = bounds.into_inner();
    Err(invalid(format!("{name} is {number}; pass a whole number from {least} to {most}")))
}

/// Reads how many results a call asks for.
pub(crate) fn limit<'de, D: Deserializer<'de>>(limit: D) -> std::result::Result<usize, D::Error> {
    Limit::deserialize(limit).map(|Whole(limit)| limit)
}

/// Reads how many results a call asks for, if it says so.
pub(crate) fn limit_if_any<'de, D: Deserializer<'de>>(
    limit: D,
) -> std::result::Result<Option<usize>, D::Error> {
    Option::<Limit>::deserialize(limit).map(|limit| limit.map(|Whole(limit)| limit))
}

/// Reads a significance, if one is given.
pub(crate) fn significance<'de, D: Deserializer<'de>>(
    significance: D,
) -> std::result::Result<Option<u8>, D::Error> {
    let significance = Option::<Whole<1, 10>>::deserialize(significance)?;
    Ok(significance.and_then(|Whole(significance)| u8::try_from(significance).ok()))
}

/// Reads of how many tokens a text may be.
pub(crate) fn max_tokens<'de, D: Deserializer<'de>>(tokens: D) -> std::result::Result<usize, D::Error> {
    Whole::<1, MAX_TOKENS>::deserialize(tokens).map(|Whole(tokens)| tokens)
}

/// Reads over how many relations the graph is walked.
pub(crate) fn hops<'de, D: Deserializer<'de>>(hops: D) -> std::result::Result<usize, D::Error> {
    Whole::<0, MAX_HOPS>::deserialize(hops).map(|Whole(hops)| hops)
}

/// How many results a call asks for.
type Limit = Whole<1, MAX_LIMIT>;

/// A whole number within bounds, which whoever passes another is told.
struct Whole<const LEAST: usize, const MOST: usize>(usize);

impl<'de, const LEAST: usize, const MOST: usize> Deserialize<'de> for Whole<LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(number: D) -> std::result::Result<Self, D::Error> {
        number.deserialize_u64(Bounds(LEAST, MOST)).map(Self)
    }
}

/// The least and the most that a number may be.
struct Bounds(usize, usize);

impl Visitor<'_> for Bounds {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {} to {}", self.0, self.1)
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> std::result::Result<usize, E> {
        let within = usize::try_from(number).ok().filter(|number| (self.0..=self.1).contains(number));
        within.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
    }
}

/// A time at which something is stored or said.
pub(crate) fn timestamp(name: &str, time: Timestamp) -> Result<()> {
    from(0, name, time)
}

/// A time since or until which something is true.
pub(crate) fn truth(name: &str, time: Timestamp) -> Result<()> {
    from(MIN_TIMESTAMP, name, time)
}

fn from(least: Timestamp, name: &str, time: Timestamp) -> Result<()> {
    if (least..=MAX_TIMESTAMP).contains(&time) {
        return Ok(());
    }
    let range = format!("from {least} to {MAX_TIMESTAMP}");
    Err(invalid(format!("{name} is {time}; times are milliseconds since 1970, {range}")))
}

/// Reads a time that is given: `None` inside is null, and takes the one there was away. For `serde(default)` fields, where the
/// outer `None` says that none was given.
pub(crate) fn given<'de, D: Deserializer<'de>>(
    time: D,
) -> std::result::Result<Option<Option<Timestamp>>, D::Error> {
    match Value::deserialize(time)? {
        Value::Null => Ok(Some(None)),
        time => match crate::json::from_value(time) {
            Ok(time) => Ok(Some(Some(time))),
            Err(complaint) => Err(serde::de::Error::custom(complaint.told())),
        },
    }
}

/// Sets when something goes by itself: at a time, or never.
pub(crate) fn expiry(
    expires_at: &mut Option<Timestamp>,
    given: Option<Option<Timestamp>>,
    now: Timestamp,
) -> Result<()> {
    if let Some(given) = given {
        given.map_or(Ok(()), |time| future("expiresAt", time, now))?;
        *expires_at = given;
    }
    Ok(())
}

/// A time that is still to come.
pub(crate) fn future(name: &str, time: Timestamp, now: Timestamp) -> Result<()> {
    timestamp(name, time)?;
    if time > now {
        return Ok(());
    }
    Err(invalid(format!("{name} is {time}, which is in the past; give a time after {now}")))
}

/// Metadata of a bearable size.
pub(crate) fn metadata(metadata: &Map<String, Value>) -> Result<()> {
    let bytes = Value::Object(metadata.clone()).to_string().len();
    if bytes > MAX_METADATA_BYTES {
        return Err(invalid(format!(
            "metadata has {bytes} bytes, over the limit of {MAX_METADATA_BYTES}; store less with the record"
        ))
        .with("bytes", bytes)
        .with("limit", MAX_METADATA_BYTES));
    }
    Ok(())
}

/// Labels of a revision: a few short texts by name.
pub(crate) fn labels(labels: &Map<String, Value>) -> Result<()> {
    if labels.len() > MAX_LABELS {
        return Err(invalid(format!(
            "labels has {} entries; at most {MAX_LABELS} are allowed",
            labels.len()
        )));
    }
    for (name, label) in labels {
        text("the name of a label", name, MAX_LABEL_BYTES)?;
        let label =
            label.as_str().ok_or_else(|| invalid(format!("labels.{name} is not a text; quote it")))?;
        text(&format!("labels.{name}"), label, MAX_LABEL_BYTES)?;
    }
    Ok(())
}

/// A least relevance within bounds, if one is given.
pub(crate) fn threshold(threshold: Option<f32>) -> Result<()> {
    let Some(threshold) = threshold.filter(|threshold| !(0.0..=1.0).contains(threshold)) else {
        return Ok(());
    };
    // What is beyond the largest is shown as that, and -0.1 as it was written.
    let threshold = f64::from(threshold.clamp(f32::MIN, f32::MAX));
    let threshold = Value::from((threshold * 1e6).round() / 1e6);
    Err(invalid(format!("threshold is {threshold}; it is a relevance: pass a number from 0 to 1")))
}

pub(crate) fn invalid(message: String) -> Error {
    Error::new(Code::InvalidInput, message)
}
