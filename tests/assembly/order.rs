//! What a prompt is made of, and in which order.

use super::{QUESTION, assemble, assistant, filled, open, say, text, user};
use crate::support::world::{ALICE, World};
use mnemic::{Code, tokens};
use serde_json::{Value, json};

#[test]
fn a_prompt_has_everything_in_its_order() {
    let world = World::new();
    let engine = filled(&world);
    let asked = json!({ "threadId": "today", "query": QUESTION, "maxTokens": 2000, "instructions": "You are a mate." });
    let prompt = assemble(&world, &engine, asked);
    let expected = "You are a mate.\n\n\
        <memory>\n\
        Instructions:\n\
        - Answer in short sentences.\n\
        Working memory:\n\
        - human (What you know about the person you speak with.)\n  Ada.\n  Sails every summer.\n\
        Profile:\n\
        - diet: vegan\n\
        Facts:\n\
        - Ada is allergic to nuts (said 2026-05-01)\n\
        - Ada's boat is called Petrel (said 2026-05-01)\n\
        Other facts:\n\
        - Ada plays the cello (said 2026-05-01)\n\
        Examples:\n\
        - When the boat leaks, do: call the yard. Outcome: a dry boat\n\
        People and things:\n\
        - Petrel (boat): nine metres long\n\
        - Petrel lies_in Porto\n\
        </memory>\n\n\
        <conversation>\n\
        user: Hello!\n\
        assistant: Hello, Ada.\n\
        </conversation>\n\n\
        Where is my boat Petrel?";
    assert_eq!(text(&prompt), expected);
    assert_eq!(prompt["tokens"], tokens::estimate(expected));
    let prefix = expected.split("- Ada's boat").next().unwrap();
    assert_eq!(prompt["prefixTokens"], tokens::estimate(prefix));
    assert!(prompt.get("warnings").is_none() && prompt.get("messages").is_none());
    let items: Vec<_> =
        prompt["items"].as_array().unwrap().iter().map(|item| (&item["section"], &item["kind"])).collect();
    let expected = [
        ("instructions", "instruction"),
        ("blocks", "block"),
        ("profile", "field"),
        ("facts", "fact"),
        ("facts", "fact"),
        ("significant", "fact"),
        ("episodes", "episode"),
        ("graph", "entity"),
        ("graph", "relation"),
        ("messages", "message"),
        ("messages", "message"),
    ];
    assert_eq!(items.len(), expected.len(), "{items:?}");
    for (item, (section, kind)) in items.iter().zip(expected) {
        assert_eq!((item.0.as_str(), item.1.as_str()), (Some(section), Some(kind)));
    }
    let names: Vec<_> = prompt["sections"]
        .as_array()
        .unwrap()
        .iter()
        .map(|section| section["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "instructions",
            "blocks",
            "profile",
            "facts",
            "significant",
            "episodes",
            "graph",
            "summaries",
            "summary",
            "messages",
            "question"
        ]
    );
    assert!(prompt["sections"].as_array().unwrap().iter().all(|section| section["dropped"] == 0));
    let related = &prompt["items"][4];
    assert!(related["score"].as_f64().unwrap() > 0.0 && related["terms"]["words"].as_f64().unwrap() > 0.0);
}

#[test]
fn models_interfaces_get_their_messages() {
    let world = World::new();
    let engine = filled(&world);
    let asked = |shape: &str| json!({ "threadId": "today", "query": QUESTION, "maxTokens": 2000, "instructions": "You are a mate.", "as": shape });
    let openai = assemble(&world, &engine, asked("openai"));
    let messages = openai["messages"].as_array().unwrap();
    assert_eq!(messages[1..], [user("Hello!"), assistant("Hello, Ada."), user(QUESTION)]);
    let system = messages[0]["content"].as_str().unwrap();
    assert_eq!(messages[0]["role"], "system");
    assert!(system.starts_with("You are a mate.\n\n<memory>") && system.ends_with("</memory>"));
    let anthropic = assemble(&world, &engine, asked("anthropic"));
    let blocks: Vec<_> =
        anthropic["system"].as_array().unwrap().iter().map(|block| block["text"].as_str().unwrap()).collect();
    assert_eq!(blocks.concat(), system);
    assert_eq!(anthropic["system"][0]["cache_control"], json!({ "type": "ephemeral" }));
    let roles: Vec<_> =
        anthropic["messages"].as_array().unwrap().iter().map(|message| &message["role"]).collect();
    assert_eq!(roles, ["user", "assistant", "user"]);
    assert_eq!(openai["tokens"], anthropic["tokens"]);
}

