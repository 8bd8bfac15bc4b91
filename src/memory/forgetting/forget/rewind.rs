//! Records as they were before a time of which everything goes: each part of a record by itself, so that what was changed after
//! that time stays.

use super::gone::Gone;
use super::remake::says;
use crate::error::Result;
use crate::memory::message::{StoredMessage, carry_over};
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::store::{Ever, Past, Store};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A part of a record that may be changed by itself.
enum Part<'a> {
    /// What it says.
    Words,
    /// A member of its value beside that.
    Member(&'a str),
    /// What is kept with it.
    Aside(fn(&mut Record, &Record)),
}

const ASIDE: [fn(&mut Record, &Record); 7] = [
    |to, from| to.metadata.clone_from(&from.metadata),
    |to, from| to.key.clone_from(&from.key),
    |to, from| to.pinned = from.pinned,
    |to, from| to.significance = from.significance,
    |to, from| to.valid_from = from.valid_from,
    |to, from| to.valid_to = from.valid_to,
    |to, from| to.expires_at = from.expires_at,
];

impl Part<'_> {
    fn copy(&self, to: &mut Record, from: &Record) {
        match self {
            Self::Words => {
                to.text.clone_from(&from.text);
                match from.kind {
                    Kind::Document => to.value.clone_from(&from.value),
                    Kind::Field => set(&mut to.value, "value", from),
                    _ => {}
                }
            }
            Self::Member(name) => set(&mut to.value, name, from),
            Self::Aside(copy) => copy(to, from),
        }
    }
}

fn set(value: &mut Value, name: &str, from: &Record) {
    if !value.is_object() {
        *value = json!({});
    }
    if let Value::Object(members) = value {
        match from.value.get(name) {
            Some(member) => drop(members.insert(name.to_owned(), member.clone())),
            None => drop(members.remove(name)),
        }
    }
}

/// A record with each of its parts as it last was by a version that stays; of what none stays, nothing is left. `None` when no
/// version stays in which it said anything.
pub(super) fn rewound(store: &Store, scope: &Scope, gone: &Gone, ever: &Ever<'_>) -> Result<Option<Record>> {
    let mut versions: Vec<(Record, &Past<'_>)> = Vec::new();
    for past in &ever.versions {
        versions.push((past.view.to_record(scope)?, past));
    }
    let Some((last, _)) = versions.last() else { return Ok(None) };
    let blank = Record {
        value: if last.value.is_object() { json!({}) } else { Value::Null },
        revision: last.revision,
        ..Record::new(last.id, last.kind, scope.clone(), last.created_at)
    };
    let names: BTreeSet<&str> = versions
        .iter()
        .filter(|(record, _)| record.kind != Kind::Document)
        .filter_map(|(record, _)| record.value.as_object())
        .flat_map(|members| members.keys().map(String::as_str))
        .filter(|name| last.kind != Kind::Field || *name != "value")
        .collect();
    let mut record = blank.clone();
    let parts = std::iter::once(Part::Words)
        .chain(names.into_iter().map(Part::Member))
        .chain(ASIDE.into_iter().map(Part::Aside));
    for part in parts {
        let (mut before, mut stays, mut kept) = (None, false, None);
        for (version, past) in &versions {
            let mut now = blank.clone();
            part.copy(&mut now, version);
            if before.as_ref() != Some(&now) {
                stays = match part {
                    // What the user pinned or noted does not go with a source.
                    Part::Aside(_) => !gone.is_of_times(past),
                    _ => !gone.is_under(past)?,
                };
            }
            if stays {
                kept = Some((version, past));
            }
            before = Some(now);
        }
        match (kept, &part) {
            (Some((version, past)), Part::Words) => {
                part.copy(&mut record, version);
                let is_same = says(version) == says(last);
                let from = if is_same { versions.last().map_or(past, |(_, past)| past) } else { past };
                record.provenance = gone.rest(&from.view)?;
            }
            (Some((version, _)), _) => part.copy(&mut record, version),
            (None, Part::Words) => return Ok(None),
            (None, _) => {}
        }
    }
    // Another record goes by that name by now.
    let named = record.key.as_deref().and_then(|key| store.by_key(scope, record.kind, key));
    if named.is_some_and(|view| view.id != record.id) {
        record.key.clone_from(&last.key);
    }
    Ok(Some(record))
}

/// A message with the words that it had before a time of which everything goes, and what of them was withheld since. `None` when
/// it had no others.
pub(super) fn reworded(store: &Store, scope: &Scope, gone: &Gone, ever: &Ever<'_>) -> Result<Option<Record>> {
    let Some(last) = ever.versions.last() else { return Ok(None) };
    let (mut before, mut stays, mut kept) = (None, false, None);
    for past in &ever.versions {
        let words = words(past)?;
        if before.as_ref() != Some(&words) {
            stays = !gone.is_of_times(past);
        }
        if stays {
            kept = Some(past);
        }
        before = Some(words);
    }
    let Some(kept) = kept else { return Ok(None) };
    let (last, kept) = (last.view.to_record(scope)?, kept.view.to_record(scope)?);
    let mut record = carry_over(&last, kept)?;
    let aside = rewound(store, scope, gone, ever)?.map_or_else(Default::default, |record| record.metadata);
    (record.metadata, record.revision) = (aside, last.revision);
    Ok(Some(record))
}

/// What a message said as it was handed over.
pub(super) fn words(past: &Past<'_>) -> Result<Value> {
    let whole = StoredMessage::whole(&past.view)?;
    Ok(json!([whole.role, whole.name, whole.content, whole.tool_calls, whole.tool_call_id]))
}
