//! Changes: plans over the store, carried out as commits.

use crate::database::{Committed, Database};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::{Cause, RecordView};
use crate::memory::action::{Action, Twin};
use crate::memory::guard::{Guard, Masked};
use crate::memory::models::Models;
use crate::memory::source::Origin;
use crate::ports::{Loaded, Pending, Systems};
use crate::record::{Kind, Record, parts};
use crate::scope::Scope;
use crate::store::{Change, Draft, Expect, Store};
use crate::time::Timestamp;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// How often a change is planned anew. Each failure means that another change succeeded.
const RETRIES: usize = 100;
/// How often a model is asked about the same.
const ATTEMPTS: usize = 3;

/// Drafts what is to be done from what the store holds. It waits for nothing, and may be asked again.
pub(crate) type Plan<'a> = dyn FnMut(&mut Planning<'_>) -> Result<()> + 'a;

/// Finds the record that is meant.
pub(crate) type Find<'a> = dyn Fn(&Planning<'_>) -> Result<(Id, u32)> + 'a;

/// What a plan reads, and what it has drafted so far.
pub(crate) struct Planning<'a> {
    /// What there is.
    pub(crate) store: &'a Store,
    /// Milliseconds since 1970 UTC.
    pub(crate) now: Timestamp,
    /// What is to be done.
    pub(crate) draft: Draft,
    /// Records that needed no change; listed after those that changed.
    pub(crate) unchanged: Vec<Action>,
    database: &'a Database,
}

impl Planning<'_> {
    /// Whose memory it is.
    pub(crate) fn scope(&self) -> &Scope {
        &self.draft.scope
    }

    /// Who says what is planned.
    pub(crate) fn author(&self) -> Origin {
        author(self.database)
    }

    /// An id for what is new.
    pub(crate) fn new_id(&self) -> Id {
        self.database.new_id()
    }

    /// Says that a record is that way already.
    pub(crate) fn keep(&mut self, id: Id, kind: Kind, revision: u32) {
        self.unchanged.push(Action::unchanged(id, kind, revision));
    }

    /// Stores a new record.
    pub(crate) fn create(&mut self, record: Record) {
        self.draft.put(record, Expect::Absent, None);
    }

    /// Stores a record in place of what it was, unless it is the same.
    pub(crate) fn replace(&mut self, before: &Record, record: Record) {
        if record == *before {
            self.keep(before.id, before.kind, before.revision);
        } else {
            self.draft.put(record, Expect::Revision(before.revision), None);
        }
    }

    /// Ends a record.
    pub(crate) fn end(&mut self, view: &RecordView<'_>) {
        self.draft.delete(view.id, Expect::Revision(view.revision));
    }
}

/// What was planned.
struct Planned {
    screened: Screened,
    unchanged: Vec<Action>,
    /// What the draft changes beyond the plan.
    added: FxHashSet<Id>,
    followed: FxHashMap<Id, Followed>,
}

/// What a change did.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// The commit; none when there was nothing to do.
    pub(crate) commit_id: Option<Id>,
    /// When it was made; 0 without one.
    pub(crate) at: Timestamp,
    /// What it did to records, then what was that way already.
    pub(crate) actions: Vec<Action>,
}

/// A draft that may be written.
struct Screened {
    draft: Draft,
    masked: Masked,
}

/// What followed from letting go of one record.
#[derive(Debug, Default)]
pub(crate) struct Followed {
    /// The messages of which words are withheld since.
    pub(crate) withheld: Vec<Id>,
    /// What was learned from the same words and says the same.
    pub(crate) twins: Vec<Twin>,
}

/// What follows when somebody deletes or rewords what was learned.
pub(crate) trait Follow {
    /// Adds it to a plan; the answer is what followed, by the record it followed from.
    fn follow(
        &self,
        systems: Loaded<Systems>,
        planning: &mut Planning<'_>,
    ) -> Result<FxHashMap<Id, Followed>>;
}

