//! Whom a fact is about where several people speak: what the answer leaves to its message.

use super::Batch;
use super::answer::{Answer, FactAnswer};
use super::quote::quoted;

/// What models write of whoever speaks, when they forget the name.
const NAMELESS: &str = "the user";

/// What stands for a name at the beginning of a fact, and what stands for it with what belongs to them.
const STANDING_FOR: [&str; 2] = ["he", "she"];
const OWNING: [&str; 2] = ["his", "her"];

/// Whom one speaks to.
const TO_OTHERS: [&str; 5] = ["you", "your", "yours", "you're", "you've"];

impl Answer {
    /// Says of facts whom they are about as far as their messages tell, and writes the name where the user is meant, in relations as well.
    pub(super) fn attribute(&mut self, batch: &Batch) {
        let has_user = batch.messages.iter().any(|said| batch.is_nameless(said));
        for fact in &mut self.facts {
            if fact.about.is_none() {
                fact.about = speaker(fact, batch, has_user).map(str::to_owned);
            }
            let names = |about: &str| quoted(&fact.text, about).is_some();
            if !has_user
                && !fact.about.as_deref().is_some_and(names)
                && let Some(about) = fact.about.as_deref()
                && let Some(rest) =
                    behind_user(&fact.text).map(str::to_owned).or_else(|| behind_pronoun(&fact.text))
            {
                fact.text = format!("{about}{rest}");
            }
        }
        for relation in self.relations.iter_mut().filter(|_| !has_user) {
            let said = batch.said(relation.message, relation.quote.as_deref());
            let Some(speaker) = said.and_then(|said| batch.participant(said)) else { continue };
            let ends = [&mut relation.from, &mut relation.to].into_iter();
            ends.filter(|end| is_user(end)).for_each(|end| *end = speaker.to_owned());
        }
    }
}

/// The participant who says a fact that names nobody else, nor the user who speaks beside them.
fn speaker<'a>(fact: &FactAnswer, batch: &'a Batch, has_user: bool) -> Option<&'a str> {
    let said = batch.said(fact.message, fact.quote.as_deref())?;
    let speaker = batch.participant(said)?;
    let mut others = batch.participants.iter().map(String::as_str).filter(|name| *name != speaker);
    let is_named = |name: &str| quoted(&fact.text, name).is_some();
    if behind_user(&fact.text).is_some() {
        // "You hate cats, Rosa" is not of who says it.
        let text = said.text();
        let proof = fact.quote.as_deref().unwrap_or(&text);
        let is_to_another = TO_OTHERS.iter().any(|word| quoted(proof, word).is_some());
        let is_of_another = others.any(|name| quoted(proof, name).is_some());
        return (!has_user && !is_to_another && !is_of_another).then_some(speaker);
    }
    let is_another = behind_pronoun(&fact.text).is_some();
    (is_named(speaker) || !is_another && !others.any(is_named)).then_some(speaker)
}

/// Whether a name is none, and stands for whoever speaks.
fn is_user(name: &str) -> bool {
    let name = name.trim();
    name.eq_ignore_ascii_case(NAMELESS) || name.eq_ignore_ascii_case("user")
}

/// What follows a pronoun at the beginning of a text, as it follows a name: " rows" of "She rows", "'s boat" of "Her boat".
fn behind_pronoun(text: &str) -> Option<String> {
    let (first, rest) = text.trim_start().split_once(' ')?;
    let is_one = |pronouns: [&str; 2]| pronouns.iter().any(|pronoun| first.eq_ignore_ascii_case(pronoun));
    match () {
        () if is_one(STANDING_FOR) => Some(format!(" {rest}")),
        () if is_one(OWNING) => Some(format!("'s {rest}")),
        () => None,
    }
}

/// What follows "The user" at the beginning of a text.
fn behind_user(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let rest = text.get(NAMELESS.len()..)?;
    let begins = text.get(..NAMELESS.len())?.eq_ignore_ascii_case(NAMELESS);
    (begins && !rest.starts_with(|c: char| c.is_alphanumeric())).then_some(rest)
}
