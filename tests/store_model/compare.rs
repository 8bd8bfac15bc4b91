//! Comparing an engine's store with the model, question by question.

use super::model::{Entry, Model};
use super::operation::{EMBEDDER, KEYS, KINDS, WORDS, embedding, scopes};
use mnemic::log::RecordView;
use mnemic::store::{Found, Query, Store};
use mnemic::{Id, Record, Scope};
use std::collections::BTreeSet;

/// Checks everything that can be asked of a store.
pub(crate) fn compare(store: &Store, model: &Model, now: i64) {
    assert_eq!(store.sequence() as usize, model.commits.len());
    for scope in scopes() {
        for kind in KINDS {
            let records: Vec<Record> = model.living(&scope, kind).cloned().collect();
            assert_eq!(owned(store.records(&scope, kind), &scope), records);
            for key in KEYS {
                let holder = records.iter().find(|record| record.key.as_deref() == Some(key));
                let found = store.by_key(&scope, kind, key).map(|view| view.to_record(&scope).unwrap());
                assert_eq!(found.as_ref(), holder);
                assert_eq!(store.last_with_key(&scope, kind, key), last_with_key(model, &scope, kind, key));
            }
            for prefix in ["", "a", "a/", "b"] {
                let keyed = records
                    .iter()
                    .filter(|record| record.key.as_ref().is_some_and(|key| key.starts_with(prefix)));
                let found = store.by_key_prefix(&scope, kind, prefix);
                assert_eq!(owned(found.into_iter(), &scope), keyed.cloned().collect::<Vec<_>>());
            }
            for sequence in [0, model.commits.len() / 2, model.commits.len()] {
                let entries = model.order.iter().map(|id| &model.records[id]);
                let then: Vec<Record> = entries
                    .filter(|entry| entry.scope == scope && entry.kind == kind)
                    .filter_map(|entry| entry.at(sequence)?.record.clone())
                    .collect();
                assert_eq!(owned(store.records_at(&scope, kind, sequence as u64), &scope), then);
            }
            for word in WORDS {
                let query = Query { text: word, embedding: None, limit: 100, now };
                let found = store.search(&scope, kind, &query, &|_| true).unwrap();
                let found: BTreeSet<Id> = found.iter().map(|found| found.record.id).collect();
                let has_word = |record: &&Record| {
                    record.text.as_ref().is_some_and(|text| text.split(' ').any(|other| other == word))
                };
                let living = records.iter().filter(has_word).filter(|record| record.holds_at(now));
                assert_eq!(found, living.map(|record| record.id).collect(), "{word} in {scope:?} {kind:?}");
            }
            compare_vectors(store, model, &scope, kind, now);
        }
    }
    for (id, entry) in &model.records {
        compare_history(store, model, *id, entry);
    }
    let missing: BTreeSet<Id> = store.unembedded(100).into_iter().map(|(_, id, _, _)| id).collect();
    let is_missing = |entry: &Entry| {
        entry.vectors.is_empty() && entry.living().is_some_and(|record| record.text.is_some())
    };
    let expected = model.records.iter().filter(|(_, entry)| is_missing(entry)).map(|(id, _)| *id);
    assert_eq!(missing, expected.collect());
    for (place, (_, at, _)) in model.commits.iter().enumerate() {
        let last = model.commits.iter().rposition(|(_, other, _)| other <= at).unwrap();
        assert!(last >= place);
        assert_eq!(store.sequence_at(*at) as usize, last + 1);
    }
    let counts = store.counts();
    assert_eq!(counts.records, model.records.values().filter(|entry| entry.living().is_some()).count());
    assert_eq!(counts.vectors, model.records.values().map(|entry| entry.vectors.len()).sum::<usize>());
    assert_eq!(counts.unembedded, missing.len());
}

