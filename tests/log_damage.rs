//! Storages damaged byte by byte: opening never panics and never shows what was not written, what is lost is named, and
//! what was damaged is set aside before anything replaces it.

use crate::support::image::{id, pairs_of, record, scope, storage_of, with_database};
use crate::support::platform::TestPlatform;
use crate::support::storage::{TestStorage, Write};
use mnemic::database::{Database, Report};
use mnemic::log::{Cause, HEAD_KEY, QUARANTINE};
use mnemic::ports::Pairs;
use mnemic::storage::MemoryStorage;
use mnemic::store::{Draft, Expect, Query, Store};
use mnemic::{Code, Embedding, Id, Kind, Record, Scope};
use std::rc::Rc;

const EMBEDDER: &str = "model";

/// An image and everything that was ever true of it.
struct Written {
    pairs: Pairs,
    /// Every version of every record.
    versions: Vec<Record>,
    commits: Vec<Id>,
    living: Vec<Record>,
}

fn embedding(number: u8) -> Embedding {
    Embedding::quantise(EMBEDDER, &[f32::from(number), 1.0, 0.5]).unwrap()
}

fn living(store: &Store) -> Vec<Record> {
    let (scope, kinds) = (scope("alice"), [Kind::Fact, Kind::Field]);
    let views = kinds
        .iter()
        .flat_map(|kind| store.records(&scope, *kind).map(|view| view.to_record(&scope).unwrap()));
    views.collect()
}

fn versions(store: &Store) -> Vec<Record> {
    let history = |number| store.history(&scope("alice"), id(number)).unwrap();
    (0..=99).flat_map(history).filter_map(|revision| revision.record).collect()
}

/// Writes a small memory; the log is folded after each of `folds` commits.
fn written(commits: u8, folds: &[u8], vectors: bool) -> Written {
    let storage = MemoryStorage::default();
    let image = storage.clone();
    let (commits, versions, living) = with_database(storage, EMBEDDER, async |database| {
        let mut ids = Vec::new();
        for number in 1..=commits {
            let draft = draft(number, vectors);
            ids.push(database.commit(draft).await.unwrap().commit_id);
            if folds.contains(&number) {
                database.fold().await.unwrap();
            }
        }
        let (versions, living) = database.read(|store| Ok((versions(store), living(store)))).unwrap();
        (ids, versions, living)
    })
    .unwrap();
    Written { pairs: pairs_of(&image), versions, commits, living }
}

/// New records, new revisions of others, and deletions, with keys.
fn draft(number: u8, vectors: bool) -> Draft {
    let scope = scope("alice");
    let mut draft = Draft::new(&scope, Cause::User);
    let kind = if number.is_multiple_of(2) { Kind::Fact } else { Kind::Field };
    let mut new = record(number, kind, &scope, &format!("cedar number{number}"));
    new.key = Some(format!("key{number}"));
    new.metadata.insert("number".to_owned(), number.into());
    draft.put(new, Expect::Absent, vectors.then(|| embedding(number)));
    if number > 2 {
        let kind = if number.is_multiple_of(2) { Kind::Fact } else { Kind::Field };
        let changed = record(number - 2, kind, &scope, &format!("maple number{number}"));
        draft.put(changed, Expect::Any, None);
    }
    if number > 4 && number.is_multiple_of(3) {
        draft.delete(id(number - 3), Expect::Any);
    }
    draft
}

