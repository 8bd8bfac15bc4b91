//! The index against an oracle that counts everything anew for each query.

use super::query::query_tokens;
use super::*;
use crate::error::Code;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// BM25 by the book, over texts.
#[derive(Default, Debug, Clone)]
struct Oracle(BTreeMap<u32, String>);

fn analysed(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut keys, mut all) = (Vec::new(), Vec::new());
    tokenize(text, |token, role| {
        all.push(token.to_owned());
        if role == Role::Key {
            keys.push(token.to_owned());
        }
    });
    (keys, all)
}

impl Oracle {
    fn scores(&self, query: &str) -> BTreeMap<u32, f64> {
        let texts: BTreeMap<u32, (Vec<String>, Vec<String>)> =
            self.0.iter().map(|(document, text)| (*document, analysed(text))).collect();
        let count = texts.len() as f64;
        let mut scores = BTreeMap::new();
        let tokens = query_tokens(query, MAX_QUERY_TERMS);
        for (document, (keys, all)) in &texts {
            let relative = keys.len() as f64 / f64::from(PIVOT);
            let mut score = 0.0;
            let mut is_hit = false;
            for token in &tokens {
                let with = texts.values().filter(|(_, all)| all.contains(&token.text)).count() as f64;
                let frequency = all.iter().filter(|of| **of == token.text).count() as f64;
                let (k1, b) = (f64::from(K1), f64::from(B));
                is_hit |= frequency > 0.0 && !token.supports;
                score += (1.0 + (count - with + 0.5) / (with + 0.5)).ln()
                    * f64::from(token.factor)
                    * frequency
                    * (k1 + 1.0)
                    / (frequency + k1 * (1.0 - b + b * relative));
            }
            score = if is_hit { score } else { 0.0 };
            if score > 0.0 {
                scores.insert(*document, score);
            }
        }
        scores
    }
}

/// Checks everything that can be asked of the index.
fn assert_agree(index: &LexicalIndex, oracle: &Oracle, query: &str) {
    assert_eq!(index.len(), oracle.0.len());
    let expected = oracle.scores(query);
    let hits = index.search(query, usize::MAX, &|_| true);
    assert_eq!(
        hits.iter().map(|hit| hit.document).collect::<BTreeSet<_>>(),
        expected.keys().copied().collect()
    );
    assert!(hits.is_sorted_by(|a, b| (b.score, a.document) < (a.score, b.document)), "{hits:?}");
    for hit in &hits {
        let score = expected[&hit.document];
        assert!((f64::from(hit.score) - score).abs() <= 1e-5 * score, "{hit:?} should be {score}");
        let sum: f32 = index.explain(&index.read(query), hit.document).iter().map(|part| part.score).sum();
        assert_eq!(sum, hit.score, "the explanation of {hit:?}");
    }
    let documents: Vec<u32> = (0..12).collect();
    let scores =
        documents.iter().map(|d| hits.iter().find(|hit| hit.document == *d).map_or(0.0, |hit| hit.score));
    assert_eq!(index.scores(&index.read(query), &documents), scores.collect::<Vec<_>>());
    for limit in [0, 1, 3] {
        assert_eq!(index.search(query, limit, &|_| true), hits[..limit.min(hits.len())]);
    }
    let even: Vec<Hit> = hits.iter().copied().filter(|hit| hit.document % 2 == 0).take(2).collect();
    assert_eq!(index.search(query, 2, &|document| document % 2 == 0), even);
}

const WORDS: &[&str] = &[
    "cat",
    "cats",
    "dog",
    "the",
    "who",
    "is",
    "running",
    "Ünited",
    "猫",
    "東京都",
    "고양이가",
    "🎉",
    "42",
    "x",
    "don't",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS), 0..12).prop_map(|words| words.join(" "))
}

#[derive(Debug, Clone)]
enum Step {
    Insert(u32, String),
    Remove(u32),
    /// A block of documents that are there already, some of them more than once, in any order.
    Replace(Vec<u32>),
    Reload,
}

