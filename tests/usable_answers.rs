//! Answers of a model that are wrong in part: what can be used is kept, and nothing else waits for the rest.

use crate::support::world::{DAY_MS, Scripted, World, adds, nothing};
use mnemic::Code;
use mnemic::database::Event;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

fn options() -> Value {
    let properties = json!({
        "name": { "type": "string" },
        "place": { "type": "string" },
        "age": { "type": "integer" },
        "likes": { "type": "array", "items": { "type": "string" } },
    });
    json!({ "profiles": { "user": { "type": "object", "properties": properties } } })
}

fn fact(text: &str) -> Value {
    json!({ "action": "add", "text": text, "category": "preference", "significance": 6, "message": 1 })
}

fn field(name: &str, value: Value) -> Value {
    json!({ "schema": "user", "field": name, "value": value, "message": 1 })
}

/// A model named a field that there is not, and all that it had understood beside that was lost, again each hour.
#[test]
fn an_answer_that_stays_wrong_is_kept_without_what_is_wrong() {
    let world = World::new();
    let mut odd = fact("The user has a dog.");
    odd["category"] = json!("hobby");
    let mut invented = fact("The user has a cat.");
    (invented["action"], invented["target"]) = (json!("update"), json!(7));
    let answer = json!({
        "facts": [fact("The user plays the cello."), odd, invented, { "action": "ADD", "text": "Never." }],
        "profile": [field("city", json!("Lisbon")), field("age", json!("40")), field("place", json!("Porto"))],
        "entities": [
            { "name": "Ana", "type": "person", "observations": [""] },
            { "name": "Ben", "type": "person", "message": 77 },
        ],
        "relations": [
            { "from": "Ana", "relation": "lives_in", "to": "Atlantis" },
            { "from": "Ana", "relation": "knows", "to": "user", "ended": "no" },
        ],
    });
    let model = Scripted::new([answer.clone(), answer]);
    let engine = world.open(Some(model.clone()), &options());
    let told = Rc::new(RefCell::new(Vec::new()));
    let hears = told.clone();
    engine.listen(Rc::new(move |event| {
        if let Event::Error(error) = event {
            hears.borrow_mut().push(error.clone());
        }
    }));
    let said = json!({ "messages": [{ "role": "user", "content": "I play the cello, in Porto." }] });
    world.call(&engine, "generate", said);
    assert_eq!(model.calls(), 2, "it is asked once more");
    assert_eq!(world.facts(&engine), ["The user has a dog.", "The user plays the cello."]);
    assert_eq!(world.profile(&engine, "user"), json!({ "place": "Porto" }));
    let graph = world.call(&engine, "graph.read_graph", json!({}));
    assert_eq!(graph["entities"], json!([{ "name": "Ana", "entityType": "person", "observations": [] }]));
    assert_eq!(graph["relations"], json!([]));
    let told = told.borrow();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].code, Code::Model);
    for part in ["there is no known fact 7", "/profile/", "Atlantis", "/relations/1/ended"] {
        assert!(told[0].message.contains(part), "{part} in {}", told[0].message);
    }
    assert_eq!(world.pending(&engine), json!(0), "nothing is left to do");
}

#[test]
fn the_first_answer_serves_when_the_second_is_none() {
    let world = World::new();
    let first = json!({ "facts": [fact("The user plays the cello."), {}] });
    let engine = world.open(Some(Scripted::new([first, json!("I am sorry.")])), &options());
    world.call(
        &engine,
        "generate",
        json!({ "messages": [{ "role": "user", "content": "I play the cello" }] }),
    );
    assert_eq!(world.facts(&engine), ["The user plays the cello."]);
}

