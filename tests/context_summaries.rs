//! The summary at the head of a window: whose it is, that nothing is told twice, and what is not believed.

use crate::support::world::{ALICE, World};
use futures_util::FutureExt;
use mnemic::engine::Engine;
use mnemic::ports::{Batch, Llm, ModelRequest, Pending, Storage};
use mnemic::{Code, Error, Result};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::fs;
use std::path::Path;
use std::rc::Rc;

/// What a model answers when it is asked for a summary.
type Summarising = dyn Fn(&ModelRequest, usize) -> Result<Value>;

/// A model that says something to the person, and summarises by a function of the request.
struct Model {
    summary: Box<Summarising>,
    asked: RefCell<Vec<ModelRequest>>,
    /// What happens while it thinks about its next summary.
    meanwhile: RefCell<Option<Pending<'static, ()>>>,
}

impl Model {
    /// `summary` gets the request and how many summaries were asked for before.
    fn new(summary: impl Fn(&ModelRequest, usize) -> Result<Value> + 'static) -> Rc<Self> {
        Rc::new(Self { summary: Box::new(summary), asked: RefCell::default(), meanwhile: RefCell::default() })
    }

    fn asked(&self, purpose: &str) -> Vec<ModelRequest> {
        self.asked.borrow().iter().filter(|request| request.purpose == purpose).cloned().collect()
    }

    /// The turns that a request for a summary shows as messages, of all such requests.
    fn told(&self) -> Vec<usize> {
        let shown: Vec<String> =
            self.asked("summarise").iter().map(|request| shown(request).to_owned()).collect();
        let numbers = shown.iter().flat_map(|shown| shown.split("Turn ").skip(1));
        numbers.filter_map(|text| text.split(' ').next()?.parse().ok()).collect()
    }
}

impl Llm for Model {
    fn complete<'a>(&'a self, request: &'a ModelRequest, _timeout_ms: u32) -> Pending<'a, Result<Value>> {
        let before = self.asked("summarise").len();
        self.asked.borrow_mut().push(request.clone());
        let meanwhile = self.meanwhile.borrow_mut().take_if(|_| request.purpose == "summarise");
        let answer = if request.purpose == "summarise" {
            (self.summary)(request, before)
        } else {
            Ok(json!({ "toolCalls": [{ "name": "send_message", "arguments": { "message": "Yes." } }] }))
        };
        Box::pin(async move {
            if let Some(meanwhile) = meanwhile {
                meanwhile.await;
            }
            answer
        })
    }
}

/// The user's part of a request.
fn shown(request: &ModelRequest) -> &str {
    &request.messages[1].content
}

fn options(auto: bool) -> Value {
    json!({ "extraction": { "auto": false }, "summaries": { "auto": auto }, "context": { "window": 4000 } })
}

fn step(world: &World, engine: &Engine, turn: usize) -> Value {
    let text = format!("Turn {turn} {}", "and so on and on ".repeat(20));
    let messages = json!([{ "role": "user", "content": text, "id": format!("turn-{turn}") }]);
    world.call(engine, "context.step", json!({ "messages": messages, "threadId": "chat" }))
}

/// The summary that the model saw last, if any.
fn head(llm: &Model) -> Option<String> {
    let last = llm.asked("context").pop().unwrap();
    let entry: Value = serde_json::from_str(shown(&last)).unwrap();
    (entry["type"] == "summary").then(|| entry["text"].as_str().unwrap().to_owned())
}

/// The queue summarised what the summary of its thread tells as well: each message was sent twice.
#[test]
fn with_summaries_in_the_background_nothing_is_summarised_twice() {
    let world = World::new();
    let llm = Model::new(|_, before| Ok(json!({ "summary": format!("They spoke, part {before}.") })));
    let mut engine = world.open(Some(llm.clone()), &options(true));
    for turn in 0..60 {
        step(&world, &engine, turn);
        world.idle(&engine);
        if turn % 20 == 19 {
            world.close(&engine);
            engine = world.open(Some(llm.clone()), &options(true));
        }
    }
    let told = llm.told();
    let mut once = told.clone();
    once.dedup();
    assert_eq!(told, once, "each message is told once");
    assert!(told.windows(2).all(|pair| pair[0] + 1 == pair[1]) && told[0] == 0, "{told:?}");
    let summary = world.call(&engine, "threads.summary", json!({ "threadId": "chat" }));
    assert_eq!(head(&llm).as_ref(), Some(&summary["text"].as_str().unwrap().to_owned()));
    assert!(llm.asked("summarise").len() < 20, "{}", llm.asked("summarise").len());
    // What the window does not show is in the summary.
    let first = llm.asked("context").pop().unwrap();
    let seen = first.messages.iter().filter(|message| message.content.contains("\"Turn ")).count();
    assert!(told.len() + seen >= 60, "{} and {seen}", told.len());
}

