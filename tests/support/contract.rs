//! The contract of `Storage`, written once and run on every implementation.
//!
//! `open(name)` opens a handle on the database of that name, making it if there is none. Two calls with one name are
//! two handles on the same database; handles that were closed and opened again find what was kept.

use mnemic::Code;
use mnemic::ports::{Batch, HEAD_KEY, MAX_KEY_BYTES, MAX_VALUE_BYTES, Pairs, Storage};
use std::collections::BTreeMap;

/// The whole contract but for the lack of room.
pub(crate) async fn contract<S: Storage>(open: impl AsyncFn(&str) -> S) {
    an_empty_storage_reads_as_nothing(&open("empty").await).await;
    what_was_written_is_read(&open("written").await).await;
    keys_are_ordered_by_their_bytes(&open("ordered").await).await;
    ranges_take_the_start_and_leave_the_end(&open("ranges").await).await;
    one_batch_overwrites_and_deletes(&open("overwrites").await).await;
    deleting_what_is_not_there_is_no_error(&open("deletes").await).await;
    another_head_is_a_conflict_and_changes_nothing(&open("conflict").await).await;
    only_eight_bytes_of_the_head_count(&open("counter").await).await;
    a_damaged_head_is_an_error(&open("damaged").await).await;
    a_large_value_comes_back(&open("large").await).await;
    a_batch_may_have_two_thousand_keys(&open("many").await).await;
    every_byte_and_length_comes_back(&open("bytes").await).await;
    a_reopened_storage_has_everything(&open).await;
    names_do_not_see_each_other(&open).await;
    of_two_handles_that_race_one_wins(&open).await;
    a_dropped_call_keeps_all_or_nothing(&open).await;
}

/// For storages that can be filled: without room nothing changes, and after deleting there is room again.
///
/// `value_bytes` is small enough that several values fit.
pub(crate) async fn a_full_storage_changes_nothing(storage: &dyn Storage, value_bytes: usize) {
    let mut head = 0;
    let values = |fill: u8| vec![fill; value_bytes];
    write(storage, &mut head, &[("grown", b"small"), ("shrunk", &values(b's'))], &[]).await;
    let mut kept = Vec::new();
    let full = loop {
        let key = format!("filler-{:04}", kept.len());
        match storage.write(&batch(head, &[(&key, &values(b'f'))], &[]), head).await {
            Ok(()) => head += 1,
            Err(error) => break error,
        }
        kept.push(key);
        assert!(
            kept.len() < 10_000,
            "10,000 values of {value_bytes} bytes fit; this storage does not fill up"
        );
    };
    assert_eq!(full.code, Code::QuotaExceeded, "{full}");
    assert!(kept.len() > 1, "only {} values of {value_bytes} bytes fit", kept.len());

    let before = everything(storage).await;
    // Part of this batch would fit: a new small key and a value that shrinks come before what is too large.
    let puts: [(&str, &[u8]); 5] = [
        ("added", b"a"),
        ("shrunk", b"s"),
        ("grown", &values(b'g')),
        ("too-large-1", &values(b't')),
        ("too-large-2", &values(b't')),
    ];
    let error = storage.write(&batch(head, &puts, &["filler-0000"]), head).await.unwrap_err();
    assert_eq!(error.code, Code::QuotaExceeded, "{error}");
    assert!(everything(storage).await == before, "a write without room changed something");

    let deletes: Vec<&str> = kept.iter().map(String::as_str).collect();
    write(storage, &mut head, &[], &deletes).await;
    write(storage, &mut head, &[("after", &values(b'a'))], &[]).await;
    assert_eq!(keys(&everything(storage).await), ["after", "grown", HEAD_KEY, "shrunk"]);
}

async fn an_empty_storage_reads_as_nothing(storage: &dyn Storage) {
    assert_eq!(everything(storage).await, []);
    assert_eq!(storage.read(HEAD_KEY, "heae").await.unwrap(), []);
}

async fn what_was_written_is_read(storage: &dyn Storage) {
    let mut head = 0;
    write(storage, &mut head, &[("a", b"tea"), ("b", b"milk")], &[]).await;
    let expected = [pair("a", b"tea"), pair("b", b"milk"), pair(HEAD_KEY, &1u64.to_le_bytes())];
    assert_eq!(everything(storage).await, expected);
    write(storage, &mut head, &[], &[]).await;
    assert_eq!(storage.read(HEAD_KEY, "heae").await.unwrap(), [pair(HEAD_KEY, &2u64.to_le_bytes())]);
}

