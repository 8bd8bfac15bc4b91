//! The text that localStorage values are kept as, tested where proptest runs.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../src/web/storage/dense.rs"]
mod dense;

mod text {
    use super::dense::{decode, encode};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bytes_come_back(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let text = encode(&bytes);
            prop_assert_eq!(decode(&text), Some(bytes));
        }

        #[test]
        fn text_is_as_dense_as_promised_and_safe(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let text = encode(&bytes);
            prop_assert_eq!(text.encode_utf16().count(), 1 + (bytes.len() * 8).div_ceil(15));
            let safe = '\u{3400}'..'\u{B400}';
            prop_assert!(text.chars().skip(1).all(|c| safe.contains(&c)));
        }

        #[test]
        fn any_text_is_refused_or_is_the_text_of_its_bytes(text in "[0-9a-f]?[\u{3400}-\u{3402}\u{B3FE}-\u{B401}]{0,6}") {
            if let Some(bytes) = decode(&text) {
                prop_assert_eq!(encode(&bytes), text);
            }
        }
    }

    #[test]
    fn known_texts_stay_readable() {
        for (bytes, text) in [
            (&b""[..], "0"),
            (b"\x00", "7\u{3400}"),
            (b"\xFF", "7\u{B380}"),
            (b"\x00\x00", "e\u{3400}\u{3400}"),
            (b"\x00\x00\x00", "6\u{3400}\u{3400}"),
            (b"tea", "6\u{6E32}\u{8C40}"),
        ] {
            assert_eq!(encode(bytes), text, "{bytes:?}");
            assert_eq!(decode(text).as_deref(), Some(bytes), "{text}");
        }
        for foreign in ["", "hello", "0abc", "f\u{3400}", "7", "0\u{3400}", "7\u{3401}", "{\"a\":1}"] {
            assert_eq!(decode(foreign), None, "{foreign}");
        }
    }
}
