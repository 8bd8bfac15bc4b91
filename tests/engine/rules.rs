//! Learning by rules, without a model.

use super::{open, profile};
use crate::support::world::{START, World};
use serde_json::json;

#[test]
fn rules_learn_and_a_reload_forgets_nothing() {
    let world = World::new();
    let engine = open(&world, None);
    world.teach(&engine, "Hi! My name is Ana, I live in Lisbon and work as a nurse. I love hiking.");
    let known = profile(&world, &engine);
    assert_eq!(known, json!({ "name": "Ana", "place": "Lisbon", "job": "nurse", "likes": ["hiking"] }));
    let before = (
        world.call(&engine, "facts.list", json!({})),
        world.call(&engine, "recall", json!({ "query": "what does Ana like?" })),
    );
    assert!(before.1["text"].as_str().unwrap().contains("hiking"));

    let engine = open(&world, None);
    assert_eq!(profile(&world, &engine), known);
    let after = (
        world.call(&engine, "facts.list", json!({})),
        world.call(&engine, "recall", json!({ "query": "what does Ana like?" })),
    );
    assert_eq!(before, after);
    assert_eq!(world.call(&engine, "verify", json!({}))["ok"], json!(true));
}

#[test]
fn a_new_place_supersedes_the_old_and_the_past_stays() {
    let world = World::new();
    let engine = open(&world, None);
    world.teach(&engine, "I live in Paris.");
    world.machine.pass(1000);
    let between = world.now();
    world.machine.pass(86_400_000);
    world.teach(&engine, "Actually, I moved to Berlin.");
    assert_eq!(profile(&world, &engine)["place"], json!("Berlin"));
    assert_eq!(world.facts(&engine).len(), 1);
    assert_eq!(
        world.call(&engine, "facts.list", json!({ "includeEnded": true })).as_array().unwrap().len(),
        2
    );
    let then = world.call(&engine, "profiles.get", json!({ "asOf": between }));
    assert_eq!(then["user-profile"]["profile"]["place"], json!("Paris"));
    let history =
        world.call(&engine, "profiles.history", json!({ "schema": "user-profile", "field": "place" }));
    assert_eq!(
        history.as_array().unwrap().iter().map(|r| &r["value"]).collect::<Vec<_>>(),
        [&json!("Paris"), &json!("Berlin")]
    );
    // Undoing the second extraction brings Paris back, as a new revision.
    let undone = world.call(&engine, "undo", json!({ "commitId": history[1]["commitId"] }));
    assert!(undone["commitId"].is_string());
    assert_eq!(profile(&world, &engine)["place"], json!("Paris"));
    assert_eq!(world.facts(&engine), ["The user lives in Paris."]);
}

#[test]
fn chinese_statements_are_learnt_and_corrected() {
    let world = World::new();
    let engine = open(&world, None);
    world.teach(&engine, "大家好，我叫王小明，住在北京。我是医生。我喜欢咖啡和跑步。");
    assert_eq!(
        profile(&world, &engine),
        json!({ "name": "王小明", "place": "北京", "job": "医生", "likes": ["咖啡", "跑步"] })
    );
    world.machine.pass(1000);
    world.teach(&engine, "我搬到上海了，我已经不喜欢咖啡了。我妹妹住在广州。");
    let known = profile(&world, &engine);
    assert_eq!((&known["place"], &known["likes"]), (&json!("上海"), &json!(["跑步"])));
    assert_eq!(
        world.facts(&engine).iter().filter(|fact| fact.contains("住在") || fact.contains("搬到")).count(),
        1
    );
}

#[test]
fn liking_no_longer_leaves_the_profile() {
    let world = World::new();
    let engine = open(&world, None);
    world.teach(&engine, "I like coffee. I like tea.");
    assert_eq!(profile(&world, &engine)["likes"], json!(["coffee", "tea"]));
    world.teach(&engine, "I don't like coffee any more.");
    assert_eq!(profile(&world, &engine)["likes"], json!(["tea"]));
}

/// A field emptied and set again in one batch was deleted and put in one draft, which no draft may do, and blocked the
/// queue for ever.
#[test]
fn a_field_emptied_and_filled_in_one_batch_is_filled() {
    let world = World::new();
    let engine = open(&world, None);
    world.teach(&engine, "I like coffee.");
    world.teach(&engine, "I don't like coffee any more. I like tea.");
    assert_eq!(profile(&world, &engine)["likes"], json!(["tea"]));
    assert_eq!(world.call(&engine, "idle", json!({})), json!({ "pending": 0, "failed": [] }));
}

/// Rome ended Paris and was withdrawn for Paris in the same batch; the Paris that the batch had ended passed for known.
#[test]
fn going_away_and_coming_back_in_one_batch_leaves_the_place() {
    let world = World::new();
    let engine = open(&world, None);
    world.teach(&engine, "I live in Paris.");
    world.machine.pass(1000);
    world.teach(&engine, "I moved to Rome. Actually, I live in Paris.");
    assert_eq!(world.facts(&engine), ["The user lives in Paris."]);
    assert_eq!(profile(&world, &engine)["place"], json!("Paris"));
}

/// An old conversation that is imported late must not end what is newer.
#[test]
fn an_old_message_handed_over_late_is_past() {
    let world = World::new();
    let engine = open(&world, None);
    world.teach(&engine, "I live in Paris.");
    // What is past is kept once, too.
    for day in 1000..1003_i64 {
        let old =
            json!({ "role": "user", "content": "I live in Rome.", "createdAt": START - day * 86_400_000 });
        world.call(&engine, "remember", json!({ "messages": [old] }));
        world.call(&engine, "idle", json!({}));
        assert_eq!(world.facts(&engine), ["The user lives in Paris."]);
        assert_eq!(profile(&world, &engine)["place"], json!("Paris"));
        let all = world.call(&engine, "facts.list", json!({ "includeEnded": true }));
        assert_eq!(all.as_array().unwrap().len(), 2, "{all}");
    }
}

