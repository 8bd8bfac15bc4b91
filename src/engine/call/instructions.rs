//! The methods of instructions.

use super::super::engine::Engine;
use super::super::input::{read, read_value};
use super::{Nothing, write};
use crate::error::Result;
use crate::memory::instructions::Named;
use crate::scope::Scope;

impl Engine {
    /// Calls `instructions.<name>`; `None` for a name nobody knows.
    pub(super) async fn call_instructions(
        &self,
        name: &str,
        scope: &Scope,
        options: &str,
    ) -> Result<Option<String>> {
        let named = || read::<Named>(options).map(|named| named.name);
        Ok(Some(match name {
            "get" => write(&self.instructions.get(scope, &named()?)?)?,
            "set" => write(&self.instructions.set(scope, &read(options)?).await?)?,
            "list" => {
                let Nothing {} = read(options)?;
                write(&self.instructions.list(scope)?)?
            }
            "history" => {
                let id = self.instructions.id(scope, &named()?)?;
                write(&self.past.history(scope, id)?)?
            }
            "rollback" => write(&self.instructions.rollback(scope, &read(options)?).await?)?,
            "delete" => write(&self.instructions.delete(scope, &named()?).await?)?,
            "revise" => {
                write(&self.instructions.revise(scope, &read_value(self.messages(options).await?)?).await?)?
            }
            _ => return Ok(None),
        }))
    }
}
