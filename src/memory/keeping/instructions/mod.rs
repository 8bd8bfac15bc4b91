//! Instructions: what the assistant is to do and how, each under a name, with revisions. Procedural memory.

mod revise;

pub use revise::Revise;

use crate::database::Database;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::json::to_value;
use crate::log::{Cause, RecordView};
use crate::memory::action::Action;
use crate::memory::changes::{Changes, Planning};
use crate::memory::facts::Origin;
use crate::memory::limits::{self, invalid};
use crate::memory::models::Models;
use crate::memory::prompts::Prompts;
use crate::record::{Kind, Provenance, Record};
use crate::scope::Scope;
use crate::store::Expect;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The most bytes of an instruction.
pub const MAX_INSTRUCTION_BYTES: usize = 8192;
/// The most bytes of its name.
pub const MAX_NAME_BYTES: usize = 64;

/// What an instruction's record holds beside its text.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct InstructionValue {
    pub(crate) origin: Origin,
    /// Why the model wrote it so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
}

/// An instruction, as applications see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Instruction {
    /// Its id, for its history.
    pub id: Id,
    /// Its name.
    pub name: String,
    /// What it says.
    pub text: String,
    /// Whether recall tells it although others came before it.
    pub pinned: bool,
    /// When it was first set.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Its revision.
    pub revision: u32,
    /// Who wrote it.
    pub origin: Origin,
    /// Why the model wrote it so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Which messages led to it.
    pub source: Vec<Provenance>,
}

impl Instruction {
    pub(crate) fn of(view: &RecordView<'_>) -> Result<Self> {
        let value: InstructionValue = view.content()?;
        Ok(Self {
            id: view.id,
            name: view.key.unwrap_or_default().to_owned(),
            text: view.text.unwrap_or_default().to_owned(),
            pinned: view.pinned,
            created_at: view.created_at,
            updated_at: view.updated_at,
            revision: view.revision,
            origin: value.origin,
            why: value.why,
            source: view.provenance()?,
        })
    }
}

/// The name of an instruction.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// Its name, up to 64 bytes; `assistant` by default.
    #[serde(default = "assistant")]
    pub name: String,
}

/// An instruction to set.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetInstruction {
    /// Its name, up to 64 bytes; `assistant` by default.
    #[serde(default = "assistant")]
    pub name: String,
    /// What it says, up to 8 KiB.
    pub text: String,
}

/// A revision to go back to.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstructionRollback {
    /// Its name, up to 64 bytes; `assistant` by default.
    #[serde(default = "assistant")]
    pub name: String,
    /// The number of the revision.
    pub revision: u32,
}

fn assistant() -> String {
    "assistant".to_owned()
}

/// The instructions of every scope.
#[derive(Clone)]
pub struct Instructions {
    database: Database,
    models: Rc<Models>,
    changes: Changes,
    prompts: Rc<Prompts>,
}

impl Instructions {
    pub(crate) fn new(database: Database, models: Rc<Models>, prompts: Rc<Prompts>) -> Self {
        let changes = Changes::new(&database, &models);
        Self { database, models, changes, prompts }
    }

    /// The instruction of a name; `None` when it was not set or is deleted.
    ///
    /// # Errors
    /// `InvalidInput`, and those of reading.
    pub fn get(&self, scope: &Scope, name: &str) -> Result<Option<Instruction>> {
        check(name)?;
        let now = self.database.now();
        self.database.read(|store| {
            let view = store.by_key(scope, Kind::Instruction, name).filter(|view| view.holds_at(now));
            view.map(|view| Instruction::of(&view)).transpose()
        })
    }

    /// Every instruction, in the order in which they were first set.
    ///
    /// # Errors
    /// Those of reading.
    pub fn list(&self, scope: &Scope) -> Result<Vec<Instruction>> {
        let now = self.database.now();
        self.database.read(|store| {
            let views = store.records(scope, Kind::Instruction).filter(|view| view.holds_at(now));
            views.map(|view| Instruction::of(&view)).collect()
        })
    }

