//! What rests on what is forgotten: alone it goes, partly it is made anew.

use super::{Model, forget, learn, prompt, say};
use crate::support::world::{Scripted, World};
use mnemic::engine::Engine;
use serde_json::{Value, json};

fn schemas() -> Value {
    let list = json!({ "type": "array", "items": { "type": "string" } });
    let schema = json!({ "type": "object", "properties": { "place": { "type": "string" }, "likes": list } });
    json!({ "profiles": { "user": schema }, "summaries": { "auto": false } })
}

/// What a model learned, with the numbers of the message and the known fact.
fn fact(action: &str, target: Value, text: &str) -> Value {
    json!({ "action": action, "target": target, "text": text, "significance": 6, "message": 1 })
}

fn answer(facts: Value, profile: Value) -> Value {
    json!({ "facts": facts, "profile": profile, "entities": [], "relations": [] })
}

fn history(world: &World, engine: &Engine, id: &Value) -> usize {
    world.call(engine, "history", json!({ "id": id })).as_array().unwrap().len()
}

fn only(world: &World, engine: &Engine, kind: &str) -> Value {
    let items = world.call(engine, "items.list", json!({ "kinds": [kind], "includeEnded": true }));
    assert_eq!(items.as_array().unwrap().len(), 1, "{items}");
    items[0].clone()
}

#[test]
fn a_fact_of_two_messages_stays_with_the_other_and_loses_its_past() {
    let world = World::new();
    let lives = || answer(json!([fact("add", Value::Null, "The user lives in Lisbon.")]), json!([]));
    let engine = world.open(Some(Scripted::new([lives(), lives()])), &schemas());
    let one = learn(&world, &engine, "one", "I live in Lisbon.");
    let two = learn(&world, &engine, "two", "Lisbon is where I live.");
    let known = only(&world, &engine, "fact");
    assert_eq!(known["source"].as_array().unwrap().len(), 2);
    let receipt = forget(&world, &engine, &[&one]);
    assert_eq!(
        (&receipt["forgotten"], &receipt["rewritten"]),
        (&json!({ "message": 1 }), &json!({ "fact": 1 }))
    );
    let left = only(&world, &engine, "fact");
    assert_eq!(left["text"], "The user lives in Lisbon.");
    assert_eq!((&left["source"][0]["messageId"], left["source"].as_array().unwrap().len()), (&two, 1));
    let receipt = forget(&world, &engine, &[&two]);
    assert_eq!(receipt["forgotten"], json!({ "message": 1, "fact": 1 }));
}

/// What a message changed in a fact goes with it.
#[test]
fn a_fact_falls_back_to_what_it_said_before() {
    let world = World::new();
    let engine = world.open(
        Some(Scripted::new([
            answer(json!([fact("add", Value::Null, "The user lives in Lisbon.")]), json!([])),
            answer(
                json!([fact("update", json!(1), "The user lives in Lisbon with a secret friend.")]),
                json!([]),
            ),
        ])),
        &schemas(),
    );
    let one = learn(&world, &engine, "one", "I live in Lisbon.");
    let two = learn(&world, &engine, "two", "I live with a secret friend.");
    assert!(only(&world, &engine, "fact")["text"].as_str().unwrap().contains("secret"));
    forget(&world, &engine, &[&two]);
    let left = only(&world, &engine, "fact");
    assert_eq!((&left["text"], &left["source"][0]["messageId"]), (&json!("The user lives in Lisbon."), &one));
}

/// A fact that the user wrote does not go because somebody said it again.
#[test]
fn what_the_user_wrote_stays() {
    let world = World::new();
    let again = answer(json!([fact("add", Value::Null, "The user lives in Lisbon.")]), json!([]));
    let engine = world.open(Some(Scripted::new([again])), &schemas());
    world.add(&engine, json!({ "text": "The user lives in Lisbon." }));
    let said = learn(&world, &engine, "one", "I live in Lisbon.");
    assert_eq!(only(&world, &engine, "fact")["source"].as_array().unwrap().len(), 1);
    let receipt = forget(&world, &engine, &[&said]);
    assert_eq!(
        (&receipt["forgotten"], &receipt["rewritten"]),
        (&json!({ "message": 1 }), &json!({ "fact": 1 }))
    );
    assert_eq!(only(&world, &engine, "fact")["source"], json!([]));
}

/// A fact that was learned from one message, with both their ids.
fn with_a_secret(world: &World) -> (Engine, Value, Value) {
    let secret = answer(json!([fact("add", Value::Null, "The user hides a secret.")]), json!([]));
    let engine = world.open(Some(Scripted::new([secret])), &schemas());
    let said = learn(world, &engine, "one", "I hide a secret.");
    let id = only(world, &engine, "fact")["id"].clone();
    (engine, said, id)
}

