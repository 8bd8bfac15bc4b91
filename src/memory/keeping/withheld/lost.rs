//! What a plan lets go of: what records said and say no longer.

use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::changes::Planning;
use crate::memory::message::terms_of;
use crate::memory::past::said;
use crate::record::{Kind, Provenance, Record};
use crate::store::Change;
use rustc_hash::FxHashSet;

/// What one record said and says no longer.
pub(super) struct Lost {
    /// The record.
    pub(super) id: Id,
    /// The one of the plan that it went with; itself for those of the plan.
    pub(super) owner: Id,
    /// As it was.
    pub(super) before: Record,
    /// As it is to be; `None` when it ends.
    pub(super) after: Option<Record>,
    /// Where the words came from that led to it.
    pub(super) sources: Vec<Provenance>,
    /// What it said.
    pub(super) said: String,
    /// What it is to say.
    pub(super) says: String,
}

impl Lost {
    /// All that a plan lets go of, relations of entities that end too.
    pub(super) fn all(planning: &mut Planning<'_>) -> Result<Vec<Self>> {
        let (store, scope) = (planning.store, planning.scope().clone());
        let mut lost = Vec::new();
        for change in &mut planning.draft.changes {
            let (id, after) = match change {
                Change::Put { record, .. } => (record.id, Some(&mut **record)),
                Change::Delete { id, .. } => (*id, None),
                Change::Embed(_) | Change::Touch { .. } => continue,
            };
            if let Some(view) = store.get(&scope, id) {
                lost.extend(Self::of(&view, view.to_record(&scope)?, after, id)?);
            }
        }
        for (id, _) in store.gone_with(&planning.draft) {
            if let Some(view) = store.get(&scope, id) {
                lost.extend(Self::of(&view, view.to_record(&scope)?, None, id)?);
            }
        }
        Ok(lost)
    }

    /// What one record said and says no longer; `None` when it was learned from no words, or still says all.
    pub(super) fn of(
        view: &RecordView<'_>,
        before: Record,
        mut after: Option<&mut Record>,
        owner: Id,
    ) -> Result<Option<Self>> {
        let is_learned = matches!(
            view.kind,
            Kind::Fact | Kind::Field | Kind::Entity | Kind::Relation | Kind::Episode | Kind::Trait
        );
        if !is_learned || before.provenance.is_empty() {
            return Ok(None);
        }
        let words = |record: &Record| match record.kind {
            Kind::Entity => Ok(record.text.clone().unwrap_or_default()),
            _ => said(record).map(|(text, ..)| text),
        };
        let mut was = words(&before)?;
        let says = after.as_deref().map_or(Ok(String::new()), words)?;
        let mut sources = before.provenance.clone();
        if let Some(after) = &mut after {
            if was == says {
                return Ok(None);
            }
            if view.kind == Kind::Entity {
                // What an entity was learned from says many things of it: only what led to the lines that go is meant.
                let stays: FxHashSet<&str> = says.lines().collect();
                let gone: Vec<&str> = was.lines().filter(|line| !stays.contains(line)).collect();
                let gone = gone.join("\n");
                let (lost, kept) = (terms_of(&gone), terms_of(&says));
                sources
                    .retain(|source| source.quote.is_empty() || !terms_of(&source.quote).is_disjoint(&lost));
                after.provenance.retain(|source| {
                    !sources.contains(source) || !terms_of(&source.quote).is_disjoint(&kept)
                });
                was = gone;
            } else {
                sources.retain(|source| !after.provenance.contains(source));
            }
        }
        let after = after.map(|record| record.clone());
        let lost = Self { id: view.id, owner, before, after, sources, said: was, says };
        Ok(Some(lost).filter(|lost| !lost.sources.is_empty()))
    }

    /// Whether its sources are messages alone, and not words in them.
    pub(super) fn is_loose(&self) -> bool {
        matches!(self.before.kind, Kind::Episode | Kind::Trait)
    }

    /// What tells by itself what it said: words of the quote that it said too, and says no longer.
    pub(super) fn terms(&self, quote: &str) -> FxHashSet<String> {
        let (said, quoted) = (terms_of(&self.said), terms_of(quote));
        let mut terms: FxHashSet<String> = quoted.intersection(&said).cloned().collect();
        if terms.is_empty() {
            terms = if quoted.is_empty() { said } else { quoted };
        }
        let says = terms_of(&self.says);
        if terms.iter().any(|term| !says.contains(term)) {
            terms.retain(|term| !says.contains(term));
        }
        terms
    }
}
