//! What became of a record from its first version to its last, for a memory that takes it in.

use super::state::Store;
use crate::id::Id;
use crate::log::{Op, RecordView};
use crate::record::Kind;
use crate::scope::Scope;
use crate::time::Timestamp;

/// A record with all of its versions.
#[derive(Debug)]
pub struct WholePast<'a> {
    /// Its id.
    pub id: Id,
    /// What it is.
    pub kind: Kind,
    /// The revision in which its text became what it is.
    pub text_revision: u32,
    /// Oldest first; there is at least one.
    pub versions: Vec<PastVersion<'a>>,
}

/// One version of a record.
#[derive(Debug, Clone, Copy)]
pub struct PastVersion<'a> {
    /// The commit that made it.
    pub sequence: u64,
    /// Its number.
    pub revision: u32,
    /// When it was made: of a record that was taken in, when that was in the memory that it came from.
    pub at: Timestamp,
    /// Its bytes; `None` for a deletion.
    pub bytes: Option<&'a [u8]>,
    /// What they say.
    pub record: Option<RecordView<'a>>,
}

impl PastVersion<'_> {
    /// The operation that makes a record of this id so.
    #[must_use]
    pub fn op(&self, id: Id) -> Op {
        self.bytes.map_or(Op::Delete { id, revision: self.revision }, |bytes| Op::Put(bytes.to_vec()))
    }
}

impl Store {
    /// The ids of everything that a scope has or had, in the order in which it was first stored.
    #[must_use]
    pub fn ids_ever(&self, scope: &Scope) -> Vec<Id> {
        let Some(number) = self.scope_numbers.get(scope) else { return Vec::new() };
        let of_scope = self.slots.iter().flatten().filter(|slot| slot.scope == *number);
        let first = of_scope.filter_map(|slot| slot.versions().iter().find_map(super::slot::Version::place));
        first.filter_map(|place| self.record_at(place)).map(|view| view.id).collect()
    }

    /// All that is known of a record, whoever's it is; `None` for one that never was.
    #[must_use]
    pub fn past(&self, id: Id) -> Option<WholePast<'_>> {
        let slot = self.slot(self.documents.get(id.bytes())?)?;
        let versions = slot.versions().iter().filter_map(|version| {
            let bytes = version.place().and_then(|place| self.bytes(place));
            let record = version.place().and_then(|place| self.record_at(place));
            let committed = self.commit_of(version.sequence()).map(|entry| entry.time);
            let at = record.map_or(committed, |record| Some(record.updated_at))?;
            Some(PastVersion { sequence: version.sequence(), revision: version.revision, at, bytes, record })
        });
        let versions: Vec<_> = versions.collect();
        let past = WholePast { id, kind: slot.kind, text_revision: slot.text_revision(), versions };
        Some(past).filter(|past| !past.versions.is_empty())
    }

    /// Whose a record is, or was.
    #[must_use]
    pub fn scope_of_record(&self, id: Id) -> Option<&Scope> {
        let slot = self.slot(self.documents.get(id.bytes())?)?;
        self.scopes.get(slot.scope as usize)?.as_ref()
    }
}
