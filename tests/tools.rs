//! Tools as a model meets them: their definitions, and what comes of calling them, also with arguments no careful model writes.

use crate::support::world::{ALICE, World};
use mnemic::engine::Engine;
use mnemic::schema::Schema;
use mnemic::{Code, tokens};
use proptest::prelude::*;
use serde_json::{Value, json};

const GRAPH: [&str; 9] = [
    "create_entities",
    "create_relations",
    "add_observations",
    "delete_entities",
    "delete_observations",
    "delete_relations",
    "read_graph",
    "search_nodes",
    "open_nodes",
];

fn options() -> Value {
    let profile = json!({ "type": "object", "properties": { "name": { "type": "string" }, "language": { "enum": ["de", "en"] } } });
    json!({ "profiles": { "user-profile": profile } })
}

fn open(world: &World) -> Engine {
    world.open(None, &options())
}

fn definitions(world: &World, engine: &Engine, options: Value) -> Vec<Value> {
    world.call(engine, "tools", options).as_array().unwrap().clone()
}

fn call(world: &World, engine: &Engine, name: &str, arguments: Value) -> (bool, String) {
    let called = world.call(engine, "callTool", json!({ "name": name, "arguments": arguments }));
    assert_eq!(called.get("isError").is_some(), !called["ok"].as_bool().unwrap());
    let result = called["result"].as_str().unwrap().to_owned();
    assert!(tokens::estimate(&result) <= 2000, "{} tokens", tokens::estimate(&result));
    (called["ok"].as_bool().unwrap(), result)
}

fn done(world: &World, engine: &Engine, name: &str, arguments: Value) -> String {
    let (ok, result) = call(world, engine, name, arguments);
    assert!(ok, "{result}");
    result
}

fn refused(world: &World, engine: &Engine, name: &str, arguments: Value) -> String {
    let (ok, result) = call(world, engine, name, arguments);
    assert!(!ok, "{result}");
    result
}

/// Everything that is remembered, and how often that changed.
fn state(world: &World, engine: &Engine) -> (Value, Value) {
    let items = world.call(engine, "items.list", json!({ "limit": 1000 }));
    (items, world.call(engine, "usage", json!({}))["commits"].clone())
}

