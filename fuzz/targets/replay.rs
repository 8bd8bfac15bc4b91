//! Arbitrary pairs in a storage: reading them never panics, and what is read can be written and read again.
//!
//! The input is pairs: the length of the key, a quarter of the length of the value, the key, the value.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mnemic::log::replay;
use mnemic::store::Store;

fuzz_target!(|data: &[u8]| {
    let mut pairs = Vec::new();
    let mut rest = data;
    while let Some((length, more)) = rest.split_first_chunk::<2>() {
        let (key_length, value_length) = (usize::from(length[0] % 64), usize::from(length[1]) * 4);
        let (key, more) = more.split_at(key_length.min(more.len()));
        let (value, more) = more.split_at(value_length.min(more.len()));
        pairs.push((String::from_utf8_lossy(key).into_owned(), value.to_vec()));
        rest = more;
    }
    for after in [0, 1, u64::MAX / 2] {
        if let Ok(image) = replay(&pairs, after)
            && after == 0
        {
            let recovered = Store::load("model", image);
            assert!(recovered.store.sequence() <= recovered.head.sequence);
        }
    }
});
