//! Hits, and keeping the best few of many.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A document and how similar its vector is to the query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The document's number.
    pub document: u32,
    /// The cosine, from -1 (opposite) to 1 (same direction); within about 1e-4 of the exact one, so that it may pass
    /// 1 by as much.
    pub similarity: f32,
}

/// Best first: the more similar, then the lower document number.
impl Ord for Hit {
    fn cmp(&self, other: &Self) -> Ordering {
        other.similarity.total_cmp(&self.similarity).then(self.document.cmp(&other.document))
    }
}

impl PartialOrd for Hit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Eq for Hit {}

/// Which documents may be hits.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// What is known without reading a document: of up to 64 of them the bits of those that are wanted, as [`bits_of`] makes them.
    /// Where few are, all are asked about before their sketches are compared; otherwise those whose sketches are near.
    pub known: &'a dyn Fn(&[u32]) -> u64,
    /// What takes longer to tell: it is asked only about documents that would be hits.
    pub read: Option<&'a dyn Fn(u32) -> bool>,
}

impl Wanted<'_> {
    /// Every document.
    pub const ALL: Wanted<'static> = Wanted { known: &|_| u64::MAX, read: None };
}

/// The bits of those of up to 64 documents that are wanted, the first in the lowest.
pub fn bits_of(documents: &[u32], is_wanted: impl Fn(u32) -> bool) -> u64 {
    (0..u64::BITS).zip(documents).fold(0, |bits, (at, document)| bits | u64::from(is_wanted(*document)) << at)
}

impl std::fmt::Debug for Wanted<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wanted")
    }
}

/// The best hits so far of those that are wanted.
pub(super) struct Best<'a> {
    limit: usize,
    /// The worst on top.
    hits: BinaryHeap<Hit>,
    wanted: Wanted<'a>,
}

impl<'a> Best<'a> {
    pub(super) fn new(limit: usize, wanted: Wanted<'a>) -> Self {
        Self { limit, hits: BinaryHeap::new(), wanted }
    }

    /// Which documents may be hits.
    pub(super) fn wanted(&self) -> Wanted<'a> {
        self.wanted
    }

    /// Takes hits in if they are among the best. Only then it matters whether they are wanted: where that takes reading, the best are
    /// asked about first, so that as few as can be are read.
    pub(super) fn offer_all(&mut self, hits: impl Iterator<Item = Hit>) {
        if self.wanted.read.is_none() {
            return hits.for_each(|hit| self.offer(hit));
        }
        let worst = self.worst();
        let better = hits.filter(|hit| worst.is_none_or(|worst| *hit < worst));
        for hit in better.collect::<BinaryHeap<Hit>>().into_sorted_vec() {
            self.offer(hit);
        }
    }

    fn offer(&mut self, hit: Hit) {
        if self.worst().is_some_and(|worst| hit >= worst) || self.limit == 0 || !self.wants(hit.document) {
            return;
        }
        if self.hits.len() >= self.limit {
            self.hits.pop();
        }
        self.hits.push(hit);
    }

    fn wants(&self, document: u32) -> bool {
        (self.wanted.known)(&[document]) & 1 == 1 && self.wanted.read.is_none_or(|read| read(document))
    }

    /// The one that has to go for a newcomer; none while there is room.
    fn worst(&self) -> Option<Hit> {
        if self.hits.len() < self.limit { None } else { self.hits.peek().copied() }
    }

    /// The similarity a newcomer has to reach, at least one that any hit must have.
    pub(super) fn least(&self, least: f32) -> f32 {
        self.worst().map_or(least, |worst| worst.similarity.max(least))
    }

    /// Best first.
    pub(super) fn into_hits(self) -> Vec<Hit> {
        self.hits.into_sorted_vec()
    }
}
