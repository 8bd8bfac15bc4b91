//! The shapes of chat APIs as their own types and documentation have them, read as the same conversation.

use super::*;
use serde_json::json;

/// What is read of a message, for comparing.
fn read(message: &Value) -> Value {
    let parts = Parts::of_value(message);
    let calls: Vec<Value> = parts.calls().map(|call| json!([call.id, call.name, call.arguments()])).collect();
    let answers: Vec<Value> =
        parts.answers().map(|answer| json!([answer.id, answer.ok, answer.text()])).collect();
    json!({ "text": parts.text(), "calls": calls, "answers": answers })
}

const PIXEL: &str = "data:image/png;base64,iVBORw0KGgo=";

#[test]
fn a_call_is_the_same_in_every_api() {
    let expected =
        json!({ "text": "I look.", "calls": [["c1", "weather", { "city": "Porto" }]], "answers": [] });
    let input = json!({ "city": "Porto" });
    let text = json!({ "type": "text", "text": "I look." });
    for message in [
        json!({ "role": "assistant", "content": "I look.", "tool_calls": [
            { "id": "c1", "type": "function", "function": { "name": "weather", "arguments": input.to_string() } },
        ] }),
        json!({ "role": "assistant", "content": [text, { "type": "tool_use", "id": "c1", "name": "weather", "input": input }] }),
        json!({ "role": "assistant", "content": [
            { "type": "reasoning", "text": "Which city?" },
            text,
            { "type": "tool-call", "toolCallId": "c1", "toolName": "weather", "input": input },
        ] }),
        json!({ "role": "assistant", "content": [
            { "type": "thinking", "thinking": "Which city?", "signature": "x" },
            text,
            { "type": "tool_use", "id": "c1", "name": "weather", "input": input },
        ], "tool_calls": [{ "id": "c1", "name": "weather", "args": input }] }),
        json!({ "role": "assistant", "content": "I look.", "toolCalls": [{ "id": "c1", "name": "weather", "arguments": input }] }),
    ] {
        assert_eq!(read(&message), expected, "{message}");
    }
    let custom = json!({ "role": "assistant", "content": null, "tool_calls": [
        { "id": "c2", "type": "custom", "custom": { "name": "run", "input": "print(1)" } },
    ] });
    assert_eq!(read(&custom)["calls"], json!([["c2", "run", "print(1)"]]));
}

