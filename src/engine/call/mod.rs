//! Calls by name: JSON options in, JSON out. One table per system, and one for what belongs to all of them.

mod backups;
mod context;
mod documents;
mod encryption;
mod episodes;
mod facts;
mod graph;
mod instructions;
mod items;
mod profiles;
mod proposals;
mod rest;
mod search;
mod threads;
mod tiers;

use super::engine::Engine;
use super::input::{read, read_value, value};
use crate::database::is_replaced;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::memory::message::{rewrite, tidy};
use crate::ports::{Loaded, Part, Pending, Search, Systems, with_set};
use crate::scope::Scope;
use crate::time::Timestamp;
use futures_util::future::join;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::rc::Rc;

/// The methods that tell how the memory is, and wait for nobody.
const OF_ENGINE: &[&str] = &["usage", "standing", "taken", "verify", "idle", "jobs", "inspect"];

/// Methods that read records and search nothing, so that they need not wait until a large memory that was opened can be searched.
const READ_EARLY: &[&str] = &[
    "facts.get",
    "facts.list",
    "items.get",
    "items.list",
    "profiles.get",
    "threads.list",
    "threads.messages",
];

/// Methods, apart from their systems, that store what they are given or change what they name. What they build on is checked when
/// they are written, and they share a write. All others read, or choose what they change by what they read.
const TOGETHER: &[&str] = &[
    "remember",
    "append",
    "add",
    "set",
    "patch",
    "put",
    "update",
    "edit",
    "pin",
    "delete",
    "import",
    "create_entities",
    "create_relations",
    "add_observations",
];

/// The methods of the first module's systems that search.
const SEARCHES: &[&str] = &["recall", "facts.search", "threads.search"];

/// What stands before the name of a method that is a span, with its name and a colon.
const SPAN: &str = "span:";

/// What stands before the name of a method that is to leave no trace.
const READING: &str = "read:";

/// Options that name a record.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ById {
    id: Id,
    as_of: Option<Timestamp>,
}

/// Options that name a commit.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ByCommit {
    commit_id: Id,
}

/// Options of a read that can look back.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AsOf {
    as_of: Option<Timestamp>,
}

/// No options.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

impl Engine {
    /// Calls a method by its name, such as `facts.add`, with its options as a JSON object; the answer is JSON.
    /// `scope` is a JSON object of strings, or empty for the methods of the whole memory. Calls take effect in the order in which
    /// they are made. `span:<name>:` before a name says of which span the call is: [`Engine::inspect`] tells it with the requests to
    /// models that the call makes.
    ///
    /// # Errors
    /// `InvalidInput` for an unknown method or option or a wrong type, and those of the method.
    pub async fn call(&self, method: &str, scope: &str, options: &str) -> Result<String> {
        match method.strip_prefix(SPAN).and_then(|rest| rest.split_once(':')) {
            None => self.call_again(method, scope, options).await,
            Some((span, method)) => {
                let call = self.call_again(method, scope, options);
                self.call_span(Loaded::by(&*self.platform()).await?, span, call).await
            }
        }
    }

    /// The same with numbers beside the options, which name stretches of them: vectors of facts.
    ///
    /// # Errors
    /// Those of [`Self::call`].
    pub async fn call_with(
        &self,
        method: &str,
        scope: &str,
        options: &str,
        numbers: Vec<f32>,
    ) -> Result<String> {
        let call: Pending<'_, _> = Box::pin(self.call(method, scope, options));
        with_set(call, Rc::new(numbers), |numbers| self.facts.give(numbers)).await
    }

