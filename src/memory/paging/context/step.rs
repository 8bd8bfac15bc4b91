//! A step: the model is asked, its calls are carried out, until it has said something.

use super::Context;
use super::call::{Called, Checked, message, unusable};
use super::cancel::{Cancel, within};
use super::options::check_calls;
use super::reply::{self, Reply};
use super::window::{ModelWindow, Status};
use crate::error::{Code, Result};
use crate::memory::ingest::Remember;
use crate::memory::limits::invalid;
use crate::memory::message::{FUNCTION_CALL, FUNCTION_RESULT, NOTICE, NewMessage, Role, thread};
use crate::memory::models::{Models, Spent};
use crate::memory::prompts::CONTEXT_VERSION;
use crate::memory::threads::evict;
use crate::ports::ModelRequest;
use crate::scope::Scope;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::rc::Rc;

/// How often a step ends when the model makes the same call over and over.
const REPEATS: usize = 2;

/// What the model is told when its window is nearly full.
const PRESSURE: &str = "Your window is nearly full: the oldest messages leave your sight soon, and a summary takes their place. Save now what you must not lose, in your memory blocks or in the archive.";

/// What the model is told of a call that it made before.
const REPEATED: &str = "You made this call with the same arguments before, and its result is above. Use it, do something else, or call send_message.";

/// A step to take.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Step {
    /// What is said to the model, 1 to 500 messages.
    pub messages: Vec<NewMessage>,
    /// The thread; `default` by default.
    pub thread_id: Option<String>,
    /// How many functions it may call and how often it may be asked, 1 to 1000; as the options say by default.
    pub max_calls: Option<usize>,
    /// How many tokens it may send and receive in all; as the options say by default.
    pub max_tokens: Option<usize>,
    /// Whether anything is to be learned from what is said; true by default.
    pub learn: Option<bool>,
    /// A name to abort it by; it cannot be aborted by default.
    pub abort: Option<String>,
}

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stopped {
    /// The model called `send_message`.
    Sent,
    /// The model answered with words alone, which count as sent.
    Reply,
    /// It made as many calls as it may.
    Calls,
    /// What it would be sent next is more tokens than it may have.
    Tokens,
    /// It made the same call over and over.
    Loop,
    /// The application aborted it.
    Aborted,
}

/// A call that the model made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Made {
    /// The function.
    pub name: String,
    /// Its arguments; the beginning of their text when they were too long.
    pub arguments: Value,
    /// Whether it was carried out.
    pub ok: bool,
    /// What the model was told.
    pub result: String,
}

/// What came of a step.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stepped {
    /// What the model said to the person, in order; empty when it said nothing.
    pub sent: Vec<String>,
    /// The calls it made, in order.
    pub calls: Vec<Made>,
    /// How it ended.
    pub stopped: Stopped,
    /// What models were asked for it.
    pub usage: Spent,
}

/// A step in progress.
#[derive(Default)]
struct Progress {
    sent: Vec<String>,
    calls: Vec<Made>,
    /// Names and arguments that would come to the same again, and whether they were carried out.
    known: Vec<(String, Value, bool)>,
    repeats: usize,
    /// Whether a summary was tried for and did not come.
    is_behind: bool,
}

impl Progress {
    /// Whether a call would come to the same as one before; it is counted then.
    fn is_repeated(&mut self, name: &str, arguments: &Value) -> bool {
        let repeated = self.known.iter().any(|(known, before, _)| known == name && before == arguments);
        self.repeats += usize::from(repeated);
        repeated
    }

    /// Takes note of a call.
    fn note(&mut self, name: &str, arguments: Value, ok: bool) {
        if ok && changes_memory(name) {
            // What failed before may go well now, and searches may find more.
            self.known.retain(|(name, _, ok)| *ok && !name.contains("_search"));
        }
        self.known.push((name.to_owned(), arguments, ok));
    }
}

/// Whether a function changes what later calls find.
fn changes_memory(name: &str) -> bool {
    name.starts_with("core_") || name.starts_with("memory_") || name.ends_with("_insert")
}

/// Where a step happens and with what.
pub(super) struct Place<'a> {
    pub(super) scope: &'a Scope,
    pub(super) thread_id: &'a str,
    pub(super) models: Rc<Models>,
    pub(super) cancel: Cancel,
    learn: Option<bool>,
    max_calls: usize,
    max_tokens: Option<usize>,
}