/// Opens a damaged image and checks what must hold of any: nothing panics, nothing is shown that was not written, and
/// every loss of a commit is named, at once and after the storage was tidied, written and folded.
fn judge(written: &Written, damaged: &Pairs, what: &str) -> Report {
    let storage = storage_of(damaged);
    let first =
        with_database(storage.clone(), EMBEDDER, async |database| look(written, &database, what).await);
    let (report, shown) = first.unwrap_or_else(|error| panic!("{what}: {error}"));
    let lasting = with_database(storage.clone(), EMBEDDER, async |database| {
        let (report, again) = look(written, &database, what).await;
        assert_eq!(again, shown, "{what}: the second opening shows something else");
        let mut draft = Draft::new(&scope("alice"), Cause::User);
        draft.put(record(99, Kind::Fact, &scope("alice"), "willow"), Expect::Absent, None);
        match database.commit(draft).await {
            Ok(_) => {
                database.fold().await.unwrap();
                (report.ok, true)
            }
            Err(error) => {
                // A storage that cannot tell its head's counter takes no write; the memory can still be read.
                assert_eq!(error.code, Code::Corrupt, "{what}: {error}");
                assert!(damaged.iter().any(|(key, value)| key == HEAD_KEY && value.len() < 8), "{what}");
                (report.ok, false)
            }
        }
    });
    let (_, is_writable) = lasting.unwrap();
    with_database(storage.clone(), EMBEDDER, async |database| {
        let lost = database.read(|store| {
            let all = living(store);
            assert_eq!(all.len(), shown.len() + usize::from(is_writable), "{what}: after a fold");
            assert!(shown.iter().all(|record| all.contains(record)), "{what}: after a fold");
            Ok(store.counts().commits - usize::from(is_writable) < written.commits.len())
        });
        let report = database.verify().await.unwrap();
        assert!(!(lost.unwrap() && report.ok), "{what}: a commit is lost and no longer named");
    })
    .unwrap();
    if is_writable {
        quarantine_holds(written, damaged, &pairs_of(&storage), what);
    }
    report
}

async fn look(written: &Written, database: &Database, what: &str) -> (Report, Vec<Record>) {
    let report = database.verify().await.unwrap();
    let shown = database.read(|store| {
        let shown = living(store);
        for record in shown.iter().chain(&versions(store)) {
            assert!(written.versions.contains(record), "{what}: {record:?} was never written");
        }
        let query = Query { text: "cedar", embedding: Some(&embedding(1)), limit: 99, now: 0 };
        for kind in [Kind::Fact, Kind::Field] {
            let found = store.search(&scope("alice"), kind, &query, &|_| true).unwrap();
            let found = found.iter().filter(|found| found.score.terms[0].raw.is_some()).count();
            let of_kind =
                |record: &&Record| record.kind == kind && record.text.as_ref().unwrap().contains("cedar");
            assert_eq!(found, shown.iter().filter(of_kind).count(), "{what}: words");
        }
        assert!(store.counts().commits == written.commits.len() || !report.ok, "{what}: a loss is not named");
        Ok(shown)
    });
    (report, shown.unwrap())
}

/// Every value that was changed and not merely cut off as a torn tail is still there, as it was found.
fn quarantine_holds(written: &Written, damaged: &Pairs, kept: &Pairs, what: &str) {
    for (key, value) in damaged.iter().filter(|pair| !written.pairs.contains(pair)) {
        let aside =
            kept.iter().filter(|(other, _)| other.starts_with(QUARANTINE) && other.ends_with(key.as_str()));
        let aside: Vec<_> = aside.collect();
        assert_eq!(aside.len(), 1, "{what}: {key} is set aside once");
        assert_eq!(aside[0].1, *value, "{what}: {key} is set aside as it was found");
    }
}

/// Damages each value of an image in every way and judges each.
fn damage_everything(written: &Written, bits: &[u8]) {
    let untouched = judge(written, &written.pairs, "untouched");
    assert!(untouched.ok, "{untouched:?}");
    for (place, (key, value)) in written.pairs.iter().enumerate() {
        let check = |damaged: &Pairs, what: &str| {
            let what = format!("{key} {what}");
            let report = judge(written, damaged, &what);
            assert!(!report.ok, "{what} is not noticed");
            let names_it = |damage: &mnemic::log::Damage| key.starts_with(&damage.key);
            assert!(report.damage.iter().any(names_it), "{what}: {report:?}");
            if key.contains("/terms/") || key.contains("/vectors/") {
                assert_eq!(
                    (report.records, report.commits),
                    (written.living.len(), written.commits.len()),
                    "{what}"
                );
            }
        };
        let mut removed = written.pairs.clone();
        removed.remove(place);
        check(&removed, "removed");
        for byte in 0..value.len() {
            let mut damaged = written.pairs.clone();
            damaged[place].1.truncate(byte);
            check(&damaged, &format!("cut at {byte}"));
            for bit in bits {
                let mut damaged = written.pairs.clone();
                damaged[place].1[byte] ^= 1 << bit;
                check(&damaged, &format!("flipped at {byte}, bit {bit}"));
            }
        }
    }
}