/// What the user edited says nothing of the message any more, but its past does.
#[test]
fn an_edited_fact_stays_without_its_past() {
    let world = World::new();
    let (engine, said, id) = with_a_secret(&world);
    world.call(&engine, "facts.update", json!({ "id": id, "text": "The user is discreet." }));
    let receipt = forget(&world, &engine, &[&said]);
    assert_eq!(receipt["rewritten"], json!({ "fact": 1 }));
    assert_eq!(only(&world, &engine, "fact")["text"], "The user is discreet.");
    assert!(history(&world, &engine, &id) >= 1);
}

/// A fact that was deleted long ago is still in the history.
#[test]
fn what_had_ended_goes_too() {
    let world = World::new();
    let (engine, said, id) = with_a_secret(&world);
    world.call(&engine, "facts.delete", json!({ "id": id }));
    world.call(&engine, "threads.remove", json!({ "threadId": "one", "ids": [said] }));
    let receipt = world.call(&engine, "forget", json!({ "threadId": "one" }));
    assert_eq!(receipt["forgotten"], json!({ "message": 1, "fact": 1 }));
}

#[test]
fn a_list_loses_what_came_with_the_message() {
    let world = World::new();
    let likes = |value: Value, quote: &str| {
        answer(
            json!([]),
            json!([{ "schema": "user", "field": "likes", "value": value, "message": 1, "quote": quote }]),
        )
    };
    let engine = world.open(
        Some(Scripted::new([
            likes(json!(["tea"]), "tea"),
            likes(json!(["tea", "gambling"]), "gambling"),
            likes(json!(["tea", "gambling", "bees"]), "bees"),
        ])),
        &schemas(),
    );
    learn(&world, &engine, "one", "I like tea.");
    let two = learn(&world, &engine, "two", "I like gambling.");
    let three = learn(&world, &engine, "three", "I like bees.");
    assert_eq!(world.profile(&engine, "user")["likes"], json!(["tea", "gambling", "bees"]));
    forget(&world, &engine, &[&two]);
    assert_eq!(world.profile(&engine, "user")["likes"], json!(["tea", "bees"]));
    // The past went with the first; the words tell which entry came from which message.
    forget(&world, &engine, &[&three]);
    assert_eq!(world.profile(&engine, "user")["likes"], json!(["tea"]));
}

#[test]
fn a_field_of_one_message_goes_and_one_that_the_user_set_comes_back() {
    let world = World::new();
    let place = |value: &str| {
        answer(
            json!([]),
            json!([{ "schema": "user", "field": "place", "value": value, "message": 1, "quote": value }]),
        )
    };
    let engine = world.open(Some(Scripted::new([place("Porto"), place("Faro")])), &schemas());
    let one = learn(&world, &engine, "one", "I am in Porto.");
    forget(&world, &engine, &[&one]);
    assert_eq!(world.profile(&engine, "user"), json!({}));
    world.call(&engine, "profiles.set", json!({ "schema": "user", "field": "place", "value": "Lisbon" }));
    let two = learn(&world, &engine, "two", "I am in Faro.");
    assert_eq!(world.profile(&engine, "user")["place"], "Faro");
    forget(&world, &engine, &[&two]);
    assert_eq!(world.profile(&engine, "user")["place"], "Lisbon");
}

fn graph(entities: Value, relations: Value) -> Value {
    json!({ "facts": [], "profile": [], "entities": entities, "relations": relations })
}

fn entity(name: &str, observations: &[&str]) -> Value {
    json!({ "name": name, "type": "person", "observations": observations, "message": 1, "quote": name })
}

#[test]
fn an_entity_loses_what_came_with_the_message() {
    let world = World::new();
    let engine = world.open(
        Some(Scripted::new([
            graph(json!([entity("Kim", &["Kim keeps bees."])]), json!([])),
            graph(
                json!([entity("Kim", &["Kim is ill."]), entity("Bo", &["Bo is a doctor."])]),
                json!([{ "from": "Bo", "relation": "treats", "to": "Kim", "message": 1, "quote": "treats" }]),
            ),
            graph(json!([entity("Kim", &["Kim sings."])]), json!([])),
        ])),
        &schemas(),
    );
    let one = learn(&world, &engine, "one", "Kim keeps bees.");
    let two = learn(&world, &engine, "two", "Kim is ill, and Bo treats Kim.");
    let three = learn(&world, &engine, "three", "Kim sings.");
    let receipt = forget(&world, &engine, &[&two]);
    assert_eq!(receipt["forgotten"], json!({ "message": 1, "entity": 1, "relation": 1 }));
    let read = world.call(&engine, "graph.read_graph", json!({}));
    assert_eq!(
        read["entities"],
        json!([{ "name": "Kim", "entityType": "person", "observations": ["Kim keeps bees.", "Kim sings."] }])
    );
    assert_eq!(read["relations"], json!([]));
    // The past went with the first, and what came from where is known all the same.
    forget(&world, &engine, &[&three]);
    let read = world.call(&engine, "graph.read_graph", json!({}));
    assert_eq!(read["entities"][0]["observations"], json!(["Kim keeps bees."]));
    let receipt = forget(&world, &engine, &[&one]);
    assert_eq!(receipt["forgotten"], json!({ "message": 1, "entity": 1 }));
}

