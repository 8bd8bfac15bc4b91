//! Finding documents below a namespace.

use super::super::limits;
use super::super::models::Models;
use super::super::search::Terms;
use super::document::Hit;
use super::namespace::prefix;
use super::operation::Search;
use super::staged::{Present, Staged};
use crate::embedding::Embedding;
use crate::error::Result;
use crate::filter::Filter;
use crate::log::RecordView;
use crate::record::Kind;
use crate::store::Query;

/// Scores depend on how many results are asked for. They are asked for by so many, so that pages fit one another.
const PAGES: usize = 100;

/// A search whose options were checked.
pub(super) struct Finder<'o> {
    search: &'o Search,
    prefix: String,
    filter: Option<Filter>,
}

impl<'o> Finder<'o> {
    /// Checks the options.
    ///
    /// # Errors
    /// `InvalidInput` and `InvalidFilter`.
    pub(super) fn new(search: &'o Search) -> Result<Self> {
        limits::limit(search.limit)?;
        if let Some(query) = &search.query {
            limits::text("query", query, limits::MAX_QUERY_BYTES)?;
        }
        let filter = search.filter.as_ref().map(Filter::compile).transpose()?;
        Ok(Self { search, prefix: prefix(&search.prefix)?, filter })
    }

    /// Finds documents, each with its record's key. With a query, those that fit it best come first; those that no query finds
    /// follow, in the order in which they were first put. What the batch itself wrote is not indexed yet.
    pub(super) fn find(
        &self,
        staged: &Staged<'_>,
        models: &Models,
        embedding: Option<&Embedding>,
    ) -> Result<Vec<(String, Hit)>> {
        let Search { limit, offset, .. } = *self.search;
        let wanted = offset.saturating_add(limit);
        let mut hits = Vec::new();
        if let Some(query) = &self.search.query {
            let accepts = |view: &RecordView<'_>| {
                view.key.is_some_and(|key| key.starts_with(&self.prefix))
                    && staged
                        .resolve(*view)
                        .is_some_and(|present| present.is_indexed() && self.passes(&present))
            };
            let query = Query {
                text: query,
                embedding,
                limit: wanted.div_ceil(PAGES).saturating_mul(PAGES),
                now: staged.now,
            };
            for found in staged.store.search(staged.scope, Kind::Document, &query, &accepts)? {
                if models.is_relevant(&found)
                    && let Some(present) = staged.resolve(found.record)
                {
                    hits.push((present, Some((found.score.score, Terms::of(&found)))));
                }
            }
        }
        if hits.len() < wanted {
            let is_ranked = self.search.query.is_some();
            let rest = staged.below(&self.prefix).filter(|present| !(is_ranked && present.is_indexed()));
            hits.extend(
                rest.filter(|present| self.passes(present)).map(|present| (present, None)).take(wanted),
            );
        }
        let page = hits.into_iter().skip(offset).take(limit);
        page.map(|(present, scored)| {
            let (score, terms) = scored.unzip();
            Ok((present.key().to_owned(), Hit { document: present.document()?, score, terms }))
        })
        .collect()
    }

    fn passes(&self, present: &Present<'_>) -> bool {
        self.filter
            .as_ref()
            .is_none_or(|filter| present.document().is_ok_and(|document| filter.matches(&document.value)))
    }
}
