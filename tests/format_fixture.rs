//! Storages as each version of the format wrote them, read for ever.
//!
//! `tests/fixtures/format/v<version>/<name>` holds one file per value, named by its key with `.` for `/`, and `state.json`, what
//! the storage says when it is read. The files of a version are never written again once it was released. While a
//! version is in the making, `MNEMIC_WRITE_FIXTURES=1 cargo test --test native format_fixture` writes those of the version that
//! this build writes.

use crate::support::cipher::encryption;
use crate::support::image::{id, pairs_of, record, scope, storage_of, with_encrypted};
use crate::support::platform::START;
use mnemic::database::Database;
use mnemic::log::Cause;
use mnemic::ports::Pairs;
use mnemic::storage::MemoryStorage;
use mnemic::store::{Draft, Expect, Query, Store};
use mnemic::{Embedding, Kind, Provenance, Record, Scope};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const EMBEDDER: &str = "model";

/// The version that this build writes.
const WRITTEN: &str = "v4";

fn folder(version: &str, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/format").join(version).join(name)
}

fn embedding(number: u8) -> Embedding {
    Embedding::quantise(EMBEDDER, &[f32::from(number), 1.0, -0.5, 0.25]).unwrap()
}

fn full(number: u8, scope: &Scope) -> Record {
    let mut record =
        record(number, Kind::Fact, scope, "Ann adopted a cat; \u{ace0}\u{c591}\u{c774} \u{732b}");
    record.key = Some(format!("key/{number}"));
    record.value = json!({"name": "Ann", "likes": ["cats", 1.5, null, true]});
    record.metadata.insert("project".to_owned(), json!("home"));
    record.significance = 7;
    record.pinned = true;
    (record.valid_from, record.valid_to) = (START - 1000, Some(START + 1_000_000));
    record.expires_at = Some(START + 2_000_000);
    record.provenance = vec![Provenance {
        message_id: id(90),
        thread_id: "t1".to_owned(),
        quote: "a cat".to_owned(),
        trust: None,
    }];
    record
}

/// Writes with every kind of record, cause and operation.
async fn write(database: &Database, fold: bool) {
    let [alice, bob] = [scope("alice"), scope("bob")];
    let commit = async |draft: Draft| database.commit(draft).await.unwrap().commit_id;
    let mut draft = Draft::new(&alice, Cause::Remember);
    draft.put(record(1, Kind::Message, &alice, "I adopted a cat"), Expect::Absent, Some(embedding(1)));
    draft.put(Record::new(id(2), Kind::Task, alice.clone(), 0), Expect::Absent, None);
    commit(draft).await;
    let mut draft = Draft::new(&alice, Cause::Extract);
    draft.put(full(3, &alice), Expect::Absent, Some(embedding(3)));
    draft.put(record(4, Kind::Field, &alice, "cat"), Expect::Absent, None);
    draft.delete(id(2), Expect::Any);
    let extracted = commit(draft).await;
    if fold {
        database.fold().await.unwrap();
    }
    let mut draft = Draft::new(&bob, Cause::User);
    draft.put(record(5, Kind::Fact, &bob, "Bob sails"), Expect::Absent, Some(embedding(5)));
    commit(draft).await;
    let undo = database.read(|store| store.undo(&alice, extracted)).unwrap();
    commit(undo).await;
    let redo = database.read(|store| store.history(&alice, id(3))).unwrap()[0].record.clone().unwrap();
    let mut draft = Draft::new(&alice, Cause::Expire);
    draft.put(redo, Expect::Absent, None);
    commit(draft).await;
    let mut draft = Draft::new(&alice, Cause::Embed);
    let embed = mnemic::log::Embed { id: id(3), revision: 3, embedding: embedding(9) };
    draft.changes.push(mnemic::store::Change::Embed(embed));
    commit(draft).await;
    let mut draft = Draft::new(&alice, Cause::Access);
    draft.changes.push(mnemic::store::Change::Touch { id: id(3), time: START + 5000 });
    commit(draft).await;
}

/// Goes on with what [`write`] wrote: a record vanishes, another keeps one revision, and a scope goes with its name.
async fn erase(database: &Database) {
    let [alice, bob, carol] = [scope("alice"), scope("bob"), scope("carol")];
    let mut draft = Draft::new(&carol, Cause::User);
    draft.put(record(6, Kind::Fact, &carol, "Carol climbs"), Expect::Absent, Some(embedding(6)));
    draft.put(record(7, Kind::Fact, &carol, "Carol has a cat"), Expect::Absent, Some(embedding(7)));
    database.commit(draft).await.unwrap();
    let mut draft = Draft::new(&carol, Cause::Forget);
    draft.delete(id(6), Expect::Any);
    draft.put(record(7, Kind::Fact, &carol, "Carol has a cat"), Expect::Any, Some(embedding(8)));
    draft.erase = vec![id(6), id(7)];
    database.commit(draft).await.unwrap();
    let mut draft = Draft::new(&bob, Cause::Forget);
    draft.delete(id(5), Expect::Any);
    draft.erase = vec![id(5)];
    draft.erase_scope = true;
    database.commit(draft).await.unwrap();
    let mut draft = Draft::new(&alice, Cause::Access);
    draft.changes.push(mnemic::store::Change::Touch { id: id(3), time: START + 6000 });
    database.commit(draft).await.unwrap();
}

