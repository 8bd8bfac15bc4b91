//! The methods of backups: of the whole memory, and of a scope.

use super::super::engine::Engine;
use super::super::input::read;
use super::{Nothing, write};
use crate::error::{Code, Error, Result};
use crate::ports::{Loaded, Pending, Systems};
use crate::scope::Scope;

impl Engine {
    /// Calls a method of the whole memory that is not loaded with the first module.
    ///
    /// A function of its own, never a part of its caller, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    pub(super) fn call_whole<'a>(
        &'a self,
        systems: Loaded<Systems>,
        method: &'a str,
        options: &'a str,
    ) -> Pending<'a, Result<String>> {
        systems.work(Box::pin(async move {
            let answer = match method.split_once('.') {
                Some(("backups", name)) => self.call_backups(name, None, options).await?,
                Some(("encryption", name)) => self.call_encryption(name, options).await?,
                Some(_) => None,
                None => self.call_whole_other(method, options).await?,
            };
            answer.ok_or_else(|| {
                Error::new(Code::InvalidInput, format!("there is no method {method:?} of the whole memory"))
            })
        }))
    }

    /// The methods of no system; `None` for a name nobody knows.
    async fn call_whole_other(&self, method: &str, options: &str) -> Result<Option<String>> {
        let Nothing {} = read(options)?;
        Ok(Some(match method {
            "inspect" => write(&self.inspect().await?)?,
            "watch" => write(&self.watch())?,
            _ => return Ok(None),
        }))
    }

    /// Calls `backups.<name>`; `None` for a name nobody knows.
    pub(super) async fn call_backups(
        &self,
        name: &str,
        scope: Option<&Scope>,
        options: &str,
    ) -> Result<Option<String>> {
        Ok(Some(match (name, scope) {
            ("export", _) => {
                let Nothing {} = read(options)?;
                write(&self.begin_export(scope)?)?
            }
            ("import", _) => {
                let Nothing {} = read(options)?;
                write(&self.begin_import())?
            }
            ("check", _) => write(&self.check_import(&read(options)?)?)?,
            ("scopes", None) => {
                let Nothing {} = read(options)?;
                self.database.check_all_unlocked("not all scopes can be listed")?;
                write(&self.database.read(|store| Ok(store.scopes().cloned().collect::<Vec<_>>()))?)?
            }
            ("replace", None) => write(&self.replace(read(options)?).await?)?,
            ("merge", _) => write(&self.merge(scope, read(options)?).await?)?,
            ("end", _) => {
                self.end_transfer(&read(options)?);
                write(&())?
            }
            _ => return Ok(None),
        }))
    }
}
