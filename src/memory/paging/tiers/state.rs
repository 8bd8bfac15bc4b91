//! What is in the tiers, and letting go of it.

use super::Tiers;
use crate::error::Result;
use crate::log::{Cause, RecordView};
use crate::memory::changes::Planning;
use crate::memory::pages::Heat;
use crate::memory::pages::{AGENT, Trait};
use crate::memory::pages::{Page, SHORT, mid_prefix, pages};
use crate::memory::pages::{Segment, Topic};
use crate::record::Kind;
use crate::scope::Scope;
use serde::Serialize;

/// After how many bytes of texts a commit deletes no more: it can be undone by one commit then.
const COMMIT_BYTES: usize = 4 * 1024 * 1024;

/// What is in the tiers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct State {
    /// The pages of the queue, the oldest first.
    pub recent: Vec<Page>,
    /// The segments, the oldest first.
    pub segments: Vec<HotSegment>,
    /// How much there is.
    pub counts: Counts,
}

/// A segment with its heat.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HotSegment {
    /// The segment.
    #[serde(flatten)]
    pub segment: Segment,
    /// Its heat now.
    pub heat: Heat,
}

/// How much is in the tiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Pages in the queue.
    pub short: usize,
    /// Pages in segments.
    pub mid: usize,
    /// Segments.
    pub segments: usize,
    /// Traits of the user.
    pub traits: usize,
    /// Statements about the assistant.
    pub agent_traits: usize,
}

impl Tiers {
    /// What is in the tiers now.
    ///
    /// # Errors
    /// Those of reading.
    pub fn state(&self, scope: &Scope) -> Result<State> {
        let now = self.inner.database.now();
        self.inner.database.read(|store| {
            let recent = pages(store, scope, SHORT).iter().map(Page::of).collect::<Result<Vec<_>>>()?;
            let topics = self.topics(store, scope)?;
            let counts = Counts {
                short: recent.len(),
                mid: topics.iter().map(|topic| topic.shown.pages as usize).sum(),
                segments: topics.len(),
                traits: Trait::all(store, scope)?.len(),
                agent_traits: store.by_key_prefix(scope, Kind::Trait, AGENT).len(),
            };
            let hot = |topic: Topic| HotSegment {
                heat: topic.heat(now, &self.inner.options),
                segment: topic.shown,
            };
            Ok(State { recent, segments: topics.into_iter().map(hot).collect(), counts })
        })
    }

    /// The traits of the user, in the order in which they first showed; empty when none did yet.
    ///
    /// # Errors
    /// Those of reading.
    pub fn traits(&self, scope: &Scope) -> Result<Vec<Trait>> {
        self.inner.database.read(|store| Trait::all(store, scope))
    }

    /// Deletes every page and segment; the answer is how many pages. What was learned from them stays, as do messages of threads.
    ///
    /// # Errors
    /// Those of storing.
    pub async fn clear(&self, scope: &Scope) -> Result<usize> {
        let mut cleared = 0;
        loop {
            let mut pages = 0;
            let plan = &mut |planning: &mut Planning<'_>| {
                pages = clear_some(planning)?;
                Ok(())
            };
            if self.inner.changes.run(scope, Cause::User, plan).await?.commit_id.is_none() {
                return Ok(cleared);
            }
            cleared += pages;
        }
    }
}

/// Drafts the end of as much as goes into one commit; answers how many pages that are. Segments go with all of their pages, so
/// that undoing it brings back what belongs together.
fn clear_some(planning: &mut Planning<'_>) -> Result<usize> {
    let (store, scope) = (planning.store, planning.scope().clone());
    let (mut cleared, mut bytes) = (0, 0);
    let length = |view: &RecordView<'_>| view.text.map_or(0, str::len);
    for topic in Topic::all(store, &scope)? {
        if bytes < COMMIT_BYTES {
            let inside = pages(store, &scope, &mid_prefix(topic.shown.id));
            bytes += inside.iter().map(length).sum::<usize>();
            cleared += inside.len();
            topic.end(store, &mut planning.draft);
        }
    }
    if planning.draft.changes.is_empty() {
        for view in store.records(&scope, Kind::Segment).chain(store.records(&scope, Kind::Page)) {
            if bytes < COMMIT_BYTES {
                bytes += length(&view);
                cleared += usize::from(view.kind == Kind::Page);
                planning.end(&view);
            }
        }
    }
    Ok(cleared)
}
