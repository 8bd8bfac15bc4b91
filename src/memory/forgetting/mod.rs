//! Forgetting: what is to be remembered no longer goes, with all that was made of it.

pub mod forget;
