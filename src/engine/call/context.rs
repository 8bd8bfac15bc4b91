//! The methods of the virtual context.

use super::super::engine::Engine;
use super::super::input::{read, read_value};
use super::{Nothing, by_id, write};
use crate::error::Result;
use crate::scope::Scope;
use serde::Deserialize;

/// Options that name a block.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Labelled {
    label: String,
}

/// Options that name a step to abort.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
}

/// Options that name a thread.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct InThread {
    thread_id: Option<String>,
}

impl Engine {
    /// Calls `context.<name>`; `None` for a name nobody knows.
    pub(super) async fn call_context(
        &self,
        name: &str,
        scope: &Scope,
        options: &str,
    ) -> Result<Option<String>> {
        let context = &self.context;
        let blocks = &context.blocks;
        Ok(Some(match name {
            "blocks.list" => {
                let Nothing {} = read(options)?;
                write(&blocks.list(scope)?)?
            }
            "blocks.get" => write(&blocks.get(scope, &read::<Labelled>(options)?.label)?)?,
            "blocks.set" => write(&blocks.set(scope, &read(options)?).await?)?,
            "blocks.delete" => write(&blocks.delete(scope, &read::<Labelled>(options)?.label).await?)?,
            "call" => write(&context.call(scope, &read(options)?).await?)?,
            "load" => write(&context.load(scope, &read(options)?).await?)?,
            "archive.insert" => write(&context.archive.insert(scope, &read(options)?).await?)?,
            "archive.search" => write(&context.archive.search(scope, &read(options)?).await?)?,
            "archive.delete" => write(&context.archive.delete(scope, by_id(options)?).await?)?,
            "step" => write(&context.step(scope, read_value(self.messages(options).await?)?).await?)?,
            "abort" => {
                context.abort(scope, &read::<Named>(options)?.name);
                write(&())?
            }
            "status" => write(&context.status(scope, read::<InThread>(options)?.thread_id.as_deref())?)?,
            _ => return Ok(None),
        }))
    }
}
