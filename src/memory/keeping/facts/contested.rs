//! Facts that contradict one another and are both current.
//!
//! Nothing of it is stored. For a fact that is shown, the facts that can contradict it are found by the words that each of them has,
//! and compared by what they claim; so a mark goes as soon as one of them ends, is changed, or is forgotten.

use super::claims::Claim;
use super::{Fact, FactList, Facts};
use crate::database::{Database, Pace};
use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::limits;
use crate::memory::listing::{filter, listed};
use crate::memory::search::own_name;
use crate::memory::source::Origin;
use crate::ordered::{Ordered, in_order};
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
/// How many facts are read at a stretch, and how many microseconds one of them takes.
const SLICE: usize = 128;
const FACT_MICROSECONDS: usize = 4;
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
    /// Whether nobody knows when it was said.
    #[serde(skip)]
    pub undated: bool,
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
        of: (&Store, &Scope),
        view: &RecordView<'_>,
        now: Timestamp,
    ) -> Result<Vec<Contested>> {
        self.among(of, view, None, now)
    }

    /// The same among some facts; by default those that hold a word which each fact with such a claim has.
    fn among(
        &mut self,
        (store, scope): (&Store, &Scope),
        view: &RecordView<'_>,
        documents: Option<Vec<u32>>,
        now: Timestamp,
    ) -> Result<Vec<Contested>> {
        let Self { own, found, read } = self;
        let own = own.get_or_insert_with(|| own_name(store, scope));
        let Some(claimed) = Claimed::of(store, view, own, now) else { return Ok(Vec::new()) };
        let documents = documents.unwrap_or_else(|| {
            let mut documents: Vec<u32> = Vec::new();
            for anchor in claimed.claims.iter().flat_map(|claim| &claim.anchors) {
                if found.get(anchor).is_none() {
                    found.insert(anchor.clone(), store.newest_holding(scope, Kind::Fact, anchor, COMPARED));
                }
                documents.extend(found.get(anchor).into_iter().flatten());
            }
            documents
        });
        let mut contested = Vec::new();
        for document in in_order(documents).into_iter().rev().filter(|document| *document != claimed.document)
        {
            if contested.len() == NAMED {
                break;
            }
            if read.get(&document).is_none() {
                let other = store.view(document).and_then(|view| Claimed::of(store, &view, own, now));
                read.insert(document, other);
            }
            let Some(Some(other)) = read.get(&document) else { continue };
            if contradict(&claimed, other)
                && let Some(view) = store.view(document)
            {
                let Fact { id, text, valid_from, dates, undated, origin, trust, source, .. } =
                    Fact::of(&view)?;
                contested.push(Contested { id, text, valid_from, dates, undated, origin, trust, source });
            }
        }
        Ok(contested)
    }
}

