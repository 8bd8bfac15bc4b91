//! How well the right turn of a long conversation is found, on the tuning half of LoCoMo (Maharana et al., ACL 2024).
//!
//! The fixtures are not part of the repository (their licence forbids commercial use): the test reads them from the
//! folder named by `MNEMIC_SHARED`, or from `../shared`, and counts as skipped when neither is there. Print the table
//! with `cargo test --release --test native locomo -- --nocapture`.

use crate::support::shared::shared;
use mnemic::index::embedder::{self, embed};
use mnemic::index::fuse::{Background, EVEN, Ranking, fuse};
use mnemic::index::lexical::LexicalIndex;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Turn {
    conv: String,
    id: String,
    text: String,
}

#[derive(Deserialize)]
struct Question {
    conv: String,
    category: u8,
    question: String,
    evidence: Vec<String>,
}

/// The turns of a conversation with their vectors, and the questions about it with theirs.
#[derive(Default)]
struct Conversation {
    turns: Vec<(Turn, Vec<f32>)>,
    questions: Vec<(Question, Vec<f32>)>,
}

/// A line of JSON each, and the vector in the same place of the `f16` file.
fn read<T: for<'a> Deserialize<'a>>(folder: &std::path::Path, name: &str) -> Vec<(T, Vec<f32>)> {
    let lines = std::fs::read_to_string(folder.join(name).with_extension("jsonl")).unwrap();
    let vectors = std::fs::read(folder.join(name).with_extension("f16")).unwrap();
    let vectors = vectors.chunks_exact(2 * 384).map(|row| row.chunks_exact(2).map(half).collect());
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).zip(vectors).collect()
}

/// A little-endian IEEE half.
fn half(bytes: &[u8]) -> f32 {
    let bits = u16::from_le_bytes([bytes[0], bytes[1]]);
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    let size = if exponent == 0 {
        fraction / 1024.0 * 2f32.powi(-14)
    } else {
        (1.0 + fraction / 1024.0) * 2f32.powi(exponent - 15)
    };
    if bits >> 15 == 1 { -size } else { size }
}

/// The cosines of a unit vector with each of the others.
fn cosines(query: &[f32], vectors: &[Vec<f32>]) -> Vec<(u32, f32)> {
    let dot = |vector: &Vec<f32>| vector.iter().zip(query).map(|(a, b)| a * b).sum();
    (0..).zip(vectors.iter().map(dot)).collect()
}

fn hashed(text: &str) -> Vec<f32> {
    embed(text)
        .map_or_else(|| vec![0.0; 384], |e| e.codes.iter().map(|code| f32::from(*code) * e.scale).collect())
}

/// The scores, best first.
fn best(mut scores: Vec<(u32, f32)>) -> Vec<(u32, f32)> {
    scores.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scores
}

/// Words and meaning, where meaning has the given weight and counts as 1 so many deviations above what is usual.
fn fused(words: &[(u32, f32)], meaning: &[(u32, f32)], (weight, deviations): (f32, f32)) -> Vec<(u32, f32)> {
    let similarities: Vec<f32> = meaning.iter().map(|(_, similarity)| *similarity).collect();
    let Background { mean, deviation } = Background::of(&similarities);
    let words = Ranking::by_best(1.0 - weight, words);
    let fused =
        fuse([words, Ranking { weight, least: mean, unit: deviation * deviations, candidates: meaning }]);
    fused.iter().map(|hit| (hit.document, hit.score)).collect()
}

/// Recall at 5, at 10, nDCG at 10.
fn measure(ranking: &[(u32, f32)], turns: &[(Turn, Vec<f32>)], evidence: &[String]) -> [f64; 3] {
    let found: Vec<bool> =
        ranking.iter().take(10).map(|(turn, _)| evidence.contains(&turns[*turn as usize].0.id)).collect();
    let recall = |k: usize| found.iter().take(k).filter(|f| **f).count() as f64 / evidence.len() as f64;
    let discount = |place: usize| 1.0 / (place as f64 + 2.0).log2();
    let gain: f64 = found.iter().enumerate().filter(|(_, f)| **f).map(|(place, _)| discount(place)).sum();
    let ideal: f64 = (0..evidence.len().min(10)).map(discount).sum();
    [recall(5), recall(10), gain / ideal]
}

#[test]
fn finds_the_turns_that_answer() {
    let Some(folder) = shared("locomo") else {
        return;
    };
    let mut conversations: BTreeMap<String, Conversation> = BTreeMap::new();
    for (turn, vector) in read::<Turn>(&folder, "turns") {
        conversations.entry(turn.conv.clone()).or_default().turns.push((turn, vector));
    }
    for (question, vector) in read::<Question>(&folder, "questions") {
        if question.category <= 4 {
            conversations.entry(question.conv.clone()).or_default().questions.push((question, vector));
        }
    }
    let mut sums: BTreeMap<&str, [f64; 3]> = BTreeMap::new();
    let mut count = 0.0;
    for Conversation { turns, questions } in conversations.values() {
        let mut index = LexicalIndex::default();
        let mut model = Vec::new();
        let mut built_in = Vec::new();
        for (number, (turn, vector)) in (0..).zip(turns) {
            index.insert(number, &turn.text);
            model.push(vector.clone());
            built_in.push(hashed(&turn.text));
        }
        for (question, vector) in questions {
            let hits = index.search(&question.question, usize::MAX, &|_| true);
            let words: Vec<_> = hits.iter().map(|hit| (hit.document, hit.score)).collect();
            let model = best(cosines(vector, &model));
            let hash = best(cosines(&hashed(&question.question), &built_in));
            for (name, ranking) in [
                ("1 words", words.clone()),
                ("2 MiniLM", model.clone()),
                ("3 words + MiniLM", fused(&words, &model, (EVEN, 3.5))),
                ("4 built-in", hash.clone()),
                (
                    "5 words + built-in",
                    fused(&words, &hash, embedder::weight(&embed(&question.question).unwrap())),
                ),
            ] {
                let sum = sums.entry(name).or_default();
                for (total, value) in sum.iter_mut().zip(measure(&ranking, turns, &question.evidence)) {
                    *total += value;
                }
            }
            count += 1.0;
        }
    }
    println!("{count} questions                                R@5   R@10  nDCG@10");
    for (name, sum) in &sums {
        println!("{name:45} {:.3} {:.3} {:.3}", sum[0] / count, sum[1] / count, sum[2] / count);
    } // Just below what was measured, so that a change for the worse is noticed.
    for (name, least) in [("1 words", 0.62), ("3 words + MiniLM", 0.69), ("5 words + built-in", 0.62)] {
        let recall = sums[name][1] / count;
        assert!(recall >= least, "{name}: recall at 10 is {recall:.3}, below {least}");
    }
}
