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

/// The best hits so far.
pub(super) struct Best {
    limit: usize,
    /// The worst on top.
    hits: BinaryHeap<Hit>,
}

impl Best {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, hits: BinaryHeap::new() }
    }

    pub(super) fn offer(&mut self, hit: Hit) {
        if self.hits.len() < self.limit {
            self.hits.push(hit);
        } else if let Some(mut worst) = self.hits.peek_mut()
            && hit < *worst
        {
            *worst = hit;
        }
    }

    /// The similarity a newcomer has to reach; none while there is room.
    pub(super) fn bar(&self) -> Option<f32> {
        if self.hits.len() < self.limit { None } else { self.hits.peek().map(|worst| worst.similarity) }
    }

    /// Best first.
    pub(super) fn into_hits(self) -> Vec<Hit> {
        self.hits.into_sorted_vec()
    }
}
