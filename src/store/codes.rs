//! The codes of vectors that are read from segments when a vector is scored.
//!
//! A reader copies what it needs, so pages are let go of at any time, also during a search.

use super::pages::{ReadAt, read_sound};
use crate::error::Error;
use crate::growth::list_bytes;
use crate::index::vector::{CodePlace, CodeReader};
use crate::log::VALUE_HEADER_BYTES;
use mnemic_core::checksum::crc32;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt::{Debug, Formatter};
use std::rc::Rc;

/// About how many bytes a page has: it holds whole rows. A search that finds nothing near reads most of them, in order.
const PAGE_BYTES: usize = 64 * 1024;

/// Codes in pages. A trait, so that the code of its one implementation is where it is made.
pub(super) trait CodePages: CodeReader {
    /// Takes in a run of codes that is sound, of rows of `stride` bytes from `offset` on in the payload of a value: its number.
    fn add(&self, key: &str, offset: usize, stride: usize, codes: &[u8]) -> u32;

    /// Whether something could not be read.
    fn has_fault(&self) -> bool;

    /// Why something could not be read; it is told once.
    fn fault(&self) -> Option<Error>;

    /// The keys of the values.
    fn keys(&self) -> Vec<String>;

    /// Lets go of all runs but these.
    fn retain(&self, runs: &mut dyn Iterator<Item = u32>);

    /// From now on no more than so many bytes are in memory.
    fn limit(&self, most: usize);

    /// How many bytes of pages are in memory.
    fn cached_bytes(&self) -> usize;

    /// The most bytes held on the heap beside those.
    fn memory_bytes(&self) -> usize;
}

/// The codes that a reader reads.
pub(super) struct CodeCache {
    reader: Rc<dyn ReadAt>,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    runs: Vec<Option<Run>>,
    /// The pages in memory, by run and number, those first that are looked at first when there is no room.
    queue: VecDeque<(u32, u32)>,
    cached: usize,
    most: usize,
    fault: Option<Error>,
}

/// Rows of one width, one after another.
struct Run {
    key: Box<str>,
    offset: usize,
    bytes: usize,
    stride: usize,
    pages: Box<[Page]>,
}

struct Page {
    checksum: u32,
    /// Whether it was read since it was looked at.
    is_used: bool,
    bytes: Option<Box<[u8]>>,
}

impl CodeCache {
    pub(super) fn new(reader: Rc<dyn ReadAt>) -> Self {
        let state = State { most: usize::MAX, ..State::default() };
        Self { reader, state: RefCell::new(state) }
    }
}

impl Debug for CodeCache {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes of codes", self.cached_bytes())
    }
}

impl CodeReader for CodeCache {
    fn read(&self, place: CodePlace, codes: &mut [i16]) {
        let state = &mut *self.state.borrow_mut();
        let Some(bytes) = state.row(&*self.reader, place) else { return };
        for (code, bytes) in codes.iter_mut().zip(bytes.as_chunks::<2>().0) {
            *code = i16::from_le_bytes(*bytes);
        }
        state.make_room();
    }
}

impl CodePages for CodeCache {
    fn add(&self, key: &str, offset: usize, stride: usize, codes: &[u8]) -> u32 {
        let state = &mut *self.state.borrow_mut();
        let free = state.runs.iter().position(Option::is_none);
        let at = free.unwrap_or(state.runs.len());
        let (mut pages, mut kept) = (Vec::new(), state.cached);
        for (number, bytes) in (0_u32..).zip(codes.chunks(page_bytes(stride))) {
            // Where there is room they need not be read again.
            let fits = kept + bytes.len() <= state.most;
            if fits {
                kept += bytes.len();
                state.queue.push_back((at as u32, number));
            }
            let bytes_kept = fits.then(|| Box::from(bytes));
            pages.push(Page { checksum: crc32(bytes), is_used: false, bytes: bytes_kept });
        }
        state.cached = kept;
        let (key, bytes) = (Box::from(key), codes.len());
        let run = Some(Run { key, offset, bytes, stride, pages: pages.into_boxed_slice() });
        match state.runs.get_mut(at) {
            Some(free) => *free = run,
            None => state.runs.push(run),
        }
        at as u32
    }

