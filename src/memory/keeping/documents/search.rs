//! Finding documents below a namespace.

use super::document::{Document, Shown};
use super::fields::Fields;
use super::selection::Selection;
use super::staged::{Present, Staged};
use crate::embedding::Embedding;
use crate::error::Result;
use crate::log::RecordView;
use crate::memory::finding::Known;
use crate::memory::limits;
use crate::memory::search::{Terms, UNRELATED, find};
use crate::record::Kind;
use crate::store::{Among, Found, Query};

/// What is found depends on how many results are asked for. They are asked for by so many, so that pages fit one another; the first page
/// by fewer, as long as these fill it.
const PAGES: usize = 1000;
const FIRST_PAGE: usize = 100;

/// What to find.
#[derive(Debug)]
pub(super) struct Search {
    /// Among which.
    selection: Selection,
    /// How much of each is shown.
    shown: Shown,
    /// Words to rank by.
    pub(super) query: Option<String>,
    /// The vector of the words.
    pub(super) embedding: Option<Embedding>,
    /// The least relevance.
    threshold: f32,
}

impl Search {
    /// Reads what [`Selection::read`] reads with a `limit` of 10 by default, `query` and `threshold`.
    ///
    /// # Errors
    /// `InvalidInput` and `InvalidFilter`.
    pub(super) fn read(fields: &mut Fields) -> Result<Self> {
        let search = Self {
            selection: Selection::read(fields, Some(10))?,
            shown: Shown::Whole,
            query: fields.text("query")?,
            embedding: None,
            threshold: fields.threshold()?.unwrap_or(UNRELATED),
        };
        if let Some(query) = &search.query {
            limits::text("query", query, limits::MAX_QUERY_BYTES)?;
            search.selection.ordered().map_or(Ok(()), Err)?;
        }
        Ok(search)
    }

    /// The listing of what is around the content of some documents.
    pub(super) fn names(selection: Selection) -> Self {
        Self { selection, shown: Shown::Names, query: None, embedding: None, threshold: UNRELATED }
    }

    /// Finds documents, each with its record's key. With a query, those that fit it best come first; those that no query finds
    /// follow in the order of the selection. What the batch itself wrote is not indexed yet.
    pub(super) fn find(&self, staged: &Staged<'_>) -> Result<Vec<(String, Document)>> {
        let wanted = self.selection.offset.saturating_add(self.selection.limit);
        let mut hits: Vec<(Present<'_>, Option<Found<'_>>)> = Vec::new();
        if let Some(text) = &self.query {
            let accepts = |view: &RecordView<'_>| {
                staged
                    .resolve(*view)
                    .is_some_and(|present| present.is_indexed() && self.selection.accepts(&present))
            };
            let among = Among { all: self.threshold == 0.0, ..Among::default() };
            // Pages are cut from the same candidates: a first page that is full from fewer.
            let first = if self.selection.offset == 0 { FIRST_PAGE } else { PAGES };
            for block in [first, PAGES] {
                let limit = wanted.div_ceil(block).saturating_mul(block);
                let query = Query { text, embedding: self.embedding.as_ref(), limit, now: staged.now };
                let of = (staged.scope, Kind::Document);
                let found = find(staged.store, of, &query, &among, Some(&accepts))?.into_iter();
                let found = found.filter(|found| found.relevance >= self.threshold);
                hits = found.filter_map(|found| Some((staged.resolve(found.record)?, Some(found)))).collect();
                if hits.len() >= wanted || among.all || first == PAGES {
                    break;
                }
            }
        }
        let others = self.selection.each(staged);
        let others = others.filter(|present| self.query.is_none() || !present.is_indexed());
        hits.extend(others.take(wanted.saturating_sub(hits.len())).map(|present| (present, None)));
        let mut documents = Vec::new();
        for (present, scored) in hits.iter().skip(self.selection.offset).take(self.selection.limit) {
            let mut document = present.document(self.shown)?;
            if let Some(found) = scored {
                document.score = Some(found.score.score);
                document.relevance = Some(found.relevance);
                document.known = Some(Known::by(found.relevance));
                document.terms = Some(Terms::of(found));
            }
            documents.push((present.key().to_owned(), document));
        }
        Ok(documents)
    }
}