#[test]
fn an_answer_of_which_nothing_is_left_is_an_error_for_people() {
    let world = World::new();
    let wrong = json!({ "facts": [{ "action": "add" }] });
    let engine = world.open(Some(Scripted::new([wrong.clone(), wrong])), &options());
    let said = json!({ "messages": [{ "role": "user", "content": "I play the cello" }] });
    let error = world.fails(&engine, "generate", said);
    assert_eq!(error.code, Code::Model);
    assert!(error.message.ends_with("/facts/0/text: the text is empty; write the fact"), "{}", error.message);
}

/// What one thread's answer was worth decided about all of them.
#[test]
fn a_flush_learns_from_the_other_threads_when_one_fails() {
    let world = World::new();
    let model = Scripted::new([json!("no"), json!("no"), adds("The user plays the cello."), nothing()]);
    let engine = world.open(Some(model), &options());
    for thread in ["a", "b", "c"] {
        let messages = json!([{ "role": "user", "content": format!("Said in {thread}.") }]);
        world.call(&engine, "remember", json!({ "messages": messages, "threadId": thread }));
    }
    assert_eq!(world.fails(&engine, "flush", json!({})).code, Code::Model);
    assert_eq!(world.facts(&engine), ["The user plays the cello."]);
    assert_eq!(world.pending(&engine), json!(1), "only the first thread waits");
}

/// The words a list began with were forgotten as soon as it grew.
#[test]
fn a_value_that_goes_on_comes_from_all_its_messages() {
    let quotes = |world: &World, engine: &_| -> Vec<String> {
        let profiles = world.call(engine, "profiles.get", json!({}));
        let source = profiles["user"]["fields"]["likes"]["source"].as_array().unwrap().clone();
        source.iter().map(|source| source["quote"].as_str().unwrap().to_owned()).collect()
    };
    let world = World::new();
    let rules = world.open(None, &options());
    world.teach(&rules, "I love fado music.");
    world.teach(&rules, "I like coffee.");
    assert_eq!(world.profile(&rules, "user")["likes"], json!(["fado music", "coffee"]));
    assert_eq!(quotes(&world, &rules), ["I love fado music", "I like coffee"]);

    let world = World::new();
    let answers = [
        (json!(["fado"]), json!(null), "fado"),
        (json!(["fado", "tea"]), json!(["tea"]), "tea"),
        (json!(["nothing"]), json!(["nothing"]), "nothing"),
    ];
    let answers = answers.map(|(value, said, quote)| {
        let mut field = field("likes", value);
        (field["said"], field["quote"]) = (said, json!(quote));
        json!({ "facts": [], "profile": [field] })
    });
    let mut learning = options();
    learning["extraction"] = json!({ "trigger": { "messages": 1 } });
    let engine = world.open(Some(Scripted::new(answers)), &learning);
    world.teach(&engine, "I like fado");
    world.teach(&engine, "and tea");
    assert_eq!(quotes(&world, &engine), ["fado", "tea"]);
    world.teach(&engine, "I like nothing any more");
    assert_eq!(quotes(&world, &engine), ["nothing"], "what is replaced comes from what replaced it");
}

/// A value of long ago was hidden in the moment in which it was replaced.
#[test]
fn what_was_replaced_lately_is_shown_however_old_it_is() {
    let world = World::new();
    let engine = world.open(None, &options());
    let id = world.add(&engine, json!({ "text": "Alice lives in Lisbon" }));
    world.call(&engine, "profiles.set", json!({ "schema": "user", "field": "place", "value": "Lisbon" }));
    world.machine.pass(500 * DAY_MS);
    world.call(&engine, "facts.update", json!({ "id": id, "text": "Alice lives in Porto" }));
    world.call(&engine, "profiles.set", json!({ "schema": "user", "field": "place", "value": "Porto" }));
    let revisions = || world.call(&engine, "history", json!({ "id": id })).as_array().unwrap().len();
    assert_eq!(revisions(), 2);
    let yesterday = json!({ "asOf": world.now() - DAY_MS });
    assert_eq!(world.call(&engine, "facts.list", yesterday)[0]["text"], json!("Alice lives in Lisbon"));
    world.call(&engine, "profiles.rollback", json!({ "schema": "user", "field": "place", "revision": 1 }));
    assert_eq!(world.profile(&engine, "user"), json!({ "place": "Lisbon" }));
    world.machine.pass(364 * DAY_MS);
    assert_eq!(revisions(), 2);
    world.machine.pass(2 * DAY_MS);
    assert_eq!(revisions(), 1, "a year after");
}

