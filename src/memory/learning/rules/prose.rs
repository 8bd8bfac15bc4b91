//! Prose: the part of a message in which the user speaks.
//!
//! Code, quotations, quoted lines and links are blanked out byte for byte, so that offsets stay those
//! of the message.

/// Bytes of a message that are read; what follows is pasted text rather than talk.
pub const MAX_BYTES: usize = 16 * 1024;

/// Stands where something was blanked out; never part of a value.
pub(super) const BLANK: char = '\u{0}';

const FENCES: &[(&str, &str)] = &[("```", "```"), ("~~~", "~~~")];
const QUOTES: &[(&str, &str)] = &[
    ("`", "`"),
    ("\"", "\""),
    ("\u{201c}", "\u{201d}"),
    ("\u{ab}", "\u{bb}"),
    ("「", "」"),
    ("『", "』"),
    ("《", "》"),
];

/// The message with everything blanked that the user does not say themselves, at most [`MAX_BYTES`] long.
pub(super) fn mask(message: &str) -> String {
    let cut = head(message, MAX_BYTES);
    // The word in which it is cut would be another one.
    let is_cut = |rest: &str| rest.starts_with(char::is_alphanumeric);
    let whole = message
        .get(cut.len()..)
        .filter(|rest| is_cut(rest))
        .and_then(|_| cut.rfind(|c: char| !c.is_alphanumeric()));
    let message = whole.and_then(|end| cut.get(..end)).unwrap_or(cut);
    let mut prose = String::with_capacity(message.len());
    let mut rest = message;
    let mut line_start = true;
    while let Some(next) = rest.chars().next() {
        let taken = foreign(rest, line_start, prose.chars().next_back()).unwrap_or(0);
        if taken > 0 {
            let (blanked, after) = rest.split_at(taken);
            blanked.bytes().for_each(|_| prose.push(BLANK));
            rest = after;
            line_start = false;
            continue;
        }
        line_start = next == '\n' || (line_start && next.is_whitespace());
        prose.push(next);
        rest = rest.get(next.len_utf8()..).unwrap_or_default();
    }
    prose
}

/// The longest start of a text of at most so many bytes that ends between letters.
fn head(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    text.get(..end.unwrap_or(0)).unwrap_or_default()
}

/// How many bytes at the start of `rest` are not the user's own prose.
fn foreign(rest: &str, line_start: bool, before: Option<char>) -> Option<usize> {
    let first = rest.chars().next()?;
    let word_start = !before.is_some_and(char::is_alphanumeric);
    if first.is_alphanumeric() {
        return if word_start { link(rest) } else { None };
    }
    if !">`~\"'\u{2018}\u{201c}\u{ab}「『《".contains(first) {
        return None;
    }
    let line = rest.find('\n').unwrap_or(rest.len());
    if line_start && first == '>' {
        return Some(line);
    }
    for (open, close) in FENCES {
        if let Some(inner) = rest.strip_prefix(open) {
            return Some(inner.find(close).map_or(rest.len(), |at| open.len() + at + close.len()));
        }
    }
    for (open, close) in QUOTES {
        if let Some(inner) = rest.get(..line).and_then(|line| line.strip_prefix(open)) {
            return Some(inner.find(close).map_or(line, |at| open.len() + at + close.len()));
        }
    }
    if word_start { single_quoted(rest.get(..line)?) } else { None }
}

/// The length of a link at the start of `rest`.
fn link(rest: &str) -> Option<usize> {
    let opens = ["http://", "https://", "www."].iter().any(|open| rest.starts_with(open));
    opens.then(|| rest.find(char::is_whitespace).unwrap_or(rest.len()))
}

/// The length of `'quoted words'` at the start of a line's rest; an apostrophe inside a word closes nothing.
fn single_quoted(line: &str) -> Option<usize> {
    let inner = line.strip_prefix(['\'', '\u{2018}'])?;
    let open = line.len() - inner.len();
    let inner = head(inner, 300);
    inner.char_indices().find_map(|(at, mark)| {
        let closes = matches!(mark, '\'' | '\u{2019}')
            && at > 0
            && !inner.get(at + mark.len_utf8()..)?.starts_with(char::is_alphanumeric);
        closes.then_some(open + at + mark.len_utf8())
    })
}
