//! Kernels against a naive oracle, the index against a model, and recall against exact search.

use super::sketch::{self, BLOCK, FLIPS, Weighted};
use super::{CodePlace, CodeReader, FlatIndex, Hit, StoredRows, Wanted, bits_of, scalar};
use crate::embedding::{Embedding, MAX_CODE};
use crate::error::Code;
use proptest::prelude::*;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;

/// xorshift64*, so that recall is measured on the same vectors everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Below `end`.
    fn below(&mut self, end: usize) -> usize {
        ((self.next() >> 33) as usize) % end
    }

    /// About normal, with variance 1: a sum of twelve evens.
    fn normal(&mut self) -> f32 {
        (0..12).map(|_| (self.next() >> 40) as f32 / (1 << 24) as f32).sum::<f32>() - 6.0
    }

    fn code(&mut self) -> i16 {
        self.below(2 * MAX_CODE as usize + 1) as i16 - MAX_CODE
    }
}

/// One implementation of the inner loops.
struct Kernel {
    name: &'static str,
    dot: fn(&[i16], &[i16]) -> i64,
    rotate: fn(&mut [i16; BLOCK]),
    signs: fn(&[i16; BLOCK]) -> [u64; 2],
    within: fn(&[u16], u16, u16) -> u64,
}

const NAIVE: Kernel = Kernel {
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
};

