//! The methods of facts.

use super::super::engine::Engine;
use super::super::input::read;
use super::{ById, by_id, write};
use crate::error::Result;
use crate::memory::facts::NewFact;
use crate::scope::Scope;

impl Engine {
    /// Calls `facts.<name>`; `None` for a name nobody knows.
    pub(super) async fn call_facts(
        &self,
        name: &str,
        scope: &Scope,
        options: &str,
    ) -> Result<Option<String>> {
        Ok(Some(match name {
            // What reads and writes dates is not loaded with the first module.
            "add" if !["\"dates\"", "\"validFrom\""].iter().any(|dated| options.contains(dated)) => {
                write(&self.facts.add(scope, read(options)?).await?)?
            }
            "get" => {
                let ById { id, as_of } = read(options)?;
                write(&self.facts.get(scope, id, as_of)?)?
            }
            "list" => write(&self.facts.list(scope, &read(options)?)?)?,
            _ => return Ok(None),
        }))
    }

    /// Calls a method of facts that is not loaded with the first module; `None` for a name nobody knows.
    pub(super) async fn call_seldom_facts(
        &self,
        name: &str,
        scope: &Scope,
        options: &str,
    ) -> Result<Option<String>> {
        Ok(Some(match name {
            "add" => {
                let mut new: NewFact = read(options)?;
                new.take_dates()?;
                write(&self.facts.add(scope, new).await?)?
            }
            "update" => write(&self.facts.update(scope, read(options)?).await?)?,
            "delete" => write(&self.facts.delete(scope, read(options)?).await?)?,
            "import" => write(&self.facts.import(scope, read(options)?).await?)?,
            "consolidate" => write(&self.consolidation.consolidate(scope, &read(options)?).await?)?,
            "history" => write(&self.past.history(scope, by_id(options)?)?)?,
            _ => return Ok(None),
        }))
    }
}
