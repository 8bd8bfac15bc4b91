//! Giving vectors to what was stored without one: text first, vector later, in the background or before a search.

use crate::database::{CallOrder, Database, Event};
use crate::embedding::Embedding;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::{Cause, Embed};
use crate::memory::models::{Models, QUERY_TIMEOUT_MS};
use crate::memory::schedule::Job;
use crate::ordered::Ordered;
use crate::ports::Pending;
use crate::record::Kind;
use crate::scope::Scope;
use crate::sort::sorted;
use crate::store::{Change, Draft, Store};
use crate::time::Timestamp;
use futures_channel::oneshot;
use futures_util::future::{Either, select};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How many records get their vectors in one step.
const BATCH: usize = 64;
/// How many texts the documents may have together that a search gives their vectors, unless the latest alone has more; older ones get
/// theirs in the background.
const MOST_TEXTS: usize = 128;
/// How long a search waits until vectors are stored: where a storage hangs, words find what has none.
const PATIENCE_MS: u32 = 1_000;
/// How many failures in a row end what a search waits for.
const FAILURES: usize = 2;
/// The name of the job.
pub(crate) const EMBEDDING: &str = "embedding";

/// A text without a vector: of whose scope, id and text revision, and its parts.
type Unembedded = (Scope, Id, u32, Vec<String>);

/// What gives texts their vectors: a job, and what searches do before they begin.
pub(crate) struct Embeddings {
    database: Database,
    models: Rc<Models>,
    /// Texts in which the embedder finds nothing, by record and text revision; not asked again until the memory is opened
    /// anew.
    empty: RefCell<Ordered<(Id, u32), ()>>,
    /// Texts that failed alone, the latest last: they are asked for behind all others, so that one that the embedder refuses keeps
    /// none of them back.
    refused: RefCell<Vec<(Id, u32)>>,
    /// How many records the next step takes at most: half as many after a failure, twice as many after a success.
    size: Cell<usize>,
    /// Whether listeners were told that it finds nothing.
    told: Cell<bool>,
    /// One step at a time, or several would give the same texts their vectors; and one search of documents.
    order: CallOrder,
    of_documents: CallOrder,
    /// Whether the last step failed, and not for want of the embedder: the job tries again when it is time to, and searches do not.
    fails: Cell<bool>,
    /// How often a search could not give documents theirs.
    failed: Cell<usize>,
    /// How much that searches began takes longer than they wait: the next ones begin nothing.
    late: Cell<usize>,
}

impl Embeddings {
    pub(crate) fn new(database: Database, models: Rc<Models>) -> Self {
        let (empty, refused) = (RefCell::default(), RefCell::default());
        Self {
            database,
            models,
            empty,
            refused,
            size: Cell::new(BATCH),
            told: Cell::default(),
            order: CallOrder::default(),
            of_documents: CallOrder::default(),
            fails: Cell::default(),
            failed: Cell::default(),
            late: Cell::default(),
        }
    }

    /// The first texts that need a vector, those that failed alone last.
    fn batch(&self, store: &Store, size: usize) -> Vec<Unembedded> {
        let (empty, refused) = (self.empty.borrow(), self.refused.borrow());
        let mut batch = store.unembedded(size.saturating_add(empty.len()).saturating_add(refused.len()));
        batch.retain(|(_, id, revision, _)| !empty.contains(&(*id, *revision)));
        let turn = |(_, id, revision, _): &Unembedded| {
            refused.iter().position(|text| *text == (*id, *revision)).map_or(0, |turn| turn + 1)
        };
        if !refused.is_empty() {
            batch = sorted(&batch, |one, other| turn(one).cmp(&turn(other))).into_iter().cloned().collect();
        }
        batch.truncate(size);
        batch
    }

