//! Extraction: from a piece of conversation to facts and profile fields, by the model in one call, or by rules.

mod answer;
mod chain;
mod check;
mod graph;
mod guidance;
mod instruct;
mod keep;
mod known;
mod lesson;
mod model;
mod options;
mod person;
mod plan;
mod portion;
mod prompt;
mod quote;
mod ruled;
mod rules;
mod stated;

use crate::database::{Database, Event};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::json::to_value;
use crate::log::Cause;
use crate::lowercase::lowercase;
use crate::memory::action::Action;
use crate::memory::changes::{Changes, anew};
use crate::memory::graph::Graph;
use crate::memory::message::{Role, StoredMessage};
use crate::memory::models::{Models, Spent};
use crate::memory::profiles::{Profiles, Schemas};
use crate::memory::search::Searcher;
use crate::memory::task::{Generate, Given, MetadataMerge, Task};
use crate::memory::ttl::Ttl;
use crate::ports::Loaded;
use crate::record::{Kind, Trust};
use crate::scope::Scope;
use crate::store::{Draft, Expect, Store};
pub use guidance::Person;
pub(crate) use guidance::{Guidance, topics};
pub(crate) use lesson::Lesson;
pub(crate) use model::ATTEMPTS;
pub use options::{ExtractionOptions, Trigger};
pub(crate) use options::{participant, participants};
use serde_json::{Map, Value};
use std::rc::Rc;

/// Where the metadata of a fact says which participant it is about.
pub(crate) const ABOUT: &str = "about";

/// Messages to learn from, and the tasks that ask for it.
#[derive(Debug, Clone)]
pub(crate) struct Batch {
    pub(crate) scope: Scope,
    pub(crate) thread_id: String,
    pub(crate) tasks: Vec<(Id, u32)>,
    /// What was said before, for understanding only.
    pub(crate) earlier: Vec<StoredMessage>,
    pub(crate) messages: Vec<StoredMessage>,
    /// Facts that are only to be put in their place.
    pub(crate) given: Vec<Given>,
    pub(crate) options: Generate,
    /// Those who speak for themselves, by name.
    pub(crate) participants: Vec<String>,
    /// How often it was tried.
    pub(crate) attempts: u32,
}

impl Batch {
    /// Whether somebody speaks for themselves: the user, or a participant in whatever role.
    pub(crate) fn is_person(&self, message: &StoredMessage) -> bool {
        message.role == Role::User || self.participant(message).is_some()
    }

    /// The participant who says a message.
    pub(crate) fn participant(&self, message: &StoredMessage) -> Option<&str> {
        let name = message.name.as_deref()?;
        let speaks = matches!(message.role, Role::User | Role::Assistant) && message.trust().is_own();
        options::participant(&self.participants, name).filter(|_| speaks)
    }

    /// Whether the user says a message under no name.
    pub(crate) fn is_nameless(&self, message: &StoredMessage) -> bool {
        message.role == Role::User && message.name.is_none() && message.trust().is_own()
    }

    /// Whether the name of a message of the role `user` is not the user's: another one than theirs, whose words are `own`, or, as long
    /// as that is not known, one of several. What is no name, such as an account, tells nothing.
    pub(crate) fn is_of_another(&self, message: &StoredMessage, own: &[String]) -> bool {
        let is_name = |name: &&str| {
            !name.contains(|c: char| c.is_ascii_digit() || matches!(c, '_' | '@'))
                && !self.scope.canonical().contains(name)
        };
        let Some(name) = message.name.as_deref().filter(is_name) else { return false };
        // Who is named speaks for themselves only where they are a participant.
        if own.is_empty() && !self.participants.is_empty() {
            return true;
        }
        match own.first() {
            Some(own) => !lowercase(name).split_whitespace().any(|word| word == own),
            None => {
                let mut others = self.messages.iter().chain(&self.earlier);
                others.any(|other| {
                    other.role == Role::User && other.name.as_deref().is_some_and(|other| other != name)
                })
            }
        }
    }

    /// The participants who speak here, each once.
    pub(crate) fn people(&self) -> Vec<&str> {
        let mut people: Vec<&str> = Vec::new();
        for name in self.messages.iter().chain(&self.earlier).filter_map(|message| self.participant(message))
        {
            if !people.contains(&name) {
                people.push(name);
            }
        }
        people
    }

    /// How far a message is trusted: what participants say of themselves as the user's own words.
    fn trust_of(&self, message: &StoredMessage) -> Trust {
        if self.participant(message).is_some() { Trust::User } else { message.trust() }
    }

    /// How many numbered lines the model is shown: messages, then the facts that are given.
    pub(crate) fn lines(&self) -> usize {
        self.messages.len() + self.given.len()
    }

    /// Whether there is nothing to learn from: what the assistant said alone says nothing of the user.
    fn says_nothing(&self) -> bool {
        self.given.is_empty() && !self.messages.iter().any(|message| self.is_person(message))
    }

    /// How far what is learned here is trusted at most, when not all of it comes from the conversation itself: who reads it may have
    /// been told what to answer, so everything is as its least trusted message.
    pub(crate) fn untrusted(&self) -> Option<Trust> {
        self.messages.iter().map(StoredMessage::trust).min().filter(|trust| !trust.is_own())
    }

    /// Whether all of it is the user's own words.
    pub(crate) fn is_users(&self) -> bool {
        self.messages.iter().all(|message| self.trust_of(message) == Trust::User)
    }