fn step() -> impl Strategy<Value = Step> {
    let document = prop_oneof![0u32..12, Just(u32::MAX)];
    prop_oneof![
        6 => (document.clone(), text()).prop_map(|(document, text)| Step::Insert(document, text)),
        3 => document.clone().prop_map(Step::Remove),
        2 => prop::collection::vec(document, 0..8).prop_map(Step::Replace),
        1 => Just(Step::Reload),
    ]
}

proptest! {
    #[test]
    fn agrees_with_the_oracle(steps in prop::collection::vec(step(), 1..40), query in text()) {
        let mut index = LexicalIndex::default();
        let mut oracle = Oracle::default();
        for step in steps {
            match step {
                Step::Insert(document, text) => {
                    index.insert(document, &text);
                    oracle.0.insert(document, text);
                }
                Step::Remove(document) => {
                    prop_assert_eq!(index.remove(document), oracle.0.remove(&document).is_some());
                }
                Step::Replace(documents) => {
                    let documents: Vec<u32> = documents.into_iter().filter(|document| index.contains(*document)).collect();
                    let block = index.export(&documents);
                    index.import(&block, Layout::Postings, &mut |row| documents.get(row as usize).copied()).unwrap();
                }
                Step::Reload => {
                    let documents: Vec<u32> = oracle.0.keys().rev().copied().collect();
                    let block = index.export(&documents);
                    index = LexicalIndex::default();
                    index.import(&block, Layout::Postings, &mut |row| documents.get(row as usize).copied()).unwrap();
                }
            }
            assert_agree(&index, &oracle, &query);
        }
    }

    #[test]
    fn damaged_blocks_are_refused_or_harmless(
        texts in prop::collection::vec(text(), 1..8),
        cut in any::<prop::sample::Index>(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let mut index = LexicalIndex::default();
        for (document, text) in (0..).zip(&texts) {
            index.insert(document, text);
        }
        let mut block = index.export(&(0..texts.len() as u32).collect::<Vec<_>>());
        let short = &block[..cut.index(block.len())];
        prop_assert_eq!(LexicalIndex::default().import(short, Layout::Postings, &mut Some).unwrap_err().code, Code::Corrupt);
        for (place, byte) in flips {
            let place = place.index(block.len());
            block[place] = byte;
        }
        assert_total(&block);
    }

    #[test]
    fn arbitrary_bytes_never_panic(block in prop::collection::vec(any::<u8>(), 0..200)) {
        assert_total(&block);
    }
}

/// A block is either refused with nothing changed, or its rows become documents that can be removed again.
fn assert_total(block: &[u8]) {
    [Layout::Postings, Layout::Rows].into_iter().for_each(|layout| assert_total_as(block, layout));
}

fn assert_total_as(block: &[u8], layout: Layout) {
    let mut index = LexicalIndex::default();
    index.insert(5, "cat");
    let mut count = 0;
    let imported = index.import(block, layout, &mut |row| {
        count = count.max(row + 1);
        Some(row * 2)
    });
    match imported {
        Ok(()) => {
            assert_eq!(index.len(), (count as usize).max(1) + usize::from(count > 0));
            for document in 0..=count * 2 {
                index.remove(document);
            }
            index.remove(5);
            assert!(index.is_empty());
        }
        Err(error) => {
            assert_eq!(error.code, Code::Corrupt);
            assert_eq!(index.len(), 1);
        }
    }
}

#[test]
fn huge_counts_are_refused_before_they_are_believed() {
    let refused = |block: &[u8], layout| {
        let error = LexicalIndex::default().import(block, layout, &mut Some).unwrap_err();
        assert_eq!(error.code, Code::Corrupt, "{block:?}");
    };
    for layout in [Layout::Postings, Layout::Rows] {
        // 2^32 - 1 terms; no terms and as many rows; one row with as many terms, or a term with as many rows; a list as long.
        for head in [&[][..], &[0], &[0, 1, 0], &[1, 1, b'a', 1, 1], &[1, 1, b'a', 1, 1, 1, 0]] {
            refused(&[head, &[0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0]].concat(), layout);
        }
        refused(&[0xff; 20], layout);
    }
}

#[test]
fn the_bytes_of_a_block_do_not_change() {
    let mut index = LexicalIndex::default();
    index.insert(1, "tea tea tea the cat");
    index.insert(2, "cat");
    let block = index.export(&[1, 2, 3]);
    let terms = b"\x03\x03cat\x03tea\x03the";
    let (rows, postings) = (b"\x03\x04\x01\x00", b"\x02\x00\x00\x01\x01\x01\x01\x00");
    assert_eq!(block, [&terms[..], rows, postings, b"\x03\x01\x00", b"\x00\x00\x00\x00"].concat());
    // As versions before 4 of the format have it.
    let old = [&terms[..], b"\x03\x04\x03\x00\x01\x01\x00\x01\x01\x00\x00\x00"].concat();
    let mut again = LexicalIndex::default();
    again.import(&old, Layout::Rows, &mut |row| Some(row + 1)).unwrap();
    assert_eq!((again.export(&[1, 2, 3]), again.len()), (block, 3));
}

/// With other lists than postings a document that goes would leave some behind, for the next one in its slot.
#[test]
fn lists_that_are_not_of_their_postings_are_refused() {
    // Two terms and two rows: each row has a term in both, or the lists are those of the other rows or terms.
    let block = |lists: &[u8]| [b"\x02\x01a\x01b\x02\x01\x01\x01\x00\x01\x02", lists].concat();
    LexicalIndex::default().import(&block(b"\x01\x01\x00\x01"), Layout::Postings, &mut Some).unwrap();
    for lists in [
        &b"\x01\x01\x01\x00"[..],
        b"\x02\x00\x00\x00",
        b"\x00\x02\x00\x00",
        b"\x01\x01\x00\x00",
        b"\x01\x00\x00",
    ] {
        let error = LexicalIndex::default().import(&block(lists), Layout::Postings, &mut Some).unwrap_err();
        assert_eq!(
            (error.code, error.message.contains("its lists are not")),
            (Code::Corrupt, true),
            "{lists:?}"
        );
    }
}

#[test]
fn a_query_of_stop_words_finds_stop_words() {
    let mut index = LexicalIndex::default();
    index.insert(1, "I am your father");
    index.insert(2, "Who are you? Who, who?");
    index.insert(3, "Tea");
    assert_eq!(
        index.search("who am I", 9, &|_| true).iter().map(|hit| hit.document).collect::<Vec<_>>(),
        [1, 2]
    );
    assert!(index.search("who likes chess", 9, &|_| true).is_empty());
    assert_eq!(index.search("who likes tea", 9, &|_| true).len(), 1);
}

#[test]
fn a_lone_ideograph_is_found_inside_words() {
    let mut index = LexicalIndex::default();
    index.insert(1, "東京都に住む");
    assert_eq!(index.search("都", 1, &|_| true).len(), 1);
    assert_eq!(index.search("京都", 1, &|_| true).len(), 1);
    assert!(index.search("京東", 1, &|_| true).is_empty());
}

#[test]
fn unused_terms_are_swept() {
    let mut index = LexicalIndex::default();
    let mut oracle = Oracle::default();
    oracle.0.insert(0, "alpha beta beta".to_owned());
    index.insert(0, "alpha beta beta");
    for round in 0..20_000 {
        index.insert(1, &format!("word{round} alpha"));
    }
    assert!(index.terms.len() < 3 * 4096, "{} terms", index.terms.len());
    oracle.0.insert(1, "word19999 alpha".to_owned());
    assert_agree(&index, &oracle, "alpha word19999 beta word3");
}

#[test]
fn long_queries_and_texts_keep_their_limits() {
    let mut index = LexicalIndex::default();
    let text: String = (0..MAX_TOKENS + 10).map(|number| format!("w{number} ")).collect();
    index.insert(1, &text);
    assert_eq!(index.search(&format!("w{}", MAX_TOKENS - 1), 1, &|_| true).len(), 1);
    assert!(index.search(&format!("w{MAX_TOKENS}"), 1, &|_| true).is_empty());
    assert_eq!(index.explain(&index.read(&text), 1).len(), MAX_QUERY_TERMS);
    let block = index.export(&[1]);
    let mut again = LexicalIndex::default();
    again.import(&block, Layout::Postings, &mut |_| Some(1)).unwrap();
    assert_eq!(again.search("w7", 1, &|_| true), index.search("w7", 1, &|_| true));
}

/// Stems were stemmed once more, and found nothing: "coffe" is "coffee" as an index holds it.
#[test]
fn tokens_are_looked_for_as_they_are() {
    let mut index = LexicalIndex::default();
    for (document, text) in [(0, "Ann likes coffee"), (1, "Bob drinks tea")] {
        index.insert(document, text);
    }
    let found = |query: &str, tokens: &[&str]| {
        let hits = index.search_for(&index.read_with(query, tokens), 10, &|_| true);
        hits.into_iter().map(|hit| hit.document).collect::<Vec<_>>()
    };
    assert!(found("coffe", &[]).is_empty(), "a query is stemmed");
    assert_eq!(found("", &["coffe", "nothing"]), [0]);
    assert_eq!(found("tea", &["coffe"]).len(), 2);
    assert_eq!(index.read_with("tea", &["coffe"]).wanted().len(), 1, "only the query says what is asked for");
    // However much else is looked for, the words of the query are, and what is in no document takes no room.
    let mut many: Vec<String> = (0..2 * MAX_QUERY_TERMS).map(|number| format!("w{number}")).collect();
    index.insert(2, &many.join(" "));
    let found = |tokens: &[&str]| {
        let hits = index.search_for(&index.read_with("tea", tokens), 10, &|_| true);
        hits.into_iter().map(|hit| hit.document).collect::<BTreeSet<_>>()
    };
    assert_eq!(found(&many.iter().map(String::as_str).collect::<Vec<_>>()), [1, 2].into());
    many.iter_mut().for_each(|token| token.insert(0, 'x'));
    many.push("coffe".to_owned());
    assert_eq!(found(&many.iter().map(String::as_str).collect::<Vec<_>>()), [0, 1].into());
}

/// The word counted 63 times and the text had 100 words, so what was written was taken for damage when it was read.
#[test]
fn a_word_that_is_said_a_hundred_times_is_read_back() {
    let mut index = LexicalIndex::default();
    index.insert(1, &"cedar ".repeat(100));
    let mut again = LexicalIndex::default();
    again.import(&index.export(&[1]), Layout::Postings, &mut |_| Some(1)).unwrap();
    assert_eq!(again.search("cedar", 1, &|_| true), index.search("cedar", 1, &|_| true));
}

#[test]
fn holders_of_the_rarest_word_are_the_newest() {
    let mut index = LexicalIndex::default();
    for (document, text) in
        (1..).zip(["Ann keeps bees", "Ann keeps cats", "Bees keep Ann", "It is what it is"])
    {
        index.insert(document, text);
    }
    assert_eq!(index.holders("ANN keeps Bees", 1), Some(vec![3]));
    assert_eq!(index.holders("Ann keeps snakes", 9), Some(vec![]));
    assert_eq!(index.holders("?!", 9), None);
}

#[test]
fn holders_of_all_words_hold_every_double() {
    let mut index = LexicalIndex::default();
    index.insert(1, "Ann keeps bees");
    index.insert(2, "Ann keeps cats and bees, and cats");
    index.insert(3, "  ann KEEPS   bees. ");
    index.insert(4, "It is what it is");
    index.insert(5, &"cedar ".repeat(100));
    let holders = |text: &str| {
        index.holders_of_all(text).map(|mut documents| {
            documents.sort_unstable();
            documents
        })
    };
    assert_eq!(holders("ANN keeps Bees"), Some(vec![1, 2, 3]));
    assert_eq!(holders("Ann keeps cats and cats"), Some(vec![2]));
    assert_eq!(holders("Ann keeps bees and bees"), Some(vec![]));
    assert_eq!(holders("Ann keeps snakes"), Some(vec![]));
    assert_eq!(holders("what it is"), Some(vec![4]));
    assert_eq!(holders(&"Cedar ".repeat(100)), Some(vec![5]));
    assert_eq!(holders("?!"), None);
}
