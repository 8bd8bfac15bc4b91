//! The flat index: every vector in columns, searched in two stages.

use super::codes::{CodePlace, CodeReader};
use super::columns::Columns;
use super::hit::{Best, Hit};
use super::reach::{Histogram, places_within, reach};
use super::{kernel, sketch};
use crate::embedding::{MAX_CODE, MAX_DIMENSIONS};
use crate::error::{Code, Error, Result};
use crate::growth::map_bytes;
use rustc_hash::FxBuildHasher;
use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

/// Up to this many rows every one is scored: it costs about as much as the first stage would save.
const SCORED_WHOLE: usize = 1024;

/// With fewer dimensions every row is scored: a short row is cheap, and its sketch bits repeat one another.
const SKETCHED_DIMENSIONS: usize = 16;

/// Rows scored per wanted hit before the first look at how far to go.
const FIRST_ROUND: usize = 4;

/// By how much each further round may grow.
const GROWTH: usize = 4;

/// Vectors by document number, searched by cosine.
///
/// Insert, replace and remove take effect at once, and nothing is built. The hits of a search are exact for up to
/// 1024 vectors or fewer than 16 dimensions; beyond, more than 99 of 100 true nearest were found in every measurement, and the
/// similarities are exact always.
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
    rows: HashMap<u32, usize, FxBuildHasher>,
}

impl FlatIndex {
    /// An empty index of vectors with `dimensions` values (1 to [`MAX_DIMENSIONS`]).
    #[must_use]
    pub fn new(dimensions: usize) -> Self {
        Self { dimensions, columns: Columns::new(dimensions), rows: HashMap::default() }
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
        self.rows.contains_key(&document)
    }

    /// The document's scale and codes, as given.
    #[must_use]
    pub fn codes(&self, document: u32) -> Option<(f32, Cow<'_, [i16]>)> {
        self.rows.get(&document).map(|row| self.columns.vector(*row))
    }

