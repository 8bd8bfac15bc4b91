//! The flat index: every vector in columns, searched in two stages.

use super::codes::{CodePlace, CodeReader};
use super::columns::{Columns, RowCodes};
use super::hit::{Best, Hit, Wanted};
use super::kernel;
use super::near::{Near, Query};
use super::sketch::{self, Weighted};
use crate::embedding::{MAX_CODE, MAX_DIMENSIONS};
use crate::error::{Code, Error, Result};
use crate::places::{Places, hash};
use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

/// Up to this many rows every one is scored: it costs about as much as the first stage would save.
const SCORED_WHOLE: usize = 1024;

/// With fewer dimensions every row is scored: a short row is cheap, and its sketch bits repeat one another.
const SKETCHED_DIMENSIONS: usize = 16;

/// Of so many rows it is asked whether they are wanted, to see how many are.
const ASKED: usize = 64;

/// If at most one in so many is wanted, all are asked about first: more costs about as much as comparing the sketches of the others.
const SELECTIVE: usize = 4;

/// Vectors by document number, searched by cosine.
///
/// Insert, replace and remove take effect at once, and nothing is built. The hits of a search are exact for up to
/// 1024 vectors, or as many that are known to be wanted and kept, or fewer than 16 dimensions; beyond, more than 99 of 100 true nearest were found in every measurement where the codes are
/// kept, and the similarities are exact always. Where codes have to be read a search ends after about 1024 readings: it finds fewer of
/// the nearest then when nothing is near, and which, depends on what was read before.
///
/// ```
/// use mnemic_core::{Embedding, index::vector::FlatIndex};
/// let mut index = FlatIndex::new(2);
/// for (document, values) in [(7, [1.0, 0.0]), (8, [0.6, 0.8]), (9, [0.0, 1.0])] {
///     let embedding = Embedding::quantise("my-embedder", &values)?;
///     index.insert(document, embedding.scale, &embedding.codes)?;
/// }
/// let query = Embedding::quantise("my-embedder", &[0.0, 2.0])?;
/// let hits = index.search(query.scale, &query.codes, 2)?;
/// assert_eq!(hits.iter().map(|hit| hit.document).collect::<Vec<_>>(), [9, 8]);
/// assert!((hits[1].similarity - 0.8).abs() < 1e-3);
/// # Ok::<(), mnemic_core::Error>(())
/// ```
#[derive(Debug)]
pub struct FlatIndex {
    dimensions: usize,
    columns: Columns,
    /// The rows by their documents.
    rows: Places,
    /// The greatest of all documents that ever were here.
    greatest: Option<u32>,
}

impl FlatIndex {
    /// An empty index of vectors with `dimensions` values (1 to [`MAX_DIMENSIONS`]).
    #[must_use]
    pub fn new(dimensions: usize) -> Self {
        Self { dimensions, columns: Columns::new(dimensions), rows: Places::default(), greatest: None }
    }

    /// How many values each vector has.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// How many vectors there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether there are no vectors.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the document has a vector here.
    #[must_use]
    pub fn contains(&self, document: u32) -> bool {
        self.row(document).is_some()
    }

    /// The document's scale and codes, as given.
    #[must_use]
    pub fn codes(&self, document: u32) -> Option<(f32, Cow<'_, [i16]>)> {
        self.row(document).map(|row| self.columns.vector(row))
    }

    /// How many words the sketch of each vector has.
    #[must_use]
    pub fn sketch_words(&self) -> usize {
        sketch::words(self.dimensions)
    }

    /// The words of the sketch of the document's vector; empty when it has none.
    #[must_use]
    pub fn sketch(&self, document: u32) -> &[u64] {
        self.row(document).map_or(&[], |row| self.columns.sketch(row))
    }

