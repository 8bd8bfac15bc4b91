//! The memory systems: what is kept about a user, and how it is learnt.

pub mod rules;
