//! What is kept with something that is learned, and for how long.

use super::Batch;
use crate::memory::task::MetadataMerge;
use crate::memory::ttl::Ttl;
use crate::record::Record;
use crate::time::Timestamp;

/// What the options of a batch and of the memory say of every record.
pub(super) struct Keep<'a> {
    pub(super) batch: &'a Batch,
    pub(super) ttl: Ttl,
    pub(super) now: Timestamp,
}

impl Keep<'_> {
    /// Sets metadata and time to live of a record that is about to be stored; a new one has the revision 0. What lives for
    /// ever goes on to, and no life is shortened.
    pub(super) fn apply(&self, record: &mut Record) {
        let options = &self.batch.options;
        if let Some(metadata) = &options.metadata {
            if options.metadata_merge == MetadataMerge::Merge {
                record.metadata.extend(metadata.clone());
            } else {
                record.metadata.clone_from(metadata);
            }
        }
        let until = |ttl: Option<i64>| options.ttl_ms.or(ttl).map(|ttl| self.now + ttl);
        record.expires_at = match record.expires_at {
            _ if record.revision == 0 => until(self.ttl.learned_ms),
            Some(time) => Some(until(self.ttl.relearned_ms).map_or(time, |until| until.max(time))),
            None => None,
        };
    }
}
