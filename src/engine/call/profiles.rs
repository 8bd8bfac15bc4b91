//! The methods of profiles.

use super::super::engine::Engine;
use super::super::input::read;
use super::{AsOf, write};
use crate::error::Result;
use crate::scope::Scope;

impl Engine {
    /// Calls `profiles.<name>`; `None` for a name nobody knows.
    pub(super) async fn call_profiles(
        &self,
        name: &str,
        scope: &Scope,
        options: &str,
    ) -> Result<Option<String>> {
        Ok(Some(match name {
            "get" => write(&self.profiles.get(scope, read::<AsOf>(options)?.as_of)?)?,
            _ => return Ok(None),
        }))
    }

    /// Calls a method of profiles that is not loaded with the first module; `None` for a name nobody knows.
    pub(super) async fn call_seldom_profiles(
        &self,
        name: &str,
        scope: &Scope,
        options: &str,
    ) -> Result<Option<String>> {
        Ok(Some(match name {
            "set" => write(&self.profiles.set(scope, read(options)?).await?)?,
            "patch" => write(&self.profiles.patch(scope, read(options)?).await?)?,
            "delete" => write(&self.profiles.delete(scope, &read(options)?).await?)?,
            "history" => {
                let name = read(options)?;
                write(&self.past.history(scope, self.profiles.id(scope, &name)?)?)?
            }
            "diff" => write(&self.profiles.diff(scope, &read(options)?)?)?,
            "rollback" => write(&self.profiles.rollback(scope, &read(options)?).await?)?,
            _ => return Ok(None),
        }))
    }
}
