//! A platform whose time stands still until a test moves it, and whose randomness has a seed.

use futures_executor::{LocalPool, LocalSpawner};
use futures_util::task::LocalSpawnExt;
use mnemic::ports::{Pending, Platform};
use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::rc::Rc;
use std::task::{Poll, Waker};

/// 2026-01-01.
pub(crate) const START: i64 = 1_767_225_600_000;

/// Time, randomness and background work of a test.
pub(crate) struct TestPlatform {
    clock: Rc<Clock>,
    random: Cell<u64>,
    spawner: LocalSpawner,
    /// How often something let others have the thread.
    pub(crate) yields: Cell<usize>,
    /// Whether others get it then.
    pub(crate) gives_way: Cell<bool>,
}

struct Clock {
    now: Cell<i64>,
    sleepers: RefCell<Vec<Waker>>,
}

impl TestPlatform {
    /// A platform, and the pool that runs what it spawns.
    pub(crate) fn new(seed: u64) -> (Rc<Self>, LocalPool) {
        let pool = LocalPool::new();
        let clock = Rc::new(Clock { now: Cell::new(START), sleepers: RefCell::default() });
        let platform = Self {
            clock,
            random: Cell::new(seed),
            spawner: pool.spawner(),
            yields: Cell::default(),
            gives_way: Cell::default(),
        };
        (Rc::new(platform), pool)
    }

    /// Moves the clock, forwards or back, and wakes whose time has come.
    pub(crate) fn advance(&self, milliseconds: i64) {
        self.clock.now.set(self.clock.now.get() + milliseconds);
        self.clock.sleepers.take().into_iter().for_each(Waker::wake);
    }

    /// The next random number (SplitMix64 of Steele, Lea and Flood, 2014).
    pub(crate) fn next(&self) -> u64 {
        self.random.set(self.random.get().wrapping_add(0x9e37_79b9_7f4a_7c15));
        let mut mixed = self.random.get();
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

impl Platform for TestPlatform {
    fn now(&self) -> i64 {
        self.clock.now.get()
    }

    fn random(&self) -> [u8; 10] {
        let mut bytes = [0; 10];
        bytes[..8].copy_from_slice(&self.next().to_le_bytes());
        bytes[8..].copy_from_slice(&self.next().to_le_bytes()[..2]);
        bytes
    }

    fn sleep(&self, milliseconds: u32) -> Pending<'static, ()> {
        let clock = self.clock.clone();
        let end = clock.now.get() + i64::from(milliseconds);
        Box::pin(poll_fn(move |context| {
            if clock.now.get() >= end {
                return Poll::Ready(());
            }
            clock.sleepers.borrow_mut().push(context.waker().clone());
            Poll::Pending
        }))
    }

    fn yield_now(&self) -> Pending<'static, ()> {
        self.yields.set(self.yields.get() + 1);
        if self.gives_way.get() { Box::pin(yield_now()) } else { Box::pin(std::future::ready(())) }
    }

    fn spawn(&self, work: Pending<'static, ()>) {
        // The pool lives as long as the test.
        self.spawner.spawn_local(work).unwrap();
    }
}

/// Lets everything else run once.
pub(crate) fn yield_now() -> impl Future<Output = ()> {
    let mut yielded = false;
    poll_fn(move |context| {
        if std::mem::replace(&mut yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
}
