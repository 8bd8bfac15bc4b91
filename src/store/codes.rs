//! The codes of vectors that are read from segments when a vector is scored.
//!
//! A reader copies what it needs, so pages are let go of at any time, also during a search.

use super::pages::{ReadAt, read_sound};
use crate::error::{Code, Error};
use crate::growth::list_bytes;
use crate::index::vector::{CodePlace, CodeReader};
use crate::log::{VALUE_HEADER_BYTES, VectorRows};
use mnemic_core::embedding::read_codes;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt::{Debug, Formatter};
use std::ops::Range;
use std::rc::Rc;

/// Codes in pages. A trait, so that the code of its one implementation is where it is made.
pub(super) trait CodePages: CodeReader {
    /// Takes in the codes of a block of rows of a value, which were read or not: the number of their run.
    fn add(&self, key: &str, rows: &VectorRows<'_>) -> u32;

    /// Whether something could not be read.
    fn has_fault(&self) -> bool;

    /// Why something could not be read; it is told once.
    fn fault(&self) -> Option<Error>;

    /// Whether something that was read is damaged.
    fn is_damaged(&self) -> bool;

    /// What was read and is damaged. It is told once.
    fn take_damaged(&self) -> Vec<DamagedCodes>;

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

/// Codes that were read twice and are not those that were stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamagedCodes {
    /// The key of their value.
    pub key: String,
    pub(super) run: u32,
    pub(super) rows: Range<u32>,
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
    /// How many pages were read.
    reads: usize,
    fault: Option<Error>,
    is_damaged: bool,
}

/// Rows of one width, one after another.
struct Run {
    key: Box<str>,
    offset: usize,
    bytes: usize,
    stride: usize,
    /// The bytes of a page, but for the last one.
    width: usize,
    pages: Box<[Page]>,
}

struct Page {
    checksum: u32,
    /// Whether it was read since it was looked at.
    is_used: bool,
    is_damaged: bool,
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
        read_codes(bytes, codes);
        state.make_room();
    }

    fn reads(&self) -> usize {
        self.state.borrow().reads
    }
}

impl CodePages for CodeCache {
    fn add(&self, key: &str, rows: &VectorRows<'_>) -> u32 {
        let state = &mut *self.state.borrow_mut();
        let free = state.runs.iter().position(Option::is_none);
        let at = free.unwrap_or(state.runs.len());
        let (mut pages, mut kept) = (Vec::new(), state.cached);
        let (offset, bytes, per_page, sums) = rows.run();
        let stride = rows.dimensions() * 2;
        let width = per_page * stride.max(1);
        let mut codes = rows.codes.chunks(width);
        for (number, checksum) in (0_u32..).zip(sums) {
            // Where there is room they need not be read again.
            let bytes = codes.next().filter(|bytes| kept + bytes.len() <= state.most).map(Box::from);
            if let Some(bytes) = &bytes {
                kept += <[u8]>::len(bytes);
                state.queue.push_back((at as u32, number));
            }
            pages.push(Page { checksum, is_used: false, is_damaged: false, bytes });
        }
        state.cached = kept;
        let run =
            Some(Run { key: Box::from(key), offset, bytes, stride, width, pages: pages.into_boxed_slice() });
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

    fn is_damaged(&self) -> bool {
        self.state.borrow().is_damaged
    }

    fn take_damaged(&self) -> Vec<DamagedCodes> {
        let state = &mut *self.state.borrow_mut();
        let mut damaged = Vec::new();
        if !std::mem::take(&mut state.is_damaged) {
            return damaged;
        }
        for (number, run) in (0..).zip(&mut state.runs) {
            let Some(Run { key, pages, width, stride, .. }) = run else { continue };
            let rows = (*width / (*stride).max(1)) as u32;
            for (at, page) in (0..).zip(pages) {
                if std::mem::take(&mut page.is_damaged) {
                    let rows = at * rows..(at + 1) * rows;
                    damaged.push(DamagedCodes { key: key.to_string(), run: number, rows });
                }
            }
        }
        damaged
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
        let (stride, width) = (run.stride, run.width);
        let at = place.row as usize * stride;
        let (number, inside) = (at / width, at % width);
        let page = run.pages.get_mut(number)?;
        if page.bytes.is_none() {
            let length = width.min(run.bytes.checked_sub(number * width)?);
            let offset = VALUE_HEADER_BYTES + run.offset + number * width;
            let read = || read_sound(reader, &run.key, (offset, length), page.checksum);
            // What seems to be damaged is read again before it is believed.
            let again = |error: Error| if error.code == Code::Corrupt { read() } else { Err(error) };
            match read().or_else(again) {
                Ok(bytes) => page.bytes = Some(bytes.into_boxed_slice()),
                Err(error) => {
                    page.is_damaged = error.code == Code::Corrupt;
                    self.is_damaged |= page.is_damaged;
                    self.fault.get_or_insert(if page.is_damaged { damaged(&run.key, offset) } else { error });
                    return None;
                }
            }
            self.cached += length;
            self.reads += 1;
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

/// That a page is damaged. Whoever looks again finds the rest, and in time vectors that were made anew.
fn damaged(key: &str, offset: usize) -> Error {
    let message =
        format!("vectors in {key} are damaged from byte {offset} on; they are made anew, try again");
    let error = Error::new(Code::Corrupt, message).with("key", key).with("offset", offset as u64);
    error.with("isReplaced", true)
}

impl Page {
    /// Lets go of its bytes: how many these were. What is forgotten must not stand in memory that is free.
    fn forget(&mut self) -> usize {
        let Some(mut bytes) = self.bytes.take() else { return 0 };
        bytes.fill(0);
        bytes.len()
    }
}
