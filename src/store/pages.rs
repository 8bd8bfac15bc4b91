//! Pages: values of segments of which only what was read lately is in memory.
//!
//! A page holds whole records, so a record is read in place, as where everything is kept. Pages are read while the state is borrowed
//! and let go of between two borrows, so whoever reads holds what it reads. The checksum of a page is that of the bytes which were
//! verified with the value as a whole; a page that has another one is damaged, and never taken for a record that is not there.
//! A record that takes several values has two pages: the first has its key, so that others are found without the rest of it.

use crate::error::{Code, Error, Result};
use crate::growth::list_bytes;
use crate::log::{
    CommitView, MAX_VALUE_BYTES, VALUE_HEADER_BYTES, is_spread, parse_segment_key, segment_key,
};
use mnemic_core::checksum::crc32;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// About how many bytes a page has: it ends with the first record that reaches so far.
const PAGE_BYTES: usize = 16 * 1024;

/// Parts of stored values, read at once.
pub trait ReadAt {
    /// `length` bytes of a value from `offset` on, fewer when it ends before; `None` when there is no such key.
    ///
    /// # Errors
    /// `Storage` when the medium fails.
    fn read_at(&self, key: &str, offset: usize, length: usize) -> Result<Option<Vec<u8>>>;
}

/// Values of segments in pages. A trait, so that the code of its one implementation is where it is made, and not wherever a record
/// is read.
pub(super) trait Pages {
    /// Takes in the payload of a value, which is sound: its number.
    fn add(&mut self, key: &str, payload: &[u8], sections: &[(usize, usize)]) -> u32;

    /// A run of bytes of a value; `None` when it cannot be read.
    fn bytes(&self, value: u32, offset: u32, length: u32) -> Option<&[u8]>;

    /// As many of them as are of one page.
    fn beginning(&self, value: u32, offset: u32, length: u32) -> Option<&[u8]>;

    /// Whether something could not be read.
    fn has_fault(&self) -> bool;

    /// Why something could not be read; it is told once.
    fn fault(&self) -> Option<Error>;

    /// The keys of the values.
    fn keys(&self) -> Vec<&str>;

    /// Lets go of all values but these.
    fn retain(&mut self, values: &[u32]);

    /// Lets go of pages that were not read lately, until those in memory have no more than so many bytes.
    fn evict(&mut self, most: usize);

    /// How many bytes of pages are in memory.
    fn cached_bytes(&self) -> usize;

    /// The most bytes held on the heap beside those.
    fn memory_bytes(&self) -> usize;
}

/// The pages that a reader reads.
pub(super) struct PageCache {
    reader: Rc<dyn ReadAt>,
    values: Vec<Option<Paged>>,
    cached: Cell<usize>,
    /// How many bytes of pages may be in memory, as was said last.
    most: usize,
    fault: RefCell<Option<Error>>,
    /// The value where the next round of evictions begins.
    hand: usize,
}

/// One value.
struct Paged {
    key: Box<str>,
    length: u32,
    /// Whether it takes several values, of which the key is that of the first.
    is_spread: bool,
    pages: Box<[Page]>,
    /// All of it, for what spans pages.
    whole: OnceCell<Box<[u8]>>,
}

struct Page {
    start: u32,
    /// Computed when its bytes are let go of: until then those in memory are the ones that were verified.
    checksum: Option<u32>,
    /// Whether it was read since the last round.
    is_used: Cell<bool>,
    bytes: OnceCell<Box<[u8]>>,
}

impl PageCache {
    pub(super) fn new(reader: Rc<dyn ReadAt>) -> Self {
        let (values, cached, most) = (Vec::new(), Cell::new(0), usize::MAX);
        Self { reader, values, cached, most, fault: RefCell::default(), hand: 0 }
    }

    fn value(&self, value: u32) -> Option<&Paged> {
        self.values.get(value as usize)?.as_ref()
    }

