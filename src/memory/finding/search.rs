//! Searching one kind of record, as every system does it.

use super::address::unaddressed;
use super::{Known, newer, relevance, turns};
use crate::database::{Database, Event};
use crate::embedding::Embedding;
use crate::error::Result;
use crate::json::to_value;
use crate::log::RecordView;
use crate::memory::access::Accesses;
use crate::memory::counter::Counter;
use crate::memory::embedding::Embeddings;
use crate::memory::limits;
use crate::memory::listing::{Shown, filter};
use crate::memory::message::{Roles, StoredMessage, thread, thread_prefix};
use crate::memory::models::Models;
pub use crate::memory::scoring::Terms;
use crate::memory::scoring::{Rated, Scoring};
use crate::record::Kind;
use crate::scope::Scope;
use crate::sort::sorted;
use crate::store::{Accepts, Among, Found, Query, Store, by_the_best};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// The relevance below which a search leaves a result out, unless it is asked for less.
pub const UNRELATED: f32 = 0.03;

/// Whether a threshold wants what [`UNRELATED`] leaves out.
pub(crate) fn takes_unrelated(threshold: Option<f32>) -> bool {
    threshold.is_some_and(|threshold| threshold < UNRELATED)
}

/// What to search for.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Asked {
    /// The query, in words.
    pub query: String,
    /// How many results at most, 1 to 1000; 10 by default.
    #[serde(default = "ten", deserialize_with = "limits::limit")]
    pub limit: usize,
    /// A condition on what results show.
    pub filter: Option<Value>,
    /// The least relevance, 0 to 1; [`UNRELATED`] by default.
    pub threshold: Option<f32>,
    /// How results are scored; by words and meaning alone by default.
    #[serde(default)]
    pub scoring: Scoring,
    /// Whether what waits for its vector gets it first; false by default.
    #[serde(default, rename = "await")]
    pub waits: bool,
    /// Also what is no longer true or not yet; for facts. False by default.
    #[serde(default)]
    pub include_ended: bool,
    /// Only in this thread; for messages.
    pub thread_id: Option<String>,
    /// Only of these speakers; for messages.
    pub role: Option<Roles>,
    /// Only what was said at this time or later; for messages.
    pub from: Option<Timestamp>,
    /// Only what was said before this time; for messages.
    pub to: Option<Timestamp>,
}

pub(crate) fn ten() -> usize {
    10
}

/// A result with its score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scored<T> {
    /// The result.
    #[serde(flatten)]
    pub item: T,
    /// From 0 to 1, in the mode `sum` to the sum of the weights; comparable only within one answer.
    pub score: f32,
    /// How surely it is about what is asked, 0 to 1, comparable between queries.
    pub relevance: f32,
    /// Whether it answers what is asked, as a rule; `partly` where it has to do with it, `no` where it is told for its score alone.
    pub known: Known,
    /// How it came about.
    pub terms: Terms,
}

/// The vectors of queries, where they can be compared with those that are stored.
///
/// # Errors
/// `Embedder` where vectors of other dimensions are stored; a search can go on by words.
pub(crate) fn comparable(
    database: &Database,
    embeddings: Vec<Option<Embedding>>,
) -> Result<Vec<Option<Embedding>>> {
    database.read(|store| embeddings.iter().flatten().try_for_each(|query| store.check_dimensions(query)))?;
    Ok(embeddings)
}

/// The vector of a query. When the embedder fails, listeners are told and words are used.
pub(crate) async fn embed_query(database: &Database, models: &Models, query: &str) -> Option<Embedding> {
    let embeddings = models.embed_queries(&[unaddressed(query)]).await;
    match embeddings.and_then(|embeddings| comparable(database, embeddings)) {
        Ok(mut embeddings) => embeddings.pop().flatten(),
        Err(error) => {
            database.tell(&Event::Error(error));
            None
        }
    }
}

/// How many candidates are scored per wanted result when more than relevance counts, and how many at least.
const CANDIDATES_PER_RESULT: usize = 4;
const MIN_CANDIDATES: usize = 50;

/// How many candidates a search needs for so many results.
pub(crate) fn candidates(limit: usize, scoring: &Scoring) -> usize {
    if scoring.is_relevance() { limit } else { (limit * CANDIDATES_PER_RESULT).max(MIN_CANDIDATES) }
}

