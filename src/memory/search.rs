//! Searching one kind of record, as every system does it.

use super::facts::json;
use super::limits;
use super::message::{thread, thread_prefix};
use super::models::Models;
use crate::database::{Database, Event};
use crate::embedding::Embedding;
use crate::error::Result;
use crate::filter::Filter;
use crate::log::RecordView;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{Found, Query};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What to search for.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Asked {
    /// The query, in words.
    pub query: String,
    /// How many results at most, 1 to 1000; 10 by default.
    #[serde(default = "ten")]
    pub limit: usize,
    /// A condition on what results show.
    pub filter: Option<Value>,
    /// The least score, 0 to 1; 0 by default.
    #[serde(default)]
    pub threshold: f32,
    /// Only in this thread; for messages.
    pub thread_id: Option<String>,
}

pub(crate) fn ten() -> usize {
    10
}

/// How a score came about.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Terms {
    /// What the words add to the score: their BM25 between the candidates' least and greatest, weighted.
    pub words: f32,
    /// What the meaning adds: the cosine, less what all candidates share, between their least and greatest, weighted.
    pub meaning: f32,
    /// The BM25 score itself, if any word is shared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words_raw: Option<f32>,
    /// The cosine itself, if it is among the nearest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meaning_raw: Option<f32>,
}

impl Terms {
    pub(crate) fn of(found: &Found<'_>) -> Self {
        let [words, meaning] = found.score.terms;
        Self { words: words.share, meaning: meaning.share, words_raw: words.raw, meaning_raw: meaning.raw }
    }
}

/// A result with its score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scored<T> {
    /// The result.
    #[serde(flatten)]
    pub item: T,
    /// From 0 to 1; comparable only within one answer.
    pub score: f32,
    /// How it came about.
    pub terms: Terms,
}

/// The vector of a query. When the embedder fails the listeners are told, and words have to do.
pub(crate) async fn embed_query(database: &Database, models: &Models, query: &str) -> Option<Embedding> {
    match models.embed_query(query).await {
        Ok(embedding) => embedding,
        Err(error) => {
            database.tell(&Event::Error(error));
            None
        }
    }
}

/// Searches one kind of record.
pub(crate) async fn search<T: Serialize>(
    database: &Database,
    models: &Models,
    scope: &Scope,
    kind: Kind,
    asked: &Asked,
    shown: impl Fn(&RecordView<'_>) -> Result<T>,
) -> Result<Vec<Scored<T>>> {
    limits::text("query", &asked.query, limits::MAX_QUERY_BYTES)?;
    let prefix = match asked.thread_id.as_deref() {
        None => None,
        // Only messages have a thread in their keys.
        Some(id) if kind == Kind::Message => Some(thread_prefix(thread(Some(id))?)),
        Some(_) => return Err(limits::invalid("threadId is an option of threads.search only".to_owned())),
    };
    limits::limit(asked.limit)?;
    let filter = asked.filter.as_ref().map(Filter::compile).transpose()?;
    let embedding = embed_query(database, models, &asked.query).await;
    let now = database.now();
    database.read(|store| {
        let accepts = |view: &RecordView<'_>| {
            let inside =
                prefix.as_ref().is_none_or(|prefix| view.key.is_some_and(|key| key.starts_with(prefix)));
            inside
                && filter.as_ref().is_none_or(|filter| {
                    shown(view).and_then(|item| json(&item)).is_ok_and(|item| filter.matches(&item))
                })
        };
        let query = Query { text: &asked.query, embedding: embedding.as_ref(), limit: asked.limit, now };
        let found = store.search(scope, kind, &query, &accepts)?;
        let relevant =
            found.iter().filter(|found| models.is_relevant(found) && found.score.score >= asked.threshold);
        relevant
            .map(|found| {
                Ok(Scored { item: shown(&found.record)?, score: found.score.score, terms: Terms::of(found) })
            })
            .collect()
    })
}
