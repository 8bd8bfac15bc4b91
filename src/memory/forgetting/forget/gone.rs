//! What is gone, and whether something rests on it.

use crate::error::Result;
use crate::id::Id;
use crate::log::{Cause, RecordView};
use crate::memory::sentence::sentences;
use crate::record::Provenance;
use crate::store::Past;
use crate::time::Timestamp;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The fewest characters of a text that is looked for where it may be quoted: less says nothing of its own.
const QUOTED_CHARACTERS: usize = 8;

/// What is to go.
#[derive(Default)]
pub(super) struct Gone {
    pub(super) ids: FxHashSet<Id>,
    /// Threads that go whole.
    pub(super) threads: FxHashSet<String>,
    /// Times of which everything goes.
    pub(super) times: Option<Range<Timestamp>>,
    /// Messages that get back the words they had before those times, and these.
    pub(super) reworded: FxHashMap<Id, String>,
    /// Messages of which words are withheld since.
    pub(super) withheld: FxHashSet<Id>,
    /// What goes, in its words and sentences, by how it begins.
    pub(super) said: FxHashMap<String, FxHashSet<String>>,
}

impl Gone {
    /// Whether a source goes.
    pub(super) fn is_source(&self, source: &Provenance) -> bool {
        let is_unsaid = |words: &String| !words.contains(source.quote.trim());
        self.ids.contains(&source.message_id)
            || self.threads.contains(&source.thread_id)
            || self.reworded.get(&source.message_id).is_some_and(is_unsaid)
    }

    /// Whether a message goes, or words of it are told no more.
    pub(super) fn is_touched(&self, id: &Id) -> bool {
        self.ids.contains(id) || self.reworded.contains_key(id) || self.withheld.contains(id)
    }

    /// The sources that stay.
    pub(super) fn rest(&self, view: &RecordView<'_>) -> Result<Vec<Provenance>> {
        let mut sources = view.provenance()?;
        sources.retain(|source| !self.is_source(source));
        Ok(sources)
    }

    /// Whether a revision was written in a time of which everything goes.
    pub(super) fn is_of_times(&self, past: &Past<'_>) -> bool {
        // What forgetting itself wrote anew was said before.
        past.cause != Cause::Forget
            && self.times.as_ref().is_some_and(|times| times.contains(&past.view.updated_at))
    }

    /// Whether a revision rests on what goes.
    pub(super) fn is_under(&self, past: &Past<'_>) -> Result<bool> {
        let sources = past.view.provenance()?;
        Ok(sources.iter().any(|source| self.is_source(source)) || self.is_of_times(past))
    }

    /// Notes a text that goes, and each of its sentences.
    pub(super) fn hear(&mut self, text: &str) {
        let sentences = sentences(text).into_iter().filter_map(|sentence| text.get(sentence.range));
        for said in std::iter::once(text).chain(sentences).map(str::trim) {
            if let Some(head) = head(said) {
                self.said.entry(head.to_owned()).or_default().insert(said.to_owned());
            }
        }
    }

    /// Whether words stand in something that goes.
    pub(super) fn holds(&self, words: &str) -> bool {
        let words = words.trim();
        !words.is_empty() && self.said.values().flatten().any(|said| said.contains(words))
    }

    /// What of it a text quotes.
    fn quoted(&self, text: &str) -> FxHashSet<&str> {
        let rests = text.char_indices().filter_map(|(at, _)| text.get(at..));
        let begun = rests.filter_map(|rest| Some((rest, self.said.get(head(rest)?)?)));
        begun
            .flat_map(|(rest, said)| said.iter().filter(move |said| rest.starts_with(said.as_str())))
            .map(String::as_str)
            .collect()
    }

    /// A text without what it quotes of what goes: without the lines that hold it. `None` when it quotes nothing.
    pub(super) fn unquoted(&self, text: &str) -> Option<String> {
        let quoted = self.quoted(text);
        if quoted.is_empty() {
            return None;
        }
        let mut text = text.to_owned();
        for said in quoted.iter().filter(|said| said.contains('\n')) {
            text = text.replace(said, "");
        }
        let lines: Vec<&str> =
            text.lines().filter(|line| !quoted.iter().any(|said| line.contains(said))).collect();
        Some(lines.join("\n").trim().to_owned())
    }
}

/// The first characters of a text; `None` of one that is too short to say anything of its own.
fn head(text: &str) -> Option<&str> {
    let (last, character) = text.char_indices().nth(QUOTED_CHARACTERS - 1)?;
    text.get(..last + character.len_utf8())
}