    /// The bytes of a page, read if they are not in memory.
    fn page<'a>(&self, value: &'a Paged, at: usize) -> Option<&'a [u8]> {
        let page = value.pages.get(at)?;
        page.is_used.set(true);
        if page.bytes.get().is_none() {
            let bytes = self.sound(value, at)?;
            self.cached.set(self.cached.get() + bytes.len());
            // It was empty just now.
            page.bytes.set(bytes.into_boxed_slice()).unwrap_or_default();
        }
        page.bytes.get().map(AsRef::as_ref)
    }

    /// Reads a page and checks it.
    fn sound(&self, value: &Paged, at: usize) -> Option<Vec<u8>> {
        let (page, end) = (value.pages.get(at)?, value.end_of(at));
        let (start, length) = (page.start as usize, (end - page.start) as usize);
        let run = (VALUE_HEADER_BYTES + start, length);
        let checksum = page.checksum.unwrap_or_default();
        let bytes = if value.is_spread {
            read_sound(&Spread(&*self.reader), &value.key, run, checksum)
        } else {
            read_sound(&*self.reader, &value.key, run, checksum)
        };
        bytes.map_err(|error| self.fault.borrow_mut().get_or_insert(error).code).ok()
    }

    /// All of a value, from its pages.
    fn whole<'a>(&self, value: &'a Paged) -> Option<&'a [u8]> {
        if value.whole.get().is_none() {
            let mut whole = Vec::with_capacity(value.length as usize);
            for at in 0..value.pages.len() {
                match value.pages.get(at)?.bytes.get() {
                    Some(bytes) => whole.extend_from_slice(bytes),
                    None => whole.extend(self.sound(value, at)?),
                }
            }
            self.cached.set(self.cached.get() + whole.len());
            // It was empty just now.
            value.whole.set(whole.into_boxed_slice()).unwrap_or_default();
        }
        value.whole.get().map(AsRef::as_ref)
    }
}

impl Pages for PageCache {
    fn add(&mut self, key: &str, payload: &[u8], sections: &[(usize, usize)]) -> u32 {
        let starts = starts(payload, sections);
        let ends = starts.iter().skip(1).copied().chain([payload.len()]);
        // Where there is no room it is not copied either, and read when it is needed.
        let fits = self.cached.get() + payload.len() <= self.most;
        let pages = starts.iter().zip(ends).map(|(start, end)| {
            let bytes = payload.get(*start..end).unwrap_or_default();
            let checksum = (!fits).then(|| crc32(bytes));
            let bytes = if fits { OnceCell::from(Box::from(bytes)) } else { OnceCell::new() };
            // A payload has less than four GiB.
            Page { start: *start as u32, checksum, is_used: Cell::new(fits), bytes }
        });
        let (key, length) = (Box::from(key), payload.len() as u32);
        let is_spread = is_spread(payload, sections);
        let value = Some(Paged { key, length, is_spread, pages: pages.collect(), whole: OnceCell::new() });
        if fits {
            self.cached.set(self.cached.get() + payload.len());
        }
        let free = self.values.iter().position(Option::is_none);
        let at = free.unwrap_or(self.values.len());
        match self.values.get_mut(at) {
            Some(free) => *free = value,
            None => self.values.push(value),
        }
        at as u32
    }

    fn bytes(&self, value: u32, offset: u32, length: u32) -> Option<&[u8]> {
        let value = self.value(value)?;
        let at = value.page_of(offset);
        let (bytes, start) = if offset + length <= value.end_of(at) && value.whole.get().is_none() {
            (self.page(value, at)?, value.pages.get(at)?.start)
        } else {
            (self.whole(value)?, 0)
        };
        bytes.get((offset - start) as usize..(offset - start + length) as usize)
    }

    fn beginning(&self, value: u32, offset: u32, length: u32) -> Option<&[u8]> {
        let paged = self.value(value)?;
        let end = paged.end_of(paged.page_of(offset));
        self.bytes(value, offset, length.min(end - offset))
    }

    fn has_fault(&self) -> bool {
        self.fault.borrow().is_some()
    }

    fn fault(&self) -> Option<Error> {
        self.fault.take()
    }

    fn keys(&self) -> Vec<&str> {
        self.values.iter().flatten().map(|value| &*value.key).collect()
    }

    fn retain(&mut self, values: &[u32]) {
        let mut stay = vec![false; self.values.len()];
        for value in values {
            if let Some(stays) = stay.get_mut(*value as usize) {
                *stays = true;
            }
        }
        for (value, stays) in self.values.iter_mut().zip(stay) {
            if let Some(gone) = value.take_if(|_| !stays) {
                let mut freed = 0;
                gone.pages.into_iter().for_each(|page| freed += wiped(page.bytes.into_inner()));
                freed += wiped(gone.whole.into_inner());
                self.cached.set(self.cached.get() - freed);
            }
        }
        while self.values.pop_if(|last| last.is_none()).is_some() {}
    }

    fn evict(&mut self, most: usize) {
        self.most = most;
        if self.cached.get() <= most {
            return;
        }
        let mut cached = self.cached.get();
        for value in self.values.iter_mut().flatten() {
            cached -= wiped(value.whole.take());
        }
        // A page that was read since the last round is spared once.
        let count = self.values.len();
        for step in 0..count * 2 {
            if cached <= most {
                break;
            }
            let at = self.hand % count;
            let Some(Some(value)) = self.values.get_mut(at) else {
                self.hand = at + 1;
                continue;
            };
            for page in &mut value.pages {
                if cached <= most {
                    break;
                }
                if step >= count || !page.is_used.replace(false) {
                    cached -= page.forget();
                }
            }
            if cached > most {
                self.hand = at + 1;
            }
        }
        self.cached.set(cached);
    }

