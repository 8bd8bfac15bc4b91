//! A platform whose parts load late.

use super::machine::MachinePlatform;
use super::world::World;
use mnemic::engine::{Engine, Parts};
use mnemic::ports::{Pending, Platform, Storage};
use mnemic::{Code, Error};
use serde_json::json;
use std::cell::Cell;
use std::rc::Rc;

/// A platform whose parts take 100 ms to load, the first times in vain.
pub(crate) struct LateParts {
    machine: Rc<MachinePlatform>,
    failures: Cell<usize>,
    is_loaded: Rc<Cell<bool>>,
    /// Whether it tells the engine which parts are there; else it says that all are.
    says_what_is_loaded: bool,
}

impl Platform for LateParts {
    fn now(&self) -> i64 {
        self.machine.now()
    }

    fn random(&self) -> [u8; 10] {
        self.machine.random()
    }

    fn sleep(&self, milliseconds: u32) -> Pending<'static, ()> {
        self.machine.sleep(milliseconds)
    }

    fn yield_now(&self) -> Pending<'static, ()> {
        self.machine.yield_now()
    }

    fn spawn(&self, work: Pending<'static, ()>) {
        self.machine.spawn(work);
    }

    fn load(&self, _part: &'static str) -> Pending<'static, mnemic::Result<()>> {
        let (loading, is_loaded) = (self.machine.sleep(100), self.is_loaded.clone());
        let fails = self.failures.get() > 0;
        self.failures.set(self.failures.get().saturating_sub(1));
        Box::pin(async move {
            if !is_loaded.get() {
                loading.await;
                is_loaded.set(!fails);
            }
            if fails { Err(Error::new(Code::Load, "offline")) } else { Ok(()) }
        })
    }

    fn is_loaded(&self, _part: &'static str) -> bool {
        !self.says_what_is_loaded || self.is_loaded.get()
    }
}

/// An engine whose parts load late, the first times in vain.
pub(crate) fn open_late(
    world: &World,
    storage: Rc<dyn Storage>,
    failures: usize,
    says_what_is_loaded: bool,
) -> Engine {
    let (machine, failures) = (world.machine.platform(), Cell::new(failures));
    let platform = LateParts { machine, failures, is_loaded: Rc::default(), says_what_is_loaded };
    let parts = Parts { storage, platform: Rc::new(platform), llm: None, embedder: None, tokenizer: None };
    world.open_parts(parts, &json!({})).unwrap()
}
