//! What is learned from what is said, whatever words and whoever else learns: by rules, and by a model that was recorded.

use crate::support::world::{DAY_MS, Scripted, World, adds, nothing};
use mnemic::engine::Engine;
use mnemic::ports::{Llm, ModelRequest, Pending, Platform};
use mnemic::{Result, time};
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;

/// A model's answer is asked for at once.
fn at_once(mut extraction: Value) -> Value {
    extraction["trigger"] = json!({ "messages": 1 });
    let schema = json!({ "type": "object", "properties": { "place": { "type": "string" }, "likes": { "type": "array", "items": { "type": "string" } } } });
    json!({ "profiles": { "user": schema }, "extraction": extraction })
}

fn open(world: &World, model: &Rc<Scripted>) -> Engine {
    world.open(Some(model.clone()), &at_once(json!({})))
}

/// The quotes of the present facts' sources, with their texts.
fn sources(world: &World, engine: &Engine) -> Vec<(String, Vec<String>)> {
    let facts = world.call(engine, "facts.list", json!({}));
    let quotes = |fact: &Value| {
        fact["source"]
            .as_array()
            .unwrap()
            .iter()
            .map(|source| source["quote"].as_str().unwrap().to_owned())
            .collect()
    };
    facts
        .as_array()
        .unwrap()
        .iter()
        .map(|fact| (fact["text"].as_str().unwrap().to_owned(), quotes(fact)))
        .collect()
}

#[test]
fn a_fact_said_again_in_other_spelling_is_one_fact_with_both_sources() {
    let world = World::new();
    let spellings = ["The user lives in Lisbon.", "user lives in  LISBON!", "\"The user\" lives in Lisbon"];
    let answers = spellings.map(|text| {
        let mut answer = adds(text);
        answer["facts"][0]["quote"] = json!(text.split_whitespace().last().unwrap());
        answer
    });
    let engine = open(&world, &Scripted::new(answers));
    for spelling in spellings {
        world.teach(&engine, spelling);
    }
    let quotes = ["Lisbon.", "LISBON!", "Lisbon"].map(str::to_owned).to_vec();
    assert_eq!(sources(&world, &engine), [(spellings[0].to_owned(), quotes)]);
    let facts = world.call(&engine, "facts.list", json!({}));
    let history = world.call(&engine, "facts.history", json!({ "id": facts[0]["id"] }));
    assert_eq!(history.as_array().unwrap().len(), 3, "each source can be taken back");
    world.call(&engine, "undo", json!({ "commitId": history[2]["commitId"] }));
    assert_eq!(sources(&world, &engine)[0].1.len(), 2);
}

#[test]
fn what_tells_facts_apart_keeps_them_apart() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let apart = [
        "The user writes C",
        "The user writes C++.",
        "The user writes C#",
        "The user does not write C",
        "It has 5 rooms",
        "It has 15 rooms",
    ];
    for text in apart {
        assert_eq!(
            world.call(&engine, "facts.add", json!({ "text": text }))["action"],
            json!("created"),
            "{text}"
        );
    }
    for text in ["the user writes c++", "User writes C#.", "It has 5 rooms!"] {
        assert_eq!(
            world.call(&engine, "facts.add", json!({ "text": text }))["action"],
            json!("unchanged"),
            "{text}"
        );
    }
    let imported = world.call(&engine, "facts.import", json!({ "facts": [{ "text": "A user writes C" }, { "text": "The user writes Ada" }, { "text": "user writes Ada." }] }));
    assert_eq!((&imported["added"], &imported["known"]), (&json!(1), &json!(2)));
}

#[test]
fn only_the_newest_sources_are_kept_and_a_pinned_fact_stays_as_it_is() {
    for (pins, kept) in [(false, vec!["3", "4", "5", "6", "7", "8", "9", "10"]), (true, vec!["0"])] {
        let world = World::new();
        let answers = (0..=10).map(|number| {
            let mut answer = adds("The user plays the cello.");
            answer["facts"][0]["quote"] = json!(number.to_string());
            answer
        });
        let engine = open(&world, &Scripted::new(answers));
        for number in 0..=10 {
            world.teach(&engine, &format!("Cello, number {number}"));
            if pins && number == 0 {
                let id = world.call(&engine, "facts.list", json!({}))[0]["id"].clone();
                world.call(&engine, "items.pin", json!({ "id": id }));
            }
        }
        let sources = sources(&world, &engine);
        assert_eq!(
            sources,
            [(
                "The user plays the cello.".to_owned(),
                kept.into_iter().map(str::to_owned).collect::<Vec<_>>()
            )]
        );
    }
}

