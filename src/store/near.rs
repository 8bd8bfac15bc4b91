//! What one record is like: its vector, how near it is to another, its rarest words.

use super::state::Store;
use crate::embedding::Embedding;
use crate::id::Id;
use crate::scope::Scope;
use crate::sort::sorted;
use std::borrow::Cow;

impl Store {
    /// The vector of a living record's text; `None` when it has none yet.
    #[must_use]
    pub fn embedding(&self, scope: &Scope, id: Id) -> Option<Embedding> {
        self.embeddings(scope, id).into_iter().next()
    }

    /// The vectors of the parts of a living record's text, in their order; none when it has none yet.
    #[must_use]
    pub fn embeddings(&self, scope: &Scope, id: Id) -> Vec<Embedding> {
        let collection = self.get(scope, id).and_then(|view| self.collection(scope, view.kind));
        let Some((collection, document)) = collection.zip(self.documents.get(id.bytes())) else {
            return Vec::new();
        };
        let Some(vectors) = &collection.vectors else { return Vec::new() };
        let codes = collection.parts.of(document).filter_map(|number| vectors.codes(number));
        let embedding = |(scale, codes): (f32, Cow<'_, [i16]>)| Embedding {
            embedder: self.embedder.clone(),
            scale,
            codes: codes.into_owned().into(),
        };
        codes.map(embedding).collect()
    }

    /// The cosine between a vector and that of a living record; `None` when it has none, or one of another dimension.
    #[must_use]
    pub fn similarity(&self, scope: &Scope, id: Id, embedding: &Embedding) -> Option<f32> {
        let kind = self.get(scope, id)?.kind;
        let document = self.documents.get(id.bytes())?;
        self.collection(scope, kind)?.similarity(document, embedding.scale, &embedding.codes)
    }

    /// The words of a living record's text, as they are indexed, that are the rarest among those of its kind and stand in it
    /// most often; the rarest first.
    #[must_use]
    pub fn rarest_words(&self, scope: &Scope, id: Id) -> Vec<String> {
        let Some(view) = self.get(scope, id) else { return Vec::new() };
        let (collection, document) = (self.collection(scope, view.kind), self.documents.get(id.bytes()));
        let (Some(collection), Some(document), Some(text)) = (collection, document, view.text) else {
            return Vec::new();
        };
        let words = collection.words.explain(&collection.words.read(text), document);
        let words = sorted(&words, |a, b| b.score.total_cmp(&a.score));
        words.into_iter().map(|word| word.term.clone()).collect()
    }
}
