//! What the knowledge graph asks of the store: a node's edges, and the nodes that hold a run of characters.
//!
//! The key of a relation begins with the ids of its two ends, `<from>/<to>`, and the store reads its ends from there.

use super::state::Store;
use crate::growth::map_bytes;
use crate::id::Id;
use crate::ordered::in_order;
use crate::record::Kind;
use crate::scope::Scope;
use crate::time::Timestamp;
use rustc_hash::FxHashMap;

/// How many characters an id has.
const ID_LENGTH: usize = 36;

/// The ends of a relation, from and to, as its key names them; `None` for a key that names none.
#[must_use]
pub fn relation_ends(key: &str) -> Option<(Id, Id)> {
    let (from, rest) = key.split_at_checked(ID_LENGTH)?;
    let to = rest.strip_prefix('/')?.get(..ID_LENGTH)?;
    Some((Id::parse(from).ok()?, Id::parse(to).ok()?))
}

/// The documents of the relations that each entity is an end of, ascending.
#[derive(Default)]
pub(super) struct Ends {
    relations: FxHashMap<Id, Vec<u32>>,
}

impl Ends {
    pub(super) fn add(&mut self, document: u32, key: &str) {
        let Some((from, to)) = relation_ends(key) else { return };
        for end in [from, to] {
            let relations = self.relations.entry(end).or_default();
            if let Err(place) = relations.binary_search(&document) {
                relations.insert(place, document);
            }
        }
    }

    /// The most bytes that it holds on the heap.
    pub(super) fn memory_bytes(&self) -> usize {
        let documents: usize = self.relations.values().map(Vec::len).sum();
        // A list of its own begins with four places.
        map_bytes(self.relations.len(), size_of::<(Id, Vec<u32>)>())
            + (2 * documents + 4 * self.relations.len()) * size_of::<u32>()
    }

    pub(super) fn remove(&mut self, document: u32, key: &str) {
        let Some((from, to)) = relation_ends(key) else { return };
        for end in [from, to] {
            let Some(relations) = self.relations.get_mut(&end) else { continue };
            if let Ok(place) = relations.binary_search(&document) {
                relations.remove(place);
            }
            if relations.is_empty() {
                self.relations.remove(&end);
            }
        }
    }
}

impl Store {
    /// The living relations that one of these entities is an end of and that are part of the present at `now`, or all of them
    /// if that is `None`: their document numbers, for [`view`](Self::view), in the order in which they were first stored.
    #[must_use]
    pub fn relations_of(&self, scope: &Scope, entities: &[Id], now: Option<Timestamp>) -> Vec<u32> {
        let Some(collection) = self.collection(scope, Kind::Relation) else { return Vec::new() };
        let relations = entities.iter().filter_map(|entity| collection.ends.relations.get(entity)).flatten();
        in_order(relations.copied().filter(|document| now.is_none_or(|now| self.holds_at(*document, now))))
    }

    /// The living entities with these keys that are part of the present at `now`, each once: their document numbers, as above.
    #[must_use]
    pub fn entities_named(&self, scope: &Scope, names: &[String], now: Timestamp) -> Vec<u32> {
        let Some(collection) = self.collection(scope, Kind::Entity) else { return Vec::new() };
        let documents = names.iter().filter_map(|name| collection.keys.get(name, self.stored()));
        in_order(documents.filter(|document| self.holds_at(*document, now)))
    }

    /// The living entities of which the text holds a run of characters apart from case, and that are part of the present
    /// at `now`: their document numbers, as above.
    #[must_use]
    pub fn entities_holding(&self, scope: &Scope, run: &str, now: Timestamp) -> Vec<u32> {
        let Some(collection) = self.collection(scope, Kind::Entity) else { return Vec::new() };
        let mut documents = collection.substrings.search(run);
        documents.retain(|document| self.holds_at(*document, now));
        documents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_stand_at_the_start_of_a_key() {
        let (from, to) = (Id::from_bytes([1; 16]), Id::from_bytes([2; 16]));
        for rest in ["", "/knows", "/a/b", "#x", "/\u{e9}"] {
            assert_eq!(relation_ends(&format!("{from}/{to}{rest}")), Some((from, to)), "{rest}");
        }
        for key in
            ["", "Alice", "thread/000001", &from.to_string(), &format!("{from}#{to}"), &"\u{e9}".repeat(40)]
        {
            assert_eq!(relation_ends(key), None, "{key}");
        }
    }
}
