//! Storages that fail, processes that die, engines that race: no page is lost, and none is in two places.

use super::careful::{Careful, Places, fixture};
use crate::support::fault::{Fault, FaultyStorage};
use crate::support::world::{ALICE, World};
use mnemic::engine::{Engine, Options, Parts};
use mnemic::ports::{Llm, Storage};
use proptest::prelude::*;
use serde_json::json;
use std::rc::Rc;

fn open_on(world: &World, storage: Rc<dyn Storage>, llm: Option<Rc<dyn Llm>>) -> Option<Engine> {
    let parts = Parts { storage, platform: world.machine.platform(), llm, embedder: None, tokenizer: None };
    let options = Options::from_json(r#"{"tiers":{"capacity":2,"heat":3}}"#).unwrap();
    world.machine.run(async move { Engine::open(parts, options).await }).ok()
}

/// Adds pages of the fixture by their numbers until one cannot be stored; the answer is how many were.
fn add(world: &World, engine: &Engine, numbers: std::ops::Range<usize>) -> usize {
    let pages = fixture()["pages"].as_array().unwrap().clone();
    let mut added = 0;
    for number in numbers {
        let page = json!({ "query": pages[number]["query"], "response": pages[number]["response"] });
        if world.try_call(engine, "tiers.add", ALICE, page).is_err() {
            break;
        }
        added += 1;
        let asked = json!({ "query": pages[number]["query"] });
        world.try_call(engine, "tiers.retrieve", ALICE, asked).ok();
    }
    added
}

/// Writes until the storage fails, in one of three ways; then opens what is left and goes on.
fn dies_after(writes: u32, fault: Fault, llm: Option<&Rc<Careful>>) {
    let world = World::new();
    let model = || llm.cloned().map(|llm| -> Rc<dyn Llm> { llm });
    let storage = Rc::new(FaultyStorage::new(world.storage.clone(), fault, writes));
    let added = match open_on(&world, storage, model()) {
        Some(engine) => {
            let added = add(&world, &engine, 0..12);
            world.try_call(&engine, "idle", "", json!({})).ok();
            let closing = engine.clone();
            world.machine.run(async move { closing.close().await });
            added
        }
        None => 0,
    };
    let places = Places::read(&world);
    places.check();
    let all = places.all().len();
    assert!(all == added || all == added + 1, "{writes} {fault:?}: {added} were confirmed, {all} are there");
    let engine = open_on(&world, Rc::new(world.storage.clone()), model()).unwrap();
    world.idle(&engine);
    let places = Places::read(&world);
    places.check();
    assert!(places.short.len() <= 2 && places.all().len() == all, "{writes} {fault:?}: {places:#?}");
}

#[test]
fn dying_at_any_write_loses_and_doubles_nothing() {
    for writes in 0..45 {
        for fault in [Fault::Refuses, Fault::LosesAnswer] {
            dies_after(writes, fault, Some(&Careful::new()));
        }
    }
}

#[test]
fn two_engines_on_one_storage_move_each_page_once() {
    let (world, llm) = (World::new(), Careful::new());
    let open = || open_on(&world, Rc::new(world.storage.clone()), Some(llm.clone())).unwrap();
    let engines = [open(), open()];
    let pages = fixture()["pages"].as_array().unwrap().clone();
    for (number, page) in pages.iter().take(24).enumerate() {
        let page = json!({ "query": page["query"], "response": page["response"] });
        world.call(&engines[number % 2], "tiers.add", page);
        if number % 3 == 0 {
            let other = engines[(number + 1) % 2].clone();
            world.machine.run(async move { other.refresh().await }).unwrap();
        }
    }
    for _ in 0..3 {
        for engine in &engines {
            let (one, refreshed) = (engine.clone(), engine.clone());
            world.machine.run(async move { refreshed.refresh().await }).unwrap();
            world.machine.run(async move { one.call("tiers.update", ALICE, "{}").await }).unwrap();
        }
    }
    let places = Places::read(&world);
    places.check();
    assert_eq!(places.all().len(), 24);
    let facts = world.call(&engines[1], "facts.list", json!({}));
    let mut texts: Vec<&str> =
        facts.as_array().unwrap().iter().map(|fact| fact["text"].as_str().unwrap()).collect();
    let count = texts.len();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), count, "no fact twice: {facts}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn no_page_is_lost_or_in_two_segments(
        lives in prop::collection::vec((0..40u32, 0..3usize, 1..9usize, any::<bool>()), 1..6),
    ) {
        let world = World::new();
        let (mut next, mut least) = (0, 0);
        for (writes, fault, count, has_model) in lives {
            let fault = [Fault::Refuses, Fault::LosesAnswer, Fault::Tears(1)][fault];
            let storage = Rc::new(FaultyStorage::new(world.storage.clone(), fault, writes));
            let model = has_model.then(|| -> Rc<dyn Llm> { Careful::new() });
            if let Some(engine) = open_on(&world, storage, model) {
                let added = add(&world, &engine, next..next + count);
                // What failed may have been kept; it is not said again.
                next += if added < count { added + 1 } else { added };
                least += added;
                world.try_call(&engine, "idle", "", json!({})).ok();
                let closing = engine.clone();
                world.machine.run(async move { closing.close().await });
            }
            let places = Places::read(&world);
            places.check();
            let all = places.all().len();
            prop_assert!(all >= least && all <= next, "{least} <= {all} <= {next}");
        }
    }
}
