//! Pages of tiers as records: their segments, heat and traits, and what leaves with a page.

mod heat;
mod knowledge;
mod leaving;
mod options;
mod page;
mod segment;
mod traits;
mod visits;
mod words;

pub use heat::Heat;
pub(crate) use knowledge::*;
pub(crate) use leaving::{bring_back, forget_pages};
pub(crate) use options::TierOptions;
pub(crate) use page::*;
pub use page::{Page, Tier};
pub use segment::Segment;
pub(crate) use segment::*;
pub(crate) use traits::*;
pub use traits::{AgentTrait, DIMENSIONS, Dimension, Group, Level, Trait};
pub(crate) use visits::Visits;
pub(crate) use words::*;