#[test]
fn definitions_are_in_the_shape_that_was_asked_for() {
    let world = World::new();
    let engine = open(&world);
    let openai = definitions(&world, &engine, json!({ "format": "openai", "include": ["graph"] }));
    let names: Vec<_> = openai.iter().map(|tool| tool["function"]["name"].as_str().unwrap()).collect();
    assert_eq!(names, GRAPH);
    assert!(openai.iter().all(|tool| tool["type"] == "function" && tool["function"]["strict"] == true));
    let anthropic =
        definitions(&world, &engine, json!({ "format": "anthropic", "include": ["facts", "profile"] }));
    assert_eq!(anthropic.len(), 6);
    assert!(anthropic.iter().all(|tool| tool["input_schema"]["type"] == "object"));
    let mcp = definitions(&world, &engine, json!({ "format": "mcp" }));
    let hints = |name: &str| {
        let tool = mcp.iter().find(|tool| tool["name"] == name).unwrap();
        ["readOnlyHint", "destructiveHint", "idempotentHint"].map(|hint| tool["annotations"][hint] == true)
    };
    assert_eq!(hints("read_graph"), [true, false, true]);
    assert_eq!(hints("create_entities"), [false, false, false]);
    assert_eq!(hints("delete_entities"), [false, true, true]);
    for tool in &mcp {
        let name = tool["name"].as_str().unwrap();
        assert!(name.len() <= 64 && name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{name}");
        assert!(Schema::compile(&tool["inputSchema"]).is_ok(), "{name}");
        assert!(
            !tool["title"].as_str().unwrap().is_empty() && !tool["description"].as_str().unwrap().is_empty()
        );
    }
    assert_eq!(definitions(&world, &engine, json!({ "format": "mcp", "include": [] })), Vec::<Value>::new());
}

#[test]
fn a_wrong_format_or_set_names_those_there_are() {
    let world = World::new();
    let engine = open(&world);
    for (asked, told) in [
        (json!({ "format": "gemini" }), "use \"openai\", \"anthropic\" or \"mcp\""),
        (json!({ "format": "mcp", "include": ["files"] }), "facts, profile, graph"),
        (json!({}), "format"),
    ] {
        let error = world.try_call(&engine, "tools", ALICE, asked).unwrap_err();
        assert_eq!(error.code, Code::InvalidInput);
        assert!(error.message.contains(told), "{}", error.message);
    }
}

#[test]
fn profile_tools_say_what_the_schemas_take_and_are_not_there_without_one() {
    let world = World::new();
    let engine = open(&world);
    let tools = definitions(&world, &engine, json!({ "format": "openai", "include": ["profile"] }));
    let set = &tools[1]["function"];
    assert_eq!(set["strict"], false, "a value of any type is nothing for strict calling");
    assert_eq!(set["parameters"]["properties"]["schema"]["enum"], json!(["user-profile"]));
    let field = set["parameters"]["properties"]["field"]["description"].as_str().unwrap();
    assert!(field.contains("user-profile / language: {\"enum\":[\"de\",\"en\"]}"), "{field}");
    world.close(&engine);
    let engine = world.open(None, &json!({}));
    assert_eq!(
        definitions(&world, &engine, json!({ "format": "openai", "include": ["profile"] })),
        Vec::<Value>::new()
    );
}

/// What the provider says of strict schemas.
fn check_strict(schema: &Value, place: &str) {
    const KNOWN: [&str; 7] =
        ["type", "description", "enum", "properties", "required", "additionalProperties", "items"];
    let schema = schema.as_object().unwrap();
    assert!(schema.keys().all(|name| KNOWN.contains(&name.as_str())), "{place}: {schema:?}");
    if schema["type"] == "object" {
        assert_eq!(schema["additionalProperties"], false, "{place}");
        let names: Vec<_> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(json!(names), schema["required"], "{place}");
    }
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        check_strict(property, &format!("{place}/{name}"));
    }
    if let Some(items) = schema.get("items") {
        check_strict(items, &format!("{place}/items"));
    }
}

#[test]
fn strict_definitions_require_everything_and_let_null_stand_for_what_is_left_out() {
    let world = World::new();
    let engine = open(&world);
    for tool in definitions(&world, &engine, json!({ "format": "openai", "include": ["facts", "graph"] })) {
        check_strict(&tool["function"]["parameters"], tool["function"]["name"].as_str().unwrap());
    }
    let tools = definitions(&world, &engine, json!({ "format": "openai", "include": ["facts"] }));
    let category = &tools[1]["function"]["parameters"]["properties"]["category"];
    assert_eq!(category["type"], json!(["string", "null"]));
    assert!(category["enum"].as_array().unwrap().contains(&Value::Null));
    // What it then writes is taken, also as text.
    let added = done(
        &world,
        &engine,
        "facts_add",
        json!({ "text": "Ada sails", "category": null, "significance": null }),
    );
    assert!(added.starts_with("{\"action\":\"created\",\"id\":\""), "{added}");
    let again = done(&world, &engine, "facts_add", "{\"text\":\"Ada sails\",\"category\":null}".into());
    assert!(again.starts_with("{\"action\":\"unchanged\""), "{again}");
}

#[test]
fn facts_are_found_added_changed_and_forgotten() {
    let world = World::new();
    let engine = open(&world);
    assert_eq!(
        done(&world, &engine, "facts_search", json!({ "query": "tea" })),
        "Nothing that is remembered fits."
    );
    let added =
        done(&world, &engine, "facts_add", json!({ "text": "Ada drinks green tea", "significance": 7 }));
    let id = serde_json::from_str::<Value>(&added).unwrap()["id"].clone();
    done(&world, &engine, "facts_add", json!({ "text": "Ada lives in Porto" }));
    let found = done(&world, &engine, "facts_search", json!({ "query": "green tea" }));
    let first: Value = serde_json::from_str(found.lines().next().unwrap()).unwrap();
    assert_eq!(
        first,
        json!({ "id": id, "text": "Ada drinks green tea", "category": "other", "significance": 7, "pinned": false })
    );
    done(&world, &engine, "facts_update", json!({ "id": id, "text": "Ada drinks black tea" }));
    done(&world, &engine, "facts_delete", json!({ "id": id }));
    assert_eq!(world.facts(&engine), ["Ada lives in Porto"]);
    let gone = refused(&world, &engine, "facts_delete", json!({ "id": id }));
    assert!(gone.contains("nothing was changed"), "{gone}");
}

