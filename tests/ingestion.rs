//! Ingestion: when learning begins, what it is told, and that nothing is lost or learned twice.

use crate::support::world::{ALICE, Scripted, World, adds, nothing};
use mnemic::Code;
use serde_json::{Value, json};

const SECOND_MS: i64 = 1000;
const DAY_MS: i64 = 86_400_000;

fn trigger(trigger: Value) -> Value {
    json!({ "extraction": { "trigger": trigger } })
}

fn profile(extraction: Value) -> Value {
    let properties =
        json!({ "stack": { "type": "string" }, "job_status": { "enum": ["student", "employed"] } });
    json!({ "profiles": { "dev": { "type": "object", "properties": properties } }, "extraction": extraction })
}

#[test]
fn so_many_messages_are_a_batch_and_one_call() {
    let world = World::new();
    let llm = Scripted::new([adds("The user counts.")]);
    let engine = world.open(Some(llm.clone()), &trigger(json!({ "messages": 3 })));
    for text in ["One.", "Two."] {
        world.say(&engine, text);
        world.machine.pass(SECOND_MS);
    }
    assert_eq!((llm.calls(), world.pending(&engine)), (0, json!(2)), "idle waits for no trigger");
    world.say(&engine, "Three.");
    assert_eq!(world.pending(&engine), json!(0));
    assert_eq!((llm.calls(), world.facts(&engine)), (1, vec!["The user counts.".to_owned()]));
    for text in ["One.", "Two.", "Three."] {
        assert!(llm.prompt().contains(text), "{}", llm.prompt());
    }
}

#[test]
fn a_thread_that_falls_silent_is_a_batch() {
    let world = World::new();
    let llm = Scripted::new([nothing()]);
    let engine = world.open(Some(llm.clone()), &trigger(json!({ "idleMs": 10_000 })));
    world.say(&engine, "One.");
    world.machine.pass(9 * SECOND_MS);
    world.say(&engine, "Two.");
    world.machine.pass(9 * SECOND_MS);
    assert_eq!(llm.calls(), 0, "the second message begins the silence anew");
    world.machine.pass(SECOND_MS);
    assert_eq!((llm.calls(), world.pending(&engine)), (1, json!(0)));
}

#[test]
fn a_talk_without_a_pause_is_a_batch_every_so_often() {
    let world = World::new();
    let llm = Scripted::new([nothing(), nothing()]);
    let options = trigger(json!({ "messages": 100, "idleMs": 10_000, "everyMs": 25_000 }));
    let engine = world.open(Some(llm.clone()), &options);
    let began = world.now();
    while world.now() < began + 30 * SECOND_MS {
        world.say(&engine, "And another thing.");
        world.machine.pass(5 * SECOND_MS);
    }
    assert_eq!(llm.calls(), 1);
    world.machine.pass(60 * SECOND_MS);
    assert_eq!((llm.calls(), world.pending(&engine)), (2, json!(0)));
}

#[test]
fn threads_wait_each_for_itself() {
    let world = World::new();
    let llm = Scripted::new([nothing(), nothing()]);
    let engine = world.open(Some(llm.clone()), &trigger(json!({ "messages": 2, "idleMs": 60_000 })));
    let say = |thread: &str, text: &str| {
        let message = json!({ "role": "user", "content": text });
        world.call(&engine, "remember", json!({ "threadId": thread, "messages": [message] }));
    };
    say("a", "Alpha one.");
    say("b", "Beta one.");
    assert_eq!((llm.calls(), world.pending(&engine)), (0, json!(2)));
    say("b", "Beta two.");
    assert_eq!((llm.calls(), world.pending(&engine)), (1, json!(1)));
    assert!(llm.prompt().contains("Beta") && !llm.prompt().contains("Alpha"));
    world.machine.pass(60 * SECOND_MS);
    assert!(llm.calls() == 2 && llm.prompt().contains("Alpha one."));
}

