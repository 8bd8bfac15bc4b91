//! The methods of documents.

use super::super::engine::Engine;
use super::super::input::read;
use super::write;
use crate::error::Result;
use crate::memory::documents::{Batch, Operation};
use crate::scope::Scope;

impl Engine {
    /// Calls `documents.<name>`; `None` for a name nobody knows. Each is a batch of one operation.
    pub(super) async fn call_documents(
        &self,
        name: &str,
        scope: &Scope,
        options: &str,
    ) -> Result<Option<String>> {
        let operations = match name {
            "put" => vec![Operation::Put(read(options)?)],
            "get" => vec![Operation::Get(read(options)?)],
            "delete" => vec![Operation::Delete(read(options)?)],
            "search" => vec![Operation::Search(read(options)?)],
            "listNamespaces" => vec![Operation::ListNamespaces(read(options)?)],
            "batch" => read::<Batch>(options)?.operations,
            _ => return Ok(None),
        };
        let outcomes = self.documents.run(scope, &operations).await?;
        let answer = match outcomes.as_slice() {
            [outcome] if name != "batch" => write(outcome),
            outcomes => write(&outcomes),
        };
        answer.map(Some)
    }
}
