//! `memory.jsonl`: the graph as lines of JSON, entities first, as tools for models keep it in a file.

use super::adjacency::connects;
use super::creation::ends;
use super::entity::Entity;
use super::relation::{self, Relation};
use super::{Graph, present};
use crate::error::Result;
use crate::id::Id;
use crate::json::to_value;
use crate::log::Op;
use crate::record::{Kind, MAX_RECORD_BYTES};
use crate::scope::Scope;
use crate::sort::sorted;
use crate::store::MAX_COMMIT_BYTES;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How many lines one commit takes in.
const LINES_PER_COMMIT: usize = 500;

/// What to import.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportText {
    /// The text of a `memory.jsonl`.
    pub text: String,
}

/// What an import did.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    /// How many entities are new.
    pub entities: usize,
    /// How many relations are new.
    pub relations: usize,
    /// The lines that could not be taken in, in order.
    pub skipped: Vec<SkippedLine>,
    /// The commits, oldest first, for undoing them from the last to the first.
    pub commit_ids: Vec<Id>,
}

/// A line that was left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SkippedLine {
    /// Its number, from 1.
    pub line: usize,
    /// Why.
    pub reason: String,
}

/// A line that can be read, with its number and the bytes it takes as a record.
struct Line<T> {
    number: usize,
    item: T,
    bytes: usize,
}

type Lines<T> = Vec<Line<T>>;

impl Graph {
    /// The graph of the present as the text of a `memory.jsonl`, which ends with a line feed.
    ///
    /// # Errors
    /// Those of reading.
    pub fn export_jsonl(&self, scope: &Scope) -> Result<String> {
        let now = self.database.now();
        self.database.read(|store| {
            let mut lines = Vec::new();
            for view in store.records(scope, Kind::Entity).filter(|view| view.holds_at(now)) {
                lines.push(line("entity", to_value(&Entity::of(&view)?)?));
            }
            let relations = store.records(scope, Kind::Relation).filter(|view| view.holds_at(now));
            for view in relations.filter(|view| connects(store, scope, view, now)) {
                lines.push(line("relation", view.value()?));
            }
            Ok(lines.join("\n") + "\n")
        })
    }

    /// Takes in the text of a `memory.jsonl`: first its entities, then its relations, in commits of up to 500 lines that are
    /// each stored as a whole. What is there already is not changed, so importing twice adds nothing.
    ///
    /// # Errors
    /// Those of storing; what was stored before stays, and importing again goes on from there.
    pub async fn import_jsonl(&self, scope: &Scope, import: ImportText) -> Result<Imported> {
        let mut imported = Imported::default();
        let (entities, relations) = read_lines(self, scope, &import.text, &mut imported.skipped)?;
        let sizes: Vec<usize> = entities.iter().map(|line| line.bytes).collect();
        for chunk in chunks(&entities, &sizes) {
            let (mut added, mut skipped) = (0, Vec::new());
            let actions = self.write(scope, &mut |store, draft| {
                let now = self.database.now();
                (added, skipped) = (0, Vec::new());
                let mut earlier: FxHashMap<&str, &Entity> = FxHashMap::default();
                for Line { number, item, .. } in chunk {
                    let stored = present(store, scope, Kind::Entity, &item.name, now);
                    let stored = stored.map(|view| Entity::of(&view)).transpose()?;
                    match stored.as_ref().or(earlier.get(item.name.as_str()).copied()) {
                        Some(known) if known == item => {}
                        Some(_) => skipped.push(SkippedLine {
                            line: *number,
                            reason: format!(
                                "an entity named {:?} is there with other content; add_observations adds to it",
                                item.name
                            ),
                        }),
                        None => {
                            self.put_new_entity(store, draft, item.clone(), now)?;
                            earlier.insert(&item.name, item);
                            added += 1;
                        }
                    }
                }
                Ok(())
            })
            .await?;
            imported.commit_ids.extend(actions.iter().find_map(|action| action.commit_id));
            imported.entities += added;
            imported.skipped.append(&mut skipped);
        }
        let sizes: Vec<usize> = relations.iter().map(|line| line.bytes).collect();
        for chunk in chunks(&relations, &sizes) {
            let (mut added, mut skipped) = (0, Vec::new());
            let actions = self
                .write(scope, &mut |store, draft| {
                    let now = self.database.now();
                    (added, skipped) = (0, Vec::new());
                    let mut keys = FxHashSet::default();
                    for Line { number, item, .. } in chunk {
                        let (from, to) = match ends(store, scope, item, now) {
                            Ok(ends) => ends,
                            Err(error) => {
                                skipped.push(SkippedLine { line: *number, reason: error.into() });
                                continue;
                            }
                        };
                        let key = relation::key(from, to, &item.relation_type);
                        if present(store, scope, Kind::Relation, &key, now).is_none() && keys.insert(key) {
                            self.put_new_relation(store, draft, item, (from, to), now)?;
                            added += 1;
                        }
                    }
                    Ok(())
                })
                .await?;
            imported.commit_ids.extend(actions.iter().find_map(|action| action.commit_id));
            imported.relations += added;
            imported.skipped.append(&mut skipped);
        }
        let skipped = sorted(&imported.skipped, |a, b| a.line.cmp(&b.line));
        imported.skipped = skipped.into_iter().cloned().collect();
        Ok(imported)
    }
}

