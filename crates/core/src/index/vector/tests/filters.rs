//! Searches among the documents that are wanted.

use super::{Elsewhere, StoredBytes, clustered, exact, index_of, read, recall, sparse};
use crate::index::vector::{CodeReader, FlatIndex, StoredRows, Wanted, bits_of};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;

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
    let kept = index_of(384, &rows);
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
        // Of half of all too many are about equally far: reading ends before all of them, which kept codes need not.
        let hits = match share {
            2 => kept.search_among(query.scale, &query.codes, 10, -1.0, wanted).unwrap(),
            _ => hits,
        };
        assert!(expected.iter().filter(|hit| hits.contains(hit)).count() >= 9, "{expected:?} {hits:?}");
    }
}
