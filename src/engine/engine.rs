//! Opening, wiring, closing.

use super::input::read;
use crate::database::{Database, Listener, Report};
use crate::error::Result;
use crate::memory::Background;
use crate::memory::facts::Facts;
use crate::memory::ingest::{ExtractionOptions, Idle, Ingest};
use crate::memory::models::{Models, Spent};
use crate::memory::past::Past;
use crate::memory::profiles::{Profiles, Schemas};
use crate::memory::recall::Recall;
use crate::memory::threads::Threads;
use crate::ordered::Ordered;
use crate::ports::{Embedder, Llm, Platform, Storage};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::rc::Rc;

/// How a memory is opened.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Options {
    /// JSON Schemas of the profiles, by id.
    pub profiles: Map<String, Value>,
    /// How extraction goes.
    pub extraction: ExtractionOptions,
}

impl Options {
    /// Reads options from a JSON object.
    ///
    /// # Errors
    /// `InvalidInput` for an unknown option or a wrong type.
    pub fn from_json(text: &str) -> Result<Self> {
        read(text)
    }
}

/// What a memory is made of.
pub struct Parts {
    /// Where it is kept.
    pub storage: Rc<dyn Storage>,
    /// Time, randomness and background work.
    pub platform: Rc<dyn Platform>,
    /// The language model; rules extract without one.
    pub llm: Option<Rc<dyn Llm>>,
    /// The embedder; the built-in one is used without one.
    pub embedder: Option<Rc<dyn Embedder>>,
}

/// How much there is, and what was spent.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// What models were asked in all, since the memory was opened.
    #[serde(flatten)]
    pub spent: Spent,
    /// The same by purpose.
    pub by_purpose: Ordered<&'static str, Spent>,
    /// Living records of all scopes.
    pub records: usize,
    /// Scopes that hold or held something.
    pub scopes: usize,
    /// Commits.
    pub commits: usize,
    /// Vectors in the indexes.
    pub vectors: usize,
    /// Records that still wait for a vector.
    pub unembedded: usize,
    /// Extractions that still wait.
    pub pending: usize,
}

/// An open memory. Clones are handles to the same one.
#[derive(Clone)]
pub struct Engine {
    database: Database,
    models: Rc<Models>,
    background: Background,
    /// Handing over messages.
    pub ingest: Ingest,
    /// Putting together what matters now.
    pub recall: Recall,
    /// Profiles.
    pub profiles: Profiles,
    /// Facts.
    pub facts: Facts,
    /// Conversations.
    pub threads: Threads,
    /// Revisions, explanations, undo.
    pub past: Past,
}

impl Engine {
    /// Opens a memory and goes on with what waited in it.
    ///
    /// # Errors
    /// `InvalidInput` and `InvalidSchema` for bad options, and those of reading the storage.
    pub async fn open(parts: Parts, options: Options) -> Result<Self> {
        options.extraction.check()?;
        let schemas = Rc::new(Schemas::compile(&options.profiles)?);
        let models = Rc::new(Models::new(parts.llm, parts.embedder, options.extraction.timeout_ms));
        let database = Database::open(parts.storage, parts.platform, models.embedder_id()).await?;
        let profiles = Profiles::new(database.clone(), schemas.clone());
        let background = Background::new(&database, &models, &profiles, &schemas, options.extraction)?;
        let engine = Self {
            ingest: background.ingest.clone(),
            recall: Recall::new(database.clone(), models.clone(), profiles.clone()),
            facts: Facts::new(database.clone(), models.clone()),
            threads: Threads::new(database.clone(), models.clone()),
            past: Past::new(database.clone(), models.clone()),
            profiles,
            background,
            database,
            models,
        };
        engine.background.wake();
        Ok(engine)
    }

    /// How much there is, and what was spent.
    ///
    /// # Errors
    /// `Closed`.
    pub fn usage(&self) -> Result<Usage> {
        let (counts, pending) = self.database.read(|store| Ok((store.counts(), Ingest::pending(store))))?;
        Ok(Usage {
            spent: self.models.spent_in_all(),
            by_purpose: self.models.spent(),
            records: counts.records,
            scopes: counts.scopes,
            commits: counts.commits,
            vectors: counts.vectors,
            unembedded: counts.unembedded,
            pending,
        })
    }

    /// Checks every stored byte.
    ///
    /// # Errors
    /// Those of reading the storage.
    pub async fn verify(&self) -> Result<Report> {
        self.database.verify().await
    }

    /// Waits until nothing goes on in the background.
    ///
    /// # Errors
    /// `Closed`.
    pub async fn idle(&self) -> Result<Idle> {
        self.ingest.idle().await
    }

    /// Looks for commits of other engines on the same storage.
    ///
    /// # Errors
    /// Those of reading the storage.
    pub async fn refresh(&self) -> Result<()> {
        self.database.refresh().await
    }

    /// Tells a listener of everything that happens from now on.
    pub fn listen(&self, listener: Listener) {
        self.database.listen(listener);
    }

    /// Ends background work and lets go of the storage; what was confirmed is kept. Idempotent.
    pub async fn close(&self) {
        self.background.stop();
        self.database.close().await;
    }
}
