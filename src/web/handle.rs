//! A storage of the browser for JavaScript: what keeps a copy of a memory reads and writes through it.

use super::binding::{open_storage, promise, thrown};
use super::storage::{batch_of, plain_pairs};
use crate::error::{Code, Error};
use crate::ports::Storage;
use js_sys::Promise;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// An open storage, in the form of a storage object.
#[wasm_bindgen]
pub struct StorageHandle {
    storage: Rc<dyn Storage>,
}

#[wasm_bindgen]
impl StorageHandle {
    /// Opens a storage by its name, kind and durability: a promise of a `StorageHandle`.
    pub fn open(config: JsValue) -> Promise {
        promise(async move {
            let storage = open_storage(&config).await.map_err(thrown)?;
            Ok(Self { storage }.into())
        })
    }

    /// All pairs with `start <= key < end`: a promise.
    pub fn read(&self, start: String, end: String) -> Promise {
        let storage = self.storage.clone();
        promise(async move {
            let pairs = storage.read(&start, &end).await.map_err(thrown)?;
            Ok(plain_pairs(&pairs).into())
        })
    }

    /// Applies a batch if the stored head is the expected one: a promise.
    pub fn write(&self, batch: JsValue, expected_head: f64) -> Promise {
        let storage = self.storage.clone();
        promise(async move {
            let batch = batch_of(&batch).ok_or_else(|| {
                thrown(Error::new(
                    Code::InvalidInput,
                    "a batch is { puts: [key, Uint8Array][], deletes: string[] }",
                ))
            })?;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "counters are whole numbers"
            )]
            storage.write(&batch, expected_head as u64).await.map_err(thrown)?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Lets go of the medium.
    pub fn close(&self) {
        self.storage.close();
    }
}
