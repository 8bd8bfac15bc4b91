//! Tiers: the latest exchanges as pages in a queue, older ones in segments by topic, and what is distilled from the segments that
//! are used most. After "Memory OS of AI Agent" (Kang et al., 2025).
//!
//! The long-term tier is the profiles and facts there are; only traits, and what is known of the assistant, are its own.
//! Everything that is due follows from the records, so that a reload goes on with it; a page is in one place, by its key, and
//! every step of its way is one commit.

mod add;
mod answer;
mod distil;
mod distilled;
mod likeness;
mod moving;
mod prompt;
mod remove;
mod retrieval;
mod shelf;
mod state;
mod update;
mod visits;
mod written;

pub use add::{MAX_PAGE_PART_BYTES, NewPage};
pub use prompt::{Message, Prompt, PromptOptions, Respond, Responded};
pub use remove::RemovePage;
pub use retrieval::{Retrieve, Retrieved, ScoredPage};
pub use state::{Counts, HotSegment, State};
pub use update::Updated;

pub(crate) use crate::memory::pages::TierOptions;
pub use crate::memory::pages::{
    AgentTrait, DIMENSIONS, Dimension, Group, Heat, Level, Page, Segment, Tier, Trait,
};

use crate::database::Database;
use crate::memory::changes::Changes;
use crate::memory::extract::Extractor;
use crate::memory::models::Models;
use crate::memory::profiles::Profiles;
use crate::memory::prompts::Prompts;
use crate::memory::schedule::Scheduler;
use crate::memory::search::Searcher;
use std::rc::Rc;

/// The tiers of every scope. Clones are handles to the same ones.
#[derive(Clone)]
pub struct Tiers {
    inner: Rc<Inner>,
}

struct Inner {
    database: Database,
    models: Rc<Models>,
    changes: Changes,
    searcher: Searcher,
    profiles: Profiles,
    extractor: Extractor,
    scheduler: Scheduler,
    prompts: Rc<Prompts>,
    options: TierOptions,
    visits: visits::Waiting,
}

impl Tiers {
    /// Wires the tiers; what is due is done by the schedule.
    pub(crate) fn new(
        searcher: Searcher,
        profiles: Profiles,
        extractor: Extractor,
        scheduler: Scheduler,
        prompts: Rc<Prompts>,
        options: TierOptions,
    ) -> Self {
        let (database, models) = (searcher.database.clone(), searcher.models.clone());
        let inner = Inner {
            changes: Changes::new(&database, &models),
            database,
            models,
            searcher,
            profiles,
            extractor,
            scheduler: scheduler.clone(),
            prompts,
            options,
            visits: visits::Waiting::default(),
        };
        let tiers = Self { inner: Rc::new(inner) };
        scheduler.take_on(Rc::new(tiers.clone()));
        scheduler.take_on_once(Rc::new(visits::Writing(tiers.clone())));
        tiers
    }
}