async fn keys_are_ordered_by_their_bytes(storage: &dyn Storage) {
    let longest = "k".repeat(MAX_KEY_BYTES);
    let keys = ["b", "a10", "a2", "B", "a", "~", "!", "a:b", "a/b", "A-1", "10", "9", "aa", longest.as_str()];
    let puts: Vec<(&str, &[u8])> = keys.iter().map(|key| (*key, key.as_bytes())).collect();
    write(storage, &mut 0, &puts, &[]).await;
    let mut expected: Vec<&[u8]> =
        keys.iter().map(|key| key.as_bytes()).chain([HEAD_KEY.as_bytes()]).collect();
    expected.sort_unstable();
    let pairs = everything(storage).await;
    assert_eq!(pairs.iter().map(|(key, _)| key.as_bytes()).collect::<Vec<_>>(), expected);
    assert!(
        pairs.iter().all(|(key, value)| key == HEAD_KEY || key.as_bytes() == value),
        "values moved to other keys"
    );
}

async fn ranges_take_the_start_and_leave_the_end(storage: &dyn Storage) {
    write(storage, &mut 0, &[("a", b""), ("b", b""), ("b1", b""), ("c", b""), ("d", b"")], &[]).await;
    for (start, end, expected) in [
        ("b", "d", &["b", "b1", "c"][..]),
        ("b", "b1", &["b"]),
        ("b0", "c0", &["b1", "c"]),
        ("c", "c", &[]),
        ("d", "a", &[]),
        ("x", "z", &[]),
        ("0", "b", &["a"]),
    ] {
        assert_eq!(keys(&storage.read(start, end).await.unwrap()), expected, "{start} <= key < {end}");
    }
}

async fn one_batch_overwrites_and_deletes(storage: &dyn Storage) {
    let mut head = 0;
    write(storage, &mut head, &[("kept", b"1"), ("changed", b"long before"), ("gone", b"3")], &[]).await;
    write(storage, &mut head, &[("changed", b"new"), ("added", b"4")], &["gone"]).await;
    let expected = [
        pair("added", b"4"),
        pair("changed", b"new"),
        pair(HEAD_KEY, &2u64.to_le_bytes()),
        pair("kept", b"1"),
    ];
    assert_eq!(everything(storage).await, expected);
}

async fn deleting_what_is_not_there_is_no_error(storage: &dyn Storage) {
    let mut head = 0;
    write(storage, &mut head, &[], &["never"]).await;
    write(storage, &mut head, &[("a", b"1")], &["never", "ever"]).await;
    assert_eq!(keys(&everything(storage).await), ["a", HEAD_KEY]);
}

async fn another_head_is_a_conflict_and_changes_nothing(storage: &dyn Storage) {
    let refused = async |wrong_head| {
        let before = everything(storage).await;
        let batch = batch(wrong_head, &[("a", b"other"), ("new", b"other")], &["b"]);
        let error = storage.write(&batch, wrong_head).await.unwrap_err();
        assert_eq!(error.code, Code::Conflict, "{error}");
        assert_eq!(everything(storage).await, before);
    };
    refused(1).await;
    let mut head = 0;
    write(storage, &mut head, &[("a", b"1"), ("b", b"2")], &[]).await;
    refused(0).await;
    refused(2).await;
    // A refused write spoils nothing for the next one.
    write(storage, &mut head, &[("a", b"3")], &[]).await;
    refused(1).await;
}

async fn only_eight_bytes_of_the_head_count(storage: &dyn Storage) {
    // Beyond 32 bits, and with bytes whose order matters.
    let head = 0x0001_0203_0405_0607u64;
    let mut value = head.to_le_bytes().to_vec();
    value.extend(b"what the engine keeps in its head");
    let first = Batch { puts: vec![(HEAD_KEY.to_owned(), value)], deletes: vec![] };
    storage.write(&first, 0).await.unwrap();
    assert_eq!(storage.write(&batch(0, &[], &[]), 0).await.unwrap_err().code, Code::Conflict);
    assert_eq!(storage.write(&batch(0, &[], &[]), head + 1).await.unwrap_err().code, Code::Conflict);
    // The storage compares; whether the new counter is larger is the engine's business.
    storage.write(&batch(4, &[], &[]), head).await.unwrap();
    storage.write(&batch(0, &[], &[]), 5).await.unwrap();
}

