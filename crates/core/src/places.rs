//! Where things stand in a list, found by what they are: a hash table of four bytes a place.
//!
//! Keys are not kept, since the list has what they are made of. Of a hash as many bits are kept as a place leaves free, so that what
//! has another hash is mostly passed over without a look at the list. Places are numbers below 2^32 - 2.

/// What stands where no place is, and where one was.
const EMPTY: u32 = u32::MAX;
const REMOVED: u32 = u32::MAX - 1;

/// An odd number whose bits look random: the fraction of the golden ratio.
const MIXER: u64 = 0x9e37_79b9_7f4a_7c15;

/// The least entries of a table that is not empty.
const LEAST: usize = 16;

/// How many places get their hashes at once when a table grows.
const HASHED: usize = 32;

/// Places by hash. The least part of the entries that is taken after growth is three fifths, the most three quarters: it takes 5 to 7
/// bytes a place.
///
/// ```
/// use mnemic_core::places::{Places, hash};
/// let (words, mut places) = (["one", "two"], Places::default());
/// let hash_of = |place: u32| hash(words[place as usize].len() as u64);
/// places.insert(0, hash_of);
/// places.insert(1, hash_of);
/// assert_eq!(places.get(hash(3), |place| words[place as usize] == "two"), Some(1));
/// assert_eq!(places.remove(hash(3), |place| words[place as usize] == "one"), Some(0));
/// assert_eq!(places.get(hash(3), |place| words[place as usize] == "one"), None);
/// ```
#[derive(Debug, Default)]
pub struct Places {
    /// Linear probing. The lower bits of an entry are a place, the others the lowest bits of its hash.
    entries: Vec<u32>,
    /// The bits of a place. All places are less than the last two numbers of so many bits, so no entry looks like none.
    place_bits: u32,
    /// How many entries are not empty, and of how many of these the place was removed.
    used: usize,
    vacated: usize,
}

impl Places {
    /// How many places there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.used - self.vacated
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The place of what has a hash and is wanted.
    pub fn get(&self, hash: u32, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let at = self.find(hash, is_it)?;
        self.entries.get(at).map(|entry| entry & self.mask())
    }

    /// Adds a place of what has none. Of the other places the hashes are asked for when the table grows.
    pub fn insert(&mut self, place: u32, hash_of: impl Fn(u32) -> u32) {
        if (self.used + 1) * 4 > self.entries.len() * 3 || bits_of(place) > self.place_bits {
            self.grow(place, &hash_of);
        }
        self.fill(place, hash_of(place));
        self.used += 1;
    }

    /// Makes room for one more place, and for it among the bits of an entry.
    fn grow(&mut self, place: u32, hash_of: impl Fn(u32) -> u32) {
        let (kept, mask) = (self.len(), self.mask());
        let mut old = std::mem::replace(&mut self.entries, vec![EMPTY; least(kept)]);
        old.retain(|entry| *entry < REMOVED);
        // Mostly places are less than there are entries, and none of them makes this grow by itself.
        self.place_bits = bits_of(place).max(bits_of(least(kept) as u32)).max(self.place_bits);
        // What hashes are made of is read for many at once, so that none waits for another.
        let mut hashes = [0; HASHED];
        for entries in old.chunks(HASHED) {
            for (hash, entry) in hashes.iter_mut().zip(entries) {
                *hash = hash_of(entry & mask);
            }
            for (hash, entry) in hashes.iter().zip(entries) {
                self.fill(entry & mask, *hash);
            }
        }
        (self.used, self.vacated) = (kept, 0);
    }

    /// Says that what stood at one place stands at another, which is less than one there was.
    pub fn replace(&mut self, hash: u32, place: u32, by: u32) {
        let at = self.find(hash, |other| other == place);
        let by = self.entry(by, hash);
        if let Some(entry) = at.and_then(|at| self.entries.get_mut(at)) {
            *entry = by;
        }
    }

    /// Takes out the place of what has a hash and is wanted.
    pub fn remove(&mut self, hash: u32, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let at = self.find(hash, is_it)?;
        let entry = std::mem::replace(self.entries.get_mut(at)?, REMOVED);
        self.vacated += 1;
        Some(entry & self.mask())
    }

