//! Generation: one prompt out of the tiers and the question, within a number of tokens, and an answer to it.

use super::Tiers;
use super::add::{MAX_PAGE_PART_BYTES, NewPage};
use super::retrieval::{Retrieve, Retrieved, ScoredPage};
use crate::error::{Code, Error, Result};
use crate::memory::action::Action;
use crate::memory::compose::{Item, Layout, Pack, Section, Turns, check_max_tokens, fit};
use crate::memory::limits;
use crate::memory::message::thread;
use crate::memory::pages::clipped;
use crate::memory::prompts::{RESPOND_VERSION, data};
use crate::ports::ModelMessage;
use crate::record::Kind;
use crate::scope::Scope;
use crate::time::{self, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The most tokens of an answer.
const ANSWER_TOKENS: u32 = 2000;
/// How many characters of a question, and of an answer, of an older page are shown.
const PAGE_CHARACTERS: usize = 1000;

/// What to put a prompt together for.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PromptOptions {
    /// What the user says or asks now.
    pub query: String,
    /// The most tokens of all messages, estimated; 1 to 1 000 000, 4000 by default.
    #[serde(default = "four_thousand", deserialize_with = "limits::max_tokens")]
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
    #[serde(default = "four_thousand", deserialize_with = "limits::max_tokens")]
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
        check_max_tokens(options.max_tokens)?;
        let (query, limit) = (options.query.clone(), options.max_tokens);
        let asked = Retrieve { query, top_segments: None, top_pages: None, top_knowledge: None };
        let retrieved = self.retrieve(scope, &asked).await?;
        let frame = self.inner.prompts.render("respond.system", &[("memory", "")]);
        let counter = &self.inner.searcher.counter;
        let question = counter.message(&asked.query);
        let least = counter.message(&frame) + question;
        let too_little = |least: usize| {
            let message = format!(
                "instructions and question have {least} tokens, over maxTokens {limit}; raise it or ask in fewer words"
            );
            Error::new(Code::BudgetExceeded, message).with("tokens", least).with("limit", limit)
        };
        let room = limit.checked_sub(least).ok_or_else(|| too_little(least))?;
        let mut memory = Pack::new(&Layout::LINES, room, counter.clone());
        let mut costs: Vec<usize> = Vec::new();
        let mut turns = Turns::default();
        turns.fill(&mut memory.room, room / 2, &mut |place| {
            let page = retrieved.recent.iter().rev().nth(place);
            let cost = page.map(|page| counter.message(&page.query) + counter.message(&page.response));
            costs.extend(cost);
            Ok(cost)
        })?;
        for (kind, created_at, line) in lines_of(&retrieved) {
            memory.add(Item { created_at, ..Item::of(Section::Facts, kind, line, counter) });
        }
        memory.in_time(Kind::Page);
        let write = |(memory, turns): &(Pack, Turns)| {
            let (head, tail) = memory.text();
            let lines = head + &tail;
            let system = self.inner.prompts.render("respond.system", &[("memory", lines.trim_end())]);
            let tokens = counter.message(&system) + turns.tokens + question;
            (system, tokens)
        };
        let less = |(memory, turns): &mut (Pack, Turns), _| {
            memory.pop().or_else(|| {
                let cost = *costs.get(turns.count.checked_sub(1)?)?;
                turns.leave(cost);
                Some(cost)
            })
        };
        let mut parts = (memory, turns);
        let (system, tokens) = fit(&mut parts, limit, write, less).map_err(too_little)?;
        let mut messages = vec![Message { role: "system", content: system }];
        for page in retrieved.recent.iter().skip(retrieved.recent.len().saturating_sub(parts.1.count)) {
            messages.push(Message { role: "user", content: format!("{}{}", page.mark(), page.query) });
            messages.push(Message { role: "assistant", content: page.response.clone() });
        }
        messages.push(Message { role: "user", content: asked.query });
        Ok(Prompt { messages, tokens })
    }

    /// Answers a question out of the tiers, and adds both as a page.
    ///
    /// # Errors
    /// `InvalidInput` before a model is asked; `Model` and `Timeout` when there is no model or it fails: no page was added then;
    /// those of [`prompt`](Self::prompt), and those of storing, whose details have the `response`.
    pub async fn respond(&self, scope: &Scope, respond: &Respond) -> Result<Responded> {
        limits::text("query", &respond.query, MAX_PAGE_PART_BYTES)?;
        respond.thread_id.as_deref().map_or(Ok(""), |own| thread(Some(own)))?;
        // The model is sent what is stored.
        let (mut query, max_tokens) = (respond.query.clone(), respond.max_tokens);
        self.inner.changes.guard().screen("query", &mut |masker, found| masker.text(&mut query, found))?;
        let said = query.clone();
        let prompt = self.prompt(scope, &PromptOptions { query, max_tokens }).await?;
        let messages = prompt.messages.into_iter();
        let messages = messages.map(|Message { role, content }| ModelMessage { role, content }).collect();
        let mut response = self.inner.models.say("respond", RESPOND_VERSION, messages, ANSWER_TOKENS).await?;
        response.truncate(response.floor_char_boundary(MAX_PAGE_PART_BYTES));
        let page = NewPage {
            query: said,
            response: response.clone(),
            created_at: None,
            trust: None,
            metadata: Map::new(),
            thread_id: respond.thread_id.clone(),
        };
        match self.add(scope, page).await {
            Ok(page) => Ok(Responded { response, page }),
            Err(error) => Err(error.with("response", response)),
        }
    }
}

/// What was retrieved, the most useful first, with the times of pages, one line of JSON each: nothing in it can end the block it stands in.
fn lines_of(retrieved: &Retrieved) -> Vec<(Kind, Timestamp, String)> {
    let mut lines: Vec<(Kind, Timestamp, Value)> = Vec::new();
    for (_, fields) in retrieved.profile.iter() {
        let line = |(name, value)| (Kind::Field, 0, json!({ "profile": name, "value": value }));
        lines.extend(fields.iter().map(line));
    }
    for fact in &retrieved.knowledge {
        let text = format!("{}{}", fact.trust.mark(), fact.text);
        lines.push((Kind::Fact, 0, fact.dated(json!({ "fact": text }))));
    }
    for ScoredPage { page, .. } in &retrieved.pages {
        let line = json!({
            "earlier": time::date(page.created_at),
            "chain": page.chain,
            "query": format!("{}{}", page.mark(), clipped(&page.query, PAGE_CHARACTERS)),
            "response": clipped(&page.response, PAGE_CHARACTERS),
        });
        lines.push((Kind::Page, page.created_at, line));
    }
    for known in &retrieved.traits {
        let line = json!({ "trait": known.name, "level": known.level, "confidence": known.confidence });
        lines.push((Kind::Trait, 0, line));
    }
    for (name, value) in retrieved.agent_profile.iter() {
        lines.push((Kind::Trait, 0, json!({ "you": name, "is": value })));
    }
    for statement in &retrieved.agent_traits {
        lines.push((Kind::Trait, 0, json!({ "about you": statement.text })));
    }
    for segment in &retrieved.segments {
        lines.push((Kind::Segment, 0, json!({ "topic": segment.summary, "pages": segment.pages })));
    }
    lines.into_iter().map(|(kind, time, line)| (kind, time, data(&line))).collect()
}
