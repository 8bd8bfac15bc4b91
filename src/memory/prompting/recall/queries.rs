//! Queries: what is searched for, and one result out of what each of them finds.

use super::reached::Walk;
use crate::embedding::Embedding;
use crate::error::Error;
use crate::memory::finding::unaddressed;
use crate::memory::pages::indexed_words;
use crate::memory::search::{Searcher, comparable};
use crate::sort::sorted;
use crate::store::Found;
use rustc_hash::FxHashMap;

/// A query with its vector, if there is one.
pub(crate) struct Asked {
    pub(crate) text: String,
    pub(crate) embedding: Option<Embedding>,
}

/// What is searched for: what the user says, and what else a model would ask.
pub(crate) struct Queries {
    pub(crate) all: Vec<Asked>,
    /// How far the graph is walked from whom they name.
    pub(crate) walk: Option<Walk>,
}

impl Queries {
    /// The query alone, without a vector.
    pub(crate) fn plain(query: &str) -> Self {
        Self { all: vec![Asked { text: query.to_owned(), embedding: None }], walk: None }
    }

    /// A query and others, with their vectors; without them when the embedder fails, which is a warning.
    pub(crate) async fn embedded(searcher: &Searcher, query: &str, others: &[String]) -> (Self, Vec<Error>) {
        let query = unaddressed(query);
        let texts: Vec<&str> = std::iter::once(query).chain(others.iter().map(String::as_str)).collect();
        searcher.embeddings.catch_up().await;
        let embeddings = searcher.models.embed_queries(&texts).await;
        let (mut embeddings, warnings) =
            match embeddings.and_then(|embeddings| comparable(&searcher.database, embeddings)) {
                Ok(embeddings) => (embeddings, Vec::new()),
                Err(error) => (Vec::new(), vec![error]),
            };
        embeddings.resize_with(texts.len(), || None);
        let asked = |(text, embedding): (&str, _)| Asked { text: text.to_owned(), embedding };
        (Self { all: texts.into_iter().zip(embeddings).map(asked).collect(), walk: None }, warnings)
    }

    /// Their texts.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.all.iter().map(|asked| asked.text.clone()).collect()
    }

    /// Their words, as they are indexed.
    pub(crate) fn words(&self) -> Vec<String> {
        indexed_words(&self.texts())
    }
}

/// What several queries found, each once as the query found it that it fits best, with the place of that query; best first.
pub(super) fn fused<'s>(lists: &[Vec<Found<'s>>]) -> Vec<(Found<'s>, usize)> {
    let mut all: Vec<(Found<'s>, usize)> = Vec::new();
    let mut places: FxHashMap<u32, usize> = FxHashMap::default();
    for (query, list) in lists.iter().enumerate() {
        for found in list {
            let place = *places.entry(found.score.document).or_insert(all.len());
            match all.get_mut(place) {
                None => all.push((*found, query)),
                Some((known, by)) if known.relevance < found.relevance => (*known, *by) = (*found, query),
                Some(_) => {}
            }
        }
    }
    let by_score = |(one, _): &(Found<'_>, usize), (other, _): &(Found<'_>, usize)| {
        other.score.score.total_cmp(&one.score.score)
    };
    if lists.len() > 1 { sorted(&all, by_score).into_iter().copied().collect() } else { all }
}
