//! Rules: what can be learnt from a user's message with no model at all.
//!
//! [`extract`] reads English, Korean, Japanese and Chinese chat and returns the plain statements users make
//! about themselves. What it returns is shown to them as "what I remember about you", so it would
//! rather miss ten statements than invent one: questions, wishes, reports, quotations, third persons,
//! passing states and anything that looks like a secret yield nothing.
//!
//! Everything is tables and hand-written readers over them; reading takes time linear in the message.

mod chinese;
mod correction;
mod digits;
mod english;
mod finding;
mod japanese;
mod korean;
mod play;
mod prose;
mod slot;
mod statement;
mod subject;
mod table;
mod told;
mod withdrawal;

use crate::memory::secret::{looks_secret, mentions_secret};
use crate::memory::sentence::sentences;
use crate::ordered::Ordered;

pub(crate) use correction::{corrected, may_correct, names_wrong};
pub(crate) use play::{Announced, announced};
pub use prose::MAX_BYTES;
pub use slot::Slot;
pub(crate) use statement::fold;
pub use statement::{Ending, MAX_VALUE_CHARS, Statement};
pub(crate) use subject::{leaves_out_subject, of_user};
pub(crate) use told::told;
use withdrawal::withdraws;
pub(crate) use withdrawal::{behind_withdrawal, named_taken, withdraws_before};

/// The most statements returned for one message.
pub const MAX_STATEMENTS: usize = 32;

/// The plain statements in one message **of the user**, in the order they were said.
///
/// Reads the first [`MAX_BYTES`] bytes and returns at most [`MAX_STATEMENTS`] statements, no two with
/// the same key; values are at most [`MAX_VALUE_CHARS`] characters. An empty list means that nothing
/// was said plainly enough.
///
/// ```
/// use mnemic::memory::rules::{Slot, extract};
///
/// let found = extract("hey, I'm Ana, I live in Lisbon and work as a nurse");
/// let values: Vec<_> = found.iter().map(|it| (it.slot, it.value.as_str())).collect();
/// assert_eq!(values, [(Slot::Name, "Ana"), (Slot::Place, "Lisbon"), (Slot::Job, "nurse")]);
/// assert_eq!(found[1].text, "The user lives in Lisbon.");
/// assert!(extract("my sister lives in Rome. If I lived there I'd be a chef!").is_empty());
/// ```
pub fn extract(message: &str) -> Vec<Statement> {
    extract_of(message, false)
}

/// The same; where the talk was about others, only what names the user, or whose it is.
fn extract_of(message: &str, others: bool) -> Vec<Statement> {
    let prose = prose::mask(message);
    let mut found = Vec::new();
    let mut english = english::Reader::default();
    let mut korean = korean::Reader::behind(others);
    let mut japanese = japanese::Reader::behind(others);
    let mut chinese = chinese::Reader::default();
    let is_japanese = prose.contains(is_kana);
    for sentence in sentences(&prose) {
        let text = prose.get(sentence.range.clone()).unwrap_or_default();
        if mentions_secret(text) {
            continue;
        }
        if table::holds("농담 冗談 玩笑", text) || withdraws(text) && named_taken(text).is_none() {
            found.clear();
        }
        let proceed = match Script::of(text) {
            Script::Hangul => korean.read(text, &sentence, &mut found),
            Script::Han if !is_japanese && !japanese::is_origin(text) => {
                chinese.read(text, &sentence, &mut found)
            }
            Script::Han | Script::Kana => japanese.read(text, &sentence, &mut found),
            Script::Latin => english.read(text, &sentence, &mut found),
        };
        if proceed == Proceed::Stop {
            break;
        }
    }
    let mut keys = Ordered::new();
    found.retain(|statement| {
        statement.value.chars().count() <= MAX_VALUE_CHARS
            && !statement.value.contains(prose::BLANK)
            && !looks_secret(&statement.value)
            && keys.insert((statement.retracts, statement.key()), ()).is_none()
    });
    found.truncate(MAX_STATEMENTS);
    found
}

/// Whether the rest of a message still is the user talking about themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proceed {
    /// Read on.
    On,
    /// What follows is material: a text to translate, a role to play.
    Stop,
}

/// The writing that decides which language's rules read a sentence.
enum Script {
    Hangul,
    Kana,
    /// Chinese characters alone: Chinese, unless the message has Kana elsewhere.
    Han,
    Latin,
}

impl Script {
    fn of(text: &str) -> Self {
        let mut script = Self::Latin;
        for letter in text.chars() {
            match letter {
                '\u{ac00}'..='\u{d7a3}' => return Self::Hangul,
                _ if is_kana(letter) => script = Self::Kana,
                '\u{4e00}'..='\u{9fff}' if matches!(script, Self::Latin) => script = Self::Han,
                _ => {}
            }
        }
        script
    }
}

fn is_kana(letter: char) -> bool {
    matches!(letter, '\u{3041}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}')
}

#[cfg(test)]
mod tests;
