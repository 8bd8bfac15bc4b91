//! Kernels against a naive oracle, the index against a model, and recall against exact search.

mod clusters;
mod exactness;
mod filters;
mod kernels;
mod loading;

use super::sketch;
use super::{CodePlace, CodeReader, FlatIndex, Hit, StoredRows, Wanted, bits_of};
use crate::embedding::{Embedding, MAX_CODE};
use clusters::{Clusters, Random};
use kernels::NAIVE;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A code anywhere in its range.
fn code(random: &mut Random) -> i16 {
    random.below(2 * MAX_CODE as usize + 1) as i16 - MAX_CODE
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
    count: usize,
    noise: f32,
) -> (BTreeMap<u32, Embedding>, Vec<Embedding>) {
    let mut clusters = Clusters::new(0x9e37_79b9_7f4a_7c15, dimensions, count, noise);
    let mut near = || {
        let cluster = clusters.random.below(count);
        embedding(&clusters.near(cluster))
    };
    let queries = (0..50).map(|_| near()).collect();
    ((0..rows).map(|document| (document * 3, near())).collect(), queries)
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

/// Documents about which one is asked at a time.
fn read(wanted: &dyn Fn(u32) -> bool) -> Wanted<'_> {
    Wanted { read: Some(wanted), ..Wanted::ALL }
}
