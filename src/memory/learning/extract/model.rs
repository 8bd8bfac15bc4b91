//! Learning by the model: one call per batch, and one for each half of what was too much for one.

use super::answer::{Answer, AnswerSchema};
use super::check::check;
use super::known::Known;
use super::plan::Plan;
use super::portion::Portion;
use super::{Batch, Extractor, Refused};
use crate::error::{Code, Error, Result};
use crate::memory::models::{Lists, Question};
use crate::memory::profiles::key;
use crate::memory::prompts::EXTRACT_VERSION;
use crate::ports::{Loaded, Pending, Systems};
use crate::record::Kind;
use crate::store::{Draft, Store};
use crate::time::Timestamp;
use serde_json::Value;
use std::collections::VecDeque;

/// The most tokens of an answer.
const ANSWER_TOKENS: u32 = 3000;

/// From how many attempts on it is seen which messages of a batch the model refuses: until then it may be the model that is ill.
pub(crate) const ATTEMPTS: u32 = 2;
/// How often it may fail before it has answered once: about the whole, without what was said before, about the halves and a quarter.
const FAILS: u32 = 5;

/// What an item of an answer says the same without.
const DISPENSABLE: [&str; 8] =
    ["category", "significance", "since", "until", "quote", "context", "said", "observations"];

impl Extractor {
    /// Learns from a batch. What one message is refused for, such as what a provider's filter takes offence at, keeps the others from being
    /// learned from until it was tried some times: then they are asked about without it.
    ///
    /// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    pub(super) fn learn_by_model<'a>(
        &'a self,
        systems: Loaded<Systems>,
        draft: &'a mut Draft,
        batch: &'a Batch,
    ) -> Pending<'a, Result<Option<Refused>>> {
        systems.work(Box::pin(async move {
            let known = self.known(batch).await?;
            let mut answered: Vec<(Portion, Answer)> = Vec::new();
            let mut portions = VecDeque::from([Portion::whole(batch)]);
            let (mut refused, mut fails, mut answers): (Option<Refused>, u32, bool) = (None, 0, false);
            while let Some(mut portion) = portions.pop_front() {
                let halves = portion.halves();
                let again = portion.batch.lines() == batch.lines();
                match self.ask_about(&portion.batch, &known, halves.is_some(), again).await {
                    Ok(Some(own)) => {
                        answers |= !portion.batch.says_nothing();
                        let is_later = |(known, _): &(Portion, Answer)| known.before() > portion.before();
                        let at = answered.iter().position(is_later).unwrap_or(answered.len());
                        answered.insert(at, (portion, own));
                    }
                    Ok(None) => halves.into_iter().flatten().rev().for_each(|half| portions.push_front(half)),
                    Err(error) if batch.attempts >= ATTEMPTS && error.code == Code::Model => {
                        // A model that answers about no part is ill, and refuses nothing.
                        fails += 1;
                        let is_all = batch.lines() < 2 && portion.batch.earlier.is_empty();
                        if !answers && (is_all || fails > FAILS) {
                            return Err(error);
                        }
                        // What was said before may be what it takes offence at.
                        if !portion.batch.earlier.is_empty() {
                            portion.batch.earlier.clear();
                            portions.push_back(portion);
                            continue;
                        }
                        match halves {
                            Some(halves) => portions.extend(halves.map(|mut half| {
                                half.batch.earlier.clear();
                                half
                            })),
                            None => {
                                let own = portion.batch.messages.iter().map(|message| message.id);
                                let refused = refused.get_or_insert(Refused { messages: Vec::new(), error });
                                refused.messages.extend(own);
                            }
                        }
                    }
                    Err(error) => return Err(error),
                }
            }
            if let Some(refused) = refused.take_if(|_| !answers) {
                return Err(refused.error);
            }
            let mut answer = Answer::default();
            for (portion, own) in answered {
                portion.add(own, batch, &mut answer);
            }
            if !self.is_current(batch)? {
                return Err(meanwhile("the conversation"));
            }
            let now = self.database.now();
            self.database.read(|store| self.carry_out(store, draft, batch, &known, &answer, now))?;
            Ok(refused)
        }))
    }

    /// Asks about a portion of a batch. Nothing, when it has halves and the answer is too long. Only what is asked about the whole batch
    /// is asked once more: so of n lines the model is asked 2n - 1 times at most, or twice about a single one.
    async fn ask_about(
        &self,
        portion: &Batch,
        known: &Known,
        has_parts: bool,
        again: bool,
    ) -> Result<Option<Answer>> {
        if portion.says_nothing() {
            return Ok(Some(Answer::default()));
        }
        let AnswerSchema { schema, form } =
            AnswerSchema::new(&self.guidance, &self.schemas, self.guidance.graph, &portion.participants)?;
        let (system, user) = self.prompt(portion, known, &form);
        let question = Question {
            purpose: "extract",
            prompt: EXTRACT_VERSION,
            system,
            user,
            schema,
            max_tokens: ANSWER_TOKENS,
        };
        let check = |answer: &Value| check(answer, &self.guidance, known, portion, &self.schemas);
        let endures = portion.attempts >= ATTEMPTS;
        let lists = Lists { without: &DISPENSABLE, check: &check, has_parts, again, endures };
        let answer = self.models.ask_for_lists(question, &lists, &self.database).await?;
        let read = |answer| {
            let mut answer = Answer::read(answer, &self.guidance).map_err(|error| {
                Error::new(Code::Internal, format!("a checked answer is not readable: {error}"))
            })?;
            answer.attribute(portion);
            Ok(answer)
        };
        answer.map(read).transpose()
    }

    /// Turns a checked answer into changes of a draft, if the fields it names still are as the model was shown them.
    pub(super) fn carry_out(
        &self,
        store: &Store,
        draft: &mut Draft,
        batch: &Batch,
        known: &Known,
        answer: &Answer,
        now: Timestamp,
    ) -> Result<()> {
        for field in &answer.profile {
            let profile = known.profiles.get(&field.schema);
            let shown = profile.and_then(|profile| profile.fields.get(&field.field));
            let stored = store.by_key(&batch.scope, Kind::Field, &key(&field.schema, &field.field));
            if shown.map(|field| field.revision) != stored.map(|view| view.revision) {
                return Err(meanwhile(&field.field));
            }
        }
        let mut plan = Plan::new(self, store, draft, batch, now);
        for fact in &answer.facts {
            plan.fact(fact, &known.facts)?;
        }
        // What the model made nothing of is kept as it was given.
        for (place, given) in batch.given.iter().enumerate() {
            let number = batch.messages.len() + place + 1;
            if answer.facts.iter().all(|fact| fact.message != Some(number)) {
                plan.give(given)?;
            }
        }
        for field in &answer.profile {
            plan.field(field)?;
        }
        plan.graph(answer)
    }
}

/// That the model's answer is about something that is no longer as it was shown.
fn meanwhile(what: &str) -> Error {
    Error::new(Code::Conflict, format!("{what} changed while the model answered"))
}
