//! The graph in what was learned: entities, other names for them, relations that begin and end.

use super::answer::{Answer, EntityAnswer, Observation, RelationAnswer};
use super::keep::Keep;
use super::known::USER;
use super::plan::{Plan, said};
use crate::error::Result;
use crate::memory::graph::{Entity, Relation};
use crate::record::{Kind, Provenance};
use crate::store::Change;

impl Plan<'_> {
    /// Carries out what the model said of entities and relations.
    pub(super) fn graph(&mut self, answer: &Answer) -> Result<()> {
        // Names that the answer itself shows to be others'.
        let mut renamed: Vec<(&str, &str)> = Vec::new();
        for entity in &answer.entities {
            if self.entity(entity)?
                && let Some(other) = &entity.same_as
            {
                renamed.push((entity.name.trim(), other.trim()));
            }
        }
        for relation in &answer.relations {
            let called = |name: &str| {
                let name = name.trim();
                let other = renamed.iter().find(|(own, _)| *own == name).map_or(name, |(_, other)| other);
                other.to_owned()
            };
            let named = Relation {
                from: called(&relation.from),
                to: called(&relation.to),
                relation_type: relation.relation.trim().to_owned(),
            };
            self.relation(relation, &named)?;
        }
        let keep = Keep { batch: self.batch, ttl: self.extractor.ttl, now: self.now };
        for change in &mut self.draft.changes {
            if let Change::Put { record, .. } = change
                && matches!(record.kind, Kind::Entity | Kind::Relation)
                && record.valid_to.is_none()
            {
                keep.apply(record);
            }
        }
        Ok(())
    }

    /// Adds an entity, or what is new about it; whether it turned out to be another name of a known one.
    fn entity(&mut self, answer: &EntityAnswer) -> Result<bool> {
        let name = answer.name.trim();
        let provenance = self.provenance(answer.message, answer.quote.as_deref());
        let evidence = provenance.iter().map(|source| source.quote.as_str()).find(|quote| !quote.is_empty());
        let graph = &self.extractor.graph;
        // Two names are one only when words that were really said show it.
        let other = answer.same_as.as_deref().map(str::trim).filter(|other| *other != name && *other != USER);
        let mut is_alias = false;
        if let (Some(other), Some(evidence)) = (other, evidence) {
            is_alias = graph.plan_alias(self.store, self.draft, other, name, evidence)?;
        }
        let own = |observation: &Observation| {
            let (message, quote) = answer.source(observation);
            self.provenance(message, quote)
        };
        let each: Vec<Vec<Provenance>> = answer.observations.iter().map(own).collect();
        let entity = Entity {
            name: other.filter(|_| is_alias).unwrap_or(name).to_owned(),
            entity_type: answer.entity_type.trim().to_owned(),
            observations: answer.observations.iter().map(|seen| seen.text.trim().to_owned()).collect(),
        };
        if entity.name == USER {
            self.user(&provenance)?;
        } else {
            graph.plan_entity(self.store, self.draft, entity, provenance, &each)?;
        }
        Ok(is_alias)
    }

    fn relation(&mut self, answer: &RelationAnswer, named: &Relation) -> Result<()> {
        let provenance: Vec<Provenance> = self.provenance(answer.message, answer.quote.as_deref());
        let said_at = self.said_at(answer.message, answer.quote.as_deref());
        let since = said(answer.since.as_deref());
        if [&named.from, &named.to].into_iter().any(|end| end == USER) {
            self.user(&provenance)?;
        }
        let graph = &self.extractor.graph;
        if answer.ended {
            graph.plan_relation_end(self.store, self.draft, named, provenance, (since.as_ref(), said_at))?;
        } else {
            graph.plan_relation(self.store, self.draft, named, provenance, (since.as_ref(), said_at))?;
        }
        Ok(())
    }

    /// The user's own entity, which is there from the first relation on, and was said where that was. What is known of the user is
    /// kept as facts.
    fn user(&mut self, provenance: &[Provenance]) -> Result<()> {
        let user =
            Entity { name: USER.to_owned(), entity_type: "person".to_owned(), observations: Vec::new() };
        let is_known = self.store.by_key(&self.batch.scope, Kind::Entity, USER).is_some();
        let said = if is_known { Vec::new() } else { provenance.to_vec() };
        self.extractor.graph.plan_entity(self.store, self.draft, user, said, &[])?;
        Ok(())
    }
}
