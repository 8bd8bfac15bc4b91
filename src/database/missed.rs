//! What is read again when it is needed: what of it could not be read, and letting go of it.

use super::database::{Database, Errand, State, stopped};
use crate::error::{Code, Error, Result};
use crate::log::{Damage, has_sound_vectors, quarantine_key};
use crate::ordered::in_order;
use crate::ports::{Folding, Loaded, Pending};
use futures_channel::oneshot;

impl Database {
    /// Whether something that was read could not be. A function of its own, as every reading is compiled by itself.
    #[inline(never)]
    pub(super) fn has_missed(&self) -> bool {
        let has_missed = self.inner.state.borrow().store.has_fault();
        if !has_missed {
            self.trim();
        }
        has_missed
    }

    /// What could not be read.
    #[cold]
    #[inline(never)]
    pub(super) fn missed(&self) -> Error {
        let missed = self.inner.state.borrow().store.check_read().err();
        let missed = missed.unwrap_or_else(stopped);
        if is_replaced(&missed) {
            let (sender, _) = oneshot::channel();
            self.inner.errands.borrow_mut().push_back((Errand::Refresh, sender));
            self.wake_writer();
        }
        missed
    }

    /// Lets go of what can be read again, when it is more than there is room for.
    pub(super) fn trim(&self) {
        if let Some(trim) = self.inner.trimming.get() {
            trim(self);
        }
    }

    /// From now on that is done. It is reached through those that bring in what can be read again, so that it is a part with them: see
    /// [`crate::ports::Part`].
    pub(super) fn begin_trimming(&self) {
        self.inner.trimming.set(Some(Self::trim_now));
    }

    fn trim_now(&self) {
        let room = &self.inner.room;
        let is_over = |state: &State| {
            let cached = state.store.cached_bytes();
            cached > 0 && cached > room.cache(&state.store)
        };
        // Who reads while others do leaves it to them.
        if self.inner.state.try_borrow().is_ok_and(|state| is_over(&state))
            && let Ok(mut state) = self.inner.state.try_borrow_mut()
        {
            let most = room.cache(&state.store);
            state.store.evict(most);
        }
    }

    /// Reads the memory anew if what is here may not be what is stored, since something could not be read when it was to change. Lets go
    /// of vectors that turned out to be damaged, whose codes opening did not read, unless their value is sound as a whole; they are made
    /// again by and by. Answers whether there were such: who failed because of them may go on.
    #[inline(never)]
    pub(super) fn mend(&self) -> Pending<'_, bool> {
        Box::pin(async {
            if !self.inner.broken.get() && !self.inner.state.borrow().store.has_damage() {
                return false;
            }
            match Loaded::by(&*self.inner.platform).await {
                Ok(part) => self.mend_loaded(part).await,
                Err(_) => false,
            }
        })
    }

    /// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    fn mend_loaded(&self, part: Loaded<Folding>) -> Pending<'_, bool> {
        part.work(Box::pin(async move {
            if self.inner.broken.get() && self.reload(&[]).await.is_ok() {
                self.inner.broken.set(false);
            }
            let damaged = self.inner.state.borrow().store.take_damaged();
            let (has_damage, mut found) = (!damaged.is_empty(), None);
            for codes in damaged {
                // The pages of a value follow one another.
                if found.as_ref().is_none_or(|(key, _)| *key != codes.key) {
                    found = Some((codes.key.clone(), self.is_sound(&codes.key).await));
                }
                if let Some((_, false)) = found {
                    self.inner.state.borrow_mut().store.drop_damaged(&codes);
                }
            }
            has_damage
        }))
    }

    /// Whether a value of vectors is sound when all of it is read. If not, it is named, and kept as it was found, at the latest before a
    /// fold replaces it; what cannot be read cannot be kept.
    async fn is_sound(&self, key: &str) -> bool {
        let found = self.inner.vault.read_plain(key, &format!("{key}!")).await.unwrap_or_default();
        let value = found.unwrap_or_default().pop().map(|(_, value)| value);
        if value.as_ref().is_some_and(|value| has_sound_vectors(key, value)) {
            return true;
        }
        let state = &mut *self.inner.state.borrow_mut();
        if state.damage.iter().all(|damage| damage.key != key) {
            let name = quarantine_key(state.head.counter, key);
            state.untidy.aside.extend(value.map(|value| (name, value)));
            let message = "codes are not those that were stored; the vectors are computed again".to_owned();
            state.damage.push(Damage { key: key.to_owned(), message });
            state.damage = in_order(std::mem::take(&mut state.damage));
        }
        false
    }

    /// That nothing of the state is missing that could not be read.
    pub(super) fn check_whole(&self) -> Result<()> {
        if self.inner.broken.get() {
            return Err(Error::new(
                Code::Storage,
                "a part of the memory could not be read, and it could not be read anew yet; try again, or open it again",
            ));
        }
        Ok(())
    }
}

/// Whether something could not be read because another engine has put it elsewhere, or because it is damaged and is made anew.
pub(crate) fn is_replaced(error: &Error) -> bool {
    error.details.get("isReplaced").is_some()
}
