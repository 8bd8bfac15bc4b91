//! What several test programs share: the storage contract, storages that fail on purpose, a platform that stands still.
#![allow(dead_code, unused_imports, reason = "every test program uses a part")]

pub(crate) mod backup;
pub(crate) mod cipher;
pub(crate) mod contract;
pub(crate) mod embedder;
pub(crate) mod fault;
pub(crate) mod image;
pub(crate) mod late;
pub(crate) mod machine;
pub(crate) mod platform;
pub(crate) mod recordings;
pub(crate) mod shared;
pub(crate) mod storage;
pub(crate) mod world;
