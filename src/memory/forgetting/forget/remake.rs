//! Making records anew without what goes: what of them stays, and whether anything does.

use super::gone::Gone;
use super::rewind::rewound;
use crate::error::Result;
use crate::json::{from_value, to_value};
use crate::log::RecordView;
use crate::lowercase::lowercase;
use crate::memory::blocks::BlockValue;
use crate::memory::graph::EntityValue;
use crate::record::{Kind, Provenance, Record};
use crate::scope::Scope;
use crate::store::{Ever, Past, Store};
use serde_json::Value;

/// What becomes of a record.
pub(super) enum Fate {
    /// Nothing in it rests on what goes.
    Stays,
    /// It goes.
    Goes,
    /// It is made anew, and its past goes.
    Remade(Box<Record>),
}

/// What a value says of how its words came about: the words of one message.
const OF_ONE_MESSAGE: [&str; 3] = ["context", "extracted", "why"];

/// Makes records anew.
pub(super) struct Remake<'a> {
    pub(super) store: &'a Store,
    pub(super) scope: &'a Scope,
    pub(super) gone: &'a Gone,
}

impl Remake<'_> {
    /// What becomes of a record that says something: it falls back to the last revision that rests on nothing that goes, unless
    /// it says the same since. Without one it stays as long as a source does.
    pub(super) fn fate(&self, kind: Kind, ever: &Ever<'_>) -> Result<Fate> {
        let Some((last, base)) = self.last_and_base(ever)? else { return Ok(Fate::Stays) };
        if !ever.lives {
            return Ok(Fate::Goes);
        }
        let mut record = last.to_record(self.scope)?;
        if !is_list(&record) {
            if let Some(record) = self.rewound(ever)? {
                return remade(record);
            }
            if self.is_begun_in_times(ever) {
                return Ok(Fate::Goes);
            }
        }
        if self.gone.times.is_none() && base.is_some_and(|base| base.revision == last.revision) {
            return remade(record);
        }
        let sources = self.gone.rest(&last)?;
        let is_alone = sources.is_empty() && record.value.get("origin") != Some(&Value::from("user"));
        match base {
            // A relation has no words of its own; what came later ended it at most.
            Some(_) if kind == Kind::Relation => record.provenance = sources,
            _ if is_list(&record) => {
                if (base.is_none() && is_alone) || !self.relist(&mut record, ever, base, sources)? {
                    return Ok(Fate::Goes);
                }
            }
            Some(base) => {
                let base = base.to_record(self.scope)?;
                let is_same = says(&base) == says(&record);
                record.provenance = if is_same { sources } else { base.provenance };
                (record.text, record.value) = (base.text, base.value);
                (record.valid_from, record.significance) = (base.valid_from, base.significance);
            }
            // An episode tells of all it came from.
            None if is_alone || (kind == Kind::Episode && !is_user(&record)) => return Ok(Fate::Goes),
            None => {
                if kind == Kind::Trait {
                    self.keep_evidence(&mut record, &sources)?;
                }
                strip(&mut record);
                record.provenance = sources;
            }
        }
        remade(record)
    }

    /// What becomes of an entity, which relations with these sources lead to or from.
    pub(super) fn entity(&self, ever: &Ever<'_>, held: Option<&Vec<Provenance>>) -> Result<Fate> {
        let quotes = |view: &RecordView<'_>| {
            let value = view.content::<EntityValue>();
            value.is_ok_and(|value| value.aliases.iter().any(|alias| self.gone.holds(&alias.evidence)))
        };
        let is_quoting = ever.versions.iter().any(|past| quotes(&past.view));
        let found = self.last_and_base(ever)?;
        let (last, base) = match (found, ever.versions.last()) {
            (Some(found), _) => found,
            (None, Some(last)) if is_quoting => (last.view, Some(last.view)),
            _ => return Ok(Fate::Stays),
        };
        if !ever.lives {
            return Ok(Fate::Goes);
        }
        let sources = self.gone.rest(&last)?;
        if (base.is_none() && sources.is_empty() && held.is_none()) || self.is_begun_in_times(ever) {
            return Ok(Fate::Goes);
        }
        let rewound = self.rewound(ever)?;
        let mut value: EntityValue = last.content()?;
        let observations = |view: &RecordView<'_>| {
            let value = view.content::<EntityValue>();
            value.map_or_else(
                |_| Vec::new(),
                |value| value.observations.into_iter().map(Value::from).collect(),
            )
        };
        let names = |view: &RecordView<'_>| {
            let value = view.content::<EntityValue>();
            value.map_or_else(
                |_| Vec::new(),
                |value| value.aliases.into_iter().map(|alias| Value::from(alias.name)).collect(),
            )
        };
        let mut left = self.gone.ids.clone();
        let leaving = last.provenance()?.into_iter().filter(|source| self.gone.is_source(source));
        left.extend(leaving.map(|source| source.message_id));
        let mut kept = Vec::new();
        for observation in self.entries(ever, &observations) {
            let Value::String(observation) = observation else { continue };
            let mut teachers = value.teachers(&observation).peekable();
            if teachers.peek().is_some() {
                if teachers.any(|message| !left.contains(&message)) {
                    kept.push(observation);
                }
            } else if self.keeps(ever, &observation.as_str().into(), &observations)? {
                kept.push(observation);
            }
        }
        value.observations = kept;
        value.learned.retain(|(_, message)| !left.contains(message));
        let mut aliases = Vec::new();
        for alias in value.aliases {
            if !self.gone.holds(&alias.evidence) && self.keeps(ever, &alias.name.as_str().into(), &names)? {
                aliases.push(alias);
            }
        }
        value.aliases = aliases;
        let mut record = match (rewound, base) {
            (Some(record), _) => {
                value.entity_type = EntityValue::read(&record)?.entity_type;
                record
            }
            (None, base) => {
                if let Some(base) = base {
                    value.entity_type = base.content::<EntityValue>()?.entity_type;
                }
                last.to_record(self.scope)?
            }
        };
        value.write(&mut record)?;
        record.provenance = match held {
            Some(held) if sources.is_empty() && base.is_none() => held.clone(),
            _ => sources,
        };
        remade(record)
    }

    /// What becomes of a text that nobody learned, but that may quote.
    pub(super) fn quoting(&self, kind: Kind, ever: &Ever<'_>) -> Result<Fate> {
        let text = |view: &RecordView<'_>| -> Result<String> {
            Ok(match kind {
                Kind::Block => view.content::<BlockValue>()?.value,
                _ => view.text.unwrap_or_default().to_owned(),
            })
        };
        let mut quotes = false;
        for past in &ever.versions {
            quotes |= self.gone.unquoted(&text(&past.view)?).is_some();
        }
        let Some(last) = ever.versions.last().filter(|_| quotes) else { return Ok(Fate::Stays) };
        if !ever.lives {
            return Ok(Fate::Goes);
        }
        let mut record = last.view.to_record(self.scope)?;
        let Some(unquoted) = self.gone.unquoted(&text(&last.view)?) else { return remade(record) };
        if kind == Kind::Block {
            let value: BlockValue = last.view.content()?;
            record.value = to_value(&BlockValue { value: unquoted, ..value })?;
        } else if unquoted.is_empty() {
            return Ok(Fate::Goes);
        } else {
            record.text = Some(unquoted);
        }
        remade(record)
    }

    /// The last version, and the last one that rests on nothing that goes; `None` when none does rest on it.
    fn last_and_base<'v>(&self, ever: &Ever<'v>) -> Result<Option<(RecordView<'v>, Option<RecordView<'v>>)>> {
        let (mut is_under, mut base) = (false, None);
        for past in &ever.versions {
            if self.gone.is_under(past)? {
                is_under = true;
            } else {
                base = Some(past.view);
            }
        }
        let last = ever.versions.last().map(|past| past.view);
        Ok(last.filter(|_| is_under).map(|last| (last, base)))
    }

    /// A record before the times of which everything goes; `None` where none are meant, or nobody knows it.
    fn rewound(&self, ever: &Ever<'_>) -> Result<Option<Record>> {
        self.gone.times.as_ref().map_or(Ok(None), |_| rewound(self.store, self.scope, self.gone, ever))
    }

    /// Whether the first version that is known is of times of which everything goes: then nobody knows what it was before.
    fn is_begun_in_times(&self, ever: &Ever<'_>) -> bool {
        ever.versions.first().is_none_or(|first| self.gone.is_of_times(first))
    }

    /// The entries of a list, without what was done to it in times of which everything goes: those left out then are in it.
    fn entries(&self, ever: &Ever<'_>, items: &dyn Fn(&RecordView<'_>) -> Vec<Value>) -> Vec<Value> {
        let (mut entries, mut before) = (Vec::new(), Vec::new());
        for past in &ever.versions {
            let now = items(&past.view);
            if self.gone.times.is_none() {
                entries.clone_from(&now);
            } else if !self.gone.is_of_times(past) {
                entries.retain(|entry| now.contains(entry) || !before.contains(entry));
                let new = now.iter().filter(|entry| !before.contains(entry));
                let new: Vec<Value> = new.filter(|entry| !entries.contains(entry)).cloned().collect();
                entries.extend(new);
            }
            before = now;
        }
        entries
    }

    /// Whether an entry of a list stays: one that came with what goes does not.
    fn keeps(
        &self,
        ever: &Ever<'_>,
        item: &Value,
        items: &dyn Fn(&RecordView<'_>) -> Vec<Value>,
    ) -> Result<bool> {
        let mut before: Vec<Provenance> = Vec::new();
        for past in &ever.versions {
            let sources = past.view.provenance()?;
            if items(&past.view).contains(item) {
                let mut came = sources;
                came.retain(|source| !before.contains(source));
                return Ok(!self.gone.is_of_times(past) && (came.is_empty() || self.is_told(item, &came)));
            }
            before = sources;
        }
        Ok(true)
    }

    /// Whether something that came with several sources came with one that stays: one that names it, or any where none does.
    fn is_told(&self, item: &Value, came: &[Provenance]) -> bool {
        let names = |source: &&Provenance| {
            item.as_str().is_some_and(|item| lowercase(&source.quote).contains(&lowercase(item)))
        };
        let (gone, stay): (Vec<&Provenance>, Vec<_>) =
            came.iter().partition(|source| self.gone.is_source(source));
        !stay.is_empty() && (stay.iter().any(names) || !gone.iter().any(names))
    }

    /// Leaves out what came with what goes from a list; whether anything is left.
    fn relist(
        &self,
        record: &mut Record,
        ever: &Ever<'_>,
        base: Option<RecordView<'_>>,
        sources: Vec<Provenance>,
    ) -> Result<bool> {
        let items = |view: &RecordView<'_>| {
            let value = view.value().ok();
            value.and_then(|value| value.get("value")?.as_array().cloned()).unwrap_or_default()
        };
        let entries = self.entries(ever, &items);
        if let Some(rewound) = self.rewound(ever)? {
            *record = rewound;
        }
        let Some(list) = record.value.get_mut("value").and_then(Value::as_array_mut) else { return Ok(true) };
        let mut kept = Vec::new();
        for item in entries {
            if base.is_some_and(|base| items(&base).contains(&item)) || self.keeps(ever, &item, &items)? {
                kept.push(item);
            }
        }
        let is_left = !kept.is_empty();
        *list = kept;
        strip(record);
        record.provenance = sources;
        Ok(is_left)
    }

    /// Leaves only the evidence of a trait that stands in what stays.
    fn keep_evidence(&self, record: &mut Record, sources: &[Provenance]) -> Result<()> {
        let mut texts = Vec::new();
        for source in sources {
            let view = self.store.get(self.scope, source.message_id);
            texts.extend(view.and_then(|view| view.text).map(lowercase));
        }
        if let Some(evidence) = record.value.get_mut("evidence") {
            let mut shown: Vec<String> = from_value(evidence.clone()).unwrap_or_default();
            shown.retain(|shown| texts.iter().any(|text| text.contains(&lowercase(shown))));
            *evidence = to_value(&shown)?;
        }
        Ok(())
    }
}

fn remade(record: Record) -> Result<Fate> {
    Ok(Fate::Remade(Box::new(record)))
}

/// What a record says, apart from how that came about.
pub(super) fn says(record: &Record) -> (Option<&str>, Value) {
    let mut value = record.value.clone();
    if record.kind == Kind::Field {
        value = value.get("value").cloned().unwrap_or_default();
    } else if record.kind != Kind::Document && record.text.is_some() {
        value = Value::Null;
    }
    (record.text.as_deref(), value)
}

/// Takes the words of one message out of what a value says of itself.
fn strip(record: &mut Record) {
    if let (Value::Object(value), true) = (&mut record.value, record.kind != Kind::Document) {
        value.retain(|name, _| !OF_ONE_MESSAGE.contains(&name.as_str()));
    }
}

fn is_user(record: &Record) -> bool {
    record.value.get("origin") == Some(&Value::from("user"))
}

fn is_list(record: &Record) -> bool {
    record.kind == Kind::Field && record.value.get("value").is_some_and(Value::is_array)
}

/// The texts of a record that goes, in all of its versions.
pub(super) fn texts<'a>(versions: &'a [Past<'_>]) -> impl Iterator<Item = &'a str> {
    versions.iter().filter_map(|past| past.view.text)
}
