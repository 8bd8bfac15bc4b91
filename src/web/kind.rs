//! What sort of thing a JavaScript value is, in words for an error message.

use super::given::is_array;
use wasm_bindgen::{JsCast, JsValue};

/// Names the sort of a value: `undefined`, `a string`, `an array of 3`, `a Map`.
///
/// The value belongs to the application, so nothing of it is called that could throw unseen.
pub(super) fn kind(value: &JsValue) -> String {
    if value.is_null() {
        return "null".to_owned();
    }
    if is_array(value) {
        return match length(value) {
            Some(length) => format!("an array of {length}"),
            None => "an array".to_owned(),
        };
    }
    let sort = value.js_typeof().as_string().unwrap_or_default();
    match sort.as_str() {
        "undefined" => sort,
        "object" => constructor(value).map_or_else(|| "an object".to_owned(), |name| article(&name)),
        _ => article(&sort),
    }
}

/// The length of an array, if it has a sensible one.
pub(super) fn length(array: &JsValue) -> Option<u32> {
    let length = js_sys::Reflect::get(array, &"length".into()).ok()?.as_f64()?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked on the same line")]
    (length >= 0.0 && length <= f64::from(u32::MAX)).then_some(length as u32)
}

fn constructor(value: &JsValue) -> Option<String> {
    let constructor =
        js_sys::Reflect::get(value, &"constructor".into()).ok()?.dyn_into::<js_sys::Function>().ok()?;
    let name = js_sys::Reflect::get(&constructor, &"name".into()).ok()?.as_string()?;
    let sensible = !name.is_empty() && name.len() <= 64 && name != "Object";
    sensible.then_some(name)
}

fn article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O']) { "an" } else { "a" };
    format!("{article} {noun}")
}
