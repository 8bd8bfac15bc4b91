//! The graph in what is learned: in the same model call as the facts, with the words it came from.

use crate::support::world::{Scripted, World};
use mnemic::engine::Engine;
use serde_json::{Value, json};

fn answer(entities: Value, relations: Value) -> Value {
    json!({ "facts": [], "entities": entities, "relations": relations })
}

fn entity(name: &str, observations: &[&str]) -> Value {
    json!({ "name": name, "type": "person", "observations": observations, "message": 1, "quote": "Kim Minsu" })
}

fn relation(from: &str, relation: &str, to: &str) -> Value {
    json!({ "from": from, "relation": relation, "to": to, "message": 1, "quote": "works with" })
}

/// Says texts one after the other; the model answers each with one answer.
fn said(texts: &[&str], answers: Vec<Value>) -> (World, Engine, std::rc::Rc<Scripted>) {
    let world = World::new();
    let model = Scripted::new(answers);
    let engine = world.open(Some(model.clone()), &json!({}));
    for text in texts {
        world.call(&engine, "generate", json!({ "messages": [{ "role": "user", "content": text }] }));
    }
    (world, engine, model)
}

fn graph(world: &World, engine: &Engine) -> Value {
    world.call(engine, "graph.read_graph", json!({}))
}

#[test]
fn entities_and_relations_are_learned_with_their_words() {
    let (world, engine, model) = said(
        &["Kim Minsu works with me at Hanbit."],
        vec![answer(
            json!([entity("Kim Minsu", &["Kim Minsu works at Hanbit."]), { "name": "Hanbit", "type": "organisation" }]),
            json!([relation("User", "works_with", "Kim Minsu"), relation("Kim Minsu", "works_at", "Hanbit")]),
        )],
    );
    assert_eq!(
        graph(&world, &engine),
        json!({
            "entities": [
                { "name": "Kim Minsu", "entityType": "person", "observations": ["Kim Minsu works at Hanbit."] },
                { "name": "Hanbit", "entityType": "organisation", "observations": [] },
                { "name": "User", "entityType": "person", "observations": [] },
            ],
            "relations": [
                { "from": "User", "to": "Kim Minsu", "relationType": "works_with" },
                { "from": "Kim Minsu", "to": "Hanbit", "relationType": "works_at" },
            ],
        })
    );
    assert_eq!(model.asked.borrow().len(), 1);
    let relations = world.call(&engine, "graph.relations", json!({}));
    assert_eq!(relations[0]["source"][0]["quote"], json!("works with"));
    let why = world.call(&engine, "explain", json!({ "id": relations[0]["id"] }));
    assert_eq!(why["source"][0]["message"], json!("Kim Minsu works with me at Hanbit."));
    world.call(&engine, "undo", json!({ "commitId": why["commitId"] }));
    assert_eq!(graph(&world, &engine), json!({ "entities": [], "relations": [] }));
}

