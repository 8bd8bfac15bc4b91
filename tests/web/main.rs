//! The engine inside a real browser.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn the_version_is_the_one_of_the_manifest() {
    assert_eq!(mnemic::web::Engine::version(), env!("CARGO_PKG_VERSION"));
}