#[test]
fn a_reload_keeps_what_waits_and_when_it_is_due() {
    let world = World::new();
    let llm = Scripted::new([adds("The user sings.")]);
    let engine = world.open(Some(llm.clone()), &trigger(json!({ "idleMs": 60_000 })));
    world.say(&engine, "I sing.");
    world.machine.pass(50 * SECOND_MS);
    world.close(&engine);
    let engine = world.open(Some(llm.clone()), &trigger(json!({ "idleMs": 60_000 })));
    world.machine.pass(9 * SECOND_MS);
    assert_eq!(llm.calls(), 0);
    world.machine.pass(SECOND_MS);
    assert_eq!((llm.calls(), world.facts(&engine)), (1, vec!["The user sings.".to_owned()]));

    world.say(&engine, "I dance.");
    world.close(&engine);
    world.machine.pass(DAY_MS);
    llm.answers.borrow_mut().push(Ok(adds("The user dances.")));
    let engine = world.open(Some(llm.clone()), &json!({}));
    assert_eq!(world.pending(&engine), json!(0), "what fell due meanwhile is learned from at once");
    assert_eq!(world.facts(&engine).len(), 2);
}

#[test]
fn rules_wait_for_nothing() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    world.say(&engine, "I live in Lisbon.");
    assert_eq!(
        (world.pending(&engine), world.facts(&engine)),
        (json!(0), vec!["The user lives in Lisbon.".to_owned()])
    );
}

#[test]
fn what_the_assistant_says_is_read_with_what_the_user_said_and_never_alone() {
    let world = World::new();
    let llm = Scripted::new([nothing()]);
    let engine = world.open(Some(llm.clone()), &trigger(json!({ "messages": 2 })));
    let answer = |text: &str| {
        let message = json!({ "role": "assistant", "content": text });
        world.call(&engine, "remember", json!({ "messages": [message] }));
    };
    world.say(&engine, "Which town is nice?");
    answer("Porto, perhaps?");
    assert_eq!((llm.calls(), world.pending(&engine)), (1, json!(0)));
    assert!(llm.prompt().contains("Which town") && llm.prompt().contains("Porto, perhaps?"));
    answer("Or Lisbon.");
    answer("Or Faro.");
    assert_eq!(
        (llm.calls(), world.pending(&engine)),
        (1, json!(0)),
        "there is nothing of the user's to read"
    );
}

#[test]
fn what_is_remembered_only_and_what_is_known_makes_no_work() {
    let world = World::new();
    let llm = Scripted::new([nothing()]);
    let engine = world.open(Some(llm.clone()), &trigger(json!({ "messages": 1 })));
    let message = json!({ "id": "m1", "role": "user", "content": "I live in Lisbon." });
    world.call(&engine, "remember", json!({ "messages": [message], "learn": false }));
    assert_eq!((world.pending(&engine), llm.calls()), (json!(0), 0));
    let again = world.call(&engine, "generate", json!({ "messages": [message] }));
    assert_eq!((&again["changes"], again.get("commitId"), llm.calls()), (&json!([]), None, 0));
    assert_eq!(again["messageIds"].as_array().unwrap().len(), 1);
    let changed = json!({ "id": "m1", "role": "user", "content": "I live in Porto." });
    world.call(&engine, "remember", json!({ "messages": [changed] }));
    assert_eq!((world.pending(&engine), llm.calls()), (json!(0), 1));
    world.call(&engine, "remember", json!({ "messages": [changed] }));
    assert_eq!((world.pending(&engine), llm.calls()), (json!(0), 1));
    let messages = world.call(&engine, "threads.messages", json!({}));
    assert_eq!(messages.as_array().unwrap().len(), 1);
}

