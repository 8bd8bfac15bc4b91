//! Facts: atomic statements in words.

mod add;
mod change;
mod claims;
mod contested;
mod edit;
mod fact;
mod import;
mod list;
mod same;
mod vector;
mod wording;

pub use add::NewFact;
pub use change::FactPatch;
pub use contested::Contested;
pub(crate) use contested::Contests;
pub(crate) use edit::{FactEdit, replace};
pub use fact::Fact;
pub(crate) use fact::FactValue;
pub use import::{Import, Imported, MAX_IMPORT};
pub use list::FactList;
pub(crate) use same::{claim, said_by_another};
pub(crate) use wording::wording;

use crate::database::Database;
use crate::error::Result;
use crate::log::RecordView;
use crate::lowercase::lowercase;
use crate::memory::changes::Changes;
use crate::memory::models::Models;
use crate::memory::search::{Asked, Scored, Searcher};
pub use crate::memory::source::Origin;
use crate::memory::ttl::Ttl;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::Store;
use std::cell::RefCell;
use std::rc::Rc;

/// The most bytes a fact's text may have.
pub const MAX_FACT_BYTES: usize = 4096;
/// The significance of a fact for which nobody gave one.
pub const DEFAULT_SIGNIFICANCE: u8 = 5;

/// The facts of every scope.
#[derive(Clone)]
pub struct Facts {
    database: Database,
    models: Rc<Models>,
    changes: Changes,
    searcher: Searcher,
    ttl: Ttl,
    /// The numbers that came with the call that runs now.
    given: Rc<RefCell<Rc<Vec<f32>>>>,
}

impl Facts {
    pub(crate) fn new(searcher: Searcher, changes: Changes, ttl: Ttl) -> Self {
        let (database, models) = (searcher.database.clone(), searcher.models.clone());
        Self { changes, database, models, searcher, ttl, given: Rc::default() }
    }

    /// Says which numbers came with what runs from now on; answers which did before.
    pub(crate) fn give(&self, numbers: Rc<Vec<f32>>) -> Rc<Vec<f32>> {
        self.given.replace(numbers)
    }

    /// The same facts for tools that a model calls.
    #[must_use]
    pub(crate) fn for_tools(&self) -> Self {
        let searcher = Searcher { database: self.database.for_tools(), ..self.searcher.clone() };
        Self::new(searcher, self.changes.for_tools(), self.ttl)
    }

    /// The facts that fit a query best, by words and meaning, best first; empty when none shares a word or is near in
    /// meaning.
    ///
    /// # Errors
    /// `InvalidFilter`, `InvalidInput`, and those of reading.
    pub async fn search(&self, scope: &Scope, asked: &Asked) -> Result<Vec<Scored<Fact>>> {
        let now = self.database.now();
        let shown = |store: &Store, view: &RecordView<'_>| Fact::shown(store, scope, view, now);
        let mut found = self.searcher.search(scope, Kind::Fact, asked, shown).await?;
        self.contest(scope, &mut found.iter_mut().map(|found| &mut found.item))?;
        Ok(found)
    }
}

/// A text apart from case, spaces and a closing full stop.
pub(crate) fn fold(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(lowercase).collect();
    words.join(" ").trim_end_matches(['.', '。']).to_owned()
}
