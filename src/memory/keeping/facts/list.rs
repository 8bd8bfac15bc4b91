//! Reading facts: one, and many.

use super::{Fact, Facts};
use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::limits;
use crate::memory::listing::{filter, listed};
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::Views;
use crate::time::Timestamp;
use serde::Deserialize;
use serde_json::Value;

/// Which facts to list.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct FactList {
    /// A condition on what facts show.
    pub filter: Option<Value>,
    /// How many at most, 1 to 1000; 100 by default.
    #[serde(deserialize_with = "limits::limit")]
    pub limit: usize,
    /// How many to skip; 0 by default.
    pub offset: usize,
    /// Also those that are no longer true or not yet; false by default.
    pub include_ended: bool,
    /// Only current ones that others contradict, with these; false by default.
    pub contested: bool,
    /// As they were known at this time; now by default.
    pub as_of: Option<Timestamp>,
    /// Those that were true in the world at this time, as far as was known at `as_of`; that time by default.
    pub valid_at: Option<Timestamp>,
}

impl Default for FactList {
    fn default() -> Self {
        Self {
            filter: None,
            limit: 100,
            offset: 0,
            include_ended: false,
            contested: false,
            as_of: None,
            valid_at: None,
        }
    }
}

impl Facts {
    /// One fact; `None` when this scope has none with that id, or had none at that time.
    ///
    /// # Errors
    /// Those of reading.
    pub fn get(&self, scope: &Scope, id: Id, as_of: Option<Timestamp>) -> Result<Option<Fact>> {
        let as_of = self.database.as_of(as_of);
        let now = as_of.unwrap_or_else(|| self.database.now());
        self.database.read(|store| {
            let sequence = as_of.map(|time| store.sequence_at(time));
            let view = match sequence {
                None => store.get(scope, id),
                Some(sequence) => store.get_at(scope, id, sequence),
            };
            let view = view.filter(|view| view.kind == Kind::Fact && !view.expired_at(now));
            view.map(|view| Fact::shown_at(store, scope, &view, (now, sequence))).transpose()
        })
    }

    /// Facts, the newest first. `as_of` asks for what was known at a time, `valid_at` for what was true at a time; with both, what
    /// was then thought to be true at the other time.
    ///
    /// # Errors
    /// `InvalidFilter`, `InvalidInput`, and those of reading.
    pub fn list(&self, scope: &Scope, list: &FactList) -> Result<Vec<Fact>> {
        let filter = filter::<Fact>(list.filter.as_ref())?;
        let as_of = self.database.as_of(list.as_of);
        let time = as_of.unwrap_or_else(|| self.database.now());
        let valid_at = list.valid_at.unwrap_or(time);
        if list.valid_at.is_some() && list.include_ended {
            return Err(limits::invalid(
                "validAt and includeEnded cannot be combined; leave one of them out".to_owned(),
            ));
        }
        let wanted =
            |view: &RecordView<'_>| !view.expired_at(time) && (list.include_ended || view.true_at(valid_at));
        self.database.read(|store| {
            // Most lists are of the first few.
            let sequence = as_of.map(|time| store.sequence_at(time));
            let views: Views<'_> = match sequence {
                None => store.records(scope, Kind::Fact),
                Some(sequence) => {
                    let views: Vec<_> = store.records_at(scope, Kind::Fact, sequence).collect();
                    Box::new(views.into_iter())
                }
            };
            let facts = views.rev().filter(wanted);
            let facts = facts.map(|view| Fact::shown_at(store, scope, &view, (time, sequence)));
            listed(facts, filter.as_ref(), list.offset, list.limit)
        })
    }
}
