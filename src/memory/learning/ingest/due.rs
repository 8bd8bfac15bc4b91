//! What is due: the messages of a thread wait for their trigger.

use super::queue::Ingest;
use super::retry::Failed;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::memory::extract::Batch;
use crate::memory::extract::Trigger;
use crate::memory::message::{Role, StoredMessage, thread_prefix};
use crate::memory::schedule::{Failures, Job};
use crate::memory::task::{Generate, Task};
use crate::ports::{Loaded, Pending, Search};
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::Store;
use crate::time::Timestamp;
use serde_json::Value;

/// What waits in a scope.
struct Survey {
    /// The tasks of the first thread that is due.
    ready: Option<Vec<Task>>,
    /// When the next one is, if none is due now.
    next: Option<Timestamp>,
}

/// The tasks of one thread that wait.
#[derive(Default)]
struct Waiting {
    tasks: Vec<Task>,
    /// Whether one of them waits for nothing.
    is_due: bool,
    messages: usize,
    first: Timestamp,
    last: Timestamp,
}

impl Waiting {
    /// When they are due; in the past when they are.
    fn due(&self, trigger: &Trigger, max_messages: usize) -> Timestamp {
        if self.is_due || self.messages >= trigger.messages.min(max_messages) {
            return 0;
        }
        let idle = self.last + i64::from(trigger.idle_ms);
        trigger.every_ms.map_or(idle, |every| idle.min(self.first + i64::from(every)))
    }
}

impl Job for Ingest {
    fn kind(&self) -> &'static str {
        "learning"
    }

    fn due(&self, store: &Store, scope: Option<&Scope>, now: Timestamp) -> Result<Option<Timestamp>> {
        let Some(scope) = scope else { return Ok(None) };
        let Survey { ready, next } = self.survey(store, scope, now, 0)?;
        Ok(ready.map(|_| Timestamp::MIN).or(next))
    }

    fn waiting(&self, store: &Store, scope: Option<&Scope>, _now: Timestamp) -> Result<usize> {
        Ok(scope.map_or(0, |scope| store.records(scope, Kind::Task).count()))
    }

    /// Learns from one batch. What fails is noted for the batch alone.
    fn step<'a>(&'a self, scope: Option<&'a Scope>) -> Pending<'a, Result<bool>> {
        Box::pin(async move {
            let Some(scope) = scope else { return Ok(false) };
            let now = self.inner.database.now();
            let messages = self.inner.options.max_messages;
            let ready =
                self.inner.database.read(|store| Ok(self.survey(store, scope, now, messages)?.ready))?;
            let Some(tasks) = ready else { return Ok(false) };
            let part = Loaded::by(&*self.inner.database.platform()).await?;
            let batch = self.inner.database.read(|store| self.batch(part, store, scope, &tasks))?;
            match self.learn(part, &batch).await {
                Err(error) if error.code == Code::Closed => Err(error),
                _ => Ok(true),
            }
        })
    }

    fn failures(&self, scope: Option<&Scope>) -> Vec<Failures> {
        scope.map(|scope| self.failures_in(scope)).unwrap_or_default()
    }
}

impl Ingest {
    /// What waits in a scope, by thread in the order in which they began to wait. Of the first one, when it is due, no more tasks
    /// are read than hold so many messages.
    fn survey(&self, store: &Store, scope: &Scope, now: Timestamp, messages: usize) -> Result<Survey> {
        let is_there =
            |task: &Id, failed: &mut Failed| failed.scope != *scope || store.get(scope, *task).is_some();
        self.inner.failed.borrow_mut().retain(is_there);
        let mut next: Option<Timestamp> = None;
        let mut later = |time: Timestamp| next = Some(next.map_or(time, |next| next.min(time)));
        let mut threads: Vec<Waiting> = Vec::new();
        for view in store.records(scope, Kind::Task).filter(|view| !self.is_claimed(view.id)) {
            let task = Task::of(&view)?;
            let retry_at = self.retry_at(scope, &task);
            if let Some(time) = retry_at.filter(|time| *time > now) {
                later(time);
                continue;
            }
            let of_thread = |waiting: &&mut Waiting| {
                waiting.tasks.first().is_some_and(|first| first.value.thread_id == task.value.thread_id)
            };
            let waiting = match threads.iter_mut().find(of_thread) {
                Some(waiting) => waiting,
                None => {
                    threads.push(Waiting { first: view.created_at, ..Waiting::default() });
                    let Some(waiting) = threads.last_mut() else { continue };
                    waiting
                }
            };
            // Without a model, after a failure and for a call that was cut off there is nothing to wait for.
            waiting.is_due |=
                retry_at.is_some() || task.value.options.is_some() || !self.inner.models.has_llm();
            waiting.messages += task.value.messages.len();
            waiting.last = view.created_at;
            waiting.tasks.push(task);
            if threads.first().is_some_and(|first| first.is_due && first.messages >= messages) {
                break;
            }
        }
        let options = &self.inner.options;
        let mut ready = None;
        for waiting in threads {
            let due = waiting.due(&options.trigger, options.max_messages);
            if due <= now {
                ready = Some(waiting.tasks);
                break;
            }
            later(due);
        }
        Ok(Survey { ready, next })
    }

