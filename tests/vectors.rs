//! When texts get their vectors that had none when they were stored: before a search, which waits for that as long as it may.

use crate::support::embedder::ToyEmbedder;
use crate::support::late::open_late;
use crate::support::machine::MachinePlatform;
use crate::support::world::{World, causes as causes_of, texts as texts_of};
use mnemic::engine::Engine;
use mnemic::ports::{Batch, Embedder, Pairs, Pending, Platform, Storage, TextPurpose};
use mnemic::storage::MemoryStorage;
use mnemic::{Code, Error, Result};
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;

/// An engine that has not loaded what embeds.
fn late(world: &World) -> Engine {
    open_late(world, Rc::new(world.storage.clone()), 0, true)
}

fn unembedded(world: &World, engine: &Engine) -> u64 {
    world.call(engine, "usage", json!({}))["unembedded"].as_u64().unwrap()
}

/// A write does not wait for what embeds, and the search after it finds by meaning what was written.
#[test]
fn what_is_stored_before_its_words_are_there_gets_its_vector_when_it_is_searched() {
    let world = World::new();
    let engine = late(&world);
    world.add(&engine, json!({ "text": "Alice sold her car" }));
    assert_eq!(unembedded(&world, &engine), 1);
    let found = world.call(&engine, "facts.search", json!({ "query": "vehicle" }));
    assert_eq!((texts_of(&found), unembedded(&world, &engine)), (vec!["Alice sold her car"], 0));
    let terms = &found[0]["terms"];
    assert!(terms["meaningRaw"].as_f64().unwrap() > 0.25, "{terms}");
    world.add(&engine, json!({ "text": "Alice bought a bicycle" }));
    assert_eq!(unembedded(&world, &engine), 0);
}

/// Each of several searches stored the same vectors once more.
#[test]
fn searches_at_once_give_what_waits_its_vector_once() {
    let world = World::new();
    let engine = late(&world);
    world.add(&engine, json!({ "text": "Alice sold her car" }));
    let causes = causes_of(&engine);
    let searches = (0..5).map(|_| (&engine, "facts.search", json!({ "query": "vehicle" }))).collect();
    for found in world.at_once(searches) {
        assert_eq!(texts_of(&found.unwrap()), ["Alice sold her car"]);
    }
    world.idle(&engine);
    assert_eq!(*causes.borrow(), ["embed"]);
}

/// A search that first stored vectors was overtaken by a call that was made after it, and did not find what that deleted.
#[test]
fn a_search_that_stores_vectors_first_is_not_overtaken() {
    let world = World::new();
    let engine = late(&world);
    world.add(&engine, json!({ "text": "Alice drinks tea" }));
    world.call(&engine, "facts.search", json!({ "query": "tea" }));
    world.idle(&engine);
    let id = world.call(&engine, "facts.list", json!({}))[0]["id"].clone();
    let other = late(&world);
    world.add(&other, json!({ "text": "Alice sold her car" }));
    assert_eq!(unembedded(&world, &other), 1);
    let calls = vec![
        (&other, "facts.search", json!({ "query": "what does Alice drink?" })),
        (&other, "facts.delete", json!({ "id": id })),
    ];
    let answers: Vec<Value> = world.at_once(calls).into_iter().map(Result::unwrap).collect();
    assert!(texts_of(&answers[0]).contains(&"Alice drinks tea"), "{}", answers[0]);
    assert_eq!(answers[1]["action"], "deleted");
}

/// Some searches did so, and others only looked at words.
#[test]
fn every_search_gives_what_waits_its_vector() {
    let said = json!([{ "role": "user", "content": "Did Alice sell a vehicle?" }]);
    for (method, options) in [
        ("recall", json!({ "query": "vehicle" })),
        ("assemble", json!({ "messages": said, "maxTokens": 500 })),
        ("facts.search", json!({ "query": "vehicle" })),
        ("threads.search", json!({ "query": "vehicle" })),
        ("graph.search", json!({ "query": "vehicle" })),
        ("episodes.search", json!({ "query": "vehicle" })),
        ("context.archive.search", json!({ "query": "vehicle" })),
        ("tiers.retrieve", json!({ "query": "vehicle" })),
        ("forget", json!({ "query": "vehicle" })),
        ("callTool", json!({ "name": "facts_search", "arguments": { "query": "vehicle" } })),
        ("documents.search", json!({ "prefix": [], "query": "vehicle" })),
    ] {
        let world = World::new();
        // The background could not load what embeds, and waits for its next try.
        let engine = open_late(&world, Rc::new(world.storage.clone()), 1, true);
        world.add(&engine, json!({ "text": "Alice sold her car" }));
        world.machine.pass(1_000);
        assert_eq!(unembedded(&world, &engine), 1, "{method}");
        let answer = world.call(&engine, method, options);
        assert_eq!(unembedded(&world, &engine), 0, "{method}: {answer}");
    }
}

