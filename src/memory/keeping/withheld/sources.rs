//! The messages that something was learned from, and what of them is told when that is let go.

use super::lost::Lost;
use crate::error::Result;
use crate::id::Id;
use crate::log::{Cause, RecordView};
use crate::memory::changes::Planning;
use crate::memory::message::{Role, StoredMessage, Telling, terms_of, thread_of, thread_prefix};
use crate::record::{Kind, Provenance, Record};
use crate::scope::Scope;
use crate::store::{Draft, Expect, Store};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many words a sentence shares with what was learned from its message as a whole before it tells that.
const SHARED: usize = 2;

/// The messages that a plan touches.
pub(super) struct Sources<'a> {
    store: &'a Store,
    scope: Scope,
    /// What the plan changes itself.
    own: FxHashSet<Id>,
    /// Whether no word of what is let go may stay but in the message itself.
    is_forgetting: bool,
    threads: FxHashMap<String, Vec<RecordView<'a>>>,
    /// By message, in the order in which they were met.
    telling: Vec<(Record, Telling)>,
    places: FxHashMap<Id, usize>,
    /// Pages that are no messages.
    pages: Vec<(Id, u32)>,
}

impl<'a> Sources<'a> {
    pub(super) fn new(planning: &Planning<'a>) -> Self {
        Self {
            store: planning.store,
            scope: planning.scope().clone(),
            own: planning.draft.ids().collect(),
            is_forgetting: planning.draft.cause == Cause::Forget,
            threads: FxHashMap::default(),
            telling: Vec::new(),
            places: FxHashMap::default(),
            pages: Vec::new(),
        }
    }

    /// Withholds the words that something was learned from, and what replies say of it; answers which messages may be changed.
    pub(super) fn withhold(&mut self, lost: &Lost) -> Result<Vec<Id>> {
        let mut touched = Vec::new();
        self.end_pages(lost);
        for source in &lost.sources {
            let Some(view) = self.store.get(&self.scope, source.message_id) else { continue };
            if self.own.contains(&view.id) {
                continue;
            }
            match view.kind {
                Kind::Page if !self.pages.iter().any(|(id, _)| *id == view.id) => {
                    self.pages.push((view.id, view.revision));
                }
                Kind::Message => {
                    touched.push(view.id);
                    let terms = self.withhold_source(&view, lost, source)?;
                    if let Some(terms) = terms {
                        touched.extend(self.withhold_replies(&view, &terms)?);
                    }
                }
                _ => {}
            }
        }
        Ok(touched)
    }

    /// Ends pages that say the words themselves: the application added the exchange to its tiers by itself.
    fn end_pages(&mut self, lost: &Lost) {
        let quotes = lost.sources.iter().map(|source| source.quote.trim());
        let quotes: Vec<&str> = quotes.filter(|quote| terms_of(quote).len() >= SHARED).collect();
        if quotes.is_empty() {
            return;
        }
        for view in self.store.records(&self.scope, Kind::Page) {
            let says = view.text.is_some_and(|text| quotes.iter().any(|quote| text.contains(quote)));
            if says && !self.own.contains(&view.id) && !self.pages.iter().any(|(id, _)| *id == view.id) {
                self.pages.push((view.id, view.revision));
            }
        }
    }

    /// Withholds the words in the message itself; answers the terms by which replies tell them.
    fn withhold_source(
        &mut self,
        view: &RecordView<'_>,
        lost: &Lost,
        source: &Provenance,
    ) -> Result<Option<FxHashSet<String>>> {
        let is_forgetting = self.is_forgetting;
        let Some(telling) = self.telling(view)? else { return Ok(None) };
        if lost.is_loose() && source.quote.is_empty() {
            telling.withhold_terms(&lost.terms(""), SHARED);
            return Ok(None);
        }
        let words = if source.quote.is_empty() { telling.words() } else { &source.quote };
        let mut terms = lost.terms(words);
        if source.quote.is_empty() && terms_are_all(&terms, words) {
            terms = lost.terms("");
        }
        if source.quote.is_empty() || telling.words().contains(source.quote.trim()) {
            telling.withhold_quote(&source.quote);
        } else {
            // The message says something else by now.
            telling.withhold_terms(&terms, 1);
        }
        telling.withhold_beside(&if is_forgetting { telling.holding(&terms) } else { terms.clone() });
        Ok(Some(terms))
    }

    /// Withholds what is said of it until the user speaks again.
    fn withhold_replies(&mut self, view: &RecordView<'_>, terms: &FxHashSet<String>) -> Result<Vec<Id>> {
        let thread_id = thread_of(view.key.unwrap_or_default()).to_owned();
        let (store, scope) = (self.store, self.scope.clone());
        let thread = self
            .threads
            .entry(thread_id.clone())
            .or_insert_with(|| store.by_key_prefix(&scope, Kind::Message, &thread_prefix(&thread_id)));
        let from =
            thread.iter().position(|other| other.id == view.id).map_or(thread.len(), |place| place + 1);
        let after = thread.get(from..).unwrap_or_default();
        let is_reply = |view: &&RecordView<'_>| {
            StoredMessage::of(view).is_ok_and(|it| it.role != Role::User || it.parts().answers_others())
        };
        let replies: Vec<RecordView<'a>> = after.iter().take_while(is_reply).copied().collect();
        let (mut touched, is_forgetting) = (Vec::new(), self.is_forgetting);
        for reply in replies {
            if let Some(telling) = self.telling(&reply)? {
                telling.withhold_terms(terms, 1);
                telling.withhold_beside(&if is_forgetting { telling.holding(terms) } else { terms.clone() });
                touched.push(reply.id);
            }
        }
        Ok(touched)
    }

    /// What is told of a message so far; `None` when the plan changes it itself.
    fn telling(&mut self, view: &RecordView<'_>) -> Result<Option<&mut Telling>> {
        if self.own.contains(&view.id) {
            return Ok(None);
        }
        let place = match self.places.get(&view.id) {
            Some(place) => *place,
            None => {
                let record = view.to_record(&self.scope)?;
                let telling = Telling::of(&record)?;
                self.places.insert(view.id, self.telling.len());
                self.telling.push((record, telling));
                self.telling.len() - 1
            }
        };
        Ok(self.telling.get_mut(place).map(|(_, telling)| telling))
    }

    /// Adds what changed to a draft; the answer is which messages, and pages, that are.
    pub(super) fn finish(self, draft: &mut Draft) -> Result<FxHashSet<Id>> {
        let mut changed = FxHashSet::default();
        for (before, telling) in self.telling {
            let record = telling.write(&before)?;
            if record != before {
                changed.insert(record.id);
                draft.put(record, Expect::Revision(before.revision), None);
            }
        }
        for (id, revision) in self.pages {
            changed.insert(id);
            draft.delete(id, Expect::Revision(revision));
        }
        Ok(changed)
    }
}

/// Whether terms are all that a text has: then they tell nothing from anything else in it.
fn terms_are_all(terms: &FxHashSet<String>, text: &str) -> bool {
    terms_of(text).iter().all(|term| terms.contains(term))
}
