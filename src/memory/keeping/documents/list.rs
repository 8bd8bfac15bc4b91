//! Listing the namespaces that hold documents.

use super::fields::Fields;
use super::namespace::{beginning_with, from_sortable, labels, sortable, split};
use super::pattern::Patterns;
use super::staged::Staged;
use crate::error::Result;
use crate::memory::limits::MAX_LIMIT;
use crate::ordered::in_order;

/// Which namespaces to list.
#[derive(Debug)]
pub(super) struct List {
    patterns: Patterns,
    /// Of longer ones so many labels; 0 for all.
    max_depth: usize,
    limit: usize,
    offset: usize,
}

impl List {
    /// Reads `prefix`, `suffix`, `match`, `maxDepth`, `limit` (100 by default) and `offset`.
    ///
    /// # Errors
    /// `InvalidInput`.
    pub(super) fn read(fields: &mut Fields) -> Result<Self> {
        Ok(Self {
            patterns: Patterns::read(fields)?.with_own(fields)?,
            max_depth: fields.count("maxDepth", 1..=usize::MAX, 0)?,
            limit: fields.count("limit", 1..=MAX_LIMIT, 100)?,
            offset: fields.count("offset", 0..=usize::MAX, 0)?,
        })
    }

    /// The namespaces, in the order of their labels by code points.
    pub(super) fn list(&self, staged: &Staged<'_>) -> Vec<Vec<String>> {
        let mut found: Vec<String> = Vec::new();
        let mut last = String::new();
        let (from, until) = beginning_with(&self.patterns.beginning());
        for present in staged.numbers(&from, &until).into_iter().filter_map(|number| staged.at(number)) {
            let (part, _) = split(present.key());
            // Neighbours often share their namespace.
            if part == last {
                continue;
            }
            part.clone_into(&mut last);
            if self.patterns.accept(part) {
                let labels = labels(part);
                let depth = if self.max_depth == 0 { labels.len() } else { self.max_depth.min(labels.len()) };
                found.push(sortable(labels.get(..depth).unwrap_or_default()));
            }
        }
        in_order(found).iter().skip(self.offset).take(self.limit).map(|name| from_sortable(name)).collect()
    }
}
