//! Receipts: what went, by kind, and nothing of what it said.

use super::drafted::{Drafted, Tally};
use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::message::{StoredMessage, thread_of};
use crate::memory::past::said;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::Store;
use crate::time::Timestamp;
use serde::Serialize;

/// What was forgotten, or would be.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Forgotten {
    /// How many records of each kind went; of a query none.
    pub forgotten: Tally,
    /// How many records of each kind were made anew without them, or lost their past.
    pub rewritten: Tally,
    /// The commit that did it, which stays as the receipt; none for a preview, and when there was nothing to forget.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit_id: Option<Id>,
    /// When that was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// How many commits it took: more than one only where one could not hold what was made anew.
    pub commits: u32,
    /// Of a query what was found, best first, and of a preview what would go; as many as the limit says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<Vec<ForgottenRecord>>,
}

/// A record that would go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ForgottenRecord {
    /// Its id.
    pub id: Id,
    /// What it is.
    pub kind: Kind,
    /// What it says, in words; empty for what has none.
    pub text: String,
    /// The thread, of a message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    /// When it was said, or first stored.
    pub created_at: Timestamp,
}

impl Forgotten {
    /// Takes in what a draft did.
    pub(super) fn add(&mut self, drafted: &Drafted) {
        for (own, more) in
            [(&mut self.forgotten, &drafted.forgotten), (&mut self.rewritten, &drafted.rewritten)]
        {
            for (kind, count) in more.iter() {
                let known = own.get(kind).copied().unwrap_or_default();
                own.insert(*kind, known + count);
            }
        }
    }
}

impl ForgottenRecord {
    pub(super) fn of(view: &RecordView<'_>, scope: &Scope) -> Result<Self> {
        let RecordView { id, kind, .. } = *view;
        let is_message = kind == Kind::Message;
        let text = match kind {
            Kind::Message => StoredMessage::whole(view)?.shown(),
            Kind::Task => String::new(),
            _ => said(&view.to_record(scope)?)?.0,
        };
        let thread_id = view.key.filter(|_| is_message).map(|key| thread_of(key).to_owned());
        let created_at = if is_message { view.valid_from } else { view.created_at };
        Ok(Self { id, kind, text, thread_id, created_at })
    }
}

/// The first of some records, in words; those that ended are told of by nothing any more, and left out.
pub(super) fn shown(store: &Store, scope: &Scope, ids: &[Id], limit: usize) -> Result<Vec<ForgottenRecord>> {
    let views = ids.iter().filter_map(|id| store.get(scope, *id)).filter(|view| view.kind != Kind::Task);
    views.take(limit).map(|view| ForgottenRecord::of(&view, scope)).collect()
}
