//! Merging: what another memory knows more or newer of a scope, in one commit.

mod ids;
mod plan;

pub(crate) use plan::{Merged, plan};