    /// Bytes held on the heap, reserved ones included.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.columns.memory_bytes() + self.rows.memory_bytes()
    }

    /// Adds a document's vector (see [`crate::Embedding`]), or replaces it.
    ///
    /// # Errors
    /// [`Code::InvalidInput`] when the number of codes is not [`Self::dimensions`], a code is beyond [`MAX_CODE`] or
    /// the scale is not a positive number; the index is unchanged then.
    pub fn insert(&mut self, document: u32, scale: f32, codes: &[i16]) -> Result<()> {
        self.check(scale, codes)?;
        self.put(document, scale, &sketch::of(codes), RowCodes::Kept(codes));
        Ok(())
    }

    /// Puts a row in that is sound.
    pub(super) fn put(&mut self, document: u32, scale: f32, sketch: &[u64], codes: RowCodes<'_>) {
        if Some(document) <= self.greatest {
            self.remove(document);
        }
        self.greatest = self.greatest.max(Some(document));
        self.columns.push(document, scale, sketch, codes);
        let (columns, row) = (&self.columns, self.columns.len() - 1);
        self.rows.insert(row as u32, |row| hash_of(columns, row as usize));
    }

    /// That the codes of a document's vector can be read from another place from now on; they are let go of here.
    pub fn move_to(&mut self, document: u32, place: CodePlace, reader: &Rc<dyn CodeReader>) {
        if let Some(row) = self.row(document) {
            self.columns.codes.move_to(row, place, reader);
        }
    }

    /// The runs that vectors have their codes in, some of them more than once.
    pub fn runs(&self) -> impl Iterator<Item = u32> {
        self.columns.codes.runs()
    }

    /// The documents whose codes are in some rows of a run.
    #[must_use]
    pub fn documents_in(&self, run: u32, rows: &Range<u32>) -> Vec<u32> {
        let is_in = |place: &CodePlace| place.run == run && rows.contains(&place.row);
        let found = self.columns.codes.places().enumerate().filter(|(_, place)| is_in(place));
        found.filter_map(|(row, _)| self.columns.document(row)).collect()
    }

    /// Removes a document's vector; false when it had none.
    pub fn remove(&mut self, document: u32) -> bool {
        let columns = &self.columns;
        let is_its = |row: u32| columns.document(row as usize) == Some(document);
        let Some(row) = self.rows.remove(hash(document.into()), is_its) else { return false };
        let last = self.columns.len() - 1;
        self.rows.replace(hash_of(&self.columns, last), last as u32, row);
        self.columns.swap_remove(row as usize);
        true
    }

    /// The row of a document.
    fn row(&self, document: u32) -> Option<usize> {
        let is_its = |row: u32| self.columns.document(row as usize) == Some(document);
        self.rows.get(hash(document.into()), is_its).map(|row| row as usize)
    }

    /// The `limit` documents most similar to the query, best first, equals by lower document number. Fewer only when
    /// there are fewer.
    ///
    /// # Errors
    /// As [`Self::insert`], for the query's scale and codes.
    pub fn search(&self, scale: f32, codes: &[i16], limit: usize) -> Result<Vec<Hit>> {
        self.search_among(scale, codes, limit, -1.0, Wanted::ALL)
    }

    /// As [`Self::search`], among the documents that are `wanted`. Documents less similar than `least`, -1 to 1, may be left out:
    /// where nothing is near, the search does not go on through all of them.
    ///
    /// # Errors
    /// As [`Self::search`].
    #[inline(never)]
    pub fn search_among(
        &self,
        scale: f32,
        codes: &[i16],
        limit: usize,
        least: f32,
        wanted: Wanted<'_>,
    ) -> Result<Vec<Hit>> {
        self.check(scale, codes)?;
        let mut best = Best::new(limit, wanted);
        let near = Near { columns: &self.columns, query: Query { scale, codes }, limit, least };
        let few = self.few(wanted);
        let rows = few.as_ref().map_or(self.len(), Vec::len);
        let is_whole = self.is_scored_whole()
            || rows <= SCORED_WHOLE && self.columns.codes.are_kept()
            || rows <= limit.saturating_mul(Near::FIRST_ROUND);
        match (&few, is_whole) {
            (None, true) => best.offer_all((0..self.len()).map(|row| self.columns.score(&near.query, row))),
            (Some(rows), true) => {
                best.offer_all(rows.iter().map(|row| self.columns.score(&near.query, *row as usize)))
            }
            (None, false) => near.search(&mut best),
            (Some(rows), false) => near.search_among(rows, &mut best),
        }
        Ok(best.into_hits())
    }

    /// The rows of the documents that are known to be wanted, where these seem to be few.
    fn few(&self, wanted: Wanted<'_>) -> Option<Vec<u32>> {
        let asked = self.len().min(ASKED);
        let sample = (0..asked).filter_map(|number| self.columns.document(number * self.len() / asked));
        let sample: Vec<u32> = sample.collect();
        let known = (wanted.known)(&sample).count_ones() as usize;
        if self.is_scored_whole() || known * SELECTIVE > asked {
            return None;
        }
        Some(self.columns.rows_of(wanted))
    }

    /// How similar a document's vector is to the query, as [`search`](Self::search) would say; `None` when it has none or
    /// the query is of another dimension.
    #[must_use]
    #[inline(never)]
    pub fn similarity(&self, scale: f32, codes: &[i16], document: u32) -> Option<f32> {
        let row = self.row(document)?;
        (codes.len() == self.dimensions).then(|| self.columns.score(&Query { scale, codes }, row).similarity)
    }

    /// About how similar the query is to at most `count` vectors, evenly spaced among all: what is usual for it here. Among many
    /// vectors that follows from their sketches, without what these add to the spread. Empty when the query is of another dimension.
    #[must_use]
    #[inline(never)]
    pub fn sample(&self, scale: f32, codes: &[i16], count: usize) -> Vec<f32> {
        if codes.len() != self.dimensions {
            return Vec::new();
        }
        let taken = self.len().min(count);
        let rows = (0..taken).map(|number| number * self.len() / taken);
        if self.is_scored_whole() {
            let query = Query { scale, codes };
            return rows.map(|row| self.columns.score(&query, row).similarity).collect();
        }
        let query = Weighted::new(codes);
        query.spread(rows.map(|row| query.similarity(query.distance(self.columns.sketch(row)))).collect())
    }

    /// Whether every row is scored, because there are few, or because their sketches tell little.
    fn is_scored_whole(&self) -> bool {
        self.len() <= SCORED_WHOLE || self.dimensions < SKETCHED_DIMENSIONS
    }

    fn check(&self, scale: f32, codes: &[i16]) -> Result<()> {
        self.check_dimensions(codes.len())?;
        check_scale(scale)?;
        check_codes(codes)
    }

    /// That a vector with so many codes belongs here.
    pub(super) fn check_dimensions(&self, codes: usize) -> Result<()> {
        if self.dimensions == 0 || self.dimensions > MAX_DIMENSIONS {
            return Err(Error::new(
                Code::InvalidInput,
                format!("the index is for {} dimensions; 1 to {MAX_DIMENSIONS} are allowed", self.dimensions),
            ));
        }
        if codes != self.dimensions {
            return Err(Error::new(
                Code::InvalidInput,
                format!("{codes} codes were given, but a vector has {}", self.dimensions),
            ));
        }
        Ok(())
    }
}

/// That a scale can be one.
pub(super) fn check_scale(scale: f32) -> Result<()> {
    if scale.is_finite() && scale > 0.0 {
        return Ok(());
    }
    // Written as JSON writes it, and not by 12 kB of code that nothing else needs.
    let scale = serde_json::Value::from(scale);
    Err(Error::new(
        Code::InvalidInput,
        format!("the scale of a vector is {scale}; it has to be a positive number"),
    ))
}

/// That codes are in their range.
pub(super) fn check_codes(codes: &[i16]) -> Result<()> {
    let (least, most) = kernel::extremes(codes);
    if least >= -MAX_CODE && most <= MAX_CODE {
        return Ok(());
    }
    Err(Error::new(
        Code::InvalidInput,
        format!("a vector has codes from {least} to {most}; they have to be within {MAX_CODE} of zero"),
    ))
}

/// The hash by which a row is found.
fn hash_of(columns: &Columns, row: usize) -> u32 {
    hash(columns.document(row).unwrap_or_default().into())
}
