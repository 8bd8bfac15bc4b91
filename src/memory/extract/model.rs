//! Learning by the model: one call per batch.

use super::answer::{Answer, AnswerSchema};
use super::plan::Plan;
use super::{Batch, Extractor, prompt};
use crate::error::{Code, Error, Result};
use crate::memory::facts::Fact;
use crate::memory::message::Role;
use crate::memory::models::Question;
use crate::memory::profiles::key;
use crate::memory::search::embed_query;
use crate::record::Kind;
use crate::store::{Draft, Query};

/// How many related facts the model is shown: so many and no more, however many there are.
const RELATED_FACTS: usize = 20;
/// How many bytes of the conversation are searched with.
const QUERY_BYTES: usize = 4000;
/// The most tokens of an answer.
const ANSWER_TOKENS: u32 = 2000;

impl Extractor {
    pub(super) async fn learn_by_model(&self, draft: &mut Draft, batch: &Batch) -> Result<()> {
        let known = self.related(batch).await?;
        let profiles = self.profiles.get(&batch.scope, None)?;
        let (system, user) =
            prompt::extraction(batch, &known, &profiles, &self.schemas, self.database.now())?;
        let question = Question {
            purpose: "extract",
            system,
            user,
            schema: &self.answer.schema,
            max_tokens: ANSWER_TOKENS,
        };
        let check = |answer: &serde_json::Value| {
            AnswerSchema::check(answer, known.len(), batch.messages.len(), &self.schemas)
        };
        let answer = self.models.ask(question, check).await?;
        let answer: Answer = crate::json::from_value(answer).map_err(|error| {
            Error::new(Code::Internal, format!("a checked answer is not readable: {error}"))
        })?;
        if !self.is_current(&batch.scope, batch)? {
            return Err(meanwhile("the conversation"));
        }
        let now = self.database.now();
        self.database.read(|store| {
            for field in &answer.profile {
                let shown = profiles.get(&field.schema).and_then(|profile| profile.fields.get(&field.field));
                let stored = store.by_key(&batch.scope, Kind::Field, &key(&field.schema, &field.field));
                if shown.map(|field| field.revision) != stored.map(|view| view.revision) {
                    return Err(meanwhile(&field.field));
                }
            }
            let mut plan = Plan::new(self, store, draft, batch, now);
            for fact in &answer.facts {
                plan.fact(fact, &known)?;
            }
            for field in &answer.profile {
                plan.field(field)?;
            }
            Ok(())
        })
    }

    /// The present facts that are nearest to what the user said. When the embedder fails, words have to do.
    async fn related(&self, batch: &Batch) -> Result<Vec<Fact>> {
        let mut text = String::new();
        for message in batch.messages.iter().filter(|message| message.role == Role::User) {
            text.push_str(&message.text());
            text.push('\n');
        }
        let end = text.floor_char_boundary(QUERY_BYTES);
        text.truncate(end);
        let embedding = embed_query(&self.database, &self.models, &text).await;
        let now = self.database.now();
        self.database.read(|store| {
            let query = Query { text: &text, embedding: embedding.as_ref(), limit: RELATED_FACTS, now };
            let found = match store.search(&batch.scope, Kind::Fact, &query, &|_| true) {
                // The embedder changed its dimensions: words have to do here too.
                Err(error) if error.code == Code::Embedder => {
                    store.search(&batch.scope, Kind::Fact, &Query { embedding: None, ..query }, &|_| true)?
                }
                found => found?,
            };
            found.iter().map(|found| Fact::of(&found.record)).collect()
        })
    }
}

/// That the model's answer is about something that is no longer as it was shown.
fn meanwhile(what: &str) -> Error {
    Error::new(Code::Conflict, format!("{what} changed while the model answered"))
}
