//! The rows of the index as one list per column.

use super::codes::{CodePlace, CodeReader, Codes};
use super::hit::{Hit, Wanted};
use super::kernel;
use super::near::Query;
use super::sketch;
use crate::pieces::Pieces;
use std::borrow::Cow;
use std::rc::Rc;

/// About so many documents it is asked at a time whether they are wanted.
const ASKED_TOGETHER: usize = u64::BITS as usize;

/// Rows in no order, without gaps.
#[derive(Debug)]
pub(super) struct Columns {
    documents: Pieces<u32>,
    scales: Pieces<f32>,
    pub(super) codes: Codes,
    sketches: Pieces<u64>,
}

/// The codes of a row that is added.
pub(super) enum RowCodes<'a> {
    /// To be kept.
    Kept(&'a [i16]),
    /// In a place elsewhere, with what reads them there.
    Elsewhere(CodePlace, &'a Rc<dyn CodeReader>),
}

impl Columns {
    pub(super) fn new(dimensions: usize) -> Self {
        Self {
            documents: Pieces::new(1),
            scales: Pieces::new(1),
            codes: Codes::new(dimensions),
            sketches: Pieces::new(sketch::words(dimensions)),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.documents.len()
    }

    /// Adds a row with its sketch. Its codes are kept, unless they have a place elsewhere.
    pub(super) fn push(&mut self, document: u32, scale: f32, sketch: &[u64], codes: RowCodes<'_>) {
        self.documents.push(&[document]);
        self.scales.push(&[scale]);
        match codes {
            RowCodes::Kept(codes) => self.codes.push(codes),
            RowCodes::Elsewhere(place, reader) => self.codes.push_place(place, reader),
        }
        self.sketches.push(sketch);
    }

    /// Removes a row and puts the last one in its place.
    pub(super) fn swap_remove(&mut self, row: usize) {
        self.documents.swap_remove(row);
        self.scales.swap_remove(row);
        self.codes.swap_remove(row);
        self.sketches.swap_remove(row);
    }

    /// The document of a row.
    pub(super) fn document(&self, row: usize) -> Option<u32> {
        self.documents.row(row).first().copied()
    }

    /// A row's scale and codes; the codes are empty when there is no such row.
    pub(super) fn vector(&self, row: usize) -> (f32, Cow<'_, [i16]>) {
        (self.scales.row(row).first().copied().unwrap_or_default(), self.codes.row(row))
    }

    /// The sketch of a row; empty when there is no such row.
    pub(super) fn sketch(&self, row: usize) -> &[u64] {
        self.sketches.row(row)
    }

    /// The sketches of all rows in order, those of many rows at a time.
    pub(super) fn sketches(&self) -> impl Iterator<Item = &[u64]> {
        self.sketches.pieces()
    }

    /// The pieces that the sketches of some rows in order are in, each with the places of its rows.
    pub(super) fn sketches_of<'a>(
        &'a self,
        rows: &'a [u32],
    ) -> impl Iterator<Item = (&'a [u64], impl Iterator<Item = usize> + 'a)> {
        self.sketches.pieces_of(rows)
    }

    /// The rows of the documents that are known to be wanted, in order.
    pub(super) fn rows_of(&self, wanted: Wanted<'_>) -> Vec<u32> {
        let (mut rows, mut first) = (Vec::new(), 0);
        for documents in self.documents.pieces().flat_map(|piece| piece.chunks(ASKED_TOGETHER)) {
            rows.extend(places((wanted.known)(documents)).map(|at| first + at));
            first += documents.len() as u32;
        }
        rows
    }

    /// Those of some rows whose documents are known to be wanted, in their order.
    pub(super) fn wanted_of(&self, rows: &[u32], wanted: Wanted<'_>) -> Vec<u32> {
        let mut those = Vec::with_capacity(rows.len());
        for some in rows.chunks(ASKED_TOGETHER) {
            let documents: Vec<u32> = some.iter().filter_map(|row| self.document(*row as usize)).collect();
            let known = places((wanted.known)(&documents));
            those.extend(known.filter_map(|at| some.get(at as usize)));
        }
        those
    }

    /// How similar a row is to the query.
    pub(super) fn score(&self, query: &Query<'_>, row: usize) -> Hit {
        let (scale, codes) = self.vector(row);
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            reason = "below 2^37, then a cosine"
        )]
        let similarity =
            (kernel::dot(query.codes, &codes) as f64 * f64::from(query.scale) * f64::from(scale)) as f32;
        Hit { document: self.document(row).unwrap_or_default(), similarity }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.documents.memory_bytes()
            + self.scales.memory_bytes()
            + self.codes.memory_bytes()
            + self.sketches.memory_bytes()
    }
}

/// The places of the bits that are set, in order.
fn places(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let at = bits.trailing_zeros();
        (bits != 0).then(|| {
            bits &= bits - 1;
            at
        })
    })
}
