//! Successors: what took the place of something by what it says alone. "I sold the Karolina to a couple from Fife" has no word of
//! "do I have a boat?", but a name with "I have a small sailing boat, the Karolina", which fits, and says that it is over.

use super::about::About;
use super::abouts::Abouts;
use super::attributes::tokens_of;
use super::{is_by_user, wide};
use crate::among::among;
use crate::index::lexical::is_stop_word;
use crate::lowercase::lowercase;
use crate::memory::finding::turns::{GIVEN_UP, beginning, holds, words};
use crate::memory::sentence::statements;
use crate::ordered::in_order;
use crate::record::Kind;
use crate::sort::sorted;
use crate::store::{Found, Search, best_first};

/// Of how many of the best results successors are looked for, and the least relevance of these.
const OLDER: usize = 3;
const LEAST: f32 = 0.3;
/// Of how many in all, with those that were found so.
const CHAIN: usize = 12;
/// How many words one may have at most, and its successor's sentence; and how many of them are looked for, the rarest first.
const MOST_WORDS: usize = 20;
const LOOKED_FOR: usize = 4;
/// How many documents hold a word that tells one thing from others, at most.
const RARE: usize = 50;
/// Tokens of time and money, which tell no thing from another.
const MEASURES: &str = "day week month year hour minut time euro pound dollar";
/// Which part of such words a successor holds at least, where none of them is a name.
const SHARED: f32 = 0.3;
/// What it has of the relevance of what it took the place of.
pub(in crate::memory) const HEIR: f32 = 0.9;
/// By how much it goes above that.
const STEP: f32 = 1e-4;

/// English words by which something ends.
const ENDS: &str = "abandoned anymore broke broken canceled cancelled closed dead died discarded divorced donated dropped ended exchanged \
    expired finished fired gave gone instead left longer lost moved paid quit repaid replaced resigned retired returned \
    scrapped separated settled sold split stolen stopped swapped switched totaled totalled traded";
/// The same in Chinese, Japanese and Korean.
const ENDS_ELSEWHERE: &str = "卖了|卖掉|换成|换了|不再|去世|丢了|分手|离婚|搬到|売った|売って|売りました|亡くな|死ん|やめ|辞め|別れ|離婚|買い替え|\
    팔았|죽었|그만|헤어졌|이혼|바꿨|돌아가셨";

/// What stands before what something is done to: the user, and what is done with whom.
const BEFORE_ELSEWHERE: [char; 17] =
    ['我', '把', '将', '的', '跟', '和', '与', '나', '난', '저', '는', '의', '私', 'は', 'が', 'の', ' '];

/// Lifts what took the place of one of the best results above it, also what has nothing else in common with a question of the present.
#[inline(never)]
pub(in super::super) fn succeed<'s>(
    found: &mut Vec<Found<'s>>,
    search: &Search<'s, '_>,
    abouts: &Abouts<'_>,
) {
    let fits = |found: &&Found<'_>| found.relevance >= LEAST && !found.is_guess;
    let mut older: Vec<Found<'s>> = found.iter().take(OLDER).filter(fits).copied().collect();
    let mut succeeded: Vec<u32> = Vec::new();
    let mut most = 0.0_f32;
    // What was said last goes above all others, and may have a successor of its own.
    let mut place = 0;
    while let Some(old) = older.get(place).copied().filter(|_| place < CHAIN) {
        place += 1;
        for document in successors(&old, search, abouts) {
            if succeeded.contains(&document) {
                continue;
            }
            succeeded.push(document);
            let known = found.iter().position(|found| found.score.document == document);
            let known = known.map(|place| found.swap_remove(place));
            let Some(mut newer) = known.or_else(|| search.found(&[document]).pop()) else { continue };
            newer.relevance = newer.relevance.max(HEIR * old.relevance);
            newer.judged = newer.judged.or(old.judged);
            newer.is_guess = false;
            most = newer.score.score.max(old.score.score.max(most) + STEP);
            newer.signals.newer += most - newer.score.score;
            newer.score.score = most;
            found.push(newer);
            if !older.iter().any(|older| older.score.document == document) {
                older.push(newer);
            }
        }
    }
    if !succeeded.is_empty() {
        *found = best_first(found);
    }
}

