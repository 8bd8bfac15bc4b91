//! Walks against a plain walk.

use super::{entity, open, relation};
use crate::support::world::World;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn walks_reach_what_a_plain_walk_reaches(
        edges in prop::collection::vec((0..8_usize, 0..8_usize, 0..2_usize), 0..16),
        start in 0..8_usize,
        end in 0..8_usize,
        depth in 1..5_usize,
        only in prop::option::of(0..2_usize),
    ) {
        let world = World::of("graph.");
        let engine = open(&world);
        let name = |number: usize| format!("n{number}");
        let entities: Vec<Value> = (0..8).map(|number| entity(&name(number), "node", &[])).collect();
        world.call(&engine, "create_entities", json!({ "entities": entities }));
        let relations: Vec<Value> =
            edges.iter().map(|(from, to, kind)| relation(&name(*from), &name(*to), &format!("r{kind}"))).collect();
        world.call(&engine, "create_relations", json!({ "relations": relations }));
        // Distances, by relaxing every edge as often as there are nodes.
        let distances = |start: usize, only: Option<usize>| {
            let mut distances = [usize::MAX; 8];
            distances[start] = 0;
            for _ in 0..8 {
                for (from, to, kind) in &edges {
                    if only.is_none_or(|only| only == *kind) {
                        distances[*to] = distances[*to].min(distances[*from].saturating_add(1));
                        distances[*from] = distances[*from].min(distances[*to].saturating_add(1));
                    }
                }
            }
            distances
        };
        let mut options = json!({ "names": [name(start)], "depth": depth });
        if let Some(kind) = only {
            options["relationTypes"] = json!([format!("r{kind}")]);
        }
        let found = world.call(&engine, "neighbours", options);
        let away = distances(start, only);
        let reached: BTreeMap<String, u64> = found["entities"]
            .as_array().unwrap().iter()
            .map(|item| (item["name"].as_str().unwrap().to_owned(), item["depth"].as_u64().unwrap()))
            .collect();
        let near = (0..8).filter(|node| away[*node] <= depth);
        let expected: BTreeMap<String, u64> = near.map(|node| (name(node), away[node] as u64)).collect();
        prop_assert_eq!(reached, expected);
        let walked: BTreeSet<String> = found["relations"]
            .as_array().unwrap().iter()
            .map(|item| format!("{} {} {}", item["from"], item["to"], item["relationType"]))
            .collect();
        let expected: BTreeSet<String> = edges
            .iter()
            .filter(|(from, to, kind)| {
                only.is_none_or(|only| only == *kind) && away[*from].min(away[*to]) < depth
            })
            .map(|(from, to, kind)| {
                let item = relation(&name(*from), &name(*to), &format!("r{kind}"));
                format!("{} {} {}", item["from"], item["to"], item["relationType"])
            })
            .collect();
        prop_assert_eq!(walked, expected);
        let path = world.call(
            &engine, "path", json!({ "from": name(start), "to": name(end), "maxDepth": depth }),
        );
        let distance = distances(start, None)[end];
        if distance > depth {
            prop_assert_eq!(path, Value::Null);
        } else {
            let (nodes, steps) = (path["entities"].as_array().unwrap(), path["relations"].as_array().unwrap());
            prop_assert_eq!((nodes.len(), steps.len()), (distance + 1, distance));
            prop_assert_eq!(&nodes[0]["name"], &json!(name(start)));
            prop_assert_eq!(&nodes[distance]["name"], &json!(name(end)));
            for (step, ends) in steps.iter().zip(nodes.windows(2)) {
                let ends = [&ends[0]["name"], &ends[1]["name"]];
                prop_assert!(ends == [&step["from"], &step["to"]] || ends == [&step["to"], &step["from"]]);
            }
        }
    }
}
