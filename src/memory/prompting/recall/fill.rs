//! Filling a pack with what is remembered, the most worth telling first.

use super::known::{Knowing, Unsaid, best};
use super::line::{fact, item, message, section_of, shown};
use super::over::{Over, heirs, in_turn, inherit, most_ended};
use super::queries::{Asked, fused};
use super::reached::Way;
use super::sense::sense;
use super::told::Told;
use super::{Item, Queries, RecallOptions};
use crate::error::Result;
use crate::filter::Filter;
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::compose::{Excerpts, Fit, Pack, Section, Share};
use crate::memory::facts::{Contests, Fact};
use crate::memory::finding::{Known, TOUCHES};
use crate::memory::limits;
use crate::memory::message::thread_of;
use crate::memory::scoring::Rated;
use crate::memory::search::{
    Searcher, candidates, find, is_of_a_change, is_of_the_past, judge, takes_unrelated,
};
use crate::memory::threads::Threads;
use crate::record::Kind;
use crate::scope::Scope;
use crate::sort::sorted;
use crate::store::{Among, Found, Query, Store, by_the_best};
use crate::time::Timestamp;
use std::cell::RefCell;

/// How many lines may be too long for the room that is left before no more are tried.
pub(super) const MISFITS: usize = 32;

/// How many tokens a line has at least: where fewer are left, no more are tried.
const LEAST_TOKENS: usize = 8;
/// How many it has on average, and that of a message: so many results can there be room for.
const LINE_TOKENS: usize = 16;
const MESSAGE_LINE_TOKENS: usize = 24;
/// As many are looked for at least.
const LEAST_RESULTS: usize = 20;

/// The least part that a fact has of the relevance of the best one.
const PART_FACT: f32 = 0.6;
/// The same of a question about what has changed: what it was before, or is now, has less of the question's words.
const PART_CHANGE: f32 = 0.4;
/// The same where the best fact has none of the question's words: then all that is near in meaning is about as near.
const PART_NEAR: f32 = 0.75;
/// The least relevance of a fact of which only the built-in embedder says that it has to do with what is asked.
const LEAST_GUESS: f32 = 0.2;
/// The least part that a message has of the relevance of the best fact: it says more, or says it better.
const PART_BESIDE_FACT: f32 = 0.4;
/// The same part of anything else. Messages are long, and what answers is often beside what fits best.
const PART: f32 = 0.4;

/// How many episodes are told at most.
const EXAMPLES: usize = 3;

/// Of how many past threads the summaries are told.
const SUMMARIES: usize = 3;

/// What is told, and how it is found.
pub(crate) struct Filling<'a> {
    pub(crate) searcher: &'a Searcher,
    pub(crate) scope: &'a Scope,
    pub(crate) options: &'a RecallOptions,
    filter: Option<&'a Filter>,
    /// The thread whose messages are left out.
    present: Option<&'a str>,
    pub(super) queries: &'a Queries,
    pub(crate) threads: &'a Threads,
    pub(crate) now: Timestamp,
    pub(super) excerpts: Excerpts,
    pub(super) told: RefCell<Told>,
    pub(super) known: RefCell<Knowing>,
    /// What the graph has beyond whom the query names.
    pub(super) ways: RefCell<Vec<Way>>,
    contests: RefCell<Contests>,
    /// What messages tell that is over, and whether that is asked for.
    over: RefCell<Over>,
    is_of_the_past: bool,
    is_of_a_change: bool,
}

impl<'a> Filling<'a> {
    pub(crate) fn new(
        searcher: &'a Searcher,
        threads: &'a Threads,
        (scope, present): (&'a Scope, Option<&'a str>),
        options: &'a RecallOptions,
        filter: Option<&'a Filter>,
        queries: &'a Queries,
    ) -> Self {
        let (now, told) = (searcher.database.now(), RefCell::default());
        let excerpts = Excerpts::new(queries.words(), options.max_tokens, searcher.counter.clone());
        let is_of_the_past = queries.all.iter().any(|asked| is_of_the_past(&asked.text, now));
        let is_of_a_change = queries.all.iter().any(|asked| is_of_a_change(&asked.text));
        Self {
            searcher,
            scope,
            options,
            filter,
            present,
            queries,
            threads,
            now,
            excerpts,
            told,
            known: RefCell::default(),
            ways: RefCell::default(),
            contests: RefCell::default(),
            over: RefCell::default(),
            is_of_the_past,
            is_of_a_change,
        }
    }

