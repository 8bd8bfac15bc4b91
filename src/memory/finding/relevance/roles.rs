//! Roles: who does something, and to whom: "Sven owes me" is not "I owe Sven".

use super::attributes::tokens_of;
use super::first_person::first_person;
use crate::among::among;
use crate::index::lexical::{Words, base_form};

/// Who does what to whom.
pub(super) struct Roles {
    by: Party,
    verb: String,
    to: Party,
}

/// Somebody who is named.
#[derive(PartialEq, Eq)]
enum Party {
    User,
    Named(String),
    /// Who is not named.
    Other,
}

impl Roles {
    /// Those that words tell of the user and of some names: a party with the verb right behind it, or "me" and "the user" with the verb
    /// right before.
    pub(super) fn of(words: &Words, names: &[&[String]]) -> Option<Self> {
        let party = |place: usize| match first_person(words, place) {
            Some(_) => Some(Party::User),
            None => {
                let mut names = names.iter().copied().flatten();
                names.find(|name| *name == words.lower(place)).cloned().map(Party::Named)
            }
        };
        let verb = |place: usize| {
            let verb = tokens_of(words.lower(place)).0.into_iter().next()?;
            Some(base_form(&verb).to_owned())
        };
        let (at, by) = (0..words.len()).find_map(|place| Some((place, party(place)?)))?;
        // "Ann's brother owes" is not said of Ann.
        if words.get(at).is_some_and(|word| word.owns) || matches!(words.lower(at), "my" | "our") {
            return None;
        }
        if let Some(before) = at.checked_sub(1).filter(|_| among("me us user", words.lower(at))) {
            let before = before - usize::from(before > 0 && words.lower(before) == "the");
            if let Some(verb) = verb(before).filter(|_| before > 0) {
                return Some(Self { by: Party::Other, verb, to: Party::User });
            }
        }
        let to = (at + 2..words.len()).filter_map(party).find(|party| *party != by);
        Some(Self { by, verb: verb(at + 1)?, to: to.unwrap_or(Party::Other) })
    }

    /// Whether words tell the same of these parties the other way round.
    pub(super) fn are_reversed(&self, words: &Words, names: &[&[String]]) -> bool {
        Self::of(words, names).is_some_and(|told| {
            let changes = |party: &Party| {
                self.by == *party && told.to == *party || self.to == *party && told.by == *party
            };
            // Where the user changes sides it does not matter who is on the other one.
            let is_known = self.by != Party::Other && self.to != Party::Other;
            told.verb == self.verb
                && (changes(&Party::User) || is_known && changes(&self.by) && changes(&self.to))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parties_change_their_roles() {
        let names: &[&[String]] = &[&["sven".to_owned(), "marta".to_owned()]];
        let reversed = |asked: &str, told: &str| {
            let asked = Roles::of(&Words::of(&asked.to_ascii_lowercase()), names);
            asked.is_some_and(|asked| asked.are_reversed(&Words::of(told), names))
        };
        for (asked, told) in [
            ("How much does Sven owe me?", "The user owes Sven 40 pounds"),
            ("Did Marta visit Sven?", "Sven visited Marta in May"),
            ("What did I give Marta?", "Marta gave the user a scarf"),
            ("Does Marta love my paintings?", "The user loves Marta's paintings"),
            ("How much does the bank owe me?", "The user owes the bank 12,000"),
            ("What do I owe the bank?", "The bank owes the user 12,000"),
        ] {
            assert!(reversed(asked, told), "{asked} {told}");
        }
        for (asked, told) in [
            ("How much do I owe Sven?", "The user owes Sven 40 pounds"),
            ("Who owes me money?", "Sven owes the user 40 pounds"),
            ("Did Marta visit Sven?", "Marta visited Sven in May"),
            ("Did Marta visit Sven?", "Sven met Marta in May"),
            ("How much does Sven owe me?", "The user's sister owes Sven 40 pounds"),
        ] {
            assert!(!reversed(asked, told), "{asked} {told}");
        }
    }
}
