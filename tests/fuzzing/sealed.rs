//! Arbitrary bytes in place of a value of an encrypted memory: opening it never panics, and what is not authentic is never read.
//!
//! The first byte of the input chooses the value, the second whether the rest becomes its bytes, or the payload of a frame whose
//! checksums are right.

use super::frames::{framed, frames};
use crate::support::cipher::encryption;
use crate::support::image::{pairs_of, record, scope, storage_of};
use crate::support::platform::TestPlatform;
use mnemic::database::{Bounds, Database};
use mnemic::log::Cause;
use mnemic::ports::Pairs;
use mnemic::storage::MemoryStorage;
use mnemic::store::{Draft, Expect};
use mnemic::{Kind, Result};
use std::rc::Rc;

thread_local! {
    /// An encrypted memory with a segment and a log.
    static PAIRS: Pairs = {
        let image = MemoryStorage::default();
        with(image.clone(), async |database| {
            for number in 0..4 {
                let mut draft = Draft::new(&scope("alice"), Cause::User);
                draft.put(record(number, Kind::Fact, &scope("alice"), "cedar"), Expect::Any, None);
                database.commit(draft).await.unwrap();
                if number == 1 {
                    database.fold().await.unwrap();
                }
            }
        })
        .unwrap();
        pairs_of(&image)
    };
}

fn with<R>(storage: MemoryStorage, work: impl AsyncFnOnce(Database) -> R) -> Result<R> {
    let (platform, mut pool) = TestPlatform::new(7);
    pool.run_until(async {
        let encryption = Some(encryption("a passphrase"));
        let database =
            Database::open_encrypted(Rc::new(storage), platform, "model", encryption, Bounds::default())
                .await?;
        Ok(work(database).await)
    })
}

/// The bytes of a value before its frame.
fn before(key: &str) -> usize {
    if key == "head" { 8 } else { 0 }
}

/// Tries an input; answers whether the memory is whole.
pub(crate) fn run(data: &[u8]) -> bool {
    let Some(([place, how], bytes)) = data.split_first_chunk::<2>() else { return false };
    let mut pairs = PAIRS.with(Clone::clone);
    let place = usize::from(*place) % pairs.len();
    let (key, value) = &mut pairs[place];
    let original = value.clone();
    let kind = value[before(key) + 3];
    value.truncate(before(key));
    if how.is_multiple_of(2) {
        value.extend_from_slice(bytes);
    } else {
        value.extend(framed(kind, bytes));
    }
    let is_same = *value == original;
    let opened = with(storage_of(&pairs), async |database| database.verify().await.unwrap().ok);
    if let Ok(is_ok) = opened {
        assert_eq!(is_ok, is_same);
    }
    opened.is_ok_and(|is_ok| is_ok)
}

/// Every value as it is, in both ways.
pub(crate) fn corpus() -> Vec<Vec<u8>> {
    let mut inputs = Vec::new();
    for (place, (key, value)) in PAIRS.with(Clone::clone).iter().enumerate() {
        let value = &value[before(key)..];
        inputs.push([&[place as u8, 0], value].concat());
        if let [(_, payload)] = frames(value)[..] {
            inputs.push([&[place as u8, 1], payload].concat());
        }
    }
    inputs
}
