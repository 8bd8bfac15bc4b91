//! What a test does: operations made of small numbers, so that they meet often and shrink well.

use super::model::Model;
use super::support::image::{id, scope};
use super::support::storage::Write;
use mnemic::log::{Cause, Embed};
use mnemic::store::{Change, Draft, Expect};
use mnemic::{Code, Embedding, Kind, Provenance, Record, Scope};
use proptest::prelude::*;
use serde_json::json;

pub(crate) const EMBEDDER: &str = "model";
pub(crate) const WORDS: [&str; 5] = ["cedar", "maple", "willow", "birch", "spruce"];
pub(crate) const KEYS: [&str; 4] = ["a", "a/1", "a/2", "b"];
pub(crate) const KINDS: [Kind; 3] = [Kind::Fact, Kind::Field, Kind::Task];

pub(crate) fn scopes() -> [Scope; 2] {
    [scope("alice"), scope("bob")]
}

/// A vector by a number.
pub(crate) fn embedding(number: u8) -> Embedding {
    let turn = f32::from(number);
    Embedding::quantise(EMBEDDER, &[turn.cos(), turn.sin(), 0.5, (turn * 3.0).cos()]).unwrap()
}

/// One step of a test.
#[derive(Debug, Clone)]
pub(crate) enum Operation {
    /// One commit of one engine.
    Commit(usize, Batch),
    /// Several commits of both engines at once, with storages that take their time.
    Race(Vec<(usize, Batch)>),
    /// Take back one of the commits there are.
    Undo(usize, u8),
    /// Move the clock.
    Wait(i16),
    /// Fold the log of one engine.
    Fold(usize),
    /// Close one engine and open another on the same storage.
    Reopen(usize),
    /// Let an engine look for commits of others.
    Refresh(usize),
    /// What becomes of the next writes of an engine.
    Plan(usize, Vec<Write>),
}

/// The changes of one draft.
#[derive(Debug, Clone)]
pub(crate) struct Batch {
    pub(crate) scope: usize,
    pub(crate) steps: Vec<Step>,
}

/// One change.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Put { number: u8, expect: u8, words: u8, key: u8, ends: u8, embed: u8 },
    Delete { number: u8, expect: u8 },
    Embed { number: u8, stale: bool, vector: u8 },
    Touch { number: u8, later: i16 },
}

pub(crate) fn operation() -> impl Strategy<Value = Operation> {
    let engine = 0..2usize;
    let write = prop_oneof![
        Just(Write::Works),
        Just(Write::Fails(Code::Storage)),
        Just(Write::Fails(Code::QuotaExceeded)),
        (0..4usize).prop_map(Write::Tears),
        Just(Write::LosesAnswer),
    ];
    prop_oneof![
        12 => (engine.clone(), batch()).prop_map(|(engine, batch)| Operation::Commit(engine, batch)),
        3 => prop::collection::vec((engine.clone(), batch()), 2..6).prop_map(Operation::Race),
        3 => (engine.clone(), any::<u8>()).prop_map(|(engine, commit)| Operation::Undo(engine, commit)),
        2 => (-50..400i16).prop_map(Operation::Wait),
        2 => engine.clone().prop_map(Operation::Fold),
        2 => engine.clone().prop_map(Operation::Reopen),
        2 => engine.clone().prop_map(Operation::Refresh),
        2 => (engine, prop::collection::vec(write, 1..4)).prop_map(|(engine, plan)| Operation::Plan(engine, plan)),
    ]
}

fn batch() -> impl Strategy<Value = Batch> {
    let number = 0..9u8;
    let step = prop_oneof![
        5 => (number.clone(), 0..6u8, any::<u8>(), 0..8u8, 0..8u8, 0..6u8).prop_map(|(number, expect, words, key, ends, embed)| {
            Step::Put { number, expect, words, key, ends, embed }
        }),
        2 => (number.clone(), 0..6u8).prop_map(|(number, expect)| Step::Delete { number, expect }),
        1 => (number.clone(), -50..400i16).prop_map(|(number, later)| Step::Touch { number, later }),
        1 => (number, prop::bool::weighted(0.2), any::<u8>()).prop_map(|(number, stale, vector)| Step::Embed { number, stale, vector }),
    ];
    (0..2usize, prop::collection::vec(step, 1..4)).prop_map(|(scope, mut steps)| {
        // A draft names each record once.
        let mut seen = Vec::new();
        steps.retain(|step| {
            let (Step::Put { number, .. }
            | Step::Delete { number, .. }
            | Step::Embed { number, .. }
            | Step::Touch { number, .. }) = step;
            !seen.contains(number) && {
                seen.push(*number);
                true
            }
        });
        Batch { scope, steps }
    })
}

