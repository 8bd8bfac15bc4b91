//! Facts that say the same in other words become one, when the application asks.

use crate::support::world::{Scripted, World};
use mnemic::Code;
use mnemic::engine::Engine;
use serde_json::{Value, json};

const TEA: [&str; 3] =
    ["The user likes green tea.", "The user really likes green tea.", "The user plays the cello."];

fn world_with(
    answers: impl IntoIterator<Item = Value>,
    facts: &[&str],
) -> (World, Engine, std::rc::Rc<Scripted>) {
    let world = World::new();
    let model = Scripted::new(answers);
    let engine = world.open(Some(model.clone()), &json!({}));
    for fact in facts {
        world.call(&engine, "facts.add", json!({ "text": fact }));
        world.machine.pass(1000);
    }
    (world, engine, model)
}

fn texts(world: &World, engine: &Engine) -> Vec<String> {
    let facts = world.call(engine, "facts.list", json!({}));
    facts.as_array().unwrap().iter().map(|fact| fact["text"].as_str().unwrap().to_owned()).collect()
}

/// The numbers under which the last request showed facts.
fn number(model: &Scripted, text: &str) -> usize {
    let asked = model.asked.borrow();
    let shown = &asked.last().unwrap().messages[1].content;
    let line = shown.lines().find(|line| line.contains(text)).unwrap();
    let line: Value = serde_json::from_str(line).unwrap();
    usize::try_from(line["number"].as_u64().unwrap()).unwrap()
}

#[test]
fn facts_that_say_the_same_become_one_which_can_be_undone() {
    let merge = json!({ "merges": [{ "keep": 1, "drop": [2], "text": "The user loves green tea." }], "supersedes": [] });
    let (world, engine, model) = world_with([merge], &TEA);
    let actions = world.call(&engine, "facts.consolidate", json!({}));
    assert_eq!(actions.as_array().unwrap().len(), 2, "{actions}");
    assert_eq!(model.asked.borrow().len(), 1);
    assert!(!model.asked.borrow()[0].messages[1].content.contains("cello"), "only what resembles is shown");
    let mut left = texts(&world, &engine);
    left.sort();
    assert_eq!(left, ["The user loves green tea.", "The user plays the cello."]);
    world.call(&engine, "undo", json!({ "commitId": actions[0]["commitId"] }));
    assert_eq!(texts(&world, &engine).len(), 3);
}

#[test]
fn a_fact_that_is_over_ends_and_stays_in_the_history() {
    let facts = ["The user drinks green tea every day.", "The user no longer drinks green tea every day."];
    let (world, engine, model) = world_with([json!({ "merges": [], "supersedes": [] })], &facts);
    world.call(&engine, "facts.consolidate", json!({}));
    let (old, by) = (number(&model, "user drinks"), number(&model, "no longer"));
    let engine = world.open(
        Some(Scripted::new([json!({ "merges": [], "supersedes": [{ "old": old, "by": by }] })])),
        &json!({}),
    );
    world.call(&engine, "facts.consolidate", json!({}));
    assert_eq!(texts(&world, &engine), [facts[1]]);
    let all = world.call(&engine, "facts.list", json!({ "includeEnded": true }));
    assert!(all[1]["validTo"].is_i64(), "{all}");
}

