//! What the model is shown: instructions, blocks, the summary and the queue, never more than the window holds.

use super::Context;
use super::call::SET;
use super::entry::{Entry, notice};
use super::queue::Queue;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::blocks::Block;
use crate::memory::compose::{Room, Turns};
use crate::memory::counter::MESSAGE_TOKENS;
use crate::memory::message::{StoredMessage, thread};
use crate::memory::prompts::{data, lines};
use crate::memory::shorten::shaped;
use crate::memory::threads::Mark;
use crate::memory::tools::Tool;
use crate::ports::ModelMessage;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::Store;
use serde::Serialize;
use serde_json::{Value, json};

/// How many tokens there must be for blocks, summary and messages.
const LEAST_ROOM: usize = 600;

/// How full the window is, in tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Status {
    /// The window.
    pub window: usize,
    /// Kept free for the answer.
    pub reserve: usize,
    /// Instructions and functions.
    pub system: usize,
    /// The blocks.
    pub blocks: usize,
    /// The summary of what left sight.
    pub summary: usize,
    /// The messages that are in sight.
    pub recent: usize,
    /// What is left.
    pub free: usize,
    /// Whether the model was told that its window is nearly full, since messages last left it.
    pub warned: bool,
    /// How many messages are in sight.
    pub messages: usize,
}

/// What the model is shown, and what of the thread it is not.
pub(super) struct ModelWindow {
    pub(super) messages: Vec<ModelMessage>,
    pub(super) status: Status,
    /// How many tokens summary and messages may have.
    pub(super) room: usize,
    /// The messages of the thread that are in sight.
    pub(super) seen: Vec<Id>,
    /// Where the queue has to end so that half of its room is free again, when not all of it fits.
    pub(super) overflow: Option<Mark>,
    /// Whether messages left sight that no summary tells of.
    pub(super) is_behind: bool,
}

impl ModelWindow {
    /// What summary and messages take.
    pub(super) fn filled(&self) -> usize {
        self.status.summary + self.status.recent
    }
}

/// What every window holds, whatever was said: measured once.
pub(super) struct Frame {
    /// The definitions of the functions, for models that can call them.
    pub(super) tools: Value,
    /// The signatures of the functions, for those that cannot.
    signatures: String,
    /// The tokens of the system prompt without blocks.
    bare: usize,
    /// The tokens of that as a message, and of the definitions.
    tokens: usize,
}

impl Context {
    /// How full the window of a thread is.
    ///
    /// # Errors
    /// `InvalidInput` when instructions and functions alone fill the window, and those of reading.
    pub fn status(&self, scope: &Scope, thread_id: Option<&str>) -> Result<Status> {
        Ok(self.window(scope, thread(thread_id)?)?.status)
    }

    /// What every window holds.
    pub(super) fn frame(&self) -> &Frame {
        self.frame.get_or_init(|| {
            let definition = |tool: &Tool| {
                json!({ "name": tool.name(), "description": tool.description(), "parameters": tool.parameters_in_step() })
            };
            let tools = Tool::of_set(SET).map(definition);
            let tools: Value = tools.collect();
            let signatures: Vec<String> =
                Tool::of_set(SET).map(|tool| format!("- {}", tool.signature())).collect();
            let signatures = signatures.join("\n");
            let bare = self.rendered(&signatures, &lines(std::iter::empty()), [0, 0]);
            let bare = self.counter.count(&bare);
            let tokens = MESSAGE_TOKENS + bare + self.counter.count(&tools.to_string());
            Frame { tools, signatures, bare, tokens }
        })
    }

    /// How many tokens blocks, summary and messages have.
    ///
    /// # Errors
    /// `InvalidInput` when that is too few.
    pub(super) fn room(&self) -> Result<usize> {
        let (window, reserve, fixed) = (self.options.window, self.options.reserve, self.frame().tokens);
        let room = (window - reserve).checked_sub(fixed).filter(|room| *room >= LEAST_ROOM);
        room.ok_or_else(|| too_small(window, reserve, fixed))
    }

    /// Puts together what the model is shown.
    pub(super) fn window(&self, scope: &Scope, thread_id: &str) -> Result<ModelWindow> {
        let blocks = self.blocks.list(scope)?;
        self.archive.searcher.database.read(|store| self.window_of(store, scope, thread_id, &blocks))
    }

    fn window_of(
        &self,
        store: &Store,
        scope: &Scope,
        thread_id: &str,
        blocks: &[Block],
    ) -> Result<ModelWindow> {
        let queue = Queue::read(store, scope, thread_id)?;
        let out_of_sight = [queue.left, store.records(scope, Kind::Passage).count()];
        let (left, fixed) = (self.room()?, self.frame().tokens);
        let (system, block_tokens) = self.system(blocks, out_of_sight, left / 2);
        let room = left.saturating_sub(block_tokens);

        let (window, reserve) = (self.options.window, self.options.reserve);
        let mut status = Status {
            window,
            reserve,
            system: fixed,
            blocks: block_tokens,
            summary: 0,
            recent: 0,
            free: 0,
            warned: false,
            messages: 0,
        };
        let mut messages = vec![ModelMessage { role: "system", content: system }];
        if let Some(told) = &queue.summary {
            let summary = Entry::summary(told.text, told.messages, room / 8, &self.counter);
            status.summary = summary.tokens;
            messages.push(summary.message);
        }
        let (entries, overflow) = self.entries(&queue.views, room, &mut status)?;
        status.free = room.saturating_sub(status.summary + status.recent);
        if status.summary + status.recent > room || status.messages == 0 && !queue.views.is_empty() {
            return Err(too_small(window, reserve, fixed + block_tokens));
        }
        let seen = queue.views.iter().rev().take(status.messages).map(|view| view.id).collect();
        messages.extend(entries);
        Ok(ModelWindow { messages, status, room, seen, overflow, is_behind: queue.is_behind() })
    }

