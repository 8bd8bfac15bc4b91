//! What was learned from a message and has ended: the message is not told as if it still held, nor does it count as known.

use crate::support::world::{DAY_MS, Scripted, World, nothing};
use mnemic::engine::Engine;
use serde_json::{Value, json};

/// What was said first and then, what names the old and the new place, and how they are asked for.
const STORIES: [[&str; 6]; 4] = [
    [
        "I live in Lisbon.",
        "I moved to Berlin.",
        "Lisbon",
        "Berlin",
        "Where do I live?",
        "Where did I live before?",
    ],
    [
        "저는 리스본에 살아요.",
        "베를린으로 이사했어요.",
        "리스본",
        "베를린",
        "나 어디 살아?",
        "나 어디 살았었지?",
    ],
    [
        "私はリスボンに住んでいます。",
        "ベルリンに引っ越しました。",
        "リスボン",
        "ベルリン",
        "私はどこに住んでいますか？",
        "以前はどこに住んでいましたか？",
    ],
    ["我住在里斯本。", "我搬到柏林了。", "里斯本", "柏林", "我住在哪里？", "我以前住在哪里？"],
];

fn open(world: &World) -> Engine {
    world.open(None, &json!({ "extraction": { "trigger": { "messages": 1 } } }))
}

fn recall(world: &World, engine: &Engine, query: &str, options: Value) -> Value {
    let mut asked = options;
    asked["query"] = query.into();
    world.call(engine, "recall", asked)
}

/// Says things, each a month after the one before.
fn say(world: &World, engine: &Engine, said: &[&str]) {
    for said in said {
        world.teach(engine, said);
        world.machine.pass(30 * DAY_MS);
    }
}

/// The lines that hold a word.
fn lines(recalled: &Value, word: &str) -> Vec<String> {
    let texts = recalled["items"].as_array().unwrap().iter().map(|item| item["text"].as_str().unwrap());
    texts.filter(|text| text.contains(word)).map(str::to_owned).collect()
}

/// A filter that the ended fact did not pass made its message current again, which answered.
#[test]
fn what_is_over_is_over_whatever_the_filter() {
    let world = World::new();
    let engine = open(&world);
    for (said, thread) in [("I live in Lisbon.", "may"), ("I moved to Berlin.", "june")] {
        let message = json!({ "role": "user", "content": said, "metadata": { "project": "p" } });
        world.call(&engine, "remember", json!({ "messages": [message], "threadId": thread }));
        world.idle(&engine);
        world.machine.pass(30 * DAY_MS);
    }
    for (filter, berlin) in [
        (json!({ "metadata.project": "p" }), 1),
        (json!({ "role": "user" }), 1),
        (json!({ "threadId": "may" }), 0),
    ] {
        let told = recall(&world, &engine, "Where do I live?", json!({ "filter": filter }));
        assert_eq!((lines(&told, "Lisbon").len(), lines(&told, "Berlin").len()), (0, berlin), "{told}");
        let told = recall(&world, &engine, "Where do I live?", json!({ "filter": filter, "threshold": 0.1 }));
        assert!(lines(&told, "Lisbon").iter().all(|line| line.contains("no longer so")), "{told}");
    }
}

/// Asked where the user lives, the message about the old place was told, and answered.
#[test]
fn what_is_over_is_told_to_who_asks_for_the_past() {
    for [first, then, old, new, question, past] in STORIES {
        let world = World::new();
        let engine = open(&world);
        say(&world, &engine, &[first]);
        let recalled = recall(&world, &engine, question, json!({}));
        assert_eq!(recalled["known"], "yes", "{recalled}");
        say(&world, &engine, &[then]);
        for other in ["I like tea.", "저는 커피를 좋아해요.", "私は猫が好きです。", "我喜欢咖啡。"]
        {
            world.teach(&engine, other);
        }
        let recalled = recall(&world, &engine, question, json!({}));
        assert!(lines(&recalled, old).is_empty(), "{recalled}");
        assert!(!lines(&recalled, new).is_empty(), "{recalled}");
        let recalled = recall(&world, &engine, past, json!({}));
        let told = lines(&recalled, old);
        assert!(told.iter().any(|line| line.contains("no longer so by 2026-05-31")), "{recalled}");
        assert!(told.iter().all(|line| line.contains("no longer so")), "{recalled}");
        assert_ne!(recalled["known"], "no", "{recalled}");
        // All that fits is told to who asks for it, the message with what of it is over.
        let all = json!({ "threshold": 0, "sections": { "facts": 0 } });
        let recalled = recall(&world, &engine, question, all);
        let told = lines(&recalled, old);
        assert!(told.iter().any(|line| line.contains("; no longer so by 2026-05-31: \"")), "{recalled}");
    }
}

