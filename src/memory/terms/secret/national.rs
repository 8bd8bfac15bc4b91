//! National identity numbers whose form or check digits can be told.

use super::number::{Number, read};
use serde::Deserialize;

/// A country whose identity numbers are secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum National {
    /// Germany: the tax number of a person, 11 digits.
    De,
    /// Spain: DNI and NIE, 8 digits or a letter and 7, and a letter.
    Es,
    /// France: the number of the social insurance (NIR), 13 digits and 2.
    Fr,
    /// India: Aadhaar, 12 digits.
    In,
    /// Japan: My Number, 12 digits.
    Jp,
    /// Korea: the number of registration, 6 digits and 7.
    Kr,
    /// The United States: the social security number, 3 digits, 2 and 4.
    Us,
}

impl National {
    /// Where a number of this country ends that begins at `start`.
    pub(super) fn find(self, text: &str, start: usize) -> Option<usize> {
        let any = |forms: &[&[usize]], is_valid: fn(&Number) -> bool| {
            let mut numbers = forms.iter().filter_map(|groups| read(text, start, groups));
            numbers.find(is_valid).map(|number| number.end)
        };
        match self {
            Self::De => any(&[&[11], &[2, 3, 3, 3]], german),
            Self::Es => spanish(text, start),
            Self::Fr => any(&[&[15], &[13, 2], &[1, 2, 2, 2, 3, 3, 2]], french),
            Self::In => {
                any(&[&[12], &[4, 4, 4]], |number| number.part(0, 1) > 1 && verhoeff(number.digits()))
            }
            Self::Jp => any(&[&[12], &[4, 4, 4]], japanese),
            // Since 2020 the last digits are chance; the hyphen tells such a number from others then.
            Self::Kr => any(&[&[6, 7]], korean)
                .or_else(|| any(&[&[13]], |number| korean(number) && is_checked_korean(number))),
            Self::Us => any(&[&[3, 2, 4]], american),
        }
    }
}

/// ISO 7064 MOD 11,10; of the first ten digits one or two are repeated, so that others are missing.
fn german(number: &Number) -> bool {
    let Some((check, digits)) = number.digits().split_last() else { return false };
    let product = digits.iter().fold(10, |product: u8, digit| {
        let sum = (digit + product) % 10;
        if sum == 0 { 20 % 11 } else { sum * 2 % 11 }
    });
    let most =
        (0..10).map(|one| digits.iter().filter(|digit| **digit == one).count()).max().unwrap_or_default();
    let kinds = (0..10).filter(|one| digits.contains(one)).count();
    digits.first() != Some(&0) && (11 - product) % 10 == *check && matches!((most, kinds), (2, 9) | (3, 8))
}

/// Digits and a letter that follows from them.
fn spanish(text: &str, start: usize) -> Option<usize> {
    const LETTERS: &[u8] = b"TRWAGMYFPDXBNJZSQVHLCKE";
    let rest = text.get(start..)?;
    let first = rest.chars().next()?.to_ascii_uppercase();
    let ahead = "XYZ".find(first);
    let digits = if ahead.is_some() { rest.get(1..)?.trim_start_matches('-') } else { rest };
    let count = if ahead.is_some() { 7 } else { 8 };
    let number = digits.get(..count).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let number: u64 = number.parse().ok()?;
    let number = number + ahead.map_or(0, |ahead| u64::try_from(ahead).unwrap_or_default() * 10_000_000);
    let rest = digits.get(count..)?;
    let rest = rest.strip_prefix(['-', ' ']).unwrap_or(rest);
    let letter = *rest.as_bytes().first()?;
    let expected = LETTERS.get(usize::try_from(number % 23).ok()?)?;
    let after = rest.get(1..)?;
    let is_end = !after.starts_with(|next: char| next.is_alphanumeric());
    (letter.to_ascii_uppercase() == *expected && is_end).then_some(text.len() - after.len())
}

/// The last two digits are 97 less the rest of the others by 97.
fn french(number: &Number) -> bool {
    let month = number.part(3, 5);
    matches!(number.part(0, 1), 1..=4 | 7 | 8)
        && matches!(month, 1..=12 | 20..=42 | 50..=99)
        && 97 - number.part(0, 13) % 97 == number.part(13, 15)
}

/// The check digit of Aadhaar (Verhoeff): a walk through the group of the symmetries of a pentagon.
fn verhoeff(digits: &[u8]) -> bool {
    const STEP: [u8; 10] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
    let moved = |digit: u8, times: usize| (0..times % 8).fold(digit, |digit, _| step(&STEP, digit));
    digits.iter().rev().enumerate().fold(0, |sum, (place, digit)| turned(sum, moved(*digit, place))) == 0
}

fn step(steps: &[u8; 10], digit: u8) -> u8 {
    steps.get(usize::from(digit)).copied().unwrap_or_default()
}

/// The product of two symmetries of a pentagon: 0 to 4 are turns, 5 to 9 reflections.
fn turned(one: u8, other: u8) -> u8 {
    match (one < 5, other < 5) {
        (true, true) => (one + other) % 5,
        (true, false) => 5 + (one + other - 5) % 5,
        (false, true) => 5 + (one - other) % 5,
        (false, false) => (one + 5 - other) % 5,
    }
}

/// Weighted by 6 5 4 3 2 7 6 5 4 3 2, modulo 11.
fn japanese(number: &Number) -> bool {
    let Some((check, digits)) = number.digits().split_last() else { return false };
    let weights = [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
    let sum: u32 = digits.iter().zip(weights).map(|(digit, weight)| u32::from(*digit) * weight).sum();
    let rest = sum % 11;
    u32::from(*check) == if rest <= 1 { 0 } else { 11 - rest }
}

/// A day of birth, and a digit for century and sex.
fn korean(number: &Number) -> bool {
    matches!(number.part(2, 4), 1..=12)
        && matches!(number.part(4, 6), 1..=31)
        && matches!(number.part(6, 7), 1..=8)
}

fn is_checked_korean(number: &Number) -> bool {
    let weights = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5];
    let sum: u64 =
        number.digits().iter().zip(weights).map(|(digit, weight)| u64::from(*digit) * weight).sum();
    (11 - sum % 11) % 10 == number.part(12, 13)
}

/// Areas that are given, and no part of zeros.
fn american(number: &Number) -> bool {
    !matches!(number.part(0, 3), 0 | 666 | 900..) && number.part(3, 5) > 0 && number.part(5, 9) > 0
}
