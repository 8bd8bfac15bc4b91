//! Selectors: what is to be forgotten.

use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::items::Matching;
use crate::memory::limits::{self, invalid};
use crate::memory::message::{thread, thread_of, thread_prefix};
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{Ever, Past, Store};
use crate::time::Timestamp;
use rustc_hash::FxHashSet;
use serde::Deserialize;
use serde_json::Value;
use std::ops::Range;

/// The most ids that one call names.
pub const MAX_FORGOTTEN_IDS: usize = 10_000;

/// What is stored under a time of its own, and not made of what was said before.
const DATED: [Kind; 13] = [
    Kind::Message,
    Kind::Fact,
    Kind::Field,
    Kind::Entity,
    Kind::Relation,
    Kind::Document,
    Kind::Instruction,
    Kind::Episode,
    Kind::Proposal,
    Kind::Page,
    Kind::Trait,
    Kind::Block,
    Kind::Passage,
];

/// What to forget: exactly one of `ids`, `threadId`, `from` with `to`, `filter`, `scope` and `query`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Forget {
    /// These records, of any kind; 1 to 10 000.
    pub ids: Option<Vec<Id>>,
    /// A conversation.
    pub thread_id: Option<String>,
    /// What was said or stored at this time or later; from the beginning by default, where `to` is given.
    pub from: Option<Timestamp>,
    /// And before this time; until now by default, where `from` is given.
    pub to: Option<Timestamp>,
    /// The items that match a condition on what they show; `{}` matches all.
    pub filter: Option<Value>,
    /// Beside `filter`: items of which kinds; of all by default.
    pub kinds: Option<Vec<Kind>>,
    /// Everything, and the scope itself.
    #[serde(default)]
    pub scope: bool,
    /// What has to do with these words. It is only found: to forget it, give its ids.
    pub query: Option<String>,
    /// Only to say what would go; false by default.
    #[serde(default)]
    pub preview: bool,
    /// How many records a preview lists at most, 1 to 1000; 100 by default.
    #[serde(default = "hundred", deserialize_with = "limits::limit")]
    pub limit: usize,
}

fn hundred() -> usize {
    100
}

/// A selector that was checked.
pub(super) enum Selector {
    Ids(FxHashSet<Id>),
    Thread(String),
    Times(Range<Timestamp>),
    Matching(Matching),
    Scope,
    Query(String),
    /// What has expired by now.
    Expired(Timestamp),
}

impl Selector {
    /// Reads what a call says.
    ///
    /// # Errors
    /// `InvalidInput` unless it is exactly one selector within its limits, `InvalidFilter`.
    pub(super) fn read(forget: &Forget) -> Result<Self> {
        let given = [
            ("ids", forget.ids.is_some()),
            ("threadId", forget.thread_id.is_some()),
            ("from and to", forget.from.is_some() || forget.to.is_some()),
            ("filter", forget.filter.is_some()),
            ("scope", forget.scope),
            ("query", forget.query.is_some()),
        ];
        let given: Vec<&str> = given.into_iter().filter(|(_, given)| *given).map(|(name, _)| name).collect();
        if given.len() != 1 {
            let found = if given.is_empty() { "none".to_owned() } else { given.join(" and ") };
            let choice = "one of ids, threadId, from and to, filter, scope: true and query";
            return Err(invalid(format!("forget takes {choice}; {found} was given")));
        }
        if forget.kinds.is_some() && forget.filter.is_none() {
            return Err(invalid("kinds belongs to filter; give a filter, {} for all".to_owned()));
        }
        if let Some(ids) = &forget.ids {
            let count = ids.len();
            if !(1..=MAX_FORGOTTEN_IDS).contains(&count) {
                let message =
                    format!("ids has {count} items; 1 to {MAX_FORGOTTEN_IDS} are allowed in one call");
                return Err(invalid(message));
            }
            return Ok(Self::Ids(ids.iter().copied().collect()));
        }
        if let Some(thread_id) = &forget.thread_id {
            return Ok(Self::Thread(thread(Some(thread_id))?.to_owned()));
        }
        if let Some(filter) = &forget.filter {
            return Ok(Self::Matching(Matching::read(forget.kinds.as_ref(), filter)?));
        }
        if let Some(query) = &forget.query {
            limits::text("query", query, limits::MAX_QUERY_BYTES)?;
            return Ok(Self::Query(query.trim().to_owned()));
        }
        if forget.scope {
            return Ok(Self::Scope);
        }
        let (from, to) = (forget.from.unwrap_or(0), forget.to.unwrap_or(Timestamp::MAX));
        limits::timestamp("from", from)?;
        forget.to.map_or(Ok(()), |to| limits::timestamp("to", to))?;
        if from >= to {
            return Err(invalid(format!("from is {from}, not before to, which is {to}; swap them")));
        }
        Ok(Self::Times(from..to))
    }

