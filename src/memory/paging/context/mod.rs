//! Virtual context: a conversation of any length with a model of a small window.
//!
//! The window holds the instructions, blocks (the model's working memory), and a queue of messages with a summary of those
//! before. What leaves it stays in the store, and the model fetches it back with functions.

mod call;
mod cancel;
mod edit;
mod entry;
mod options;
mod queue;
mod reply;
mod said;
mod step;
mod summary;
mod window;

pub(crate) use call::Checked;
pub use call::{Call, Called};
pub use options::ContextOptions;
pub use step::{Made, Step, Stepped, Stopped};
pub use window::Status;

pub use crate::memory::archive::{
    Archive, ArchiveSearch, Load, Loaded, MAX_PASSAGE_BYTES, MAX_TAGS, NewPassage, Passage, TagMatch,
};
pub use crate::memory::blocks::{Block, Blocks, MAX_BLOCK_CHARACTERS, MAX_BLOCKS, SetBlock};

use crate::error::Result;
use crate::memory::changes::Changes;
use crate::memory::counter::Counter;
use crate::memory::ingest::Ingest;
use crate::memory::prompts::Prompts;
use crate::memory::schedule::{Activity, Working};
use crate::memory::search::Searcher;
use crate::memory::threads::Threads;
use crate::scope::Scope;
use cancel::Cancels;
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use window::Frame;

/// How many results a page has.
const PAGE: usize = 5;

/// The virtual context of every scope. Clones are handles to the same one.
#[derive(Clone)]
pub struct Context {
    /// The working memory of the model.
    pub blocks: Blocks,
    /// What it keeps beyond.
    pub archive: Archive,
    options: Rc<ContextOptions>,
    counter: Counter,
    ingest: Ingest,
    prompts: Rc<Prompts>,
    threads: Threads,
    /// What every window holds, when one was made.
    frame: Rc<OnceCell<Frame>>,
    cancels: Cancels,
    /// Who takes a step in a thread: one at a time, so that each sees what the one before said.
    turns: Rc<RefCell<FxHashMap<(Scope, String), Activity>>>,
}

impl Context {
    pub(crate) fn new(
        searcher: Searcher,
        ingest: Ingest,
        prompts: Rc<Prompts>,
        threads: Threads,
        options: ContextOptions,
    ) -> Self {
        let changes = Changes::new(&searcher.database, &searcher.models);
        Self {
            blocks: Blocks::new(changes.clone(), searcher.database.clone(), options.blocks()),
            counter: searcher.counter.clone(),
            archive: Archive { searcher, changes },
            options: Rc::new(options),
            ingest,
            prompts,
            threads,
            frame: Rc::default(),
            cancels: Cancels::default(),
            turns: Rc::default(),
        }
    }

    /// The same for what a model says that was asked at a commit: see [`Changes::since`].
    fn since(&self, sequence: u64) -> Self {
        let changes = self.archive.changes.since(sequence);
        Self {
            blocks: self.blocks.changing(changes.clone()),
            archive: Archive { changes, ..self.archive.clone() },
            ingest: self.ingest.since(sequence),
            ..self.clone()
        }
    }

    /// Loads a document into the archive, in passages.
    ///
    /// # Errors
    /// `InvalidInput`, and those of storing.
    pub async fn load(&self, scope: &Scope, load: &Load) -> Result<Loaded> {
        self.archive.load(scope, load, &self.counter).await
    }

    /// Waits for one's turn in a thread; it ends when the answer is dropped.
    async fn turn(&self, scope: &Scope, thread_id: &str) -> Working {
        let place = (scope.clone(), thread_id.to_owned());
        let turn = self.turns.borrow_mut().entry(place).or_default().clone();
        turn.idle().await;
        turn.begin()
    }
}