    /// The vectors of a batch. When that fails, half of it is tried, and half of that, until one text is left: it may be the
    /// one that is refused.
    ///
    /// # Errors
    /// Those of the last attempt.
    async fn embed(&self, batch: &mut Vec<Unembedded>) -> Result<Vec<Vec<Embedding>>> {
        loop {
            let texts: Vec<&[String]> = batch.iter().map(|(_, _, _, texts)| texts.as_slice()).collect();
            let error = match self.models.embed_parts(&texts, self.models.timeout_ms()).await {
                Ok(embeddings) => {
                    self.size.set(self.size.get().saturating_mul(2).min(BATCH));
                    self.tell_of_nothing(&texts, &embeddings);
                    return Ok(embeddings);
                }
                Err(error) => error,
            };
            if error.code != Code::Embedder {
                return Err(error);
            }
            if let [(_, id, revision, _)] = batch.as_slice() {
                let mut refused = self.refused.borrow_mut();
                refused.retain(|text| *text != (*id, *revision));
                refused.push((*id, *revision));
                return Err(error);
            }
            batch.truncate(batch.len() / 2);
            self.size.set(batch.len());
        }
    }

    /// Whether a search may give texts their vectors.
    fn may_store(&self) -> bool {
        self.late.get() == 0 && !self.database.is_reading() && self.database.check_writable().is_ok()
    }

