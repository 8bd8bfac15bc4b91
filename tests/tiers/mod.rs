//! The tiers, as an application calls them.

mod behaviour;
mod careful;
mod failures;
mod hostile;
mod leaving;
mod limits;
mod trace;

pub(crate) use behaviour::moved;
