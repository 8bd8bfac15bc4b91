//! Sentences: where a text may be cut without tearing what is said.

use std::ops::Range;

/// One sentence of a message.
#[derive(Clone, Debug)]
pub(crate) struct Sentence {
    /// Its bytes in the message, without the closing mark.
    pub(crate) range: Range<usize>,
    /// Whether it ends in a question mark.
    pub(crate) question: bool,
    /// Whether it ends its line with a colon: what follows may be pasted.
    pub(crate) announces: bool,
}

/// Words after which a full stop ends no sentence.
const ABBREVIATIONS: &[&str] =
    &["st", "mr", "mrs", "ms", "dr", "jr", "sr", "mt", "ft", "vs", "etc", "e.g", "i.e", "prof"];

/// The sentences of a text, in order; blank ones are left out. A line ends a sentence too.
pub(crate) fn sentences(prose: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut marks = prose.char_indices().peekable();
    while let Some((at, mark)) = marks.next() {
        let next = marks.peek().map(|(_, next)| *next);
        let ends = match mark {
            '!' | '?' | '\n' | ';' | '。' | '！' | '？' | '…' | '؟' | '۔' | '।' => true,
            '.' => {
                next.is_none_or(|next| !next.is_ascii_alphanumeric() && next != ',')
                    && !abbreviated(prose.get(start..at).unwrap_or_default())
            }
            _ => false,
        };
        if ends {
            let text = prose.get(start..at).unwrap_or_default();
            if !text.trim().is_empty() {
                found.push(Sentence {
                    range: start..at,
                    question: matches!(mark, '?' | '？'),
                    announces: mark == '\n' && text.trim_end().ends_with([':', '：']),
                });
            } else if matches!(mark, '?' | '？') {
                // "!?" and "..?": the question mark belongs to the sentence just closed.
                if let Some(last) = found.last_mut() {
                    last.question = true;
                }
            }
            start = at + mark.len_utf8();
        }
    }
    if prose.get(start..).is_some_and(|text| !text.trim().is_empty()) {
        found.push(Sentence { range: start..prose.len(), question: false, announces: false });
    }
    found
}

/// What a text states: its sentences but for questions.
pub(crate) fn statements(text: &str) -> impl Iterator<Item = &str> {
    let stated = sentences(text).into_iter().filter(|sentence| !sentence.question);
    stated.filter_map(|sentence| text.get(sentence.range))
}

/// Whether the text ends in a word that is written with a full stop, such as `St` or an initial.
fn abbreviated(text: &str) -> bool {
    let word = text.rsplit(|c: char| c.is_whitespace() || c == ',').next().unwrap_or_default();
    let initial = word.len() == 1 && word.chars().all(|c| c.is_ascii_uppercase()) && word != "I";
    initial || ABBREVIATIONS.contains(&word.to_ascii_lowercase().as_str())
}
