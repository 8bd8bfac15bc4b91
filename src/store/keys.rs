//! The living records of a collection by their keys. A key is read where its record is stored, and not kept a second time.

use super::state::Stored;

/// The most documents of one run; putting one in moves no more than these.
const RUN: usize = 128;

/// Documents in the order of their keys, in runs of up to 128.
#[derive(Default)]
pub(super) struct Keys {
    /// In order, and none is empty.
    runs: Vec<Vec<u32>>,
}

impl Keys {
    /// The document with a key.
    pub(super) fn get(&self, key: &str, stored: Stored<'_>) -> Option<u32> {
        let (run, at) = self.place(key, stored);
        let document = *self.runs.get(run)?.get(at)?;
        (stored.key(document) == key.as_bytes()).then_some(document)
    }

    /// Puts a document in by the key that it is stored with, in place of another one with that key.
    pub(super) fn insert(&mut self, document: u32, key: &str, stored: Stored<'_>) {
        // Most comes behind all others, and fills the last run before it begins another.
        let last = self.runs.last_mut();
        let behind =
            last.as_ref().is_none_or(|run| run.last().is_none_or(|last| stored.key(*last) < key.as_bytes()));
        if behind {
            match last.filter(|run| run.len() < RUN) {
                Some(run) => run.push(document),
                None => self.runs.push(vec![document]),
            }
            return;
        }
        let (run, at) = self.place(key, stored);
        let Some(documents) = self.runs.get_mut(run) else { return };
        if let Some(present) = documents.get_mut(at)
            && stored.key(*present) == key.as_bytes()
        {
            *present = document;
            return;
        }
        documents.insert(at, document);
        if documents.len() > RUN {
            let behind = documents.split_off(RUN / 2);
            self.runs.insert(run + 1, behind);
        }
    }

    /// Takes a document out by the key that it is still stored with; `false` when the key is another's.
    pub(super) fn remove(&mut self, document: u32, key: &str, stored: Stored<'_>) -> bool {
        let (run, at) = self.place(key, stored);
        let Some(documents) = self.runs.get_mut(run) else { return false };
        if documents.get(at) != Some(&document) {
            return false;
        }
        documents.remove(at);
        if documents.is_empty() {
            self.runs.remove(run);
        }
        true
    }

    /// The documents whose keys begin with `prefix`, in the order of their keys.
    pub(super) fn beginning_with<'a>(
        &'a self,
        prefix: &'a str,
        stored: Stored<'a>,
    ) -> impl Iterator<Item = u32> + 'a {
        let (run, at) = self.place(prefix, stored);
        let documents = self.runs.get(run..).unwrap_or_default().iter().flatten().skip(at).copied();
        documents.take_while(move |document| stored.key(*document).starts_with(prefix.as_bytes()))
    }

    /// The run and the place in it of the first key that is not less than `key`.
    fn place(&self, key: &str, stored: Stored<'_>) -> (usize, usize) {
        let is_less = |document: &u32| stored.key(*document) < key.as_bytes();
        let run = self.runs.partition_point(|run| run.last().is_some_and(is_less));
        let at = self.runs.get(run).map_or(0, |run| run.partition_point(is_less));
        (run, at)
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
        fn it_is_a_map_in_the_order_of_keys(steps in prop::collection::vec(("[ab\u{e9}]{1,5}", 0..3_u8), 0..600)) {
            let (mut keys, mut model) = (Keys::default(), BTreeMap::new());
            let (mut slots, mut blobs) = (Pieces::default(), Blobs::default());
            for (document, (key, step)) in (0..).zip(steps) {
                let place = blobs.keep(&record(&key, step == 0)).ok();
                let mut slot = Slot::new(0, Kind::Document, 1);
                slot.push(Version::new(1, 1, place));
                slots.push_one(slot);
                let stored = Stored { slots: &slots, blobs: &blobs };
                let had = model.get(&key).copied();
                prop_assert_eq!(keys.get(&key, stored), had);
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
            for prefix in ["", "a", "ab", "\u{e9}"] {
                let expected = model.iter().filter(|(key, _)| key.starts_with(prefix)).map(|(_, document)| *document);
                prop_assert!(keys.beginning_with(prefix, stored).eq(expected), "{prefix}");
            }
        }
    }
}
