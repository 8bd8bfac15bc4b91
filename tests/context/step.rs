//! Steps: they run until something is said, and hostile answers end them.

use super::{Model, call, calls, messages, options, says, size, step, user};
use crate::support::world::{ALICE, Scripted, World};
use mnemic::engine::Parts;
use mnemic::ports::{Batch, Llm, Pending, Storage};
use mnemic::{Code, Error, Result};
use serde_json::{Value, json};
use std::rc::Rc;

#[test]
fn a_step_runs_until_something_is_said() {
    let world = World::new();
    let llm = Scripted::new([
        calls([call(
            "core_memory_append",
            json!({ "thinking": "A name!", "label": "human", "content": "Name: Ada" }),
        )]),
        // As text, behind a fence, with arguments as text.
        json!(
            "```json\n{\"toolCalls\": [{\"name\": \"send_message\", \"arguments\": \"{\\\"message\\\": \\\"Hello Ada!\\\"}\"}]}\n```"
        ),
        json!("Just words."),
    ]);
    let engine = world.open(Some(llm.clone()), &options(json!({ "instructions": "Your name is Mina." })));
    let stepped = step(&world, &engine, "I'm Ada.");
    assert_eq!(stepped["sent"], json!(["Hello Ada!"]));
    assert_eq!(stepped["stopped"], "sent");
    assert_eq!(stepped["usage"]["calls"], 2);
    assert_eq!(stepped["calls"][0]["name"], "core_memory_append");
    assert_eq!(
        (&stepped["calls"][0]["ok"], &stepped["calls"][0]["result"]),
        (&json!(true), &json!("Name: Ada"))
    );
    assert_eq!(stepped["calls"][1]["result"], "Sent.");

    let request = llm.asked.borrow()[1].clone();
    assert_eq!((request.purpose, request.prompt, request.max_tokens), ("context", "context-1", 1000));
    assert_eq!(request.tools.as_ref().unwrap().as_array().unwrap().len(), 10);
    assert!(request.schema.is_some());
    let system = &request.messages[0].content;
    assert!(system.contains("Your name is Mina.") && system.contains("\"value\":\"Name: Ada\""), "{system}");
    let roles: Vec<&str> = request.messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, ["system", "user", "assistant", "user"]);
    assert!(request.messages[1].content.contains("\"message\":\"I'm Ada.\""));
    assert!(request.messages[3].content.contains("\"type\":\"function_result\""));

    let stepped = step(&world, &engine, "Thanks.");
    assert_eq!((&stepped["sent"], &stepped["stopped"]), (&json!(["Just words."]), &json!("reply")));
    let roles: Vec<String> = messages(&world, &engine)
        .iter()
        .map(|message| message["role"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant", "user", "assistant"]);
    assert_eq!(messages(&world, &engine)[3]["content"], "Hello Ada!");
    let error = world
        .try_call(&engine, "context.step", ALICE, json!({ "messages": user("?"), "threadId": "chat" }))
        .unwrap_err();
    assert_eq!(error.code, Code::Model);
    assert_eq!(messages(&world, &engine).len(), 7, "what was said is kept although the model failed");
}

#[test]
fn heartbeats_go_on_and_ceilings_end_a_step() {
    let world = World::new();
    let llm = Model::new(|_, before| {
        let message = format!("Part {before}");
        Ok(calls([call("send_message", json!({ "message": message, "request_heartbeat": true }))]))
    });
    let engine = world.open(Some(llm.clone()), &options(json!({})));
    let stepped = step(&world, &engine, "Tell me a story.");
    assert_eq!(stepped["stopped"], "calls");
    assert_eq!(stepped["sent"].as_array().unwrap().len(), 10);
    let limited = |limits: Value| {
        let mut options = json!({ "messages": user("More."), "threadId": "chat" });
        options.as_object_mut().unwrap().extend(limits.as_object().unwrap().clone());
        world.call(&engine, "context.step", options)
    };
    let stepped = limited(json!({ "maxCalls": 2 }));
    assert_eq!((stepped["calls"].as_array().unwrap().len(), &stepped["stopped"]), (2, &json!("calls")));
    let asked = llm.asked("context").len();
    let stepped = limited(json!({ "maxTokens": 1000 }));
    assert_eq!((&stepped["sent"], &stepped["stopped"]), (&json!([]), &json!("tokens")));
    assert_eq!(llm.asked("context").len(), asked, "it was not asked at all");
    let stepped = limited(json!({ "maxTokens": 5000 }));
    assert_eq!(stepped["stopped"], "tokens");
    let used = stepped["usage"]["inputTokens"].as_u64().unwrap()
        + stepped["usage"]["outputTokens"].as_u64().unwrap();
    assert!((1..=5000).contains(&used), "{used}");
    for wrong in [json!({ "maxCalls": 0 }), json!({ "maxCalls": 1001 }), json!({ "messages": [] })] {
        let mut options = json!({ "messages": user("More."), "threadId": "chat" });
        options.as_object_mut().unwrap().extend(wrong.as_object().unwrap().clone());
        assert_eq!(
            world.try_call(&engine, "context.step", ALICE, options).unwrap_err().code,
            Code::InvalidInput
        );
    }
}

#[test]
fn the_same_call_over_and_over_is_cut_off() {
    let world = World::new();
    let search = |thinking: &str| {
        calls([call("archival_memory_search", json!({ "thinking": thinking, "query": "whale" }))])
    };
    let llm = Scripted::new([search("a"), search("b"), search("c"), search("d")]);
    let engine = world.open(Some(llm.clone()), &options(json!({})));
    let stepped = step(&world, &engine, "Whales?");
    assert_eq!(stepped["stopped"], "loop");
    assert_eq!(llm.calls(), 3);
    let told: Vec<bool> =
        stepped["calls"].as_array().unwrap().iter().map(|call| call["ok"].as_bool().unwrap()).collect();
    assert_eq!(told, [true, false, false]);
    assert!(
        stepped["calls"][1]["result"]
            .as_str()
            .unwrap()
            .starts_with("You made this call with the same arguments before")
    );

    // What failed may be tried again once something has changed.
    let append = || calls([call("core_memory_append", json!({ "label": "plans", "content": "Lisbon" }))]);
    let make = calls([call("memory_rethink", json!({ "label": "plans", "new_memory": "Travel:" }))]);
    llm.answers.borrow_mut().clear();
    llm.answers.borrow_mut().extend([append(), make, append(), says("Done.")].map(Ok));
    let stepped = step(&world, &engine, "I go to Lisbon.");
    assert_eq!(stepped["stopped"], "sent");
    assert_eq!(stepped["calls"][2]["result"], "Travel:\nLisbon");
}

#[test]
fn hostile_answers_change_nothing_and_end() {
    let world = World::new();
    for answer in [
        json!({ "toolCalls": [call("rm", json!({ "path": "/" }))] }),
        json!({ "toolCalls": [call("core_memory_append", json!([1, 2]))] }),
        json!({ "toolCalls": [call("core_memory_append", json!({ "label": "human", "content": "x".repeat(1 << 20) }))] }),
        json!({ "toolCalls": [call("memory_insert", json!({ "label": "human", "new_string": "x", "insert_line": 1e300 }))] }),
        json!({ "toolCalls": [call(&"send_message".repeat(100_000), json!({}))] }),
        json!({ "toolCalls": [call("send_message", json!({ "message": "x".repeat(10 << 20) }))] }),
        json!({ "toolCalls": [call("archival_memory_insert", json!("[".repeat(10 << 20)))] }),
        json!({ "toolCalls": [call("archival_memory_search", json!({ "query": "x", "page": u64::MAX }))] }),
        json!({ "toolCalls": vec![call("core_memory_append", json!({})); 500] }),
    ] {
        let shown: String = answer.to_string().chars().take(80).collect();
        let llm = Model::new(move |_, _| Ok(answer.clone()));
        let engine = world.open(Some(llm.clone()), &options(json!({ "window": 4000 })));
        let stepped = step(&world, &engine, "Hello");
        assert_eq!(stepped["stopped"], "loop", "{shown}: {stepped}");
        assert!(stepped["calls"].to_string().len() < 40_000, "{shown}");
        let sizes: Vec<usize> = llm.asked.borrow().iter().map(size).collect();
        assert!(sizes.iter().all(|size| *size <= 3000), "{shown}: {sizes:?}");
        let blocks = world.call(&engine, "context.blocks.list", json!({}));
        assert!(blocks.as_array().unwrap().iter().all(|block| block["revision"] == 0), "{shown}");
        world.close(&engine);
    }
    for answer in [
        json!(""),
        json!({}),
        json!({ "toolCalls": 5 }),
        json!("{\"toolCalls\": [{"),
        json!({ "toolCalls": [7] }),
    ] {
        let llm = Model::new(move |_, _| Ok(answer.clone()));
        let engine = world.open(Some(llm.clone()), &options(json!({})));
        let error =
            world.try_call(&engine, "context.step", ALICE, json!({ "messages": user("Hi") })).unwrap_err();
        assert_eq!(error.code, Code::Model);
        assert_eq!(llm.asked("context").len(), 2);
        world.close(&engine);
    }
    // Calls after what is said are carried out with it, and the step ends.
    let llm = Scripted::new([calls([
        call("send_message", json!({ "message": "Noted." })),
        call("core_memory_append", json!({ "label": "human", "content": "Ada" })),
        call("send_message", json!({ "message": "Bye." })),
    ])]);
    let engine = world.open(Some(llm.clone()), &options(json!({})));
    // In another thread: in that one a summary still waits for a model that writes one.
    let stepped =
        world.call(&engine, "context.step", json!({ "messages": user("Hello"), "threadId": "other" }));
    assert_eq!((&stepped["sent"], &stepped["stopped"]), (&json!(["Noted.", "Bye."]), &json!("sent")));
}

/// The search was taken for the one before, whose result did not hold what was kept since.
#[test]
fn a_search_after_a_change_is_no_repetition() {
    let world = World::new();
    let search = || calls([call("archival_memory_search", json!({ "query": "whale" }))]);
    let insert = calls([call("archival_memory_insert", json!({ "content": "A whale was seen." }))]);
    let llm = Scripted::new([search(), insert, search(), says("Done.")]);
    let engine = world.open(Some(llm), &options(json!({})));
    let stepped = step(&world, &engine, "Whales?");
    assert_eq!(stepped["stopped"], "sent", "{stepped}");
    let found = &stepped["calls"][2];
    assert!(
        found["ok"] == true && found["result"].as_str().unwrap().contains("A whale was seen."),
        "{found}"
    );
}

/// A step that failed in the middle of an answer left no trace of the calls before.
#[test]
fn what_was_done_before_an_error_is_kept() {
    /// A storage that is full when both edits are to be written.
    struct Full(mnemic::storage::MemoryStorage);
    impl Storage for Full {
        fn read<'a>(&'a self, start: &'a str, end: &'a str) -> Pending<'a, Result<mnemic::ports::Pairs>> {
            self.0.read(start, end)
        }
        fn write<'a>(&'a self, batch: &'a Batch, expected_head: u64) -> Pending<'a, Result<()>> {
            let both = br"one\ntwo";
            if batch.puts.iter().any(|(_, value)| value.windows(both.len()).any(|part| part == both)) {
                return Box::pin(async { Err(Error::new(Code::QuotaExceeded, "full")) });
            }
            self.0.write(batch, expected_head)
        }
        fn close(&self) {}
    }
    let world = World::new();
    let append = |text: &str| call("core_memory_append", json!({ "label": "human", "content": text }));
    let llm = Scripted::new([calls([append("one"), append("two")])]);
    let storage = Rc::new(Full(world.storage.clone()));
    let (platform, llm) = (world.machine.platform(), Some(llm as Rc<dyn Llm>));
    let parts = Parts { storage, platform, llm, embedder: None, tokenizer: None };
    let engine = world.open_parts(parts, &options(json!({}))).unwrap();
    let error = world.fails(&engine, "context.step", json!({ "messages": user("Hi"), "threadId": "chat" }));
    assert_eq!(error.code, Code::QuotaExceeded);
    let human = world.call(&engine, "context.blocks.get", json!({ "label": "human" }));
    assert_eq!(human["value"], "one");
    let said = messages(&world, &engine);
    let roles: Vec<&str> = said.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "tool"]);
    assert_eq!(said[1]["content"][0]["arguments"]["content"], "one");
}
