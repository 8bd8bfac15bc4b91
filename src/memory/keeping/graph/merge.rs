//! Merging: two entities turn out to be one.

use super::Graph;
use super::entity::{Alias, EntityValue, not_found};
use super::present;
use super::relation::{Relation, ended_key, key};
use crate::error::Result;
use crate::id::Id;
use crate::json::to_value;
use crate::memory::Action;
use crate::memory::limits::{self, invalid};
use crate::memory::source::add_sources;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::store::{Draft, Expect, Store, relation_ends};
use crate::time::Timestamp;
use rustc_hash::FxHashSet;
use serde::Deserialize;

/// The most bytes the evidence of a merge may have.
const MAX_EVIDENCE_BYTES: usize = 4096;

/// Which entities are one, and why.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Merge {
    /// The name of the entity that stays.
    pub into: String,
    /// The name of the entity that goes, and becomes an alias.
    pub from: String,
    /// Why they are the same, 1 to 4096 bytes.
    pub evidence: String,
}

impl Graph {
    /// Makes two entities one, in one commit that can be undone. Observations are joined, relations are led to the one that
    /// stays, and the name of the other is kept as an alias with the evidence. A relation that would be there twice, or
    /// lead from an entity to itself, goes.
    ///
    /// # Errors
    /// `NotFound` when one of them is not there, `InvalidInput` without evidence or for one entity twice, and those of storing.
    pub async fn merge(&self, scope: &Scope, merge: Merge) -> Result<Vec<Action>> {
        limits::text("evidence", &merge.evidence, MAX_EVIDENCE_BYTES)?;
        if merge.into == merge.from {
            return Err(invalid(format!("{:?} is one entity already; name two", merge.into)));
        }
        self.write(scope, &mut |store, draft| {
            let now = self.database.now();
            let find = |name: &str| {
                let view = present(store, scope, Kind::Entity, name, now).ok_or_else(|| not_found(name))?;
                view.to_record(scope)
            };
            let (mut into, from) = (find(&merge.into)?, find(&merge.from)?);
            let (mut value, other) = (EntityValue::read(&into)?, EntityValue::read(&from)?);
            for observation in other.observations {
                if !value.observations.contains(&observation) {
                    value.observations.push(observation);
                }
            }
            let alias = Alias { name: merge.from.clone(), evidence: merge.evidence.trim().to_owned() };
            // What was only said of the two before is now so; and what goes by its own name has no other.
            value.aliases.retain(|known| known.name != merge.from);
            value.aliases.push(alias);
            for alias in other.aliases {
                if alias.name != merge.into && value.aliases.iter().all(|known| known.name != alias.name) {
                    value.aliases.push(alias);
                }
            }
            value.learned.extend(other.learned);
            value.write(&mut into)?;
            let (into_id, from_id) = (into.id, from.id);
            add_sources(&mut into, &from.provenance, usize::MAX);
            let expect = Expect::Revision(into.revision);
            draft.put(into, expect, None);
            draft.delete(from_id, Expect::Revision(from.revision));
            lead(store, draft, (from_id, &merge.from), (into_id, &merge.into), now)
        })
        .await
    }
}

/// Leads the relations of one entity to another one, or to the same by another name. One that would be there twice, or lead from
/// an entity to itself where it did not, goes.
pub(super) fn lead(
    store: &Store,
    draft: &mut Draft,
    (from_id, from): (Id, &str),
    (into_id, into): (Id, &str),
    now: Timestamp,
) -> Result<()> {
    let scope = draft.scope.clone();
    let mut keys = FxHashSet::default();
    for document in store.relations_of(&scope, &[from_id], None) {
        let Some(view) = store.view(document) else { continue };
        let Some(ends) = view.key.and_then(relation_ends) else { continue };
        let led = |end| if end == from_id { into_id } else { end };
        let ends_now = (led(ends.0), led(ends.1));
        let mut record: Record = view.to_record(&scope)?;
        let mut relation: Relation = view.content()?;
        for end in [&mut relation.from, &mut relation.to] {
            if *end == from {
                into.clone_into(end);
            }
        }
        let new_key = if ends_now == ends {
            view.key.unwrap_or_default().to_owned()
        } else if view.holds_at(now) {
            key(ends_now.0, ends_now.1, &relation.relation_type)
        } else {
            ended_key(ends_now.0, ends_now.1, view.id)
        };
        let is_loop = ends_now.0 == ends_now.1 && ends.0 != ends.1;
        let known = store.by_key(&scope, Kind::Relation, &new_key);
        let is_known = known.is_some_and(|known| known.id != view.id);
        let expect = Expect::Revision(view.revision);
        if is_loop || is_known || !keys.insert(new_key.clone()) {
            draft.delete(view.id, expect);
            continue;
        }
        record.key = Some(new_key);
        record.value = to_value(&relation)?;
        draft.put(record, expect, None);
    }
    Ok(())
}
