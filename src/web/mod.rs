//! The bindings: convert, call, convert. Only this folder knows of JavaScript.

use wasm_bindgen::prelude::wasm_bindgen;

/// An engine, as JavaScript sees it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Engine;

#[wasm_bindgen]
impl Engine {
    /// The version of the engine, as in `Cargo.toml`.
    #[must_use]
    pub fn version() -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }
}
