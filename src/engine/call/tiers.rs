//! The methods of the tiers.

use super::super::engine::Engine;
use super::super::input::read;
use super::{Nothing, write};
use crate::error::Result;
use crate::scope::Scope;
use serde_json::json;

impl Engine {
    /// Calls `tiers.<name>`; `None` for a name nobody knows.
    pub(super) async fn call_tiers(
        &self,
        name: &str,
        scope: &Scope,
        options: &str,
    ) -> Result<Option<String>> {
        Ok(Some(match name {
            "add" => write(&self.tiers.add(scope, read(options)?).await?)?,
            "retrieve" => write(&self.tiers.retrieve(scope, &read(options)?).await?)?,
            "prompt" => write(&self.tiers.prompt(scope, &read(options)?).await?)?,
            "respond" => write(&self.tiers.respond(scope, &read(options)?).await?)?,
            "state" => {
                let Nothing {} = read(options)?;
                write(&self.tiers.state(scope)?)?
            }
            "traits" => {
                let Nothing {} = read(options)?;
                write(&self.tiers.traits(scope)?)?
            }
            "update" => {
                let Nothing {} = read(options)?;
                write(&self.tiers.update(scope).await?)?
            }
            "remove" => write(&self.tiers.remove(scope, &read(options)?).await?)?,
            "clear" => {
                let Nothing {} = read(options)?;
                write(&json!({ "removed": self.tiers.clear(scope).await? }))?
            }
            _ => return Ok(None),
        }))
    }
}
