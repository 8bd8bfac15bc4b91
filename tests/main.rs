//! Every native test but the layers', in one program: a module here costs its own compilation, a program costs a link of the whole
//! engine.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod answers;
mod assembly;
mod backups;
mod closing;
mod commits;
mod compose;
mod consolidation;
mod context;
mod context_summaries;
mod corrections;
mod documents;
mod encryption;
mod engine;
mod erasing;
mod extraction;
mod facts;
mod folding;
mod forgetting;
mod format_fixture;
mod fuzzing;
mod graph;
mod graph_extraction;
mod guard;
mod guidance;
mod hops;
mod ingestion;
mod inspecting;
mod large_commits;
mod large_records;
mod leaks;
mod learning;
mod local_storage_text;
mod locomo;
mod log_damage;
mod long_answers;
mod memory_limit;
mod merging;
mod over;
mod paging;
mod participants;
mod profiles;
mod prompts;
mod proposals;
mod races;
mod ranking;
mod read_only;
mod reading;
mod recall;
mod refused_messages;
mod relevance;
mod rewriting;
mod schedule;
mod schema_oracle;
mod schema_suite;
mod schema_total;
mod slices;
mod standing;
mod statements;
mod storage_contract;
mod store_failures;
mod store_model;
mod support;
mod threads;
mod tiers;
mod tokens;
mod tools;
mod undo;
mod usable_answers;
mod vectors;
mod withholding;
