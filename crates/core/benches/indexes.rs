//! The flat index beside a navigable graph and coarse clusters, both over the same sketches and with exact similarities of what they
//! find: recall, time, memory and filters. `docs/indexes.md` has the table.
//!
//! The arguments are numbers of rows; `flat` leaves out what the index is compared with, and `graph` builds the graph as well, which takes
//! long. `VECTORS` names a file of real vectors, 384 half-precision floats each, the last 50 of which are the queries.
#![expect(clippy::print_stdout, reason = "a bench reports to whoever runs it")]
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a failure ends the bench")]

#[path = "../src/index/vector/tests/clusters.rs"]
mod clusters;

use clusters::{Clusters, Random};
use instant_distance::{Builder, Hnsw, Point, PointId, Search};
use mnemic_core::Embedding;
use mnemic_core::index::vector::{FlatIndex, Hit, Wanted, bits_of};
use std::time::Instant;

const DIMENSIONS: usize = 384;
const WORDS: usize = DIMENSIONS / 64;
const QUERIES: usize = 50;
const LIMIT: usize = 10;
/// Each query is asked so often; its shortest time counts.
const ROUNDS: usize = 5;
/// Rows in a cluster, and how far they stray from its centre.
const CLUSTER: usize = 50;
const NOISE: f32 = 0.7;
/// How many of the nearest by their sketches are scored exactly in clusters, and in the graph, which is built for each.
const SCORED: usize = 200;
const SOUGHT: [usize; 2] = [50, 200];

/// How often the centres of clusters are moved, and by how many rows each.
const STEPS: usize = 4;
const SAMPLE: usize = 50;

type Sketch = [u64; WORDS];

fn differing(left: &Sketch, right: &Sketch) -> u32 {
    left.iter().zip(right).map(|(l, r)| u64::from((l ^ r).count_ones())).sum::<u64>() as u32
}

/// Whether a filter accepts a document, by the cluster that is near and how many there are.
type Accepts = fn(u32, usize, usize) -> bool;

/// The filters: everyone, a tenth, a hundredth, and a tenth in clusters of which none is near (of real vectors, another tenth).
const FILTERS: [(&str, Accepts); 4] = [
    ("all", |_, _, _| true),
    ("a tenth", |document, _, _| mixed(document) % 10 == 3),
    ("a hundredth", |document, _, _| mixed(document) % 100 == 3),
    ("a tenth, far away", |document, near, clusters| match clusters {
        0 => mixed(document) % 10 == 7,
        _ => (document as usize % clusters + clusters - near) % clusters % 10 == 5,
    }),
];

fn mixed(document: u32) -> u64 {
    (u64::from(document) * 2_654_435_761) >> 9
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

struct Query {
    embedding: Embedding,
    /// By filter: which documents it lets pass, and the best similarities there are.
    wanted: Vec<Vec<u64>>,
    best: Vec<Vec<f32>>,
}

struct Set {
    name: String,
    rows: usize,
    queries: Vec<Query>,
    flat: FlatIndex,
    insert: f64,
}

/// The vectors of a set, one after another.
struct Source {
    clusters: Clusters,
    real: Vec<f32>,
    next: usize,
}

impl Source {
    fn vector(&mut self, cluster: usize) -> Embedding {
        let values = if self.real.is_empty() {
            self.clusters.near(cluster)
        } else {
            self.next += DIMENSIONS;
            self.real[self.next - DIMENSIONS..self.next].to_vec()
        };
        Embedding::quantise("bench", &values).expect("finite values")
    }
}

fn half(bits: u16) -> f32 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023) / 1024.0);
    let magnitude =
        if exponent == 0 { fraction * 2f32.powi(-14) } else { (1.0 + fraction) * 2f32.powi(exponent - 15) };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