#[test]
fn flush_learns_now_from_what_waits() {
    let world = World::new();
    let llm = Scripted::new([adds("The user sings."), adds("The user dances.")]);
    let engine = world.open(Some(llm.clone()), &json!({ "extraction": { "auto": false } }));
    for (thread, text) in [("a", "I sing."), ("b", "I dance.")] {
        let message = json!({ "role": "user", "content": text });
        world.call(&engine, "remember", json!({ "threadId": thread, "messages": [message] }));
    }
    world.machine.pass(DAY_MS);
    assert_eq!(world.pending(&engine), json!(2), "nothing is learned by itself");
    let one = world.call(&engine, "flush", json!({ "threadId": "a" }));
    assert_eq!(
        (&one["changes"][0]["record"]["text"], &one["usage"]["calls"]),
        (&json!("The user sings."), &json!(1))
    );
    assert_eq!(
        (&one["changes"][0]["action"], &one["changes"][0]["record"]["kind"]),
        (&json!("created"), &json!("fact"))
    );
    assert!(
        one["usage"]["inputTokens"].as_u64().unwrap() > 100
            && one["usage"]["outputTokens"].as_u64().unwrap() > 5
    );
    let rest = world.call(&engine, "flush", json!({}));
    assert_eq!((rest["changes"].as_array().unwrap().len(), world.pending(&engine)), (1, json!(0)));
    let nothing = world.call(&engine, "flush", json!({}));
    assert_eq!((&nothing["changes"], &nothing["usage"]["calls"]), (&json!([]), &json!(0)));
}

#[test]
fn generate_learns_now_and_says_what_changed() {
    let world = World::new();
    let answer = json!({
        "facts": [{ "action": "add", "text": "The user is a student.", "significance": 7, "message": 1, "quote": "a student" }],
        "profile": [{ "schema": "dev", "field": "job_status", "value": "student", "message": 1, "quote": "a student" }],
    });
    let llm = Scripted::new([answer]);
    let engine = world.open(Some(llm.clone()), &profile(json!({})));
    let generated = world.call(
        &engine,
        "generate",
        json!({
            "threadId": "t", "messages": [{ "role": "user", "content": "I am a student." }],
            "labels": { "run": "7" }, "metadata": { "by": "test" }, "ttlMs": DAY_MS,
        }),
    );
    assert_eq!((&generated["threadId"], generated["messageIds"].as_array().unwrap().len()), (&json!("t"), 1));
    assert!(generated["commitId"].is_string());
    let changes = generated["changes"].as_array().unwrap();
    assert_eq!(changes.iter().map(|change| &change["record"]["kind"]).collect::<Vec<_>>(), ["fact", "field"]);
    for change in changes {
        let record = &change["record"];
        assert_eq!((&change["action"], &record["revision"]), (&json!("created"), &json!(1)));
        assert_eq!((&record["metadata"], &record["origin"]), (&json!({ "by": "test" }), &json!("model")));
        assert_eq!(
            (&record["source"][0]["quote"], &record["expiresAt"]),
            (&json!("a student"), &json!(world.now() + DAY_MS))
        );
        let history = world.call(&engine, "history", json!({ "id": record["id"] }));
        assert_eq!(history[0]["labels"], json!({ "run": "7" }));
    }
    assert_eq!(generated["usage"]["calls"], json!(1));
    assert_eq!(world.pending(&engine), json!(0));
    world.machine.pass(2 * DAY_MS);
    assert!(world.facts(&engine).is_empty(), "its time is over");
}

