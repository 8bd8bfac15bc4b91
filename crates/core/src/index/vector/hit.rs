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

/// The best hits so far of those that are wanted.
pub(super) struct Best<'a> {
    limit: usize,
    /// The worst on top.
    hits: BinaryHeap<Hit>,
    wanted: &'a dyn Fn(u32) -> bool,
}

impl<'a> Best<'a> {
    pub(super) fn new(limit: usize, wanted: &'a dyn Fn(u32) -> bool) -> Self {
        Self { limit, hits: BinaryHeap::new(), wanted }
    }

    /// Takes a hit in if it is among the best; only then it matters whether it is wanted.
    pub(super) fn offer(&mut self, hit: Hit) {
        let is_full = self.hits.len() >= self.limit;
        if is_full && self.hits.peek().is_none_or(|worst| hit >= *worst) || !(self.wanted)(hit.document) {
            return;
        }
        self.hits.push(hit);
        if is_full {
            self.hits.pop();
        }
    }

    /// The similarity a newcomer has to reach; none while there is room.
    fn bar(&self) -> Option<f32> {
        if self.hits.len() < self.limit { None } else { self.hits.peek().map(|worst| worst.similarity) }
    }

    /// The same; at least a similarity that any hit must have.
    pub(super) fn least(&self, least: f32) -> f32 {
        self.bar().map_or(least, |bar| bar.max(least))
    }

    /// Best first.
    pub(super) fn into_hits(self) -> Vec<Hit> {
        self.hits.into_sorted_vec()
    }
}