#[test]
fn a_prompt_is_assembled_from_what_was_stored_before_its_words_were_there() {
    let world = World::new();
    let engine = late(&world);
    world.add(&engine, json!({ "text": "Alice sold her car" }));
    let asked =
        json!({ "messages": [{ "role": "user", "content": "Did Alice sell a vehicle?" }], "maxTokens": 500 });
    let prompt = world.call(&engine, "assemble", asked);
    assert_eq!(prompt["items"][0]["section"], "facts", "{prompt}");
    assert_eq!(unembedded(&world, &engine), 0);
}

/// A storage whose writes take as long as a test says.
struct Slow {
    image: MemoryStorage,
    machine: Rc<MachinePlatform>,
    takes: Rc<Cell<u32>>,
}

impl Storage for Slow {
    fn read<'a>(&'a self, start: &'a str, end: &'a str) -> Pending<'a, Result<Pairs>> {
        self.image.read(start, end)
    }

    fn write<'a>(&'a self, batch: &'a Batch, expected_head: u64) -> Pending<'a, Result<()>> {
        Box::pin(async move {
            if self.takes.get() > 0 {
                self.machine.sleep(self.takes.get()).await;
            }
            self.image.write(batch, expected_head).await
        })
    }

    fn close(&self) {
        self.image.close();
    }
}

/// When a search had waited long enough, the vectors were on their way to the storage, and the background stored them once more; and
/// each further search waited as long.
#[test]
fn a_search_waits_a_second_for_a_slow_storage_and_the_next_ones_do_not() {
    let world = World::new();
    let takes = Rc::new(Cell::new(0));
    let slow = Slow { image: world.storage.clone(), machine: world.machine.platform(), takes: takes.clone() };
    let engine = open_late(&world, Rc::new(slow), 0, true);
    world.add(&engine, json!({ "text": "Alice sold her car" }));
    let causes = causes_of(&engine);
    takes.set(5_000);
    for (method, options) in
        [("facts.search", json!({ "query": "car" })), ("recall", json!({ "query": "who sold a car?" }))]
    {
        let began = world.now();
        world.call(&engine, method, options);
        let took = world.now() - began;
        // What embeds takes 100 ms to load.
        assert!(
            if method == "facts.search" { (1_000..1_200).contains(&took) } else { took < 50 },
            "{method}: {took}"
        );
        assert_eq!(unembedded(&world, &engine), 1);
    }
    world.idle(&engine);
    assert_eq!((unembedded(&world, &engine), causes.take()), (0, vec![json!("embed")]));
    // Once it is stored, the next search waits again.
    takes.set(0);
    world.add(&engine, json!({ "text": "Alice bought a boat" }));
    assert_eq!(
        texts_of(&world.call(&engine, "facts.search", json!({ "query": "boat" }))),
        ["Alice bought a boat"]
    );
    assert_eq!(unembedded(&world, &engine), 0);
}

/// A storage that refuses is not asked again by each search.
#[test]
fn after_a_failure_searches_leave_it_to_the_background() {
    let world = World::new();
    let storage = Rc::new(crate::support::storage::TestStorage::on(&world.storage));
    let engine = open_late(&world, storage.clone(), 0, true);
    world.add(&engine, json!({ "text": "Alice sold her car" }));
    storage.plan(std::iter::repeat_n(crate::support::storage::Write::Fails(Code::QuotaExceeded), 100));
    let search = || texts_of(&world.call(&engine, "facts.search", json!({ "query": "car" }))).len();
    assert_eq!(search(), 1);
    let writes = storage.writes.get();
    assert_eq!((search(), storage.writes.get()), (1, writes));
}

