//! The application's models: slow, wrong and hostile callbacks in a real browser.

use futures_util::FutureExt;
use js_sys::{Function, Object, Reflect};
use mnemic::ports::{Embedder, Llm, ModelMessage, ModelRequest, TextPurpose, Tokenizer};
use mnemic::web::{EmbedderCallback, LlmCallback, TokenizerCallback};
use mnemic::{Code, Error};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen(module = "/tests/web/callbacks.js")]
extern "C" {
    fn callback(body: &str, seen: &Object) -> Function;
}

/// Long enough for every callback that answers at all.
const PATIENT_MS: u32 = 60_000;

fn request() -> ModelRequest {
    ModelRequest {
        tools: None,
        purpose: "extract",
        prompt: "extract-7",
        messages: vec![
            ModelMessage { role: "system", content: "Be brief.".to_owned() },
            ModelMessage { role: "user", content: "\u{1F375} \"quoted\"\n\u{0}".to_owned() },
        ],
        schema: Some(json!({ "type": "object", "properties": { "__proto__": { "type": "string" } } })),
        max_tokens: 500,
    }
}

fn llm(body: &str) -> LlmCallback {
    LlmCallback::new(callback(body, &Object::new())).unwrap()
}

async fn ask(body: &str) -> Result<Value, Error> {
    llm(body).complete(&request(), PATIENT_MS).await
}

async fn embed(body: &str) -> Result<Vec<Vec<f32>>, Error> {
    let embedder = EmbedderCallback::new("test", callback(body, &Object::new())).unwrap();
    embedder.embed(&["one".to_owned(), "two".to_owned()], TextPurpose::Document, PATIENT_MS).await
}

fn seen(object: &Object, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap()
}

#[wasm_bindgen_test]
async fn a_model_gets_a_plain_request() {
    let check = r#"
        const keys = Object.keys(request).join();
        if (keys !== "purpose,prompt,messages,schema,maxTokens,signal") throw new Error(keys);
        if (Object.getPrototypeOf(request) !== Object.prototype || args[1] !== undefined) throw new Error("not plain");
        if (!(request.signal instanceof AbortSignal) || request.signal.aborted) throw new Error("signal");
        return JSON.stringify(request);"#;
    let Value::String(text) = ask(check).await.unwrap() else { panic!("no text") };
    let mut expected = serde_json::to_value(request()).unwrap();
    expected.as_object_mut().unwrap().insert("signal".to_owned(), json!({}));
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expected);

    let mut without_schema = request();
    without_schema.schema = None;
    let has_schema =
        llm("return { schema: 'schema' in request }").complete(&without_schema, PATIENT_MS).await.unwrap();
    assert_eq!(has_schema, json!({ "schema": false }));
}

#[wasm_bindgen_test]
async fn a_model_may_answer_now_or_later_in_text_or_json() {
    for (body, expected) in [
        ("return 'tea'", json!("tea")),
        ("return ''", json!("")),
        ("return Promise.resolve('tea')", json!("tea")),
        ("return wait(5).then(() => 'slow')", json!("slow")),
        ("return { then(resolve) { resolve('thenable') } }", json!("thenable")),
        ("return '\\ud83c'", json!("\u{FFFD}")),
        ("return {}", json!({})),
        (
            "return { b: [1, null, true, 'x', 1.5], a: { n: -1 } }",
            json!({ "b": [1, null, true, "x", 1.5], "a": { "n": -1 } }),
        ),
        ("return Object.assign(Object.create(null), { a: 1 })", json!({ "a": 1 })),
        ("return { kept: 1, dropped: undefined, also() {} }", json!({ "kept": 1 })),
        ("return JSON.parse('{\"__proto__\": 1}')", json!({ "__proto__": 1 })),
    ] {
        assert_eq!(ask(body).await.unwrap(), expected, "{body}");
    }
}

#[wasm_bindgen_test]
async fn a_model_may_answer_at_length() {
    let Value::String(text) = ask("return 'x'.repeat(1e7)").await.unwrap() else { panic!("no text") };
    assert_eq!(text.len(), 10_000_000);
    let object = ask("return { text: 'x'.repeat(1e7) }").await.unwrap();
    assert_eq!(object.get("text").and_then(Value::as_str).map(str::len), Some(10_000_000));
}

