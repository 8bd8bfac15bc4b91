//! Putting placeholders in the place of secrets, in texts and in JSON.

use super::kind::{Secret, Secrets};
use super::national::National;
use super::password::names_password;
use super::scan::{FindNational, scan};
use super::token::{is_random, names_key};
use crate::ports::{Loaded, Systems};
use serde_json::Value;

/// How often a text is read at most. A placeholder can show that what stands before it is a secret too: a path of which a piece was
/// one is a path no more.
const MOST_PASSES: usize = 8;

/// Replaces secrets.
#[derive(Debug, Default)]
pub(crate) struct Masker {
    /// Countries whose numbers are looked for, and that their code is there.
    pub(crate) national: Option<(Loaded<Systems>, Vec<National>)>,
}

impl Masker {
    /// Replaces the secrets of a text.
    pub(crate) fn text(&self, text: &mut String, masked: &mut Secrets) {
        let find;
        let national: Option<&FindNational<'_>> = match &self.national {
            Some((systems, countries)) => {
                find = |text: &str, place: usize| national_id(*systems, countries, text, place);
                Some(&find)
            }
            None => None,
        };
        for _ in 0..MOST_PASSES {
            let secrets = scan(text, national);
            if secrets.is_empty() {
                break;
            }
            for found in secrets.into_iter().rev() {
                text.replace_range(found.range, found.secret.placeholder());
                masked.insert(found.secret);
            }
        }
    }

    /// Replaces the secrets in the texts and numbers of a value. Ids stay, and so do the names of members; a member named after a
    /// secret has one.
    pub(crate) fn value(&self, value: &mut Value, masked: &mut Secrets) {
        self.leaves(value, true, masked);
    }

    /// The same for texts alone.
    pub(crate) fn texts(&self, value: &mut Value, masked: &mut Secrets) {
        self.leaves(value, false, masked);
    }

    fn leaves(&self, value: &mut Value, numbers: bool, masked: &mut Secrets) {
        match value {
            Value::String(text) => self.text(text, masked),
            Value::Number(number) if numbers => {
                let digits = number.to_string();
                let mut text = digits.clone();
                self.text(&mut text, masked);
                if text != digits {
                    *value = text.into();
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.leaves(item, numbers, masked)),
            Value::Object(members) => {
                for (name, member) in members.iter_mut().filter(|(name, _)| !is_id(name)) {
                    let secret = match &*member {
                        Value::String(text) => named(name, text),
                        Value::Number(number) if numbers => named(name, &number.to_string()),
                        _ => None,
                    };
                    if let Some(secret) = secret {
                        *member = secret.placeholder().into();
                        masked.insert(secret);
                    } else {
                        self.leaves(member, numbers, masked);
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// Whether a member holds the name of something.
fn is_id(name: &str) -> bool {
    name == "id" || name == "type" || name.ends_with("Id") || name.ends_with("_id") || name == "signature"
}

/// What a member's text is by its name.
fn named(name: &str, text: &str) -> Option<Secret> {
    let is_open = !text.trim().is_empty() && !text.starts_with('[');
    match is_open {
        true if names_password(name) => Some(Secret::Password),
        true if names_key(name) && is_random(text) => Some(Secret::Key),
        _ => None,
    }
}

/// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
#[inline(never)]
fn national_id(_: Loaded<Systems>, countries: &[National], text: &str, place: usize) -> Option<usize> {
    countries.iter().find_map(|country| country.find(text, place))
}
