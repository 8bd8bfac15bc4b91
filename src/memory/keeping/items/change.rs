//! Changing, pinning and deleting items.

use super::{Items, is_there};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::{Cause, RecordView};
use crate::memory::action::{Action, Delete};
use crate::memory::archive::MAX_PASSAGE_BYTES;
use crate::memory::changes::Planning;
use crate::memory::edit::{Beside, reword};
use crate::memory::episodes::EpisodeValue;
use crate::memory::facts::{FactEdit, replace};
use crate::memory::instructions::MAX_INSTRUCTION_BYTES;
use crate::memory::limits::{self, invalid};
use crate::memory::source::Origin;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::time::Timestamp;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// What to change in an item; what is not given stays.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Edit {
    /// Which item.
    pub id: Id,
    /// The words of a fact or instruction.
    pub text: Option<String>,
    /// The value of a field, which may be null, or the parts of an episode.
    #[serde(default, deserialize_with = "given")]
    pub value: Option<Value>,
    /// How much it matters, 1 to 10.
    #[serde(default, deserialize_with = "limits::significance")]
    pub significance: Option<u8>,
    /// What to keep with it, in place of what was kept.
    pub metadata: Option<Map<String, Value>>,
    /// When it goes by itself; null for never.
    #[serde(default, deserialize_with = "limits::given")]
    pub expires_at: Option<Option<Timestamp>>,
    /// Whether the words that the old one was learned from are still told; false by default.
    #[serde(default)]
    pub keep_source: bool,
}

/// Which item to pin, or no longer to.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Which item.
    pub id: Id,
    /// Whether it is to be pinned; true by default.
    #[serde(default = "yes")]
    pub pinned: bool,
}

/// Reads a value that is given, null too.
fn given<'de, D: Deserializer<'de>>(value: D) -> std::result::Result<Option<Value>, D::Error> {
    Value::deserialize(value).map(Some)
}

fn yes() -> bool {
    true
}

impl Items {
    /// Changes an item, as the user says; the earlier revisions stay in its history.
    ///
    /// # Errors
    /// `NotFound`, `InvalidInput` for a part that this kind of item has not or that follows from others and
    /// for words that another fact has, `SchemaViolation` for
    /// the value of a field, and those of storing.
    pub async fn edit(&self, scope: &Scope, edit: &Edit) -> Result<Action> {
        let plan = &mut |planning: &mut Planning<'_>| {
            let before = present(planning, edit.id)?.to_record(scope)?;
            let mut record = before.clone();
            self.edited(&mut record, edit, planning.now)?;
            if record.kind == Kind::Fact {
                return replace(planning, &before, record);
            }
            planning.replace(&before, record);
            Ok(())
        };
        self.changes.let_go_of_one(scope, edit.keep_source, plan).await
    }

    /// Pins an item: learning neither changes nor ends it, and recall tells it first of its kind. Or no longer.
    ///
    /// # Errors
    /// `NotFound`, and those of storing.
    pub async fn pin(&self, scope: &Scope, pin: Pin) -> Result<Action> {
        let plan = &mut |planning: &mut Planning<'_>| {
            let before = present(planning, pin.id)?.to_record(scope)?;
            planning.replace(&before, Record { pinned: pin.pinned, ..before.clone() });
            Ok(())
        };
        self.changes.one(scope, Cause::User, plan).await
    }

    /// Deletes an item, an entity with its relations. Its revisions stay in its history, so that this can be undone.
    ///
    /// # Errors
    /// `NotFound`, and those of storing.
    pub async fn delete(&self, scope: &Scope, delete: Delete) -> Result<Action> {
        let find =
            |planning: &Planning<'_>| present(planning, delete.id).map(|view| (view.id, view.revision));
        self.changes.end(scope, delete.keep_source, &find).await
    }

    /// Changes a record by the rules of its kind.
    fn edited(&self, record: &mut Record, edit: &Edit, now: Timestamp) -> Result<()> {
        if let Some(text) = &edit.text {
            match record.kind {
                Kind::Fact => {
                    FactEdit { text: Some(text), ..FactEdit::default() }.apply(record, now, Origin::User)?;
                }
                Kind::Instruction => reword(record, text, MAX_INSTRUCTION_BYTES, Origin::User)?,
                Kind::Passage => reword(record, text, MAX_PASSAGE_BYTES, Origin::User)?,
                kind => return Err(follows("text", kind)),
            }
        }
        if let Some(value) = &edit.value {
            match record.kind {
                Kind::Field => self.schemas.rewrite(record, value, now)?,
                Kind::Episode => EpisodeValue::read(value)?.rewrite(record)?,
                kind => return Err(follows("value", kind)),
            }
        }
        let Edit { significance, expires_at, .. } = *edit;
        Beside { significance, metadata: edit.metadata.as_ref(), expires_at }.apply(record, now)
    }
}

/// An item that is there and has not expired.
fn present<'a>(planning: &Planning<'a>, id: Id) -> Result<RecordView<'a>> {
    let (store, scope) = (planning.store, planning.scope());
    let view = store.get(scope, id).filter(|view| is_there(store, scope, view, planning.now));
    view.ok_or_else(|| {
        let message = format!("{} has no item {id}; list what is there", scope.canonical());
        Error::new(Code::NotFound, message).with("id", id.to_string())
    })
}

/// That a part of an item follows from others, and how those are changed.
fn follows(part: &str, kind: Kind) -> Error {
    let cure = match kind {
        Kind::Field => "give its value",
        Kind::Fact => "use facts.update for its category",
        Kind::Entity => "use graph.update, graph.add_observations and graph.delete_observations",
        Kind::Relation => "use graph.delete_relations and graph.create_relations",
        Kind::Document => "use documents.put",
        Kind::Block => "use context.blocks.set",
        Kind::Summary => "it is made of messages; delete it, or use threads.summarise",
        Kind::Episode => "give its value, with situation, approach and outcome",
        Kind::Trait => "pin it, or delete it",
        _ => "give its text",
    };
    invalid(format!("the {part} of this {} cannot be edited here; {cure}", name(kind)))
}

fn name(kind: Kind) -> String {
    format!("{kind:?}").to_ascii_lowercase()
}
