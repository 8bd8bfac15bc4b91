//! The storage contract on storages that need no browser, and the storages that fail on purpose.

use crate::support::contract::{a_full_storage_changes_nothing, batch, contract, everything, write};
use crate::support::fault::{Fault, FaultyStorage};
use futures_executor::block_on;
use mnemic::Code;
use mnemic::ports::Storage;
use mnemic::storage::MemoryStorage;
use std::cell::RefCell;
use std::collections::BTreeMap;

#[test]
fn memory_keeps_the_contract() {
    let images = RefCell::new(BTreeMap::<String, MemoryStorage>::new());
    block_on(contract(async |name: &str| images.borrow_mut().entry(name.to_owned()).or_default().clone()));
}

#[test]
fn a_storage_whose_faults_are_far_off_keeps_the_contract() {
    let images = RefCell::new(BTreeMap::<String, MemoryStorage>::new());
    block_on(contract(async |name: &str| {
        let image = images.borrow_mut().entry(name.to_owned()).or_default().clone();
        FaultyStorage::new(image, Fault::Refuses, u32::MAX)
    }));
}

#[test]
fn a_full_memory_changes_nothing() {
    block_on(a_full_storage_changes_nothing(&MemoryStorage::with_max_bytes(10_000), 1000));
}

#[test]
fn a_memory_holds_exactly_its_quota() {
    let storage = MemoryStorage::with_max_bytes(4 + 8 + 1 + 3);
    block_on(async {
        let error = storage.write(&batch(0, &[("a", b"four")], &[]), 0).await.unwrap_err();
        assert_eq!(error.code, Code::QuotaExceeded);
        let mut head = 0;
        write(&storage, &mut head, &[("a", b"tea")], &[]).await;
        assert_eq!(storage.bytes(), 16);
        // What a batch replaces and deletes makes room for what it puts.
        write(&storage, &mut head, &[("b", b"pie")], &["a"]).await;
        write(&storage, &mut head, &[("b", b"ham")], &[]).await;
    });
}

#[test]
fn faults_come_after_the_countdown_and_stay() {
    for (fault, kept, head) in [
        (Fault::Refuses, &["head"][..], 1u64),
        (Fault::Tears(0), &["head"], 1),
        (Fault::Tears(1), &["a", "head"], 1),
        (Fault::Tears(9), &["a", "b", "head"], 1),
        (Fault::LosesAnswer, &["a", "b", "head"], 2),
    ] {
        let image = MemoryStorage::default();
        let storage = FaultyStorage::new(image.clone(), fault, 1);
        block_on(async {
            write(&storage, &mut 0, &[], &[]).await;
            let next = batch(1, &[("a", b"1"), ("b", b"2")], &[]);
            assert_eq!(storage.write(&next, 1).await.unwrap_err().code, Code::Storage, "{fault:?}");
            let state = everything(&image).await;
            assert_eq!(state.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), kept, "{fault:?}");
            assert_eq!(state.last().unwrap().1, head.to_le_bytes(), "{fault:?}");
            assert!(storage.write(&next, head).await.is_err(), "{fault:?}");
        });
    }
}
