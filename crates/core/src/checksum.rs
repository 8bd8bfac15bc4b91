//! CRC-32 as in Ethernet and gzip (ISO 3309): reflected, polynomial 0xEDB88320.
//!
//! Sixteen bytes a step, after Kounavis and Berry, "A Systematic Approach to Building High Performance Software-Based CRC
//! Generators" (2005). The tables are computed at first use: as constants they would add 16 kB that no compression makes
//! smaller.

use std::sync::LazyLock;

/// How many bytes a step takes.
const STEP: usize = 16;

/// `TABLES[k][b]`: what byte `b` does to the checksum once `k` more bytes have passed.
static TABLES: LazyLock<[[u32; 256]; STEP]> = LazyLock::new(tables);

/// The checksum of some bytes.
///
/// ```
/// assert_eq!(mnemic_core::checksum::crc32(b"123456789"), 0xCBF4_3926);
/// ```
#[must_use]
#[expect(clippy::indexing_slicing, reason = "a byte indexes 256 entries")]
#[inline(never)]
pub fn crc32(bytes: &[u8]) -> u32 {
    let tables = &*TABLES;
    let mut sum = !0u32;
    let (steps, rest) = bytes.as_chunks::<STEP>();
    for step in steps {
        let (words, _) = step.as_chunks::<4>();
        let [first, second, third, last] = std::array::from_fn(|word| u32::from_le_bytes(words[word]));
        // Only the first word waits for the sum before it, so that the others are looked up meanwhile.
        let later = through(tables, second, 8) ^ through(tables, third, 4) ^ through(tables, last, 0);
        sum = through(tables, first ^ sum, 12) ^ later;
    }
    for byte in rest {
        let [low, ..] = sum.to_le_bytes();
        sum = (sum >> 8) ^ tables[0][usize::from(low ^ *byte)];
    }
    !sum
}

/// What a word of four bytes does to the checksum once `passed` more bytes have passed.
#[expect(clippy::indexing_slicing, reason = "a byte indexes 256 entries, and 16 tables serve 4 words")]
#[inline(always)]
fn through(tables: &[[u32; 256]; STEP], word: u32, passed: usize) -> u32 {
    let [first, second, third, last] = word.to_le_bytes().map(usize::from);
    tables[passed + 3][first] ^ tables[passed + 2][second] ^ tables[passed + 1][third] ^ tables[passed][last]
}

fn tables() -> [[u32; 256]; STEP] {
    let mut row: [u32; 256] = std::array::from_fn(|byte| byte as u32);
    std::array::from_fn(|_| {
        row = row.map(|sum| (0..8).fold(sum, |sum, _| bit(sum)));
        row
    })
}

/// The checksum after one more zero bit.
fn bit(sum: u32) -> u32 {
    if sum & 1 == 1 { (sum >> 1) ^ 0xEDB8_8320 } else { sum >> 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_has_the_checksum_zero() {
        assert_eq!(crc32(b""), 0);
    }

    proptest! {
        #[test]
        fn equals_the_definition_bit_by_bit(bytes in prop::collection::vec(any::<u8>(), 0..70)) {
            let sum = bytes.iter().fold(!0, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), |sum, _| bit(sum)));
            prop_assert_eq!(crc32(&bytes), !sum);
        }
    }
}
