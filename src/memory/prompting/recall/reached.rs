//! Reached: what a walk over the graph came to, and how it is told.

use super::Filling;
use super::fill::MISFITS;
use super::hops::reach;
use super::queries::fused;
use crate::error::Result;
use crate::id::Id;
use crate::memory::compose::{Fit, Pack, Section};
use crate::ports::{Loaded, Systems};
use crate::record::Kind;
use crate::sort::sorted;
use crate::store::{Found, Store};
use rustc_hash::FxHashMap;

/// How far the graph is walked.
#[derive(Clone, Copy)]
pub(crate) struct Walk {
    /// What walks.
    pub(crate) systems: Loaded<Systems>,
    /// How many relations.
    pub(crate) hops: usize,
}

/// What was reached.
#[derive(Default)]
pub(super) struct Reached<'s> {
    /// Lines of the graph.
    pub(super) lines: Vec<Line>,
    /// Facts and messages, by kind.
    pub(super) found: Vec<(Kind, Vec<Found<'s>>)>,
    /// Over how many relations each of those was reached.
    pub(super) hops: FxHashMap<u32, usize>,
}

/// A relation or an entity, with the relations by which it was reached.
pub(super) struct Line {
    pub(super) what: &'static str,
    pub(super) way: Vec<Id>,
    pub(super) id: Id,
    pub(super) fit: Fit,
}

/// What is told together: the relations that lead to something, and that itself.
pub(super) type Way = Vec<(Id, Fit)>;

impl Filling<'_> {
    /// Adds what is reached over the graph to what was found of some kinds, where it is to be walked; answers over how many relations.
    /// `facts` are all that were found.
    pub(super) fn reach<'s>(
        &self,
        store: &'s Store,
        kinds: &[Kind],
        facts: &[Vec<Found<'s>>],
        lists: &mut [Vec<Vec<Found<'s>>>],
    ) -> Result<FxHashMap<u32, usize>> {
        let Some(Walk { systems, hops }) = self.queries.walk.filter(|_| kinds.contains(&Kind::Fact)) else {
            return Ok(FxHashMap::default());
        };
        let facts: Vec<Found<'s>> = fused(facts).into_iter().map(|(found, _)| found).collect();
        let reached = reach(systems, self, store, hops, &facts)?;
        for (kind, of_kind) in kinds.iter().zip(lists) {
            let found = reached.found.iter().filter(|(of, _)| of == kind);
            let mut found: Vec<Found<'s>> = found.flat_map(|(_, found)| found).copied().collect();
            self.judge(*kind, &mut found);
            of_kind.push(found);
        }
        self.see_lines(&reached.lines);
        Ok(reached.hops)
    }

    /// Takes in the lines of the graph that were reached.
    fn see_lines(&self, lines: &[Line]) {
        let mut fits: FxHashMap<Id, Fit> = FxHashMap::default();
        let mut most = 0.0_f32;
        for Line { what, id, fit, .. } in lines {
            let judged = [fit.terms.coverage, fit.terms.person].map(Option::unwrap_or_default);
            self.known.borrow_mut().take(what, *id, fit.relevance, judged);
            most = most.max(fit.relevance);
            fits.entry(*id).or_insert(*fit);
        }
        let least = self.least(Kind::Relation, (most, 1.0));
        let told = |line: &&Line| line.fit.relevance >= least;
        let fit = |id: &Id| (*id, fits.get(id).copied().unwrap_or_default());
        let best = sorted(lines, |one, other| other.fit.relevance.total_cmp(&one.fit.relevance));
        let ways = best.into_iter().filter(told);
        *self.ways.borrow_mut() =
            ways.map(|line| line.way.iter().map(fit).chain([(line.id, line.fit)]).collect()).collect();
    }

    /// Adds what was reached over relations, best first, each behind the relations that lead to it.
    pub(super) fn tell_reached(&self, store: &Store, pack: &mut Pack) -> Result<()> {
        let mut misfits = 0;
        for way in &*self.ways.borrow() {
            let mut lines = Vec::with_capacity(way.len());
            let mut tokens = 0;
            for (id, fit) in way {
                let Some(view) = store.get(self.scope, *id).filter(|view| !pack.tells(view.id)) else {
                    continue;
                };
                tokens += self.item(store, &view, *fit)?.tokens + 1;
                lines.push((view, *fit));
            }
            // Where there is no room for the way, what it leads to is told alone.
            let alone = if tokens > pack.room_of(Section::Graph) { lines.len().saturating_sub(1) } else { 0 };
            for (view, fit) in lines.into_iter().skip(alone) {
                misfits += usize::from(!self.tell(store, &view, fit, pack)?);
            }
            if misfits >= MISFITS {
                break;
            }
        }
        Ok(())
    }
}
