//! Corrections: what was said before, with one of its values in the place of another: "Sorry, not Berlin, Bonn."

use super::chinese;
use super::english::{are_places, may_be_place, may_be_town};
use super::slot::Slot;
use super::statement::Statement;
use super::table::among;
use crate::lowercase::lowercase;
use crate::memory::sentence::sentences;

/// Numbers in words.
const NUMBERS: &str = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen \
    twenty thirty forty fifty sixty seventy eighty ninety";
/// The most bytes of a correction, and the most words of a value.
const LONGEST: usize = 80;
const MOST: usize = 3;

/// How a sentence begins that has something else in the place of what was said, the longer phrases first: surely; and if nothing else
/// speaks against it.
const SURELY: &str = "i meant to say|i meant|or rather|make that|scratch that|strike that|correction|typo|my mistake|my bad|no wait|no, wait|\
    wait no|wait, no|*";
const PERHAPS: &str = "i mean|actually|sorry|oops|whoops|wait|no|nope|well";
/// What may stand before and behind these.
const FILLERS: &str = "oh|ah|er|err|eh|um|uh|ugh|hmm|but|ok|okay|haha|lol|hang on|hold on|it should be|should be|it's|its|it is|that's|there are|\
    there's";
/// What is said behind such a value.
const BEHIND: [&str; 6] = [", i mean", ", i meant", ", sorry", ", i should say", " i mean", " sorry"];
/// What no value begins with.
const NO_VALUES: &str = "thanks thank bye hi hello hey really seriously honestly yes yeah just what why how who when where which can could please \
    gotta got i you we he she they it this that these those there here not never no for about my your our long so and but or if a an the is \
    was are am do does did good great nice cool sure of to in at on with";

/// How surely a sentence is a correction of the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    None,
    Perhaps,
    Surely,
}

/// A sentence without what marks it as a correction, and how surely it is one.
pub(super) fn marked(sentence: &str) -> (&str, Mark) {
    stripped(sentence, false)
}

/// The same; where `is_one` is known, "no", "sorry" and the like mark it whatever stands behind them.
#[inline(never)]
fn stripped(sentence: &str, is_one: bool) -> (&str, Mark) {
    let (mut said, mut mark) = (sentence.trim(), Mark::None);
    for behind in BEHIND {
        let at = said.len().saturating_sub(behind.len());
        if said.get(at..).is_some_and(|end| end.eq_ignore_ascii_case(behind)) {
            (said, mark) = (said.get(..at).unwrap_or_default(), Mark::Surely);
        }
    }
    loop {
        let begun = |table: &'static str| {
            table.split('|').find_map(|phrase| {
                let rest = behind(said, phrase)?;
                let is_word =
                    rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '\'' | '\u{2019}'));
                (!is_word || phrase == "*").then_some((phrase, rest))
            })
        };
        let (rest, next) = match (begun(SURELY), begun(PERHAPS), begun(FILLERS)) {
            (Some((_, rest)), ..) => (rest, Mark::Surely),
            // "No pets", "well done" are none.
            (_, Some((phrase, rest)), _)
                if is_one
                    || rest.trim_start().is_empty()
                    || rest.starts_with([',', '.', ':', '-', '\u{2026}'])
                    || rest.trim_start().starts_with(|c: char| c.is_ascii_digit())
                    || among("i oops sorry", phrase.split(' ').next().unwrap_or_default()) =>
            {
                (rest, Mark::Perhaps)
            }
            (_, _, Some((_, rest))) => (rest, Mark::None),
            _ => return (said, mark),
        };
        mark = mark.max(next);
        said = rest.trim_start_matches([' ', ',', '.', ':', '-', '\u{2013}', '\u{2014}', '\u{2026}']);
    }
}

/// What stands behind a phrase, in whatever case.
fn behind<'s>(said: &'s str, phrase: &str) -> Option<&'s str> {
    let mut rest = said.chars();
    for expected in phrase.chars() {
        let letter = rest.next()?.to_ascii_lowercase();
        if expected != if letter == '\u{2019}' { '\'' } else { letter } {
            return None;
        }
    }
    Some(rest.as_str())
}

