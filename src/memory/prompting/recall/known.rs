//! Whether what is asked is known.

use crate::id::Id;
use crate::memory::compose::Section;
use crate::memory::finding::Known;
use crate::record::Kind;
use crate::store::Found;

/// Below which share of the person nothing is known about whom is asked about.
const SOMEBODY: f32 = 0.5;
/// From which share on what fits best holds what is asked for: it is too little that is asked.
const MOST: f32 = 0.9;

/// Why what fits best is not told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unsaid {
    /// It is less relevant than the threshold.
    Threshold,
    /// There are as many facts and messages as are wanted.
    Limit,
    /// The application's share of its section is too small.
    Share,
    /// There are too few tokens.
    Room,
}

impl Unsaid {
    /// What is added to the reason.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Threshold => ", less than the threshold asks for",
            Self::Limit => ", but the limit leaves it out",
            Self::Share => ", but finds no room in its section",
            Self::Room => ", but finds no room; raise maxTokens",
        }
    }
}

/// What fits best of all that is known.
#[derive(Debug, Clone, Default)]
pub(crate) struct Knowing {
    relevance: f32,
    what: &'static str,
    /// Which record it is; `None` as long as nothing was seen.
    id: Option<Id>,
    coverage: f32,
    person: f32,
    /// The most relevance of what is no longer so.
    ended: f32,
    /// The most relevance of a fact.
    of_facts: f32,
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
        if found.record.kind == Kind::Fact {
            self.of_facts = self.of_facts.max(found.relevance);
        }
        let [coverage, person] = found.judged.unwrap_or_default();
        self.take(what, found.record.id, found.relevance, [coverage, person]);
    }

    /// Takes in what is no result of a search, such as a field of a profile.
    pub(super) fn take(&mut self, what: &'static str, id: Id, relevance: f32, [coverage, person]: [f32; 2]) {
        if relevance > self.relevance {
            *self = Self { relevance, what, id: Some(id), coverage, person, ..*self };
        }
    }

    /// Takes in how relevant the best is of what is no longer so.
    pub(super) fn end(&mut self, relevance: f32) {
        self.ended = self.ended.max(relevance);
    }

    /// How relevant the best fact is.
    pub(super) fn of_facts(&self) -> f32 {
        self.of_facts
    }

    /// Whether what is asked is known.
    pub(super) fn known(&self) -> Known {
        Known::by(self.relevance)
    }

    /// What fits best, if anything has to do with what is asked: its section, the record, and its relevance.
    pub(super) fn best(&self) -> Option<(Section, Id, f32)> {
        let section = match self.what {
            "fact" => Section::Facts,
            "message" => Section::Messages,
            "field" => Section::Profile,
            _ => Section::Graph,
        };
        let id = self.id.filter(|_| self.known() != Known::No)?;
        Some((section, id, self.relevance))
    }

    /// Why, in a sentence.
    pub(super) fn reason(&self) -> String {
        let Self { relevance, what, coverage, person, ended, .. } = self;
        let percent = |share: &f32| (share * 100.0).round() as u32;
        match self.known() {
            Known::No if Known::by(*ended) == Known::Yes => "what was known of it is no longer so".to_owned(),
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
