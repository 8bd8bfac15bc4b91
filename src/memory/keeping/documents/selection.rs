//! Which documents a call is about, and in which order.

use super::document::Shown;
use super::fields::Fields;
use super::namespace::{beginning_with, prefix, split};
use super::pattern::Patterns;
use super::staged::{Present, Staged};
use crate::error::{Error, Result};
use crate::filter::Filter;
use crate::memory::limits::{MAX_LIMIT, invalid};
use crate::ordered::in_order;
use crate::sort::sorted;
use crate::time::Timestamp;
use serde_json::Value;

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
    /// A condition on their names and times, and those that it asks for.
    about: Option<(Filter, Vec<&'static str>)>,
    /// A condition on their content.
    filter: Option<Filter>,
    order: Order,
    descending: bool,
    pub(super) limit: usize,
    pub(super) offset: usize,
}

/// What they are ordered by; of equals, the one that was first stored comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Stored,
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
            about: fields.take("where").as_ref().map(condition).transpose()?,
            filter: fields.take("filter").as_ref().map(Filter::compile).transpose()?,
            order: match order {
                Some(2) => Order::Key,
                Some(1) => Order::Updated,
                Some(_) => Order::Created,
                None => Order::Stored,
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
        let is_ordered = self.order != Order::Stored || self.descending;
        is_ordered
            .then(|| invalid("a query ranks what it finds; leave out orderBy, order and after".to_owned()))
    }

    /// The selected documents in their order, without regard to `offset` and `limit`. In one namespace and by key, and as they were
    /// stored, only what is taken of them is read.
    pub(super) fn each<'s>(&'s self, staged: &'s Staged<'_>) -> Box<dyn Iterator<Item = Present<'s>> + 's> {
        let is_one_namespace = self.order == Order::Key && self.depth == labels(&self.prefix);
        let (from, until) = if is_one_namespace { self.range() } else { beginning_with(&self.prefix) };
        let mut numbers = staged.numbers(&from, &until);
        if !is_one_namespace || staged.has_new() {
            numbers = in_order(numbers);
            if self.order != Order::Stored {
                numbers = self.sorted(staged, &numbers);
            }
        }
        if self.descending {
            numbers.reverse();
        }
        let presents = numbers.into_iter().filter_map(|number| staged.at(number));
        Box::new(presents.filter(|present| self.accepts(present)))
    }

    /// Those of some documents that are named as asked, in the order of their keys or times.
    fn sorted(&self, staged: &Staged<'_>, numbers: &[u32]) -> Vec<u32> {
        let marks = numbers.iter().filter_map(|number| {
            let named = staged.named(*number).filter(|named| self.is_named(named.key))?;
            Some(match self.order {
                Order::Key => (0, split(named.key).1, *number),
                Order::Updated => (named.updated_at, "", *number),
                _ => (named.created_at, "", *number),
            })
        });
        let marks: Vec<_> = marks.collect();
        let order = |one: &(Timestamp, &str, u32), other: &(Timestamp, &str, u32)| {
            (one.0, one.1).cmp(&(other.0, other.1))
        };
        // Mostly documents were first stored in the order of their times.
        if marks.is_sorted_by(|one, other| order(one, other).is_le()) {
            return marks.iter().map(|mark| mark.2).collect();
        }
        sorted(&marks, order).iter().map(|mark| mark.2).collect()
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
        present.key().starts_with(&self.prefix) && self.is_named(present.key()) && self.holds(present)
    }

    /// Whether the names in a record's key are as asked.
    fn is_named(&self, key: &str) -> bool {
        let (namespace, key) = split(key);
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
        let is_named = self.about.as_ref().is_none_or(|(about, names)| {
            present.document(Shown::Names).is_ok_and(|document| about.matches(&document.names(names)))
        });
        is_named
            && self.filter.as_ref().is_none_or(|filter| {
                let document = present.document(Shown::Whole);
                document.is_ok_and(|document| filter.matches(&document.value.unwrap_or_default()))
            })
    }
}

/// A condition on what is around the content.
fn condition(about: &Value) -> Result<(Filter, Vec<&'static str>)> {
    let filter = Filter::on(about, Shown::NAMES)
        .map_err(|error| Error::new(error.code, format!("where: {}", error.message)))?;
    let names = Shown::NAMES.iter().copied().filter(|name| filter.asks_for(name)).collect();
    Ok((filter, names))
}

/// How many labels end in a text of whole labels, each with its full stop.
fn labels(text: &str) -> usize {
    text.matches('.').count()
}
