//! The operations on documents: read from JSON and checked, so that carrying them out does not fail half way.

use super::document::{check, ttl};
use super::fields::Fields;
use super::index::Index;
use super::list::List;
use super::namespace::key;
use super::search::Search;
use super::selection::Selection;
use super::staged::Condition;
use crate::error::Result;
use serde_json::{Map, Value};

/// One operation.
#[derive(Debug)]
pub(super) enum Operation {
    /// Keeps a document.
    Put { key: String, value: Value, text: Option<String>, ttl: Option<i64>, condition: Condition },
    /// Reads a document.
    Get { key: String, refresh: bool },
    /// Ends a document.
    Delete { key: String, condition: Condition },
    /// Gives a document another name.
    Move { key: String, to: String, condition: Condition },
    /// Ends some documents.
    DeleteAll(Box<Selection>),
    /// Finds documents, or lists what is around their content.
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
    /// How many milliseconds a document lives; for ever by default.
    ttl: Option<i64>,
    /// Whether reading a document lets its time to live begin anew; true by default.
    refresh: bool,
}

impl Defaults {
    /// Reads `index`, `ttlMs` and `refreshTtl`.
    ///
    /// # Errors
    /// `InvalidInput` that names the option.
    pub(crate) fn read(options: Map<String, Value>) -> Result<Self> {
        let mut fields = Fields::of(Value::Object(options), "documents.".to_owned())?;
        let index = fields.take("index").unwrap_or_else(|| Value::Array(vec!["$".into()]));
        let defaults = Self {
            index: Index::read(&index)?,
            ttl: fields.take("ttlMs").as_ref().map_or(Ok(None), ttl)?,
            refresh: fields.flag("refreshTtl", true)?,
        };
        fields.end()?;
        Ok(defaults)
    }
}

impl Operation {
    /// Reads an object whose `op` is `put`, `get`, `move`, `delete`, `deleteAll`, `search`, `list` or `listNamespaces`, with its options.
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
                Self::Put {
                    key,
                    text: own.as_ref().unwrap_or(&defaults.index).text(&value),
                    value,
                    ttl: fields.take("ttlMs").as_ref().map_or(Ok(defaults.ttl), ttl)?,
                    condition: condition(&mut fields)?,
                }
            }
            "get" => Self::Get { key: address(&mut fields)?, refresh: refresh(&mut fields, defaults)? },
            "delete" => Self::Delete { key: address(&mut fields)?, condition: revision(&mut fields)? },
            "move" => {
                let (namespace, name) = named(&mut fields)?;
                let other = fields.texts("toNamespace")?;
                let to = fields.text("toKey")?;
                Self::Move {
                    key: key(&namespace, &name)?,
                    to: key(if other.is_empty() { &namespace } else { &other }, &to.unwrap_or(name))?,
                    condition: revision(&mut fields)?,
                }
            }
            "deleteAll" => Self::DeleteAll(Box::new(Selection::read(&mut fields, None)?)),
            "list" => Self::Search {
                search: Box::new(Search::names(Selection::read(&mut fields, Some(100))?)),
                refresh: false,
            },
            "search" => Self::Search {
                search: Box::new(Search::read(&mut fields)?),
                refresh: refresh(&mut fields, defaults)?,
            },
            "listNamespaces" => Self::List(List::read(&mut fields)?),
            _ => {
                return Err(fields.wrong(
                    "op",
                    &op.into(),
                    "put, get, move, delete, deleteAll, search, list or listNamespaces",
                ));
            }
        };
        fields.end()?;
        Ok(operation)
    }
}

impl Operation {
    /// Whether it is carried out only on a certain document.
    pub(super) fn is_conditional(&self) -> bool {
        let (Self::Put { condition, .. } | Self::Move { condition, .. } | Self::Delete { condition, .. }) =
            self
        else {
            return false;
        };
        !matches!(condition, Condition::None)
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
    let (namespace, name) = named(fields)?;
    key(&namespace, &name)
}

fn named(fields: &mut Fields) -> Result<(Vec<String>, String)> {
    let namespace = fields.texts("namespace")?;
    Ok((namespace, fields.text("key")?.ok_or_else(|| fields.missing("key"))?))
}

fn refresh(fields: &mut Fields, defaults: &Defaults) -> Result<bool> {
    fields.flag("refreshTtl", defaults.refresh)
}

/// What `ifAbsent` or `ifRevision` asks for.
fn condition(fields: &mut Fields) -> Result<Condition> {
    let is_absent = fields.flag("ifAbsent", false)?;
    match revision(fields)? {
        Condition::None if is_absent => Ok(Condition::Absent),
        Condition::Revision(_) if is_absent => {
            Err(fields.wrong("ifAbsent", &true.into(), "it or ifRevision"))
        }
        condition => Ok(condition),
    }
}

fn revision(fields: &mut Fields) -> Result<Condition> {
    let revision = fields.count("ifRevision", 1..=u32::MAX as usize, 0)?;
    Ok(if revision == 0 {
        Condition::None
    } else {
        Condition::Revision(u32::try_from(revision).unwrap_or(u32::MAX))
    })
}
