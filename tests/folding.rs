//! What a fold writes at once, and what is there after many.

use crate::support::image::{id, record, scope};
use crate::support::platform::TestPlatform;
use crate::support::storage::TestStorage;
use mnemic::Kind;
use mnemic::database::Database;
use mnemic::log::Cause;
use mnemic::storage::MemoryStorage;
use mnemic::store::{Draft, Expect};
use std::rc::Rc;

const COMMITS: u8 = 40;
const COMMIT_BYTES: usize = 500_000;
const MIB: usize = 1 << 20;

/// Folds used to take in ever larger segments, up to all there was: a memory of 100 MB was built twice, once more as one batch.
#[test]
fn no_fold_writes_much_at_once() {
    let image = MemoryStorage::default();
    let storage = Rc::new(TestStorage::on(&image));
    let (platform, mut pool) = TestPlatform::new(5);
    pool.run_until(async {
        let database = Database::open(storage.clone(), platform.clone(), "none").await.unwrap();
        for number in 0..COMMITS {
            let mut draft = Draft::new(&scope("alice"), Cause::User);
            let mut large = record(number, Kind::Document, &scope("alice"), "cedar");
            large.value = "x".repeat(COMMIT_BYTES).into();
            draft.put(large, Expect::Absent, None);
            database.commit(draft).await.unwrap();
            database.fold().await.unwrap();
        }
        let written = storage.most_written.get();
        assert!(written > 4 * MIB && written < 9 * MIB, "{written}");
        let report = database.verify().await.unwrap();
        assert!(report.ok && (3..30).contains(&report.segments), "{report:?}");
        let again = Database::open(Rc::new(image.clone()), platform, "none").await.unwrap();
        for number in 0..COMMITS {
            let there = again.read(|store| Ok(store.get(&scope("alice"), id(number)).is_some()));
            assert!(there.unwrap(), "{number}");
        }
    });
}
