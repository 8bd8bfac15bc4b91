//! Reading a text once for everything secret in it.

use super::iban::iban;
use super::kind::Secret;
use super::number::{card, digit, is_free_before, run};
use super::password::{is_placeholder, password};
use super::token::{is_of_key, key};
use std::ops::Range;

/// The most bytes of a text without spaces that are read; what is longer and has nothing but letters of base64 is a file.
const FILE_BYTES: usize = 2048;

/// A secret in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) range: Range<usize>,
    pub(super) secret: Secret,
}

/// Looks for a national number where a number or a word begins.
pub(super) type FindNational<'a> = dyn Fn(&str, usize) -> Option<usize> + 'a;

/// The secrets of a text, in order and apart from one another.
pub(super) fn scan(text: &str, national: Option<&FindNational<'_>>) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    if is_file(text) {
        return found;
    }
    let mut place = 0;
    let mut before = ' ';
    while let Some(letter) = text.get(place..).and_then(|rest| rest.chars().next()) {
        let next = find(text, place, letter, before, found.last(), national);
        if let Some(next) = next {
            place = next.range.end.max(place + letter.len_utf8());
            found.push(next);
            before = ']';
            continue;
        }
        before = letter;
        place += letter.len_utf8();
    }
    found
}

/// The secret that is told from `place` on, behind the `last` one.
fn find(
    text: &str,
    place: usize,
    letter: char,
    before: char,
    last: Option<&Found>,
    national: Option<&FindNational<'_>>,
) -> Option<Found> {
    let found = |range, secret| Some(Found { range, secret });
    let to = |end: Option<usize>, secret| end.map(|end| Found { range: place..end, secret });
    if letter == ':' && text.as_bytes().get(place + 1) == Some(&b'/') {
        return to_host(text, place).and_then(|range| found(range, Secret::Password));
    }
    if letter == '-' && before != '-' {
        return to(private_key(text, place), Secret::PrivateKey);
    }
    let is_digit = digit(letter).is_some();
    if is_digit && digit(before).is_none() && is_free_before(text, place) {
        let run = run(text, place);
        let number = to(card(text, place, run), Secret::Card);
        let number = number.or_else(|| to(national?(text, place), Secret::NationalId));
        if number.is_some() {
            return number;
        }
    }
    // What is not of a word begins one; so do the words of languages that write no spaces.
    if !(letter.is_ascii_alphanumeric() && before.is_ascii_alphanumeric()) {
        if letter.is_ascii_alphabetic() && before != '_' && is_free_before(text, place) {
            let account = to(iban(text, place), Secret::Iban);
            let account = account.or_else(|| to(national?(text, place), Secret::NationalId));
            if account.is_some() {
                return account;
            }
        }
        let begins_key = letter.is_ascii_alphanumeric() && !is_of_key(before);
        let last_key = last.filter(|last| last.secret == Secret::Key).map(|last| last.range.end);
        if begins_key && let Some(end) = key(text, place, last_key) {
            return to(Some(end), Secret::Key);
        }
        if let Some((start, end)) = password(text, place) {
            return found(start..end, Secret::Password);
        }
    }
    None
}

/// The password of an address with a name and a password before its host.
fn to_host(text: &str, place: usize) -> Option<Range<usize>> {
    let from = place + 3;
    let rest = text.get(place..)?.strip_prefix("://")?;
    let host = rest.split(['/', ' ', '\n', '"', '?', '#']).next()?;
    let (person, _) = host.rsplit_once('@')?;
    let (name, password) = person.split_once(':')?;
    let start = from + name.len() + 1;
    let is_open = !password.is_empty() && !is_placeholder(password, "");
    is_open.then_some(start..start + password.len())
}

/// Where a block with a private key ends; with the text when its last line is missing.
fn private_key(text: &str, place: usize) -> Option<usize> {
    const END: &str = "PRIVATE KEY";
    let rest = text.get(place..)?;
    let head = rest.strip_prefix("-----BEGIN ")?;
    let title = head.split("-----").next()?;
    if !title.contains(END) || title.len() > 40 {
        return None;
    }
    let end = rest.find("-----END ").and_then(|end| {
        let last = rest.get(end + "-----END ".len()..)?;
        Some(end + "-----END ".len() + last.find("-----")? + "-----".len())
    });
    Some(place + end.unwrap_or(rest.len()))
}

/// Whether a text is the bytes of a file.
fn is_file(text: &str) -> bool {
    let text =
        text.split_once("base64,").filter(|_| text.starts_with("data:")).map_or(text, |(_, bytes)| bytes);
    let is_of_file = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    text.len() > FILE_BYTES && text.bytes().all(is_of_file)
}
