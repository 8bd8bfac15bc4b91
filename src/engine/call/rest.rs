//! The methods that are not loaded with the first module.

use super::super::engine::Engine;
use super::super::input::{read, read_value};
use super::{ByCommit, by_id, unknown, write};
use crate::error::Result;
use crate::ports::{Loaded, Pending, Systems};
use crate::scope::Scope;

impl Engine {
    /// Calls a method that no system of the first module knows.
    ///
    /// A function of its own, never a part of its caller, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    pub(super) fn call_rest<'a>(
        &'a self,
        systems: Loaded<Systems>,
        method: &'a str,
        scope: &'a Scope,
        options: &'a str,
    ) -> Pending<'a, Result<String>> {
        systems.work(Box::pin(async move {
            let answer = match method.split_once('.') {
                Some(("commits", "list")) => write(&self.past.commits(scope, &read(options)?)?).map(Some)?,
                Some(("documents", name)) => return self.call_documents(name, scope, options).await,
                Some(("context", name)) => self.call_context(name, scope, options).await?,
                Some(("graph", name)) => self.call_graph(name, scope, options).await?,
                Some(("instructions", name)) => self.call_instructions(name, scope, options).await?,
                Some(("episodes", name)) => self.call_episodes(name, scope, options).await?,
                Some(("proposals", name)) => self.call_proposals(name, scope, options).await?,
                Some(("tiers", name)) => self.call_tiers(name, scope, options).await?,
                Some(("facts", name)) => self.call_seldom_facts(name, scope, options).await?,
                Some(("items", name)) => self.call_seldom_items(name, scope, options).await?,
                Some(("profiles", name)) => self.call_seldom_profiles(name, scope, options).await?,
                Some(("threads", name)) => self.call_seldom_threads(name, scope, options).await?,
                Some(("backups", name)) => self.call_backups(name, Some(scope), options).await?,
                Some(("lock", name)) => self.call_lock(name, scope, options).await?,
                Some(_) => None,
                None => self.call_other(method, scope, options).await?,
            };
            answer.ok_or_else(|| unknown(method))
        }))
    }

    /// The methods of no single system; `None` for a name nobody knows.
    async fn call_other(&self, method: &str, scope: &Scope, options: &str) -> Result<Option<String>> {
        Ok(Some(match method {
            "generate" => {
                write(&self.ingest.generate(scope, read_value(self.messages(options).await?)?).await?)?
            }
            "history" => write(&self.past.history(scope, by_id(options)?)?)?,
            "explain" => write(&self.past.explain(scope, by_id(options)?)?)?,
            "assemble" => {
                write(&self.assembly.assemble(scope, &read_value(self.messages(options).await?)?).await?)?
            }
            "tools" => write(&self.tools(&read(options)?)?)?,
            "callTool" => write(&self.call_tool(scope, read(options)?).await?)?,
            "forget" => write(&self.forgetting.forget(scope, &read(options)?).await?)?,
            "undo" => write(&self.past.undo(scope, read::<ByCommit>(options)?.commit_id).await?)?,
            _ => return Ok(None),
        }))
    }
}
