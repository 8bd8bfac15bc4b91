//! What goes on while nobody waits: learning, embedding, ending what has expired.

use crate::database::{Database, Event};
use crate::error::Result;
use crate::memory::access::Accesses;
use crate::memory::activity::Activity;
use crate::memory::embedding::Embeddings;
use crate::memory::expiry;
use crate::memory::extract::{Extractor, Guidance};
use crate::memory::ingest::{ExtractionOptions, Ingest};
use crate::memory::profiles::{Profiles, Schemas};
use crate::memory::prompts::Prompts;
use crate::memory::search::Searcher;
use crate::memory::threads::{Summariser, Threads};
use crate::record::Kind;
use crate::store::Action;
use std::rc::Rc;

/// The background work of a memory.
#[derive(Clone)]
pub struct Background {
    /// The queue of extractions.
    pub ingest: Ingest,
    /// What was recalled and found.
    pub(crate) accesses: Accesses,
    embeddings: Embeddings,
    summariser: Summariser,
    /// What turns conversations into memory.
    pub(crate) extractor: Extractor,
    database: Database,
    activity: Activity,
}

impl Background {
    /// Wires the workers; none runs yet.
    ///
    /// # Errors
    /// `InvalidInput` for guidance that cannot be used.
    pub(crate) fn new(
        searcher: &Searcher,
        profiles: &Profiles,
        schemas: &Rc<Schemas>,
        prompts: &Rc<Prompts>,
        threads: &Threads,
        options: ExtractionOptions,
    ) -> Result<Self> {
        let Searcher { database, models, accesses, .. } = searcher;
        let activity = Activity::default();
        let embeddings = Embeddings::new(database.clone(), models.clone(), activity.clone());
        let extractor = Extractor::new(
            searcher.clone(),
            profiles.clone(),
            schemas.clone(),
            Guidance::new(&options, prompts.clone())?,
            options.ttl,
        );
        let ingest =
            Ingest::new(database.clone(), models.clone(), extractor.clone(), options, activity.clone());
        let summariser = Summariser::new(threads.clone(), activity.clone());
        let summarising = summariser.clone();
        let woken = embeddings.clone();
        let looking = ingest.clone();
        database.listen(Rc::new(move |event| {
            let Event::Change { scope, changes, remote, .. } = event else { return };
            woken.wake();
            summarising.heard(event);
            if *remote
                && changes.iter().any(|change| {
                    matches!(change.kind, Kind::Task | Kind::Page) && change.action == Action::Created
                })
            {
                looking.look_after(scope);
            }
        }));
        let (accesses, database) = (accesses.clone(), database.clone());
        Ok(Self { ingest, accesses, embeddings, summariser, extractor, database, activity })
    }

    /// Goes on with what waits.
    pub fn wake(&self) {
        self.ingest.wake_all();
        self.embeddings.wake();
        self.summariser.wake_all();
        expiry::wake(&self.database, &self.activity);
    }

    /// Stops waiting for later tries.
    pub fn stop(&self) {
        self.ingest.stop();
        self.embeddings.stop();
        self.summariser.stop();
    }
}
