//! Facts that contradict one another and are both current.
//!
//! Nothing of it is stored. For a fact that is shown, the facts that can contradict it are found by the words that each of them has,
//! and compared by what they claim; so a mark goes as soon as one of them ends, is changed, or is forgotten.

use super::claims::Claim;
use super::{Fact, FactList, Facts};
use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::limits;
use crate::memory::listing::{filter, listed};
use crate::memory::search::own_name;
use crate::memory::source::Origin;
use crate::ordered::Ordered;
use crate::record::{Kind, Provenance, Trust};
use crate::scope::Scope;
use crate::store::Store;
use crate::time::{DAY_MS, Timestamp};
use serde::Serialize;
use serde_json::Value;

/// How many of the newest facts with the same words are compared.
const COMPARED: usize = 256;
/// How many are named of those that contradict a fact, the newest ones.
const NAMED: usize = 5;
/// The days of a year, for ages.
const YEAR_DAYS: f64 = 365.25;

/// A fact that contradicts another one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Contested {
    /// Which fact.
    pub id: Id,
    /// What it says.
    pub text: String,
    /// From when it is true.
    pub valid_from: Timestamp,
    /// Since and until when, as that was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dates: Option<Value>,
    /// Who said so.
    pub origin: Origin,
    /// How far it is trusted.
    pub trust: Trust,
    /// Which messages it came from, and the words.
    pub source: Vec<Provenance>,
}

/// A fact with what it claims.
struct Claimed {
    document: u32,
    valid_from: Timestamp,
    about: Option<Value>,
    claims: Vec<Claim>,
}

/// The facts of a scope that were compared by now, in one state of it: those of one answer often have the same words.
#[derive(Default)]
pub(crate) struct Contests {
    /// The user's name, once it was looked for.
    own: Option<Vec<String>>,
    found: Ordered<String, Vec<u32>>,
    read: Ordered<u32, Option<Claimed>>,
}

impl Contests {
    /// The facts that contradict a fact, the newest first; empty when none does, and for one that is over or is to end.
    ///
    /// # Errors
    /// Those of reading.
    pub(crate) fn of(
        &mut self,
        (store, scope): (&Store, &Scope),
        view: &RecordView<'_>,
        now: Timestamp,
    ) -> Result<Vec<Contested>> {
        let name = self.own.take().unwrap_or_else(|| own_name(store, scope));
        let contested = self.compare((store, scope), view, &name, now);
        self.own = Some(name);
        contested
    }

    fn compare(
        &mut self,
        (store, scope): (&Store, &Scope),
        view: &RecordView<'_>,
        name: &[String],
        now: Timestamp,
    ) -> Result<Vec<Contested>> {
        let Some(own) = Claimed::of(store, view, name, now) else { return Ok(Vec::new()) };
        let mut documents: Vec<u32> = Vec::new();
        for anchor in own.claims.iter().flat_map(|claim| &claim.anchors) {
            documents.extend(self.holders((store, scope), anchor));
        }
        documents.sort_unstable();
        documents.dedup();
        let mut contested = Vec::new();
        for document in documents.into_iter().rev().filter(|document| *document != own.document) {
            if contested.len() == NAMED {
                break;
            }
            if self.read.get(&document).is_none() {
                let claimed = store.view(document).and_then(|view| Claimed::of(store, &view, name, now));
                self.read.insert(document, claimed);
            }
            let Some(Some(other)) = self.read.get(&document) else { continue };
            if contradict(&own, other)
                && let Some(view) = store.view(document)
            {
                let Fact { id, text, valid_from, dates, origin, trust, source, .. } = Fact::of(&view)?;
                contested.push(Contested { id, text, valid_from, dates, origin, trust, source });
            }
        }
        Ok(contested)
    }

    /// The newest facts that hold the rarest of some words.
    fn holders(&mut self, (store, scope): (&Store, &Scope), anchor: &str) -> Vec<u32> {
        if let Some(found) = self.found.get(anchor) {
            return found.clone();
        }
        let found = store.newest_holding(scope, Kind::Fact, anchor, COMPARED);
        self.found.insert(anchor.to_owned(), found.clone());
        found
    }
}

