//! How documents are kept when a call says nothing else.

use super::document::ttl;
use super::index::Index;
use crate::error::Result;
use serde::Deserialize;
use serde_json::Value;

/// What holds for documents for which a call says nothing else.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct DocumentOptions {
    /// Which parts are searched: paths such as `a.b`, `list[*].x`, `list[0]`, `list[-1]`, and `$`, the whole; `false` for
    /// none. `["$"]` by default.
    pub index: Option<Value>,
    /// How many minutes a document lives; `false`, the default, for ever.
    pub ttl_minutes: Option<Value>,
    /// Whether reading a document lets its time to live begin anew; true by default.
    pub refresh_on_read: Option<bool>,
}

/// The options, checked.
#[derive(Debug)]
pub(crate) struct Defaults {
    pub(super) index: Index,
    pub(super) ttl_minutes: Option<f64>,
    pub(super) refresh_on_read: bool,
}

impl DocumentOptions {
    /// Checks the options.
    ///
    /// # Errors
    /// `InvalidInput` that names the option.
    pub(crate) fn check(&self) -> Result<Defaults> {
        Ok(Defaults {
            index: match &self.index {
                Some(index) => Index::read(index)?,
                None => Index::of(&["$".to_owned()])?,
            },
            ttl_minutes: self.ttl_minutes.as_ref().map_or(Ok(None), ttl)?,
            refresh_on_read: self.refresh_on_read.unwrap_or(true),
        })
    }
}
