//! The inner loops against a naive oracle.

use super::clusters::Random;
use super::code;
use crate::embedding::MAX_CODE;
use crate::index::vector::scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::index::vector::simd128;
use crate::index::vector::sketch::{self, BLOCK, FLIPS, Weighted};
use proptest::prelude::*;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;

/// One implementation of the inner loops.
pub(super) struct Kernel {
    name: &'static str,
    pub(super) dot: fn(&[i16], &[i16]) -> i64,
    rotate: fn(&mut [i16; BLOCK]),
    signs: fn(&[i16; BLOCK]) -> [u64; 2],
    within: fn(&[u16], u16, u16) -> u64,
    extremes: fn(&[i16]) -> (i16, i16),
}

pub(super) const NAIVE: Kernel = Kernel {
    name: "naive",
    dot: |left, right| left.iter().zip(right).map(|(l, r)| i64::from(*l) * i64::from(*r)).sum(),
    // The transform's definition; right as long as no sum saturates.
    rotate: |block| {
        let flipped: Vec<i32> =
            block.iter().zip(FLIPS).map(|(v, flip)| i32::from(*v) * i32::from(flip)).collect();
        for (row, value) in block.iter_mut().enumerate() {
            let signed = flipped.iter().enumerate();
            let sum: i32 = signed.map(|(i, v)| if (i & row).count_ones() % 2 == 0 { *v } else { -*v }).sum();
            *value = i16::try_from(sum).unwrap();
        }
    },
    signs: |block| {
        let mut words = [0; 2];
        for (i, value) in block.iter().enumerate() {
            if *value < 0 {
                words[i / 64] |= 1 << (i % 64);
            }
        }
        words
    },
    within: |distances, nearest, farthest| {
        let mut bits = 0;
        for (at, distance) in distances.iter().enumerate() {
            if *distance >= nearest && *distance <= farthest {
                bits |= 1 << at;
            }
        }
        bits
    },
    extremes: |codes| {
        let with_zero = || codes.iter().copied().chain([0]);
        (with_zero().min().unwrap(), with_zero().max().unwrap())
    },
};

