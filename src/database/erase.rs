//! The write that erases: one batch that holds the commit, everything else without what goes, and the end of all values that
//! may hold it.

use super::database::Database;
use super::event::Event;
use super::fold::{Fold, Step};
use super::litter::Litter;
use super::writer::Prepared;
use crate::error::Result;
use crate::log::{HEAD_KEY, Head};
use crate::ordered::{Ordered, in_order};
use crate::ports::{Batch, Folding, Loaded, Pending};
use crate::store::{Cuts, Rewritten};
use crate::vault::{Closed, Owners};

/// What the state lets go of when the write that erases is stored.
pub(super) struct Erasure {
    pub(super) cuts: Cuts,
    pub(super) rewritten: Rewritten,
    pub(super) closed: Option<Vec<Closed>>,
}

impl Database {
    /// The write of a commit that erases. `batch` is the one that it would be if it did not.
    ///
    /// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    pub(super) fn erasing<'a>(
        &'a self,
        part: Loaded<Folding>,
        prepared: &'a [Prepared],
        write: Step,
        litter: Litter,
        owners: &'a mut Owners,
    ) -> Pending<'a, Result<(Step, Erasure)>> {
        part.work(Box::pin(self.erase_from(part, prepared, write, litter, owners)))
    }

    async fn erase_from(
        &self,
        part: Loaded<Folding>,
        prepared: &[Prepared],
        (mut batch, mut head, expected): Step,
        litter: Litter,
        owners: &mut Owners,
    ) -> Result<(Step, Erasure)> {
        let mut cuts = Cuts::default();
        for prepared in prepared {
            let state = self.inner.state.borrow();
            cuts = state.store.erasure(&prepared.waiting.draft)?;
            state.store.check_read()?;
        }
        let fold = self.folding(part, &litter.extent, &cuts, &self.division()).await?;
        let Fold { step: (mut folded, folded_head, _), owners: of, rewritten, closed } = fold;
        owners.scopes.extend(of.scopes);
        let Head { segments, folded: last, next_segment, .. } = folded_head;
        (head.segments, head.folded, head.next_segment) = (segments, last, next_segment);
        head.erased = head.counter;
        let is_head = |(key, _): &mut (String, Vec<u8>)| key == HEAD_KEY;
        batch.puts.pop_if(is_head);
        folded.puts.pop_if(is_head);
        batch.puts.append(&mut folded.puts);
        let written: Ordered<&str, ()> = batch.puts.iter().map(|(key, _)| (key.as_str(), ())).collect();
        let deletes = folded.deletes.into_iter().chain(litter.keys);
        batch.deletes = in_order(deletes.filter(|key| !written.contains(key.as_str())));
        batch.puts.push((HEAD_KEY.to_owned(), head.encode()));
        Ok(((batch, head, expected), Erasure { cuts, rewritten, closed }))
    }

    /// Lets go of what is no longer stored. A function of its own, so that the build can cut it off: see
    /// [`crate::ports::Part`].
    #[inline(never)]
    pub(super) fn shed(&self, _: Loaded<Folding>, erasure: Erasure, batch: &Batch) {
        let mut state = self.inner.state.borrow_mut();
        let before = state.locked.scopes.len();
        if let Some(scope) = erasure.cuts.scope() {
            state.locked.scopes.retain(|locked| locked != scope);
        }
        let is_unlocked = state.locked.scopes.len() < before;
        if let Some(closed) = erasure.closed {
            state.locked.values = closed;
        }
        state.store.shed(&erasure.cuts, erasure.rewritten);
        state.tail.clear();
        state.replaced.clear();
        state.patience = 0;
        state.untidy = super::database::Untidy::default();
        drop(state);
        self.stand_in(batch);
        // With the scope its lock is gone, as other engines find.
        if let Some(scope) = erasure.cuts.scope().filter(|_| is_unlocked) {
            self.tell(&Event::Lock { scope: scope.clone(), locked: false });
        }
    }
}