#[test]
fn rules_merge_sources_as_well() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    world.teach(&engine, "I live in Lisbon.");
    world.teach(&engine, "Hello again! I live in Lisbon.");
    let sources = sources(&world, &engine);
    assert_eq!(sources.len(), 1, "{sources:?}");
    assert_eq!(sources[0].1.len(), 2, "{sources:?}");
    let message = json!([{ "id": "m", "role": "user", "content": "I live in Lisbon. I live in Lisbon." }]);
    let taught = world.call(&engine, "generate", json!({ "messages": message }));
    assert_eq!(taught["changes"].as_array().unwrap().len(), 1, "one fact has one more source: {taught}");
}

#[test]
fn a_fact_restated_and_changed_in_one_answer_is_changed() {
    let world = World::new();
    let engine = open(
        &world,
        &Scripted::new([
            adds("The user lives in Lisbon."),
            json!({ "facts": [
                { "action": "add", "text": "User lives in Lisbon", "significance": 6, "message": 1, "quote": "Lisbon" },
                { "action": "supersede", "target": 1, "text": "The user lives in Porto.", "significance": 6, "message": 1, "quote": "Porto" },
            ] }),
        ]),
    );
    world.teach(&engine, "I live in Lisbon");
    world.teach(&engine, "I lived in Lisbon and live in Porto");
    assert_eq!(world.facts(&engine), ["The user lives in Porto."]);
    let all = world.call(&engine, "facts.list", json!({ "includeEnded": true }));
    assert_eq!(all.as_array().unwrap().len(), 2, "{all}");
}

/// It stood there twice then.
#[test]
fn a_fact_replaced_by_the_words_of_another_leaves_that_one() {
    let world = World::new();
    let answer = json!({ "facts": [{ "action": "supersede", "target": 1, "text": "The user lives in Porto.", "significance": 6, "message": 1, "quote": "I left Lisbon" }] });
    let engine = open(&world, &Scripted::new([answer]));
    world.add(&engine, json!({ "text": "The user lives in Porto." }));
    world.add(&engine, json!({ "text": "The user lives in Lisbon." }));
    world.teach(&engine, "I left Lisbon, as I was tired of Lisbon");
    assert_eq!(world.facts(&engine), ["The user lives in Porto."]);
}

/// A full stop was kept as a fact.
#[test]
fn a_fact_without_a_word_is_refused() {
    let world = World::new();
    let model = Scripted::new([adds("."), adds("\u{200b}")]);
    let engine = open(&world, &model);
    world.teach(&engine, "I live in Lisbon");
    assert_eq!((model.calls(), world.facts(&engine).len()), (2, 0));
}

#[test]
fn in_review_a_fact_said_again_asks_for_no_second_yes() {
    let world = World::new();
    let model = Scripted::new([adds("The user lives in Lisbon."), adds("user lives in Lisbon")]);
    let engine = world.open(Some(model), &at_once(json!({ "review": true })));
    world.teach(&engine, "I live in Lisbon");
    let proposals = world.call(&engine, "proposals.list", json!({}));
    world.call(&engine, "proposals.accept", json!({ "ids": [proposals[0]["id"]] }));
    world.teach(&engine, "Lisbon is where I live");
    assert_eq!(world.call(&engine, "proposals.list", json!({})), json!([]));
    assert_eq!(sources(&world, &engine)[0].1.len(), 2);
}

#[test]
fn what_is_not_wanted_is_not_learned_by_rules_or_by_a_model() {
    let answer = json!({
        "facts": [{ "action": "add", "text": "The user lives in Lisbon.", "significance": 6, "message": 1 }],
        "profile": [{ "schema": "user", "field": "place", "value": "Lisbon", "message": 1 }],
        "entities": [{ "name": "Lisbon", "type": "city", "message": 1 }],
    });
    for with_model in [false, true] {
        for (facts, profiles) in [(true, true), (false, true), (true, false), (false, false)] {
            let what = format!("model: {with_model}, facts: {facts}, profiles: {profiles}");
            let world = World::new();
            let model: Option<Rc<dyn Llm>> =
                if with_model { Some(Scripted::new([answer.clone(), nothing()])) } else { None };
            let wanted = json!({ "facts": facts, "profiles": profiles, "graph": false });
            let engine = world.open(model, &at_once(wanted));
            world.teach(&engine, "I live in Lisbon.");
            assert_eq!(world.facts(&engine).len(), usize::from(facts), "{what}");
            let profile = if profiles { json!({ "place": "Lisbon" }) } else { json!({}) };
            assert_eq!(world.profile(&engine, "user"), profile, "{what}");
            let graph = world.call(&engine, "graph.read_graph", json!({}));
            assert_eq!(graph["entities"], json!([]), "{what}");
            // What the application writes itself is not learned, and kept.
            world.call(&engine, "generate", json!({ "facts": ["The user has a cat."] }));
            assert!(world.facts(&engine).contains(&"The user has a cat.".to_owned()), "{what}");
        }
    }
}

