//! The parts of a message: the one place that knows in which members chat APIs write them.

use super::answer::Answer;
use super::message::{NewMessage, StoredMessage};
use super::part::{Call, FUNCTION_CALL, FUNCTION_RESULT, NOTICE, Part, text};
use super::role::Role;
use serde_json::Value;

/// The parts of a message, in order.
pub(crate) struct Parts<'a> {
    role: Role,
    parts: Vec<Part<'a>>,
}

impl<'a> Parts<'a> {
    /// Those of a message as a chat API writes it.
    pub(crate) fn of_value(message: &'a Value) -> Self {
        let calls = ["toolCalls", "tool_calls"].iter().find_map(|name| message.get(*name)?.as_array());
        let calls = calls.map(Vec::as_slice).unwrap_or_default();
        let role = Role::of_value(message).unwrap_or(Role::User);
        let answers = text(message, &["toolCallId", "tool_call_id"]);
        let mut read = Self::read(role, message.get("content"), calls, answers);
        // OpenAI's call before there were several.
        let call = message.get("function_call").filter(|call| call.is_object());
        read.parts.extend(call.map(|call| Part::Call(Call::of(call))));
        read
    }

    fn read(role: Role, content: Option<&'a Value>, calls: &'a [Value], answers: Option<&'a str>) -> Self {
        let mut parts: Vec<Part<'a>> = match content {
            Some(Value::String(text)) if !text.trim().is_empty() => vec![Part::Text(text)],
            Some(Value::Array(parts)) => parts.iter().map(Part::of).collect(),
            _ => Vec::new(),
        };
        let mut has_answers = false;
        for part in &mut parts {
            if let Part::Answer(answer) = part {
                answer.id = answer.id.or(answers);
                has_answers = true;
            }
        }
        if !has_answers && (role == Role::Tool || answers.is_some()) {
            parts.retain(|part| matches!(part, Part::Call(_)));
            parts.push(Part::Answer(Answer::whole(content, answers)));
        }
        // Some applications write a call both as a part and beside the content.
        let written: Vec<Option<&str>> = parts.iter().map(Part::call_id).collect();
        let beside =
            calls.iter().map(Call::of).filter(|call| call.id.is_none() || !written.contains(&call.id));
        let place = parts.iter().position(|part| matches!(part, Part::Answer(_))).unwrap_or(parts.len());
        parts.splice(place..place, beside.map(Part::Call).collect::<Vec<_>>());
        Self { role, parts }
    }

    /// The same in runs: what is said and called, and then what was answered. What stands behind an answer begins the next.
    pub(crate) fn runs(self) -> Vec<Self> {
        let mut runs: Vec<Self> = Vec::new();
        for part in self.parts {
            let is_answered =
                |run: &Self| run.parts.last().is_some_and(|last| matches!(last, Part::Answer(_)));
            match runs.last_mut() {
                Some(run) if !is_answered(run) || matches!(part, Part::Answer(_)) => run.parts.push(part),
                _ => runs.push(Self { role: self.role, parts: vec![part] }),
            }
        }
        runs
    }

    /// Whether there is nothing in it.
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The calls it makes.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &Call<'a>> {
        self.parts.iter().filter_map(|part| if let Part::Call(call) = part { Some(call) } else { None })
    }

    /// What tools answered.
    pub(crate) fn answers(&self) -> impl Iterator<Item = &Answer<'a>> {
        self.parts.iter().filter_map(|part| if let Part::Answer(answer) = part { Some(answer) } else { None })
    }

    /// Whether it answers calls, and those of other messages.
    pub(crate) fn answers_others(&self) -> bool {
        self.calls().next().is_none() && self.answers().next().is_some()
    }

    /// What is said, and on lines of their own the names of what else is shown, such as `[image: cat.png]`.
    pub(crate) fn text(&self) -> String {
        let line = |part: &Part<'a>| match part {
            Part::Text(text) => Some((*text).to_owned()),
            Part::Attachment(attachment) => Some(attachment.to_string()),
            Part::Thought | Part::Call(_) | Part::Answer(_) => None,
        };
        self.parts.iter().filter_map(line).collect::<Vec<_>>().join("\n")
    }

    /// The whole message in words: its text, then each call and each answer on lines of their own.
    pub(crate) fn transcript(&self) -> String {
        let mut lines: Vec<String> = Some(self.text()).into_iter().filter(|text| !text.is_empty()).collect();
        for call in self.calls() {
            lines.push(format!("[call of {}] {}", call.name, call.arguments()));
        }
        for answer in self.answers() {
            lines.push(match answer.name {
                Some(name) => format!("[answer of {name}] {}", answer.text()),
                // Who speaks says so already.
                None if self.role == Role::Tool => answer.text(),
                None => format!("[answer] {}", answer.text()),
            });
        }
        lines.join("\n")
    }
}

impl NewMessage {
    /// What it is made of.
    pub(crate) fn parts(&self) -> Parts<'_> {
        let calls = self.tool_calls.as_deref().unwrap_or_default();
        Parts::read(self.role, Some(&self.content), calls, self.tool_call_id.as_deref())
    }
}

impl StoredMessage {
    /// What it is made of.
    pub(crate) fn parts(&self) -> Parts<'_> {
        let calls = self.tool_calls.as_deref().unwrap_or_default();
        Parts::read(self.role, Some(&self.content), calls, self.tool_call_id.as_deref())
    }
}

/// The words of a content, which are searched and learned from.
pub(super) fn words(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let text = |part| if let Part::Text(text) = Part::of(part) { Some(text) } else { None };
            parts.iter().filter_map(text).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// Whether parts of steps of the virtual context are all that a message is: they mean nothing to other models.
pub(crate) fn is_of_steps(content: &Value) -> bool {
    let is_own = |part: &Value| {
        text(part, &["type"]).is_some_and(|kind| [FUNCTION_CALL, FUNCTION_RESULT, NOTICE].contains(&kind))
    };
    content.as_array().is_some_and(|parts| !parts.is_empty() && parts.iter().all(is_own))
}

#[cfg(test)]
#[path = "parts_tests.rs"]
mod tests;
