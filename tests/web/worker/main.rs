//! Storages in a dedicated worker, where there is no window.
#![cfg(target_arch = "wasm32")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at what it did not expect"
)]

#[path = "../../support/contract.rs"]
mod contract;

use contract::{a_full_storage_changes_nothing, contract};
use mnemic::Code;
use mnemic::ports::Platform;
use mnemic::storage::MemoryStorage;
use mnemic::web::{Durability, IndexedDbStorage, LocalStorage, WebPlatform};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

#[wasm_bindgen_test]
async fn indexed_db_keeps_the_contract() {
    contract(async |name: &str| {
        IndexedDbStorage::open(&format!("worker-{name}"), Durability::default()).await.unwrap()
    })
    .await;
}

#[wasm_bindgen_test]
async fn a_full_memory_changes_nothing() {
    a_full_storage_changes_nothing(&MemoryStorage::with_max_bytes(10_000), 1000).await;
}

#[wasm_bindgen_test]
fn a_worker_without_local_storage_is_told_so() {
    let error = LocalStorage::open("worker").unwrap_err();
    assert_eq!(error.code, Code::Storage);
    assert!(error.message.contains("no window"), "{error}");
}

#[wasm_bindgen_test]
async fn the_platform_works_in_a_worker() {
    let platform = WebPlatform::new().unwrap();
    platform.sleep(1).await;
    assert_ne!(platform.random(), platform.random());
    assert!(platform.now() > 1_700_000_000_000);
}
