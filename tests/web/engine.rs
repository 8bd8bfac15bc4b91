//! The engine inside a real browser, called as the package calls it: by what JavaScript sees of it.

use js_sys::{Array, Function, JSON, Object, Promise, Reflect};
use mnemic::web::Engine;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

const ALICE: &str = r#"{"userId":"alice"}"#;

fn configuration(storage: &str, options: &str) -> JsValue {
    let object = Object::new();
    for (name, value) in
        [("name", "binding"), ("storage", storage), ("durability", "strict"), ("options", options)]
    {
        Reflect::set(&object, &name.into(), &value.into()).unwrap();
    }
    object.into()
}

fn get(value: &JsValue, name: &str) -> JsValue {
    Reflect::get(value, &name.into()).unwrap()
}

/// Calls a method that answers a promise, and waits for it.
async fn call(engine: &JsValue, method: &str, arguments: &[&str]) -> Result<JsValue, JsValue> {
    let arguments: Array = arguments.iter().copied().map(JsValue::from).collect();
    let function: Function = get(engine, method).unchecked_into();
    let promise: Promise = function.apply(engine, &arguments)?.unchecked_into();
    JsFuture::from(promise).await
}

#[wasm_bindgen_test]
async fn it_opens_answers_tells_and_closes() {
    let engine = JsFuture::from(Engine::open(configuration("memory", "{}"))).await.unwrap();
    let heard = Array::new();
    let listener = Closure::<dyn Fn(JsValue)>::new({
        let heard = heard.clone();
        move |event| {
            heard.push(&event);
        }
    });
    let listen: Function = get(&engine, "listen").unchecked_into();
    listen.call1(&engine, listener.as_ref()).unwrap();
    let added = call(&engine, "call", &["facts.add", ALICE, r#"{"text":"Alice sings"}"#]).await.unwrap();
    let added = JSON::parse(&added.as_string().unwrap()).unwrap();
    assert_eq!(get(&added, "action"), "created");
    assert_eq!(heard.length(), 1);
    let event = JSON::parse(&heard.get(0).as_string().unwrap()).unwrap();
    assert_eq!(get(&event, "type"), "change");
    assert_eq!(get(&event, "commitId"), get(&added, "commitId"));
    call(&engine, "refresh", &[]).await.unwrap();
    call(&engine, "close", &[]).await.unwrap();
    let error = call(&engine, "call", &["facts.list", ALICE, "{}"]).await.unwrap_err();
    assert_eq!(get(&error, "code"), "Closed");
}

#[wasm_bindgen_test]
async fn an_error_has_its_code_and_details_as_json() {
    let engine = JsFuture::from(Engine::open(configuration("memory", "{}"))).await.unwrap();
    let long = format!(r#"{{"text":"{}"}}"#, "x".repeat(5000));
    let error = call(&engine, "call", &["facts.add", ALICE, &long]).await.unwrap_err();
    assert!(error.is_instance_of::<js_sys::Error>());
    assert_eq!(get(&error, "name"), "MnemicError");
    assert_eq!(get(&error, "code"), "InvalidInput");
    let details = JSON::parse(&get(&error, "details").as_string().unwrap()).unwrap();
    assert_eq!(get(&details, "limit"), 4096.0);
}

#[wasm_bindgen_test]
async fn a_configuration_that_is_none_is_refused() {
    for configuration in [
        JsValue::UNDEFINED,
        Object::new().into(),
        configuration("disk", "{}"),
        configuration("memory", r#"{"speed":1}"#),
    ] {
        let error = JsFuture::from(Engine::open(configuration)).await.unwrap_err();
        assert_eq!(get(&error, "code"), "InvalidInput");
    }
}