#[test]
fn what_takes_something_out_of_a_list_is_no_source_of_what_stays_in_it() {
    let world = World::new();
    let engine = open(&world, None);
    world.teach(&engine, "I love spicy food.");
    world.teach(&engine, "I love cats and I love green tea.");
    world.teach(&engine, "I hate spicy food.");
    let field = |name: &str| {
        let profile = world.call(&engine, "profiles.get", json!({}))["user-profile"]["fields"][name].clone();
        let quotes = profile["source"].as_array().unwrap().iter().map(|source| source["quote"].clone());
        (profile["value"].clone(), quotes.collect::<Vec<_>>())
    };
    let (likes, quotes) = field("likes");
    assert_eq!(likes, json!(["cats", "green tea"]));
    assert_eq!(
        quotes,
        ["I love cats", "I love green tea"],
        "neither what was taken back nor what took it back"
    );
    let (_, quotes) = field("dislikes");
    assert_eq!(quotes, ["I hate spicy food"]);
}

/// A batch told of one year before it told of an earlier one: what it told last passed for the present, and the other was lost.
#[test]
fn a_batch_is_learned_in_the_order_of_its_times() {
    const YEAR: i64 = 365 * 86_400_000;
    for is_in_order in [true, false] {
        let world = World::new();
        let engine = open(&world, None);
        let said = |years: i64, content: &str| json!({ "role": "user", "content": content, "createdAt": START - years * YEAR });
        let mut messages = vec![said(3, "I live in Porto."), said(1, "I live in Berlin.")];
        if !is_in_order {
            messages.reverse();
        }
        world.call(&engine, "remember", json!({ "messages": messages }));
        world.idle(&engine);
        assert_eq!(world.facts(&engine), ["The user lives in Berlin."]);
        let all = world.call(&engine, "facts.list", json!({ "includeEnded": true }));
        let porto = all.as_array().unwrap().iter().find(|fact| fact["text"] == "The user lives in Porto.");
        let berlin = all.as_array().unwrap().iter().find(|fact| fact["text"] == "The user lives in Berlin.");
        let (porto, berlin) = (porto.unwrap(), berlin.unwrap());
        assert_eq!((&porto["supersededBy"], &berlin["supersedes"]), (&berlin["id"], &porto["id"]));
        assert_eq!(porto["validTo"], json!(START - YEAR));
        assert_eq!(world.call(&engine, "verify", json!({}))["ok"], json!(true));
    }
}

/// The time was dropped: "When do we move?" told only that the user is moving.
#[test]
fn times_that_are_said_are_kept() {
    for (said, text, since) in [
        ("I have been living in Berlin since 2019.", "The user lives in Berlin.", "2019"),
        ("I have lived in Seoul since May 2021.", "The user lives in Seoul.", "2021-05"),
        ("I've worked at Acme since 2020.", "The user works at Acme.", "2020"),
        ("We're moving to Berlin in January.", "The user is moving to Berlin in January.", ""),
        ("We're moving to Berlin next month.", "The user is moving to Berlin next month.", ""),
    ] {
        let world = World::new();
        let engine = open(&world, None);
        world.teach(&engine, said);
        let facts = world.call(&engine, "facts.list", json!({}));
        let fact = &facts[0];
        assert_eq!(fact["text"], json!(text), "{said}: {facts}");
        assert_eq!(fact["dates"]["since"].as_str().unwrap_or_default(), since, "{said}: {facts}");
        assert!(
            since.is_empty() || fact["validFrom"].as_i64().unwrap() < START - 86_400_000,
            "{said}: {facts}"
        );
    }
    // What began before the known home was told takes its place all the same, for it goes on.
    let world = World::new();
    let engine = open(&world, None);
    world.teach(&engine, "I live in Porto.");
    world.machine.pass(86_400_000);
    world.teach(&engine, "I have been living in Berlin since 2019.");
    assert_eq!(world.facts(&engine), ["The user lives in Berlin."]);
}

/// What somebody else said under the role of the user was learned as the user's, and ended what was.
#[test]
fn other_people_teach_nothing_of_the_user() {
    let world = World::new();
    let engine = open(&world, None);
    let say = |messages: serde_json::Value| {
        world.call(&engine, "remember", json!({ "messages": messages }));
        world.idle(&engine);
    };
    say(json!([{ "role": "user", "name": "ana", "content": "My name is Ana. I live in Lisbon." }]));
    assert!(
        world.facts(&engine).contains(&"The user lives in Lisbon.".to_owned()),
        "{:?}",
        world.facts(&engine)
    );
    say(json!([{ "role": "user", "name": "Eve", "content": "I moved to Rome. I quit my job." }]));
    assert!(
        world.facts(&engine).contains(&"The user lives in Lisbon.".to_owned()),
        "{:?}",
        world.facts(&engine)
    );
    // An account is no name.
    say(json!([{ "role": "user", "name": "user_17", "content": "I live in Bergen." }]));
    assert!(
        world.facts(&engine).contains(&"The user lives in Bergen.".to_owned()),
        "{:?}",
        world.facts(&engine)
    );
    let other = World::new();
    let engine = other.open(None, &json!({}));
    let both = json!([
        { "role": "user", "name": "Rosa", "content": "I live in Linz." },
        { "role": "user", "name": "Theo", "content": "I moved to Graz." },
    ]);
    other.call(&engine, "remember", json!({ "messages": both }));
    other.idle(&engine);
    assert!(other.facts(&engine).is_empty(), "{:?}", other.facts(&engine));
}
