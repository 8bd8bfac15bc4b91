//! Sketches: one bit per dimension, whose differences estimate an angle.
//!
//! The bits are signs after a fixed rotation (random signs and a Walsh-Hadamard transform in blocks of 128), so a
//! bit differs with probability angle / pi (Charikar, "Similarity estimation techniques from rounding algorithms",
//! STOC 2002) whatever the axes mean. Signs of the raw values would do for dense embeddings, but not for sparse
//! ones such as hashed n-grams, where most values are zero: to find .99 of the true nearest, nearly every row had to
//! be scored there, and a fifth of them with the rotation. Subtracting the mean first gained nothing measurable.
//!
//! Where that leaves many rows, the query is not cut down to signs: each of its bits weighs as much as its rotated value, and a row is as
//! far away as the bits that differ weigh together (Gao and Long, "RaBitQ", SIGMOD 2024, estimate from the same). That halves the
//! error of the estimate and takes three times as long.

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
pub(super) fn of(codes: &[i16]) -> Vec<u64> {
    let mut sketch = Vec::with_capacity(words(codes.len()));
    for block in rotated(codes) {
        sketch.extend_from_slice(&kernel::signs(&block));
    }
    sketch
}

/// The blocks of a row of codes after the rotation.
///
/// The values are dealt evenly to the blocks, and the rest of each block is zero, so that every bit speaks for the
/// same number of values.
fn rotated(codes: &[i16]) -> impl Iterator<Item = [i16; BLOCK]> {
    let width = codes.len().div_ceil(blocks(codes.len())).max(1);
    codes.chunks(width).map(|values| {
        let mut block = [0; BLOCK];
        for (to, from) in block.iter_mut().zip(values) {
            *to = from >> HEADROOM;
        }
        kernel::rotate(&mut block);
        block
    })
}

/// Appends in how many bits each of some sketches, one after another, differs from a sketch of the same length.
///
/// Counting in 64-bit words is faster in wasm than `i8x16.popcnt` and adding up its lanes, where the number of words is known: 0.23 and
/// 0.29 ms for 100,000 rows of 384 dimensions, and 0.45 ms where it is not. So the usual numbers have loops of their own.
#[inline(never)]
pub(super) fn distances(sketch: &[u64], rows: &[u64], to: &mut Vec<u16>) {
    match sketch.len() {
        4 => distances_of::<4>(sketch, rows, to),
        6 => distances_of::<6>(sketch, rows, to),
        8 => distances_of::<8>(sketch, rows, to),
        12 => distances_of::<12>(sketch, rows, to),
        16 => distances_of::<16>(sketch, rows, to),
        24 => distances_of::<24>(sketch, rows, to),
        words => to.extend(rows.chunks_exact(words.max(1)).map(|row| differing(sketch, row))),
    }
}

fn distances_of<const WORDS: usize>(sketch: &[u64], rows: &[u64], to: &mut Vec<u16>) {
    if let Some(sketch) = sketch.first_chunk::<WORDS>() {
        let sketch = *sketch;
        to.extend(rows.as_chunks::<WORDS>().0.iter().map(|row| differing(&sketch, row)));
    }
}

/// In how many bits two sketches of equal length differ.
#[inline(always)]
fn differing(left: &[u64], right: &[u64]) -> u16 {
    // In 64 bits, or the compiler takes lanes for it.
    let bits = left.iter().zip(right).map(|(l, r)| u64::from((l ^ r).count_ones())).sum::<u64>();
    #[expect(clippy::cast_possible_truncation, reason = "a sketch has at most 4096 bits")]
    let bits = bits as u16;
    bits
}

/// What the bits weigh in which the words of a query, each with the weights of its bits, differ from those of a row.
#[inline(always)]
fn weight<'a>(words: impl Iterator<Item = ((&'a u64, &'a [u64; PLANES]), &'a u64)>) -> u16 {
    // Counted by plane, and in 64 bits, or the compiler takes lanes for it.
    let mut counts = [0; PLANES];
    for ((query, planes), row) in words {
        for (count, bits) in counts.iter_mut().zip(planes) {
            *count += u64::from(((query ^ row) & bits).count_ones());
        }
    }
    let distance = counts.iter().rev().fold(0, |sum, count| 2 * sum + count);
    #[expect(clippy::cast_possible_truncation, reason = "7 times 4096 at most")]
    let distance = distance as u16;
    distance
}

/// So many rows are looked at together before they are compared: they are far apart in memory.
pub(super) const TOGETHER: usize = 16;

/// The bits of a weight. Finer ones gain less than what is lost by the signs.
const PLANES: usize = 3;
const MAX_WEIGHT: f32 = ((1 << PLANES) - 1) as f32;
/// From so many standard deviations on all values weigh the same.
const WIDTH: f32 = 3.0;

/// What the share of a row's length in the direction of its own signs is when its values are normal: the square root of 2 / pi.
const SIGNED: f32 = 0.798;
/// The deviation of an estimate for a row at a right angle to the query, times the square root of the dimensions: that of normal
/// values, and a little for rows whose blocks are not equally long.
const ERROR: f32 = 0.8;
/// How many deviations of the estimate are looked through for what is as similar as the worst hit.
const DEVIATIONS: f32 = 2.5;

/// A query as sketches are compared with it.
pub(super) struct Weighted {
    sketch: Vec<u64>,
    /// The weights of each word's bits, by the bits of the weights.
    planes: Vec<[u64; PLANES]>,
    /// The sum of all weights, which is the greatest distance.
    farthest: u16,
    /// What a distance is less than half of it for a row in the query's direction.
    length: f32,
    /// The deviation of an estimate at a right angle.
    error: f32,
}