    /// Gives what was stored before the built-in embedder was there its vectors, where one step does. A search waits for that no longer
    /// than [`PATIENCE_MS`]; listeners are told when it fails.
    pub(crate) fn catch_up<'a>(self: &'a Rc<Self>) -> Pending<'a, ()> {
        Box::pin(async move {
            if self.models.has_embedder() || self.fails.get() || !self.may_store() {
                return;
            }
            let waiting =
                self.database.read(|store| Ok(self.batch(store, BATCH + 1).len())).unwrap_or_default();
            if (1..=BATCH).contains(&waiting) {
                // Calls that were made after the search stay behind it.
                let _hold = self.database.order().hold();
                let step = self.clone();
                self.wait(Box::pin(async move { step.step(None).await.map(drop) })).await;
            }
        })
    }

    /// Gives all that waits its vector, of every scope, for a search that asks for that; what the embedder refused before
    /// is tried last. Where it fails, listeners are told, and words are used.
    pub(crate) async fn catch_up_with_all(&self) {
        let mut failures = 0;
        while self.may_store() {
            match self.step(None).await {
                Ok(true) => {}
                Ok(false) => return,
                // It may have been one text alone that is refused.
                Err(error) if error.code == Code::Embedder && failures < FAILURES && self.is_left() => {
                    failures += 1;
                    self.database.tell(&Event::Error(error));
                }
                Err(error) => return self.database.tell(&Event::Error(error)),
            }
        }
    }

    /// Whether a text waits for its vector that was not refused before.
    fn is_left(&self) -> bool {
        let first = self.database.read(|store| Ok(self.batch(store, 1))).unwrap_or_default();
        let is_new = |(_, id, revision, _): &Unembedded| !self.refused.borrow().contains(&(*id, *revision));
        first.first().is_some_and(is_new)
    }

    /// Gives the latest documents of a scope that have no vector theirs, also by the application's embedder, so that a search finds by
    /// meaning what was put before it. Where that fails, listeners are told, and words are used.
    pub(crate) async fn catch_up_documents(self: &Rc<Self>, scope: &Scope) {
        if !self.models.has_embedder() {
            return self.catch_up().await;
        }
        if !self.may_store() {
            return;
        }
        let failed = self.failed.get();
        self.of_documents.turn().await;
        // What failed for a search before, while this one waited for it, is not tried again.
        if self.failed.get() != failed {
            return;
        }
        let _hold = self.of_documents.hold();
        match self.embed_documents(scope).await {
            Ok((batch, _)) if batch.is_empty() => {}
            Ok((batch, embeddings)) => {
                let storing = self.clone();
                self.wait(Box::pin(async move { storing.store(batch, embeddings).await })).await;
            }
            Err(error) => {
                self.failed.set(failed + 1);
                self.database.tell(&Event::Error(error));
            }
        }
    }

    /// Waits for work no longer than [`PATIENCE_MS`]. It goes on by itself, so that what is on its way to the storage is not given up.
    async fn wait(self: &Rc<Self>, work: Pending<'static, Result<()>>) {
        let (sender, done) = oneshot::channel();
        let (embeddings, is_late) = (self.clone(), Rc::new(Cell::new(false)));
        let was_late = is_late.clone();
        self.database.platform().spawn(Box::pin(async move {
            match work.await {
                Err(error) if error.code != Code::Closed => embeddings.database.tell(&Event::Error(error)),
                _ => {}
            }
            embeddings.late.set(embeddings.late.get() - usize::from(was_late.get()));
            // A search that has gone on does not hear it.
            sender.send(()).unwrap_or_default();
        }));
        if let Either::Right(_) = select(done, self.database.platform().sleep(PATIENCE_MS)).await {
            is_late.set(true);
            self.late.set(self.late.get() + 1);
        }
    }

    /// Gives some of the texts that wait their vectors; answers whether there were any.
    async fn embed_batch(&self) -> Result<bool> {
        let mut batch = self.database.read(|store| Ok(self.batch(store, self.size.get())))?;
        if batch.is_empty() {
            return Ok(false);
        }
        self.models.check_room().await?;
        let embeddings = self.embed(&mut batch).await?;
        self.store(batch, embeddings).await?;
        Ok(true)
    }

    /// The latest documents of a scope that have no vector, as many as a search has time for, with their vectors.
    async fn embed_documents(&self, scope: &Scope) -> Result<(Vec<Unembedded>, Vec<Vec<Embedding>>)> {
        let mut latest = self.database.read(|store| Ok(store.unembedded_of(scope, Kind::Document, BATCH)))?;
        latest.retain(|(_, id, revision, _)| !self.empty.borrow().contains(&(*id, *revision)));
        let mut count = 0;
        let some = latest.iter().take_while(|(_, _, _, texts)| {
            count += texts.len();
            count <= MOST_TEXTS.max(texts.len())
        });
        latest.truncate(some.count());
        let texts: Vec<&[String]> = latest.iter().map(|(_, _, _, texts)| texts.as_slice()).collect();
        if texts.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let embeddings = self.models.embed_parts(&texts, QUERY_TIMEOUT_MS).await?;
        Ok((latest, embeddings))
    }

    /// Stores the vectors of texts. Those in which the embedder finds nothing are not asked for again.
    async fn store(&self, batch: Vec<Unembedded>, embeddings: Vec<Vec<Embedding>>) -> Result<()> {
        let mut drafts: Vec<Draft> = Vec::new();
        for ((scope, id, revision, _), embeddings) in batch.into_iter().zip(embeddings) {
            if embeddings.is_empty() {
                self.empty.borrow_mut().insert((id, revision), ());
                continue;
            }
            let embed = |embedding| Change::Embed(Embed { id, revision, embedding });
            let changes = embeddings.into_iter().map(embed);
            match drafts.iter_mut().find(|draft| draft.scope == scope) {
                Some(draft) => draft.changes.extend(changes),
                None => {
                    let mut draft = Draft::new(&scope, Cause::Embed);
                    draft.changes.extend(changes);
                    drafts.push(draft);
                }
            }
        }
        for draft in drafts {
            self.database.commit(draft).await?;
        }
        Ok(())
    }

    /// Tells listeners, once, of an embedder that finds nothing in any of some texts with words: it is likely broken.
    fn tell_of_nothing(&self, texts: &[&[String]], embeddings: &[Vec<Embedding>]) {
        let has_words = texts.iter().copied().flatten().any(|text| text.contains(char::is_alphanumeric));
        if has_words && embeddings.iter().all(Vec::is_empty) && !self.told.replace(true) {
            let message = format!(
                "the embedder returned nothing but zeros for {} texts; they are found by words alone",
                texts.iter().copied().flatten().count()
            );
            self.database.tell(&Event::Error(Error::new(Code::Embedder, message)));
        }
    }
}

impl Job for Embeddings {
    fn kind(&self) -> &'static str {
        EMBEDDING
    }

    fn due(&self, store: &Store, _: Option<&Scope>, _: Timestamp) -> Result<Option<Timestamp>> {
        Ok(if self.batch(store, 1).is_empty() { None } else { Some(Timestamp::MIN) })
    }

    fn waiting(&self, store: &Store, _: Option<&Scope>, _: Timestamp) -> Result<usize> {
        Ok(self.batch(store, usize::MAX).len())
    }

    fn step<'a>(&'a self, _: Option<&'a Scope>) -> Pending<'a, Result<bool>> {
        Box::pin(async move {
            self.order.turn().await;
            let _hold = self.order.hold();
            let done = self.embed_batch().await;
            self.fails.set(matches!(&done, Err(error) if error.code != Code::Load));
            done
        })
    }
}
