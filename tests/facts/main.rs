//! Facts, what users do with everything remembered, instructions and episodes, as an application calls them.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod episodes;
mod facts;
mod instructions;
mod items;
mod scoring;
mod world;