impl Set {
    /// Fills the index, and finds the nearest of all by looking at every row.
    fn new(rows: usize, real: Vec<f32>) -> Self {
        let clusters = if real.is_empty() { rows / CLUSTER } else { 0 };
        let next = real.len().saturating_sub(QUERIES * DIMENSIONS);
        let rows = if real.is_empty() { rows } else { rows.min(next / DIMENSIONS) };
        let name = format!("{rows} rows, {}", if real.is_empty() { "clusters" } else { "real" });
        let near = Clusters::new(88_172_645_463_325_252, DIMENSIONS, clusters, NOISE);
        let mut source = Source { clusters: near, real, next };
        let mut queries: Vec<Query> = (0..QUERIES)
            .map(|number| {
                let cluster = number * 7919 % clusters.max(1);
                let passes = FILTERS.map(|(_, passes)| {
                    let word = |word: u32| {
                        (0..64).fold(0, |bits, bit| {
                            bits | u64::from(passes(word * 64 + bit, cluster, clusters)) << bit
                        })
                    };
                    (0..rows.div_ceil(64) as u32).map(word).collect()
                });
                let embedding = source.vector(cluster);
                Query { embedding, wanted: passes.into(), best: vec![Vec::new(); FILTERS.len()] }
            })
            .collect();
        source.next = 0;
        let (mut flat, mut inserts) = (FlatIndex::new(DIMENSIONS), Vec::with_capacity(rows));
        for document in 0..rows as u32 {
            let row = source.vector(document as usize % clusters.max(1));
            for query in &mut queries {
                let dot = |left: &[i16], right: &[i16]| -> i32 {
                    left.iter().zip(right).map(|(l, r)| i32::from(*l) * i32::from(*r)).sum()
                };
                let chunks = row.codes.chunks(128).zip(query.embedding.codes.chunks(128));
                let product = chunks.map(|(left, right)| i64::from(dot(left, right))).sum::<i64>();
                let similarity =
                    (product as f64 * f64::from(row.scale) * f64::from(query.embedding.scale)) as f32;
                for (best, wanted) in query.best.iter_mut().zip(&query.wanted) {
                    let is_better = best.len() < LIMIT || similarity > best[LIMIT - 1];
                    if is_better && is_in(wanted, document) {
                        best.insert(best.partition_point(|other| *other >= similarity), similarity);
                        best.truncate(LIMIT);
                    }
                }
            }
            let start = Instant::now();
            flat.insert(document, row.scale, &row.codes).expect("a row that fits");
            inserts.push(start.elapsed().as_secs_f64() * 1e6);
        }
        Self { name, rows, queries, flat, insert: median(inserts) }
    }

    fn sketch(&self, document: u32) -> Sketch {
        *self.flat.sketch(document).first_chunk().expect("a sketch")
    }

    /// The recall of a search, and the median of its times in milliseconds.
    fn measured(
        &self,
        filter: usize,
        least: f32,
        mut search: impl FnMut(&Query, &[u64]) -> Vec<Hit>,
    ) -> (f64, f64) {
        let (mut found, mut all) = (0, 0);
        let mut times = vec![f64::MAX; self.queries.len()];
        for round in 0..ROUNDS {
            for (query, shortest) in self.queries.iter().zip(&mut times) {
                let start = Instant::now();
                let hits = search(query, &query.wanted[filter]);
                *shortest = shortest.min(start.elapsed().as_secs_f64() * 1e3);
                if round == 0 {
                    let best = query.best[filter].iter().filter(|similarity| **similarity >= least);
                    let worst = query.best[filter].last().map_or(least, |worst| worst.max(least)) - 1e-6;
                    all += best.count();
                    found += hits.iter().take(LIMIT).filter(|hit| hit.similarity >= worst).count();
                }
            }
        }
        (found as f64 / all as f64, median(times))
    }

    fn tell(&self, index: &str, filter: usize, (recall, time): (f64, f64)) {
        // Where nothing is related there is nothing to be found.
        let recall = if recall.is_nan() { "-".to_owned() } else { format!("{recall:.3}") };
        println!("| {} | {index} | {} | {recall} | {time:.3} |", self.name, FILTERS[filter].0);
    }

