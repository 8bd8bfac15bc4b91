//! Relatives and pets of the user, by what they are to them, in a question: "my sister", "our dog".

use super::about::{About, is_pet};
use super::first_person::speaker;
use super::kin::{kin, kin_in, pet, words_of};
use super::named::Named;
use super::others::Others;
use super::wide;
use crate::among::among;
use crate::index::lexical::Words;

/// By which words one calls one's own relatives, as by a name.
const CALLED_SO: &str = "mum mom mummy mama mam dad daddy papa gran granny grandma grandpa grandad granddad";

/// The relative or the pet of the user that a question names at a place, with the name that a fact gives them. Of no pet that is known
/// "the cat" may be any.
pub(super) fn relative_at(words: &Words, place: usize, abouts: &[&About<'_>]) -> Option<Named> {
    if let Some(kin) = kin_at(words, place) {
        return Some(relative(kin, abouts));
    }
    let pet = pet_at(words, place)?;
    let named = relative(pet, abouts);
    let is_told = || abouts.iter().any(|about| about.is_kin(pet));
    (!named.names.is_empty() || is_told()).then_some(named)
}

/// The relative of the user that a question names at a place and calls by name, "my cousin Ana", where a fact calls them so; and how many
/// words that takes.
pub(super) fn relative_by_name(words: &Words, place: usize, abouts: &[&About<'_>]) -> Option<(Named, usize)> {
    let kin = kin_at(words, place)?;
    let first = words.get(place + 1).filter(|word| word.joins).map(|_| words.lower(place + 1))?;
    let mut names = relative(kin, abouts).names;
    names.retain(|name| name.first().is_some_and(|own| own == first));
    let longest = names.iter().max_by_key(|name| name.len())?;
    let behind = longest.iter().enumerate().skip(1);
    let length = 2 + behind.take_while(|(on, own)| words.lower(place + 1 + on) == own.as_str()).count();
    let names = vec![longest.clone()];
    Some((Named { names, kin: &[], is_user: false, wide: None }, length))
}

/// What the relative is to the user of whom a question asks at a place: "my older sister", but not "my sister's kids".
fn kin_at(words: &Words, place: usize) -> Option<&'static [&'static str]> {
    let before = |back: usize| place.checked_sub(back);
    let is_own = |at: usize| matches!(words.lower(at), "my" | "our");
    // "Does my sister have kids?" asks for hers.
    let has = |back: &usize| before(*back).is_some_and(|at| among("had has have", words.lower(at)));
    let of_user = || {
        (1..=3).take_while(|back| !has(back)).any(|back| before(back).is_some_and(is_own))
            && !before(1).and_then(|at| words.get(at)).is_some_and(|word| word.owns)
    };
    // "Where is Mum?" asks for one's own.
    let is_name = || {
        among(CALLED_SO, words.lower(place))
            && !before(1).is_some_and(|at| {
                let word = words.lower(at);
                among("a an her his other that the their your", word)
                    || words.get(at).is_some_and(|word| word.owns)
            })
    };
    kin(words.lower(place)).filter(|_| of_user() || is_name())
}

/// What the pet is of which a question asks at a place as the user's: "my dog", "the cat", but not "my dog food".
fn pet_at(words: &Words, place: usize) -> Option<&'static [&'static str]> {
    let before = place.checked_sub(1).map_or("", |before| words.lower(before));
    let is_own = matches!(before, "my" | "our" | "the");
    pet(words.lower(place)).filter(|_| is_own && is_pet(words, place))
}

/// A relative of the user, with the name that a fact gives them.
pub(super) fn relative(kin: &'static [&'static str], abouts: &[&About<'_>]) -> Named {
    let mut names: Vec<Vec<String>> = Vec::new();
    for about in abouts {
        for name in about.names_of_kin(kin) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Named { names, kin, is_user: false, wide: None }
}

/// Whether the user speaks of themselves otherwise than in "my brother".
pub(super) fn has_self_beside_kin(words: &Words) -> bool {
    let is_of_kin = |place: usize| {
        (1..=3).any(|on| kin(words.lower(place + on)).is_some()) || pet_at(words, place + 1).is_some()
    };
    (0..words.len()).any(|place| {
        let owns = matches!(words.lower(place), "my" | "our");
        speaker(words, place).is_some() && !(owns && is_of_kin(place))
    })
}

/// All words for the relatives and others that a question names, to search with.
pub(super) fn kin_words(question: &str) -> String {
    let mut all = String::new();
    let question = &*wide::in_writing(question);
    let words = Words::of(question);
    let others = Others::of(&words).into_iter().flat_map(|others| others.kin);
    for word in words.iter().filter_map(kin).chain(others).flatten() {
        all.push_str(word);
        all.push(' ');
    }
    if wide::is_wide(question) {
        for kin in kin_in(question) {
            all.push_str(words_of(kin.line));
            all.push(' ');
        }
    }
    all
}
