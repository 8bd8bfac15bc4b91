//! Backups: out of one memory and into another, whole, damaged, foreign.

use crate::support::backup::read_backup;
use crate::support::image::{id, pairs_of, record, scope, with_database};
use crate::support::world::{ALICE, BOB, DAY_MS, World};
use mnemic::engine::Engine;
use mnemic::log::{
    Backup, BackupStart, BackupWriter, Cause, Commit, LogCommit, MAX_SEQUENCE, SegmentWriter, VectorRow,
};
use mnemic::storage::MemoryStorage;
use mnemic::store::{Draft, Expect, Store};
use mnemic::{Code, Embedding, Kind};
use serde_json::{Value, json};
use std::borrow::Cow;

fn open(world: &World) -> Engine {
    world.open(None, &json!({}))
}

/// A life in a few calls: something of every system, with a past.
fn live(world: &World, engine: &Engine) {
    world.teach(engine, "My name is Ann and I live in Lisbon. I am allergic to peanuts.");
    let id = world.add(engine, json!({ "text": "Ann plays the cello", "metadata": { "from": "here" } }));
    world.call(engine, "facts.update", json!({ "id": id, "text": "Ann plays the viola" }));
    let gone = world.add(engine, json!({ "text": "Ann has a dog" }));
    world.call(engine, "facts.delete", json!({ "id": gone }));
    world.machine.pass(DAY_MS);
    let entities = json!([
        { "name": "Ann", "entityType": "person", "observations": ["sails"] },
        { "name": "Bo", "entityType": "person", "observations": [] },
    ]);
    world.call(engine, "graph.create_entities", json!({ "entities": entities }));
    let relation = json!({ "from": "Ann", "to": "Bo", "relationType": "knows" });
    world.call(engine, "graph.create_relations", json!({ "relations": [relation] }));
    for text in ["one", "two", "three"] {
        let put = json!({ "namespace": ["notes"], "key": "k", "value": { "text": text } });
        world.call(engine, "documents.put", put);
    }
    world.try_call(engine, "facts.add", BOB, json!({ "text": "Bob keeps bees" })).unwrap();
    world.idle(engine);
}

/// What can be asked of a memory, and its answers.
fn answers(world: &World, engine: &Engine) -> Vec<Value> {
    let mut answers = Vec::new();
    for scope in [ALICE, BOB] {
        let ask = |method: &str, options: Value| world.try_call(engine, method, scope, options).unwrap();
        let items = ask("items.list", json!({ "limit": 1000 }));
        for item in items.as_array().unwrap() {
            answers.push(ask("history", json!({ "id": item["id"] })));
        }
        answers.push(items);
        answers.push(ask("recall", json!({ "query": "where does Ann live and what does she play?" })));
        answers.push(ask("facts.search", json!({ "query": "music" })));
        answers.push(ask("facts.list", json!({ "asOf": crate::support::machine::START + 1000 })));
        answers.push(ask("graph.read_graph", json!({})));
        answers.push(ask("threads.list", json!({})));
    }
    answers
}

#[test]
fn a_memory_is_the_same_after_its_backup_took_its_place() {
    let world = World::new();
    let engine = open(&world);
    live(&world, &engine);
    let file = world.export(&engine, "");
    let before = answers(&world, &engine);
    let other = World::new();
    other.machine.pass(DAY_MS);
    let target = open(&other);
    other.add(&target, json!({ "text": "This is not in the file" }));
    let done = other.import(&target, "", &file, "backups.replace", json!({})).unwrap();
    assert_eq!(done["commits"], world.call(&engine, "usage", json!({}))["commits"]);
    other.machine.pass(world.now() - other.now());
    assert_eq!(answers(&other, &target), before);
    let again = open(&other);
    assert_eq!(answers(&other, &again), before);
    assert_eq!(other.call(&again, "verify", json!({}))["damage"], json!([]));
    assert_eq!(other.call(&again, "usage", json!({}))["unembedded"], json!(0), "vectors came along");
    // And life goes on.
    other.add(&again, json!({ "text": "Ann has a boat" }));
    assert!(other.facts(&again).contains(&"Ann has a boat".to_owned()));
}

/// What is in a memory, to the byte.
fn stored(world: &World) -> Vec<(String, Vec<u8>)> {
    pairs_of(&world.storage)
}

