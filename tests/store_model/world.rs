//! Two engines on one storage, and the model beside them.

use super::compare::{compare, scores};
use super::model::{Model, said};
use super::operation::{EMBEDDER, Operation, scopes};
use super::support::backup::{exported, read_backup};
use super::support::cipher::encryption;
use super::support::image::{pairs_of, record};
use super::support::platform::{TestPlatform, yield_now};
use super::support::storage::TestStorage;
use futures_executor::LocalPool;
use mnemic::database::{Bounds, Committed, Database, Event};
use mnemic::log::Cause;
use mnemic::ports::Platform;
use mnemic::storage::MemoryStorage;
use mnemic::store::{Changed, Draft, Expect, Store};
use mnemic::{Code, Id, Kind};
use std::cell::RefCell;
use std::rc::Rc;

pub(crate) struct World {
    pool: LocalPool,
    platform: Rc<TestPlatform>,
    image: MemoryStorage,
    engines: Vec<Engine>,
    model: Model,
    encrypted: bool,
    /// Whether segments are paged, with no room for pages.
    paged: bool,
}

/// A commit as a listener heard of it.
type Heard = (Id, Vec<Changed>);

struct Engine {
    database: Database,
    storage: Rc<TestStorage>,
    heard: Rc<RefCell<Vec<Heard>>>,
    /// How many commits there were when it was opened.
    opened_at: usize,
}

impl World {
    pub(crate) fn new(seed: u64) -> Self {
        let (platform, pool) = TestPlatform::new(seed);
        let image = MemoryStorage::default();
        let (engines, model) = (Vec::new(), Model::default());
        let (encrypted, paged) = (seed.is_multiple_of(4), !seed.is_multiple_of(2));
        let mut world = Self { pool, platform, image, engines, model, encrypted, paged };
        world.engines = vec![world.open(), world.open()];
        world
    }

    fn open(&mut self) -> Engine {
        let on = if self.paged { TestStorage::with_reader } else { TestStorage::on };
        let storage = Rc::new(on(&self.image));
        // Half of the worlds are paged, and a quarter is encrypted.
        let encryption = self.encrypted.then(|| encryption("a passphrase"));
        let platform = self.platform.clone();
        let bounds = Bounds { cache_bytes: self.paged.then_some(0), ..Bounds::default() };
        let opening = Database::open_encrypted(storage.clone(), platform, EMBEDDER, encryption, bounds);
        let database = self.pool.run_until(opening).unwrap();
        let heard = Rc::new(RefCell::new(Vec::new()));
        let hearing = heard.clone();
        database.listen(Rc::new(move |event| {
            if let Event::Change { commit_id, changes, .. } = event {
                hearing.borrow_mut().push((*commit_id, changes.clone()));
            }
        }));
        Engine { database, storage, heard, opened_at: self.model.commits.len() }
    }

    pub(crate) fn run(mut self, operations: &[Operation]) {
        for operation in operations {
            self.step(operation);
            self.check();
        }
        self.end();
    }

    fn step(&mut self, operation: &Operation) {
        match operation {
            Operation::Commit(engine, batch) => {
                if let Some(draft) = batch.draft(&self.model) {
                    self.commit(*engine, draft);
                }
            }
            Operation::Race(batches) => {
                let drafts =
                    batches.iter().filter_map(|(engine, batch)| Some((*engine, batch.draft(&self.model)?)));
                let drafts: Vec<_> = drafts.collect();
                self.race(drafts);
            }
            Operation::Undo(engine, commit) => self.undo(*engine, *commit),
            Operation::Wait(milliseconds) => self.platform.advance(i64::from(*milliseconds)),
            Operation::Fold(engine) => {
                // A fold may meet a planned failure or another engine; nothing changes by it.
                let _ = self.pool.run_until(self.engines[*engine].database.fold());
            }
            Operation::Reopen(engine) => {
                let old = self.engines.remove(*engine);
                self.pool.run_until(old.database.close());
                assert!(old.storage.is_closed.get());
                let new = self.open();
                self.engines.insert(*engine, new);
            }
            Operation::Refresh(engine) => {
                self.pool.run_until(self.engines[*engine].database.refresh()).unwrap()
            }
            Operation::Plan(engine, plan) => {
                let mut current = self.engines[*engine].storage.plan.borrow_mut();
                current.clear();
                current.extend(plan);
            }
        }
    }

    /// Commits, and compares the outcome with what the model expects; a planned failure may come first.
    fn commit(&mut self, engine: usize, draft: Draft) {
        let Engine { database, storage, .. } = &self.engines[engine];
        let planned = !storage.plan.borrow().is_empty();
        let answer = self.pool.run_until(database.commit(draft.clone()));
        match (answer, self.model.check(&draft)) {
            (Ok(committed), _) => self.model.apply(&draft, &committed),
            (Err(error), _) if planned && matches!(error.code, Code::Storage | Code::QuotaExceeded) => {}
            (Err(error), expected) => assert_eq!(Err(error.code), expected, "{error}"),
        }
    }

