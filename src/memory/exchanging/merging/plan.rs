//! What is to be done so that a scope has what another memory knows more or newer of it.
//!
//! - What is not known here comes with all of its versions, as they were; what ended there does not.
//! - Of what is known, the versions come that were made there after the last one that both have. Where both went on, the newer
//!   one counts, and becomes the next version here.
//! - What has another id there and the same key here, such as a profile field or a document, or is a fact in the same words, is
//!   one record: the newer one counts.
//! - What ended on either side after it was last changed on the other stays ended, or ends.

use super::ids::Ids;
use crate::error::Result;
use crate::id::Id;
use crate::log::{Embed, Op, RecordView};
use crate::memory::facts::wording;
use crate::ordered::Ordered;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::store::{Brought, PastVersion, Store, WholePast, relation_ends};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

/// What a merge does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Merged {
    /// How many records are new here.
    pub(crate) added: usize,
    /// How many were here, and are as the other memory has them now.
    pub(crate) updated: usize,
    /// How many end.
    pub(crate) removed: usize,
    /// How many stay as they are.
    pub(crate) unchanged: usize,
}

/// What becomes of one record: the operations by the commits of the other memory that first did them.
struct Step {
    ops: Vec<(u64, Op)>,
    id: Id,
    kind: Kind,
    is_known: bool,
    /// The ends of a relation that lives afterwards.
    ends: Option<(Id, Id)>,
    lives: bool,
}

/// Plans a merge of a scope of another memory, `from`, into one of this, `into`. With `replace`, everything there counts, and what is
/// not there ends.
///
/// # Errors
/// `Corrupt` when stored JSON cannot be read.
pub(crate) fn plan(
    (from, source): (&Store, &Scope),
    (into, target): (&Store, &Scope),
    replace: bool,
) -> Result<(Brought, Merged)> {
    let pasts: Vec<WholePast<'_>> =
        from.ids_ever(source).into_iter().filter_map(|id| from.past(id)).collect();
    let mut ids = Ids::new(into, target);
    for past in &pasts {
        ids.settle(past, source);
    }
    let probe = Planner { from, into, target, ids, twins: FxHashMap::default(), replace };
    let releasing = probe.releasing(&pasts)?;
    let Planner { mut ids, mut twins, .. } = probe;
    ids.releasing = releasing;
    // The key of a relation names its ends, so entities are found first.
    for entities in [true, false] {
        for past in pasts.iter().filter(|past| (past.kind == Kind::Entity) == entities) {
            if let Some(view) = past.versions.last().and_then(|last| last.record)
                && let Some(twin) = ids.twin(&view)
            {
                twins.insert(past.id, twin);
            }
        }
        ids.other.extend(twins.iter().map(|(id, twin)| (*id, *twin)));
    }
    let planner = Planner { from, into, target, ids, twins, replace };
    planner.plan(&pasts)
}

/// Operations by the commits that first did them, and the ends of what is a relation after them.
type Versions = (Vec<(u64, Op)>, Option<(Id, Id)>);

struct Planner<'a> {
    from: &'a Store,
    into: &'a Store,
    target: &'a Scope,
    ids: Ids<'a>,
    /// Records with another id here.
    twins: FxHashMap<Id, Id>,
    replace: bool,
}

