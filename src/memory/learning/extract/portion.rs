//! Portions of a batch: what is asked about at once. The whole batch, or halves of it where too much was said about the whole.

use super::Batch;
use super::answer::{Answer, FactAction, FactAnswer};
use crate::memory::message::Role;

/// How many messages before a half are shown with it.
const SHOWN_BEFORE: usize = 4;

/// A portion of a batch, with how much of the batch comes before it.
pub(super) struct Portion {
    /// Its lines as a batch by themselves.
    pub(super) batch: Batch,
    /// How many messages of the whole batch come before its own.
    messages_before: usize,
    given_before: usize,
}

impl Portion {
    /// A batch as a whole.
    pub(super) fn whole(batch: &Batch) -> Self {
        Self { batch: batch.clone(), messages_before: 0, given_before: 0 }
    }

    /// How many lines of the whole batch come before it.
    pub(super) fn before(&self) -> usize {
        self.messages_before + self.given_before
    }

    /// Its two halves; none of a single line.
    pub(super) fn halves(&self) -> Option<[Self; 2]> {
        if self.batch.lines() < 2 {
            return None;
        }
        let middle = self.batch.lines() / 2;
        let mut first = self.batch.clone();
        let mut second = self.batch.clone();
        second.messages = first.messages.split_off(middle.min(first.messages.len()));
        second.given = first.given.split_off(middle - first.messages.len());
        let talk = first.messages.iter().filter(|said| matches!(said.role, Role::User | Role::Assistant));
        second.earlier.extend(talk.cloned());
        second.earlier.drain(..second.earlier.len().saturating_sub(SHOWN_BEFORE));
        let (messages_before, given_before) =
            (self.messages_before + first.messages.len(), self.given_before + first.given.len());
        Some([
            Self { batch: first, messages_before: self.messages_before, given_before: self.given_before },
            Self { batch: second, messages_before, given_before },
        ])
    }

    /// Adds the answer about this portion to what was answered about those before it. Lines get their numbers in the whole batch, and
    /// a known fact that was changed before is changed as the later portion says, unless that only ends what has a successor by now.
    pub(super) fn add(&self, mut own: Answer, whole: &Batch, answered: &mut Answer) {
        let own_messages = self.batch.messages.len();
        own.each_message(&|number| match number.checked_sub(own_messages + 1) {
            None => number + self.messages_before,
            Some(given) => whole.messages.len() + self.given_before + given + 1,
        });
        let is_end = |fact: &FactAnswer| fact.action == FactAction::End;
        let is_same =
            |one: &FactAnswer, other: &FactAnswer| one.target.is_some() && one.target == other.target;
        own.facts.retain(|later| {
            !is_end(later)
                || !answered
                    .facts
                    .iter()
                    .any(|known| is_same(known, later) && known.action == FactAction::Supersede)
        });
        answered.facts.retain(|known| !own.facts.iter().any(|later| is_same(known, later)));
        answered.facts.extend(own.facts);
        answered.profile.extend(own.profile);
        answered.entities.extend(own.entities);
        answered.relations.extend(own.relations);
    }
}