#[test]
fn damage_anywhere_is_found_before_anything_is_changed() {
    let world = World::new();
    let engine = open(&world);
    world.add(&engine, json!({ "text": "Ann plays the cello" }));
    let file = world.export(&engine, "");
    let before = stored(&world);
    for cut in 0..file.len() {
        let error = read_backup(&file[..cut]).unwrap_err();
        assert!(matches!(error.code, Code::Corrupt | Code::InvalidInput), "cut at {cut}: {error}");
        assert!(error.message.contains("nothing was changed"), "{error}");
    }
    for place in 0..file.len() {
        for bit in [1, 128] {
            let mut damaged = file.clone();
            damaged[place] ^= bit;
            let error = read_backup(&damaged).unwrap_err();
            assert!(matches!(error.code, Code::Corrupt | Code::InvalidInput), "byte {place}: {error}");
        }
    }
    let mut longer = file.clone();
    longer.extend_from_slice(&file);
    assert_eq!(read_backup(&longer).unwrap_err().code, Code::Corrupt);
    let error = world.import(&engine, "", &file[..file.len() - 1], "backups.replace", json!({})).unwrap_err();
    assert_eq!(error.code, Code::Corrupt);
    assert_eq!(stored(&world), before);
    assert_eq!(world.facts(&engine), ["Ann plays the cello"]);
}

#[test]
fn what_is_no_backup_is_refused_by_name() {
    let world = World::new();
    let engine = open(&world);
    for foreign in ["", "{}", "PK\u{3}\u{4}", "mnemic\n", "[{\"role\": \"user\"}]"] {
        let error = world.import(&engine, "", foreign.as_bytes(), "backups.replace", json!({})).unwrap_err();
        assert!(error.message.contains("this is no backup"), "{foreign:?}: {error}");
        assert_eq!(error.code, Code::InvalidInput);
    }
    let mut newer = world.export(&engine, "");
    // The version is the third byte of the first frame; its header has a checksum of its own.
    newer[10] = 200;
    let header = crc32fast::hash(&newer[8..20]).to_le_bytes();
    newer[20..24].copy_from_slice(&header);
    let error = world.import(&engine, "", &newer, "backups.replace", json!({})).unwrap_err();
    assert_eq!(error.code, Code::UnsupportedVersion);
    let scope = world.export(&engine, ALICE);
    let error = world.import(&engine, "", &scope, "backups.replace", json!({})).unwrap_err();
    assert!(error.message.contains("holds one scope"), "{error}");
}

#[test]
fn a_backup_is_of_one_moment_and_of_one_scope_when_asked() {
    let world = World::new();
    let engine = open(&world);
    live(&world, &engine);
    let file = world.export(&engine, BOB);
    assert!(!contains(&file, "Lisbon") && contains(&file, "bees"));
    // Written meanwhile, and not in it.
    let begun = world.call(&engine, "backups.export", json!({}));
    world.add(&engine, json!({ "text": "Ann is late" }));
    let number = begun["transfer"].as_u64().unwrap() as u32;
    let mut file = Vec::new();
    loop {
        let sending = engine.clone();
        let piece = world.machine.run(async move { sending.transfer(number, Vec::new()).await }).unwrap();
        if piece.is_empty() {
            break;
        }
        file.extend(piece);
    }
    read_backup(&file).unwrap();
    assert!(contains(&file, "Lisbon") && !contains(&file, "is late"));
}

/// A tab that slept while the memory was replaced in another goes on with what is there now.
#[test]
fn another_engine_on_the_same_storage_follows() {
    let world = World::new();
    let (one, other) = (open(&world), open(&world));
    world.add(&one, json!({ "text": "Ann plays the cello" }));
    let file = world.export(&one, "");
    world.add(&one, json!({ "text": "Ann sails" }));
    world.add(&other, json!({ "text": "Ann runs" }));
    world.import(&one, "", &file, "backups.replace", json!({})).unwrap();
    assert_eq!(world.facts(&one), ["Ann plays the cello"]);
    world.machine.pass(DAY_MS);
    world.add(&other, json!({ "text": "Ann sings" }));
    assert_eq!(world.facts(&other), ["Ann sings", "Ann plays the cello"]);
}

fn contains(file: &[u8], text: &str) -> bool {
    file.windows(text.len()).any(|window| window == text.as_bytes())
}