/// Carries out plans. Clones change the same memory.
///
/// Boxed and never generic: the code of all that waits here exists once, whoever calls it.
#[derive(Clone)]
pub(crate) struct Changes {
    database: Database,
    models: Rc<Models>,
    /// The last commit that was known to who says what is changed, where that is not whoever plans it.
    since: Option<u64>,
    follow: Option<Rc<dyn Follow>>,
}

impl Changes {
    pub(crate) fn new(database: &Database, models: &Rc<Models>) -> Self {
        Self { database: database.clone(), models: models.clone(), since: None, follow: None }
    }

    /// The same for what somebody says who knew the memory up to a commit, such as a model that was asked then: once something
    /// of the scope is forgotten, it is refused with `Conflict`.
    #[must_use]
    pub(crate) fn since(&self, sequence: u64) -> Self {
        Self { since: Some(sequence), ..self.clone() }
    }

    /// The same, where letting go has consequences.
    #[must_use]
    pub(crate) fn followed(self, follow: Rc<dyn Follow>) -> Self {
        Self { follow: Some(follow), ..self }
    }

    /// Adds to a plan what follows from letting go of what it ends; nothing where that has no consequences.
    ///
    /// # Errors
    /// Those of reading.
    pub(crate) fn follow(&self, systems: Loaded<Systems>, planning: &mut Planning<'_>) -> Result<()> {
        self.follow.as_ref().map_or(Ok(()), |follow| follow.follow(systems, planning).map(|_| ()))
    }

    /// The same for tools that a model calls: what is changed through them is not the user's own doing.
    #[must_use]
    pub(crate) fn for_tools(&self) -> Self {
        Self { database: self.database.for_tools(), ..self.clone() }
    }

    /// Who says what is changed.
    pub(crate) fn author(&self) -> Origin {
        author(&self.database)
    }

    /// What holds for everything that is stored.
    pub(crate) fn guard(&self) -> &Guard {
        &self.models.guard
    }

