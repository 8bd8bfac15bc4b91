//! Changes of the graph as a part of a larger commit, such as of what was learned from a conversation. They look at the draft
//! as well as at the store, so that one draft can create entities and connect them.

use super::entity::{Alias, Entity, EntityValue, not_found};
use super::relation::{Relation, ended_key, key};
use super::resolution::known_as;
use super::{Graph, present};
use crate::error::Result;
use crate::id::Id;
use crate::memory::Action;
use crate::memory::limits;
use crate::memory::source::add_sources;
use crate::memory::span::{self, Span};
use crate::record::{Kind, Provenance, Record};
use crate::scope::Scope;
use crate::store::{Change, Draft, Expect, Store, relation_ends};
use crate::time::Timestamp;
use serde::Deserialize;

/// What a plan came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Planned {
    /// Which entity or relation.
    pub id: Id,
    /// Whether the draft changes it because of this plan; not when it was that way already, or is pinned.
    pub changed: bool,
}

/// Relations that are no longer true, at most 1000.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EndedRelations {
    /// The relations.
    pub relations: Vec<Relation>,
    /// Until when they were true, not after now; now by default.
    pub at: Option<Timestamp>,
}

impl Graph {
    /// Adds to a draft an entity, or what is new about one: an entity with that name, or with an alias of exactly that name,
    /// gets the observations it does not have. Its type stays as it is. `provenance` is kept with what is new; an observation
    /// may have sources of its own in `each`, in the same order.
    ///
    /// # Errors
    /// `InvalidInput` for a value over its limit, and those of reading.
    pub fn plan_entity(
        &self,
        store: &Store,
        draft: &mut Draft,
        entity: Entity,
        provenance: Vec<Provenance>,
        each: &[Vec<Provenance>],
    ) -> Result<Planned> {
        entity.check()?;
        let now = self.database.now();
        if let Some(record) = planned(draft, Kind::Entity, &entity.name) {
            let (id, changed) = (record.id, extend(record, &entity, &provenance, each)?);
            return Ok(Planned { id, changed });
        }
        let known = known_as(store, &draft.scope, &entity.name, now)
            .filter(|view| draft.ids().all(|touched| touched != view.id));
        if let Some(view) = known {
            let (id, revision, pinned) = (view.id, view.revision, view.pinned);
            let mut record = view.to_record(&draft.scope)?;
            let changed = !pinned && extend(&mut record, &entity, &provenance, each)?;
            if changed {
                draft.put(record, Expect::Revision(revision), None);
            }
            return Ok(Planned { id, changed });
        }
        let id = self.put_new_entity(store, draft, entity, now)?;
        if let Some(Change::Put { record, .. }) = draft.changes.last_mut() {
            let mut value = EntityValue::read(record)?;
            record.provenance.clone_from(&provenance);
            for (place, observation) in value.observations.clone().iter().enumerate() {
                let own = each.get(place).unwrap_or(&provenance);
                value.learn(observation, own);
                add_sources(record, own, usize::MAX);
            }
            value.write(record)?;
        }
        Ok(Planned { id, changed: true })
    }

    /// Adds to a draft that an entity goes by another name as well; whether the name means it from now on. It does not when
    /// there is no such entity, it is pinned, or the name is one of an entity. Another entity of that name stays what it is,
    /// and the evidence is kept: [`Graph::resolve`] answers it with the candidate, and [`Graph::merge`] makes them one.
    ///
    /// # Errors
    /// `InvalidInput` for a value over its limit, and those of reading.
    pub fn plan_alias(
        &self,
        store: &Store,
        draft: &mut Draft,
        entity: &str,
        alias: &str,
        evidence: &str,
    ) -> Result<bool> {
        super::entity::name(alias)?;
        let now = self.database.now();
        let is_entity = planned(draft, Kind::Entity, alias).is_some()
            || present(store, &draft.scope, Kind::Entity, alias, now).is_some();
        let alias = Alias { name: alias.to_owned(), evidence: evidence.to_owned() };
        let add = |record: &mut Record| -> Result<bool> {
            let mut value = EntityValue::read(record)?;
            let is_own = record.key.as_deref() == Some(&alias.name);
            if is_own || value.aliases.iter().any(|known| known.name == alias.name) {
                return Ok(false);
            }
            value.aliases.push(alias.clone());
            value.write(record).map(|()| true)
        };
        if let Some(record) = planned(draft, Kind::Entity, entity) {
            add(record)?;
            return Ok(!is_entity);
        }
        let Some(view) = known_as(store, &draft.scope, entity, now)
            .filter(|view| !view.pinned && draft.ids().all(|touched| touched != view.id))
        else {
            return Ok(false);
        };
        let mut record = view.to_record(&draft.scope)?;
        if add(&mut record)? {
            draft.put(record, Expect::Revision(view.revision), None);
        }
        Ok(!is_entity)
    }

