//! Running: what goes on while nobody waits.

pub(crate) mod background;
pub(crate) mod embedding;
pub(crate) mod expiry;
