//! The last requests to models, for those who look inside: what for, how long, how many tokens, and what went wrong.

use crate::database::{Database, Event};
use crate::error::{Code, Error};
use crate::log::Cause;
use crate::ports::{ModelRequest, Pending, with_set};
use crate::time::Timestamp;
use serde::Serialize;
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How many requests are kept.
const MOST_KEPT: usize = 100;

/// A request that has ended.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Request {
    /// Why it was made; `embed` for vectors.
    pub(crate) purpose: &'static str,
    /// The version of the prompt; none for vectors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) prompt: Option<&'static str>,
    /// When it began.
    pub(crate) started_at: Timestamp,
    /// How long it took.
    pub(crate) duration_ms: i64,
    /// Tokens sent.
    pub(crate) input_tokens: u64,
    /// Tokens received.
    pub(crate) output_tokens: u64,
    /// Whether these numbers are estimates, as the model told none.
    pub(crate) estimated: bool,
    /// How many texts were embedded; none for a language model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) texts: Option<usize>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Error>,
    /// The span of the call that it is a part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parent: Option<String>,
    /// What was sent, if that is kept.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub(crate) messages: Value,
    /// What came back, if that is kept.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub(crate) reply: Value,
}

/// A request that was begun.
pub(super) struct Begun {
    at: Timestamp,
    parent: Option<String>,
    /// How often texts had been let go of by then.
    forgotten: u32,
}

/// What ended: its tokens, and whether they are estimates.
pub(super) struct Ended {
    pub(super) purpose: &'static str,
    pub(super) prompt: Option<&'static str>,
    pub(super) tokens: (u64, u64),
    pub(super) estimated: bool,
    pub(super) texts: Option<usize>,
    pub(super) error: Option<Error>,
}

/// Who is told of a request.
type Watcher = Rc<dyn Fn(&Request)>;

/// The last requests.
#[derive(Default)]
pub(crate) struct Requests {
    latest: RefCell<Vec<Request>>,
    keeps_text: Cell<bool>,
    forgotten: Cell<u32>,
    /// The span of the call that runs now.
    span: RefCell<Option<String>>,
    watcher: RefCell<Option<Watcher>>,
}

impl Requests {
    /// From now on prompts and replies are kept too.
    pub(crate) fn keep_text(&self) {
        self.keeps_text.set(true);
    }

    /// From now on somebody is told of every request, or nobody.
    pub(crate) fn watch(&self, watcher: Option<Watcher>) {
        self.watcher.replace(watcher);
    }

    /// The last requests, oldest first.
    pub(crate) fn latest(&self) -> Vec<Request> {
        self.latest.borrow().clone()
    }

    /// Lets go of prompts and replies when something is forgotten or locked that may be in them.
    pub(crate) fn heard(&self, event: &Event) {
        if let Event::Lock { .. } | Event::Change { cause: Cause::Forget, .. } = event {
            self.forgotten.set(self.forgotten.get().wrapping_add(1));
            for request in &mut *self.latest.borrow_mut() {
                request.messages = Value::Null;
                request.reply = Value::Null;
            }
        }
    }

    /// Runs a call as a span: what it asks models is a part of it.
    pub(crate) async fn within<T>(&self, span: &str, call: Pending<'_, T>) -> T {
        with_set(call, Some(span.to_owned()), |span| self.span.replace(span)).await
    }

    pub(super) fn begin(&self, database: Option<&Database>) -> Begun {
        let at = database.map_or(0, |database| database.platform().now());
        Begun { at, parent: self.span.borrow().clone(), forgotten: self.forgotten.get() }
    }

    pub(super) fn end(&self, database: Option<&Database>, begun: Begun, ended: Ended) {
        let Ended { purpose, prompt, tokens, estimated, texts, error } = ended;
        let now = database.map_or(0, |database| database.platform().now());
        let request = Request {
            purpose,
            prompt,
            started_at: begun.at,
            duration_ms: now.saturating_sub(begun.at).max(0),
            input_tokens: tokens.0,
            output_tokens: tokens.1,
            estimated,
            texts,
            error,
            parent: begun.parent,
            messages: Value::Null,
            reply: Value::Null,
        };
        let watcher = self.watcher.borrow().clone();
        if let Some(watcher) = watcher {
            watcher(&request);
        }
        let mut latest = self.latest.borrow_mut();
        if latest.len() == MOST_KEPT {
            latest.remove(0);
        }
        latest.push(request);
    }

    /// Keeps the text of the request that ended last, if that is wanted and nothing was forgotten since it began.
    pub(super) fn keep(&self, forgotten: u32, request: &ModelRequest, answer: Option<&Value>) {
        if !self.keeps_text.get() || forgotten != self.forgotten.get() {
            return;
        }
        if let Some(latest) = self.latest.borrow_mut().last_mut() {
            latest.messages = serde_json::to_value(&request.messages).unwrap_or_default();
            latest.reply = answer.map_or(Value::Null, |answer| super::shown(answer).into());
        }
    }

    /// Notes that the last answer for a purpose could not be used.
    pub(super) fn unusable(&self, purpose: &'static str) {
        let mut latest = self.latest.borrow_mut();
        let last = latest.iter_mut().rev().find(|request| request.purpose == purpose);
        if let Some(request) = last {
            let unusable = || Error::new(Code::Model, "the answer could not be used");
            request.error.get_or_insert_with(unusable);
        }
    }
}

impl Begun {
    pub(super) fn forgotten(&self) -> u32 {
        self.forgotten
    }
}
