//! Bytes as text for localStorage, whose room is counted in UTF-16 code units: 15 bits in each.
//!
//! Base64 puts 6 bits into a unit, so this holds 2.5 times as much. The 32768 characters from U+3400 on are all in the
//! basic plane and no surrogates, so a store that converts to UTF-8 and back changes nothing. The first character is a
//! hexadecimal digit: how many of the last unit's bits are not used, 0 to 14.

/// The character that stands for 15 zero bits.
const FIRST: u32 = 0x3400;
/// How many bits a character holds.
const WIDTH: u32 = 15;

/// Writes bytes as text.
pub(super) fn encode(bytes: &[u8]) -> String {
    let spare = (WIDTH - (bytes.len() % 15 * 8) as u32 % WIDTH) % WIDTH;
    let mut text = String::with_capacity(1 + bytes.len().div_ceil(15) * 24);
    text.extend(char::from_digit(spare, 16));
    let mut pending = 0u32;
    let mut bits = 0;
    for byte in bytes {
        pending = (pending << 8) | u32::from(*byte);
        bits += 8;
        if bits >= WIDTH {
            bits -= WIDTH;
            text.extend(char::from_u32(FIRST + (pending >> bits)));
            pending &= (1 << bits) - 1;
        }
    }
    if bits > 0 {
        text.extend(char::from_u32(FIRST + (pending << spare)));
    }
    text
}

/// Reads text that [`encode`] wrote; `None` for any other text.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut characters = text.chars();
    let spare = characters.next()?.to_digit(16).filter(|spare| *spare < WIDTH)?;
    let mut bytes = Vec::with_capacity(text.len() / 3 * 15 / 8 + 1);
    let mut pending = 0u32;
    let mut bits = 0;
    for character in characters {
        let value = u32::from(character).checked_sub(FIRST).filter(|value| *value < 1 << WIDTH)?;
        pending = (pending << WIDTH) | value;
        bits += WIDTH;
        while bits >= 8 {
            bits -= 8;
            bytes.extend(u8::try_from(pending >> bits));
            pending &= (1 << bits) - 1;
        }
    }
    // The unused bits may have filled one more byte.
    if spare > bits && !bytes.is_empty() {
        (bytes.pop() == Some(0)).then_some(())?;
        bits += 8;
    }
    (spare == bits && pending == 0).then_some(bytes)
}