    /// The next tasks that a call carries out itself, whatever their trigger, of one thread; none when all are done.
    pub(super) fn next_of(&self, scope: &Scope, waiting: &[Id]) -> Result<Vec<Task>> {
        self.inner.database.read(|store| {
            let mut tasks: Vec<Task> = Vec::new();
            for id in waiting {
                let Some(view) = store.get(scope, *id) else { continue };
                let task = Task::of(&view)?;
                if tasks.first().is_none_or(|first| first.value.thread_id == task.value.thread_id) {
                    tasks.push(task);
                }
            }
            Ok(tasks)
        })
    }

    /// Who speaks for themselves, by a call or by the options of the memory.
    pub(super) fn participants<'a>(&'a self, own: &'a Generate) -> &'a [String] {
        if own.participants.is_empty() { &self.inner.options.participants } else { &own.participants }
    }

    /// As many of the tasks of a thread as go into one call, with their messages. A task with options of its own goes alone.
    ///
    /// A function of its own, so that the build can cut it off with what learns: see [`crate::ports::Part`].
    #[inline(never)]
    pub(super) fn batch(
        &self,
        _: Loaded<Search>,
        store: &Store,
        scope: &Scope,
        tasks: &[Task],
    ) -> Result<Batch> {
        let options = &self.inner.options;
        let first = tasks.first();
        let own = first.and_then(|task| task.value.options.clone());
        let alone = own.is_some();
        let own: Generate = own.map(read).transpose()?.unwrap_or_default();
        let mut batch = Batch {
            scope: scope.clone(),
            thread_id: first.map(|task| task.value.thread_id.clone()).unwrap_or_default(),
            tasks: Vec::new(),
            earlier: Vec::new(),
            messages: Vec::new(),
            given: own.given()?,
            participants: self.participants(&own).to_vec(),
            options: own,
            attempts: 0,
        };
        for task in tasks {
            let room = options.max_messages.saturating_sub(batch.messages.len());
            let alone = alone || task.value.options.is_some();
            if !batch.tasks.is_empty() && (alone || task.value.messages.len() > room) {
                continue;
            }
            let messages = messages_of(store, scope, task)?;
            // What is not of the conversation is learned from apart, so that it cannot pass for it.
            let least = |messages: &[StoredMessage]| {
                messages.iter().map(StoredMessage::trust).min().filter(|trust| !trust.is_own())
            };
            if !batch.tasks.is_empty() && least(&messages) != batch.untrusted() {
                continue;
            }
            for message in messages {
                if batch.messages.iter().all(|known| known.id != message.id) {
                    batch.messages.push(message);
                }
            }
            batch.tasks.push((task.id, task.revision));
            batch.attempts = batch.attempts.max(self.attempts(task.id, task.value.tried));
        }
        if self.inner.models.has_llm() {
            batch.earlier = earlier(store, &batch, options.overlap)?;
        }
        Ok(batch)
    }
}

/// The options that a task keeps.
fn read(options: Value) -> Result<Generate> {
    crate::json::from_value(options)
        .map_err(|_| Error::new(Code::Corrupt, "the options of a task are not readable"))
}

/// The messages of a task. One that was deleted or withheld meanwhile teaches nothing.
fn messages_of(store: &Store, scope: &Scope, task: &Task) -> Result<Vec<StoredMessage>> {
    let views = task.value.messages.iter().filter_map(|id| store.get(scope, *id));
    let views = views.filter(|view| view.kind == Kind::Message && StoredMessage::is_told(view));
    views.map(|view| StoredMessage::of(&view)).collect()
}