/// The user was asked to say yes to two ids.
#[test]
fn a_proposed_relation_is_told_in_words() {
    let world = World::new();
    let entity = |name: &str| json!({ "name": name, "type": "person", "message": 1 });
    let answer = json!({
        "facts": [],
        "entities": [entity("Ana"), entity("Ben")],
        "relations": [{ "from": "Ana", "relation": "knows", "to": "Ben", "message": 1 }],
    });
    let engine = world.open(Some(Scripted::new([answer])), &json!({ "extraction": { "review": true } }));
    let said = json!({ "messages": [{ "role": "user", "content": "Ana knows Ben" }] });
    world.call(&engine, "generate", said);
    let proposals = world.call(&engine, "proposals.list", json!({}));
    assert!(crate::support::world::texts(&proposals)[0].ends_with("\nAna knows Ben"), "{proposals}");
}

/// How often a model is asked about "I keep bees.", and what is learned of its answers.
fn learned<const N: usize>(answers: [Value; N]) -> (usize, Vec<String>) {
    let world = World::new();
    let model = Scripted::new(answers);
    let engine = world.open(Some(model.clone()), &options());
    let messages = json!([{ "role": "user", "content": "I keep bees." }]);
    world.call(&engine, "generate", json!({ "messages": messages }));
    (model.calls(), world.facts(&engine))
}

/// The first JSON object won: a draft, or the form that a model repeats before it answers.
#[test]
fn of_several_values_the_last_answer_is_meant() {
    let answer = |text: &str| json!({ "facts": [fact(text)] });
    let (draft, meant) = (answer("The user keeps wasps."), answer("The user keeps bees."));
    let empty = json!({ "facts": [] });
    for (said, known) in [
        (format!("<think>Draft: {draft} no, bees.</think>\n{meant}"), vec!["The user keeps bees."]),
        (format!("<think>{empty} is right? No, bees matter.</think>{meant}"), vec!["The user keeps bees."]),
        (format!("The form is {empty}. My answer: {meant}"), vec!["The user keeps bees."]),
        (format!("```json\n{empty}\n```\nthat is:\n```json\n{meant}\n```"), vec!["The user keeps bees."]),
        (format!("{meant}\n\nSee also {{\"note\": 1}} and [1]."), vec!["The user keeps bees."]),
        (format!("Perhaps {draft}? That holds only for now: {empty}"), vec![]),
    ] {
        let known = known.into_iter().map(str::to_owned).collect();
        assert_eq!(learned([json!(said)]), (1, known), "{said}");
    }
}

