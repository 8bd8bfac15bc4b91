//! Terms: what every system of the memory speaks in.

pub(crate) mod action;
pub(crate) mod activity;
pub(crate) mod category;
pub mod counter;
pub(crate) mod limits;
pub mod message;
pub(crate) mod page;
pub(crate) mod source;
pub(crate) mod task;
pub mod ttl;
