//! Writing what was chosen, so that it fits.

use super::assembled::{Assembled, Taken};
use super::assembling::Assembling;
use super::conversation::Conversation;
use super::render::{Rendered, Written};
use crate::error::{Code, Error, Result};
use crate::memory::compose::{Item, Pack, Section, fit, line};
use crate::record::{Kind, Provenance};

impl Assembling<'_> {
    /// Writes the prompt. What is over the limit is left out, the oldest messages first, and what comes first at last.
    pub(super) fn fit(self, pack: Pack, conversation: Conversation, question: usize) -> Result<Assembled> {
        let counter = self.searcher().counter.clone();
        let (max, shape) = (self.asked.max_tokens, self.asked.shape);
        let mut parts = (pack, conversation);
        let write = |(pack, conversation): &(Pack, Conversation)| {
            let [prefix, rest] = self.system(pack);
            let prefix_tokens = counter.count(&prefix);
            let prompt = Written { prefix, rest, turns: conversation.shown(), question: self.asked.question };
            let (rendered, tokens) = prompt.render(shape, &counter);
            ((rendered, prefix_tokens), tokens)
        };
        let less = |(pack, conversation): &mut (Pack, Conversation), over| {
            let gone = conversation.pop().or_else(|| pack.pop());
            gone.or_else(|| conversation.shorten(over, &counter))
        };
        let ((rendered, prefix_tokens), tokens) = fit(&mut parts, max, write, less).map_err(|tokens| {
            let told = format!(
                "the prompt has {tokens} tokens without anything remembered, more than the {max} of maxTokens; raise it"
            );
            Error::new(Code::BudgetExceeded, told).with("maxTokens", max)
        })?;
        let (pack, conversation) = parts;
        self.check_shown(&conversation)?;
        self.filling.note(self.store, &pack);
        let is_asked = !self.filling.options.query.trim().is_empty();
        let known =
            is_asked.then(|| self.filling.known(self.store, &self.asked.shares, &pack)).transpose()?;
        let (known, reason) = known.unzip();
        let sections = self.taken(&pack, &conversation, question);
        let mut items = pack.into_items();
        items.extend(self.said(&conversation));
        let mut warnings = self.warnings;
        warnings.extend(conversation.warning());
        let Rendered { text, system, messages } = rendered;
        Ok(Assembled {
            text,
            system,
            messages,
            tokens,
            prefix_tokens,
            items,
            sections,
            known,
            reason,
            rewritten: None,
            warnings,
        })
    }

    /// The application's instructions with what is remembered: what does not depend on the question, and the rest.
    fn system(&self, pack: &Pack) -> [String; 2] {
        let (head, mut rest) = pack.text();
        let mut prefix = self.asked.instructions.to_owned();
        if !prefix.is_empty() && !head.is_empty() {
            prefix.push_str("\n\n");
        } else if !prefix.is_empty() && !rest.is_empty() {
            rest.insert_str(0, "\n\n");
        }
        prefix.push_str(&head);
        [prefix, rest]
    }

    fn taken(&self, pack: &Pack, conversation: &Conversation, question: usize) -> Vec<Taken> {
        let sections = pack.sections().map(|(name, tokens, dropped)| match name {
            Section::Messages => {
                Taken { name, tokens: tokens + conversation.tokens(), dropped: conversation.dropped() }
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
        let said = conversation.shown().iter().flat_map(|turn| &turn.said);
        let explained = said.map(|said| {
            let text = line(&format!("{}: {}", said.role.as_str(), said.text));
            let (message_id, thread_id) = (said.id, thread_id.to_owned());
            Item {
                id: Some(said.id),
                created_at: said.created_at,
                source: vec![Provenance { message_id, thread_id, quote: String::new(), trust: None }],
                ..Item::measured(Section::Messages, Kind::Message, text, said.tokens)
            }
        });
        explained.collect()
    }
}
