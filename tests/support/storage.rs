//! A storage that counts, waits and fails as a test tells it.

use super::platform::yield_now;
use futures_util::FutureExt;
use mnemic::ports::{Batch, HEAD_KEY, Pairs, Pending, ReadAt, Storage};
use mnemic::storage::MemoryStorage;
use mnemic::{Code, Error, Result};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// What becomes of one write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Write {
    /// It works.
    Works,
    /// It fails with this code and changes nothing.
    Fails(Code),
    /// The first puts are kept, the head is not, as when localStorage is stopped in the middle.
    Tears(usize),
    /// Everything is kept, and the answer is lost.
    LosesAnswer,
}

/// A handle on an image.
#[derive(Default)]
pub(crate) struct TestStorage {
    image: MemoryStorage,
    /// How often a call lets others run before it touches the image, and before it answers.
    pub(crate) yields: Cell<usize>,
    /// What becomes of the next writes; when it is empty, they work.
    pub(crate) plan: RefCell<VecDeque<Write>>,
    /// What becomes of the next reads.
    pub(crate) failing_reads: Cell<usize>,
    /// How many of the next reads answer every value with a bit turned, while the image stays as it is.
    pub(crate) wrong_reads: Cell<usize>,
    pub(crate) writes: Cell<usize>,
    pub(crate) bytes_written: Cell<usize>,
    /// The bytes of the largest read.
    pub(crate) most_read: Cell<usize>,
    /// The bytes of the largest write.
    pub(crate) most_written: Cell<usize>,
    pub(crate) is_closed: Cell<bool>,
    /// Reads parts of values at once, where a test lets it.
    pub(crate) reader: Option<Rc<TestReader>>,
}

/// Reads parts of values of an image at once.
pub(crate) struct TestReader {
    image: MemoryStorage,
    /// How many readings there were.
    pub(crate) reads: Cell<usize>,
    /// How many of the next readings fail.
    pub(crate) failing: Cell<usize>,
    /// How many of the next readings answer with a bit turned.
    pub(crate) wrong: Cell<usize>,
}

/// Takes one off a number, if there is one.
fn counted_down(number: &Cell<usize>) -> bool {
    let left = number.get();
    number.set(left.saturating_sub(1));
    left > 0
}

impl ReadAt for TestReader {
    fn read_at(&self, key: &str, offset: usize, length: usize) -> Result<Option<Vec<u8>>> {
        self.reads.set(self.reads.get() + 1);
        if counted_down(&self.failing) {
            return Err(Error::new(Code::Storage, "the reading fails on purpose"));
        }
        let end = format!("{key}!");
        let pairs = self.image.read(key, &end).now_or_never();
        let pairs = pairs.unwrap_or_else(|| Err(Error::new(Code::Internal, "an image answers at once")))?;
        let value = pairs.into_iter().next().map(|(_, value)| value);
        Ok(value.map(|value| {
            let mut bytes = value[offset.min(value.len())..(offset + length).min(value.len())].to_vec();
            if counted_down(&self.wrong) {
                bytes[0] ^= 1;
            }
            bytes
        }))
    }
}

impl TestStorage {
    /// A handle on a shared image.
    pub(crate) fn on(image: &MemoryStorage) -> Self {
        Self { image: image.clone(), ..Self::default() }
    }

    /// The same for one that also reads parts of values.
    pub(crate) fn with_reader(image: &MemoryStorage) -> Self {
        let image = image.clone();
        let (reads, failing, wrong) = (Cell::default(), Cell::default(), Cell::default());
        let reader = Some(Rc::new(TestReader { image: image.clone(), reads, failing, wrong }));
        Self { image, reader, ..Self::default() }
    }

    /// The next writes end so.
    pub(crate) fn plan(&self, writes: impl IntoIterator<Item = Write>) {
        self.plan.borrow_mut().extend(writes);
    }

    async fn pause(&self) {
        for _ in 0..self.yields.get() {
            yield_now().await;
        }
    }
}

impl Storage for TestStorage {
    fn read<'a>(&'a self, start: &'a str, end: &'a str) -> Pending<'a, Result<Pairs>> {
        Box::pin(async move {
            assert!(!self.is_closed.get(), "read after close");
            self.pause().await;
            if let Some(left) = self.failing_reads.get().checked_sub(1) {
                self.failing_reads.set(left);
                return Err(Error::new(Code::Storage, "the read fails on purpose"));
            }
            let mut pairs = self.image.read(start, end).await?;
            let size = pairs.iter().map(|(_, value)| value.len()).sum();
            self.most_read.set(self.most_read.get().max(size));
            if let Some(left) = self.wrong_reads.get().checked_sub(1) {
                self.wrong_reads.set(left);
                for (_, value) in &mut pairs {
                    value[20] ^= 1;
                }
            }
            self.pause().await;
            Ok(pairs)
        })
    }

    fn write<'a>(&'a self, batch: &'a Batch, expected_head: u64) -> Pending<'a, Result<()>> {
        Box::pin(async move {
            assert!(!self.is_closed.get(), "write after close");
            check(batch);
            let fate = self.plan.borrow_mut().pop_front().unwrap_or(Write::Works);
            self.pause().await;
            self.writes.set(self.writes.get() + 1);
            let size: usize = batch.puts.iter().map(|(key, value)| key.len() + value.len()).sum();
            self.bytes_written.set(self.bytes_written.get() + size);
            self.most_written.set(self.most_written.get().max(size));
            let lost = Error::new(Code::Storage, "the write fails on purpose");
            let answer = match fate {
                Write::Works => self.image.write(batch, expected_head).await,
                Write::Fails(code) => Err(Error::new(code, "the write fails on purpose")),
                Write::Tears(kept) => {
                    let kept = kept.min(batch.puts.len() - 1);
                    let torn = Batch { puts: batch.puts[..kept].to_vec(), deletes: Vec::new() };
                    self.image.write(&torn, expected_head).await.and(Err(lost))
                }
                Write::LosesAnswer => self.image.write(batch, expected_head).await.and(Err(lost)),
            };
            self.pause().await;
            answer
        })
    }

    fn reader(&self) -> Option<Rc<dyn ReadAt>> {
        Some(self.reader.clone()?)
    }

    fn close(&self) {
        assert!(!self.is_closed.replace(true), "closed twice");
    }
}

/// What the engine promises of every batch.
fn check(batch: &Batch) {
    let mut keys: Vec<&str> = batch.puts.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys.last(), Some(&HEAD_KEY), "the head comes last");
    keys.extend(batch.deletes.iter().map(String::as_str));
    keys.sort_unstable();
    assert!(keys.iter().all(|key| key.is_ascii() && (1..=64).contains(&key.len())), "{keys:?}");
    assert!(keys.windows(2).all(|two| two[0] != two[1]), "a key stands twice in a batch");
    assert!(!batch.deletes.iter().any(|key| key == HEAD_KEY));
    for (key, value) in &batch.puts {
        assert!(value.len() <= mnemic::ports::MAX_VALUE_BYTES + 4096, "{key} has {} bytes", value.len());
    }
}
