//! A segment: pages about one topic, and how much they are used.

use super::heat::Heat;
use super::options::TierOptions;
use super::page::{Page, mid_prefix};
use super::visits::Visits;
use super::words::{grown, indexed_words, title};
use crate::embedding::Embedding;
use crate::error::Result;
use crate::id::Id;
use crate::json::to_value;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::store::{Draft, Expect, Store};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::slice::from_ref;

/// How many keywords a segment keeps, the latest.
const KEYWORDS: usize = 32;

/// The beginning of the keys of segments. What a retrieval writes has keys of its own: it is small, and is written often.
const SEGMENT: &str = "segment/";

/// What a segment's record holds. Its text is the summary.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SegmentValue {
    keywords: Vec<String>,
    pages: u32,
    fresh: u32,
    last_visit_at: Timestamp,
}

/// A segment, as applications see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Segment {
    /// Its id.
    pub id: Id,
    /// What its pages are about.
    pub summary: String,
    /// The same in a few words, the latest first.
    pub keywords: Vec<String>,
    /// How many pages it has.
    pub pages: u32,
    /// How often it was retrieved.
    pub visits: u32,
    /// When it was last retrieved or grew.
    pub last_visit_at: Timestamp,
    /// When it was opened.
    pub created_at: Timestamp,
}

/// A segment while something is made of it.
#[derive(Debug, Clone)]
pub(crate) struct Topic {
    pub(crate) shown: Segment,
    /// How many of its pages were not distilled yet: its last ones.
    pub(crate) fresh: u32,
    /// The revision in the store; 0 when it is new.
    pub(crate) revision: u32,
    pub(crate) embedding: Option<Embedding>,
    pub(crate) is_changed: bool,
    /// Whether its vector is of former words.
    pub(crate) is_reworded: bool,
}

impl Topic {
    /// Every segment of a scope, the oldest first.
    pub(crate) fn all(store: &Store, scope: &Scope) -> Result<Vec<Self>> {
        let views = store.by_key_prefix(scope, Kind::Segment, SEGMENT);
        let mut topics = Vec::with_capacity(views.len());
        for view in views {
            let value: SegmentValue = view.content()?;
            let visits = Visits::of(store, scope, view.id)?;
            let shown = Segment {
                id: view.id,
                summary: view.text.unwrap_or_default().to_owned(),
                keywords: value.keywords,
                pages: value.pages,
                visits: visits.visits,
                last_visit_at: value.last_visit_at.max(visits.at),
                created_at: view.created_at,
            };
            let (fresh, revision) = (value.fresh, view.revision);
            let (embedding, is_changed, is_reworded) = (None, false, false);
            topics.push(Self { shown, fresh, revision, embedding, is_changed, is_reworded });
        }
        Ok(topics)
    }

    pub(crate) fn heat(&self, now: Timestamp, options: &TierOptions) -> Heat {
        Heat::at(now, self.shown.visits, self.fresh, self.shown.last_visit_at, options)
    }

    /// Whether it is to be distilled.
    pub(crate) fn is_hot(&self, now: Timestamp, options: &TierOptions) -> bool {
        self.fresh > 0 && self.heat(now, options).value >= options.heat
    }

    /// Adds it to a draft as it is now.
    pub(crate) fn put(&self, draft: &mut Draft, now: Timestamp) -> Result<()> {
        let id = self.shown.id;
        let mut record = Record::new(id, Kind::Segment, draft.scope.clone(), now);
        record.key = Some(format!("{SEGMENT}{id}"));
        record.text = Some(self.shown.summary.clone());
        record.value = to_value(&SegmentValue {
            keywords: self.shown.keywords.clone(),
            pages: self.shown.pages,
            fresh: self.fresh,
            last_visit_at: self.shown.last_visit_at,
        })?;
        draft.put(record, self.expected(), self.embedding.clone());
        Ok(())
    }

    /// Adds its end to a draft, with its pages; those of the draft itself are for the caller.
    pub(crate) fn end(&self, store: &Store, draft: &mut Draft) {
        if self.revision == 0 {
            return;
        }
        self.end_itself(store, draft);
        for page in super::page::pages(store, &draft.scope, &mid_prefix(self.shown.id)) {
            draft.delete(page.id, Expect::Revision(page.revision));
        }
    }

    /// Adds its end to a draft, without its pages.
    pub(crate) fn end_itself(&self, store: &Store, draft: &mut Draft) {
        draft.delete(self.shown.id, self.expected());
        if let Some(view) = store.by_key(&draft.scope, Kind::Segment, &Visits::key(self.shown.id)) {
            draft.delete(view.id, Expect::Any);
        }
    }

    fn expected(&self) -> Expect {
        if self.revision == 0 { Expect::Absent } else { Expect::Revision(self.revision) }
    }
}

/// The segment that a record of the kind tells of: by the key of a segment, or of its visits.
pub(crate) fn topic_of(key: &str) -> Option<Id> {
    Id::parse(key.split_once('/')?.1).ok()
}

impl Topic {
    /// Makes it anew of the own words of its pages, the oldest first, of which so many are fresh.
    pub(crate) fn retell(&mut self, pages: &[Page], fresh: u32) {
        let shown = &mut self.shown;
        (shown.pages, self.fresh) = (u32::try_from(pages.len()).unwrap_or(u32::MAX), fresh);
        (shown.summary, shown.keywords) = (String::new(), Vec::new());
        for page in pages {
            shown.summary = grown(&shown.summary, &title(page));
            shown.lead_with(&page.keywords);
        }
    }
}

impl Segment {
    /// Puts keywords before those it has; of several forms of one word the newest stays.
    pub(crate) fn lead_with(&mut self, keywords: &[String]) {
        let before = std::mem::replace(&mut self.keywords, keywords.to_vec());
        let mut known: Vec<_> = keywords.iter().map(|keyword| indexed_words(from_ref(keyword))).collect();
        for keyword in before {
            let own = indexed_words(from_ref(&keyword));
            if self.keywords.len() < KEYWORDS && !known.contains(&own) {
                known.push(own);
                self.keywords.push(keyword);
            }
        }
    }
}