#[wasm_bindgen_test]
async fn what_a_model_may_not_answer_is_named() {
    for (body, expected) in [
        ("", "undefined"),
        ("return null", "null"),
        ("return 7", "a number"),
        ("return true", "a boolean"),
        ("return 7n", "a bigint"),
        ("return Symbol()", "a symbol"),
        ("return () => 'tea'", "a function"),
        ("return ['tea']", "an array of 1"),
        ("return new Map()", "a Map"),
        ("return new Date()", "a Date"),
        ("return new String('tea')", "a String"),
        ("return new (class Answer {})()", "an Answer"),
        ("return { get constructor() { throw 1 }, __proto__: { __proto__: {} } }", "an object"),
        ("const a = {}; a.a = a; return a", "circular"),
        ("return { n: 7n }", "BigInt"),
        ("return { get a() { throw new Error('getter') } }", "getter"),
        ("return { toJSON() { return undefined } }", "not JSON"),
        ("return { toJSON() { return [1] } }", "toJSON"),
        ("return new Proxy({}, { getPrototypeOf() { throw new Error('trap') } })", "an object"),
        ("let a = {}; for (let i = 0; i < 1e6; i++) a = { a }; return a", "an object that"),
        ("let a = {}; for (let i = 0; i < 1000; i++) a = { a }; return a", "recursion"),
    ] {
        let error = ask(body).await.unwrap_err();
        assert_eq!(error.code, Code::Model, "{body}");
        assert!(error.message.contains(expected), "{body}: {error}");
    }
}

#[wasm_bindgen_test]
async fn what_a_callback_throws_becomes_text() {
    for (body, expected) in [
        ("throw new Error('401: bad key')", "threw: 401: bad key"),
        ("throw new TypeError('sync')", "threw: TypeError: sync"),
        ("return Promise.reject(new RangeError('async'))", "threw: RangeError: async"),
        ("return wait(1).then(() => { throw new Error('later') })", "threw: later"),
        ("throw 'only text'", "threw: only text"),
        ("return Promise.reject('only text')", "threw: only text"),
        ("return Promise.reject()", "threw: undefined"),
        ("throw null", "threw: null"),
        ("throw 404", "threw: a number"),
        ("throw Symbol('s')", "threw: a symbol"),
        ("throw { message: 'like an error' }", "threw: like an error"),
        ("throw { message: 7, name: {} }", "threw: an object"),
        ("throw { get message() { throw 1 } }", "threw: an object"),
        ("throw new DOMException('stopped', 'AbortError')", "threw: AbortError: stopped"),
        ("return { get then() { throw new Error('then') } }", "threw: then"),
        ("return new Proxy(Promise.resolve('tea'), {})", "threw: TypeError"),
        ("(function again() { again() })()", "threw: RangeError"),
        ("throw new Error('\u{00E9}'.repeat(1e7))", "\u{00E9}\u{00E9}"),
    ] {
        for (error, code) in
            [(ask(body).await.unwrap_err(), Code::Model), (embed(body).await.unwrap_err(), Code::Embedder)]
        {
            assert_eq!(error.code, code, "{body}");
            assert!(error.message.contains(expected), "{body}: {error}");
            assert!(error.message.len() < 2500, "{body}: a message of {} bytes", error.message.len());
        }
    }
}

#[wasm_bindgen_test]
async fn a_callback_that_never_answers_is_timed_out_and_told() {
    let signals = Object::new();
    let never = "seen.signal = (options ?? request).signal; return new Promise(() => {})";
    let error =
        LlmCallback::new(callback(never, &signals)).unwrap().complete(&request(), 10).await.unwrap_err();
    assert_eq!(error.code, Code::Timeout);
    assert!(error.message.contains("10 ms"), "{error}");
    assert_eq!(seen(&seen(&signals, "signal").into(), "aborted"), true);

    let signals = Object::new();
    let embedder = EmbedderCallback::new("test", callback(never, &signals)).unwrap();
    let error = embedder.embed(&["one".to_owned()], TextPurpose::Document, 10).await.unwrap_err();
    assert_eq!(error.code, Code::Timeout);
    assert_eq!(seen(&seen(&signals, "signal").into(), "aborted"), true);
}

