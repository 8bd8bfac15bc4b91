//! The operations on documents: read from JSON and checked, so that carrying them out does not fail half way.

use super::document::{check, check_data, ttl};
use super::fields::Fields;
use super::index::Index;
use super::list::List;
use super::namespace::{key, prefix};
use super::search::Search;
use super::selection::Selection;
use super::staged::Condition;
use crate::error::Result;
use serde_json::{Map, Value};

/// The most namespaces that have settings of their own.
const MAX_NAMESPACES: usize = 100;

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
    Search { search: Box<Search>, refresh: Option<bool> },
    /// Lists namespaces.
    List(List),
}

/// What holds for documents for which a call says nothing else.
#[derive(Debug)]
pub(crate) struct Defaults {
    everywhere: Settings,
    /// What holds below some namespaces, by what the record keys of their documents begin with.
    namespaces: Vec<(String, Settings)>,
}

/// How documents are kept.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    /// Which parts are searched: paths such as `a.b`, `list[*].x`, `list[0]`, `list[-1]`, and `$`, the whole, which is the
    /// default.
    index: Index,
    /// How many milliseconds a document lives; for ever by default.
    ttl: Option<i64>,
    /// Whether reading a document lets its time to live begin anew; true by default.
    pub(super) refresh: bool,
}

impl Defaults {
    /// Reads `index`, `ttlMs` and `refreshTtl`, and `namespaces`, a list of objects with a `prefix` and the same.
    ///
    /// # Errors
    /// `InvalidInput` that names the option.
    pub(crate) fn read(options: Map<String, Value>) -> Result<Self> {
        let mut fields = Fields::of(Value::Object(options), "documents.".to_owned())?;
        let whole = Index::read(&Value::Array(vec!["$".into()]))?;
        let everywhere = Settings { index: whole, ttl: None, refresh: true }.or(&mut fields)?;
        let mut namespaces = Vec::new();
        for (place, item) in fields.items("namespaces", MAX_NAMESPACES)?.into_iter().enumerate() {
            let mut own = fields.inside("namespaces", place, item)?;
            namespaces.push((prefix(&own.texts("prefix")?)?, everywhere.clone().or(&mut own)?));
            own.end()?;
        }
        fields.end()?;
        Ok(Self { everywhere, namespaces })
    }

    /// What holds for the document of a record's key: the settings of the longest namespace above it.
    pub(super) fn of(&self, key: &str) -> &Settings {
        let above = self.namespaces.iter().filter(|(prefix, _)| key.starts_with(prefix));
        above.max_by_key(|(prefix, _)| prefix.len()).map_or(&self.everywhere, |(_, settings)| settings)
    }
}

impl Settings {
    /// The same, where the options say nothing else.
    fn or(self, fields: &mut Fields) -> Result<Self> {
        Ok(Self {
            index: fields.take("index").as_ref().map_or(Ok(self.index), Index::read)?,
            ttl: fields.take("ttlMs").as_ref().map_or(Ok(self.ttl), ttl)?,
            refresh: fields.flag("refreshTtl", self.refresh)?,
        })
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
                let value = content(&mut fields)?;
                let settings = defaults.of(&key);
                let own = fields.take("index").as_ref().map(Index::read).transpose()?;
                let index = own.as_ref().unwrap_or(&settings.index);
                Self::Put {
                    // Bytes have no words.
                    text: if value.is_object() { index.text(&value) } else { None },
                    key,
                    value,
                    ttl: fields.take("ttlMs").as_ref().map_or(Ok(settings.ttl), ttl)?,
                    condition: condition(&mut fields)?,
                }
            }
            "get" => {
                let key = address(&mut fields)?;
                Self::Get { refresh: fields.flag("refreshTtl", defaults.of(&key).refresh)?, key }
            }
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
            "deleteAll" => {
                // What is missing by mistake must not be everything.
                fields.needs("prefix")?;
                Self::DeleteAll(Box::new(Selection::read(&mut fields, None)?))
            }
            "list" => Self::Search {
                search: Box::new(Search::names(Selection::read(&mut fields, Some(100))?)),
                refresh: Some(false),
            },
            "search" => Self::Search {
                search: Box::new(Search::read(&mut fields)?),
                refresh: fields.flag_if_any("refreshTtl")?,
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

/// What a document is to hold: an object, or bytes as base64, which are kept as a text.
fn content(fields: &mut Fields) -> Result<Value> {
    let (value, data) = (fields.take("value"), fields.text("data")?);
    match (value, data) {
        (None, Some(data)) => {
            check_data(&data)?;
            Ok(data.into())
        }
        (Some(_), Some(data)) => Err(fields.wrong("data", &data.into(), "it or value")),
        (value, None) => {
            let value = value.unwrap_or_default();
            check(&value)?;
            Ok(value)
        }
    }
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