impl Context {
    /// Says something to the model, and lets it call functions until it has answered with `send_message` or plain words. What
    /// is said and heard, its calls and their results are messages of the thread, each durable before the model is asked again.
    ///
    /// # Errors
    /// `InvalidInput` for invalid messages or limits, and a window that is too small; `Model` and `Timeout` when the
    /// model fails, with what it had `sent` until then; and those of storing.
    pub async fn step(&self, scope: &Scope, step: Step) -> Result<Stepped> {
        let thread_id = thread(step.thread_id.as_deref())?;
        let max_calls = step.max_calls.unwrap_or(self.options.max_calls);
        check_calls("maxCalls", max_calls)?;
        let max_tokens = step.max_tokens.or(self.options.max_tokens);
        if step.messages.is_empty() {
            return Err(invalid("messages has 0 items; say something to the model".to_owned()));
        }
        // A window that is too small is known before anything is stored.
        self.room()?;
        let place = Place {
            scope,
            thread_id,
            models: self.archive.searcher.models.metered(),
            cancel: self.cancels.begin(step.abort.map(|name| within(scope, &name))),
            learn: step.learn,
            max_calls,
            max_tokens,
        };
        let mut progress = Progress::default();
        match self.begin(&place, &mut progress, step.messages).await {
            Ok(stopped) => Ok(Stepped {
                sent: progress.sent,
                calls: progress.calls,
                stopped,
                usage: place.models.spent_in_all(),
            }),
            Err(error) => Err(error.with("sent", progress.sent)),
        }
    }

    /// Aborts a step by its name.
    pub fn abort(&self, scope: &Scope, name: &str) {
        self.cancels.fire(&within(scope, name));
    }

    /// Takes the step when it is its turn.
    async fn begin(
        &self,
        place: &Place<'_>,
        progress: &mut Progress,
        messages: Vec<NewMessage>,
    ) -> Result<Stopped> {
        let turn = async { Ok(self.turn(place.scope, place.thread_id).await) };
        let Some(turn) = place.cancel.unless(Box::pin(turn)).await else { return Ok(Stopped::Aborted) };
        self.keep(place, messages).await?;
        let stopped = self.go(place, progress).await;
        drop(turn);
        stopped
    }