/// The signal itself makes this callback answer, so its answer is late by a hair and never by luck.
#[wasm_bindgen_test]
async fn late_answers_and_failures_are_ignored() {
    for settle in ["resolve('late')", "reject(new Error('late'))"] {
        let late = format!(
            "return new Promise((resolve, reject) => {{ request.signal.onabort = () => {settle}; }})"
        );
        let model = llm(&late);
        assert_eq!(model.complete(&request(), 5).await.unwrap_err().code, Code::Timeout, "{settle}");
        // Gives the late answer its turn; nothing may be left that it could reach.
        assert_eq!(model.complete(&request(), 5).await.unwrap_err().code, Code::Timeout, "{settle}");
    }
}

#[wasm_bindgen_test]
async fn a_dropped_call_fires_the_signal_and_an_answered_one_does_not() {
    let signals = Object::new();
    let slow = LlmCallback::new(callback(
        "seen.signal = request.signal; return wait(1).then(() => 'tea')",
        &signals,
    ))
    .unwrap();
    assert!(slow.complete(&request(), PATIENT_MS).now_or_never().is_none());
    assert_eq!(seen(&seen(&signals, "signal").into(), "aborted"), true);

    slow.complete(&request(), PATIENT_MS).await.unwrap();
    assert_eq!(seen(&seen(&signals, "signal").into(), "aborted"), false);

    let throws = LlmCallback::new(callback("seen.signal = request.signal; throw 1", &signals)).unwrap();
    throws.complete(&request(), PATIENT_MS).await.unwrap_err();
    assert_eq!(seen(&seen(&signals, "signal").into(), "aborted"), false);
}

#[wasm_bindgen_test]
async fn one_callback_serves_several_calls_at_once() {
    let model = llm("return wait(request.maxTokens).then(() => String(request.maxTokens))");
    let (mut slow, mut fast) = (request(), request());
    (slow.max_tokens, fast.max_tokens) = (9, 1);
    let answers =
        futures_util::future::join(model.complete(&slow, PATIENT_MS), model.complete(&fast, PATIENT_MS))
            .await;
    assert_eq!(answers, (Ok(json!("9")), Ok(json!("1"))));
}

#[wasm_bindgen_test]
async fn an_embedder_gets_texts_and_answers_vectors() {
    let check = "
        if (!Array.isArray(request) || request.join() !== 'one,two') throw new Error('texts');
        if (Object.keys(options).join() !== 'signal,purpose' || options.purpose !== 'document' || !(options.signal instanceof AbortSignal)) throw new Error('options');";
    let expected = vec![vec![0.5, -1.0, 2.0], vec![0.0, 0.25, 1e30]];
    for answer in [
        "return [[0.5, -1, 2], [0, 0.25, 1e30]]",
        "return [new Float32Array([0.5, -1, 2]), new Float32Array([0, 0.25, 1e30])]",
        "return [new Float64Array([0.5, -1, 2]), [0, 0.25, 1e30]]",
        "return wait(1).then(() => [[0.5, -1, 2], [0, 0.25, 1e30]])",
        "const all = new Float32Array([9, 0.5, -1, 2, 0, 0.25, 1e30]); return [all.subarray(1, 4), all.subarray(4)]",
    ] {
        assert_eq!(embed(&format!("{check} {answer}")).await.unwrap(), expected, "{answer}");
    }
    let embedder = EmbedderCallback::new("minilm", callback("return []", &Object::new())).unwrap();
    assert_eq!(embedder.id(), "minilm");
    let body = "if (options.purpose !== 'query') throw new Error(options.purpose); return [[1]]";
    let asked = EmbedderCallback::new("minilm", callback(body, &Object::new())).unwrap();
    assert_eq!(asked.embed(&["one".to_owned()], TextPurpose::Query, PATIENT_MS).await.unwrap(), [[1.0]]);
    assert_eq!(embedder.embed(&[], TextPurpose::Document, PATIENT_MS).await.unwrap(), Vec::<Vec<f32>>::new());
}

