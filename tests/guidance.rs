//! What an application wants to be learned, as the model is told it.

use crate::support::world::{DAY_MS, Scripted, World};
use crate::tiers::moved;
use mnemic::Code;
use mnemic::tokens::estimate;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const NOTHING: &str = r#"{"facts": [], "profile": [], "entities": [], "relations": []}"#;

/// The parts of the request that a model was last asked: the system's, the user's, the answer's schema.
fn parts(model: &Scripted) -> (String, String, Value) {
    let asked = model.asked.borrow();
    let last = asked.last().unwrap();
    let text = |place: usize| last.messages[place].content.clone();
    (text(0), text(1), last.schema.clone().unwrap())
}

/// The options of a memory with a profile of one field.
fn with_a_profile() -> Value {
    let profiles = json!({ "user": { "type": "object", "properties": { "name": { "type": "string" } } } });
    json!({ "profiles": profiles })
}

/// What the model is asked about one message under these options.
fn asked(extraction: &Value) -> (String, String, Value) {
    let world = World::new();
    let model = Scripted::new([json!(NOTHING)]);
    let mut options = with_a_profile();
    options["extraction"] = extraction.clone();
    let engine = world.open(Some(model.clone()), &options);
    world.call(&engine, "remember", json!({ "messages": [{ "role": "user", "content": "I am Ann." }] }));
    world.machine.pass(600_000);
    world.idle(&engine);
    assert_eq!(model.calls(), 1);
    parts(&model)
}

/// What the model is asked about a page that is distilled.
fn asked_to_distil() -> (String, String, Value) {
    let world = World::new();
    let model = Scripted::new([moved(), json!({ "facts": [], "traits": [] })]);
    let mut options = with_a_profile();
    options["extraction"] = json!({ "auto": false });
    options["tiers"] = json!({ "capacity": 1, "heat": 1 });
    let engine = world.open(Some(model.clone()), &options);
    for _ in 0..2 {
        world.call(&engine, "tiers.add", json!({ "query": "Tea?", "response": "Yes." }));
    }
    world.call(&engine, "tiers.update", json!({}));
    assert_eq!(model.calls(), 2, "one answer moves the page, the other distils it");
    parts(&model)
}

#[test]
fn every_place_of_the_prompts_is_filled() {
    for extraction in [json!({}), json!({ "facts": false }), json!({ "graph": false, "profiles": false })] {
        let (system, user, _) = asked(&extraction);
        for text in [system, user] {
            assert!(!text.contains("{{"), "{text}");
        }
    }
}

/// The most tokens of a prompt that are the same whatever is said and known.
const MAX_CONSTANT_TOKENS: usize = 900;

/// The names of the files of prompts.
fn files() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/memory/asking/prompts");
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter_map(|name| name.strip_suffix(".md").map(str::to_owned)).collect()
}

/// The words of a file of a prompt, without its places.
fn words(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/memory/asking/prompts");
    let text = fs::read_to_string(path.join(format!("{name}.md"))).unwrap();
    text.split("{{").map(|part| part.split_once("}}").map_or(part, |(_, rest)| rest)).collect()
}

/// A system's part without the one field of the application.
fn without_the_field(system: &str) -> String {
    let own: Vec<&str> = system.lines().filter(|line| !line.starts_with("{\"schema\"")).collect();
    assert_eq!(own.len() + 1, system.lines().count(), "the field of the application is on a line of its own");
    own.join("\n")
}

/// The prompt that distils had 1 227 tokens: it named ninety traits by several words each.
#[test]
fn the_constant_part_of_every_prompt_is_short() {
    let files = files();
    let prompts: Vec<&str> = files.iter().filter_map(|name| name.strip_suffix(".system")).collect();
    assert!(prompts.len() >= 10, "{prompts:?}");
    for prompt in prompts {
        let system = match prompt {
            "extract" => Some(asked(&json!({})).0),
            "distil" => Some(asked_to_distil().0),
            _ => None,
        };
        let own = |name: &&String| name.split('.').next() == Some(prompt);
        let parts: Vec<String> = match system {
            Some(system) => vec![without_the_field(&system), words(&format!("{prompt}.user"))],
            None => files.iter().filter(own).map(|name| words(name)).collect(),
        };
        let tokens: usize = parts.iter().map(|part| estimate(part)).sum();
        assert!(tokens <= MAX_CONSTANT_TOKENS, "{prompt} has {tokens} tokens");
    }
}

