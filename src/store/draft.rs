//! Drafts: what somebody wants changed, and what they based it on.

use super::graph::relation_ends;
use super::state::Store;
use crate::embedding::Embedding;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::{Cause, Commit, Embed, Op};
use crate::ordered::Ordered;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::time::Timestamp;

/// The most bytes one commit may have without its vectors, but for one that takes another back.
pub const MAX_COMMIT_BYTES: usize = 24 * 1024 * 1024;

/// What a change was based on; when it no longer holds, the whole draft fails with `Conflict`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// Nothing: the last writer wins.
    Any,
    /// That there is no living record with this id.
    Absent,
    /// That the living record has this revision.
    Revision(u32),
}

/// One wanted change.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Store a record as given; revision, `created_at` and `updated_at` are set by the store.
    Put {
        /// The record.
        record: Box<Record>,
        /// What it was based on.
        expect: Expect,
        /// The vectors of the parts of its text, if they are there already.
        embeddings: Vec<Embedding>,
    },
    /// End a record.
    Delete {
        /// Which.
        id: Id,
        /// What it was based on.
        expect: Expect,
    },
    /// Attach a vector to a text, or to a further part of it right behind that of another; left out quietly when the text has
    /// changed or gone since.
    Embed(Embed),
    /// Say that a record was recalled or found; left out quietly when it has gone since.
    Touch {
        /// Which.
        id: Id,
        /// When.
        time: Timestamp,
    },
}

impl Change {
    /// The record it is about.
    pub(crate) fn id(&self) -> Id {
        match self {
            Self::Put { record, .. } => record.id,
            Self::Delete { id, .. } | Self::Touch { id, .. } => *id,
            Self::Embed(embed) => embed.id,
        }
    }
}

/// One atomic change of one scope's memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Whose memory.
    pub scope: Scope,
    /// Why.
    pub cause: Cause,
    /// What; each record at most once.
    pub changes: Vec<Change>,
    /// Records that must still be there, though they are not changed; when one is not, the whole draft fails with
    /// `Conflict`.
    pub needs: Vec<Id>,
    /// Records that must still have these revisions, though they are not changed; when one has not, the whole draft fails with
    /// `Conflict`.
    pub reads: Vec<(Id, u32)>,
    /// Records that it changes although what it rests on is trusted less; whoever drafts it says so, and nothing here heeds it.
    pub doubted: Vec<Id>,
    /// Words that nobody else may have said meanwhile.
    pub claims: Vec<Claim>,
    /// Records of which nothing stays but what they are after this write: one that it puts keeps that revision alone; one that
    /// it deletes, or that had ended before, vanishes with all its revisions, and no byte of it stays stored.
    pub erase: Vec<Id>,
    /// What comes from elsewhere as it is; nothing else may stand beside it in the draft.
    pub brought: Option<Brought>,
    /// Whether the scope itself is to vanish from what is stored; all its records must be erased too.
    pub erase_scope: bool,
    /// The last commit that what it says was read from. When something of the scope was forgotten since, the whole draft fails
    /// with `Conflict`, so that it cannot bring that back.
    pub since: Option<u64>,
}

/// Operations that were put together on one state of the store, and hold for no other: when anything was committed since, the
/// whole draft fails with `Conflict`.
#[derive(Debug, Clone, PartialEq)]
pub struct Brought {
    /// The last commit of that state.
    pub sequence: u64,
    /// What is to be done, in order; a record can be made more than once.
    pub ops: Vec<Op>,
    /// The vectors of texts.
    pub embeds: Vec<Embed>,
}

/// Words that no record had, as far as it matters, when a draft was made. When a record that may have them was written since,
/// the whole draft fails with `Conflict`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Among which records.
    pub kind: Kind,
    /// The words, spelled alike wherever they are alike.
    pub words: String,
    /// The last commit that was seen.
    pub sequence: u64,
}

impl Draft {
    /// An empty draft.
    #[must_use]
    pub fn new(scope: &Scope, cause: Cause) -> Self {
        Self {
            scope: scope.clone(),
            cause,
            changes: Vec::new(),
            needs: Vec::new(),
            reads: Vec::new(),
            doubted: Vec::new(),
            claims: Vec::new(),
            brought: None,
            erase: Vec::new(),
            erase_scope: false,
            since: None,
        }
    }

    /// Adds a record to store.
    pub fn put(&mut self, record: Record, expect: Expect, embedding: Option<Embedding>) {
        let embeddings = embedding.into_iter().collect();
        self.changes.push(Change::Put { record: Box::new(record), expect, embeddings });
    }

    /// Adds a record to end.
    pub fn delete(&mut self, id: Id, expect: Expect) {
        self.changes.push(Change::Delete { id, expect });
    }