/// What a correction has in the place of a value: a word or three, without an article.
fn value_of(said: &str) -> Option<&str> {
    let said = without_comment(said);
    let said = ["a ", "an ", "the "].iter().find_map(|article| said.strip_prefix(article)).unwrap_or(said);
    let words: Vec<&str> = said.split_whitespace().take(MOST + 1).map(bare).collect();
    let is_value = |first: &&str| !first.is_empty() && !among(NO_VALUES, &first.to_ascii_lowercase());
    ((1..=MOST).contains(&words.len()) && words.first().is_some_and(is_value)).then_some(said)
}

/// A correction without what is said of it: "29, my birthday was last week", "Erica lol".
fn without_comment(said: &str) -> &str {
    let is_comment = |rest: &str| rest.starts_with(|c: char| c.is_lowercase());
    let said = said.split_once(", ").filter(|(_, rest)| is_comment(rest)).map_or(said, |(head, _)| head);
    [" lol", " haha", " actually"].iter().find_map(|laughter| said.strip_suffix(laughter)).unwrap_or(said)
}

/// What was said just before in the same breath as a correction has it: only what stands right before it is meant, and only where that is a
/// value of what was stated.
pub(super) fn corrected_at_once(said: &str, before: &str, stated: &[Statement]) -> Option<String> {
    let (new, mark) = marked(said);
    read_correction(said, before).or_else(|| {
        let (written, new) = (new, value_of(new).filter(|new| !calls(said, new, mark))?);
        // "I'm Ana and I live in Rome. I meant Anna."
        if let Some(wrong) = stated.iter().find(|one| one.value != new && is_typo(&one.value, new)) {
            return replaced(before, &wrong.value, new);
        }
        let last = stated.iter().rev().find_map(|one| Some((ending_in(before, &one.value)?, one)));
        let (head, one) = last?;
        let is_kind =
            has_digit(&one.value) == has_digit(new) && (one.slot != Slot::Place || may_be_place(new));
        let surely = mark == Mark::Surely && is_kind;
        if let Some(old) = number_like(&one.value, new) {
            return replaced(&one.value, old, new).map(|value| format!("{head}{value}"));
        }
        // "A cat" is a value with its article.
        let new = if one.value.starts_with("a ") || one.value.starts_with("an ") { written } else { new };
        (surely || are_alike(&one.value, new)).then(|| format!("{head}{new}"))
    })
}

/// Whether somebody or something is called or greeted: "Sorry, Boston!"
fn calls(said: &str, new: &str, mark: Mark) -> bool {
    mark < Mark::Surely && said.trim_end().ends_with('!') && !has_digit(new)
}

/// What stands before a value at the end of a text.
fn ending_in<'b>(before: &'b str, value: &str) -> Option<&'b str> {
    let before = before.trim_end_matches(|c: char| !c.is_alphanumeric());
    let at = before.len().checked_sub(value.len())?;
    let (head, tail) = before.split_at_checked(at)?;
    (tail.eq_ignore_ascii_case(value) && !head.ends_with(char::is_alphanumeric)).then_some(head)
}

