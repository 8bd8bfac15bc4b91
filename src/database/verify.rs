//! Verifying: every byte that is stored is read and checked again.

use super::database::{Database, stopped};
use crate::error::Result;
use crate::log::Damage;
use crate::ordered::in_order;
use serde::Serialize;
use std::cell::RefCell;
use std::rc::Rc;

/// What a check of the whole storage found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Whether everything stored is readable.
    pub ok: bool,
    /// What is not.
    pub damage: Vec<Damage>,
    /// Readable commits.
    pub commits: usize,
    /// Living records.
    pub records: usize,
    /// Segments.
    pub segments: usize,
    /// Commits in the log that are not folded into segments yet.
    pub tail: u64,
}

impl Database {
    /// Reads the whole storage again and checks every byte of it. What was damaged when it was opened is named too, also
    /// when it has been put right since.
    ///
    /// # Errors
    /// Those of reading the storage.
    pub async fn verify(&self) -> Result<Report> {
        self.check_open()?;
        // Between two writes: reading takes note of keys, and of a state that is over it would take note too late.
        let found = Rc::new(RefCell::new(None));
        let kept = found.clone();
        self.errand(move |database| {
            Box::pin(async move {
                kept.replace(Some(database.load().await?));
                Ok(())
            })
        })
        .await?;
        let recovered = found.take().ok_or_else(stopped)?;
        let known = self.inner.state.borrow().damage.clone();
        let damage = in_order(recovered.damage.into_iter().chain(known));
        let counts = recovered.store.counts();
        Ok(Report {
            ok: damage.is_empty(),
            damage,
            commits: counts.commits,
            records: counts.records,
            segments: recovered.head.segments.len(),
            tail: recovered.head.sequence.saturating_sub(recovered.head.folded),
        })
    }
}