    /// Claims words that no record has by now.
    pub fn claim(&mut self, store: &Store, kind: Kind, words: String) {
        self.claims.push(Claim { kind, words, sequence: store.sequence() });
    }

    /// The records it cannot do without: those it names, and the ends of the relations that it brings.
    pub(crate) fn needed(&self) -> impl Iterator<Item = Id> + '_ {
        let ends = self.changes.iter().filter_map(|change| match change {
            Change::Put { record, expect: Expect::Absent, .. } if record.kind == Kind::Relation => {
                relation_ends(record.key.as_deref()?)
            }
            _ => None,
        });
        let read = self.reads.iter().map(|(id, _)| *id);
        self.needs.iter().copied().chain(read).chain(ends.flat_map(|(from, to)| [from, to]))
    }

    /// The ids it touches.
    pub(crate) fn ids(&self) -> impl Iterator<Item = Id> + '_ {
        self.changes.iter().map(Change::id)
    }

    /// The vectors it brings, with the kinds of their records; `None` when a record is not there.
    fn embeddings<'a>(&'a self, store: &'a Store) -> impl Iterator<Item = (Option<Kind>, &'a Embedding)> {
        self.changes.iter().flat_map(move |change| {
            let (kind, embeddings) = match change {
                Change::Put { record, embeddings, .. } => (Some(record.kind), embeddings.as_slice()),
                Change::Embed(embed) => {
                    let kind = store.get(&self.scope, embed.id).map(|view| view.kind);
                    (kind, std::slice::from_ref(&embed.embedding))
                }
                Change::Delete { .. } | Change::Touch { .. } => (None, &[][..]),
            };
            embeddings.iter().map(move |embedding| (kind, embedding))
        })
    }

    /// The keys it takes.
    pub(crate) fn keys(&self) -> impl Iterator<Item = (Kind, &str)> + '_ {
        self.changes.iter().filter_map(|change| match change {
            Change::Put { record, .. } => record.key.as_deref().map(|key| (record.kind, key)),
            _ => None,
        })
    }
}

