//! The operations on documents: read from JSON and checked, so that carrying them out does not fail half way.

use super::document::{check, ttl};
use super::fields::Fields;
use super::index::Index;
use super::list::List;
use super::namespace::key;
use super::search::Search;
use crate::error::Result;
use serde_json::{Map, Value};

/// One operation.
#[derive(Debug)]
pub(super) enum Operation {
    /// Keeps a document.
    Put { key: String, value: Value, text: Option<String>, ttl_minutes: Option<f64> },
    /// Reads a document.
    Get { key: String, refresh: bool },
    /// Ends a document.
    Delete { key: String },
    /// Finds documents.
    Search { search: Box<Search>, refresh: bool },
    /// Lists namespaces.
    List(List),
}

/// What holds for documents for which a call says nothing else.
#[derive(Debug)]
pub(crate) struct Defaults {
    /// Which parts are searched: paths such as `a.b`, `list[*].x`, `list[0]`, `list[-1]`, and `$`, the whole, which is the
    /// default.
    index: Index,
    /// How many minutes a document lives; for ever by default.
    ttl_minutes: Option<f64>,
    /// Whether reading a document lets its time to live begin anew; true by default.
    refresh_on_read: bool,
}

impl Defaults {
    /// Reads `index`, `ttlMinutes` and `refreshOnRead`.
    ///
    /// # Errors
    /// `InvalidInput` that names the option.
    pub(crate) fn read(options: Map<String, Value>) -> Result<Self> {
        let mut fields = Fields::of(Value::Object(options), "documents.".to_owned())?;
        let index = fields.take("index").unwrap_or_else(|| Value::Array(vec!["$".into()]));
        let defaults = Self {
            index: Index::read(&index)?,
            ttl_minutes: fields.take("ttlMinutes").as_ref().map_or(Ok(None), ttl)?,
            refresh_on_read: fields.flag("refreshOnRead", true)?,
        };
        fields.end()?;
        Ok(defaults)
    }
}

impl Operation {
    /// Reads an object whose `op` is `put`, `get`, `delete`, `search` or `listNamespaces`, with its options.
    ///
    /// # Errors
    /// `InvalidInput` and `InvalidFilter` that name the option.
    pub(super) fn read(value: Value, place: String, defaults: &Defaults) -> Result<Self> {
        let mut fields = Fields::of(value, place)?;
        let op = fields.text("op")?.ok_or_else(|| fields.missing("op"))?;
        let operation = match op.as_str() {
            "put" => {
                let key = address(&mut fields)?;
                let value = fields.take("value").unwrap_or_default();
                check(&value)?;
                let own = fields.take("index").as_ref().map(Index::read).transpose()?;
                let ttl_minutes = fields.take("ttlMinutes").as_ref().map_or(Ok(defaults.ttl_minutes), ttl)?;
                Self::Put {
                    key,
                    text: own.as_ref().unwrap_or(&defaults.index).text(&value),
                    value,
                    ttl_minutes,
                }
            }
            "get" => Self::Get { key: address(&mut fields)?, refresh: refresh(&mut fields, defaults)? },
            "delete" => Self::Delete { key: address(&mut fields)? },
            "search" => Self::Search {
                search: Box::new(Search::read(&mut fields)?),
                refresh: refresh(&mut fields, defaults)?,
            },
            "listNamespaces" => Self::List(List::read(&mut fields)?),
            _ => return Err(fields.wrong("op", &op.into(), "put, get, delete, search or listNamespaces")),
        };
        fields.end()?;
        Ok(operation)
    }
}

/// The operations of a call: those of `batch`, or the one that the method names.
///
/// # Errors
/// `InvalidInput` that names the option.
pub(crate) fn operations(method: &str, options: Value) -> Result<Vec<Value>> {
    let mut fields = Fields::of(options, String::new())?;
    if method != "batch" {
        return fields.with("op", method).map(|operation| vec![operation]);
    }
    let operations = fields.take("operations").unwrap_or_default();
    let Value::Array(operations) = operations else {
        return Err(fields.wrong("operations", &operations, "a list of operations"));
    };
    fields.end()?;
    Ok(operations)
}

/// The record's key of a namespace and a key.
fn address(fields: &mut Fields) -> Result<String> {
    let namespace = fields.texts("namespace")?;
    key(&namespace, &fields.text("key")?.ok_or_else(|| fields.missing("key"))?)
}

fn refresh(fields: &mut Fields, defaults: &Defaults) -> Result<bool> {
    fields.flag("refreshTtl", defaults.refresh_on_read)
}
