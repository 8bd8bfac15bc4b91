//! The memory systems: what an application remembers with, on the database and the application's models.
//!
//! The folders are ranks. A room names only rooms of the ranks before its own, and rooms listed before it in its own rank;
//! `tests/layers` holds the list.
//!
//! | rank | what lives there |
//! |---|---|
//! | `terms` | what every system speaks in: messages, limits, actions, sources |
//! | `asking` | the application's models, the prompts they are asked with, and when texts get their vectors |
//! | `finding` | search, scoring, and when a record was last used |
//! | `changing` | the one way in which records are changed |
//! | `keeping` | facts, profiles, the graph, documents, threads: records and what applications do to them |
//! | `learning` | from what was said to what is known |
//! | `prompting` | what a model is given |
//! | `paging` | tiers and the virtual context: what moves between a model's window and the store |
//! | `forgetting` | what is to be remembered no longer |
//! | `running` | what goes on while nobody waits |
//! | `exchanging` | what goes from one memory to another |

mod asking;
mod changing;
mod exchanging;
mod finding;
mod forgetting;
mod keeping;
mod learning;
mod paging;
mod prompting;
mod running;
mod terms;

pub(crate) use asking::{embedding, transcript};
pub use asking::{models, prompts};
pub(crate) use changing::{changes, edit};
pub(crate) use exchanging::merging;
pub(crate) use finding::access;
pub use finding::{scoring, search};
pub use forgetting::forget;
pub use keeping::{
    archive, blocks, documents, episodes, facts, graph, instructions, items, past, profiles, proposals,
    threads,
};
pub(crate) use keeping::{pages, task, withheld};
pub(crate) use learning::extract;
pub use learning::{consolidation, ingest, rules};
pub(crate) use paging::tools;
pub use paging::{context, tiers};
pub use prompting::{assembly, compose, recall, rewriting};
pub(crate) use running::background;
pub use terms::guard;
pub(crate) use terms::{
    action, category, limits, listing, schedule, secret, sentence, shorten, source, span,
};
pub use terms::{counter, message, ttl};

pub(crate) use access::Accesses;
pub use action::{Action, Delete, Done, Twin};
pub use background::Background;
pub use category::Category;
pub use extract::Person;
pub use limits::{MAX_LABEL_BYTES, MAX_LABELS, MAX_LIMIT, MAX_METADATA_BYTES, MAX_QUERY_BYTES};