/// The documents that took the place of one, in the order in which they were said.
fn successors(older: &Found<'_>, search: &Search<'_, '_>, abouts: &Abouts<'_>) -> Vec<u32> {
    let text = told(older, search);
    let about = About::of(text, &[]);
    if about.words.len() > MOST_WORDS || !is_of_user(older) {
        return Vec::new();
    }
    let own = own_tokens(text, &about, search, abouts);
    let looked_for = sorted(&own, |(_, one), (_, other)| one.cmp(other)).into_iter();
    let looked_for = looked_for.filter(|(_, documents)| (2..=RARE).contains(documents)).take(LOOKED_FOR);
    let looked_for: Vec<&str> = looked_for.map(|(token, _)| token.as_str()).collect();
    if looked_for.is_empty() {
        return Vec::new();
    }
    let index = search.words();
    let may_be = |document: u32| document != older.score.document && search.allows(document);
    let hits = index.search_for(&index.read_with("", &looked_for), RARE, &may_be);
    let hits = in_order(hits.into_iter().map(|hit| hit.document));
    let replaces = |newer: &Found<'_>| {
        let said = beginning(newer.record.text.unwrap_or_default());
        newer.order() > older.order()
            && is_of_user(newer)
            && statements(said).any(|said| ends(said) && is_of(said, &about, &own))
    };
    let newer = search.found(&hits);
    in_order(newer.iter().filter(|newer| replaces(newer)).map(Found::order))
        .into_iter()
        .map(|(_, newer)| newer)
        .collect()
}

/// The sentence of a result that holds most of what is asked for: what else it says has another successor.
fn told<'s>(found: &Found<'s>, search: &Search<'s, '_>) -> &'s str {
    let text = beginning(found.record.text.unwrap_or_default());
    let held = |said: &&str| -> f32 {
        let (tokens, _) = tokens_of(said);
        let wanted = search.wanted().iter().filter(|wanted| tokens.contains(&wanted.token));
        wanted.map(|wanted| wanted.factor).sum()
    };
    // Of those that hold as much, the first.
    let said = statements(text).map(|said| (held(&said), said));
    said.reduce(|best, other| if other.0 > best.0 { other } else { best }).map_or(text, |(_, said)| said)
}

/// The tokens that a text has beside those that are asked for and those of whom it is about, with how many documents hold each.
fn own_tokens(
    text: &str,
    about: &About<'_>,
    search: &Search<'_, '_>,
    abouts: &Abouts<'_>,
) -> Vec<(String, usize)> {
    let of_whom: Vec<String> = about.subject().flat_map(|word| tokens_of(word).0).collect();
    let is_known = |token: &String| {
        token == "user"
            || wide::is_self(token)
            || is_stop_word(token)
            || token.chars().all(char::is_numeric)
            || among(MEASURES, token)
            || search.wanted().iter().any(|wanted| wanted.token == *token)
            || abouts.names().contains(token)
            || of_whom.contains(token)
    };
    let read = search.words().read(text);
    let own = read.wanted().iter().filter(|wanted| !is_known(&wanted.token));
    own.map(|wanted| (wanted.token.clone(), wanted.documents)).collect()
}

/// Whether the user says it; facts are what they are.
fn is_of_user(found: &Found<'_>) -> bool {
    found.record.kind != Kind::Message || is_by_user(&found.record)
}

/// Whether a sentence says that something is over.
fn ends(said: &str) -> bool {
    let lower = lowercase(said);
    words(&lower).into_iter().any(|word| among(ENDS, word))
        || holds(&lower, GIVEN_UP)
        || holds(said, ENDS_ELSEWHERE)
}

/// Whether a sentence is of what another one is about, which has these tokens of its own: of the same one, or of what is named there.
fn is_of(said: &str, older: &About<'_>, own: &[(String, usize)]) -> bool {
    let about = About::of(said, &[]);
    if !about.wide.is_empty() {
        let said = about.wide.trim_start();
        let said = wide::USER.iter().find_map(|user| said.strip_prefix(user)).unwrap_or(said);
        let said = said.trim_start_matches(BEFORE_ELSEWHERE);
        // Who an older one begins with is whom it is about, of whom much is told.
        let is_thing = |token: &str| token.chars().nth(1).is_some() && !older.wide.starts_with(token);
        return own.iter().any(|(token, _)| is_thing(token) && said.starts_with(token.as_str()));
    }
    if about.words.len() > MOST_WORDS {
        return false;
    }
    let (mut shared, mut is_named, mut is_subject): (Vec<&str>, bool, bool) = (Vec::new(), false, false);
    for (place, word) in about.words.iter().enumerate() {
        let is_name = about.words.get(place).is_some_and(|word| word.is_capital);
        // A "Rome guidebook" is not Rome.
        if is_name && !stands_alone(&about, place + 1) {
            continue;
        }
        let (tokens, _) = tokens_of(word);
        for (token, _) in own.iter().filter(|(token, _)| tokens.contains(token)) {
            is_named |= is_name;
            is_subject |= place < about.subject_length();
            if !shared.contains(&token.as_str()) {
                shared.push(token);
            }
        }
    }
    let is_enough = is_named || shared.len() as f32 >= SHARED * own.len() as f32;
    !shared.is_empty() && is_enough && (is_subject || about.is_of_the_same(older))
}

/// Whether what stands before a place is all of a name.
fn stands_alone(about: &About<'_>, behind: usize) -> bool {
    let word = about.words.lower(behind);
    is_stop_word(word) || among(ENDS, word) || !about.words.get(behind).is_some_and(|word| word.joins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_ends_are_whole() {
        assert!(ends("I Sold it") && ends("我把车卖了") && !ends("I hold it"));
    }
}