/// Everything a storage says, as JSON.
fn state(store: &Store) -> Value {
    let mut scopes = serde_json::Map::new();
    for scope in store.scopes() {
        let mut records = Vec::new();
        for number in 0..100 {
            for revision in store.history(scope, id(number)).unwrap() {
                records.push(json!({
                    "commit": revision.commit, "at": revision.at, "cause": revision.cause,
                    "revision": revision.revision, "record": revision.record.map(shown),
                }));
            }
        }
        let found = Kind::ALL.into_iter().flat_map(|kind| {
            let query = Query { text: "cat", embedding: Some(&embedding(2)), limit: 9, now: START };
            let found = store.search(scope, kind, &query, &|_| true).unwrap();
            found.into_iter().map(move |found| {
                let [words, meaning] = found.score.terms.map(|term| term.raw);
                json!([
                    found.record.id,
                    [json!(words.is_some()), json!(meaning.map(|raw| format!("{raw:.4}")))]
                ])
            })
        });
        let found: Vec<Value> = found.collect();
        let living = (0..100).filter_map(|number| store.get(scope, id(number)));
        let accessed: Vec<Value> =
            living.filter_map(|view| Some(json!([view.id, view.accessed_at?]))).collect();
        scopes.insert(
            scope.canonical().to_owned(),
            json!({ "history": records, "found": found, "accessed": accessed }),
        );
    }
    Value::Object(scopes)
}

fn shown(record: Record) -> Value {
    json!({
        "id": record.id, "kind": record.kind, "key": record.key, "value": record.value, "text": record.text,
        "metadata": record.metadata, "significance": record.significance, "pinned": record.pinned,
        "createdAt": record.created_at,
        "updatedAt": record.updated_at, "validFrom": record.valid_from, "validTo": record.valid_to,
        "expiresAt": record.expires_at, "revision": record.revision, "provenance": record.provenance,
    })
}

/// Opens a fixture, of which one is encrypted.
fn with_memory<R>(
    name: &str,
    storage: MemoryStorage,
    work: impl AsyncFnOnce(Database) -> R,
) -> mnemic::Result<R> {
    let encryption = (name == "encrypted").then(|| encryption("a passphrase"));
    with_encrypted(storage, EMBEDDER, (encryption, None), work)
}

fn state_of(name: &str, storage: MemoryStorage) -> Value {
    with_memory(name, storage, async |database| {
        let report = database.verify().await.unwrap();
        assert!(report.ok, "{report:?}");
        database.read(|store| Ok(state(store))).unwrap()
    })
    .unwrap()
}

/// Whether the stored columns serve: a reading that falls back on the texts would hide that they no longer do.
fn check_columns(name: &str, storage: MemoryStorage, expected: &Value) {
    let counts =
        with_memory(name, storage, async |database| database.read(|store| Ok(store.counts())).unwrap());
    let counts = counts.unwrap();
    assert_eq!((counts.vectors, counts.unembedded), (3, 0), "{expected}");
}

/// How words are weighed is no part of the format; only that a text is found by them is.
fn forget_word_scores(state: &mut Value) {
    for scope in state.as_object_mut().unwrap().values_mut() {
        for found in scope["found"].as_array_mut().unwrap() {
            let words = &mut found[1][0];
            *words = json!(words.as_bool().unwrap_or(!words.is_null()));
        }
    }
}

fn check(version: &str, name: &str) {
    let folder = |name| folder(version, name);
    if version == WRITTEN && std::env::var_os("MNEMIC_WRITE_FIXTURES").is_some() {
        let storage = MemoryStorage::default();
        with_memory(name, storage.clone(), async |database| {
            write(&database, name != "log").await;
            if name == "erased" {
                erase(&database).await;
            }
        })
        .unwrap();
        fs::create_dir_all(folder(name)).unwrap();
        for (key, value) in pairs_of(&storage) {
            fs::write(folder(name).join(key.replace('/', ".")), value).unwrap();
        }
        let state = serde_json::to_string_pretty(&state_of(name, storage)).unwrap();
        fs::write(folder(name).join("state.json"), state + "\n").unwrap();
    }
    let mut pairs = Pairs::new();
    let mut expected = Value::Null;
    for entry in fs::read_dir(folder(name)).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_str().unwrap();
        if file == "state.json" {
            expected = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            forget_word_scores(&mut expected);
        } else {
            pairs.push((file.replace('.', "/"), fs::read(&path).unwrap()));
        }
    }
    let storage = storage_of(&pairs);
    assert_eq!(state_of(name, storage.clone()), expected);
    assert_eq!(pairs_of(&storage).len(), pairs.len(), "reading changes nothing");
    check_columns(name, storage.clone(), &expected);
    // What was read can be gone on with, and folded into what this build writes.
    with_memory(name, storage.clone(), async |database| database.fold().await.unwrap()).unwrap();
    assert_eq!(state_of(name, storage), expected);
}

#[test]
fn a_log() {
    ["v1", "v2", "v3", "v4"].into_iter().for_each(|version| check(version, "log"));
}

#[test]
fn a_segment_and_a_log() {
    ["v1", "v2", "v3", "v4"].into_iter().for_each(|version| check(version, "segment"));
}

#[test]
fn a_memory_that_forgot() {
    ["v2", "v3", "v4"].into_iter().for_each(|version| check(version, "erased"));
}

#[test]
fn an_encrypted_memory() {
    ["v2", "v3", "v4"].into_iter().for_each(|version| check(version, "encrypted"));
}