fn compare_vectors(store: &Store, model: &Model, scope: &Scope, kind: mnemic::Kind, now: i64) {
    let query = embedding(3);
    let mut expected: Vec<(f32, usize)> = Vec::new();
    for (place, id) in model.order.iter().enumerate() {
        let entry = &model.records[id];
        let holds = entry.living().is_some_and(|record| record.holds_at(now));
        if !holds || entry.scope != *scope || entry.kind != kind {
            continue;
        }
        let cosines = entry.vectors.iter().map(|vector| {
            let dot: i64 =
                vector.codes.iter().zip(&query.codes).map(|(a, b)| i64::from(*a) * i64::from(*b)).sum();
            (dot as f64 * f64::from(query.scale) * f64::from(vector.scale)) as f32
        });
        expected.extend(cosines.reduce(f32::max).map(|cosine| (cosine, place)));
    }
    expected.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let query = Query { text: "", embedding: Some(&query), limit: 100, now };
    let found = store.search(scope, kind, &query, &|_| true).unwrap();
    let raw = |found: &Found<'_>| found.score.terms[1].raw.unwrap();
    let mut found: Vec<_> =
        found.iter().map(|found| (found.score.score, raw(found), found.record.id)).collect();
    // What is less near than is usual adds nothing to a score, so of two such the older one may come first.
    found.sort_by(|one, other| other.0.total_cmp(&one.0).then(other.1.total_cmp(&one.1)));
    let found: Vec<(f32, Id)> = found.into_iter().map(|(_, raw, id)| (raw, id)).collect();
    assert_eq!(
        found,
        expected.into_iter().map(|(score, place)| (score, model.order[place])).collect::<Vec<_>>()
    );
}

fn compare_history(store: &Store, model: &Model, id: Id, entry: &Entry) {
    let history = store.history(&entry.scope, id).unwrap();
    let history: Vec<_> =
        history.into_iter().map(|r| (r.revision, r.commit, r.at, r.cause, r.record)).collect();
    let expected: Vec<_> = entry
        .versions
        .iter()
        .map(|version| {
            let (commit, at, _) = model.commits[version.sequence - 1].clone();
            (version.revision, commit, at, version.cause, version.record.clone())
        })
        .collect();
    assert_eq!(history, expected);
    for scope in scopes().into_iter().filter(|scope| *scope != entry.scope) {
        assert_eq!(store.history(&scope, id).unwrap(), []);
        assert!(store.get(&scope, id).is_none());
    }
    let living = store.record(&entry.scope, id).unwrap();
    assert_eq!(living.as_ref(), entry.living());
    if entry.living().is_some() {
        assert_eq!(store.get(&entry.scope, id).unwrap().accessed_at, entry.accessed);
    }
}

fn last_with_key(model: &Model, scope: &Scope, kind: mnemic::Kind, key: &str) -> Option<Id> {
    let of_key = |record: &Record| record.key.as_deref() == Some(key);
    let entries = || model.records.iter().filter(|(_, entry)| entry.scope == *scope && entry.kind == kind);
    let living = entries().find(|(_, entry)| entry.living().is_some_and(of_key));
    // The one whose time with the key ended last: the first version without it that comes after one with it.
    let ended = entries().filter_map(|(id, entry)| {
        let has = |version: &super::model::Version| version.record.as_ref().is_some_and(of_key);
        let end = entry.versions.windows(2).rev().find(|two| has(&two[0]) && !has(&two[1]))?;
        Some((end[1].sequence, *id))
    });
    living.map(|(id, _)| *id).or_else(|| ended.max().map(|(_, id)| id))
}

fn owned<'a>(views: impl Iterator<Item = RecordView<'a>>, scope: &Scope) -> Vec<Record> {
    views.map(|view| view.to_record(scope).unwrap()).collect()
}

/// Every score of every search: equal before and after a reload, and in every engine.
pub(crate) fn scores(store: &Store, now: i64) -> Vec<(Id, f32, Option<f32>, Option<f32>)> {
    assert_eq!(store.embedder(), EMBEDDER);
    let mut all = Vec::new();
    for scope in scopes() {
        for kind in KINDS {
            for (number, words) in WORDS.windows(2).enumerate() {
                let (text, embedding) = (words.join(" "), embedding(number as u8));
                let query = Query { text: &text, embedding: Some(&embedding), limit: 3, now };
                let found = store.search(&scope, kind, &query, &|_| true).unwrap();
                all.extend(found.iter().map(|found| {
                    let [words, meaning] = found.score.terms;
                    (found.record.id, found.score.score, words.raw, meaning.raw)
                }));
            }
        }
    }
    all
}