/// Providers keep what requests begin with: so the system's part must not vary, whatever is said, known, and asked for.
#[test]
fn what_a_prompt_begins_with_is_the_same_from_call_to_call() {
    let world = World::new();
    let model = Scripted::new([json!(NOTHING), json!(NOTHING)]);
    let engine = world.open(Some(model.clone()), &json!({ "extraction": { "topics": ["preferences"] } }));
    let said = |content: &str| json!([{ "role": "user", "content": content }]);
    world.call(&engine, "generate", json!({ "messages": said("I am Ann.") }));
    world.machine.pass(40 * DAY_MS);
    world.call(&engine, "facts.add", json!({ "text": "Ann rows." }));
    let own = json!([{ "label": "boats</memory>", "description": "what is said of boats" }]);
    world.call(
        &engine,
        "generate",
        json!({ "messages": said("I row, too."), "topics": own, "threadId": "two" }),
    );
    let asked = model.asked.borrow();
    let parts =
        |place: usize| (asked[place].messages[0].content.clone(), asked[place].messages[1].content.clone());
    let ((first, _), (second, user)) = (parts(0), parts(1));
    assert_eq!(first, second);
    assert!(first.contains("what the user likes") && !second.contains("boats"));
    assert!(user.contains("this time only") && user.contains("what is said of boats"), "{user}");
    assert!(!user.contains("boats</memory>"), "a label cannot close a block");
}

#[test]
fn only_what_is_wanted_is_asked_for() {
    let all = ["facts", "profile", "entities", "relations"];
    for (extraction, wanted) in [
        (json!({}), &all[..]),
        (json!({ "graph": false }), &all[..2]),
        (json!({ "facts": false, "profiles": false }), &all[2..]),
        (json!({ "profiles": false, "graph": false }), &all[..1]),
    ] {
        let (system, user, schema) = asked(&extraction);
        let properties: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(properties, wanted);
        for (name, section, memory) in [
            ("facts", "# Facts", "Known facts"),
            ("profile", "# Profile", "Profile now"),
            ("entities", "# Graph", "Known entities"),
        ] {
            assert_eq!(system.contains(section), wanted.contains(&name), "{section}");
            assert_eq!(user.contains(memory), wanted.contains(&name), "{memory}");
        }
    }
}

#[test]
fn topics_examples_person_and_language_reach_the_model() {
    let (system, _, _) = asked(&json!({
        "topics": ["preferences", { "label": "boats</memory>", "description": "what the user says of boats" }],
        "examples": [{ "messages": [{ "role": "user", "content": "Hi!" }], "facts": [] }],
        "person": "first",
        "language": "Korean",
    }));
    for told in [
        "belongs to one of these topics",
        "what the user likes, dislikes and prefers",
        "what the user says of boats",
        r#"{"messages":[{"role":"user","content":"Hi!"}],"facts":[]}"#,
        "in the first person",
        r#"in this language: "Korean""#,
    ] {
        assert!(system.contains(told), "{told} is not in {system}");
    }
    assert!(!system.contains("boats</memory>"), "a label cannot close a block");
    let (plain, _, _) = asked(&json!({}));
    assert!(plain.contains("in the third person") && plain.contains("in the language of its message"));
    assert!(!plain.contains("# Examples") && !plain.contains("these topics"));
}

#[test]
fn a_prompt_can_be_replaced() {
    let own = "Find out what the user is called.\n{{fields}}\n";
    let (system, _, _) = asked(&json!({ "prompts": { "extract.profile": own } }));
    assert!(system.contains("Find out what the user is called.\n{\"schema\":\"user\""), "{system}");
}

#[test]
fn guidance_that_is_none_is_refused_when_the_memory_is_opened() {
    let many: Vec<Value> = (0..33).map(|_| json!("preferences")).collect();
    for (extraction, complaint) in [
        (json!({ "topics": ["prefernces"] }), "topics[0] is neither \"personal info\""),
        (json!({ "topics": [{ "label": "x" }] }), "topics[0] is neither"),
        (json!({ "topics": [{ "label": " ", "description": "x" }] }), "topics[0].label is empty"),
        (json!({ "topics": many }), "topics has 33 items"),
        (json!({ "examples": [{ "messages": [], "facts": [] }] }), "extraction.examples[0] is not"),
        (
            json!({ "examples": [{ "messages": [{ "role": "user" }], "facts": [] }] }),
            "extraction.examples[0] is not",
        ),
        (
            json!({ "examples": [{ "messages": [{ "role": "user", "content": "x".repeat(40_000) }], "facts": [] }] }),
            "over the limit of 32768",
        ),
        (json!({ "person": "second" }), "second"),
        (json!({ "language": "" }), "extraction.language is empty"),
        (json!({ "prompts": { "extract.x": "" } }), "there is no prompt"),
        (json!({ "graph": 1 }), "graph"),
    ] {
        let error = World::new().try_open(None, None, &json!({ "extraction": extraction })).err().unwrap();
        assert_eq!(error.code, Code::InvalidInput);
        assert!(error.message.contains(complaint), "{complaint}: {}", error.message);
    }
}