#[wasm_bindgen_test]
async fn what_an_embedder_may_not_answer_is_named() {
    for (body, expected) in [
        ("", "undefined"),
        ("return 'text'", "a string"),
        ("return { data: [] }", "an object"),
        ("return new Float32Array(2)", "a Float32Array"),
        ("return []", "an array of 0 for 2 texts"),
        ("return [[1]]", "an array of 1 for 2 texts"),
        ("return [[1], [1], [1]]", "an array of 3 for 2 texts"),
        ("return [[1], undefined]", "undefined as vector 1"),
        ("return [[1], 'text']", "a string as vector 1"),
        ("return [new Int8Array(1), [1]]", "an Int8Array as vector 0"),
        ("return [[], []]", "0 values"),
        ("return [[1, 2], [1]]", "vectors of 2 and of 1 values"),
        ("return [new Array(5000).fill(1), [1]]", "5000 values"),
        ("return [new Array(4e9), [1]]", "4000000000 values"),
        ("return [[1, '2'], [1, 2]]", "a string in an array"),
        ("return [[1, null], [1, 2]]", "null in an array"),
        ("return [[1, , 3], [1, 2, 3]]", "undefined in an array"),
        ("return [[1, 7n], [1, 2]]", "a bigint in an array"),
        ("return [[1, NaN], [1, 2]]", "NaN"),
        ("return [[1, -Infinity], [1, 2]]", "-inf"),
        ("return [[1, 1e39], [1, 2]]", "inf"),
        ("return [new Float32Array([NaN]), [1]]", "NaN"),
        ("return [new Float64Array([1e39]), [1]]", "inf"),
        ("return [[1], new Proxy([1], { get() { throw new Error('trap') } })]", "an array"),
        (
            "return [[1], new Proxy([1], { get(a, p) { if (p === '0') throw new Error('trap'); return a[p] } })]",
            "trap",
        ),
    ] {
        let error = embed(body).await.unwrap_err();
        assert_eq!(error.code, Code::Embedder, "{body}");
        assert!(error.message.contains(expected), "{body}: {error}");
    }
}

fn count(body: &str, text: &str) -> Result<usize, Error> {
    TokenizerCallback::new(callback(body, &Object::new())).count(text)
}

#[wasm_bindgen_test]
fn a_tokenizer_gets_the_text_and_answers_a_whole_number() {
    let check = "if (typeof request !== 'string' || options !== undefined || args.length !== 1) throw new Error('not one text');";
    for (answer, expected) in [
        ("return request.length", 6),
        ("return [...request].length", 4),
        ("return 0", 0),
        ("return -0", 0),
        ("return 2 ** 32 - 1", 4_294_967_295),
        ("return new Function('return 7')()", 7),
    ] {
        assert_eq!(
            count(&format!("{check} {answer}"), "a\u{1F375}\u{1F375}b").unwrap(),
            expected,
            "{answer}"
        );
    }
    assert_eq!(count("return request.length", "").unwrap(), 0);
}

#[wasm_bindgen_test]
fn what_a_tokenizer_may_not_answer_is_named() {
    for (body, expected) in [
        ("", "undefined"),
        ("return null", "null"),
        ("return '7'", "a string"),
        ("return 7n", "a bigint"),
        ("return [7]", "an array"),
        ("return { valueOf: () => 7 }", "an object"),
        ("return Promise.resolve(7)", "a Promise"),
        ("return wait(1).then(() => 7)", "a Promise"),
        ("return -1", "-1"),
        ("return 1.5", "1.5"),
        ("return NaN", "not a whole number"),
        ("return Infinity", "not a whole number"),
        ("return 2 ** 32", "4294967296"),
        ("throw new Error('mine')", "threw: mine"),
        ("throw undefined", "threw"),
    ] {
        let error = count(body, "text").unwrap_err();
        assert_eq!(error.code, Code::InvalidInput, "{body}");
        assert!(
            error.message.contains(expected) && error.message.contains("tokens are estimated"),
            "{body}: {error}"
        );
    }
}
