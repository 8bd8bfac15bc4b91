//! Arbitrary bytes in place of a value of an encrypted memory: opening it never panics, and what is not authentic is never read.
//!
//! The first byte of the input chooses the value, the second whether the rest becomes its bytes, or the payload of a frame whose
//! checksums are right.
#![no_main]
#![allow(missing_docs, dead_code, reason = "the support is shared with the tests")]

#[path = "../../tests/support/mod.rs"]
mod support;

use libfuzzer_sys::fuzz_target;
use mnemic::database::Database;
use mnemic::log::Cause;
use mnemic::ports::Pairs;
use mnemic::storage::MemoryStorage;
use mnemic::store::{Draft, Expect};
use mnemic::{Kind, Result};
use std::rc::Rc;
use support::cipher::encryption;
use support::image::{pairs_of, record, scope, storage_of};
use support::platform::TestPlatform;

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
        let database = Database::open_encrypted(Rc::new(storage), platform, "model", encryption, None).await?;
        Ok(work(database).await)
    })
}

fuzz_target!(|data: &[u8]| {
    let Some(([place, how], bytes)) = data.split_first_chunk::<2>() else { return };
    let mut pairs = PAIRS.with(Clone::clone);
    let place = usize::from(*place) % pairs.len();
    let (key, value) = &mut pairs[place];
    let head = if key == "head" { 8 } else { 0 };
    let before = value.clone();
    let kind = value[head + 3];
    value.truncate(head);
    if how.is_multiple_of(2) {
        value.extend_from_slice(bytes);
    } else {
        let mut frame = b"Mn\x01".to_vec();
        frame.push(kind);
        frame.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        frame.extend_from_slice(&mnemic_core::checksum::crc32(bytes).to_le_bytes());
        frame.extend_from_slice(&mnemic_core::checksum::crc32(&frame).to_le_bytes());
        frame.extend_from_slice(bytes);
        value.extend_from_slice(&frame);
    }
    let is_same = *value == before;
    if let Ok(is_ok) = with(storage_of(&pairs), async |database| database.verify().await.unwrap().ok) {
        assert_eq!(is_ok, is_same);
    }
});
