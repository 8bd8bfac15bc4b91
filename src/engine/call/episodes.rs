//! The methods of episodes.

use super::super::engine::Engine;
use super::super::input::read;
use super::{by_id, write};
use crate::error::Result;
use crate::scope::Scope;

impl Engine {
    /// Calls `episodes.<name>`; `None` for a name nobody knows.
    pub(super) async fn call_episodes(
        &self,
        name: &str,
        scope: &Scope,
        options: &str,
    ) -> Result<Option<String>> {
        Ok(Some(match name {
            "add" => write(&self.episodes.add(scope, &read(options)?).await?)?,
            "get" => write(&self.episodes.get(scope, by_id(options)?)?)?,
            "list" => write(&self.episodes.list(scope, &read(options)?)?)?,
            "search" => write(&self.episodes.search(scope, &read(options)?).await?)?,
            "update" => write(&self.episodes.update(scope, &read(options)?).await?)?,
            "delete" => write(&self.episodes.delete(scope, read(options)?).await?)?,
            "learn" => write(&self.episodes.learn(scope, &read(options)?).await?)?,
            _ => return Ok(None),
        }))
    }
}
