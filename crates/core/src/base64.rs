//! Base64 (RFC 4648, section 4), padded: how vectors come in.

/// What is no digit.
const NONE: u8 = 0xff;

/// The digit of each sign.
static DIGITS: [u8; 256] = digits();

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn digits() -> [u8; 256] {
    let signs = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut digits = [NONE; 256];
    let mut digit = 0;
    while digit < signs.len() {
        digits[signs[digit] as usize] = digit as u8;
        digit += 1;
    }
    digits
}

/// The bytes of a text; `None` when it is not base64.
///
/// ```
/// assert_eq!(mnemic_core::base64::decode("dGVh"), Some(b"tea".to_vec()));
/// assert_eq!(mnemic_core::base64::decode("dGV"), None);
/// ```
#[must_use]
#[inline(never)]
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let (groups, []) = text.as_bytes().as_chunks::<4>() else { return None };
    let padding = text.bytes().rev().take(2).take_while(|sign| *sign == b'=').count();
    let mut bytes = Vec::with_capacity(groups.len() * 3);
    for (place, group) in groups.iter().enumerate() {
        let mut group = *group;
        if place + 1 == groups.len() {
            // The padding stands for nothing.
            group.iter_mut().rev().take(padding).for_each(|sign| *sign = b'A');
        }
        #[expect(clippy::indexing_slicing, reason = "a byte indexes 256 entries")]
        let [first, second, third, fourth] = group.map(|sign| DIGITS[usize::from(sign)]);
        if (first | second | third | fourth) & 0x80 != 0 {
            return None;
        }
        bytes.extend([first << 2 | second >> 4, second << 4 | third >> 2, third << 6 | fourth]);
    }
    bytes.truncate(bytes.len() - padding);
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_read_as_the_standard_has_it() {
        for (text, bytes) in [
            ("", &b""[..]),
            ("Zg==", b"f"),
            ("Zm8=", b"fo"),
            ("Zm9v", b"foo"),
            ("Zm9vYmFy", b"foobar"),
            ("+/+/", &[0xfb, 0xff, 0xbf]),
        ] {
            assert_eq!(decode(text).as_deref(), Some(bytes), "{text}");
        }
        for bad in ["Z", "Zg=", "Z===", "Zg==Zg==", "Zm9-", "=m9v", "Zm 9v", "====", "Zg=v"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }
}
