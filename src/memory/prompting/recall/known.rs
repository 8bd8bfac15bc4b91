//! Whether what is asked is known.

use crate::id::Id;
use crate::memory::compose::Pack;
use crate::record::Kind;
use crate::store::Found;
use serde::Serialize;

/// From which relevance on what fits best answers, as a rule.
const ANSWERS: f32 = 0.5;
/// From which on it has to do with what is asked.
const TOUCHES: f32 = 0.15;
/// Below which share of the person nothing is known about whom is asked about.
const SOMEBODY: f32 = 0.5;
/// From which share on what fits best holds what is asked for: it is too little that is asked.
const MOST: f32 = 0.9;

/// Whether what is asked is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Known {
    /// Something fits that answers, as a rule.
    Yes,
    /// Something has to do with it.
    Partly,
    /// Nothing fits.
    No,
}

/// What fits best of all that is known.
#[derive(Debug, Clone, Default)]
pub(crate) struct Knowing {
    relevance: f32,
    what: &'static str,
    /// Which record it is, if it is one that is found.
    id: Option<Id>,
    coverage: f32,
    person: f32,
    /// The most relevance of what is no longer so.
    ended: f32,
}

/// The most relevant of what was found.
pub(super) fn best<'f, 's: 'f>(found: impl Iterator<Item = &'f Found<'s>>) -> Option<&'f Found<'s>> {
    found.max_by(|one, other| one.relevance.total_cmp(&other.relevance))
}

impl Knowing {
    /// Takes in the most relevant of what was found.
    pub(super) fn see(&mut self, found: Option<&Found<'_>>) {
        let Some(found) = found else { return };
        let what = match found.record.kind {
            Kind::Fact => "fact",
            Kind::Message => "message",
            _ => return,
        };
        let [coverage, person] = found.judged.unwrap_or_default();
        self.take(what, Some(found.record.id), found.relevance, [coverage, person]);
    }

    /// Takes in what is no result of a search; `None` for a field of a profile, which is told whatever is asked.
    pub(super) fn take(
        &mut self,
        what: &'static str,
        id: Option<Id>,
        relevance: f32,
        [coverage, person]: [f32; 2],
    ) {
        if relevance > self.relevance {
            *self = Self { relevance, what, id, coverage, person, ..*self };
        }
    }

    /// Takes in how relevant the best is of what is no longer so.
    pub(super) fn end(&mut self, relevance: f32) {
        self.ended = self.ended.max(relevance);
    }

    /// Whether what is asked is known.
    pub(super) fn known(&self) -> Known {
        match self.relevance {
            relevance if relevance >= ANSWERS => Known::Yes,
            relevance if relevance >= TOUCHES => Known::Partly,
            _ => Known::No,
        }
    }

    /// Whether what fits best has less relevance than what is told is to have.
    pub(super) fn is_below(&self, threshold: Option<f32>) -> bool {
        self.id.is_some() && threshold.is_some_and(|threshold| self.relevance < threshold)
    }

    /// Whether there was no room for what fits best, and nothing that is told fits as well.
    pub(super) fn is_left_out(&self, pack: &Pack) -> bool {
        self.id.is_some_and(|id| pack.leaves_out(id)) && pack.most_relevant() < self.relevance
    }

    /// Why, in a sentence.
    pub(super) fn reason(&self) -> String {
        let Self { relevance, what, coverage, person, ended, .. } = self;
        let percent = |share: &f32| (share * 100.0).round() as u32;
        match self.known() {
            Known::No if *ended >= ANSWERS => "what was known of it is no longer so".to_owned(),
            Known::No if *coverage == 0.0 => "no fact, message or field has to do with the query".to_owned(),
            Known::No if *person < SOMEBODY => "nothing is known about whom the query is about".to_owned(),
            Known::No if *coverage >= MOST => "the query asks for nothing that could be known".to_owned(),
            Known::No => {
                format!("what fits best, a {what}, has only {} % of what is asked for", percent(coverage))
            }
            Known::Yes | Known::Partly => {
                let best = if *ended > *relevance {
                    "what fits best is no longer so; the best current"
                } else {
                    "the best"
                };
                format!(
                    "{best} {what} has {} % of what is asked for and a relevance of {} %",
                    percent(coverage),
                    percent(relevance)
                )
            }
        }
    }
}