#[test]
fn the_profile_is_read_and_set_by_its_schema() {
    let world = World::new();
    let engine = open(&world);
    done(
        &world,
        &engine,
        "profile_set",
        json!({ "schema": "user-profile", "field": "language", "value": "de" }),
    );
    assert_eq!(done(&world, &engine, "profile_get", json!({})), "{\"user-profile\":{\"language\":\"de\"}}");
    for (arguments, told) in [
        (json!({ "schema": "user-profile", "field": "language", "value": "fr" }), "/language"),
        (json!({ "schema": "user-profile", "field": "shoe", "value": 1 }), "it has: name, language"),
        (json!({ "schema": "others", "field": "name", "value": "x" }), "registered are: user-profile"),
        (json!({ "schema": "user-profile", "field": "name" }), "value"),
    ] {
        let result = refused(&world, &engine, "profile_set", arguments);
        assert!(result.contains(told), "{result}");
    }
    done(
        &world,
        &engine,
        "profile_set",
        json!({ "schema": "user-profile", "field": "language", "value": null }),
    );
    assert_eq!(done(&world, &engine, "profile_get", Value::Null), "{\"user-profile\":{}}");
}

#[test]
fn what_the_user_pinned_stays() {
    let world = World::new();
    let engine = open(&world);
    let id = world.call(&engine, "facts.add", json!({ "text": "Ada is allergic to nuts" }))["id"].clone();
    world.call(&engine, "items.pin", json!({ "id": id, "pinned": true }));
    let before = state(&world, &engine);
    for (name, arguments) in [
        ("facts_update", json!({ "id": id, "text": "Ada loves nuts" })),
        ("facts_delete", json!({ "id": id })),
    ] {
        assert!(refused(&world, &engine, name, arguments).contains("pinned"));
    }
    assert_eq!(state(&world, &engine), before);
}

/// Only facts and fields were asked whether they are pinned; blocks, entities and relations were changed.
#[test]
fn what_the_user_pinned_stays_whatever_it_is() {
    let world = World::new();
    let engine = open(&world);
    let entity = |name: &str| json!({ "name": name, "entityType": "person", "observations": ["sails"] });
    let knows = json!({ "from": "Bob", "to": "Cleo", "relationType": "knows" });
    done(
        &world,
        &engine,
        "create_entities",
        json!({ "entities": [entity("Ada"), entity("Bob"), entity("Cleo")] }),
    );
    done(&world, &engine, "create_relations", json!({ "relations": [knows] }));
    done(&world, &engine, "memory_rethink", json!({ "label": "human", "new_memory": "Ada" }));
    let items = world.call(&engine, "items.list", json!({}));
    for item in items.as_array().unwrap() {
        let text = item["text"].as_str().unwrap();
        if text.starts_with("Ada") || item["kind"] == "relation" || item["kind"] == "block" {
            world.call(&engine, "items.pin", json!({ "id": item["id"] }));
        }
    }
    let before = state(&world, &engine);
    for (name, arguments, told) in [
        ("delete_entities", json!({ "entityNames": ["Zed", "Ada"] }), "pinned Ada"),
        ("delete_entities", json!({ "entityNames": ["Bob"] }), "pinned Bob knows Cleo"),
        (
            "delete_observations",
            json!({ "deletions": [{ "entityName": "Ada", "observations": ["sails"] }] }),
            "pinned Ada",
        ),
        (
            "add_observations",
            json!({ "observations": [{ "entityName": "Ada", "contents": ["swims"] }] }),
            "pinned Ada",
        ),
        ("delete_relations", json!({ "relations": [knows] }), "pinned Bob knows Cleo"),
        ("memory_rethink", json!({ "label": "human", "new_memory": "Eve" }), "pinned this block"),
        ("core_memory_append", json!({ "label": "human", "content": "Eve" }), "pinned this block"),
    ] {
        let result = refused(&world, &engine, name, arguments);
        assert!(result.contains(told), "{name}: {result}");
        assert_eq!(result.matches("Error").count(), 1, "{result}");
    }
    assert_eq!(state(&world, &engine), before);
    done(
        &world,
        &engine,
        "add_observations",
        json!({ "observations": [{ "entityName": "Cleo", "contents": ["swims"] }] }),
    );
    world.call(&engine, "graph.delete_entities", json!({ "entityNames": ["Ada"] }));
}

