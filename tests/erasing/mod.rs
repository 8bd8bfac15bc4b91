//! What is erased leaves no byte, in the storage, in this engine and in others; and nothing else changes.

mod history;
mod leftovers;
mod property;
mod record;

use crate::support::image::{id, pairs_of, record, scope, with_database};
use crate::support::platform::TestPlatform;
use crate::support::storage::TestStorage;
use mnemic::database::{Bounds, Database, History};
use mnemic::log::Cause;
use mnemic::storage::MemoryStorage;
use mnemic::store::{Draft, Expect};
use mnemic::{Embedding, Kind};
use std::rc::Rc;

const EMBEDDER: &str = "model";

fn put(number: u8, text: &str, expect: Expect) -> Draft {
    let mut draft = Draft::new(&scope("alice"), Cause::User);
    let vector = Embedding::quantise(EMBEDDER, &[f32::from(number), 1.0, 0.5]).unwrap();
    draft.put(record(number, Kind::Fact, &scope("alice"), text), expect, Some(vector));
    draft
}

fn erase(numbers: &[u8]) -> Draft {
    let mut draft = Draft::new(&scope("alice"), Cause::Forget);
    for number in numbers {
        draft.delete(id(*number), Expect::Any);
    }
    draft.erase = numbers.iter().map(|number| id(*number)).collect();
    draft
}

fn texts(database: &Database) -> Vec<String> {
    let records = |store: &mnemic::store::Store| {
        let texts = store.records(&scope("alice"), Kind::Fact).map(|view| view.text.unwrap().to_owned());
        Ok(texts.collect())
    };
    database.read(records).unwrap()
}

/// Everything that an engine tells of the past and the present of records 0 to 20.
fn told(database: &Database) -> Vec<String> {
    let all = |store: &mnemic::store::Store| {
        let mut told: Vec<String> = store.scopes().map(|scope| scope.canonical().to_owned()).collect();
        for scope in [scope("alice"), scope("bob")] {
            for number in 0..20 {
                told.push(format!("{number}: {:?}", store.history(&scope, id(number))?));
            }
            for sequence in 0..=store.sequence() {
                for kind in [Kind::Fact, Kind::Field] {
                    let then = store.records_at(&scope, kind, sequence);
                    told.push(format!("at {sequence}: {:?}", then.map(|view| view.id).collect::<Vec<_>>()));
                }
            }
        }
        told.push(format!("{:?}", store.counts()));
        Ok(told)
    };
    database.read(all).unwrap()
}

/// Whether a storage holds some bytes anywhere.
fn holds(image: &MemoryStorage, bytes: &[u8]) -> bool {
    let held = |value: &[u8]| value.windows(bytes.len()).any(|window| window == bytes);
    pairs_of(image).iter().any(|(key, value)| held(key.as_bytes()) || held(value))
}

const SMALL: History = History { revisions: 2, age_ms: i64::MAX, bytes: u64::MAX };

fn with_two<R>(image: &MemoryStorage, work: impl AsyncFnOnce([Database; 2], [Rc<TestStorage>; 2]) -> R) -> R {
    let (platform, mut pool) = TestPlatform::new(17);
    let storages = [Rc::new(TestStorage::on(image)), Rc::new(TestStorage::on(image))];
    pool.run_until(async {
        // One takes what is stored for large, and writes anew no more than it has to.
        let bounds = Bounds { cache_bytes: Some(0), ..Bounds::default() };
        let one =
            Database::open_encrypted(storages[0].clone(), platform.clone(), EMBEDDER, None, bounds).await;
        let one = one.unwrap();
        one.indexed().await.unwrap();
        let two = Database::open(storages[1].clone(), platform, EMBEDDER).await.unwrap();
        work([one, two], storages).await
    })
}

/// A storage that is opened anew says what the engine says, and its check finds nothing.
fn check_reopened(image: &MemoryStorage, expected: &[String]) {
    let reopened = with_database(image.clone(), EMBEDDER, async |database| {
        let report = database.verify().await.unwrap();
        assert!(report.ok, "{report:?}");
        told(&database)
    });
    assert_eq!(reopened.unwrap(), expected);
}

/// As [`check_reopened`], with a history.
fn check_kept(image: &MemoryStorage, expected: &[String], history: History) {
    let reopened = with_database(image.clone(), EMBEDDER, async |database| {
        database.keep_history(history);
        let report = database.verify().await.unwrap();
        assert!(report.ok, "{report:?}");
        told(&database)
    });
    assert_eq!(reopened.unwrap(), expected);
}
