//! The storages of browsers, in a real one.

use crate::contract::{a_full_storage_changes_nothing, batch, contract, everything, write};
use futures_util::FutureExt;
use js_sys::{Array, Function, Uint8Array};
use mnemic::Code;
use mnemic::ports::{HEAD_KEY, Storage};
use mnemic::web::{Durability, IndexedDbStorage, LocalStorage, ObjectStorage};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen(module = "/tests/web/storage_objects.js")]
extern "C" {
    #[wasm_bindgen(js_name = plainObject)]
    fn plain_object(name: &str) -> JsValue;
    #[wasm_bindgen(js_name = slowObject)]
    fn slow_object(name: &str) -> JsValue;
    #[wasm_bindgen(js_name = smallObject)]
    fn small_object(name: &str, max_bytes: u32) -> JsValue;
    #[wasm_bindgen(js_name = scriptedObject)]
    fn scripted_object(read: &str, write: &str, close: Option<&str>) -> JsValue;
    fn evaluate(source: &str) -> JsValue;
    #[wasm_bindgen(js_name = withoutIndexedDb)]
    fn without_indexed_db() -> Function;
    #[wasm_bindgen(js_name = refusedIndexedDb)]
    fn refused_indexed_db() -> Function;
    #[wasm_bindgen(js_name = fullAfter)]
    fn full_after(puts: u32) -> Function;
    #[wasm_bindgen(js_name = closingOnce)]
    fn closing_once() -> Function;
    #[wasm_bindgen(js_name = watchDurability)]
    fn watch_durability(seen: &Array) -> Function;
    #[wasm_bindgen(js_name = deleteDatabase, catch)]
    async fn delete_database(name: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = makeNewer, catch)]
    async fn make_newer(name: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = makeFirst, catch)]
    async fn make_first(name: &str, entries: &Array) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = holdFirst)]
    async fn hold_first(name: &str) -> JsValue;
    #[wasm_bindgen(js_name = sortsOf)]
    async fn sorts_of(name: &str) -> JsValue;
    #[wasm_bindgen(js_name = failingBlobs)]
    fn failing_blobs(count: u32) -> Function;
    #[wasm_bindgen(js_name = putForeign, catch)]
    async fn put_foreign(name: &str, key: &str, value: &JsValue) -> Result<JsValue, JsValue>;
}

fn restore(old: &Function) {
    old.call0(&JsValue::UNDEFINED).unwrap();
}

fn clear_local_storage() {
    web_sys::window().unwrap().local_storage().unwrap().unwrap().clear().unwrap();
}

async fn strict(name: &str) -> IndexedDbStorage {
    IndexedDbStorage::open(name, Durability::Strict).await.unwrap()
}

#[wasm_bindgen_test]
async fn strict_indexed_db_keeps_the_contract() {
    contract(async |name: &str| strict(&format!("strict-{name}")).await).await;
}

#[wasm_bindgen_test]
async fn relaxed_indexed_db_keeps_the_contract() {
    contract(async |name: &str| {
        IndexedDbStorage::open(&format!("relaxed-{name}"), Durability::Relaxed).await.unwrap()
    })
    .await;
}

#[wasm_bindgen_test]
async fn local_storage_keeps_the_contract() {
    clear_local_storage();
    contract(async |name: &str| LocalStorage::open(name).unwrap()).await;
    clear_local_storage();
}

#[wasm_bindgen_test]
async fn a_plain_object_keeps_the_contract() {
    contract(async |name: &str| ObjectStorage::new(plain_object(name)).unwrap()).await;
}

#[wasm_bindgen_test]
async fn an_object_with_promises_keeps_the_contract() {
    contract(async |name: &str| ObjectStorage::new(slow_object(&format!("slow-{name}"))).unwrap()).await;
}

#[wasm_bindgen_test]
async fn full_local_storage_changes_nothing() {
    clear_local_storage();
    a_full_storage_changes_nothing(&LocalStorage::open("full").unwrap(), 1 << 20).await;
    clear_local_storage();
}

#[wasm_bindgen_test]
async fn a_full_object_changes_nothing() {
    a_full_storage_changes_nothing(&ObjectStorage::new(small_object("full", 10_000)).unwrap(), 1000).await;
}

