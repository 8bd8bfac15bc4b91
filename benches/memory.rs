//! How much memory a record takes in an open engine, by kind, and both as it was written and as it is opened later.
//!
//! Counted is all that closing the memory gives back, as an allocator hands it out: each piece in steps of 16 bytes with 8 in
//! front. Not counted are the record's own text and what a storage in memory keeps. There are no vectors: the embedder always
//! fails. What one takes is said apart: of 384 dimensions, with its sketch. The bytes in which a record is stored, its key, its
//! words in the index and the commit that brought it are counted. Pointers have 8 bytes here; they have 4 in WebAssembly, where
//! everything takes less.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench stops at what it did not expect, and prints"
)]

#[path = "../tests/support/machine.rs"]
#[expect(dead_code, reason = "no time passes in this bench")]
mod machine;

#[path = "../tests/support/embedder.rs"]
#[expect(dead_code, reason = "there are no vectors in this bench")]
mod embedder;

use embedder::ToyEmbedder;
use machine::Machine;
use mnemic::engine::{Engine, Options, Parts};
use mnemic::index::vector::FlatIndex;
use mnemic::storage::MemoryStorage;
use serde_json::{Value, json};
use std::alloc::{GlobalAlloc, Layout, System};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

const SCOPE: &str = r#"{"userId":"alice"}"#;
const RECORDS: usize = 20_000;
const DIMENSIONS: usize = 384;
/// The most bytes that a record may take beside its text and vector.
const TARGET: usize = 700;

/// The system's allocator, which counts what is in use.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

fn taken(layout: Layout) -> usize {
    (layout.size() + 8).next_multiple_of(16)
}

#[expect(unsafe_code, reason = "an allocator is; it hands on what it is given")]
// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.fetch_add(taken(layout), Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(taken(layout), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn in_use() -> usize {
    IN_USE.load(Ordering::Relaxed)
}

fn open(machine: &Machine, storage: &MemoryStorage) -> Engine {
    let parts = Parts {
        storage: Rc::new(storage.clone()),
        platform: machine.platform(),
        llm: None,
        embedder: Some(ToyEmbedder::failing()),
        tokenizer: None,
    };
    machine.run(async move { Engine::open(parts, Options::default()).await }).unwrap()
}

fn call(machine: &Machine, engine: &Engine, name: &str, options: &Value) {
    let (engine, name, options) = (engine.clone(), name.to_owned(), options.to_string());
    machine.run(async move { engine.call(&name, SCOPE, &options).await }).unwrap();
}

fn close(machine: &Machine, engine: Engine) {
    machine.run(async move { engine.close().await });
}

/// Twelve words of three thousand, the rarer the higher their number, and one that is the text's own.
fn text(number: usize) -> String {
    let mut state = number;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    let mut word = |_| {
        let most = below(3000);
        format!("word{}", below(1 + most))
    };
    (0..11).map(&mut word).chain([format!("own{number}")]).collect::<Vec<_>>().join(" ")
}

/// What is written in one call, from a number on.
type Write = fn(usize, usize) -> (&'static str, Value);

fn messages(first: usize, count: usize) -> (&'static str, Value) {
    let said = |number: usize| json!({ "role": "user", "content": text(number) });
    ("threads.append", json!({ "messages": (first..first + count).map(said).collect::<Vec<_>>() }))
}

fn facts(first: usize, count: usize) -> (&'static str, Value) {
    let fact = |number: usize| json!({ "text": text(number) });
    ("facts.import", json!({ "facts": (first..first + count).map(fact).collect::<Vec<_>>() }))
}

/// The bytes of a vector in its index.
fn vector_bytes() -> usize {
    let mut index = FlatIndex::new(DIMENSIONS);
    for document in 0..RECORDS as u32 {
        index.insert(document, 0.001, &[7; DIMENSIONS]).unwrap();
    }
    index.memory_bytes() / RECORDS
}

fn main() {
    println!("a vector of {DIMENSIONS} dimensions: {} bytes", vector_bytes());
    let kinds: [(&str, usize, Write); 4] = [
        ("a message, 500 in a call", 500, messages),
        ("a message, one in a call", 1, messages),
        ("a fact, 500 in a call", 500, facts),
        ("a fact, one in a call", 1, facts),
    ];
    for (name, per_call, write) in kinds {
        let (machine, storage) = (Machine::new(3), MemoryStorage::default());
        let engine = open(&machine, &storage);
        for first in (0..RECORDS).step_by(per_call) {
            let (method, options) = write(first, per_call);
            call(&machine, &engine, method, &options);
        }
        let texts: usize = (0..RECORDS).map(|number| text(number).len()).sum();
        let own = |bytes: usize| (bytes - texts) / RECORDS;
        let filled = in_use();
        close(&machine, engine);
        let closed = in_use();
        let engine = open(&machine, &storage);
        let opened = in_use();
        close(&machine, engine);
        println!(
            "{name}: {} bytes as written, {} as opened; {TARGET} are allowed",
            own(filled - closed),
            own(opened - closed)
        );
    }
}
