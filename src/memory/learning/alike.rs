//! Alike: which facts may say the same, or one that another is no longer true; by the rare words that they share, or by meaning.

use crate::id::Id;
use crate::memory::pages::indexed_words;
use crate::sort::sorted;
use rustc_hash::FxHashMap;

/// From which share of the rare words of the shorter one on two facts are looked at together.
const SHARED: f64 = 0.45;
/// The most facts that are judged beside one another.
const MAX_GROUP: usize = 8;

/// How rare words are among some texts.
pub(super) struct Rarity {
    texts: usize,
    holding: FxHashMap<String, usize>,
}

impl Rarity {
    pub(super) fn of<'a>(texts: impl Iterator<Item = &'a String>) -> Self {
        let mut rarity = Self { texts: 0, holding: FxHashMap::default() };
        for text in texts {
            rarity.texts += 1;
            for word in indexed_words(std::slice::from_ref(text)) {
                *rarity.holding.entry(word).or_default() += 1;
            }
        }
        rarity
    }

    fn weight(&self, words: &[String]) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a few thousand texts")]
        let weight = |word: &String| {
            let holding = self.holding.get(word).copied().unwrap_or_default().max(1);
            (1.0 + self.texts as f64 / holding as f64).ln()
        };
        words.iter().map(weight).sum()
    }

    /// How much of the shorter of two texts is in the other, 0 to 1, each word by how rare it is.
    fn shared(&self, one: &str, other: &str) -> f64 {
        let [one, other] = [one, other].map(|text| indexed_words(&[text.to_owned()]));
        let common: Vec<String> =
            one.iter().filter(|word| other.binary_search(word).is_ok()).cloned().collect();
        let least = self.weight(&one).min(self.weight(&other));
        if least > 0.0 { self.weight(&common) / least } else { 0.0 }
    }
}

/// Two facts that may belong together.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    pub(super) ids: [Id; 2],
    likeness: f64,
}

impl Pair {
    /// The pair of two facts that contradict each other: none is more alike.
    pub(super) fn contested(ids: [Id; 2]) -> Self {
        Self { ids, likeness: f64::INFINITY }
    }

    /// The pair of two facts with these texts; `None` when they neither share rare words nor are `near` in meaning, which is their
    /// cosine where that is high.
    pub(super) fn of(ids: [Id; 2], texts: [&str; 2], near: Option<f32>, rarity: &Rarity) -> Option<Self> {
        let [one, other] = texts;
        let shared = Some(rarity.shared(one, other)).filter(|shared| *shared >= SHARED);
        let near = near.map(f64::from);
        let likeness = shared
            .into_iter()
            .chain(near)
            .fold(None, |most: Option<f64>, likeness| Some(most.map_or(likeness, |most| most.max(likeness))));
        likeness.map(|likeness| Self { ids, likeness })
    }
}

/// Facts that are to be judged beside one another, at most so many, those of the most alike pairs.
pub(super) fn groups(pairs: &[Pair], most: usize) -> Vec<Vec<Id>> {
    let mut groups: Vec<Vec<Id>> = Vec::new();
    let mut shown = 0;
    for pair in sorted(pairs, |a, b| b.likeness.total_cmp(&a.likeness).then(a.ids.cmp(&b.ids))) {
        let place = |id: &Id| groups.iter().position(|group| group.contains(id));
        let [one, other] = pair.ids;
        match (place(&one), place(&other)) {
            (None, None) if shown + 2 <= most => {
                groups.push(vec![one, other]);
                shown += 2;
            }
            (Some(known), None) | (None, Some(known)) => {
                let Some(group) =
                    groups.get_mut(known).filter(|group| group.len() < MAX_GROUP && shown < most)
                else {
                    continue;
                };
                let new = if group.contains(&one) { other } else { one };
                group.push(new);
                shown += 1;
            }
            (Some(a), Some(b)) if a != b => {
                let [a, b] = [a.min(b), a.max(b)];
                let together: usize =
                    [a, b].iter().filter_map(|place| groups.get(*place)).map(Vec::len).sum();
                if together <= MAX_GROUP {
                    let more = groups.remove(b);
                    groups.get_mut(a).into_iter().for_each(|group| group.extend(&more));
                }
            }
            _ => {}
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u8) -> Id {
        Id::new(1, [number; 10])
    }

    fn pair(one: u8, other: u8, likeness: f64) -> Pair {
        Pair { ids: [id(one), id(other)], likeness }
    }

    #[test]
    fn rare_words_that_are_shared_make_a_pair() {
        let texts: Vec<String> = [
            "The user lives in Lisbon.",
            "The user lives in Porto.",
            "The user has a beagle called Biscuit.",
            "Biscuit, the beagle of the user, is afraid of thunder and sleeps under the bed.",
            "The user likes green tea.",
            "The user plays the cello.",
            "The user fears flying.",
            "The user works at Acme.",
        ]
        .map(str::to_owned)
        .to_vec();
        let rarity = Rarity::of(texts.iter());
        let mut found = Vec::new();
        for one in 0..texts.len() {
            for other in one + 1..texts.len() {
                if Pair::of([id(1), id(2)], [&texts[one], &texts[other]], None, &rarity).is_some() {
                    found.push((one, other));
                }
            }
        }
        assert_eq!(found, [(0, 1), (2, 3)]);
        let near = Pair::of([id(1), id(2)], [&texts[4], &texts[5]], Some(0.8), &rarity).unwrap();
        assert!((near.likeness - 0.8).abs() < 1e-6);
        assert!(Pair::of([id(1), id(2)], ["", ""], None, &rarity).is_none());
    }

    #[test]
    fn the_most_alike_are_judged_first_and_no_group_grows_over_its_bound() {
        let pairs = [pair(1, 2, 0.5), pair(3, 4, 0.9), pair(2, 3, 0.6)];
        assert_eq!(groups(&pairs, 60), [vec![id(3), id(4), id(2), id(1)]]);
        assert_eq!(groups(&pairs, 3), [vec![id(3), id(4), id(2)]]);
        assert_eq!(groups(&pairs, 2), [vec![id(3), id(4)]]);
        let chain: Vec<Pair> = (1..30).map(|number| pair(number, number + 1, 0.7)).collect();
        let chain = groups(&chain, 60);
        assert!(chain.len() > 2 && chain.iter().all(|group| group.len() <= MAX_GROUP), "{chain:?}");
        assert!(groups(&[], 60).is_empty());
    }
}