#[wasm_bindgen_test]
async fn a_full_indexed_db_changes_nothing() {
    let storage = strict("full").await;
    let mut head = 0;
    write(&storage, &mut head, &[("a", b"1"), ("b", b"2")], &[]).await;
    let before = everything(&storage).await;
    let old = full_after(2);
    let error = storage.write(&batch(head, &[("a", b"3"), ("c", b"4")], &["b"]), head).await.unwrap_err();
    restore(&old);
    assert_eq!(error.code, Code::QuotaExceeded, "{error}");
    assert_eq!(everything(&storage).await, before);
    write(&storage, &mut head, &[("a", b"3")], &["b"]).await;
}

#[wasm_bindgen_test]
async fn indexed_db_asks_for_the_durability_it_was_opened_for() {
    for (durability, expected) in
        [(Durability::Strict, "readwrite strict"), (Durability::Relaxed, "readwrite relaxed")]
    {
        let storage = IndexedDbStorage::open(expected, durability).await.unwrap();
        let seen = Array::new();
        let old = watch_durability(&seen);
        write(&storage, &mut 0, &[], &[]).await;
        restore(&old);
        assert_eq!(seen.iter().map(|seen| seen.as_string().unwrap()).collect::<Vec<_>>(), [expected]);
    }
}

/// Another tab may delete the database at any time: the handle must neither block it nor fail afterwards, and must
/// not take the new, empty database for the old one.
#[wasm_bindgen_test]
async fn a_deleted_database_is_opened_again_and_is_empty() {
    let storage = strict("deleted").await;
    let mut head = 0;
    write(&storage, &mut head, &[("a", b"1")], &[]).await;
    delete_database("mnemic:deleted").await.unwrap();
    assert_eq!(everything(&storage).await, []);
    let error = storage.write(&batch(head, &[], &[]), head).await.unwrap_err();
    assert_eq!(error.code, Code::Conflict, "{error}");
    write(&storage, &mut 0, &[("b", b"2")], &[]).await;
}

/// Safari closes connections in the background without an event; the first sign is that no transaction begins.
#[wasm_bindgen_test]
async fn a_connection_that_is_closing_is_opened_again() {
    let storage = strict("closing").await;
    let mut head = 0;
    let old = closing_once();
    write(&storage, &mut head, &[("a", b"1")], &[]).await;
    restore(&old);
    write(&storage, &mut head, &[("b", b"2")], &[]).await;
    assert_eq!(everything(&storage).await.len(), 3);
}

#[wasm_bindgen_test]
async fn a_write_whose_future_is_dropped_is_still_kept() {
    let storage = strict("dropped-write").await;
    let dropped = batch(0, &[("a", b"1")], &[]);
    assert!(storage.write(&dropped, 0).now_or_never().is_none());
    assert_eq!(everything(&storage).await, dropped.puts);
}

#[wasm_bindgen_test]
async fn a_closed_handle_lets_the_database_go() {
    let storage = strict("let-go").await;
    write(&storage, &mut 0, &[("a", b"1")], &[]).await;
    storage.close();
    delete_database("mnemic:let-go").await.unwrap();
    assert_eq!(storage.read("a", "b").await.unwrap_err().code, Code::Closed);
}

#[wasm_bindgen_test]
async fn a_database_of_a_newer_version_is_refused() {
    make_newer("mnemic:newer").await.unwrap();
    let error = IndexedDbStorage::open("newer", Durability::Strict).await.unwrap_err();
    assert_eq!(error.code, Code::UnsupportedVersion, "{error}");
}

/// Bytes of which no two runs are the same.
fn large(seed: u32, length: u32) -> Vec<u8> {
    (0..length).map(|at| (at.wrapping_mul(2_654_435_761).wrapping_add(seed) >> 13) as u8).collect()
}

