//! The targets of `fuzz/`, with inputs that are changed at random by a seed: a short round, which needs no fuzzer.
//!
//! `FUZZ_SEED` and `FUZZ_ROUNDS` choose another round; `FUZZ_CORPUS` names a folder where the inputs to begin with are written.

mod backup;
mod compile;
pub(crate) mod frames;
mod import;
mod replay;
mod sealed;

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Numbers at the edges of what is read.
const EDGES: [u32; 8] = [0, 1, 0x7F, 0x80, 0xFFFF, 0x10000, 0x7FFF_FFFF, u32::MAX];

/// Changes that a seed decides.
struct Random(TestRng);

impl Random {
    fn by(seed: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        Self(TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
    }

    fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn below(&mut self, end: usize) -> usize {
        self.next() as usize % end.max(1)
    }

    /// A place and a length within some bytes.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length);
        start..start + self.below((length - start).min(64) + 1)
    }

    /// One change.
    fn change(&mut self, data: &mut Vec<u8>, corpus: &[Vec<u8>]) {
        let length = data.len();
        match self.below(7) {
            0 if length > 0 => data[self.below(length)] ^= 1 << self.below(8),
            1 if length > 0 => data[self.below(length)] = self.next() as u8,
            2 if length >= 4 => {
                let edge = EDGES[self.below(EDGES.len())].to_le_bytes();
                let place = self.below(length - 3);
                data[place..place + 4].copy_from_slice(&edge);
            }
            3 if length > 0 => drop(data.drain(self.range(length))),
            4 if length > 0 => {
                let copy = data[self.range(length)].to_vec();
                let place = self.below(length);
                data.splice(place..place, copy);
            }
            5 => {
                let other = &corpus[self.below(corpus.len())];
                let from = other[self.range(other.len())].to_vec();
                let place = self.below(length + 1);
                let end = (place + self.below(from.len() + 1)).min(length);
                data.splice(place..end, from);
            }
            _ => {
                let place = self.below(length + 1);
                data.insert(place, self.next() as u8);
            }
        }
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A round of one target. Whatever it takes in unchanged is checked first: a corpus that is refused tests nothing.
fn round(name: &str, corpus: &[Vec<u8>], rounds: u64, run: fn(&[u8]) -> bool) {
    if let Ok(folder) = std::env::var("FUZZ_CORPUS") {
        let folder = std::path::Path::new(&folder).join(name);
        std::fs::create_dir_all(&folder).unwrap();
        for (place, input) in corpus.iter().enumerate() {
            std::fs::write(folder.join(format!("valid-{place}")), input).unwrap();
        }
    }
    for (place, input) in corpus.iter().enumerate() {
        assert!(run(input), "{name} refuses its own input {place}");
    }
    let seed = number("FUZZ_SEED", std::process::id().into());
    let mut random = Random::by(seed);
    let rounds = number("FUZZ_ROUNDS", rounds);
    for at in 0..rounds {
        let mut data = corpus[random.below(corpus.len())].clone();
        for _ in 0..=random.below(4) {
            random.change(&mut data, corpus);
        }
        let tried = catch_unwind(AssertUnwindSafe(|| run(&data)));
        assert!(tried.is_ok(), "{name}: FUZZ_SEED={seed}, round {at} of {rounds}, input {data:?}");
    }
}

#[test]
fn backups() {
    round("backup", &backup::corpus(), 3000, backup::run);
}

#[test]
fn imports() {
    round("import", &import::corpus(), 60, import::run);
}

#[test]
fn stored_pairs() {
    round("replay", &replay::corpus(), 3000, replay::run);
}

#[test]
fn sealed_values() {
    round("sealed", &sealed::corpus(), 400, sealed::run);
}

#[test]
fn rules_and_documents() {
    round("compile", &compile::corpus(), 5000, compile::run);
}
