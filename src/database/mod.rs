//! The database: a store kept in step with a storage, by one writer per engine and any number of engines.
//!
//! Drafts queue; the writer prepares a group of them, writes their frames and the new head in one atomic write, and only
//! then applies and confirms them. When another engine was faster the head has moved: the writer applies what it missed,
//! checks every draft again and retries.

mod ahead;
mod backup;
mod call_order;
#[expect(clippy::module_inception, reason = "the folder is the layer, the file its one type")]
mod database;
mod encrypt;
mod erase;
mod event;
mod fold;
mod inspect;
mod litter;
mod locked;
mod missed;
mod open;
mod pace;
mod room;
mod sound;
mod standing;
mod verify;
mod writer;

pub use backup::Export;
pub(crate) use call_order::CallOrder;
pub(crate) use database::closed;
pub use database::{Database, History};
pub use event::{Committed, Event, Listener};
pub use inspect::{InMemory, Inside, LogState};
pub(crate) use locked::Locking;
pub(crate) use missed::is_replaced;
pub(crate) use pace::Pace;
pub use room::{Bounds, LEAST_MAX_MEMORY_BYTES, MAX_MEMORY_BYTES, MOST_GROWTH};
pub use standing::{Standing, Taken};
pub use verify::Report;
