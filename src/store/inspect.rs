//! How large the parts of the state are, for those who look inside.

use super::slot::{Slot, Version};
use super::state::Store;
use crate::ordered::Ordered;
use crate::record::Kind;
use serde::Serialize;

/// The indexes of all scopes and kinds together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Indexes {
    /// For searches by words.
    pub words: Words,
    /// For searches by meaning.
    pub vectors: Vectors,
    /// The graph.
    pub graph: GraphSize,
}

/// The indexes of words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Words {
    /// Indexed texts.
    pub texts: usize,
    /// Different terms; one that occurs in several scopes or kinds counts for each.
    pub terms: usize,
    /// Pairs of a text and a term in it.
    pub postings: usize,
    /// Bytes of memory, at most.
    pub bytes: usize,
}

/// The indexes of vectors.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Vectors {
    /// The embedder they are of.
    pub embedder: String,
    /// How many there are.
    pub count: usize,
    /// How many values each has; none when there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dimensions: Option<usize>,
    /// Texts that still need one.
    pub waiting: usize,
    /// Bytes of memory, without codes that are paged.
    pub bytes: usize,
}

/// The size of the graph.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct GraphSize {
    /// Its nodes.
    pub entities: usize,
    /// Its edges.
    pub relations: usize,
    /// Bytes of memory of the index of their ends and of the runs of characters in names.
    pub bytes: usize,
}

/// What a run of commits holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Held {
    /// Revisions that can still be read, deletions included.
    pub revisions: usize,
    /// Those that are the present state of a record.
    pub live: usize,
}

impl Store {
    /// How large the indexes are. They are counted, which takes a while in a large memory.
    #[must_use]
    pub fn indexes(&self) -> Indexes {
        let vectors = Vectors { embedder: self.embedder.clone(), ..Vectors::default() };
        let mut all = Indexes { words: Words::default(), vectors, graph: GraphSize::default() };
        for ((_, kind), collection) in &self.collections {
            all.words.texts += collection.words.len();
            all.words.terms += collection.words.terms();
            all.words.postings += collection.words.postings();
            all.words.bytes += collection.words.memory_bytes();
            if let Some(vectors) = &collection.vectors {
                all.vectors.count += vectors.len();
                all.vectors.bytes += vectors.memory_bytes();
            }
            all.vectors.dimensions = all.vectors.dimensions.max(collection.dimensions());
            all.vectors.waiting += collection.unembedded.len();
            match kind {
                Kind::Entity => all.graph.entities += collection.members.len(),
                Kind::Relation => all.graph.relations += collection.members.len(),
                _ => {}
            }
            all.graph.bytes += collection.ends.memory_bytes() + collection.substrings.memory_bytes();
        }
        all
    }

    /// How many living records there are of each kind that has some.
    #[must_use]
    pub fn records_by_kind(&self) -> Ordered<Kind, usize> {
        let mut all = Ordered::new();
        for ((_, kind), collection) in &self.collections {
            if !collection.members.is_empty() {
                all.update(*kind, |count: &mut usize| *count += collection.members.len());
            }
        }
        all
    }

    /// What runs of commits hold, whose last commits are given, ascending; commits after the last of them are left out.
    #[must_use]
    pub fn held(&self, lasts: &[u64]) -> Vec<Held> {
        let mut all = vec![Held::default(); lasts.len()];
        for slot in self.slots.iter().flatten() {
            let mut count = |version: &Version, live: bool| {
                let run = lasts.partition_point(|last| *last < version.sequence());
                if let Some(held) = all.get_mut(run) {
                    held.revisions += 1;
                    held.live += usize::from(live);
                }
            };
            let versions = slot.versions();
            for (place, version) in versions.iter().enumerate() {
                count(version, Slot::lives(slot) && place + 1 == versions.len());
            }
        }
        all
    }
}
