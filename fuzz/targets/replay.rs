//! Arbitrary pairs in a storage: see `tests/fuzzing/replay.rs`.
#![no_main]
#![allow(missing_docs, dead_code, reason = "the target is shared with the tests")]

#[path = "../../tests/fuzzing/frames.rs"]
mod frames;
#[path = "../../tests/fuzzing/replay.rs"]
mod replay;
#[path = "../../tests/support/mod.rs"]
mod support;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    replay::run(data);
});
