//! A storage in memory, for tests, for incognito use and where there is no other.

use crate::error::{Code, Error, Result};
use crate::ordered::Ordered;
use crate::ports::{Batch, HEAD_KEY, Pairs, Pending, Storage, head_counter};
use crate::storage::conflict;
use std::cell::RefCell;
use std::rc::Rc;

/// A [`Storage`] that lives as long as its handles.
///
/// A clone is a second handle on the same image, as a second tab is on the same database; closing a handle keeps the
/// image.
///
/// ```
/// use mnemic::ports::{Batch, HEAD_KEY, Storage};
/// use mnemic::storage::MemoryStorage;
///
/// # futures_executor::block_on(async {
/// let storage = MemoryStorage::default();
/// let head = 1u64.to_le_bytes().to_vec();
/// let batch = Batch { puts: vec![("a".into(), b"tea".to_vec()), (HEAD_KEY.into(), head)], deletes: vec![] };
/// storage.write(&batch, 0).await?;
/// assert_eq!(storage.clone().read("a", "b").await?, [("a".to_owned(), b"tea".to_vec())]);
/// # Ok::<(), mnemic::Error>(())
/// # }).unwrap();
/// ```
#[derive(Debug, Clone, Default)]
pub struct MemoryStorage {
    image: Rc<RefCell<Ordered<String, Vec<u8>>>>,
    max_bytes: Option<usize>,
}

impl MemoryStorage {
    /// An empty storage that holds at most `max_bytes`, the bytes of keys and values together. The default has no limit.
    #[must_use]
    pub fn with_max_bytes(max_bytes: usize) -> Self {
        Self { image: Rc::default(), max_bytes: Some(max_bytes) }
    }

    /// The bytes of all keys and values together.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.image.borrow().iter().map(|(key, value)| key.len() + value.len()).sum()
    }

    fn apply(&self, batch: &Batch, expected_head: u64) -> Result<()> {
        let head = head_counter(self.image.borrow().get(HEAD_KEY).map(Vec::as_slice))?;
        if head != expected_head {
            return Err(conflict(expected_head, head));
        }
        self.reserve(batch)?;
        let mut image = self.image.borrow_mut();
        image.extend(batch.puts.iter().cloned());
        for key in &batch.deletes {
            image.remove(key);
        }
        Ok(())
    }

    /// Refuses a batch after which the image would be larger than it may be.
    fn reserve(&self, batch: &Batch) -> Result<()> {
        let Some(max_bytes) = self.max_bytes else { return Ok(()) };
        let image = self.image.borrow();
        let kept = |key: &String| image.get(key).map_or(0, |value| key.len() + value.len());
        let added: usize = batch.puts.iter().map(|(key, value)| key.len() + value.len()).sum();
        let replaced: usize = batch.puts.iter().map(|(key, _)| kept(key)).sum();
        let deleted: usize = batch.deletes.iter().map(kept).sum();
        let bytes = (self.bytes() + added).saturating_sub(replaced + deleted);
        if bytes > max_bytes {
            return Err(Error::new(
                Code::QuotaExceeded,
                format!("the memory storage would hold {bytes} bytes; {max_bytes} are allowed; delete something or allow more"),
            )
            .with("maxBytes", max_bytes));
        }
        Ok(())
    }
}

impl Storage for MemoryStorage {
    fn read<'a>(&'a self, start: &'a str, end: &'a str) -> Pending<'a, Result<Pairs>> {
        Box::pin(async move {
            let image = self.image.borrow();
            let pairs = image.iter_from(start).take_while(|(key, _)| key.as_str() < end);
            Ok(pairs.map(|(key, value)| (key.clone(), value.clone())).collect())
        })
    }

    fn write<'a>(&'a self, batch: &'a Batch, expected_head: u64) -> Pending<'a, Result<()>> {
        Box::pin(async move { self.apply(batch, expected_head) })
    }

    fn close(&self) {}
}