#[test]
fn without_facts_rules_keep_a_profile_current() {
    let world = World::new();
    let engine = world.open(None, &at_once(json!({ "facts": false })));
    world.add(&engine, json!({ "text": "The user lives in Lisbon." }));
    for text in ["I live in Lisbon. I like tea.", "I moved to Porto.", "I don't like tea any more."] {
        world.teach(&engine, text);
    }
    assert_eq!(world.profile(&engine, "user"), json!({ "place": "Porto" }));
    assert_eq!(world.facts(&engine), ["The user lives in Lisbon."], "what was added by hand is left alone");
}

const SMALL_TALK: [(&str, &str); 20] = [
    ("Hi!", "Hello! How can I help you today?"),
    ("How are you?", "I'm fine, thank you. And you?"),
    ("Good, thanks.", "Great to hear."),
    ("What's up?", "Not much."),
    ("Nice weather today.", "Enjoy it!"),
    ("lol", "Glad you liked that."),
    ("Can you tell me a joke?", "Why did the chicken cross the road?"),
    ("I don't know, why?", "To get to the other side."),
    ("Haha, that's so old.", "A classic."),
    ("What time is it in Tokyo?", "It is nine in the evening there."),
    ("OK", "Anything else?"),
    ("Hmm, let me think.", "Take your time."),
    ("What is 17 times 3?", "It is 51."),
    ("Are you sure?", "Yes."),
    ("Wow.", "Indeed."),
    ("I see.", "Good."),
    ("Please say that again.", "It is 51."),
    ("Thank you so much!", "You're welcome."),
    ("I have to go now.", "See you soon."),
    ("Bye, have a nice day!", "Bye!"),
];

#[test]
fn small_talk_teaches_nothing() {
    for with_model in [false, true] {
        let world = World::new();
        let scripted = Scripted::new(
            SMALL_TALK.map(|_| json!({ "facts": [], "profile": [], "entities": [], "relations": [] })),
        );
        let model: Option<Rc<dyn Llm>> = if with_model { Some(scripted.clone()) } else { None };
        let engine = world.open(model, &at_once(json!({})));
        for (said, answered) in SMALL_TALK {
            let messages =
                json!([{ "role": "user", "content": said }, { "role": "assistant", "content": answered }]);
            world.call(&engine, "remember", json!({ "messages": messages }));
            world.idle(&engine);
        }
        assert_eq!(world.pending(&engine), json!(0));
        assert_eq!(
            world.call(&engine, "items.list", json!({ "includeEnded": true })),
            json!([]),
            "model: {with_model}"
        );
        assert_eq!(scripted.calls(), if with_model { 20 } else { 0 });
    }
}

#[test]
fn invented_numbers_are_refused_and_asked_again() {
    for (name, invented) in [
        (
            "target",
            json!({ "action": "update", "target": 7, "text": "The user lives in Porto.", "significance": 6, "message": 1 }),
        ),
        (
            "message",
            json!({ "action": "add", "text": "The user lives in Porto.", "significance": 6, "message": 7 }),
        ),
    ] {
        let world = World::new();
        let model = Scripted::new([json!({ "facts": [invented] }), adds("The user lives in Lisbon.")]);
        let engine = open(&world, &model);
        world.teach(&engine, "I live in Lisbon");
        assert_eq!(model.calls(), 2, "{name}");
        let again = model.asked.borrow()[1].messages.last().unwrap().content.clone();
        assert!(again.contains(&format!("/facts/0/{name}")), "{again}");
        assert_eq!(world.facts(&engine), ["The user lives in Lisbon."]);
    }
}

/// A model that moves the user to the town that was spoken of last, after as long as the name is.
struct Mover {
    clock: Rc<dyn Platform>,
    asked: Cell<usize>,
}

impl Llm for Mover {
    fn complete<'a>(&'a self, request: &'a ModelRequest, _timeout_ms: u32) -> Pending<'a, Result<Value>> {
        self.asked.set(self.asked.get() + 1);
        let prompt = &request.messages[1].content;
        let town = prompt.rsplit_once("I moved to ").unwrap().1.split('"').next().unwrap().to_owned();
        Box::pin(async move {
            self.clock.sleep(100 * u32::try_from(town.len()).unwrap()).await;
            let text = format!("The user lives in {town}.");
            Ok(
                json!({ "facts": [{ "action": "supersede", "target": 1, "text": text, "significance": 6, "message": 1, "quote": town }] }),
            )
        })
    }
}

