//! Giving vectors to what was stored without one: text first, vector later.

use crate::database::{CallOrder, Database, Event};
use crate::embedding::Embedding;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::{Cause, Embed};
use crate::memory::models::Models;
use crate::memory::schedule::Job;
use crate::ordered::Ordered;
use crate::ports::Pending;
use crate::scope::Scope;
use crate::sort::sorted;
use crate::store::{Change, Draft, Store};
use crate::time::Timestamp;
use futures_util::future::{Either, select};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How many records get their vectors in one step.
const BATCH: usize = 64;
/// How long a search waits for the vectors of what was stored lately: where a storage hangs, words find it.
const PATIENCE_MS: u32 = 1_000;
/// The name of the job.
pub(crate) const EMBEDDING: &str = "embedding";

/// A text without a vector: of whose scope, id and text revision, and its parts.
type Unembedded = (Scope, Id, u32, Vec<String>);

/// The background embedding.
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
    /// One step at a time, or several would give the same texts their vectors.
    order: CallOrder,
    /// Whether the last step failed: the job tries again when it is time to, and searches do not.
    fails: Cell<bool>,
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
            fails: Cell::default(),
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

    /// Gives what was stored before the built-in embedder was there its vectors, where one step does. A search waits for that no longer
    /// than [`PATIENCE_MS`]; listeners are told when it fails.
    pub(crate) fn catch_up(&self) -> Pending<'_, ()> {
        Box::pin(async move {
            if self.models.has_embedder()
                || self.fails.get()
                || self.database.is_reading()
                || self.database.check_writable().is_err()
            {
                return;
            }
            let waiting =
                self.database.read(|store| Ok(self.batch(store, BATCH + 1).len())).unwrap_or_default();
            if !(1..=BATCH).contains(&waiting) {
                return;
            }
            // Calls that were made after the search stay behind it.
            let _hold = self.database.order().hold();
            let patience = self.database.platform().sleep(PATIENCE_MS);
            if let Either::Left((Err(error), _)) = select(self.step(None), patience).await {
                self.database.tell(&Event::Error(error));
            }
        })
    }

    /// Gives some of the texts that wait their vectors; answers whether there were any.
    async fn embed_batch(&self) -> Result<bool> {
        let mut batch = self.database.read(|store| Ok(self.batch(store, self.size.get())))?;
        if batch.is_empty() {
            return Ok(false);
        }
        self.models.check_room().await?;
        let embeddings = self.embed(&mut batch).await?;
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
        Ok(true)
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
            self.fails.set(done.is_err());
            done
        })
    }
}