impl Store {
    /// Turns a draft into the next commit, if everything it was based on still holds. Changes nothing. An entity that ends
    /// takes its relations with it.
    ///
    /// # Errors
    /// `Conflict` when an expectation does not hold, a key is taken or an end of a new relation is missing, `NotFound` when a
    /// record to delete is not there, `InvalidInput` when a record would change its kind or a record or the whole is over its limit, `Embedder` when a
    /// vector is none or of another dimension than the others.
    pub fn prepare(&self, draft: &Draft, sequence: u64, id: Id, time: Timestamp) -> Result<Commit> {
        let cuts = self.erasure(draft)?;
        let vanishes = |id: &Id| cuts.cut(self, *id).is_some_and(|cut| cut.vanishes);
        let mut commit = Commit {
            sequence,
            id,
            time,
            cause: draft.cause,
            scope: Some(draft.scope.clone()).filter(|_| !draft.erase_scope),
            ops: Vec::with_capacity(draft.changes.len()),
            embeds: Vec::new(),
        };
        if draft.since.is_some_and(|since| self.forgot_since(&draft.scope, since)) {
            return Err(Error::new(
                Code::Conflict,
                "something was forgotten meanwhile; read again and retry",
            ));
        }
        if let Some(brought) = &draft.brought {
            if brought.sequence + 1 != sequence {
                let message = "something was written while this was put together; try again";
                return Err(Error::new(Code::Conflict, message));
            }
            commit.ops.clone_from(&brought.ops);
            commit.embeds.clone_from(&brought.embeds);
            return Ok(commit);
        }
        let mut touched = Ordered::new();
        let mut claimed = Ordered::new();
        // Whose vector came last: another one right behind it is of a further part of its text.
        let mut embedded = None;
        // Who gives up a key, so that another may have it in the same write.
        let released: Ordered<Id, ()> = draft
            .changes
            .iter()
            .filter_map(|change| match change {
                Change::Delete { id, .. } => Some((*id, ())),
                Change::Put { record, .. } => {
                    let current = self.get(&draft.scope, record.id)?;
                    (current.key != record.key.as_deref()).then_some((record.id, ()))
                }
                Change::Embed(_) | Change::Touch { .. } => None,
            })
            .collect();
        for change in &draft.changes {
            let id = change.id();
            let lives = match change {
                Change::Put { .. } => Some(true),
                Change::Delete { .. } => Some(false),
                Change::Embed(_) | Change::Touch { .. } => None,
            };
            let is_further = matches!(change, Change::Embed(_)) && embedded == Some(id);
            embedded = matches!(change, Change::Embed(_)).then_some(id);
            if touched.insert(id, lives).is_some() && !is_further {
                return Err(Error::new(Code::Internal, format!("a draft changes {id} twice")));
            }
            match change {
                Change::Put { record, expect, embeddings } => {
                    let is_erased = cuts.cut(self, record.id).is_some();
                    self.prepare_put(&mut commit, &draft.scope, (record, is_erased), *expect, embeddings)?;
                    if let Some(key) = &record.key {
                        self.check_key(draft, record, key, &released)?;
                        if claimed.insert((record.kind, key.as_str()), ()).is_some() {
                            return Err(Error::new(
                                Code::InvalidInput,
                                format!("the key {key:?} stands twice in one write"),
                            ));
                        }
                    }
                }
                Change::Delete { id, expect } => {
                    let revision = self.check(&draft.scope, *id, None, *expect)?;
                    if self.revision_of(&draft.scope, *id).is_none() {
                        return Err(not_found(*id));
                    }
                    // Of what is erased not even its end is told.
                    if !vanishes(id) {
                        commit.ops.push(Op::Delete { id: *id, revision: revision + 1 });
                    }
                }
                Change::Embed(Embed { id, .. }) | Change::Touch { id, .. } if vanishes(id) => {}
                Change::Embed(embed) => {
                    if self.text_revision(&draft.scope, embed.id) == Some(embed.revision) {
                        commit.embeds.push(embed.clone());
                    }
                }
                Change::Touch { id, time } => {
                    if self.get(&draft.scope, *id).is_some() {
                        commit.ops.push(Op::Touch { id: *id, time: *time });
                    }
                }
            }
        }
        for (id, revision) in self.gone_with(draft).into_iter().filter(|(id, _)| !vanishes(id)) {
            commit.ops.push(Op::Delete { id, revision: revision + 1 });
        }
        for (kind, count) in self.vanishing(&cuts) {
            commit.ops.push(Op::Forgot { kind, count });
        }
        let lives = |id: &Id| {
            touched.get(id).copied().flatten().unwrap_or_else(|| self.get(&draft.scope, *id).is_some())
        };
        if let Some(id) = draft.needed().find(|id| !lives(id)) {
            return Err(Error::new(
                Code::Conflict,
                format!("{id}, which this needs, was deleted meanwhile; read again and retry"),
            )
            .with("id", id.to_string()));
        }
        for (id, revision) in &draft.reads {
            self.check(&draft.scope, *id, None, Expect::Revision(*revision))?;
        }
        self.check_claims(draft)?;
        self.check_embeds(draft)?;
        let bytes: usize = commit.ops.iter().map(Op::size).sum();
        // What one commit ended comes back in one, however much it was.
        if bytes > MAX_COMMIT_BYTES && draft.cause != Cause::Undo {
            return Err(Error::new(
                Code::InvalidInput,
                format!("one write of {bytes} bytes is over the limit of {MAX_COMMIT_BYTES}; split it into several calls"),
            )
            .with("bytes", bytes)
            .with("limit", MAX_COMMIT_BYTES));
        }
        Ok(commit)
    }

    fn prepare_put(
        &self,
        commit: &mut Commit,
        scope: &Scope,
        (record, is_erased): (&Record, bool),
        expect: Expect,
        embeddings: &[Embedding],
    ) -> Result<()> {
        let last = self.check(scope, record.id, Some(record.kind), expect)?;
        let current = self.get(scope, record.id);
        let mut record = record.clone();
        record.revision = last + 1;
        // What comes back was first stored when it was.
        let first = if commit.cause == Cause::Undo { record.created_at } else { commit.time };
        record.created_at = current.map_or(first, |current| current.created_at);
        record.updated_at = commit.time;
        if record.text.is_some() && !embeddings.is_empty() {
            // Of what is erased the new text is the first.
            let keeps_text =
                !is_erased && current.is_some_and(|current| current.text == record.text.as_deref());
            let kept = keeps_text.then(|| self.text_revision(scope, record.id)).flatten();
            let revision = kept.unwrap_or(record.revision);
            let embed =
                |embedding: &Embedding| Embed { id: record.id, revision, embedding: embedding.clone() };
            commit.embeds.extend(embeddings.iter().map(embed));
        }
        let op = Op::put(&record);
        record.check_size(op.size())?;
        commit.ops.push(op);
        Ok(())
    }