/// The older fact named one that was gone, and so it named none.
#[test]
fn what_was_replaced_by_a_fact_that_is_merged_away_names_the_one_that_is_left() {
    let (world, engine, _) = world_with([], &[]);
    world.call(&engine, "facts.add", json!({ "text": "The user drinks black coffee." }));
    world.machine.pass(1000);
    world.call(
        &engine,
        "facts.add",
        json!({ "text": "The user no longer drinks black coffee, but green tea." }),
    );
    world.machine.pass(1000);
    world.call(
        &engine,
        "facts.add",
        json!({ "text": "The user drinks green tea, but no longer black coffee." }),
    );
    let named = |engine: &Engine| {
        let all = world.call(engine, "facts.list", json!({ "includeEnded": true }));
        let all = all.as_array().unwrap().clone();
        let old = all.iter().find(|fact| fact["text"] == "The user drinks black coffee.").unwrap().clone();
        let by = all.iter().find(|fact| fact["id"] == old["supersededBy"]).map(|fact| fact["text"].clone());
        (all.len(), by)
    };
    let (no_longer, tea) = ("The user no longer drinks", "The user drinks green tea");
    let asked = Scripted::new([json!({ "merges": [], "supersedes": [] })]);
    let engine = world.open(Some(asked.clone()), &json!({}));
    world.call(&engine, "facts.consolidate", json!({}));
    let (old, first, second) =
        (number(&asked, "The user drinks black"), number(&asked, no_longer), number(&asked, tea));
    // The one that takes its place is dropped in the same answer.
    let both = json!({ "merges": [{ "keep": second, "drop": [first], "text": "The user drinks green tea now." }],
                       "supersedes": [{ "old": old, "by": first }] });
    let engine = world.open(Some(Scripted::new([both])), &json!({}));
    let actions = world.call(&engine, "facts.consolidate", json!({}));
    assert_eq!(named(&engine), (2, Some(json!("The user drinks green tea now."))));
    world.call(&engine, "undo", json!({ "commitId": actions[0]["commitId"] }));
    assert_eq!(named(&engine), (3, None));
    // Or in a later one.
    let ends = json!({ "merges": [], "supersedes": [{ "old": old, "by": first }] });
    let engine = world.open(Some(Scripted::new([ends])), &json!({}));
    world.call(&engine, "facts.consolidate", json!({}));
    assert_eq!(named(&engine), (3, Some(json!("The user no longer drinks black coffee, but green tea."))));
    let asked = Scripted::new([json!({ "merges": [], "supersedes": [] })]);
    let engine = world.open(Some(asked.clone()), &json!({}));
    world.call(&engine, "facts.consolidate", json!({}));
    let (first, second) = (number(&asked, no_longer), number(&asked, tea));
    let merges = json!({ "merges": [{ "keep": second, "drop": [first], "text": "The user drinks green tea now." }], "supersedes": [] });
    let engine = world.open(Some(Scripted::new([merges])), &json!({}));
    let actions = world.call(&engine, "facts.consolidate", json!({}));
    assert_eq!(named(&engine), (2, Some(json!("The user drinks green tea now."))));
    world.call(&engine, "undo", json!({ "commitId": actions[0]["commitId"] }));
    assert_eq!(named(&engine), (3, Some(json!("The user no longer drinks black coffee, but green tea."))));
}

/// The facts that the last request showed, by group.
fn shown(model: &Scripted) -> Vec<(u64, String)> {
    let asked = model.asked.borrow();
    let lines = asked.last().unwrap().messages[1].content.lines();
    let facts = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    facts.map(|fact| (fact["group"].as_u64().unwrap(), fact["fact"].as_str().unwrap().to_owned())).collect()
}

#[test]
fn pairs_are_found_by_the_rare_words_they_share_and_shown_in_the_order_of_time() {
    let facts = [
        "The user lives in Lisbon, in a flat near the river.",
        "The user plays the cello in an orchestra.",
        "The user has a beagle called Biscuit.",
        "The user likes green tea.",
        "Biscuit, the beagle of the user, is afraid of thunder, sleeps under the bed and eats carrots every evening.",
        "The user works as a nurse.",
        "The user lives in Porto.",
    ];
    let (world, engine, model) = world_with([json!({ "merges": [], "supersedes": [] })], &facts);
    world.call(&engine, "facts.consolidate", json!({}));
    let shown = shown(&model);
    let texts = |group: u64| -> Vec<&str> {
        shown.iter().filter(|(own, _)| *own == group).map(|(_, text)| text.as_str()).collect()
    };
    let mut groups = [texts(1), texts(2)];
    groups.sort();
    assert_eq!(groups, [vec![facts[2], facts[4]], vec![facts[0], facts[6]]], "{shown:?}");
    assert_eq!(shown.len(), 4);
}

