//! Writing what was chosen, so that it fits.

use super::assembled::{Assembled, Taken};
use super::conversation::Conversation;
use super::render::{Prompt, Rendered};
use super::work::Work;
use crate::error::{Code, Error, Result};
use crate::memory::recall::{Item, Pack, Section, line};
use crate::memory::search::Terms;
use crate::record::{Kind, Provenance};

impl Work<'_> {
    /// Writes the prompt. The tokens of a whole need not be the sum of those of its parts: what is over the limit then is left
    /// out, the oldest messages first, and what comes first at last.
    pub(super) fn fit(
        self,
        mut pack: Pack,
        mut conversation: Conversation,
        question: usize,
    ) -> Result<Assembled> {
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
