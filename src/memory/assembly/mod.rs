//! Assembly: a whole prompt from everything that is remembered, within a number of tokens, each line explained.
//!
//! The sections stand in one order: instructions, working memory, profile, facts, examples, what is known of whom is asked
//! about, summaries, the last messages, the question. What does not depend on the question comes first and is chosen first,
//! from room of its own: so it stays the same byte by byte until something in it changes, and a model's cache can keep it.

mod conversation;
mod last;
mod render;
mod share;

pub use render::Shape;

use super::context::{Block, Blocks};
use super::graph::{edges_of, name_of};
use super::limits::{self, invalid};
use super::message::{StoredMessage, thread, thread_prefix};
use super::recall::{Filling, Item, Pack, Recall, RecallOptions, Section, line, paragraph, too_long};
use super::scoring::Scoring;
use super::search::{Searcher, Terms};
use super::threads::Summary;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::lowercase::lowercase;
use crate::record::{Kind, Provenance};
use crate::scope::Scope;
use crate::store::Store;
use conversation::{Conversation, MESSAGE_TOKENS, Said};
use render::{Prompt, Rendered};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use share::{Share, shares};

/// The most bytes of instructions.
const MAX_INSTRUCTIONS_BYTES: usize = 64 * 1024;
/// How much of all tokens what does not depend on the question has at most, in percent.
const PREFIX_PERCENT: usize = 60;
/// How much of all tokens the messages have before other sections of lesser priority, in percent.
const MESSAGES_PERCENT: usize = 30;
/// How many facts and entities at most.
const FACTS: usize = 30;
const ENTITIES: usize = 8;
const RELATIONS: usize = 30;
/// How many of the last messages are told even if the summary covers them.
const KEPT: usize = 10;
/// What a message has at least, on average; so many are looked at as fit then.
const SHORT_MESSAGE_TOKENS: usize = 8;
/// What lies between the parts of a text.
const GAPS: usize = 16;

/// What to put together.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AssemblyOptions {
    /// The conversation; without one there are no messages.
    pub thread_id: Option<String>,
    /// What the user says or asks now. It ends the prompt, unless the thread ends with it.
    pub query: Option<String>,
    /// The most tokens of the whole prompt, 1 to 1 000 000.
    pub max_tokens: usize,
    /// What the model is to be and do: it begins the prompt. Those of the options of `context` by default.
    pub instructions: Option<String>,
    /// Of each section by its name the share of all tokens, from 0 to 1, or `{ priority, maxTokens }`.
    #[serde(default)]
    pub sections: Map<String, Value>,
    /// `text` by default.
    #[serde(default, rename = "as")]
    pub shape: Shape,
}

/// A prompt.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Assembled {
    /// The prompt as one text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The system prompt in blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<Vec<Value>>,
    /// The messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<Value>>,
    /// Its tokens: of a text, or of all texts in the messages and four more for each.
    pub tokens: usize,
    /// The tokens of its beginning, which does not depend on the question.
    pub prefix_tokens: usize,
    /// Every line and message, explained.
    pub items: Vec<Item>,
    /// What each section takes.
    pub sections: Vec<Taken>,
    /// What could not be used or found no room.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Error>,
}

/// What a section takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Taken {
    /// Which one.
    pub name: Section,
    /// The tokens of its lines.
    pub tokens: usize,
    /// How many lines were found and left out for want of room; of messages only the last ones are looked at.
    pub dropped: usize,
}

/// Assembly over every scope.
#[derive(Clone)]
pub struct Assembly {
    recall: Recall,
    blocks: Blocks,
    instructions: Option<String>,
}

impl Assembly {
    pub(crate) fn new(recall: Recall, blocks: Blocks, instructions: Option<String>) -> Self {
        Self { recall, blocks, instructions }
    }

    /// Puts a prompt together. The same memory and options give the same bytes.
    ///
    /// # Errors
    /// `BudgetExceeded` when the instructions and the question alone are over the limit, or nothing is asked and the last
    /// messages are, `InvalidInput`, and those of reading. A failing embedder is a warning.
    pub async fn assemble(&self, scope: &Scope, options: &AssemblyOptions) -> Result<Assembled> {
        let asked = Asked::read(options, self.instructions.as_deref())?;
        let searcher = self.recall.searcher();
        let (embedding, warnings) = match asked.question {
            None => (None, Vec::new()),
            Some(question) => match searcher.models.embed_query(question).await {
                Ok(embedding) => (embedding, Vec::new()),
                Err(error) => (None, vec![error]),
            },
        };
        let present = asked.thread;
        let recalled = RecallOptions {
            query: asked.question.unwrap_or_default().to_owned(),
            max_tokens: options.max_tokens,
            limit: FACTS,
            thread_id: None,
            filter: None,
            threshold: None,
            scoring: Scoring::default(),
        };
        let filling = Filling {
            searcher,
            scope,
            options: &recalled,
            filter: None,
            present,
            threads: self.recall.threads(),
            embedding: embedding.as_ref(),
            now: searcher.database.now(),
        };
        searcher.database.read(|store| Work { assembly: self, asked, filling, store, warnings }.prompt())
    }
}

