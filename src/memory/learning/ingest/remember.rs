//! Remembering: messages become durable, with the tasks to learn from them, in one commit.

use super::queue::{Claim, Ingest};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::json::to_value;
use crate::log::Cause;
use crate::memory::changes::{Outcome, Planning};
use crate::memory::extract::participant;
use crate::memory::limits::invalid;
use crate::memory::message::{MAX_MESSAGES, NewMessage, Role, StoredMessage, carry_over, check, key, thread};
use crate::memory::pages::forget_pages;
use crate::memory::secret::MaskedAt;
use crate::memory::task::{Generate, Task, TaskValue};
use crate::memory::threads::{Change, forget};
use crate::ports::{Loaded, Systems};
use crate::record::{Kind, Record, Trust};
use crate::scope::Scope;
use crate::store::{Draft, Expect, Store};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What to hand over.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Remember {
    /// The messages, in the order they were said; 1 to 500.
    pub messages: Vec<NewMessage>,
    /// Their thread; `default` by default.
    pub thread_id: Option<String>,
    /// Whether anything is to be learned from them; true by default.
    pub learn: Option<bool>,
}

/// What was handed over.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Remembered {
    /// The thread.
    pub thread_id: String,
    /// The ids of the messages, in order.
    pub message_ids: Vec<Id>,
    /// The commit; none when every message was known already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit_id: Option<Id>,
    /// The secrets that were masked; absent when there were none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub masked: Vec<MaskedAt>,
}

/// A message that says something.
struct Said {
    id: Id,
    role: Role,
    /// How far it is trusted, when it is not of the conversation itself.
    foreign: Option<Trust>,
}

/// What is to be learned from messages that are handed over.
pub(super) enum Learn<'a> {
    Nothing,
    /// When it is time.
    Later,
    /// Now, by who hands them over.
    Now(&'a Generate),
}

impl Ingest {
    /// Makes messages durable, with the task to learn from them, in one commit.
    ///
    /// A message whose own id is known in the thread replaces the earlier one, and empties the summaries that tell of that; the
    /// same content again changes nothing.
    ///
    /// # Errors
    /// `InvalidInput` for a message that is not one or is over a limit, `Secret` for one that holds a secret where that is
    /// refused, and those of storing.
    pub async fn remember(&self, scope: &Scope, mut remember: Remember) -> Result<Remembered> {
        let thread_id = thread(remember.thread_id.as_deref())?.to_owned();
        if remember.messages.is_empty() {
            return Err(invalid(format!(
                "messages has 0 items; 1 to {MAX_MESSAGES} are allowed in one call"
            )));
        }
        let learn = if remember.learn.unwrap_or(true) { Learn::Later } else { Learn::Nothing };
        let (remembered, _) = self.hand_over(scope, thread_id, &mut remember.messages, &learn).await?;
        self.inner.scheduler.wake(scope);
        Ok(remembered)
    }

    /// Messages as a thread would show them, without their secrets; stores nothing.
    ///
    /// # Errors
    /// Those of [`remember`](Self::remember) for the same messages.
    pub fn look_at(&self, messages: &mut [NewMessage]) -> Result<Vec<StoredMessage>> {
        check(messages)?;
        self.mask(messages)?;
        let database = &self.inner.database;
        Ok(messages.iter().map(|message| message.unstored(database.new_id(), database.now())).collect())
    }

