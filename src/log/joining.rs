//! Values that are one: a commit of a segment that is larger than a value takes several.

use super::bytes::corrupt;
use super::frame::{self, FrameKind};
use super::head::parse_segment_key;
use super::segment::Column;
use crate::error::Result;
use std::borrow::Cow;

/// Puts together what takes several values, which come one after the other.
#[derive(Debug, Default)]
pub(crate) struct Joining {
    key: String,
    bytes: Vec<u8>,
    /// How many bytes are still to come.
    missing: usize,
}

impl Joining {
    /// Takes the next value of a segment: itself when it is all there is, or what it ends, under the key of the first of its values;
    /// `None` when more are to come.
    ///
    /// # Errors
    /// `Corrupt` when it does not go on with what began.
    pub(crate) fn take<'v>(&mut self, key: &'v str, value: &'v [u8]) -> Result<Option<Whole<'v>>> {
        let is_framed = || {
            let place = parse_segment_key(key);
            place.is_some_and(|(_, column, _)| column == Column::Commits)
                && frame::is_of(FrameKind::Commit, value)
        };
        if self.missing == 0 {
            let length = if is_framed() { frame::stored_length(value)? } else { value.len() };
            if length <= value.len() {
                return Ok(Some((key.into(), value.into())));
            }
            key.clone_into(&mut self.key);
            self.missing = length;
        }
        self.bytes.extend_from_slice(value);
        self.missing =
            self.missing.checked_sub(value.len()).ok_or_else(|| corrupt("there is more than one value"))?;
        let is_whole = self.missing == 0;
        Ok(is_whole.then(|| (std::mem::take(&mut self.key).into(), std::mem::take(&mut self.bytes).into())))
    }
}

/// The key of a value, or of the first of several, and their bytes.
pub(crate) type Whole<'v> = (Cow<'v, str>, Cow<'v, [u8]>);