/// What was asked for, checked.
struct Asked<'a> {
    instructions: &'a str,
    question: Option<&'a str>,
    thread: Option<&'a str>,
    max_tokens: usize,
    shares: Vec<Share>,
    /// Whether the messages' limit is the application's.
    messages_limited: bool,
    shape: Shape,
}

impl<'a> Asked<'a> {
    fn read(options: &'a AssemblyOptions, instructions: Option<&'a str>) -> Result<Self> {
        let max_tokens = options.max_tokens;
        if !(1..=1_000_000).contains(&max_tokens) {
            return Err(invalid(format!("maxTokens is {max_tokens}; 1 to 1000000 are allowed")));
        }
        let question = options.query.as_deref().filter(|query| !query.trim().is_empty());
        limits::bytes("query", question.unwrap_or_default(), limits::MAX_QUERY_BYTES)?;
        let instructions = options.instructions.as_deref().or(instructions).unwrap_or_default().trim();
        limits::bytes("instructions", instructions, MAX_INSTRUCTIONS_BYTES)?;
        Ok(Self {
            instructions,
            question,
            thread: options.thread_id.as_deref().map(|id| thread(Some(id))).transpose()?,
            max_tokens,
            shares: shares(&options.sections, max_tokens)?,
            messages_limited: options.sections.contains_key(Section::Messages.as_str()),
            shape: options.shape,
        })
    }
}

/// A prompt in the making.
struct Work<'a> {
    assembly: &'a Assembly,
    asked: Asked<'a>,
    filling: Filling<'a>,
    store: &'a Store,
    warnings: Vec<Error>,
}

