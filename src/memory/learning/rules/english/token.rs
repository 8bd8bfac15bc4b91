//! English words with their place in the sentence; contractions are taken apart.

use crate::lowercase::lowercase;

/// What a token can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word or a number.
    Word,
    /// A mark that ends a phrase: a comma, a dash, a bracket, an emoji.
    Stop,
    /// A mark that makes what it touches something other than a plain word: `%`, `/`, `=`, blanked text.
    Glue,
}

/// One token of a sentence.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Lower case, contractions written out: `am`, `not`, `'s`.
    pub(super) word: String,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it is written with a capital and not all in capitals.
    pub(super) capital: bool,
    /// Whether it is an acronym-like word in capitals only, of two letters or more.
    pub(super) shouted: bool,
}

impl Token {
    pub(super) fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }
}

/// Contractions and their two halves; the number is the length of the first half.
const WHOLE: &[(&str, &str, &str, usize)] = &[
    ("i'm", "i", "am", 1),
    ("im", "i", "am", 1),
    ("ive", "i", "have", 1),
    ("can't", "can", "not", 2),
    ("won't", "will", "not", 2),
    ("cant", "can", "not", 2),
    ("cannot", "can", "not", 3),
    ("dont", "do", "not", 2),
    ("doesnt", "does", "not", 4),
    ("didnt", "did", "not", 3),
    ("isnt", "is", "not", 2),
    ("wasnt", "was", "not", 3),
    ("wont", "will", "not", 2),
    ("wanna", "want", "to", 3),
    ("anymore", "any", "more", 3),
];

/// Endings of contractions and the word they stand for.
const ENDINGS: &[(&str, &str)] = &[
    ("n't", "not"),
    ("'s", "'s"),
    ("'re", "are"),
    ("'ve", "have"),
    ("'ll", "will"),
    ("'d", "would"),
    ("'m", "am"),
];

/// Spellings with one usual form.
const SPELLINGS: &[(&str, &str)] = &[
    ("favourite", "favorite"),
    ("fave", "favorite"),
    ("fav", "favorite"),
    ("favs", "favorites"),
    ("pls", "please"),
    ("plz", "please"),
    ("bday", "birthday"),
    ("yrs", "years"),
    ("atm", "now"),
    ("rn", "now"),
    ("gf", "girlfriend"),
    ("bf", "boyfriend"),
    ("hubby", "husband"),
];

/// Cuts a sentence into tokens; the first byte of the sentence is at `base` in the message.
pub(super) fn tokens(sentence: &str, base: usize) -> Vec<Token> {
    let mut found = Vec::new();
    let mut letters = sentence.char_indices().peekable();
    while let Some((start, letter)) = letters.next() {
        if letter.is_whitespace() {
            continue;
        }
        if !letter.is_alphanumeric() {
            let glue = "%/$#@+=*_<>[]{}\\|~&^\u{0}\u{b0}".contains(letter);
            let kind = if glue { Kind::Glue } else { Kind::Stop };
            let end = base + start + letter.len_utf8();
            found.push(Token {
                kind,
                word: letter.to_string(),
                start: base + start,
                end,
                capital: false,
                shouted: false,
            });
            continue;
        }
        let mut end = start + letter.len_utf8();
        while let Some((at, next)) = letters.peek().copied() {
            let after = sentence.get(at + next.len_utf8()..).and_then(|rest| rest.chars().next());
            let joins =
                matches!(next, '\'' | '\u{2019}' | '-' | '.') && after.is_some_and(char::is_alphanumeric);
            // Accents may be letters of their own.
            let is_accent = ('\u{300}'..='\u{36f}').contains(&next);
            if !(next.is_alphanumeric() || is_accent || joins) {
                break;
            }
            end = at + next.len_utf8();
            letters.next();
        }
        // "St. Louis": the full stop belongs to the name.
        let short = sentence.get(start..end).is_some_and(|word| matches!(word, "St" | "Mt" | "Ft"));
        if short && letters.next_if(|(_, next)| *next == '.').is_some() {
            end += 1;
        }
        push_word(&mut found, sentence.get(start..end).unwrap_or_default(), base + start);
    }
    found
}

/// Adds a written word as one token, or a contraction as two.
fn push_word(found: &mut Vec<Token>, written: &str, start: usize) {
    let end = start + written.len();
    let lower = lowercase(written).replace('\u{2019}', "'");
    // Lower-casing may change a word's length in bytes; offsets are only computed for ASCII contractions.
    if let Some((_, first, second, cut)) = WHOLE.iter().find(|(whole, ..)| *whole == lower) {
        let middle = start + cut;
        found.push(word(first, first_part(written, *cut), start, middle));
        found.push(word(second, "", middle, end));
        return;
    }
    for (ending, meaning) in ENDINGS {
        let apostrophe = if written.contains('\u{2019}') { '\u{2019}' } else { '\'' };
        let Some(stem) = lower.strip_suffix(ending) else { continue };
        let tail = ending.replace('\'', &apostrophe.to_string());
        let cut = written.len().saturating_sub(tail.len());
        if !stem.is_empty() && written.is_char_boundary(cut) {
            found.push(word(stem, first_part(written, cut), start, start + cut));
            found.push(word(meaning, "", start + cut, end));
            return;
        }
    }
    // "RN" and "ATM" are no "rn" and "atm".
    let is_spelled = written.len() > 3 || written.contains(char::is_lowercase);
    let usual = SPELLINGS.iter().find(|(spelling, _)| is_spelled && *spelling == lower);
    let usual = usual.map(|(_, usual)| *usual);
    found.push(word(usual.unwrap_or(&lower), written, start, end));
}

fn first_part(written: &str, cut: usize) -> &str {
    written.get(..cut).unwrap_or_default()
}

fn word(meaning: &str, written: &str, start: usize, end: usize) -> Token {
    let capital = written.starts_with(char::is_uppercase);
    let letters = written.chars().filter(|c| c.is_alphabetic()).count();
    let shouted = letters >= 2 && written.chars().all(|c| !c.is_lowercase());
    Token {
        kind: Kind::Word,
        word: meaning.to_owned(),
        start,
        end,
        capital: capital && !shouted,
        shouted: capital && shouted,
    }
}