    /// What of some kinds is related to the query, best first.
    pub(crate) fn related<'s>(&self, store: &'s Store, kinds: &[Kind]) -> Result<Vec<Rated<'s>>> {
        let (mut lists, mut facts) = (Vec::with_capacity(kinds.len()), Vec::new());
        for kind in kinds {
            let mut of_kind = self.find(store, *kind)?;
            if *kind == Kind::Fact && self.queries.walk.is_some() {
                facts.clone_from(&of_kind);
            }
            of_kind.iter_mut().for_each(|of_query| self.judge(*kind, of_query));
            lists.push(of_kind);
        }
        let queries = self.queries.all.len();
        let reached = self.reach(store, kinds, &facts, &mut lists)?;
        let (mut found, mut by) = (Vec::new(), Vec::new());
        for (one, query) in lists.iter().flat_map(|of_kind| fused(of_kind)) {
            let hops = reached.get(&one.score.document).filter(|_| query == queries);
            by.push((query.checked_sub(1).filter(|_| hops.is_none()), hops.copied()));
            found.push(one);
        }
        let mut rated = self.options.scoring.rate(&found, self.now);
        for (rated, by) in rated.iter_mut().zip(by) {
            (rated.terms.query, rated.terms.hops) = by;
        }
        let rated = sorted(&rated, |a, b| {
            let by_score = b.score.total_cmp(&a.score);
            by_score
                .then(b.found.record.significance.cmp(&a.found.record.significance))
                .then(a.found.score.document.cmp(&b.found.score.document))
        });
        Ok(rated.into_iter().copied().collect())
    }

    /// Adds those of a kind, as far as there is room in their section.
    pub(crate) fn add_related(
        &self,
        store: &Store,
        kind: Kind,
        rated: &[Rated<'_>],
        pack: &mut Pack,
    ) -> Result<()> {
        let section = section_of(kind);
        let mut rated = rated.iter().filter(|rated| rated.found.record.kind == kind);
        let mut misfits = 0;
        while !self.is_full(pack) {
            if misfits >= MISFITS || pack.room_of(section) < LEAST_TOKENS {
                for Rated { found, .. } in rated {
                    if !pack.tells(found.record.id) {
                        pack.leave_out(section, Some(found.record.id));
                    }
                }
                break;
            }
            let Some(rated) = rated.next() else { break };
            misfits += usize::from(!self.tell(store, &rated.found.record, Fit::of(rated), pack)?);
        }
        Ok(())
    }

    /// Adds the episodes that fit best.
    pub(crate) fn episodes(&self, store: &Store, pack: &mut Pack) -> Result<()> {
        for rated in self.related(store, &[Kind::Episode])?.iter().take(EXAMPLES) {
            self.tell(store, &rated.found.record, Fit::of(rated), pack)?;
        }
        Ok(())
    }

    /// Adds the summaries of the last other threads.
    pub(crate) fn summaries(&self, store: &Store, pack: &mut Pack) -> Result<()> {
        for summary in self.threads.recent(self.scope, SUMMARIES, self.present)? {
            if let Some(view) = store.get(self.scope, summary.id).filter(|view| self.passes(store, view)) {
                self.tell(store, &view, Fit::default(), pack)?;
            }
        }
        Ok(())
    }

    /// Takes in what no search judges: the fields of profiles, and lines of the graph. Answers how relevant each is.
    pub(super) fn see(&self, store: &Store, what: &'static str, statements: &[(Id, String)]) -> Vec<f32> {
        let (ids, texts): (Vec<Id>, Vec<String>) = statements.iter().cloned().unzip();
        let mut most = vec![0.0_f32; ids.len()];
        for asked in &self.queries.all {
            let judged = judge(&asked.text, store, self.scope, &texts);
            for (((relevance, judged), id), most) in judged.into_iter().zip(&ids).zip(&mut most) {
                self.known.borrow_mut().take(what, *id, relevance, judged);
                *most = most.max(relevance);
            }
        }
        most
    }

    /// Whether it is known what is asked and why, beside what is told.
    pub(crate) fn known(&self, store: &Store, shares: &[Share], pack: &Pack) -> Result<(Known, String)> {
        let (mut known, mut reason) = (self.known.borrow().known(), self.known.borrow().reason());
        if let Some(unsaid) = self.unsaid(store, shares, pack)? {
            if known == Known::Yes {
                known = Known::Partly;
            }
            reason.push_str(unsaid.reason());
        }
        Ok((known, reason))
    }

    /// Why what fits best is not told; `None` when it is, or something that says it or fits as well.
    fn unsaid(&self, store: &Store, shares: &[Share], pack: &Pack) -> Result<Option<Unsaid>> {
        let Some((section, id, relevance)) = self.known.borrow().best().filter(|(_, id, _)| !pack.tells(*id))
        else {
            return Ok(None);
        };
        let is_found = matches!(section, Section::Facts | Section::Messages);
        if section != Section::Profile
            && self.options.threshold.is_some_and(|threshold| relevance < threshold)
        {
            return Ok(Some(Unsaid::Threshold));
        }
        let counts = |of: Section| {
            matches!(of, Section::Facts | Section::Significant | Section::Messages)
                || of == Section::Graph && self.queries.walk.is_some()
        };
        if !is_found && !pack.leaves_out(id) || pack.most_relevant(counts) >= relevance {
            return Ok(None);
        }
        // A fact may say what a message does.
        if let Some(view) = store.get(self.scope, id).filter(|_| is_found)
            && self.told.borrow().has(
                self.excerpts.asked(),
                (&view, &sense(&view)),
                &self.item(store, &view, Fit::default())?,
            )
        {
            return Ok(None);
        }
        let is_own = shares.iter().any(|share| share.section == section && share.is_own);
        Ok(Some(match () {
            () if is_found && self.is_full(pack) => Unsaid::Limit,
            () if is_own => Unsaid::Share,
            () => Unsaid::Room,
        }))
    }

    /// Notes that what is told was recalled.
    pub(crate) fn note(&self, store: &Store, pack: &Pack) {
        let told = pack.ids().filter_map(|id| store.get(self.scope, id));
        let counts = |kind| matches!(kind, Kind::Fact | Kind::Message | Kind::Episode | Kind::Entity);
        let mut told = told.filter(|view| counts(view.kind));
        self.searcher.accesses.note(self.scope, &mut told);
    }

    /// Sees the most relevant of what was found of a kind, and leaves those that are told beside it.
    pub(super) fn judge(&self, kind: Kind, found: &mut Vec<Found<'_>>) {
        let over = self.over.borrow();
        let holds = |found: &&Found<'_>| self.is_of_the_past || !over.is_all(found.record.id);
        let is_sure = |found: &Found<'_>| !found.is_guess || found.relevance >= LEAST_GUESS;
        let best = best(found.iter().filter(holds).filter(|found| is_sure(found)));
        self.known.borrow_mut().see(best);
        let mut least = self.least(
            kind,
            best.map_or((0.0, 0.0), |found| (found.relevance, found.judged.unwrap_or_default()[0])),
        );
        if kind == Kind::Message && self.options.threshold.is_none() {
            least = least.max(PART_BESIDE_FACT * self.known.borrow().of_facts());
        }
        let tells_all = self.options.threshold.is_some();
        found.retain(|found| found.relevance >= least && (tells_all || is_sure(found)));
    }

    /// The least relevance of what is told, where the best of its kind has so much, and so much of the words that are asked for.
    pub(super) fn least(&self, kind: Kind, (best, coverage): (f32, f32)) -> f32 {
        let part = match kind {
            Kind::Fact if coverage == 0.0 => PART_NEAR,
            Kind::Fact if self.is_of_a_change => PART_CHANGE,
            Kind::Fact => PART_FACT,
            _ => PART,
        };
        self.options.threshold.unwrap_or_else(|| TOUCHES.max(part * best))
    }

    /// Whether there are as many facts and messages as are wanted.
    fn is_full(&self, pack: &Pack) -> bool {
        self.options.limit.is_some_and(|limit| pack.results() >= limit)
    }

    /// What is related to each query; nothing when nothing is asked.
    pub(super) fn find<'s>(&self, store: &'s Store, kind: Kind) -> Result<Vec<Vec<Found<'s>>>> {
        self.queries.all.iter().map(|asked| self.find_by(store, kind, asked)).collect()
    }

    pub(super) fn find_by<'s>(
        &self,
        store: &'s Store,
        kind: Kind,
        Asked { text, embedding }: &Asked,
    ) -> Result<Vec<Found<'s>>> {
        let RecallOptions { max_tokens, scoring, .. } = self.options;
        if text.trim().is_empty() {
            return Ok(Vec::new());
        }
        let line = if kind == Kind::Message { MESSAGE_LINE_TOKENS } else { LINE_TOKENS };
        let most = (max_tokens / line).clamp(LEAST_RESULTS, limits::MAX_LIMIT);
        let limit = candidates(most, scoring);
        let query = Query { text, embedding: embedding.as_ref(), limit, now: self.now };
        let leaves_out = kind == Kind::Message && self.present.is_some();
        let elsewhere = |view: &RecordView<'_>| {
            !leaves_out || self.present.is_none_or(|thread| thread_of(view.key.unwrap_or_default()) != thread)
        };
        // What is over is told to who asks for the past, or for all.
        let tells_all = kind != Kind::Message || self.is_of_the_past || self.options.threshold.is_some();
        let over = if tells_all { Vec::new() } else { self.over.borrow().all() };
        let accepts =
            |view: &RecordView<'_>| !over.contains(&view.id) && self.passes(store, view) && elsewhere(view);
        let accepts: Option<&dyn Fn(&RecordView<'_>) -> bool> =
            if self.filter.is_some() || leaves_out || !over.is_empty() { Some(&accepts) } else { None };
        let unrelated = takes_unrelated(self.options.threshold);
        let mut among = Among { ended: kind == Kind::Fact, unrelated, ..Among::default() };
        let of = (self.scope, kind);
        let search = |among: &Among| {
            let mut found = find(store, of, &query, among, accepts)?;
            found.truncate(limit);
            Ok(found)
        };
        let mut found = search(&among)?;
        if kind == Kind::Fact {
            let at = (store, self.scope, self.now);
            let heirs = if self.is_of_the_past { Vec::new() } else { heirs(&found, at)? };
            // A walk over the graph searches for more than what is asked.
            let is_asked = self.queries.all.iter().any(|asked| asked.text == *text);
            if is_asked {
                // What a message told is over whatever the filter says of the fact that was learned from it.
                let all = self.filter.as_ref().map(|_| find(store, of, &query, &among, None)).transpose()?;
                self.over.borrow_mut().take(text, at, all.as_ref().unwrap_or(&found))?;
            }
            let is_told = |found: &Found<'_>| {
                found.record.holds_at(self.now) || self.is_of_the_past && found.record.ends() <= self.now
            };
            if !self.is_of_the_past {
                self.known.borrow_mut().end(if is_asked { most_ended(&found, self.now) } else { 0.0 });
                among.ended = false;
            }
            if found.len() < limit || among.ended || found.iter().all(is_told) {
                found.retain(is_told);
                if self.is_of_the_past {
                    in_turn(&mut found, text, at)?;
                }
                by_the_best(&mut found);
            } else {
                // What has ended took the place of what holds.
                found = search(&among)?;
            }
            inherit(&mut found, &heirs);
        }
        Ok(found)
    }

    /// Adds the facts that are pinned, whatever is asked, the most significant first.
    pub(crate) fn pinned(&self, store: &Store, rated: &[Rated<'_>], pack: &mut Pack) -> Result<()> {
        let scored = |view: &RecordView<'_>| {
            let found = rated.iter().find(|rated| rated.found.record.id == view.id);
            Some(found.map_or(Fit::default(), Fit::of))
        };
        self.facts(store, Section::Facts, pack, &scored)
    }

    /// Adds the facts that are not related, the most significant first.
    pub(crate) fn others(&self, store: &Store, related: &[Rated<'_>], pack: &mut Pack) -> Result<()> {
        let scored = |view: &RecordView<'_>| {
            let is_other = related.iter().all(|rated| rated.found.record.id != view.id);
            is_other.then(Fit::default)
        };
        self.facts(store, Section::Significant, pack, &scored)
    }

    fn facts(
        &self,
        store: &Store,
        section: Section,
        pack: &mut Pack,
        scored: &dyn Fn(&RecordView<'_>) -> Option<Fit>,
    ) -> Result<()> {
        if self.is_full(pack) || pack.room_of(section) < LEAST_TOKENS {
            return Ok(());
        }
        let (mut misfits, pinned) = (0, section == Section::Facts);
        for document in store.most_significant(self.scope, Kind::Fact, pinned, self.now) {
            if self.is_full(pack) || misfits >= MISFITS {
                break;
            }
            let view = store.view(document).filter(|view| !pack.tells(view.id) && self.passes(store, view));
            if let Some((view, scored)) = view.and_then(|view| Some((view, scored(&view)?))) {
                let item = Item { section, ..self.item(store, &view, scored)? };
                misfits += usize::from(!self.put(&view, item, pack));
            }
        }
        Ok(())
    }

    /// Adds the line of a record, unless what it says is told already; answers whether there was room.
    pub(super) fn tell(
        &self,
        store: &Store,
        view: &RecordView<'_>,
        fit: Fit,
        pack: &mut Pack,
    ) -> Result<bool> {
        if pack.tells(view.id) {
            return Ok(true);
        }
        let left = self.told.borrow_mut().take_left(view.id);
        let item = left.map_or_else(|| self.item(store, view, fit), Ok)?;
        Ok(self.put(view, item, pack))
    }

    fn put(&self, view: &RecordView<'_>, item: Item, pack: &mut Pack) -> bool {
        let told = &mut *self.told.borrow_mut();
        let sense = sense(view);
        if told.has(self.excerpts.asked(), (view, &sense), &item) {
            return true;
        }
        let fits = pack.room_of(item.section) >= item.tokens;
        if fits {
            told.add((view, sense), &item);
            pack.add(item);
        } else {
            pack.leave_out(item.section, item.id);
            told.leave(item);
        }
        fits
    }

    pub(crate) fn item(&self, store: &Store, view: &RecordView<'_>, fit: Fit) -> Result<Item> {
        let counter = &self.searcher.counter;
        let cut = (&self.excerpts, counter);
        match view.kind {
            Kind::Entity => self.entity(store, view, fit),
            Kind::Fact => {
                let of = (store, self.scope);
                let contested = self.contests.borrow_mut().of(of, view, self.now)?;
                let shown = Fact { contested, ..Fact::shown(store, self.scope, view, self.now)? };
                fact(view, (shown, self.now), fit, cut)
            }
            Kind::Message => message(view, self.over.borrow().of(view.id), fit, cut),
            _ => item(view, fit, counter),
        }
    }

    fn passes(&self, store: &Store, view: &RecordView<'_>) -> bool {
        self.filter.is_none_or(|filter| {
            let at = (store, self.scope, self.now);
            shown(at, view, filter).is_ok_and(|shown| filter.matches(&shown))
        })
    }
}
