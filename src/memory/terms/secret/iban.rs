//! Numbers of bank accounts (ISO 13616).

use super::number::{is_between, is_free_after};

/// The countries that have them, and how long theirs are.
const LENGTHS: &str = "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27\
GB22GE22GI23GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MN20MR27MT31MU30\
NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28TL23TN24TR26UA29VA22VG24XK20YE30";

/// Where an IBAN ends that begins at `start`, with or without spaces between its groups.
pub(super) fn iban(text: &str, start: usize) -> Option<usize> {
    let rest = text.get(start..)?;
    let country = rest.get(..2).filter(|letters| letters.bytes().all(|byte| byte.is_ascii_alphabetic()))?;
    rest.get(2..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let length = length(&country.to_ascii_uppercase())?;
    let mut letters = rest.chars();
    let (mut count, mut is_apart) = (0, false);
    // The first four stand last in what is checked, so they are read again.
    let mut tail = 0;
    while count < length {
        let letter = letters.next()?;
        if count > 0 && !is_apart && is_between(letter) {
            is_apart = true;
            continue;
        }
        is_apart = false;
        let value = u64::from(letter.to_digit(36)?);
        if count >= 4 {
            tail = (tail * if value > 9 { 100 } else { 10 } + value) % 97;
        }
        count += 1;
    }
    // Two letters and two digits are six digits.
    let is_valid = (tail * 1_000_000 + head_of(rest)) % 97 == 1;
    let end = text.len() - letters.as_str().len();
    (is_valid && is_free_after(letters.as_str())).then_some(end)
}

/// The first four characters as the number that is checked.
fn head_of(rest: &str) -> u64 {
    let value = |sum: u64, letter: char| {
        let value = u64::from(letter.to_digit(36).unwrap_or_default());
        sum * if value > 9 { 100 } else { 10 } + value
    };
    rest.chars().take(4).fold(0, value)
}

fn length(country: &str) -> Option<usize> {
    let entries = LENGTHS.as_bytes().chunks(4).filter_map(|entry| std::str::from_utf8(entry).ok());
    let found = entries.filter_map(|entry| entry.split_at_checked(2)).find(|(name, _)| *name == country);
    found.and_then(|(_, length)| length.parse().ok())
}