    /// Adds a relation to a draft, unless it is there. Its ends must be in the store or the draft, by name or alias.
    /// It begins at a time that was said, or when that was said.
    ///
    /// # Errors
    /// `NotFound` when an end is not there, `InvalidInput` for a value over its limit, and those of reading.
    pub(crate) fn plan_relation(
        &self,
        store: &Store,
        draft: &mut Draft,
        relation: &Relation,
        provenance: Vec<Provenance>,
        (since, said_at): (Option<&Span>, Timestamp),
    ) -> Result<Planned> {
        relation.check()?;
        let now = self.database.now();
        let (from, from_name) = end(store, draft, &relation.from, now)?;
        let (to, to_name) = end(store, draft, &relation.to, now)?;
        let key = key(from, to, &relation.relation_type);
        if let Some(record) = planned(draft, Kind::Relation, &key) {
            return Ok(Planned { id: record.id, changed: false });
        }
        if let Some(view) = present(store, &draft.scope, Kind::Relation, &key, now)
            && draft.ids().all(|touched| touched != view.id)
        {
            return Ok(Planned { id: view.id, changed: false });
        }
        let named = Relation { from: from_name, to: to_name, relation_type: relation.relation_type.clone() };
        let id = self.put_new_relation(store, draft, &named, (from, to), now)?;
        if let Some(Change::Put { record, .. }) = draft.changes.last_mut() {
            record.provenance = provenance;
            record.valid_from = since.map_or(said_at, |since| since.begins);
            span::set_since(&mut record.value, since);
        }
        Ok(Planned { id, changed: true })
    }

    /// Adds to a draft that a relation is no longer true since a time that was said, or since that was said; not after now. It
    /// stays, with its time. `None` when there is no such relation that holds.
    ///
    /// # Errors
    /// Those of reading.
    pub(crate) fn plan_relation_end(
        &self,
        store: &Store,
        draft: &mut Draft,
        relation: &Relation,
        provenance: Vec<Provenance>,
        (until, said_at): (Option<&Span>, Timestamp),
    ) -> Result<Option<Planned>> {
        let now = self.database.now();
        let ended = (until, until.map_or(said_at, |until| until.begins).min(now));
        let ends = end(store, draft, &relation.from, now)
            .and_then(|from| Ok((from, end(store, draft, &relation.to, now)?)));
        let Ok(((from, _), (to, _))) = ends else { return Ok(None) };
        let key = key(from, to, &relation.relation_type);
        if let Some(record) = planned(draft, Kind::Relation, &key) {
            finish(record, provenance, ended);
            return Ok(Some(Planned { id: record.id, changed: true }));
        }
        let Some(view) = present(store, &draft.scope, Kind::Relation, &key, now)
            .filter(|view| draft.ids().all(|touched| touched != view.id))
        else {
            return Ok(None);
        };
        if !view.pinned {
            let mut record = view.to_record(&draft.scope)?;
            finish(&mut record, provenance, ended);
            draft.put(record, Expect::Revision(view.revision), None);
        }
        Ok(Some(Planned { id: view.id, changed: !view.pinned }))
    }

    /// Ends relations: they are no longer true, and stay in the history. Those that do not hold are left as they are; pinned
    /// ones too.
    ///
    /// # Errors
    /// `InvalidInput` for too many or a time that is none, and those of storing.
    pub async fn end_relations(&self, scope: &Scope, ended: EndedRelations) -> Result<Vec<Action>> {
        super::batch("relations", ended.relations.len())?;
        let at = ended.at.unwrap_or_else(|| self.database.now());
        limits::truth("at", at)?;
        self.write(scope, &mut |store, draft| {
            for relation in &ended.relations {
                self.plan_relation_end(store, draft, relation, Vec::new(), (None, at))?;
            }
            Ok(())
        })
        .await
    }
}

/// The record that a draft stores under a key.
fn planned<'d>(draft: &'d mut Draft, kind: Kind, key: &str) -> Option<&'d mut Record> {
    draft.changes.iter_mut().find_map(|change| match change {
        Change::Put { record, .. } if record.kind == kind && record.key.as_deref() == Some(key) => {
            Some(record.as_mut())
        }
        _ => None,
    })
}

/// The id and the name of an entity that is in the draft or the store.
fn end(store: &Store, draft: &mut Draft, name: &str, now: Timestamp) -> Result<(Id, String)> {
    if let Some(record) = planned(draft, Kind::Entity, name) {
        return Ok((record.id, name.to_owned()));
    }
    let deleted = |id: Id| {
        draft
            .changes
            .iter()
            .any(|change| matches!(change, Change::Delete { id: deleted, .. } if *deleted == id))
    };
    let view = known_as(store, &draft.scope, name, now).filter(|view| !deleted(view.id));
    view.map(|view| (view.id, super::entity::name_of(&view).to_owned())).ok_or_else(|| not_found(name))
}

/// Adds to an entity's record the observations it does not have; whether there were any.
fn extend(
    record: &mut Record,
    entity: &Entity,
    provenance: &Vec<Provenance>,
    each: &[Vec<Provenance>],
) -> Result<bool> {
    let mut value = EntityValue::read(record)?;
    let before = value.observations.len();
    for (place, observation) in entity.observations.iter().enumerate() {
        if !value.observations.contains(observation) {
            let own = each.get(place).unwrap_or(provenance);
            value.observations.push(observation.clone());
            value.learn(observation, own);
            add_sources(record, own, usize::MAX);
        }
    }
    if value.observations.len() == before {
        return Ok(false);
    }
    value.write(record)?;
    Ok(true)
}

/// Lets a relation's record have ended, under a key that leaves its own to the next one.
fn finish(record: &mut Record, provenance: Vec<Provenance>, (until, at): (Option<&Span>, Timestamp)) {
    if let Some((from, to)) = record.key.as_deref().and_then(relation_ends) {
        record.key = Some(ended_key(from, to, record.id));
    }
    record.valid_to = Some(at.max(record.valid_from));
    span::set_until(&mut record.value, until);
    add_sources(record, &provenance, usize::MAX);
}
