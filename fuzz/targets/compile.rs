//! Filters and schemas from arbitrary JSON: see `tests/fuzzing/compile.rs`.
#![no_main]
#![allow(missing_docs, dead_code, reason = "the target is shared with the tests")]

#[path = "../../tests/fuzzing/compile.rs"]
mod compile;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    compile::run(data);
});