/// The lines that can be taken in; what is wrong with others is noted. Blank lines are none.
fn read_lines(
    graph: &Graph,
    scope: &Scope,
    text: &str,
    skipped: &mut Vec<SkippedLine>,
) -> Result<(Lines<Entity>, Lines<Relation>)> {
    let (mut entities, mut relations) = (Vec::new(), Vec::new());
    let nobody = Id::from_bytes([0; 16]);
    for (place, text) in text.trim_start_matches('\u{feff}').split('\n').enumerate() {
        let number = place + 1;
        if text.trim().is_empty() {
            continue;
        }
        let read = match parse(text) {
            Ok(Parsed::Entity(mut item)) => {
                graph.mask(item.observations.iter_mut())?;
                let record = item.clone().into_record(nobody, scope, 0)?;
                let bytes = Op::put(&record).size();
                let checked = item.check().map_err(String::from).and_then(|()| within(bytes));
                checked.map(|()| entities.push(Line { number, item, bytes }))
            }
            Ok(Parsed::Relation(item)) => {
                let bytes = Op::put(&item.to_record(nobody, nobody, nobody, scope, 0)?).size();
                let checked = item.check().map_err(String::from);
                checked.map(|()| relations.push(Line { number, item, bytes }))
            }
            Err(reason) => Err(reason),
        };
        if let Err(reason) = read {
            skipped.push(SkippedLine { line: number, reason });
        }
    }
    Ok((entities, relations))
}

enum Parsed {
    Entity(Entity),
    Relation(Relation),
}

fn parse(text: &str) -> Result<Parsed, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
    let kind = value.get("type").cloned().unwrap_or_default();
    match kind.as_str() {
        Some("entity") => item(value).map(Parsed::Entity),
        Some("relation") => item(value).map(Parsed::Relation),
        _ => Err(format!("its type is {kind}; it must be \"entity\" or \"relation\"")),
    }
}

fn item<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    crate::json::from_value(value).map_err(|error| error.to_string())
}

/// Refuses an entity that no record can hold.
fn within(bytes: usize) -> Result<(), String> {
    if bytes <= MAX_RECORD_BYTES {
        return Ok(());
    }
    Err(format!("an entity of {bytes} bytes is over the limit of {MAX_RECORD_BYTES}; split it"))
}

/// Runs of lines that fit into one commit.
fn chunks<'a, T>(lines: &'a [Line<T>], sizes: &[usize]) -> Vec<&'a [Line<T>]> {
    let (mut chunks, mut start, mut bytes) = (Vec::new(), 0, 0);
    for (end, size) in sizes.iter().enumerate() {
        if end - start == LINES_PER_COMMIT || bytes + size > MAX_COMMIT_BYTES {
            chunks.extend(lines.get(start..end));
            (start, bytes) = (end, 0);
        }
        bytes += size;
    }
    chunks.extend(lines.get(start..).filter(|rest| !rest.is_empty()));
    chunks
}

/// One line: the type first.
fn line(kind: &str, item: Value) -> String {
    let mut line = Map::new();
    line.insert("type".to_owned(), kind.into());
    if let Value::Object(properties) = item {
        line.extend(properties);
    }
    Value::Object(line).to_string()
}
