//! A map in the order of its keys.
//!
//! What the standard library's B-tree is for, in a tenth of its code: each type of map is compiled anew, and all of it is
//! downloaded.

use crate::sort::sorted;
use serde::{Serialize, Serializer};
use std::borrow::Borrow;
use std::slice::Iter;

/// The most entries of one run; putting one in moves no more than these.
const RUN: usize = 128;

/// A map whose entries lie in the order of their keys, in runs of up to 128.
#[derive(Debug, Clone)]
pub struct Ordered<K, V> {
    /// In order, and none is empty.
    runs: Vec<Vec<(K, V)>>,
    length: usize,
}

impl<K, V> Default for Ordered<K, V> {
    fn default() -> Self {
        Self { runs: Vec::new(), length: 0 }
    }
}

impl<K: Ord, V> Ordered<K, V> {
    /// An empty map.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The value of a key; `None` when it is not there.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let (run, at) = self.place(key);
        self.runs.get(run)?.get(at).filter(|(found, _)| found.borrow() == key).map(|(_, value)| value)
    }

    /// The value of a key, to change it.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let (run, at) = self.place(key);
        let (found, value) = self.runs.get_mut(run)?.get_mut(at)?;
        ((*found).borrow() == key).then_some(value)
    }

    /// Whether a key is there.
    pub fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.get(key).is_some()
    }

    /// Puts a value under a key and returns the one that was there.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let last = self.runs.last_mut();
        // Most comes behind all others, and fills the last run before it begins another.
        if last.as_ref().is_none_or(|run| run.last().is_none_or(|(last, _)| *last < key)) {
            match last.filter(|run| run.len() < RUN) {
                Some(run) => run.push((key, value)),
                None => self.runs.push(vec![(key, value)]),
            }
            self.length += 1;
            return None;
        }
        let (run, at) = self.place(&key);
        let entries = self.runs.get_mut(run)?;
        if let Some((found, present)) = entries.get_mut(at)
            && *found == key
        {
            return Some(std::mem::replace(present, value));
        }
        self.length += 1;
        if entries.len() < RUN {
            entries.insert(at, (key, value));
            return None;
        }
        let mut behind = entries.split_off(RUN / 2);
        match at.checked_sub(RUN / 2) {
            Some(at) => behind.insert(at, (key, value)),
            None => entries.insert(at, (key, value)),
        }
        self.runs.insert(run + 1, behind);
        None
    }

    /// Changes the value of a key, or the default one that is put there first.
    pub fn update(&mut self, key: K, change: impl FnOnce(&mut V))
    where
        V: Default,
    {
        if let Some(value) = self.get_mut(&key) {
            return change(value);
        }
        let mut value = V::default();
        change(&mut value);
        self.insert(key, value);
    }

    /// Takes a key away and returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let (run, at) = self.place(key);
        let entries = self.runs.get_mut(run)?;
        entries.get(at).filter(|(found, _)| found.borrow() == key)?;
        let (_, value) = entries.remove(at);
        if entries.is_empty() {
            self.runs.remove(run);
        }
        self.length -= 1;
        Some(value)
    }

    /// Takes the entries away whose keys are not less than `start`, and returns them.
    pub fn split_off<Q: Ord + ?Sized>(&mut self, start: &Q) -> Self
    where
        K: Borrow<Q>,
    {
        let (run, at) = self.place(start);
        let mut runs = self.runs.split_off(run.min(self.runs.len()));
        if let Some(first) = runs.first_mut().filter(|_| at > 0) {
            let behind = first.split_off(at);
            self.runs.push(std::mem::replace(first, behind));
        }
        let length = runs.iter().map(Vec::len).sum();
        self.length -= length;
        Self { runs, length }
    }

    /// Takes everything away.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The entries, in the order of their keys.
    pub fn iter(&self) -> Entries<'_, K, V> {
        Entries { first: [].iter(), runs: self.runs.iter(), last: [].iter() }
    }

    /// The entries whose keys are not less than `start`.
    pub fn iter_from<Q: Ord + ?Sized>(&self, start: &Q) -> impl Iterator<Item = (&K, &V)>
    where
        K: Borrow<Q>,
    {
        let (run, at) = self.place(start);
        let runs = self.runs.get(run..).unwrap_or_default();
        Entries { first: [].iter(), runs: runs.iter(), last: [].iter() }.skip(at)
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + Clone {
        self.iter().map(|(key, _)| key)
    }

    /// The values, in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + Clone {
        self.iter().map(|(_, value)| value)
    }

    /// The run and the place in it of the first key that is not less than `key`.
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> (usize, usize)
    where
        K: Borrow<Q>,
    {
        let run = self.runs.partition_point(|run| run.last().is_some_and(|(last, _)| last.borrow() < key));
        let at = self.runs.get(run).map_or(0, |run| run.partition_point(|(other, _)| other.borrow() < key));
        (run, at)
    }
}