impl Work<'_> {
    fn searcher(&self) -> &Searcher {
        self.filling.searcher
    }

    fn count(&self, text: &str) -> usize {
        self.searcher().counter.count(text)
    }

    fn prompt(mut self) -> Result<Assembled> {
        let max = self.asked.max_tokens;
        let (store, scope) = (self.store, self.filling.scope);
        let wants_summary =
            self.asked.shares.iter().any(|share| share.section == Section::Summary && share.most > 0);
        let summary = match self.asked.thread.filter(|_| wants_summary) {
            Some(thread) => self.filling.threads.summary(scope, thread)?,
            None => None,
        };
        let mut conversation = self.conversation(summary.as_ref())?;
        let instructions = self.count(self.asked.instructions);
        let question = self.asked.question.map_or(0, |question| MESSAGE_TOKENS + self.count(question));
        let last = conversation.ask(self.room_for_last(instructions, GAPS), &self.searcher().counter);
        let mut pack = self.settled(instructions, question + last)?;
        for share in self.asked.shares.clone() {
            match share.section {
                Section::Facts => {
                    let filling = &self.filling;
                    filling.related(self.store, &[Kind::Fact], &mut pack, &mut self.warnings)?;
                    filling.others(self.store.records(filling.scope, Kind::Fact).rev(), &mut pack)?;
                }
                Section::Episodes => {
                    self.filling.episodes(self.store, &mut pack, &mut self.warnings)?;
                }
                Section::Graph => self.graph(&mut pack)?,
                Section::Summaries => self.filling.summaries(store, &mut pack)?,
                Section::Summary => {
                    let view = summary.as_ref().and_then(|summary| store.get(scope, summary.id));
                    // Without it, the messages it covers are told themselves.
                    if let Some(view) = view
                        && !self.summary(&mut pack, &view, share)?
                    {
                        conversation.widen(self.conversation(None)?);
                    }
                }
                Section::Messages => {
                    let first =
                        if self.asked.messages_limited { share.most } else { max * MESSAGES_PERCENT / 100 };
                    conversation.fill(&mut pack, first);
                }
                _ => {}
            }
        }
        if let Some(share) = self.asked.shares.iter().find(|share| share.section == Section::Messages) {
            conversation.fill(&mut pack, share.most);
        }
        self.fit(pack, conversation, question)
    }

    /// A pack with what does not depend on the question, and with the room for the rest.
    fn settled(&mut self, instructions: usize, question: usize) -> Result<Pack> {
        let max = self.asked.max_tokens;
        let needed = instructions + question + MESSAGE_TOKENS;
        if instructions + question > max {
            let told = format!(
                "the instructions and the question have {} tokens, more than the {max} of maxTokens; raise it or shorten them",
                instructions + question
            );
            let error = Error::new(Code::BudgetExceeded, told);
            return Err(error.with("tokens", instructions + question).with("maxTokens", max));
        }
        let room = max.saturating_sub(needed + GAPS);
        let first = (max * PREFIX_PERCENT / 100).saturating_sub(instructions);
        let mut pack = Pack::new(first, self.searcher().counter.clone());
        for share in &self.asked.shares {
            pack.limit(share.section, share.most);
        }
        let scope = self.filling.scope;
        for share in self.asked.shares.clone() {
            match share.section {
                Section::Instructions => {
                    for item in self.assembly.recall.instructions(scope)? {
                        self.add(&mut pack, "instruction", item, share);
                    }
                }
                Section::Blocks => {
                    for block in self.assembly.blocks.list(scope)? {
                        if !block.value.trim().is_empty() {
                            let item = self.block(&block)?;
                            self.add(&mut pack, "block", item, share);
                        }
                    }
                }
                Section::Profile => {
                    for item in self.assembly.recall.fields(scope)? {
                        pack.add(item);
                    }
                }
                Section::Facts => {
                    self.filling.others(self.store.pinned(scope, Kind::Fact).rev(), &mut pack)?;
                }
                _ => {}
            }
        }
        pack.settle();
        pack.resize(first, room);
        Ok(pack)
    }

    /// Adds what is told as a whole or not at all, with a warning when it found no room in a section that is wanted; answers
    /// whether it did.
    fn add(&mut self, pack: &mut Pack, what: &str, item: Item, share: Share) -> bool {
        let warning = too_long(what, &item);
        let fits = pack.add(item);
        if !fits && share.most > 0 {
            self.warnings.push(warning);
        }
        fits
    }

    fn block(&self, block: &Block) -> Result<Item> {
        let notes = [block.description.as_str(), if block.read_only { "read only" } else { "" }];
        let notes: Vec<&str> = notes.into_iter().filter(|note| !note.is_empty()).collect();
        let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
        let text = paragraph(&format!("{}{notes}", block.label), &block.value);
        let view = block.id.and_then(|id| self.store.get(self.filling.scope, id));
        Ok(Item {
            section: Section::Blocks,
            kind: Kind::Block,
            id: block.id,
            tokens: self.count(&text),
            text,
            score: 1.0,
            terms: Terms::default(),
            significance: 0,
            created_at: block.updated_at.unwrap_or(self.filling.now),
            source: view.map(|view| view.provenance()).transpose()?.unwrap_or_default(),
        })
    }

    /// The entities that the question names, with their relations.
    fn graph(&mut self, pack: &mut Pack) -> Result<()> {
        let Some(question) = self.asked.question else { return Ok(()) };
        let found = self.filling.find(self.store, Kind::Entity, &mut self.warnings)?;
        let question = lowercase(question);
        let named = found.iter().filter(|found| names(&question, name_of(&found.record)));
        let mut ids: Vec<Id> = Vec::new();
        for found in named.take(ENTITIES) {
            let [words, meaning] = found.score.terms;
            let item = self.filling.item(&found.record, words.share + meaning.share, Terms::of(found))?;
            if pack.add(item) {
                ids.push(found.record.id);
            }
        }
        let (scope, now) = (self.filling.scope, self.filling.now);
        for view in edges_of(self.store, scope, &ids, false, now).take(RELATIONS) {
            pack.add(self.filling.item(&view, 0.0, Terms::default())?);
        }
        Ok(())
    }

    /// The last messages of the thread, as many as there can be room for; of those that the summary covers only the last few.
    fn conversation(&self, summary: Option<&Summary>) -> Result<Conversation> {
        let covered = summary.and_then(|summary| summary.up_to_message);
        let Some(thread) = self.asked.thread else { return Ok(Conversation::default()) };
        let max = self.asked.max_tokens;
        let views = self.store.last_by_key_prefix(
            self.filling.scope,
            Kind::Message,
            &thread_prefix(thread),
            max / SHORT_MESSAGE_TOKENS + KEPT,
        );
        let (mut tokens, mut ended) = (0, false);
        let mut said = Vec::new();
        for view in views.iter().rev() {
            ended = ended || covered == Some(view.id);
            if tokens > max || (ended && said.len() >= KEPT) {
                break;
            }
            let message = Said::of(&StoredMessage::of(view)?);
            tokens += message.tokens(&self.searcher().counter);
            said.push(message);
        }
        said.reverse();
        let mut conversation = Conversation::new(said, &self.searcher().counter);
        conversation.is_part = tokens > max;
        if let Some(question) = self.asked.question {
            conversation.leave(question);
        }
        Ok(conversation)
    }

    /// Writes the prompt. The tokens of a whole need not be the sum of those of its parts: what is over the limit then is left
    /// out, the oldest messages first, and what comes first at last.
    fn fit(self, mut pack: Pack, mut conversation: Conversation, question: usize) -> Result<Assembled> {
        let counter = self.searcher().counter.clone();
        let (max, shape) = (self.asked.max_tokens, self.asked.shape);
        loop {
            let (head, mut rest) = pack.text();
            let mut prefix = self.asked.instructions.to_owned();
            if !prefix.is_empty() && !head.is_empty() {
                prefix.push_str("\n\n");
            } else if !prefix.is_empty() && !rest.is_empty() {
                rest.insert_str(0, "\n\n");
            }
            prefix.push_str(&head);
            let prompt = Prompt { prefix, rest, turns: conversation.told(), question: self.asked.question };
            let tokens = prompt.tokens(shape, &counter);
            let mut over = tokens.saturating_sub(max);
            if over == 0 {
                self.check_told(&conversation)?;
                let Rendered { text, system, messages } = prompt.render(shape);
                let prefix_tokens = counter.count(&prompt.prefix);
                self.filling.note(self.store, &pack);
                let sections = self.taken(&pack, &conversation, question);
                let mut items = pack.into_items();
                items.extend(self.said(&conversation));
                let mut warnings = self.warnings;
                warnings.extend(conversation.warning());
                return Ok(Assembled {
                    text,
                    system,
                    messages,
                    tokens,
                    prefix_tokens,
                    items,
                    sections,
                    warnings,
                });
            }
            let mut is_less = false;
            while over > 0 {
                let gone = conversation.pop().or_else(|| pack.pop());
                let gone = gone.or_else(|| conversation.shorten(over, &counter));
                if gone.is_none() && !is_less {
                    let told = format!(
                        "the prompt has {tokens} tokens without anything remembered, more than the {max} of maxTokens; raise it"
                    );
                    return Err(Error::new(Code::BudgetExceeded, told).with("maxTokens", max));
                }
                is_less = true;
                over = gone.map_or(0, |gone| over.saturating_sub(gone.max(1)));
            }
        }
    }

    fn taken(&self, pack: &Pack, conversation: &Conversation, question: usize) -> Vec<Taken> {
        let sections = pack.sections().map(|(name, tokens, dropped)| match name {
            Section::Messages => {
                Taken { name, tokens: conversation.tokens(), dropped: conversation.dropped() }
            }
            Section::Question => Taken { name, tokens: question, dropped },
            Section::Instructions => {
                Taken { name, tokens: tokens + self.count(self.asked.instructions), dropped }
            }
            name => Taken { name, tokens, dropped },
        });
        sections.collect()
    }

    /// The messages that are told, explained.
    fn said(&self, conversation: &Conversation) -> Vec<Item> {
        let thread_id = self.asked.thread.unwrap_or_default();
        let said = conversation.told().iter().flat_map(|turn| &turn.said);
        let explained = said.map(|said| Item {
            section: Section::Messages,
            kind: Kind::Message,
            id: Some(said.id),
            text: line(&format!("{}: {}", said.role.as_str(), said.text)),
            tokens: said.tokens(&self.searcher().counter),
            score: 1.0,
            terms: Terms::default(),
            significance: 0,
            created_at: said.created_at,
            source: vec![Provenance {
                message_id: said.id,
                thread_id: thread_id.to_owned(),
                quote: String::new(),
            }],
        });
        explained.collect()
    }
}

