//! The blocks of every scope: reading, setting, editing.

use super::block::{Block, BlockValue, SetBlock, check_label};
use crate::database::Database;
use crate::error::{Code, Error, Result};
use crate::json::to_value;
use crate::log::Cause;
use crate::memory::action::{self, Action, retried};
use crate::memory::limits::invalid;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::store::{Draft, Expect, Store};
use std::rc::Rc;

/// The most blocks of a scope.
pub const MAX_BLOCKS: usize = 64;

/// The blocks of every scope. Clones read and change the same ones.
#[derive(Clone)]
pub struct Blocks {
    database: Database,
    /// What a scope has before anybody changes it.
    defaults: Rc<[SetBlock]>,
}

impl Blocks {
    pub(crate) fn new(database: Database, defaults: Vec<SetBlock>) -> Self {
        Self { database, defaults: defaults.into() }
    }

    /// The blocks of a scope: those of the options in their order, then the others in the order in which they were made.
    ///
    /// Reading writes nothing: a block is stored when it is first changed, and follows the options until then.
    ///
    /// # Errors
    /// Those of reading.
    pub fn list(&self, scope: &Scope) -> Result<Vec<Block>> {
        self.database.read(|store| {
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
        })
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
        let block = self.get(scope, label)?.ok_or_else(|| {
            Error::new(Code::NotFound, format!("{} has no block {label:?}; list them", scope.canonical()))
        })?;
        let id = match block.id {
            Some(id) => id,
            // What the options made is stored first, so that its end is known.
            None => {
                let same = |_: Option<&Block>| Ok(block.content());
                self.change(scope, label, Cause::User, &same).await?.id
            }
        };
        let mut draft = Draft::new(scope, Cause::User);
        draft.delete(id, Expect::Any);
        action::commit_one(&self.database, draft).await
    }

    /// Changes a block on what is there by then; an error of `change` changes nothing.
    pub(crate) async fn change(
        &self,
        scope: &Scope,
        label: &str,
        cause: Cause,
        change: &dyn Fn(Option<&Block>) -> Result<BlockValue>,
    ) -> Result<Action> {
        retried(|| self.change_once(scope, label, cause, change)).await
    }

    async fn change_once(
        &self,
        scope: &Scope,
        label: &str,
        cause: Cause,
        change: &dyn Fn(Option<&Block>) -> Result<BlockValue>,
    ) -> Result<Action> {
        let before = self.get(scope, label)?;
        let content = change(before.as_ref())?;
        content.check()?;
        if let Some((id, before)) = before.as_ref().and_then(|before| Some((before.id?, before)))
            && before.content() == content
        {
            return Ok(Action::unchanged(id, Kind::Block, before.revision));
        }
        if before.is_none() && self.list(scope)?.len() >= MAX_BLOCKS {
            return Err(invalid(format!(
                "there are already {MAX_BLOCKS} blocks, the maximum; delete one first"
            )));
        }
        let stored = before.as_ref().filter(|before| before.id.is_some());
        let expect = stored.map_or(Expect::Absent, |before| Expect::Revision(before.revision));
        let record = self.database.read(|store| {
            let living =
                store.by_key(scope, Kind::Block, label).map(|view| view.to_record(scope)).transpose()?;
            Ok(living.unwrap_or_else(|| {
                let last = store.last_with_key(scope, Kind::Block, label);
                let id = last.unwrap_or_else(|| self.database.new_id());
                Record::new(id, Kind::Block, scope.clone(), self.database.now())
            }))
        })?;
        let mut draft = Draft::new(scope, cause);
        let record = Record { key: Some(label.to_owned()), value: to_value(&content)?, ..record };
        draft.put(record, expect, None);
        action::commit_one(&self.database, draft).await
    }
}