    /// Calls a method, and once more if what it was to read was put elsewhere meanwhile.
    fn call_again<'a>(
        &'a self,
        method: &'a str,
        scope: &'a str,
        options: &'a str,
    ) -> Pending<'a, Result<String>> {
        Box::pin(async move {
            let mut before = Some(self.database.sequence());
            loop {
                let answer = self.call_once(method, scope, options).await;
                match &answer {
                    // Another engine has put what was to be read elsewhere, or it is damaged and is made anew; and nothing was written: it
                    // is looked for again, once.
                    Err(error) if is_replaced(error) && before.take() == Some(self.database.sequence()) => {
                        self.database.refresh().await?;
                        self.background.wake();
                    }
                    _ => return answer,
                }
            }
        })
    }

    /// Carries a call out as a span. A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    fn call_span<'a>(
        &'a self,
        systems: Loaded<Systems>,
        span: &'a str,
        call: Pending<'a, Result<String>>,
    ) -> Pending<'a, Result<String>> {
        systems.work(Box::pin(self.models.requests.within(span, call)))
    }

    async fn call_once(&self, method: &str, scope: &str, options: &str) -> Result<String> {
        self.begin(method).await?;
        if scope.is_empty() {
            match method {
                "usage" => {
                    let Nothing {} = read(options)?;
                    return write(&self.usage()?);
                }
                "standing" => {
                    let Nothing {} = read(options)?;
                    return write(&self.standing()?);
                }
                "taken" => {
                    let Nothing {} = read(options)?;
                    return write(&self.taken().await?);
                }
                "verify" => {
                    let Nothing {} = read(options)?;
                    return write(&self.verify().await?);
                }
                "idle" => {
                    let Nothing {} = read(options)?;
                    return write(&self.idle().await?);
                }
                "jobs" => {
                    let Nothing {} = read(options)?;
                    return write(&self.jobs()?);
                }
                _ => {}
            }
            let systems = self.systems().await?;
            return self.call_whole(systems, method, options).await;
        }
        let scope = &Scope::from_json(&serde_json::from_str(scope).map_err(|_| unreadable("scope", scope))?)?;
        let is_of_lock = method.starts_with("lock.");
        let is_locked = self.database.is_locked(scope);
        // A scope can be forgotten while it is locked.
        if is_locked && !is_of_lock && method != "forget" {
            self.database.check_unlocked(scope)?;
        }
        let answer = match method.strip_prefix(READING) {
            Some(method) => self.call_reading(scope, method, options).await,
            None => self.call_in(scope, method, options).await,
        };
        if !is_locked && !is_of_lock {
            // What was read before the scope was locked is not told afterwards.
            self.database.check_unlocked(scope)?;
        }
        answer
    }

    /// Calls a method of a scope that is to leave no trace: it notes no access, and what would write is refused.
    async fn call_reading(&self, scope: &Scope, method: &str, options: &str) -> Result<String> {
        let call: Pending<'_, _> = Box::pin(self.call_in(scope, method, options));
        with_set(call, true, |reading| self.set_reading(reading)).await
    }

    /// Waits until it is a call's turn.
    fn begin<'a>(&'a self, method: &'a str) -> Pending<'a, Result<()>> {
        Box::pin(async move {
            self.database.order().turn().await;
            if OF_ENGINE.contains(&method) {
                return Ok(());
            }
            let _hold = self.database.order().hold();
            if !is_together(method) {
                self.database.caught_up().await;
            }
            let method = method.strip_prefix(READING).unwrap_or(method);
            if READ_EARLY.contains(&method) {
                return Ok(());
            }
            if SEARCHES.contains(&method) && self.database.is_partial() {
                // What searches is loaded meanwhile.
                let (indexed, search) = join(self.database.indexed(), self.part::<Search>()).await;
                return search.and(indexed);
            }
            self.database.indexed().await
        })
    }

    /// Loads what the call whose turn it is needs.
    fn systems(&self) -> Pending<'_, Result<Loaded<Systems>>> {
        self.part()
    }

    /// Loads a part for the call whose turn it is; those that were made after it wait.
    fn part<P: Part + 'static>(&self) -> Pending<'_, Result<Loaded<P>>> {
        Box::pin(async move {
            let _hold = self.database.order().hold();
            Loaded::by(&*self.database.platform()).await
        })
    }

    /// Options with `messages`, which may be as the SDKs of chat interfaces hand them out.
    fn messages<'a>(&'a self, options: &'a str) -> Pending<'a, Result<Value>> {
        Box::pin(async move {
            let mut options = value(options)?;
            let messages = options.get_mut("messages").and_then(Value::as_array_mut);
            let messages = messages.map(Vec::as_mut_slice).unwrap_or_default();
            let mut is_foreign = false;
            for message in &mut *messages {
                is_foreign |= tidy(message);
            }
            if is_foreign {
                rewrite(self.systems().await?, messages);
            }
            Ok(options)
        })
    }

    /// Calls a method of a scope.
    pub(super) async fn call_in(&self, scope: &Scope, method: &str, options: &str) -> Result<String> {
        if SEARCHES.contains(&method) {
            return self.call_search(self.part().await?, method, scope, options).await;
        }
        // What contradicts a fact is found by its words.
        if ["facts.get", "facts.list"].contains(&method) && options.contains("\"contested\"") {
            let search = self.part().await?;
            self.database.indexed().await?;
            return self.call_search(search, method, scope, options).await;
        }
        let answer = match method.split_once('.') {
            Some(("facts", name)) => self.call_facts(name, scope, options).await?,
            Some(("items", name)) => self.call_items(name, scope, options).await?,
            Some(("profiles", name)) => self.call_profiles(name, scope, options).await?,
            Some(("threads", name)) => self.call_threads(name, scope, options).await?,
            _ => self.call_scope(method, scope, options).await?,
        };
        if let Some(answer) = answer {
            return Ok(answer);
        }
        let systems = self.systems().await?;
        self.call_rest(systems, method, scope, options).await
    }

    /// The methods of a scope that belong to no single system; `None` for any other name.
    async fn call_scope(&self, method: &str, scope: &Scope, options: &str) -> Result<Option<String>> {
        Ok(Some(match method {
            "remember" => {
                write(&self.ingest.remember(scope, read_value(self.messages(options).await?)?).await?)?
            }
            "flush" => write(&self.ingest.flush(scope, &read(options)?).await?)?,
            _ => return Ok(None),
        }))
    }
}

/// Whether a method begins without waiting for what earlier calls write.
fn is_together(method: &str) -> bool {
    TOGETHER.contains(&method.rsplit_once('.').map_or(method, |(_, name)| name))
}

fn by_id(options: &str) -> Result<Id> {
    let ById { id, as_of } = read(options)?;
    match as_of {
        None => Ok(id),
        Some(_) => {
            Err(Error::new(Code::InvalidInput, "asOf is not an option of this call; it belongs to reads"))
        }
    }
}

fn write<T: Serialize>(answer: &T) -> Result<String> {
    serde_json::to_string(answer).map_err(unwritable)
}

fn unknown(method: &str) -> Error {
    Error::new(Code::InvalidInput, format!("there is no method {method:?}"))
}

fn unwritable(error: serde_json::Error) -> Error {
    Error::new(Code::Internal, format!("an answer did not serialize: {error}"))
}

fn unreadable(what: &str, text: &str) -> Error {
    let shown: String = text.chars().take(60).collect();
    Error::new(Code::InvalidInput, format!("the {what} {shown:?} is not JSON"))
}
