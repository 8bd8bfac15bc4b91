//! **mnemic** is a memory engine for chat assistants that runs where the user is.
//!
//! It is made for WebAssembly and used through its npm package, whose README says how; this is the engine itself. A pure
//! core is synchronous and knows no clock, randomness or I/O; what waits comes in through the traits of [`ports`].
//!
//! From what knows nothing to what knows everything:
//!
//! | module | what lives there |
//! |---|---|
//! | [`error`], [`id`], [`time`], [`scope`], [`record`], [`filter`], [`embedding`], [`tokens`], [`schema`] | the vocabulary |
//! | [`log`] | every change as bytes: commits, segments, replay |
//! | [`index`] | search by vectors and by words, and their fusion |
//! | [`store`] | the state that commits add up to; drafts and revisions |
//! | [`ports`] | the traits `Storage`, `Llm`, `Embedder`, `Tokenizer`, `Cipher`, `Platform` |
//! | [`storage`] | a storage in memory |
//! | [`vault`] | encryption of what a storage holds |
//! | [`database`] | a store kept in step with a storage that others write to as well |
//! | [`memory`] | messages, facts, profiles, recall, extraction, the past |
//! | [`engine`] | opens, wires, takes calls |
//! | `web` | the bindings and ports of the web; on wasm32 only |
//!
//! Applications open an [`engine::Engine`]. Below it everything is one cycle: a draft becomes a commit, the commit becomes
//! bytes, and the state changes only by applying bytes.
//!
//! ```
//! use mnemic::log::{Cause, LogCommit};
//! use mnemic::store::{Draft, Expect, Query, Store};
//! use mnemic::{Filter, Id, Kind, Record, Scope};
//! use serde_json::json;
//!
//! let alice = Scope::from_json(&json!({ "userId": "alice" }))?;
//! let bob = Scope::from_json(&json!({ "userId": "bob" }))?;
//! let now = 1_777_593_600_000; // 2026-05-01
//! let mut store = Store::new("no embedder");
//!
//! // What is wanted, and what it is based on.
//! let mut fact = Record::new(Id::new(now, [1; 10]), Kind::Fact, alice.clone(), now);
//! fact.text = Some("Alice plays the cello".to_owned());
//! fact.significance = 7;
//! let mut draft = Draft::new(&alice, Cause::User);
//! draft.put(fact, Expect::Absent, None);
//!
//! // The bytes; a storage would keep them now.
//! let frame = store.prepare(&draft, 1, Id::new(now, [2; 10]), now)?.frame();
//!
//! // The change itself, as after a reload.
//! let commit = LogCommit::from_frame(1, &frame);
//! let (section, embeds) = commit.split()?;
//! store.apply(section, &embeds)?;
//!
//! let query = Query { text: "who plays the cello?", embedding: None, limit: 3, now };
//! let found = store.search(&alice, Kind::Fact, &query, &|_| true)?;
//! assert_eq!(found[0].record.text, Some("Alice plays the cello"));
//! assert!(store.search(&bob, Kind::Fact, &query, &|_| true)?.is_empty());
//!
//! let important = Filter::compile(&json!({ "significance": { "$gte": 7 } }))?;
//! assert!(important.matches(&json!({ "significance": found[0].record.significance })));
//! # Ok::<(), mnemic::Error>(())
//! ```

pub mod database;
pub mod engine;
pub mod filter;
pub mod id;
pub mod json;
pub mod log;
pub mod memory;
pub mod ordered;
pub mod ports;
pub mod record;
pub mod schema;
pub mod scope;
pub mod storage;
pub mod store;
pub mod time;
pub mod tokens;
pub mod vault;
#[cfg(target_arch = "wasm32")]
pub mod web;

pub use filter::Filter;
pub use id::Id;
pub use mnemic_core::embedding::{self, Embedding};
pub use mnemic_core::error::{self, Code, Error, Result};
pub use mnemic_core::index;
pub use mnemic_core::lowercase;
pub use mnemic_core::sort;
pub(crate) use mnemic_core::{among, base64, growth, phrase};
pub use record::{Kind, Provenance, Record};
pub use scope::Scope;