/// Each of several searches of documents stored the same vectors once more; while an embedder hangs they wait together.
#[test]
fn searches_of_documents_at_once_embed_what_waits_once() {
    let world = World::new();
    let embedder = ToyEmbedder::failing();
    let engine = world.try_open(None, Some(embedder.clone()), &json!({})).unwrap();
    let put = json!({ "namespace": ["notes"], "key": "car", "value": { "text": "Alice sold her car" } });
    world.call(&engine, "documents.put", put);
    assert_eq!(unembedded(&world, &engine), 1);
    embedder.fails.set(false);
    let (asked, causes) = (embedder.texts().len(), causes_of(&engine));
    let search = (&engine, "documents.search", json!({ "prefix": ["notes"], "query": "car" }));
    for found in world.at_once(vec![search.clone(), search.clone(), search]) {
        assert_eq!(found.unwrap().as_array().unwrap().len(), 1);
    }
    let texts = embedder.texts();
    assert_eq!(texts[asked..].iter().filter(|text| *text != "car").count(), 1, "{texts:?}");
    assert_eq!((unembedded(&world, &engine), causes.take()), (0, vec![json!("embed")]));
}

/// An embedder that answers nothing in the time that it is given.
struct Stuck(Rc<MachinePlatform>);

impl Embedder for Stuck {
    fn id(&self) -> &str {
        "stuck"
    }

    fn embed<'a>(&'a self, _: &'a [String], _: TextPurpose, time: u32) -> Pending<'a, Result<Vec<Vec<f32>>>> {
        Box::pin(async move {
            self.0.sleep(time).await;
            Err(Error::new(Code::Embedder, "no answer"))
        })
    }
}

/// Each waited ten seconds of its own, one after the other, and kept all other calls waiting.
#[test]
fn searches_of_documents_wait_for_a_stuck_embedder_together_and_hold_nobody_back() {
    let world = World::new();
    let engine = world.try_open(None, Some(Rc::new(Stuck(world.machine.platform()))), &json!({})).unwrap();
    let put = json!({ "namespace": ["notes"], "key": "car", "value": { "text": "Alice sold her car" } });
    world.call(&engine, "documents.put", put);
    let search = || world.begin(&engine, "documents.search", json!({ "prefix": ["notes"], "query": "car" }));
    let searches = [search(), search(), search()];
    let usage = world.begin(&engine, "facts.list", json!({}));
    world.machine.pass(100);
    assert!(usage.borrow().is_some() && searches.iter().all(|search| search.borrow().is_none()));
    // Ten seconds for the text, and ten for each query.
    world.machine.pass(20_000);
    for search in searches {
        assert_eq!(search.take().unwrap().unwrap().as_array().unwrap().len(), 1);
    }
}

/// A search by meaning did not see what was just written with the embedder of an application, and had no way to ask for that.
#[test]
fn a_search_waits_for_vectors_where_it_is_asked_to() {
    for (method, options) in [
        ("recall", json!({ "query": "dog" })),
        ("assemble", json!({ "query": "dog", "maxTokens": 500 })),
        ("facts.search", json!({ "query": "dog" })),
        ("threads.search", json!({ "query": "dog" })),
        ("graph.search", json!({ "query": "dog" })),
        ("episodes.search", json!({ "query": "dog" })),
        ("context.archive.search", json!({ "query": "dog" })),
    ] {
        let world = World::new();
        let embedder = ToyEmbedder::of_lengths();
        let engine = world.try_open(None, Some(embedder.clone()), &json!({})).unwrap();
        embedder.fails.set(true);
        world.add(&engine, json!({ "text": "Zoe owns a hound" }));
        world.idle(&engine);
        assert_eq!(unembedded(&world, &engine), 1, "{method}");
        let asked = |waits: bool| {
            let mut asked = options.clone();
            asked["await"] = waits.into();
            asked
        };
        // It fails: words are used, and listeners are told.
        world.call(&engine, method, asked(true));
        assert_eq!(unembedded(&world, &engine), 1, "{method}");
        embedder.fails.set(false);
        world.call(&engine, method, asked(false));
        assert_eq!(unembedded(&world, &engine), 1, "{method}");
        world.call(&engine, method, asked(true));
        assert_eq!(unembedded(&world, &engine), 0, "{method}");
    }
}
