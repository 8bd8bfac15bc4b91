//! What a model looks up: its archive, and results that are cut.

use super::{function, options};
use crate::support::world::{ALICE, World};
use mnemic::{Code, tokens};
use serde_json::json;

#[test]
fn the_archive_is_searched_by_words_tags_and_pages() {
    let world = World::new();
    let engine = world.open(None, &options(json!({})));
    assert_eq!(
        function(&world, &engine, "archival_memory_search", json!({ "query": "whale" })),
        (true, "No results found.".to_owned())
    );
    for number in 0..12 {
        let tags = if number % 2 == 0 { json!(["sea", "even"]) } else { json!(["sea"]) };
        let content = format!("Whale number {number} was seen near the coast.");
        assert!(
            function(&world, &engine, "archival_memory_insert", json!({ "content": content, "tags": tags }))
                .0
        );
    }
    let search = |arguments| function(&world, &engine, "archival_memory_search", arguments).1;
    let first = search(json!({ "query": "whale" }));
    assert!(first.starts_with("Showing 5 of 12 results (page 0/2): [\"timestamp: "), "{first}");
    let last = search(json!({ "query": "whale", "page": 2 }));
    assert!(last.starts_with("Showing 2 of 12 results (page 2/2): ["), "{last}");
    assert_eq!(
        search(json!({ "query": "whale", "page": 3 })),
        "No results on page 3: there are 12 results, on pages 0 to 2."
    );
    assert!(search(json!({ "query": "whale", "tags": ["even", "land"] })).contains(" of 6 results"));
    assert_eq!(
        search(json!({ "query": "whale", "tags": ["even", "land"], "tag_match_mode": "all" })),
        "No results found."
    );
    assert!(
        search(json!({ "query": "whale", "tags": ["even", "sea"], "tag_match_mode": "all" }))
            .contains(" of 6 results")
    );
    assert_eq!(search(json!({ "query": "whale", "end_datetime": "2001-01-01" })), "No results found.");

    let asked = json!({ "query": "whale 7", "tags": ["sea"], "match": "all", "limit": 3, "page": 0 });
    let found = world.call(&engine, "context.archive.search", asked);
    assert_eq!(found.as_array().unwrap().len(), 3);
    assert_eq!(found[0]["text"], "Whale number 7 was seen near the coast.");
    let id = found[0]["id"].clone();
    assert_eq!(world.call(&engine, "context.archive.delete", json!({ "id": id }))["action"], "deleted");
    assert_eq!(
        world.try_call(&engine, "context.archive.delete", ALICE, json!({ "id": id })).unwrap_err().code,
        Code::NotFound
    );
    for (asked, told) in [
        (json!({ "query": " " }), "query is empty"),
        (json!({ "query": "a", "limit": 0 }), "limit is 0; pass a whole number from 1 to 100"),
        (json!({ "query": "a", "tags": [" "] }), "a tag is empty"),
    ] {
        let error = world.try_call(&engine, "context.archive.search", ALICE, asked).unwrap_err();
        assert!(error.message.contains(told), "{}", error.message);
    }
    let insert = |text: &str| {
        world.try_call(&engine, "context.archive.insert", ALICE, json!({ "text": text, "tags": ["land"] }))
    };
    assert_eq!(insert("The desert is dry.").unwrap()["kind"], "passage");
    assert_eq!(insert("").unwrap_err().code, Code::InvalidInput);
    assert_eq!(insert(&"x".repeat(32 * 1024 + 1)).unwrap_err().code, Code::InvalidInput);
}

#[test]
fn no_search_goes_beyond_its_first_hundred_results() {
    let world = World::new();
    let engine = world.open(None, &options(json!({ "window": 4000 })));
    for number in 0..120 {
        world.call(&engine, "context.archive.insert", json!({ "text": format!("Whale number {number}.") }));
    }
    let page = |page: usize| {
        let asked = json!({ "query": "whale", "limit": 60, "page": page });
        world.call(&engine, "context.archive.search", asked).as_array().unwrap().len()
    };
    assert_eq!([page(0), page(1), page(2)], [60, 40, 0]);
}

#[test]
fn results_are_capped_in_tokens() {
    let world = World::new();
    let engine = world.open(None, &options(json!({ "window": 4000 })));
    for number in 0..6 {
        let text = format!("whale {number} {}", "sea and ship and storm ".repeat(1000));
        world.call(&engine, "context.archive.insert", json!({ "text": text }));
    }
    let (ok, result) = function(&world, &engine, "archival_memory_search", json!({ "query": "whale" }));
    assert!(ok && result.contains("[shortened: the first "), "{result}");
    assert!(result.starts_with("Showing 5 of 6 results"), "{result}");
    assert!(tokens::estimate(&result) <= 800, "{}", tokens::estimate(&result));
    // Signs that JSON writes as two took more than their share, and the list was cut in the middle.
    for number in 0..6 {
        let text = format!("otter {number} {}", "\"\\\n\t".repeat(3000));
        world.call(&engine, "context.archive.insert", json!({ "text": text }));
    }
    let (_, result) = function(&world, &engine, "archival_memory_search", json!({ "query": "otter" }));
    let list = result.split_once("): ").unwrap().1;
    let list: Vec<String> = serde_json::from_str(list).unwrap();
    assert_eq!(list.len(), 5);
    assert!(tokens::estimate(&result) <= 800, "{}", tokens::estimate(&result));
}
