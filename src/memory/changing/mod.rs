//! Changing: the one way in which records are changed, and the rules that hold for an edit of any of them.

pub(crate) mod changes;
pub(crate) mod edit;
