//! The facts that rules made, or that are in the words of one, by slot: so a batch reads those that it may change, and not every fact of its scope.

use crate::database::Event;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::facts::FactValue;
use crate::memory::rules::{Slot, Statement, told};
use crate::ordered::in_order;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::Store;
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};

/// What a fact keeps of the statement it was made from, so that a later one can replace it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Rule {
    slot: Slot,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    topic: Option<String>,
    value: String,
    /// The participant who said it of themselves; the user, when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) about: Option<String>,
}

impl Rule {
    pub(super) fn of(statement: &Statement, about: Option<&str>) -> Self {
        let Statement { slot, topic, value, .. } = statement;
        Self { slot: *slot, topic: topic.clone(), value: value.clone(), about: about.map(str::to_owned) }
    }

    /// That of a fact; `None` when no rule made it, and it is not in the words of one. `own` is the user's name.
    pub(super) fn read(view: &RecordView<'_>, own: &[String]) -> Result<Option<Self>> {
        let Some(rule) = FactValue::of(view)?.rule else {
            let told = view.text.and_then(|text| told(text, own));
            return Ok(told.map(|(slot, topic, value)| Self { slot, topic, value, about: None }));
        };
        let rule = crate::json::from_value(rule);
        rule.map(Some).map_err(|_| Error::new(Code::Corrupt, format!("the fact {} is not readable", view.id)))
    }

    pub(super) fn statement(self, text: &str) -> Statement {
        let Self { slot, topic, value, .. } = self;
        let (retracts, happened, lasts, presumes) = (false, false, false, false);
        let (text, quote, ends) = (text.to_owned(), 0..0, Vec::new());
        Statement { slot, topic, value, text, quote, retracts, happened, lasts, presumes, ends }
    }
}

/// Which facts of which scopes rules made. Filled when a scope is first learned from, and kept in step by what commits tell.
#[derive(Default)]
pub(crate) struct Ruled {
    scopes: RefCell<Vec<(Scope, Facts)>>,
    /// The work of earlier batches since others last had the thread: a batch alone is seldom enough for a slice.
    pub(super) done: Cell<usize>,
}

/// Those of a scope.
#[derive(Default)]
struct Facts {
    slots: Vec<(Id, Slot)>,
    /// The user's name by which they were read.
    own: Vec<String>,
    /// Facts to read again, since they changed.
    changed: Vec<Id>,
}

impl Ruled {
    /// Hears of a commit.
    pub(crate) fn heard(&self, event: &Event) {
        let mut scopes = self.scopes.borrow_mut();
        match event {
            Event::Change { scope, changes, remote: false, .. } => {
                if let Some((_, facts)) = scopes.iter_mut().find(|(known, _)| known == scope) {
                    let changed = changes.iter().filter(|change| change.kind == Kind::Fact);
                    facts.changed.extend(changed.map(|change| change.id));
                }
            }
            // Of what others stored, not all may be told.
            Event::Change { scope, .. } | Event::Lock { scope, .. } => {
                scopes.retain(|(known, _)| known != scope);
            }
            Event::Error(_) => scopes.clear(),
            Event::Extraction(_) | Event::Request(_) => {}
        }
    }

    /// The facts that statements of some slots may change, in the order in which they were first stored.
    pub(super) fn concerned(
        &self,
        (store, scope): (&Store, &Scope),
        slots: &[Slot],
        own: &[String],
    ) -> Result<Vec<Id>> {
        let mut scopes = self.scopes.borrow_mut();
        scopes.retain(|(known, facts)| known != scope || facts.own == own);
        if scopes.iter().all(|(known, _)| known != scope) {
            let changed = store.records(scope, Kind::Fact).map(|view| view.id).collect();
            scopes.push((scope.clone(), Facts { changed, slots: Vec::new(), own: own.to_vec() }));
        }
        let Some((_, facts)) = scopes.iter_mut().find(|(known, _)| known == scope) else {
            return Ok(Vec::new());
        };
        let is_first = facts.slots.is_empty();
        facts.changed = in_order(std::mem::take(&mut facts.changed));
        while let Some(id) = facts.changed.last().copied() {
            let rule = store.get(scope, id).map(|view| Rule::read(&view, own)).transpose()?.flatten();
            if !is_first {
                facts.slots.retain(|(known, _)| *known != id);
            }
            facts.slots.extend(rule.map(|rule| (id, rule.slot)));
            facts.changed.pop();
        }
        let may_change = |own: Slot| slots.iter().any(|slot| *slot == own || slot.opposites().contains(&own));
        let found = facts.slots.iter().filter(|(_, slot)| may_change(*slot)).map(|(id, _)| *id);
        let placed = found.filter_map(|id| store.place_of(id).map(|place| (place, id)));
        Ok(in_order(placed).into_iter().map(|(_, id)| id).collect())
    }
}
