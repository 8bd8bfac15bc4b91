//! What is in the tiers, and letting go of it.

use super::Tiers;
use crate::error::Result;
use crate::log::{Cause, RecordView};
use crate::memory::action::{commit, retried};
use crate::memory::pages::Heat;
use crate::memory::pages::{AGENT, Trait};
use crate::memory::pages::{Page, SHORT, mid_prefix, pages};
use crate::memory::pages::{Segment, Topic};
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{Draft, Expect};
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
            let (pages, all) = retried(|| self.clear_some(scope)).await?;
            cleared += pages;
            if all == 0 {
                return Ok(cleared);
            }
        }
    }

    /// Segments go with all of their pages in one commit, so that undoing it brings back what belongs together.
    async fn clear_some(&self, scope: &Scope) -> Result<(usize, usize)> {
        let mut draft = Draft::new(scope, Cause::User);
        let (mut cleared, mut bytes) = (0, 0);
        self.inner.database.read(|store| {
            let length = |view: &RecordView<'_>| view.text.map_or(0, str::len);
            for topic in Topic::all(store, scope)? {
                if bytes < COMMIT_BYTES {
                    let inside = pages(store, scope, &mid_prefix(topic.shown.id));
                    bytes += inside.iter().map(length).sum::<usize>();
                    cleared += inside.len();
                    topic.end(store, &mut draft);
                }
            }
            if draft.changes.is_empty() {
                for view in store.records(scope, Kind::Segment).chain(store.records(scope, Kind::Page)) {
                    if bytes < COMMIT_BYTES {
                        bytes += length(&view);
                        cleared += usize::from(view.kind == Kind::Page);
                        draft.delete(view.id, Expect::Revision(view.revision));
                    }
                }
            }
            Ok(())
        })?;
        let all = draft.changes.len();
        commit(&self.inner.database, draft).await?;
        Ok((cleared, all))
    }
}
