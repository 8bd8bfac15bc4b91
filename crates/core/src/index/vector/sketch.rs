//! Sketches: one bit per dimension, whose differences estimate an angle.
//!
//! The bits are signs after a fixed rotation (random signs and a Walsh-Hadamard transform in blocks of 128), so a
//! bit differs with probability angle / pi (Charikar, "Similarity estimation techniques from rounding algorithms",
//! STOC 2002) whatever the axes mean. Signs of the raw values would do for dense embeddings, but not for sparse
//! ones such as hashed n-grams, where most values are zero: to find .99 of the true nearest, nearly every row had to
//! be scored there, and a fifth of them with the rotation. Subtracting the mean first gained nothing measurable.

use super::kernel;

/// How many values are rotated together, and how many bits they give.
pub(super) const BLOCK: usize = 128;

/// Words of one block's bits.
const BLOCK_WORDS: usize = BLOCK / 64;

/// Codes are shifted down by this before the transform, so that its sums seldom saturate: a sum of 128 values
/// spreads like 11 of them, and 11 * 1023 fits in 16 bits.
const HEADROOM: u32 = 2;

/// Random signs: the fraction of pi in hexadecimal, a number with nothing up its sleeve.
pub(super) const FLIPS: [i16; BLOCK] = {
    let pi: u128 = 0x243f_6a88_85a3_08d3_1319_8a2e_0370_7344;
    let mut flips = [1; BLOCK];
    let mut i = 0;
    while i < BLOCK {
        if pi >> i & 1 == 1 {
            #[expect(clippy::indexing_slicing, reason = "i < BLOCK, and evaluated by the compiler")]
            {
                flips[i] = -1;
            }
        }
        i += 1;
    }
    flips
};

/// How many blocks a vector is cut into.
fn blocks(dimensions: usize) -> usize {
    dimensions.div_ceil(BLOCK).max(1)
}

/// How many words the sketch of a vector takes.
pub(super) fn words(dimensions: usize) -> usize {
    blocks(dimensions) * BLOCK_WORDS
}

/// The sketch of one row of codes.
///
/// The values are dealt evenly to the blocks, and the rest of each block is zero, so that every bit speaks for the
/// same number of values.
pub(super) fn of(codes: &[i16]) -> Vec<u64> {
    let mut sketch = Vec::with_capacity(words(codes.len()));
    let width = codes.len().div_ceil(blocks(codes.len())).max(1);
    for values in codes.chunks(width) {
        let mut block = [0; BLOCK];
        for (to, from) in block.iter_mut().zip(values) {
            *to = from >> HEADROOM;
        }
        kernel::rotate(&mut block);
        sketch.extend_from_slice(&kernel::signs(&block));
    }
    sketch
}

/// In how many bits two sketches of equal length differ.
///
/// Counting in 64-bit words is faster in wasm than `i8x16.popcnt` and adding up its lanes (0.37 to 0.43 ms for
/// 100,000 rows of 384 dimensions), so there is no SIMD form.
pub(super) fn distance(left: &[u64], right: &[u64]) -> u16 {
    #[expect(clippy::cast_possible_truncation, reason = "a sketch has at most 4096 bits")]
    let bits = left.iter().zip(right).map(|(l, r)| (l ^ r).count_ones()).sum::<u32>() as u16;
    bits
}