    /// The last revision number of a record (0 for a new one), if the expectation holds.
    fn check(&self, scope: &Scope, id: Id, kind: Option<Kind>, expect: Expect) -> Result<u32> {
        let Some(slot) = self.documents.get(id.bytes()).and_then(|document| self.slot(document)) else {
            return match expect {
                Expect::Revision(_) => Err(not_found(id)),
                Expect::Any | Expect::Absent => Ok(0),
            };
        };
        if self.scope(slot.scope) != Some(scope) {
            return Err(not_found(id));
        }
        if let Some(kind) = kind.filter(|kind| *kind != slot.kind) {
            let name = |kind: Kind| format!("{kind:?}").to_ascii_lowercase();
            let message = format!(
                "{id} is of kind {} and cannot become {}; store that under a new id",
                name(slot.kind),
                name(kind)
            );
            return Err(Error::new(Code::InvalidInput, message));
        }
        let (last, lives) =
            slot.latest().map_or((0, false), |version| (version.revision, version.place().is_some()));
        match expect {
            Expect::Any => Ok(last),
            Expect::Absent if !lives => Ok(last),
            Expect::Revision(revision) if lives && revision == last => Ok(last),
            Expect::Revision(_) if !lives => {
                Err(Error::new(Code::Conflict, format!("{id} was deleted meanwhile; read again and retry")))
            }
            _ => Err(Error::new(
                Code::Conflict,
                format!("{id} is at revision {last} now; read it again and retry"),
            )
            .with("id", id.to_string())
            .with("revision", last)),
        }
    }

    fn check_key(&self, draft: &Draft, record: &Record, key: &str, released: &Ordered<Id, ()>) -> Result<()> {
        match self.by_key(&draft.scope, record.kind, key) {
            Some(holder) if holder.id != record.id && !released.contains(&holder.id) => Err(Error::new(
                Code::Conflict,
                format!("the key {key:?} now belongs to {}; read it again and retry", holder.id),
            )
            .with("id", holder.id.to_string())),
            _ => Ok(()),
        }
    }

    /// Checks that no record that may have claimed words was written since they were claimed.
    fn check_claims(&self, draft: &Draft) -> Result<()> {
        // Mostly nothing at all was written since.
        for claim in draft.claims.iter().filter(|claim| claim.sequence < self.sequence()) {
            let since = |id: Id| {
                let slot = self.documents.get(id.bytes()).and_then(|document| self.slot(document));
                slot.and_then(|slot| slot.latest()).is_some_and(|latest| latest.sequence() > claim.sequence)
            };
            let mut others = self.perhaps_same(&draft.scope, claim.kind, &claim.words);
            if let Some(view) = others.find(|view| since(view.id)) {
                return Err(Error::new(
                    Code::Conflict,
                    format!("{} may say the same now; read again and retry", view.id),
                )
                .with("id", view.id.to_string()));
            }
        }
        Ok(())
    }

    /// The relations that go with the entities that a draft ends, apart from those it changes itself, and their revisions.
    pub(crate) fn gone_with(&self, draft: &Draft) -> Vec<(Id, u32)> {
        let is_entity = |id: &Id| self.kind_of(&draft.scope, *id) == Some(Kind::Entity);
        let ended = draft.changes.iter().filter_map(|change| match change {
            Change::Delete { id, .. } => Some(*id).filter(is_entity),
            _ => None,
        });
        let entities: Vec<Id> = ended.collect();
        if entities.is_empty() {
            return Vec::new();
        }
        let own: Ordered<Id, ()> = draft.ids().map(|id| (id, ())).collect();
        let relations = self.relations_of(&draft.scope, &entities, None).into_iter();
        let relations = relations.filter_map(|document| self.view(document));
        relations.filter(|view| !own.contains(&view.id)).map(|view| (view.id, view.revision)).collect()
    }

    /// Checks that vectors are what the index takes, so that no commit is stored whose vectors are left out.
    fn check_embeds(&self, draft: &Draft) -> Result<()> {
        let mut first: Option<&Embedding> = None;
        for (kind, embedding) in draft.embeddings(self) {
            embedding.check()?;
            if embedding.embedder != self.embedder {
                continue;
            }
            let first = first.get_or_insert(embedding).dimensions();
            let stored =
                kind.and_then(|kind| self.collection(&draft.scope, kind)?.dimensions()).unwrap_or(first);
            if embedding.dimensions() != first || first != stored {
                return Err(Error::new(
                    Code::Embedder,
                    format!(
                        "a vector of {:?} has {} dimensions where others have {}; give each embedder an id of its own",
                        self.embedder,
                        embedding.dimensions(),
                        if first == stored { first } else { stored }
                    ),
                ));
            }
        }
        Ok(())
    }

    /// The revision in which a living record's text became what it is.
    fn text_revision(&self, scope: &Scope, id: Id) -> Option<u32> {
        let view = self.get(scope, id)?;
        view.text?;
        self.slot(self.documents.get(id.bytes())?).map(|slot| slot.text_revision())
    }
}

fn not_found(id: Id) -> Error {
    Error::new(Code::NotFound, format!("{id} is not in this memory; list what is there"))
        .with("id", id.to_string())
}
