//! Edits: the rules for what somebody changes in a record, whatever its kind.

use crate::error::Result;
use crate::memory::limits;
use crate::memory::source::Origin;
use crate::record::Record;
use crate::time::Timestamp;
use serde_json::{Map, Value};

/// What a value says of how its words came about: it goes with them.
const OF_OLD_WORDS: [&str; 2] = ["rule", "why"];

/// What to change of what every record has beside its content; what is not given stays.
#[derive(Debug, Default)]
pub(crate) struct Beside<'a> {
    /// How much it matters, 1 to 10.
    pub(crate) significance: Option<u8>,
    /// What to keep with it, in place of what was kept; up to 16 KiB.
    pub(crate) metadata: Option<&'a Map<String, Value>>,
    /// When it goes by itself; `None` inside for never.
    pub(crate) expires_at: Option<Option<Timestamp>>,
}

impl Beside<'_> {
    /// Changes a record.
    ///
    /// # Errors
    /// `InvalidInput` for what is over its limit or in the past.
    pub(crate) fn apply(&self, record: &mut Record, now: Timestamp) -> Result<()> {
        if let Some(significance) = self.significance {
            record.significance = significance;
        }
        if let Some(metadata) = self.metadata {
            limits::metadata(metadata)?;
            record.metadata.clone_from(metadata);
        }
        limits::expiry(&mut record.expires_at, self.expires_at, now)
    }
}

/// Gives a record other words of this author, 1 to `limit` bytes.
///
/// # Errors
/// `InvalidInput` for a text that is blank or over the limit.
pub(crate) fn reword(record: &mut Record, text: &str, limit: usize, author: Origin) -> Result<()> {
    limits::text("text", text, limit)?;
    let text = text.trim();
    if record.text.as_deref() != Some(text) {
        record.text = Some(text.to_owned());
        written_anew(record, author);
    }
    Ok(())
}

/// Says that this author wrote what a record holds: it comes from no message, and what led to the old words does not explain it.
pub(crate) fn written_anew(record: &mut Record, author: Origin) {
    record.provenance.clear();
    if let Value::Object(value) = &mut record.value {
        value.retain(|name, _| !OF_OLD_WORDS.contains(&name.as_str()));
        if let Some(origin) = value.get_mut("origin") {
            *origin = author.as_str().into();
        }
    }
}
