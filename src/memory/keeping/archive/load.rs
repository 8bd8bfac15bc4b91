//! Loading documents far larger than any window into the archive, in passages.

use super::archive::Archive;
use super::passage::{MAX_PASSAGE_BYTES, PassageValue, check_tags, record};
use crate::error::Result;
use crate::id::Id;
use crate::log::Cause;
use crate::memory::changes::Planning;
use crate::memory::counter::Counter;
use crate::memory::limits::{self, invalid};
use crate::memory::shorten::cut;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::Expect;
use serde::{Deserialize, Serialize};

/// The most bytes of a document's name.
const MAX_NAME_BYTES: usize = 128;
/// How many tokens a passage may be given.
const TOKENS: std::ops::RangeInclusive<usize> = 20..=4000;
/// How many passages, and about how many bytes of them, one commit takes.
const BATCH: usize = 250;
const BATCH_BYTES: usize = 400_000;
/// How many passages one commit ends.
const ENDED: usize = 1000;
/// Between a document's name and the number in a passage's key.
const SEPARATOR: char = '\u{1f}';

/// A document to load.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Load {
    /// The document.
    pub text: String,
    /// Its name, up to 128 bytes; loading another text under the same name takes the place of the one before.
    pub name: String,
    /// What to file its passages under, up to 16 tags; none by default.
    #[serde(default)]
    pub tags: Vec<String>,
    /// About how many tokens a passage has, 20 to 4000; 300 by default.
    #[serde(default = "three_hundred")]
    pub passage_tokens: usize,
}

fn three_hundred() -> usize {
    300
}

/// What was loaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Loaded {
    /// How many passages the document has.
    pub passages: usize,
    /// Their ids, in its order.
    pub ids: Vec<Id>,
}

impl Archive {
    /// Loads a document in passages, batch by batch: one that failed half-way is completed by loading it again, and what did
    /// not change is not written again.
    ///
    /// # Errors
    /// `InvalidInput` for a text, a name or a size that is none, and those of storing.
    pub async fn load(&self, scope: &Scope, load: &Load, counter: &Counter) -> Result<Loaded> {
        limits::text("text", &load.text, usize::MAX)?;
        limits::text("name", &load.name, MAX_NAME_BYTES)?;
        if load.name.chars().any(char::is_control) {
            return Err(invalid("name holds a control character; use letters, digits and signs".to_owned()));
        }
        check_tags(&load.tags)?;
        let tokens = load.passage_tokens;
        limits::whole("passageTokens", tokens, TOKENS)?;
        let mut text = load.text.clone();
        self.changes.guard().screen("the document", &mut |masker, found| masker.text(&mut text, found))?;
        let passages = split(&text, tokens, counter);
        let mut ids = Vec::with_capacity(passages.len());
        let mut next = 0;
        while next < passages.len() {
            let mut bytes = 0;
            let rest = passages.get(next..).unwrap_or_default();
            let fits = |text: &&&str| {
                bytes += text.len();
                bytes <= BATCH_BYTES
            };
            let count = rest.iter().take(BATCH).take_while(fits).count().max(1);
            let batch = rest.get(..count).unwrap_or_default();
            ids.extend(self.load_batch(scope, load, next, batch).await?);
            next += count;
        }
        self.end_rest(scope, load, passages.len()).await?;
        Ok(Loaded { passages: ids.len(), ids })
    }

    /// Stores passages from a place on; the answer is their ids.
    async fn load_batch(&self, scope: &Scope, load: &Load, first: usize, batch: &[&str]) -> Result<Vec<Id>> {
        let mut ids = Vec::with_capacity(batch.len());
        let plan = &mut |planning: &mut Planning<'_>| {
            ids.clear();
            for (place, text) in batch.iter().enumerate() {
                let number = first + place + 1;
                let key = format!("{}{SEPARATOR}{number}", load.name);
                let (tags, name) = (load.tags.clone(), Some(load.name.clone()));
                let value = PassageValue { tags, name, number: Some(number) };
                let known = planning.store.by_key(scope, Kind::Passage, &key);
                let known = known.map(|view| view.to_record(scope)).transpose()?;
                let id = known.as_ref().map_or_else(|| planning.new_id(), |known| known.id);
                let mut record = record(id, scope, text, &value, planning.now)?;
                ids.push(id);
                let expect = match &known {
                    Some(known) if known.text == record.text && known.value == record.value => continue,
                    Some(known) => Expect::Revision(known.revision),
                    None => Expect::Absent,
                };
                record.key = Some(key);
                planning.draft.put(record, expect, None);
            }
            Ok(())
        };
        self.changes.run(scope, Cause::User, plan).await?;
        Ok(ids)
    }

    /// Ends what a longer document of the same name left behind.
    async fn end_rest(&self, scope: &Scope, load: &Load, count: usize) -> Result<()> {
        let prefix = format!("{}{SEPARATOR}", load.name);
        let is_rest = |key: &str| {
            key.strip_prefix(&prefix)
                .and_then(|number| number.parse().ok())
                .is_none_or(|number: usize| number > count)
        };
        let plan = &mut |planning: &mut Planning<'_>| {
            let views = planning.store.by_key_prefix(scope, Kind::Passage, &prefix);
            let rest = views.iter().filter(|view| view.key.is_some_and(is_rest));
            rest.take(ENDED).for_each(|view| planning.end(view));
            Ok(())
        };
        while self.changes.run(scope, Cause::User, plan).await?.commit_id.is_some() {}
        Ok(())
    }
}

