//! The store: the state that the log's commits add up to, with its indexes in step. Pure and synchronous.
//!
//! A change is prepared against the state ([`Store::prepare`]), becomes bytes, is made durable by somebody else, and is
//! then applied from those same bytes ([`Store::apply`]), exactly as after a reload. Records stay encoded in memory and
//! are read in place.

mod apply;
mod backup;
mod blobs;
mod codes;
mod collection;
mod commits;
mod draft;
mod erase;
mod ever;
mod fold;
mod graph;
mod history;
mod inspect;
mod keys;
mod load;
mod memory;
mod near;
mod pages;
mod paging;
mod parts;
mod past;
mod reach;
mod search;
mod signals;
mod slot;
mod state;
mod verdicts;

pub use apply::{Action, Changed};
pub use backup::Restoring;
pub use codes::DamagedCodes;
pub use draft::{Brought, Change, Claim, Draft, Expect, MAX_COMMIT_BYTES};
pub use erase::{Cuts, Rewritten};
pub use ever::{Ever, Past};
pub use fold::{Division, Folded, Folding};
pub use graph::relation_ends;
pub use history::Revision;
pub use inspect::{Held, Indexes};
pub use load::{Loading, Recovered};
pub use pages::ReadAt;
pub use past::{PastVersion, WholePast};
pub use reach::Reach;
pub use search::{Accepts, Among, Found, Query, Search};
pub(crate) use search::{best_first, by_the_best, related};
pub use signals::Signals;
pub use state::{Counts, Store, Views};