/// The records of a collection that fit best, best first: words and meaning, for messages the conversation around them, and the
/// newest of what replaces one another. There may be more than the limit of the query: who leaves some out for their relevance does so
/// before the others are cut off.
///
/// # Errors
/// Those of reading vectors.
pub(crate) fn find<'s>(
    store: &'s Store,
    (scope, kind): (&Scope, Kind),
    query: &Query<'_>,
    among: &Among,
    accepts: Option<Accepts<'_>>,
) -> Result<Vec<Found<'s>>> {
    let query = &Query { text: unaddressed(query.text), ..*query };
    let Some(mut search) = store.candidates(scope, kind, query, among, accepts)? else {
        return Ok(Vec::new());
    };
    let mut abouts = relevance::Abouts::default();
    let mut found = match kind {
        Kind::Message => turns::rank(&mut search, query.text, query.now),
        Kind::Fact => relevance::facts(&mut search, store, scope, query.text, &mut abouts),
        _ => search.found(&search.candidates),
    };
    match kind {
        Kind::Message => {
            relevance::messages(&mut found, &search, query.text, relevance::own_name(store, scope))
        }
        Kind::Fact => {}
        _ => relevance::others(&mut found, &search, query.text),
    }
    if matches!(kind, Kind::Message | Kind::Fact) && turns::is_of_the_present(query.text, query.now) {
        newer::lift(&mut found, &search, &abouts, query.text);
        relevance::succeed(&mut found, &search, &abouts);
    }
    by_the_best(&mut found);
    Ok(found)
}

/// Of statements that no index holds, each one's relevance, its coverage and how well it fits who is asked about.
pub(crate) fn judge(
    query: &str,
    store: &Store,
    scope: &Scope,
    statements: &[String],
) -> Vec<(f32, [f32; 2])> {
    relevance::statements(query, store, scope, statements)
}

/// Whether a query asks for what was so and may no longer be.
pub(crate) fn is_of_the_past(query: &str, now: Timestamp) -> bool {
    turns::is_of_the_past(query, now)
}

/// The times that a query names.
pub(crate) fn times_asked(query: &str, now: Timestamp) -> Vec<Range<Timestamp>> {
    turns::Dates::asked(query, now).spans(now)
}

/// Whether a query asks for what has changed.
pub(crate) fn is_of_a_change(query: &str) -> bool {
    turns::is_of_a_change(query)
}

/// Whether a question is about the user, or about somebody by what they are to the user.
pub(crate) fn means_user(query: &str, store: &Store, scope: &Scope) -> bool {
    relevance::means_user(query, store, scope)
}

/// The words of the user's name, as their profile has it; none when it has none.
pub(crate) fn own_name(store: &Store, scope: &Scope) -> Vec<String> {
    relevance::own_name(store, scope)
}

/// What searching takes. Clones search the same memory.
#[derive(Clone)]
pub(crate) struct Searcher {
    pub(crate) database: Database,
    pub(crate) models: Rc<Models>,
    pub(crate) embeddings: Rc<Embeddings>,
    pub(crate) accesses: Accesses,
    pub(crate) counter: Counter,
    /// The kinds of records that no page waits for any more when they are searched first.
    pub(crate) begun: Rc<RefCell<Vec<Kind>>>,
}

impl Searcher {
    /// Makes ready for the first search of some kinds of records, where a page would wait for it: a browser compiles what a search calls
    /// when it is called first, which takes several times as long as the search. So its parts are done once for nothing, and others
    /// have the thread in between.
    pub(crate) async fn begin(
        &self,
        (scope, kinds): (&Scope, &[Kind]),
        text: &str,
        embedding: Option<&Embedding>,
    ) -> Result<()> {
        let is_new = |kind: &&Kind| !self.begun.borrow().contains(kind);
        let kinds: Vec<Kind> = kinds.iter().filter(is_new).copied().collect();
        if kinds.is_empty() {
            return Ok(());
        }
        self.begun.borrow_mut().extend(&kinds);
        if !self.database.platform().is_of_page() {
            return Ok(());
        }
        // Calls that were made later stay behind this one.
        let _hold = self.database.order().hold();
        let query = Query { text, embedding, limit: 1, now: self.database.now() };
        let among = Among::default();
        for kind in kinds {
            self.database.platform().yield_now().await;
            self.database.read(|store| store.candidates(scope, kind, &query, &among, None).map(drop))?;
            self.database.platform().yield_now().await;
            self.database.read(|store| find(store, (scope, kind), &query, &among, None).map(drop))?;
        }
        self.database.platform().yield_now().await;
        Ok(())
    }

