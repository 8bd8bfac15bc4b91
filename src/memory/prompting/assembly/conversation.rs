//! The recent messages of a thread, in turns that are told as a whole or not at all: what a tool answered never stands
//! without the call, and no call without its answer.

use crate::id::Id;
use crate::memory::counter::Counter;
use crate::memory::message::{Role, StoredMessage};
use crate::memory::recall::Pack;
use crate::time::Timestamp;
use rustc_hash::FxHashSet;
use serde_json::Value;

/// What a message costs beside its text, and a call or an answer on top.
pub(super) const MESSAGE_TOKENS: usize = 4;
const CALL_TOKENS: usize = 8;

/// A message, apart from how its application writes calls of tools.
pub(super) struct Said {
    pub(super) id: Id,
    pub(super) role: Role,
    pub(super) text: String,
    pub(super) calls: Vec<Call>,
    pub(super) answers: Vec<Answer>,
    pub(super) created_at: Timestamp,
}

/// A call of a tool.
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: Value,
}

/// What a tool answered.
pub(super) struct Answer {
    pub(super) id: String,
    pub(super) text: String,
}

impl Said {
    /// Reads a stored message. Parts that are neither text nor of tools, such as pictures, are left out.
    pub(super) fn of(message: &StoredMessage) -> Self {
        let mut said = Self {
            id: message.id,
            role: message.role,
            text: String::new(),
            calls: Vec::new(),
            answers: Vec::new(),
            created_at: message.created_at,
        };
        for call in message.tool_calls.iter().flatten() {
            said.call(call);
        }
        if message.role == Role::Tool && !has_answers(&message.content) {
            let id = message.tool_call_id.clone().unwrap_or_default();
            said.answers.push(Answer { id, text: message.text() });
            return said;
        }
        said.text = message.text();
        for part in message.content.as_array().into_iter().flatten() {
            match kind_of(part) {
                "tool-call" | "tool_call" | "tool_use" | "function" => said.call(part),
                "tool-result" | "tool_result" => {
                    let id = text(part, &["toolCallId", "tool_call_id", "tool_use_id", "id"]);
                    let answer = find(part, &["output", "result", "content"]).map(plain).unwrap_or_default();
                    said.answers.push(Answer { id, text: answer });
                }
                _ => {}
            }
        }
        said
    }

    fn call(&mut self, call: &Value) {
        let function = call.get("function").unwrap_or(call);
        let mut id = text(call, &["toolCallId", "tool_call_id", "id"]);
        if id.is_empty() {
            id = format!("call_{}", self.calls.len());
        }
        let arguments = find(function, &["input", "args", "arguments"]).cloned().unwrap_or_default();
        let arguments = match arguments {
            Value::String(text) => crate::schema::parse_lenient(&text).unwrap_or_default(),
            arguments => arguments,
        };
        let arguments = if arguments.is_object() { arguments } else { Value::Object(Default::default()) };
        let name = text(function, &["toolName", "name"]);
        // No interface takes a call of nothing.
        if !name.is_empty() {
            self.calls.push(Call { id, name, arguments });
        }
    }

    fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.calls.is_empty() && self.answers.is_empty()
    }

    /// What it costs in a prompt.
    pub(super) fn tokens(&self, counter: &Counter) -> usize {
        let count =
            |texts: [&str; 3]| CALL_TOKENS + texts.iter().map(|text| counter.count(text)).sum::<usize>();
        let calls = self.calls.iter().map(|call| count([&call.id, &call.name, &call.arguments.to_string()]));
        let answers = self.answers.iter().map(|answer| count([&answer.id, &answer.text, ""]));
        MESSAGE_TOKENS + counter.count(&self.text) + calls.chain(answers).sum::<usize>()
    }
}

fn kind_of(part: &Value) -> &str {
    part.get("type").and_then(Value::as_str).unwrap_or_default()
}

fn has_answers(content: &Value) -> bool {
    content
        .as_array()
        .into_iter()
        .flatten()
        .any(|part| matches!(kind_of(part), "tool-result" | "tool_result"))
}

/// The first of some properties that is there.
fn find<'a>(part: &'a Value, names: &[&str]) -> Option<&'a Value> {
    names.iter().find_map(|name| part.get(*name))
}