/// Ends the only fact.
fn end(world: &World, engine: &Engine) {
    let id = world.call(engine, "facts.list", json!({}))[0]["id"].clone();
    world.call(engine, "facts.update", json!({ "id": id, "validTo": world.now() - DAY_MS }));
}

/// Only the message about the old place was found, and the reason said that all that was known is over.
#[test]
fn what_took_the_place_of_what_is_over_is_told_and_said_to_be_known() {
    let world = World::new();
    let engine = open(&world);
    say(&world, &engine, &["I live in Lisbon.", "I moved to Porto."]);
    for question in ["Which city am I in?", "Where do I live?"] {
        let recalled = recall(&world, &engine, question, json!({}));
        assert!(lines(&recalled, "Lisbon").is_empty() && !lines(&recalled, "Porto").is_empty(), "{recalled}");
        let known = if question == "Where do I live?" { "yes" } else { "partly" };
        assert_eq!(recalled["known"], known);
        let reason = recalled["reason"].as_str().unwrap();
        let held = if question == "Where do I live?" { "100 %" } else { "70 %" };
        assert!(reason.starts_with(&format!("the best fact has {held} of what is asked for")), "{reason}");
    }
    let engine = open(&world);
    say(&world, &engine, &["I have a cat called Tom.", "Tom died."]);
    let recalled = recall(&world, &engine, "Do I have a cat?", json!({}));
    let reason = recalled["reason"].as_str().unwrap();
    assert!(reason.starts_with("what fits best is no longer so; the best current fact"), "{recalled}");
}

#[test]
fn what_is_over_is_not_known() {
    let world = World::new();
    let engine = open(&world);
    say(&world, &engine, &["I live in Lisbon."]);
    end(&world, &engine);
    for options in [json!({}), json!({ "threshold": 0 })] {
        let recalled = recall(&world, &engine, "Where do I live?", options);
        assert_eq!(recalled["known"], "no", "{recalled}");
        assert_eq!(recalled["reason"], "what was known of it is no longer so");
    }
    let recalled = recall(&world, &engine, "Where did I live?", json!({}));
    let fact = &recalled["items"][0];
    assert!(fact["text"].as_str().unwrap().contains("until") && fact["validTo"].is_i64(), "{recalled}");
    assert_eq!(recalled["known"], "yes");
}

/// What a message tells beside what is over is told, and what of it is over.
#[test]
fn a_message_goes_on_to_tell_what_still_holds() {
    let world = World::new();
    let engine = open(&world);
    say(&world, &engine, &["I live in Lisbon. My boat is moored in Cascais.", "I moved to Berlin."]);
    let recalled = recall(&world, &engine, "Where is my boat moored?", json!({}));
    assert!(!lines(&recalled, "Cascais").is_empty(), "{recalled}");
    // Half a sentence of it, too.
    let quote = "I live in Lisbon";
    let fact = json!({ "action": "add", "target": null, "text": "The user lives in Lisbon.", "significance": 6,
                       "message": 1, "quote": quote });
    let world = World::new();
    let llm = Scripted::new([json!({ "facts": [fact], "profile": [] }), nothing()]);
    let engine = world.open(Some(llm), &json!({ "extraction": { "trigger": { "messages": 1 } } }));
    say(&world, &engine, &["I live in Lisbon with a parrot called Rui."]);
    end(&world, &engine);
    let recalled = recall(&world, &engine, "Where do I live?", json!({}));
    assert!(lines(&recalled, "Lisbon").is_empty(), "{recalled}");
    let recalled = recall(&world, &engine, "What is my parrot called?", json!({}));
    assert!(!lines(&recalled, "Rui").is_empty(), "{recalled}");
}

/// The places that a limit gives were all taken by what has ended.
#[test]
fn what_has_ended_takes_no_place_of_what_holds() {
    let world = World::new();
    let engine = open(&world);
    for number in 0..80 {
        let text = format!("The user's mood is number {number}.");
        world.add(&engine, json!({ "text": text, "dates": { "since": "2020", "until": "2021" } }));
    }
    world.add(&engine, json!({ "text": "The user's mood at work is sunny, as it ever was." }));
    for options in [json!({ "limit": 1 }), json!({})] {
        let recalled = recall(&world, &engine, "What is my mood?", options);
        assert_eq!(lines(&recalled, "mood").len(), 1, "{recalled}");
        assert!(!lines(&recalled, "sunny").is_empty(), "{recalled}");
    }
    let recalled = recall(&world, &engine, "What was my mood?", json!({}));
    assert!(lines(&recalled, "until 2021").len() > 10, "{recalled}");
}

