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
    /// Which of the pages that are put in together are about the same, as a model says: they stay together.
    pub(super) theme: Option<usize>,
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

    /// Puts pages in, those of one theme into one segment: the one that is about the same as a model says, or that one of them
    /// fits best. What fits none opens a new one, called as `new` says. The answer is the segment of each.
    pub(super) fn place_all(&mut self, leaves: &[&Leaf], new: &mut dyn FnMut() -> Id) -> Vec<Id> {
        let mut homes: Vec<(usize, Id)> = Vec::new();
        let mut places = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            let known = homes.iter().find(|(theme, _)| Some(*theme) == leaf.theme).map(|(_, home)| *home);
            let home = known.or_else(|| match leaf.theme {
                None => self.best(&[*leaf]),
                Some(_) => {
                    let of_theme = leaves.iter().filter(|other| other.theme == leaf.theme);
                    let same =
                        leaf.rewrites.filter(|id| self.topics.iter().any(|topic| topic.shown.id == *id));
                    same.or_else(|| self.best(&of_theme.copied().collect::<Vec<_>>()))
                }
            });
            let home = home.unwrap_or_else(&mut *new);
            homes.extend(leaf.theme.map(|theme| (theme, home)));
            match self.topics.iter_mut().find(|topic| topic.shown.id == home) {
                Some(topic) => topic.join(leaf, self.now),
                None => self.topics.push(Topic::opened(leaf, home, self.now)),
            }
            places.push(home);
        }
        places
    }

    /// The segment that one of some pages fits best; `None` when none fits well enough.
    fn best(&self, leaves: &[&Leaf]) -> Option<Id> {
        let mut best: Option<(f64, Id)> = None;
        for leaf in leaves {
            let own = indexed_words(&leaf.keywords);
            for topic in &self.topics {
                let fit = likeness(topic, leaf.embedding.as_ref(), &own);
                if fit >= self.options.similarity && best.is_none_or(|(most, _)| fit > most) {
                    best = Some((fit, topic.shown.id));
                }
            }
        }
        best.map(|(_, id)| id)
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
            theme: None,
        }
    }

    impl Shelf<'_> {
        fn place(&mut self, leaf: &Leaf, new: Id) -> Id {
            self.place_all(&[leaf], &mut || new)[0]
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
    fn pages_of_one_theme_stay_together() {
        let options = options(&json!({}));
        let of = |theme: usize, vector: [f32; 2], keywords: &[&str]| Leaf {
            theme: Some(theme),
            ..leaf(vector, keywords)
        };
        let mut shelf = Shelf::new(Vec::new(), &options, 10);
        let mut next = 0;
        let mut new = || {
            next += 1;
            id(next)
        };
        // Neither shares a word or a direction with the other: they became segments with one and the same summary.
        let tea =
            [of(1, [1.0, 0.0], &["tea"]), of(2, [0.0, -1.0], &["moon"]), of(1, [0.0, 1.0], &["kettle"])];
        let leaves: Vec<&Leaf> = tea.iter().collect();
        assert_eq!(shelf.place_all(&leaves, &mut new), [id(1), id(2), id(1)]);
        assert_eq!((shelf.topics.len(), shelf.topics[0].shown.pages), (2, 2));
        // Where one of them fits a known segment, all go there.
        let more = [of(7, [-1.0, 0.0], &["saucer"]), of(7, [1.0, 0.0], &["tea"])];
        assert_eq!(shelf.place_all(&more.iter().collect::<Vec<_>>(), &mut new), [id(1), id(1)]);
        // A segment that a model names takes its theme; one that is gone does not.
        let named = Leaf { rewrites: Some(id(2)), ..of(1, [-1.0, 0.0], &["stars"]) };
        let gone = Leaf { rewrites: Some(id(9)), ..of(2, [-1.0, 0.0], &["soup"]) };
        assert_eq!(shelf.place_all(&[&named, &gone], &mut new), [id(2), id(3)]);
        // Without themes each goes its own way.
        let (one, other) = (leaf([0.0, 1.0], &["a"]), leaf([0.0, 1.0], &["b"]));
        assert_eq!(shelf.place_all(&[&one, &other], &mut new).len(), 2);
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
