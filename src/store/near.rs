//! What one record is like: its vector, how near it is to another, its rarest words.

use super::state::Store;
use crate::embedding::Embedding;
use crate::id::Id;
use crate::scope::Scope;
use crate::sort::sorted;

impl Store {
    /// The vector of a living record's text; `None` when it has none yet.
    #[must_use]
    pub fn embedding(&self, scope: &Scope, id: Id) -> Option<Embedding> {
        let kind = self.get(scope, id)?.kind;
        let vectors = self.collection(scope, kind)?.vectors.as_ref()?;
        let (scale, codes) = vectors.codes(self.documents.get(id.bytes())?)?;
        Some(Embedding { embedder: self.embedder.clone(), scale, codes: codes.into_owned().into() })
    }

    /// The cosine between a vector and that of a living record; `None` when it has none, or one of another dimension.
    #[must_use]
    pub fn similarity(&self, scope: &Scope, id: Id, embedding: &Embedding) -> Option<f32> {
        let kind = self.get(scope, id)?.kind;
        let vectors = self.collection(scope, kind)?.vectors.as_ref()?;
        vectors.similarity(embedding.scale, &embedding.codes, self.documents.get(id.bytes())?)
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
