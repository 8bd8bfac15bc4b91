//! Deleting entities, observations and relations; each says what was there to delete.

use super::creation::ends;
use super::edits::Edits;
use super::relation::{self, Relation};
use super::{Graph, batch, present};
use crate::error::{Code, Result};
use crate::id::Id;
use crate::json::loosely;
use crate::log::RecordView;
use crate::memory::action::Action;
use crate::ordered::in_order;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{Expect, Store};
use crate::time::Timestamp;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// Entities to delete, at most 1000.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeletedEntities {
    /// Their names.
    pub entity_names: Vec<String>,
    /// Whether the words they were learned from are still told; false by default.
    #[serde(default)]
    pub keep_source: bool,
}

/// Observations to delete, of at most 1000 entities.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeletedObservations {
    /// For each entity its own.
    #[serde(deserialize_with = "loosely")]
    pub deletions: Vec<DeletedFrom>,
    /// Whether the words they were learned from are still told; false by default.
    #[serde(default)]
    pub keep_source: bool,
}

/// Relations to delete, at most 1000.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeletedRelations {
    /// The relations.
    #[serde(deserialize_with = "loosely")]
    pub relations: Vec<Relation>,
    /// Whether the words they were learned from are still told; false by default.
    #[serde(default)]
    pub keep_source: bool,
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
    /// The messages of which words are withheld since.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<Id>,
}

impl Deletion {
    fn said(message: String, actions: Vec<Action>) -> Self {
        let withheld = in_order(actions.into_iter().flat_map(|action| action.withheld));
        Self { success: true, message, withheld }
    }
}

impl Graph {
    /// Deletes entities with all relations they are an end of, in one commit; undoing it brings all of them back.
    ///
    /// # Errors
    /// `InvalidInput` for too many, and those of storing.
    pub async fn delete_entities(&self, scope: &Scope, asked: DeletedEntities) -> Result<Deletion> {
        batch("entityNames", asked.entity_names.len())?;
        self.delete_each(
            scope,
            asked.keep_source,
            ["Entities", "entities"],
            &asked.entity_names,
            |store, scope, name, now| present(store, scope, Kind::Entity, name, now),
        )
        .await
    }

    /// Deletes observations of entities.
    ///
    /// # Errors
    /// `InvalidInput` for too many, and those of storing.
    pub async fn delete_observations(&self, scope: &Scope, asked: DeletedObservations) -> Result<Deletion> {
        batch("deletions", asked.deletions.len())?;
        let (mut nobody, mut missing, mut not_there) = (Vec::new(), Vec::new(), 0);
        let actions = self
            .let_go(scope, asked.keep_source, &mut |store, draft| {
                let mut edits = Edits::new(store, self.database.now());
                nobody.clear();
                missing.clear();
                not_there = 0;
                for DeletedFrom { entity_name, observations } in &asked.deletions {
                    let edited = match edits.of(draft, entity_name) {
                        Ok(edited) => edited,
                        Err(error) if error.code == Code::NotFound => {
                            nobody.push(entity_name.as_str());
                            not_there += observations.len();
                            continue;
                        }
                        Err(error) => return Err(error),
                    };
                    let known = &mut edited.value.observations;
                    for observation in observations.iter().filter(|text| !known.contains(text)) {
                        missing.push(format!("{observation} ({entity_name})"));
                        not_there += 1;
                    }
                    let before = known.len();
                    known.retain(|observation| !observations.contains(observation));
                    edited.changed |= known.len() < before;
                }
                edits.put(draft)
            })
            .await?;
        let asked: usize = asked.deletions.iter().map(|deletion| deletion.observations.len()).sum();
        Ok(Deletion::said(
            if not_there == 0 && nobody.is_empty() {
                "Observations deleted successfully".to_owned()
            } else {
                let mut parts = vec![format!("Deleted {} of {asked} observations", asked - not_there)];
                if !nobody.is_empty() {
                    parts.push(format!("Entities not found: {}", nobody.join(", ")));
                }
                if !missing.is_empty() {
                    parts.push(format!("Not found: {}", missing.join(", ")));
                }
                parts.join(". ")
            },
            actions,
        ))
    }

    /// Deletes relations.
    ///
    /// # Errors
    /// `InvalidInput` for too many, and those of storing.
    pub async fn delete_relations(&self, scope: &Scope, asked: DeletedRelations) -> Result<Deletion> {
        batch("relations", asked.relations.len())?;
        self.delete_each(scope, asked.keep_source, ["Relations", "relations"], &asked.relations, there).await
    }

    /// Deletes the record of each thing that is named, once, and says what was missing. `nouns` is what such things are called, at the
    /// beginning of a sentence and inside.
    async fn delete_each<Named: ToString>(
        &self,
        scope: &Scope,
        keep_source: bool,
        nouns: [&str; 2],
        named: &[Named],
        find: for<'a> fn(&'a Store, &Scope, &Named, Timestamp) -> Option<RecordView<'a>>,
    ) -> Result<Deletion> {
        let mut missing = Vec::new();
        let actions = self
            .let_go(scope, keep_source, &mut |store, draft| {
                let now = self.database.now();
                missing.clear();
                let mut ids = FxHashSet::default();
                for name in named {
                    match find(store, scope, name, now) {
                        Some(view) if ids.insert(view.id) => {
                            draft.delete(view.id, Expect::Revision(view.revision))
                        }
                        Some(_) => {}
                        None => missing.push(name.to_string()),
                    }
                }
                Ok(())
            })
            .await?;
        let [title, noun] = nouns;
        Ok(Deletion::said(
            if missing.is_empty() {
                format!("{title} deleted successfully")
            } else {
                let (all, deleted) = (named.len(), named.len() - missing.len());
                format!("Deleted {deleted} of {all} {noun}. Not found: {}", missing.join(", "))
            },
            actions,
        ))
    }
}

/// The relation that is there by the names of its ends and its type.
pub(super) fn there<'a>(
    store: &'a Store,
    scope: &Scope,
    relation: &Relation,
    now: Timestamp,
) -> Option<RecordView<'a>> {
    let (from, to) = ends(store, scope, relation, now).ok()?;
    present(store, scope, Kind::Relation, &relation::key(from, to, &relation.relation_type), now)
}
