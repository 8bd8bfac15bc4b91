//! Random batches against a plain list.

use super::{open, records};
use crate::support::world::World;
use proptest::prelude::*;
use serde_json::{Value, json};

/// One step of a random life.
#[derive(Debug, Clone)]
enum Act {
    Put(usize, usize, i64),
    Delete(usize, usize),
    Get(usize, usize),
    Search(usize, i64),
    List,
    Reopen,
}

const NAMESPACES: [&[&str]; 5] = [&["a"], &["ab"], &["a", "b"], &["a", "b", "c"], &["b"]];
const KEYS: [&str; 3] = ["k", "b..k", "."];

fn act() -> impl Strategy<Value = Act> {
    let (namespace, key) = (0..NAMESPACES.len(), 0..KEYS.len());
    prop_oneof![
        4 => (namespace.clone(), key.clone(), 0..4_i64).prop_map(|(n, k, v)| Act::Put(n, k, v)),
        2 => (namespace.clone(), key.clone()).prop_map(|(n, k)| Act::Delete(n, k)),
        2 => (namespace.clone(), key).prop_map(|(n, k)| Act::Get(n, k)),
        2 => (namespace, 0..4_i64).prop_map(|(n, v)| Act::Search(n, v)),
        1 => Just(Act::List),
        1 => Just(Act::Reopen),
    ]
}

/// Documents in the order of their first put: what every store of documents comes down to.
type Model = Vec<((usize, usize), i64)>;

fn operation(act: &Act) -> Value {
    match act {
        Act::Put(n, k, v) => {
            json!({ "op": "put", "namespace": NAMESPACES[*n], "key": KEYS[*k], "value": { "v": v } })
        }
        Act::Delete(n, k) => json!({ "op": "delete", "namespace": NAMESPACES[*n], "key": KEYS[*k] }),
        Act::Get(n, k) => json!({ "op": "get", "namespace": NAMESPACES[*n], "key": KEYS[*k] }),
        Act::Search(n, v) => {
            json!({ "op": "search", "prefix": NAMESPACES[*n], "filter": { "v": { "$gte": v } }, "limit": 100 })
        }
        Act::List | Act::Reopen => json!({ "op": "listNamespaces" }),
    }
}

/// What the model answers, in a form that an answer can be brought to.
fn expected(model: &mut Model, act: &Act) -> Value {
    match act {
        Act::Put(n, k, v) => {
            match model.iter_mut().find(|(name, _)| *name == (*n, *k)) {
                Some((_, value)) => *value = *v,
                None => model.push(((*n, *k), *v)),
            }
            Value::Null
        }
        Act::Delete(n, k) => {
            model.retain(|(name, _)| *name != (*n, *k));
            Value::Null
        }
        Act::Get(n, k) => {
            model.iter().find(|(name, _)| *name == (*n, *k)).map_or(Value::Null, |(_, v)| json!(v))
        }
        Act::Search(n, least) => {
            let below =
                model.iter().filter(|((at, _), v)| NAMESPACES[*at].starts_with(NAMESPACES[*n]) && v >= least);
            below.map(|((n, k), v)| json!([NAMESPACES[*n], KEYS[*k], v])).collect()
        }
        Act::List | Act::Reopen => {
            let mut namespaces: Vec<&[&str]> = model.iter().map(|((n, _), _)| NAMESPACES[*n]).collect();
            namespaces.sort_unstable();
            namespaces.dedup();
            json!(namespaces)
        }
    }
}

fn brought(act: &Act, answer: &Value) -> Value {
    match act {
        Act::Put(..) | Act::Delete(..) => Value::Null,
        Act::Get(..) => answer.get("value").map_or(Value::Null, |value| value["v"].clone()),
        Act::Search(..) => {
            let hits = answer.as_array().unwrap().iter();
            hits.map(|hit| json!([hit["namespace"], hit["key"], hit["value"]["v"]])).collect()
        }
        Act::List | Act::Reopen => answer.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn a_life_of_batches_is_as_in_a_plain_list(batches in prop::collection::vec(prop::collection::vec(act(), 1..6), 1..12)) {
        let world = World::of("documents.");
        let mut engine = open(&world);
        let mut model = Model::new();
        for batch in batches {
            let operations: Vec<Value> = batch.iter().map(operation).collect();
            let answers = world.call(&engine, "batch", json!({ "operations": operations }));
            for (act, answer) in batch.iter().zip(answers.as_array().unwrap()) {
                prop_assert_eq!(brought(act, answer), expected(&mut model, act), "{:?}", act);
            }
            if batch.iter().any(|act| matches!(act, Act::Reopen)) {
                engine = open(&world);
            }
            for act in [Act::Search(0, 0), Act::Search(4, 0), Act::List] {
                let mut asked = operation(&act);
                asked.as_object_mut().unwrap().remove("op");
                let method = if matches!(act, Act::List) { "listNamespaces" } else { "search" };
                prop_assert_eq!(brought(&act, &world.call(&engine, method, asked)), expected(&mut model, &act));
            }
        }
        prop_assert_eq!(records(&world, &engine), model.len() as u64);
    }
}