    fn cached_bytes(&self) -> usize {
        self.cached.get()
    }

    fn memory_bytes(&self) -> usize {
        let values = self.values.iter().flatten();
        let tables: usize = values.map(|value| value.pages.len() * size_of::<Page>() + value.key.len()).sum();
        tables + list_bytes(self.values.len(), size_of::<Option<Paged>>())
    }
}

impl Paged {
    /// The page that an offset is in.
    fn page_of(&self, offset: u32) -> usize {
        self.pages.partition_point(|page| page.start <= offset).saturating_sub(1)
    }

    fn end_of(&self, page: usize) -> u32 {
        self.pages.get(page + 1).map_or(self.length, |next| next.start)
    }
}

impl Page {
    /// Lets go of its bytes: how many these were.
    fn forget(&mut self) -> usize {
        let bytes = self.bytes.take();
        if let (None, Some(bytes)) = (self.checksum, &bytes) {
            self.checksum = Some(crc32(bytes));
        }
        wiped(bytes)
    }
}

/// Reads from several values as if they were one, under the key of the first.
struct Spread<'r>(&'r dyn ReadAt);

impl ReadAt for Spread<'_> {
    fn read_at(&self, key: &str, offset: usize, length: usize) -> Result<Option<Vec<u8>>> {
        let Some((id, column, first)) = parse_segment_key(key) else { return Ok(None) };
        let mut bytes = Vec::with_capacity(length);
        while bytes.len() < length {
            let at = offset + bytes.len();
            let (number, at) = (first + (at / MAX_VALUE_BYTES) as u32, at % MAX_VALUE_BYTES);
            let most = (length - bytes.len()).min(MAX_VALUE_BYTES - at);
            match self.0.read_at(&segment_key(id, column, number), at, most)? {
                Some(piece) if !piece.is_empty() => bytes.extend(piece),
                Some(_) => break,
                None => return Ok(None),
            }
        }
        Ok(Some(bytes))
    }
}

/// Reads a part of a value, offset and length, and checks it.
///
/// # Errors
/// `Storage` when it cannot be read or is no longer there, and `Corrupt` when it is another.
pub(super) fn read_sound(
    reader: &dyn ReadAt,
    key: &str,
    (offset, length): (usize, usize),
    checksum: u32,
) -> Result<Vec<u8>> {
    let error = match reader.read_at(key, offset, length) {
        Ok(Some(bytes)) if bytes.len() == length && crc32(&bytes) == checksum => return Ok(bytes),
        Ok(Some(_)) => Error::new(
            Code::Corrupt,
            format!(
                "{length} bytes of {key} from {offset} on are not those that were stored; close the memory and open it again, then \
                 verify() says what is damaged"
            ),
        ),
        Ok(None) => Error::new(
            Code::Storage,
            format!("{key} is no longer there: another writer has replaced it; try again"),
        )
        .with("isReplaced", true),
        Err(error) => error.about("a part of the memory could not be read; try again"),
    };
    Err(error.with("key", key).with("offset", offset as u64))
}

/// Leaves nothing of some bytes: how many there were. What is forgotten must not stand in memory that is free.
fn wiped(bytes: Option<Box<[u8]>>) -> usize {
    let Some(mut bytes) = bytes else { return 0 };
    bytes.fill(0);
    bytes.len()
}

/// Where the pages of a payload begin: with commits, inside a large commit behind a record, and inside a record that takes several
/// values.
fn starts(payload: &[u8], sections: &[(usize, usize)]) -> Vec<usize> {
    let (mut starts, mut start) = (vec![0], 0);
    for (offset, length) in sections {
        let mut cut = |at: usize| {
            if at - start >= PAGE_BYTES && at < payload.len() {
                starts.push(at);
                start = at;
            }
        };
        cut(*offset);
        if *length < PAGE_BYTES {
            continue;
        }
        let section = payload.get(*offset..offset + length).unwrap_or_default();
        // What cannot be read is not applied either.
        let Ok(commit) = CommitView::decode(section) else { continue };
        let mut begun = *offset;
        for end in commit.ends_of_puts().map(|end| offset + end) {
            if end - begun > MAX_VALUE_BYTES {
                cut(begun + PAGE_BYTES);
            }
            cut(end);
            begun = end;
        }
    }
    starts
}
