//! Opening, wiring, closing.

use super::input::read;
use super::transfer::Transfers;
use crate::database::{
    Bounds, Database, LEAST_MAX_MEMORY_BYTES, Listener, Locking, MAX_MEMORY_BYTES, Report, Standing, Taken,
};
use crate::error::{Code, Error, Result};
use crate::memory::assembly::Assembly;
use crate::memory::changes::Changes;
use crate::memory::consolidation::Consolidation;
use crate::memory::context::{Context, ContextOptions};
use crate::memory::counter::Counter;
use crate::memory::documents::{Defaults, Documents};
use crate::memory::embedding::Embeddings;
use crate::memory::episodes::Episodes;
use crate::memory::facts::Facts;
use crate::memory::forget::Forgetting;
use crate::memory::graph::Graph;
use crate::memory::guard::{Guard, GuardOptions};
use crate::memory::ingest::{ExtractionOptions, Idle, Ingest};
use crate::memory::instructions::Instructions;
use crate::memory::items::Items;
use crate::memory::models::{Models, Spent};
use crate::memory::past::Past;
use crate::memory::profiles::{Profiles, Schemas};
use crate::memory::prompts::Prompts;
use crate::memory::proposals::Proposals;
use crate::memory::recall::Recall;
use crate::memory::rewriting::Rewriter;
use crate::memory::schedule::{JobState, Scheduler};
use crate::memory::search::Searcher;
use crate::memory::threads::{SummaryOptions, Threads};
use crate::memory::tiers::{TierOptions, Tiers};
use crate::memory::ttl::HistoryOptions;
use crate::memory::withheld::Withholding;
use crate::memory::{Accesses, Background};
use crate::ordered::Ordered;
use crate::ports::{Embedder, KeySource, Llm, Loaded, Platform, Storage, Systems, Tokenizer};
use crate::scope::Scope;
use crate::vault::Encryption;
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
    /// How documents are kept: `index`, `ttlMs` and `refreshTtl` where a call does not say them.
    pub documents: Map<String, Value>,
    /// How much of the past of each record is kept.
    pub history: HistoryOptions,
    /// What is looked for before anything is stored.
    pub guard: GuardOptions,
    /// How the window of a model is used.
    pub context: ContextOptions,
    /// How conversations are summarised.
    pub summaries: SummaryOptions,
    /// How the tiers are kept: `capacity`, `segments`, `similarity`, `heat`, `alpha`, `beta`, `gamma`, `mu`, `knowledge`,
    /// `topSegments`, `topPages` and `topKnowledge`.
    pub tiers: Map<String, Value>,
    /// How many bytes of memory it may take, 16 MiB or more: a write that does not fit is refused. By default 2048 in WebAssembly, and no
    /// limit elsewhere.
    pub max_memory_bytes: Option<u64>,
    /// Whether the last prompts and replies are kept in memory, for [`Engine::inspect`].
    pub keep_prompts: bool,
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
    /// Counts tokens; they are estimated without one.
    pub tokenizer: Option<Rc<dyn Tokenizer>>,
}

/// How a memory is protected.
#[derive(Default)]
pub struct Protection {
    /// Encryption; a memory that is not encrypted yet is encrypted when it is opened.
    pub encryption: Option<Encryption>,
    /// The counter that somebody outside of the storage knows the memory to have had. An earlier one is reported by
    /// [`Engine::verify`].
    pub known_counter: Option<u64>,
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
    /// The store, and what it runs on.
    pub(super) database: Database,
    pub(super) models: Rc<Models>,
    /// Counts tokens.
    pub(super) counter: Counter,
    pub(super) background: Background,
    /// Backups on their way.
    pub(super) transfers: Rc<Transfers>,
    /// Handing over messages.
    pub ingest: Ingest,
    /// Putting together what matters now.
    pub recall: Recall,
    /// Profiles.
    pub profiles: Profiles,
    /// Facts.
    pub facts: Facts,
    /// Merging of facts that say the same.
    pub consolidation: Consolidation,
    /// What waits for the user's yes.
    pub proposals: Proposals,
    /// Putting together whole prompts.
    pub assembly: Assembly,
    /// The knowledge graph.
    pub graph: Graph,
    /// Everything that is remembered, of any kind.
    pub items: Items,
    /// What the assistant is to do and how.
    pub instructions: Instructions,
    /// How things went.
    pub episodes: Episodes,
    /// The virtual context of a model.
    pub context: Context,
    /// Conversations.
    pub threads: Threads,
    /// Pages in tiers.
    pub tiers: Tiers,
    /// Documents.
    pub documents: Documents,
    /// Revisions, explanations, undo.
    pub past: Past,
    /// Forgetting.
    pub forgetting: Forgetting,
}

