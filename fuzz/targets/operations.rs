//! Operations of two engines against the model, as `tests/store_model` runs them, chosen by the input's bytes.
//!
//! Each choice takes a byte; when there are none left the operations end.
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
use mnemic::Code;
use operation::{Batch, Operation, Step};
use support::storage::Write;

/// What is left of the input.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn any(&mut self) -> u8 {
        self.0.next().copied().unwrap_or(0)
    }

    fn below(&mut self, end: u8) -> u8 {
        self.any() % end
    }

    fn engine(&mut self) -> usize {
        usize::from(self.below(2))
    }

    fn several<T>(&mut self, most: u8, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..=self.below(most)).map(|_| one(self)).collect()
    }

    fn milliseconds(&mut self) -> i16 {
        i16::from(self.any()) * 2 - 50
    }

    fn write(&mut self) -> Write {
        match self.below(5) {
            0 => Write::Works,
            1 => Write::Fails(Code::Storage),
            2 => Write::Fails(Code::QuotaExceeded),
            3 => Write::Tears(self.below(4).into()),
            _ => Write::LosesAnswer,
        }
    }

    fn step(&mut self, number: u8) -> Step {
        match self.below(9) {
            0..5 => {
                let [expect, words, key] = [self.below(6), self.any(), self.below(8)];
                Step::Put { number, expect, words, key, ends: self.below(8), embed: self.below(6) }
            }
            5..7 => Step::Delete { number, expect: self.below(6) },
            7 => Step::Touch { number, later: self.milliseconds() },
            _ => Step::Embed { number, stale: self.below(5) == 0, vector: self.any() },
        }
    }

    fn batch(&mut self) -> Batch {
        let scope = self.engine();
        let first = self.below(9);
        // A draft names each record once.
        let mut number = first;
        let steps = self.several(3, |choices| {
            number = (number + 1) % 9;
            choices.step(number)
        });
        Batch { scope, steps }
    }

    fn operation(&mut self) -> Operation {
        let choice = self.below(14);
        let engine = self.engine();
        match choice {
            0..6 => Operation::Commit(engine, self.batch()),
            6..8 => Operation::Race(self.several(5, |choices| (choices.engine(), choices.batch()))),
            8 => Operation::Undo(engine, self.any()),
            9 => Operation::Wait(self.milliseconds()),
            10 => Operation::Fold(engine),
            11 => Operation::Reopen(engine),
            12 => Operation::Refresh(engine),
            _ => Operation::Plan(engine, self.several(3, Self::write)),
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let mut choices = Choices(data.iter());
    let mut operations = Vec::new();
    while choices.0.len() > 0 && operations.len() < 60 {
        operations.push(choices.operation());
    }
    world::World::new(data.len() as u64).run(&operations);
});
