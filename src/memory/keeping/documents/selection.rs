//! Which documents a call is about, and in which order.

use super::document::Shown;
use super::fields::Fields;
use super::namespace::{prefix, split};
use super::pattern::Patterns;
use super::staged::{Present, Staged};
use crate::error::{Error, Result};
use crate::filter::Filter;
use crate::json::to_value;
use crate::memory::limits::{MAX_LIMIT, invalid};
use crate::sort::sorted;

/// Some of the documents, in an order.
#[derive(Debug)]
pub(super) struct Selection {
    /// What the record keys begin with.
    prefix: String,
    /// How many labels their namespaces have at most beyond those of the prefix.
    depth: usize,
    /// What else is said of their namespaces.
    patterns: Patterns,
    /// What their keys begin with.
    key_prefix: String,
    /// The key behind which they come in the order of keys; empty for none.
    after: String,
    /// A condition on their names and times.
    about: Option<Filter>,
    /// A condition on their content.
    filter: Option<Filter>,
    order: Order,
    descending: bool,
    pub(super) limit: usize,
    pub(super) offset: usize,
}

/// What they are ordered by; of equals, the one that was first put comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Created,
    Updated,
    Key,
}

impl Selection {
    /// Reads `prefix`, `depth`, `match`, `keyPrefix`, `where`, `filter`, `orderBy`, `order`, `after`, `limit` and `offset`. A `limit` of
    /// `None` is for all, and up to all can be asked for.
    ///
    /// # Errors
    /// `InvalidInput` and `InvalidFilter`.
    pub(super) fn read(fields: &mut Fields, limit: Option<usize>) -> Result<Self> {
        let most = limit.map_or(usize::MAX, |_| MAX_LIMIT);
        let labels = fields.texts("prefix")?;
        let order = fields.one_of("orderBy", &["createdAt", "updatedAt", "key"])?;
        let selection = Self {
            prefix: prefix(&labels)?,
            depth: fields.count("depth", 0..=usize::MAX, usize::MAX)?.saturating_add(labels.len()),
            patterns: Patterns::read(fields)?,
            key_prefix: fields.text("keyPrefix")?.unwrap_or_default(),
            after: fields.text("after")?.unwrap_or_default(),
            about: fields.take("where").as_ref().map(|about| Filter::on(about, Shown::NAMES)).transpose()?,
            filter: fields.take("filter").as_ref().map(Filter::compile).transpose()?,
            order: match order {
                Some(2) => Order::Key,
                Some(1) => Order::Updated,
                _ => Order::Created,
            },
            descending: fields.one_of("order", &["asc", "desc"])? == Some(1),
            limit: fields.count("limit", 1..=most, limit.unwrap_or(most))?,
            offset: fields.count("offset", 0..=usize::MAX, 0)?,
        };
        if !selection.after.is_empty() && selection.order != Order::Key {
            return Err(invalid("after is a key; pass orderBy: \"key\" with it".to_owned()));
        }
        Ok(selection)
    }

    /// That an order was asked for, if one was: where a query ranks there is no other.
    pub(super) fn ordered(&self) -> Option<Error> {
        let is_ordered = self.order != Order::Created || self.descending;
        is_ordered
            .then(|| invalid("a query ranks what it finds; leave out orderBy, order and after".to_owned()))
    }

    /// The selected documents in their order, without regard to `offset` and `limit`. In one namespace and by key, it costs what is
    /// taken of them.
    pub(super) fn each<'s>(&'s self, staged: &'s Staged<'_>) -> Box<dyn Iterator<Item = Present<'s>> + 's> {
        if self.order == Order::Key && self.depth == labels(&self.prefix) && !staged.has_new() {
            let (from, until) = self.range();
            let documents = staged.between(&from, &until).filter(|present| self.accepts(present));
            return if self.descending { Box::new(documents.rev()) } else { Box::new(documents) };
        }
        let named: Vec<Present<'_>> =
            staged.below(&self.prefix).filter(|present| self.is_named(present)).collect();
        let time = |present: &Present<'_>| match self.order {
            Order::Updated => present.updated_at(),
            _ => present.created_at(),
        };
        let mut ordered = sorted(&named, |one, other| match self.order {
            Order::Key => split(one.key()).1.cmp(split(other.key()).1),
            _ => time(one).cmp(&time(other)),
        });
        if self.descending {
            ordered.reverse();
        }
        let ordered: Vec<Present<'_>> = ordered.into_iter().copied().collect();
        Box::new(ordered.into_iter().filter(|present| self.holds(present)))
    }

    /// The record keys among which they are, when all are in the namespace of the prefix.
    fn range(&self) -> (Vec<u8>, Vec<u8>) {
        let of = |key: &str, end: &[u8]| [self.prefix.as_bytes(), b".", key.as_bytes(), end].concat();
        let (from, until) = (of(&self.key_prefix, b""), of(&self.key_prefix, &[u8::MAX]));
        match (self.after.as_str(), self.descending) {
            ("", _) => (from, until),
            (after, true) => (from, until.min(of(after, b""))),
            (after, false) => (from.max(of(after, b"\0")), until),
        }
    }

    /// Whether a document is one of them.
    pub(super) fn accepts(&self, present: &Present<'_>) -> bool {
        present.key().starts_with(&self.prefix) && self.is_named(present) && self.holds(present)
    }

    /// Whether its names are as asked.
    fn is_named(&self, present: &Present<'_>) -> bool {
        let (namespace, key) = split(present.key());
        let is_behind = match (self.after.as_str(), self.descending) {
            ("", _) => true,
            (after, true) => key < after,
            (after, false) => key > after,
        };
        is_behind
            && key.starts_with(&self.key_prefix)
            && labels(namespace) < self.depth
            && self.patterns.accept(namespace)
    }

    /// Whether the conditions hold for it.
    fn holds(&self, present: &Present<'_>) -> bool {
        let matches = |filter: &Option<Filter>, shown: Shown| {
            filter.as_ref().is_none_or(|filter| {
                let document = present.document(shown);
                document
                    .and_then(|document| match shown {
                        Shown::Names => to_value(&document),
                        Shown::Whole => Ok(document.value.unwrap_or_default()),
                    })
                    .is_ok_and(|value| filter.matches(&value))
            })
        };
        matches(&self.about, Shown::Names) && matches(&self.filter, Shown::Whole)
    }
}

/// How many labels end in a text of whole labels, each with its full stop.
fn labels(text: &str) -> usize {
    text.matches('.').count()
}
