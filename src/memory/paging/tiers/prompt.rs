//! Generation: one prompt out of the tiers and the question, within a number of tokens, and an answer to it.

use super::Tiers;
use super::add::{MAX_PAGE_PART_BYTES, NewPage};
use super::retrieval::{Retrieve, Retrieved, ScoredPage};
use crate::error::{Code, Error, Result};
use crate::memory::action::Action;
use crate::memory::limits::{self, invalid};
use crate::memory::message::thread;
use crate::memory::pages::clipped;
use crate::memory::prompts::{RESPOND_VERSION, data};
use crate::ports::ModelMessage;
use crate::scope::Scope;
use crate::time;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The most tokens of an answer.
const ANSWER_TOKENS: u32 = 2000;
/// What a message costs beside its text.
const MESSAGE_TOKENS: usize = 4;
/// How many characters of a question, and of an answer, of an older page are shown.
const PAGE_CHARACTERS: usize = 1000;

/// What to put a prompt together for.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PromptOptions {
    /// What the user says or asks now.
    pub query: String,
    /// The most tokens of all messages, estimated; 1 to 1 000 000, 4000 by default.
    #[serde(default = "four_thousand")]
    pub max_tokens: usize,
}

fn four_thousand() -> usize {
    4000
}

/// What to answer.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Respond {
    /// What the user says or asks now.
    pub query: String,
    /// The most tokens of the prompt, estimated; 1 to 1 000 000, 4000 by default.
    #[serde(default = "four_thousand")]
    pub max_tokens: usize,
    /// The thread in which both are kept as messages too; none by default.
    pub thread_id: Option<String>,
}

/// A message of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Message {
    /// `system`, `user` or `assistant`.
    pub role: &'static str,
    /// The text.
    pub content: String,
}

/// A prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Prompt {
    /// What the assistant is to do and what it remembers, the latest pages, the question.
    pub messages: Vec<Message>,
    /// Their tokens, and four more for each; never more than asked for.
    pub tokens: usize,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Responded {
    /// What the model answered.
    pub response: String,
    /// What was done to keep it as a page.
    pub page: Action,
}

impl Tiers {
    /// Puts a prompt together: what was retrieved for a question, as far as there is room. The latest pages take half of it at
    /// most; then come profile, facts, older pages, traits, what is known of the assistant, and what segments are about.
    ///
    /// # Errors
    /// `BudgetExceeded` when not even the question has room, `InvalidInput`, and those of reading.
    pub async fn prompt(&self, scope: &Scope, options: &PromptOptions) -> Result<Prompt> {
        if !(1..=1_000_000).contains(&options.max_tokens) {
            return Err(invalid(format!("maxTokens is {}; 1 to 1000000 are allowed", options.max_tokens)));
        }
        let (query, limit) = (options.query.clone(), options.max_tokens);
        let asked = Retrieve { query, top_segments: None, top_pages: None, top_knowledge: None };
        let retrieved = self.retrieve(scope, &asked).await?;
        let frame = self.inner.prompts.render("respond.system", &[("memory", "")]);
        let count = |text: &str| MESSAGE_TOKENS + self.inner.searcher.counter.count(text);
        let least = count(&frame) + count(&asked.query);
        let Some(room) = limit.checked_sub(least) else {
            return Err(Error::new(
                Code::BudgetExceeded,
                format!("instructions and question have {least} tokens, over maxTokens {limit}; raise it or ask in fewer words"),
            )
            .with("tokens", least)
            .with("limit", limit));
        };
        let mut recent = Vec::new();
        let mut left = room / 2;
        for page in retrieved.recent.iter().rev() {
            let tokens = count(&page.query) + count(&page.response);
            let Some(rest) = left.checked_sub(tokens) else { break };
            left = rest;
            recent.push(page);
        }
        let mut left = room - (room / 2 - left);
        let mut memory = Vec::new();
        for line in told(&retrieved) {
            if let Some(rest) = left.checked_sub(self.inner.searcher.counter.count(&line)) {
                left = rest;
                memory.push(line);
            }
        }
        loop {
            let system = self.inner.prompts.render("respond.system", &[("memory", &memory.join("\n"))]);
            let mut messages = vec![Message { role: "system", content: system }];
            for page in recent.iter().rev() {
                messages.push(Message { role: "user", content: page.query.clone() });
                messages.push(Message { role: "assistant", content: page.response.clone() });
            }
            messages.push(Message { role: "user", content: asked.query.clone() });
            let tokens = messages.iter().map(|message| count(&message.content)).sum();
            // A whole may have more tokens than its parts.
            if tokens <= limit || (memory.pop().is_none() && recent.pop().is_none()) {
                return Ok(Prompt { messages, tokens });
            }
        }
    }

    /// Answers a question out of the tiers, and adds both as a page.
    ///
    /// # Errors
    /// `InvalidInput` before a model is asked; `Model` and `Timeout` when there is no model or it fails: no page was added then;
    /// those of [`prompt`](Self::prompt), and those of storing, whose details have the `response`.
    pub async fn respond(&self, scope: &Scope, respond: &Respond) -> Result<Responded> {
        limits::text("query", &respond.query, MAX_PAGE_PART_BYTES)?;
        respond.thread_id.as_deref().map_or(Ok(""), |own| thread(Some(own)))?;
        let (query, max_tokens) = (respond.query.clone(), respond.max_tokens);
        let prompt = self.prompt(scope, &PromptOptions { query, max_tokens }).await?;
        let messages = prompt.messages.into_iter();
        let messages = messages.map(|Message { role, content }| ModelMessage { role, content }).collect();
        let mut response = self.inner.models.say("respond", RESPOND_VERSION, messages, ANSWER_TOKENS).await?;
        response.truncate(response.floor_char_boundary(MAX_PAGE_PART_BYTES));
        let page = NewPage {
            query: respond.query.clone(),
            response: response.clone(),
            created_at: None,
            metadata: Map::new(),
            thread_id: respond.thread_id.clone(),
        };
        match self.add(scope, &page).await {
            Ok(page) => Ok(Responded { response, page }),
            Err(error) => Err(error.with("response", response)),
        }
    }
}

/// What was retrieved, the most useful first, one line of JSON each: nothing in it can end the block it stands in.
fn told(retrieved: &Retrieved) -> Vec<String> {
    let mut lines: Vec<Value> = Vec::new();
    for (_, fields) in retrieved.profile.iter() {
        lines.extend(fields.iter().map(|(name, value)| json!({ "profile": name, "value": value })));
    }
    for fact in &retrieved.knowledge {
        lines.push(json!({ "fact": fact.text, "since": time::date(fact.valid_from) }));
    }
    for ScoredPage { page, .. } in &retrieved.pages {
        lines.push(json!({
            "earlier": time::date(page.created_at),
            "chain": page.chain,
            "query": clipped(&page.query, PAGE_CHARACTERS),
            "response": clipped(&page.response, PAGE_CHARACTERS),
        }));
    }
    for known in &retrieved.traits {
        lines.push(json!({ "trait": known.name, "level": known.level, "confidence": known.confidence }));
    }
    for (name, value) in retrieved.agent_profile.iter() {
        lines.push(json!({ "you": name, "is": value }));
    }
    for statement in &retrieved.agent_traits {
        lines.push(json!({ "about you": statement.text }));
    }
    for segment in &retrieved.segments {
        lines.push(json!({ "topic": segment.summary, "pages": segment.pages }));
    }
    lines.iter().map(data).collect()
}
