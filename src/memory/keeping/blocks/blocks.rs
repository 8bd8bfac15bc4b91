//! The blocks of every scope: reading, setting, editing.

use super::block::{Block, BlockValue, SetBlock, check_label};
use crate::database::Database;
use crate::error::{Code, Error, Result};
use crate::json::to_value;
use crate::log::Cause;
use crate::memory::action::Action;
use crate::memory::changes::{Changes, Planning};
use crate::memory::limits::invalid;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::store::Store;
use std::rc::Rc;

/// The most blocks of a scope.
pub const MAX_BLOCKS: usize = 64;

/// The blocks of every scope. Clones read and change the same ones.
#[derive(Clone)]
pub struct Blocks {
    changes: Changes,
    database: Database,
    /// What a scope has before anybody changes it.
    defaults: Rc<[SetBlock]>,
}

impl Blocks {
    pub(crate) fn new(changes: Changes, database: Database, defaults: Vec<SetBlock>) -> Self {
        Self { changes, database, defaults: defaults.into() }
    }

    /// The same blocks, changed through these.
    pub(crate) fn changing(&self, changes: Changes) -> Self {
        Self { changes, ..self.clone() }
    }

    /// The blocks of a scope: those of the options in their order, then the others in the order in which they were made.
    ///
    /// Reading writes nothing: a block is stored when it is first changed, and follows the options until then.
    ///
    /// # Errors
    /// Those of reading.
    pub fn list(&self, scope: &Scope) -> Result<Vec<Block>> {
        self.database.read(|store| self.all(store, scope))
    }

    fn all(&self, store: &Store, scope: &Scope) -> Result<Vec<Block>> {
        let mut blocks = Vec::new();
        for default in self.defaults.iter() {
            blocks.extend(self.find(store, scope, &default.label)?);
        }
        for view in store.records(scope, Kind::Block) {
            let is_default = |default: &SetBlock| view.key == Some(default.label.as_str());
            if !self.defaults.iter().any(is_default) {
                blocks.push(Block::of(&view)?);
            }
        }
        Ok(blocks)
    }

    /// One block; `None` when there is none with that label.
    ///
    /// # Errors
    /// `InvalidInput` for a label that is none, and those of reading.
    pub fn get(&self, scope: &Scope, label: &str) -> Result<Option<Block>> {
        check_label(label)?;
        self.database.read(|store| self.find(store, scope, label))
    }

    fn find(&self, store: &Store, scope: &Scope, label: &str) -> Result<Option<Block>> {
        if let Some(view) = store.by_key(scope, Kind::Block, label) {
            return Block::of(&view).map(Some);
        }
        // One that was deleted does not come back by itself.
        let untouched = store.last_with_key(scope, Kind::Block, label).is_none();
        let default = self.defaults.iter().find(|default| untouched && default.label == label);
        Ok(default.map(|default| Block::unwritten(label, default.fresh())))
    }

    /// Makes or changes a block, as the application says; read-only ones too. The earlier revisions stay in its history.
    ///
    /// # Errors
    /// `InvalidInput` for a label that is none, a value over the limit, and more than 64 blocks; and those of storing.
    pub async fn set(&self, scope: &Scope, set: &SetBlock) -> Result<Action> {
        let change = |before: Option<&Block>| {
            Ok(before.map_or_else(|| set.fresh(), |before| set.over(before.content())))
        };
        self.change(scope, &set.label, Cause::User, &change).await
    }

    /// Deletes a block; its revisions stay in its history. One of the options does not come back.
    ///
    /// # Errors
    /// `NotFound`, and those of storing.
    pub async fn delete(&self, scope: &Scope, label: &str) -> Result<Action> {
        check_label(label)?;
        let missing =
            || Error::new(Code::NotFound, format!("{} has no block {label:?}; list them", scope.canonical()));
        let block = self.get(scope, label)?.ok_or_else(missing)?;
        if block.id.is_none() {
            // What the options made is stored first, so that its end is known.
            let same = |_: Option<&Block>| Ok(block.content());
            self.change(scope, label, Cause::User, &same).await?;
        }
        let find = |planning: &Planning<'_>| {
            let view = planning.store.by_key(scope, Kind::Block, label).ok_or_else(missing)?;
            Ok((view.id, view.revision))
        };
        self.changes.end(scope, true, &find).await
    }

    /// Changes a block on what is there by then; an error of `change` changes nothing.
    pub(crate) async fn change(
        &self,
        scope: &Scope,
        label: &str,
        cause: Cause,
        change: &dyn Fn(Option<&Block>) -> Result<BlockValue>,
    ) -> Result<Action> {
        check_label(label)?;
        let plan = &mut |planning: &mut Planning<'_>| {
            let store = planning.store;
            let before = self.find(store, scope, label)?;
            let content = change(before.as_ref())?;
            content.check()?;
            if before.is_none() && self.all(store, scope)?.len() >= MAX_BLOCKS {
                return Err(invalid(format!(
                    "there are already {MAX_BLOCKS} blocks, the maximum; delete one first"
                )));
            }
            let value = to_value(&content)?;
            if let Some(view) = store.by_key(scope, Kind::Block, label) {
                let before = view.to_record(scope)?;
                planning.replace(&before, Record { value, ..before.clone() });
                return Ok(());
            }
            let last = store.last_with_key(scope, Kind::Block, label);
            let id = last.unwrap_or_else(|| self.database.new_id());
            let mut record = Record::new(id, Kind::Block, scope.clone(), planning.now);
            (record.key, record.value) = (Some(label.to_owned()), value);
            planning.create(record);
            Ok(())
        };
        self.changes.one(scope, cause, plan).await
    }
}
