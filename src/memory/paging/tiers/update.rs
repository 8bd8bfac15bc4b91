//! Updating: moves and distillations, when they are due or at once.

use super::moving::Moved;
use super::{Inner, Tiers};
use crate::error::Result;
use crate::memory::models::Spent;
use crate::memory::pages::{SHORT, pages};
use crate::memory::schedule::Job;
use crate::ordered::in_order;
use crate::ports::{Loaded, Pending, Systems};
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::Store;
use crate::time::Timestamp;
use serde::Serialize;

/// How long after the last page hot segments are distilled at the latest, in milliseconds, though there is little new in them.
const PAUSE_MS: Timestamp = 3_600_000;

/// What an update did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Updated {
    /// How many pages moved into segments.
    pub moved: usize,
    /// Into how many segments.
    pub segments: usize,
    /// How many segments were distilled.
    pub distilled: usize,
    /// What models were asked for it.
    pub usage: Spent,
}

impl Tiers {
    /// Moves what the queue cannot hold and distils what is hot, now.
    ///
    /// # Errors
    /// `Model` and `Timeout` when the model fails, and those of storing; what was done until then is kept.
    pub async fn update(&self, scope: &Scope) -> Result<Updated> {
        let busy = self.inner.scheduler.busy();
        let outcome = self.update_all(scope).await;
        drop(busy);
        self.inner.scheduler.wake(scope);
        outcome
    }

    async fn update_all(&self, scope: &Scope) -> Result<Updated> {
        let _turn = self.inner.scheduler.turn(scope).await;
        let models = self.inner.models.metered();
        let (mut moved, mut segments, mut distilled) = (0, Vec::new(), 0);
        loop {
            let one = self.shift(scope, &models).await?;
            if one.pages == 0 {
                break;
            }
            moved += one.pages;
            segments.extend(one.segments);
        }
        loop {
            let one = self.distil(scope, &models).await?;
            if one == 0 {
                break;
            }
            distilled += one;
        }
        let segments = in_order(segments).len();
        Ok(Updated { moved, segments, distilled, usage: models.spent_in_all() })
    }
}

impl Tiers {
    /// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    fn step_loaded<'a>(&'a self, systems: Loaded<Systems>, scope: &'a Scope) -> Pending<'a, Result<bool>> {
        systems.work(Box::pin(async move {
            let models = &self.inner.models;
            let Moved { pages, .. } = self.shift(scope, models).await?;
            if pages == 0 {
                self.distil(scope, models).await?;
            }
            Ok(true)
        }))
    }
}

impl Job for Tiers {
    fn kind(&self) -> &'static str {
        "tiers"
    }

    /// A move is due when the queue overflows. A request for what is hot waits until it is worth one: so many new pages as a move
    /// has, or a pause. So there are at most two requests for as many pages as go into one move.
    fn due(&self, store: &Store, scope: Option<&Scope>, now: Timestamp) -> Result<Option<Timestamp>> {
        let Some(scope) = scope else { return Ok(None) };
        let options = &self.inner.options;
        if Inner::waiting(store, scope) > options.capacity {
            return Ok(Some(Timestamp::MIN));
        }
        let mut fresh = 0;
        for topic in self.topics(store, scope)? {
            if topic.is_hot(now, options) {
                fresh += topic.fresh as usize;
            }
        }
        if fresh == 0 {
            return Ok(None);
        }
        if fresh >= options.batch() || !self.inner.models.has_llm() {
            return Ok(Some(Timestamp::MIN));
        }
        let last = pages(store, scope, SHORT).last().map(|view| view.created_at);
        let last = last.or_else(|| store.records(scope, Kind::Page).next_back().map(|view| view.created_at));
        Ok(Some(last.map_or(Timestamp::MIN, |last| last + PAUSE_MS)))
    }

    fn step<'a>(&'a self, scope: Option<&'a Scope>) -> Pending<'a, Result<bool>> {
        Box::pin(async move {
            let Some(scope) = scope else { return Ok(false) };
            let systems = Loaded::by(&*self.inner.database.platform()).await?;
            self.step_loaded(systems, scope).await
        })
    }
}
