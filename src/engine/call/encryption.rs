//! The methods of encryption.

use super::super::engine::Engine;
use super::super::input::read;
use super::{Nothing, write};
use crate::database::Locking;
use crate::error::Result;
use crate::scope::Scope;

impl Engine {
    /// Calls `encryption.<name>`; `None` for a name nobody knows.
    pub(super) async fn call_encryption(&self, name: &str, options: &str) -> Result<Option<String>> {
        let Nothing {} = read(options)?;
        Ok(Some(match name {
            "status" => write(&self.database.encryption()?)?,
            "remove" => write(&self.database.decrypt().await?)?,
            _ => return Ok(None),
        }))
    }

    /// Calls `lock.<name>`; `None` for a name nobody knows.
    pub(super) async fn call_lock(&self, name: &str, scope: &Scope, options: &str) -> Result<Option<String>> {
        let Nothing {} = read(options)?;
        Ok(Some(match name {
            "status" => write(&self.database.lock_of(scope)?)?,
            "close" => write(&self.database.lock(scope, Locking::Lock).await?)?,
            "remove" => write(&self.database.lock(scope, Locking::Remove).await?)?,
            _ => return Ok(None),
        }))
    }
}
