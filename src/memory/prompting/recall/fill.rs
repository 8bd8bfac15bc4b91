//! Filling a pack with facts, episodes and messages, the most worth telling first.

use super::line::{item, shown};
use super::{Item, RecallOptions};
use crate::embedding::Embedding;
use crate::error::{Code, Error, Result};
use crate::filter::Filter;
use crate::log::RecordView;
use crate::memory::compose::Pack;
use crate::memory::message::thread_of;
use crate::memory::scoring::Rated;
use crate::memory::search::{Searcher, Terms, candidates, find};
use crate::memory::threads::Threads;
use crate::record::Kind;
use crate::scope::Scope;
use crate::sort::sorted;
use crate::store::{Among, Found, Query, Store};
use crate::time::Timestamp;

/// How many facts may be too long for the room that is left before no more are tried.
const MISFITS: usize = 32;

/// How many episodes are told at most.
const EXAMPLES: usize = 3;

/// Of how many past threads the summaries are told.
const SUMMARIES: usize = 3;

/// What is told, and how it is found.
pub(crate) struct Filling<'a> {
    pub(crate) searcher: &'a Searcher,
    pub(crate) scope: &'a Scope,
    pub(crate) options: &'a RecallOptions,
    pub(crate) filter: Option<&'a Filter>,
    /// The thread whose messages are left out.
    pub(crate) present: Option<&'a str>,
    pub(crate) embedding: Option<&'a Embedding>,
    pub(crate) threads: &'a Threads,
    pub(crate) now: Timestamp,
}

