//! Adding a page: durable at once, the rest in the background.

use super::Tiers;
use crate::error::{Code, Error, Result};
use crate::log::Cause;
use crate::memory::action::Action;
use crate::memory::changes::Planning;
use crate::memory::limits;
use crate::memory::message::{NewMessage, Role, thread};
use crate::memory::pages::{PageValue, SHORT, pages, record};
use crate::record::{Kind, Trust};
use crate::scope::Scope;
use crate::time::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The most bytes of a question, and of an answer.
pub const MAX_PAGE_PART_BYTES: usize = 64 * 1024;

/// A page to add.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewPage {
    /// What the user said, 1 byte to 64 KiB.
    pub query: String,
    /// What was answered, 1 byte to 64 KiB.
    pub response: String,
    /// When that was; now by default.
    pub created_at: Option<Timestamp>,
    /// What to keep with it, up to 16 KiB.
    #[serde(default)]
    pub metadata: Map<String, Value>,
    /// A thread in which both are kept as messages too, in the same commit. None by default: for an exchange that no thread
    /// holds, or one holds already.
    pub thread_id: Option<String>,
    /// How far the query is trusted; `user` by default.
    pub trust: Option<Trust>,
}

impl Tiers {
    /// Adds a page to the queue.
    ///
    /// # Errors
    /// `InvalidInput` for a part that is blank or over its limit, and those of storing.
    pub async fn add(&self, scope: &Scope, mut new: NewPage) -> Result<Action> {
        limits::text("query", &new.query, MAX_PAGE_PART_BYTES)?;
        limits::text("response", &new.response, MAX_PAGE_PART_BYTES)?;
        limits::metadata(&new.metadata)?;
        new.created_at.map_or(Ok(()), |time| limits::timestamp("createdAt", time))?;
        let masked = self.inner.changes.guard().screen("the page", &mut |masker, found| {
            masker.text(&mut new.query, found);
            masker.text(&mut new.response, found);
        })?;
        let plan = &mut |planning: &mut Planning<'_>| self.plan_page(planning, &new);
        let mut action = page_of(self.inner.changes.run(scope, Cause::Remember, plan).await?.actions)?;
        action.masked = masked;
        self.inner.scheduler.wake(scope);
        Ok(action)
    }

    fn plan_page(&self, planning: &mut Planning<'_>, new: &NewPage) -> Result<()> {
        let database = &self.inner.database;
        let (now, scope) = (planning.now, planning.scope().clone());
        let mut value = PageValue {
            asked: new.query.len(),
            thread_id: None,
            messages: None,
            previous: pages(planning.store, &scope, SHORT).last().map(|view| view.id),
            chain: None,
            keywords: Vec::new(),
            trust: new.trust,
        };
        if let Some(thread_id) = &new.thread_id {
            let thread_id = thread(Some(thread_id))?;
            let ids = [database.new_id(), database.new_id()];
            for (id, role, content) in
                [(ids[0], Role::User, &new.query), (ids[1], Role::Assistant, &new.response)]
            {
                let message = NewMessage {
                    role,
                    content: content.as_str().into(),
                    id: None,
                    name: None,
                    tool_calls: None,
                    tool_call_id: None,
                    created_at: new.created_at,
                    trust: new.trust.filter(|_| role == Role::User),
                    metadata: Map::new(),
                };
                planning.create(message.into_record(id, &scope, thread_id, now)?);
            }
            (value.thread_id, value.messages) = (Some(thread_id.to_owned()), Some(ids));
        }
        let id = database.new_id();
        let mut page = record(id, &scope, (&new.query, &new.response), &value, now)?;
        page.valid_from = new.created_at.unwrap_or(now);
        page.metadata.clone_from(&new.metadata);
        planning.create(page);
        Ok(())
    }
}

/// What was done to the page that a commit is about: its first.
pub(super) fn page_of(actions: Vec<Action>) -> Result<Action> {
    let of_page = |action: &Action| action.kind == Kind::Page;
    let missing = || Error::new(Code::Internal, "a commit of a page did not say so");
    actions.into_iter().find(of_page).ok_or_else(missing)
}
