//! Visits: how often segments were looked into. They warm at once and are written together, now and then.

use super::Tiers;
use crate::database::{Committed, Event};
use crate::error::{Code, Result};
use crate::id::Id;
use crate::json::to_value;
use crate::log::Cause;
use crate::memory::pages::Topic;
use crate::memory::pages::Visits;
use crate::memory::schedule::Job;
use crate::ports::Pending;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::sort::sorted;
use crate::store::{Draft, Expect, Store};
use crate::time::Timestamp;
use futures_channel::oneshot;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};

/// How long visits wait for others, to be written together.
const PAUSE_MS: Timestamp = 2000;
/// They are written once in so long: each writing is a revision, and revisions stay.
const WRITTEN_EVERY_MS: Timestamp = 3_600_000;

/// The name of the job that writes them.
const KIND: &str = "visits";

/// Visits of a scope's segments.
type Visited = Vec<(Id, Visits)>;

/// Visits on their way into the store. What a crash takes of them makes some segments a little colder.
#[derive(Default)]
pub(super) struct Waiting {
    visits: RefCell<FxHashMap<Scope, Visited>>,
    /// When the first of them came.
    since: Cell<Timestamp>,
    written_at: Cell<Timestamp>,
}

impl Waiting {
    fn add(&self, scope: &Scope, more: Visited) {
        let mut waiting = self.visits.borrow_mut();
        let waiting = waiting.entry(scope.clone()).or_default();
        for (segment, visits) in more {
            match waiting.iter_mut().find(|(known, _)| *known == segment) {
                Some((_, known)) => known.add(visits),
                None => waiting.push((segment, visits)),
            }
        }
    }
}

/// The visits of a scope that were handed to the writer, and its answer.
struct Handed {
    scope: Scope,
    visits: Visited,
    written: oneshot::Receiver<Result<Committed>>,
}

impl Tiers {
    /// Every segment of a scope with its visits up to now, the oldest first.
    pub(super) fn topics(&self, store: &Store, scope: &Scope) -> Result<Vec<Topic>> {
        let mut topics = Topic::all(store, scope)?;
        if let Some(waiting) = self.inner.visits.visits.borrow().get(scope) {
            for topic in &mut topics {
                if let Some((_, more)) = waiting.iter().find(|(id, _)| *id == topic.shown.id) {
                    topic.shown.visits = topic.shown.visits.saturating_add(more.visits);
                    topic.shown.last_visit_at = topic.shown.last_visit_at.max(more.at);
                }
            }
        }
        Ok(topics)
    }

    /// Notes a visit of segments. What is hot by it is due.
    pub(super) fn visited(&self, scope: &Scope, segments: &mut dyn Iterator<Item = Id>) {
        let (database, waiting) = (&self.inner.database, &self.inner.visits);
        let now = database.now();
        let visited: Visited = segments.map(|id| (id, Visits { visits: 1, at: now })).collect();
        if visited.is_empty() || database.is_reading() {
            return;
        }
        if waiting.visits.borrow().is_empty() {
            waiting.since.set(now);
        }
        waiting.add(scope, visited);
        self.inner.scheduler.wake(scope);
        self.inner.scheduler.wake_kind(KIND);
    }

    /// Writes the visits that wait. Those that meet others' wait for the next time; the listeners are told of other failures.
    async fn flush_visits(&self) {
        for Handed { scope, visits, written } in self.queue_visits() {
            match written.await {
                Ok(Err(error)) if error.code == Code::Conflict => self.inner.visits.add(&scope, visits),
                Ok(Err(error)) => self.inner.database.tell(&Event::Error(error)),
                // A writer that stopped has told its reason to others.
                _ => {}
            }
        }
    }

    /// Hands the visits that wait to the writer; nothing of a memory that is closed.
    fn queue_visits(&self) -> Vec<Handed> {
        let (database, waiting) = (&self.inner.database, &self.inner.visits);
        let all: Vec<_> = waiting.visits.take().into_iter().collect();
        let mut handed = Vec::new();
        for (scope, visits) in sorted(&all, |a, b| a.0.cmp(&b.0)) {
            match self.draft_visits(scope, visits).map(|draft| draft.map(|draft| database.queue(draft))) {
                Ok(Some(Ok(written))) => {
                    waiting.written_at.set(database.now());
                    handed.push(Handed { scope: scope.clone(), visits: visits.clone(), written });
                }
                Ok(None) => {}
                Err(error) | Ok(Some(Err(error))) if error.code == Code::Closed => {}
                Err(error) | Ok(Some(Err(error))) => database.tell(&Event::Error(error)),
            }
        }
        handed
    }

    /// The draft of visits of segments that are still there; `None` when none is.
    fn draft_visits(&self, scope: &Scope, visits: &Visited) -> Result<Option<Draft>> {
        let database = &self.inner.database;
        let mut draft = Draft::new(scope, Cause::Access);
        database.read(|store| {
            for (segment, more) in visits.iter().filter(|(segment, _)| store.get(scope, *segment).is_some()) {
                let key = Visits::key(*segment);
                let view = store.by_key(scope, Kind::Segment, &key);
                let mut visits = Visits::of(store, scope, *segment)?;
                visits.add(*more);
                let id = view.map_or_else(|| database.new_id(), |view| view.id);
                let expect = view.map_or(Expect::Absent, |view| Expect::Revision(view.revision));
                let mut record = Record::new(id, Kind::Segment, scope.clone(), more.at);
                (record.key, record.value) = (Some(key), to_value(&visits)?);
                draft.put(record, expect, None);
                draft.needs.push(*segment);
            }
            Ok(())
        })?;
        Ok(Some(draft).filter(|draft| !draft.changes.is_empty()))
    }
}

/// Writing visits, in the background.
pub(super) struct Writing(pub(super) Tiers);

impl Job for Writing {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn due(&self, _: &Store, _: Option<&Scope>, _: Timestamp) -> Result<Option<Timestamp>> {
        let waiting = &self.0.inner.visits;
        if waiting.visits.borrow().is_empty() {
            return Ok(None);
        }
        let since = waiting.since.get();
        let pause = waiting.written_at.get() + WRITTEN_EVERY_MS - since;
        Ok(Some(since + pause.clamp(PAUSE_MS, WRITTEN_EVERY_MS)))
    }

    fn waiting(&self, _: &Store, _: Option<&Scope>, _: Timestamp) -> Result<usize> {
        Ok(self.0.inner.visits.visits.borrow().values().map(Vec::len).sum())
    }

    fn step<'a>(&'a self, _: Option<&'a Scope>) -> Pending<'a, Result<bool>> {
        Box::pin(async move {
            self.0.flush_visits().await;
            Ok(true)
        })
    }

    fn gathers(&self) -> bool {
        true
    }

    fn last(&self) {
        drop(self.0.queue_visits());
    }
}