#[test]
fn the_graph_answers_as_its_operations_do() {
    let world = World::new();
    let engine = open(&world);
    let ada = json!({ "name": "Ada", "entityType": "person", "observations": ["sails"] });
    assert_eq!(
        done(&world, &engine, "create_entities", json!({ "entities": [ada] })),
        json!({ "entities": [ada] }).to_string()
    );
    let missing = json!({ "relations": [{ "from": "Ada", "to": "Zed", "relationType": "knows" }] });
    assert!(refused(&world, &engine, "create_relations", missing).contains("Entity with name Zed not found"));
    let graph = json!({ "entities": [ada], "relations": [] }).to_string();
    assert_eq!(done(&world, &engine, "read_graph", json!({})), graph);
    assert_eq!(done(&world, &engine, "search_nodes", json!({ "query": "SAIL" })), graph);
    assert_eq!(done(&world, &engine, "open_nodes", json!({ "names": ["Ada", "Zed"] })), graph);
}

#[test]
fn a_large_answer_fits_and_says_what_is_left_out() {
    let world = World::new();
    let engine = open(&world);
    let entity = |number: usize| json!({ "name": format!("Ship {number}"), "entityType": "ship", "observations": [format!("Sailed {number} miles to the north of the long island")] });
    let entities: Vec<_> = (0..500).map(entity).collect();
    done(&world, &engine, "create_entities", json!({ "entities": entities[..20] }));
    let told = done(&world, &engine, "create_entities", json!({ "entities": entities }));
    let told: Value = serde_json::from_str(&told).expect("it was cut in the middle of its JSON");
    for name in ["entities", "skipped"] {
        let all = if name == "entities" { 480 } else { 20 };
        let kept = told[name].as_array().map_or(0, Vec::len) as u64;
        assert_eq!(kept + told["truncated"][name].as_u64().unwrap_or(0), all, "{name}: {told}");
    }
    let read: Value = serde_json::from_str(&done(&world, &engine, "read_graph", json!({}))).unwrap();
    let shown = read["entities"].as_array().unwrap().len();
    assert!(shown > 10, "{shown}");
    assert_eq!(read["truncated"]["entities"], 500 - shown);
    for number in 0..50 {
        let text = format!("The ship of the north number {number} {}", "sailed on and on ".repeat(60));
        done(&world, &engine, "facts_add", json!({ "text": text }));
    }
    let found = done(&world, &engine, "facts_search", json!({ "query": "ship of the north", "limit": 50 }));
    let lines: Vec<Value> = found.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (last, shown) = lines.split_last().unwrap();
    assert!(shown.len() > 3 && shown.iter().all(|fact| fact["text"].is_string()), "{found}");
    assert_eq!(last["truncated"]["items"], 50 - shown.len());
}

