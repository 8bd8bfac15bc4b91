//! The methods that search, apart from those of `systems`.

use super::super::engine::Engine;
use super::super::input::read;
use super::{unknown, write};
use crate::error::Result;
use crate::ports::{Loaded, Pending, Search};
use crate::scope::Scope;

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
                "facts.search" => write(&self.facts.search(scope, &read(options)?).await?),
                "threads.search" => write(&self.threads.search(scope, &read(options)?).await?),
                "recall" => write(&self.recall.recall(scope, &read(options)?).await?),
                _ => Err(unknown(method)),
            }
        }))
    }
}
