//! Random operations of two engines on one storage, compared with a plain model after every step.
//!
//! A failure prints its operations, shrunk; put them into `regressions` with the story of what was wrong.

mod compare;
mod model;
mod operation;
mod world;

use crate::support;
use operation::operation;
use proptest::prelude::*;
use world::World;

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn engines_and_model_agree(operations in prop::collection::vec(operation(), 1..40), seed: u64) {
        World::new(seed).run(&operations);
    }
}

fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(200)
}
