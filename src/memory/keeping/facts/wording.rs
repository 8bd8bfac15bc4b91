//! The wording of a fact: its words, as far as they tell it from another fact.

use super::fold;
use crate::lowercase::lowercase;

/// The words of a text without what may be written either way: case, spaces, an article at the beginning, and the
/// punctuation around words. Signs that distinguish stay: those inside of words, "C++" and "C#", "-5" and "5%", ".NET", the
/// marks of feet and inches. So does every word but that article. Two facts of one wording say the same.
pub(crate) fn wording(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = bare(word);
        if !word.is_empty() {
            words.push(lowercase(word).replace('\u{2019}', "'"));
        }
    }
    let is_article = |word: &String| matches!(word.as_str(), "a" | "an" | "the");
    // "A few" are more than "few".
    let counts = |word: &String| matches!(word.as_str(), "few" | "little");
    if words.len() > 1 && words.first().is_some_and(is_article) && !words.get(1).is_some_and(counts) {
        words.remove(0);
    }
    if words.is_empty() { fold(text) } else { words.join(" ") }
}

/// A word without the punctuation around it.
fn bare(word: &str) -> &str {
    let mut bare = word.trim_start_matches(|c| is_quote(c) || is_opening(c));
    while let Some(last) = bare.chars().next_back() {
        let rest = bare.strip_suffix(last).unwrap_or_default();
        let is_measure = matches!(last, '\'' | '"') && rest.ends_with(|c: char| c.is_ascii_digit());
        if is_measure || !(is_quote(last) || is_closing(last)) {
            break;
        }
        bare = rest;
    }
    bare
}

fn is_quote(c: char) -> bool {
    matches!(c, '\'' | '"' | '\u{2018}'..='\u{201f}' | '\u{ab}' | '\u{bb}')
}

fn is_opening(c: char) -> bool {
    matches!(c, '(' | '[' | '{' | '\u{a1}' | '\u{bf}' | '\u{ff08}' | '\u{300c}' | '\u{300e}' | '\u{3010}')
}

fn is_closing(c: char) -> bool {
    matches!(
        c,
        '.' | ','
            | ';'
            | ':'
            | '!'
            | '?'
            | ')'
            | ']'
            | '}'
            | '\u{2014}'
            | '\u{2026}'
            | '\u{3001}'
            | '\u{3002}'
            | '\u{300d}'
            | '\u{300f}'
            | '\u{3011}'
            | '\u{ff01}'
            | '\u{ff08}'..='\u{ff09}'
            | '\u{ff0c}'
            | '\u{ff0e}'
            | '\u{ff1a}'..='\u{ff1b}'
            | '\u{ff1f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_written_either_way_is_one_wording() {
        for (one, other) in [
            ("The user likes green tea.", "user likes  GREEN tea"),
            ("A sister of the user lives in Rome", "sister of the user lives in Rome!"),
            ("The user said: \"yes\", (twice).", "the user said \u{201c}yes\u{201d} twice"),
            ("The user doesn't eat meat .", "The user doesn\u{2019}t eat meat"),
            ("The user lives in Bergen \u{2014} Norway", "The user lives in Bergen, Norway"),
            ("사용자는 새우를 먹는다.", "사용자는  새우를 먹는다"),
            ("ユーザーは京都に住んでいる。", "ユーザーは京都に住んでいる"),
        ] {
            assert_eq!(wording(one), wording(other));
        }
    }

    #[test]
    fn what_distinguishes_stays() {
        for (one, other) in [
            ("The user writes C", "The user writes C++"),
            ("The user writes C", "The user writes C#"),
            ("The user writes C++", "The user writes C#"),
            ("The user uses .NET", "The user uses NET"),
            ("It is -5 degrees", "It is 5 degrees"),
            ("The user is 5' tall", "The user is 5\" tall"),
            ("Rent is 3.5% more", "Rent is 35% more"),
            ("Rent is 5% more", "Rent is 5 more"),
            ("The user eats meat", "The user does not eat meat"),
            ("The user can fly", "The user can't fly"),
            ("The user has a few friends", "The user has few friends"),
            ("A few friends know", "Few friends know"),
            ("The user takes vitamin A", "The user takes vitamin"),
            ("The user lives now here", "The user lives nowhere"),
            ("?", "!"),
        ] {
            assert_ne!(wording(one), wording(other));
        }
    }
}