impl Claimed {
    /// What a fact claims; `None` for one that claims nothing, or is not simply true now.
    fn of(store: &Store, view: &RecordView<'_>, name: &[String], now: Timestamp) -> Option<Self> {
        let is_current = view.kind == Kind::Fact && view.valid_to.is_none() && view.holds_at(now);
        let claims = Claim::of(view.text.filter(|_| is_current)?, name);
        if claims.is_empty() {
            return None;
        }
        // What was over when it was said is told as that.
        let value = view.value().ok()?;
        if value.get("dates").is_some_and(|dates| dates.get("until").is_some()) {
            return None;
        }
        let about = view.metadata().ok()?.remove("about");
        let document = store.place_of(view.id)?;
        Some(Self { document, valid_from: view.valid_from, about, claims })
    }
}

fn contradict(own: &Claimed, other: &Claimed) -> bool {
    let is_other_person =
        own.about.as_ref().zip(other.about.as_ref()).is_some_and(|(own, other)| own != other);
    let years = (other.valid_from - own.valid_from) as f64 / (YEAR_DAYS * DAY_MS as f64);
    let mut claims = own.claims.iter().flat_map(|claim| other.claims.iter().map(move |other| (claim, other)));
    !is_other_person && claims.any(|(claim, other)| claim.contradicts(other, years))
}

impl Facts {
    /// The current facts that contradict one another, the newest first, each with those that contradict it; or, where `list` does not
    /// ask for these, what [`list`](Self::list) answers.
    ///
    /// # Errors
    /// `InvalidInput` with a time of the past, and those of listing.
    pub fn list_contested(&self, scope: &Scope, list: &FactList) -> Result<Vec<Fact>> {
        if !list.contested {
            return self.list(scope, list);
        }
        limits::limit(list.limit)?;
        let filter = filter::<Fact>(list.filter.as_ref())?;
        check_present(self.database.as_of(list.as_of).or(list.valid_at))?;
        let now = self.database.now();
        self.database.read(|store| {
            let mut contests = Contests::default();
            let facts = store.records(scope, Kind::Fact).rev().filter_map(|view| {
                let contested = contests.of((store, scope), &view, now);
                let contested =
                    contested.map(|contested| Some(contested).filter(|others| !others.is_empty()));
                let contested = contested.transpose()?;
                let shown = |contested| Ok(Fact { contested, ..Fact::shown(store, scope, &view, now)? });
                Some(contested.and_then(shown))
            });
            listed(facts, filter.as_ref(), list.offset, list.limit)
        })
    }

    /// One fact, with those that contradict it; `None` when this scope has none with that id.
    ///
    /// # Errors
    /// `InvalidInput` with a time of the past, and those of reading.
    pub fn get_contested(&self, scope: &Scope, id: Id, as_of: Option<Timestamp>) -> Result<Option<Fact>> {
        check_present(self.database.as_of(as_of))?;
        let mut fact = self.get(scope, id, None)?;
        self.contest(scope, &mut fact.iter_mut())?;
        Ok(fact)
    }

    /// Tells of each of some facts that were just read what contradicts it.
    ///
    /// # Errors
    /// Those of reading.
    pub(super) fn contest(&self, scope: &Scope, facts: &mut dyn Iterator<Item = &mut Fact>) -> Result<()> {
        let now = self.database.now();
        self.database.read(|store| {
            let mut contests = Contests::default();
            for fact in facts {
                if let Some(view) = store.get(scope, fact.id) {
                    fact.contested = contests.of((store, scope), &view, now)?;
                }
            }
            Ok(())
        })
    }
}

fn check_present(time: Option<Timestamp>) -> Result<()> {
    time.map_or(Ok(()), |time| {
        let message = format!("contested is told of the present, not of {time}; leave asOf and validAt out");
        Err(limits::invalid(message))
    })
}
