//! The living records of one scope and kind, and their indexes. One per scope, so that isolation is structural.

use super::graph::Ends;
use super::keys::Keys;
use super::state::Stored;
use crate::error::Result;
use crate::growth::push;
use crate::index::lexical::LexicalIndex;
use crate::index::substring::SubstringIndex;
use crate::index::vector::{FlatIndex, StoredRows};
use crate::log::RecordView;
use crate::ordered::Ordered;
use crate::record::Kind;

/// Members, names and indexes.
#[derive(Default)]
pub(super) struct Collection {
    /// Every document that ever was here, ascending. Document numbers are in the order of first storing.
    pub(super) ever: Vec<u32>,
    /// The living ones.
    pub(super) members: Ordered<u32, ()>,
    /// Those of them that are pinned.
    pub(super) pinned: Ordered<u32, ()>,
    pub(super) keys: Keys,
    /// Who had a key that nobody has now.
    pub(super) ended_keys: Ordered<String, u32>,
    pub(super) words: LexicalIndex,
    /// Made when the first vector arrives, with its dimensions.
    pub(super) vectors: Option<FlatIndex>,
    /// Members with a text and no vector.
    pub(super) unembedded: Ordered<u32, ()>,
    /// What the relations connect; empty for other kinds.
    pub(super) ends: Ends,
    /// The texts of entities, for searches by a run of characters; empty for other kinds.
    pub(super) substrings: SubstringIndex,
}

impl Collection {
    /// Takes in a document that is stored for the first time.
    pub(super) fn begin(&mut self, document: u32) {
        push(&mut self.ever, document);
    }

    /// Takes in what is stored of a document now.
    pub(super) fn add(&mut self, document: u32, record: &RecordView<'_>, stored: Stored<'_>) {
        let RecordView { kind, key, pinned, .. } = *record;
        self.members.insert(document, ());
        if pinned {
            self.pinned.insert(document, ());
        } else {
            self.pinned.remove(&document);
        }
        if let Some(key) = key {
            self.keys.insert(document, key, stored);
            self.ended_keys.remove(key);
            if kind == Kind::Relation {
                self.ends.add(document, key);
            }
        }
    }

    /// Takes out a document that is still stored as it was.
    pub(super) fn remove(&mut self, document: u32, key: Option<&str>, stored: Stored<'_>) {
        self.members.remove(&document);
        self.pinned.remove(&document);
        self.forget_key(document, key, stored);
        self.forget_vector(document);
        self.forget_words(document);
    }

    /// Takes the key from a document that is still stored with it.
    pub(super) fn forget_key(&mut self, document: u32, key: Option<&str>, stored: Stored<'_>) {
        let Some(key) = key else { return };
        self.ends.remove(document, key);
        if self.keys.remove(document, key, stored) {
            self.ended_keys.insert(key.to_owned(), document);
        }
    }

    /// Whether a document with a text would be missing from a search.
    pub(super) fn lacks_text(&self, kind: Kind, document: u32) -> bool {
        !self.words.contains(document) || (kind == Kind::Entity && !self.substrings.contains(document))
    }

    pub(super) fn index_text(&mut self, kind: Kind, document: u32, text: &str) {
        if !self.words.contains(document) {
            self.words.insert(document, text);
        }
        if kind == Kind::Entity {
            self.substrings.insert(document, text);
        }
    }

    pub(super) fn forget_words(&mut self, document: u32) {
        self.words.remove(document);
        self.substrings.remove(document);
    }

    pub(super) fn forget_vector(&mut self, document: u32) {
        if let Some(vectors) = &mut self.vectors {
            vectors.remove(document);
        }
        self.unembedded.remove(&document);
    }

    /// Takes a vector in; an index without vectors takes any dimension.
    ///
    /// # Errors
    /// Those of [`FlatIndex::insert`], as for a vector of another dimension than those there are.
    pub(super) fn embed(&mut self, document: u32, scale: f32, codes: &[i16]) -> Result<()> {
        self.vectors_of(codes.len()).insert(document, scale, codes)?;
        self.unembedded.remove(&document);
        Ok(())
    }

    /// Takes in the vectors of documents, given as pairs with their rows among stored ones of one dimension.
    ///
    /// # Errors
    /// Those of [`FlatIndex::insert_rows`], as for vectors of another dimension than those there are.
    pub(super) fn embed_rows(
        &mut self,
        documents: &[(u32, u32)],
        dimensions: usize,
        stored: &StoredRows<'_>,
    ) -> Result<()> {
        self.vectors_of(dimensions).insert_rows(documents, dimensions, stored)?;
        if !self.unembedded.is_empty() {
            for (document, _) in documents {
                self.unembedded.remove(document);
            }
        }
        Ok(())
    }

    /// The index of the vectors; one without any is made anew for these dimensions.
    fn vectors_of(&mut self, dimensions: usize) -> &mut FlatIndex {
        self.vectors.take_if(|vectors| vectors.is_empty());
        self.vectors.get_or_insert_with(|| FlatIndex::new(dimensions))
    }

    /// The dimension of the vectors, if there are any.
    pub(super) fn dimensions(&self) -> Option<usize> {
        self.vectors.as_ref().filter(|vectors| !vectors.is_empty()).map(FlatIndex::dimensions)
    }
}
