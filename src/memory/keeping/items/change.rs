//! Changing, pinning and deleting items.

use super::Items;
use crate::error::{Error, Result};
use crate::id::Id;
use crate::json::to_value;
use crate::log::Cause;
use crate::memory::action::{Action, commit, commit_one, retried};
use crate::memory::archive::MAX_PASSAGE_BYTES;
use crate::memory::episodes::EpisodeValue;
use crate::memory::facts::{MAX_FACT_BYTES, Origin, claim};
use crate::memory::instructions::MAX_INSTRUCTION_BYTES;
use crate::memory::limits::{self, invalid};
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::store::{Draft, Expect};
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
    pub significance: Option<u8>,
    /// What to keep with it, in place of what was kept.
    pub metadata: Option<Map<String, Value>>,
    /// When it goes by itself; null for never.
    #[serde(default, deserialize_with = "limits::given")]
    pub expires_at: Option<Option<Timestamp>>,
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
        let set = |record: &mut Record| self.edited(record, edit);
        retried(|| self.change(scope, edit.id, &set)).await
    }

    /// Pins an item: learning neither changes nor ends it, and recall tells it first of its kind. Or no longer.
    ///
    /// # Errors
    /// `NotFound`, and those of storing.
    pub async fn pin(&self, scope: &Scope, pin: Pin) -> Result<Action> {
        let set = |record: &mut Record| {
            record.pinned = pin.pinned;
            Ok(())
        };
        retried(|| self.change(scope, pin.id, &set)).await
    }

    /// Deletes an item, an entity with its relations. Its revisions stay in its history, so that this can be undone.
    ///
    /// # Errors
    /// `NotFound`, and those of storing.
    pub async fn delete(&self, scope: &Scope, id: Id) -> Result<Action> {
        retried(|| self.delete_once(scope, id)).await
    }

    async fn delete_once(&self, scope: &Scope, id: Id) -> Result<Action> {
        let record = self.present(scope, id)?;
        let mut draft = Draft::new(scope, Cause::User);
        draft.delete(id, Expect::Revision(record.revision));
        let actions = commit(&self.database, draft).await?;
        actions.into_iter().find(|action| action.id == id).ok_or_else(|| gone(id))
    }

    async fn change(
        &self,
        scope: &Scope,
        id: Id,
        change: &dyn Fn(&mut Record) -> Result<()>,
    ) -> Result<Action> {
        let before = self.present(scope, id)?;
        let mut record = before.clone();
        change(&mut record)?;
        if record == before {
            return Ok(Action::unchanged(id, record.kind, record.revision));
        }
        let mut draft = Draft::new(scope, Cause::User);
        let text = record.text.as_deref().filter(|text| before.text.as_deref() != Some(text));
        let embedding = text.and_then(|text| self.models.embed_at_once(text));
        if text.is_some() && record.kind == Kind::Fact {
            self.database.read(|store| claim(store, &mut draft, &record, self.database.now()))?;
        }
        let expect = Expect::Revision(record.revision);
        draft.put(record, expect, embedding);
        commit_one(&self.database, draft).await
    }

    fn edited(&self, record: &mut Record, edit: &Edit) -> Result<()> {
        if let Some(text) = &edit.text {
            let limit = match record.kind {
                Kind::Fact => MAX_FACT_BYTES,
                Kind::Instruction => MAX_INSTRUCTION_BYTES,
                Kind::Passage => MAX_PASSAGE_BYTES,
                kind => return Err(follows("text", kind)),
            };
            limits::text("text", text, limit)?;
            record.text = Some(text.trim().to_owned());
        }
        if let Some(value) = &edit.value {
            self.set_value(record, value)?;
        }
        if edit.text.is_some() || edit.value.is_some() {
            // What the user wrote comes from no message.
            if let Value::Object(value) = &mut record.value {
                value.insert("origin".to_owned(), to_value(&Origin::User)?);
            }
            record.provenance.clear();
        }
        if let Some(significance) = edit.significance {
            limits::significance(significance)?;
            record.significance = significance;
        }
        if let Some(metadata) = &edit.metadata {
            limits::metadata(metadata)?;
            record.metadata.clone_from(metadata);
        }
        limits::expiry(&mut record.expires_at, edit.expires_at, self.database.now())
    }

    fn set_value(&self, record: &mut Record, value: &Value) -> Result<()> {
        match record.kind {
            Kind::Field => {
                let key = record.key.as_deref().unwrap_or_default();
                let (schema, field) = key.split_once('/').unwrap_or_default();
                self.schemas.check(schema, field, value)?;
                // What led to the old value does not explain the new one.
                record.value = Value::Object(Map::from_iter([("value".to_owned(), value.clone())]));
                Ok(())
            }
            Kind::Episode => {
                let parts = EpisodeValue::read(value)?;
                record.text = Some(parts.text());
                let mut stored = to_value(&parts)?;
                if let (Some(thread), Value::Object(stored)) = (record.value.get("threadId"), &mut stored) {
                    stored.insert("threadId".to_owned(), thread.clone());
                }
                record.value = stored;
                Ok(())
            }
            kind => Err(follows("value", kind)),
        }
    }
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

fn gone(id: Id) -> Error {
    Error::new(crate::error::Code::Internal, format!("a commit that deleted {id} did not say so"))
}
