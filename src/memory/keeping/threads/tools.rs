//! How calls of tools and their answers hang together: an answer is worth nothing without its call.

use crate::memory::message::Parts;
use serde_json::Value;

/// How messages hang together.
struct Links {
    /// For each message the place of the first one it cannot be without: its own when it holds no answer, that of the call
    /// otherwise; `None` when the call is missing.
    needs: Vec<Option<usize>>,
    /// For each message whether all of its calls have answers.
    answered: Vec<bool>,
}

/// The ids of a message's calls, and the calls its answers name; `None` for what names no call.
struct Ids<'a> {
    calls: Vec<Option<&'a str>>,
    answers: Vec<Option<&'a str>>,
}

impl<'a> Ids<'a> {
    fn of(message: &'a Value) -> Self {
        let parts = Parts::of_value(message);
        Self {
            calls: parts.calls().map(|call| call.id).collect(),
            answers: parts.answers().map(|answer| answer.id).collect(),
        }
    }
}

fn links(messages: &[Value]) -> Links {
    let read: Vec<Ids<'_>> = messages.iter().map(Ids::of).collect();
    let mut needs: Vec<Option<usize>> = Vec::with_capacity(messages.len());
    let mut waiting: Vec<Vec<Option<&str>>> = read.iter().map(|ids| ids.calls.clone()).collect();
    for (place, ids) in read.iter().enumerate() {
        // Answers follow their calls at once, whose order is free; tools that the interface itself carries out answer in the message
        // that calls them.
        let before = || read.iter().take(place).rev();
        let is_answer = |ids: &&Ids<'_>| ids.calls.is_empty() && !ids.answers.is_empty();
        let answers = before().take_while(is_answer).count();
        let calls = before().skip(answers).take_while(|ids| !ids.calls.is_empty()).count();
        let mut first = Some(place);
        for id in &ids.answers {
            let mut found = None;
            for (caller, waiting) in
                waiting.iter_mut().enumerate().take(place + 1).skip(place - answers - calls)
            {
                // One that names no call answers the first that waits; a call is answered once.
                let is_meant = |call: &Option<&str>| id.is_none() || call == id;
                if let Some(call) = waiting.iter().position(is_meant) {
                    waiting.remove(call);
                    found = Some(caller);
                    break;
                }
            }
            first = first.zip(found).map(|(first, found)| first.min(found));
        }
        needs.push(first);
    }
    Links { needs, answered: waiting.iter().map(Vec::is_empty).collect() }
}

/// Whether the call of a result among the messages from a place on is missing.
pub(super) fn lacks_calls(messages: &[Value], from: usize) -> bool {
    links(messages).needs.iter().skip(from).any(Option::is_none)
}

/// The messages without the results whose calls are missing, and without the calls that lack a result.
pub(super) fn whole(mut messages: Vec<Value>) -> Vec<Value> {
    loop {
        let Links { needs, answered } = links(&messages);
        let mut stands = needs.iter().zip(answered).map(|(needed, answered)| needed.is_some() && answered);
        let before = messages.len();
        messages.retain(|_| stands.next().unwrap_or_default());
        if messages.len() == before {
            return messages;
        }
    }
}

/// For each place whether the messages may be cut before it, parting no result from its call; one more than there are messages,
/// all of which have their calls.
pub(super) fn cuts(messages: &[Value]) -> Vec<bool> {
    let mut cuts = vec![true; messages.len() + 1];
    for (place, first) in links(messages).needs.into_iter().enumerate() {
        // Between the call and its result nothing can be cut.
        for cut in cuts.iter_mut().take(place + 1).skip(first.unwrap_or(place) + 1) {
            *cut = false;
        }
    }
    cuts
}
