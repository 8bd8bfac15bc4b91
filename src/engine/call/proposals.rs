//! The methods of proposals.

use super::super::engine::Engine;
use super::super::input::read;
use super::{Nothing, write};
use crate::error::Result;
use crate::scope::Scope;

impl Engine {
    /// Calls `proposals.<name>`; `None` for a name nobody knows.
    pub(super) async fn call_proposals(
        &self,
        name: &str,
        scope: &Scope,
        options: &str,
    ) -> Result<Option<String>> {
        Ok(Some(match name {
            "list" => {
                let Nothing {} = read(options)?;
                write(&self.proposals.list(scope)?)?
            }
            "accept" => write(&self.proposals.accept(scope, &read(options)?).await?)?,
            "reject" => write(&self.proposals.reject(scope, &read(options)?).await?)?,
            _ => return Ok(None),
        }))
    }
}