/// The name of an entity is known as long as a relation with it is.
#[test]
fn an_entity_stays_while_a_relation_needs_it() {
    let world = World::new();
    let relation =
        json!({ "from": "Kim", "relation": "knows", "to": "User", "message": 1, "quote": "know Kim" });
    let engine = world.open(
        Some(Scripted::new([
            graph(json!([entity("Kim", &["Kim is ill."])]), json!([])),
            graph(json!([]), json!([relation])),
        ])),
        &schemas(),
    );
    let one = learn(&world, &engine, "one", "Kim is ill.");
    let two = learn(&world, &engine, "two", "I know Kim.");
    forget(&world, &engine, &[&one]);
    let read = world.call(&engine, "graph.read_graph", json!({}));
    assert_eq!(read["relations"].as_array().unwrap().len(), 1, "{read}");
    let kim = read["entities"].as_array().unwrap().iter().find(|it| it["name"] == "Kim").unwrap();
    assert_eq!(kim["observations"], json!([]));
    let receipt = forget(&world, &engine, &[&two]);
    assert_eq!(receipt["forgotten"], json!({ "message": 1, "entity": 2, "relation": 1 }), "and goes with it");
}

#[test]
fn a_summary_is_emptied_and_made_again_without_the_message() {
    let world = World::new();
    let model = Model::new(|request| {
        let text =
            if prompt(request).contains("Zanzibar") { "They spoke of Zanzibar." } else { "They spoke." };
        json!({ "summary": text })
    });
    let options =
        json!({ "extraction": { "auto": false }, "summaries": { "auto": true, "messages": 2, "keep": 1 } });
    let engine = world.open(Some(model.clone()), &options);
    let said: Vec<Value> = ["We begin.", "I went to Zanzibar.", "It was hot.", "We end."]
        .iter()
        .map(|text| say(&world, &engine, "t", text))
        .collect();
    world.machine.pass(600_000);
    world.idle(&engine);
    let summary = || world.call(&engine, "threads.summary", json!({ "threadId": "t" }));
    assert_eq!(summary()["text"], "They spoke of Zanzibar.");
    let receipt = forget(&world, &engine, &[&said[1]]);
    assert_eq!(
        (&receipt["forgotten"], &receipt["rewritten"]),
        (&json!({ "message": 1 }), &json!({ "summary": 1 }))
    );
    world.machine.pass(600_000);
    world.idle(&engine);
    assert_eq!(summary()["text"], "They spoke.", "made again in the background");
    let receipt = world.call(&engine, "forget", json!({ "threadId": "t" }));
    assert_eq!(receipt["forgotten"], json!({ "message": 3, "summary": 1 }));
}

#[test]
fn pages_go_with_their_messages_and_what_was_distilled_with_them() {
    let world = World::new();
    let engine = world.open(None, &json!({ "tiers": { "capacity": 2 } }));
    for number in 0..6 {
        let page = json!({ "threadId": "t", "query": format!("Question {number} about my garden of roses?"), "response": "Yes." });
        world.call(&engine, "tiers.add", page);
    }
    world.machine.pass(600_000);
    world.idle(&engine);
    let state = world.call(&engine, "tiers.state", json!({}));
    assert!(state["counts"]["mid"].as_u64().unwrap() > 0, "{state}");
    let receipt = world.call(&engine, "forget", json!({ "threadId": "t" }));
    assert_eq!(receipt["forgotten"]["page"], 6, "{receipt}");
    let state = world.call(&engine, "tiers.state", json!({}));
    assert_eq!((&state["recent"], &state["segments"]), (&json!([]), &json!([])));
}

#[test]
fn what_waits_goes_or_waits_without_the_message() {
    let world = World::new();
    let engine = world.open(None, &json!({ "extraction": { "auto": false } }));
    let messages = json!([{ "role": "user", "content": "I hide a secret." }, { "role": "user", "content": "My name is Ann." }]);
    let said = world.call(&engine, "remember", json!({ "threadId": "t", "messages": messages }));
    assert_eq!(world.pending(&engine), 1);
    let receipt = forget(&world, &engine, &[&said["messageIds"][0]]);
    assert_eq!(
        (&receipt["forgotten"], &receipt["rewritten"]),
        (&json!({ "message": 1 }), &json!({ "task": 1 }))
    );
    assert_eq!(world.pending(&engine), 1);
    let receipt = forget(&world, &engine, &[&said["messageIds"][1]]);
    assert_eq!(receipt["forgotten"], json!({ "message": 1, "task": 1 }));
    assert_eq!(world.pending(&engine), 0);
}