fn text(part: &Value, names: &[&str]) -> String {
    find(part, names).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// What a tool answered, as a text.
fn plain(answer: &Value) -> String {
    match answer {
        Value::String(text) => text.clone(),
        Value::Array(parts) if parts.iter().all(|part| kind_of(part) == "text") => {
            parts.iter().map(|part| text(part, &["text"])).collect::<Vec<_>>().join("\n")
        }
        answer => answer.get("value").map_or_else(|| answer.to_string(), plain),
    }
}

/// Messages that are told together.
pub(super) struct Turn {
    pub(super) said: Vec<Said>,
    pub(super) tokens: usize,
    /// The calls that have no answer yet: their ids as they were said, and as they are told.
    waiting: Vec<(String, String)>,
}

impl Turn {
    /// Whether a conversation may begin with it.
    pub(super) fn begins(&self) -> bool {
        self.said.first().is_some_and(|said| said.role == Role::User)
    }

    /// Calls get ids that no other call has: some applications use an id again, and models' interfaces refuse that.
    fn new(mut said: Said, used: &mut FxHashSet<String>) -> Self {
        let mut waiting = Vec::with_capacity(said.calls.len());
        for call in &mut said.calls {
            let own = call.id.clone();
            let mut number = 1;
            while !used.insert(call.id.clone()) {
                number += 1;
                call.id = format!("{own}_{number}");
            }
            waiting.push((own, call.id.clone()));
        }
        Self { said: vec![said], tokens: 0, waiting }
    }

    /// Takes an answer, if it is one to a call of this turn; one that names no call answers the first.
    fn takes(&mut self, answer: &mut Answer) -> bool {
        let place = self.waiting.iter().position(|(own, _)| answer.id.is_empty() || *own == answer.id);
        let Some(place) = place else { return false };
        answer.id = self.waiting.remove(place).1;
        true
    }

    /// Leaves out the calls that were never answered, and what says nothing then.
    fn close(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        for said in &mut self.said {
            said.calls.retain(|call| waiting.iter().all(|(_, told)| *told != call.id));
        }
        self.said.retain(|said| !said.is_empty());
    }
}

/// The turns of a thread's last messages, and how many of them are told.
#[derive(Default)]
pub(super) struct Conversation {
    pub(super) turns: Vec<Turn>,
    pub(super) told: usize,
    /// What those cost.
    pub(super) taken: usize,
    /// Whether the last is told whatever happens.
    pub(super) is_asked: bool,
    /// Whether there is more before it than could ever have room.
    pub(super) is_part: bool,
    /// What the last cost before it was shortened.
    pub(super) before: Option<usize>,
}

impl Conversation {
    /// Puts messages, the oldest first, into turns.
    pub(super) fn new(messages: Vec<Said>, counter: &Counter) -> Self {
        let mut turns: Vec<Turn> = Vec::new();
        let mut used = FxHashSet::default();
        for mut said in messages {
            if !said.answers.is_empty() {
                let mut answers = std::mem::take(&mut said.answers);
                match turns.last_mut() {
                    Some(turn) => answers.retain_mut(|answer| turn.takes(answer)),
                    None => answers.clear(),
                }
                if let Some(turn) = turns.last_mut().filter(|_| !answers.is_empty()) {
                    let answered =
                        Said { role: Role::Tool, text: String::new(), calls: Vec::new(), answers, ..said };
                    turn.said.push(answered);
                }
            }
            if !said.is_empty() && said.role != Role::System {
                turns.push(Turn::new(said, &mut used));
            }
        }
        for turn in &mut turns {
            turn.close();
            turn.tokens = turn.said.iter().map(|said| said.tokens(counter)).sum();
        }
        turns.retain(|turn| !turn.said.is_empty());
        Self { turns, ..Self::default() }
    }

    /// Leaves out the last message if it is this question of the user's.
    pub(super) fn leave(&mut self, question: &str) {
        let last = self.turns.last().and_then(|turn| turn.said.last());
        if last.is_some_and(|last| last.role == Role::User && last.text.trim() == question.trim()) {
            self.turns.pop();
        }
    }

    /// Tells as many more of the last turns as there is room for, up to `most` tokens in all.
    pub(super) fn fill(&mut self, pack: &mut Pack, most: usize) {
        while let Some(turn) = self.turns.iter().rev().nth(self.told) {
            if self.taken + turn.tokens > most || !pack.take(turn.tokens) {
                break;
            }
            self.taken += turn.tokens;
            self.told += 1;
        }
    }

    /// What is told: it begins with something the user said.
    pub(super) fn told(&self) -> &[Turn] {
        let told = self.turns.get(self.turns.len() - self.told..).unwrap_or_default();
        told.iter().position(Turn::begins).and_then(|first| told.get(first..)).unwrap_or_default()
    }

    /// Leaves out the first turn that is told, and answers what it cost; `None` when there is none, or only the question.
    pub(super) fn pop(&mut self) -> Option<usize> {
        if self.told <= usize::from(self.is_asked) {
            return None;
        }
        let first = self.turns.get(self.turns.len() - self.told)?.tokens;
        self.told = self.told.saturating_sub(1);
        self.taken -= first;
        Some(first)
    }

    /// The tokens of the turns that are included.
    pub(super) fn tokens(&self) -> usize {
        self.told().iter().map(|turn| turn.tokens).sum()
    }

    /// How many messages are not told.
    pub(super) fn dropped(&self) -> usize {
        let count = |turns: &[Turn]| turns.iter().map(|turn| turn.said.len()).sum::<usize>();
        count(&self.turns) - count(self.told())
    }
}
