//! What several test programs share: the storage contract, and storages that fail on purpose.

pub(crate) mod contract;
pub(crate) mod fault;
