//! What an application gave, read where each step may throw: what throws past the engine would end it, with all its memories.

use super::kind::kind;
use js_sys::{Array, Float32Array, Function, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = Array, js_name = isArray)]
    fn try_is_array(value: &JsValue) -> Result<bool, JsValue>;

    #[wasm_bindgen(extends = Object, js_name = Uint8Array)]
    type Bytes;
    #[wasm_bindgen(catch, constructor, js_class = "Uint8Array")]
    fn copied(value: &JsValue) -> Result<Bytes, JsValue>;
    #[wasm_bindgen(catch, constructor, js_class = "Uint8Array")]
    fn view(buffer: &JsValue, offset: &JsValue, length: &JsValue) -> Result<Bytes, JsValue>;

    #[wasm_bindgen(extends = Object, js_name = Float32Array)]
    type Numbers;
    #[wasm_bindgen(catch, constructor, js_class = "Float32Array")]
    fn copied(value: &JsValue) -> Result<Numbers, JsValue>;
}

/// Whether it is an array. A proxy that was revoked is none; asking whether it is one throws.
pub(super) fn is_array(value: &JsValue) -> bool {
    try_is_array(value).unwrap_or(false)
}

/// The bytes of a `Uint8Array`; what it is instead for anything else, also for one whose buffer is gone or too short.
///
/// The length that such an object tells may be another than that of its bytes. So they are read through a view that is made here, and
/// what none can be made of is copied first.
pub(super) fn bytes(value: &JsValue) -> Result<Vec<u8>, String> {
    let given = value.dyn_ref::<Uint8Array>().ok_or_else(|| kind(value))?;
    let own = view(given)
        .filter(|view| view.length() > 0)
        .map_or_else(|| Bytes::copied(given).map(JsCast::unchecked_into::<Uint8Array>), Ok);
    own.map(|own| own.to_vec()).map_err(|_| format!("{} whose buffer is gone", kind(value)))
}

/// Another view of the same bytes, made of what the object cannot answer for itself.
fn view(given: &Uint8Array) -> Option<Uint8Array> {
    GETTERS.with(|getters| {
        let [buffer, offset, length] = getters.as_ref()?.each_ref().map(|getter| getter.call0(given).ok());
        Bytes::view(&buffer?, &offset?, &length?).ok().map(JsCast::unchecked_into)
    })
}

thread_local! {
    /// What answers the buffer of any typed array, where it begins in it, and its length.
    static GETTERS: Option<[Function; 3]> = {
        let of_bytes = Object::get_prototype_of(&Uint8Array::new_with_length(0));
        let of_all = Object::get_prototype_of(&of_bytes);
        let getter = |name: &str| {
            let property = Reflect::get_own_property_descriptor(&of_all, &name.into()).ok()?;
            Reflect::get(&property, &"get".into()).ok()?.dyn_into().ok()
        };
        match ["buffer", "byteOffset", "length"].map(getter) {
            [Some(buffer), Some(offset), Some(length)] => Some([buffer, offset, length]),
            _ => None,
        }
    };
}

/// The numbers of an array of floating-point numbers, of either width, whose buffer is whole.
pub(super) fn numbers(value: &JsValue) -> Option<Vec<f32>> {
    Some(Numbers::copied(value).ok()?.unchecked_into::<Float32Array>().to_vec())
}

/// What it answered, whether that is a promise or not. It rejects where the promise itself throws, as one with a `then` of its own may.
pub(super) fn answer(given: &JsValue) -> JsFuture {
    JsFuture::from(Promise::race(&Array::of1(given)))
}
