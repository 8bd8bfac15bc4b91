//! Rows as they are stored, and codes that are elsewhere.

use super::{Elsewhere, StoredBytes, clustered, exact, index_of, sparse};
use crate::embedding::MAX_CODE;
use crate::index::vector::{CodeReader, FlatIndex, StoredRows};
use std::cell::RefCell;
use std::rc::Rc;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;

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
