//! A prompt in the making: what goes into it, section by section.

use super::Assembly;
use super::asked::Asked;
use super::assembled::Assembled;
use super::conversation::{Conversation, Said};
use crate::error::{Code, Error, Result};
use crate::memory::blocks::Block;
use crate::memory::compose::{Item, Layout, Pack, Section, Share, paragraph};
use crate::memory::counter::MESSAGE_TOKENS;
use crate::memory::recall::{Filling, too_long};
use crate::memory::scoring::Rated;
use crate::memory::search::Searcher;
use crate::memory::threads::Summary;
use crate::record::Kind;
use crate::store::{Found, Store};

/// How much of all tokens what does not depend on the question has at most, in percent.
const PREFIX_PERCENT: usize = 60;
/// How much of all tokens the messages have before other sections of lesser priority, in percent.
const MESSAGES_PERCENT: usize = 30;
/// How much of all tokens what was said in other conversations has at most, in percent.
const EARLIER_PERCENT: usize = 15;
/// How many of the last messages are told even if the summary covers them.
const KEPT: usize = 10;
/// What a message has at least, on average; so many are looked at as fit then.
const SHORT_MESSAGE_TOKENS: usize = 8;
/// What lies between the parts of a text.
const GAPS: usize = 16;

/// A prompt in the making.
pub(super) struct Assembling<'a> {
    pub(super) assembly: &'a Assembly,
    pub(super) asked: Asked<'a>,
    pub(super) filling: Filling<'a>,
    pub(super) store: &'a Store,
    pub(super) warnings: Vec<Error>,
}

impl Assembling<'_> {
    pub(super) fn searcher(&self) -> &Searcher {
        self.filling.searcher
    }

    pub(super) fn count(&self, text: &str) -> usize {
        self.searcher().counter.count(text)
    }

    pub(super) fn prompt(mut self) -> Result<Assembled> {
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
        let question = self.asked.question.map_or(0, |question| self.searcher().counter.message(question));
        let last = conversation.ask(self.room_for_last(instructions, GAPS), &self.searcher().counter);
        let mut related = self.filling.related(store, &[Kind::Fact, Kind::Message])?;
        // That the same was asked before tells nothing beside the question.
        let sought = self.filling.options.query.trim();
        related.retain(|Rated { found: Found { record, .. }, .. }| {
            record.kind != Kind::Message || record.text.unwrap_or_default().trim() != sought
        });
        let mut pack = self.settled(instructions, question + last, &related)?;
        for share in self.asked.shares.clone() {
            match share.section {
                Section::Facts => self.filling.add_related(store, Kind::Fact, &related, &mut pack)?,
                Section::Significant => self.filling.others(store, &related, &mut pack)?,
                Section::Episodes => self.filling.episodes(store, &mut pack)?,
                Section::Graph => self.filling.graph(store, &mut pack)?,
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
                    let first = if share.is_own { share.most } else { max * MESSAGES_PERCENT / 100 };
                    conversation.fill(&mut pack, first)?;
                }
                _ => {}
            }
        }
        for share in self.asked.shares.clone() {
            match share.section {
                Section::Messages => {
                    let least = share.most.saturating_sub(conversation.chosen.tokens);
                    pack.limit(Section::Messages, least.min(max * EARLIER_PERCENT / 100));
                    self.filling.add_related(store, Kind::Message, &related, &mut pack)?;
                    conversation.fill(&mut pack, share.most)?;
                }
                Section::Facts if !share.is_own => {
                    pack.lift(Section::Facts);
                    self.filling.add_related(store, Kind::Fact, &related, &mut pack)?;
                }
                _ => {}
            }
        }
        self.fit(pack, conversation, question)
    }

    /// A pack with what does not depend on the question, and with the room for the rest.
    fn settled(&mut self, instructions: usize, question: usize, related: &[Rated<'_>]) -> Result<Pack> {
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
        let mut pack = Pack::new(&Layout::MEMORY, first, self.searcher().counter.clone());
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
                    self.filling.pinned(self.store, related, &mut pack)?;
                }
                _ => {}
            }
        }
        pack.settle();
        pack.room.resize(first, room);
        Ok(pack)
    }

    /// Adds what is told as a whole or not at all, with a warning when it found no room in a section that is wanted; answers
    /// whether it did.
    pub(super) fn add(&mut self, pack: &mut Pack, what: &str, item: Item, share: Share) -> bool {
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
            id: block.id,
            created_at: block.updated_at.unwrap_or(self.filling.now),
            source: view.map(|view| view.provenance()).transpose()?.unwrap_or_default(),
            ..Item::of(Section::Blocks, Kind::Block, text, &self.searcher().counter)
        })
    }

    /// The last messages of the thread, as many as there can be room for; of those that the summary covers only the last few.
    fn conversation(&self, summary: Option<&Summary>) -> Result<Conversation> {
        let covered = summary.and_then(|summary| summary.up_to_message);
        let max = self.asked.max_tokens;
        let (mut tokens, mut ended, mut count) = (0, false, 0);
        let mut said = Vec::new();
        let of = (self.store, self.filling.scope);
        let database = &self.searcher().database;
        for message in self.asked.newest(of, database, max / SHORT_MESSAGE_TOKENS + KEPT) {
            let message = message?;
            ended = ended || covered == Some(message.id);
            if tokens > max || (ended && count >= KEPT) {
                break;
            }
            let message = Said::of(&message, &self.searcher().counter);
            tokens += message.iter().map(|said| said.tokens).sum::<usize>();
            count += 1;
            said.extend(message.into_iter().rev());
        }
        said.reverse();
        let mut conversation = Conversation::new(said, &self.searcher().counter);
        conversation.is_part = tokens > max;
        if let Some(question) = self.asked.question {
            conversation.leave(question);
        }
        Ok(conversation)
    }
}
