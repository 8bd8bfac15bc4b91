//! Terms: what every system of the memory speaks in.

pub(crate) mod action;
pub(crate) mod category;
pub mod counter;
pub mod guard;
pub(crate) mod limits;
pub(crate) mod listing;
pub mod message;
pub(crate) mod schedule;
pub(crate) mod secret;
pub(crate) mod sentence;
pub(crate) mod shorten;
pub(crate) mod source;
pub(crate) mod span;
pub mod ttl;
