//! Which record of this memory is meant by one of another.

use crate::error::Result;
use crate::id::Id;
use crate::log::{Op, RecordView};
use crate::memory::facts::wording;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::store::{Store, WholePast};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

/// How many characters an id has.
const ID_CHARACTERS: usize = 36;

/// From the ids of another memory to those here, where they are not the same.
pub(super) struct Ids<'a> {
    pub(super) other: FxHashMap<Id, Id>,
    /// The records here that give up their keys or words, because they ended or were changed there.
    pub(super) releasing: FxHashSet<Id>,
    into: &'a Store,
    target: &'a Scope,
}

impl<'a> Ids<'a> {
    pub(super) fn new(into: &'a Store, target: &'a Scope) -> Self {
        Self { other: FxHashMap::default(), releasing: FxHashSet::default(), into, target }
    }

    /// The id that a record has here.
    pub(super) fn here(&self, id: Id) -> Id {
        self.other.get(&id).copied().unwrap_or(id)
    }

    /// Gives a record an id of its own here when it comes from another scope, or its id is somebody else's.
    pub(super) fn settle(&mut self, past: &WholePast<'_>, source: &Scope) {
        let is_free = match self.into.scope_of_record(past.id) {
            Some(scope) => {
                scope == self.target && self.into.past(past.id).is_some_and(|own| own.kind == past.kind)
            }
            None => true,
        };
        if source != self.target || !is_free {
            self.other.insert(past.id, derived(past.id, self.target));
        }
    }

    /// The record here that a record is one with, though it has another id: one with its key, or a fact with its wording.
    pub(super) fn twin(&self, view: &RecordView<'_>) -> Option<Id> {
        let own = self.here(view.id);
        let named = view.key.and_then(|key| {
            self.into.by_key(self.target, view.kind, &self.renamed(key)).map(|holder| holder.id)
        });
        let named = named.filter(|holder| *holder != own && !self.releasing.contains(holder));
        let lives = || self.into.get(self.target, own).is_some();
        named.or_else(|| {
            let text =
                view.text.filter(|_| view.kind == Kind::Fact && view.valid_to.is_none() && !lives())?;
            let words = wording(text);
            let mut same = self.into.perhaps_same(self.target, Kind::Fact, &words);
            let same = same.find(|other| {
                other.valid_to.is_none()
                    && !self.releasing.contains(&other.id)
                    && other.text.is_some_and(|text| wording(text) == words)
            });
            same.map(|other| other.id)
        })
    }

    /// A version of a record as it is to be stored here.
    ///
    /// # Errors
    /// `Corrupt` when its JSON cannot be read.
    pub(super) fn put(&self, view: &RecordView<'_>, bytes: &[u8], revision: u32) -> Result<Op> {
        if self.other.is_empty() && view.revision == revision {
            return Ok(Op::Put(bytes.to_vec()));
        }
        let record = self.record(view)?;
        Ok(Op::put(&Record { revision, ..record }))
    }

    /// A version of a record with the ids that it and others have here.
    ///
    /// # Errors
    /// `Corrupt` when its JSON cannot be read.
    pub(super) fn record(&self, view: &RecordView<'_>) -> Result<Record> {
        let mut record = view.to_record(self.target)?;
        record.id = self.here(record.id);
        if !self.other.is_empty() {
            record.key = record.key.map(|key| self.renamed(&key));
            self.rename(&mut record.value);
            for source in &mut record.provenance {
                source.message_id = self.here(source.message_id);
            }
        }
        Ok(record)
    }

    fn rename(&self, value: &mut Value) {
        match value {
            Value::String(text) if text.len() >= ID_CHARACTERS => *text = self.renamed(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.rename(item)),
            Value::Object(fields) => fields.values_mut().for_each(|field| self.rename(field)),
            _ => {}
        }
    }

    /// A text with the ids of here in place of those of there.
    pub(super) fn renamed(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(place) = rest.find('-') {
            // The first hyphen of an id stands behind eight digits.
            let start = place.checked_sub(8);
            let candidate = start.and_then(|start| rest.get(start..start + ID_CHARACTERS));
            let id = candidate.and_then(|text| Id::parse(text).ok());
            let other = id.and_then(|id| self.other.get(&id));
            let end = if let (Some(start), Some(other)) = (start, other) {
                out.push_str(rest.get(..start).unwrap_or_default());
                out.push_str(&other.to_string());
                start + ID_CHARACTERS
            } else {
                out.push_str(rest.get(..=place).unwrap_or_default());
                place + 1
            };
            rest = rest.get(end..).unwrap_or_default();
        }
        out.push_str(rest);
        out
    }
}

/// The id that a record of another scope has in this one: always the same, so that it is known when it comes again.
fn derived(id: Id, scope: &Scope) -> Id {
    let bytes = id.bytes();
    let (time, _) = bytes.split_at(6);
    let time = time.iter().fold(0i64, |time, byte| (time << 8) | i64::from(*byte));
    let mut random = [0; 10];
    for (seed, places) in (1u8..).zip(random.chunks_mut(8)) {
        let hash = digest(seed, scope.canonical().as_bytes(), &bytes).to_le_bytes();
        places.iter_mut().zip(hash).for_each(|(place, byte)| *place = byte);
    }
    Id::new(time, random)
}

/// FNV-1a of 64 bits, with the bits mixed at the end.
fn digest(seed: u8, scope: &[u8], id: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in [seed].iter().chain(scope).chain(id) {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd) ^ (hash >> 29)
}
