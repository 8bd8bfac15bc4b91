//! Finding: how records are searched, scored, and noted as used.

pub(crate) mod access;
mod address;
mod known;
mod newer;
mod relevance;
pub mod scoring;
pub mod search;
mod turns;

pub(in crate::memory) use address::unaddressed;
pub use known::Known;
pub(in crate::memory) use known::TOUCHES;
pub(in crate::memory) use newer::STEP;
pub(in crate::memory) use relevance::{HEIR, USER_ELSEWHERE};
pub(in crate::memory) use turns::{beginning, count, is_weekday, past};
