//! The methods of threads.

use super::super::engine::Engine;
use super::super::input::{read, read_value};
use super::{Nothing, write};
use crate::error::Result;
use crate::memory::ingest::Remember;
use crate::memory::message::NewMessage;
use crate::memory::threads::Summarise;
use crate::scope::Scope;
use serde::Deserialize;

/// Messages that are not to be stored.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Handed {
    messages: Vec<NewMessage>,
}

impl Engine {
    /// Calls `threads.<name>`; `None` for a name nobody knows.
    pub(super) async fn call_threads(
        &self,
        name: &str,
        scope: &Scope,
        options: &str,
    ) -> Result<Option<String>> {
        Ok(Some(match name {
            "list" => {
                let Nothing {} = read(options)?;
                write(&self.threads.list(scope)?)?
            }
            "append" => {
                let append = Remember { learn: Some(false), ..read_value(self.messages(options).await?)? };
                write(&self.ingest.remember(scope, append).await?)?
            }
            "messages" => write(&self.threads.messages(scope, &read(options)?)?)?,
            _ => return Ok(None),
        }))
    }

    /// Calls a method of threads that is not loaded with the first module; `None` for a name nobody knows.
    pub(super) async fn call_seldom_threads(
        &self,
        name: &str,
        scope: &Scope,
        options: &str,
    ) -> Result<Option<String>> {
        Ok(Some(match name {
            "check" => {
                let mut handed = read_value::<Handed>(self.messages(options).await?)?;
                write(&self.ingest.look_at(&mut handed.messages)?)?
            }
            "remove" => write(&self.threads.remove(scope, &read(options)?).await?)?,
            "removeAll" => write(&self.threads.remove_all(scope, &read(options)?).await?)?,
            "trim" => write(&self.threads.trim(scope, &read(options)?)?)?,
            "window" => write(&self.threads.window(scope, &read(options)?)?)?,
            "summarise" => write(&self.threads.summarise(scope, &read(options)?).await?)?,
            "summary" => write(&self.threads.summary(scope, &read::<Summarise>(options)?.thread_id)?)?,
            "summaries" => write(&self.threads.summaries(scope, &read(options)?)?)?,
            _ => return Ok(None),
        }))
    }
}
