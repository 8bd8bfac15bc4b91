//! English stemming: the Porter2 ("English") algorithm of the Snowball project, for words of `a` to `z`.
//!
//! Source: M. F. Porter, "An algorithm for suffix stripping" (1980), and the definition of Porter2 at snowballstem.org.

/// Words that the rules would stem badly, and their stems.
const IRREGULAR: &[(&str, &str)] = &[
    ("andes", "andes"),
    ("atlas", "atlas"),
    ("bias", "bias"),
    ("cosmos", "cosmos"),
    ("dying", "die"),
    ("early", "earli"),
    ("gently", "gentl"),
    ("howe", "howe"),
    ("idly", "idl"),
    ("lying", "lie"),
    ("news", "news"),
    ("only", "onli"),
    ("singly", "singl"),
    ("skies", "sky"),
    ("skis", "ski"),
    ("sky", "sky"),
    ("tying", "tie"),
    ("ugly", "ugli"),
];

/// Words that are stems once a plural `s` is gone.
const WHOLE: &[&str] = &["canning", "earring", "exceed", "herring", "inning", "outing", "proceed", "succeed"];

/// Suffixes of step 2 and what replaces them, longest first.
const STEP_2: &[(&str, &str)] = &[
    ("ational", "ate"),
    ("fulness", "ful"),
    ("iveness", "ive"),
    ("ization", "ize"),
    ("ousness", "ous"),
    ("biliti", "ble"),
    ("lessli", "less"),
    ("tional", "tion"),
    ("alism", "al"),
    ("aliti", "al"),
    ("ation", "ate"),
    ("entli", "ent"),
    ("fulli", "ful"),
    ("iviti", "ive"),
    ("ousli", "ous"),
    ("abli", "able"),
    ("alli", "al"),
    ("anci", "ance"),
    ("ator", "ate"),
    ("enci", "ence"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("ogi", "og"),
    ("li", ""),
];

/// Suffixes of step 3 and what replaces them, longest first.
const STEP_3: &[(&str, &str)] = &[
    ("ational", "ate"),
    ("tional", "tion"),
    ("alize", "al"),
    ("ative", ""),
    ("icate", "ic"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ness", ""),
    ("ful", ""),
];

/// Suffixes that step 4 removes, longest first.
const STEP_4: &[&str] = &[
    "ement", "able", "ance", "ence", "ible", "ment", "ant", "ate", "ent", "ion", "ism", "iti", "ive", "ize",
    "ous", "al", "er", "ic",
];

/// Replaces a lower-case ASCII word by its stem. Words of one or two letters, and words with anything but `a` to `z`,
/// stay as they are.
pub(super) fn stem(word: &mut String) {
    if word.len() < 3 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return;
    }
    if let Ok(found) = IRREGULAR.binary_search_by_key(&word.as_str(), |(from, _)| from) {
        if let Some((_, to)) = IRREGULAR.get(found) {
            word.clear();
            word.push_str(to);
        }
        return;
    }
    if word.contains('y') {
        mark_consonant_y(word);
    }
    let (r1, r2) = regions(word);
    step_1a(word);
    if !WHOLE.contains(&word.as_str()) {
        step_1b(word, r1);
        step_1c(word);
        step_2(word, r1);
        step_3(word, r1, r2);
        step_4(word, r2);
        step_5(word, r1, r2);
    }
    word.make_ascii_lowercase();
}

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

/// Writes a `y` that is a consonant (at the start, or after a vowel) as `Y`.
fn mark_consonant_y(word: &mut String) {
    let mut after_vowel = true;
    *word = word
        .chars()
        .map(|letter| {
            let letter = if letter == 'y' && after_vowel { 'Y' } else { letter };
            after_vowel = u8::try_from(letter).is_ok_and(is_vowel);
            letter
        })
        .collect();
}

/// Where the regions R1 and R2 start: each after the first non-vowel that follows a vowel.
fn regions(word: &str) -> (usize, usize) {
    let after = |start: usize| {
        let letters = word.as_bytes().get(start..).unwrap_or_default();
        let end = letters.windows(2).position(|pair| matches!(pair, [v, c] if is_vowel(*v) && !is_vowel(*c)));
        end.map_or(word.len(), |end| start + end + 2)
    };
    let special = ["gener", "commun", "arsen"].into_iter().find(|prefix| word.starts_with(prefix));
    let r1 = special.map_or_else(|| after(0), str::len);
    (r1, after(r1))
}

/// Whether the word ends in a short syllable: a vowel between two non-vowels, the last not `w`, `x` or `Y`; or a vowel
/// at the start before a non-vowel.
fn ends_short(word: &str) -> bool {
    match word.as_bytes() {
        [.., a, b, c] => !is_vowel(*a) && is_vowel(*b) && !is_vowel(*c) && !matches!(c, b'w' | b'x' | b'Y'),
        [a, b] => is_vowel(*a) && !is_vowel(*b),
        _ => false,
    }
}

fn has_vowel(letters: &str) -> bool {
    letters.bytes().any(is_vowel)
}

/// Cuts `length` bytes off the end.
fn cut(word: &mut String, length: usize) {
    word.truncate(word.len().saturating_sub(length));
}

/// Plurals.
fn step_1a(word: &mut String) {
    if word.ends_with("sses") {
        cut(word, 2);
    } else if word.ends_with("ied") || word.ends_with("ies") {
        cut(word, if word.len() > 4 { 2 } else { 1 });
    } else if word.ends_with('s')
        && !word.ends_with("us")
        && !word.ends_with("ss")
        && word.get(..word.len() - 2).is_some_and(has_vowel)
    {
        cut(word, 1);
    }
}

/// Past tenses and participles.
fn step_1b(word: &mut String, r1: usize) {
    for suffix in ["eedly", "eed"] {
        if let Some(start) = without(word, suffix).map(str::len) {
            if start >= r1 {
                word.truncate(start + 2);
            }
            return;
        }
    }
    let Some(start) = ["ingly", "edly", "ing", "ed"]
        .into_iter()
        .find_map(|suffix| without(word, suffix))
        .filter(|rest| has_vowel(rest))
        .map(str::len)
    else {
        return;
    };
    word.truncate(start);
    if word.ends_with("at") || word.ends_with("bl") || word.ends_with("iz") {
        word.push('e');
    } else if let [.., a, b] = word.as_bytes()
        && a == b
        && b"bdfgmnprt".contains(b)
    {
        cut(word, 1);
    } else if ends_short(word) && r1 >= word.len() {
        word.push('e');
    }
}

/// A final `y` after a consonant becomes `i`.
fn step_1c(word: &mut String) {
    if let [_, .., before, b'y' | b'Y'] = word.as_bytes()
        && !is_vowel(*before)
    {
        cut(word, 1);
        word.push('i');
    }
}

fn step_2(word: &mut String, r1: usize) {
    let Some((start, suffix, replacement)) = longest(word, STEP_2) else { return };
    let before = word.as_bytes().get(..start).and_then(<[u8]>::last);
    let allowed = match suffix {
        "ogi" => before == Some(&b'l'),
        "li" => before.is_some_and(|letter| b"cdeghkmnrt".contains(letter)),
        _ => true,
    };
    if start >= r1 && allowed {
        replace(word, start, replacement);
    }
}

fn step_3(word: &mut String, r1: usize, r2: usize) {
    let Some((start, suffix, replacement)) = longest(word, STEP_3) else { return };
    if start >= if suffix == "ative" { r1.max(r2) } else { r1 } {
        replace(word, start, replacement);
    }
}

fn step_4(word: &mut String, r2: usize) {
    let Some((start, suffix)) = STEP_4.iter().find_map(|s| Some((without(word, s)?.len(), *s))) else {
        return;
    };
    let allowed = suffix != "ion" || matches!(word.as_bytes().get(..start), Some([.., b's' | b't']));
    if start >= r2 && allowed {
        word.truncate(start);
    }
}

/// A final `e`, or one of two final `l`.
fn step_5(word: &mut String, r1: usize, r2: usize) {
    let Some(rest) = word.strip_suffix(['e', 'l']) else { return };
    let start = rest.len();
    let goes = if word.ends_with('e') {
        start >= r2 || (start >= r1 && !ends_short(rest))
    } else {
        start >= r2 && rest.ends_with('l')
    };
    if goes {
        word.truncate(start);
    }
}

/// The longest suffix of the list that the word ends with: where it starts, itself, and its replacement.
fn longest(
    word: &str,
    suffixes: &'static [(&'static str, &'static str)],
) -> Option<(usize, &'static str, &'static str)> {
    suffixes.iter().find_map(|(suffix, to)| Some((without(word, suffix)?.len(), *suffix, *to)))
}

/// The word without a suffix that it ends with. Most are told apart by their last letter.
#[inline(never)]
fn without<'a>(word: &'a str, suffix: &str) -> Option<&'a str> {
    (word.as_bytes().last() == suffix.as_bytes().last()).then(|| word.strip_suffix(suffix)).flatten()
}