#[test]
fn a_model_that_fails_loses_nothing_and_a_later_try_does_what_the_call_asked() {
    let world = World::new();
    let llm = Scripted::new([]);
    let engine = world.open(Some(llm.clone()), &json!({}));
    let generate = json!({
        "messages": [{ "role": "user", "content": "I sing." }], "facts": ["The user pays."], "metadata": { "by": "call" },
    });
    let error = world.fails(&engine, "generate", generate);
    assert_eq!(error.code, Code::Model);
    let idle = world.call(&engine, "idle", json!({}));
    assert_eq!((&idle["pending"], &idle["failed"][0]["attempts"]), (&json!(1), &json!(1)));
    assert_eq!(world.call(&engine, "threads.messages", json!({})).as_array().unwrap().len(), 1);
    world.close(&engine);
    llm.answers.borrow_mut().push(Ok(adds("The user sings.")));
    let engine = world.open(Some(llm.clone()), &json!({}));
    assert_eq!(world.pending(&engine), json!(0));
    assert_eq!(world.facts(&engine), ["The user pays.", "The user sings."]);
    let facts = world.call(&engine, "facts.list", json!({}));
    assert!(
        facts.as_array().unwrap().iter().all(|fact| fact["metadata"] == json!({ "by": "call" })),
        "{facts}"
    );
}

#[test]
fn an_answer_that_is_nonsense_stores_nothing() {
    let world = World::new();
    let bad =
        json!({ "facts": [], "profile": [{ "schema": "dev", "field": "job_status", "value": "lazy" }] });
    let llm = Scripted::new([bad.clone(), bad, json!("what?"), json!(7)]);
    let engine = world.open(Some(llm.clone()), &profile(json!({})));
    for _ in 0..2 {
        let said = json!({ "messages": [{ "role": "user", "content": "I am lazy." }] });
        assert_eq!(world.fails(&engine, "generate", said).code, Code::Model);
    }
    assert_eq!(llm.calls(), 4, "each is asked once more with what was wrong");
    assert_eq!(world.call(&engine, "profiles.get", json!({}))["dev"]["profile"], json!({}));
    assert_eq!((world.facts(&engine).len(), world.pending(&engine)), (0, json!(2)));
}

#[test]
fn given_facts_go_into_the_same_call_and_are_kept_if_the_model_forgets_them() {
    let world = World::new();
    let answer = json!({ "facts": [{ "action": "add", "text": "The user has paid since May.", "significance": 1, "message": 2 }] });
    let llm = Scripted::new([answer]);
    let engine = world.open(Some(llm.clone()), &json!({}));
    let facts =
        json!(["The user pays since May.", { "text": "The user hates spam.", "topic": "preferences" }]);
    let said = json!({ "messages": [{ "role": "user", "content": "Hello." }], "facts": facts });
    let generated = world.call(&engine, "generate", said);
    assert_eq!((llm.calls(), generated["changes"].as_array().unwrap().len()), (1, 2));
    assert_eq!(world.facts(&engine), ["The user hates spam.", "The user has paid since May."]);
    let forgotten = &world.call(&engine, "facts.list", json!({}))[0];
    assert_eq!((&forgotten["origin"], &forgotten["category"]), (&json!("user"), &json!("preference")));
}

#[test]
fn given_facts_need_no_model_and_are_not_added_twice() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let given = world.call(&engine, "generate", json!({ "facts": ["The user pays.", "the user  pays"] }));
    assert_eq!(given["changes"].as_array().unwrap().len(), 1);
    assert_eq!((&given["messageIds"], &given["usage"]["calls"]), (&json!([]), &json!(0)));
    let again = world.call(&engine, "generate", json!({ "facts": ["The user pays."] }));
    assert_eq!((&again["changes"], world.facts(&engine).len()), (&json!([]), 1));
}

#[test]
fn bad_options_are_named_and_keep_nothing() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let six = vec!["x"; 6];
    let message = json!([{ "role": "user", "content": "I live in Lisbon." }]);
    for (options, named) in [
        (json!({}), "messages or facts"),
        (json!({ "facts": six }), "at most 5"),
        (json!({ "facts": [7] }), "facts[0]"),
        (json!({ "facts": [{ "text": "x", "tag": "y" }] }), "facts[0]"),
        (json!({ "facts": [" "] }), "facts[0].text"),
        (json!({ "messages": message, "labels": { "a": 1 } }), "labels.a"),
        (json!({ "messages": message, "ttlMs": 0 }), "ttlMs is 0"),
        (json!({ "messages": message, "metadataMerge": "mix" }), "metadataMerge"),
        (json!({ "messages": message, "speed": 1 }), "speed"),
    ] {
        let error = world.fails(&engine, "generate", options);
        assert_eq!(error.code, Code::InvalidInput);
        assert!(error.message.contains(named), "{}", error.message);
    }
    assert_eq!(world.call(&engine, "usage", json!({}))["records"], json!(0));
}