/// What a backup has of some facts with vectors: its commits, and its vectors with the sketches that they have.
fn with_vectors() -> (Vec<Vec<u8>>, Vec<Vec<u8>>, Vec<Embedding>) {
    let embedding = |number: u16| {
        let values: Vec<f32> = (0..64_u16).map(|at| f32::from((at * 7 + number * 13) % 11) - 5.0).collect();
        Embedding::quantise("none", &values).unwrap()
    };
    let embeddings: Vec<_> = (0..8).map(embedding).collect();
    let made = with_database(MemoryStorage::default(), "none", async |database| {
        for (number, embedding) in (0..).zip(&embeddings) {
            let mut draft = Draft::new(&scope("alice"), Cause::User);
            let record = record(number, Kind::Fact, &scope("alice"), "cedar");
            draft.put(record, Expect::Absent, Some(embedding.clone()));
            database.commit(draft).await.unwrap();
        }
        let (commits, count, _) =
            database.read(|store| Ok(store.backup_commits((1, 99), None, usize::MAX))).unwrap();
        assert_eq!(count, embeddings.len());
        (commits, database.read(|store| Ok(vectors_of(store))).unwrap())
    });
    let (commits, vectors) = made.unwrap();
    (commits, vectors, embeddings)
}

/// The vectors of a store, as a backup has them.
fn vectors_of(store: &Store) -> Vec<Vec<u8>> {
    store.backup_vectors(&store.with_vectors(None, u64::MAX))
}

/// A backup of so many commits, of a memory that is said to have up to a number.
fn made_up((count, sequence): (usize, u64), commits: Vec<Vec<u8>>, vectors: Vec<Vec<u8>>) -> Backup {
    let time = 1 << 45;
    let start = BackupStart { created: time, sequence, time, lineage: [7; 16], scope: None };
    let mut writer = BackupWriter::default();
    let mut file = writer.start(&start);
    file.extend(writer.frames(commits, count));
    file.extend(writer.frames(vectors, 0));
    file.extend(writer.end());
    read_backup(&file).unwrap()
}

/// Sketches that belong to other vectors were believed: searches missed what was nearest.
#[test]
fn sketches_of_a_backup_are_made_anew() {
    let (commits, vectors, embeddings) = with_vectors();
    let mut writer = SegmentWriter::default();
    let sketch = [!0; 2];
    let rows = (0..).zip(&embeddings).map(|(number, Embedding { scale, codes, .. })| {
        let (scale, codes) = (*scale, Cow::Borrowed(&**codes));
        VectorRow { id: id(number), revision: 1, scale, codes, sketch: &sketch }
    });
    let rows: Vec<_> = rows.collect();
    writer.vectors("none", 64, &rows);
    let [_, _, forged] = writer.finish();
    let forged: Vec<_> = forged.into_iter().map(|(_, value)| value).collect();
    assert!(forged != vectors);
    let restored = Store::restored("none", &made_up((8, 8), commits, forged)).unwrap();
    assert!(vectors_of(&restored) == vectors, "the sketches are not those of the vectors");
}

/// Its vectors were taken for those of a commit that the memory does not have, and so no fold wrote them.
#[test]
fn vectors_of_a_backup_belong_to_commits_that_it_has() {
    let (commits, vectors, _) = with_vectors();
    let backup = made_up((8, MAX_SEQUENCE), commits, vectors);
    let restored = Store::restored("none", &backup).unwrap();
    let image = MemoryStorage::default();
    let replaced = with_database(image.clone(), "none", async |database| database.replace(restored).await);
    replaced.unwrap().unwrap();
    let counts =
        with_database(image, "none", async |database| database.read(|store| Ok(store.counts())).unwrap());
    let counts = counts.unwrap();
    assert_eq!((counts.vectors, counts.unembedded), (8, 0), "{counts:?}");
}

#[test]
fn a_memory_whose_numbers_are_used_up_says_what_to_do() {
    let commit = Commit {
        sequence: MAX_SEQUENCE,
        id: id(1),
        time: 5,
        cause: Cause::User,
        scope: Some(scope("alice")),
        ops: Vec::new(),
        embeds: Vec::new(),
    };
    let logged = LogCommit::from_frame(MAX_SEQUENCE, commit.frame());
    let mut writer = SegmentWriter::default();
    writer.commit(logged.split().unwrap().0);
    let [commits, ..] = writer.finish();
    let commits = commits.into_iter().map(|(_, value)| value).collect();
    let restored = Store::restored("none", &made_up((1, MAX_SEQUENCE), commits, Vec::new())).unwrap();
    let refused = with_database(MemoryStorage::default(), "none", async |database| {
        database.replace(restored).await.unwrap();
        let mut draft = Draft::new(&scope("alice"), Cause::User);
        draft.put(record(2, Kind::Fact, &scope("alice"), "cedar"), Expect::Absent, None);
        database.commit(draft).await.unwrap_err()
    });
    let refused = refused.unwrap();
    assert_eq!(refused.code, Code::QuotaExceeded, "{refused}");
    assert!(refused.message.contains("4294967295") && refused.message.contains("\"merge\""), "{refused}");
}