    /// Commits what a plan drafts; when that conflicts with what was committed meanwhile, it is planned anew. A conflict that
    /// the plan itself finds stays one: it is asked again only for a store that has changed.
    ///
    /// # Errors
    /// Those of the plan and of storing; `Conflict` when others were faster every time.
    pub(crate) fn run<'a>(
        &'a self,
        scope: &'a Scope,
        cause: Cause,
        plan: &'a mut Plan<'_>,
    ) -> Pending<'a, Result<Outcome>> {
        self.run_until(scope, cause, None, plan)
    }

    /// The same for a plan by which the user lets go of what was learned: it deletes it or words it anew. Unless the sources are
    /// kept, their words are withheld in the same commit. Told is what became of the plan's own records.
    ///
    /// # Errors
    /// As [`run`](Self::run), and those of loading.
    pub(crate) fn let_go<'a>(
        &'a self,
        scope: &'a Scope,
        keep_source: bool,
        plan: &'a mut Plan<'_>,
    ) -> Pending<'a, Result<Outcome>> {
        Box::pin(async move {
            let follow = self.follow.as_deref().filter(|_| !keep_source);
            let follow = match follow {
                Some(follow) => Some((Loaded::by(&*self.database.platform()).await?, follow)),
                None => None,
            };
            self.run_until(scope, Cause::User, follow, plan).await
        })
    }

    /// The same for a plan about one record, which it drafts last.
    ///
    /// # Errors
    /// As [`let_go`](Self::let_go).
    pub(crate) fn let_go_of_one<'a>(
        &'a self,
        scope: &'a Scope,
        keep_source: bool,
        plan: &'a mut Plan<'_>,
    ) -> Pending<'a, Result<Action>> {
        Box::pin(async move { self.let_go(scope, keep_source, plan).await?.actions.pop().ok_or_else(silent) })
    }

    fn run_until<'a>(
        &'a self,
        scope: &'a Scope,
        cause: Cause,
        follow: Option<(Loaded<Systems>, &'a dyn Follow)>,
        plan: &'a mut Plan<'_>,
    ) -> Pending<'a, Result<Outcome>> {
        Box::pin(async move {
            self.database.check_writable()?;
            let queued = self.database.queued();
            let mut tries = RETRIES;
            loop {
                tries -= 1;
                let planned = self.plan(scope, cause, follow, plan);
                // That there is nothing to do, or no way to do it, holds only behind what was called before.
                let is_final =
                    planned.as_ref().is_ok_and(|planned| !planned.screened.draft.changes.is_empty());
                if !is_final && tries > 0 && self.database.answered(queued).await {
                    continue;
                }
                let Planned { screened, unchanged, added, mut followed } = planned?;
                match self.write(screened).await {
                    Err(error) if error.code == Code::Conflict && tries > 0 && !self.is_late(scope)? => {}
                    Err(error) => return Err(error),
                    Ok(mut outcome) => {
                        outcome.actions.retain(|action| !added.contains(&action.id));
                        for action in &mut outcome.actions {
                            let Followed { withheld, twins } =
                                followed.remove(&action.id).unwrap_or_default();
                            (action.withheld, action.twins) = (withheld, twins);
                        }
                        outcome.actions.extend(unchanged);
                        return Ok(outcome);
                    }
                }
            }
        })
    }

    /// The same for a plan about one record, which it drafts last.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub(crate) fn one<'a>(
        &'a self,
        scope: &'a Scope,
        cause: Cause,
        plan: &'a mut Plan<'_>,
    ) -> Pending<'a, Result<Action>> {
        Box::pin(async move { self.run(scope, cause, plan).await?.actions.pop().ok_or_else(silent) })
    }

    /// Ends the record that `find` names, as the user says, and lets go of it.
    ///
    /// # Errors
    /// Those of `find`, and as [`let_go`](Self::let_go).
    pub(crate) fn end<'a>(
        &'a self,
        scope: &'a Scope,
        keep_source: bool,
        find: &'a Find<'_>,
    ) -> Pending<'a, Result<Action>> {
        Box::pin(async move {
            let mut ended = None;
            let plan = &mut |planning: &mut Planning<'_>| {
                let (id, revision) = find(planning)?;
                ended = Some(id);
                planning.draft.delete(id, Expect::Revision(revision));
                Ok(())
            };
            let actions = self.let_go(scope, keep_source, plan).await?.actions;
            actions.into_iter().find(|action| Some(action.id) == ended).ok_or_else(silent)
        })
    }

    /// Commits a draft as it is, with the vectors that take no waiting; one that would change nothing is not written. For what a
    /// model or another embedder was asked about: whether to ask again is the caller's to say.
    ///
    /// # Errors
    /// Those of storing; `Conflict` when what the draft was based on no longer holds.
    pub(crate) fn commit(&self, draft: Draft) -> Pending<'_, Result<Outcome>> {
        Box::pin(async move {
            self.database.check_writable()?;
            let screened = self.database.read(|store| self.screen(store, draft))?;
            self.write(screened).await
        })
    }

    /// Carries out a plan for what it reads, and commits nothing.
    ///
    /// # Errors
    /// Those of the plan.
    pub(crate) fn look(&self, scope: &Scope, plan: &mut Plan<'_>) -> Result<()> {
        self.plan(scope, Cause::User, None, plan).map(|_| ())
    }

    fn plan(
        &self,
        scope: &Scope,
        cause: Cause,
        follow: Option<(Loaded<Systems>, &dyn Follow)>,
        plan: &mut Plan<'_>,
    ) -> Result<Planned> {
        let now = self.database.now();
        self.database.read(|store| {
            let mut draft = Draft::new(scope, cause);
            draft.since = Some(self.since.unwrap_or_else(|| store.sequence()));
            let mut planning =
                Planning { store, now, draft, unchanged: Vec::new(), database: &self.database };
            plan(&mut planning)?;
            let (mut added, mut followed) = (FxHashSet::default(), FxHashMap::default());
            if let Some((systems, follow)) = follow {
                let own: FxHashSet<Id> = planning.draft.ids().collect();
                followed = follow.follow(systems, &mut planning)?;
                added = planning.draft.ids().filter(|id| !own.contains(id)).collect();
            }
            if self.database.is_for_tools() {
                refuse_pinned(store, &planning.draft)?;
            }
            let screened = self.screen(store, planning.draft)?;
            Ok(Planned { screened, unchanged: planning.unchanged, added, followed })
        })
    }

    /// Takes the secrets out of a draft, and gives its texts their vectors.
    fn screen(&self, store: &Store, mut draft: Draft) -> Result<Screened> {
        let masked = self.models.guard.draft(&mut draft, self.database.is_for_tools())?;
        self.embed(store, &mut draft);
        Ok(Screened { draft, masked })
    }

    /// Gives texts that are new their vectors, if that takes no waiting. A text that stays keeps the vector it has.
    fn embed(&self, store: &Store, draft: &mut Draft) {
        for change in &mut draft.changes {
            if let Change::Put { record, embeddings, .. } = change
                && embeddings.is_empty()
                && let Some(text) = record.text.as_deref()
                && store.get(&record.scope, record.id).is_none_or(|view| view.text != Some(text))
            {
                let texts = parts(record.kind, text).into_iter();
                *embeddings = texts.filter_map(|text| self.models.embed_at_once(text)).collect();
            }
        }
    }

    /// Whether something was forgotten that is said from what was known before.
    fn is_late(&self, scope: &Scope) -> Result<bool> {
        self.database.read(|store| Ok(self.since.is_some_and(|since| store.forgot_since(scope, since))))
    }

    async fn write(&self, Screened { draft, masked }: Screened) -> Result<Outcome> {
        if draft.changes.is_empty() && draft.erase.is_empty() && !draft.erase_scope && draft.brought.is_none()
        {
            return Ok(Outcome::default());
        }
        let committed: Committed = self.database.commit(draft).await?;
        let mut actions = Action::all(&committed);
        for action in actions.iter_mut().filter(|_| !masked.is_empty()) {
            let own = masked.iter().find(|(id, _)| *id == action.id);
            action.masked = own.map(|(_, secrets)| *secrets).unwrap_or_default();
        }
        let (commit_id, at) = (Some(committed.commit_id), committed.at);
        Ok(Outcome { commit_id, at, actions })
    }
}