/// An answer in a list, in another object, or as its first list alone was asked for again.
#[test]
fn an_answer_is_taken_out_of_what_is_put_around_it() {
    let meant = json!({ "facts": [fact("The user keeps bees.")] });
    let draft = json!({ "facts": [fact("The user keeps wasps.")] });
    for said in [
        json!([meant]),
        json!({ "answer": meant }),
        json!({ "draft": draft, "final": meant, "rejected": draft, "note": "done" }),
        json!({ "result": meant["facts"] }),
        json!({ "answer": meant.to_string() }),
        json!({ "facts": [{ "action": "add", "text": "The user keeps bees.", "significance": "6", "message": " 1" }] }),
        json!({ "facts": meant["facts"], "profile": null, "entities": null }),
        json!({ "facts": [{ "action": "add", "text": "The user keeps bees.", "significance": 6.0, "message": 1.0 }] }),
        meant["facts"].clone(),
        json!(format!("Here: {}", json!([meant]))),
        json!(format!("{meant}\n- [ ] done, tags: [], [{{\"note\": 1}}]")),
        json!([meant, []]),
        // Written as JSON twice, and with an item on each line.
        json!(json!(meant.to_string()).to_string()),
        json!(json!(meant["facts"][0].to_string()).to_string()),
        meant["facts"][0].clone(),
        json!(format!("{}\n{}", meant["facts"][0], meant["facts"][0])),
        json!(format!("```jsonl\n{}\n```", meant["facts"][0])),
        json!(format!("Sure!\n```json\n{}\n```", meant["facts"])),
    ] {
        assert_eq!(learned([said.clone()]), (1, vec!["The user keeps bees.".to_owned()]), "{said}");
    }
    // Nothing is said here, of several it is asked which, and what is only thought is none.
    for said in [
        json!([1]),
        json!(format!("Message 1 holds {}, which I leave out.", draft["facts"][0])),
        json!([{ "note": "none" }]),
        json!({ "draft": draft }),
        json!([draft, meant]),
        json!(format!("Draft: {draft}. Final: {meant}")),
        json!(format!("{meant} I ignored {draft} in message 1.")),
        json!(format!("<think>Perhaps {draft}, or")),
    ] {
        assert_eq!(
            learned([said.clone(), meant.clone()]),
            (2, vec!["The user keeps bees.".to_owned()]),
            "{said}"
        );
    }
    for said in [json!([]), json!("[]"), json!("\"[]\""), json!("```json\n[]\n```"), json!({ "answer": [] })]
    {
        assert_eq!(learned([said.clone()]), (1, Vec::<String>::new()), "{said}");
    }
}

/// A model's second answer with a list that is none cost all of it.
#[test]
fn a_list_that_is_none_costs_no_other() {
    let wrong = json!({ "facts": [fact("The user keeps bees.")], "profile": "none" });
    assert_eq!(learned([wrong.clone(), wrong]), (2, vec!["The user keeps bees.".to_owned()]));
}

/// The number of another message beside a right quote: the source was a message that did not say it, and the assistant's words passed.
#[test]
fn words_belong_to_the_message_that_has_them() {
    let learn = |quote: &str| json!({ "facts": [{ "action": "add", "text": "The user lives in Porto.", "message": 1, "quote": quote }, fact("The user likes tea.")] });
    for (quote, calls, source) in [
        ("I live in Porto", 1, Some(json!("I live in Porto"))),
        ("no such words", 1, Some(json!(""))),
        ("!", 1, Some(json!(""))),
        ("you live in Porto", 2, None),
    ] {
        let world = World::new();
        let model = Scripted::new([learn(quote), learn(quote)]);
        let engine = world.open(Some(model.clone()), &options());
        let messages = json!([
            { "role": "user", "content": "Hello there! I like tea." },
            { "role": "assistant", "content": "So you live in Porto?" },
            { "role": "user", "content": "I live in Porto." },
        ]);
        world.call(&engine, "generate", json!({ "messages": messages }));
        let facts = world.call(&engine, "facts.list", json!({}));
        let lives = facts.as_array().unwrap().iter().find(|fact| fact["text"] == "The user lives in Porto.");
        assert_eq!(
            (model.calls(), lives.map(|fact| fact["source"][0]["quote"].clone())),
            (calls, source),
            "{quote}"
        );
    }
}

/// A known field was changed by an answer that named no words, as no fact could be.
#[test]
fn what_changes_a_known_field_names_who_says_it() {
    let field = |value: &str, message: Value| json!({ "schema": "user", "field": "place", "value": value, "message": message });
    let first = json!({ "facts": [], "profile": [field("Rome", json!(null))] });
    let wrong = json!({ "facts": [fact("The user likes tea.")], "profile": [field("Oslo", json!(null))] });
    let world = World::new();
    let model = Scripted::new([first, wrong.clone(), wrong]);
    let engine = world.open(Some(model.clone()), &options());
    for content in ["I live in Rome.", "I like tea."] {
        let messages = json!([{ "role": "user", "content": content }]);
        world.call(&engine, "generate", json!({ "messages": messages }));
    }
    assert_eq!((model.calls(), world.profile(&engine, "user")), (3, json!({ "place": "Rome" })));
}

