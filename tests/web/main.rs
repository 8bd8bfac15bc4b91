//! What only a browser can show, in a page of one: the engine's binding, storages, callbacks and the platform.
#![cfg(target_arch = "wasm32")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at what it did not expect"
)]

mod callbacks;
#[path = "../support/contract.rs"]
mod contract;
mod engine;
mod platform;
mod storage;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