/// The window had a summary of its own, which nothing else showed, and read none that the thread had.
#[test]
fn the_summary_of_the_window_is_that_of_the_thread() {
    let world = World::new();
    let llm = Model::new(|_, before| Ok(json!({ "summary": format!("They spoke, part {before}.") })));
    let engine = world.open(Some(llm.clone()), &options(false));
    let said =
        |turn: usize| json!({ "role": "user", "content": format!("Turn {turn} {}", "on and ".repeat(20)) });
    let messages: Vec<Value> = (0..30).map(said).collect();
    world.call(&engine, "threads.append", json!({ "threadId": "chat", "messages": messages }));
    world.call(&engine, "threads.summarise", json!({ "threadId": "chat" }));
    step(&world, &engine, 30);
    assert_eq!(head(&llm).as_deref(), Some("They spoke, part 0."));
    assert_eq!(llm.asked("summarise").len(), 1, "what it tells is not told again");
    for turn in 31.. {
        step(&world, &engine, turn);
        if llm.asked("summarise").len() > 1 {
            break;
        }
        assert!(turn < 70);
    }
    assert!(shown(&llm.asked("summarise")[1]).contains("They spoke, part 0."), "it goes on");
    assert_eq!(head(&llm).as_deref(), Some("They spoke, part 1."));
    let summary = world.call(&engine, "threads.summary", json!({ "threadId": "chat" }));
    assert_eq!(summary["text"], "They spoke, part 1.");
    let recalled = world.call(&engine, "recall", json!({ "query": "anything" }));
    assert!(recalled["text"].as_str().unwrap().contains("They spoke, part 1."), "{recalled}");
    let texts = world.call(&engine, "items.list", json!({ "kinds": ["summary"] })).to_string();
    assert_eq!(texts.matches("They spoke, part").count(), 1, "{texts}");
}

/// A storage as it was written after five steps when the window had a summary of its own: it tells of the first five messages.
fn former() -> World {
    let world = World::new();
    // New ids are none of those that are stored.
    world.machine.pass(1000);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/format/v1/window-summary");
    let puts = fs::read_dir(folder).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        let key = path.file_name().unwrap().to_str().unwrap().replace('.', "/");
        (key, fs::read(path).unwrap())
    });
    let batch = Batch { puts: puts.collect(), deletes: Vec::new() };
    world.storage.write(&batch, 0).now_or_never().unwrap().unwrap();
    world
}

