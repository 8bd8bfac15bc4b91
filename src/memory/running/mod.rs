//! Running: what goes on while nobody waits.

pub(crate) mod background;
mod expiry;