impl Engine {
    /// Opens a memory and goes on with what waited in it.
    ///
    /// # Errors
    /// `InvalidInput` and `InvalidSchema` for bad options, and those of reading the storage.
    pub async fn open(parts: Parts, options: Options) -> Result<Self> {
        let engine = Self::open_protected(parts, options, Protection::default()).await?;
        engine.database.indexed().await?;
        Ok(engine)
    }

    /// The same for a memory that is encrypted, or whose counter somebody knows. One that is large can be read before it can be
    /// searched; calls by name wait for what they need.
    ///
    /// # Errors
    /// Those of [`open`](Self::open) and of [`Database::open_encrypted`].
    pub async fn open_protected(parts: Parts, options: Options, protection: Protection) -> Result<Self> {
        options.extraction.check()?;
        let history = options.history.read()?;
        options.context.check()?;
        let bounds = Bounds {
            cache_bytes: None,
            known_counter: protection.known_counter,
            max_memory_bytes: max_memory(options.max_memory_bytes)?,
        };
        let documents = Defaults::read(options.documents)?;
        let tiers = TierOptions::read(&options.tiers)?;
        let knowledge = tiers.knowledge;
        let schemas = Rc::new(Schemas::compile(&options.profiles)?);
        let guard = Rc::new(Guard::new(options.guard, &*parts.platform).await?);
        let timeout_ms = options.extraction.timeout_ms;
        let models = Rc::new(Models::new(parts.llm, parts.embedder, timeout_ms, guard));
        let database = Database::open_encrypted(
            parts.storage,
            parts.platform,
            models.embedder_id(),
            protection.encryption,
            bounds,
        )
        .await?;
        models.answer_to(&database);
        if options.keep_prompts {
            keep_prompts(Loaded::by(&*database.platform()).await?, &models, &database);
        }
        let changes = Changes::new(&database, &models).followed(Withholding::new(&schemas));
        let ttl = options.extraction.ttl;
        database.keep_history(history);
        let profiles = Profiles::new(changes.clone(), database.clone(), schemas.clone(), ttl);
        let prompts = Rc::new(match &options.extraction.prompts {
            own if own.is_empty() => Prompts::default(),
            own => own_prompts(Loaded::by(&*database.platform()).await?, own)?,
        });
        let scheduler = Scheduler::new(database.clone(), options.extraction.auto);
        let accesses = Accesses::new(database.clone(), scheduler.clone());
        let counter = Counter::new(parts.tokenizer, &database);
        let embeddings = Rc::new(Embeddings::new(database.clone(), models.clone()));
        let searcher = Searcher {
            database: database.clone(),
            models: models.clone(),
            embeddings: embeddings.clone(),
            accesses,
            counter,
            begun: Rc::default(),
        };
        let threads = Threads::new(searcher.clone(), prompts.clone(), options.summaries)?;
        let background = Background::new(
            &searcher,
            &scheduler,
            &changes,
            (&profiles, &schemas),
            &prompts,
            &threads,
            options.extraction,
        )?;
        let tiers = Tiers::new(
            searcher.clone(),
            profiles.clone(),
            background.extractor.clone(),
            scheduler,
            prompts.clone(),
            tiers,
        );
        let rewriter = Rewriter::new(database.clone(), models.clone(), prompts.clone());
        let recall = Recall::new(searcher.clone(), profiles.clone(), threads.clone(), rewriter);
        let instructions = options.context.instructions.clone();
        let context = Context::new(
            searcher.clone(),
            background.ingest.clone(),
            prompts.clone(),
            threads.clone(),
            options.context,
        );
        let engine = Self {
            ingest: background.ingest.clone(),
            assembly: Assembly::new(recall.clone(), context.blocks.clone(), instructions),
            recall,
            facts: Facts::new(searcher.clone(), changes.clone(), ttl),
            consolidation: Consolidation::new(database.clone(), models.clone(), prompts.clone()),
            proposals: Proposals::new(changes.clone(), database.clone(), schemas.clone(), knowledge),
            graph: Graph::new(searcher.clone(), changes.clone()),
            forgetting: background.forgetting.clone(),
            items: Items::new(changes.clone(), database.clone(), schemas),
            instructions: Instructions::new(database.clone(), models.clone(), prompts.clone()),
            counter: searcher.counter.clone(),
            episodes: Episodes::new(searcher, changes.clone(), prompts.clone()),
            documents: Documents::new(database.clone(), models.clone(), embeddings, documents),
            context,
            threads,
            tiers,
            past: Past::new(changes.clone(), database.clone()),
            profiles,
            transfers: Rc::default(),
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

    /// Says whether what runs from now on only reads; answers whether it did before.
    pub(super) fn set_reading(&self, reading: bool) -> bool {
        self.models.set_reading(reading);
        self.database.set_reading(reading)
    }

    /// Checks every stored byte.
    ///
    /// # Errors
    /// Those of reading the storage.
    pub async fn verify(&self) -> Result<Report> {
        self.database.verify().await
    }

    /// How the memory stands: what tells it from an older or another one.
    ///
    /// # Errors
    /// `Closed` after closing.
    pub fn standing(&self) -> Result<Standing> {
        self.database.standing()
    }

    /// How much memory it takes, and how much it may take.
    ///
    /// # Errors
    /// `Closed`, and those of loading.
    pub async fn taken(&self) -> Result<Taken> {
        self.database.taken().await
    }

    /// Encrypts the memory, or lets this key open it from now on instead of the one before.
    ///
    /// # Errors
    /// Those of [`Database::encrypt`].
    pub async fn encrypt(&self, encryption: Encryption) -> Result<()> {
        self.database.encrypt(encryption).await
    }

    /// Gives a scope a lock of its own, or another one: from then on the memory's key alone does not open it.
    ///
    /// # Errors
    /// `InvalidInput` when the memory is not encrypted, `Locked` when the scope is locked, and those of the source of the key and
    /// of writing; nothing was changed then.
    pub async fn lock_scope(&self, scope: &Scope, source: Rc<dyn KeySource>) -> Result<()> {
        self.database.lock(scope, Locking::Change(source)).await
    }

    /// Unlocks a scope until it is locked or the memory is closed.
    ///
    /// # Errors
    /// `InvalidInput` when the scope has no lock, `WrongKey` when the key is another, and those of the source of the key and of
    /// reading; the scope stays locked then.
    pub async fn unlock_scope(&self, scope: &Scope, source: Rc<dyn KeySource>) -> Result<()> {
        self.database.lock(scope, Locking::Unlock(source)).await
    }

    /// What it runs on.
    #[must_use]
    pub fn platform(&self) -> Rc<dyn Platform> {
        self.database.platform()
    }

    /// Waits until nothing goes on in the background, and says what still waits.
    ///
    /// # Errors
    /// `Closed`.
    pub async fn idle(&self) -> Result<Idle> {
        self.ingest.idle().await
    }

    /// What waits in the background, goes on there, and failed.
    ///
    /// # Errors
    /// `Closed`.
    pub fn jobs(&self) -> Result<Vec<JobState>> {
        self.background.jobs()
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

    /// Lets go of the storage; what was confirmed is kept. What rules have still to learn is learned first, for two seconds at most;
    /// other background work ends, and goes on after the next opening. Idempotent.
    pub async fn close(&self) {
        self.ingest.finish().await;
        // What is queued before closing begins is still written.
        self.background.stop();
        self.models.close();
        self.database.close().await;
    }
}

/// The limit of the memory, checked. Where memory is no matter of WebAssembly, it may be more.
fn max_memory(bytes: Option<u64>) -> Result<Option<u64>> {
    let most = if cfg!(target_pointer_width = "32") { MAX_MEMORY_BYTES } else { u64::MAX };
    match bytes.filter(|bytes| *bytes < LEAST_MAX_MEMORY_BYTES || *bytes > most) {
        None => Ok(bytes),
        Some(bytes) => Err(Error::new(
            Code::InvalidInput,
            format!("maxMemoryBytes is {bytes}; pass {LEAST_MAX_MEMORY_BYTES} to {MAX_MEMORY_BYTES}"),
        )),
    }
}

/// Keeps prompts and replies from now on. A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
#[inline(never)]
fn keep_prompts(_: Loaded<Systems>, models: &Models, database: &Database) {
    let requests = models.requests.clone();
    requests.keep_text();
    database.listen(Rc::new(move |event| requests.heard(event)));
}

/// The prompts of an application. A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
#[inline(never)]
fn own_prompts(_: Loaded<Systems>, own: &Map<String, Value>) -> Result<Prompts> {
    Prompts::new(own)
}