#[test]
fn a_log_of_three_commits_with_every_bit_flipped() {
    damage_everything(&written(3, &[], true), &[0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn a_log_of_seven_commits() {
    damage_everything(&written(7, &[], false), &[3]);
}

#[test]
fn a_segment_and_a_log_with_vectors() {
    let written = written(6, &[4], true);
    assert!(
        ["/terms/", "/vectors/", "/commits/"]
            .iter()
            .all(|name| written.pairs.iter().any(|(key, _)| key.contains(name)))
    );
    damage_everything(&written, &[5]);
}

#[test]
fn segments_after_merges() {
    let written = written(9, &[1, 2, 6, 7, 8], false);
    let segments: std::collections::BTreeSet<&str> =
        written.pairs.iter().filter_map(|(key, _)| key.strip_prefix("segment/")?.get(..8)).collect();
    assert!(segments.len() > 1, "there are several segments: {segments:?}");
    damage_everything(&written, &[0]);
}

/// Any two values at once: the head with a commit, two segments, and so on.
#[test]
fn two_damaged_values() {
    let written = written(6, &[2, 5], true);
    for one in 0..written.pairs.len() {
        for other in 0..one {
            let mut damaged = written.pairs.clone();
            damaged[one].1[20] ^= 4;
            damaged[other].1[20] ^= 4;
            let what = format!("{} and {}", damaged[one].0, damaged[other].0);
            let report = judge(&written, &damaged, &what);
            assert!(!report.ok, "{what}");
            let mut removed = written.pairs.clone();
            removed.remove(one);
            removed.remove(other);
            judge(&written, &removed, &format!("{what} removed"));
        }
    }
}

/// A crash between the puts of a write, on a medium without transactions: what was not confirmed is not there, is swept,
/// and the next commit of the same number is whole.
#[test]
fn a_torn_write_leaves_nothing() {
    for folds in [&[][..], &[3]] {
        let written = written(5, folds, true);
        for kept in 0..4 {
            for live in [false, true] {
                let image = storage_of(&written.pairs);
                let torn = TestStorage::on(&image);
                torn.plan([Write::Tears(kept)]);
                let drafts = || (6..9).map(|number| draft(number, true));
                with_database(torn, EMBEDDER, async |database| {
                    let answers =
                        futures_util::future::join_all(drafts().map(|draft| database.commit(draft))).await;
                    let refused = answers.iter().filter(|answer| answer.is_err()).count();
                    assert!(refused > 0, "{folds:?} {kept} {live} {answers:?}");
                    if live {
                        database.commit(draft(7, false)).await.unwrap_or_else(|error| {
                            assert_eq!(error.code, Code::Conflict, "{error}");
                            panic!("the torn commit is half there");
                        });
                    }
                })
                .unwrap();
                let expected = if live { 6 } else { written.commits.len() };
                check_commits(&image, |commits| commits >= expected);
            }
        }
    }
}

fn check_commits(image: &MemoryStorage, fits: impl Fn(usize) -> bool) {
    with_database(image.clone(), EMBEDDER, async |database| {
        let report = database.verify().await.unwrap();
        assert!(report.ok, "{report:?}");
        assert!(fits(report.commits), "{report:?}");
    })
    .unwrap();
}

/// A commit of several values that was torn, and then a shorter one in its place: the rest of the long one must not be
/// taken for a part of the short one.
#[test]
fn a_short_commit_over_a_torn_long_one() {
    let long = || {
        let mut draft = Draft::new(&scope("alice"), Cause::Remember);
        let values: Vec<f32> = (0..4096u16).map(f32::from).collect();
        for number in 100..=255 {
            let embedding = Embedding::quantise("other", &values).unwrap();
            draft.put(record(number, Kind::Fact, &scope("alice"), "cedar"), Expect::Any, Some(embedding));
        }
        draft
    };
    for live in [true, false] {
        for kept in 1..3 {
            let image = MemoryStorage::default();
            let storage = TestStorage::on(&image);
            storage.plan([Write::Works, Write::Tears(kept)]);
            with_database(storage, EMBEDDER, async |database| {
                assert_eq!(database.commit(long()).await.unwrap_err().code, Code::Storage);
                if live {
                    database.commit(draft(1, true)).await.unwrap();
                }
            })
            .unwrap();
            with_database(image.clone(), EMBEDDER, async |database| {
                let report = database.verify().await.unwrap();
                assert!(report.ok, "{report:?}");
                assert_eq!(report.records, usize::from(live));
                database.commit(draft(2, true)).await.unwrap();
                database.commit(long()).await.unwrap();
            })
            .unwrap();
            check_commits(&image, |commits| commits == 2 + usize::from(live));
            let stale = pairs_of(&image).iter().filter(|(key, _)| key.starts_with("log/")).count();
            assert_eq!(stale, 0, "a log of more than a megabyte is folded, and nothing of it is left");
        }
    }
}

/// A fold that was cut short: after some of its values, or after its head and before its deletions.
#[test]
fn a_torn_fold_changes_nothing() {
    let written = written(6, &[2], true);
    for kept in 0..5 {
        let image = storage_of(&written.pairs);
        let storage = TestStorage::on(&image);
        storage.plan([Write::Tears(kept)]);
        with_database(storage, EMBEDDER, async |database| {
            assert_eq!(database.fold().await.unwrap_err().code, Code::Storage);
        })
        .unwrap();
        check_commits(&image, |commits| commits == written.commits.len());
        assert_eq!(pairs_of(&image).len(), written.pairs.len(), "what the fold left is swept");
    }
    // The head is there, and what it replaced as well.
    let image = storage_of(&written.pairs);
    with_database(image.clone(), EMBEDDER, async |database| database.fold().await.unwrap()).unwrap();
    let folded = pairs_of(&image);
    let mut both = written.pairs.clone();
    both.retain(|(key, _)| folded.iter().all(|(other, _)| other != key));
    both.extend(folded.iter().cloned());
    let image = storage_of(&both);
    check_commits(&image, |commits| commits == written.commits.len());
    assert_eq!(pairs_of(&image).len(), folded.len(), "what the fold replaced is swept");
}

/// What a newer version wrote is refused by name, wherever it stands, and nothing is changed.
#[test]
fn a_newer_version_is_refused() {
    let written = written(6, &[4], true);
    for place in 0..written.pairs.len() {
        let mut newer = written.pairs.clone();
        let (key, value) = &mut newer[place];
        let frame = if key == HEAD_KEY { &mut value[8..] } else { &mut value[..] };
        frame[2] += 1;
        let checksum = crc32fast::hash(&frame[..12]);
        frame[12..16].copy_from_slice(&checksum.to_le_bytes());
        let image = storage_of(&newer);
        let refused = with_database(image.clone(), EMBEDDER, async |_| ()).unwrap_err();
        assert_eq!(refused.code, Code::UnsupportedVersion, "{}", newer[place].0);
        assert_eq!(pairs_of(&image), newer);
    }
}

/// Values of other owners in the same storage are never touched.
#[test]
fn foreign_values_stay() {
    let written = written(4, &[2], false);
    let mut shared = written.pairs.clone();
    let foreign = ["about", "log", "log/1/0", "logs", "segment/x", "settings", "zebra"];
    shared.extend(foreign.map(|key| (key.to_owned(), b"foreign".to_vec())));
    let image = storage_of(&shared);
    with_database(image.clone(), EMBEDDER, async |database| {
        assert!(database.verify().await.unwrap().ok);
        database.commit(draft(5, false)).await.unwrap();
        database.fold().await.unwrap();
    })
    .unwrap();
    let kept = pairs_of(&image);
    assert!(foreign.iter().all(|key| kept.iter().any(|(other, _)| other == key)));
}

/// The storage has room for reading only: the memory opens, and says why it takes no commit.
#[test]
fn damage_in_a_storage_that_takes_no_write() {
    let written = written(4, &[], false);
    let mut damaged = written.pairs.clone();
    damaged[0].1[30] ^= 1;
    let image = storage_of(&damaged);
    let storage = TestStorage::on(&image);
    storage.plan([Write::Fails(Code::QuotaExceeded), Write::Fails(Code::QuotaExceeded)]);
    with_database(storage, EMBEDDER, async |database| {
        assert_eq!(database.read(|store| Ok(living(store))).unwrap(), written.living);
        assert_eq!(database.commit(draft(5, false)).await.unwrap_err().code, Code::QuotaExceeded);
        database.commit(draft(5, false)).await.unwrap();
    })
    .unwrap();
    let kept = pairs_of(&image);
    let aside = kept.iter().find(|(key, _)| key.starts_with(QUARANTINE)).unwrap();
    assert_eq!(aside.1, damaged[0].1);
    let scope: Scope = scope("alice");
    with_database(image, EMBEDDER, async |database| {
        assert!(database.read(|store| Ok(store.get(&scope, id(5)).is_some())).unwrap());
    })
    .unwrap();
}

/// Random bytes under keys that mean something.
mod arbitrary {
    use super::*;
    use proptest::prelude::*;

    fn key() -> impl Strategy<Value = String> {
        prop_oneof![
            Just(HEAD_KEY.to_owned()),
            (0..4u64, 0..3usize).prop_map(|(sequence, part)| mnemic::log::log_key(sequence, part)),
            any::<u64>().prop_map(|sequence| format!("log/{sequence:016x}/0000")),
            "segment/(00000000|ffffffff|00000001)/(commits|terms|vectors|other)/(000000|000001|ffffff)",
            "(damaged/)?[a-z/0-9]{0,20}",
        ]
    }

    fn image() -> impl Strategy<Value = Pairs> {
        // Pieces of real values, whole, cut or joined, under keys that are right or wrong.
        let real = written(5, &[3], true).pairs;
        let piece = prop_oneof![
            prop::collection::vec(any::<u8>(), 0..40),
            (prop::sample::select(real.clone()), any::<prop::sample::Index>(), any::<bool>()).prop_map(
                |((_, mut value), cut, whole)| {
                    if !whole {
                        value.truncate(cut.index(value.len() + 1));
                    }
                    value
                }
            ),
        ];
        let pair = prop_oneof![
            (key(), piece.clone()),
            (prop::sample::select(real), piece).prop_map(|((key, _), value)| (key, value))
        ];
        prop::collection::btree_map(
            pair.clone().prop_map(|(key, _)| key),
            pair.prop_map(|(_, value)| value),
            0..12,
        )
        .prop_map(|pairs| pairs.into_iter().filter(|(key, _)| !key.is_empty()).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_pairs_open_or_are_refused(pairs in image()) {
            let storage = storage_of(&pairs);
            let opened = with_database(storage.clone(), EMBEDDER, async |database| {
                let shown = database.read(|store| Ok(living(store))).unwrap();
                database.verify().await.unwrap();
                let mut draft = Draft::new(&scope("alice"), Cause::User);
                draft.put(record(99, Kind::Fact, &scope("alice"), "willow"), Expect::Absent, None);
                let committed = database.commit(draft).await.is_ok();
                if committed {
                    database.fold().await.unwrap();
                }
                (shown, committed)
            }).unwrap();
            let (shown, committed) = opened;
            let after = with_database(storage, EMBEDDER, async |database| database.read(|store| Ok(living(store))).unwrap()).unwrap();
            prop_assert_eq!(after.len(), shown.len() + usize::from(committed));
        }
    }
}

/// A storage that answered wrongly once made the engine replace every sound value by what it had heard, and the next thing that
/// was forgotten deleted even that.
#[test]
fn what_a_storage_answers_wrongly_once_is_not_believed() {
    let before = written(5, &[3], true);
    let image = storage_of(&before.pairs);
    let storage = Rc::new(TestStorage::on(&image));
    let (platform, mut pool) = TestPlatform::new(1);
    pool.run_until(async {
        storage.wrong_reads.set(1);
        let database = Database::open(storage.clone(), platform, EMBEDDER).await.unwrap();
        assert_eq!(database.read(|store| Ok(living(store))).unwrap(), before.living);
        storage.wrong_reads.set(1);
        assert!(database.verify().await.unwrap().ok);
        database.close().await;
    });
    assert_eq!(pairs_of(&image), before.pairs);
}
