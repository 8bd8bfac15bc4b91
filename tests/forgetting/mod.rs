//! Forgetting: what goes with what, that nothing tells it afterwards, and that nothing brings it back.

mod cold;
mod everywhere;
mod expiring;
mod in_flight;
mod resting;
mod selecting;
mod tiers;

use crate::support::world::World;
use mnemic::Result;
use mnemic::engine::Engine;
use mnemic::ports::{Llm, ModelRequest, Pending};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

type Answering = dyn Fn(&ModelRequest) -> Value;

/// A model that answers by what it is asked; its next answer may be held back until something has happened.
pub(crate) struct Model {
    answer: Box<Answering>,
    pub(crate) asked: RefCell<Vec<ModelRequest>>,
    /// What happens while it thinks about its next answer to a request of a purpose.
    pub(crate) meanwhile: RefCell<Option<(&'static str, Pending<'static, ()>)>>,
}

impl Model {
    pub(crate) fn new(answer: impl Fn(&ModelRequest) -> Value + 'static) -> Rc<Self> {
        Rc::new(Self { answer: Box::new(answer), asked: RefCell::default(), meanwhile: RefCell::default() })
    }

    /// How often it was asked for something.
    pub(crate) fn calls(&self, purpose: &str) -> usize {
        self.asked.borrow().iter().filter(|request| request.purpose == purpose).count()
    }
}

impl Llm for Model {
    fn complete<'a>(&'a self, request: &'a ModelRequest, _timeout_ms: u32) -> Pending<'a, Result<Value>> {
        self.asked.borrow_mut().push(request.clone());
        let answer = (self.answer)(request);
        let is_meant =
            self.meanwhile.borrow().as_ref().is_some_and(|(purpose, _)| *purpose == request.purpose);
        let meanwhile = if is_meant { self.meanwhile.take() } else { None };
        Box::pin(async move {
            if let Some((_, meanwhile)) = meanwhile {
                meanwhile.await;
            }
            Ok(answer)
        })
    }
}

/// The user's part of a request.
pub(crate) fn prompt(request: &ModelRequest) -> &str {
    &request.messages.get(1).unwrap().content
}

/// Says something in a thread, learns from it now, and answers the message's id.
pub(crate) fn learn(world: &World, engine: &Engine, thread: &str, text: &str) -> Value {
    let messages = json!([{ "role": "user", "content": text }]);
    let said = world.call(engine, "generate", json!({ "threadId": thread, "messages": messages }));
    said["messageIds"][0].clone()
}

/// Says something in a thread from which nothing is learned, and answers the message's id.
pub(crate) fn say(world: &World, engine: &Engine, thread: &str, text: &str) -> Value {
    let messages = json!([{ "role": "user", "content": text }]);
    let said = world.call(engine, "threads.append", json!({ "threadId": thread, "messages": messages }));
    said["messageIds"][0].clone()
}

pub(crate) fn forget(world: &World, engine: &Engine, ids: &[&Value]) -> Value {
    world.call(engine, "forget", json!({ "ids": ids }))
}
