//! Leaving: what ends with a page, so that its words are told nowhere any more; and the way back.

use super::page::{Page, PageValue, SHORT, mid_prefix, pages, segment_of};
use super::segment::{Topic, topic_of};
use super::words::{indexed_words, linked, title};
use crate::error::Result;
use crate::id::Id;
use crate::json::to_value;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::store::{Change, Draft, Expect, Store};
use crate::time::Timestamp;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

/// Completes a draft: with messages that it ends or words anew go the pages made of them, and with pages their part of
/// segments and of the chains of later pages.
pub(crate) fn forget_pages(store: &Store, draft: &mut Draft, now: Timestamp) -> Result<()> {
    let scope = draft.scope.clone();
    let messages = gone(store, draft, Kind::Message);
    let mut left = gone(store, draft, Kind::Page);
    if !messages.is_empty() {
        for view in store.records(&scope, Kind::Page).filter(|view| view.raw_value().contains("\"messages\""))
        {
            let value: PageValue = view.content()?;
            let is_of = value.messages.is_some_and(|ids| ids.iter().any(|id| messages.contains(id)));
            if is_of && left.insert(view.id) {
                draft.delete(view.id, Expect::Revision(view.revision));
            }
        }
    }
    if left.is_empty() {
        return Ok(());
    }
    let told = Told::by(store, &scope, &left);
    let known: FxHashSet<Id> = draft.ids().collect();
    let keys = left.iter().filter_map(|id| segment_of(store.get(&scope, *id)?.key?));
    let segments: FxHashSet<Id> = keys.filter(|segment| !known.contains(segment)).collect();
    if !segments.is_empty() {
        for mut topic in
            Topic::all(store, &scope)?.into_iter().filter(|topic| segments.contains(&topic.shown.id))
        {
            let all = pages(store, &scope, &mid_prefix(topic.shown.id));
            let fresh = all.len().saturating_sub(topic.fresh as usize);
            let (mut rest, mut is_fresh) = (Vec::new(), 0);
            for (place, view) in all.iter().enumerate().filter(|(_, view)| !left.contains(&view.id)) {
                let mut page = Page::of(view)?;
                if let Some(keywords) = told.own(&page.keywords, view.text) {
                    page.keywords = keywords;
                }
                rest.push(page);
                is_fresh += u32::from(place >= fresh);
            }
            if rest.is_empty() {
                topic.end_itself(store, draft);
            } else {
                topic.retell(&rest, is_fresh);
                topic.put(draft, now)?;
            }
        }
    }
    rechain(store, draft, &left, &told)
}

/// The words of pages that leave. A model that is shown several pages at once may have said of one what another tells.
struct Told(FxHashSet<String>);

impl Told {
    fn by(store: &Store, scope: &Scope, left: &FxHashSet<Id>) -> Self {
        let texts = left.iter().filter_map(|id| store.get(scope, *id)?.text);
        Self(texts.flat_map(|text| indexed_words(&[text.to_owned()])).collect())
    }

    /// Of some texts about a page those that tell nothing of the pages that leave but what its own text says; `None` when that is
    /// all of them.
    fn own(&self, about: &[String], text: Option<&str>) -> Option<Vec<String>> {
        let theirs = |about: &&String| {
            let words = indexed_words(&[(*about).clone()]);
            words.iter().any(|word| self.0.contains(word))
        };
        if !about.iter().any(|about| theirs(&about)) {
            return None;
        }
        let own: FxHashSet<String> =
            indexed_words(&[text.unwrap_or_default().to_owned()]).into_iter().collect();
        let stays = |about: &&String| {
            let words = indexed_words(&[(*about).clone()]);
            !words.iter().any(|word| self.0.contains(word) && !own.contains(word))
        };
        let kept: Vec<String> = about.iter().filter(stays).cloned().collect();
        (kept.len() < about.len()).then_some(kept)
    }
}

/// The records of a kind whose words a draft takes away.
fn gone(store: &Store, draft: &Draft, kind: Kind) -> FxHashSet<Id> {
    let of_kind = |id: Id| store.get(&draft.scope, id).filter(|view| view.kind == kind);
    let gone = draft.changes.iter().filter_map(|change| match change {
        Change::Delete { id, .. } => Some(of_kind(*id)?.id),
        Change::Put { record, .. } if record.kind == kind => {
            let view = of_kind(record.id)?;
            (view.text != record.text.as_deref()).then_some(view.id)
        }
        _ => None,
    });
    gone.collect()
}

