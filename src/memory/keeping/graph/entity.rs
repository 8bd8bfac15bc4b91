//! Entities: the nodes of the graph.

use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::json::to_value;
use crate::log::RecordView;
use crate::memory::limits::{self, invalid};
use crate::memory::listing::Shown;
use crate::ordered::in_order;
use crate::record::{Kind, Provenance, Record};
use crate::scope::Scope;
use crate::time::Timestamp;
use mnemic_core::checksum::crc32;
use serde::{Deserialize, Serialize};

/// The most bytes an entity's name may have.
pub const MAX_NAME_BYTES: usize = 512;
/// The most bytes the type of an entity or a relation may have.
pub const MAX_TYPE_BYTES: usize = 512;
/// The most bytes an observation may have.
pub const MAX_OBSERVATION_BYTES: usize = 16 * 1024;

/// An entity as it is created and shown: these three properties in this order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entity {
    /// Its name, 1 to 512 bytes; upper and lower case differ.
    pub name: String,
    /// What it is, up to 512 bytes.
    pub entity_type: String,
    /// What is known of it, each a single fact of up to 16 KiB.
    pub observations: Vec<String>,
}

/// A name that an entity goes by as well.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alias {
    /// The name.
    pub name: String,
    /// Why it is the same one.
    pub evidence: String,
}

/// What an entity's record holds beside its name, which is its key.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EntityValue {
    pub(crate) entity_type: String,
    pub(crate) observations: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) aliases: Vec<Alias>,
    /// Which message an observation was learned from, by the checksum of its words: so that it goes with that message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) learned: Vec<(u32, Id)>,
}

/// An entity with where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EntityItem {
    /// Its id.
    pub id: Id,
    /// Name, type and observations.
    #[serde(flatten)]
    pub entity: Entity,
    /// How many observations were left out, when some were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more_observations: Option<usize>,
    /// Other names it goes by, with what shows it; one that is also an entity's may be merged with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<Alias>,
    /// When it was first stored.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Its revision.
    pub revision: u32,
    /// Which messages it came from, and the words.
    pub source: Vec<Provenance>,
}

impl Shown for EntityItem {
    const FIELDS: &'static [&'static str] = &[
        "id",
        "name",
        "entityType",
        "observations",
        "moreObservations",
        "aliases",
        "createdAt",
        "updatedAt",
        "revision",
        "source",
    ];
}

impl EntityItem {
    /// The item of a record, with at most so many observations: the newest.
    pub(crate) fn of(view: &RecordView<'_>, observation_limit: usize) -> Result<Self> {
        let EntityValue { entity_type, observations, aliases, .. } = view.content()?;
        let mut entity = Entity { name: name_of(view).to_owned(), entity_type, observations };
        let more = entity.keep_newest(observation_limit);
        Ok(Self {
            id: view.id,
            entity,
            more_observations: (more > 0).then_some(more),
            aliases,
            created_at: view.created_at,
            updated_at: view.updated_at,
            revision: view.revision,
            source: view.provenance()?,
        })
    }
}

impl Entity {
    pub(crate) fn of(view: &RecordView<'_>) -> Result<Self> {
        let value: EntityValue = view.content()?;
        Ok(Self {
            name: name_of(view).to_owned(),
            entity_type: value.entity_type,
            observations: value.observations,
        })
    }

    /// Leaves out the first observations, so that no more than so many are left; answers how many those are.
    pub(super) fn keep_newest(&mut self, most: usize) -> usize {
        let more = self.observations.len().saturating_sub(most);
        self.observations.drain(..more);
        more
    }

    /// Leaves so many observations, in their order: those that are rated best, of equals the newest.
    pub(crate) fn keep_best(&mut self, most: usize, rate: &dyn Fn(&String) -> usize) {
        let rated = self.observations.iter().enumerate().map(|(place, text)| (rate(text), place));
        let best = in_order(rated).into_iter().rev().take(most).map(|(_, place)| place);
        let kept = in_order(best).into_iter().filter_map(|place| self.observations.get(place).cloned());
        self.observations = kept.collect();
    }

    /// Refuses what is over its limit.
    pub(crate) fn check(&self) -> Result<()> {
        name(&self.name)?;
        limits::bytes("entityType", &self.entity_type, MAX_TYPE_BYTES)?;
        self.observations.iter().try_for_each(|observation| observation_within(observation))
    }

    /// The record of a new entity.
    pub(crate) fn into_record(self, id: Id, scope: &Scope, now: Timestamp) -> Result<Record> {
        let mut record = Record::new(id, Kind::Entity, scope.clone(), now);
        record.key = Some(self.name);
        let mut value = EntityValue {
            entity_type: self.entity_type,
            observations: self.observations,
            ..EntityValue::default()
        };
        value.write(&mut record)?;
        Ok(record)
    }
}

impl EntityValue {
    pub(crate) fn read(record: &Record) -> Result<Self> {
        crate::json::from_value(record.value.clone())
            .map_err(|_| Error::new(Code::Corrupt, format!("the entity {} is not readable", record.id)))
    }

    /// Notes that an observation was learned from some messages.
    pub(crate) fn learn(&mut self, observation: &str, sources: &[Provenance]) {
        let own = checksum(observation);
        self.learned.extend(sources.iter().map(|source| (own, source.message_id)));
    }

    /// The messages that an observation was learned from; none where that was not noted.
    pub(crate) fn teachers(&self, observation: &str) -> impl Iterator<Item = Id> + '_ {
        let own = checksum(observation);
        self.learned.iter().filter(move |(known, _)| *known == own).map(|(_, message)| *message)
    }

    /// Puts itself into a record that has its key, with the words it is found by: one line each for name, type, other names
    /// and observations.
    pub(crate) fn write(&mut self, record: &mut Record) -> Result<()> {
        let known: Vec<u32> = self.observations.iter().map(|text| checksum(text)).collect();
        self.learned.retain(|(observation, _)| known.contains(observation));
        let mut text = record.key.clone().unwrap_or_default();
        let names = self.aliases.iter().map(|alias| &alias.name);
        for line in std::iter::once(&self.entity_type).chain(names).chain(&self.observations) {
            text.push('\n');
            text.push_str(line);
        }
        record.text = Some(text);
        record.value = to_value(self)?;
        Ok(())
    }
}

fn checksum(text: &str) -> u32 {
    crc32(text.as_bytes())
}

/// The name of an entity's record.
pub(crate) fn name_of<'a>(view: &RecordView<'a>) -> &'a str {
    view.key.unwrap_or_default()
}

/// That there is no such entity: the words that callers of the nine operations know.
pub(crate) fn not_found(name: &str) -> Error {
    Error::new(Code::NotFound, format!("Entity with name {name} not found")).with("name", name)
}

/// Refuses a name that no entity can have.
pub(crate) fn name(name: &str) -> Result<()> {
    if name.is_empty() {
        return Err(invalid("an entity's name is empty; give it one".to_owned()));
    }
    limits::bytes("an entity's name", name, MAX_NAME_BYTES)
}

/// Refuses an observation over its limit.
pub(crate) fn observation_within(observation: &str) -> Result<()> {
    limits::bytes("an observation", observation, MAX_OBSERVATION_BYTES)
}
