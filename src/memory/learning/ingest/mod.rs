//! Ingesting: messages become durable at once, and are learned from when it is time, or when the application says so.

mod due;
mod finish;
mod generate;
mod queue;
mod remember;
mod retry;

pub use generate::{Flush, Generated, LearnedChange, Taught};
pub use queue::{Idle, Ingest};
pub use remember::{Remember, Remembered};

pub use crate::memory::extract::{ExtractionOptions, Trigger};
pub use crate::memory::task::{Generate, MAX_GIVEN, MetadataMerge};