#[test]
fn two_engines_that_change_one_fact_both_survive() {
    let world = World::new();
    let models = [(), ()].map(|()| Rc::new(Mover { clock: world.machine.platform(), asked: Cell::new(0) }));
    let engines = [0, 1].map(|number| world.open(Some(models[number].clone()), &at_once(json!({}))));
    world.add(&engines[0], json!({ "text": "The user lives in Lisbon." }));
    let towns = ["Faro", "Porto"];
    for (town, engine) in towns.iter().zip(&engines) {
        let messages = json!([{ "role": "user", "content": format!("I moved to {town}") }]);
        world.begin(engine, "remember", json!({ "threadId": town, "messages": messages }));
    }
    world.machine.pass(3_600_000);
    assert!(models[0].asked.get() + models[1].asked.get() > 2, "what was based on the past was asked again");
    let engine = world.open(None, &json!({}));
    let all = world.call(&engine, "facts.list", json!({ "includeEnded": true }));
    assert_eq!(
        crate::support::world::texts(&all),
        ["Porto", "Faro", "Lisbon"].map(|town| format!("The user lives in {town}."))
    );
    assert_eq!((&all[0]["supersedes"], &all[1]["supersedes"]), (&all[1]["id"], &all[2]["id"]));
    assert_eq!(world.facts(&engine), ["The user lives in Porto."]);
    assert_eq!(world.pending(&engine), json!(0));
    assert_eq!(world.call(&engine, "verify", json!({}))["ok"], json!(true));
}

#[test]
fn what_only_the_assistant_said_makes_no_work() {
    let world = World::new();
    let model = Scripted::new([nothing()]);
    let engine = world.open(Some(model.clone()), &json!({ "extraction": { "trigger": { "messages": 3 } } }));
    let answered = |text: &str| {
        world.call(&engine, "remember", json!({ "messages": [{ "role": "assistant", "content": text }] }));
        world.pending(&engine)
    };
    assert_eq!(answered("Welcome!"), json!(0));
    let only = json!({ "messages": [{ "role": "assistant", "content": "Hello?" }] });
    assert_eq!(world.call(&engine, "generate", only)["changes"], json!([]));
    assert_eq!((world.pending(&engine), model.calls()), (json!(0), 0));
    // Beside words of the user that wait, it is part of the conversation.
    world.teach(&engine, "Which town is nice?");
    assert_eq!(answered("Porto, perhaps?"), json!(2));
    world.teach(&engine, "Good.");
    assert_eq!((world.pending(&engine), model.calls()), (json!(0), 1));
    let prompt = model.prompt();
    assert!(prompt.contains("Porto, perhaps?") && prompt.contains("Welcome!"), "{prompt}");
    assert_eq!(answered("Bye!"), json!(0));
}

/// A conversation that is imported years later was read as one of today, and ended what has been true since.
#[test]
fn an_old_conversation_ends_nothing_that_began_after_it() {
    let answer = |target: u32, action: &str, text: &str| {
        let fact =
            json!({ "action": action, "target": target, "text": text, "message": 1, "quote": "Bergen" });
        json!({ "facts": [fact], "profile": [] })
    };
    let world = World::new();
    let model = Scripted::new([
        answer(1, "supersede", "The user lives in Bergen."),
        answer(1, "supersede", "The user lives in Bergen."),
        answer(1, "end", ""),
    ]);
    let engine = world.open(Some(model.clone()), &json!({}));
    let oslo = world.call(&engine, "facts.add", json!({ "text": "The user lives in Oslo." }));
    let oslo = world.call(&engine, "facts.get", json!({ "id": oslo["id"] }));
    let said_at = time::parse("2019-03-01T10:00").unwrap();
    for thread in ["one", "two", "three"] {
        let message = json!({ "role": "user", "content": "I live in Bergen now.", "createdAt": said_at });
        world.call(&engine, "generate", json!({ "threadId": thread, "messages": [message] }));
        assert!(model.prompt().contains("2019-03-01 10:00") && !model.prompt().contains("Today"));
        assert_eq!(world.facts(&engine), ["The user lives in Oslo."], "{thread}");
    }
    let then = json!({ "validAt": said_at + DAY_MS });
    let then = world.call(&engine, "facts.list", then);
    assert_eq!(then[0]["text"], json!("The user lives in Bergen."));
    assert_eq!(then[0]["validTo"], oslo["validFrom"]);
    assert_eq!(then.as_array().unwrap().len(), 1, "it is known once: {then}");
}
