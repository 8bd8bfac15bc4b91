//! Arbitrary bytes in place of a value of an encrypted memory: see `tests/fuzzing/sealed.rs`.
#![no_main]
#![allow(missing_docs, dead_code, reason = "the target is shared with the tests")]

#[path = "../../tests/fuzzing/frames.rs"]
mod frames;
#[path = "../../tests/fuzzing/sealed.rs"]
mod sealed;
#[path = "../../tests/support/mod.rs"]
mod support;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    sealed::run(data);
});