impl Filling<'_> {
    /// Adds what is pinned, then what is related, then what else matters, and notes that it was recalled.
    pub(crate) fn fill(&self, pack: &mut Pack, warnings: &mut Vec<Error>) -> Result<()> {
        self.searcher.database.read(|store| {
            self.related(store, &[Kind::Fact, Kind::Message], pack, warnings)?;
            self.episodes(store, pack, warnings)?;
            if self.options.threshold.is_none() {
                self.summaries(store, pack)?;
                self.others(store, false, pack)?;
            }
            self.note(store, pack);
            Ok(())
        })
    }

    /// Adds facts, and other kinds, that are related: first what is pinned.
    pub(crate) fn related(
        &self,
        store: &Store,
        kinds: &[Kind],
        pack: &mut Pack,
        warnings: &mut Vec<Error>,
    ) -> Result<()> {
        let mut found = Vec::new();
        for kind in kinds {
            found.extend(self.find(store, *kind, warnings)?);
        }
        let rated = self.options.scoring.rate(&found, self.now);
        // A fact is a conversation boiled down: of equals it goes first.
        let rated = sorted(&rated, |a, b| {
            let by_score = b.score.total_cmp(&a.score);
            by_score
                .then(b.found.record.significance.cmp(&a.found.record.significance))
                .then(a.found.score.document.cmp(&b.found.score.document))
        });
        self.pinned(store, &rated, pack)?;
        for rated in rated.iter().filter(|rated| rated.score >= self.least()) {
            if pack.results() >= self.options.limit {
                break;
            }
            if !pack.tells(rated.found.record.id) {
                pack.add(self.item(&rated.found.record, rated.score, rated.terms)?);
            }
        }
        Ok(())
    }

    /// Adds the episodes that fit best.
    pub(crate) fn episodes(&self, store: &Store, pack: &mut Pack, warnings: &mut Vec<Error>) -> Result<()> {
        let episodes = self.find(store, Kind::Episode, warnings)?;
        let episodes = self.options.scoring.rate(&episodes, self.now);
        let episodes = sorted(&episodes, |a, b| b.score.total_cmp(&a.score));
        for rated in episodes.into_iter().filter(|rated| rated.score >= self.least()).take(EXAMPLES) {
            pack.add(self.item(&rated.found.record, rated.score, rated.terms)?);
        }
        Ok(())
    }

    /// Adds the summaries of the last other threads.
    pub(crate) fn summaries(&self, store: &Store, pack: &mut Pack) -> Result<()> {
        for summary in self.threads.recent(self.scope, SUMMARIES, self.present)? {
            if let Some(view) = store.get(self.scope, summary.id).filter(|view| self.passes(view)) {
                pack.add(self.item(&view, 0.0, Terms::default())?);
            }
        }
        Ok(())
    }

    /// Notes that what is told was recalled.
    pub(crate) fn note(&self, store: &Store, pack: &Pack) {
        let told = pack.ids().filter_map(|id| store.get(self.scope, id));
        let counts = |kind| matches!(kind, Kind::Fact | Kind::Message | Kind::Episode | Kind::Entity);
        let mut told = told.filter(|view| counts(view.kind));
        self.searcher.accesses.note(self.scope, &mut told);
    }

    fn least(&self) -> f32 {
        self.options.threshold.unwrap_or(f32::NEG_INFINITY)
    }

    /// What is related to the query; nothing when nothing is asked.
    pub(crate) fn find<'s>(
        &self,
        store: &'s Store,
        kind: Kind,
        warnings: &mut Vec<Error>,
    ) -> Result<Vec<Found<'s>>> {
        if self.options.query.trim().is_empty() {
            return Ok(Vec::new());
        }
        let limit = candidates(self.options.limit, &self.options.scoring);
        let query = Query { text: &self.options.query, embedding: self.embedding, limit, now: self.now };
        let elsewhere = |view: &RecordView<'_>| {
            kind != Kind::Message
                || self.present.is_none_or(|thread| thread_of(view.key.unwrap_or_default()) != thread)
        };
        let accepts = |view: &RecordView<'_>| self.passes(view) && elsewhere(view);
        let accepts: Option<&dyn Fn(&RecordView<'_>) -> bool> =
            if self.filter.is_some() || kind == Kind::Message { Some(&accepts) } else { None };
        let among = Among::default();
        let of = (self.scope, kind);
        let mut found = match find(store, of, &query, &among, accepts) {
            // The embedder changed its dimensions: words are used instead, and the caller is told.
            Err(error) if error.code == Code::Embedder => {
                warnings.push(error);
                find(store, of, &Query { embedding: None, ..query }, &among, accepts)?
            }
            found => found?,
        };
        found.retain(|found| self.searcher.models.is_relevant(found));
        Ok(found)
    }

    /// The facts that are pinned: first those that are related.
    fn pinned(&self, store: &Store, rated: &[&Rated<'_>], pack: &mut Pack) -> Result<()> {
        for rated in rated.iter().filter(|rated| rated.found.record.pinned) {
            let record = &rated.found.record;
            if record.kind == Kind::Fact && pack.results() < self.options.limit && !pack.tells(record.id) {
                pack.add(self.item(&rated.found.record, rated.score, rated.terms)?);
            }
        }
        self.others(store, true, pack)
    }

    /// The facts that are not told yet, or those of them that are pinned, the most significant first.
    pub(crate) fn others(&self, store: &Store, pinned: bool, pack: &mut Pack) -> Result<()> {
        if pack.results() >= self.options.limit {
            return Ok(());
        }
        let mut misfits = 0;
        for document in store.most_significant(self.scope, Kind::Fact, pinned, self.now) {
            if pack.results() >= self.options.limit || misfits >= MISFITS {
                break;
            }
            let view = store.view(document).filter(|view| !pack.tells(view.id) && self.passes(view));
            if let Some(view) = view {
                let fits = pack.add(self.item(&view, 0.0, Terms::default())?);
                misfits += usize::from(!fits);
            }
        }
        Ok(())
    }

    pub(crate) fn item(&self, view: &RecordView<'_>, score: f32, terms: Terms) -> Result<Item> {
        item(view, score, terms, &self.searcher.counter)
    }

    fn passes(&self, view: &RecordView<'_>) -> bool {
        self.filter.is_none_or(|filter| shown(view).is_ok_and(|shown| filter.matches(&shown)))
    }
}
