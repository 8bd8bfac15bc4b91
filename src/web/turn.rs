//! The next turn of the event loop, as a future.

use futures_channel::oneshot;
use js_sys::{Function, Reflect, global};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MessageChannel, MessagePort};

/// Turns of the event loop. Not by `setTimeout` where there is another way: after a few calls it waits 4 ms.
#[derive(Debug, Clone)]
pub(super) struct Turns {
    /// Of Node, where it keeps the process alive until it was called.
    set_immediate: Option<Function>,
    set_timeout: Option<Function>,
}

impl Turns {
    pub(super) fn new() -> Self {
        let named = |name: &str| Reflect::get(&global(), &name.into()).ok()?.dyn_into().ok();
        Self { set_immediate: named("setImmediate"), set_timeout: named("setTimeout") }
    }

    /// Resolves in the next turn.
    pub(super) async fn next(&self) {
        let (sender, receiver) = oneshot::channel();
        let channel = if self.set_immediate.is_some() { None } else { MessageChannel::new().ok() };
        let port = channel.as_ref().map(MessageChannel::port1);
        // It frees itself when it is called, which it is also when nobody waits any more.
        let began = Closure::once_into_js(move || {
            // An open port stays for ever.
            port.iter().for_each(MessagePort::close);
            sender.send(()).unwrap_or_default();
        });
        match (&channel, self.set_immediate.as_ref().or(self.set_timeout.as_ref())) {
            (Some(channel), _) => {
                channel.port1().set_onmessage(Some(began.unchecked_ref()));
                // Nothing that is posted to an open port of one's own is refused.
                channel.port2().post_message(&JsValue::NULL).unwrap_or_default();
            }
            (None, Some(set)) => drop(set.call1(&JsValue::UNDEFINED, &began)),
            (None, None) => return,
        }
        receiver.await.unwrap_or_default();
    }
}
