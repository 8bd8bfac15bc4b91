//! Whom a fact is about where several people speak: what the answer leaves to its message.

use super::Batch;
use super::answer::{Answer, FactAnswer};
use super::quote::quoted;

/// What models write of whoever speaks, when they forget the name.
const NAMELESS: &str = "the user";

impl Answer {
    /// Says of facts whom they are about as far as their messages tell, and writes the name where the user is meant.
    pub(super) fn attribute(&mut self, batch: &Batch) {
        let has_user = batch.messages.iter().any(|said| batch.is_nameless(said));
        for fact in &mut self.facts {
            if fact.about.is_none() {
                fact.about = speaker(fact, batch, has_user).map(str::to_owned);
            }
            if !has_user
                && let Some(about) = fact.about.as_deref()
                && let Some(rest) = behind_user(&fact.text)
            {
                fact.text = format!("{about}{rest}");
            }
        }
    }
}

/// The participant who says a fact that names nobody else, nor the user who speaks beside them.
fn speaker<'a>(fact: &FactAnswer, batch: &'a Batch, has_user: bool) -> Option<&'a str> {
    let said = batch.said(fact.message, fact.quote.as_deref())?;
    let speaker = batch.participant(said)?;
    if has_user && behind_user(&fact.text).is_some() {
        return None;
    }
    let mut people = batch.participants.iter().map(String::as_str);
    let is_named = |name: &str| quoted(&fact.text, name).is_some();
    (is_named(speaker) || !people.any(is_named)).then_some(speaker)
}

/// What follows "The user" at the beginning of a text.
fn behind_user(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let rest = text.get(NAMELESS.len()..)?;
    let begins = text.get(..NAMELESS.len())?.eq_ignore_ascii_case(NAMELESS);
    (begins && !rest.starts_with(|c: char| c.is_alphanumeric())).then_some(rest)
}
