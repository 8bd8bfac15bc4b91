//! Chinese, Japanese and Korean words that mean what an English one does.

use super::Meaning;
use crate::index::lexical::{Role, is_ideograph, tokenize};
use crate::sort::sorted;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// An English stem of the table on each line, and everyday words of like meaning behind it.
static TRANSLATIONS: &str = include_str!("translations.txt");

static TABLE: OnceLock<Table> = OnceLock::new();

struct Table {
    /// The tokens of translated words, in order, each with the place of its English stem.
    stems: Vec<(String, u32)>,
    /// Each stem with the place of a token in them, in order.
    tokens: Vec<(u32, u32)>,
}

/// The place of the English stem that means what a token does.
pub(super) fn stem_of(token: &str) -> Option<usize> {
    let stems = &table().stems;
    let place = stems.binary_search_by(|(known, _)| known.as_str().cmp(token)).ok()?;
    stems.get(place).map(|(_, stem)| *stem as usize)
}

/// The tokens of an index that mean what an English stem does.
pub(super) fn tokens_of(stem: usize) -> impl Iterator<Item = &'static str> {
    let Table { stems, tokens } = table();
    let from = tokens.partition_point(|(own, _)| (*own as usize) < stem);
    let own = tokens.iter().skip(from).take_while(move |(own, _)| *own as usize == stem);
    let token = own.filter_map(|(_, place)| stems.get(*place as usize)).map(|(token, _)| token.as_str());
    // Three characters are no token.
    token.filter(|token| token.chars().nth(2).is_none())
}

/// A word of two characters is a token by itself. A longer one is known by its first pair that no word of another meaning has, but for
/// those that hold it, as "할아버지" holds "아버지"; or else by its first three characters: "ビール" shares its pairs with "ビーチ" and "メール".
fn table() -> &'static Table {
    TABLE.get_or_init(|| {
        let mut words: Vec<(&str, Vec<String>, u32)> = Vec::new();
        for line in TRANSLATIONS.lines() {
            let mut own = line.split(' ');
            let Some(stem) = own.next().and_then(Meaning::english) else { continue };
            words.extend(own.map(|word| (word, tokens(word), stem as u32)));
        }
        let mut with: FxHashMap<&str, Vec<(&str, u32)>> = FxHashMap::default();
        for (word, tokens, stem) in &words {
            for token in tokens {
                with.entry(token).or_default().push((word, *stem));
            }
        }
        let mut known: Vec<(String, u32)> = Vec::new();
        for (word, tokens, stem) in &words {
            let is_own = |token: &&String| {
                let others = with.get(token.as_str());
                others.into_iter().flatten().all(|(other, of)| of == stem || other.contains(word))
            };
            let token = match tokens.as_slice() {
                [token] => Some(token.clone()),
                [first, second, ..] => tokens.iter().find(is_own).cloned().or_else(|| joined(first, second)),
                [] => None,
            };
            known.extend(token.map(|token| (token, *stem)));
        }
        let mut stems: Vec<(String, u32)> = sorted(&known, Ord::cmp).into_iter().cloned().collect();
        stems.dedup_by(|one, other| one.0 == other.0);
        let tokens: Vec<(u32, u32)> = (0..).zip(&stems).map(|(place, (_, stem))| (*stem, place)).collect();
        let tokens = sorted(&tokens, Ord::cmp).into_iter().copied().collect();
        Table { stems, tokens }
    })
}

/// The three characters of two pairs that overlap.
pub(super) fn joined(first: &str, second: &str) -> Option<String> {
    let shared = first.chars().next_back()?;
    let last = second.strip_prefix(shared).filter(|last| !last.is_empty())?;
    Some(first.to_owned() + last)
}

/// The tokens of a word: pairs of characters, or the only character. What ends a word like a particle is none: "휴가".
fn tokens(word: &str) -> Vec<String> {
    if word.chars().nth(2).is_none() {
        return vec![word.to_owned()];
    }
    let mut tokens = Vec::new();
    tokenize(word, |token, role| {
        if role == Role::Key {
            tokens.push(token.to_owned());
        }
    });
    tokens
}

/// Whether a token is one Chinese character.
pub(super) fn is_character(token: &str) -> bool {
    let mut characters = token.chars();
    characters.next().is_some_and(is_ideograph) && characters.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_begins_with_a_stem_and_every_word_is_known_by_it() {
        let mut unknown = Vec::new();
        for line in TRANSLATIONS.lines() {
            let (stem, words) = line.split_once(' ').unwrap();
            let place = Meaning::english(stem);
            assert!(place.is_some(), "{stem}");
            for word in words.split(' ') {
                let tokens = tokens(word);
                let joined = tokens.windows(2).filter_map(|pair| joined(&pair[0], &pair[1]));
                if !tokens.iter().cloned().chain(joined).any(|token| stem_of(&token) == place) {
                    unknown.push(word);
                }
            }
        }
        assert!(unknown.is_empty(), "{}", unknown.join(" "));
    }
}
