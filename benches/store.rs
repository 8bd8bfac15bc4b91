//! How fast the store puts, opens, folds and answers; every answer is checked.
//!
//! The image is 10 000 (or 100 000) records of 20 words in commits of ten, each with a vector of 384 dimensions near one of a
//! hundred topics.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a bench stops at what it did not expect"
)]

#[path = "../tests/support/mod.rs"]
mod support;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use futures_executor::LocalPool;
use mnemic::database::Database;
use mnemic::log::{Cause, replay};
use mnemic::ports::{Pairs, Platform};
use mnemic::storage::MemoryStorage;
use mnemic::store::{Cuts, Division, Draft, Expect, Query, Store};
use mnemic::{Embedding, Id, Kind, Record};
use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;
use support::image::{pairs_of, scope, storage_of};
use support::platform::{START, TestPlatform};
use support::storage::TestStorage;

const EMBEDDER: &str = "bench";
const DIMENSIONS: usize = 384;
const PER_COMMIT: usize = 10;

struct Source {
    platform: Rc<TestPlatform>,
    topics: Vec<Vec<f32>>,
}

impl Source {
    fn below(&self, count: u64) -> u64 {
        self.platform.next() % count
    }

    /// Twenty words; the rarer a word, the higher its number.
    fn text(&self) -> String {
        let word = |_| format!("word{}", self.below(1 + self.below(3000)));
        (0..20).map(word).collect::<Vec<_>>().join(" ")
    }

    /// A vector near one of the topics, as texts are.
    fn embedding(&self) -> Embedding {
        let topic = &self.topics[self.below(self.topics.len() as u64) as usize];
        let values: Vec<f32> = topic.iter().map(|value| value + self.value() * 0.7).collect();
        Embedding::quantise(EMBEDDER, &values).unwrap()
    }

    fn value(&self) -> f32 {
        self.below(2001) as f32 / 1000.0 - 1.0
    }

    fn drafts(&self, records: usize) -> Vec<Draft> {
        let scope = scope("alice");
        let draft = |first: usize| {
            let mut draft = Draft::new(&scope, Cause::User);
            for number in first..first + PER_COMMIT {
                let id = Id::new(START, self.platform.random());
                let mut record = Record::new(id, Kind::Message, scope.clone(), START);
                record.text = Some(self.text());
                record.key = Some(format!("thread/{number:06}"));
                draft.put(record, Expect::Absent, Some(self.embedding()));
            }
            draft
        };
        (0..records).step_by(PER_COMMIT).map(draft).collect()
    }
}

/// Puts all drafts, one after the other, and gives back how many bytes were written.
fn put(
    pool: &mut LocalPool,
    platform: &Rc<TestPlatform>,
    storage: &MemoryStorage,
    drafts: Vec<Draft>,
) -> usize {
    let storage = Rc::new(TestStorage::on(storage));
    pool.run_until(async {
        let database = Database::open(storage.clone(), platform.clone(), EMBEDDER).await.unwrap();
        for draft in drafts {
            database.commit(draft).await.unwrap();
        }
    });
    storage.bytes_written.get()
}

fn open(pairs: &Pairs) -> Store {
    Store::load(EMBEDDER, replay(pairs, 0).unwrap()).store
}