    /// The exact similarities of candidates, best first.
    fn scored(&self, query: &Query, candidates: impl Iterator<Item = u32>) -> Vec<Hit> {
        let Embedding { scale, codes, .. } = &query.embedding;
        let of =
            |document| Some(Hit { document, similarity: self.flat.similarity(*scale, codes, document)? });
        let mut hits: Vec<Hit> = candidates.filter_map(of).collect();
        hits.sort();
        hits.truncate(LIMIT);
        hits
    }

    fn query_sketch(&self, query: &Query) -> Sketch {
        let mut one = FlatIndex::new(DIMENSIONS);
        one.insert(0, query.embedding.scale, &query.embedding.codes).expect("a row that fits");
        *one.sketch(0).first_chunk().expect("a sketch")
    }
}

fn is_in(wanted: &[u64], document: u32) -> bool {
    wanted.get(document as usize / 64).is_some_and(|bits| bits >> (document % 64) & 1 == 1)
}

fn flat(set: &Set) {
    println!(
        "flat: insert {:.1} us, {} bytes a row of which {} are the vector",
        set.insert,
        set.flat.memory_bytes() / set.rows,
        DIMENSIONS * 2
    );
    for least in [-1.0, 0.25] {
        for filter in 0..FILTERS.len() {
            let measured = set.measured(filter, least, |query, wanted| {
                let Embedding { scale, codes, .. } = &query.embedding;
                let known = |documents: &[u32]| bits_of(documents, |document| is_in(wanted, document));
                let wanted = if filter == 0 { Wanted::ALL } else { Wanted { known: &known, read: None } };
                set.flat.search_among(*scale, codes, LIMIT, least, wanted).expect("a fitting query")
            });
            let name = if least < 0.0 { "flat" } else { "flat, related only" };
            set.tell(name, filter, measured);
        }
    }
}

/// The nearest of some centres.
fn nearest(centres: &[Sketch], sketch: &Sketch) -> usize {
    (0..centres.len()).min_by_key(|centre| differing(sketch, &centres[*centre])).expect("a centre")
}

/// Centres, each of the bits that most of its rows have: k-means, begun with rows.
fn centres(set: &Set, count: usize) -> Vec<Sketch> {
    let mut random = Random(7);
    let mut centres: Vec<Sketch> = (0..count).map(|_| set.sketch(random.below(set.rows) as u32)).collect();
    for _ in 0..STEPS {
        let mut balances = vec![[0i32; DIMENSIONS]; count];
        for document in (0..set.rows as u32).step_by(set.rows.div_ceil(count * SAMPLE)) {
            let sketch = set.sketch(document);
            let balance = &mut balances[nearest(&centres, &sketch)];
            for (bit, balance) in balance.iter_mut().enumerate() {
                *balance += if sketch[bit / 64] >> (bit % 64) & 1 == 1 { 1 } else { -1 };
            }
        }
        for (centre, balance) in centres.iter_mut().zip(&balances) {
            let word = |word: usize| {
                (0..64).fold(0, |bits, bit| bits | u64::from(balance[word * 64 + bit] > 0) << bit)
            };
            *centre = std::array::from_fn(word);
        }
    }
    centres
}