impl Batch {
    /// The draft, given what is there; `None` when it claims a key twice.
    pub(crate) fn draft(&self, model: &Model) -> Option<Draft> {
        let scope = &scopes()[self.scope];
        let mut draft = Draft::new(scope, Cause::User);
        let mut keys = Vec::new();
        for step in &self.steps {
            match *step {
                Step::Put { number, expect, words, key, ends, embed } => {
                    let record = record(scope, number, words, key, ends);
                    if let Some(key) = &record.key {
                        if keys.contains(&(record.kind, key.clone())) {
                            return None;
                        }
                        keys.push((record.kind, key.clone()));
                    }
                    let expect = self.expect(model, number, expect);
                    draft.put(record, expect, None);
                    if let Some(Change::Put { embeddings, .. }) = draft.changes.last_mut() {
                        *embeddings = (0..=embed).filter(|_| embed < 3).map(embedding).collect();
                    }
                }
                Step::Delete { number, expect } => {
                    draft.delete(id(number), self.expect(model, number, expect))
                }
                Step::Touch { number, later } => {
                    let time = super::support::platform::START + i64::from(later);
                    draft.changes.push(Change::Touch { id: id(number), time });
                }
                Step::Embed { number, stale, vector } => {
                    let revision = model.records.get(&id(number)).map_or(1, |entry| entry.text_revision);
                    for part in 0..=vector / 100 {
                        draft.changes.push(Change::Embed(Embed {
                            id: id(number),
                            revision: revision + u32::from(stale),
                            embedding: embedding(vector.wrapping_add(part) % 8),
                        }));
                    }
                }
            }
        }
        Some(draft)
    }

    fn expect(&self, model: &Model, number: u8, expect: u8) -> Expect {
        let living =
            model.records.get(&id(number)).and_then(|entry| entry.living()).map(|record| record.revision);
        match (expect, living) {
            (0..=2, _) => Expect::Any,
            (3, Some(revision)) => Expect::Revision(revision),
            (4, Some(revision)) => Expect::Revision(revision + 1),
            (_, Some(_)) | (3.., None) => Expect::Absent,
        }
    }
}

/// A record whose kind goes with its number, as the kind of a record never changes.
fn record(scope: &Scope, number: u8, words: u8, key: u8, ends: u8) -> Record {
    let kind = KINDS[usize::from(number) % KINDS.len()];
    let text: Vec<&str> =
        WORDS.iter().enumerate().filter(|(bit, _)| words >> bit & 1 == 1).map(|(_, word)| *word).collect();
    let mut record = Record::new(id(number), kind, scope.clone(), 0);
    record.text = (words & 0x60 != 0).then(|| text.join(" "));
    record.key = KEYS.get(usize::from(key)).map(|key| (*key).to_owned());
    record.value = if words & 0x80 == 0 { json!({"list": [1, null, "x"]}) } else { json!(null) };
    record.significance = key;
    record.valid_from = super::support::platform::START - 5 + i64::from(key) * 40;
    let soon = super::support::platform::START + 300;
    (record.valid_to, record.expires_at) = match ends {
        0 => (Some(soon), None),
        1 => (None, Some(soon)),
        2 => (Some(soon + 100), Some(soon)),
        _ => (None, None),
    };
    if ends > 5 {
        record.metadata.insert("ends".to_owned(), json!(ends));
        record.provenance = vec![Provenance {
            message_id: id(200),
            thread_id: "t".to_owned(),
            quote: "\u{ac00}".to_owned(),
            trust: None,
        }];
    }
    record
}
