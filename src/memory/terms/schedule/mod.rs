//! The schedule: everything that goes on while nobody waits, run by one loop with one timer.
//!
//! A [`Job`] says what of it is due when, read from the store, and does one part at a time. Jobs of a scope share its lane and
//! take turns with calls that learn there; a job of the whole memory has a lane of its own. What fails waits longer each time.

mod activity;
mod job;
mod lane;
mod listing;
mod scheduler;

pub(crate) use activity::{Activity, Working};
pub(crate) use job::{Failures, Job, pause_ms, quiet};
pub(crate) use listing::{FailedJob, JobState};
pub(crate) use scheduler::Scheduler;
