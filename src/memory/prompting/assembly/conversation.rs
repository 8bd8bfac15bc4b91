//! The recent messages of a thread, in turns that are told as a whole or not at all: what a tool answered never stands
//! without the call, and no call without its answer.

use crate::error::Result;
use crate::id::Id;
use crate::memory::compose::{Pack, Turns};
use crate::memory::counter::Counter;
use crate::memory::message::{Parts, Role, StoredMessage, is_of_steps};
use crate::time::Timestamp;
use rustc_hash::FxHashSet;
use serde_json::{Value, json};

/// What a call or an answer costs on top.
const CALL_TOKENS: usize = 8;

/// A message, apart from how its application writes calls of tools.
pub(super) struct Said {
    pub(super) id: Id,
    pub(super) role: Role,
    pub(super) text: String,
    pub(super) calls: Vec<Call>,
    pub(super) answers: Vec<Answer>,
    pub(super) created_at: Timestamp,
    /// What it costs in a prompt; 0 when it has changed since it was measured.
    pub(super) tokens: usize,
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
    /// Reads a stored message and measures it. One in which something is said after a tool answered is several, in its order. What
    /// steps of the virtual context called and noted is left out.
    pub(super) fn of(message: &StoredMessage, counter: &Counter) -> Vec<Self> {
        if is_of_steps(&message.content) {
            return Vec::new();
        }
        let mut all: Vec<Self> =
            message.parts().runs().iter().map(|parts| Self::read(message, parts)).collect();
        all.iter_mut().for_each(|said| said.measure(counter));
        all
    }

    fn read(message: &StoredMessage, parts: &Parts<'_>) -> Self {
        let mut said = Self {
            id: message.id,
            role: message.role,
            text: String::new(),
            calls: Vec::new(),
            answers: Vec::new(),
            created_at: message.created_at,
            tokens: 0,
        };
        said.text = parts.text();
        said.text.insert_str(0, message.mark());
        // No interface takes a call of nothing, or arguments that are no object.
        for call in parts.calls().filter(|call| !call.name.is_empty()) {
            let id = call.id.map_or_else(|| format!("call_{}", said.calls.len()), str::to_owned);
            let arguments = match call.arguments() {
                Value::Object(arguments) => Value::Object(arguments),
                other => json!({ "input": other }),
            };
            said.calls.push(Call { id, name: call.name.to_owned(), arguments });
        }
        for answer in parts.answers() {
            let id = answer.id.unwrap_or_default().to_owned();
            said.answers.push(Answer { id, text: answer.text() });
        }
        said
    }

    fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.calls.is_empty() && self.answers.is_empty()
    }

    /// Measures what it costs in a prompt.
    pub(super) fn measure(&mut self, counter: &Counter) {
        let count =
            |texts: [&str; 3]| CALL_TOKENS + texts.iter().map(|text| counter.count(text)).sum::<usize>();
        let calls = self.calls.iter().map(|call| count([&call.id, &call.name, &call.arguments.to_string()]));
        let answers = self.answers.iter().map(|answer| count([&answer.id, &answer.text, ""]));
        self.tokens = counter.message(&self.text) + calls.chain(answers).sum::<usize>();
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

    fn new(mut said: Said, used: &mut FxHashSet<String>) -> Self {
        let waiting = named_apart(&mut said, used);
        Self { said: vec![said], tokens: 0, waiting }
    }

    /// Takes calls that were made before those of its last message were answered, as some interfaces write calls one by one. Gives
    /// back what is anything else.
    fn join(&mut self, mut said: Said, used: &mut FxHashSet<String>) -> Option<Said> {
        let [last] = self.said.as_mut_slice() else { return Some(said) };
        let is_calls = !said.calls.is_empty() && said.text.trim().is_empty();
        if !is_calls || last.role != said.role || last.calls.is_empty() {
            return Some(said);
        }
        self.waiting.extend(named_apart(&mut said, used));
        last.calls.append(&mut said.calls);
        last.tokens = 0;
        None
    }

    /// Takes those answers that are to calls of this turn, as a message of their own.
    fn take(&mut self, mut answers: Vec<Answer>, said: &dyn Fn(Vec<Answer>) -> Said) {
        answers.retain_mut(|answer| self.takes(answer));
        if !answers.is_empty() {
            self.said.push(said(answers));
        }
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

/// Gives calls ids that no other call has: some applications use an id again, and models' interfaces refuse that. The answer is
/// their ids as they were said, and as they are told.
fn named_apart(said: &mut Said, used: &mut FxHashSet<String>) -> Vec<(String, String)> {
    let mut waiting = Vec::with_capacity(said.calls.len());
    if !said.calls.is_empty() {
        said.tokens = 0;
    }
    for call in &mut said.calls {
        let own = call.id.clone();
        let mut number = 1;
        while !used.insert(call.id.clone()) {
            number += 1;
            call.id = format!("{own}_{number}");
        }
        waiting.push((own, call.id.clone()));
    }
    waiting
}

/// The turns of a thread's last messages, and how many of them are told.
#[derive(Default)]
pub(super) struct Conversation {
    pub(super) turns: Vec<Turn>,
    pub(super) chosen: Turns,
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
            let all = std::mem::take(&mut said.answers);
            if !all.is_empty() {
                said.tokens = 0;
            }
            // A tool that the interface itself carries out is answered in the message that calls it.
            let is_own = |answer: &Answer| said.calls.iter().any(|call| call.id == answer.id);
            let (own, others): (Vec<_>, Vec<_>) = all.into_iter().partition(is_own);
            let (id, created_at) = (said.id, said.created_at);
            let answered = |answers| Said {
                id,
                role: Role::Tool,
                text: String::new(),
                calls: Vec::new(),
                answers,
                created_at,
                tokens: 0,
            };
            if let Some(turn) = turns.last_mut() {
                turn.take(others, &answered);
            }
            if said.is_empty() || said.role == Role::System {
                continue;
            }
            let said = match turns.last_mut() {
                Some(turn) => turn.join(said, &mut used),
                None => Some(said),
            };
            turns.extend(said.map(|said| Turn::new(said, &mut used)));
            if let Some(turn) = turns.last_mut() {
                turn.take(own, &answered);
            }
        }
        for turn in &mut turns {
            turn.close();
            let is_changed = |said: &&mut Said| said.tokens == 0;
            turn.said.iter_mut().filter(is_changed).for_each(|said| said.measure(counter));
            turn.tokens = turn.said.iter().map(|said| said.tokens).sum();
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
    pub(super) fn fill(&mut self, pack: &mut Pack, most: usize) -> Result<()> {
        let turns = &self.turns;
        let mut cost = |place| Ok(turns.iter().rev().nth(place).map(|turn| turn.tokens));
        self.chosen.fill(&mut pack.room, most, &mut cost).map(|_| ())
    }

    /// What is told: it begins with something the user said.
    pub(super) fn shown(&self) -> &[Turn] {
        let told = self.turns.get(self.turns.len() - self.chosen.count..).unwrap_or_default();
        told.iter().position(Turn::begins).and_then(|first| told.get(first..)).unwrap_or_default()
    }

    /// Leaves out the first turn that is told, and answers what it cost; `None` when there is none, or only the question.
    pub(super) fn pop(&mut self) -> Option<usize> {
        if self.chosen.count <= usize::from(self.is_asked) {
            return None;
        }
        let first = self.turns.get(self.turns.len() - self.chosen.count)?.tokens;
        self.chosen.leave(first);
        Some(first)
    }

    /// The tokens of the turns that are included.
    pub(super) fn tokens(&self) -> usize {
        self.shown().iter().map(|turn| turn.tokens).sum()
    }

    /// How many messages are not told.
    pub(super) fn dropped(&self) -> usize {
        let count = |turns: &[Turn]| turns.iter().map(|turn| turn.said.len()).sum::<usize>();
        count(&self.turns) - count(self.shown())
    }
}
