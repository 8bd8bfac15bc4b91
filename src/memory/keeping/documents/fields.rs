//! The options of an operation, taken one by one.
//!
//! Read by hand: a struct for each operation would weigh five times as much.

use crate::error::{Error, Result};
use crate::json::shown;
use crate::memory::limits::{self, invalid};
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// What is left of an object's options, and where it stands.
pub(super) struct Fields {
    place: String,
    options: Map<String, Value>,
}

impl Fields {
    /// The options of an object; `place` is what comes before their names in messages.
    ///
    /// # Errors
    /// `InvalidInput` for anything but an object.
    pub(super) fn of(value: Value, place: String) -> Result<Self> {
        match value {
            Value::Object(options) => Ok(Self { place, options }),
            other => {
                let name = if place.is_empty() { "the operation" } else { place.trim_end_matches('.') };
                Err(invalid(format!("{name} is {}; pass an object", shown(&other))))
            }
        }
    }

    /// An option; `None` when it is left out or null.
    pub(super) fn take(&mut self, name: &str) -> Option<Value> {
        self.options.remove(name).filter(|value| !value.is_null())
    }

    /// All options, and one more.
    ///
    /// # Errors
    /// `InvalidInput` when it is among them.
    pub(super) fn with(mut self, name: &str, value: &str) -> Result<Value> {
        match self.options.insert(name.to_owned(), value.into()) {
            None => Ok(Value::Object(self.options)),
            Some(_) => Err(unknown(&self.place, name)),
        }
    }

    /// A text.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(name, &other, "a text")),
        }
    }

    /// One of some texts, as its place among them.
    pub(super) fn one_of(&mut self, name: &str, texts: &[&str]) -> Result<Option<usize>> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let place = texts.iter().position(|text| value == *text);
        place.map(Some).ok_or_else(|| self.wrong(name, &value, &format!("one of {}", texts.join(", "))))
    }

    /// The items of a list of at most so many; none when it is left out.
    pub(super) fn items(&mut self, name: &str, most: usize) -> Result<Vec<Value>> {
        match self.take(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) if items.len() <= most => Ok(items),
            Some(other) => Err(self.wrong(name, &other, &format!("a list of at most {most} objects"))),
        }
    }

    /// The options of an item of a list.
    pub(super) fn inside(&self, name: &str, place: usize, item: Value) -> Result<Self> {
        Self::of(item, format!("{}{name}[{place}].", self.place))
    }

    /// A list of texts; empty when it is left out.
    pub(super) fn texts(&mut self, name: &str) -> Result<Vec<String>> {
        let items = match self.take(name) {
            None => Vec::new(),
            Some(Value::Array(items)) => items,
            Some(other) => return Err(self.wrong(name, &other, "a list of texts")),
        };
        let mut texts = Vec::with_capacity(items.len());
        for (place, item) in items.into_iter().enumerate() {
            match item {
                Value::String(text) => texts.push(text),
                other => return Err(self.wrong(&format!("{name}[{place}]"), &other, "a text")),
            }
        }
        Ok(texts)
    }

    /// A count.
    pub(super) fn count(
        &mut self,
        name: &str,
        bounds: RangeInclusive<usize>,
        default: usize,
    ) -> Result<usize> {
        let Some(value) = self.take(name) else { return Ok(default) };
        let count = value.as_u64().and_then(|count| usize::try_from(count).ok());
        count.filter(|count| bounds.contains(count)).ok_or_else(|| {
            let (least, most) = bounds.into_inner();
            self.wrong(name, &value, &format!("a whole number from {least} to {most}"))
        })
    }

    /// The least relevance, if one is given.
    pub(super) fn threshold(&mut self) -> Result<Option<f32>> {
        let Some(value) = self.take("threshold") else { return Ok(None) };
        let threshold = value.as_f64().map(|threshold| threshold as f32);
        let threshold = threshold.ok_or_else(|| self.wrong("threshold", &value, "a number from 0 to 1"))?;
        limits::threshold(Some(threshold))?;
        Ok(Some(threshold))
    }

    /// A truth value.
    pub(super) fn flag(&mut self, name: &str, default: bool) -> Result<bool> {
        self.flag_if_any(name).map(|flag| flag.unwrap_or(default))
    }

    /// The same where nothing need be said.
    pub(super) fn flag_if_any(&mut self, name: &str) -> Result<Option<bool>> {
        let Some(value) = self.take(name) else { return Ok(None) };
        value.as_bool().map(Some).ok_or_else(|| self.wrong(name, &value, "true or false"))
    }

    /// Fails unless an option is there.
    ///
    /// # Errors
    /// `InvalidInput`.
    pub(super) fn needs(&self, name: &str) -> Result<()> {
        let is_there = self.options.get(name).is_some_and(|value| !value.is_null());
        if is_there { Ok(()) } else { Err(self.missing(name)) }
    }

    /// That an option that is left out is needed.
    pub(super) fn missing(&self, name: &str) -> Error {
        invalid(format!("{}{name} is missing; pass it", self.place))
    }

    /// Ends the taking.
    ///
    /// # Errors
    /// `InvalidInput` that names an option nobody took.
    pub(super) fn end(self) -> Result<()> {
        match self.options.keys().next() {
            None => Ok(()),
            Some(name) => Err(unknown(&self.place, name)),
        }
    }

    /// That an option is not what it must be.
    pub(super) fn wrong(&self, name: &str, value: &Value, expected: &str) -> Error {
        invalid(format!("{}{name} is {}; pass {expected}", self.place, shown(value)))
    }
}

fn unknown(place: &str, name: &str) -> Error {
    invalid(format!("{place}{name} is no option here; leave it out"))
}
