//! Patterns of namespaces: their first and last labels, of which any one can be left open.

use super::fields::Fields;
use super::namespace::{check, labels, prefix};
use crate::error::Result;

/// Stands for any one label.
const ANY: &str = "*";

/// The most patterns of one call.
const MAX_PATTERNS: usize = 16;

/// Patterns that all must fit.
#[derive(Debug)]
pub(super) struct Patterns(Vec<Pattern>);

#[derive(Debug)]
struct Pattern {
    prefix: Vec<String>,
    suffix: Vec<String>,
}

impl Patterns {
    /// Reads `match`, a list of objects with `prefix` and `suffix`.
    ///
    /// # Errors
    /// `InvalidInput`.
    pub(super) fn read(fields: &mut Fields) -> Result<Self> {
        let mut patterns = Vec::new();
        for (place, item) in fields.items("match", MAX_PATTERNS)?.into_iter().enumerate() {
            let mut own = fields.inside("match", place, item)?;
            patterns.push(Pattern::read(&mut own)?);
            own.end()?;
        }
        Ok(Self(patterns))
    }

    /// The same with one more, which the options themselves describe.
    ///
    /// # Errors
    /// `InvalidInput`.
    pub(super) fn with_own(mut self, fields: &mut Fields) -> Result<Self> {
        self.0.push(Pattern::read(fields)?);
        Ok(self)
    }

    /// Whether the namespace part of a record's key fits all of them.
    pub(super) fn accept(&self, namespace: &str) -> bool {
        self.0.is_empty() || {
            let labels = labels(namespace);
            self.0.iter().all(|pattern| pattern.accepts(&labels))
        }
    }

    /// What the record keys of all that fit begin with.
    pub(super) fn beginning(&self) -> String {
        let known = self
            .0
            .iter()
            .map(|pattern| pattern.prefix.split(|label| label == ANY).next().unwrap_or_default());
        let longest = known.max_by_key(|labels| labels.len()).unwrap_or_default();
        // It was checked when it was read.
        prefix(longest).unwrap_or_default()
    }
}

impl Pattern {
    fn read(fields: &mut Fields) -> Result<Self> {
        let pattern = Self { prefix: fields.texts("prefix")?, suffix: fields.texts("suffix")? };
        prefix(&pattern.prefix)?;
        check(&pattern.suffix)?;
        Ok(pattern)
    }

    fn accepts(&self, labels: &[String]) -> bool {
        let fits = |pattern: &[String], from: usize| {
            pattern.iter().enumerate().all(|(place, wanted)| {
                labels.get(from + place).is_some_and(|label| wanted == ANY || wanted == label)
            })
        };
        let end = labels.len().checked_sub(self.suffix.len());
        fits(&self.prefix, 0) && end.is_some_and(|end| fits(&self.suffix, end))
    }
}
