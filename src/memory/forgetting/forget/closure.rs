//! The closure: all that goes with what is forgotten, and all that is made anew without it.

use super::drafted::Drafted;
use super::gone::Gone;
use super::remake::{Fate, Remake, texts};
use super::rewind::{reworded as reworded_message, words};
use super::selector::Selector;
use crate::error::Result;
use crate::id::Id;
use crate::json::to_value;
use crate::log::{Cause, RecordView};
use crate::memory::changes::{Changes, Planning};
use crate::memory::episodes::EpisodeValue;
use crate::memory::message::{StoredMessage, Telling, thread_of, thread_prefix};
use crate::memory::pages::{PageValue, segment_of, topic_of};
use crate::memory::proposals::changed_by;
use crate::memory::task::Task;
use crate::memory::threads::{parts_of, summary_keys};
use crate::ports::{Loaded, Systems};
use crate::record::{Kind, Provenance, Record};
use crate::scope::Scope;
use crate::store::{Change, Draft, Ever, Store, relation_ends};
use rustc_hash::{FxHashMap, FxHashSet};

/// The kinds of what was learned, and of what somebody wrote, that are looked at one by one.
const SAYING: [Kind; 7] =
    [Kind::Fact, Kind::Field, Kind::Instruction, Kind::Episode, Kind::Trait, Kind::Relation, Kind::Document];

/// Everything that is stored of a scope, but for messages that nothing becomes of, and what becomes of it.
pub(super) struct Closure<'a> {
    pub(super) store: &'a Store,
    pub(super) all: Vec<(Kind, Ever<'a>)>,
    pub(super) gone: Gone,
    pub(super) remade: Vec<Record>,
    /// Records whose past alone goes.
    pub(super) past: FxHashSet<Id>,
}

/// Drafts the forgetting of what a selector names, with all that rests on it.
///
/// # Errors
/// `NotFound` for an id that is none, and those of reading.
pub(super) fn draft(
    planning: &mut Planning<'_>,
    selector: &Selector,
    systems: Loaded<Systems>,
    changes: &Changes,
) -> Result<Drafted> {
    let (store, now, scope) = (planning.store, planning.now, planning.scope().clone());
    let chosen = selector.chosen(store, &scope)?;
    let ever = |kind| store.ever(&scope, kind).map(move |ever| (kind, ever));
    let (all, ids, withheld) = match chosen {
        Some(mut ids) => {
            let is_chosen = selector.is_chosen();
            let withheld = if is_chosen { let_go(planning, &mut ids, systems, changes)? } else { Vec::new() };
            // Of messages, which are many, only these are touched.
            let touched = ids.iter().copied().chain(withheld.iter().map(|record| record.id));
            let messages = store.ever_among(&scope, Kind::Message, touched);
            let messages = messages.map(|ever| (Kind::Message, ever));
            let others = Kind::ALL.into_iter().filter(|kind| *kind != Kind::Message);
            (messages.chain(others.flat_map(ever)).collect(), ids, withheld)
        }
        None => {
            let all: Vec<_> = Kind::ALL.into_iter().flat_map(ever).collect();
            let ids = selector.select(&all);
            (all, ids, Vec::new())
        }
    };
    let draft = &mut planning.draft;
    let threads = selector.thread().map(str::to_owned).into_iter().collect();
    let gone = Gone {
        ids,
        threads,
        times: selector.times().cloned(),
        withheld: withheld.iter().map(|record| record.id).collect(),
        ..Gone::default()
    };
    let mut closure = Closure { store, all, gone, remade: Vec::new(), past: FxHashSet::default() };
    if matches!(selector, Selector::Scope) {
        draft.erase_scope = store.scopes().any(|known| *known == scope);
    } else {
        closure.close(draft)?;
        closure.remade.extend(withheld);
    }
    closure.fill(draft, now)
}

/// The messages that stay, with the words withheld that some records were learned from, as when these are deleted. What else says
/// the same, and pages that do, go with them.
fn let_go(
    planning: &mut Planning<'_>,
    ids: &mut FxHashSet<Id>,
    systems: Loaded<Systems>,
    changes: &Changes,
) -> Result<Vec<Record>> {
    let (store, scope) = (planning.store, planning.scope().clone());
    let own = std::mem::replace(&mut planning.draft, Draft::new(&scope, Cause::Forget));
    for view in ids.iter().filter_map(|id| store.get(&scope, *id)) {
        planning.end(&view);
    }
    changes.follow(systems, planning)?;
    let followed = std::mem::replace(&mut planning.draft, own);
    let mut withheld = Vec::new();
    for change in followed.changes {
        match change {
            Change::Put { record, .. } if record.kind == Kind::Message => withheld.push(*record),
            Change::Delete { id, .. } => {
                let kind = store.get(&scope, id).map(|view| view.kind);
                if matches!(kind, Some(Kind::Fact | Kind::Field | Kind::Page)) {
                    ids.insert(id);
                }
            }
            _ => {}
        }
    }
    Ok(withheld)
}

