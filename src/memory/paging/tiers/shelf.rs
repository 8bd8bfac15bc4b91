//! The shelf: the segments of the middle tier while pages are put in. Pure.

use super::likeness::{cosine, jaccard};
use crate::embedding::Embedding;
use crate::id::Id;
use crate::memory::pages::TierOptions;
use crate::memory::pages::grown;
use crate::memory::pages::indexed_words;
use crate::memory::pages::{Segment, Topic};
use crate::sort::sorted;
use crate::time::Timestamp;

/// A page that is to be put in.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    pub(super) embedding: Option<Embedding>,
    pub(super) keywords: Vec<String>,
    /// What it is about; the summary of a segment that it opens.
    pub(super) about: String,
    pub(super) about_embedding: Option<Embedding>,
    /// A segment whose summary with this page in it somebody wrote already: `about` then.
    pub(super) rewrites: Option<Id>,
}

/// The segments.
pub(super) struct Shelf<'a> {
    pub(super) topics: Vec<Topic>,
    options: &'a TierOptions,
    now: Timestamp,
}

impl<'a> Shelf<'a> {
    pub(super) fn new(topics: Vec<Topic>, options: &'a TierOptions, now: Timestamp) -> Self {
        Self { topics, options, now }
    }

    /// Puts a page into the segment that it fits best, or into a new one called `new`; the answer is that segment.
    pub(super) fn place(&mut self, leaf: &Leaf, new: Id) -> Id {
        let own = indexed_words(&leaf.keywords);
        let mut best: Option<(f64, usize)> = None;
        for (place, topic) in self.topics.iter().enumerate() {
            let fit = likeness(topic, leaf.embedding.as_ref(), &own);
            if fit >= self.options.similarity && best.is_none_or(|(most, _)| fit > most) {
                best = Some((fit, place));
            }
        }
        match best.and_then(|(_, place)| self.topics.get_mut(place)) {
            Some(topic) => {
                topic.join(leaf, self.now);
                topic.shown.id
            }
            None => {
                self.topics.push(Topic::opened(leaf, new, self.now));
                new
            }
        }
    }

    /// Takes out the coldest segments that are over the capacity, of equals the oldest first.
    pub(super) fn evict(&mut self) -> Vec<Topic> {
        let over = self.topics.len().saturating_sub(self.options.segments);
        let heat = |topic: &Topic| topic.heat(self.now, self.options).value;
        let coldest = sorted(&self.topics, |a, b| {
            let by_age = a.shown.created_at.cmp(&b.shown.created_at).then(a.shown.id.cmp(&b.shown.id));
            heat(a).total_cmp(&heat(b)).then(by_age)
        });
        let evicted: Vec<Topic> = coldest.into_iter().take(over).cloned().collect();
        self.topics.retain(|topic| evicted.iter().all(|other| other.shown.id != topic.shown.id));
        evicted
    }
}

/// How well something fits a segment: the cosine of their vectors and the share of common words.
pub(super) fn likeness(topic: &Topic, embedding: Option<&Embedding>, own: &[String]) -> f64 {
    cosine(topic.embedding.as_ref(), embedding) + jaccard(&indexed_words(&topic.shown.keywords), own)
}

impl Topic {
    fn opened(leaf: &Leaf, id: Id, now: Timestamp) -> Self {
        let shown = Segment {
            id,
            summary: leaf.about.clone(),
            keywords: leaf.keywords.clone(),
            pages: 1,
            visits: 0,
            last_visit_at: now,
            created_at: now,
        };
        let embedding = leaf.about_embedding.clone();
        Self { shown, fresh: 1, revision: 0, embedding, is_changed: true, is_reworded: false }
    }

