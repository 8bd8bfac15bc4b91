//! A timer of the page or worker, as a future.

use crate::error::{Code, Error, Result};
use crate::web::thrown::Thrown;
use futures_channel::oneshot;
use js_sys::{Function, Reflect, global};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};

/// The longest delay `setTimeout` honours, in milliseconds; it fires at once for a longer one.
const MAX_STEP_MS: u32 = i32::MAX as u32;

/// The functions `setTimeout` and `clearTimeout`, which pages, workers and servers all have.
#[derive(Debug, Clone)]
pub(super) struct Timers {
    set: Function,
    clear: Function,
}

impl Timers {
    /// # Errors
    /// `Internal` where JavaScript has no timers.
    pub(super) fn new() -> Result<Self> {
        Ok(Self { set: global_function("setTimeout")?, clear: global_function("clearTimeout")? })
    }

    /// Resolves after about `milliseconds`; dropped earlier, it clears its timer. A server process lives on meanwhile.
    pub(super) async fn sleep(&self, milliseconds: u32) {
        self.wait(milliseconds, true).await;
    }

    /// The same, but a server process that has nothing else to wait for may end.
    pub(super) async fn sleep_unreferenced(&self, milliseconds: u32) {
        self.wait(milliseconds, false).await;
    }

    async fn wait(&self, milliseconds: u32, keeps_alive: bool) {
        let mut left = milliseconds;
        loop {
            let step = left.min(MAX_STEP_MS);
            self.step(step, keeps_alive).await;
            left -= step;
            if left == 0 {
                break;
            }
        }
    }

    async fn step(&self, milliseconds: u32, keeps_alive: bool) {
        let (sender, receiver) = oneshot::channel();
        let mut sender = Some(sender);
        let fire = Closure::<dyn FnMut()>::new(move || {
            if let Some(sender) = sender.take() {
                // The receiver is gone only when the timer was cleared.
                sender.send(()).ok();
            }
        });
        let id = self.set.call2(&JsValue::UNDEFINED, fire.as_ref().unchecked_ref(), &milliseconds.into());
        let Ok(id) = id else { return };
        if !keeps_alive {
            release(&id);
        }
        let _running = Running { clear: &self.clear, id, _fire: fire };
        receiver.await.ok();
    }
}

/// A timer that has been set; dropping it clears it before its closure goes.
struct Running<'a> {
    clear: &'a Function,
    id: JsValue,
    _fire: Closure<dyn FnMut()>,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        // Clearing a timer that has fired is allowed and does nothing.
        self.clear.call1(&JsValue::UNDEFINED, &self.id).ok();
    }
}

/// Lets the process end in spite of a timer, where timers are objects that can.
fn release(timer: &JsValue) {
    let unref = timer.is_object().then(|| Reflect::get(timer, &"unref".into()).ok()).flatten();
    if let Some(unref) = unref.and_then(|unref| unref.dyn_into::<Function>().ok()) {
        unref.call0(timer).ok();
    }
}

fn global_function(name: &str) -> Result<Function> {
    let missing = |why: String| {
        Error::new(
            Code::Internal,
            format!("this JavaScript runtime has no {name} ({why}); use a browser or a server runtime"),
        )
    };
    let function =
        Reflect::get(&global(), &name.into()).map_err(|error| missing(Thrown::new(&error).to_string()))?;
    function.dyn_into().map_err(|value| missing(crate::web::kind::kind(&value)))
}
