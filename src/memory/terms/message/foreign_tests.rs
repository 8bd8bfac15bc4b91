use super::super::{NewMessage, check};
use super::{rewrite_one, tidy};
use crate::json::from_options;
use serde_json::{Value, json};

fn admit(message: &mut Value) {
    if tidy(message) {
        rewrite_one(message.as_object_mut().unwrap());
    }
}

/// What is kept of a message: its role, content, calls, the call it answers, and its text.
fn kept(mut message: Value) -> Value {
    let given = message.clone();
    admit(&mut message);
    let message: NewMessage =
        from_options(message).unwrap_or_else(|error| panic!("{given}: {} {error}", error.place()));
    check(std::slice::from_ref(&message)).unwrap_or_else(|error| panic!("{given}: {error}"));
    let parts = message.parts();
    json!([message.role, message.id, parts.text(), parts.transcript()])
}

#[test]
fn what_openai_s_chat_hands_out_is_read() {
    let reply = json!({ "role": "assistant", "content": "Hi", "refusal": null, "annotations": [], "audio": null,
        "function_call": null, "reasoning_content": "Hm", "reasoning": "Hm", "reasoning_details": [] });
    assert_eq!(kept(reply), json!(["assistant", null, "Hi", "Hi"]));
    let refusal = json!({ "role": "assistant", "content": null, "refusal": "I cannot help with that." });
    let said = "I cannot help with that.";
    assert_eq!(kept(refusal), json!(["assistant", null, said, said]));
    let audio = json!({ "id": "audio_1", "data": "UklGR", "expires_at": 1, "transcript": "Good morning" });
    let spoken = json!({ "role": "assistant", "content": null, "refusal": null, "audio": audio });
    assert_eq!(kept(spoken), json!(["assistant", null, "Good morning", "Good morning"]));
    let heard = json!({ "role": "assistant", "audio": { "id": "audio_1" } });
    assert_eq!(kept(heard), json!(["assistant", null, "[audio]", "[audio]"]));
    let call = json!({ "name": "weather", "arguments": "{\"city\":\"Porto\"}" });
    let calls = json!({ "role": "assistant", "content": null, "function_call": call });
    assert_eq!(kept(calls), json!(["assistant", null, "", "[call of weather] {\"city\":\"Porto\"}"]));
    let calls =
        json!({ "role": "assistant", "tool_calls": [{ "id": "a", "type": "function", "function": call }] });
    assert_eq!(kept(calls), json!(["assistant", null, "", "[call of weather] {\"city\":\"Porto\"}"]));
    let answer = json!({ "role": "function", "name": "weather", "content": "sunny" });
    assert_eq!(kept(answer), json!(["tool", null, "", "sunny"]));
    let rules =
        json!({ "role": "developer", "content": [{ "type": "text", "text": "Be brief." }], "name": "app" });
    assert_eq!(kept(rules), json!(["system", null, "Be brief.", "Be brief."]));
}

#[test]
fn the_items_of_openai_s_responses_are_messages() {
    let text = json!({ "type": "output_text", "text": "Hi", "annotations": [], "logprobs": [] });
    let reply = json!({ "id": "msg_1", "type": "message", "status": "completed", "role": "assistant",
        "phase": "final_answer", "content": [text] });
    assert_eq!(kept(reply), json!(["assistant", "msg_1", "Hi", "Hi"]));
    let call = json!({ "id": "fc_1", "type": "function_call", "status": "completed", "call_id": "call_1",
        "name": "weather", "arguments": "{}" });
    assert_eq!(kept(call), json!(["assistant", "fc_1", "", "[call of weather] {}"]));
    let answer = json!({ "type": "function_call_output", "call_id": "call_1", "output": "sunny" });
    assert_eq!(kept(answer), json!(["tool", null, "", "sunny"]));
    let thought = json!({ "id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "gAAAA" });
    assert_eq!(kept(thought), json!(["assistant", "rs_1", "", ""]));
    let search = json!({ "id": "ws_1", "type": "web_search_call", "status": "completed" });
    assert_eq!(kept(search), json!(["assistant", "ws_1", "[web_search_call]", "[web_search_call]"]));
}

#[test]
fn what_anthropic_hands_out_is_read() {
    let content = json!([
        { "type": "thinking", "thinking": "Hm", "signature": "Eq" },
        { "type": "text", "text": "Let me look.", "citations": null },
        { "type": "tool_use", "id": "toolu_1", "name": "weather", "input": { "city": "Porto" } },
    ]);
    let reply = json!({ "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content,
        "container": null, "stop_reason": "tool_use", "stop_sequence": null, "stop_details": null, "diagnostics": null,
        "context_management": null, "usage": { "input_tokens": 1 } });
    let said = "Let me look.\n[call of weather] {\"city\":\"Porto\"}";
    assert_eq!(kept(reply), json!(["assistant", "msg_1", "Let me look.", said]));
}

#[test]
fn what_the_ai_sdk_hands_out_is_read() {
    let prompt = json!({ "role": "user", "content": "Hi", "providerOptions": { "anthropic": {} } });
    assert_eq!(kept(prompt), json!(["user", null, "Hi", "Hi"]));
    let parts = json!([
        { "type": "step-start" },
        { "type": "reasoning", "text": "Hm", "state": "done" },
        { "type": "tool-weather", "toolCallId": "a", "state": "output-available", "input": { "city": "Porto" }, "output": { "sky": "blue" } },
        { "type": "dynamic-tool", "toolName": "map", "toolCallId": "b", "state": "output-error", "input": {}, "errorText": "no map" },
        { "type": "text", "text": "It is sunny.", "state": "done" },
    ]);
    let shown = json!({ "id": "m1", "role": "assistant", "parts": parts, "metadata": { "model": "m" } });
    let all = "It is sunny.\n[call of weather] {\"city\":\"Porto\"}\n[call of map] {}\n[answer of weather] {\"sky\":\"blue\"}\n[answer of map] no map";
    assert_eq!(kept(shown), json!(["assistant", "m1", "It is sunny.", all]));
}

#[test]
fn what_is_not_known_is_refused_and_named() {
    for (mut message, place) in [
        (json!({ "role": "user", "content": "Hi", "mood": "glad" }), "mood"),
        (json!({ "role": "robot", "content": "Hi" }), "role"),
        (json!({ "type": "text", "text": "Hi" }), "type"),
        (json!({ "role": "user", "type": "text", "content": "Hi" }), "type"),
    ] {
        let given = message.clone();
        admit(&mut message);
        let error = from_options::<NewMessage>(message).unwrap_err();
        assert!(format!("{} {error}", error.place()).contains(place), "{given}: {} {error}", error.place());
    }
    let mut empty = json!({ "role": "assistant", "content": null, "refusal": null });
    admit(&mut empty);
    let error = check(&[from_options(empty).unwrap()]).unwrap_err();
    assert!(error.message.contains("content must be a text"), "{error}");
}
