//! What is gone, and whether something rests on it.

use crate::error::Result;
use crate::id::Id;
use crate::log::{Cause, RecordView};
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
    /// What goes, in its words.
    pub(super) said: Vec<String>,
}

impl Gone {
    /// Whether a source goes.
    pub(super) fn is_source(&self, source: &Provenance) -> bool {
        let is_unsaid = |words: &String| !words.contains(source.quote.trim());
        self.ids.contains(&source.message_id)
            || self.threads.contains(&source.thread_id)
            || self.reworded.get(&source.message_id).is_some_and(is_unsaid)
    }

    /// Whether a message goes, or words of it.
    pub(super) fn is_touched(&self, id: &Id) -> bool {
        self.ids.contains(id) || self.reworded.contains_key(id)
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

    /// Notes a text that goes.
    pub(super) fn hear(&mut self, text: &str) {
        let text = text.trim();
        if text.chars().count() >= QUOTED_CHARACTERS && !self.said.iter().any(|said| said == text) {
            self.said.push(text.to_owned());
        }
    }

    /// Whether words stand in something that goes.
    pub(super) fn holds(&self, words: &str) -> bool {
        let words = words.trim();
        !words.is_empty() && self.said.iter().any(|said| said.contains(words))
    }

    /// A text without what it quotes of what goes: without the lines that hold it. `None` when it quotes nothing.
    pub(super) fn unquoted(&self, text: &str) -> Option<String> {
        let quoted: Vec<&String> = self.said.iter().filter(|said| text.contains(said.as_str())).collect();
        if quoted.is_empty() {
            return None;
        }
        let mut text = text.to_owned();
        for said in quoted.iter().filter(|said| said.contains('\n')) {
            text = text.replace(said.as_str(), "");
        }
        let lines: Vec<&str> =
            text.lines().filter(|line| !quoted.iter().any(|said| line.contains(said.as_str()))).collect();
        Some(lines.join("\n").trim().to_owned())
    }
}
