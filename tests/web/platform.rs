//! Time, randomness and background work in a real browser.

use futures_util::FutureExt;
use futures_util::future::{Either, select};
use js_sys::{Function, Object, Reflect};
use mnemic::Code;
use mnemic::ports::Platform;
use mnemic::web::WebPlatform;
use std::collections::BTreeSet;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen(module = "/tests/web/platform.js")]
extern "C" {
    #[wasm_bindgen(js_name = watchTimers)]
    fn watch_timers() -> Object;
    #[wasm_bindgen(js_name = replaceGlobal)]
    fn replace_global(name: &str, value: &JsValue) -> Function;
    #[wasm_bindgen(js_name = forbiddenCrypto)]
    fn forbidden_crypto() -> JsValue;
}

fn count(counts: &Object, name: &str) -> u32 {
    Reflect::get(counts, &name.into()).unwrap().as_f64().unwrap() as u32
}

#[wasm_bindgen_test]
fn the_clock_is_the_browser_s() {
    let platform = WebPlatform::new().unwrap();
    let (before, now, after) = (js_sys::Date::now() as i64, platform.now(), js_sys::Date::now() as i64);
    assert!(before <= now && now <= after, "{before} <= {now} <= {after}");
}

#[wasm_bindgen_test]
fn random_bytes_differ() {
    let platform = WebPlatform::new().unwrap();
    let drawn: BTreeSet<[u8; 10]> = (0..1000).map(|_| platform.random()).collect();
    assert_eq!(drawn.len(), 1000);
    for place in 0..10 {
        let values: BTreeSet<u8> = drawn.iter().filter_map(|bytes| bytes.get(place).copied()).collect();
        assert!(values.len() > 200, "byte {place} took only {} values in 1000 draws", values.len());
    }
}

#[wasm_bindgen_test]
async fn sleeps_end_in_the_order_of_their_length() {
    let platform = WebPlatform::new().unwrap();
    // setTimeout would fire the long ones at once: they are more than 2^31 milliseconds.
    for long in [60_000, 1 << 31, u32::MAX] {
        let outcome = select(platform.sleep(long), platform.sleep(5)).await;
        assert!(matches!(outcome, Either::Right(_)), "sleeping {long} ms was over before 5 ms");
    }
    platform.sleep(0).await;
}

#[wasm_bindgen_test]
async fn a_dropped_sleep_clears_its_timer() {
    let counts = watch_timers();
    let platform = WebPlatform::new().unwrap();
    assert!(platform.sleep(1).now_or_never().is_none());
    assert_eq!((count(&counts, "set"), count(&counts, "cleared")), (1, 1));
    drop(platform.sleep(1));
    platform.sleep(5).await;
    assert_eq!((count(&counts, "set"), count(&counts, "cleared"), count(&counts, "fired")), (2, 1, 1));
    Reflect::get(&counts, &"restore".into())
        .unwrap()
        .unchecked_into::<Function>()
        .call0(&JsValue::UNDEFINED)
        .unwrap();
}

#[wasm_bindgen_test]
async fn spawned_work_runs_after_the_caller() {
    let platform = WebPlatform::new().unwrap();
    let (sender, mut receiver) = futures_channel::oneshot::channel();
    platform.spawn(Box::pin(async move { sender.send("done").unwrap() }));
    assert_eq!(receiver.try_recv(), Ok(None));
    assert_eq!(receiver.await, Ok("done"));
}

#[wasm_bindgen_test]
fn a_runtime_that_lacks_something_is_told_so() {
    for (name, value, expected) in [
        ("crypto", JsValue::UNDEFINED, "no crypto"),
        ("crypto", forbidden_crypto(), "inside a request"),
        ("setTimeout", JsValue::UNDEFINED, "no setTimeout"),
        ("clearTimeout", JsValue::from(7), "no clearTimeout"),
    ] {
        let old = replace_global(name, &value);
        let outcome = WebPlatform::new();
        old.call0(&JsValue::UNDEFINED).unwrap();
        let error = outcome.unwrap_err();
        assert_eq!(error.code, Code::Internal, "{name}");
        assert!(error.message.contains(expected), "{name}: {error}");
    }
}

/// `setTimeout(0)` waits 4 ms after a few times, which made long work in slices slow.
#[wasm_bindgen_test]
async fn the_next_turn_needs_no_timer_and_comes_after_what_waits() {
    let counts = watch_timers();
    let platform = WebPlatform::new().unwrap();
    let order = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let (first, second) = (order.clone(), order.clone());
    wasm_bindgen_futures::spawn_local(async move { first.borrow_mut().push("waits") });
    platform.yield_now().await;
    second.borrow_mut().push("comes");
    // One that nobody waits for any more does no harm.
    assert!(platform.yield_now().now_or_never().is_none());
    platform.yield_now().await;
    assert_eq!(*order.borrow(), ["waits", "comes"]);
    assert_eq!(count(&counts, "set"), 0);
    Reflect::get(&counts, &"restore".into())
        .unwrap()
        .unchecked_into::<Function>()
        .call0(&JsValue::UNDEFINED)
        .unwrap();
}