    /// What a source in one of its messages says of its trust.
    pub(crate) fn source_trust(&self, said: &StoredMessage) -> Option<Trust> {
        let own = self.trust_of(said);
        let trust = self.untrusted().map_or(own, |least| least.min(own));
        Some(trust).filter(|trust| *trust != Trust::User)
    }

    /// Whether something with this metadata may be changed by what is learned.
    pub(crate) fn concerns(&self, metadata: &Map<String, Value>) -> bool {
        if self.options.metadata_merge != MetadataMerge::Require {
            return true;
        }
        // Whom it is about is no condition.
        let mut metadata = metadata.clone();
        metadata.remove(ABOUT);
        self.options.metadata.as_ref().map_or(metadata.is_empty(), |own| *own == metadata)
    }
}

/// Messages that a model refuses to learn from, and how.
pub(crate) struct Refused {
    messages: Vec<Id>,
    error: Error,
}

/// Lets the tasks of a batch wait that ask for messages which were refused, with these alone.
fn keep_tasks(store: &Store, draft: &mut Draft, batch: &Batch, refused: &[Id]) -> Result<()> {
    for (id, revision) in &batch.tasks {
        let Some(view) = store.get(&batch.scope, *id) else { continue };
        let mut task = Task::of(&view)?.value;
        task.messages.retain(|message| refused.contains(message));
        if task.messages.is_empty() {
            continue;
        }
        // What the application gave has its place by now.
        if let Some(Value::Object(options)) = &mut task.options {
            options.remove("facts");
        }
        let mut record = view.to_record(&batch.scope)?;
        record.value = to_value(&task)?;
        draft.changes.retain(|change| change.id() != *id);
        draft.put(record, Expect::Revision(*revision), None);
    }
    Ok(())
}

/// What turns conversations into memory.
#[derive(Clone)]
pub(crate) struct Extractor {
    database: Database,
    models: Rc<Models>,
    changes: Changes,
    profiles: Profiles,
    schemas: Rc<Schemas>,
    guidance: Rc<Guidance>,
    graph: Graph,
    ttl: Ttl,
    ruled: Rc<ruled::Ruled>,
}

impl Extractor {
    /// Makes an extractor for the registered schemas and what the application wants.
    pub(crate) fn new(
        searcher: Searcher,
        profiles: Profiles,
        schemas: Rc<Schemas>,
        guidance: Guidance,
        ttl: Ttl,
    ) -> Self {
        let guidance = Rc::new(guidance);
        let (database, models) = (searcher.database.clone(), searcher.models.clone());
        let changes = Changes::new(&database, &models);
        let graph = Graph::new(searcher, changes.clone());
        let ruled = Rc::default();
        Self { database, models, changes, profiles, schemas, guidance, graph, ttl, ruled }
    }

    /// Hears of a commit.
    pub(crate) fn heard(&self, event: &Event) {
        self.ruled.heard(event);
    }

    /// The same extractor, with a count of its own of what its models are asked.
    pub(crate) fn metered(&self) -> Self {
        Self { models: self.models.metered(), ..self.clone() }
    }

    /// What its models were asked.
    pub(crate) fn spent(&self) -> Spent {
        self.models.spent_in_all()
    }

    /// Learns from a batch and ends its tasks, in one commit. When somebody else changed what it was based on, it is done
    /// again; when somebody else did it already, nothing happens.
    ///
    /// # Errors
    /// `Model` and `Timeout` when the model fails, and those of storing; the tasks wait in the store then.
    pub(crate) async fn extract(&self, batch: &Batch) -> Result<Vec<Action>> {
        let what = "the memory changed while it was learned from";
        anew(what, &[Code::Conflict, Code::NotFound], &mut || Box::pin(self.learn(batch))).await
    }

    async fn learn(&self, batch: &Batch) -> Result<Vec<Action>> {
        let since = self.database.sequence();
        // A batch whose messages or tasks have changed is out of date; its tasks come back in another one.
        if !self.is_current(batch)? {
            return Ok(Vec::new());
        }
        let mut draft = Draft::new(&batch.scope, Cause::Extract);
        for (task, revision) in &batch.tasks {
            draft.delete(*task, Expect::Revision(*revision));
        }
        let mut refused = None;
        if batch.says_nothing() {
            // The tasks end, and that is all.
        } else if self.models.has_llm() {
            let systems = Loaded::by(&*self.database.platform()).await?;
            refused = self.learn_by_model(systems, &mut draft, batch).await?;
        } else {
            let rules = Loaded::by(&*self.database.platform()).await?;
            self.learn_by_rules(rules, &mut draft, batch).await?;
        }
        if self.needs_settling(batch, &draft) {
            let systems = Loaded::by(&*self.database.platform()).await?;
            draft = self.database.read(|store| self.settled(systems, store, draft, batch))?;
        }
        if let Some(refused) = &refused {
            self.database.read(|store| keep_tasks(store, &mut draft, batch, &refused.messages))?;
        }
        draft.since = Some(since);
        let actions = self.changes.commit(draft).await?.actions;
        refused.map_or(Ok(actions), |refused| Err(refused.error))
    }

    /// Whether the tasks still wait and the messages still say what they said.
    fn is_current(&self, batch: &Batch) -> Result<bool> {
        let scope = &batch.scope;
        self.database.read(|store| {
            let waits = |task: Id| store.get(scope, task).is_some_and(|view| view.kind == Kind::Task);
            if !batch.tasks.iter().all(|(task, _)| waits(*task)) {
                return Ok(false);
            }
            for message in batch.earlier.iter().chain(&batch.messages) {
                let now = store.get(scope, message.id).map(|view| StoredMessage::of(&view)).transpose()?;
                if now.as_ref() != Some(message) {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }
}
