//! The codes of the rows: kept here, or read from elsewhere when a row is scored.

use super::kernel;
use crate::embedding::MAX_CODE;
use crate::pieces::Pieces;
use std::borrow::Cow;
use std::fmt::Debug;
use std::rc::Rc;

/// The run of a row whose codes are kept here.
const KEPT: u32 = u32::MAX;

/// How many codes are in a line of a processor's cache.
const LINE_CODES: usize = 32;

/// Where the codes of a row are elsewhere: the number of a run, below 2^32 - 1, and the row in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodePlace {
    /// The run.
    pub run: u32,
    /// The row of it.
    pub row: u32,
}

/// Reads codes that are elsewhere.
pub trait CodeReader: Debug {
    /// Puts the codes of a place into `codes`. What cannot be read stays zero, and the reader has to tell that in its own way.
    fn read(&self, place: CodePlace, codes: &mut [i16]);

    /// How often it had to read from elsewhere so far, since the codes were not in memory.
    fn reads(&self) -> usize;
}

/// The codes of rows in no order.
#[derive(Debug)]
pub(super) struct Codes {
    dimensions: usize,
    /// Where those of each row are, the run in the upper half; of those that are kept, the place among these.
    places: Pieces<u64>,
    kept: Pieces<i16>,
    /// The rows of those that are kept.
    owners: Pieces<u32>,
    reader: Option<Rc<dyn CodeReader>>,
}

impl Codes {
    pub(super) fn new(dimensions: usize) -> Self {
        let (places, kept, owners) = (Pieces::new(1), Pieces::new(dimensions), Pieces::new(1));
        Self { dimensions, places, kept, owners, reader: None }
    }

    pub(super) fn push(&mut self, codes: &[i16]) {
        let (row, kept) = (self.places.len() as u32, self.kept.len() as u32);
        self.places.push(&[kept_at(kept)]);
        self.kept.push(codes);
        self.owners.push(&[row]);
    }

    /// Adds a row whose codes are elsewhere.
    pub(super) fn push_place(&mut self, place: CodePlace, reader: &Rc<dyn CodeReader>) {
        self.places.push(&[packed(place)]);
        self.reader.get_or_insert_with(|| reader.clone());
    }

    /// That the codes of a row are elsewhere from now on.
    pub(super) fn move_to(&mut self, row: usize, place: CodePlace, reader: &Rc<dyn CodeReader>) {
        self.forget(row);
        self.places.set(row, &[packed(place)]);
        self.reader.get_or_insert_with(|| reader.clone());
    }

    /// Removes a row and puts the last one in its place.
    pub(super) fn swap_remove(&mut self, row: usize) {
        self.forget(row);
        self.places.swap_remove(row);
        if let Some(CodePlace { run: KEPT, row: kept }) = self.place(row) {
            self.owners.set(kept as usize, &[row as u32]);
        }
    }

    /// The codes of a row; none when there is no such row.
    pub(super) fn row(&self, row: usize) -> Cow<'_, [i16]> {
        match (self.place(row), &self.reader) {
            (Some(CodePlace { run: KEPT, row }), _) => Cow::Borrowed(self.kept.row(row as usize)),
            (Some(place), Some(reader)) => Cow::Owned(read(place, &**reader, self.dimensions)),
            _ => Cow::Borrowed(&[]),
        }
    }

    /// Reads a code of each line of the processor's cache that a row has, if its codes are kept: it is slow to arrive, and what follows is not.
    pub(super) fn fetch(&self, row: usize) {
        if let Some(CodePlace { run: KEPT, row }) = self.place(row) {
            let lines = self.kept.row(row as usize).iter().step_by(LINE_CODES);
            std::hint::black_box(lines.fold(0, |all, code| all ^ code));
        }
    }

    /// Whether none are elsewhere.
    pub(super) fn are_kept(&self) -> bool {
        self.kept.len() == self.places.len()
    }

    /// How often codes were read from elsewhere so far.
    pub(super) fn reads(&self) -> usize {
        self.reader.as_ref().map_or(0, |reader| reader.reads())
    }

    /// The runs that rows have their codes in, some of them more than once.
    pub(super) fn runs(&self) -> impl Iterator<Item = u32> {
        self.places().map(|place| place.run).filter(|run| *run != KEPT)
    }

    /// Where the codes of each row are.
    pub(super) fn places(&self) -> impl Iterator<Item = CodePlace> {
        self.places.iter().flatten().map(|place| unpacked(*place))
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.places.memory_bytes() + self.kept.memory_bytes() + self.owners.memory_bytes()
    }

    fn place(&self, row: usize) -> Option<CodePlace> {
        self.places.row(row).first().map(|place| unpacked(*place))
    }

    /// Lets go of the codes of a row, if they are kept.
    fn forget(&mut self, row: usize) {
        let Some(CodePlace { run: KEPT, row: kept }) = self.place(row) else { return };
        self.kept.swap_remove(kept as usize);
        self.owners.swap_remove(kept as usize);
        if let Some(moved) = self.owners.row(kept as usize).first() {
            self.places.set(*moved as usize, &[kept_at(kept)]);
        }
    }
}

/// Codes that are elsewhere, brought into their range: a sum of products is made for that, and somebody else may have written them.
#[inline(never)]
fn read(place: CodePlace, reader: &dyn CodeReader, dimensions: usize) -> Vec<i16> {
    let mut codes = vec![0; dimensions];
    reader.read(place, &mut codes);
    let (least, most) = kernel::extremes(&codes);
    if least < -MAX_CODE || most > MAX_CODE {
        codes.iter_mut().for_each(|code| *code = (*code).clamp(-MAX_CODE, MAX_CODE));
    }
    codes
}

fn packed(place: CodePlace) -> u64 {
    u64::from(place.run) << 32 | u64::from(place.row)
}

fn unpacked(place: u64) -> CodePlace {
    CodePlace { run: (place >> 32) as u32, row: place as u32 }
}

fn kept_at(row: u32) -> u64 {
    packed(CodePlace { run: KEPT, row })
}
