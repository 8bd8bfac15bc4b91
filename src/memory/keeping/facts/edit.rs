//! The rules for editing a fact, whoever asks for it.

use super::{MAX_FACT_BYTES, claim};
use crate::error::Result;
use crate::memory::changes::Planning;
use crate::memory::edit::{Beside, reword};
use crate::memory::source::Origin;
use crate::memory::span::{self, Dates, Span};
use crate::memory::{Category, limits};
use crate::record::Record;
use crate::time::Timestamp;
use serde_json::Value;

/// What to change in a fact; what is not given stays.
#[derive(Debug, Default)]
pub(crate) struct FactEdit<'a> {
    /// The statement.
    pub(crate) text: Option<&'a str>,
    /// What it is about.
    pub(crate) category: Option<Category>,
    /// From when it is true.
    pub(crate) valid_from: Option<Timestamp>,
    /// Until when it was true; `None` inside for no end.
    pub(crate) valid_to: Option<Option<Timestamp>>,
    /// Both of them as they were said, with their precision.
    pub(crate) dates: Option<&'a Value>,
    /// What every record has beside its content.
    pub(crate) beside: Beside<'a>,
}

impl FactEdit<'_> {
    /// Changes a fact's record; new words are those of this author.
    ///
    /// # Errors
    /// `InvalidInput` for what is over its limit, and for an end before the beginning.
    pub(crate) fn apply(&self, record: &mut Record, now: Timestamp, author: Origin) -> Result<()> {
        if let Some(text) = self.text {
            reword(record, text, MAX_FACT_BYTES, author)?;
        }
        if let Some(category) = self.category
            && let Value::Object(value) = &mut record.value
        {
            value.insert("category".to_owned(), category.as_str().into());
        }
        if let Some(dates) = self.dates {
            if self.valid_from.is_some() || self.valid_to.is_some() {
                let message = "dates and validFrom or validTo are both given; leave one of them out";
                return Err(limits::invalid(message.to_owned()));
            }
            let Dates { since, until } = Dates::given(dates)?;
            if let Some(since) = &since {
                record.valid_from = since.begins;
            }
            record.valid_to = until.as_ref().map(|until| until.ends);
            span::set_since(&mut record.value, since.as_ref());
            span::set_until(&mut record.value, until.as_ref());
        }
        if let Some(time) = self.valid_from {
            limits::truth("validFrom", time)?;
            record.valid_from = time;
            span::set_since(&mut record.value, Some(&Span::day(time)));
        }
        if let Some(time) = self.valid_to {
            time.map_or(Ok(()), |time| limits::truth("validTo", time))?;
            record.valid_to = time;
            span::set_until(&mut record.value, time.map(Span::day).as_ref());
        }
        if let Some(to) = record.valid_to.filter(|to| *to < record.valid_from) {
            let message = format!("validTo is {to}, before validFrom, which is {}", record.valid_from);
            return Err(limits::invalid(format!("{message}; give a later validTo, or delete the fact")));
        }
        if record.valid_to.is_none()
            && let Value::Object(value) = &mut record.value
        {
            // What holds again has no successor.
            value.remove("supersededBy");
        }
        self.beside.apply(record, now)
    }
}

/// Stores an edited fact. One that says more than before is to be the only one that says it.
///
/// # Errors
/// `InvalidInput` when another fact says the same.
pub(crate) fn replace(planning: &mut Planning<'_>, before: &Record, record: Record) -> Result<()> {
    let says_more = record.text != before.text
        || record.valid_from < before.valid_from
        || record.valid_to != before.valid_to;
    if says_more && record.valid_to.is_none_or(|to| to > planning.now) {
        claim(planning.store, &mut planning.draft, &record, planning.now)?;
    }
    planning.replace(before, record);
    Ok(())
}