#[test]
fn unknown_tools_and_wrong_arguments_are_told_and_change_nothing() {
    let world = World::new();
    let engine = open(&world);
    done(&world, &engine, "facts_add", json!({ "text": "Ada sails" }));
    let before = state(&world, &engine);
    let unknown = refused(&world, &engine, "facts_drop", json!({}));
    assert!(unknown.contains("facts_search, facts_add") && unknown.contains("open_nodes"), "{unknown}");
    for (name, arguments, told) in [
        ("facts_add", json!({}), "text"),
        ("facts_add", json!({ "text": 5 }), "/text"),
        ("facts_add", json!({ "text": "  " }), "empty"),
        ("facts_add", json!({ "text": null }), "/text"),
        ("facts_add", json!({ "text": "x", "significance": 11 }), "/significance"),
        ("facts_add", json!({ "text": "x", "category": "secrets" }), "/category"),
        ("facts_add", json!({ "text": "x", "pinned": true }), "pinned"),
        ("facts_add", json!({ "text": "x".repeat(5000) }), "4096"),
        ("facts_add", json!("not json at all"), "not a complete JSON object"),
        ("facts_add", json!("[1, 2]"), "not a complete JSON object"),
        ("facts_add", json!([{ "text": "x" }]), "not a complete JSON object"),
        ("facts_add", json!(7), "not a complete JSON object"),
        ("facts_search", json!({ "query": "x", "limit": 1_000_000 }), "/limit"),
        ("facts_search", json!({ "query": "x", "filter": { "$where": "1" } }), "filter"),
        (
            "facts_update",
            json!({ "id": "the first one", "text": "x" }),
            "id is \"the first one\"; pass an id",
        ),
        ("facts_delete", json!({ "id": "00000000-0000-7000-8000-000000000000" }), "fact"),
        ("create_entities", json!({ "entities": [{ "name": "Ada" }] }), "/entities/0"),
        (
            "create_entities",
            json!({ "entities": vec![json!({ "name": "A", "entityType": "b", "observations": [] }); 1001] }),
            "1000",
        ),
        ("read_graph", json!({ "maxTokens": 1_000_000 }), "maxTokens"),
        ("search_nodes", json!({ "query": "x".repeat(3000) }), "2048"),
        (&"x".repeat(100_000), json!({}), "There is no tool"),
    ] {
        let result = refused(&world, &engine, name, arguments);
        assert!(result.contains(told), "{name}: {result}");
    }
    assert_eq!(state(&world, &engine), before);
    let error = world
        .try_call(&engine, "callTool", ALICE, json!({ "name": "facts_add", "threadId": "" }))
        .unwrap_err();
    assert_eq!(error.code, Code::InvalidInput, "the thread is the application's to name");
}

/// A server that pages its answers itself needs them whole.
#[test]
fn a_result_has_as_many_tokens_as_are_asked_for() {
    let world = World::new();
    let engine = open(&world);
    let entity = |number| json!({ "name": format!("Ship {number}"), "entityType": "ship", "observations": ["a boat"] });
    let entities: Vec<Value> = (0..400).map(entity).collect();
    let asked =
        json!({ "name": "create_entities", "arguments": { "entities": entities }, "maxTokens": 1_000_000 });
    let created = world.call(&engine, "callTool", asked);
    let created: Value = serde_json::from_str(created["result"].as_str().unwrap()).unwrap();
    assert_eq!(created, json!({ "entities": entities }));
    let read =
        |tokens: Value| world.call(&engine, "callTool", json!({ "name": "read_graph", "maxTokens": tokens }));
    let whole: Value = serde_json::from_str(read(json!(1_000_000))["result"].as_str().unwrap()).unwrap();
    assert_eq!(whole["entities"], json!(entities));
    let few = read(json!(100));
    assert!(tokens::estimate(few["result"].as_str().unwrap()) <= 100, "{few}");
    assert!(tokens::estimate(read(Value::Null)["result"].as_str().unwrap()) <= 2000);
    for wrong in [99, 1_000_001] {
        let asked = json!({ "name": "read_graph", "maxTokens": wrong });
        let error = world.try_call(&engine, "callTool", ALICE, asked).unwrap_err();
        assert!(error.message.contains(&format!("maxTokens is {wrong}")), "{}", error.message);
    }
}

