//! Operations of two engines against the model, as `tests/store_model` runs them, chosen by the input's bytes.
#![no_main]
#![allow(missing_docs, dead_code, reason = "the model is shared with the test")]

#[path = "../../tests/store_model/compare.rs"]
mod compare;
#[path = "../../tests/store_model/model.rs"]
mod model;
#[path = "../../tests/store_model/operation.rs"]
mod operation;
#[path = "../../tests/support/mod.rs"]
mod support;
#[path = "../../tests/store_model/world.rs"]
mod world;

use libfuzzer_sys::fuzz_target;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

fuzz_target!(|data: &[u8]| {
    let random = TestRng::from_seed(RngAlgorithm::PassThrough, data);
    let mut runner = TestRunner::new_with_rng(Config::default(), random);
    let operations = prop::collection::vec(operation::operation(), 1..60).new_tree(&mut runner);
    if let Ok(operations) = operations {
        world::World::new(data.len() as u64).run(&operations.current());
    }
});