fn benches(criterion: &mut Criterion) {
    let (platform, mut pool) = TestPlatform::new(5);
    let mut source = Source { platform: platform.clone(), topics: Vec::new() };
    source.topics = (0..100).map(|_| (0..DIMENSIONS).map(|_| source.value()).collect()).collect();
    let mut group = criterion.benchmark_group("store");
    group.sample_size(10);
    let drafts = source.drafts(10_000);
    group.bench_function("put 10k in commits of 10", |bencher| {
        bencher.iter_batched(
            || drafts.clone(),
            |drafts| put(&mut pool, &platform, &MemoryStorage::default(), drafts),
            BatchSize::PerIteration,
        );
    });
    for (name, records) in [("10k", 10_000), ("100k", 100_000)] {
        let storage = MemoryStorage::default();
        let written = put(&mut pool, &platform, &storage, source.drafts(records));
        let pairs = pairs_of(&storage);
        let report = pool.run_until(async {
            let database =
                Database::open(Rc::new(storage.clone()), platform.clone(), EMBEDDER).await.unwrap();
            database.verify().await.unwrap()
        });
        assert!(report.ok && report.records == records, "{report:?}");
        let factor = written as f64 / storage.bytes() as f64;
        assert!(factor < 2.0 + (records as f64 / 1000.0).log2(), "each byte was written {factor} times");
        let parts =
            format!("{} values, {} segments, written {factor:.1} times", pairs.len(), report.segments);
        group.bench_function(format!("open {name} ({parts})"), |bencher| {
            bencher.iter_with_large_drop(|| {
                let store = open(&pairs);
                let counts = store.counts();
                assert_eq!((counts.records, counts.vectors, counts.unembedded), (records, records, 0));
                store
            });
        });
        let store = open(&pairs);
        let scope = scope("alice");
        let query = source.embedding();
        let wanted = store.records(&scope, Kind::Message).nth(records / 2).unwrap();
        let text: String = wanted.text.unwrap().split(' ').take(5).collect::<Vec<_>>().join(" ");
        let (wanted_id, wanted_key) = (wanted.id, wanted.key.unwrap().to_owned());
        group.bench_function(format!("hybrid search over {name}"), |bencher| {
            bencher.iter(|| {
                let query = Query { text: &text, embedding: Some(&query), limit: 10, now: START };
                let found = store.search(&scope, Kind::Message, black_box(&query), &|_| true).unwrap();
                assert!(found.len() == 10 && found.iter().any(|found| found.record.id == wanted_id));
            });
        });
        group.bench_function(format!("search over {name} that wants one in ten"), |bencher| {
            bencher.iter(|| {
                let query = Query { text: &text, embedding: Some(&query), limit: 10, now: START };
                let tenth = |view: &mnemic::log::RecordView<'_>| view.id.bytes()[15].is_multiple_of(10);
                let found = store.search(&scope, Kind::Message, black_box(&query), &tenth).unwrap();
                assert!(found.len() == 10 && found.iter().all(|found| tenth(&found.record)));
            });
        });
        group.bench_function(format!("by key in {name}"), |bencher| {
            bencher.iter(|| {
                let found = store.by_key(&scope, Kind::Message, black_box(&wanted_key)).unwrap();
                assert_eq!(found.id, wanted_id);
            });
        });
        group.bench_function(format!("history in {name}"), |bencher| {
            bencher.iter(|| assert_eq!(store.history(&scope, black_box(wanted_id)).unwrap().len(), 1));
        });
        group.bench_function(format!("fold all of {name}"), |bencher| {
            bencher.iter_with_large_drop(|| {
                let folded = store.fold(1, store.sequence(), &Cuts::default(), &Division::default());
                assert!(folded.values.iter().all(|values| !values.is_empty()));
                folded
            });
        });
        // The first record is in the oldest segment, so everything is written anew.
        group.bench_function(format!("erase the first of {name}"), |bencher| {
            let first = store.records(&scope, Kind::Message).next().unwrap().id;
            let mut draft = Draft::new(&scope, Cause::Forget);
            draft.delete(first, Expect::Any);
            draft.erase.push(first);
            let pool = RefCell::new(&mut pool);
            bencher.iter_batched(
                || {
                    let storage = Rc::new(storage_of(&pairs));
                    let opening = Database::open(storage, platform.clone(), EMBEDDER);
                    (pool.borrow_mut().run_until(opening).unwrap(), draft.clone())
                },
                |(database, draft)| {
                    let erased = pool.borrow_mut().run_until(database.commit(draft)).unwrap();
                    assert_eq!(erased.changes.len(), 1);
                    database
                },
                BatchSize::PerIteration,
            );
        });
    }
}

criterion_group!(store, benches);
criterion_main!(store);
