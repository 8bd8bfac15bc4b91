//! Trimming any conversation gives one that a chat API takes.

use super::*;
use proptest::prelude::*;
use serde_json::json;

fn trim(options: Value, messages: &[Value]) -> Result<Trimmed> {
    let mut options = options;
    options["messages"] = messages.into();
    let trim: Trim = crate::json::from_value(options).unwrap();
    trim.check()?;
    cut(messages.to_vec(), &trim, &Counter::estimate()).map(|(trimmed, _)| trimmed)
}

fn says(role: &str, words: usize) -> Value {
    json!({ "role": role, "content": vec!["word"; words].join(" ") })
}

/// One message of each sort; calls and results have few ids, so that they meet, miss and repeat.
fn message() -> impl Strategy_<Value = Value> {
    prop_oneof![
        3 => (1_usize..12).prop_map(|words| says("user", words)),
        3 => (1_usize..12).prop_map(|words| says("assistant", words)),
        1 => (1_usize..6).prop_map(|words| says("system", words)),
        2 => (0..3).prop_map(|id| json!({ "role": "assistant", "content": null, "tool_calls": [{ "id": format!("c{id}") }] })),
        1 => (0..3).prop_map(|id| json!({ "role": "assistant", "content": [{ "type": "tool_use", "id": format!("c{id}") }] })),
        2 => (0..3).prop_map(|id| json!({ "role": "tool", "content": "42", "tool_call_id": format!("c{id}") })),
        1 => (0..3).prop_map(|id| json!({ "role": "user", "content": [{ "type": "tool_result", "tool_use_id": format!("c{id}") }] })),
        1 => Just(json!({ "role": "tool", "content": "an answer without an id" })),
    ]
}

use proptest::strategy::Strategy as Strategy_;

