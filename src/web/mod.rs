//! The ports as the web has them. Only this folder names wasm-bindgen, js-sys, web-sys and gloo-storage.

mod binding;
pub mod callbacks;
mod encryption;
mod given;
mod handle;
mod kind;
pub mod platform;
pub mod storage;
mod thrown;
mod timer;
mod turn;

pub use binding::Engine;
pub use callbacks::{EmbedderCallback, LlmCallback, TokenizerCallback};
pub use encryption::encryption;
pub use handle::StorageHandle;
pub use platform::WebPlatform;
pub use storage::{Durability, IndexedDbStorage, LocalStorage, ObjectStorage};