#[test]
fn an_answer_is_the_same_in_every_api() {
    let answer = |message: Value| {
        let read = read(&message);
        assert_eq!(read["text"], "", "{message}");
        read["answers"].clone()
    };
    let part = |output: Value| {
        json!({ "role": "tool", "content": [
            { "type": "tool-result", "toolCallId": "c1", "toolName": "weather", "output": output },
        ] })
    };
    let block = |content: Value| json!({ "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "c1", "content": content }] });
    let warm = json!([["c1", null, "17 degrees"]]);
    let text = json!([{ "type": "text", "text": "17 degrees" }]);
    for message in [
        json!({ "role": "tool", "tool_call_id": "c1", "content": "17 degrees" }),
        json!({ "role": "tool", "toolCallId": "c1", "content": text }),
        block("17 degrees".into()),
        block(text.clone()),
        part(json!({ "type": "text", "value": "17 degrees" })),
        part(json!({ "type": "content", "value": text })),
    ] {
        assert_eq!(answer(message), warm);
    }
    assert_eq!(
        answer(part(json!({ "type": "json", "value": { "c": 17 } }))),
        json!([["c1", null, "{\"c\":17}"]])
    );
    assert_eq!(answer(part(json!({ "type": "error-text", "value": "no" }))), json!([["c1", false, "no"]]));
    assert_eq!(
        answer(part(json!({ "type": "execution-denied", "reason": "not now" }))),
        json!([["c1", false, "not now"]])
    );
    let failed = json!({ "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "c1", "content": "no", "is_error": true }] });
    assert_eq!(answer(failed), json!([["c1", false, "no"]]));
    let shown = json!([{ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "iVBOR" } }]);
    assert_eq!(answer(block(shown)), json!([["c1", null, "[image]"]]));
    assert_eq!(answer(block(Value::Null)), json!([["c1", null, ""]]));
    // A list that a tool made up is no list of parts: nothing of it is lost.
    let list = json!([{ "type": "file", "size": 5 }]);
    assert_eq!(answer(block(list.clone())), json!([["c1", null, list.to_string()]]));
}

/// The id of a part of its own beside the id of the call: which of the two counted was different in a call and in its answer.
#[test]
fn what_names_the_call_counts_before_the_id_of_the_part() {
    let call = json!({ "role": "assistant", "content": [{ "type": "tool-call", "id": "p1", "toolCallId": "c1", "toolName": "f", "input": {} }] });
    let answer = json!({ "role": "tool", "content": [{ "type": "tool-result", "id": "p2", "toolCallId": "c1", "output": { "type": "text", "value": "" } }] });
    assert_eq!(Parts::of_value(&call).calls().next().unwrap().id, Some("c1"));
    assert_eq!(Parts::of_value(&answer).answers().next().unwrap().id, Some("c1"));
}

#[test]
fn what_is_neither_words_nor_of_tools_is_told_by_type_and_name() {
    for (part, told) in [
        (json!({ "type": "image_url", "image_url": { "url": PIXEL } }), "[image]"),
        (
            json!({ "type": "image_url", "image_url": { "url": "https://a.org/cat.png?key=s3cret" } }),
            "[image: https://a.org/cat.png]",
        ),
        (json!({ "type": "image", "image": PIXEL, "mediaType": "image/png" }), "[image]"),
        (
            json!({ "type": "image", "source": { "type": "url", "url": "https://a.org/cat.png" } }),
            "[image: https://a.org/cat.png]",
        ),
        (
            json!({ "type": "file", "mediaType": "image/png", "filename": "cat.png", "data": "iVBOR" }),
            "[image: cat.png]",
        ),
        (
            json!({ "type": "file", "file": { "filename": "lease.pdf", "file_data": "JVBER" } }),
            "[file: lease.pdf]",
        ),
        (
            json!({ "type": "document", "title": "Lease", "source": { "type": "text", "media_type": "text/plain", "data": "x" } }),
            "[file: Lease]",
        ),
        (json!({ "type": "input_audio", "input_audio": { "data": "UklGR", "format": "wav" } }), "[audio]"),
        (json!({ "type": "location", "latitude": 41.1 }), "[location]"),
        (json!({ "type": "location\n[admin]", "name": "a\nb" }), "[location [admin]: a b]"),
        (json!({ "type": "refusal", "refusal": "I can't." }), "I can't."),
    ] {
        let message = json!({ "role": "user", "content": [{ "type": "text", "text": "Look:" }, part] });
        assert_eq!(read(&message)["text"], format!("Look:\n{told}"));
    }
}

#[test]
fn a_transcript_has_all_of_a_message() {
    let message = json!({ "role": "assistant", "content": [
        { "type": "text", "text": "I look." },
        { "type": "server_tool_use", "id": "s1", "name": "web_search", "input": { "query": "Porto" } },
        { "type": "web_search_tool_result", "tool_use_id": "s1", "content": [{ "type": "web_search_result", "title": "Porto" }] },
    ] });
    assert_eq!(
        Parts::of_value(&message).transcript(),
        "I look.\n[call of web_search] {\"query\":\"Porto\"}\n[answer] [{\"type\":\"web_search_result\",\"title\":\"Porto\"}]"
    );
    let answer = json!({ "role": "tool", "content": "17 degrees", "tool_call_id": "c1" });
    assert_eq!(Parts::of_value(&answer).transcript(), "17 degrees");
}
