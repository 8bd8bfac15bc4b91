//! Waiting for an event.

use futures_channel::oneshot;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, EventTarget};

/// Listeners on a target, taken off before their closure goes.
pub(super) struct Happened<'a> {
    target: &'a EventTarget,
    names: &'a [&'static str],
    listener: Closure<dyn FnMut(Event)>,
}

impl<'a> Happened<'a> {
    /// Waits for the first of the named events and answers its name.
    pub(super) async fn first(target: &'a EventTarget, names: &'a [&'static str]) -> String {
        let (sender, receiver) = oneshot::channel();
        let mut sender = Some(sender);
        let listener = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            if let Some(sender) = sender.take() {
                // The receiver lives as long as the listener is on.
                sender.send(event.type_()).ok();
            }
        });
        let listening = Self { target, names, listener };
        for name in names {
            // Adding a listener throws for no event target.
            target.add_event_listener_with_callback(name, listening.listener.as_ref().unchecked_ref()).ok();
        }
        receiver.await.unwrap_or_default()
    }
}

impl Drop for Happened<'_> {
    fn drop(&mut self) {
        for name in self.names {
            self.target
                .remove_event_listener_with_callback(name, self.listener.as_ref().unchecked_ref())
                .ok();
        }
    }
}