/// Whether two values are of one kind as they are written: numbers, towns, or one with a typing error.
fn are_alike(value: &str, new: &str) -> bool {
    has_digit(value) && has_digit(new) || are_places(value, new) || is_typo(value, new)
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

/// Whether two words differ in two letters at one place at most.
fn is_typo(value: &str, new: &str) -> bool {
    let (one, other) = (lowercase(value), lowercase(new));
    let alike = |pairs: &mut dyn Iterator<Item = (char, char)>| pairs.take_while(|(a, b)| a == b).count();
    let lengths = (one.chars().count(), other.chars().count());
    let (shorter, longer) = (lengths.0.min(lengths.1), lengths.0.max(lengths.1));
    let same = alike(&mut one.chars().zip(other.chars()));
    let behind = alike(&mut one.chars().rev().zip(other.chars().rev())).min(shorter - same);
    longer - same - behind <= 2 && same + behind >= 2 && 2 * (same + behind) >= longer
}

/// Whether a message may be a correction: whoever knows what was said before asks [`corrected`].
pub(crate) fn may_correct(message: &str) -> bool {
    let said = message.trim();
    chinese::may_correct(said)
        || said.len() <= LONGEST
            && (said.contains("not ") || said.starts_with("Not ") || stripped(said, true).1 > Mark::None)
}

/// What was said before as a correction has it; `None` when it is none, or nothing of what was said is meant. `stated` is what was stated
/// before.
pub(crate) fn corrected(message: &str, before: &str, stated: &[Statement]) -> Option<String> {
    read_correction(message, before).or_else(|| chinese::corrected(message, before, stated)).or_else(|| {
        // One thing was said, and its like is meant.
        let said = message.trim().trim_end_matches(['.', '!']);
        let (new, mark) = marked(said);
        let (new, [one]) = (value_of(new).filter(|new| !calls(message, new, mark))?, stated) else {
            return None;
        };
        let is_town =
            || mark == Mark::Surely && matches!(one.slot, Slot::Place | Slot::Origin) && may_be_town(new);
        let ends = || ending_in(before, &one.value).is_some();
        let is_meant = match said.starts_with('*') {
            true => {
                let is_other = || before.split_whitespace().map(bare).any(|word| is_typo(word, new));
                is_typo(&one.value, new) || ends() && are_places(&one.value, new) && !is_other()
            }
            false => ends() && (are_alike(&one.value, new) || is_town()),
        };
        let numbers = before.split_whitespace().map(bare).filter(|word| is_number(word)).count();
        let is_clear = numbers <= 1 && sentences(before).len() == 1;
        if mark > Mark::None && is_clear && is_meant { replaced(before, &one.value, new) } else { None }
    })
}

#[inline(never)]
fn read_correction(message: &str, before: &str) -> Option<String> {
    let said = message.trim().trim_end_matches(['.', '!']);
    let is_one = !said.is_empty() && !said.contains(['.', '?', '!', '\n', '"']);
    let (said, mark) = stripped(Some(said).filter(|_| is_one)?, true);
    // "Not Berlin, Bonn", "not Berlin but Bonn".
    if let Some(rest) = said.strip_prefix("not ").or_else(|| said.strip_prefix("Not ")) {
        let (old, new) = rest.split_once(", ").or_else(|| rest.split_once(" but "))?;
        return replaced(before, old, stripped(new, true).0).filter(|_| !new.contains(','));
    }
    // "Bonn, not Berlin".
    if let Some((new, old)) = said.split_once(", not ").or_else(|| said.split_once(" not ")) {
        let (old, more) = old.split_once(',').unwrap_or((old, ""));
        // "Berlin, not Lisbon, is the capital."
        let is_told_of = among("is are was were has had", more.trim().split(' ').next().unwrap_or_default());
        return replaced(before, old, new).filter(|_| !is_told_of || more.is_empty());
    }
    // Of a number alone it is clear what it stands for: a name behind "sorry" may be anybody's.
    let said = without_comment(said);
    let old = if mark > Mark::None { number_like(before, said) } else { None };
    replaced(before, old?, said)
}

/// Whether a correction names what is wrong, and is no answer: then it is one whatever was said in between.
pub(crate) fn names_wrong(message: &str) -> bool {
    let lower = message.to_ascii_lowercase();
    let answers = lower.trim_start().starts_with("no");
    places_of(&lower, "not").next().is_some() && marked(message).1 > Mark::None && !answers
}

/// What was said before with a value in the place of another, which must stand there once.
fn replaced(before: &str, old: &str, new: &str) -> Option<String> {
    let (old, new) = (old.trim(), new.trim());
    let is_value = |value: &str| !value.is_empty() && value.split_whitespace().count() <= MOST;
    // "Brookline, not brooklyn": capitals are left out in haste.
    let (lower, wrong) = (before.to_ascii_lowercase(), old.to_ascii_lowercase());
    let mut places = places_of(&lower, &wrong);
    let at = places.next().filter(|_| is_value(old) && is_value(new) && old != new)?;
    let (head, tail) = before.split_at(at);
    places.next().is_none().then(|| format!("{head}{new}{}", tail.get(old.len()..).unwrap_or_default()))
}

/// Where some words stand in a text as words of their own.
fn places_of<'t>(text: &'t str, words: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(words).map(|(at, _)| at).filter(move |at| {
        let (head, tail) =
            (text.get(..*at).unwrap_or_default(), text.get(at + words.len()..).unwrap_or_default());
        !is_letter(head.chars().next_back()) && !is_letter(tail.chars().next())
    })
}

