//! Steps that are aborted, and two in one thread.

use super::{Model, call, calls, messages, options, says, step, user};
use crate::support::embedder::ToyEmbedder;
use crate::support::world::{BOB, Scripted, World};
use mnemic::Result;
use mnemic::ports::{Embedder, Pending, Platform, TextPurpose};
use serde_json::{Value, json};
use std::rc::Rc;

#[test]
fn a_step_is_aborted_and_what_was_said_stays() {
    let world = World::new();
    let llm = Scripted::new([
        calls([call("send_message", json!({ "message": "One moment.", "request_heartbeat": true }))]),
        says("Never heard."),
    ]);
    llm.takes(&world, 1000);
    let engine = world.open(Some(llm.clone()), &options(json!({})));
    let step = json!({ "messages": user("Hello"), "threadId": "chat", "abort": "a" });
    let answer = world.begin(&engine, "context.step", step);
    world.machine.pass(1500);
    assert_eq!(llm.calls(), 2);
    world.call(&engine, "context.abort", json!({ "name": "nobody" }));
    // A scope once aborted the step of another that had the same name.
    world.try_call(&engine, "context.abort", BOB, json!({ "name": "a" })).unwrap();
    world.machine.pass(1);
    assert!(answer.borrow().is_none());
    world.call(&engine, "context.abort", json!({ "name": "a" }));
    world.machine.pass(1);
    let stepped = answer.borrow_mut().take().unwrap().unwrap();
    assert_eq!((&stepped["sent"], &stepped["stopped"]), (&json!(["One moment."]), &json!("aborted")));
    assert_eq!(messages(&world, &engine)[1]["content"], "One moment.");
}

/// An embedder that takes a second.
struct Slow(Rc<dyn Platform>, Rc<ToyEmbedder>);

impl Embedder for Slow {
    fn id(&self) -> &str {
        "slow"
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
        purpose: TextPurpose,
        timeout_ms: u32,
    ) -> Pending<'a, Result<Vec<Vec<f32>>>> {
        Box::pin(async move {
            self.0.sleep(1000).await;
            self.1.embed(texts, purpose, timeout_ms).await
        })
    }
}

#[test]
fn an_abort_within_a_call_leaves_the_call_with_its_result() {
    let world = World::new();
    let search = call("archival_memory_search", json!({ "query": "whale" }));
    let append = call("core_memory_append", json!({ "label": "human", "content": "Ada" }));
    let llm = Scripted::new([calls([search, append]), says("Never asked for.")]);
    let embedder = Rc::new(Slow(world.machine.platform(), ToyEmbedder::of_lengths()));
    let engine = world.try_open(Some(llm.clone()), Some(embedder), &options(json!({}))).unwrap();
    world.call(&engine, "context.archive.insert", json!({ "text": "A whale was seen." }));
    world.idle(&engine);
    let step = json!({ "messages": user("Whales?"), "threadId": "chat", "abort": "a" });
    let answer = world.begin(&engine, "context.step", step);
    world.machine.pass(500);
    assert!(answer.borrow().is_none() && llm.calls() == 1);
    world.call(&engine, "context.abort", json!({ "name": "a" }));
    world.machine.pass(2000);
    let stepped = answer.borrow_mut().take().unwrap().unwrap();
    assert_eq!((&stepped["sent"], &stepped["stopped"]), (&json!([]), &json!("aborted")));
    let made: Vec<_> = stepped["calls"].as_array().unwrap().iter().map(|call| &call["name"]).collect();
    assert_eq!(made, ["archival_memory_search"], "what came after the abort is not carried out");
    assert!(stepped["calls"][0]["result"].as_str().unwrap().contains("A whale was seen."));
    let roles: Vec<_> = messages(&world, &engine).iter().map(|message| message["role"].clone()).collect();
    assert_eq!(roles, ["user", "assistant", "tool"], "no call without its result");
    let human = world.call(&engine, "context.blocks.get", json!({ "label": "human" }));
    assert_eq!(human["revision"], 0);
    // The thread goes on.
    assert_eq!(self::step(&world, &engine, "Go on.")["sent"], json!(["Never asked for."]));
}

#[test]
fn two_steps_in_one_thread_take_turns_and_an_abort_lets_the_next_one_go() {
    let world = World::new();
    let llm = Model::new(|request, _| {
        let last = &request.messages.last().unwrap().content;
        let last: Value = serde_json::from_str(last).unwrap();
        Ok(match last["type"].as_str() {
            Some("function_result") => says("Done."),
            _ => calls([call("core_memory_append", json!({ "label": "human", "content": last["message"] }))]),
        })
    });
    let engine = world.open(Some(llm.clone()), &options(json!({})));
    let begin = |text: &str, thread: &str, name: &str| {
        world.begin(
            &engine,
            "context.step",
            json!({ "messages": user(text), "threadId": thread, "abort": name }),
        )
    };
    let steps = ["one", "two", "three"].map(|text| begin(text, "chat", text));
    let other = begin("elsewhere", "other", "elsewhere");
    world.machine.pass(10);
    for step in steps.iter().chain([&other]) {
        let stepped = step.borrow_mut().take().unwrap().unwrap();
        assert_eq!((&stepped["sent"], &stepped["stopped"]), (&json!(["Done."]), &json!("sent")));
    }
    let said: Vec<Value> = messages(&world, &engine).iter().map(|message| message["role"].clone()).collect();
    let turn = ["user", "assistant", "tool", "assistant"];
    assert_eq!(said, [turn, turn, turn].concat(), "one after the other");
    let human = world.call(&engine, "context.blocks.get", json!({ "label": "human" }));
    for word in ["one", "two", "three", "elsewhere"] {
        assert_eq!(human["value"].as_str().unwrap().matches(word).count(), 1, "{human}");
    }

    // Who waits for a turn can be aborted, and says nothing then; an aborted step gives its turn away.
    let llm = Scripted::new([says("Late."), says("Third.")]);
    llm.takes(&world, 1000);
    world.close(&engine);
    let engine = world.open(Some(llm.clone()), &options(json!({})));
    let before = messages(&world, &engine).len();
    let begin = |text: &str| {
        let step = json!({ "messages": user(text), "threadId": "chat", "abort": text });
        world.begin(&engine, "context.step", step)
    };
    let (first, second, third) = (begin("first"), begin("second"), begin("third"));
    world.machine.pass(500);
    world.call(&engine, "context.abort", json!({ "name": "second" }));
    world.call(&engine, "context.abort", json!({ "name": "first" }));
    world.machine.pass(2000);
    for step in [first, second] {
        assert_eq!(step.borrow_mut().take().unwrap().unwrap()["stopped"], "aborted");
    }
    assert_eq!(third.borrow_mut().take().unwrap().unwrap()["sent"], json!(["Third."]));
    let said: Vec<Value> =
        messages(&world, &engine).iter().skip(before).map(|message| message["content"].clone()).collect();
    assert_eq!(said, ["first", "third", "Third."], "who was aborted before its turn said nothing");
}