#[test]
fn metadata_is_overwritten_merged_or_required_to_match() {
    let fact = |action: &str, text: &str| {
        let target = if action == "add" { Value::Null } else { json!(1) };
        let field = json!({ "schema": "dev", "field": "stack", "value": text, "message": 1 });
        json!({ "facts": [{ "action": action, "target": target, "text": text, "significance": 5, "message": 1 }], "profile": [field] })
    };
    for (merge, kept) in [("overwrite", json!({ "b": 2 })), ("merge", json!({ "a": 1, "b": 2 }))] {
        let world = World::new();
        let llm = Scripted::new([fact("add", "The user codes."), fact("update", "The user codes in Rust.")]);
        let engine = world.open(Some(llm.clone()), &profile(json!({})));
        let say = |metadata: Value| json!({ "messages": [{ "role": "user", "content": "I code." }], "metadata": metadata, "metadataMerge": merge });
        world.call(&engine, "generate", say(json!({ "a": 1 })));
        let changes = world.call(&engine, "generate", say(json!({ "b": 2 })))["changes"].clone();
        for change in changes.as_array().unwrap() {
            assert_eq!(
                (&change["record"]["metadata"], &change["previousRevision"]),
                (&kept, &json!(1)),
                "{merge}"
            );
        }
    }
    let world = World::new();
    let llm = Scripted::new([
        fact("add", "The user codes."),
        fact("add", "The user codes in Rust."),
        fact("update", "The user codes."),
    ]);
    let engine = world.open(Some(llm.clone()), &profile(json!({})));
    let say = |metadata: Value| json!({ "messages": [{ "role": "user", "content": "I code." }], "metadata": metadata, "metadataMerge": "require" });
    world.call(&engine, "generate", say(json!({ "a": 1 })));
    let other = world.call(&engine, "generate", say(json!({ "b": 2 })));
    assert!(!llm.prompt().contains("{\"fact\":"), "what has other metadata is not shown: {}", llm.prompt());
    assert_eq!(other["changes"].as_array().unwrap().len(), 1, "the field of other metadata is left as it is");
    let same = world.call(&engine, "generate", say(json!({ "a": 1 })));
    assert_eq!(same["changes"][0]["record"]["metadata"], json!({ "a": 1 }));
    assert_eq!(world.facts(&engine).len(), 2);
    assert_eq!(
        world.call(&engine, "profiles.get", json!({}))["dev"]["profile"]["stack"],
        json!("The user codes.")
    );
}

#[test]
fn without_consolidation_facts_are_only_added_and_values_replaced() {
    let world = World::new();
    let value = |value: &str| json!({ "facts": [], "profile": [{ "schema": "dev", "field": "stack", "value": value, "message": 1 }] });
    let supersedes =
        json!({ "facts": [{ "action": "supersede", "target": 1, "text": "The user writes Go." }] });
    let llm = Scripted::new([value("ADK"), supersedes, value("Python")]);
    let engine = world.open(Some(llm.clone()), &profile(json!({})));
    world.call(&engine, "facts.add", json!({ "text": "The user writes Python." }));
    let say = |text: &str| json!({ "messages": [{ "role": "user", "content": text }], "consolidate": false });
    world.call(&engine, "generate", say("I use ADK."));
    world.call(&engine, "generate", say("I write Python."));
    assert_eq!(llm.calls(), 3, "a fact that was not shown cannot be superseded");
    let prompt = llm.prompt();
    let (memory, _) = prompt.split_once("</memory>").unwrap();
    assert!(!memory.contains("ADK") && !memory.contains("The user writes Python."), "{}", llm.prompt());
    assert_eq!(world.call(&engine, "profiles.get", json!({}))["dev"]["profile"]["stack"], json!("Python"));
    assert_eq!(world.facts(&engine), ["The user writes Python."]);
}

