//! The living records of one scope and kind, and their indexes. One per scope, so that isolation is structural.

use crate::index::lexical::LexicalIndex;
use crate::index::vector::FlatIndex;
use crate::ordered::Ordered;

/// Members, names and indexes.
#[derive(Default)]
pub(super) struct Collection {
    /// Every document that ever was here, ascending. Document numbers are in the order of first storing.
    pub(super) ever: Vec<u32>,
    /// The living ones.
    pub(super) members: Ordered<u32, ()>,
    pub(super) keys: Ordered<Box<str>, u32>,
    /// Who had a key that nobody has now.
    pub(super) ended_keys: Ordered<Box<str>, u32>,
    pub(super) words: LexicalIndex,
    /// Made when the first vector arrives, with its dimensions.
    pub(super) vectors: Option<FlatIndex>,
    /// Members with a text and no vector.
    pub(super) unembedded: Ordered<u32, ()>,
}

impl Collection {
    pub(super) fn add(&mut self, document: u32, key: Option<&str>) {
        self.members.insert(document, ());
        if let Some(key) = key {
            self.keys.insert(key.into(), document);
            self.ended_keys.remove(key);
        }
    }

    pub(super) fn remove(&mut self, document: u32, key: Option<&str>) {
        self.members.remove(&document);
        self.forget_key(document, key);
        self.forget_text(document);
    }

    pub(super) fn forget_key(&mut self, document: u32, key: Option<&str>) {
        if let Some(key) = key
            && self.keys.get(key) == Some(&document)
        {
            self.keys.remove(key);
            self.ended_keys.insert(key.into(), document);
        }
    }

    pub(super) fn forget_text(&mut self, document: u32) {
        self.words.remove(document);
        if let Some(vectors) = &mut self.vectors {
            vectors.remove(document);
        }
        self.unembedded.remove(&document);
    }

    /// Takes a vector in; `false` when it is none or of another dimension than those there are.
    pub(super) fn embed(&mut self, document: u32, scale: f32, codes: &[i16]) -> bool {
        let taken = self.vectors_of(codes.len()).insert(document, scale, codes).is_ok();
        if taken {
            self.unembedded.remove(&document);
        }
        taken
    }

    /// The vectors, to add some of a dimension: an index without vectors takes any.
    pub(super) fn vectors_of(&mut self, dimensions: usize) -> &mut FlatIndex {
        self.vectors.take_if(|vectors| vectors.is_empty());
        self.vectors.get_or_insert_with(|| FlatIndex::new(dimensions))
    }

    /// The dimension of the vectors, if there are any.
    pub(super) fn dimensions(&self) -> Option<usize> {
        self.vectors.as_ref().filter(|vectors| !vectors.is_empty()).map(FlatIndex::dimensions)
    }
}
