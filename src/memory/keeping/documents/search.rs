//! Finding documents below a namespace.

use super::document::Document;
use super::fields::Fields;
use super::namespace::prefix;
use super::staged::{Present, Staged};
use crate::embedding::Embedding;
use crate::error::Result;
use crate::filter::Filter;
use crate::log::RecordView;
use crate::memory::limits::{self, MAX_LIMIT};
use crate::memory::search::{Terms, UNRELATED, find};
use crate::record::Kind;
use crate::store::{Among, Found, Query};

/// Scores depend on how many results are asked for. They are asked for by so many, so that pages fit one another.
const PAGES: usize = 100;

/// What to find.
#[derive(Debug)]
pub(super) struct Search {
    /// What the record keys begin with.
    prefix: String,
    /// Words to rank by.
    pub(super) query: Option<String>,
    /// The vector of the words.
    pub(super) embedding: Option<Embedding>,
    /// A condition on the content.
    filter: Option<Filter>,
    limit: usize,
    offset: usize,
    /// The least relevance.
    threshold: f32,
}

impl Search {
    /// Reads `prefix`, `query`, `filter`, `limit` (10 by default), `offset` and `threshold`.
    ///
    /// # Errors
    /// `InvalidInput` and `InvalidFilter`.
    pub(super) fn read(fields: &mut Fields) -> Result<Self> {
        let search = Self {
            prefix: prefix(&fields.texts("prefix")?)?,
            query: fields.text("query")?,
            embedding: None,
            filter: fields.take("filter").as_ref().map(Filter::compile).transpose()?,
            limit: fields.count("limit", 1..=MAX_LIMIT, 10)?,
            offset: fields.count("offset", 0..=usize::MAX, 0)?,
            threshold: fields.threshold()?.unwrap_or(UNRELATED),
        };
        if let Some(query) = &search.query {
            limits::text("query", query, limits::MAX_QUERY_BYTES)?;
        }
        Ok(search)
    }

    /// Finds documents, each with its record's key. With a query, those that fit it best come first; those that no query finds
    /// follow, in the order in which they were first put. What the batch itself wrote is not indexed yet.
    pub(super) fn find(&self, staged: &Staged<'_>) -> Result<Vec<(String, Document)>> {
        let wanted = self.offset.saturating_add(self.limit);
        let mut hits: Vec<(Present<'_>, Option<Found<'_>>)> = Vec::new();
        if let Some(text) = &self.query {
            let accepts = |view: &RecordView<'_>| {
                view.key.is_some_and(|key| key.starts_with(&self.prefix))
                    && staged
                        .resolve(*view)
                        .is_some_and(|present| present.is_indexed() && self.passes(&present))
            };
            let limit = wanted.div_ceil(PAGES).saturating_mul(PAGES);
            let query = Query { text, embedding: self.embedding.as_ref(), limit, now: staged.now };
            let among = Among { all: self.threshold == 0.0, ..Among::default() };
            for found in find(staged.store, (staged.scope, Kind::Document), &query, &among, Some(&accepts))? {
                if found.relevance >= self.threshold
                    && let Some(present) = staged.resolve(found.record)
                {
                    hits.push((present, Some(found)));
                }
            }
        }
        for present in staged.below(&self.prefix) {
            if hits.len() >= wanted {
                break;
            }
            if !(self.query.is_some() && present.is_indexed()) && self.passes(&present) {
                hits.push((present, None));
            }
        }
        let mut documents = Vec::new();
        for (present, scored) in hits.iter().skip(self.offset).take(self.limit) {
            let mut document = present.document()?;
            if let Some(found) = scored {
                document.score = Some(found.score.score);
                document.relevance = Some(found.relevance);
                document.terms = Some(Terms::of(found));
            }
            documents.push((present.key().to_owned(), document));
        }
        Ok(documents)
    }

    fn passes(&self, present: &Present<'_>) -> bool {
        self.filter
            .as_ref()
            .is_none_or(|filter| present.document().is_ok_and(|document| filter.matches(&document.value)))
    }
}
