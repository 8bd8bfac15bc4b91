//! Arbitrary bytes as a backup that is merged: see `tests/fuzzing/import.rs`.
#![no_main]
#![allow(missing_docs, dead_code, reason = "the target is shared with the tests")]

#[path = "../../tests/fuzzing/backup.rs"]
mod backup;
#[path = "../../tests/fuzzing/frames.rs"]
mod frames;
#[path = "../../tests/fuzzing/import.rs"]
mod import;
#[path = "../../tests/support/mod.rs"]
mod support;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    import::run(data);
});