/// A model that was given some sets only could call the tools of the others, too.
#[test]
fn a_tool_that_was_not_offered_is_not_there() {
    let world = World::new();
    let engine = open(&world);
    let call = |name: &str, arguments: Value, include: Value| {
        let asked = json!({ "name": name, "arguments": arguments, "include": include });
        world.try_call(&engine, "callTool", ALICE, asked)
    };
    let fact = json!({ "text": "Ada sails" });
    let before = state(&world, &engine);
    let refused = call("facts_add", fact.clone(), json!(["graph", "profile"])).unwrap();
    assert_eq!(refused["ok"], false);
    let told = refused["result"].as_str().unwrap();
    assert!(told.contains("There is no tool \"facts_add\"") && told.contains("read_graph"), "{told}");
    assert!(!told.contains("facts_search"), "{told}");
    assert_eq!(call("read_graph", json!({}), json!([])).unwrap()["ok"], false);
    assert_eq!(state(&world, &engine), before);
    assert_eq!(call("facts_add", fact, json!(["facts"])).unwrap()["ok"], true);
    let error = call("facts_add", json!({}), json!(["files"])).unwrap_err();
    assert_eq!(error.code, Code::InvalidInput);
    assert!(error.message.contains("facts, profile, graph"), "{}", error.message);
    // What is never offered without a schema cannot be called without one.
    world.close(&engine);
    let engine = world.open(None, &json!({}));
    assert!(self::refused(&world, &engine, "profile_get", json!({})).contains("There is no tool"));
}

/// What a model wrote by calling a tool was recorded as the user's own doing.
#[test]
fn what_a_model_writes_is_told_from_what_the_user_writes() {
    let world = World::new();
    let engine = open(&world);
    let mine = world.call(&engine, "facts.add", json!({ "text": "Ada sails" }));
    let added = done(&world, &engine, "facts_add", json!({ "text": "Ada swims" }));
    let id = serde_json::from_str::<Value>(&added).unwrap()["id"].clone();
    let set = json!({ "schema": "user-profile", "field": "language", "value": "de" });
    done(&world, &engine, "profile_set", set);
    let ada = json!({ "name": "Ada", "entityType": "person", "observations": ["sails"] });
    done(&world, &engine, "create_entities", json!({ "entities": [ada] }));
    done(&world, &engine, "memory_rethink", json!({ "label": "human", "new_memory": "Ada" }));
    done(&world, &engine, "archival_memory_insert", json!({ "content": "Ada sails in May." }));
    let cause = |id: &Value| world.call(&engine, "history", json!({ "id": id }))[0]["cause"].clone();
    assert_eq!((cause(&mine["id"]), cause(&id)), (json!("user"), json!("tool")));
    let origin = |id: &Value| world.call(&engine, "facts.get", json!({ "id": id }))["origin"].clone();
    assert_eq!((origin(&mine["id"]), origin(&id)), (json!("user"), json!("model")));
    let profile = world.call(&engine, "profiles.get", json!({}));
    assert_eq!(profile["user-profile"]["fields"]["language"]["origin"], "model");
    let items = world.call(&engine, "items.list", json!({}));
    for item in items.as_array().unwrap().iter().filter(|item| item["id"] != mine["id"]) {
        assert_eq!(cause(&item["id"]), "tool", "{item}");
    }
    // What the user does afterwards is the user's again.
    world.call(&engine, "facts.update", json!({ "id": id, "significance": 9 }));
    let history = world.call(&engine, "history", json!({ "id": id }));
    assert_eq!(history.as_array().unwrap().iter().filter(|revision| revision["cause"] == "user").count(), 1);
}

#[test]
fn what_no_model_can_help_is_an_error_of_the_call() {
    let world = World::new();
    let engine = open(&world);
    world.close(&engine);
    let error = world.try_call(
        &engine,
        "callTool",
        ALICE,
        json!({ "name": "facts_search", "arguments": { "query": "x" } }),
    );
    assert_eq!(error.unwrap_err().code, Code::Closed);
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let name = prop_oneof![
            "[a-z]{1,8}",
            Just("text".to_owned()),
            Just("entities".to_owned()),
            Just("id".to_owned())
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name, inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Whatever a model writes, the call answers, and what is refused changes nothing.
    #[test]
    fn nothing_a_model_writes_breaks_a_call(place in 0usize..15, arguments in any_json(), as_text in any::<bool>()) {
        let world = World::new();
        let engine = open(&world);
        let tools = definitions(&world, &engine, json!({ "format": "mcp" }));
        let before = state(&world, &engine);
        let arguments = if as_text { Value::from(arguments.to_string()) } else { arguments };
        let (ok, _) = call(&world, &engine, tools[place]["name"].as_str().unwrap(), arguments);
        if !ok {
            prop_assert_eq!(state(&world, &engine), before);
        }
    }
}
