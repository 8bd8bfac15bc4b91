//! The methods of documents.

use super::super::engine::Engine;
use super::{unreadable, write};
use crate::error::Result;
use crate::memory::documents::{Outcome, operations};
use crate::scope::Scope;

impl Engine {
    /// Calls `documents.<name>`: `batch`, or the name of an operation.
    pub(super) async fn call_documents(&self, name: &str, scope: &Scope, options: &str) -> Result<String> {
        let options = serde_json::from_str(options).map_err(|_| unreadable("options", options))?;
        let mut outcomes = self.documents.run(scope, operations(name, options)?).await?;
        let answer = match outcomes.pop() {
            Some(outcome) if name != "batch" => outcome,
            last => {
                outcomes.extend(last);
                Outcome::Batch(outcomes)
            }
        };
        write(&answer)
    }
}