impl Weighted {
    pub(super) fn new(codes: &[i16]) -> Self {
        let (mut sketch, mut values) = (Vec::with_capacity(words(codes.len())), Vec::new());
        for block in rotated(codes) {
            sketch.extend_from_slice(&kernel::signs(&block));
            values.extend_from_slice(&block);
        }
        let square = |value: f32| value * value;
        let mean =
            values.iter().map(|value| square(f32::from(*value))).sum::<f32>() / values.len().max(1) as f32;
        let unit = (mean.sqrt() * WIDTH / MAX_WEIGHT).max(f32::MIN_POSITIVE);
        let (mut sum, mut squares) = (0.0, 0.0);
        let mut planes = Vec::with_capacity(values.len() / 64);
        for word in values.chunks(64) {
            let mut bits = [0; PLANES];
            for (at, value) in word.iter().enumerate() {
                let weight = (f32::from(*value).abs() / unit).round().min(MAX_WEIGHT);
                sum += weight;
                squares += square(weight);
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 7")]
                let weight = weight as u64;
                for (plane, bits) in bits.iter_mut().enumerate() {
                    *bits |= (weight >> plane & 1) << at;
                }
            }
            planes.push(bits);
        }
        let bits = values.len() as f32;
        // The query itself is the nearest row there can be.
        let length = (SIGNED * (squares * bits).sqrt()).min(sum).max(f32::MIN_POSITIVE);
        let error = ERROR / (codes.len() as f32).min(bits).max(1.0).sqrt();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "7 times 4096 at most")]
        let farthest = sum as u16;
        Self { sketch, planes, farthest, length, error }
    }

    /// How far away the row of a sketch of equal length is, from 0 to [`farthest`](Self::farthest).
    pub(super) fn distance(&self, sketch: &[u64]) -> u16 {
        weight(self.sketch.iter().zip(&self.planes).zip(sketch))
    }

    /// Appends how far away rows are whose sketches are in some places of pieces.
    ///
    /// As in [`distances`], the most usual numbers of words, of 384, 768 and 1536 dimensions, have loops of their own; each is a
    /// kilobyte to load.
    #[inline(never)]
    pub(super) fn distances<'a>(
        &self,
        pieces: impl Iterator<Item = (&'a [u64], impl Iterator<Item = usize>)>,
        to: &mut Vec<u16>,
    ) {
        match self.sketch.len() {
            6 => self.distances_of::<6>(pieces, to),
            12 => self.distances_of::<12>(pieces, to),
            24 => self.distances_of::<24>(pieces, to),
            words => pieces.for_each(|(sketches, places)| {
                let sketch = |place: usize| sketches.get(place * words..).and_then(|rest| rest.get(..words));
                to.extend(places.map(|place| self.distance(sketch(place).unwrap_or_default())));
            }),
        }
    }

    fn distances_of<'a, const WORDS: usize>(
        &self,
        pieces: impl Iterator<Item = (&'a [u64], impl Iterator<Item = usize>)>,
        to: &mut Vec<u16>,
    ) {
        let sketch = self.sketch.first_chunk::<WORDS>().copied().unwrap_or([0; WORDS]);
        let planes = self.planes.first_chunk::<WORDS>().copied().unwrap_or([[0; PLANES]; WORDS]);
        let mut some = [0; TOGETHER];
        for (sketches, mut places) in pieces {
            let sketches = sketches.as_chunks::<WORDS>().0;
            loop {
                let taken = some.iter_mut().zip(places.by_ref()).map(|(slot, place)| *slot = place).count();
                let Some(some) = some.get(..taken).filter(|some| !some.is_empty()) else { break };
                // Rows are far apart in memory: some are looked at first, so that one does not wait for another to arrive.
                let first = some.iter().filter_map(|place| sketches.get(*place)?.first());
                std::hint::black_box(first.fold(0, |all, word| all ^ word));
                to.extend(some.iter().map(|place| {
                    sketches.get(*place).map_or(0, |row| weight(sketch.iter().zip(&planes).zip(row)))
                }));
            }
        }
    }

    /// The greatest distance there is.
    pub(super) fn farthest(&self) -> u16 {
        self.farthest
    }

    /// About how similar a row at a distance is.
    pub(super) fn similarity(&self, distance: u16) -> f32 {
        (f32::from(self.farthest) - 2.0 * f32::from(distance)) / self.length
    }

    /// The largest distance at which a row as similar as `similarity` is still likely to be found.
    pub(super) fn reach(&self, similarity: f32) -> u16 {
        self.distance_of(similarity - DEVIATIONS * self.error(similarity))
    }

    /// The deviation of that from the exact one of a row that is as similar.
    pub(super) fn error(&self, similarity: f32) -> f32 {
        self.error * (1.0 - similarity * similarity).max(0.0).sqrt()
    }

    /// Estimates with the spread that the exact similarities have.
    pub(super) fn spread(&self, mut estimates: Vec<f32>) -> Vec<f32> {
        let count = estimates.len().max(1) as f32;
        let mean = estimates.iter().sum::<f32>() / count;
        let variance = estimates.iter().map(|estimate| (estimate - mean).powi(2)).sum::<f32>() / count;
        let error = self.error(mean).powi(2) / variance.max(f32::MIN_POSITIVE);
        let share = (1.0 - error).max(0.0).sqrt();
        estimates.iter_mut().for_each(|estimate| *estimate = mean + (*estimate - mean) * share);
        estimates
    }

    /// The distance at which a row is about so similar.
    fn distance_of(&self, similarity: f32) -> u16 {
        let farthest = f32::from(self.farthest);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to the farthest")]
        let distance = ((farthest - similarity * self.length) / 2.0).clamp(0.0, farthest) as u16;
        distance
    }
}
