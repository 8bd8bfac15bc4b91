//! Sources: which messages something came from, and the words.

use crate::record::{Provenance, Record};

/// Adds sources that a record does not name yet, and keeps at most so many: the last ones. Whether it was given any.
pub(crate) fn add_sources(record: &mut Record, sources: &[Provenance], most: usize) -> bool {
    let before = record.provenance.len();
    for source in sources {
        if !record.provenance.contains(source) {
            record.provenance.push(source.clone());
        }
    }
    let is_changed = record.provenance.len() > before;
    let over = record.provenance.len().saturating_sub(most);
    record.provenance.drain(..over);
    is_changed
}