#[test]
fn learning_again_extends_what_has_a_time_to_live_and_shortens_nothing() {
    let world = World::new();
    let update = json!({ "facts": [{ "action": "update", "target": 1, "text": "The user sings in a choir.", "significance": 6, "message": 1 }] });
    let llm = Scripted::new([adds("The user sings."), update.clone(), update]);
    let ttl = json!({ "learnedMs": 10 * DAY_MS, "relearnedMs": 5 * DAY_MS, "addedMs": DAY_MS });
    let engine = world.open(Some(llm.clone()), &json!({ "extraction": { "ttl": ttl } }));
    let sing = || {
        let said = json!({ "messages": [{ "role": "user", "content": "I sing." }] });
        world.call(&engine, "generate", said)["changes"][0]["record"]["expiresAt"].clone()
    };
    let began = world.now();
    assert_eq!(sing(), json!(began + 10 * DAY_MS));
    world.machine.pass(DAY_MS);
    assert_eq!(sing(), json!(began + 10 * DAY_MS), "five days from now would be sooner");
    world.machine.pass(7 * DAY_MS);
    assert_eq!(sing(), json!(began + 13 * DAY_MS));
    let added = world.call(&engine, "facts.add", json!({ "text": "The user pays." }));
    let fact = world.call(&engine, "facts.get", json!({ "id": added["id"] }));
    assert_eq!(fact["expiresAt"], json!(fact["validFrom"].as_i64().unwrap() + DAY_MS));
    world.machine.pass(6 * DAY_MS);
    assert!(world.facts(&engine).is_empty());
}

#[test]
fn what_the_user_changes_while_the_model_answers_is_not_overwritten() {
    let world = World::new();
    let value = |value: &str| json!({ "facts": [], "profile": [{ "schema": "dev", "field": "stack", "value": value, "message": 1 }] });
    let llm = Scripted::new([value("ADK"), value("Rust, ADK")]);
    llm.takes(&world, 1000);
    let engine = world.open(Some(llm.clone()), &profile(json!({})));
    let learning = world.begin(
        &engine,
        "generate",
        json!({ "messages": [{ "role": "user", "content": "I use ADK." }] }),
    );
    world.machine.pass(500);
    world.call(&engine, "profiles.set", json!({ "schema": "dev", "field": "stack", "value": "Rust" }));
    world.machine.pass(5000);
    assert_eq!(llm.calls(), 2, "it is asked again, about what is there by then");
    assert!(llm.prompt().contains("Rust"));
    assert_eq!(learning.take().unwrap().unwrap()["changes"][0]["record"]["value"], json!("Rust, ADK"));
    let history = world.call(&engine, "profiles.history", json!({ "schema": "dev", "field": "stack" }));
    let values: Vec<&Value> = history.as_array().unwrap().iter().map(|revision| &revision["value"]).collect();
    assert_eq!(values, ["Rust", "Rust, ADK"]);
}

#[test]
fn one_learns_at_a_time_and_nobody_learns_the_same_twice() {
    let world = World::new();
    let llm = Scripted::new([adds("One."), adds("Two."), adds("Three.")]);
    llm.takes(&world, 1000);
    let engine = world.open(Some(llm.clone()), &trigger(json!({ "messages": 1 })));
    world.say(&engine, "First.");
    let second =
        world.begin(&engine, "generate", json!({ "messages": [{ "role": "user", "content": "Second." }] }));
    let third =
        world.begin(&engine, "generate", json!({ "messages": [{ "role": "user", "content": "Third." }] }));
    let flushed = world.begin(&engine, "flush", json!({}));
    world.machine.pass(500);
    assert_eq!(llm.calls(), 1);
    assert_eq!(world.pending(&engine), json!(0), "idle waits for calls too");
    assert_eq!(
        (llm.calls(), world.facts(&engine)),
        (3, vec!["Three.".to_owned(), "Two.".to_owned(), "One.".to_owned()])
    );
    for (call, text) in [(second, "Two."), (third, "Three.")] {
        assert_eq!(call.take().unwrap().unwrap()["changes"][0]["record"]["text"], json!(text));
    }
    assert_eq!(flushed.take().unwrap().unwrap()["changes"], json!([]), "the background was at it");
}

