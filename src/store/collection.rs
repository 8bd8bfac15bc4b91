//! The living records of one scope and kind, and their indexes. One per scope, so that isolation is structural.

use super::graph::Ends;
use super::keys::Keys;
use super::parts::Parts;
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
    /// Whose they are, where texts are in parts.
    pub(super) parts: Parts,
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
        self.forget_parts(document);
        if let Some(vectors) = &mut self.vectors {
            vectors.remove(document);
        }
        self.unembedded.remove(&document);
    }

    /// Lets go of all vectors of a document but the first.
    fn forget_parts(&mut self, document: u32) {
        if self.parts.is_empty() {
            return;
        }
        for number in self.parts.take(document) {
            self.vectors.as_mut().map(|vectors| vectors.remove(number));
        }
    }

    /// Takes a vector in, in place of those there are or, of a further part of the text, beside them; an index without vectors takes
    /// any dimension.
    ///
    /// # Errors
    /// Those of [`FlatIndex::insert`], as for a vector of another dimension than those there are.
    pub(super) fn embed(&mut self, document: u32, scale: f32, codes: &[i16], is_further: bool) -> Result<()> {
        let number = self.number(document, is_further);
        self.vectors_of(codes.len()).insert(number, scale, codes)?;
        self.unembedded.remove(&document);
        Ok(())
    }

    /// The number for the first vector of a document, whose others go, or for one more.
    fn number(&mut self, document: u32, is_further: bool) -> u32 {
        if is_further {
            return self.parts.add(document);
        }
        self.forget_parts(document);
        document
    }

    /// Takes in the vectors of documents, given as pairs with their rows among stored ones of one dimension. Those of one document
    /// follow one another.
    ///
    /// # Errors
    /// Those of [`FlatIndex::insert_rows`], as for vectors of another dimension than those there are.
    pub(super) fn embed_rows(
        &mut self,
        documents: &[(u32, u32)],
        dimensions: usize,
        stored: &StoredRows<'_>,
    ) -> Result<()> {
        let mut last = None;
        let mut numbers = Vec::with_capacity(documents.len());
        for (document, row) in documents {
            numbers.push((self.number(*document, last == Some(document)), *row));
            last = Some(document);
        }
        self.vectors_of(dimensions).insert_rows(&numbers, dimensions, stored)?;
        if !self.unembedded.is_empty() {
            for (document, _) in documents {
                self.unembedded.remove(document);
            }
        }
        Ok(())
    }

    /// How near the nearest vector of a document is to another; `None` when it has none, or of another dimension.
    pub(super) fn similarity(&self, document: u32, scale: f32, codes: &[i16]) -> Option<f32> {
        let vectors = self.vectors.as_ref()?;
        let cosines = self.parts.of(document).filter_map(|number| vectors.similarity(scale, codes, number));
        cosines.reduce(f32::max)
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