/// Everything hung together by "The user ...", so that the first 60 facts were shown and not those that are alike.
#[test]
fn among_many_facts_the_most_alike_are_shown() {
    let things = [
        "flute", "chess", "pottery", "bonsai", "karate", "origami", "falconry", "fencing", "juggling",
        "sailing",
    ];
    let (world, engine, model) = world_with([json!({ "merges": [], "supersedes": [] })], &[]);
    world.call(&engine, "facts.add", json!({ "text": "The user was born in Quito in Ecuador." }));
    let facts: Vec<Value> = (0..200)
        .map(|number| json!({ "text": format!("The user likes {} number {number}.", things[number % 10]) }))
        .collect();
    world.call(&engine, "facts.import", json!({ "facts": facts }));
    world.call(&engine, "facts.add", json!({ "text": "The user was born in Quito, in Ecuador, in spring." }));
    world.call(&engine, "facts.consolidate", json!({ "limit": 1000 }));
    let shown = shown(&model);
    assert!(shown.len() <= 60);
    let first: Vec<&str> =
        shown.iter().filter(|(group, _)| *group == 1).map(|(_, text)| text.as_str()).collect();
    assert_eq!(
        first,
        ["The user was born in Quito in Ecuador.", "The user was born in Quito, in Ecuador, in spring."]
    );
}

#[test]
fn what_is_known_of_two_people_is_no_pair() {
    let (world, engine, model) = world_with([], &[]);
    for (name, text) in [("Rosa", "She loves green tea."), ("Theo", "He loves green tea.")] {
        world.call(&engine, "facts.add", json!({ "text": text, "metadata": { "about": name } }));
    }
    assert_eq!(world.call(&engine, "facts.consolidate", json!({})), json!([]));
    assert!(model.asked.borrow().is_empty());
}

#[test]
fn nothing_is_asked_when_nothing_resembles() {
    let (world, engine, model) = world_with([], &["The user plays the cello.", "Lisbon is warm in May."]);
    assert_eq!(world.call(&engine, "facts.consolidate", json!({})), json!([]));
    assert!(model.asked.borrow().is_empty());
}

#[test]
fn answers_that_cannot_be_used_change_nothing() {
    let merge = |keep: usize, drop: Value, text: &str| json!({ "merges": [{ "keep": keep, "drop": drop, "text": text }], "supersedes": [] });
    for answer in [
        merge(1, json!([9]), "x"),
        merge(1, json!([1]), "x"),
        merge(1, json!([2]), "  "),
        merge(1, json!([]), "x"),
        merge(0, json!([2]), "x"),
        json!({ "merges": [], "supersedes": [{ "old": 1, "by": 1 }] }),
        json!({ "merges": [], "supersedes": [{ "old": 1, "by": 2 }, { "old": 1, "by": 2 }] }),
        // Each of them ended the other, and nothing was known any more.
        json!({ "merges": [], "supersedes": [{ "old": 1, "by": 2 }, { "old": 2, "by": 1 }] }),
        json!("nothing"),
        json!([]),
    ] {
        let (world, engine, _) = world_with([answer.clone(), answer.clone()], &TEA);
        let error = world.fails(&engine, "facts.consolidate", json!({}));
        assert_eq!(error.code, Code::Model, "{answer}: {}", error.message);
        assert_eq!(texts(&world, &engine).len(), 3);
    }
    let (world, _, _) = world_with([], &TEA);
    // Without a model it failed with `InvalidInput`, and all else that asks one with `Model`.
    let without = world.open(None, &json!({}));
    assert_eq!(world.fails(&without, "facts.consolidate", json!({})).code, Code::Model);
    let with = world.open(Some(Scripted::new([])), &json!({}));
    assert_eq!(world.fails(&with, "facts.consolidate", json!({ "limit": 0 })).code, Code::InvalidInput);
}

/// Of what the engine itself marks as contested nobody was asked.
#[test]
fn facts_that_contradict_one_another_are_judged_together() {
    let pairs = [
        ["The user is vegetarian.", "The user eats meat."],
        ["The user works as a nurse.", "The user is a teacher."],
        ["The user is single.", "The user has a wife."],
    ];
    let facts: Vec<&str> = pairs.iter().flatten().copied().collect();
    let (world, engine, model) = world_with([json!({ "merges": [], "supersedes": [] })], &facts);
    let contested = world.call(&engine, "facts.list", json!({ "contested": true }));
    assert_eq!(contested.as_array().unwrap().len(), 6, "{contested}");
    world.call(&engine, "facts.consolidate", json!({}));
    assert_eq!(model.calls(), 1);
    let asked = model.asked.borrow();
    let group = |fact: &str| {
        let shown = asked[0].messages[1].content.lines().find(|line| line.contains(fact)).unwrap();
        serde_json::from_str::<Value>(shown).unwrap()["group"].clone()
    };
    for [one, other] in pairs {
        assert_eq!(group(one), group(other), "{one} {other}");
    }
}