/// What windows summarised before threads had one summary is still shown, and goes on in that of the thread.
#[test]
fn a_window_s_summary_of_former_times_becomes_that_of_the_thread() {
    let world = former();
    let llm = namer();
    let engine = world.open(Some(llm.clone()), &options(false));
    step(&world, &engine, 5);
    assert_eq!(head(&llm).as_deref(), Some("They spoke of turn 0 and what came after."));
    assert!(llm.asked("summarise").is_empty());
    let mut turn = 6;
    while llm.asked("summarise").is_empty() {
        step(&world, &engine, turn);
        turn += 1;
        assert!(turn < 40);
    }
    let asked = llm.asked("summarise");
    assert!(shown(&asked[0]).contains("They spoke of turn 0 and what came after."), "it goes on");
    assert!(!shown(&asked[0]).contains("Turn 0 "), "{}", shown(&asked[0]));
    let told = llm.told();
    assert!(told.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{told:?}");
    let summary = world.call(&engine, "threads.summary", json!({ "threadId": "chat" }));
    assert_eq!(head(&llm).as_deref(), summary["text"].as_str());
    let texts = world.call(&engine, "items.list", json!({ "kinds": ["summary"] })).to_string();
    assert!(!texts.contains("turn 0 and what came after"), "it is kept once: {texts}");
    assert_eq!(world.call(&engine, "verify", json!({}))["ok"], true);
}

/// It leaves with what it tells of.
#[test]
fn what_is_removed_leaves_a_window_s_summary_of_former_times() {
    for removed in [true, false] {
        let world = former();
        let llm = namer();
        let engine = world.open(Some(llm.clone()), &options(false));
        if removed {
            world.call(&engine, "threads.remove", json!({ "threadId": "chat", "ids": ["turn-0"] }));
        } else {
            let other = json!([{ "role": "user", "id": "turn-0", "content": "Something else." }]);
            world.call(&engine, "threads.append", json!({ "threadId": "chat", "messages": other }));
        }
        let summaries = world.call(&engine, "items.list", json!({ "kinds": ["summary"] })).to_string();
        assert!(!summaries.contains("turn 0 and what came after"), "{summaries}");
        step(&world, &engine, 5);
        assert!(!tells(&llm, 0) && tells(&llm, 1), "removed: {removed}");
    }
}

/// A message that alone has more tokens than a request may have is shown in part, and the request fits.
#[test]
fn a_summary_is_asked_for_within_the_window() {
    let world = World::new();
    let llm = Model::new(|_, _| {
        Ok(json!({ "summary": "\u{5f7c}\u{3089}\u{306f}\u{8a71}\u{3057}\u{305f}\u{3002}" }))
    });
    let engine = world.open(Some(llm.clone()), &options(false));
    let long = json!({ "role": "user", "content": "\u{6f22}\u{5b57}\u{304b}\u{306a}".repeat(2000) });
    world.call(&engine, "threads.append", json!({ "threadId": "chat", "messages": vec![long; 12] }));
    for turn in 0..6 {
        step(&world, &engine, turn);
    }
    assert!(head(&llm).is_some());
    let tokens = |request: &ModelRequest| -> usize {
        request.messages.iter().map(|message| mnemic::tokens::estimate(&message.content) + 4).sum()
    };
    assert!(llm.asked("summarise").iter().all(|request| tokens(request) <= 3000));
}

/// A step that needs a summary which the background has not made yet asks for it, and it is that of the thread.
#[test]
fn a_summary_that_failed_is_made_in_the_background() {
    let world = World::new();
    let fails = Rc::new(Cell::new(true));
    let flag = fails.clone();
    let llm = Model::new(move |_, _| {
        if flag.get() {
            Err(Error::new(Code::Model, "overloaded"))
        } else {
            Ok(json!({ "summary": "They spoke." }))
        }
    });
    let engine = world.open(Some(llm.clone()), &options(true));
    (0..40).for_each(|turn| drop(step(&world, &engine, turn)));
    assert_eq!(head(&llm), None);
    fails.set(false);
    let asked = llm.asked("context").len();
    world.machine.pass(3_600_000);
    assert_eq!(llm.asked("context").len(), asked, "nobody spoke meanwhile");
    let status = world.call(&engine, "context.status", json!({ "threadId": "chat" }));
    assert!(status["summary"].as_u64().unwrap() > 0, "{status}");
    step(&world, &engine, 40);
    assert_eq!(head(&llm).as_deref(), Some("They spoke."));
}

/// What nobody said stood in the queue's summaries, and other languages too; elsewhere both were refused.
#[test]
fn a_summary_of_what_nobody_said_is_refused() {
    for (bad, why) in [
        ("They spoke about 98765 things.", "nobody said the number 98765"),
        (
            "\u{adf8}\u{b4e4}\u{c740} \u{c5ec}\u{b7ec} \u{ac00}\u{c9c0} \u{c774}\u{c57c}\u{ae30}\u{b97c} \u{b098}\u{b204}\u{c5c8}\u{b2e4}",
            "Latin letters",
        ),
        (" ", "blank"),
    ] {
        let world = World::new();
        let llm = Model::new(move |_, before| {
            Ok(json!({ "summary": if before == 0 { bad } else { "They spoke." } }))
        });
        let engine = world.open(Some(llm.clone()), &options(false));
        for turn in 0.. {
            step(&world, &engine, turn);
            if head(&llm).is_some() {
                break;
            }
            assert!(turn < 40);
        }
        assert_eq!(head(&llm).as_deref(), Some("They spoke."));
        let asked = llm.asked("summarise");
        assert_eq!(asked.len(), 2, "{bad:?}");
        let complaint = &asked[1].messages.last().unwrap().content;
        assert!(complaint.contains(why), "{complaint}");
        assert_eq!(world.call(&engine, "usage", json!({}))["byPurpose"]["summarise"]["failures"], 1);
    }
    let world = World::new();
    let llm = Model::new(|_, _| Ok(json!({ "summary": format!("They said {}.", "7".repeat(100_000)) })));
    let engine = world.open(Some(llm.clone()), &options(false));
    for turn in 0..20 {
        let asked = llm.asked("summarise").len();
        step(&world, &engine, turn);
        assert!(
            llm.asked("summarise").len() <= asked + 2,
            "a model that goes on like this is left alone for the step"
        );
    }
    assert_eq!(head(&llm), None);
    assert!(!llm.asked("summarise").is_empty());
    assert!(llm.asked("summarise").iter().all(|request| {
        request.messages.iter().map(|message| mnemic::tokens::estimate(&message.content)).sum::<usize>()
            <= 3000
    }));
}

/// What was removed from the thread, or replaced, stayed in the summary of its queue.
#[test]
fn a_message_that_is_removed_or_replaced_leaves_the_summary() {
    for (auto, removed) in [(false, true), (false, false), (true, true), (true, false)] {
        let world = World::new();
        let llm = Model::new(|request, _| {
            let first = shown(request).split("Turn ").nth(1).unwrap_or("none ").split(' ').next().unwrap();
            Ok(json!({ "summary": format!("They spoke, first of turn {first}.") }))
        });
        let engine = world.open(Some(llm.clone()), &options(auto));
        let mut turn = 0;
        while turn == 0 || head(&llm).is_none() {
            step(&world, &engine, turn);
            turn += 1;
            assert!(turn < 40);
        }
        assert_eq!(head(&llm).as_deref(), Some("They spoke, first of turn 0."));
        if removed {
            world.call(&engine, "threads.remove", json!({ "threadId": "chat", "ids": ["turn-0"] }));
        } else {
            let other = json!([{ "role": "user", "content": "Something else.", "id": "turn-0" }]);
            world.call(&engine, "remember", json!({ "messages": other, "threadId": "chat" }));
        }
        if removed || !auto {
            let summaries = world.call(&engine, "items.list", json!({ "kinds": ["summary"] }));
            for summary in summaries.as_array().unwrap() {
                assert_ne!(summary["text"], "They spoke, first of turn 0.");
            }
        }
        step(&world, &engine, turn);
        assert_eq!(head(&llm).as_deref(), Some("They spoke, first of turn 1."), "{auto} {removed}");
    }
}

/// A model whose summary names every turn it was shown or told of.
fn namer() -> Rc<Model> {
    Model::new(|request, _| {
        let turns = shown(request).split("Turn ").skip(1).filter_map(|text| text.split(' ').next());
        let turns: Vec<String> = turns.map(|turn| format!("Turn {turn} ")).collect();
        Ok(json!({ "summary": format!("They spoke of {}.", turns.concat()) }))
    })
}

/// Whether the window that the model saw last tells of a turn.
fn tells(llm: &Model, turn: usize) -> bool {
    let words = format!("Turn {turn} ");
    llm.asked("context").pop().unwrap().messages.iter().any(|message| message.content.contains(&words))
}

/// What was replaced stayed in the summary of the queue.
#[test]
fn a_message_that_is_replaced_leaves_the_summary() {
    for auto in [false, true] {
        let world = World::new();
        let llm = namer();
        let engine = world.open(Some(llm.clone()), &options(auto));
        let mut turn = 0;
        while turn == 0 || head(&llm).is_none() {
            step(&world, &engine, turn);
            turn += 1;
            assert!(turn < 40);
        }
        assert!(tells(&llm, 0) && tells(&llm, 1));
        let other = json!([{ "role": "user", "id": "turn-0", "content": "Something else." }]);
        world.call(&engine, "threads.append", json!({ "threadId": "chat", "messages": other }));
        let summaries = world.call(&engine, "items.list", json!({ "kinds": ["summary"] }));
        assert!(!summaries.to_string().contains("Turn 0 "), "{summaries}");
        step(&world, &engine, turn);
        assert!(!tells(&llm, 0) && tells(&llm, 1), "summaries.auto: {auto}");
    }
}

/// A summary was stored though what it told of was removed while the model wrote it; that of a thread that was removed as a
/// whole came back with its words.
#[test]
fn what_is_removed_while_the_summary_is_made_is_not_in_it() {
    for all in [false, true] {
        for auto in [false, true] {
            let world = World::new();
            let llm = namer();
            let engine = world.open(Some(llm.clone()), &options(auto));
            let other = engine.clone();
            *llm.meanwhile.borrow_mut() = Some(Box::pin(async move {
                let (method, options) = if all {
                    ("threads.removeAll", json!({ "threadId": "chat" }))
                } else {
                    ("threads.remove", json!({ "threadId": "chat", "ids": ["turn-0"] }))
                };
                other.call(method, ALICE, &options.to_string()).await.unwrap();
            }));
            let mut turn = 0;
            while llm.meanwhile.borrow().is_some() {
                step(&world, &engine, turn);
                turn += 1;
                assert!(turn < 40);
            }
            world.idle(&engine);
            let summaries = world.call(&engine, "items.list", json!({ "kinds": ["summary"] })).to_string();
            assert!(!summaries.contains("Turn 0 ") && (!all || !summaries.contains("Turn ")), "{summaries}");
            step(&world, &engine, turn);
            assert!(!tells(&llm, 0) && tells(&llm, turn), "all: {all}, summaries.auto: {auto}");
            assert!(tells(&llm, 1) != all, "all: {all}, summaries.auto: {auto}");
        }
    }
}

/// The end of the queue was then told by the time, which all messages of one call share: none of them was in sight.
#[test]
fn removing_the_last_message_out_of_sight_hides_no_other() {
    let world = World::new();
    let llm = namer();
    let mut options = options(false);
    options["context"]["window"] = 6000.into();
    let engine = world.open(Some(llm.clone()), &options);
    let ask = || {
        let messages = json!([{ "role": "user", "content": "Hello" }]);
        world.call(&engine, "context.step", json!({ "messages": messages, "threadId": "chat" }));
    };
    let said = |turn: usize| {
        let role = if turn.is_multiple_of(2) { "user" } else { "assistant" };
        json!({ "role": role, "id": format!("turn-{turn}"), "content": format!("Turn {turn} {}", "word ".repeat(30)) })
    };
    let messages: Vec<Value> = (0..120).map(said).collect();
    world.call(&engine, "threads.append", json!({ "threadId": "chat", "messages": messages }));
    ask();
    let seen = || -> Vec<usize> {
        let last = llm.asked("context").pop().unwrap();
        let seen = |turn: &usize| {
            let words = format!(":\"Turn {turn} ");
            last.messages.iter().any(|message| message.content.contains(&words))
        };
        (0..120).filter(seen).collect()
    };
    let before = seen();
    assert!(before.len() > 4 && before[0] > 4, "{before:?}");
    let edge = format!("turn-{}", before[0] - 1);
    world.call(&engine, "threads.remove", json!({ "threadId": "chat", "ids": [edge] }));
    ask();
    assert_eq!(seen(), before);
    assert!(tells(&llm, 0), "the others are in the summary");
}

/// Folding what an application had appended took more tokens than the step may, and it ended without an answer.
#[test]
fn folding_stays_below_the_ceiling_and_leaves_room_for_the_answer() {
    let world = World::new();
    let llm = Model::new(|_, _| Ok(json!({ "summary": "They spoke." })));
    let engine = world.open(Some(llm.clone()), &options(false));
    for _ in 0..10 {
        let said = json!({ "role": "user", "content": "word ".repeat(30) });
        let messages = json!({ "threadId": "chat", "messages": vec![said; 100] });
        world.call(&engine, "threads.append", messages);
    }
    for (ceiling, folds) in [(8000, 1), (5000, 0)] {
        let before = llm.asked("summarise").len();
        let messages = json!([{ "role": "user", "content": "Hello" }]);
        let options = json!({ "messages": messages, "threadId": "chat", "maxTokens": ceiling });
        let stepped = world.call(&engine, "context.step", options);
        assert_eq!(stepped["stopped"], "sent", "{stepped}");
        assert_eq!(llm.asked("summarise").len(), before + folds);
        let used = stepped["usage"]["inputTokens"].as_u64().unwrap()
            + stepped["usage"]["outputTokens"].as_u64().unwrap();
        assert!(used <= ceiling, "{used}");
    }
}