    /// The vector of a query, after what waits for vectors has them, where that is little. When the embedder fails, listeners are told
    /// and words are used.
    pub(crate) async fn embed(&self, query: &str) -> Option<Embedding> {
        self.embeddings.catch_up().await;
        embed_query(&self.database, &self.models, query).await
    }

    /// Searches one kind of record.
    pub(crate) async fn search<T: Shown>(
        &self,
        scope: &Scope,
        kind: Kind,
        asked: &Asked,
        shown: impl Fn(&Store, &RecordView<'_>) -> Result<T>,
    ) -> Result<Vec<Scored<T>>> {
        limits::text("query", &asked.query, limits::MAX_QUERY_BYTES)?;
        let of_messages = [
            ("threadId", asked.thread_id.is_some()),
            ("role", asked.role.is_some()),
            ("from", asked.from.is_some()),
            ("to", asked.to.is_some()),
        ];
        if let Some((name, _)) = of_messages.iter().find(|(_, given)| *given && kind != Kind::Message) {
            return Err(limits::invalid(format!("{name} is an option of threads.search only")));
        }
        if asked.include_ended && kind != Kind::Fact {
            return Err(limits::invalid("includeEnded is an option of facts.search only".to_owned()));
        }
        let prefix = asked.thread_id.as_deref().map(|id| thread(Some(id)).map(thread_prefix)).transpose()?;
        limits::threshold(asked.threshold)?;
        asked.scoring.check()?;
        let filter = filter::<T>(asked.filter.as_ref())?;
        let is_own = filter.as_ref().is_some_and(T::is_own);
        let condition = asked.filter.as_ref().filter(|_| is_own && asked.role.is_none());
        let among = Among {
            times: asked.from.unwrap_or(Timestamp::MIN)..asked.to.unwrap_or(Timestamp::MAX),
            key_prefix: prefix.unwrap_or_default(),
            unrelated: takes_unrelated(asked.threshold),
            ended: asked.include_ended,
            all: false,
            condition: condition.map(Value::to_string).unwrap_or_default(),
        };
        if asked.waits {
            self.embeddings.catch_up_with_all().await;
        }
        let embedding = self.embed(&asked.query).await;
        self.begin((scope, &[kind]), &asked.query, embedding.as_ref()).await?;
        let now = self.database.now();
        self.database.read(|store| {
            let accepts = |view: &RecordView<'_>| {
                // What takes no parsing is looked at first.
                asked.role.as_ref().is_none_or(|roles| StoredMessage::is_of(view, roles))
                    && filter.as_ref().is_none_or(|filter| {
                        let item = match is_own {
                            true => T::part(view, filter),
                            false => shown(store, view).and_then(|item| to_value(&item)),
                        };
                        item.is_ok_and(|item| filter.matches(&item))
                    })
            };
            // Where all are wanted, none is read to tell.
            let accepts: Option<&dyn Fn(&RecordView<'_>) -> bool> =
                if asked.role.is_some() || filter.is_some() { Some(&accepts) } else { None };
            let limit = candidates(asked.limit, &asked.scoring);
            let query = Query { text: &asked.query, embedding: embedding.as_ref(), limit, now };
            let mut found = find(store, (scope, kind), &query, &among, accepts)?;
            let least = asked.threshold.unwrap_or(UNRELATED);
            found.retain(|found| found.relevance >= least);
            found.truncate(limit);
            let rated = asked.scoring.rate(&found, now);
            let mut rated = sorted(&rated, |a, b| b.score.total_cmp(&a.score));
            rated.truncate(asked.limit);
            self.accesses.note(scope, &mut rated.iter().map(|rated| rated.found.record));
            let scored = |rated: &&Rated<'_>| {
                Ok(Scored {
                    item: shown(store, &rated.found.record)?,
                    score: rated.score,
                    relevance: rated.found.relevance,
                    known: Known::by(rated.found.relevance),
                    terms: rated.terms,
                })
            };
            rated.iter().map(scored).collect()
        })
    }
}
