//! What was ever said: searching the messages of all threads for the model.

use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::archive::MOST_RESULTS;
use crate::memory::limits;
use crate::memory::message::{Role, StoredMessage};
use crate::memory::search::Searcher;
use crate::record::Kind;
use crate::scope::Scope;
use crate::sort::sorted;
use crate::store::Query;
use crate::time::Timestamp;

/// Which messages are meant.
pub(super) struct Wanted<'a> {
    /// The roles whose words count; only what has words counts at all.
    pub(super) roles: &'a [Role],
    /// The first and the last time.
    pub(super) span: (Timestamp, Timestamp),
    /// Messages that the model sees anyway.
    pub(super) seen: &'a [Id],
}

impl Wanted<'_> {
    fn accepts(&self, view: &RecordView<'_>) -> bool {
        (self.span.0..=self.span.1).contains(&view.valid_from)
            && view.text.is_some()
            && !self.seen.contains(&view.id)
            && StoredMessage::of(view).is_ok_and(|message| self.roles.contains(&message.role))
    }
}

/// The messages that fit a query best, best first, 100 at most.
pub(super) async fn search(
    searcher: &Searcher,
    scope: &Scope,
    query: &str,
    wanted: &Wanted<'_>,
) -> Result<Vec<StoredMessage>> {
    limits::text("query", query, limits::MAX_QUERY_BYTES)?;
    let Searcher { database, models, .. } = searcher;
    let embedding = searcher.embed(query).await;
    database.read(|store| {
        let accepts = |view: &RecordView<'_>| wanted.accepts(view);
        let query =
            Query { text: query, embedding: embedding.as_ref(), limit: MOST_RESULTS, now: database.now() };
        let mut found = store.search(scope, Kind::Message, &query, &accepts)?;
        found.retain(|found| models.is_relevant(found));
        found.iter().map(|found| StoredMessage::of(&found.record)).collect()
    })
}

/// Messages in the order in which they were said: those from `first` on, `count` at most, and how many there are in all.
pub(super) fn list(
    searcher: &Searcher,
    scope: &Scope,
    wanted: &Wanted<'_>,
    first: usize,
    count: usize,
) -> Result<(Vec<StoredMessage>, usize)> {
    searcher.database.read(|store| {
        let views: Vec<_> = store.records(scope, Kind::Message).filter(|view| wanted.accepts(view)).collect();
        let ordered = sorted(&views, |a, b| a.valid_from.cmp(&b.valid_from));
        let page = ordered.iter().skip(first).take(count);
        let messages = page.map(|view| StoredMessage::of(view)).collect::<Result<_>>()?;
        Ok((messages, ordered.len()))
    })
}