async fn a_damaged_head_is_an_error(storage: &dyn Storage) {
    let damaged = Batch { puts: vec![(HEAD_KEY.to_owned(), vec![1, 2, 3])], deletes: vec![] };
    storage.write(&damaged, 0).await.unwrap();
    let before = everything(storage).await;
    let error = storage.write(&batch(0, &[("a", b"1")], &[]), 0).await.unwrap_err();
    assert!(matches!(error.code, Code::Corrupt | Code::Storage), "{error}");
    assert_eq!(everything(storage).await, before);
}

async fn a_large_value_comes_back(storage: &dyn Storage) {
    let mut state = 1u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(MAX_VALUE_BYTES + 64)
    .collect();
    write(storage, &mut 0, &[("large", &noise)], &[]).await;
    let pairs = storage.read("large", "largf").await.unwrap();
    assert!(pairs == [pair("large", &noise)], "a large value came back changed");
    write(storage, &mut 1, &[], &["large"]).await;
}

async fn a_batch_may_have_two_thousand_keys(storage: &dyn Storage) {
    let mut head = 0;
    // Names as the engine has them: a storage may read large values apart from small ones.
    let key = |n: u32| format!("{}/{n:04}", if n < 1200 { "log" } else { "segment" });
    let expected: Pairs = (0..2000u32).map(|n| (key(n), n.to_le_bytes().to_vec())).collect();
    // Put in an order that is not the order of keys.
    let puts: Vec<(&str, &[u8])> =
        expected.iter().rev().map(|(key, value)| (key.as_str(), value.as_slice())).collect();
    write(storage, &mut head, &puts, &[]).await;
    assert!(storage.read("log/", "t").await.unwrap() == expected, "2,000 keys came back changed");
    let deletes: Vec<&str> = expected.iter().map(|(key, _)| key.as_str()).collect();
    write(storage, &mut head, &[], &deletes).await;
    assert_eq!(keys(&everything(storage).await), [HEAD_KEY]);
}

async fn every_byte_and_length_comes_back(storage: &dyn Storage) {
    let mut values: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for length in 0..=64 {
        values.insert(format!("zeros-{length:02}"), vec![0; length]);
        values.insert(format!("ones-{length:02}"), vec![0xFF; length]);
        values.insert(format!("mixed-{length:02}"), (0..length).map(|n| (n * 37 + 128) as u8).collect());
    }
    values.insert("all".to_owned(), (0..=255).collect());
    values.insert("pairs".to_owned(), (0..=255).flat_map(|a| [a, 255 - a, a ^ 0x5A]).collect());
    values.insert("not-utf8".to_owned(), b"\xED\xA0\x80\xF0\x28\x8C\x28\xFF\xFE\x00".to_vec());
    let puts: Vec<(&str, &[u8])> =
        values.iter().map(|(key, value)| (key.as_str(), value.as_slice())).collect();
    write(storage, &mut 0, &puts, &[]).await;
    let read: BTreeMap<String, Vec<u8>> =
        everything(storage).await.into_iter().filter(|(key, _)| key != HEAD_KEY).collect();
    assert_eq!(read, values);
}

async fn a_reopened_storage_has_everything<S: Storage>(open: &impl AsyncFn(&str) -> S) {
    let mut head = 0;
    let storage = open("reopened").await;
    write(&storage, &mut head, &[("a", b"1"), ("b", b"2")], &[]).await;
    write(&storage, &mut head, &[("b", b"3")], &["a"]).await;
    let before = everything(&storage).await;
    storage.close();
    let storage = open("reopened").await;
    assert_eq!(everything(&storage).await, before);
    write(&storage, &mut head, &[("c", b"4")], &[]).await;
    assert_eq!(keys(&everything(&storage).await), ["b", "c", HEAD_KEY]);
    storage.close();
}