    fn race(&mut self, drafts: Vec<(usize, Draft)>) {
        for engine in &self.engines {
            engine.storage.yields.set(self.platform.next() as usize % 3);
        }
        let commits = drafts.iter().map(|(engine, draft)| {
            let (database, draft) = (self.engines[*engine].database.clone(), draft.clone());
            let delay = self.platform.next() % 12;
            async move {
                for _ in 0..delay {
                    yield_now().await;
                }
                database.commit(draft).await
            }
        });
        let answers = self.pool.run_until(futures_util::future::join_all(commits.collect::<Vec<_>>()));
        for engine in &self.engines {
            engine.storage.yields.set(0);
        }
        let mut done: Vec<(Committed, &Draft)> = Vec::new();
        for (answer, (_, draft)) in answers.into_iter().zip(&drafts) {
            match answer {
                Ok(committed) => done.push((committed, draft)),
                Err(error) => assert!(
                    matches!(
                        error.code,
                        Code::Conflict | Code::NotFound | Code::Storage | Code::QuotaExceeded
                    ),
                    "{error}"
                ),
            }
        }
        // In which order they came, the storage knows.
        self.pool.run_until(self.engines[0].database.refresh()).unwrap();
        let heard = self.engines[0].heard.borrow().clone();
        let place =
            |id: Id| heard.iter().position(|(other, _)| *other == id).expect("every commit is heard of");
        done.sort_by_key(|(committed, _)| place(committed.commit_id));
        for (committed, draft) in done {
            self.model.apply(draft, &committed);
        }
    }

    fn undo(&mut self, engine: usize, commit: u8) {
        if self.model.commits.is_empty() {
            return;
        }
        let place = usize::from(commit) % self.model.commits.len();
        let (commit, _, scope) = self.model.commits[place].clone();
        let database = self.engines[engine].database.clone();
        self.pool.run_until(database.refresh()).unwrap();
        for other in scopes().iter().filter(|other| **other != scope) {
            let refused = database.read(|store| store.undo(other, commit).map(|_| ()));
            assert_eq!(refused.unwrap_err().code, Code::NotFound);
        }
        let draft = database.read(|store| store.undo(&scope, commit));
        let before: Result<Vec<_>, Code> = self
            .model
            .before(place, draft.is_ok())
            .map(|states| states.into_iter().map(|(id, record)| (id, record.cloned())).collect());
        let before = match (draft, before) {
            (Ok(draft), Ok(before)) => {
                let commits = self.model.commits.len();
                self.commit(engine, draft);
                if self.model.commits.len() == commits {
                    return;
                }
                before
            }
            (draft, before) => {
                assert_eq!(draft.map(|_| ()).map_err(|error| error.code), before.map(|_| ()));
                return;
            }
        };
        for (id, expected) in before {
            let now = self.model.records[&id].living();
            assert_eq!(now.map(said), expected.as_ref().map(said), "{id} after undoing");
        }
    }

    /// Both engines agree with the model, and have told their listeners of every commit once and in order.
    fn check(&mut self) {
        let now = self.platform.now();
        let mut all = Vec::new();
        for engine in &self.engines {
            self.pool.run_until(engine.database.refresh()).unwrap();
            engine
                .database
                .read(|store| {
                    compare(store, &self.model, now);
                    all.push(scores(store, now));
                    Ok(())
                })
                .unwrap();
            let heard: Vec<Id> = engine.heard.borrow().iter().map(|(id, _)| *id).collect();
            let expected = self.model.commits[engine.opened_at..].iter().map(|(id, _, _)| *id);
            assert_eq!(heard, expected.collect::<Vec<_>>(), "events");
        }
        assert_eq!(all[0], all[1], "both engines give the same scores");
    }

    /// A third engine, opened at the end, has everything too, and finds no damage.
    fn end(mut self) {
        let now = self.platform.now();
        for fold in [false, true] {
            if fold {
                self.engines[0].storage.plan.borrow_mut().clear();
                self.pool.run_until(self.engines[0].database.fold()).unwrap();
            }
            let fresh = self.open();
            let report = self.pool.run_until(fresh.database.verify()).unwrap();
            assert!(report.ok, "{report:?}");
            assert_eq!(report.commits, self.model.commits.len());
            let live = self.engines[0].database.read(|store| Ok(scores(store, now))).unwrap();
            fresh
                .database
                .read(|store| {
                    compare(store, &self.model, now);
                    assert_eq!(scores(store, now), live, "a reload changes no score");
                    Ok(())
                })
                .unwrap();
            let swept = pairs_of(&self.image);
            assert!(swept.iter().all(|(key, _)| !key.starts_with("damaged/")), "nothing was damaged");
            self.pool.run_until(fresh.database.close());
        }
        self.restore();
    }

    /// A backup, put in the place of another memory, is that memory in every respect, now and after it is opened again.
    fn restore(mut self) {
        let now = self.platform.now();
        let live = self.engines[0].database.read(|store| Ok(scores(store, now))).unwrap();
        let file = exported(&self.engines[0].database, None);
        let source = std::mem::take(&mut self.image);
        let other = self.open();
        let mut draft = Draft::new(&scopes()[0], Cause::User);
        draft.put(record(99, Kind::Fact, &scopes()[0], "what was there before"), Expect::Any, None);
        self.pool.run_until(other.database.commit(draft)).unwrap();
        let store = Store::restored(EMBEDDER, &read_backup(&file).unwrap()).unwrap();
        self.pool.run_until(other.database.replace(store)).unwrap();
        let again = self.open();
        for engine in [&other, &again] {
            let report = self.pool.run_until(engine.database.verify()).unwrap();
            assert!(report.ok, "{report:?}");
            engine
                .database
                .read(|store| {
                    compare(store, &self.model, now);
                    assert_eq!(scores(store, now), live, "a backup changes no score");
                    Ok(())
                })
                .unwrap();
            // Whatever can be undone there can be undone here, to the same end.
            for (commit, _, scope) in &self.model.commits {
                let undone = |database: &Database| {
                    database.read(|store| store.undo(scope, *commit)).map_err(|error| error.code)
                };
                assert_eq!(undone(&engine.database), undone(&self.engines[0].database));
            }
            let again = exported(&engine.database, None);
            let body = |file: &[u8]| read_backup(file).unwrap().commits;
            assert_eq!(body(&again), body(&file));
        }
        drop(source);
    }
}
