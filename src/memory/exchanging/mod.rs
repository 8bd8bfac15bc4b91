//! Exchanging: what goes from one memory to another.

pub(crate) mod merging;