#[test]
fn a_question_that_the_thread_ends_with_is_asked_once() {
    let world = World::new();
    let engine = open(&world);
    say(&world, &engine, "t", json!([user("Hi"), assistant("Hi."), user("What now?")]));
    let prompt = assemble(
        &world,
        &engine,
        json!({ "threadId": "t", "query": "What now? ", "maxTokens": 500, "as": "openai" }),
    );
    assert_eq!(prompt["messages"], json!([user("Hi"), assistant("Hi."), user("What now? ")]));
    let prompt = assemble(&world, &engine, json!({ "threadId": "t", "maxTokens": 500, "as": "openai" }));
    assert_eq!(prompt["messages"], json!([user("Hi"), assistant("Hi."), user("What now?")]));
    assert_eq!(assemble(&world, &engine, json!({ "maxTokens": 1 }))["text"], "");
}

#[test]
fn sections_take_what_they_are_given() {
    let world = World::new();
    let engine = filled(&world);
    let sections = json!({ "facts": 0, "blocks": 0, "messages": { "maxTokens": 7 }, "graph": 0 });
    let asked = json!({ "threadId": "today", "query": QUESTION, "maxTokens": 2000, "sections": sections });
    let prompt = assemble(&world, &engine, asked);
    for gone in ["Facts:", "Working memory:", "People and things:", "Hello!"] {
        assert!(!text(&prompt).contains(gone), "{gone}");
    }
    assert!(text(&prompt).contains("Profile:") && prompt.get("warnings").is_none());
    let error = world
        .try_call(&engine, "assemble", ALICE, json!({ "maxTokens": 10, "sections": { "facts": 2 } }))
        .unwrap_err();
    assert_eq!(error.code, Code::InvalidInput);
    // With little room the greater priority wins.
    let told = |max: usize, profile: i64| {
        let limited = |priority: i64| json!({ "priority": priority, "maxTokens": 100 });
        let sections = json!({ "profile": limited(profile), "instructions": limited(50) });
        let prompt = assemble(&world, &engine, json!({ "maxTokens": max, "sections": sections }));
        (text(&prompt).contains("short sentences"), text(&prompt).contains("vegan"))
    };
    assert!((20..200).any(|max| (told(max, 1), told(max, 100)) == ((true, false), (false, true))));
}

#[test]
fn another_scope_shows_nothing() {
    let world = World::new();
    let engine = filled(&world);
    let (handle, options) =
        (engine.clone(), json!({ "threadId": "today", "query": QUESTION, "maxTokens": 500 }));
    let call = async move { handle.call("assemble", r#"{"userId":"two"}"#, &options.to_string()).await };
    let other: Value = serde_json::from_str(&world.machine.run(call).unwrap()).unwrap();
    assert_eq!(other["text"], QUESTION);
    assert_eq!(other["items"], json!([]));
}

#[test]
fn summaries_of_other_threads_come_before_that_of_this_one() {
    let world = World::new();
    let llm = crate::support::world::Scripted::new([
        json!({ "summary": "They fixed the boat." }),
        json!({ "summary": "They planned a garden." }),
        json!({ "summary": "They spoke about tea." }),
    ]);
    let options = json!({ "extraction": { "auto": false }, "summaries": { "auto": false } });
    let engine = world.open(Some(llm), &options);
    for thread in ["boat", "garden", "today"] {
        let said: Vec<Value> = (0..20).map(|number| user(&format!("{thread} {number}"))).collect();
        say(&world, &engine, thread, Value::from(said));
        world.call(&engine, "threads.summarise", json!({ "threadId": thread }));
        world.machine.pass(1000);
    }
    say(&world, &engine, "today", json!([user("And then?")]));
    let asked = json!({ "threadId": "today", "query": "What now?", "maxTokens": 2000 });
    let prompt = assemble(&world, &engine, asked);
    let places: Vec<usize> = [
        "They planned a garden.",
        "They fixed the boat.",
        "They spoke about tea.",
        "today 19",
        "And then?",
        "What now?",
    ]
    .iter()
    .map(|words| text(&prompt).find(words).unwrap())
    .collect();
    assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "the newest thread first: {}", text(&prompt));
    assert_eq!(
        text(&prompt).matches("They spoke about tea.").count(),
        1,
        "this thread is none of the others"
    );
    let sections: Vec<_> = prompt["items"].as_array().unwrap().iter().map(|item| &item["section"]).collect();
    assert_eq!(sections[..3], [&json!("summaries"), &json!("summaries"), &json!("summary")]);
    // Messages that the summary covers are told only as the last few.
    assert!(!text(&prompt).contains("today 0") && text(&prompt).contains("today 15"), "{}", text(&prompt));
    let none = json!({ "threadId": "today", "query": "What now?", "maxTokens": 2000, "sections": { "summaries": 0, "summary": 0 } });
    assert!(!text(&assemble(&world, &engine, none)).contains("They "));
    let other = json!({ "threadId": "new", "query": "What now?", "maxTokens": 2000 });
    assert_eq!(text(&assemble(&world, &engine, other)).matches("They ").count(), 3);
}
