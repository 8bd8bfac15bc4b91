//! Creating entities and relations, and adding observations.

use super::edits::Edits;
use super::entity::{Entity, not_found, observation_within};
use super::relation::{self, Relation};
use super::{Graph, batch, present};
use crate::error::Result;
use crate::id::Id;
use crate::json::loosely;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{Draft, Expect, Store};
use crate::time::Timestamp;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// Entities to create, at most 1000.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewEntities {
    /// The entities.
    #[serde(deserialize_with = "loosely")]
    pub entities: Vec<Entity>,
}

/// What creating entities did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CreatedEntities {
    /// Those that are new, in the order given.
    pub entities: Vec<Entity>,
    /// The names of those that there were already, or that stand twice in the batch; of these nothing was stored.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
}

/// Relations, to create or to delete; at most 1000.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewRelations {
    /// The relations.
    #[serde(deserialize_with = "loosely")]
    pub relations: Vec<Relation>,
}

/// What creating relations did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CreatedRelations {
    /// Those that are new, in the order given.
    pub relations: Vec<Relation>,
}

/// Observations to add, for at most 1000 entities.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewObservations {
    /// For each entity its own.
    #[serde(deserialize_with = "loosely")]
    pub observations: Vec<ObservationsOf>,
}

/// What to add to one entity.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ObservationsOf {
    /// The entity's name.
    pub entity_name: String,
    /// Observations; those it has already are not added again.
    pub contents: Vec<String>,
}

/// What adding observations did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AddedObservations {
    /// For each item of the call what was added, in the same order.
    pub results: Vec<AddedTo>,
}

/// What was added to one entity.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AddedTo {
    /// The entity's name.
    pub entity_name: String,
    /// What is new about it.
    pub added_observations: Vec<String>,
}

impl Graph {
    /// Creates entities. One whose name there is already, or that stands earlier in the batch, is skipped, never merged; an
    /// observation that stands twice in one is kept once.
    ///
    /// # Errors
    /// `InvalidInput` for a value over its limit, and those of storing.
    pub async fn create_entities(&self, scope: &Scope, mut new: NewEntities) -> Result<CreatedEntities> {
        batch("entities", new.entities.len())?;
        new.entities.iter().try_for_each(Entity::check)?;
        self.mask(new.entities.iter_mut().flat_map(|entity| &mut entity.observations))?;
        let mut created = CreatedEntities { entities: Vec::new(), skipped: Vec::new() };
        self.write(scope, &mut |store, draft| {
            let now = self.database.now();
            let (mut entities, mut skipped, mut names) = (Vec::new(), Vec::new(), FxHashSet::default());
            for entity in &new.entities {
                let known = present(store, scope, Kind::Entity, &entity.name, now).is_some();
                if known || !names.insert(entity.name.as_str()) {
                    skipped.push(entity.name.clone());
                    continue;
                }
                let mut entity = entity.clone();
                entity.observations = new_ones(&entity.observations, &[]);
                self.put_new_entity(store, draft, entity.clone(), now)?;
                entities.push(entity);
            }
            created = CreatedEntities { entities, skipped };
            Ok(())
        })
        .await?;
        Ok(created)
    }

    /// Creates relations between entities that are there. Those that there are already are not created again.
    ///
    /// # Errors
    /// `NotFound` when an end of one of them is not there; then nothing is created. `InvalidInput` for a value over its limit,
    /// and those of storing.
    pub async fn create_relations(&self, scope: &Scope, new: NewRelations) -> Result<CreatedRelations> {
        batch("relations", new.relations.len())?;
        new.relations.iter().try_for_each(Relation::check)?;
        let mut created = CreatedRelations { relations: Vec::new() };
        self.write(scope, &mut |store, draft| {
            let now = self.database.now();
            let (mut relations, mut keys) = (Vec::new(), FxHashSet::default());
            for relation in &new.relations {
                let (from, to) = ends(store, scope, relation, now)?;
                let key = relation::key(from, to, &relation.relation_type);
                let known = present(store, scope, Kind::Relation, &key, now).is_some();
                if !known && keys.insert(key) {
                    self.put_new_relation(store, draft, relation, (from, to), now)?;
                    relations.push(relation.clone());
                }
            }
            created = CreatedRelations { relations };
            Ok(())
        })
        .await?;
        Ok(created)
    }