#[test]
fn proposals_go_with_a_source_and_with_what_they_would_change() {
    let world = World::new();
    let options = json!({ "extraction": { "review": true, "graph": false } });
    let engine = world.open(
        Some(Scripted::new([
            answer(json!([fact("add", Value::Null, "The user hides a secret.")]), json!([])),
            answer(json!([fact("update", json!(1), "The user keeps honey bees.")]), json!([])),
        ])),
        &options,
    );
    let one = learn(&world, &engine, "one", "I hide a secret.");
    let waiting = || world.call(&engine, "proposals.list", json!({})).as_array().unwrap().len();
    assert_eq!(waiting(), 1);
    assert_eq!(forget(&world, &engine, &[&one])["forgotten"], json!({ "message": 1, "proposal": 1 }));
    let bees = world.add(&engine, json!({ "text": "The user keeps bees." }));
    learn(&world, &engine, "two", "My bees make honey.");
    assert_eq!(waiting(), 1);
    assert_eq!(forget(&world, &engine, &[&bees])["forgotten"], json!({ "fact": 1, "proposal": 1 }));
    assert_eq!(waiting(), 0);
}

#[test]
fn a_block_that_quotes_loses_the_line() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let said = say(&world, &engine, "t", "My door code is 4711.");
    let value = "Likes tea.\nSaid: My door code is 4711. Careful!\nLikes bees.";
    world.call(&engine, "context.blocks.set", json!({ "label": "human", "value": value }));
    world.call(&engine, "context.archive.insert", json!({ "text": "My door code is 4711." }));
    let receipt = forget(&world, &engine, &[&said]);
    assert_eq!(
        (&receipt["forgotten"], &receipt["rewritten"]),
        (&json!({ "message": 1, "passage": 1 }), &json!({ "block": 1 }))
    );
    let block = world.call(&engine, "context.blocks.get", json!({ "label": "human" }));
    assert_eq!(block["value"], "Likes tea.\nLikes bees.");
}

/// It was weaker than deleting: recall still told the message, and the field that says the same stayed.
#[test]
fn the_words_a_forgotten_fact_was_learned_from_are_told_no_more() {
    let world = World::new();
    let quote = "I live in a secret village near Lisbon.";
    let mut learned = fact("add", Value::Null, "The user dwells near Lisbon.");
    learned["quote"] = json!(quote);
    let place =
        json!([{ "schema": "user", "field": "place", "value": "Lisbon", "message": 1, "quote": quote }]);
    let engine = world.open(Some(Scripted::new([answer(json!([learned]), place)])), &schemas());
    let said = learn(&world, &engine, "one", &format!("My name is Ann. {quote}"));
    let id = only(&world, &engine, "fact")["id"].clone();
    let told = || world.call(&engine, "recall", json!({ "query": "Where is my village?" })).to_string();
    assert!(told().contains("secret"));
    let preview = world.call(&engine, "forget", json!({ "ids": [id], "preview": true }));
    assert!(told().contains("secret"), "a preview changes nothing");
    let receipt = forget(&world, &engine, &[&id]);
    assert_eq!(
        (&receipt["forgotten"], &receipt["rewritten"]),
        (&json!({ "fact": 1, "field": 1 }), &json!({ "message": 1 }))
    );
    assert_eq!(
        (&preview["forgotten"], &preview["rewritten"]),
        (&receipt["forgotten"], &receipt["rewritten"])
    );
    assert!(!told().contains("secret") && !told().contains("Lisbon"), "{}", told());
    assert_eq!(super::everywhere::stored_words(&world, "dwells"), [""; 0]);
    // Who reads the thread still finds it there, until the message goes as well.
    let message = world.call(&engine, "threads.messages", json!({ "threadId": "one" }))[0].clone();
    assert_eq!((&message["id"], &message["withheld"]), (&said, &json!([quote])));
    forget(&world, &engine, &[&said]);
    assert_eq!(super::everywhere::stored_words(&world, "secret"), [""; 0]);
}

/// Only the whole message was looked for.
#[test]
fn a_block_that_quotes_one_sentence_loses_the_line() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let said = say(&world, &engine, "t", "Hello there! My door code is 4711. What is for dinner?");
    let value = "Likes tea.\nMy door code is 4711\nLikes bees.";
    world.call(&engine, "context.blocks.set", json!({ "label": "human", "value": value }));
    forget(&world, &engine, &[&said]);
    let block = world.call(&engine, "context.blocks.get", json!({ "label": "human" }));
    assert_eq!(block["value"], "Likes tea.\nLikes bees.");
}
