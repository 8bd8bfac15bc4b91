//! What goes on while nobody waits: the jobs of the schedule, and what wakes them.

use super::expiry::{EXPIRY, Expiry};
use crate::database::{Database, Event};
use crate::error::Result;
use crate::log::Cause;
use crate::memory::access::Accesses;
use crate::memory::changes::Changes;
use crate::memory::embedding::EMBEDDING;
use crate::memory::extract::{Extractor, Guidance};
use crate::memory::forget::Forgetting;
use crate::memory::ingest::{ExtractionOptions, Ingest};
use crate::memory::profiles::{Profiles, Schemas};
use crate::memory::prompts::Prompts;
use crate::memory::schedule::{JobState, Scheduler};
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
    scheduler: Scheduler,
    summariser: Summariser,
    expiry: Rc<Expiry>,
    /// Forgetting.
    pub(crate) forgetting: Forgetting,
    /// What turns conversations into memory.
    pub(crate) extractor: Extractor,
}

impl Background {
    /// Wires the jobs; none runs yet.
    ///
    /// # Errors
    /// `InvalidInput` for guidance that cannot be used.
    pub(crate) fn new(
        searcher: &Searcher,
        scheduler: &Scheduler,
        changes: &Changes,
        (profiles, schemas): (&Profiles, &Rc<Schemas>),
        prompts: &Rc<Prompts>,
        threads: &Threads,
        options: ExtractionOptions,
    ) -> Result<Self> {
        let Searcher { database, models, accesses, .. } = searcher;
        let extractor = Extractor::new(
            searcher.clone(),
            profiles.clone(),
            schemas.clone(),
            Guidance::new(&options, prompts.clone())?,
            options.ttl,
        );
        let patience_ms = i64::from(options.timeout_ms);
        let forgetting = Forgetting::new(searcher.clone(), changes.clone());
        let expiry = Rc::new(Expiry::new(database.clone(), forgetting.clone(), options.ttl.expired));
        let ingest =
            Ingest::new(database.clone(), models.clone(), extractor.clone(), options, scheduler.clone());
        let summariser = Summariser::new(threads.clone(), scheduler.clone());
        scheduler.take_on(Rc::new(ingest.clone()));
        scheduler.take_on_once(searcher.embeddings.clone());
        scheduler.take_on_once(Rc::new(summariser.clone()));
        scheduler.take_on_once(expiry.clone());
        scheduler.take_on_once(Rc::new(accesses.clone()));
        let scheduler = scheduler.clone();
        let background = Self { ingest, scheduler, summariser, expiry, forgetting, extractor };
        background.listen(database, profiles, accesses, patience_ms);
        Ok(background)
    }

    /// Looks at what commits changed. What another engine stored is left to it for a while.
    fn listen(&self, database: &Database, profiles: &Profiles, accesses: &Accesses, patience_ms: i64) {
        let accesses = accesses.clone();
        let (scheduler, summariser) = (self.scheduler.clone(), self.summariser.clone());
        let (extractor, reading) = (self.extractor.clone(), database.clone());
        let (expiry, ingest, profiles) = (self.expiry.clone(), self.ingest.clone(), profiles.clone());
        database.listen(Rc::new(move |event| {
            extractor.heard(event);
            if let Event::Lock { scope, locked } = event {
                // Nothing that was read of a scope outlasts its lock.
                profiles.forgot();
                accesses.forgot(scope);
                ingest.forgot(scope);
                scheduler.forgot(scope);
                if !locked {
                    scheduler.wake(scope);
                }
            }
            let Event::Change { scope, changes, remote, cause, .. } = event else { return };
            if *cause == Cause::Forget {
                profiles.forgot();
                ingest.forgot(scope);
                scheduler.forgot(scope);
            }
            if expiry.heard(event) {
                scheduler.wake_kind(EXPIRY);
            }
            if reading.read(|store| Ok(!store.unembedded(1).is_empty())).unwrap_or_default() {
                scheduler.wake_kind(EMBEDDING);
            }
            summariser.heard(event);
            if *remote
                && changes.iter().any(|change| {
                    matches!(change.kind, Kind::Task | Kind::Page) && change.action == Action::Created
                })
            {
                scheduler.look_after(scope, patience_ms);
            }
        }));
    }

    /// Goes on with what waits.
    pub fn wake(&self) {
        self.summariser.look_at_all();
        self.scheduler.wake_all();
    }

    /// What waits, runs and failed.
    ///
    /// # Errors
    /// `Closed`.
    pub fn jobs(&self) -> Result<Vec<JobState>> {
        self.scheduler.list()
    }

    /// Stops what goes on, and the waiting for later.
    pub fn stop(&self) {
        self.scheduler.stop();
    }
}