    fn join(&mut self, leaf: &Leaf, now: Timestamp) {
        let shown = &mut self.shown;
        shown.pages += 1;
        self.fresh += 1;
        shown.last_visit_at = shown.last_visit_at.max(now);
        shown.lead_with(&leaf.keywords);
        // The vector of the former words serves until there is one of these.
        let summary = if leaf.rewrites == Some(shown.id) {
            leaf.about.clone()
        } else {
            grown(&shown.summary, &leaf.about)
        };
        self.is_reworded |= summary != shown.summary;
        shown.summary = summary;
        self.is_changed = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn options(given: &serde_json::Value) -> TierOptions {
        TierOptions::read(given.as_object().unwrap()).unwrap()
    }

    fn id(number: u8) -> Id {
        Id::new(1, [number; 10])
    }

    fn leaf(vector: [f32; 2], keywords: &[&str]) -> Leaf {
        let embedding = Some(Embedding::quantise("e", &vector).unwrap());
        Leaf {
            about_embedding: embedding.clone(),
            embedding,
            keywords: keywords.iter().map(|word| (*word).to_owned()).collect(),
            about: format!("About {}.", keywords.join(", ")),
            rewrites: None,
        }
    }

    #[test]
    fn a_page_joins_the_best_segment_from_the_threshold_on() {
        let options = options(&json!({}));
        let mut shelf = Shelf::new(Vec::new(), &options, 10);
        assert_eq!(shelf.place(&leaf([1.0, 0.0], &["tea", "kyoto"]), id(1)), id(1));
        // Across: a cosine of 0 and no word in common.
        assert_eq!(shelf.place(&leaf([0.0, 1.0], &["guitar", "song"]), id(2)), id(2));
        // By hand: cos((1,0), (3,4)) = 0.6 and no shared word is 0.6 with the first; 0.8 with the second.
        let (one, other) = (&shelf.topics[0], &shelf.topics[1]);
        let page = leaf([3.0, 4.0], &["bridge"]);
        let fit = |topic| likeness(topic, page.embedding.as_ref(), &indexed_words(&page.keywords));
        assert!((fit(one) - 0.6).abs() < 1e-3 && (fit(other) - 0.8).abs() < 1e-3);
        assert_eq!(shelf.place(&page, id(3)), id(2));
        // By hand: 0.5 by the angle (60 degrees) and 1 of 3 words is 0.833; without the word 0.5 opens another.
        let slanted = [0.5, -0.866_025_4];
        let page = leaf(slanted, &["tea", "cup"]);
        let fit = likeness(&shelf.topics[0], page.embedding.as_ref(), &indexed_words(&page.keywords));
        assert!((fit - (0.5 + 1.0 / 3.0)).abs() < 1e-3, "{fit}");
        assert_eq!(shelf.place(&leaf(slanted, &["cup"]), id(4)), id(4));
        assert_eq!(shelf.place(&leaf([1.0, 0.0], &["tea"]), id(5)), id(1));
        let first = &shelf.topics[0];
        assert_eq!(
            (first.shown.pages, first.fresh, first.shown.keywords.join(" ").as_str()),
            (2, 2, "tea kyoto")
        );
        assert_eq!(first.shown.summary, "About tea, kyoto. About tea.");
    }

    #[test]
    fn a_summary_that_was_written_for_the_segment_takes_the_place_of_the_old_one() {
        let options = options(&json!({}));
        let mut shelf = Shelf::new(Vec::new(), &options, 10);
        shelf.place(&leaf([1.0, 0.0], &["tea"]), id(1));
        let page = Leaf { rewrites: Some(id(1)), ..leaf([1.0, 0.0], &["cups"]) };
        shelf.place(&page, id(2));
        assert_eq!(shelf.topics[0].shown.summary, "About cups.");
    }

    #[test]
    fn the_coldest_goes_first_and_of_equals_the_oldest() {
        let options = options(&json!({ "segments": 2, "mu": 1000 }));
        let topic = |number: u8, visits: u32, fresh: u32, at: i64| {
            let mut topic = Topic::opened(&leaf([1.0, 0.0], &["x"]), id(number), at);
            (topic.shown.visits, topic.fresh) = (visits, fresh);
            topic
        };
        let evicted = |topics: Vec<Topic>, now: i64| -> Vec<Id> {
            Shelf::new(topics, &options, now).evict().iter().map(|topic| topic.shown.id).collect()
        };
        assert!(evicted(vec![topic(1, 0, 1, 0), topic(2, 0, 1, 0)], 5).is_empty());
        // Heats: 1 + 2 + r, 0 + 1 + r, 0 + 2 + r.
        assert_eq!(evicted(vec![topic(1, 1, 2, 0), topic(2, 0, 1, 0), topic(3, 0, 2, 0)], 5), [id(2)]);
        // Equal counts: the one that was not touched for longer has cooled more, however old both are.
        let mut old = topic(1, 0, 1, 0);
        old.shown.last_visit_at = 900_000;
        assert_eq!(evicted(vec![old, topic(2, 0, 1, 500_000), topic(3, 0, 9, 0)], 1_000_000), [id(2)]);
        // Equal in all: the oldest, then the smaller id.
        let mut young = topic(1, 0, 1, 0);
        young.shown.created_at = 7;
        assert_eq!(evicted(vec![young, topic(3, 0, 1, 0), topic(2, 0, 1, 0)], 5), [id(2)]);
    }
}