    /// Asks the model until the step ends.
    async fn go(&self, place: &Place<'_>, progress: &mut Progress) -> Result<Stopped> {
        let mut useless = 0;
        let database = &self.archive.searcher.database;
        for _ in 0..place.max_calls {
            let since = database.sequence();
            let Some(window) = self.prepare(place, progress).await? else { return Ok(Stopped::Aborted) };
            let Status { system, blocks, .. } = window.status;
            let reserve = self.options.reserve;
            if !self.is_affordable(place, system + blocks + window.filled() + reserve) {
                return Ok(Stopped::Tokens);
            }
            let request = ModelRequest {
                purpose: "context",
                prompt: CONTEXT_VERSION,
                messages: window.messages,
                schema: Some(reply::schema()),
                tools: Some(self.frame().tools.clone()),
                max_tokens: u32::try_from(reserve).unwrap_or(u32::MAX),
            };
            let asked = place.models.reply(&request);
            let Some(answer) = place.cancel.unless(Box::pin(asked)).await else {
                return Ok(Stopped::Aborted);
            };
            let reply = Reply::read(&answer?);
            if let Reply::Unusable(why) = &reply {
                useless += 1;
                if useless == 2 {
                    return Err(unusable(why));
                }
            } else {
                useless = 0;
            }
            match self.since(since).follow(place, progress, reply, &window.seen).await {
                Ok(Some(stopped)) => return Ok(stopped),
                Ok(None) => {}
                // It was told what is forgotten by now: what it says of that is not kept, and it is asked anew.
                Err(error)
                    if error.code == Code::Conflict
                        && database.read(|store| Ok(store.forgot_since(place.scope, since)))? => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Stopped::Calls)
    }

    /// Does what the model answered; how the step ends, if it does.
    async fn follow(
        &self,
        place: &Place<'_>,
        progress: &mut Progress,
        reply: Reply,
        seen: &[crate::id::Id],
    ) -> Result<Option<Stopped>> {
        match reply {
            Reply::Text(text) => {
                self.keep(place, vec![message(Role::Assistant, text.as_str().into())]).await?;
                progress.sent.push(text);
                Ok(Some(Stopped::Reply))
            }
            Reply::Unusable(why) => {
                let told = json!([{ "type": FUNCTION_RESULT, "name": null, "ok": false, "result": why }]);
                self.keep(place, vec![message(Role::Tool, told)]).await?;
                Ok(None)
            }
            Reply::Calls(calls) => self.carry_out(place, progress, calls, seen).await,
        }
    }

    /// Makes room and warns where it is time, and says what the model is shown then; `None` when the step was aborted. The window
    /// is put together once, and anew only when messages leave it or the warning joins it.
    async fn prepare(&self, place: &Place<'_>, progress: &mut Progress) -> Result<Option<ModelWindow>> {
        let Place { scope, thread_id, cancel, .. } = place;
        let mut window = self.window(scope, thread_id)?;
        if let Some(until) = window.overflow {
            evict(&self.archive.changes, scope, thread_id, until).await?;
        }
        // A model that fails is not asked for a summary again in this step.
        let is_behind = (window.is_behind || window.overflow.is_some()) && !progress.is_behind;
        if is_behind {
            progress.is_behind = !self.summarise(place).await?;
        }
        if is_behind || window.overflow.is_some() {
            window = self.window(scope, thread_id)?;
        }
        let pressure = self.options.warning * window.room as f64;
        if !window.status.warned && window.overflow.is_none() && window.filled() as f64 >= pressure {
            let notice = json!([{ "type": NOTICE, "notice": PRESSURE }]);
            self.keep(place, vec![message(Role::System, notice)]).await?;
            window = self.window(scope, thread_id)?;
        }
        Ok(Some(window).filter(|_| !cancel.is_fired()))
    }

    /// Whether the step may send and receive so many tokens more.
    pub(super) fn is_affordable(&self, place: &Place<'_>, tokens: usize) -> bool {
        let spent = place.models.spent_in_all();
        let sum = spent.input_tokens + spent.output_tokens + tokens as u64;
        place.max_tokens.is_none_or(|most| sum <= most as u64)
    }

    /// Carries out the calls of one answer, and keeps them and their results; how the step ends, if it does.
    async fn carry_out(
        &self,
        place: &Place<'_>,
        progress: &mut Progress,
        calls: Vec<(String, Value)>,
        seen: &[crate::id::Id],
    ) -> Result<Option<Stopped>> {
        let mut said = Vec::new();
        let carried = self.carry_out_all(place, progress, calls, seen, &mut said).await;
        // What was done is kept also when an error ends the step.
        if !said.is_empty() {
            let kept = self.keep(place, said).await;
            kept.or_else(|error| if carried.is_err() { Ok(()) } else { Err(error) })?;
        }
        let (sent, wants_more) = carried?;
        let has_sent = !sent.is_empty();
        progress.sent.extend(sent);
        Ok(if place.cancel.is_fired() {
            Some(Stopped::Aborted)
        } else if progress.repeats >= REPEATS {
            Some(Stopped::Loop)
        } else if has_sent && !wants_more {
            Some(Stopped::Sent)
        } else if progress.calls.len() >= place.max_calls {
            Some(Stopped::Calls)
        } else {
            None
        })
    }

    /// Carries out the calls of one answer, and adds them and their results to `said`; what is said to the person, and whether the
    /// model wants to be asked again.
    async fn carry_out_all(
        &self,
        place: &Place<'_>,
        progress: &mut Progress,
        calls: Vec<(String, Value)>,
        seen: &[crate::id::Id],
        said: &mut Vec<NewMessage>,
    ) -> Result<(Vec<String>, bool)> {
        let (mut sent, mut wants_more) = (Vec::new(), false);
        for (name, arguments) in calls {
            if progress.calls.len() >= place.max_calls || place.cancel.is_fired() {
                break;
            }
            let checked = Checked::read(&name, &arguments);
            let known = checked.as_ref().map_or_else(|_| shown(&arguments), Checked::bare);
            let called = if progress.is_repeated(&name, &known) {
                Called { ok: false, result: REPEATED.to_owned() }
            } else {
                let called = match &checked {
                    Ok(_) if name == "send_message" => self.answered(Ok("Sent.".to_owned()))?,
                    Ok(call) => self.answered(self.perform(place.scope, call, seen).await)?,
                    Err(error) => self.answered(Err(error.clone()))?,
                };
                progress.note(&name, known, called.ok);
                called
            };
            let arguments = checked.as_ref().map_or_else(|_| shown(&arguments), Checked::arguments);
            wants_more |= checked.as_ref().is_ok_and(Checked::requests_heartbeat);
            let is_said = called.ok && name == "send_message";
            if let (true, Ok(call)) = (is_said, &checked) {
                sent.push(call.text("message").to_owned());
                said.push(message(Role::Assistant, call.text("message").into()));
            } else {
                let call = json!([{ "type": FUNCTION_CALL, "name": name, "arguments": arguments }]);
                said.push(message(Role::Assistant, call));
            }
            if !is_said || wants_more {
                let told = json!([{ "type": FUNCTION_RESULT, "name": name, "ok": called.ok, "result": called.result }]);
                said.push(message(Role::Tool, told));
            }
            let Called { ok, result } = called;
            progress.calls.push(Made { name, arguments, ok, result });
        }
        Ok((sent, wants_more))
    }

    /// Keeps messages of the step in its thread.
    async fn keep(&self, place: &Place<'_>, messages: Vec<NewMessage>) -> Result<()> {
        let thread_id = Some(place.thread_id.to_owned());
        self.ingest.remember(place.scope, Remember { messages, thread_id, learn: place.learn }).await?;
        Ok(())
    }
}

/// What is kept of arguments that were not carried out.
fn shown(arguments: &Value) -> Value {
    let text = match arguments {
        Value::String(text) => text.clone(),
        Value::Null => return Value::Object(Map::new()),
        other => other.to_string(),
    };
    if text.len() <= 2000 { arguments.clone() } else { text.chars().take(500).collect::<String>().into() }
}