impl<'a> Closure<'a> {
    /// Finds all that goes and all that is made anew.
    fn close(&mut self, draft: &Draft) -> Result<()> {
        let reworded = self.messages(draft)?;
        self.threads(&draft.scope);
        self.pages()?;
        self.conversations()?;
        let gone = std::mem::take(&mut self.gone);
        self.gone = self.saying(draft, gone)?;
        self.tasks(draft)?;
        self.proposals()?;
        self.segments();
        self.summaries();
        // Last, so that they are in the commit that makes anew what tells of them.
        self.remade.extend(reworded);
        Ok(())
    }

    /// Messages whose words were replaced in times of which everything goes get the earlier ones back; without any they go.
    fn messages(&mut self, draft: &Draft) -> Result<Vec<Record>> {
        let (mut remade, mut reworded, mut gone) = (Vec::new(), FxHashMap::default(), Vec::new());
        for ever in self.of(Kind::Message).filter(|ever| !self.gone.ids.contains(&ever.id)) {
            let mut before = None;
            let mut is_replaced = false;
            for past in ever.versions.iter().filter(|_| self.gone.times.is_some()) {
                let said = Some(words(past)?);
                // Of one that is the first known, though not the first, nothing but the withholding may be new.
                let is_withheld =
                    before.is_none() && past.view.revision > 1 && StoredMessage::has_withheld(&past.view);
                is_replaced |= said != before && !is_withheld && self.gone.is_of_times(past);
                before = said;
            }
            if !is_replaced {
                continue;
            }
            match reworded_message(self.store, &draft.scope, &self.gone, ever)?.filter(|_| ever.lives) {
                Some(record) => {
                    reworded.insert(ever.id, Telling::of(&record)?.words().to_owned());
                    remade.push(record);
                }
                None => gone.push(ever.id),
            }
        }
        self.gone.reworded = reworded;
        self.gone.ids.extend(gone);
        Ok(remade)
    }