    /// Adds observations to entities that are there. What an entity has already, word for word, is not added again.
    ///
    /// # Errors
    /// `NotFound` when one of the entities is not there; then nothing is added. `InvalidInput` for a value over its limit, and
    /// those of storing.
    pub async fn add_observations(
        &self,
        scope: &Scope,
        mut new: NewObservations,
    ) -> Result<AddedObservations> {
        batch("observations", new.observations.len())?;
        let mut contents = new.observations.iter().flat_map(|item| &item.contents);
        contents.try_for_each(|observation| observation_within(observation))?;
        self.mask(new.observations.iter_mut().flat_map(|item| &mut item.contents))?;
        let mut added = AddedObservations { results: Vec::new() };
        self.write(scope, &mut |store, draft| {
            let mut edits = Edits::new(store, self.database.now());
            let mut results = Vec::with_capacity(new.observations.len());
            for ObservationsOf { entity_name, contents } in &new.observations {
                let edited = edits.of(draft, entity_name)?;
                let news = new_ones(contents, &edited.value.observations);
                edited.changed |= !news.is_empty();
                edited.value.observations.extend(news.iter().cloned());
                results.push(AddedTo { entity_name: entity_name.clone(), added_observations: news });
            }
            added = AddedObservations { results };
            edits.put(draft)
        })
        .await?;
        Ok(added)
    }

    /// Takes the secrets out of observations before they are looked for among those that are known.
    pub(super) fn mask<'a>(&self, observations: impl Iterator<Item = &'a mut String>) -> Result<()> {
        for text in observations {
            self.changes.guard().screen("an observation", &mut |masker, found| masker.text(text, found))?;
        }
        Ok(())
    }

    /// Adds a new entity to a draft. One of the same name whose time is over gives way to it.
    pub(super) fn put_new_entity(
        &self,
        store: &Store,
        draft: &mut Draft,
        entity: Entity,
        now: Timestamp,
    ) -> Result<Id> {
        if let Some(over) = store.by_key(&draft.scope, Kind::Entity, &entity.name) {
            draft.delete(over.id, Expect::Revision(over.revision));
        }
        let record = entity.into_record(self.database.new_id(), &draft.scope, now)?;
        let id = record.id;
        draft.put(record, Expect::Absent, None);
        Ok(id)
    }

    /// Adds a new relation to a draft. The same one whose time is over gives way to it.
    pub(super) fn put_new_relation(
        &self,
        store: &Store,
        draft: &mut Draft,
        relation: &Relation,
        (from, to): (Id, Id),
        now: Timestamp,
    ) -> Result<Id> {
        let record = relation.to_record(self.database.new_id(), from, to, &draft.scope, now)?;
        let key = record.key.as_deref().unwrap_or_default();
        if let Some(over) = store.by_key(&draft.scope, Kind::Relation, key) {
            draft.delete(over.id, Expect::Revision(over.revision));
        }
        let id = record.id;
        draft.put(record, Expect::Absent, None);
        Ok(id)
    }
}

/// Those of some observations that are not known, each once.
fn new_ones(observations: &[String], known: &[String]) -> Vec<String> {
    let mut seen: FxHashSet<&String> = known.iter().collect();
    observations.iter().filter(|text| seen.insert(text)).cloned().collect()
}

/// The ids of a relation's ends.
pub(super) fn ends(store: &Store, scope: &Scope, relation: &Relation, now: Timestamp) -> Result<(Id, Id)> {
    let id = |name: &str| {
        present(store, scope, Kind::Entity, name, now).map(|view| view.id).ok_or_else(|| not_found(name))
    };
    Ok((id(&relation.from)?, id(&relation.to)?))
}