#[wasm_bindgen_test]
async fn large_values_are_blobs_in_chromium_and_come_back_in_order() {
    let storage = strict("blobs").await;
    let values: Vec<(String, Vec<u8>)> = (0..20)
        .map(|number| {
            let length = if number % 3 == 0 { 64 * 1024 + number * 1000 } else { 64 * 1024 - 1 };
            (format!("segment/{number:02}"), large(number, length))
        })
        .collect();
    let puts: Vec<(&str, &[u8])> =
        values.iter().map(|(key, value)| (key.as_str(), value.as_slice())).collect();
    let mut head = 0;
    write(&storage, &mut head, &puts, &[]).await;
    assert_eq!(storage.read("segment/", "segment0").await.unwrap(), values);
    assert_eq!(storage.read("segment/03", "segment/05").await.unwrap(), values[3..5]);
    write(
        &storage,
        &mut head,
        &[("segment/00", b"small"), ("segment/01", &large(7, 70_000))],
        &["segment/03"],
    )
    .await;
    let read = storage.read("segment/00", "segment/05").await.unwrap();
    let expected = [
        ("segment/00", b"small".to_vec()),
        ("segment/01", large(7, 70_000)),
        ("segment/02", values[2].1.clone()),
        ("segment/04", values[4].1.clone()),
    ];
    assert_eq!(read, expected.map(|(key, value)| (key.to_owned(), value)));
    let sorts = sorts_of("mnemic:blobs").await.as_string().unwrap();
    for (key, sort) in [
        ("segment/00", "Uint8Array"),
        ("segment/01", "Blob"),
        ("segment/02", "Uint8Array"),
        ("segment/06", "Blob"),
    ] {
        assert!(sorts.contains(&format!("{key} {sort}")), "{key} is no {sort}: {sorts}");
    }
}

#[wasm_bindgen_test]
async fn what_version_1_stored_is_read_and_replaced() {
    let counter = Uint8Array::from(&1_u64.to_le_bytes()[..]);
    let entries = [("head", counter), ("segment/1", Uint8Array::from(&large(1, 100_000)[..]))];
    let entries: Array = entries.iter().map(|(key, value)| Array::of2(&JsValue::from(*key), value)).collect();
    make_first("mnemic:first", &entries).await.unwrap();
    let storage = strict("first").await;
    assert_eq!(
        storage.read("segment/", "segment0").await.unwrap(),
        [("segment/1".to_owned(), large(1, 100_000))]
    );
    write(&storage, &mut 1, &[("segment/1", &large(2, 100_000))], &[]).await;
    assert_eq!(
        storage.read("segment/", "segment0").await.unwrap(),
        [("segment/1".to_owned(), large(2, 100_000))]
    );
}

#[wasm_bindgen_test]
async fn a_tab_that_holds_on_to_version_1_is_named_and_waited_for() {
    make_first("mnemic:held", &Array::new()).await.unwrap();
    let let_go: Function = hold_first("mnemic:held").await.unchecked_into();
    let error = IndexedDbStorage::open("held", Durability::Strict).await.unwrap_err();
    assert_eq!(error.code, Code::Storage);
    assert!(error.message.starts_with("another tab seems to keep"), "{error}");
    restore(&let_go);
    // The one that was given up does not hold on to it either.
    write(&strict("held").await, &mut 0, &[("a", b"1")], &[]).await;
    delete_database("mnemic:held").await.unwrap();
}

/// Blobs are read after their transaction has ended. One that another tab has replaced since is read anew; one that is gone is named.
#[wasm_bindgen_test]
async fn a_blob_that_cannot_be_read_is_asked_for_once_more() {
    let storage = strict("unreadable").await;
    write(&storage, &mut 0, &[("a", b"small"), ("b", &large(1, 100_000))], &[]).await;
    let old = failing_blobs(1);
    let read = storage.read("a", "c").await;
    restore(&old);
    assert_eq!(read.unwrap()[1].1, large(1, 100_000));
    let old = failing_blobs(2);
    let error = storage.read("a", "c").await.unwrap_err();
    restore(&old);
    assert_eq!(error.code, Code::Storage);
    assert!(error.message.contains("under b (NotFoundError: "), "{error}");
    assert_eq!(storage.read("a", "c").await.unwrap().len(), 2);
}

#[wasm_bindgen_test]
async fn a_browser_without_indexed_db_is_told_so() {
    type Way = fn() -> Function;
    for (way, expected) in
        [(without_indexed_db as Way, "undefined"), (refused_indexed_db as Way, "SecurityError")]
    {
        let old = way();
        let outcome = IndexedDbStorage::open("none", Durability::Strict).await;
        restore(&old);
        let error = outcome.unwrap_err();
        assert_eq!(error.code, Code::Storage);
        assert!(error.message.contains(expected), "{error}");
    }
}

