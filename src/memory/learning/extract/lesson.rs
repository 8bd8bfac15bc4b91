//! Lessons: facts and fields that are learned through the prompt of another system, which asks for more beside them. What is
//! known is shown, checked and planned as in an extraction.

use super::answer::{Answer, AnswerSchema};
use super::check::check;
use super::known::Known;
use super::prompt::memory;
use super::{Batch, Extractor, instruct};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::Cause;
use crate::memory::message::StoredMessage;
use crate::memory::proposals::{Reason, propose};
use crate::memory::source::trust_of;
use crate::ports::{Loaded, Systems};
use crate::schema::Violation;
use crate::store::{Change, Draft, Store};
use crate::time::Timestamp;
use serde_json::Value;

/// A batch that is to be learned from, and what is known of it. Nothing of the graph.
pub(crate) struct Lesson<'a> {
    extractor: &'a Extractor,
    batch: &'a Batch,
    known: Known,
}

impl Extractor {
    /// Looks up what is known of a batch.
    ///
    /// # Errors
    /// Those of reading.
    pub(crate) async fn lesson<'a>(&'a self, batch: &'a Batch) -> Result<Lesson<'a>> {
        Ok(Lesson { extractor: self, batch, known: self.known(batch).await? })
    }

    /// The schema of an answer with facts and fields as a document.
    ///
    /// # Errors
    /// `InvalidSchema`, which no input can cause.
    pub(crate) fn answer_of_lessons(&self) -> Result<Value> {
        let answer = AnswerSchema::new(&self.guidance, &self.schemas, false, &[])?;
        Ok(answer.schema.document().clone())
    }

    /// What the built-in rules learn from a batch.
    ///
    /// # Errors
    /// `Load`, and those of reading.
    pub(crate) async fn lesson_by_rules(&self, batch: &Batch) -> Result<Draft> {
        let mut draft = Draft::new(&batch.scope, Cause::Extract);
        let rules = Loaded::by(&*self.database.platform()).await?;
        self.learn_by_rules(rules, &mut draft, batch).await?;
        Ok(draft)
    }

    /// Whether something that is learned from a batch may have to wait for the user's yes: also where it comes from what the assistant
    /// said earlier. Rules read the user's words alone.
    pub(super) fn needs_settling(&self, batch: &Batch, draft: &Draft) -> bool {
        let is_others = || batch.untrusted().is_some() || !draft.doubted.is_empty();
        self.guidance.review || is_others() || (self.models.has_llm() && !batch.is_users())
    }

    /// What is learned as it goes into the store: as proposals where the user is to say yes first. That is so for everything in
    /// review mode, and when a source that is not of the conversation instructs; for what others than the user would change in what
    /// is trusted more; and for what they want done. A function of its own, so that the build can cut it off: see
    /// [`crate::ports::Part`].
    ///
    /// # Errors
    /// Those of reading.
    #[inline(never)]
    pub(crate) fn settled(
        &self,
        _: Loaded<Systems>,
        store: &Store,
        draft: Draft,
        batch: &Batch,
    ) -> Result<Draft> {
        if !self.needs_settling(batch, &draft) {
            return Ok(draft);
        }
        let trust = batch.untrusted();
        let foreign = batch.messages.iter().filter(|message| !message.trust().is_own());
        let foreign: Vec<String> = foreign.map(StoredMessage::shown).collect();
        let instructs = instruct::instructs(&foreign);
        let doubted = draft.doubted.clone();
        let is_above = |id: Id| -> Result<bool> {
            let Some(trust) = trust else { return Ok(false) };
            Ok(store.record(&batch.scope, id)?.is_some_and(|stored| trust_of(&stored) > trust))
        };
        let hold = |change: &Change| {
            let is_above = doubted.contains(&change.id()) || is_above(change.id())?;
            let review = self.guidance.review.then_some(Reason::Review);
            let instructs = (instructs || instruct::wants(change)).then_some(Reason::Instructs);
            Ok(Some(Reason::Trust).filter(|_| is_above).or(instructs).or(review))
        };
        propose(&self.database, store, draft, &hold)
    }
}

impl Lesson<'_> {
    /// What to learn and how to write it, for the prompt.
    pub(crate) fn sections(&self) -> String {
        self.extractor.sections(false)
    }

    /// What is known, for the prompt.
    pub(crate) fn memory(&self) -> String {
        memory(&self.extractor.guidance, &self.known, true, false)
    }

    /// What is wrong with the facts and fields of an answer that fits the schema.
    pub(crate) fn refused(&self, answer: &Value) -> Vec<Violation> {
        check(answer, &self.extractor.guidance, &self.known, self.batch, &self.extractor.schemas)
    }

    /// The facts and fields of a checked answer as changes.
    ///
    /// # Errors
    /// `Conflict` when what the model was shown has changed since, and those of reading.
    pub(crate) fn plan(&self, store: &Store, answer: &Value, now: Timestamp) -> Result<Draft> {
        let answer: Answer = crate::json::from_value(answer.clone()).map_err(|error| {
            Error::new(Code::Internal, format!("a checked answer is not readable: {error}"))
        })?;
        let answer = Answer { entities: Vec::new(), relations: Vec::new(), ..answer };
        let mut draft = Draft::new(&self.batch.scope, Cause::Extract);
        self.extractor.carry_out(store, &mut draft, self.batch, &self.known, &answer, now)?;
        Ok(draft)
    }
}
