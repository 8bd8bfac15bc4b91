//! What the model is shown: instructions, blocks, the summary and the queue, never more than the window holds.

use super::Context;
use super::entry::{Entry, FRAME_TOKENS, notice};
use super::functions;
use super::queue::{Mark, Queue, between};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::blocks::Block;
use crate::memory::message::StoredMessage;
use crate::memory::prompts::{data, lines};
use crate::memory::shorten::shaped;
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
pub(super) struct Window {
    pub(super) messages: Vec<ModelMessage>,
    pub(super) status: Status,
    /// How many tokens summary and messages may have.
    pub(super) room: usize,
    /// The messages of the thread that are in sight.
    pub(super) seen: Vec<Id>,
    /// Where the queue has to end so that half of its room is free again, when not all of it fits.
    pub(super) overflow: Option<Mark>,
    /// Whether messages wait for being summarised.
    pub(super) unfolded: bool,
}

impl Window {
    /// What summary and messages take.
    pub(super) fn filled(&self) -> usize {
        self.status.summary + self.status.recent
    }
}

/// The definitions of the functions, for models that can call them.
pub(super) fn tools() -> Value {
    let tools = functions::ALL.iter().map(|function| {
        json!({ "name": function.name, "description": function.description, "parameters": function.parameters() })
    });
    tools.collect()
}

impl Context {
    /// How full the window of a thread is.
    ///
    /// # Errors
    /// `InvalidInput` when instructions and functions alone fill the window, and those of reading.
    pub fn status(&self, scope: &Scope, thread_id: Option<&str>) -> Result<Status> {
        let thread_id = crate::memory::message::thread(thread_id)?;
        Ok(self.window(scope, thread_id)?.status)
    }

    /// Puts together what the model is shown.
    pub(super) fn window(&self, scope: &Scope, thread_id: &str) -> Result<Window> {
        let blocks = self.blocks.list(scope)?;
        self.archive.searcher.database.read(|store| self.window_of(store, scope, thread_id, &blocks))
    }

    /// The queue of a thread. Where threads have summaries made in the background, its is the one at the head: nothing is
    /// summarised twice.
    pub(super) fn queue(&self, store: &Store, scope: &Scope, thread_id: &str) -> Result<Queue> {
        let queue = Queue::read(store, scope, thread_id)?;
        if self.threads.are_summarised() { queue.behind_summary(store, scope, thread_id) } else { Ok(queue) }
    }

    fn window_of(&self, store: &Store, scope: &Scope, thread_id: &str, blocks: &[Block]) -> Result<Window> {
        let count = |text: &str| self.counter.count(text);
        let queue = self.queue(store, scope, thread_id)?;
        let views = between(store, scope, thread_id, queue.evicted, None);
        let all = store
            .by_key_prefix(scope, Kind::Message, &crate::memory::message::thread_prefix(thread_id))
            .len();
        let out_of_sight =
            [(all - views.len()).to_string(), store.records(scope, Kind::Passage).count().to_string()];

        let (window, reserve) = (self.options.window, self.options.reserve);
        let capacity = window - reserve;
        let bare = self.system(&lines(std::iter::empty()), &out_of_sight);
        let fixed = FRAME_TOKENS + count(&bare) + count(&tools().to_string());
        let Some(left) = capacity.checked_sub(fixed + LEAST_ROOM).map(|left| left + LEAST_ROOM) else {
            return Err(too_small(window, reserve, fixed));
        };
        let system = self.with_blocks(blocks, &out_of_sight, (count(&bare), left / 2));
        let block_tokens = count(&system).saturating_sub(count(&bare));
        let room = left.saturating_sub(block_tokens);

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
        if !queue.summary.is_empty() {
            let summary = Entry::summary(&queue.summary, queue.messages, room / 8, &self.counter);
            status.summary = summary.tokens;
            messages.push(summary.message);
        }
        let (entries, overflow) = self.entries(&views, room, &mut status)?;
        status.free = room.saturating_sub(status.summary + status.recent);
        if status.summary + status.recent > room || status.messages == 0 && !views.is_empty() {
            return Err(too_small(window, reserve, fixed + block_tokens));
        }
        let seen = views.iter().rev().take(status.messages).map(|view| view.id).collect();
        messages.extend(entries);
        Ok(Window { messages, status, room, seen, overflow, unfolded: queue.evicted != queue.folded })
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
        let mut sum = 0;
        let mut fits = true;
        for view in views.iter().rev() {
            let message = StoredMessage::of(view)?;
            let entry = Entry::of(&message, most, &self.counter);
            let tokens = entry.as_ref().map_or(0, |entry| entry.tokens);
            if status.summary + sum + tokens > room {
                fits = false;
                break;
            }
            sum += tokens;
            entries.push((tokens, entry.map(|entry| entry.message), notice(&message).is_some()));
        }
        let mut overflow = None;
        if !fits {
            let mut half = 0;
            let within = |(tokens, ..): &&(usize, Option<ModelMessage>, bool)| {
                half += tokens;
                half <= room / 2
            };
            let kept = entries.iter().take_while(within).count().clamp(1, entries.len().max(1));
            entries.truncate(kept);
            // A result does not stand without its call.
            while entries.len() > 1 && views.iter().rev().nth(entries.len() - 1).is_some_and(is_result) {
                entries.pop();
            }
            sum = entries.iter().map(|(tokens, ..)| tokens).sum();
            overflow = views.iter().rev().nth(entries.len()).map(Mark::of);
        }
        status.recent = sum;
        status.messages = entries.len();
        status.warned = entries.iter().any(|(.., notice)| *notice);
        Ok((entries.into_iter().rev().filter_map(|(_, message, _)| message).collect(), overflow))
    }

    /// The instructions with some blocks in their place.
    fn system(&self, blocks: &str, [evicted, passages]: &[String; 2]) -> String {
        let functions: Vec<String> =
            functions::ALL.iter().map(|function| format!("- {}", function.signature())).collect();
        self.prompts.render(
            "context.system",
            &[
                ("instructions", self.options.instructions.as_deref().unwrap_or_default()),
                ("functions", &functions.join("\n")),
                ("blocks", blocks),
                ("evicted", evicted),
                ("passages", passages),
            ],
        )
    }

    /// The instructions with the blocks, each shortened where all of them would have more than `most` tokens.
    fn with_blocks(
        &self,
        blocks: &[Block],
        out_of_sight: &[String; 2],
        (bare, most): (usize, usize),
    ) -> String {
        let mut each = usize::MAX;
        loop {
            let shown: Vec<String> = blocks.iter().map(|block| self.shown(block, each)).collect();
            let shown = if shown.is_empty() { "(none)".to_owned() } else { shown.join("\n") };
            let system = self.system(&shown, out_of_sight);
            if self.counter.count(&system) <= bare + most {
                return system;
            }
            each = each.min(most / blocks.len().max(1)) * 7 / 8;
            // Not even the labels fit.
            if each < 8 {
                return self.system("(too many to be shown)", out_of_sight);
            }
        }
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