    /// Sets an instruction; the earlier revisions stay in its history.
    ///
    /// # Errors
    /// `InvalidInput` for a name or text over its limit, and those of storing.
    pub async fn set(&self, scope: &Scope, set: &SetInstruction) -> Result<Action> {
        let plan = &mut |planning: &mut Planning<'_>| {
            check(&set.name)?;
            let value = InstructionValue { origin: Origin::User, why: None };
            self.plan(planning, &set.name, &set.text, value, Vec::new())
        };
        self.changes.one(scope, Cause::User, plan).await
    }

    /// Goes back to an earlier revision, as a new revision.
    ///
    /// # Errors
    /// `NotFound` for an unknown name or revision, and those of storing.
    pub async fn rollback(&self, scope: &Scope, rollback: &InstructionRollback) -> Result<Action> {
        let id = self.id(scope, &rollback.name)?;
        let history = self.database.read(|store| store.history(scope, id))?;
        let found = history.into_iter().find(|revision| revision.revision == rollback.revision);
        let record = found.and_then(|revision| revision.record).ok_or_else(|| {
            Error::new(
                Code::NotFound,
                format!(
                    "the instruction {:?} has no text in revision {}; see its history",
                    rollback.name, rollback.revision
                ),
            )
        })?;
        self.set(
            scope,
            &SetInstruction { name: rollback.name.clone(), text: record.text.unwrap_or_default() },
        )
        .await
    }

    /// Deletes an instruction; its revisions stay.
    ///
    /// # Errors
    /// `NotFound`, and those of storing.
    pub async fn delete(&self, scope: &Scope, name: &str) -> Result<Action> {
        check(name)?;
        let find = |planning: &Planning<'_>| {
            let current = present(planning, name).ok_or_else(|| unknown(scope, name))?;
            Ok((current.id, current.revision))
        };
        self.changes.end(scope, true, &find).await
    }

    /// The id of an instruction that is or was set.
    ///
    /// # Errors
    /// `NotFound` when it never was.
    pub fn id(&self, scope: &Scope, name: &str) -> Result<Id> {
        check(name)?;
        self.database.read(|store| {
            store.last_with_key(scope, Kind::Instruction, name).ok_or_else(|| unknown(scope, name))
        })
    }

    /// Plans a text in place of the current one.
    fn plan(
        &self,
        planning: &mut Planning<'_>,
        name: &str,
        text: &str,
        value: InstructionValue,
        source: Vec<Provenance>,
    ) -> Result<()> {
        limits::text("text", text, MAX_INSTRUCTION_BYTES)?;
        let (store, scope, text) = (planning.store, planning.scope().clone(), text.trim());
        let current = present(planning, name);
        if let Some(current) = current.filter(|current| current.text == Some(text)) {
            planning.keep(current.id, Kind::Instruction, current.revision);
            return Ok(());
        }
        let living = store.by_key(&scope, Kind::Instruction, name);
        let expect = living.map_or(Expect::Absent, |living| Expect::Revision(living.revision));
        let mut record = match current {
            Some(current) => current.to_record(&scope)?,
            None => {
                // One that was deleted comes back as the same record, so that its history goes on.
                let last = store.last_with_key(&scope, Kind::Instruction, name);
                let id = last.unwrap_or_else(|| self.database.new_id());
                Record::new(id, Kind::Instruction, scope, planning.now)
            }
        };
        record.key = Some(name.to_owned());
        record.value = to_value(&value)?;
        record.text = Some(text.to_owned());
        (record.valid_from, record.valid_to) = (planning.now, None);
        record.provenance = source;
        planning.draft.put(record, expect, None);
        Ok(())
    }
}

/// The instruction of a name, if it is part of the present.
fn present<'a>(planning: &Planning<'a>, name: &str) -> Option<RecordView<'a>> {
    let view = planning.store.by_key(planning.scope(), Kind::Instruction, name);
    view.filter(|view| view.holds_at(planning.now))
}

fn check(name: &str) -> Result<()> {
    limits::text("name", name, MAX_NAME_BYTES)?;
    if name.chars().any(char::is_control) {
        return Err(invalid("name holds a control character; use letters, digits and signs".to_owned()));
    }
    Ok(())
}

fn unknown(scope: &Scope, name: &str) -> Error {
    Error::new(Code::NotFound, format!("{} has no instruction {name:?}; set it first", scope.canonical()))
}