/// Does again what a model or an embedder is asked for in between, when what that was based on changed meanwhile: when the change
/// fails with one of `stale`.
///
/// # Errors
/// Those of the attempts; `Conflict` when all of them were too late.
pub(crate) async fn anew<'a, T>(
    what: &str,
    stale: &[Code],
    attempt: &mut dyn FnMut() -> Pending<'a, Result<T>>,
) -> Result<T> {
    for _ in 0..ATTEMPTS {
        match attempt().await {
            Err(error) if stale.contains(&error.code) => {}
            outcome => return outcome,
        }
    }
    Err(Error::new(Code::Conflict, format!("{what} {ATTEMPTS} times; try again later")))
}

fn author(database: &Database) -> Origin {
    if database.is_for_tools() { Origin::Model } else { Origin::User }
}

/// Refuses to change what the user pinned, also when the pin came while a model's call was under way.
fn refuse_pinned(store: &Store, draft: &Draft) -> Result<()> {
    let pinned = draft.ids().filter_map(|id| store.get(&draft.scope, id)).find(|view| view.pinned);
    pinned.map_or(Ok(()), |view| {
        let name = view.key.filter(|_| view.kind == Kind::Entity).unwrap_or("this");
        Err(pinned_by_user(name))
    })
}

/// That the user wants something to stay as it is.
pub(crate) fn pinned_by_user(name: &str) -> Error {
    Error::new(Code::Conflict, format!("the user pinned {name}, so it cannot be changed"))
}

fn silent() -> Error {
    Error::new(Code::Internal, "a change of one record returned no action")
}
