//! The methods of threads.

use super::super::engine::Engine;
use super::super::input::read;
use super::{Nothing, write};
use crate::error::Result;
use crate::scope::Scope;

impl Engine {
    /// Calls `threads.<name>`; `None` for a name nobody knows.
    pub(super) async fn call_threads(
        &self,
        name: &str,
        scope: &Scope,
        options: &str,
    ) -> Result<Option<String>> {
        Ok(Some(match name {
            "list" => {
                let Nothing {} = read(options)?;
                write(&self.threads.list(scope)?)?
            }
            "messages" => write(&self.threads.messages(scope, &read(options)?)?)?,
            "search" => write(&self.threads.search(scope, &read(options)?).await?)?,
            _ => return Ok(None),
        }))
    }
}
