//! Changing what an entity is called, and what it is.

use super::Graph;
use super::entity::{Alias, EntityValue, MAX_TYPE_BYTES, name, not_found};
use super::present;
use super::relation::Relation;
use crate::error::Result;
use crate::memory::Action;
use crate::memory::facts::json;
use crate::memory::limits::{self, invalid};
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::Expect;
use serde::Deserialize;

/// What to change in an entity; what is not given stays.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Update {
    /// The name it has.
    pub name: String,
    /// Its name from now on, 1 to 512 bytes; the one before is kept as an alias.
    pub new_name: Option<String>,
    /// What it is, up to 512 bytes.
    pub entity_type: Option<String>,
}

impl Graph {
    /// Changes the name or the type of an entity, in one commit that can be undone; its relations follow. Empty when it is that
    /// way already.
    ///
    /// # Errors
    /// `NotFound` when it is not there, `InvalidInput` for the name of another entity, and those of storing.
    pub async fn update(&self, scope: &Scope, update: Update) -> Result<Vec<Action>> {
        let new = update.new_name.as_ref().unwrap_or(&update.name);
        name(new)?;
        limits::bytes("entityType", update.entity_type.as_deref().unwrap_or_default(), MAX_TYPE_BYTES)?;
        self.write(scope, &mut |store, draft| {
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
            self.put(draft, record, Expect::Revision(before.revision));
            for document in store.relations_of(scope, &[before.id], None) {
                let Some(view) = store.view(document) else { continue };
                let former: Relation = view.content()?;
                let mut relation = former.clone();
                for end in [&mut relation.from, &mut relation.to] {
                    if *end == update.name {
                        end.clone_from(new);
                    }
                }
                if relation != former {
                    let mut record = view.to_record(scope)?;
                    record.value = json(&relation)?;
                    draft.put(record, Expect::Revision(view.revision), None);
                }
            }
            Ok(())
        })
        .await
    }
}