/// Makes chains that tell of pages that left begin after them.
fn rechain(store: &Store, draft: &mut Draft, left: &FxHashSet<Id>, told: &Told) -> Result<()> {
    let known: FxHashSet<Id> = draft.ids().collect();
    // The chains that changed; those of pages that left are nothing to go on from.
    let mut chains: FxHashMap<Id, Option<String>> = left.iter().map(|id| (*id, None)).collect();
    for view in store.records(&draft.scope.clone(), Kind::Page).filter(|view| !known.contains(&view.id)) {
        if !view.raw_value().contains("\"chain\"") {
            continue;
        }
        let mut value: PageValue = view.content()?;
        let before = value.previous.and_then(|previous| chains.get(&previous));
        let keywords = told.own(&value.keywords, view.text);
        let is_foreign = value.chain.clone().is_some_and(|chain| told.own(&[chain], view.text).is_some());
        if before.is_none() && keywords.is_none() && !is_foreign {
            continue;
        }
        if let Some(keywords) = keywords {
            value.keywords = keywords;
        }
        if before.is_none() && !is_foreign {
            let mut record = view.to_record(&draft.scope)?;
            record.value = to_value(&value)?;
            draft.put(record, Expect::Revision(view.revision), None);
            continue;
        }
        let before = before.unwrap_or(&None);
        let own = title(&Page::of(&view)?);
        let chain = before.as_ref().map_or_else(|| own.clone(), |before| linked(before, &own));
        value.previous = value.previous.filter(|_| before.is_some());
        value.chain = Some(chain.clone());
        chains.insert(view.id, Some(chain));
        let mut record = view.to_record(&draft.scope)?;
        record.value = to_value(&value)?;
        draft.put(record, Expect::Revision(view.revision), None);
    }
    Ok(())
}

/// Completes a draft that brings pages back: one whose segment does not come back whole stands in the queue again, to be moved
/// anew; one whose messages are gone stays away.
pub(crate) fn bring_back(store: &Store, draft: &mut Draft) -> Result<()> {
    let scope = draft.scope.clone();
    let coming: FxHashSet<Id> = draft.changes.iter().filter_map(|change| Some(put(change)?.id)).collect();
    let is_there = |id: &Id| coming.contains(id) || store.get(&scope, *id).is_some();
    let is_lost = |change: &Change| {
        let Some(record) = put(change).filter(|record| record.kind == Kind::Page) else { return false };
        let value = crate::json::from_value::<PageValue>(record.value.clone());
        value.is_ok_and(|value| value.messages.is_some_and(|ids| !ids.iter().all(is_there)))
    };
    draft.changes.retain(|change| !is_lost(change));
    let mut pages: FxHashMap<Id, u64> = FxHashMap::default();
    let records = || draft.changes.iter().filter_map(put);
    for segment in records().filter_map(segment_of_page) {
        *pages.entry(segment).or_default() += 1;
    }
    let whole: FxHashSet<Id> = records()
        .filter(|record| {
            record.kind == Kind::Segment
                && record.value.get("pages").and_then(Value::as_u64) == pages.get(&record.id).copied()
        })
        .map(|record| record.id)
        .collect();
    draft.changes.retain(|change| {
        let segment = put(change).filter(|record| record.kind == Kind::Segment);
        segment
            .and_then(|record| topic_of(record.key.as_deref()?))
            .is_none_or(|segment| whole.contains(&segment))
    });
    for change in &mut draft.changes {
        if let Change::Put { record, .. } = change
            && segment_of_page(record).is_some_and(|segment| !whole.contains(&segment))
            && let Ok(mut value) = crate::json::from_value::<PageValue>(record.value.clone())
        {
            (value.chain, value.keywords) = (None, Vec::new());
            record.key = Some(format!("{SHORT}{}", record.id));
            record.value = to_value(&value)?;
        }
    }
    Ok(())
}

fn put(change: &Change) -> Option<&Record> {
    match change {
        Change::Put { record, .. } => Some(record),
        _ => None,
    }
}

fn segment_of_page(record: &Record) -> Option<Id> {
    segment_of(record.key.as_deref().filter(|_| record.kind == Kind::Page)?)
}
