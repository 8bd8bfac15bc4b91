//! The methods that search, apart from those of `systems`.

use super::super::engine::Engine;
use super::super::input::read;
use super::{unknown, write};
use crate::error::Result;
use crate::id::Id;
use crate::ports::{Loaded, Pending, Search};
use crate::scope::Scope;
use crate::time::Timestamp;
use serde::Deserialize;

/// Options that name a fact, and may ask what contradicts it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Contested {
    id: Id,
    as_of: Option<Timestamp>,
    #[serde(default)]
    contested: bool,
}

impl Engine {
    /// Calls one of [`SEARCHES`](super::SEARCHES).
    ///
    /// A function of its own, never a part of its caller, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    pub(super) fn call_search<'a>(
        &'a self,
        search: Loaded<Search>,
        method: &'a str,
        scope: &'a Scope,
        options: &'a str,
    ) -> Pending<'a, Result<String>> {
        search.work(Box::pin(async move {
            match method {
                "facts.get" => {
                    let Contested { id, as_of, contested } = read(options)?;
                    let fact = if contested {
                        self.facts.get_contested(scope, id, as_of)
                    } else {
                        self.facts.get(scope, id, as_of)
                    };
                    write(&fact?)
                }
                "facts.list" => write(&self.facts.list_contested(scope, &read(options)?).await?),
                "facts.search" => write(&self.facts.search(scope, &read(options)?).await?),
                "threads.search" => write(&self.threads.search(scope, &read(options)?).await?),
                "recall" => write(&self.recall.recall(scope, &read(options)?).await?),
                _ => Err(unknown(method)),
            }
        }))
    }
}
