//! The nine operations against a plain model.

use super::{open, read, relation};
use crate::support::world::{ALICE, BOB, World};
use mnemic::Result;
use mnemic::lowercase::lowercase;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A graph as the nine operations describe it, and nothing else.
#[derive(Debug, Clone, Default, PartialEq)]
struct Model {
    entities: Vec<(String, String, Vec<String>)>,
    relations: Vec<(String, String, String)>,
}

#[derive(Debug, Clone)]
enum Operation {
    CreateEntities(Vec<(String, String, Vec<String>)>),
    CreateRelations(Vec<(String, String, String)>),
    AddObservations(Vec<(String, Vec<String>)>),
    DeleteEntities(Vec<String>),
    DeleteObservations(Vec<(String, Vec<String>)>),
    DeleteRelations(Vec<(String, String, String)>),
    SearchNodes(String),
    OpenNodes(Vec<String>),
    Reopen,
}

impl Model {
    fn entity(&mut self, name: &str) -> Option<&mut (String, String, Vec<String>)> {
        self.entities.iter_mut().find(|(known, ..)| known == name)
    }

    /// What the graph shows of some entities.
    fn shown(&self, wanted: impl Fn(&(String, String, Vec<String>)) -> bool) -> Value {
        let entities: Vec<_> = self.entities.iter().filter(|item| wanted(item)).collect();
        let among = |name: &String| entities.iter().any(|(known, ..)| known == name);
        let relations: Vec<Value> = self
            .relations
            .iter()
            .filter(|(from, to, _)| among(from) || among(to))
            .map(|(from, to, relation_type)| relation(from, to, relation_type))
            .collect();
        let entities: Vec<Value> = entities
            .iter()
            .map(|(name, entity_type, observations)| {
                json!({ "name": name, "entityType": entity_type, "observations": observations })
            })
            .collect();
        json!({ "entities": entities, "relations": relations })
    }

    /// What an operation answers: its method, its options and the answer, or the message of the error.
    fn apply(&mut self, operation: &Operation) -> (&'static str, Value, Result<Value, String>) {
        let missing = |name: &str| Err(format!("Entity with name {name} not found"));
        let done = |message: String| Ok(json!({ "success": true, "message": message }));
        match operation {
            Operation::CreateEntities(new) => {
                let (mut created, mut skipped) = (Vec::new(), Vec::new());
                for (name, entity_type, given) in new {
                    let mut observations: Vec<String> = Vec::new();
                    for observation in given {
                        if !observations.contains(observation) {
                            observations.push(observation.clone());
                        }
                    }
                    if self.entity(name).is_some() {
                        skipped.push(name.clone());
                    } else {
                        self.entities.push((name.clone(), entity_type.clone(), observations.clone()));
                        created.push(
                            json!({ "name": name, "entityType": entity_type, "observations": observations }),
                        );
                    }
                }
                let entities: Vec<Value> = new
                    .iter()
                    .map(|(name, kind, known)| json!({ "name": name, "entityType": kind, "observations": known }))
                    .collect();
                let mut answer = json!({ "entities": created });
                if !skipped.is_empty() {
                    answer["skipped"] = json!(skipped);
                }
                ("create_entities", json!({ "entities": entities }), Ok(answer))
            }
            Operation::CreateRelations(new) => {
                let options: Vec<Value> =
                    new.iter().map(|(from, to, kind)| relation(from, to, kind)).collect();
                let options = json!({ "relations": options });
                let unknown =
                    new.iter().flat_map(|(from, to, _)| [from, to]).find(|name| self.entity(name).is_none());
                if let Some(name) = unknown {
                    return ("create_relations", options, missing(name));
                }
                let mut created = Vec::new();
                for item in new {
                    if !self.relations.contains(item) {
                        self.relations.push(item.clone());
                        created.push(relation(&item.0, &item.1, &item.2));
                    }
                }
                ("create_relations", options, Ok(json!({ "relations": created })))
            }
            Operation::AddObservations(new) => {
                let options: Vec<Value> = new
                    .iter()
                    .map(|(name, contents)| json!({ "entityName": name, "contents": contents }))
                    .collect();
                let options = json!({ "observations": options });
                if let Some((name, _)) = new.iter().find(|(name, _)| self.entity(name).is_none()) {
                    return ("add_observations", options, missing(name));
                }
                let mut results = Vec::new();
                for (name, contents) in new {
                    let known = &mut self.entity(name).unwrap().2;
                    let mut added: Vec<String> = Vec::new();
                    for text in contents {
                        if !known.contains(text) {
                            known.push(text.clone());
                            added.push(text.clone());
                        }
                    }
                    results.push(json!({ "entityName": name, "addedObservations": added }));
                }
                ("add_observations", options, Ok(json!({ "results": results })))
            }
            Operation::DeleteEntities(names) => {
                let (there, gone): (Vec<&String>, Vec<&String>) =
                    names.iter().partition(|name| self.entities.iter().any(|(known, ..)| known == *name));
                let message = if gone.is_empty() {
                    "Entities deleted successfully".to_owned()
                } else {
                    let gone: Vec<&str> = gone.iter().map(|name| name.as_str()).collect();
                    format!(
                        "Deleted {} of {} entities. Not found: {}",
                        there.len(),
                        names.len(),
                        gone.join(", ")
                    )
                };
                self.entities.retain(|(name, ..)| !names.contains(name));
                self.relations.retain(|(from, to, _)| !names.contains(from) && !names.contains(to));
                ("delete_entities", json!({ "entityNames": names }), done(message))
            }
            Operation::DeleteObservations(deletions) => {
                let (mut asked, mut lacking, mut gone, mut missing) = (0, 0, Vec::new(), Vec::new());
                for (name, observations) in deletions {
                    asked += observations.len();
                    match self.entity(name) {
                        Some((_, _, known)) => {
                            let lacks =
                                observations.iter().filter(|observation| !known.contains(observation));
                            missing.extend(lacks.map(|observation| format!("{observation} ({name})")));
                            known.retain(|observation| !observations.contains(observation));
                        }
                        None => {
                            gone.push(name.as_str());
                            lacking += observations.len();
                        }
                    }
                }
                lacking += missing.len();
                let mut message = format!("Deleted {} of {asked} observations", asked - lacking);
                if !gone.is_empty() {
                    message.push_str(&format!(". Entities not found: {}", gone.join(", ")));
                }
                if !missing.is_empty() {
                    message.push_str(&format!(". Not found: {}", missing.join(", ")));
                }
                if gone.is_empty() && missing.is_empty() {
                    message = "Observations deleted successfully".to_owned();
                }
                let options: Vec<Value> = deletions
                    .iter()
                    .map(|(name, known)| json!({ "entityName": name, "observations": known }))
                    .collect();
                ("delete_observations", json!({ "deletions": options }), done(message))
            }
            Operation::DeleteRelations(relations) => {
                let missing: Vec<String> = relations
                    .iter()
                    .filter(|item| !self.relations.contains(item))
                    .map(|(from, to, kind)| format!("{from} {kind} {to}"))
                    .collect();
                self.relations.retain(|item| !relations.contains(item));
                let message = if missing.is_empty() {
                    "Relations deleted successfully".to_owned()
                } else {
                    let deleted = relations.len() - missing.len();
                    format!(
                        "Deleted {deleted} of {} relations. Not found: {}",
                        relations.len(),
                        missing.join(", ")
                    )
                };
                let options: Vec<Value> =
                    relations.iter().map(|(from, to, kind)| relation(from, to, kind)).collect();
                ("delete_relations", json!({ "relations": options }), done(message))
            }
            Operation::SearchNodes(query) => {
                let folded = lowercase(query);
                let shown = self.shown(|(name, entity_type, observations)| {
                    let mut texts = [name, entity_type].into_iter().chain(observations);
                    texts.any(|text| lowercase(text).contains(&folded))
                });
                ("search_nodes", json!({ "query": query }), Ok(shown))
            }
            Operation::OpenNodes(names) => {
                let shown = self.shown(|(name, ..)| names.contains(name));
                ("open_nodes", json!({ "names": names }), Ok(shown))
            }
            Operation::Reopen => ("read_graph", json!({}), Ok(self.shown(|_| true))),
        }
    }
}