    /// The records that it names itself where they can be looked up, and no other messages are read for that. `None` where they are
    /// to be found among all.
    ///
    /// # Errors
    /// `NotFound` for an id that the scope never had, and those of reading.
    pub(super) fn chosen(&self, store: &Store, scope: &Scope) -> Result<Option<FxHashSet<Id>>> {
        match self {
            Self::Ids(ids) => match ids.iter().find(|id| store.ever_named(scope, **id).is_none()) {
                None => Ok(Some(ids.clone())),
                Some(id) => {
                    let message =
                        format!("{} has nothing with the id {id}; nothing was forgotten", scope.canonical());
                    Err(Error::new(Code::NotFound, message).with("id", id.to_string()))
                }
            },
            Self::Matching(matching) => Ok(Some(matching.ids(store, scope)?.into_iter().collect())),
            Self::Thread(thread_id) => {
                let living = store.by_key_prefix(scope, Kind::Message, &thread_prefix(thread_id));
                let is_of =
                    |past: &Past<'_>| past.view.key.is_some_and(|key| thread_of(key) == thread_id.as_str());
                let changed = store.ever_changed(scope, Kind::Message);
                let changed = changed.filter(|ever| ever.versions.iter().any(is_of)).map(|ever| ever.id);
                Ok(Some(living.into_iter().map(|view| view.id).chain(changed).collect()))
            }
            Self::Expired(now) => {
                let over = Kind::ALL.into_iter().flat_map(|kind| store.ever_over(scope, kind, *now));
                let is_over =
                    |ever: &Ever<'_>| ever.versions.last().is_some_and(|past| past.view.expired_at(*now));
                Ok(Some(over.filter(is_over).map(|ever| ever.id).collect()))
            }
            _ => Ok(None),
        }
    }

    /// The records that it names itself, among all that a scope ever had, where they cannot be looked up.
    pub(super) fn select(&self, all: &[(Kind, Ever<'_>)]) -> FxHashSet<Id> {
        let those = |is_meant: &dyn Fn(Kind, &RecordView<'_>) -> bool| {
            let meant = all
                .iter()
                .filter(|(kind, ever)| ever.versions.iter().any(|past| is_meant(*kind, &past.view)));
            meant.map(|(_, ever)| ever.id).collect()
        };
        match self {
            Self::Times(times) => those(&|kind, view| match kind {
                Kind::Message | Kind::Page => times.contains(&view.valid_from),
                kind => DATED.contains(&kind) && times.contains(&view.created_at),
            }),
            Self::Scope => all.iter().map(|(_, ever)| ever.id).collect(),
            _ => FxHashSet::default(),
        }
    }

    /// Whether somebody chose the records themselves: then the words they were learned from are to be told no more.
    pub(super) fn is_chosen(&self) -> bool {
        matches!(self, Self::Ids(_) | Self::Matching(_))
    }

    /// The thread that goes whole.
    pub(super) fn thread(&self) -> Option<&str> {
        if let Self::Thread(thread_id) = self { Some(thread_id) } else { None }
    }

    /// The times of which everything goes.
    pub(super) fn times(&self) -> Option<&Range<Timestamp>> {
        if let Self::Times(times) = self { Some(times) } else { None }
    }
}
