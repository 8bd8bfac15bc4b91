//! A whole machine to open memories on: a clock that moves only when everything waits, seeded randomness, one thread.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use futures_executor::{LocalPool, LocalSpawner};
use futures_util::task::LocalSpawnExt;
use mnemic::ports::{Pending, Platform};
use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// When tests begin: 2026-05-01 00:00 UTC.
pub(crate) const START: i64 = 1_777_593_600_000;

/// The machine.
pub(crate) struct Machine {
    pool: RefCell<LocalPool>,
    platform: Rc<MachinePlatform>,
}

/// Its clock, randomness and background.
pub(crate) struct MachinePlatform {
    now: Cell<i64>,
    random: Cell<u64>,
    spawner: LocalSpawner,
    sleepers: Rc<RefCell<Vec<(i64, Waker)>>>,
}

impl Machine {
    pub(crate) fn new(seed: u64) -> Self {
        let pool = LocalPool::new();
        let platform = MachinePlatform {
            now: Cell::new(START),
            random: Cell::new(seed | 1),
            spawner: pool.spawner(),
            sleepers: Rc::default(),
        };
        Self { pool: RefCell::new(pool), platform: Rc::new(platform) }
    }

    pub(crate) fn platform(&self) -> Rc<MachinePlatform> {
        self.platform.clone()
    }

    /// Lets time pass, and everything happen that falls due meanwhile.
    pub(crate) fn pass(&self, milliseconds: i64) {
        let end = self.platform.now.get() + milliseconds;
        loop {
            self.pool.borrow_mut().run_until_stalled();
            match self.platform.next_deadline() {
                Some(deadline) if deadline <= end => self.platform.move_to(deadline),
                _ => break,
            }
        }
        self.platform.move_to(end);
        self.pool.borrow_mut().run_until_stalled();
    }

    /// Runs a future to its end; when everything waits, the clock moves to the next time somebody waits for.
    pub(crate) fn run<T: 'static>(&self, future: impl Future<Output = T> + 'static) -> T {
        let answer = Rc::new(RefCell::new(None));
        let slot = answer.clone();
        self.platform
            .spawner
            .spawn_local(async move {
                let value = future.await;
                *slot.borrow_mut() = Some(value);
            })
            .expect("the pool lives");
        loop {
            self.pool.borrow_mut().run_until_stalled();
            if let Some(value) = answer.borrow_mut().take() {
                return value;
            }
            let deadline =
                self.platform.next_deadline().expect("everything waits and nobody for the clock: a deadlock");
            self.platform.move_to(deadline);
        }
    }
}

impl MachinePlatform {
    fn next_deadline(&self) -> Option<i64> {
        self.sleepers.borrow().iter().map(|(deadline, _)| *deadline).min()
    }

    fn move_to(&self, time: i64) {
        self.now.set(time.max(self.now.get()));
        let now = self.now.get();
        let mut sleepers = self.sleepers.borrow_mut();
        let (due, waiting): (Vec<_>, Vec<_>) = sleepers.drain(..).partition(|(deadline, _)| *deadline <= now);
        *sleepers = waiting;
        drop(sleepers);
        due.into_iter().for_each(|(_, waker)| waker.wake());
    }
}

impl Platform for MachinePlatform {
    fn now(&self) -> i64 {
        self.now.get()
    }

    fn random(&self) -> [u8; 10] {
        let mut bytes = [0; 10];
        for byte in &mut bytes {
            let mut x = self.random.get();
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            self.random.set(x);
            *byte = (x >> 24) as u8;
        }
        bytes
    }

    fn sleep(&self, milliseconds: u32) -> Pending<'static, ()> {
        let deadline = self.now.get() + i64::from(milliseconds);
        Box::pin(Sleep { deadline, slept: false, sleepers: self.sleepers.clone() })
    }

    fn yield_now(&self) -> Pending<'static, ()> {
        let mut yielded = false;
        Box::pin(poll_fn(move |context| {
            if std::mem::replace(&mut yielded, true) {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        }))
    }

    fn spawn(&self, work: Pending<'static, ()>) {
        self.spawner.spawn_local(work).expect("the pool lives");
    }
}

/// Waits until the clock has been moved past the deadline. Dropped, it no longer waits.
struct Sleep {
    deadline: i64,
    slept: bool,
    sleepers: Rc<RefCell<Vec<(i64, Waker)>>>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.slept {
            return Poll::Ready(());
        }
        // It is woken only by the clock, or not at all.
        self.slept = true;
        self.sleepers.borrow_mut().push((self.deadline, context.waker().clone()));
        Poll::Pending
    }
}