fn kernels() -> Vec<Kernel> {
    vec![
        Kernel {
            name: "scalar",
            dot: scalar::dot,
            rotate: scalar::rotate,
            signs: scalar::signs,
            within: scalar::within,
            extremes: scalar::extremes,
        },
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Kernel {
            name: "simd128",
            dot: simd128::dot,
            rotate: simd128::rotate,
            signs: simd128::signs,
            within: simd128::within,
            extremes: simd128::extremes,
        },
    ]
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn dot_agrees_with_the_oracle() {
    let mut random = Random(1);
    for length in (0..70).chain([127, 128, 129, 384, 511, 512, 513, 768, 1536, 4095, 4096]) {
        let mut row = |kind: u32| -> Vec<i16> {
            (0..length).map(|_| [code(&mut random), MAX_CODE, -MAX_CODE, 0][kind as usize]).collect()
        };
        let rows: Vec<Vec<i16>> = (0..4).map(&mut row).collect();
        for (left, right) in rows.iter().flat_map(|left| rows.iter().map(move |right| (left, right))) {
            for kernel in kernels() {
                assert_eq!(
                    (kernel.dot)(left, right),
                    (NAIVE.dot)(left, right),
                    "{} of {length}",
                    kernel.name
                );
            }
        }
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn extremes_agree_with_the_oracle() {
    let mut random = Random(6);
    for length in (0..40).chain([384, 1021]) {
        let mut codes: Vec<i16> = (0..length).map(|_| code(&mut random)).collect();
        // Each place has its turn, with the widest numbers there are.
        for (at, extreme) in (0..length.min(40)).zip([i16::MIN, i16::MAX].into_iter().cycle()) {
            let before = std::mem::replace(&mut codes[at], extreme);
            for kernel in kernels() {
                let (found, expected) = ((kernel.extremes)(&codes), (NAIVE.extremes)(&codes));
                assert_eq!(found, expected, "{} of {codes:?}", kernel.name);
            }
            codes[at] = before;
        }
        for kernel in kernels() {
            assert_eq!((kernel.extremes)(&codes), (NAIVE.extremes)(&codes), "{} of {codes:?}", kernel.name);
        }
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn rotate_agrees_with_the_oracle() {
    let mut random = Random(2);
    let mut blocks = vec![[0; BLOCK], [255; BLOCK], [-255; BLOCK]];
    for i in 0..BLOCK {
        let mut block = [0; BLOCK];
        block[i] = 255;
        blocks.push(block);
    }
    blocks.extend((0..50).map(|_| std::array::from_fn(|_| code(&mut random) >> 4)));
    for block in blocks {
        let mut expected = block;
        (NAIVE.rotate)(&mut expected);
        for kernel in kernels() {
            let mut rotated = block;
            (kernel.rotate)(&mut rotated);
            assert_eq!(rotated, expected, "{} of {block:?}", kernel.name);
            assert_eq!((kernel.signs)(&rotated), (NAIVE.signs)(&rotated), "{} of {block:?}", kernel.name);
        }
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn rotate_saturates_alike_everywhere() {
    let mut random = Random(3);
    for extremes in 0..BLOCK {
        let block: [i16; BLOCK] =
            std::array::from_fn(|i| if i < extremes { MAX_CODE * FLIPS[i] } else { code(&mut random) });
        let mut expected = block;
        scalar::rotate(&mut expected);
        for kernel in kernels() {
            let mut rotated = block;
            (kernel.rotate)(&mut rotated);
            assert_eq!(rotated, expected, "{} of {block:?}", kernel.name);
        }
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn within_agrees_with_the_oracle() {
    let mut random = Random(4);
    for length in 0..=64 {
        let distances: Vec<u16> =
            (0..length).map(|_| [random.below(300) as u16, 0, u16::MAX, 7][random.below(4)]).collect();
        for (nearest, farthest) in
            [(0, 0), (0, 150), (7, 7), (8, 7), (100, 299), (1, u16::MAX), (u16::MAX, u16::MAX)]
        {
            for kernel in kernels() {
                assert_eq!(
                    (kernel.within)(&distances, nearest, farthest),
                    (NAIVE.within)(&distances, nearest, farthest),
                    "{} of {distances:?} from {nearest} to {farthest}",
                    kernel.name
                );
            }
        }
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn distances_are_the_bits_that_differ() {
    let mut random = Random(5);
    // Those with a loop of their own, and others.
    for words in [2, 4, 6, 8, 10, 12, 16, 24, 64] {
        let rows: Vec<u64> = (0..words * 5).map(|_| random.next()).collect();
        let query: Vec<u64> = (0..words).map(|_| random.next()).collect();
        let mut distances = vec![9];
        sketch::distances(&query, &rows, &mut distances);
        let bits = |row: &[u64]| -> usize {
            let differs = |bit: &usize| (row[bit / 64] ^ query[bit / 64]) >> (bit % 64) & 1 == 1;
            (0..words * 64).filter(differs).count()
        };
        let expected = rows.chunks(words).map(|row| bits(row) as u16);
        assert_eq!(distances, [9].into_iter().chain(expected).collect::<Vec<_>>());
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn weighted_distances_are_what_the_bits_that_differ_weigh() {
    let mut random = Random(6);
    for dimensions in [3, 128, 200, 256, 384, 500, 640, 768, 1024, 1536, 4096] {
        let mut codes = || -> Vec<i16> { (0..dimensions).map(|_| code(&mut random)).collect() };
        let query = Weighted::new(&codes());
        let rows: Vec<Vec<u64>> = (0..9).map(|_| sketch::of(&codes())).collect();
        let pieces: Vec<Vec<u64>> = rows.chunks(4).map(<[_]>::concat).collect();
        let places = [vec![3, 0], vec![], vec![0]];
        let mut distances = vec![9];
        let asked = pieces.iter().map(Vec::as_slice).zip(places.iter().map(|places| places.iter().copied()));
        query.distances(asked, &mut distances);
        // Each of the query's bits alone tells its weight.
        let none = vec![0; sketch::words(dimensions)];
        let weight = |bit: usize| {
            let mut one = none.clone();
            one[bit / 64] |= 1 << (bit % 64);
            i32::from(query.distance(&one)) - i32::from(query.distance(&none))
        };
        let expected = [3, 0, 8].map(|row: usize| {
            let set = |bit: &usize| rows[row][bit / 64] >> (bit % 64) & 1 == 1;
            let weights = (0..none.len() * 64).filter(set).map(weight).sum::<i32>();
            u16::try_from(i32::from(query.distance(&none)) + weights).unwrap()
        });
        assert_eq!(distances, [9].into_iter().chain(expected).collect::<Vec<_>>(), "{dimensions}");
    }
}

proptest! {
    #[test]
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
    fn kernels_agree(
        rows in prop::collection::vec((-MAX_CODE..=MAX_CODE, -MAX_CODE..=MAX_CODE), 0..1200),
        block in prop::collection::vec(-MAX_CODE..=MAX_CODE, BLOCK),
    ) {
        let (left, right): (Vec<i16>, Vec<i16>) = rows.into_iter().unzip();
        let block: [i16; BLOCK] = block.try_into().unwrap();
        let mut expected = block;
        scalar::rotate(&mut expected);
        for kernel in kernels() {
            prop_assert_eq!((kernel.dot)(&left, &right), (NAIVE.dot)(&left, &right), "{}", kernel.name);
            let mut rotated = block;
            (kernel.rotate)(&mut rotated);
            prop_assert_eq!(rotated, expected, "{}", kernel.name);
            prop_assert_eq!((kernel.signs)(&rotated), (NAIVE.signs)(&rotated), "{}", kernel.name);
        }
    }
}