/// A text in passages of so many tokens at most, cut at the ends of paragraphs, or else of lines, of sentences, of words.
fn split<'a>(text: &'a str, tokens: usize, counter: &Counter) -> Vec<&'a str> {
    let mut passages = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        // What is far too long is not counted whole.
        let most = rest.floor_char_boundary(rest.len().min((tokens * 16).min(MAX_PASSAGE_BYTES)));
        let fitting = cut(rest.split_at(most).0, tokens, counter);
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let end = if fitting.len() == rest.len() { rest.len() } else { end_of(fitting).max(first) };
        let (passage, others) = rest.split_at(end);
        passages.push(passage.trim_end());
        rest = others.trim_start();
    }
    passages
}

/// Where the beginning of a longer text ends best, in its second half if there is such a place.
fn end_of(fitting: &str) -> usize {
    let half = fitting.len() / 2;
    let paragraph = fitting.rfind("\n\n");
    let line = fitting.rfind('\n');
    let (mut sentence, mut word, mut last) = (None, None, ' ');
    for (place, character) in fitting.char_indices() {
        if matches!(last, '\u{3002}' | '\u{ff01}' | '\u{ff1f}')
            || character.is_whitespace() && matches!(last, '.' | '!' | '?')
        {
            sentence = Some(place);
        }
        if character.is_whitespace() {
            word = Some(place);
        }
        last = character;
    }
    let ends = [paragraph, line, sentence, word].into_iter().flatten();
    ends.into_iter().find(|end| *end > half).unwrap_or(fitting.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn passages_hold_the_text_and_are_no_larger_than_said(
            text in "([a-z]{1,9}[ .\n]{1,2}|[가-힣]{1,5}[ 。]?|x{0,300}|\\PC){0,300}",
            tokens in 20..100usize,
        ) {
            let counter = Counter::default();
            let passages = split(&text, tokens, &counter);
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(bare(&passages.concat()), bare(&text));
            for passage in passages {
                prop_assert!(!passage.trim().is_empty());
                prop_assert!(passage.len() <= MAX_PASSAGE_BYTES);
                // Without the spaces around it, it may count a little more.
                prop_assert!(counter.count(passage) <= tokens + 2);
            }
        }
    }

    /// Colons counted as ends of sentences, and lines were cut behind them.
    #[test]
    fn lines_stay_whole_and_so_do_paragraphs() {
        let counter = Counter::default();
        let lines: Vec<String> =
            (0..200).map(|n| format!("Section {n}: valve {n} is opened with key {}.", n * 7)).collect();
        let passages = split_all(&lines.join("\n"), 100);
        assert!(passages.len() > 10 && passages.iter().all(|passage| passage.starts_with("Section ")));
        assert!(passages.iter().all(|passage| passage.ends_with('.')));
        let paragraphs: Vec<String> =
            lines.chunks(4).map(|lines| format!("{}\nSo it is.", lines.join("\n"))).collect();
        let passages = split_all(&paragraphs.join("\n\n"), 200);
        assert!(passages.iter().all(|passage| passage.ends_with("So it is.")), "{passages:?}");
        assert!(passages.iter().all(|passage| counter.count(passage) <= 200));
    }

    fn split_all(text: &str, tokens: usize) -> Vec<String> {
        split(text, tokens, &Counter::default()).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn sentences_stay_whole() {
        let text = "One two three. Four five six. Seven eight nine.\nTen eleven twelve.";
        let counter = Counter::default();
        let two = counter.count("One two three. Four five six.");
        assert_eq!(
            split(text, two, &counter),
            ["One two three. Four five six.", "Seven eight nine.\nTen eleven twelve."]
        );
    }
}