#[test]
fn what_is_known_is_shown_extended_and_never_doubled() {
    let (world, engine, model) = said(
        &["Kim Minsu works with me.", "Kim Minsu has a dog. He no longer works with me."],
        vec![
            answer(
                json!([entity("Kim Minsu", &["a"])]),
                json!([relation("User", "works_with", "Kim Minsu")]),
            ),
            answer(
                json!([entity("Kim Minsu", &["a", "b"])]),
                json!([{ "from": "User", "relation": "works_with", "to": "Kim Minsu", "ended": true, "message": 1 }]),
            ),
        ],
    );
    let asked = model.asked.borrow();
    let shown = &asked[1].messages[1].content;
    assert!(shown.contains(r#"{"entity":"Kim Minsu","type":"person","observations":["a"]}"#), "{shown}");
    assert!(shown.contains(r#"{"from":"User","relation":"works_with","to":"Kim Minsu"}"#), "{shown}");
    let graph = graph(&world, &engine);
    assert_eq!(graph["entities"][0]["observations"], json!(["a", "b"]));
    assert_eq!(graph["entities"].as_array().unwrap().len(), 2);
    assert_eq!(graph["relations"], json!([]));
    let ended = world.call(&engine, "graph.relations", json!({ "includeEnded": true }));
    assert!(ended[0]["validTo"].is_i64(), "{ended}");
}

#[test]
fn two_names_are_one_only_when_words_show_it() {
    let same = |quote: &str| json!([{ "name": "Mr. Kim", "type": "person", "observations": [{ "text": "c", "message": 1, "quote": "called" }], "same_as": "Kim Minsu", "message": 1, "quote": quote }]);
    for (quote, names) in [
        ("Mr. Kim, that is Kim Minsu", vec!["Kim Minsu"]),
        ("he said so himself", vec!["Kim Minsu", "Mr. Kim"]),
    ] {
        let (world, engine, _) = said(
            &["I met Kim Minsu.", "Mr. Kim, that is Kim Minsu, called."],
            vec![
                answer(json!([entity("Kim Minsu", &["a"])]), json!([])),
                answer(same(quote), json!([relation("Mr. Kim", "called", "User")])),
            ],
        );
        let listed = world.call(&engine, "graph.list", json!({ "entityTypes": ["person"] }));
        let listed: Vec<&Value> =
            listed.as_array().unwrap().iter().filter(|entity| entity["name"] != json!("User")).collect();
        let found: Vec<&str> = listed.iter().map(|entity| entity["name"].as_str().unwrap()).collect();
        assert_eq!(found, names);
        let graph = graph(&world, &engine);
        assert_eq!(graph["relations"][0]["from"], json!(*names.last().unwrap()));
        if names.len() == 1 {
            assert_eq!(listed[0]["aliases"], json!([{ "name": "Mr. Kim", "evidence": quote }]));
            assert_eq!(listed[0]["observations"], json!(["a", "c"]));
        }
    }
}

#[test]
fn what_nobody_named_is_refused() {
    for (entities, relations) in [
        (json!([]), json!([relation("User", "knows", "Nobody")])),
        (json!([{ "name": "A", "type": "person", "same_as": "Nobody" }]), json!([])),
        (json!([{ "name": " ", "type": "person" }]), json!([])),
        (json!([{ "name": "A", "type": "person", "message": 7 }]), json!([])),
        (json!([entity(&"x".repeat(121), &[])]), json!([])),
        (json!({}), json!([])),
    ] {
        let world = World::new();
        let refused = answer(entities, relations);
        let model = Scripted::new([refused.clone(), refused.clone()]);
        let engine = world.open(Some(model.clone()), &json!({}));
        let error = world.fails(
            &engine,
            "generate",
            json!({ "messages": [{ "role": "user", "content": "Hi, I am Kim Minsu" }] }),
        );
        assert_eq!(error.code, mnemic::Code::Model, "{refused}");
        assert_eq!(model.asked.borrow().len(), 2, "{refused}");
        assert_eq!(graph(&world, &engine)["entities"], json!([]), "{refused}");
    }
}

#[test]
fn a_relation_waits_together_with_its_new_ends() {
    let world = World::new();
    let model = Scripted::new([answer(
        json!([entity("Kim Minsu", &[])]),
        json!([relation("User", "works_with", "Kim Minsu")]),
    )]);
    let engine = world.open(Some(model), &json!({ "extraction": { "review": true } }));
    world.call(
        &engine,
        "generate",
        json!({ "messages": [{ "role": "user", "content": "Kim Minsu works with me" }] }),
    );
    let proposals = world.call(&engine, "proposals.list", json!({}));
    assert_eq!(proposals.as_array().unwrap().len(), 1, "{proposals}");
    assert_eq!(graph(&world, &engine)["entities"], json!([]));
    world.call(&engine, "proposals.accept", json!({ "ids": [proposals[0]["id"]] }));
    assert_eq!(graph(&world, &engine)["relations"].as_array().unwrap().len(), 1);
}

#[test]
fn two_entities_that_are_one_become_candidates_with_the_evidence() {
    let words = "Mr. Kim, that is Kim Minsu";
    let same = json!([{ "name": "Mr. Kim", "type": "person", "observations": ["likes tea"], "same_as": "Kim Minsu", "message": 1, "quote": words }]);
    let (world, engine, _) = said(
        &[
            "I met Kim Minsu and Mr. Kim.",
            "Mr. Kim, that is Kim Minsu, called.",
            "Mr. Kim, that is Kim Minsu, as I said.",
        ],
        vec![
            answer(json!([entity("Kim Minsu", &["a"]), entity("Mr. Kim", &["b"])]), json!([])),
            answer(same.clone(), json!([relation("Mr. Kim", "called", "User")])),
            answer(same, json!([])),
        ],
    );
    // Nothing is merged behind the user's back,
    let before = graph(&world, &engine);
    let named = |name: &str| {
        before["entities"].as_array().unwrap().iter().find(|entity| entity["name"] == json!(name)).unwrap()["observations"].clone()
    };
    assert_eq!((named("Kim Minsu"), named("Mr. Kim")), (json!(["a"]), json!(["b", "likes tea"])));
    assert_eq!(before["relations"][0]["from"], json!("Mr. Kim"));
    // but the candidate is there, with the words, and once.
    let resolved = world.call(&engine, "graph.resolve", json!({ "name": "Mr. Kim" }));
    assert_eq!(resolved[0]["likeness"], json!("exact"));
    assert_eq!(
        (&resolved[1]["entity"]["name"], &resolved[1]["likeness"]),
        (&json!("Kim Minsu"), &json!("alias"))
    );
    assert_eq!(resolved[1]["entity"]["aliases"], json!([{ "name": "Mr. Kim", "evidence": words }]));
    assert!(resolved[1]["evidence"].as_str().unwrap().contains(words));
    let merged = world.call(
        &engine,
        "graph.merge",
        json!({ "into": "Kim Minsu", "from": "Mr. Kim", "evidence": words }),
    );
    let resolved = world.call(&engine, "graph.resolve", json!({ "name": "Mr. Kim" }));
    assert_eq!(resolved.as_array().unwrap().len(), 1);
    assert_eq!(resolved[0]["entity"]["aliases"], json!([{ "name": "Mr. Kim", "evidence": words }]));
    world.call(&engine, "undo", json!({ "commitId": merged[0]["commitId"] }));
    assert_eq!(graph(&world, &engine), before);
}

/// Applications may give times from the year 1000 on; a model's year 1 was kept.
#[test]
fn a_time_that_an_application_could_not_give_is_not_believed_of_a_model() {
    for (since, kept) in [("0001-01-01", false), ("0999-12-31", false), ("2020-05-01", true)] {
        let fact = json!({ "action": "add", "text": "The user works.", "significance": 7, "message": 1, "since": since });
        let mut works = relation("Kim Minsu", "works_at", "Hanbit");
        works["since"] = json!(since);
        let (world, engine, _) = said(
            &["Kim Minsu works with me at Hanbit."],
            vec![json!({
                "facts": [fact],
                "entities": [entity("Kim Minsu", &[]), { "name": "Hanbit", "type": "organisation" }],
                "relations": [works],
            })],
        );
        let expected = if kept { 1_588_291_200_000_i64 } else { crate::support::world::START };
        assert_eq!(world.call(&engine, "facts.list", json!({}))[0]["validFrom"], expected, "{since}");
        assert_eq!(world.call(&engine, "graph.relations", json!({}))[0]["validFrom"], expected, "{since}");
    }
}

/// "Porto" brought up no plan to visit Portugal, so that it stayed open for ever.
#[test]
fn open_plans_and_what_known_facts_name_are_shown_so_that_they_can_end() {
    let plan = json!({ "action": "add", "text": "The user wants to learn the cello.", "category": "goal", "message": 1 });
    let visa = json!({ "action": "add", "text": "The user holds a visa.", "until": "9998", "message": 1 });
    let porto = json!({ "action": "add", "text": "The user admires Mariza.", "message": 1 });
    let portugal = json!({ "name": "Portugal", "type": "country" });
    let singer = json!({ "name": "Mariza", "type": "singer", "observations": ["She sings fado."], "quote": "admire Mariza" });
    let (world, engine, model) = said(
        &[
            "I will go to Portugal, I want to learn the cello, I hold a visa, I admire Mariza.",
            "We admired Porto all week!",
        ],
        vec![
            json!({ "facts": [plan, visa, porto], "entities": [portugal, singer], "relations": [
                { "from": "User", "relation": "plans_to_visit", "to": "Portugal", "message": 1 },
                { "from": "User", "relation": "has_read_about", "to": "Portugal", "message": 1 }] }),
            json!({ "facts": [{ "action": "end", "target": 2, "message": 1 }], "entities": [], "relations": [
                { "from": "User", "relation": "plans_to_visit", "to": "Portugal", "ended": true, "message": 1 }] }),
        ],
    );
    let shown = model.prompt();
    for line in [
        r#"{"from":"User","relation":"plans_to_visit","to":"Portugal"}"#,
        r#""fact":"The user wants to learn the cello.""#,
        r#""fact":"The user holds a visa.""#,
        r#""entity":"Mariza""#,
    ] {
        assert!(shown.contains(line), "{line} is not in {shown}");
    }
    assert!(!shown.contains("has_read_about"), "only plans are shown of what nobody spoke of: {shown}");
    assert_eq!(model.calls(), 2, "what is shown may be named");
    let relations = world.call(&engine, "graph.relations", json!({}));
    assert_eq!(relations.as_array().unwrap().len(), 1, "{relations}");
    assert_eq!(world.facts(&engine).len(), 2);
}

#[test]
fn what_is_stale_is_no_longer_shown() {
    let goal = json!({ "action": "add", "text": "The user wants to run in May.", "category": "goal", "until": "2026-06", "message": 1 });
    let (world, engine, model) =
        said(&["I will run in May."], vec![json!({ "facts": [goal] }), json!({ "facts": [] })]);
    let say = |text: &str| {
        let messages = json!([{ "role": "user", "content": text }]);
        world.call(&engine, "generate", json!({ "messages": messages }));
    };
    world.machine.pass(400 * crate::support::world::DAY_MS);
    say("Hello!");
    assert!(!model.prompt().contains("wants to run in May"), "{}", model.prompt());
    assert_eq!(world.facts(&engine), Vec::<String>::new());
}

#[test]
fn each_observation_has_the_words_that_show_it() {
    let seen =
        |text: &str, message: u32, quote: &str| json!({ "text": text, "message": message, "quote": quote });
    let emil = json!({ "name": "Emil", "type": "person", "message": 1, "quote": "my son Emil", "observations": [
        seen("He cannot eat peanuts.", 1, "peanuts make him ill"),
        seen("He plays chess.", 2, "chess with Emil"),
        seen("He is tall.", 2, "he is a giant"),
        "He is the user's son.",
    ] });
    let world = World::new();
    let answer = json!({ "facts": [], "entities": [emil] });
    let model = Scripted::new([answer.clone(), answer]);
    let engine = world.open(Some(model.clone()), &json!({}));
    let said = ["My child is my son Emil, and peanuts make him ill.", "I play chess with Emil."];
    let messages: Vec<Value> = said.iter().map(|text| json!({ "role": "user", "content": text })).collect();
    world.call(&engine, "generate", json!({ "messages": messages }));
    let list = world.call(&engine, "graph.list", json!({}));
    let quotes: Vec<&str> = list[0]["source"]
        .as_array()
        .unwrap()
        .iter()
        .map(|source| source["quote"].as_str().unwrap())
        .collect();
    assert_eq!(quotes, ["my son Emil", "peanuts make him ill", "chess with Emil"]);
    assert_eq!(model.calls(), 2, "what an invented quote shows is asked for again, and left out");
    // An observation goes with the message that says it, and with no other.
    let second = world.call(&engine, "threads.messages", json!({}))[1]["id"].clone();
    world.call(&engine, "forget", json!({ "ids": [second] }));
    let left = world.call(&engine, "graph.list", json!({}));
    assert_eq!(left[0]["observations"], json!(["He cannot eat peanuts.", "He is the user's son."]));
}

#[test]
fn the_observations_that_fit_or_else_the_newest_are_shown() {
    let world = World::new();
    let model = Scripted::new([json!({ "facts": [] })]);
    let engine = world.open(Some(model.clone()), &json!({}));
    let all: Vec<String> = ["flute", "bike", "peanuts", "boat", "chess", "soup", "tent", "kite"]
        .iter()
        .map(|thing| format!("Likes the {thing}."))
        .collect();
    let entities = json!([{ "name": "Emil", "entityType": "person", "observations": all }]);
    world.call(&engine, "graph.create_entities", json!({ "entities": entities }));
    let messages = json!([{ "role": "user", "content": "Emil broke his flute and the peanuts are gone." }]);
    world.call(&engine, "generate", json!({ "messages": messages }));
    let expected = r#""observations":["Likes the flute.","Likes the peanuts.","Likes the soup.","Likes the tent.","Likes the kite."]"#;
    assert!(model.prompt().contains(expected), "{}", model.prompt());
    let cut = world.call(&engine, "graph.list", json!({ "observationLimit": 2 }));
    assert_eq!(cut[0]["observations"], json!(["Likes the tent.", "Likes the kite."]), "the newest");
}

#[test]
fn an_observation_of_another_shape_is_left_out() {
    for wrong in [
        json!(7),
        json!({ "quote": "x" }),
        json!({ "text": "" }),
        json!({ "text": "x", "message": 9 }),
        json!(""),
    ] {
        let entities = json!([{ "name": "Emil", "type": "person", "observations": [wrong], "message": 1 }]);
        let answer = json!({ "facts": [], "entities": entities });
        let (world, engine, model) = said(&["Emil is here."], vec![answer.clone(), answer]);
        assert_eq!(model.calls(), 2, "{wrong}");
        let list = world.call(&engine, "graph.list", json!({}));
        assert!(
            list.as_array().unwrap().iter().all(|entity| entity["observations"] == json!([])),
            "{wrong}: {list}"
        );
    }
}

/// The line of an entity without observations had the date on which it was learned, not that on which it was said.
#[test]
fn the_line_of_an_entity_has_the_date_of_the_message() {
    let world = World::new();
    let seen =
        json!({ "name": "Clara", "type": "person", "observations": [], "message": 1, "quote": "Clara" });
    let model = Scripted::new([answer(json!([seen]), json!([]))]);
    let engine = world.open(Some(model), &json!({}));
    let message = json!({ "role": "user", "content": "Clara called.", "createdAt": 1_680_652_800_000_i64 });
    world.call(&engine, "generate", json!({ "messages": [message] }));
    let recalled = world.call(&engine, "recall", json!({ "query": "Who is Clara?" }));
    assert!(recalled["text"].as_str().unwrap().contains("Clara (person) (said 2023-04-05)"), "{recalled}");
}

/// What was learned of a conversation of 2019 was said today, by the line of the user.
#[test]
fn the_user_was_spoken_of_when_the_message_was_said() {
    let works = json!({ "from": "User", "relation": "works_at", "to": "Hanbit", "message": 1, "quote": "work at Hanbit" });
    let learned = answer(json!([{ "name": "Hanbit", "type": "company", "message": 1 }]), json!([works]));
    let world = World::new();
    let engine = world.open(Some(Scripted::new([learned])), &json!({}));
    let message =
        json!({ "role": "user", "content": "I work at Hanbit.", "createdAt": 1_556_668_800_000_i64 });
    world.call(&engine, "generate", json!({ "messages": [message] }));
    let told = world.call(&engine, "recall", json!({ "query": "Does the User work at Hanbit?" }));
    let told = told["text"].as_str().unwrap();
    assert!(told.contains("- User works_at Hanbit (said 2019-05-01)"), "{told}");
    assert!(!told.contains("said 2026"), "{told}");
}

/// Whether a relation began before or after what is said now was not to be seen.
#[test]
fn relations_are_shown_with_their_dates() {
    let works = json!({ "from": "User", "relation": "works_at", "to": "Hanbit", "since": "spring 2021", "message": 1 });
    let learned = answer(json!([{ "name": "Hanbit", "type": "company", "message": 1 }]), json!([works]));
    let (_, _, model) = said(
        &["I have worked at Hanbit since the spring of 2021.", "Hanbit is moving."],
        vec![learned, json!({ "facts": [] })],
    );
    let line = r#"{"from":"User","relation":"works_at","to":"Hanbit","since":"spring 2021"}"#;
    assert!(model.prompt().contains(line), "{}", model.prompt());
}

/// "I sold the car" has no word of "drives a Volvo", and its vector is made later.
#[test]
fn what_little_is_known_is_shown_whatever_its_words_are() {
    let end = json!({ "facts": [{ "action": "end", "target": 1, "message": 1 }] });
    let world = World::new();
    let model = Scripted::new([end]);
    let engine = world.open(Some(model.clone()), &json!({}));
    world.call(&engine, "facts.add", json!({ "text": "The user drives a Volvo." }));
    let sold = json!([{ "role": "user", "content": "I sold the car." }]);
    world.call(&engine, "generate", json!({ "messages": sold }));
    assert!(model.prompt().contains("drives a Volvo"), "{}", model.prompt());
    assert_eq!(world.facts(&engine), Vec::<String>::new());
}