    /// The newest messages of the queue that fit, oldest first; and where it has to end when not all of them do: then they
    /// fill half of the room.
    fn entries(
        &self,
        views: &[RecordView<'_>],
        room: usize,
        status: &mut Status,
    ) -> Result<(Vec<ModelMessage>, Option<Mark>)> {
        // One message alone never takes all of the room, so that the last one always fits beside the summary.
        let most = room * 3 / 8;
        let mut entries: Vec<(usize, Option<ModelMessage>, bool)> = Vec::new();
        let mut turns = Turns::default();
        let mut left = Room::new(room.saturating_sub(status.summary));
        let fits = turns.fill(&mut left, usize::MAX, &mut |place| {
            let Some(view) = views.iter().rev().nth(place) else { return Ok(None) };
            let message = StoredMessage::of(view)?;
            let entry = Entry::of(&message, most, &self.counter);
            let tokens = entry.as_ref().map_or(0, |entry| entry.tokens);
            entries.push((tokens, entry.map(|entry| entry.message), notice(&message).is_some()));
            Ok(Some(tokens))
        })?;
        entries.truncate(turns.count);
        let mut overflow = None;
        if !fits {
            let mut kept = Turns::default();
            let cost = &mut |place: usize| Ok(entries.get(place).map(|(tokens, ..)| *tokens));
            kept.fill(&mut Room::new(room / 2), usize::MAX, cost)?;
            entries.truncate(kept.count.max(1));
            // A result does not stand without its call.
            while entries.len() > 1 && views.iter().rev().nth(entries.len() - 1).is_some_and(is_result) {
                entries.pop();
            }
            overflow = views.iter().rev().nth(entries.len()).map(Mark::of);
        }
        let sum = entries.iter().map(|(tokens, ..)| tokens).sum();
        status.recent = sum;
        status.messages = entries.len();
        status.warned = entries.iter().any(|(.., notice)| *notice);
        Ok((entries.into_iter().rev().filter_map(|(_, message, _)| message).collect(), overflow))
    }

    /// The system prompt with some blocks in their place.
    fn rendered(&self, signatures: &str, blocks: &str, [evicted, passages]: [usize; 2]) -> String {
        let values = [
            ("instructions", self.options.instructions.as_deref().unwrap_or_default()),
            ("functions", signatures),
            ("blocks", blocks),
            ("evicted", &evicted.to_string()),
            ("passages", &passages.to_string()),
        ];
        self.prompts.render("context.system", &values)
    }

    /// The system prompt and the tokens that the blocks in it take: each is shortened where all of them would have more than
    /// `most`.
    fn system(&self, blocks: &[Block], out_of_sight: [usize; 2], most: usize) -> (String, usize) {
        let frame = self.frame();
        let system = |blocks: &str| {
            let system = self.rendered(&frame.signatures, blocks, out_of_sight);
            let tokens = self.counter.count(&system).saturating_sub(frame.bare);
            (system, tokens)
        };
        let mut each = usize::MAX;
        loop {
            let shown: Vec<String> = blocks.iter().map(|block| self.shown(block, each)).collect();
            let shown = if shown.is_empty() { "(none)".to_owned() } else { shown.join("\n") };
            let (system, tokens) = system(&shown);
            if tokens <= most {
                return (system, tokens);
            }
            each = each.min(most / blocks.len().max(1)) * 7 / 8;
            // Not even the labels fit.
            if each < 8 {
                break;
            }
        }
        system("(too many to be shown)")
    }

    fn shown(&self, block: &Block, tokens: usize) -> String {
        let characters = format!("{}/{}", block.value.chars().count(), block.limit);
        let shape = |value: &str| {
            data(&json!({
                "label": block.label,
                "description": block.description,
                "characters": characters,
                "readOnly": block.read_only,
                "value": value,
            }))
        };
        shaped(&block.value, tokens, &self.counter, &shape)
    }
}

fn is_result(view: &RecordView<'_>) -> bool {
    StoredMessage::of(view).is_ok_and(|message| message.parts().answers_others())
}

fn too_small(window: usize, reserve: usize, fixed: usize) -> Error {
    Error::new(
        Code::InvalidInput,
        format!(
            "a window of {window} tokens with a reserve of {reserve} is too small: instructions, functions and blocks take {fixed}; give context.window at least {}",
            fixed + LEAST_ROOM + reserve
        ),
    )
}
