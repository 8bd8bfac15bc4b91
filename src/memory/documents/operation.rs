//! The operations on documents, as they are asked for.

use super::super::search::ten;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// Keeps a document.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Put {
    /// Where: at least one label, none of them empty or with a full stop, the first not `langgraph`.
    pub namespace: Vec<String>,
    /// Its name there; namespace and key have at most 1024 bytes together.
    pub key: String,
    /// Its content: an object of at most 400 KiB of JSON.
    pub value: Value,
    /// Which parts are searched: a list of paths, or `false` for none; as the memory was opened by default.
    pub index: Option<Value>,
    /// How many minutes it lives, or `false` for ever; as the memory was opened by default.
    pub ttl_minutes: Option<Value>,
}

/// Reads a document.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Get {
    /// Where.
    pub namespace: Vec<String>,
    /// Its name there.
    pub key: String,
    /// Whether its time to live begins anew; as the memory was opened by default.
    pub refresh_ttl: Option<bool>,
}

/// Names a document.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Address {
    /// Where.
    pub namespace: Vec<String>,
    /// Its name there.
    pub key: String,
}

/// Finds documents.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Search {
    /// The first labels of the namespaces; all namespaces by default.
    #[serde(default)]
    pub prefix: Vec<String>,
    /// Words to rank by; in the order in which they were first put by default.
    pub query: Option<String>,
    /// A condition on the content.
    pub filter: Option<Value>,
    /// How many at most, 1 to 1000; 10 by default.
    #[serde(default = "ten")]
    pub limit: usize,
    /// How many to skip; 0 by default.
    #[serde(default)]
    pub offset: usize,
    /// Whether the time to live of what is found begins anew; as the memory was opened by default.
    pub refresh_ttl: Option<bool>,
}

/// Lists the namespaces that hold documents.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ListNamespaces {
    /// Their first labels, `*` for any one; any by default.
    pub prefix: Vec<String>,
    /// Their last labels, `*` for any one; any by default.
    pub suffix: Vec<String>,
    /// Of longer ones so many labels, at least 1; all by default.
    pub max_depth: Option<usize>,
    /// How many at most, 1 to 1000; 100 by default.
    pub limit: usize,
    /// How many to skip; 0 by default.
    pub offset: usize,
}

impl Default for ListNamespaces {
    fn default() -> Self {
        Self { prefix: Vec::new(), suffix: Vec::new(), max_depth: None, limit: 100, offset: 0 }
    }
}

/// One operation: an object whose `op` is `put`, `get`, `delete`, `search` or `listNamespaces`, with the options of that call.
#[derive(Debug, Clone)]
pub enum Operation {
    /// Keeps a document.
    Put(Put),
    /// Reads a document.
    Get(Get),
    /// Ends a document.
    Delete(Address),
    /// Finds documents.
    Search(Search),
    /// Lists namespaces.
    ListNamespaces(ListNamespaces),
}

/// Several operations.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// The operations, in order; at most 1000.
    pub operations: Vec<Operation>,
}

impl<'de> Deserialize<'de> for Operation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut options = Map::deserialize(deserializer)?;
        let op = options.remove("op").unwrap_or_default();
        let operation = match op.as_str() {
            Some("put") => options_of(options).map(Self::Put),
            Some("get") => options_of(options).map(Self::Get),
            Some("delete") => options_of(options).map(Self::Delete),
            Some("search") => options_of(options).map(Self::Search),
            Some("listNamespaces") => options_of(options).map(Self::ListNamespaces),
            _ => {
                Err(format!("op is {op}; use \"put\", \"get\", \"delete\", \"search\" or \"listNamespaces\""))
            }
        };
        operation.map_err(D::Error::custom)
    }
}

fn options_of<T: DeserializeOwned>(options: Map<String, Value>) -> Result<T, String> {
    serde_json::from_value(Value::Object(options)).map_err(|error| error.to_string())
}
