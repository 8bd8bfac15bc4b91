//! The way of sixty pages through the tiers, and what it costs.

use super::careful::{Careful, Places, fixture};
use crate::support::world::World;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A way: when a page was added, when it moved and into what, when it was distilled.
#[derive(Default)]
struct Way {
    topic: String,
    mid: Option<(usize, String)>,
    long: Option<usize>,
}

#[test]
fn every_page_goes_from_short_to_mid_to_long() {
    let (world, llm) = (World::new(), Careful::new());
    let engine = world.open(Some(llm.clone()), &json!({}));
    let pages = fixture()["pages"].as_array().unwrap().clone();
    assert_eq!(pages.len(), 60);
    let mut ways: Vec<Way> = Vec::new();
    let mut seen = 0;
    let mut most = 0;
    for (turn, page) in pages.iter().enumerate().map(|(place, page)| (place + 1, page)) {
        // Once in a while the user comes back to something.
        if turn % 10 == 0 {
            world.call(&engine, "tiers.retrieve", json!({ "query": page["query"], "topSegments": 1 }));
        }
        world.call(&engine, "tiers.add", json!({ "query": page["query"], "response": page["response"] }));
        ways.push(Way { topic: page["topic"].as_str().unwrap().to_owned(), ..Way::default() });
        world.idle(&engine);
        world.machine.pass(60_000);
        let places = Places::read(&world);
        places.check();
        assert_eq!(places.all().len(), turn, "nothing is lost");
        most = most.max(places.short.len());
        let number = |query: &str| pages.iter().position(|page| page["query"] == query).unwrap();
        for (segment, queries) in &places.mid {
            let summary = &places.segments[segment].2;
            let fixture = fixture();
            let topics = fixture["topics"].as_object().unwrap();
            let name = topics.iter().find(|(_, told)| told["summary"] == summary.as_str());
            let name = name.map_or_else(|| summary.clone(), |(name, _)| name.clone());
            for query in queries {
                let way = &mut ways[number(query)];
                match &way.mid {
                    None => way.mid = Some((turn, name.clone())),
                    Some((_, before)) => assert_eq!(*before, name, "a page stays in its segment"),
                }
            }
        }
        for query in llm.distilled.borrow().iter().skip(seen).flatten() {
            let way = &mut ways[number(query)];
            assert!(way.long.is_none() && way.mid.is_some(), "{query} is distilled once, out of a segment");
            way.long = Some(turn);
        }
        seen = llm.distilled.borrow().len();
    }
    let mut trace = String::new();
    for (place, Way { topic, mid, long }) in ways.iter().enumerate() {
        let turn = place + 1;
        write!(trace, "{turn} {topic}: short {turn}").unwrap();
        if let Some((turn, name)) = mid {
            write!(trace, ", mid {turn} in {name}").unwrap();
        }
        if let Some(turn) = long {
            write!(trace, ", long {turn}").unwrap();
        }
        trace.push('\n');
    }
    let (tier, distil) = (llm.calls("tier"), llm.calls("distil"));
    writeln!(trace, "calls: {tier} to move, {distil} to distil, {} in 60 turns", tier + distil).unwrap();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/tiers/trace.txt");
    let golden = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(trace, golden, "the trace is now:\n{trace}");
    assert_eq!(most, 7, "the queue never holds more than its capacity once the background rests");
    assert!(tier + distil <= 60 / 2, "at most half a call a turn");
    let known =
        world.call(&engine, "tiers.retrieve", json!({ "query": "How are the tomatoes in my garden?" }));
    assert_eq!(known["traits"][0]["name"], json!("curiosity"));
    assert_eq!(known["agentProfile"], json!({ "role": "adviser" }));
    assert_eq!(known["agentTraits"][0]["text"], json!("The assistant gave advice on the garden"));
    assert_eq!(known["segments"][0]["summary"], fixture()["topics"]["garden"]["summary"]);
    let facts = world.call(&engine, "facts.list", json!({}));
    let facts = facts.as_array().unwrap();
    assert_eq!(facts.len(), 5, "no fact stands twice: {facts:?}");
    let mut by_topic: BTreeMap<&str, &Value> = BTreeMap::new();
    for fact in facts {
        assert_eq!((&fact["metadata"]["tier"], &fact["origin"]), (&json!("knowledge"), &json!("model")));
        assert!(!fact["source"][0]["quote"].as_str().unwrap().is_empty());
        by_topic.insert(fact["text"].as_str().unwrap(), fact);
    }
    let usage = world.try_call(&engine, "usage", "", json!({})).unwrap();
    assert_eq!(usage["byPurpose"]["tier"]["calls"], json!(tier));
    assert_eq!(usage["byPurpose"]["tier"]["failures"], json!(0));
}