    /// Stores messages and tasks; the tasks are claimed when they are to be carried out now.
    pub(super) async fn hand_over(
        &self,
        scope: &Scope,
        thread_id: String,
        messages: &mut [NewMessage],
        learn: &Learn<'_>,
    ) -> Result<(Remembered, Claim)> {
        self.inner.database.check_writable()?;
        check(messages)?;
        let masked = self.mask(messages)?;
        let messages: &[NewMessage] = messages;
        let (models, platform) = (&self.inner.models, self.inner.database.platform());
        let texts = &mut messages.iter().filter_map(|message| message.content.as_str());
        let _prepared = models.prepare(&self.inner.database, texts).await;
        let (mut message_ids, mut claim) = (Vec::new(), self.claim(Vec::new()));
        let mut systems = None;
        loop {
            let plan = &mut |planning: &mut Planning<'_>| {
                let (mut said, mut replaced) = (Vec::new(), Vec::new());
                let (store, draft) = (planning.store, &mut planning.draft);
                let of = (&*thread_id, messages);
                message_ids = self.draft_messages(systems, store, draft, of, &mut said, &mut replaced)?;
                self.note_people(messages, &message_ids, &mut said, learn);
                if !replaced.is_empty() {
                    leave(systems.ok_or_else(not_loaded)?, planning, &thread_id, &replaced)?;
                }
                let tasks = self.draft_tasks(&mut planning.draft, &thread_id, &said, learn)?;
                claim = self.claim(if matches!(learn, Learn::Now(_)) { tasks } else { Vec::new() });
                Ok(())
            };
            // When another call stored one of these messages meanwhile, this one becomes its replacement.
            match self.changes.run(scope, Cause::Remember, plan).await {
                Err(error) if error.code == Code::Load && systems.is_none() => {
                    let _hold = self.inner.database.order().hold();
                    systems = Some(Loaded::by(&*platform).await?);
                }
                Err(error) => return Err(error),
                Ok(Outcome { commit_id, .. }) => {
                    return Ok((Remembered { thread_id, message_ids, commit_id, masked }, claim));
                }
            }
        }
    }

    /// Takes the secrets out of messages.
    fn mask(&self, messages: &mut [NewMessage]) -> Result<Vec<MaskedAt>> {
        let mut masked = Vec::new();
        for (index, message) in messages.iter_mut().enumerate() {
            let place = format!("messages[{index}]");
            let found = self.inner.models.guard.screen(&place, &mut |masker, found| {
                masker.value(&mut message.content, found);
                for call in message.tool_calls.iter_mut().flatten() {
                    masker.value(call, found);
                }
            });
            let found = found.map_err(|error| error.with("index", index))?;
            masked.extend(found.iter().map(|secret| MaskedAt { index, kind: secret.as_str() }));
        }
        Ok(masked)
    }

    /// Adds messages to a draft, those of them that say something to `said`, and those that take the place of others to `replaced`.
    /// The answer is the ids of all of them.
    fn draft_messages(
        &self,
        systems: Option<Loaded<Systems>>,
        store: &Store,
        draft: &mut Draft,
        (thread_id, messages): (&str, &[NewMessage]),
        said: &mut Vec<Said>,
        replaced: &mut Vec<Id>,
    ) -> Result<Vec<Id>> {
        let now = self.inner.database.now();
        let scope = draft.scope.clone();
        let mut ids = Vec::with_capacity(messages.len());
        for message in messages {
            let own = message.id.as_deref();
            let known = own.and_then(|own| store.by_key(&scope, Kind::Message, &key(thread_id, own)));
            let id = known.map_or_else(|| self.inner.database.new_id(), |view| view.id);
            let role = message.role;
            let trust = message.trust.unwrap_or_else(|| role.trust());
            let mut record = message.clone().into_record(id, &scope, thread_id, now)?;
            ids.push(id);
            let mut expect = Expect::Absent;
            if let Some(view) = known {
                let before = view.to_record(&scope)?;
                if message.created_at.is_none() {
                    record.valid_from = before.valid_from;
                }
                if before.value.get("withheld").is_some() {
                    record = carry(systems.ok_or_else(not_loaded)?, &before, record)?;
                }
                if before.value == record.value
                    && before.text == record.text
                    && before.metadata == record.metadata
                    && before.valid_from == record.valid_from
                {
                    continue;
                }
                expect = Expect::Revision(view.revision);
                replaced.push(id);
            }
            let blank = record.text.as_deref().is_none_or(|text| text.trim().is_empty());
            if !blank && matches!(role, Role::User | Role::Assistant) {
                said.push(Said { id, role, foreign: Some(trust).filter(|trust| !trust.is_own()) });
            }
            draft.put(record, expect, None);
        }
        Ok(ids)
    }

    /// Notes what participants say as words of a user, in whatever role they stand.
    fn note_people(&self, messages: &[NewMessage], ids: &[Id], said: &mut [Said], learn: &Learn<'_>) {
        let people = match learn {
            Learn::Now(options) => self.participants(options),
            _ => &self.inner.options.participants,
        };
        if people.is_empty() {
            return;
        }
        for (message, id) in messages.iter().zip(ids) {
            if message.name.as_ref().is_some_and(|name| participant(people, name).is_some()) {
                said.iter_mut().filter(|said| said.id == *id).for_each(|said| said.role = Role::User);
            }
        }
    }

    /// Adds the tasks to learn from messages to a draft; the answer is their ids.
    fn draft_tasks(
        &self,
        draft: &mut Draft,
        thread_id: &str,
        said: &[Said],
        learn: &Learn<'_>,
    ) -> Result<Vec<Id>> {
        let mut options = match learn {
            Learn::Nothing => return Ok(Vec::new()),
            Learn::Later => None,
            Learn::Now(options) => Some(to_value(options)?),
        };
        let now = self.inner.database.now();
        let mut tasks = Vec::new();
        // What the assistant said helps a model to understand what the user said; rules read only the latter. So it makes
        // work only where words of the user wait.
        let joins = matches!(learn, Learn::Later) && self.inner.models.has_llm();
        let mut waits = joins && self.waits(&draft.scope, thread_id)?;
        let is_read = |part: &Vec<Id>| {
            let is_users = said.iter().any(|said| said.role == Role::User && part.contains(&said.id));
            waits |= joins && is_users;
            is_users || waits
        };
        // What is not of the conversation is learned from apart.
        let mut kinds: Vec<Option<Trust>> = Vec::new();
        for said in said {
            if !kinds.contains(&said.foreign) {
                kinds.push(said.foreign);
            }
        }
        let mut parts: Vec<Vec<Id>> = Vec::new();
        for foreign in kinds {
            let own: Vec<Id> =
                said.iter().filter(|said| said.foreign == foreign).map(|said| said.id).collect();
            parts.extend(own.chunks(self.inner.options.max_messages).map(<[Id]>::to_vec));
        }
        let mut parts: Vec<Vec<Id>> = parts.into_iter().filter(is_read).collect();
        if parts.is_empty() && matches!(learn, Learn::Now(options) if !options.facts.is_empty()) {
            parts.push(Vec::new());
        }
        for part in parts {
            let value = TaskValue {
                thread_id: thread_id.to_owned(),
                messages: part,
                options: options.clone(),
                tried: None,
            };
            tasks.push(self.draft_task(draft, &value, now)?);
            // Facts are given once.
            if let Some(Value::Object(options)) = &mut options {
                options.remove("facts");
            }
        }
        Ok(tasks)
    }

    /// Whether something of a thread waits for its trigger.
    fn waits(&self, scope: &Scope, thread_id: &str) -> Result<bool> {
        self.inner.database.read(|store| {
            for view in store.records(scope, Kind::Task).filter(|view| !self.is_claimed(view.id)) {
                if Task::of(&view)?.value.thread_id == thread_id {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }

    fn draft_task(&self, draft: &mut Draft, value: &TaskValue, now: Timestamp) -> Result<Id> {
        let id = self.inner.database.new_id();
        draft.put(Task::record(id, &draft.scope, value, now)?, Expect::Absent, None);
        Ok(id)
    }
}

/// Takes what tells of messages that are replaced out of summaries and pages. A function of its own, so that the build can cut it
/// off: see [`crate::ports::Part`].
#[inline(never)]
fn leave(_: Loaded<Systems>, planning: &mut Planning<'_>, thread_id: &str, replaced: &[Id]) -> Result<()> {
    forget(planning.store, thread_id, replaced, Change::Replaced, &mut planning.draft)?;
    forget_pages(planning.store, &mut planning.draft, planning.now)
}

/// Withholds of a message what was withheld of the one that it takes the place of; cut off likewise.
#[inline(never)]
fn carry(_: Loaded<Systems>, before: &Record, record: Record) -> Result<Record> {
    carry_over(before, record)
}

/// What stops a plan until the code that it needs is loaded.
fn not_loaded() -> Error {
    Error::new(Code::Load, "a message takes the place of another, and the code for that is not loaded yet")
}