/// Whether each result has its call before it, read as naively as can be.
fn results_have_calls(messages: &[Value]) -> bool {
    messages.iter().enumerate().all(|(place, message)| {
        let text = message.to_string();
        let before = messages.get(..place).unwrap();
        let called = |id: &str| {
            let (listed, used) =
                (format!(r#""tool_calls":[{{"id":"{id}"}}]"#), format!(r#""id":"{id}","type":"tool_use""#));
            let other = format!(r#""type":"tool_use","id":"{id}""#);
            before.iter().any(|message| {
                let text = message.to_string();
                [&listed, &used, &other].iter().any(|call| text.contains(call.as_str()))
            })
        };
        (0..3).map(|id| format!("c{id}")).all(|id| {
            let names = [format!(r#""tool_call_id":"{id}""#), format!(r#""tool_use_id":"{id}""#)];
            !names.iter().any(|name| text.contains(name.as_str())) || called(&id)
        })
    })
}

/// Whether each call has a result behind it, read as naively as can be.
fn calls_have_results(messages: &[Value]) -> bool {
    messages.iter().enumerate().all(|(place, message)| {
        let ids = (0..3).map(|id| format!("c{id}"));
        ids.filter(|id| message["role"] == "assistant" && message.to_string().contains(id.as_str())).all(
            |id| {
                messages[place + 1..].iter().any(|later| {
                    later["role"] != "assistant"
                        && (later.to_string().contains(&id) || later["content"] == "an answer without an id")
                })
            },
        )
    })
}

#[test]
fn a_call_without_all_of_its_results_is_left_out() {
    let messages = [
        says("user", 2),
        json!({ "role": "assistant", "content": null, "tool_calls": [{ "id": "a" }, { "id": "b" }] }),
        json!({ "role": "tool", "content": "42", "tool_call_id": "a" }),
        says("user", 3),
    ];
    let kept = |messages: &[Value]| trim(json!({ "maxTokens": 1000 }), messages).unwrap().messages;
    assert_eq!(kept(&messages), [messages[0].clone(), messages[3].clone()]);
    let mut whole = messages.to_vec();
    whole.insert(3, json!({ "role": "tool", "content": "43", "tool_call_id": "b" }));
    assert_eq!(kept(&whole), whole);
}

/// A second result for a call passed, and so did one that came when the conversation had gone on; chat APIs refuse both.
#[test]
fn late_and_repeated_results_are_left_out() {
    let call = |ids: &[&str]| {
        let calls: Vec<Value> = ids.iter().map(|id| json!({ "id": id })).collect();
        json!({ "role": "assistant", "content": null, "tool_calls": calls })
    };
    let result = |id: &str| json!({ "role": "tool", "content": "42", "tool_call_id": id });
    let used =
        |id: &str| json!({ "role": "user", "content": [{ "type": "tool_result", "tool_use_id": id }] });
    let kept = |rest: &[Value]| {
        let messages: Vec<Value> = [says("user", 1)].iter().chain(rest).cloned().collect();
        let kept = trim(json!({ "maxTokens": 1000 }), &messages).unwrap().messages;
        let places = kept.iter().map(|kept| messages.iter().position(|message| message == kept).unwrap());
        places.skip(1).collect::<Vec<usize>>()
    };
    let after = says("assistant", 2);
    assert_eq!(kept(&[call(&["a"]), result("a"), used("a"), after.clone()]), [1, 2, 4]);
    assert_eq!(kept(&[call(&["a"]), result("a"), after.clone(), used("a")]), [1, 2, 3]);
    assert_eq!(kept(&[call(&["a"]), after.clone(), result("a")]), [2]);
    assert_eq!(kept(&[call(&["a", "b"]), result("a"), after, result("b")]), [3]);
    // In any order, and of calls that were made one by one.
    assert_eq!(kept(&[call(&["a", "b"]), result("b"), used("a")]), [1, 2, 3]);
    assert_eq!(kept(&[call(&["a"]), call(&["b"]), result("b"), used("a")]), [1, 2, 3, 4]);
    // Of answers without an id as many as there are calls.
    let answer = |text: &str| json!({ "role": "tool", "content": text });
    assert_eq!(kept(&[call(&["a"]), answer("1"), answer("2")]), [1, 2]);
}

#[test]
fn the_assistant_is_never_first_behind_the_system() {
    let messages = [says("system", 1), says("assistant", 2), says("user", 3)];
    for options in [
        json!({ "includeSystem": false }),
        json!({ "includeSystem": true }),
        json!({ "includeSystem": false, "strategy": "first" }),
    ] {
        let mut options = options;
        options["maxTokens"] = 100.into();
        let kept = trim(options, &messages).unwrap().messages;
        assert_eq!(kept, [messages[0].clone(), messages[2].clone()]);
    }
}

#[test]
fn the_roles_of_other_versions_of_an_api_are_known() {
    let messages = [
        json!({ "role": "developer", "content": "Be brief." }),
        says("user", 3),
        json!({ "role": "assistant", "content": null, "function_call": { "name": "f" } }),
        json!({ "role": "function", "name": "f", "content": "42" }),
    ];
    assert!(messages.iter().enumerate().all(|message| check(message).is_ok()));
    assert_eq!(trim(json!({ "maxTokens": 1000 }), &messages).unwrap().messages, messages);
    assert_eq!(trim(json!({ "maxTokens": 9 }), &messages).unwrap().messages, messages[..1]);
}

proptest! {
    #[test]
    fn what_is_kept_fits_and_stands_on_its_own(
        messages in prop::collection::vec(message(), 0..24),
        max_tokens in 1_usize..120,
        is_first: bool,
        include_system: bool,
        allow_partial: bool,
        start_on in prop::option::of(Just("user")),
        end_on in prop::option::of(prop_oneof![Just("user"), Just("assistant"), Just("tool")]),
    ) {
        let strategy = if is_first { "first" } else { "last" };
        let mut options = json!({ "maxTokens": max_tokens, "strategy": strategy, "includeSystem": include_system, "allowPartial": allow_partial });
        if let (Some(role), false) = (start_on, is_first) {
            options["startOn"] = role.into();
        }
        if let Some(role) = end_on {
            options["endOn"] = json!([role]);
        }
        let head = messages.iter().take_while(|message| include_system && message["role"] == "system").count();
        let head_tokens: usize = messages.iter().take(head).map(|message| price(message, &Counter::estimate())).sum();
        let trimmed = match trim(options, &messages) {
            Ok(trimmed) => trimmed,
            Err(error) => {
                prop_assert_eq!(error.code, Code::BudgetExceeded);
                prop_assert!(head_tokens > max_tokens);
                prop_assert!(error.message.contains(&head_tokens.to_string()) && error.message.contains(&max_tokens.to_string()));
                return Ok(());
            }
        };
        let kept = &trimmed.messages;
        prop_assert!(kept.iter().all(Value::is_object));
        let tokens: usize = kept.iter().map(|message| price(message, &Counter::estimate())).sum();
        prop_assert_eq!(tokens, trimmed.tokens);
        prop_assert!(tokens <= max_tokens);
        prop_assert_eq!(&kept[..head.min(kept.len())], &messages[..head]);
        prop_assert!(results_have_calls(kept));
        prop_assert!(calls_have_results(kept));
        let spoken = &kept[head..];
        let talk: Vec<_> = spoken.iter().skip_while(|message| message["role"] == "system").collect();
        prop_assert!(talk.first().is_none_or(|first| first["role"] != "assistant"));
        if let (Some(first), Some(last)) = (spoken.first(), spoken.last()) {
            prop_assert!(first["role"] != "assistant" && first["role"] != "tool");
            prop_assert!(start_on.is_none() || is_first || first["role"] == "user");
            prop_assert!(end_on.is_none_or(|role| last["role"] == role));
        }
        // What is kept are messages as they were, in order; one at the cut may be shortened.
        let mut rest = messages.iter();
        let strange = kept.iter().filter(|message| !rest.any(|given| given == *message)).count();
        prop_assert!(strange <= usize::from(allow_partial) || allow_partial);
        if !allow_partial {
            prop_assert_eq!(strange, 0);
        }
    }
}

#[test]
fn the_last_messages_that_fit_are_kept_with_the_system() {
    let messages =
        [says("system", 2), says("user", 9), says("assistant", 3), says("user", 4), says("assistant", 5)];
    let kept = |options: Value| trim(options, &messages).unwrap();
    let last = kept(json!({ "maxTokens": 25 }));
    assert_eq!(last.messages, [&messages[0], &messages[3], &messages[4]].map(Value::clone));
    assert_eq!(last.tokens, (4 + 2) + (4 + 4) + (4 + 5));
    assert_eq!(kept(json!({ "maxTokens": 1000 })).messages, messages);
    assert_eq!(
        kept(json!({ "maxTokens": 16 })).messages,
        [messages[0].clone()],
        "a reply alone is no beginning"
    );
    assert_eq!(kept(json!({ "maxTokens": 1000, "endOn": "user" })).messages, messages[..4]);
    let first = kept(json!({ "maxTokens": 25, "strategy": "first" }));
    assert_eq!(first.messages, messages[..2]);
    assert!(trim(json!({ "maxTokens": 25 }), &[]).unwrap().messages.is_empty());
}

#[test]
fn a_message_at_the_cut_may_be_shortened() {
    let messages = [says("user", 50), says("assistant", 5)];
    for (strategy, part) in [("last", 0), ("first", 0)] {
        let options = json!({ "maxTokens": 30, "strategy": strategy, "allowPartial": true });
        let trimmed = trim(options, &messages).unwrap();
        let text = trimmed.messages[part]["content"].as_str().unwrap();
        assert!(text.starts_with("word") && text.ends_with("word"), "{text}");
        let words = text.split(' ').count();
        assert!(if strategy == "last" { words == 17 } else { words == 26 }, "{strategy}: {words}");
    }
    assert_eq!(messages[0], says("user", 50));
}

#[test]
fn options_that_cannot_be_meant_are_refused() {
    for (options, why) in [
        (json!({ "maxTokens": 0 }), "maxTokens is 0"),
        (json!({ "maxTokens": 5, "strategy": "first", "startOn": "user" }), "strategy \"last\""),
        (json!({ "maxTokens": 5, "startOn": ["user", "assistant"] }), "startOn holds \"assistant\""),
    ] {
        let error = trim(options, &[]).unwrap_err();
        assert_eq!(error.code, Code::InvalidInput);
        assert!(error.message.contains(why), "{}", error.message);
    }
    let error = trim(json!({ "maxTokens": 10 }), &[says("system", 20)]).unwrap_err();
    assert_eq!(error.code, Code::BudgetExceeded);
    assert!(
        error.message.contains("24 tokens") && error.message.contains("maxTokens (10)"),
        "{}",
        error.message
    );
}
