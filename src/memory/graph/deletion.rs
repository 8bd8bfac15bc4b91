//! Deleting entities, observations and relations; each says what was there to delete.

use super::creation::{NewRelations, ends};
use super::edits::Edits;
use super::relation;
use super::{Graph, batch, present};
use crate::error::{Code, Result};
use crate::json::loosely;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::Expect;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// Entities to delete, at most 1000.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeletedEntities {
    /// Their names.
    pub entity_names: Vec<String>,
}

/// Observations to delete, of at most 1000 entities.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeletedObservations {
    /// For each entity its own.
    #[serde(deserialize_with = "loosely")]
    pub deletions: Vec<DeletedFrom>,
}

/// What to delete of one entity.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletedFrom {
    /// The entity's name.
    pub entity_name: String,
    /// Observations, word for word.
    pub observations: Vec<String>,
}

/// What a deletion did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Deletion {
    /// Always true: what is not there needs no deleting.
    pub success: bool,
    /// What was deleted and what was not found, in words for a model.
    pub message: String,
}

impl Deletion {
    fn said(message: String) -> Self {
        Self { success: true, message }
    }
}

impl Graph {
    /// Deletes entities with all relations they are an end of, in one commit; undoing it brings all of them back.
    ///
    /// # Errors
    /// `InvalidInput` for too many, and those of storing.
    pub async fn delete_entities(&self, scope: &Scope, asked: DeletedEntities) -> Result<Deletion> {
        let names = &asked.entity_names;
        batch("entityNames", names.len())?;
        let mut missing = Vec::new();
        self.write(scope, &mut |store, draft| {
            let now = self.database.now();
            missing.clear();
            let mut ids = FxHashSet::default();
            for name in names {
                match present(store, scope, Kind::Entity, name, now) {
                    Some(view) if ids.insert(view.id) => {
                        draft.delete(view.id, Expect::Revision(view.revision))
                    }
                    Some(_) => {}
                    None => missing.push(name.as_str()),
                }
            }
            Ok(())
        })
        .await?;
        Ok(Deletion::said(if missing.is_empty() {
            "Entities deleted successfully".to_owned()
        } else {
            let deleted = names.len() - missing.len();
            format!("Deleted {deleted} of {} entities. Not found: {}", names.len(), missing.join(", "))
        }))
    }

    /// Deletes observations of entities.
    ///
    /// # Errors
    /// `InvalidInput` for too many, and those of storing.
    pub async fn delete_observations(&self, scope: &Scope, asked: DeletedObservations) -> Result<Deletion> {
        batch("deletions", asked.deletions.len())?;
        let (mut deleted, mut missing) = (0, Vec::new());
        self.write(scope, &mut |store, draft| {
            let mut edits = Edits::new(store, self.database.now());
            deleted = 0;
            missing.clear();
            for DeletedFrom { entity_name, observations } in &asked.deletions {
                let edited = match edits.of(draft, entity_name) {
                    Ok(edited) => edited,
                    Err(error) if error.code == Code::NotFound => {
                        missing.push(entity_name.as_str());
                        continue;
                    }
                    Err(error) => return Err(error),
                };
                let before = edited.value.observations.len();
                edited.value.observations.retain(|observation| !observations.contains(observation));
                let fewer = before - edited.value.observations.len();
                edited.changed |= fewer > 0;
                deleted += fewer;
            }
            edits.put(self, draft)
        })
        .await?;
        let asked: usize = asked.deletions.iter().map(|deletion| deletion.observations.len()).sum();
        Ok(Deletion::said(if deleted == asked {
            "Observations deleted successfully".to_owned()
        } else {
            let mut message = format!("Deleted {deleted} of {asked} observations.");
            if !missing.is_empty() {
                message.push_str(&format!(" Entities not found: {}", missing.join(", ")));
            }
            message
        }))
    }

    /// Deletes relations.
    ///
    /// # Errors
    /// `InvalidInput` for too many, and those of storing.
    pub async fn delete_relations(&self, scope: &Scope, asked: NewRelations) -> Result<Deletion> {
        let relations = &asked.relations;
        batch("relations", relations.len())?;
        let mut deleted = 0;
        self.write(scope, &mut |store, draft| {
            let now = self.database.now();
            let mut ids = FxHashSet::default();
            for relation in relations {
                let Ok((from, to)) = ends(store, scope, relation, now) else { continue };
                let key = relation::key(from, to, &relation.relation_type);
                if let Some(view) = present(store, scope, Kind::Relation, &key, now)
                    && ids.insert(view.id)
                {
                    draft.delete(view.id, Expect::Revision(view.revision));
                }
            }
            deleted = ids.len();
            Ok(())
        })
        .await?;
        Ok(Deletion::said(if deleted == relations.len() {
            "Relations deleted successfully".to_owned()
        } else {
            format!("Deleted {deleted} of {} relations. The rest matched nothing.", relations.len())
        }))
    }
}
