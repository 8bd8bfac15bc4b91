//! The draft of a closure: ends what goes, stores what is made anew, and counts both.

use super::closure::Closure;
use crate::error::Result;
use crate::id::Id;
use crate::memory::message::thread_of;
use crate::memory::pages::forget_pages;
use crate::memory::threads::{self, forget_all, forget_changed};
use crate::ordered::Ordered;
use crate::record::{Kind, Record};
use crate::store::{Change, Draft, Expect};
use crate::time::Timestamp;
use rustc_hash::FxHashSet;

/// The most bytes of records that are made anew in the commit that forgets; more are made anew in commits before it.
const REMADE_BYTES: usize = 8 * 1024 * 1024;

/// How many records of each kind.
pub(super) type Tally = Ordered<Kind, usize>;

/// What a draft does.
#[derive(Debug, Clone, Default)]
pub(super) struct Drafted {
    pub(super) forgotten: Tally,
    pub(super) rewritten: Tally,
    /// What goes: whose ids these are.
    pub(super) gone: Vec<Id>,
    /// Whether more is to be drafted when this is done.
    pub(super) is_part: bool,
}

impl Closure<'_> {
    /// Fills a draft.
    pub(super) fn fill(mut self, draft: &mut Draft, now: Timestamp) -> Result<Drafted> {
        let mut drafted = Drafted::default();
        let bytes = |record: &Record| {
            record.text.as_ref().map_or(0, String::len) + record.value.to_string().len() + 1024
        };
        let mut room = REMADE_BYTES;
        let whole: usize = self.remade.iter().map(bytes).sum();
        if whole > room {
            // What is made anew first is looked at again, and found to rest on nothing that goes.
            drafted.is_part = true;
            self.remade.retain(|record| {
                let fits = room > 0;
                room = room.saturating_sub(bytes(record));
                fits
            });
        }
        for record in std::mem::take(&mut self.remade) {
            if !self.gone.ids.contains(&record.id) {
                let expect = Expect::Revision(record.revision);
                draft.put(record, expect, None);
            }
        }
        if !drafted.is_part {
            self.fill_ends(draft, now)?;
        }
        self.count(draft, &mut drafted);
        let known: FxHashSet<Id> = draft.ids().collect();
        let dead = drafted.gone.iter().filter(|id| self.store.get(&draft.scope, **id).is_none());
        let mut erase: Vec<Id> = draft.ids().chain(dead.copied()).collect();
        if !drafted.is_part {
            // Of what stays as it is, the past alone goes.
            for (kind, ever) in self.all.iter().filter(|(_, ever)| ever.lives && self.past.contains(&ever.id))
            {
                if ever.versions.len() > 1 && !known.contains(&ever.id) {
                    add(&mut drafted.rewritten, *kind);
                    erase.push(ever.id);
                }
            }
        }
        draft.erase = erase;
        Ok(drafted)
    }

    /// Ends what goes, and makes anew what tells of it together with other things.
    fn fill_ends(&self, draft: &mut Draft, now: Timestamp) -> Result<()> {
        let store = self.store;
        let mut threads: Ordered<String, Vec<Id>> = Ordered::new();
        for (kind, ever) in self.all.iter().filter(|(_, ever)| ever.lives && self.gone.ids.contains(&ever.id))
        {
            let Some(last) = ever.versions.last() else { continue };
            draft.delete(ever.id, Expect::Revision(last.view.revision));
            let thread_id = thread_of(last.view.key.unwrap_or_default());
            if *kind == Kind::Message && !self.gone.threads.contains(thread_id) {
                match threads.get_mut(thread_id) {
                    Some(ids) => ids.push(ever.id),
                    None => drop(threads.insert(thread_id.to_owned(), vec![ever.id])),
                }
            }
        }
        if draft.erase_scope {
            return Ok(());
        }
        let threads: Vec<_> =
            threads.iter().map(|(thread_id, ids)| (thread_id.clone(), ids.clone())).collect();
        forget_all(store, &threads, threads::Change::Removed, draft)?;
        if !(self.gone.reworded.is_empty() && self.gone.withheld.is_empty()) {
            forget_changed(store, draft)?;
        }
        forget_pages(store, draft, now)?;
        Ok(())
    }

    /// Counts what a draft does, and names what goes.
    fn count(&self, draft: &Draft, drafted: &mut Drafted) {
        let mut gone: FxHashSet<Id> = FxHashSet::default();
        for change in &draft.changes {
            match change {
                Change::Put { record, .. } => add(&mut drafted.rewritten, record.kind),
                Change::Delete { id, .. } => drop(gone.insert(*id)),
                _ => {}
            }
        }
        if !drafted.is_part {
            gone.extend(&self.gone.ids);
        }
        for (kind, ever) in self.all.iter().filter(|(_, ever)| gone.contains(&ever.id)) {
            drafted.gone.push(ever.id);
            let is_of_visits = |key: &str| key.starts_with("visits/");
            let is_counted = match kind {
                // One that was done is nothing that anybody knows of.
                Kind::Task => ever.lives,
                // How often a segment was looked into is no segment.
                Kind::Segment => {
                    !ever.versions.last().and_then(|past| past.view.key).is_some_and(is_of_visits)
                }
                _ => true,
            };
            if is_counted {
                add(&mut drafted.forgotten, *kind);
            }
        }
    }
}

fn add(tally: &mut Tally, kind: Kind) {
    match tally.get_mut(&kind) {
        Some(count) => *count += 1,
        None => drop(tally.insert(kind, 1)),
    }
}
