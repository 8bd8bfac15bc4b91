//! Finding what has to do with some words, so that somebody can say what of it is to be forgotten.

use super::Forgetting;
use super::receipt::ForgottenRecord;
use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
use crate::lowercase::lowercase;
use crate::memory::items::ITEM_KINDS;
use crate::memory::message::StoredMessage;
use crate::record::Kind;
use crate::scope::Scope;
use crate::sort::sorted;
use crate::store::Query;
use rustc_hash::FxHashMap;

/// Records of these kinds have to do with words beside the items.
const BESIDE: [Kind; 3] = [Kind::Message, Kind::Page, Kind::Proposal];

impl Forgetting {
    /// What holds a query word for word, then what is found by its words and meaning, best first; `limit` at most.
    pub(super) async fn find(
        &self,
        scope: &Scope,
        query: &str,
        limit: usize,
    ) -> Result<Vec<ForgottenRecord>> {
        let embedding = self.searcher.embed(query).await;
        let (words, now) = (lowercase(query), self.database.now());
        self.database.read(|store| {
            let mut scores: FxHashMap<Id, f32> = FxHashMap::default();
            let mut found: Vec<RecordView<'_>> = Vec::new();
            for kind in BESIDE.into_iter().chain(ITEM_KINDS) {
                let asked = Query { text: query, embedding: embedding.as_ref(), limit, now };
                let mut near = store.search(scope, kind, &asked, &|_| true)?;
                near.retain(|near| self.searcher.models.is_relevant(near));
                scores.extend(near.iter().map(|near| (near.record.id, near.score.score)));
                for view in store.records(scope, kind) {
                    // A message is mostly its text, and whole also what is withheld; what others say is put together from
                    // their parts.
                    let is_text = kind == Kind::Message && !StoredMessage::has_withheld(&view);
                    let holds = match view.text.filter(|_| is_text) {
                        Some(text) => lowercase(text).contains(&words),
                        None => lowercase(&ForgottenRecord::of(&view, scope)?.text).contains(&words),
                    };
                    if holds {
                        scores.insert(view.id, f32::INFINITY);
                    }
                    if holds || scores.contains_key(&view.id) {
                        found.push(view);
                    }
                }
            }
            let score = |view: &RecordView<'_>| scores.get(&view.id).copied().unwrap_or_default();
            let best = sorted(&found, |a, b| score(b).total_cmp(&score(a)));
            best.into_iter().take(limit).map(|view| ForgottenRecord::of(view, scope)).collect()
        })
    }
}