#[test]
fn two_engines_on_one_storage_learn_once() {
    let world = World::new();
    let (one, other) = (Scripted::new([adds("The user sings.")]), Scripted::new([adds("The user sings.")]));
    let options = trigger(json!({ "idleMs": 10_000 }));
    let first = world.open(Some(one.clone()), &options);
    world.say(&first, "I sing.");
    let second = world.open(Some(other.clone()), &options);
    world.machine.pass(60 * SECOND_MS);
    world.call(&second, "flush", json!({}));
    for engine in [&first, &second] {
        assert_eq!(
            (world.facts(engine), world.pending(engine)),
            (vec!["The user sings.".to_owned()], json!(0))
        );
    }
    assert_eq!(
        world.call(&first, "facts.list", json!({ "includeEnded": true })).as_array().unwrap().len(),
        1
    );
}

#[test]
fn closing_while_the_model_answers_keeps_the_work() {
    let world = World::new();
    let llm = Scripted::new([adds("Lost."), adds("The user sings.")]);
    llm.takes(&world, 1000);
    let engine = world.open(Some(llm.clone()), &trigger(json!({ "messages": 1 })));
    world.say(&engine, "I sing.");
    world.close(&engine);
    let engine = world.open(Some(llm.clone()), &trigger(json!({ "messages": 1 })));
    assert_eq!(
        (world.pending(&engine), world.facts(&engine)),
        (json!(0), vec!["The user sings.".to_owned()])
    );
}

#[test]
fn bad_triggers_are_named_when_opening() {
    for (extraction, named) in [
        (json!({ "trigger": { "messages": 0 } }), "extraction.trigger.messages is 0"),
        (json!({ "trigger": { "idleMs": 4_000_000_000_u32 } }), "extraction.trigger.idleMs"),
        (json!({ "overlap": 101 }), "extraction.overlap is 101"),
        (json!({ "maxMessages": 0 }), "extraction.maxMessages is 0"),
        (json!({ "ttl": { "learnedMs": 0 } }), "extraction.ttl.learnedMs is 0"),
    ] {
        let options: mnemic::engine::Options =
            serde_json::from_value(json!({ "extraction": extraction })).unwrap();
        let error = options.extraction.check().unwrap_err();
        assert!(error.message.contains(named), "{}", error.message);
    }
}

/// The vector of a long text is made slice by slice before it is stored; a short message that came later overtook it.
#[test]
fn messages_are_stored_in_the_order_of_the_calls_however_long_they_are() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let remembering = engine.clone();
    world.machine.run(async move {
        let said = |text: &str| {
            json!({ "messages": [{ "role": "user", "content": text }], "threadId": "t", "learn": false })
                .to_string()
        };
        let (long, short) = (said(&"tea ".repeat(20_000)), said("coffee"));
        let long = remembering.call("remember", ALICE, &long);
        let short = remembering.call("remember", ALICE, &short);
        let (long, short) = futures_util::future::join(long, short).await;
        long.unwrap();
        short.unwrap();
    });
    let messages = world.call(&engine, "threads.messages", json!({ "threadId": "t" }));
    let first: Vec<&str> = messages
        .as_array()
        .unwrap()
        .iter()
        .map(|message| &message["content"].as_str().unwrap()[..3])
        .collect();
    assert_eq!(first, ["tea", "cof"]);
}
