//! Terms of the index back into words that people read: "spici" is "spicy" in one text and "spiciest" in another.

use crate::index::lexical::{Role, Script, is_ideograph, script, tokenize};
use crate::lowercase::{letter, lowercase};

/// The most characters that are one word in a script without spaces; a longer run is many words, and its pairs have to do.
const LONGEST_UNSPACED: usize = 4;

/// The words of a text behind terms of its index, in the order of the terms: of each term the form that stands in the text most
/// often, in lower case. No single letters and digits, and no Hiragana: in Japanese it is mostly what stands between the words.
pub(super) fn written(text: &str, terms: &[String]) -> Vec<String> {
    let mut forms: Vec<Form> = Vec::new();
    each_word(text, &mut |word| {
        let Some(form) = Form::of(word, terms) else { return };
        match forms.iter_mut().find(|known| known.word == form.word) {
            Some(known) => known.times += 1,
            None => forms.push(form),
        }
    });
    let most = |rank: usize| {
        let same = forms.iter().filter(|form| form.rank == rank);
        same.fold(None, |most: Option<&Form>, form| {
            most.filter(|most| most.times >= form.times).or(Some(form))
        })
    };
    (0..terms.len()).filter_map(most).map(|form| form.word.clone()).collect()
}

/// A word as it is shown.
struct Form {
    word: String,
    /// The place of the first term that it stands for.
    rank: usize,
    times: u32,
}

impl Form {
    /// `None` for a word that stands for none of the terms. Of Hangul, whose tokens are pairs that overlap, without its particle.
    fn of(word: &str, terms: &[String]) -> Option<Self> {
        let (mut noun, mut rank) = (String::new(), None);
        tokenize(word, |token, role| {
            if role == Role::Spare {
                return;
            }
            let place = terms.iter().position(|term| *term == token);
            rank = place.into_iter().chain(rank).min();
            match token.chars().last() {
                Some(last) if !noun.is_empty() => noun.push(last),
                _ => noun.push_str(token),
            }
        });
        let first = word.chars().next()?;
        if is_ideograph(first) {
            // A single character of a longer run is indexed in pairs only.
            rank = rank.or_else(|| terms.iter().position(|term| term.contains(word)));
        }
        let word = if script(first) == Script::Hangul { noun } else { lowercase(word) };
        Some(Self { word, rank: rank?, times: 1 })
    }
}

/// Calls `emit` with each run of characters that can be a word.
fn each_word(text: &str, emit: &mut dyn FnMut(&str)) {
    let (mut start, mut before) = (0, None);
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let kind = kind(c);
        if kind == before {
            continue;
        }
        let run = text.get(start..at).unwrap_or_default();
        let length = run.chars().count();
        match before {
            None | Some((Script::Emoji | Script::Flag, _)) => {}
            Some((Script::Word, _)) if length < 2 => {}
            Some((Script::Unspaced, _) | (_, true)) if length > LONGEST_UNSPACED => {
                for (one, other) in run.chars().zip(run.chars().skip(1)) {
                    emit(&String::from_iter([one, other]));
                }
            }
            Some(_) => emit(run),
        }
        (start, before) = (at, kind);
    }
}

/// What the characters of one word have in common: their script, and whether they are ideographs. `None` between words.
fn kind(c: char) -> Option<(Script, bool)> {
    let c = letter(c);
    match script(c) {
        Script::Break => None,
        Script::Han if matches!(c, '\u{3041}'..='\u{309f}') => None,
        script => Some((script, is_ideograph(c))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_written(text: &str, expected: &[&str]) {
        let mut terms = Vec::new();
        tokenize(text, |token, role| {
            if role == Role::Key && !terms.contains(&token.to_owned()) {
                terms.push(token.to_owned());
            }
        });
        assert_eq!(written(text, &terms), expected, "{text}");
    }

    #[test]
    fn words_are_as_they_were_written_most_often() {
        assert_written(
            "Alice's 3 allergies: Alice is allergic to nuts",
            &["alice", "allergies", "allergic", "nuts"],
        );
        assert_written("I walk, she walks, he walks", &["walks"]);
        assert_written("Élève à l'école, Élèves", &["élève", "école"]);
        assert_written("Привет नमस्ते שלום مرحبا", &["привет", "नमस्ते", "שלום", "مرحبا"]);
        assert_written("-- ... ?", &[]);
        assert_eq!(written("", &["tea".to_owned()]), [""; 0]);
        assert_eq!(
            written("Spicy soups and a spicy soup, 2 soups", &["soup", "spici", "2"].map(str::to_owned)),
            ["soups", "spicy"]
        );
    }

    #[test]
    fn scripts_without_spaces_give_words_where_they_can() {
        assert_written("매운 음식을 먹고 스트레스를 푼다", &["매운", "음식", "먹고", "스트레스", "푼다"]);
        assert_written("東京タワーに猫がいます。", &["東京", "タワー", "猫"]);
        assert_written("我喜欢绿茶", &["我喜", "喜欢", "欢绿", "绿茶"]);
        assert_written("แมวดำ", &["แม", "มว", "วด", "ดำ"]);
    }

    #[test]
    fn any_text_is_read() {
        let text: String = ('\0'..='\u{2ffff}').step_by(7).collect();
        let mut terms = Vec::new();
        tokenize(&text, |token, _| terms.push(token.to_owned()));
        terms.truncate(256);
        assert!(written(&text, &terms).iter().all(|word| !word.is_empty()));
    }
}