fn replace(word: &mut String, start: usize, replacement: &str) {
    word.truncate(start);
    word.push_str(replacement);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rust_stemmers::{Algorithm, Stemmer};

    fn stemmed(word: &str) -> String {
        let mut word = word.to_owned();
        stem(&mut word);
        word
    }

    #[test]
    fn stems_by_the_book() {
        for (word, expected) in [
            ("caresses", "caress"),
            ("ties", "tie"),
            ("cries", "cri"),
            ("gas", "gas"),
            ("kiwis", "kiwi"),
            ("hopping", "hop"),
            ("hoping", "hope"),
            ("luxuriated", "luxuri"),
            ("agreed", "agre"),
            ("generously", "generous"),
            ("communities", "communiti"),
            ("skies", "sky"),
            ("sayings", "say"),
            ("yoyos", "yoyo"),
            ("relational", "relat"),
            ("by", "by"),
            ("2nd", "2nd"),
        ] {
            assert_eq!(stemmed(word), expected, "{word}");
        }
    }

    #[test]
    fn suffixes_are_longest_first() {
        assert!(STEP_2.is_sorted_by_key(|(suffix, _)| std::cmp::Reverse(suffix.len())));
        assert!(STEP_3.is_sorted_by_key(|(suffix, _)| std::cmp::Reverse(suffix.len())));
        assert!(STEP_4.is_sorted_by_key(|suffix| std::cmp::Reverse(suffix.len())));
        assert!(IRREGULAR.is_sorted());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn agrees_with_snowball(
            start in "[a-z]{0,6}|gener|commun|arsen|[b-dy]?[aeiouy][b-dlnstxwy]{1,2}",
            middle in prop::sample::select(vec![
                "", "ation", "al", "iz", "ful", "less", "ous", "ness", "iv", "abil", "bl", "at", "ent", "og", "ll", "tt",
            ]),
            end in prop::sample::select(vec![
                "", "s", "es", "ies", "ied", "ed", "ing", "ingly", "edly", "eed", "eedly", "y", "li", "ly", "ity", "ize",
                "izer", "ization", "ational", "tional", "ment", "ement", "ion", "ative", "icate", "ness", "e", "l", "ogi",
                "er", "ance", "able", "ism", "us", "ss", "sses",
            ]),
        ) {
            let word = format!("{start}{middle}{end}");
            let expected = Stemmer::create(Algorithm::English).stem(&word).into_owned();
            prop_assert_eq!(stemmed(&word), expected, "{}", word);
        }
    }
}
