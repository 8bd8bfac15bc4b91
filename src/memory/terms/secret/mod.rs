//! Secrets: the one place that knows what passwords, keys, cards and account numbers look like.
//!
//! Everything is a table or a check digit, read in one pass over the text. A number counts only if its check digits are right and
//! its length and groups are those of its kind, so that telephone numbers, order numbers, dates and prices stay.

mod iban;
mod kind;
mod mask;
mod national;
mod number;
mod password;
mod scan;
mod token;
mod words;

pub(crate) use kind::{MaskedAt, Secret, Secrets};
pub(crate) use mask::Masker;
pub(crate) use national::National;
pub(crate) use words::{looks_secret, mentions_secret};

#[cfg(test)]
mod tests;
