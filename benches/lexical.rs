//! The word index on sentences whose words follow Zipf's law, each bench with a check of its answer.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a bench that goes wrong has to stop")]

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use mnemic::index::embedder::embed;
use mnemic::index::lexical::{Layout, LexicalIndex, tokenize};
use std::hint::black_box;

/// The generator of Marsaglia, "Xorshift RNGs", 2003.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A word of a vocabulary of 30 000; the word of rank r comes with a probability of about 1 / r.
    fn word(&mut self) -> String {
        let rank = 30_000f64.powf(self.unit()) as u64;
        let mut letters = rank.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16;
        let mut word = String::new();
        for _ in 0..2 + rank.ilog10() {
            word.push(char::from(b"bdfgklmnprstvz"[(letters % 14) as usize]));
            word.push(char::from(b"aeiou"[(letters / 14 % 5) as usize]));
            letters /= 70;
        }
        word
    }

    fn sentence(&mut self, words: usize) -> String {
        (0..words).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }
}

fn lexical(c: &mut Criterion) {
    let mut random = Random(7);
    let texts: Vec<String> = (0..100_000).map(|n| random.sentence(8 + n % 9)).collect();
    let queries: Vec<String> = (0..256).map(|_| random.sentence(3)).collect();
    for count in [10_000, 100_000] {
        let texts = &texts[..count];
        let name = format!("{}k", count / 1000);
        let mut index = LexicalIndex::default();
        let insert_all = || {
            let mut index = LexicalIndex::default();
            texts.iter().enumerate().for_each(|(document, text)| index.insert(document as u32, text));
            assert_eq!(index.len(), count);
            index
        };
        let mut group = c.benchmark_group(&name);
        group.sample_size(10);
        group.bench_function("index", |b| b.iter_with_large_drop(|| index = insert_all()));
        let documents: Vec<u32> = (0..count as u32).collect();
        let block = index.export(&documents);
        group.throughput(Throughput::Bytes(block.len() as u64));
        group
            .bench_function("export", |b| b.iter(|| assert_eq!(index.export(&documents).len(), block.len())));
        group.bench_function("import", |b| {
            b.iter_with_large_drop(|| {
                let mut index = LexicalIndex::default();
                index.import(&block, Layout::Postings, &mut Some).unwrap();
                assert_eq!(index.len(), count);
                index
            });
        });
        group.finish();
        let mut next = queries.iter().cycle();
        c.bench_function(&format!("{name}/query"), |b| {
            b.iter_batched(
                || next.next().unwrap(),
                |query| {
                    let hits = index.search(query, 10, &|_| true);
                    assert!(!hits.is_empty() && hits.len() <= 10);
                    hits
                },
                BatchSize::SmallInput,
            );
        });
        let mut document = 0;
        c.bench_function(&format!("{name}/replace"), |b| {
            b.iter(|| {
                document = (document + 7919) % count as u32;
                index.insert(document, &texts[document as usize]);
                assert_eq!(index.len(), count);
            });
        });
    }
}

fn text(c: &mut Criterion) {
    let text =
        "Caroline: I went to a LGBTQ support group yesterday, and it was so powerful; we talked about hikes.";
    c.bench_function("tokenize 100 characters", |b| {
        b.iter(|| {
            let mut count = 0;
            tokenize(black_box(text), |_, _| count += 1);
            assert_eq!(count, 18);
        });
    });
    c.bench_function("embed 100 characters", |b| b.iter(|| embed(black_box(text)).unwrap()));
}

criterion_group!(benches, lexical, text);
criterion_main!(benches);
