//! What of a message is withheld: kept for who reads its thread, and told to nobody else.
//!
//! A message's record holds what may be told, as its text and content, so that whatever reads it tells no more than that. What
//! was handed over stands beside it, with what was taken out: sentences of its words, and terms that no other part may hold.

use super::message::{MessageValue, kept};
use super::part::Part;
use super::parts::words;
use crate::error::{Code, Error, Result};
use crate::index::lexical::{Role, tokenize};
use crate::json::to_value;
use crate::memory::sentence::sentences;
use crate::ordered::in_order;
use crate::record::Record;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::ops::Range;

/// Members of a call or an answer that models read; what else is there ties them together.
const READ: [&str; 8] = ["input", "arguments", "args", "output", "result", "content", "function", "custom"];

/// What a message was before some of it was withheld, and what that is.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Withheld {
    /// The content as it was handed over.
    pub(super) content: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tool_calls: Option<Vec<Value>>,
    /// Which bytes of its words are withheld: whole sentences, in order.
    #[serde(default)]
    cuts: Vec<(usize, usize)>,
    /// What no call, answer or thought in it may hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    terms: Vec<String>,
}

impl Withheld {
    /// The sentences that are withheld.
    pub(super) fn sentences(&self) -> Vec<String> {
        let words = words(&self.content);
        let cuts = self.cuts.iter().filter_map(|(from, to)| words.get(*from..*to));
        cuts.map(|cut| cut.trim().to_owned()).filter(|cut| !cut.is_empty()).collect()
    }
}

/// A message while it is decided what of it may be told.
pub(crate) struct Telling {
    /// As it was handed over.
    content: Value,
    tool_calls: Option<Vec<Value>>,
    words: String,
    /// Its words in pieces, each a sentence with what stands behind it, and whether that is told.
    pieces: Vec<(Range<usize>, bool)>,
    terms: Vec<String>,
}

impl Telling {
    /// Reads a message's record.
    ///
    /// # Errors
    /// `Corrupt` when it is not readable.
    pub(crate) fn of(record: &Record) -> Result<Self> {
        let value = value_of(record)?;
        Ok(match value.withheld {
            Some(withheld) => {
                Self::new(withheld.content, withheld.tool_calls, &withheld.cuts, withheld.terms)
            }
            None => {
                let text = || record.text.clone().map_or(Value::Null, Value::String);
                Self::new(value.content.unwrap_or_else(text), value.tool_calls, &[], Vec::new())
            }
        })
    }

    fn new(
        content: Value,
        tool_calls: Option<Vec<Value>>,
        cuts: &[(usize, usize)],
        terms: Vec<String>,
    ) -> Self {
        let words = words(&content);
        let is_told =
            |piece: &Range<usize>| cuts.iter().all(|(from, to)| piece.end <= *from || *to <= piece.start);
        let pieces = pieces(&words).into_iter().map(|piece| (piece.clone(), is_told(&piece))).collect();
        Self { content, tool_calls, words, pieces, terms }
    }

    /// The words as they were handed over.
    pub(crate) fn words(&self) -> &str {
        &self.words
    }

    /// The words that may be told.
    pub(crate) fn told(&self) -> String {
        let told = self.pieces.iter().filter(|(_, is_told)| *is_told);
        told.filter_map(|(piece, _)| self.words.get(piece.clone())).collect()
    }

    /// Withholds every sentence in which a quote stands, wherever that is, or all words for a blank quote.
    pub(crate) fn withhold_quote(&mut self, quote: &str) {
        let quote = quote.trim();
        if quote.is_empty() {
            return self.pieces.iter_mut().for_each(|(_, is_told)| *is_told = false);
        }
        // What moves together may say it again.
        loop {
            let told = self.told();
            let found: Vec<Range<usize>> =
                told.match_indices(quote).map(|(at, found)| at..at + found.len()).collect();
            if found.is_empty() {
                return;
            }
            let mut start = 0;
            for (piece, is_told) in self.pieces.iter_mut().filter(|(_, is_told)| *is_told) {
                let end = start + piece.len();
                *is_told = found.iter().all(|found| end <= found.start || found.end <= start);
                start = end;
            }
        }
    }