    fn of(&self, kind: Kind) -> impl Iterator<Item = &Ever<'a>> {
        self.all.iter().filter(move |(known, _)| *known == kind).map(|(_, ever)| ever)
    }

    /// Threads of which nothing is left go whole.
    fn threads(&mut self, scope: &Scope) {
        let touched: FxHashSet<&str> = self
            .of(Kind::Message)
            .filter(|ever| self.gone.ids.contains(&ever.id))
            .filter_map(|ever| Some(thread_of(ever.versions.last()?.view.key.unwrap_or_default())))
            .collect();
        // Of one message more than go, one stays if any does.
        let count = self.gone.ids.len() + 1;
        let is_whole = |thread: &&str| {
            let newest = self.store.newest_by_key_prefix(scope, Kind::Message, &thread_prefix(thread), count);
            let mut newest = newest.into_iter().filter_map(|document| self.store.view(document));
            newest.all(|view| self.gone.ids.contains(&view.id))
        };
        let whole: Vec<String> = touched.into_iter().filter(is_whole).map(str::to_owned).collect();
        self.gone.threads.extend(whole);
    }

    /// Pages go with one of their messages; those that ended with a page whose words their chain tells.
    fn pages(&mut self) -> Result<()> {
        let (mut gone, mut retold) = (FxHashSet::default(), Vec::new());
        for ever in self.of(Kind::Page) {
            for past in &ever.versions {
                let value: PageValue = past.view.content()?;
                let is_gone = |id: &Id| self.gone.is_touched(id) || gone.contains(id);
                let is_of = value.messages.is_some_and(|ids| ids.iter().any(is_gone))
                    || value.thread_id.is_some_and(|thread| self.gone.threads.contains(&thread))
                    || (!ever.lives && value.previous.as_ref().is_some_and(is_gone));
                if is_of {
                    gone.insert(ever.id);
                    break;
                }
                if value.previous.as_ref().is_some_and(is_gone) {
                    retold.push(ever.id);
                }
            }
        }
        self.gone.ids.extend(gone);
        self.past.extend(retold);
        Ok(())
    }

    /// What was learned from a thread as a whole, and what sums it up, goes with it.
    fn conversations(&mut self) -> Result<()> {
        let keys: Vec<String> = self.gone.threads.iter().flat_map(|thread| summary_keys(thread)).collect();
        let mut gone = Vec::new();
        for ever in self.of(Kind::Summary) {
            let is_its = |key: &str| keys.iter().any(|own| own == key);
            if ever.versions.iter().any(|past| past.view.key.is_some_and(is_its)) {
                gone.push(ever.id);
            }
        }
        for ever in self.of(Kind::Episode) {
            let Some(last) = ever.versions.last() else { continue };
            let value: EpisodeValue = last.view.content()?;
            let is_its = value.thread_id.is_some_and(|thread| self.gone.threads.contains(&thread));
            if is_its && value.origin != crate::memory::facts::Origin::User {
                gone.push(ever.id);
            }
        }
        self.gone.ids.extend(gone);
        for (kind, ever) in &self.all {
            if matches!(kind, Kind::Message | Kind::Fact) && self.gone.ids.contains(&ever.id) {
                texts(&ever.versions).for_each(|text| self.gone.hear(text));
            }
        }
        Ok(())
    }

    /// What was learned or written; then the entities, which relations hold, and what quotes.
    fn saying(&mut self, draft: &Draft, mut gone: Gone) -> Result<Gone> {
        let (mut going, mut held) = (Vec::new(), FxHashMap::<Id, Vec<Provenance>>::default());
        let mut remade = Vec::new();
        let remake = Remake { store: self.store, scope: &draft.scope, gone: &gone };
        for (kind, ever) in self.all.iter().filter(|(kind, _)| SAYING.contains(kind)) {
            if gone.ids.contains(&ever.id) {
                continue;
            }
            let (mut goes, mut sources) = (false, None);
            match remake.fate(*kind, ever)? {
                Fate::Stays => {}
                Fate::Goes => goes = true,
                Fate::Remade(record) => {
                    sources = Some(record.provenance.clone());
                    remade.push(*record);
                }
            }
            let Some(last) = ever.versions.last() else { continue };
            if goes {
                going.push(ever.id);
            } else if let Some((from, to)) =
                last.view.key.filter(|_| *kind == Kind::Relation).and_then(relation_ends)
                && ever.lives
            {
                let sources = match sources {
                    Some(sources) => sources,
                    None => last.view.provenance()?,
                };
                for end in [from, to] {
                    held.entry(end).or_default().extend(sources.iter().cloned());
                }
            }
        }
        for ever in self.of(Kind::Entity).filter(|ever| !gone.ids.contains(&ever.id)) {
            match remake.entity(ever, held.get(&ever.id))? {
                Fate::Stays => {}
                Fate::Goes => going.push(ever.id),
                Fate::Remade(record) => remade.push(*record),
            }
        }
        let learned: FxHashSet<Id> = going.iter().copied().collect();
        gone.ids.extend(going);
        for (_, ever) in
            self.all.iter().filter(|(kind, ever)| *kind == Kind::Fact && learned.contains(&ever.id))
        {
            texts(&ever.versions).for_each(|text| gone.hear(text));
        }
        // A relation goes with its ends.
        let ends = |ever: &Ever<'_>| ever.versions.last().and_then(|past| relation_ends(past.view.key?));
        let relations = self.of(Kind::Relation).filter(|ever| {
            ends(ever).is_some_and(|(from, to)| gone.ids.contains(&from) || gone.ids.contains(&to))
        });
        let relations: Vec<Id> = relations.map(|ever| ever.id).collect();
        gone.ids.extend(relations);
        remade.retain(|record| !gone.ids.contains(&record.id));
        let remake = Remake { store: self.store, scope: &draft.scope, gone: &gone };
        let mut quoting = Vec::new();
        for (kind, ever) in self.all.iter().filter(|(kind, _)| matches!(kind, Kind::Block | Kind::Passage)) {
            if gone.ids.contains(&ever.id) {
                continue;
            }
            let fate = match remake.fate(*kind, ever)? {
                Fate::Stays => remake.quoting(*kind, ever)?,
                fate => fate,
            };
            match fate {
                Fate::Stays => {}
                Fate::Goes => quoting.push(ever.id),
                Fate::Remade(record) => remade.push(*record),
            }
        }
        gone.ids.extend(quoting);
        self.remade = remade;
        Ok(gone)
    }

    /// What waits to be learned from waits without what goes.
    fn tasks(&mut self, draft: &Draft) -> Result<()> {
        let (mut gone, mut remade) = (Vec::new(), Vec::new());
        for ever in self.of(Kind::Task).filter(|ever| !self.gone.ids.contains(&ever.id)) {
            let Some(last) = ever.versions.last() else { continue };
            let mut task = Task::of(&last.view)?;
            let before = task.value.messages.len();
            task.value.messages.retain(|id| !self.gone.ids.contains(id));
            let is_whole = self.gone.threads.contains(&task.value.thread_id);
            if !is_whole && task.value.messages.len() == before {
                continue;
            }
            let facts = task.value.options.as_ref().and_then(|options| options.get("facts")?.as_array());
            let has_more = !task.value.messages.is_empty() || facts.is_some_and(|facts| !facts.is_empty());
            if is_whole || !has_more || !ever.lives {
                gone.push(ever.id);
            } else {
                let mut record = last.view.to_record(&draft.scope)?;
                record.value = to_value(&task.value)?;
                remade.push(record);
            }
        }
        self.gone.ids.extend(gone);
        self.remade.extend(remade);
        Ok(())
    }

    /// A proposal goes with one of its sources, and with a record that it would change.
    fn proposals(&mut self) -> Result<()> {
        let changed: FxHashSet<Id> = self.remade.iter().map(|record| record.id).collect();
        let mut gone = Vec::new();
        for ever in self.of(Kind::Proposal) {
            for past in &ever.versions {
                let is_of = |id: &Id| self.gone.ids.contains(id) || changed.contains(id);
                if self.gone.is_under(past)? || changed_by(&past.view)?.iter().any(is_of) {
                    gone.push(ever.id);
                    break;
                }
            }
        }
        self.gone.ids.extend(gone);
        Ok(())
    }

    /// Segments that held a page which goes lose their past; those that ended go.
    fn segments(&mut self) {
        let pages = self.of(Kind::Page).filter(|ever| self.gone.ids.contains(&ever.id));
        let keys = pages.flat_map(|ever| ever.versions.iter().filter_map(|past| segment_of(past.view.key?)));
        let held: FxHashSet<Id> = keys.collect();
        let (mut gone, mut past) = (Vec::new(), Vec::new());
        for ever in self.of(Kind::Segment) {
            let of = ever.versions.last().and_then(|past| topic_of(past.view.key?));
            if of.is_some_and(|segment| held.contains(&segment)) {
                if ever.lives { past.push(ever.id) } else { gone.push(ever.id) }
            } else if of.is_some_and(|segment| self.gone.ids.contains(&segment)) {
                gone.push(ever.id);
            }
        }
        self.gone.ids.extend(gone);
        self.past.extend(past);
    }

    /// Summaries that ever told of what goes lose their past, and so do those that were made of them; those that ended go.
    fn summaries(&mut self) {
        let (mut telling, mut gone) = (FxHashSet::default(), Vec::new());
        let messages = self.of(Kind::Message).filter(|ever| self.gone.is_touched(&ever.id));
        let threads =
            messages.filter_map(|ever| Some(thread_of(ever.versions.last()?.view.key.unwrap_or_default())));
        let windows: FxHashSet<String> = threads
            .collect::<FxHashSet<&str>>()
            .into_iter()
            .flat_map(|thread| summary_keys(thread).into_iter().skip(1))
            .collect();
        // Weeks are made of threads, and months of weeks.
        for _ in 0..3 {
            for ever in self.of(Kind::Summary) {
                let tells = |view: &RecordView<'_>| {
                    let sources = view.provenance().unwrap_or_default();
                    sources.iter().any(|it| self.gone.is_source(it) || self.gone.is_touched(&it.message_id))
                        || parts_of(view).iter().any(|id| telling.contains(id) || self.gone.ids.contains(id))
                        || (view.text.is_some() && view.key.is_some_and(|key| windows.contains(key)))
                };
                if self.gone.ids.contains(&ever.id) || ever.versions.iter().any(|past| tells(&past.view)) {
                    telling.insert(ever.id);
                    if !ever.lives {
                        gone.push(ever.id);
                    }
                }
            }
        }
        self.gone.ids.extend(gone);
        self.past.extend(telling);
    }
}