/// Rows in lists by the nearest of some centres.
fn clusters(set: &Set) {
    let start = Instant::now();
    let count = (set.rows as f64).sqrt() as usize * 2;
    let centres = centres(set, count);
    let mut lists: Vec<(Vec<u32>, Vec<Sketch>)> = vec![Default::default(); count];
    let mut inserts = Vec::with_capacity(set.rows);
    for document in 0..set.rows as u32 {
        let start = Instant::now();
        let sketch = set.sketch(document);
        let (documents, sketches) = &mut lists[nearest(&centres, &sketch)];
        documents.push(document);
        sketches.push(sketch);
        inserts.push(start.elapsed().as_secs_f64() * 1e6);
    }
    let build = start.elapsed().as_secs_f64();
    println!(
        "clusters: {count} centres, built in {build:.1} s, insert {:.1} us more, {} bytes a row more",
        median(inserts),
        WORDS * 8 + 4
    );
    let search = |query: &Query, wanted: &[u64], probes: usize, filter: usize| {
        let sketch = set.query_sketch(query);
        let mut order: Vec<(u32, usize)> =
            (0..).zip(&centres).map(|(at, centre)| (differing(&sketch, centre), at)).collect();
        order.select_nth_unstable(probes - 1);
        let mut near: Vec<(u32, u32)> = Vec::new();
        for (_, list) in &order[..probes] {
            let (documents, sketches) = &lists[*list];
            let rows = documents.iter().zip(sketches);
            let rows = rows.filter(|(document, _)| filter == 0 || is_in(wanted, **document));
            near.extend(rows.map(|(document, row)| (differing(&sketch, row), *document)));
        }
        if near.len() > SCORED {
            near.select_nth_unstable(SCORED);
            near.truncate(SCORED);
        }
        set.scored(query, near.into_iter().map(|(_, document)| document))
    };
    for filter in 0..FILTERS.len() {
        let mut probes = 1;
        loop {
            probes = probes.min(count);
            let measured = set.measured(filter, -1.0, |query, wanted| search(query, wanted, probes, filter));
            if measured.0 >= 0.99 || probes == count {
                set.tell(&format!("clusters, {probes} of {count} looked through"), filter, measured);
                break;
            }
            probes *= 2;
        }
    }
}

#[derive(Clone)]
struct Code(Sketch);

impl Point for Code {
    fn distance(&self, other: &Self) -> f32 {
        differing(&self.0, &other.0) as f32
    }
}

/// The graph, looking for so many by their sketches, which are then scored.
fn graph(set: &Set, sought: usize) {
    let codes: Vec<Code> = (0..set.rows as u32).map(|document| Code(set.sketch(document))).collect();
    let start = Instant::now();
    let (graph, ids): (Hnsw<Code>, Vec<PointId>) =
        Builder::default().seed(1).ef_search(sought).build_hnsw(codes);
    let build = start.elapsed().as_secs_f64();
    println!("graph: built in {build:.1} s, no insert; about {} bytes a row more", WORDS * 8 + 64 * 4 + 4);
    let mut documents = vec![0; set.rows];
    (0..).zip(ids).for_each(|(document, id)| documents[id.into_inner() as usize] = document);
    let mut search = Search::default();
    for filter in 0..FILTERS.len() {
        let measured = set.measured(filter, -1.0, |query, wanted| {
            let sketch = Code(set.query_sketch(query));
            let near =
                graph.search(&sketch, &mut search).map(|item| documents[item.pid.into_inner() as usize]);
            let near: Vec<u32> = near.filter(|document| filter == 0 || is_in(wanted, *document)).collect();
            set.scored(query, near.into_iter())
        });
        set.tell(&format!("graph, {sought} looked for"), filter, measured);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut sizes: Vec<usize> = arguments.iter().filter_map(|argument| argument.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![10_000, 100_000];
    }
    let file = std::env::var("VECTORS").ok().map(|file| std::fs::read(file).expect("a file of vectors"));
    let halves = file.iter().flat_map(|bytes| bytes.as_chunks().0);
    let real: Vec<f32> = halves.map(|bytes| half(u16::from_le_bytes(*bytes))).collect();
    println!("| set | index | wanted | recall@10 | query, ms |\n|---|---|---|---|---|");
    for rows in sizes {
        let set = Set::new(rows, real.clone());
        flat(&set);
        if arguments.iter().any(|argument| argument == "flat") {
            continue;
        }
        clusters(&set);
        if arguments.iter().any(|argument| argument == "graph") {
            SOUGHT.into_iter().for_each(|sought| graph(&set, sought));
        }
    }
}
