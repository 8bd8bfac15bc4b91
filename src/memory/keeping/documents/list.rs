//! Listing the namespaces that hold documents.

use super::fields::Fields;
use super::namespace::{check, from_sortable, prefix, sortable, split};
use super::staged::Staged;
use crate::error::Result;
use crate::memory::limits::MAX_LIMIT;
use crate::ordered::in_order;

/// Stands for any one label.
const ANY: &str = "*";

/// Which namespaces to list.
#[derive(Debug)]
pub(super) struct List {
    /// Their first labels.
    prefix: Vec<String>,
    /// Their last labels.
    suffix: Vec<String>,
    /// Of longer ones so many labels; 0 for all.
    max_depth: usize,
    limit: usize,
    offset: usize,
}

impl List {
    /// Reads `prefix`, `suffix`, `maxDepth`, `limit` (100 by default) and `offset`.
    ///
    /// # Errors
    /// `InvalidInput`.
    pub(super) fn read(fields: &mut Fields) -> Result<Self> {
        let list = Self {
            prefix: fields.texts("prefix")?,
            suffix: fields.texts("suffix")?,
            max_depth: fields.count("maxDepth", 1..=usize::MAX, 0)?,
            limit: fields.count("limit", 1..=MAX_LIMIT, 100)?,
            offset: fields.count("offset", 0..=usize::MAX, 0)?,
        };
        prefix(&list.prefix)?;
        check(&list.suffix)?;
        Ok(list)
    }

    /// The namespaces, in the order of their labels by code points.
    pub(super) fn list(&self, staged: &Staged<'_>) -> Vec<Vec<String>> {
        let mut found: Vec<String> = Vec::new();
        let mut last = String::new();
        for present in staged.below("") {
            let (part, _) = split(present.key());
            // Neighbours often share their namespace.
            if part == last {
                continue;
            }
            part.clone_into(&mut last);
            let labels: Vec<&str> = part.split('.').collect();
            if self.accepts(&labels) {
                let depth = if self.max_depth == 0 { labels.len() } else { self.max_depth.min(labels.len()) };
                found.push(sortable(labels.get(..depth).unwrap_or_default()));
            }
        }
        in_order(found).iter().skip(self.offset).take(self.limit).map(|name| from_sortable(name)).collect()
    }

    fn accepts(&self, labels: &[&str]) -> bool {
        let fits = |pattern: &[String], from: usize| {
            pattern.iter().enumerate().all(|(place, wanted)| {
                labels.get(from + place).is_some_and(|label| wanted == ANY || wanted == label)
            })
        };
        let end = labels.len().checked_sub(self.suffix.len());
        fits(&self.prefix, 0) && end.is_some_and(|end| fits(&self.suffix, end))
    }
}