    /// Withholds every sentence that holds so many of some terms.
    pub(crate) fn withhold_terms(&mut self, terms: &FxHashSet<String>, least: usize) {
        let words = &self.words;
        for (piece, is_told) in self.pieces.iter_mut().filter(|(_, is_told)| *is_told) {
            *is_told = shared(words.get(piece.clone()).unwrap_or_default(), terms) < least;
        }
    }

    /// Those of some terms that stand in it.
    pub(crate) fn holding(&self, terms: &FxHashSet<String>) -> FxHashSet<String> {
        let own = terms_of(&json!([self.words, self.content, self.tool_calls]).to_string());
        terms.intersection(&own).cloned().collect()
    }

    /// Withholds what calls, answers and thoughts hold of some terms.
    pub(crate) fn withhold_beside(&mut self, terms: &FxHashSet<String>) {
        let has_more = self.tool_calls.is_some() || self.content.is_array();
        let new = terms.iter().filter(|term| has_more && !self.terms.contains(term));
        let all: Vec<String> = self.terms.iter().chain(new).cloned().collect();
        self.terms = in_order(all);
    }

    /// The record with what may be told; what was handed over is kept beside it where that is more.
    ///
    /// # Errors
    /// `Corrupt` when it is not readable.
    pub(crate) fn write(self, record: &Record) -> Result<Record> {
        let mut value = value_of(record)?;
        let mut record = record.clone();
        let (content, tool_calls) = (self.told_content(), self.told_calls());
        let has_more = content != self.content || tool_calls != self.tool_calls;
        (record.text, value.content) = kept(content);
        value.tool_calls = tool_calls;
        let mut cuts: Vec<(usize, usize)> = Vec::new();
        for (piece, _) in self.pieces.iter().filter(|(_, is_told)| !is_told) {
            match cuts.last_mut() {
                Some((_, to)) if *to == piece.start => *to = piece.end,
                _ => cuts.push((piece.start, piece.end)),
            }
        }
        let withheld =
            Withheld { content: self.content, tool_calls: self.tool_calls, cuts, terms: self.terms };
        value.withheld = has_more.then_some(withheld);
        record.value = to_value(&value)?;
        Ok(record)
    }

    fn told_content(&self) -> Value {
        let terms: FxHashSet<String> = self.terms.iter().cloned().collect();
        match &self.content {
            Value::String(text) => {
                let told = self.told_within(0..text.len());
                if told == *text { told.into() } else { told.trim().into() }
            }
            Value::Array(parts) => {
                let mut start = 0;
                parts.iter().filter_map(|part| self.told_part(part, &mut start, &terms)).collect()
            }
            other => other.clone(),
        }
    }

    /// What may be told of a part; `None` when nothing is left of it. `start` is where its words begin.
    fn told_part(&self, part: &Value, start: &mut usize, terms: &FxHashSet<String>) -> Option<Value> {
        match Part::of(part) {
            Part::Text(text) => {
                let place = *start..*start + text.len();
                *start = place.end + 1;
                let told = self.told_within(place);
                if told == text {
                    return Some(part.clone());
                }
                let mut part = part.clone();
                let name = if part.get("refusal").is_some() { "refusal" } else { "text" };
                *part.get_mut(name)? = Some(told).filter(|told| !told.is_empty())?.into();
                Some(part)
            }
            // What signs a thought would no longer fit a part of it.
            Part::Thought => Some(part.clone()).filter(|part| !holds(&part.to_string(), terms)),
            Part::Call(_) | Part::Answer(_) => {
                let mut part = part.clone();
                clear_part(&mut part, terms);
                Some(part)
            }
            Part::Attachment(_) => Some(part.clone()),
        }
    }

    /// What is told of some bytes of the words.
    fn told_within(&self, place: Range<usize>) -> String {
        let mut told = String::new();
        for (piece, _) in self.pieces.iter().filter(|(_, is_told)| *is_told) {
            let within = piece.start.max(place.start)..piece.end.min(place.end);
            told.push_str(self.words.get(within).unwrap_or_default());
        }
        // What stood between sentences says nothing.
        if told.trim().is_empty() && told.len() < place.len() { String::new() } else { told }
    }

    fn told_calls(&self) -> Option<Vec<Value>> {
        let terms: FxHashSet<String> = self.terms.iter().cloned().collect();
        let mut calls = self.tool_calls.clone()?;
        calls.iter_mut().for_each(|call| clear_part(call, &terms));
        Some(calls)
    }
}

