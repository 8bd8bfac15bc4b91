//! Episodes: how something went once, as an example for the next time. Episodic memory.

mod change;
mod episode;
mod learn;

pub use change::{EpisodeList, EpisodePatch, NewEpisode};
pub use episode::Episode;
pub(crate) use episode::EpisodeValue;
pub use learn::Learn;

use crate::database::Database;
use crate::error::Result;
use crate::memory::changes::Changes;
use crate::memory::models::Models;
use crate::memory::prompts::Prompts;
use crate::memory::search::{Asked, Scored, Searcher};
use crate::record::Kind;
use crate::scope::Scope;
use std::rc::Rc;

/// The most bytes of each part of an episode.
pub const MAX_PART_BYTES: usize = 4096;

/// The episodes of every scope.
#[derive(Clone)]
pub struct Episodes {
    database: Database,
    models: Rc<Models>,
    changes: Changes,
    searcher: Searcher,
    prompts: Rc<Prompts>,
}

impl Episodes {
    pub(crate) fn new(searcher: Searcher, changes: Changes, prompts: Rc<Prompts>) -> Self {
        let (database, models) = (searcher.database.clone(), searcher.models.clone());
        Self { database, models, changes, searcher, prompts }
    }

    /// The episodes that fit a query best, by the words and meaning of situation and outcome, best first; empty when none does.
    ///
    /// # Errors
    /// `InvalidFilter`, `InvalidInput`, and those of reading.
    pub async fn search(&self, scope: &Scope, asked: &Asked) -> Result<Vec<Scored<Episode>>> {
        self.searcher.search(scope, Kind::Episode, asked, |_, view| Episode::of(view)).await
    }
}