/// The facts of a recall, each with the one that took its place.
fn facts(recalled: &Value) -> Vec<(&str, Option<&str>)> {
    let items = recalled["items"].as_array().unwrap().iter().filter(|item| item["kind"] == "fact");
    items.map(|item| (item["text"].as_str().unwrap(), item["supersededBy"].as_str())).collect()
}

#[test]
fn a_chain_of_changes_is_told_in_its_order_to_who_asks_for_the_past() {
    let world = World::new();
    let engine = open(&world);
    say(
        &world,
        &engine,
        &["I live in Lisbon.", "I moved to Berlin.", "I moved to Porto.", "I moved to Rome."],
    );
    for question in [
        "Where did I live before?",
        "List all the places I have lived in.",
        "Which cities have I lived in?",
        "Where did I use to live?",
        "나 예전에 어디 살았어?",
        "以前はどこに住んでいましたか？",
        "我以前住在哪里？",
    ] {
        let recalled = recall(&world, &engine, question, json!({}));
        let told = facts(&recalled);
        let place = |city: &str| told.iter().position(|(text, _)| text.contains(city));
        let places = ["Porto", "Berlin", "Lisbon"].map(|city| place(city).expect(question));
        assert!(places.is_sorted(), "{question}: {told:?}");
        let successor = |city: &str| place(city).and_then(|place| told[place].1);
        assert!(["Porto", "Berlin", "Lisbon"].iter().all(|city| successor(city).is_some()), "{told:?}");
        assert_eq!(successor("Rome"), None);
    }
    let recalled = recall(&world, &engine, "How long have I lived here?", json!({}));
    let told = facts(&recalled);
    assert!(matches!(told[..], [(text, _), ..] if text.contains("Rome")), "{recalled}");
    // Who names one of them asks for that one.
    for (question, city) in
        [("When did I live in Lisbon?", "Lisbon"), ("Have I ever lived in Berlin?", "Berlin")]
    {
        let recalled = recall(&world, &engine, question, json!({}));
        assert!(facts(&recalled)[0].0.contains(city), "{question}: {recalled}");
    }
    // These are of the present.
    for question in ["Since when have I lived here?", "If I ever need a plumber, where do I live?"] {
        let recalled = recall(&world, &engine, question, json!({}));
        assert!(facts(&recalled)[0].0.contains("Rome"), "{question}: {recalled}");
    }
}

/// Of "a product manager at Klarna" both facts had ended, and the message was told as what holds: each alone seemed to leave more in it.
#[test]
fn a_message_of_which_several_facts_have_ended_is_over() {
    let world = World::new();
    let engine = open(&world);
    say(
        &world,
        &engine,
        &["I work as a product manager at Klarna.", "I work at Spotify as a research lead now."],
    );
    let recalled = recall(&world, &engine, "Where do I work?", json!({}));
    assert!(lines(&recalled, "Klarna").is_empty(), "{recalled}");
    assert!(!lines(&recalled, "Spotify").is_empty(), "{recalled}");
}

#[test]
fn the_first_of_a_chain_is_asked_for_wherever_the_word_stands() {
    let world = World::new();
    let engine = open(&world);
    say(&world, &engine, &["I live in Lisbon.", "I moved to Berlin.", "I live in Oslo now."]);
    for query in ["Where did I live first?", "Where did I first live?"] {
        let recalled = recall(&world, &engine, query, json!({}));
        let first = recalled["items"][0]["text"].as_str().unwrap();
        assert!(first.contains("Lisbon"), "{query}: {first}");
    }
}

/// A message was marked or not by how well the fact that had ended fitted the question.
#[test]
fn what_is_over_is_marked_whatever_is_asked() {
    let world = World::new();
    let engine = open(&world);
    say(&world, &engine, &["I work as a waiter.", "I work as a nurse now.", "I work as a teacher now."]);
    for query in ["Where did I work in 2021?", "Where did I work before?", "What did I do for work in 2026?"]
    {
        let recalled = recall(&world, &engine, query, json!({}));
        let items = recalled["items"].as_array().unwrap().iter().filter(|item| item["kind"] == "message");
        for text in items.map(|item| item["text"].as_str().unwrap()).filter(|text| !text.contains("teacher"))
        {
            assert!(text.contains("; no longer so"), "{query}: {text}");
        }
    }
}
