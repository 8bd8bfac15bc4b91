//! Quotes: words that stand in a text.

use crate::index::lexical::fold;

/// How many parts a quote with words left out has at most.
const MOST_PARTS: usize = 8;

/// The words of a text that a quote copies, perhaps in other capitals, spaces and marks; of one with words left out ("..."), its
/// longest part, where all parts stand there. `None` where they do not, or where it has no letter.
pub(super) fn quoted<'t>(text: &'t str, quote: &str) -> Option<&'t str> {
    if !quote.contains(char::is_alphanumeric) {
        return None;
    }
    exact(text, quote.trim()).or_else(|| {
        let said = letters(text);
        alike(text, &said, quote).or_else(|| {
            let parts = quote.split("...").flat_map(|part| part.split('\u{2026}'));
            let parts: Vec<&str> =
                parts.filter(|part| !part.trim().is_empty()).take(MOST_PARTS + 1).collect();
            if parts.len() > MOST_PARTS {
                return None;
            }
            let found: Option<Vec<&str>> = parts.into_iter().map(|part| alike(text, &said, part)).collect();
            found?.into_iter().max_by_key(|part| part.len())
        })
    })
}

/// Whether words from one place to another are cut out of no longer ones: "art" is no part of a party, nor "5 million" of 2.5 million.
/// Korean, Japanese and Chinese need no spaces.
fn stands(text: &str, first: usize, last: usize) -> bool {
    let byte = |at: usize| text.as_bytes().get(at);
    let is_cut = |at: usize| {
        let Some(before) = at.checked_sub(1) else { return false };
        let sign = |at: usize| byte(at).is_some_and(u8::is_ascii_alphanumeric);
        let digit = |at: usize| byte(at).is_some_and(u8::is_ascii_digit);
        let point = |at: usize| byte(at).is_some_and(|byte| matches!(byte, b'.' | b','));
        sign(before) && sign(at)
            || point(before) && digit(at) && before.checked_sub(1).is_some_and(digit)
            || digit(before) && point(at) && digit(at + 1)
    };
    !is_cut(first) && !is_cut(last)
}

/// The quote as it is.
fn exact<'t>(text: &'t str, quote: &str) -> Option<&'t str> {
    let mut found = text.match_indices(quote).filter(|_| !quote.is_empty());
    found.find(|(at, found)| stands(text, *at, at + found.len())).map(|(_, found)| found)
}

/// What has the letters of a quote; `said` are those of the text.
fn alike<'t>(text: &'t str, (said, places): &(String, Vec<(usize, usize)>), quote: &str) -> Option<&'t str> {
    let (wanted, _) = letters(quote);
    said.match_indices(&wanted).filter(|_| !wanted.is_empty()).find_map(|(at, _)| {
        let (first, _) = *places.get(at)?;
        let (_, last) = *places.get((at + wanted.len()).checked_sub(1)?)?;
        text.get(first..last).filter(|_| stands(text, first, last))
    })
}

/// The letters and digits of a text, folded, and for each of their bytes where its character begins and ends in the text.
fn letters(text: &str) -> (String, Vec<(usize, usize)>) {
    let (mut letters, mut places) = (String::with_capacity(text.len()), Vec::with_capacity(text.len()));
    let mut starts = text.char_indices().filter(|(_, c)| c.is_alphanumeric() && !goes_on(*c)).peekable();
    while let Some((at, first)) = starts.next() {
        let next = starts.peek().map_or(text.len(), |(next, _)| *next);
        let letter = text.get(at..next).unwrap_or_default();
        let marks = letter.char_indices().skip(1).take_while(|(_, c)| goes_on(*c) || is_mark(*c));
        let length = marks.last().map_or(first.len_utf8(), |(mark, c)| mark + c.len_utf8());
        letters.extend(fold(letter.get(..length).unwrap_or_default()).filter(|c| c.is_alphanumeric()));
        places.resize(letters.len(), (at, at + length));
    }
    (letters, places)
}

/// Whether a sign goes on with the letter before it: the vowels and ends of decomposed Hangul, and the half-width marks of Kana.
fn goes_on(c: char) -> bool {
    matches!(c, '\u{1161}'..='\u{1175}' | '\u{11a8}'..='\u{11c2}' | '\u{ff9e}' | '\u{ff9f}')
}

/// Whether nothing is left of a sign by itself.
fn is_mark(c: char) -> bool {
    fold(c.encode_utf8(&mut [0; 4])).next().is_none()
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_found_however_they_are_written() {
        let text = "Well,  I\u{2019}ve moved to\nS\u{e3}o Paulo \u{2014} last week!";
        for (quote, found) in [
            ("moved to\nS\u{e3}o Paulo", Some("moved to\nS\u{e3}o Paulo")),
            ("i've moved to s\u{e3}o paulo", Some("I\u{2019}ve moved to\nS\u{e3}o Paulo")),
            (" \"S\u{c3}O PAULO, last week.\" ", Some("S\u{e3}o Paulo \u{2014} last week")),
            ("I\u{2019}ve ... last week", Some("last week")),
            ("moved \u{2026} S\u{e3}o Paulo", Some("S\u{e3}o Paulo")),
            ("moved ... Rio", None),
            ("ove", None),
            ("moved to Rio", None),
            ("...", None),
            ("!", None),
            ("", None),
        ] {
            assert_eq!(quoted(text, quote), found, "{quote}");
        }
        let price = "It cost 2.5 million, or 1,200 a day; 3, 4 or 5.";
        for (quote, found) in [
            ("5 million", None),
            ("cost 2", None),
            ("200 a day", None),
            ("2.5 million", Some("2.5 million")),
            ("2.5 million, or 1,200", Some("2.5 million, or 1,200")),
            ("4 or 5", Some("4 or 5")),
            ("a day; 3", Some("a day; 3")),
        ] {
            assert_eq!(quoted(price, quote), found, "{quote}");
        }
        // Composed or not: what a file system or an input method wrote.
        for (text, quote, found) in [
            ("at the Cafe\u{301} Ruiz\u{301}", "caf\u{e9} ruiz", "Cafe\u{301} Ruiz\u{301}"),
            ("S\u{e3}o Paulo\u{2014}now", "Sa\u{303}o Paulo", "S\u{e3}o Paulo"),
            (
                "\u{1109}\u{1165}\u{110b}\u{116e}\u{11af}\u{110b}\u{1166} \u{1109}\u{1161}",
                "\u{c11c}\u{c6b8}\u{c5d0} \u{c0ac}",
                "\u{1109}\u{1165}\u{110b}\u{116e}\u{11af}\u{110b}\u{1166} \u{1109}\u{1161}",
            ),
            ("\u{30ac}\u{30c3}", "\u{ff76}\u{ff9e}\u{30c3}", "\u{30ac}\u{30c3}"),
        ] {
            assert_eq!(quoted(text, quote), Some(found), "{quote}");
        }
        assert_eq!(
            quoted("\u{130}stanbul'da ya\u{15f}\u{131}yorum", "\u{130}STANBUL"),
            Some("\u{130}stanbul")
        );
        assert_eq!(
            quoted("\u{c11c}\u{c6b8}\u{c5d0} \u{c0b4}\u{c544}", "\u{c11c}\u{c6b8}\u{c5d0}\u{c0b4}\u{c544}"),
            Some("\u{c11c}\u{c6b8}\u{c5d0} \u{c0b4}\u{c544}")
        );
    }
}