/// The one number of what was said before, or count of the same, or day of a month.
fn number_like<'b>(before: &'b str, new: &str) -> Option<&'b str> {
    let words: Vec<&str> = before.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    let mut numbers = words.iter().filter(|word| is_number(word));
    let only = numbers.next().filter(|_| numbers.next().is_none())?;
    let mut value = new.split_whitespace();
    let (_, behind) = (value.next().filter(|first| is_number(first))?, value.next());
    let Some(behind) = behind else { return Some(only) };
    // "Two brothers", "21 March".
    let start = before.find(*only)?;
    let rest = before.get(start + only.len()..)?.strip_prefix(' ')?;
    let is_same = rest.get(..behind.len()).is_some_and(|word| word.eq_ignore_ascii_case(behind));
    is_same.then(|| before.get(start..start + only.len() + 1 + behind.len())).flatten()
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) || among(NUMBERS, &word.to_ascii_lowercase())
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::super::extract;
    use super::*;

    #[test]
    fn one_value_takes_the_place_of_another() {
        for (before, correction, expected) in [
            ("I live in Berlin.", "Sorry, not Berlin, Bonn.", "I live in Bonn."),
            ("I live in Berlin.", "Not Berlin but Bonn", "I live in Bonn."),
            ("I'm based in Manchester.", "Actually it's Salford, not Manchester", "I'm based in Salford."),
            (
                "I'm based in Manchester.",
                "it's Salford not Manchester, that I live in",
                "I'm based in Salford.",
            ),
            ("I'm 34", "No wait, 35.", "I'm 35"),
            ("My birthday is on 12 March.", "oops, 21 March", "My birthday is on 21 March."),
            ("I have three brothers.", "I mean two brothers, sorry.", "I have two brothers."),
            ("My name is Anna.", "Sorry, not Anna, Hanna", "My name is Hanna."),
            ("I live in Berlin.", "No wait, Rome", "I live in Rome."),
            ("I live in Valencia", "sorry, I meant Palencia", "I live in Palencia"),
            ("I have a cat called Bigos", "*Bigosik", "I have a cat called Bigosik"),
            ("I live in Leeds", "sorry I meant Knaresborough", "I live in Knaresborough"),
            ("I live in Leeds", "*Bristol", "I live in Bristol"),
            (
                "I'm based in Manchester.",
                "Actually it\u{2019}s Salford, not Manchester",
                "I'm based in Salford.",
            ),
            ("I'm 34", "Well, actually, 35", "I'm 35"),
            ("我住上海", "不是上海，是北京", "我住北京"),
            ("我住上海", "打错了 北京", "我住北京"),
            ("我住在高雄", "說錯了,是台北", "我住在台北"),
            ("我叫李明", "不好意思，打错字了，是黎明", "我叫黎明"),
            ("我今年25岁", "打错了，26", "我今年26岁"),
            ("我在騰訊上班", "不是騰訊是華為", "我在華為上班"),
        ] {
            let stated = extract(before);
            assert_eq!(
                corrected(correction, before, &stated).as_deref(),
                Some(expected),
                "{before} {correction}"
            );
        }
        for (before, correction) in [
            ("I live in Berlin.", "Bonn."),
            ("I live in Berlin.", "Sorry, Tom"),
            ("I live in Berlin. We go to Paris.", "No wait, Rome"),
            ("I live in Berlin and she lives in Paris", "No wait, Milan"),
            ("I live in Rome", "*Exactly"),
            ("I live in Rome", "I meant Python"),
            ("I live in Rome", "I meant Anna"),
            ("I live in Rome", "I meant Italian"),
            ("I live in Rome", "I meant the weather"),
            ("I like Rome", "I meant Cicero"),
            ("I live in Rome", "*Tuesday"),
            ("We flew via Pariss and I live in Rome", "*Paris"),
            ("I'm 34 and my wife is thirty.", "Sorry, 31"),
            ("I have three kids.", "I mean one"),
            ("I'm allergic to nuts.", "Not nuts, bolts, haha"),
            ("I live in Berlin.", "Not Hamburg, Bonn."),
            ("I live in Berlin.", "Sorry, what did you say?"),
            ("I live in Berlin.", "Sorry. Thanks!"),
            ("I live in Berlin.", "Sorry, I don't know"),
            ("I like Berlin and I live in Berlin.", "Not Berlin, Bonn."),
            ("I live in Berlin.", ""),
            ("我住上海", "北京"),
            ("我住上海", "不是广州，是北京"),
            ("我住上海", "不是上海，是因为工作"),
            ("我住上海", "打错了"),
            ("我住上海", "打错了 重来"),
            ("我住上海", "打错了 是北京吗？"),
            ("我住上海", "抱歉，谢谢"),
            ("我住上海，喜欢北京", "打错了 广州"),
        ] {
            assert_eq!(corrected(correction, before, &extract(before)), None, "{before} {correction}");
        }
    }
}
