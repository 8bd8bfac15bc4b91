//! Before a memory is closed: what rules have still to learn.

use super::queue::Ingest;
use crate::memory::schedule::Job;
use crate::record::Kind;
use crate::scope::Scope;
use futures_util::future::select;
use std::pin::pin;

/// How long closing waits for it, in milliseconds.
const PATIENCE_MS: u32 = 2000;

impl Ingest {
    /// Learns by rules from what waits, for a while at most; what is left is learned after the next opening. Rules cost little, and a
    /// memory that is closed after each call would never learn. A model is not waited for.
    pub(crate) async fn finish(&self) {
        let inner = &self.inner;
        if inner.models.has_llm() || !inner.options.auto || inner.database.is_closed() {
            return;
        }
        let rules = async {
            // What is queued is remembered too.
            inner.database.rest().await;
            let scopes = self.waiting_scopes();
            // Work goes by what a search finds.
            if scopes.is_empty() || inner.database.indexed().await.is_err() {
                return;
            }
            for scope in &scopes {
                let _turn = inner.scheduler.turn(scope).await;
                // What fails is tried after the next opening.
                while let Ok(true) = self.step(Some(scope)).await {}
            }
        };
        select(pin!(rules), inner.database.platform().sleep(PATIENCE_MS)).await;
    }

    /// The scopes in which something waits to be learned from.
    fn waiting_scopes(&self) -> Vec<Scope> {
        let waiting = self.inner.database.read(|store| {
            let waits = |scope: &&Scope| store.records(scope, Kind::Task).next().is_some();
            Ok(store.scopes().filter(waits).cloned().collect())
        });
        waiting.unwrap_or_default()
    }
}
