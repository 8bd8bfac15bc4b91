//! Changing what an entity is called, and what it is.

use super::Graph;
use super::entity::{Alias, EntityValue, MAX_TYPE_BYTES, name, not_found};
use super::merge::lead;
use super::present;
use crate::error::Result;
use crate::json::shown;
use crate::memory::Action;
use crate::memory::limits::{self, invalid};
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::Expect;
use serde_json::{Map, Value};

/// What to change in an entity; what is not given stays.
#[derive(Debug, Clone, Default)]
pub struct Update {
    /// The name it has.
    pub name: String,
    /// Its name from now on, 1 to 512 bytes; the one before is kept as an alias.
    pub new_name: Option<String>,
    /// What it is, up to 512 bytes.
    pub entity_type: Option<String>,
    /// Whether the words that its old name was learned from are still told; false by default.
    pub keep_source: bool,
}

impl Update {
    /// Reads it, by hand: three texts are not worth the code of another type.
    ///
    /// # Errors
    /// `InvalidInput` for anything else.
    pub(crate) fn read(options: Map<String, Value>) -> Result<Self> {
        let mut update = Self::default();
        for (option, value) in options {
            if let ("keepSource", Value::Bool(keep)) = (option.as_str(), &value) {
                update.keep_source = *keep;
                continue;
            }
            let Value::String(text) = value else {
                return Err(invalid(format!("{option} is {}; pass a string", shown(&value))));
            };
            match option.as_str() {
                "name" => update.name = text,
                "newName" => update.new_name = Some(text),
                "entityType" => update.entity_type = Some(text),
                _ => {
                    return Err(invalid(format!(
                        "{option} is no option; the options are name, newName, entityType, keepSource"
                    )));
                }
            }
        }
        Ok(update)
    }
}

impl Graph {
    /// Changes the name or the type of an entity, in one commit that can be undone; its relations follow. Empty when it is that
    /// way already.
    ///
    /// # Errors
    /// `NotFound` when it is not there, `InvalidInput` for the name of another entity, and those of storing.
    pub async fn update(&self, scope: &Scope, update: Update) -> Result<Vec<Action>> {
        let new = update.new_name.as_ref().unwrap_or(&update.name);
        name(&update.name)?;
        name(new)?;
        limits::bytes("entityType", update.entity_type.as_deref().unwrap_or_default(), MAX_TYPE_BYTES)?;
        self.let_go(scope, update.keep_source, &mut |store, draft| {
            let now = self.database.now();
            let view = present(store, scope, Kind::Entity, &update.name, now);
            let view = view.ok_or_else(|| not_found(&update.name))?;
            let before = view.to_record(scope)?;
            let (mut record, mut value) = (before.clone(), EntityValue::read(&before)?);
            if let Some(entity_type) = &update.entity_type {
                value.entity_type.clone_from(entity_type);
            }
            if *new != update.name {
                if present(store, scope, Kind::Entity, new, now).is_some() {
                    let message = format!("there is another entity {new:?}; graph.merge makes the two one");
                    return Err(invalid(message));
                }
                value.aliases.retain(|alias| alias.name != *new && alias.name != update.name);
                value.aliases.push(Alias { name: update.name.clone(), evidence: "renamed".to_owned() });
                record.key = Some(new.clone());
            }
            value.write(&mut record)?;
            if record == before {
                return Ok(());
            }
            draft.put(record, Expect::Revision(before.revision), None);
            if *new != update.name {
                lead(store, draft, (before.id, &update.name), (before.id, new), now)?;
            }
            Ok(())
        })
        .await
    }
}
