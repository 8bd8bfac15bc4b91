//! The living records of a collection by their keys. A key is read where its record is stored, and not kept a second time.
//!
//! While a memory is opened nobody asks for a key. So keys are only collected then, and put in order at once when the first one is asked
//! for, which is many times faster than one by one.

use super::state::Stored;
use crate::sort::sorted;
use std::cell::{OnceCell, RefCell};
use std::iter::repeat;

/// The most documents of one run; putting one in moves no more than these.
const RUN: usize = 128;
/// The most bytes of keys that wait for being put in order.
const COLLECTED_BYTES: usize = 2 << 20;

/// Documents in the order of their keys, in runs of up to 128.
#[derive(Default)]
pub(super) struct Keys {
    /// In order, and none is empty.
    runs: OnceCell<Vec<Vec<u32>>>,
    /// What came before that.
    collected: RefCell<Collected>,
}

/// Keys in the order in which they came; of equal ones the last counts.
#[derive(Default)]
struct Collected {
    keys: Vec<u8>,
    /// How many bytes all of them begin with.
    common: usize,
    ends: Vec<(u32, usize)>,
}

impl Keys {
    /// The document with a key.
    pub(super) fn get(&self, key: &str, stored: Stored<'_>) -> Option<u32> {
        let (run, at) = self.place(key.as_bytes(), stored);
        let document = *self.runs().get(run)?.get(at)?;
        (stored.key(document) == key.as_bytes()).then_some(document)
    }

    /// Puts a document in by the key that it is stored with, in place of another one with that key.
    pub(super) fn insert(&mut self, document: u32, key: &str, stored: Stored<'_>) {
        if self.runs.get().is_none() {
            let collected = self.collected.get_mut();
            if collected.keys.len() + key.len() <= COLLECTED_BYTES {
                return collected.push(document, key.as_bytes());
            }
        }
        // Most comes behind all others, and fills the last run before it begins another.
        let Some(runs) = self.runs_mut() else { return };
        let last = runs.last_mut();
        let behind =
            last.as_ref().is_none_or(|run| run.last().is_none_or(|last| stored.key(*last) < key.as_bytes()));
        if behind {
            match last.filter(|run| run.len() < RUN) {
                Some(run) => run.push(document),
                None => runs.push(vec![document]),
            }
            return;
        }
        let (run, at) = self.place(key.as_bytes(), stored);
        let Some(runs) = self.runs_mut() else { return };
        let Some(documents) = runs.get_mut(run) else { return };
        if let Some(present) = documents.get_mut(at)
            && stored.key(*present) == key.as_bytes()
        {
            *present = document;
            return;
        }
        documents.insert(at, document);
        if documents.len() > RUN {
            let behind = documents.split_off(RUN / 2);
            runs.insert(run + 1, behind);
        }
    }

    /// Takes a document out by the key that it is still stored with; `false` when the key is another's.
    pub(super) fn remove(&mut self, document: u32, key: &str, stored: Stored<'_>) -> bool {
        let (run, at) = self.place(key.as_bytes(), stored);
        let Some(runs) = self.runs_mut() else { return false };
        let Some(documents) = runs.get_mut(run) else { return false };
        if documents.get(at) != Some(&document) {
            return false;
        }
        documents.remove(at);
        if documents.is_empty() {
            runs.remove(run);
        }
        true
    }

    /// The documents whose keys begin with `prefix`, in the order of their keys.
    pub(super) fn beginning_with(&self, prefix: &str, stored: Stored<'_>) -> Vec<u32> {
        // No text has this byte, so it is behind all that the prefix can be followed by.
        self.between(prefix.as_bytes(), &[prefix.as_bytes(), &[u8::MAX]].concat(), stored)
    }

    /// The documents whose keys are not less than `from` and less than `until`, in the order of their keys.
    pub(super) fn between(&self, from: &[u8], until: &[u8], stored: Stored<'_>) -> Vec<u32> {
        let (first, start) = self.place(from, stored);
        let (last, end) = self.place(until, stored);
        let mut documents = Vec::new();
        for (place, run) in self.runs().iter().enumerate().take(last + 1).skip(first) {
            let start = if place == first { start } else { 0 };
            let end = if place == last { end } else { run.len() };
            documents.extend_from_slice(run.get(start..end).unwrap_or_default());
        }
        documents
    }

    /// The run and the place in it of the first key that is not less than `key`.
    fn place(&self, key: &[u8], stored: Stored<'_>) -> (usize, usize) {
        let is_less = |document: &u32| stored.key(*document) < key;
        let runs = self.runs();
        let run = runs.partition_point(|run| run.last().is_some_and(is_less));
        let at = runs.get(run).map_or(0, |run| run.partition_point(is_less));
        (run, at)
    }

