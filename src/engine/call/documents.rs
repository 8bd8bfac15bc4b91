//! The methods of documents.

use super::super::engine::Engine;
use super::{unreadable, write};
use crate::error::Result;
use crate::memory::documents;
use crate::scope::Scope;

impl Engine {
    /// Calls `documents.<name>`: `batch`, or the name of an operation.
    pub(super) async fn call_documents(&self, name: &str, scope: &Scope, options: &str) -> Result<String> {
        let options = serde_json::from_str(options).map_err(|_| unreadable("options", options))?;
        let outcomes = self.documents.run(scope, documents::operations(name, options)?).await?;
        match outcomes.as_slice() {
            [outcome] if name != "batch" => write(outcome),
            outcomes => write(&outcomes),
        }
    }
}