/// What took the place of a known fact needed no words.
#[test]
fn what_changes_a_known_fact_names_who_says_it() {
    for (action, text) in
        [("supersede", "The user keeps wasps."), ("update", "The user keeps wasps."), ("end", "")]
    {
        let known = json!({ "facts": [fact("The user keeps bees.")] });
        let change = json!({ "action": action, "target": 1, "text": text });
        let wrong = json!({ "facts": [change, fact("The user likes tea.")] });
        let world = World::new();
        let model = Scripted::new([known, wrong.clone(), wrong]);
        let engine = world.open(Some(model.clone()), &options());
        for content in ["I keep bees.", "I like tea."] {
            let messages = json!([{ "role": "user", "content": content }]);
            world.call(&engine, "generate", json!({ "messages": messages }));
        }
        assert_eq!(world.facts(&engine), ["The user likes tea.", "The user keeps bees."], "{action}");
        let asked = model.asked.borrow();
        let complaint = &asked.last().unwrap().messages.last().unwrap().content;
        assert!(complaint.contains("/facts/0/message: name the message"), "{complaint}");
    }
}

/// What the assistant guessed became a fact about the user.
#[test]
fn the_words_of_the_assistant_alone_are_no_fact() {
    let guess = |message: Value| {
        let twin = json!({ "action": "add", "text": "The user has a twin.", "message": message, "quote": "you have a twin" });
        let spy = json!({ "name": "Bob", "type": "person", "message": 2, "quote": "Bob" });
        json!({ "facts": [fact("The user keeps bees."), twin], "entities": [spy] })
    };
    for message in [json!(2), Value::Null] {
        let world = World::new();
        let model = Scripted::new([guess(message.clone()), guess(message)]);
        let engine = world.open(Some(model.clone()), &options());
        let messages = json!([
            { "role": "user", "content": "I keep bees." },
            { "role": "assistant", "content": "I guess you have a twin. Bob is a spy." },
        ]);
        world.call(&engine, "generate", json!({ "messages": messages }));
        assert_eq!((model.calls(), world.facts(&engine)), (2, vec!["The user keeps bees.".to_owned()]));
        assert_eq!(world.call(&engine, "graph.list", json!({})), json!([]));
        let asked = model.asked.borrow();
        let complaint = &asked.last().unwrap().messages.last().unwrap().content;
        assert!(complaint.contains("is the assistant's alone"), "{complaint}");
    }
}

/// The assistant greeted the user by the name that the user's messages had, and the model was asked again for a better source.
#[test]
fn the_name_that_messages_have_is_the_users_whoever_says_it() {
    for (name, calls, known) in [(Some("Caroline"), 1, json!({ "name": "Caroline" })), (None, 2, json!({}))] {
        let world = World::new();
        let field = json!({
            "schema": "user", "field": "name", "value": "Caroline", "message": 2, "quote": "Hey Caroline!",
        });
        let answer = json!({ "facts": [fact("The user has a friend, Mel.")], "profile": [field] });
        let model = Scripted::new([answer.clone(), answer]);
        let engine = world.open(Some(model.clone()), &options());
        let mut greeting = json!({ "role": "user", "content": "Hey Mel! How have you been?" });
        if let Some(name) = name {
            greeting["name"] = json!(name);
        }
        let reply = json!({ "role": "assistant", "content": "Hey Caroline! Swamped with work." });
        world.call(&engine, "generate", json!({ "messages": [greeting, reply] }));
        assert_eq!((model.calls(), world.profile(&engine, "user")), (calls, known), "{name:?}");
    }
}