impl Claimed {
    /// What a fact claims; `None` for one that claims nothing, or is not simply true now.
    fn of(store: &Store, view: &RecordView<'_>, name: &[String], now: Timestamp) -> Option<Self> {
        let claims = Claim::of(view.text.filter(|_| is_current(view, now))?, name);
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

fn is_current(view: &RecordView<'_>, now: Timestamp) -> bool {
    view.kind == Kind::Fact && view.valid_to.is_none() && view.holds_at(now)
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
    /// ask for these, what [`list`](Self::list) answers. All facts are looked through, in slices.
    ///
    /// # Errors
    /// `InvalidInput` with a time of the past, and those of listing.
    pub async fn list_contested(&self, scope: &Scope, list: &FactList) -> Result<Vec<Fact>> {
        if !list.contested {
            return self.list(scope, list);
        }
        let filter = filter::<Fact>(list.filter.as_ref())?;
        check_present(self.database.as_of(list.as_of).or(list.valid_at))?;
        let now = self.database.now();
        let topics = Topics::of(&self.database, scope, now).await?;
        let platform = self.database.platform();
        let mut pace = Pace::new(&*platform);
        let (mut contests, mut sequence) = (Contests::default(), self.database.sequence());
        let mut found: Vec<Fact> = Vec::new();
        for documents in topics.shared().chunks(SLICE) {
            if found.len() >= list.offset.saturating_add(list.limit) {
                break;
            }
            if std::mem::replace(&mut sequence, self.database.sequence()) != sequence {
                contests = Contests::default();
            }
            let compared = self.database.read(|store| {
                let (mut facts, mut compared) = (Vec::new(), 0);
                for document in documents {
                    let Some(view) = store.view(*document) else { continue };
                    let rivals = topics.rivals(*document);
                    compared += rivals.len();
                    let contested = contests.among((store, scope), &view, Some(rivals), now)?;
                    if !contested.is_empty() {
                        facts.push(Ok(Fact { contested, ..Fact::shown(store, scope, &view, now)? }));
                    }
                }
                found.extend(listed(facts.into_iter(), filter.as_ref(), 0, usize::MAX)?);
                Ok(compared)
            })?;
            pace.spend(documents.len() * FACT_MICROSECONDS + compared).await;
        }
        Ok(found.into_iter().skip(list.offset).take(list.limit).collect())
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

/// What the current facts of a scope make claims about.
#[derive(Default)]
struct Topics {
    /// Topics of claims, each with the document of a fact behind it, in order.
    claimed: Vec<u64>,
    /// The same the other way round, of topics of which several facts claim something.
    shared: Vec<u64>,
}

/// Two numbers in one, ordered by the first.
fn pair(first: u64, second: u64) -> u64 {
    first << 32 | second
}

fn first(pair: u64) -> u64 {
    pair >> 32
}

fn second(pair: u64) -> u64 {
    pair & u64::from(u32::MAX)
}

impl Topics {
    async fn of(database: &Database, scope: &Scope, now: Timestamp) -> Result<Self> {
        let platform = database.platform();
        let mut pace = Pace::new(&*platform);
        let (own, documents) =
            database.read(|store| Ok((own_name(store, scope), store.documents_of(scope, Kind::Fact))))?;
        let mut claimed: Vec<u64> = Vec::new();
        for documents in documents.chunks(SLICE) {
            database.read(|store| {
                for document in documents {
                    let view = store.view(*document).filter(|view| is_current(view, now));
                    let text = view.and_then(|view| view.text).unwrap_or_default();
                    Claim::topics(text, &own, &mut |topic| {
                        claimed.push(pair(topic.into(), (*document).into()));
                    });
                }
                Ok(())
            })?;
            pace.spend(documents.len() * FACT_MICROSECONDS).await;
        }
        claimed.sort_unstable();
        let same = claimed.chunk_by(|one, other| first(*one) == first(*other));
        let shared = same.filter(|same| same.len() > 1).flatten();
        let mut shared: Vec<u64> = shared.map(|of| pair(second(*of), first(*of))).collect();
        shared.sort_unstable();
        Ok(Self { claimed, shared })
    }

    /// The facts that claim something of which others claim something as well, the newest first.
    fn shared(&self) -> Vec<u32> {
        let mut documents: Vec<u32> = self.shared.iter().rev().map(|of| first(*of) as u32).collect();
        documents.dedup();
        documents
    }

    /// The newest facts that claim something of the same as one.
    fn rivals(&self, document: u32) -> Vec<u32> {
        let document = u64::from(document);
        let at = self.shared.partition_point(|of| first(*of) < document);
        let own = self.shared.get(at..).unwrap_or_default().iter();
        let own = own.take_while(|of| first(**of) == document);
        let same = own.flat_map(|of| {
            let topic = second(*of);
            let end = self.claimed.partition_point(|of| first(*of) <= topic);
            let all = self.claimed.get(..end).unwrap_or_default().iter().rev();
            all.take_while(move |of| first(**of) == topic).take(COMPARED)
        });
        same.map(|of| second(*of) as u32).collect()
    }
}

fn check_present(time: Option<Timestamp>) -> Result<()> {
    time.map_or(Ok(()), |time| {
        let message = format!("contested is told of the present, not of {time}; leave asOf and validAt out");
        Err(limits::invalid(message))
    })
}