/// The last few messages of the thread that come before those of a batch.
fn earlier(store: &Store, batch: &Batch, overlap: usize) -> Result<Vec<StoredMessage>> {
    let Some(first) = batch.messages.first().filter(|_| overlap > 0) else { return Ok(Vec::new()) };
    let thread = store.by_key_prefix(&batch.scope, Kind::Message, &thread_prefix(&batch.thread_id));
    let mut earlier = Vec::with_capacity(overlap);
    for view in thread.iter().rev().skip_while(|view| view.id != first.id).skip(1) {
        if earlier.len() == overlap {
            break;
        }
        let message = StoredMessage::of(view)?;
        let is_new = batch.messages.iter().all(|known| known.id != message.id);
        let is_apart = !message.trust().is_own() && batch.untrusted().is_none();
        if is_new && !is_apart && view.text.is_some() && matches!(message.role, Role::User | Role::Assistant)
        {
            earlier.push(message);
        }
    }
    earlier.reverse();
    Ok(earlier)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{Cause, LogCommit};
    use crate::memory::message::NewMessage;
    use crate::store::{Draft, Expect};
    use serde_json::json;

    fn id(number: u8) -> Id {
        Id::new(1, [number; 10])
    }

    /// A thread of messages, and a batch of the last of them.
    fn thread(said: &[(&str, &str)], batch: usize) -> (Store, Batch) {
        let scope = Scope::from_json(&json!({ "userId": "one" })).unwrap();
        let mut draft = Draft::new(&scope, Cause::Remember);
        for (number, (role, text)) in (1..).zip(said) {
            let message: NewMessage =
                serde_json::from_value(json!({ "role": role, "content": text })).unwrap();
            let other: NewMessage =
                serde_json::from_value(json!({ "role": "user", "content": "Elsewhere." })).unwrap();
            draft.put(message.into_record(id(number), &scope, "t", 1).unwrap(), Expect::Absent, None);
            draft.put(other.into_record(id(number + 100), &scope, "tt", 1).unwrap(), Expect::Absent, None);
        }
        let mut store = Store::new("none");
        let frame = store.prepare(&draft, 1, id(99), 1).unwrap().frame();
        let commit = LogCommit::from_frame(1, &frame);
        let (section, embeds) = commit.split().unwrap();
        store.apply(section, &embeds).unwrap();
        let views = store.by_key_prefix(&scope, Kind::Message, &thread_prefix("t"));
        let messages =
            views.iter().skip(said.len() - batch).map(|view| StoredMessage::of(view).unwrap()).collect();
        let (thread_id, options) = ("t".to_owned(), Generate::default());
        let (tasks, earlier, given) = (Vec::new(), Vec::new(), Vec::new());
        let participants = Vec::new();
        (
            store,
            Batch { scope, thread_id, tasks, earlier, messages, given, options, participants, attempts: 0 },
        )
    }

    #[test]
    fn the_last_few_words_before_a_batch_are_shown_again() {
        let said = [
            ("user", "One."),
            ("assistant", "Two."),
            ("tool", "42"),
            ("user", " "),
            ("assistant", "Three."),
            ("user", "Four."),
            ("assistant", "Five."),
        ];
        let (store, batch) = thread(&said, 2);
        let texts = |overlap: usize| -> Vec<String> {
            earlier(&store, &batch, overlap).unwrap().iter().map(StoredMessage::text).collect()
        };
        assert_eq!(texts(2), ["Two.", "Three."]);
        assert_eq!(texts(9), ["One.", "Two.", "Three."]);
        assert!(texts(0).is_empty());
        let (store, batch) = thread(&said, said.len());
        assert!(earlier(&store, &batch, 4).unwrap().is_empty(), "nothing comes before the first");
    }

    #[test]
    fn whichever_trigger_comes_first_decides() {
        let trigger = |messages, every_ms| Trigger { messages, idle_ms: 100, every_ms };
        let waiting = |messages| Waiting { messages, first: 1000, last: 1050, ..Waiting::default() };
        assert_eq!(waiting(2).due(&trigger(3, None), 20), 1150);
        assert_eq!(waiting(2).due(&trigger(3, Some(120)), 20), 1120);
        assert_eq!(waiting(2).due(&trigger(3, Some(900)), 20), 1150);
        assert_eq!(waiting(3).due(&trigger(3, None), 20), 0);
        assert_eq!(waiting(20).due(&trigger(50, None), 20), 0, "more than one call takes need not wait");
        assert_eq!(Waiting { is_due: true, ..waiting(1) }.due(&trigger(3, None), 20), 0);
    }
}
