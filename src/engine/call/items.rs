//! The methods of items.

use super::super::engine::Engine;
use super::super::input::read;
use super::{by_id, write};
use crate::error::Result;
use crate::scope::Scope;

impl Engine {
    /// Calls `items.<name>`; `None` for a name nobody knows.
    pub(super) async fn call_items(
        &self,
        name: &str,
        scope: &Scope,
        options: &str,
    ) -> Result<Option<String>> {
        Ok(Some(match name {
            "list" => write(&self.items.list(scope, &read(options)?)?)?,
            "get" => write(&self.items.get(scope, by_id(options)?)?)?,
            "pin" => write(&self.items.pin(scope, read(options)?).await?)?,
            _ => return Ok(None),
        }))
    }

    /// Calls a method of items that is not loaded with the first module; `None` for a name nobody knows.
    pub(super) async fn call_seldom_items(
        &self,
        name: &str,
        scope: &Scope,
        options: &str,
    ) -> Result<Option<String>> {
        Ok(Some(match name {
            "delete" => write(&self.items.delete(scope, read(options)?).await?)?,
            "edit" => write(&self.items.edit(scope, &read(options)?).await?)?,
            "purge" => write(&self.items.purge(scope, &read(options)?).await?)?,
            _ => return Ok(None),
        }))
    }
}