    fn runs(&self) -> &Vec<Vec<u32>> {
        self.runs.get_or_init(|| {
            let mut collected = self.collected.take();
            let runs = collected.sorted().chunks(RUN).map(<[u32]>::to_vec).collect();
            // What is forgotten must not stand in memory that is free.
            collected.keys.fill(0);
            runs
        })
    }

    fn runs_mut(&mut self) -> Option<&mut Vec<Vec<u32>>> {
        self.runs();
        self.runs.get_mut()
    }
}

impl Collected {
    fn push(&mut self, document: u32, key: &[u8]) {
        let first = self.ends.first().and_then(|(_, end)| self.keys.get(..*end)).unwrap_or(key);
        let common = first.iter().zip(key).take_while(|(one, other)| one == other).count();
        self.common = if self.ends.is_empty() { common } else { self.common.min(common) };
        self.keys.extend_from_slice(key);
        self.ends.push((document, self.keys.len()));
    }

    /// The documents in the order of their keys, one for each key.
    fn sorted(&self) -> Vec<u32> {
        let starts = [0].into_iter().chain(self.ends.iter().map(|(_, end)| *end));
        let entries: Vec<_> = starts
            .zip(&self.ends)
            .map(|(start, (document, end))| {
                let rest = self.keys.get(start + self.common..*end).unwrap_or_default();
                // Mostly a number tells which of two comes first.
                let first = rest.iter().copied().chain(repeat(0)).take(8);
                (first.fold(0_u64, |number, byte| number << 8 | u64::from(byte)), rest, *document)
            })
            .collect();
        let mut documents = Vec::with_capacity(entries.len());
        let mut last = None;
        for (_, key, document) in
            sorted(&entries, |one, other| one.0.cmp(&other.0).then_with(|| one.1.cmp(other.1)))
        {
            if last.replace(*key) == Some(*key) {
                documents.pop();
            }
            documents.push(*document);
        }
        documents
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Id;
    use crate::log::Op;
    use crate::record::{Kind, Record};
    use crate::scope::Scope;
    use crate::store::blobs::Blobs;
    use crate::store::slot::{Slot, Version};
    use mnemic_core::pieces::Pieces;
    use proptest::prelude::*;
    use serde_json::json;
    use std::collections::BTreeMap;

    /// The bytes of a record with a key.
    fn record(key: &str, expires: bool) -> Vec<u8> {
        let scope = Scope::from_json(&json!({ "user": "a" })).unwrap();
        let mut record = Record::new(Id::from_bytes([7; 16]), Kind::Document, scope, 5);
        record.key = Some(key.to_owned());
        record.expires_at = expires.then_some(9);
        record.text = Some("a text".to_owned());
        let Op::Put(bytes) = Op::put(&record) else { panic!() };
        bytes
    }

    proptest! {
        #[test]
        fn it_is_a_map_in_the_order_of_keys(
            steps in prop::collection::vec(("[ab\u{e9}]{1,5}", 0..3_u8), 0..600),
            // How many are put in before anybody asks for one, as when a memory is opened.
            unasked in 0..600_usize,
        ) {
            let (mut keys, mut model) = (Keys::default(), BTreeMap::new());
            let (mut slots, mut blobs) = (Pieces::default(), Blobs::default());
            for (document, (key, step)) in (0_u32..).zip(steps) {
                let place = blobs.keep(&record(&key, step == 0)).ok();
                let mut slot = Slot::new(0, Kind::Document, 1);
                slot.push(Version::new(1, 1, place));
                slots.push_one(slot);
                let stored = Stored { slots: &slots, blobs: &blobs };
                let had = model.get(&key).copied();
                if document as usize >= unasked {
                    prop_assert_eq!(keys.get(&key, stored), had);
                }
                if step < 2 {
                    keys.insert(document, &key, stored);
                    model.insert(key.clone(), document);
                } else if let Some(had) = had {
                    prop_assert!(!keys.remove(document, &key, stored));
                    prop_assert!(keys.remove(had, &key, stored));
                    model.remove(&key);
                }
            }
            let stored = Stored { slots: &slots, blobs: &blobs };
            let keys_of = |from: &str, until: Option<&str>| -> Vec<u32> {
                let chosen = model.iter().filter(|(key, _)| {
                    until.map_or(key.starts_with(from), |until| from <= key.as_str() && key.as_str() < until)
                });
                chosen.map(|(_, document)| *document).collect()
            };
            for prefix in ["", "a", "ab", "\u{e9}"] {
                prop_assert_eq!(keys.beginning_with(prefix, stored), keys_of(prefix, None), "{}", prefix);
            }
            for (from, until) in [("", "a"), ("a", "b"), ("ab", "\u{e9}"), ("b", "a"), ("b", "b"), ("", "")] {
                let found = keys.between(from.as_bytes(), until.as_bytes(), stored);
                prop_assert_eq!(found, keys_of(from, Some(until)), "{}..{}", from, until);
            }
        }
    }
}