    /// Bytes held on the heap, reserved ones included.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.columns.memory_bytes() + map_bytes(self.rows.len(), size_of::<(u32, usize)>())
    }

    /// Adds a document's vector (see [`crate::Embedding`]), or replaces it.
    ///
    /// # Errors
    /// [`Code::InvalidInput`] when the number of codes is not [`Self::dimensions`], a code is beyond [`MAX_CODE`] or
    /// the scale is not a positive number; the index is unchanged then.
    pub fn insert(&mut self, document: u32, scale: f32, codes: &[i16]) -> Result<()> {
        self.insert_at(document, scale, codes, None)
    }

    /// The same for codes that need not be kept, because they can be read from a place elsewhere.
    ///
    /// # Errors
    /// As [`Self::insert`].
    #[inline(never)]
    pub fn insert_at(
        &mut self,
        document: u32,
        scale: f32,
        codes: &[i16],
        elsewhere: Option<(CodePlace, &Rc<dyn CodeReader>)>,
    ) -> Result<()> {
        self.check(scale, codes)?;
        self.remove(document);
        self.rows.insert(document, self.columns.len());
        self.columns.push(document, scale, codes, elsewhere);
        Ok(())
    }

    /// That the codes of a document's vector can be read from another place from now on; they are let go of here.
    pub fn move_to(&mut self, document: u32, place: CodePlace, reader: &Rc<dyn CodeReader>) {
        if let Some(row) = self.rows.get(&document) {
            self.columns.codes.move_to(*row, place, reader);
        }
    }

    /// The runs that vectors have their codes in, some of them more than once.
    pub fn runs(&self) -> impl Iterator<Item = u32> {
        self.columns.codes.runs()
    }

    /// Removes a document's vector; false when it had none.
    pub fn remove(&mut self, document: u32) -> bool {
        let Some(row) = self.rows.remove(&document) else { return false };
        self.columns.swap_remove(row);
        if let Some(moved) = self.columns.document(row) {
            self.rows.insert(moved, row);
        }
        true
    }

    /// The `limit` documents most similar to the query, best first, equals by lower document number. Fewer only when
    /// there are fewer.
    ///
    /// # Errors
    /// As [`Self::insert`], for the query's scale and codes.
    pub fn search(&self, scale: f32, codes: &[i16], limit: usize) -> Result<Vec<Hit>> {
        self.search_among(scale, codes, limit, -1.0, &|_| true)
    }

    /// As [`Self::search`], among the documents that are `wanted`. Whether one is, is asked only about documents that would be
    /// hits, for asking may cost more than comparing vectors. Documents less similar than `least`, -1 to 1, may be left out:
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
        wanted: &dyn Fn(u32) -> bool,
    ) -> Result<Vec<Hit>> {
        self.check(scale, codes)?;
        let query = Query::new(scale, codes);
        let mut best = Best::new(limit, wanted);
        let whole = self.len() <= SCORED_WHOLE.max(limit.saturating_mul(FIRST_ROUND));
        if whole || self.dimensions < SKETCHED_DIMENSIONS {
            (0..self.len()).for_each(|row| best.offer(self.score(&query, row)));
        } else {
            self.score_near(&query, limit, least, &mut best);
        }
        Ok(best.into_hits())
    }

    /// How similar a document's vector is to the query, as [`search`](Self::search) would say; `None` when it has none or
    /// the query is of another dimension.
    #[must_use]
    #[inline(never)]
    pub fn similarity(&self, scale: f32, codes: &[i16], document: u32) -> Option<f32> {
        let row = *self.rows.get(&document)?;
        (codes.len() == self.dimensions)
            .then(|| self.score(&Query { scale, codes, sketch: Vec::new() }, row).similarity)
    }

    /// How similar the query is to at most `count` vectors, evenly spaced among all: what is usual for it here. Empty when
    /// the query is of another dimension.
    #[must_use]
    #[inline(never)]
    pub fn sample(&self, scale: f32, codes: &[i16], count: usize) -> Vec<f32> {
        if codes.len() != self.dimensions {
            return Vec::new();
        }
        let query = Query { scale, codes, sketch: Vec::new() };
        let taken = self.len().min(count);
        (0..taken).map(|number| self.score(&query, number * self.len() / taken).similarity).collect()
    }

    fn score(&self, query: &Query<'_>, row: usize) -> Hit {
        let (scale, codes) = self.columns.vector(row);
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            reason = "below 2^37, then a cosine"
        )]
        let similarity =
            (kernel::dot(query.codes, &codes) as f64 * f64::from(query.scale) * f64::from(scale)) as f32;
        Hit { document: self.columns.document(row).unwrap_or_default(), similarity }
    }

    /// The second stage: scores rows in rounds of growing sketch distance, until no farther row is likely to be a hit.
    ///
    /// A round takes in whole distances, so the hits do not depend on the order of the rows.
    fn score_near(&self, query: &Query<'_>, limit: usize, least: f32, best: &mut Best<'_>) {
        let sketches = self.columns.sketches();
        let distances: Vec<u16> = sketches.map(|sketch| sketch::distance(&query.sketch, sketch)).collect();
        let bits = u16::try_from(query.sketch.len() * 64).unwrap_or(u16::MAX);
        let dimensions = u16::try_from(self.dimensions).unwrap_or(u16::MAX);
        let histogram = Histogram::new(bits, &distances);
        let mut next = 0;
        let mut round = limit.max(1).saturating_mul(FIRST_ROUND);
        loop {
            let bar = best.bar().map_or(least, |bar| bar.max(least));
            let farthest = reach(bar, bits, dimensions).min(histogram.holding(round));
            if farthest < next {
                return;
            }
            places_within(&distances, next, farthest).for_each(|row| best.offer(self.score(query, row)));
            if farthest >= bits {
                return;
            }
            next = farthest + 1;
            round = round.saturating_mul(GROWTH);
        }
    }

    fn check(&self, scale: f32, codes: &[i16]) -> Result<()> {
        if self.dimensions == 0 || self.dimensions > MAX_DIMENSIONS {
            return Err(Error::new(
                Code::InvalidInput,
                format!("the index is for {} dimensions; 1 to {MAX_DIMENSIONS} are allowed", self.dimensions),
            ));
        }
        if codes.len() != self.dimensions {
            return Err(Error::new(
                Code::InvalidInput,
                format!("{} codes were given, but a vector has {}", codes.len(), self.dimensions),
            ));
        }
        if !(scale.is_finite() && scale > 0.0) {
            // Written as JSON writes it, and not by 12 kB of code that nothing else needs.
            let scale = serde_json::Value::from(scale);
            return Err(Error::new(
                Code::InvalidInput,
                format!("the scale of a vector is {scale}; it has to be a positive number"),
            ));
        }
        let (least, most) =
            codes.iter().fold((0, 0), |(least, most): (i16, i16), code| (least.min(*code), most.max(*code)));
        if least < -MAX_CODE || most > MAX_CODE {
            return Err(Error::new(
                Code::InvalidInput,
                format!(
                    "a vector has codes from {least} to {most}; they have to be within {MAX_CODE} of zero"
                ),
            ));
        }
        Ok(())
    }
}

/// What is worked out once per search.
struct Query<'a> {
    scale: f32,
    codes: &'a [i16],
    sketch: Vec<u64>,
}

impl<'a> Query<'a> {
    fn new(scale: f32, codes: &'a [i16]) -> Self {
        Self { scale, codes, sketch: sketch::of(codes) }
    }
}