/// Withholds of a message that takes another's place what was withheld of that, as far as it says it again.
///
/// # Errors
/// `Corrupt` when one of them is not readable.
pub(crate) fn carry_over(before: &Record, record: Record) -> Result<Record> {
    let Some(withheld) = value_of(before)?.withheld else { return Ok(record) };
    let mut telling = Telling::of(&record)?;
    let known = withheld.sentences();
    let known: FxHashSet<&str> = known
        .iter()
        .flat_map(|cut| pieces(cut).into_iter().filter_map(|piece| cut.get(piece)))
        .map(str::trim)
        .collect();
    let words = &telling.words;
    for (piece, is_told) in &mut telling.pieces {
        *is_told = *is_told && words.get(piece.clone()).is_none_or(|text| !known.contains(text.trim()));
    }
    telling.withhold_beside(&withheld.terms.into_iter().collect());
    telling.write(&record)
}

/// What tells a text from others: its words without those of grammar. Of scripts whose words are pairs of characters, pairs that
/// are grammar in Japanese are left out, if others are there.
pub(crate) fn terms_of(text: &str) -> FxHashSet<String> {
    let mut terms = FxHashSet::default();
    tokenize(text, |token, role| {
        if role == Role::Key && !matches!(token, "user" | "assist") {
            terms.insert(token.to_owned());
        }
    });
    let is_grammar = |term: &String| term.chars().any(|c| matches!(c, '\u{3041}'..='\u{309f}'));
    if !terms.iter().all(is_grammar) {
        terms.retain(|term| !is_grammar(term));
    }
    terms
}

fn holds(text: &str, terms: &FxHashSet<String>) -> bool {
    shared(text, terms) > 0
}

/// How many of some terms a text holds.
fn shared(text: &str, terms: &FxHashSet<String>) -> usize {
    let mut shared = FxHashSet::default();
    if !terms.is_empty() {
        tokenize(text, |token, role| {
            if role == Role::Key {
                shared.extend(terms.get(token));
            }
        });
    }
    shared.len()
}

/// Takes what holds a term out of what models read of a call or an answer.
fn clear_part(part: &mut Value, terms: &FxHashSet<String>) {
    let Value::Object(members) = part else { return };
    for (name, member) in members.iter_mut().filter(|(name, _)| READ.contains(&name.as_str())) {
        if matches!(name.as_str(), "function" | "custom") {
            clear_part(member, terms);
        } else {
            clear(member, terms);
        }
    }
}

/// Takes every sentence that holds a term out of the texts of a value.
fn clear(value: &mut Value, terms: &FxHashSet<String>) {
    match value {
        Value::String(text) if holds(text, terms) => {
            let json = Some(&*text).filter(|text| text.trim_start().starts_with(['{', '[']));
            if let Some(mut inner) = json.and_then(|text| serde_json::from_str::<Value>(text).ok()) {
                clear(&mut inner, terms);
                *text = inner.to_string();
                return;
            }
            let told = pieces(text).into_iter().filter_map(|piece| text.get(piece));
            let told: String = told.filter(|piece| !holds(piece, terms)).collect();
            told.trim().clone_into(text);
        }
        Value::Array(items) => items.iter_mut().for_each(|item| clear(item, terms)),
        Value::Object(members) => {
            let members = members.iter_mut().filter(|(name, _)| *name != "type");
            members.for_each(|(_, member)| clear(member, terms));
        }
        _ => {}
    }
}

/// A text in pieces that add up to it: sentences, each with what stands behind it. A line end also ends one.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let starts = sentences(text).into_iter().skip(1).map(|sentence| sentence.range.start);
    let ends: Vec<usize> = starts.chain([text.len()]).collect();
    let mut start = 0;
    ends.into_iter()
        .map(|end| std::mem::replace(&mut start, end)..end)
        .filter(|piece| !piece.is_empty())
        .collect()
}

fn value_of(record: &Record) -> Result<MessageValue> {
    crate::json::from_value(record.value.clone())
        .map_err(|_| Error::new(Code::Corrupt, format!("the message {} is not readable", record.id)))
}

#[cfg(test)]
#[path = "withheld_tests.rs"]
mod tests;
