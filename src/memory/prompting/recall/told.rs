//! What is told already: a line that says the same once more is left out.

use super::sense::sense_of;
use crate::id::Id;
use crate::index::lexical::{is_content_ideograph, is_stop_word};
use crate::log::RecordView;
use crate::memory::compose::Item;
use crate::memory::pages::indexed_words;
use crate::record::Kind;

/// By how much more relevant a message is that says more of what is asked than the fact that was learned from it.
const BETTER: f32 = 0.15;

/// How few words a line may have that says no more than another, and how many more that one; with so few, their order tells who did it.
const FEWEST: usize = 3;
const MORE: usize = 2;
const FEW: usize = 5;
/// Stop words that make another statement of the same words.
const TURNING: &[&str] = &["not", "no", "never", "did", "had", "was", "were", "will", "would"];
/// Words that say nothing themselves.
const FILLERS: &[&str] = &["said", "told", "mentioned", "really", "again", "also"];
/// The longest text whose words are compared with those of others.
const COMPARED: usize = 1024;

/// What the lines so far say, and where that was said.
#[derive(Default)]
pub(super) struct Told {
    senses: Vec<Sense>,
    from: Vec<From>,
    /// Lines that found no room: they may find some when others have left theirs, and are measured.
    left: Vec<Item>,
}

/// What a line of a kind says, and its words that say something.
struct Sense {
    kind: Kind,
    text: String,
    words: Vec<String>,
}

impl Sense {
    fn of(kind: Kind, text: String) -> Self {
        let is_compared = is_compared(kind, &text);
        let words = telling(&text).filter(|_| is_compared).map(str::to_owned).collect();
        Self { kind, text, words }
    }
}

/// What a line says that comes from a message: the fact that was learned from it, or the message itself.
struct From {
    message: Id,
    kind: Kind,
    words: Vec<String>,
    relevance: f32,
}

impl Told {
    /// Whether a line says what another one says: in the same words, or as a message of which a fact is told. Such a message goes on
    /// to be told where it holds a word of the query that the fact does not, or answers it so much better: of "My wife Ana is a nurse" the
    /// fact may tell the name alone.
    pub(super) fn has(
        &self,
        asked: &[String],
        (view, sense): (&RecordView<'_>, &String),
        item: &Item,
    ) -> bool {
        let own: Vec<&str> = if is_read(view, sense) { telling(sense).collect() } else { Vec::new() };
        let repeats = |told: &Sense| {
            told.text == *sense
                || told.kind == view.kind && says_no_more(view.kind, &own, &told.words)
                || view.kind == Kind::Relation && without_is(&told.text).eq(without_is(sense))
        };
        if !sense.is_empty() && self.senses.iter().any(repeats) {
            return true;
        }
        if !matches!(view.kind, Kind::Fact | Kind::Message) {
            return false;
        }
        let is_same = |from: &&From| {
            from.kind != view.kind && item.source.iter().any(|source| source.message_id == from.message)
        };
        let mut told = self.from.iter().filter(is_same).peekable();
        if told.peek().is_none() {
            return false;
        }
        let relevance = told.clone().map(|from| from.relevance).fold(0.0, f32::max);
        if item.relevance > relevance + BETTER {
            return false;
        }
        let told: Vec<&String> = told.flat_map(|from| &from.words).collect();
        let text = view.text.unwrap_or_default();
        let own = indexed_words(&[text.to_owned()]);
        // A word of one Chinese character stands in other pairs wherever it is.
        let is_told = |c: char| told.iter().any(|word| word.contains(c));
        let mut signs = asked.iter().flat_map(|word| word.chars()).filter(|c| is_content_ideograph(*c));
        asked.iter().all(|word| own.binary_search(word).is_err() || told.contains(&word))
            && signs.all(|c| !text.contains(c) || is_told(c))
    }

    /// Whether a fact or a message that is told says what an entity is said to be or do.
    pub(super) fn says(&self, statement: &str) -> bool {
        let sense = sense_of(statement);
        !sense.is_empty() && self.senses.iter().any(|told| told.text == sense)
    }

    /// Keeps a line that found no room.
    pub(super) fn leave(&mut self, item: Item) {
        self.left.push(item);
    }

    /// The line of a record that found no room before.
    pub(super) fn take_left(&mut self, id: Id) -> Option<Item> {
        let place = self.left.iter().position(|item| item.id == Some(id))?;
        Some(self.left.swap_remove(place))
    }

    /// Notes a line that is told.
    pub(super) fn add(&mut self, (view, sense): (&RecordView<'_>, String), item: &Item) {
        self.senses.push(Sense::of(view.kind, sense));
        if matches!(view.kind, Kind::Fact | Kind::Message) {
            // A long message is told in part.
            let mut texts = vec![item.text.clone()];
            if view.kind == Kind::Fact {
                texts.extend(item.source.iter().map(|source| source.quote.clone()));
            }
            let words = indexed_words(&texts);
            self.from.extend(item.source.iter().map(|source| From {
                message: source.message_id,
                kind: view.kind,
                words: words.clone(),
                relevance: item.relevance,
            }));
        }
    }
}

/// The words of a sense but for "is": a relation is "married to", and a fact "is married to".
fn without_is(sense: &str) -> impl Iterator<Item = &str> {
    sense.split(' ').filter(|word| *word != "is")
}

/// Whether the words of a line are compared with those of others.
fn is_compared(kind: Kind, sense: &str) -> bool {
    matches!(kind, Kind::Fact | Kind::Message) && sense.len() <= COMPARED
}

/// Whether a line may say no more than another. A question says nothing, and what is written without spaces is not cut into words.
fn is_read(view: &RecordView<'_>, sense: &str) -> bool {
    is_compared(view.kind, sense) && sense.is_ascii() && !view.text.is_some_and(|text| text.contains('?'))
}

fn turns(word: &str) -> bool {
    TURNING.contains(&word) || word.ends_with("n't")
}

/// The words of a sense that say something.
fn telling(sense: &str) -> impl Iterator<Item = &str> {
    let says =
        |word: &&str| !word.is_empty() && !FILLERS.contains(word) && (!is_stop_word(word) || turns(word));
    sense.split(' ').filter(says)
}

/// Whether a fact or a message says no more than another one of the kind, in other words: "Rex, my dog, loves walks by the sea" behind "My
/// dog Rex loves walks by the sea".
fn says_no_more(kind: Kind, own: &[&str], others: &[String]) -> bool {
    let is_all_told = own.len() >= FEWEST && own.iter().all(|word| others.iter().any(|other| other == word));
    if !is_all_told {
        return false;
    }
    let mut more = others.iter().filter(|word| !own.contains(&word.as_str()));
    let is_little_more = more.clone().count() <= MORE && !more.any(|word| turns(word));
    let mut rest = others.iter();
    let is_in_order = own.iter().all(|word| rest.any(|other| other == word));
    // A fact begins with whom it is about.
    let begins_alike = kind == Kind::Message || own.first().copied() == others.first().map(String::as_str);
    is_little_more && (is_in_order || own.len() >= FEW && begins_alike)
}
