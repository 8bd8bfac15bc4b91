//! The methods of the virtual context.

use super::super::engine::Engine;
use super::super::input::read;
use super::{Nothing, write};
use crate::error::Result;
use crate::scope::Scope;
use serde::Deserialize;

/// Options that name a block.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Labelled {
    label: String,
}

impl Engine {
    /// Calls `context.<name>`; `None` for a name nobody knows.
    pub(super) async fn call_context(
        &self,
        name: &str,
        scope: &Scope,
        options: &str,
    ) -> Result<Option<String>> {
        let blocks = &self.blocks;
        Ok(Some(match name {
            "blocks.list" => {
                let Nothing {} = read(options)?;
                write(&blocks.list(scope)?)?
            }
            "blocks.get" => write(&blocks.get(scope, &read::<Labelled>(options)?.label)?)?,
            "blocks.set" => write(&blocks.set(scope, &read(options)?).await?)?,
            "blocks.delete" => write(&blocks.delete(scope, &read::<Labelled>(options)?.label).await?)?,
            _ => return Ok(None),
        }))
    }
}