    /// The most bytes held on the heap, here or where the same places are added anew.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let least = if self.is_empty() { 0 } else { least(self.len()) };
        self.entries.len().max(least) * size_of::<u32>()
    }

    /// The bits of an entry that are the place.
    fn mask(&self) -> u32 {
        !u32::MAX.checked_shl(self.place_bits).unwrap_or_default()
    }

    fn entry(&self, place: u32, hash: u32) -> u32 {
        hash.checked_shl(self.place_bits).unwrap_or_default() | place
    }

    fn fill(&mut self, place: u32, hash: u32) {
        let filled = self.entry(place, hash);
        let at = self.probe(hash, |entry| entry == EMPTY);
        if let Some(entry) = at.and_then(|at| self.entries.get_mut(at)) {
            *entry = filled;
        }
    }

    fn find(&self, hash: u32, is_it: impl Fn(u32) -> bool) -> Option<usize> {
        let mask = self.mask();
        let kept = self.entry(0, hash);
        // One of which the place was removed has a place that no other has.
        let is_found = |entry: u32| (entry ^ kept) & !mask == 0 && entry != REMOVED && is_it(entry & mask);
        let at = self.probe(hash, |entry| entry == EMPTY || is_found(entry))?;
        self.entries.get(at).filter(|entry| **entry != EMPTY).map(|_| at)
    }

    /// The first entry for a hash that is wanted; `None` only when there are none.
    fn probe(&self, hash: u32, wanted: impl Fn(u32) -> bool) -> Option<usize> {
        let count = self.entries.len();
        let first = ((u64::from(hash) * count as u64) >> 32) as usize;
        let (before, from) = self.entries.split_at_checked(first)?;
        let behind = from.iter().position(|entry| wanted(*entry)).map(|at| first + at);
        behind.or_else(|| before.iter().position(|entry| wanted(*entry)))
    }
}

/// How many bits a place takes, when the last two numbers of so many bits are none.
fn bits_of(place: u32) -> u32 {
    u32::BITS - place.saturating_add(2).leading_zeros()
}

/// How many entries a table has that grew for one more than so many places.
fn least(places: usize) -> usize {
    ((places + 1) * 5 / 3).max(LEAST)
}

/// The hash of a number.
#[must_use]
pub fn hash(number: u64) -> u32 {
    (number.wrapping_mul(MIXER) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        /// What stands in the list is the key itself; removing takes the last one to the place that is free.
        #[test]
        fn it_finds_what_is_in_a_list(steps in prop::collection::vec((0..300_u64, 0..3_u8), 0..900)) {
            let (mut list, mut places, mut model): (Vec<u64>, _, HashMap<u64, usize>) = (Vec::new(), Places::default(), HashMap::new());
            for (key, step) in steps {
                let known = places.get(hash(key), |place| list[place as usize] == key);
                prop_assert_eq!(known.map(|place| place as usize), model.get(&key).copied());
                if known.is_none() && step > 0 {
                    list.push(key);
                    places.insert(list.len() as u32 - 1, |place| hash(list[place as usize]));
                } else if step == 0 && let Some(place) = places.remove(hash(key), |place| list[place as usize] == key) {
                    let last = list.len() as u32 - 1;
                    if place != last {
                        places.replace(hash(list[last as usize]), last, place);
                    }
                    list.swap_remove(place as usize);
                }
                model = list.iter().copied().zip(0..).collect();
                prop_assert_eq!(places.len(), list.len());
            }
            prop_assert!(places.used * 4 <= places.entries.len() * 3);
        }
    }

    /// A place of more bits than those before leaves fewer for the hashes, and the last bits of all look like no place.
    #[test]
    fn it_finds_places_of_any_size() {
        let hash_of = |place: u32| hash(place.into());
        let mut known = Vec::new();
        let mut places = Places::default();
        for place in (0..32).flat_map(|bits| [0, 1, 2, 3].map(|less| (1_u32 << bits).wrapping_sub(less))) {
            let is_place = place < REMOVED && !known.contains(&place);
            if is_place {
                assert_eq!(places.get(hash_of(place), |other| other == place), None);
                places.insert(place, hash_of);
                known.push(place);
            }
            assert!(known.iter().all(|own| places.get(hash_of(*own), |other| other == *own) == Some(*own)));
        }
        for place in known {
            assert_eq!(places.remove(hash_of(place), |other| other == place), Some(place));
            assert_eq!(places.get(hash_of(place), |other| other == place), None);
        }
        assert!(places.is_empty());
    }

    #[test]
    fn it_takes_few_bytes_and_no_more_when_it_is_made_anew() {
        let mut places = Places::default();
        for count in 1..5000 {
            places.insert(count - 1, |place| hash(place.into()));
            let bytes = places.entries.len() * 4;
            assert!(
                bytes <= places.memory_bytes() && places.memory_bytes() <= count as usize * 7 + 80,
                "{count}: {bytes}"
            );
        }
        for number in 0..4000_u32 {
            assert_eq!(places.remove(hash(number.into()), |place| place == number), Some(number));
        }
        let mut anew = Places::default();
        (4000..4999).for_each(|number| anew.insert(number, |place| hash(place.into())));
        assert!(places.len() == anew.len() && places.memory_bytes() >= anew.memory_bytes());
    }
}