impl Planner<'_> {
    fn plan(&self, pasts: &[WholePast<'_>]) -> Result<(Brought, Merged)> {
        let mut merged = Merged::default();
        let mut steps = Vec::new();
        // Keys that records take here before any other comes, by the record that has them then.
        let mut taken: FxHashMap<(Kind, String), Id> = FxHashMap::default();
        let mut kept: Ordered<Id, ()> = Ordered::new();
        let (known, new): (Vec<_>, Vec<_>) = pasts.iter().partition(|past| {
            self.twins.contains_key(&past.id) || self.into.past(self.ids.here(past.id)).is_some()
        });
        let mut meant: Ordered<Id, ()> = Ordered::new();
        for past in known {
            let id = self.ids.here(past.id);
            let lives = past.versions.last().is_some_and(|last| last.record.is_some());
            if lives {
                kept.insert(id, ());
            }
            // Of several that are one here, the first is it.
            let step = if meant.insert(id, ()).is_none() { self.known(past, id, &mut taken)? } else { None };
            match step {
                Some(step) => steps.push(step),
                None if past.kind != Kind::Task && lives => merged.unchanged += 1,
                None => {}
            }
        }
        let gone = if self.replace { self.gone(&kept) } else { Vec::new() };
        steps.extend(gone);
        for past in new {
            steps.extend(self.arriving(past, &taken)?);
        }
        let steps = self.connected(steps);
        for step in steps.iter().filter(|step| step.kind != Kind::Task) {
            match (step.lives, step.is_known) {
                (true, true) => merged.updated += 1,
                (true, false) => merged.added += 1,
                (false, true) => merged.removed += 1,
                (false, false) => {}
            }
        }
        // Versions keep their numbers where they come as they were, so the text is of the same one; others get a vector later.
        let new: FxHashSet<Id> = steps.iter().filter(|step| !step.is_known).map(|step| step.id).collect();
        let embeds = pasts.iter().flat_map(|past| {
            let (id, revision) = (self.ids.here(past.id), past.text_revision);
            let embeddings = if new.contains(&id) { self.embeddings(past) } else { Vec::new() };
            embeddings.into_iter().map(move |embedding| Embed { id, revision, embedding })
        });
        let embeds = embeds.collect();
        let ops = steps.into_iter().flat_map(|step| step.ops).enumerate();
        let ops: Ordered<(u64, usize), Op> =
            ops.map(|(place, (sequence, op))| ((sequence, place), op)).collect();
        let ops = ops.into_iter().map(|(_, op)| op).collect();
        Ok((Brought { sequence: self.into.sequence(), ops, embeds }, merged))
    }

    /// The records here that end, are renamed or are worded anew because they were there: their keys and words are free for others.
    fn releasing(&self, pasts: &[WholePast<'_>]) -> Result<FxHashSet<Id>> {
        let mut releasing = FxHashSet::default();
        for past in pasts {
            let id = self.ids.here(past.id);
            let Some(step) = self.known(past, id, &mut FxHashMap::default())? else { continue };
            let theirs = past.versions.last().and_then(|last| last.record);
            let key = theirs.and_then(|view| view.key).map(|key| self.ids.renamed(key));
            let is_given_up = |own: RecordView<'_>| {
                own.key != key.as_deref() || (past.kind == Kind::Fact && is_worded_anew(&own, theirs))
            };
            if !step.lives || self.into.get(self.target, id).is_some_and(is_given_up) {
                releasing.insert(id);
            }
        }
        Ok(releasing)
    }

    /// The vectors that the other memory has of a record.
    fn embeddings(&self, past: &WholePast<'_>) -> Vec<crate::Embedding> {
        let scope = self.from.scope_of_record(past.id);
        scope.map_or_else(Vec::new, |scope| self.from.embeddings(scope, past.id))
    }

    /// What becomes of a record that is known here, as `id`.
    fn known(
        &self,
        past: &WholePast<'_>,
        id: Id,
        taken: &mut FxHashMap<(Kind, String), Id>,
    ) -> Result<Option<Step>> {
        let (Some(own), Some(theirs)) = (self.into.past(id), past.versions.last()) else { return Ok(None) };
        let Some(mine) = own.versions.last() else { return Ok(None) };
        let step = |ops: Vec<(u64, Op)>, ends| Step {
            ops,
            id,
            kind: past.kind,
            is_known: true,
            ends,
            lives: theirs.record.is_some(),
        };
        if self.alike(theirs, mine)? {
            return Ok(None);
        }
        let is_twin = self.twins.contains_key(&past.id);
        let both = past.versions.iter().rposition(|version| self.same(version, mine).unwrap_or_default());
        if let Some(both) = both.filter(|_| !is_twin) {
            let later = past.versions.get(both + 1..).unwrap_or_default();
            return self
                .following(past, later, id, taken)
                .map(|found| found.map(|(ops, ends)| step(ops, ends)));
        }
        let is_behind = || own.versions.iter().any(|version| self.same(theirs, version).unwrap_or_default());
        if !self.replace && (theirs.at <= mine.at || (!is_twin && is_behind())) {
            return Ok(None);
        }
        let revision = mine.revision + 1;
        let (Some(view), Some(_)) = (theirs.record, theirs.bytes) else {
            // What is gone here too needs no end.
            let ends = mine.record.is_some().then(|| step(vec![(0, Op::Delete { id, revision })], None));
            return Ok(ends);
        };
        let record = self.ids.record(&view)?;
        let record = Record { id, revision, ..record };
        if let Some(key) = &record.key {
            // Somebody else has the key, or has it until later: this record stays as it is.
            let own = self.into.by_key(self.target, record.kind, key).map(|view| view.id);
            let taker = taken.get(&(record.kind, key.clone())).copied();
            if own.into_iter().chain(taker).any(|holder| holder != id) {
                return Ok(None);
            }
            taken.insert((record.kind, key.clone()), id);
        }
        let ends = ends_of(&record);
        Ok(Some(step(vec![(0, Op::put(&record))], ends)))
    }

    /// The versions of a record after the last one that both have; `None` when one of them takes a key that another has.
    fn following(
        &self,
        past: &WholePast<'_>,
        later: &[PastVersion<'_>],
        id: Id,
        taken: &FxHashMap<(Kind, String), Id>,
    ) -> Result<Option<Versions>> {
        let mut ops = Vec::new();
        let mut ends = None;
        for version in later {
            let (Some(view), Some(bytes)) = (version.record, version.bytes) else {
                ops.push((version.sequence, Op::Delete { id, revision: version.revision }));
                continue;
            };
            if let Some(key) = view.key
                && self.holder(past.kind, &self.ids.renamed(key), taken).is_some_and(|holder| holder != id)
            {
                return Ok(None);
            }
            ends = ends_of(&self.ids.record(&view)?);
            ops.push((version.sequence, self.ids.put(&view, bytes, version.revision)?));
        }
        Ok(Some((ops, ends)))
    }

    /// What becomes of a record that is not known here: it comes as it was, unless it has ended. Where an earlier version had a key
    /// that another record has here, only the last one comes.
    fn arriving(&self, past: &WholePast<'_>, taken: &FxHashMap<(Kind, String), Id>) -> Result<Option<Step>> {
        let id = self.ids.here(past.id);
        let Some(last) = past.versions.last().filter(|last| last.record.is_some()) else { return Ok(None) };
        let found = match self.following(past, &past.versions, id, taken)? {
            Some(found) => Some(found),
            None => self.following(past, std::slice::from_ref(last), id, taken)?,
        };
        Ok(found.map(|(ops, ends)| Step { ops, id, kind: past.kind, is_known: false, ends, lives: true }))
    }

    /// The ends of the records here that the other memory does not have.
    fn gone(&self, kept: &Ordered<Id, ()>) -> Vec<Step> {
        let views = Kind::ALL.into_iter().flat_map(|kind| self.into.records(self.target, kind));
        let gone = views.filter(|view| !kept.contains(&view.id));
        let gone = gone.map(|view| {
            let (id, revision) = (view.id, view.revision + 1);
            let ops = vec![(0, Op::Delete { id, revision })];
            Step { ops, id, kind: view.kind, is_known: true, ends: None, lives: false }
        });
        // What the file ended has its step already.
        gone.collect()
    }

    /// The steps without relations whose ends are not there afterwards, and with the ends of those that lose one.
    fn connected(&self, mut steps: Vec<Step>) -> Vec<Step> {
        let mut seen: FxHashMap<Id, bool> = FxHashMap::default();
        steps.retain(|step| seen.insert(step.id, step.lives).is_none());
        let lives = |seen: &FxHashMap<Id, bool>, id: &Id| {
            seen.get(id).copied().unwrap_or_else(|| self.into.get(self.target, *id).is_some())
        };
        steps.retain(|step| step.ends.is_none_or(|(from, to)| lives(&seen, &from) && lives(&seen, &to)));
        let ended: Vec<Id> = steps
            .iter()
            .filter(|step| step.kind == Kind::Entity && !step.lives)
            .map(|step| step.id)
            .collect();
        let own: Ordered<Id, ()> = steps.iter().map(|step| (step.id, ())).collect();
        let relations = self.into.relations_of(self.target, &ended, None).into_iter();
        let lost = relations.filter_map(|document| self.into.view(document));
        let lost: Vec<Step> = lost
            .filter(|view| !own.contains(&view.id))
            .map(|view| {
                let (id, revision) = (view.id, view.revision + 1);
                // After whatever the relation's ends go through.
                let ops = vec![(u64::MAX, Op::Delete { id, revision })];
                Step { ops, id, kind: view.kind, is_known: true, ends: None, lives: false }
            })
            .collect();
        steps.extend(lost);
        steps
    }

    /// The record that has a key here when others come.
    fn holder(&self, kind: Kind, key: &str, taken: &FxHashMap<(Kind, String), Id>) -> Option<Id> {
        let taken = taken.get(&(kind, key.to_owned())).copied();
        taken.or_else(|| {
            let holder = self.into.by_key(self.target, kind, key).map(|view| view.id);
            holder.filter(|holder| !self.ids.releasing.contains(holder))
        })
    }

    /// Whether a version there is the very one that is here.
    fn same(&self, theirs: &PastVersion<'_>, mine: &PastVersion<'_>) -> Result<bool> {
        Ok(theirs.revision == mine.revision && self.alike(theirs, mine)?)
    }

    /// Whether two versions say the same.
    fn alike(&self, theirs: &PastVersion<'_>, mine: &PastVersion<'_>) -> Result<bool> {
        let (Some(one), Some(other)) = (theirs.record, mine.record) else {
            return Ok(theirs.record.is_none() && mine.record.is_none());
        };
        if self.ids.other.is_empty() && theirs.bytes == mine.bytes {
            return Ok(true);
        }
        let one = self.ids.record(&one)?;
        let other = other.to_record(self.target)?;
        let (id, revision, created_at) = (other.id, other.revision, other.created_at);
        Ok(Record { id, revision, created_at, ..one } == other)
    }
}

/// The ends of a record that is a relation.
fn ends_of(record: &Record) -> Option<(Id, Id)> {
    let key = record.key.as_deref().filter(|_| record.kind == Kind::Relation)?;
    relation_ends(key)
}

/// Whether a fact no longer says what it said.
fn is_worded_anew(own: &RecordView<'_>, theirs: Option<RecordView<'_>>) -> bool {
    own.text.map(wording) != theirs.and_then(|view| view.text).map(wording)
}
