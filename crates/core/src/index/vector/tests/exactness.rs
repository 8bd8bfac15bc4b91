//! What is found against exact search, and the index against a model.

use super::kernels::NAIVE;
use super::{clustered, embedding, exact, index_of, recall, sparse};
use crate::embedding::{Embedding, MAX_CODE};
use crate::error::Code;
use crate::index::vector::sketch::{self, Weighted};
use crate::index::vector::{FlatIndex, Hit, Wanted};
use proptest::prelude::*;
use std::collections::BTreeMap;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;

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
fn finds_the_nearest_in_any_number_of_dimensions() {
    for dimensions in [1, 2, 3, 8, 16, 32, 48, 63, 64, 65, 100, 128, 129, 300, 768, 1025] {
        let (rows, queries) = clustered(dimensions, 2000, 20, 0.5);
        let recall = recall(dimensions, &rows, &queries, |_| true);
        assert!(recall >= 0.99, "{dimensions} dimensions: {recall}");
    }
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