/// The entries of a map in the order of their keys. All that is made of it goes by its two steps; what the standard library
/// flattens with has more of them, and each is compiled anew for each use.
pub struct Entries<'a, K, V> {
    first: Iter<'a, (K, V)>,
    runs: Iter<'a, Vec<(K, V)>>,
    last: Iter<'a, (K, V)>,
}

impl<'a, K, V> Iterator for Entries<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((key, value)) = self.first.next() {
                return Some((key, value));
            }
            self.first = match self.runs.next() {
                Some(run) => run.iter(),
                None if self.last.as_slice().is_empty() => return None,
                None => std::mem::replace(&mut self.last, [].iter()),
            };
        }
    }
}

impl<K, V> DoubleEndedIterator for Entries<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((key, value)) = self.last.next_back() {
                return Some((key, value));
            }
            self.last = match self.runs.next_back() {
                Some(run) => run.iter(),
                None if self.first.as_slice().is_empty() => return None,
                None => std::mem::replace(&mut self.first, [].iter()),
            };
        }
    }
}

impl<K, V> Clone for Entries<'_, K, V> {
    fn clone(&self) -> Self {
        Self { first: self.first.clone(), runs: self.runs.clone(), last: self.last.clone() }
    }
}

/// Values in order, each once.
#[must_use]
pub fn in_order<K: Ord + Clone>(values: impl IntoIterator<Item = K>) -> Vec<K> {
    let values: Vec<K> = values.into_iter().collect();
    let mut sorted = sorted(&values, Ord::cmp);
    sorted.dedup();
    sorted.into_iter().cloned().collect()
}

impl<K: Ord, V: PartialEq> PartialEq for Ordered<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length && self.iter().eq(other.iter())
    }
}

impl<K, V> IntoIterator for Ordered<K, V> {
    type Item = (K, V);
    type IntoIter = std::iter::Flatten<std::vec::IntoIter<Vec<(K, V)>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.runs.into_iter().flatten()
    }
}

impl<K: Ord, V> Extend<(K, V)> for Ordered<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Ordered<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::default();
        map.extend(entries);
        map
    }
}

impl<K: Ord + Serialize, V: Serialize> Serialize for Ordered<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[derive(Debug, Clone)]
    enum Step {
        Insert(u16, u8),
        Remove(u16),
        Update(u16),
        Split(u16),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            8 => (0..600u16, any::<u8>()).prop_map(|(key, value)| Step::Insert(key, value)),
            2 => (0..600u16).prop_map(Step::Remove),
            1 => (0..600u16).prop_map(Step::Update),
            1 => (400..650u16).prop_map(Step::Split),
        ]
    }

    proptest! {
        #[test]
        fn does_what_a_tree_does(ascending in 0..500u16, steps in prop::collection::vec(step(), 0..600)) {
            let mut tree: BTreeMap<u16, u8> = (0..ascending).map(|key| (key, 7)).collect();
            let mut map: Ordered<u16, u8> = tree.iter().map(|(key, value)| (*key, *value)).collect();
            for step in steps {
                match step {
                    Step::Insert(key, value) => prop_assert_eq!(map.insert(key, value), tree.insert(key, value)),
                    Step::Remove(key) => prop_assert_eq!(map.remove(&key), tree.remove(&key)),
                    Step::Update(key) => {
                        map.update(key, |value| *value = value.wrapping_add(1));
                        let value = tree.entry(key).or_default();
                        *value = value.wrapping_add(1);
                    }
                    Step::Split(key) => {
                        let (other, from_tree) = (map.split_off(&key), tree.split_off(&key));
                        prop_assert_eq!(other.len(), from_tree.len());
                        prop_assert!(other.into_iter().eq(from_tree));
                    }
                }
                prop_assert_eq!(map.len(), tree.len());
                prop_assert!(map.runs.iter().all(|run| !run.is_empty() && run.len() <= RUN));
            }
            prop_assert!(map.iter().eq(tree.iter()) && map.keys().rev().eq(tree.keys().rev()));
            for key in 0..700 {
                prop_assert_eq!((map.get(&key), map.contains(&key)), (tree.get(&key), tree.contains_key(&key)));
                prop_assert!(map.iter_from(&key).eq(tree.range(key..)));
            }
            prop_assert_eq!(serde_json::to_string(&map).unwrap(), serde_json::to_string(&tree).unwrap());
        }
    }
}