/// Whether a lower-cased question holds a word of a name.
fn names(question: &str, name: &str) -> bool {
    let name = lowercase(name);
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().nth(1).is_some());
    let is_letter = |c: char| c.is_alphanumeric() && u32::from(c) < 0x1100;
    std::iter::once(name.as_str()).chain(words).any(|word| {
        !word.is_empty()
            && question.match_indices(word).any(|(at, _)| {
                // In scripts written with spaces only whole words count.
                let before = question.get(..at).and_then(|before| before.chars().next_back());
                let after = question.get(at + word.len()..).and_then(|after| after.chars().next());
                let edge = |inner: Option<char>, outer: Option<char>| {
                    !(inner.is_some_and(is_letter) && outer.is_some_and(is_letter))
                };
                edge(word.chars().next(), before) && edge(word.chars().next_back(), after)
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_names_whom_it_asks_about() {
        for (question, name) in [
            ("where does ada work?", "Ada"),
            ("where does ada work?", "Ada Lovelace"),
            ("what makes acme corp.?", "Acme Corp"),
            ("김민수는 어디에 살아?", "김민수"),
            ("田中さんはどこ", "田中"),
        ] {
            assert!(names(question, name), "{question}: {name}");
        }
        for (question, name) in [("what an adage", "Ada"), ("where am i?", "A"), ("so what", ""), ("no", "?")]
        {
            assert!(!names(question, name), "{question}: {name}");
        }
    }
}
