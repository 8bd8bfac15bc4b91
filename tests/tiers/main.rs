//! The tiers, as an application calls them.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

mod behaviour;
mod careful;
mod failures;
#[path = "../support/fault.rs"]
#[allow(dead_code, reason = "every test program uses a part")]
mod fault;
mod hostile;
mod leaving;
mod limits;
mod trace;
#[path = "../support/world.rs"]
pub(crate) mod world;