async fn names_do_not_see_each_other<S: Storage>(open: &impl AsyncFn(&str) -> S) {
    // Names that a careless prefix would confuse.
    let names = ["name", "name:", "name:a", "name%3A", "other"];
    for name in names {
        write(&open(name).await, &mut 0, &[("a:a", name.as_bytes())], &[]).await;
    }
    for name in names {
        let expected = [pair("a:a", name.as_bytes()), pair(HEAD_KEY, &1u64.to_le_bytes())];
        assert_eq!(everything(&open(name).await).await, expected, "in {name}");
    }
}

async fn of_two_handles_that_race_one_wins<S: Storage>(open: &impl AsyncFn(&str) -> S) {
    let (first, second) = (open("race").await, open("race").await);
    for head in 0..10 {
        let (ours, theirs) = (batch(head, &[("a", b"first")], &[]), batch(head, &[("a", b"second")], &[]));
        let outcomes =
            futures_util::future::join(first.write(&ours, head), second.write(&theirs, head)).await;
        let winner: &[u8] = match outcomes {
            (Ok(()), Err(error)) => {
                assert_eq!(error.code, Code::Conflict, "{error}");
                b"first"
            }
            (Err(error), Ok(())) => {
                assert_eq!(error.code, Code::Conflict, "{error}");
                b"second"
            }
            both => panic!("of two racing writes one must win: {both:?}"),
        };
        for handle in [&first, &second] {
            assert_eq!(handle.read("a", "b").await.unwrap(), [pair("a", winner)]);
        }
    }
    first.close();
    write(&second, &mut 10, &[("a", b"still open")], &[]).await;
    second.close();
}

async fn a_dropped_call_keeps_all_or_nothing<S: Storage>(open: &impl AsyncFn(&str) -> S) {
    let storage = open("dropped").await;
    let mut head = 0;
    write(&storage, &mut head, &[("a", b"before")], &[]).await;
    for polls in 0..4 {
        let dropped = batch(head, &[("a", b"after"), ("b", b"after")], &[]);
        let reading = storage.read("a", "c");
        poll_at_most(polls, reading).await;
        poll_at_most(polls, storage.write(&dropped, head)).await;
        let state = everything(&storage).await;
        if keys(&state) == ["a", "b", HEAD_KEY] {
            assert_eq!(state[0].1, b"after");
            head += 1;
            write(&storage, &mut head, &[("a", b"before")], &["b"]).await;
        } else {
            assert_eq!(state, [pair("a", b"before"), pair(HEAD_KEY, &head.to_le_bytes())]);
        }
    }
    write(&storage, &mut head, &[("a", b"works")], &[]).await;
    storage.close();
}

/// Polls a future a few times and drops it, done or not.
async fn poll_at_most<T>(mut polls: u32, future: impl Future<Output = T> + Unpin) {
    let mut future = future;
    std::future::poll_fn(|context| {
        if polls == 0 || std::pin::Pin::new(&mut future).poll(context).is_ready() {
            return std::task::Poll::Ready(());
        }
        polls -= 1;
        context.waker().wake_by_ref();
        std::task::Poll::Pending
    })
    .await;
}

/// A batch whose head counter is one more than `head`.
pub(crate) fn batch(head: u64, puts: &[(&str, &[u8])], deletes: &[&str]) -> Batch {
    let next = (head + 1).to_le_bytes();
    let puts = puts.iter().copied().chain([(HEAD_KEY, &next[..])]);
    Batch {
        puts: puts.map(|(key, value)| pair(key, value)).collect(),
        deletes: deletes.iter().map(|key| (*key).to_owned()).collect(),
    }
}

/// Writes a batch that must be kept, and counts the head.
pub(crate) async fn write(storage: &dyn Storage, head: &mut u64, puts: &[(&str, &[u8])], deletes: &[&str]) {
    storage.write(&batch(*head, puts, deletes), *head).await.unwrap();
    *head += 1;
}

/// All pairs; every key that is allowed lies in this range but a lone byte 127.
pub(crate) async fn everything(storage: &dyn Storage) -> Pairs {
    storage.read("\u{1}", "\u{7f}").await.unwrap()
}

fn keys(pairs: &Pairs) -> Vec<&str> {
    pairs.iter().map(|(key, _)| key.as_str()).collect()
}

fn pair(key: &str, value: &[u8]) -> (String, Vec<u8>) {
    (key.to_owned(), value.to_vec())
}