fn kernels() -> Vec<Kernel> {
    vec![
        Kernel {
            name: "scalar",
            dot: scalar::dot,
            rotate: scalar::rotate,
            signs: scalar::signs,
            within: scalar::within,
        },
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Kernel {
            name: "simd128",
            dot: super::simd128::dot,
            rotate: super::simd128::rotate,
            signs: super::simd128::signs,
            within: super::simd128::within,
        },
    ]
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn dot_agrees_with_the_oracle() {
    let mut random = Random(1);
    for length in (0..70).chain([127, 128, 129, 384, 511, 512, 513, 768, 1536, 4095, 4096]) {
        let mut row = |kind: u32| -> Vec<i16> {
            (0..length).map(|_| [random.code(), MAX_CODE, -MAX_CODE, 0][kind as usize]).collect()
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
fn rotate_agrees_with_the_oracle() {
    let mut random = Random(2);
    let mut blocks = vec![[0; BLOCK], [255; BLOCK], [-255; BLOCK]];
    for i in 0..BLOCK {
        let mut block = [0; BLOCK];
        block[i] = 255;
        blocks.push(block);
    }
    blocks.extend((0..50).map(|_| std::array::from_fn(|_| random.code() >> 4)));
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
            std::array::from_fn(|i| if i < extremes { MAX_CODE * FLIPS[i] } else { random.code() });
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
        let mut codes = || -> Vec<i16> { (0..dimensions).map(|_| random.code()).collect() };
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

/// Exact search, as plainly as can be.
fn exact(rows: &BTreeMap<u32, Embedding>, query: &Embedding, limit: usize) -> Vec<Hit> {
    let mut hits: Vec<Hit> = rows
        .iter()
        .map(|(document, row)| {
            let dot = (NAIVE.dot)(&query.codes, &row.codes) as f64;
            Hit {
                document: *document,
                similarity: (dot * f64::from(query.scale) * f64::from(row.scale)) as f32,
            }
        })
        .collect();
    hits.sort();
    hits.truncate(limit);
    hits
}

fn embedding(values: &[f32]) -> Embedding {
    Embedding::quantise("e", values).unwrap()
}

fn index_of(dimensions: usize, rows: &BTreeMap<u32, Embedding>) -> FlatIndex {
    let mut index = FlatIndex::new(dimensions);
    for (document, row) in rows {
        index.insert(*document, row.scale, &row.codes).unwrap();
    }
    index
}

/// Vectors around random centres, and queries from the same clusters.
fn clustered(
    dimensions: usize,
    rows: u32,
    clusters: usize,
    noise: f32,
) -> (BTreeMap<u32, Embedding>, Vec<Embedding>) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let centres: Vec<Vec<f32>> =
        (0..clusters).map(|_| (0..dimensions).map(|_| random.normal()).collect()).collect();
    let near = |random: &mut Random| {
        let centre = &centres[random.below(clusters)];
        embedding(&centre.iter().map(|v| v + noise * random.normal()).collect::<Vec<f32>>())
    };
    let queries = (0..50).map(|_| near(&mut random)).collect();
    ((0..rows).map(|document| (document * 3, near(&mut random))).collect(), queries)
}

/// Mostly zeros, as hashed words give; a query shares half its values with a row.
fn sparse(dimensions: usize, rows: u32) -> (BTreeMap<u32, Embedding>, Vec<Embedding>) {
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut words = |values: &mut Vec<f32>, count: usize| {
        for _ in 0..count {
            let at = random.below(dimensions);
            values[at] = random.normal();
        }
    };
    let mut texts: Vec<Vec<f32>> = Vec::new();
    for _ in 0..rows {
        let mut values = vec![0.0; dimensions];
        words(&mut values, dimensions / 8);
        texts.push(values);
    }
    let queries = (0..50)
        .map(|row| {
            let mut values: Vec<f32> =
                texts[row * 7].iter().enumerate().map(|(i, v)| if i % 2 == 0 { *v } else { 0.0 }).collect();
            words(&mut values, dimensions / 16);
            embedding(&values)
        })
        .collect();
    ((0..).zip(texts.iter().map(|values| embedding(values))).collect(), queries)
}

/// Documents about which one is asked at a time.
fn read(wanted: &dyn Fn(u32) -> bool) -> Wanted<'_> {
    Wanted { read: Some(wanted), ..Wanted::ALL }
}

/// Recall@10 over all queries, among the documents `allowed`, whether that is known or takes reading: the lesser of the two.
fn recall(
    dimensions: usize,
    rows: &BTreeMap<u32, Embedding>,
    queries: &[Embedding],
    allowed: fn(u32) -> bool,
) -> f64 {
    let index = index_of(dimensions, rows);
    let rows: BTreeMap<u32, Embedding> =
        rows.iter().filter(|(document, _)| allowed(**document)).map(|(d, row)| (*d, row.clone())).collect();
    let (mut found, mut found_known, mut all) = (0, 0, 0);
    let known = |documents: &[u32]| bits_of(documents, allowed);
    for query in queries {
        let expected = exact(&rows, query, 10);
        let wanted = Wanted { known: &known, read: None };
        let hits = index.search_among(query.scale, &query.codes, 10, -1.0, wanted).unwrap();
        assert!(hits.len() == expected.len() && hits.iter().all(|hit| allowed(hit.document)));
        found_known += expected.iter().filter(|hit| hits.contains(hit)).count();
        let hits = index.search_among(query.scale, &query.codes, 10, -1.0, read(&allowed)).unwrap();
        assert_eq!(hits.len(), expected.len());
        for hit in &hits {
            assert!(allowed(hit.document));
            assert!(rows.contains_key(&hit.document));
        }
        if allowed(0) && allowed(3) {
            assert_eq!(
                index.search(query.scale, &query.codes, 10).unwrap(),
                hits,
                "with and without a filter"
            );
        }
        found += expected.iter().filter(|hit| hits.contains(hit)).count();
        all += expected.len();
    }
    found.min(found_known) as f64 / all as f64
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn finds_the_nearest_in_clusters() {
    for (clusters, noise) in [(200, 1.0), (20, 0.3), (3, 1.0), (1, 1.0)] {
        let (rows, queries) = clustered(384, 3000, clusters, noise);
        let recall = recall(384, &rows, &queries, |_| true);
        assert!(recall >= 0.99, "{clusters} clusters, noise {noise}: {recall}");
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn finds_the_nearest_of_sparse_vectors() {
    let (rows, queries) = sparse(384, 3000);
    let recall = recall(384, &rows, &queries, |_| true);
    assert!(recall >= 0.99, "{recall}");
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn estimates_are_as_near_as_they_say() {
    for (rows, queries) in [clustered(384, 2000, 20, 1.0), clustered(200, 2000, 20, 2.0), sparse(384, 2000)] {
        for query in &queries {
            let sketch = Weighted::new(&query.codes);
            let errors = rows.values().map(|row| {
                let dot = (NAIVE.dot)(&query.codes, &row.codes) as f64;
                let exact = (dot * f64::from(query.scale) * f64::from(row.scale)) as f32;
                let about = sketch.similarity(sketch.distance(&sketch::of(&row.codes)));
                (about - exact) / sketch.error(exact)
            });
            let errors: Vec<f32> = errors.collect();
            let mean = errors.iter().sum::<f32>() / errors.len() as f32;
            let deviation =
                errors.iter().map(|error| (error - mean).powi(2)).sum::<f32>() / errors.len() as f32;
            assert!(mean.abs() < 0.5 && deviation > 0.6 && deviation < 1.5, "{mean} {deviation}");
        }
    }
}

/// Codes that are elsewhere, each in a page of its own that is never in memory.
#[derive(Debug)]
struct Elsewhere {
    rows: Vec<Vec<i16>>,
    /// The rows that were read.
    read: RefCell<Vec<u32>>,
}

impl CodeReader for Elsewhere {
    fn read(&self, place: CodePlace, codes: &mut [i16]) {
        self.read.borrow_mut().push(place.row);
        codes.copy_from_slice(&self.rows[place.row as usize]);
    }

    fn reads(&self) -> usize {
        self.read.borrow().len()
    }
}

/// Rows as they are stored.
struct StoredBytes {
    documents: Vec<(u32, u32)>,
    scales: Vec<u8>,
    sketches: Vec<u8>,
    codes: Vec<u8>,
}

impl StoredBytes {
    fn of(rows: &BTreeMap<u32, Embedding>) -> Self {
        let bytes = |row: &Embedding| sketch::of(&row.codes).into_iter().flat_map(u64::to_le_bytes);
        Self {
            documents: rows.keys().copied().zip(0..).collect(),
            scales: rows.values().flat_map(|row| row.scale.to_le_bytes()).collect(),
            sketches: rows.values().flat_map(bytes).collect(),
            codes: rows
                .values()
                .flat_map(|row| row.codes.iter().flat_map(|code| code.to_le_bytes()))
                .collect(),
        }
    }

    fn rows(&self) -> StoredRows<'_> {
        StoredRows { scales: &self.scales, sketches: &self.sketches, codes: &self.codes, run: None }
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn stored_rows_are_found_as_inserted_ones_are() {
    for dimensions in [3, 130] {
        let (rows, queries) = clustered(dimensions, 1500, 20, 0.5);
        let bytes = StoredBytes::of(&rows);
        let codes = rows.values().map(|row| row.codes.to_vec()).collect();
        let reader: Rc<dyn CodeReader> = Rc::new(Elsewhere { rows: codes, read: RefCell::default() });
        let (whole, run) = (bytes.rows(), Some((0, &reader)));
        let ways = [
            whole,
            StoredRows { sketches: &[], ..whole },
            StoredRows { run, ..whole },
            StoredRows { run, sketches: &[], ..whole },
            StoredRows { run, codes: &[], ..whole },
        ];
        let expected = index_of(dimensions, &rows);
        for (way, stored) in ways.iter().enumerate() {
            let mut index = FlatIndex::new(dimensions);
            // What was there before is replaced.
            let (document, row) = rows.iter().next().unwrap();
            index.insert(*document, row.scale * 0.5, &row.codes).unwrap();
            index.insert_rows(&bytes.documents, dimensions, stored).unwrap();
            assert_eq!(index.len(), rows.len());
            for query in &queries {
                let search = |index: &FlatIndex| index.search(query.scale, &query.codes, 10).unwrap();
                assert_eq!(search(&index), search(&expected), "way {way}");
            }
        }
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn of_stored_rows_that_are_wrong_none_is_taken() {
    let (rows, _) = clustered(130, 50, 5, 0.5);
    let bytes = StoredBytes::of(&rows);
    let (mut scales, mut codes) = (bytes.scales.clone(), bytes.codes.clone());
    scales.splice(196.., f32::NAN.to_le_bytes());
    let last = codes.len() - 2;
    codes.splice(last.., (MAX_CODE + 1).to_le_bytes());
    let whole = bytes.rows();
    let wrong = [
        StoredRows { scales: &scales, ..whole },
        StoredRows { scales: &bytes.scales[..199], ..whole },
        StoredRows { codes: &codes, ..whole },
        StoredRows { codes: &bytes.codes[1..], ..whole },
        StoredRows { sketches: &bytes.sketches[1..], ..whole },
        StoredRows { codes: &[], ..whole },
        StoredRows { codes: &[], sketches: &[], ..whole },
    ];
    for (number, stored) in wrong.iter().enumerate() {
        let mut index = FlatIndex::new(130);
        assert!(index.insert_rows(&bytes.documents, 130, stored).is_err(), "{number}");
        assert!(index.is_empty(), "{number}");
    }
    let mut index = FlatIndex::new(130);
    assert!(index.insert_rows(&bytes.documents, 129, &whole).is_err());
    assert!(index.insert_rows(&[(7, 50)], 130, &whole).is_err() && index.is_empty());
}

/// A search in which nothing is near used to read nearly all codes, wherever these were, and some of them several times.
#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn few_codes_are_read_from_elsewhere() {
    let limit = 40;
    let sets = [
        (clustered(384, 20_000, 400, 1.0), 99),
        (sparse(384, 20_000), 99),
        // Without any likeness the nearest are hardly nearer than others.
        (clustered(384, 20_000, 1, 6.0), 95),
    ];
    for ((rows, queries), least) in sets {
        let codes = rows.values().map(|row| row.codes.to_vec()).collect();
        let elsewhere = Rc::new(Elsewhere { rows: codes, read: RefCell::default() });
        let reader: Rc<dyn CodeReader> = elsewhere.clone();
        let mut index = FlatIndex::new(384);
        let bytes = StoredBytes::of(&rows);
        let run = Some((0, &reader));
        index.insert_rows(&bytes.documents, 384, &StoredRows { run, ..bytes.rows() }).unwrap();
        let (mut found, mut all) = (0, 0);
        for query in queries.iter().take(20) {
            elsewhere.read.take();
            let hits = index.search(query.scale, &query.codes, limit).unwrap();
            assert!(elsewhere.reads() <= 2 * (limit * 4 + 1024), "{}", elsewhere.reads());
            assert_eq!(hits.len(), limit);
            elsewhere.read.take();
            assert_eq!(index.sample(query.scale, &query.codes, 256).len(), 256);
            assert_eq!(elsewhere.reads(), 0);
            let expected = exact(&rows, query, 10);
            found += expected.iter().filter(|hit| hits.contains(hit)).count();
            all += expected.len();
        }
        assert!(found * 100 >= all * least, "{found} of {all}");
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn a_sample_tells_what_is_usual() {
    for (rows, queries) in [clustered(384, 3000, 20, 0.5), clustered(384, 3000, 1, 2.0), sparse(384, 3000)] {
        let index = index_of(384, &rows);
        for query in &queries {
            let of = |similarities: &[f32]| {
                let mean = similarities.iter().sum::<f32>() / similarities.len() as f32;
                let squares = similarities.iter().map(|similarity| (similarity - mean).powi(2));
                (mean, (squares.sum::<f32>() / similarities.len() as f32).sqrt())
            };
            let all: Vec<f32> = exact(&rows, query, 3000).iter().map(|hit| hit.similarity).collect();
            let (exact, about) = (of(&all), of(&index.sample(query.scale, &query.codes, 3000)));
            assert!(
                (exact.0 - about.0).abs() < 0.02 && (exact.1 - about.1).abs() < 0.02,
                "{exact:?} {about:?}"
            );
        }
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn finds_the_nearest_in_any_number_of_dimensions() {
    for dimensions in [1, 2, 3, 8, 16, 32, 48, 63, 64, 65, 100, 128, 129, 300, 768, 1025] {
        let (rows, queries) = clustered(dimensions, 2000, 20, 0.5);
        let recall = recall(dimensions, &rows, &queries, |_| true);
        assert!(recall >= 0.99, "{dimensions} dimensions: {recall}");
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn finds_the_nearest_of_the_allowed() {
    let (rows, queries) = clustered(384, 12_000, 30, 0.5);
    // About a tenth, and few enough to be scored whole.
    for allowed in [|document: u32| document / 3 % 10 == 4, |document: u32| document / 3 % 100 == 4] {
        let recall = recall(384, &rows, &queries, allowed);
        assert!(recall >= 0.99, "{recall}");
    }
    let index = index_of(384, &rows);
    assert_eq!(
        index.search_among(queries[0].scale, &queries[0].codes, 10, -1.0, read(&|_| false)).unwrap(),
        []
    );
}

/// The wanted are compared by weight alone, whatever they are like.
#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn finds_the_nearest_of_a_quarter() {
    let sets = [
        ("far from one another", clustered(384, 5000, 1, 6.0)),
        ("in clusters", clustered(384, 5000, 200, 1.0)),
        ("in one", clustered(384, 5000, 1, 0.5)),
        ("almost the same", clustered(384, 5000, 20, 0.1)),
        ("of 64 dimensions", clustered(64, 5000, 20, 0.5)),
        ("of 1025 dimensions", clustered(1025, 5000, 20, 0.5)),
        ("mostly zeros", sparse(384, 5000)),
    ];
    for (name, (rows, queries)) in sets {
        let recall = recall(rows[&0].dimensions(), &rows, &queries, |document| document % 4 == 1);
        assert!(recall >= 0.99, "{name}: {recall}");
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn only_what_would_be_a_hit_is_asked_about() {
    let (rows, queries) = clustered(384, 3000, 20, 0.3);
    let index = index_of(384, &rows);
    for query in &queries {
        let asked = Cell::new(0);
        let wanted = |document: u32| {
            asked.set(asked.get() + 1);
            document.is_multiple_of(2)
        };
        assert_eq!(index.search_among(query.scale, &query.codes, 10, -1.0, read(&wanted)).unwrap().len(), 10);
        assert!(asked.get() < 300, "{}", asked.get());
    }
}

/// A filter whose matches lie far from the query used to take fifty times as long as none: nearly every row was scored.
#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn of_what_is_known_only_the_wanted_are_looked_at() {
    let (rows, queries) = clustered(384, 20_000, 400, 0.5);
    let codes = rows.values().map(|row| row.codes.to_vec()).collect();
    let elsewhere = Rc::new(Elsewhere { rows: codes, read: RefCell::default() });
    let reader: Rc<dyn CodeReader> = elsewhere.clone();
    let mut index = FlatIndex::new(384);
    let bytes = StoredBytes::of(&rows);
    let stored = StoredRows { run: Some((0, &reader)), ..bytes.rows() };
    index.insert_rows(&bytes.documents, 384, &stored).unwrap();
    // A fortieth or half, and none of it among the nearest.
    for (query, share) in queries.iter().zip([40, 2].into_iter().cycle()).take(20) {
        let near: Vec<u32> = exact(&rows, query, 200).iter().map(|hit| hit.document).collect();
        let allowed = |document: u32| document / 3 % share == 1 && !near.contains(&document);
        let some = rows.iter().filter(|(document, _)| allowed(**document));
        let expected = exact(&some.map(|(document, row)| (*document, row.clone())).collect(), query, 10);
        elsewhere.read.take();
        let known = |documents: &[u32]| bits_of(documents, allowed);
        let wanted = Wanted { known: &known, read: None };
        let hits = index.search_among(query.scale, &query.codes, 10, -1.0, wanted).unwrap();
        assert!(
            elsewhere.reads() <= if share == 40 { 500 } else { 2 * (40 + 1024) },
            "{}",
            elsewhere.reads()
        );
        assert!(elsewhere.read.borrow().iter().all(|row| allowed(row * 3)));
        assert!(expected.iter().filter(|hit| hits.contains(hit)).count() >= 9, "{expected:?} {hits:?}");
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn what_is_near_enough_is_found_and_the_rest_not_looked_for() {
    let (rows, queries) = clustered(384, 3000, 20, 0.3);
    let index = index_of(384, &rows);
    for query in &queries {
        let near = |hits: Vec<Hit>| hits.into_iter().filter(|hit| hit.similarity >= 0.5).collect::<Vec<_>>();
        let all = near(index.search(query.scale, &query.codes, 3000).unwrap());
        let hits = index.search_among(query.scale, &query.codes, 200, 0.5, Wanted::ALL).unwrap();
        assert!(near(hits).len() * 100 >= all.len().min(200) * 99);
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn the_order_of_rows_does_not_matter() {
    let (rows, queries) = clustered(128, 2000, 10, 0.5);
    let sorted = index_of(128, &rows);
    let mut shuffled = FlatIndex::new(128);
    for (document, row) in rows.iter().rev() {
        shuffled.insert(*document, row.scale, &row.codes).unwrap();
        shuffled.insert(document + 1, row.scale, &row.codes).unwrap();
    }
    for document in rows.keys() {
        assert!(shuffled.remove(document + 1));
    }
    for query in &queries {
        let hits = sorted.search(query.scale, &query.codes, 10).unwrap();
        assert_eq!(hits, shuffled.search(query.scale, &query.codes, 10).unwrap());
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn equals_come_by_document_number() {
    let row = embedding(&[1.0; 64]);
    let rows: BTreeMap<u32, Embedding> = (0..3000).map(|document| (document, row.clone())).collect();
    let index = index_of(64, &rows);
    let documents: Vec<u32> =
        index.search(row.scale, &row.codes, 5).unwrap().iter().map(|hit| hit.document).collect();
    assert_eq!(documents, [0, 1, 2, 3, 4]);
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn any_limit_will_do() {
    let (rows, queries) = clustered(64, 1500, 10, 0.5);
    let (index, query) = (index_of(64, &rows), &queries[0]);
    for limit in [0, 1, 374, 375, 376, 1499, 1500, 1501, usize::MAX] {
        let hits = index.search(query.scale, &query.codes, limit).unwrap();
        assert_eq!(hits.len(), limit.min(1500));
        assert!(hits.is_sorted());
    }
    assert_eq!(exact(&rows, query, 1500), index.search(query.scale, &query.codes, 1500).unwrap());
    assert_eq!(FlatIndex::new(64).search(query.scale, &query.codes, 10).unwrap(), []);
}

#[test]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn refuses_what_cannot_be_compared() {
    let mut index = FlatIndex::new(2);
    for (scale, codes) in [
        (1.0, &[][..]),
        (1.0, &[1]),
        (1.0, &[1, 2, 3]),
        (1.0, &[0, MAX_CODE + 1]),
        (1.0, &[-MAX_CODE - 1, 0]),
        (1.0, &[i16::MIN, i16::MAX]),
        (0.0, &[1, 2]),
        (-1.0, &[1, 2]),
        (f32::NAN, &[1, 2]),
        (f32::INFINITY, &[1, 2]),
    ] {
        assert_eq!(index.insert(1, scale, codes).unwrap_err().code, Code::InvalidInput, "{scale} {codes:?}");
        assert_eq!(index.search(scale, codes, 1).unwrap_err().code, Code::InvalidInput, "{scale} {codes:?}");
    }
    assert!(index.is_empty() && !index.contains(1));
    for dimensions in [0, 4097] {
        let codes = vec![1; dimensions];
        assert_eq!(FlatIndex::new(dimensions).insert(1, 1.0, &codes).unwrap_err().code, Code::InvalidInput);
    }
}

#[derive(Debug, Clone)]
enum Change {
    Insert(u32, [i16; 3]),
    Remove(u32),
}

fn change() -> impl Strategy<Value = Change> {
    let row = || (0u32..12, prop::array::uniform3(-MAX_CODE..=MAX_CODE));
    prop_oneof![
        row().prop_map(|(document, codes)| Change::Insert(document, codes)),
        (0u32..12).prop_map(Change::Remove),
    ]
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

    #[test]
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
    fn agrees_with_a_map(changes in prop::collection::vec(change(), 0..60), query in prop::array::uniform3(-9i16..9)) {
        let mut index = FlatIndex::new(3);
        let mut model: BTreeMap<u32, Embedding> = BTreeMap::new();
        let row = |codes: [i16; 3]| Embedding { embedder: String::new(), scale: 0.25, codes: codes.into() };
        for change in changes {
            match change {
                Change::Insert(document, codes) => {
                    index.insert(document, 0.25, &codes).unwrap();
                    model.insert(document, row(codes));
                }
                Change::Remove(document) => {
                    prop_assert_eq!(index.remove(document), model.remove(&document).is_some());
                }
            }
            prop_assert_eq!(index.len(), model.len());
            for document in 0..12 {
                prop_assert_eq!(index.contains(document), model.contains_key(&document));
                let expected = model.get(&document).map(|row| (row.scale, row.codes.to_vec().into()));
                prop_assert_eq!(index.codes(document), expected);
            }
            prop_assert_eq!(index.search(0.5, &query, 5).unwrap(), exact(&model, &Embedding { scale: 0.5, ..row(query) }, 5));
        }
    }
}
