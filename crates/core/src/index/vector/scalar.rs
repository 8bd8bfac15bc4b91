//! The inner loops in plain Rust: what runs natively and in wasm without SIMD, and the judge of `simd128`.

use super::sketch::{BLOCK, FLIPS};

/// How many products of two 13-bit codes surely fit in an `i32`: 128 * 4095^2 < 2^31.
const SAFE_PRODUCTS: usize = 128;

/// The dot product of two rows of codes of equal length.
pub(super) fn dot(left: &[i16], right: &[i16]) -> i64 {
    left.chunks(SAFE_PRODUCTS)
        .zip(right.chunks(SAFE_PRODUCTS))
        .map(|(left, right)| {
            i64::from(left.iter().zip(right).map(|(l, r)| i32::from(*l) * i32::from(*r)).sum::<i32>())
        })
        .sum()
}

/// The least and the greatest of some codes and zero.
#[inline(never)]
pub(super) fn extremes(codes: &[i16]) -> (i16, i16) {
    codes.iter().fold((0, 0), |(least, most), code| (least.min(*code), most.max(*code)))
}

/// Rotates one block in place: random signs, then a Walsh-Hadamard transform with saturating sums.
///
/// Only signs are read from the result. Saturation keeps the sign of all but freak sums, and twice as many 16-bit
/// lanes fit in a register as 32-bit ones.
pub(super) fn rotate(block: &mut [i16; BLOCK]) {
    for (value, flip) in block.iter_mut().zip(&FLIPS) {
        *value *= flip;
    }
    let mut half = BLOCK / 2;
    while half > 0 {
        for pair in block.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for (low, high) in low.iter_mut().zip(high) {
                (*low, *high) = (low.saturating_add(*high), low.saturating_sub(*high));
            }
        }
        half /= 2;
    }
}

/// The signs of a rotated block as bits, the first value in the lowest bit; 1 means negative.
pub(super) fn signs(block: &[i16; BLOCK]) -> [u64; 2] {
    let mut words = [0; 2];
    for (word, values) in words.iter_mut().zip(block.chunks_exact(64)) {
        *word = values.iter().rev().fold(0, |bits, value| bits << 1 | u64::from(*value < 0));
    }
    words
}

/// The bits of those of up to 64 distances that are from `nearest` to `farthest`, the first in the lowest.
pub(super) fn within(distances: &[u16], nearest: u16, farthest: u16) -> u64 {
    let are_within = distances.iter().map(|distance| (nearest..=farthest).contains(distance));
    (0..u64::BITS).zip(are_within).fold(0, |bits, (at, is_within)| bits | u64::from(is_within) << at)
}
