//! What must not be lost: the user's last words, and what was said before the last messages.

use super::assembling::Assembling;
use super::conversation::{Conversation, Said, Turn};
use crate::error::{Code, Error, Result};
use crate::log::RecordView;
use crate::memory::compose::{Fit, Item, Pack, Section, Share, Turns};
use crate::memory::counter::Counter;
use crate::memory::counter::MESSAGE_TOKENS;
use crate::memory::message::Role;
use crate::memory::shorten::cut;

/// What shows that a text was cut off.
const CUT: &str = "\u{2026}";
/// The fewest tokens worth telling a beginning of.
const LEAST: usize = 16;

impl Conversation {
    /// Takes what the user said last, if nothing was answered yet, for the question: it is told whatever happens, shortened to so
    /// many tokens. The answer is what it costs; 0 when it is not so, or not even a beginning has room.
    pub(super) fn ask(&mut self, room: usize, counter: &Counter) -> usize {
        let Some(turn) =
            self.turns.last_mut().filter(|turn| turn.tokens <= room || room >= LEAST + MESSAGE_TOKENS)
        else {
            return 0;
        };
        let [Said { role: Role::User, answers, .. }] = turn.said.as_slice() else { return 0 };
        if !answers.is_empty() {
            return 0;
        }
        let over = turn.tokens.saturating_sub(room);
        (self.chosen, self.is_asked) = (Turns { count: 1, tokens: turn.tokens }, true);
        if over > 0 {
            self.shorten(over, counter);
        }
        self.chosen.tokens
    }

    /// Shortens the question by so many tokens, and answers how many those are; `None` when too little would be left.
    pub(super) fn shorten(&mut self, tokens: usize, counter: &Counter) -> Option<usize> {
        let turn = self.turns.last_mut().filter(|_| self.is_asked)?;
        let [said] = turn.said.as_mut_slice() else { return None };
        let room = counter.count(&said.text).checked_sub(tokens).filter(|room| *room >= LEAST)?;
        said.text = shortened(&said.text, room, counter);
        said.measure(counter);
        let (before, after) = (turn.tokens, said.tokens);
        self.before.get_or_insert(before);
        turn.tokens = after;
        self.chosen.tokens = self.chosen.tokens.saturating_sub(before) + after;
        before.checked_sub(after)
    }

    /// Takes on the same turns with more before them.
    pub(super) fn widen(&mut self, mut all: Self) {
        if self.is_asked {
            all.turns.pop();
            all.turns.extend(self.turns.pop());
        }
        self.turns = all.turns;
    }

    /// That the question was shortened.
    pub(super) fn warning(&self) -> Option<Error> {
        let (tokens, last) = (self.before?, self.turns.last()?);
        let told = format!(
            "the last message has {tokens} tokens, more than there is room for; {} are told: raise maxTokens",
            last.tokens
        );
        let id = last.said.first()?.id;
        Some(Error::new(Code::BudgetExceeded, told).with("id", id.to_string()))
    }
}

impl Assembling<'_> {
    /// How many tokens what the user said last may have, where nothing else is asked.
    pub(super) fn room_for_last(&self, instructions: usize, gaps: usize) -> usize {
        let share = self.asked.shares.iter().find(|share| share.section == Section::Messages);
        let most = share.filter(|_| self.asked.question.is_none()).map_or(0, |share| share.most);
        most.min(self.asked.max_tokens.saturating_sub(instructions + MESSAGE_TOKENS + gaps))
    }

    /// Adds the summary of the thread, shortened to its share; the answer is whether there was room for any of it.
    pub(super) fn summary(&mut self, pack: &mut Pack, view: &RecordView<'_>, share: Share) -> Result<bool> {
        let item = self.filling.item(self.store, view, Fit::always())?;
        let mut item = Item { section: share.section, ..item };
        let room = pack.room_of(share.section);
        if item.tokens > room && room >= LEAST {
            item.text = shortened(&item.text, room, &self.searcher().counter);
            item.tokens = self.count(&item.text);
        }
        Ok(self.add(pack, "summary", item, share))
    }

    /// Refuses a prompt in which nothing is left of what was said, though it is wanted, and nothing is asked.
    pub(super) fn check_shown(&self, conversation: &Conversation) -> Result<()> {
        let is_wanted = |share: &Share| share.section == Section::Messages && share.most > 0;
        let has_more = conversation.is_part || conversation.turns.iter().any(Turn::begins);
        let is_lost = conversation.shown().is_empty() && has_more;
        if self.asked.question.is_some() || !is_lost || !self.asked.shares.iter().any(is_wanted) {
            return Ok(());
        }
        let max = self.asked.max_tokens;
        let told = format!("none of the last messages fits into maxTokens ({max}); raise it");
        Err(Error::new(Code::BudgetExceeded, told).with("maxTokens", max))
    }
}

/// The beginning of a text, with a sign that it is one.
fn shortened(text: &str, tokens: usize, counter: &Counter) -> String {
    let mut room = tokens;
    loop {
        let kept = cut(text, room, counter).trim_end();
        let shown = format!("{kept}{CUT}");
        if counter.count(&shown) <= tokens || room == 0 {
            return shown;
        }
        room -= 1;
    }
}
