//! Listing the namespaces that hold documents.

use super::super::limits;
use super::namespace::{check, labels, prefix, split};
use super::operation::ListNamespaces;
use super::staged::Staged;
use crate::error::Result;
use rustc_hash::FxHashSet;

/// Stands for any one label.
const ANY: &str = "*";

impl ListNamespaces {
    /// Checks the options.
    ///
    /// # Errors
    /// `InvalidInput`.
    pub(super) fn check(&self) -> Result<()> {
        limits::limit(self.limit)?;
        prefix(&self.prefix)?;
        check(&self.suffix)?;
        if self.max_depth == Some(0) {
            return Err(limits::invalid("maxDepth is 0; it counts labels, from 1".to_owned()));
        }
        Ok(())
    }

    /// The namespaces, label by label in the order of their code points.
    pub(super) fn list(&self, staged: &Staged<'_>) -> Vec<Vec<String>> {
        let mut parts: FxHashSet<String> = FxHashSet::default();
        for present in staged.below("") {
            let (part, _) = split(present.key());
            if !parts.contains(part) {
                parts.insert(part.to_owned());
            }
        }
        let mut namespaces: Vec<Vec<String>> = parts.iter().map(|part| labels(part)).collect();
        namespaces.retain(|namespace| {
            begins(namespace.iter(), self.prefix.iter())
                && begins(namespace.iter().rev(), self.suffix.iter().rev())
        });
        if let Some(depth) = self.max_depth {
            namespaces.iter_mut().for_each(|namespace| namespace.truncate(depth));
        }
        namespaces.sort_unstable();
        namespaces.dedup();
        namespaces.into_iter().skip(self.offset).take(self.limit).collect()
    }
}

fn begins<'l>(
    mut labels: impl Iterator<Item = &'l String>,
    mut pattern: impl Iterator<Item = &'l String>,
) -> bool {
    pattern.all(|wanted| labels.next().is_some_and(|label| wanted == ANY || wanted == label))
}