    fn has_fault(&self) -> bool {
        self.state.borrow().fault.is_some()
    }

    fn fault(&self) -> Option<Error> {
        self.state.borrow_mut().fault.take()
    }

    fn keys(&self) -> Vec<String> {
        self.state.borrow().runs.iter().flatten().map(|run| run.key.to_string()).collect()
    }

    fn retain(&self, runs: &mut dyn Iterator<Item = u32>) {
        let state = &mut *self.state.borrow_mut();
        let mut stay = vec![false; state.runs.len()];
        for run in runs {
            if let Some(stays) = stay.get_mut(run as usize) {
                *stays = true;
            }
        }
        for (run, stays) in state.runs.iter_mut().zip(&stay) {
            if let Some(gone) = run.take_if(|_| !stays) {
                for mut page in gone.pages {
                    state.cached -= page.forget();
                }
            }
        }
        state.queue.retain(|(run, _)| stay.get(*run as usize) == Some(&true));
        while state.runs.pop_if(|last| last.is_none()).is_some() {}
    }

    fn limit(&self, most: usize) {
        let state = &mut *self.state.borrow_mut();
        state.most = most;
        state.make_room();
    }

    fn cached_bytes(&self) -> usize {
        self.state.borrow().cached
    }

    fn memory_bytes(&self) -> usize {
        let state = self.state.borrow();
        let tables = state.runs.iter().flatten();
        let tables: usize = tables.map(|run| run.pages.len() * size_of::<Page>() + run.key.len()).sum();
        tables + list_bytes(state.runs.len(), size_of::<Option<Run>>())
    }
}

impl State {
    /// The bytes of a row, read if its page is not in memory.
    fn row(&mut self, reader: &dyn ReadAt, place: CodePlace) -> Option<&[u8]> {
        let run = self.runs.get_mut(place.run as usize)?.as_mut()?;
        let (stride, width) = (run.stride, page_bytes(run.stride));
        let at = place.row as usize * stride;
        let (number, inside) = (at / width, at % width);
        let page = run.pages.get_mut(number)?;
        if page.bytes.is_none() {
            let length = width.min(run.bytes - number * width);
            let offset = VALUE_HEADER_BYTES + run.offset + number * width;
            match read_sound(reader, &run.key, (offset, length), page.checksum) {
                Ok(bytes) => page.bytes = Some(bytes.into_boxed_slice()),
                Err(error) => {
                    self.fault.get_or_insert(error);
                    return None;
                }
            }
            self.cached += length;
            self.queue.push_back((place.run, number as u32));
        }
        page.is_used = true;
        page.bytes.as_ref()?.get(inside..inside + stride)
    }

    /// Lets go of what was not read lately while there is more than there may be. What was read is spared once.
    fn make_room(&mut self) {
        while self.cached > self.most {
            let Some((run, number)) = self.queue.pop_front() else { return };
            let of = self.runs.get_mut(run as usize).and_then(Option::as_mut);
            let Some(page) = of.and_then(|of| of.pages.get_mut(number as usize)) else { continue };
            if std::mem::take(&mut page.is_used) && self.most > 0 {
                self.queue.push_back((run, number));
            } else {
                self.cached -= page.forget();
            }
        }
    }
}

impl Page {
    /// Lets go of its bytes: how many these were. What is forgotten must not stand in memory that is free.
    fn forget(&mut self) -> usize {
        let Some(mut bytes) = self.bytes.take() else { return 0 };
        bytes.fill(0);
        bytes.len()
    }
}

/// The bytes of a page of rows of so many bytes.
fn page_bytes(stride: usize) -> usize {
    (PAGE_BYTES / stride.max(1)).max(1) * stride.max(1)
}