#[wasm_bindgen_test]
async fn foreign_values_in_indexed_db_are_damage() {
    let storage = strict("foreign").await;
    write(&storage, &mut 0, &[("a", b"1")], &[]).await;
    put_foreign("mnemic:foreign", "b", &"text".into()).await.unwrap();
    assert_eq!(storage.read("a", "b").await.unwrap().len(), 1);
    let error = everything_fails(&storage).await;
    assert_eq!(error.code, Code::Corrupt, "{error}");
    put_foreign("mnemic:foreign", HEAD_KEY, &JsValue::from(7)).await.unwrap();
    let error = storage.write(&batch(1, &[], &[]), 1).await.unwrap_err();
    assert_eq!(error.code, Code::Corrupt, "{error}");
}

#[wasm_bindgen_test]
async fn foreign_values_in_local_storage_are_damage() {
    clear_local_storage();
    let storage = LocalStorage::open("foreign").unwrap();
    let items = web_sys::window().unwrap().local_storage().unwrap().unwrap();
    items.set_item("mnemic:foreign:a", "{}").unwrap();
    items.set_item("somebody else", "{}").unwrap();
    assert_eq!(everything_fails(&storage).await.code, Code::Corrupt);
    items.remove_item("mnemic:foreign:a").unwrap();
    assert_eq!(everything(&storage).await, []);
    items.set_item("mnemic:foreign:head", "0").unwrap();
    assert_eq!(storage.write(&batch(0, &[], &[]), 0).await.unwrap_err().code, Code::Corrupt);
    clear_local_storage();
}

async fn everything_fails(storage: &dyn Storage) -> mnemic::Error {
    storage.read("\u{1}", "\u{7f}").await.unwrap_err()
}

#[wasm_bindgen_test]
fn what_is_no_storage_object_is_refused() {
    for (source, expected) in [
        ("undefined", "undefined"),
        ("null", "null"),
        ("'text'", "a string"),
        ("7", "a number"),
        ("{}", "its read is undefined"),
        ("{ read() {} }", "its write is undefined"),
        ("{ read() {}, write: 'text' }", "its write is a string"),
        ("{ read() {}, write() {}, close: 7 }", "its close is a number"),
        ("{ read() {}, get write() { throw new Error('no writing') } }", "no writing"),
    ] {
        let error = ObjectStorage::new(evaluate(source)).unwrap_err();
        assert_eq!(error.code, Code::InvalidInput, "{source}");
        assert!(error.message.contains(expected), "{source}: {error}");
    }
}

/// Source of an array that throws when this property is read.
fn trap(property: &str) -> String {
    format!(
        "return new Proxy(['b', new Uint8Array(1)], {{ get(array, property) {{
            if (property === '{property}') throw new Error('trap');
            return array[property];
        }} }})"
    )
}

#[wasm_bindgen_test]
async fn nonsense_from_an_object_is_an_error() {
    for (read, expected) in [
        ("", "undefined"),
        ("return null", "null"),
        ("return 'text'", "a string"),
        ("return { length: 1 }", "an object"),
        ("return new Map([['b', new Uint8Array(1)]])", "a Map"),
        ("return Promise.resolve(7)", "a number"),
        ("return ['bc']", "a string as pair 0"),
        ("return [['b', new Uint8Array(1)], undefined]", "undefined as pair 1"),
        ("return [[7, new Uint8Array(1)]]", "a number as key 0"),
        ("return [[]]", "undefined as key 0"),
        ("return [['b', 'text']]", "a string as the value"),
        ("return [['b', [1, 2]]]", "an array of 2 as the value"),
        ("return [['b', new Uint16Array(1)]]", "a Uint16Array as the value"),
        ("return [['a', new Uint8Array(1)]]", "out of range"),
        ("return [['d', new Uint8Array(1)]]", "out of range"),
        ("return [['c', new Uint8Array(1)], ['b', new Uint8Array(1)]]", "out of order"),
        ("return [['b', new Uint8Array(1)], ['b', new Uint8Array(1)]]", "out of order"),
        ("return new Proxy([], { get() { throw new Error('trap') } })", "trap"),
        (&trap("length"), "an array"),
        (&trap("0"), "an array that throws: trap"),
        (&format!("return [(() => {{ {} }})()]", trap("1")), "an array that throws: trap"),
        ("return new Array(4e9)", "undefined as pair 0"),
        ("throw new TypeError('sync')", "TypeError: sync"),
        ("return Promise.reject(new RangeError('async'))", "RangeError: async"),
        ("throw 'only text'", "only text"),
        ("throw undefined", "undefined"),
        ("throw Object.create(null)", "an object"),
        ("return { then() { throw new Error('thenable') } }", "thenable"),
    ] {
        let storage = ObjectStorage::new(scripted_object(read, "", None)).unwrap();
        let error = storage.read("b", "d").await.unwrap_err();
        assert_eq!(error.code, Code::Storage, "{read}");
        assert!(error.message.contains(expected), "{read}: {error}");
    }
}