fn operation() -> impl Strategy<Value = Operation> {
    let name = || "[abAB]{1,2}|\u{130}\n?";
    let text = || "[abAB \n\u{c9}\u{e9}]{0,4}";
    let texts = move || prop::collection::vec(text(), 0..4);
    let triple = move || (name(), name(), "[kr/]{0,1}");
    prop_oneof![
        4 => prop::collection::vec((name(), text(), texts()), 0..4).prop_map(Operation::CreateEntities),
        4 => prop::collection::vec(triple(), 0..3).prop_map(Operation::CreateRelations),
        3 => prop::collection::vec((name(), texts()), 0..3).prop_map(Operation::AddObservations),
        1 => prop::collection::vec(name(), 0..3).prop_map(Operation::DeleteEntities),
        2 => prop::collection::vec((name(), texts()), 0..3).prop_map(Operation::DeleteObservations),
        2 => prop::collection::vec(triple(), 0..3).prop_map(Operation::DeleteRelations),
        3 => text().prop_map(Operation::SearchNodes),
        3 => prop::collection::vec(name(), 0..4).prop_map(Operation::OpenNodes),
        2 => Just(Operation::Reopen),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn the_nine_operations_do_what_a_plain_model_does(operations in prop::collection::vec(operation(), 0..40)) {
        let (world, mut model) = (World::of("graph."), Model::default());
        let mut engine = open(&world);
        for operation in operations {
            if matches!(operation, Operation::Reopen) {
                engine = open(&world);
            }
            let (method, options, expected) = model.apply(&operation);
            let answer = world.try_call(&engine, &format!("graph.{method}"), ALICE, options);
            // As text, since the order of keys counts.
            let answer = answer.map(|answer| answer.to_string()).map_err(String::from);
            prop_assert_eq!(answer, expected.map(|expected| expected.to_string()), "{:?}", operation);
        }
        prop_assert_eq!(read(&world, &engine), model.shown(|_| true).to_string());
        prop_assert_eq!(read(&world, &open(&world)), model.shown(|_| true).to_string());
        // What goes out comes in again, byte by byte.
        let text = world.call(&engine, "export_jsonl", json!({}));
        let imported = world.try_call(&engine, "graph.import_jsonl", BOB, json!({ "text": text })).unwrap();
        prop_assert_eq!(&imported["skipped"], &json!([]));
        let copied = world.try_call(&engine, "graph.export_jsonl", BOB, json!({})).unwrap();
        prop_assert_eq!(copied, text);
    }
}
