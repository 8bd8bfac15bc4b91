//! How fast the flat index finds, loads and changes vectors; recall is checked before anything is timed.
#![expect(clippy::print_stdout, reason = "a bench reports to whoever runs it")]
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a failure ends the bench")]

#[path = "../crates/core/src/index/vector/tests/clusters.rs"]
mod clusters;

use clusters::Clusters;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use mnemic::Embedding;
use mnemic::index::vector::{FlatIndex, Wanted, bits_of};
use std::hint::black_box;
use std::time::Instant;

const DIMENSIONS: usize = 384;
const QUERIES: usize = 100;
const LIMIT: usize = 10;

/// Rows, clusters and how far vectors stray from their centre.
const SETS: [(usize, usize, f32); 4] =
    [(1_000, 20, 0.7), (10_000, 100, 0.5), (100_000, 100, 1.0), (100_000, 2_000, 0.7)];

struct Set {
    documents: Vec<u32>,
    scales: Vec<f32>,
    codes: Vec<i16>,
    queries: Vec<Embedding>,
}

impl Set {
    fn new(rows: usize, clusters: usize, noise: f32) -> Self {
        let mut vectors = Clusters::new(88_172_645_463_325_252, DIMENSIONS, clusters, noise);
        let mut near = || {
            let cluster = vectors.random.below(clusters);
            Embedding::quantise("bench", &vectors.near(cluster)).expect("finite values")
        };
        let queries = (0..QUERIES).map(|_| near()).collect();
        let mut set = Self { documents: Vec::new(), scales: Vec::new(), codes: Vec::new(), queries };
        for document in 0..rows as u32 {
            let row = near();
            set.documents.push(document);
            set.scales.push(row.scale);
            set.codes.extend_from_slice(&row.codes);
        }
        set
    }

    fn index(&self) -> FlatIndex {
        let mut index = FlatIndex::new(DIMENSIONS);
        let rows = self.documents.iter().zip(&self.scales).zip(self.codes.chunks_exact(DIMENSIONS));
        for ((document, scale), codes) in rows {
            index.insert(*document, *scale, codes).expect("a row that fits");
        }
        index
    }

    /// The tenth best similarity there is, by looking at every row.
    fn tenth_best(&self, query: &Embedding, allowed: fn(u32) -> bool) -> f64 {
        let rows = self.documents.iter().zip(&self.scales).zip(self.codes.chunks_exact(DIMENSIONS));
        let mut all: Vec<f64> = rows
            .filter(|((document, _), _)| allowed(**document))
            .map(|((_, scale), codes)| {
                let products =
                    codes.iter().zip(&query.codes).map(|(l, r)| i64::from(i32::from(*l) * i32::from(*r)));
                products.sum::<i64>() as f64 * f64::from(*scale) * f64::from(query.scale)
            })
            .collect();
        *all.select_nth_unstable_by(LIMIT - 1, |l, r| r.total_cmp(l)).1
    }
}

/// Asserts recall@10 >= .99 and prints the median time of a query.
fn check(name: &str, set: &Set, index: &FlatIndex, allowed: fn(u32) -> bool) {
    let (mut found, mut times) = (0, Vec::new());
    for query in &set.queries {
        let tenth = set.tenth_best(query, allowed);
        let known = |documents: &[u32]| bits_of(documents, allowed);
        let wanted = Wanted { known: &known, read: None };
        let start = Instant::now();
        let hits =
            index.search_among(query.scale, &query.codes, LIMIT, -1.0, wanted).expect("a fitting query");
        times.push(start.elapsed());
        found += hits.iter().filter(|hit| f64::from(hit.similarity) >= tenth - 1e-6).count();
    }
    times.sort();
    let recall = found as f64 / (QUERIES * LIMIT) as f64;
    println!("{name}: recall@10 {recall:.4}, p50 {:?} straight after other work", times[QUERIES / 2]);
    assert!(recall >= 0.99, "{name}: recall@10 {recall}");
}

fn everyone(_: u32) -> bool {
    true
}

fn a_tenth(document: u32) -> bool {
    document % 10 == 3
}

fn vector(criterion: &mut Criterion) {
    for (rows, clusters, noise) in SETS {
        let name = format!("{rows} rows in {clusters} clusters");
        let set = Set::new(rows, clusters, noise);
        let index = set.index();
        println!("{name}: {} bytes per vector", index.memory_bytes() / rows);
        check(&name, &set, &index, everyone);
        check(&format!("{name}, a tenth allowed"), &set, &index, a_tenth);

        let mut group = criterion.benchmark_group("vector");
        let mut queries = set.queries.iter().cycle();
        group.bench_function(BenchmarkId::new("search", &name), |bencher| {
            bencher.iter(|| queries.next().map(|query| index.search(query.scale, &query.codes, LIMIT)));
        });
        group.bench_function(BenchmarkId::new("search among a tenth", &name), |bencher| {
            let known = |documents: &[u32]| bits_of(documents, a_tenth);
            let wanted = Wanted { known: &known, read: None };
            bencher.iter(|| {
                queries.next().map(|query| index.search_among(query.scale, &query.codes, LIMIT, -1.0, wanted))
            });
        });
        group.sample_size(10);
        group.bench_function(BenchmarkId::new("load", &name), |bencher| {
            bencher.iter(|| black_box(set.index()))
        });
        let mut index = set.index();
        group.bench_function(BenchmarkId::new("replace", &name), |bencher| {
            bencher.iter(|| queries.next().map(|query| index.insert(7, query.scale, &query.codes)));
        });
        group.finish();
    }
}

criterion_group!(benches, vector);
criterion_main!(benches);