#[wasm_bindgen_test]
async fn failures_of_an_object_get_their_codes() {
    for (write, expected, text) in [
        ("throw Object.assign(new Error('moved'), { name: 'Conflict' })", Code::Conflict, "moved"),
        ("throw Object.assign(new Error('moved'), { code: 'Conflict' })", Code::Conflict, "moved"),
        ("return Promise.reject({ code: 'Conflict', message: 'moved' })", Code::Conflict, "moved"),
        ("throw Object.assign(new Error('full'), { name: 'QuotaExceeded' })", Code::QuotaExceeded, "full"),
        (
            "return Promise.reject(Object.assign(new Error('full'), { code: 'QuotaExceeded' }))",
            Code::QuotaExceeded,
            "full",
        ),
        ("throw new DOMException('full', 'QuotaExceededError')", Code::QuotaExceeded, "full"),
        ("throw Object.assign(new Error('disk'), { code: 'EIO' })", Code::Storage, "disk"),
        ("throw Object.assign(new Error('disk'), { code: 7, name: {} })", Code::Storage, "disk"),
        ("throw 'Conflict'", Code::Storage, "Conflict"),
        ("throw new Error('x'.repeat(1e7))", Code::Storage, "xxx"),
        ("throw { get message() { throw 1 }, get code() { throw 2 } }", Code::Storage, "an object"),
    ] {
        let storage = ObjectStorage::new(scripted_object("return []", write, None)).unwrap();
        let error = storage.write(&batch(0, &[], &[]), 0).await.unwrap_err();
        assert_eq!(error.code, expected, "{write}");
        assert!(error.message.contains(text), "{write}: {error}");
        assert!(error.message.len() < 1200, "{write}: a message of {} bytes", error.message.len());
    }
}

#[wasm_bindgen_test]
async fn an_object_is_given_plain_data() {
    let check = "
        if (Object.keys(batch).join() !== 'puts,deletes') throw new Error('keys');
        const [key, value] = batch.puts[0];
        if (key !== 'a' || !(value instanceof Uint8Array) || value.join() !== '0,255') throw new Error('put');
        if (batch.puts.length !== 2 || batch.puts[1][0] !== 'head') throw new Error('head');
        if (batch.deletes.join() !== 'b,c' || !Array.isArray(batch.deletes)) throw new Error('deletes');
        if (expectedHead !== 9007199254740991) throw new Error('expectedHead ' + expectedHead);";
    let storage = ObjectStorage::new(scripted_object("return []", check, None)).unwrap();
    let head = (1 << 53) - 1;
    storage.write(&batch(head, &[("a", &[0, 255])], &["b", "c"]), head).await.unwrap();
    let error = storage.write(&batch(head + 1, &[], &[]), head + 1).await.unwrap_err();
    assert_eq!(error.code, Code::Storage, "a head that a number cannot say must not be rounded: {error}");
}

#[wasm_bindgen_test]
async fn closing_an_object_waits_for_nothing() {
    let never = "return new Promise(() => {})";
    for close in [
        None,
        Some(never),
        Some("throw new Error('on purpose')"),
        Some("return Promise.reject('on purpose')"),
    ] {
        let storage = ObjectStorage::new(scripted_object(never, never, close)).unwrap();
        let batch = batch(0, &[], &[]);
        let writing = storage.write(&batch, 0);
        assert!(writing.now_or_never().is_none());
        storage.close();
    }
}
