//! Arbitrary bytes as a backup that is merged into a memory that holds something: it is taken in whole, or refused with nothing
//! changed, and the memory stays sound.
//!
//! The first byte of the input chooses how it is merged; the rest is an input of `backup`.

use super::backup;
use crate::support::world::{ALICE, World};
use serde_json::{Value, json};

/// Tries an input; answers whether it was taken in.
pub(crate) fn run(data: &[u8]) -> bool {
    let Some((how, data)) = data.split_first() else { return false };
    let world = World::new();
    let engine = world.open(None, &json!({ "extraction": { "auto": false } }));
    world.add(&engine, json!({ "text": "Ann lives in Lisbon" }));
    let (scope, mode) =
        [("", "merge"), (ALICE, "merge"), ("", "replace"), (ALICE, "replace")][usize::from(how % 4)];
    let count = |engine| world.call(engine, "usage", json!({}))["commits"].clone();
    let before = count(&engine);
    let file = backup::file(data);
    let merged = world.import(&engine, scope, &file, "backups.merge", json!({ "mode": mode }));
    match &merged {
        Ok(merged) => {
            let commits = merged["commits"].as_array().map_or(0, Vec::len);
            assert!(
                count(&engine).as_u64() >= before.as_u64().map(|before| before + commits as u64),
                "{merged}"
            );
        }
        // Of several scopes the first may have been taken in.
        Err(_) if scope == ALICE => assert_eq!(count(&engine), before),
        Err(_) => {}
    }
    let told = |engine| world.call(engine, "items.list", json!({ "includeEnded": true, "limit": 1000 }));
    let items = told(&engine);
    world.close(&engine);
    let engine = world.open(None, &json!({ "extraction": { "auto": false } }));
    assert_eq!(told(&engine), items);
    for item in items.as_array().into_iter().flatten() {
        world.call(&engine, "history", json!({ "id": item["id"] }));
    }
    assert_eq!(world.call(&engine, "verify", json!({}))["ok"], Value::Bool(true));
    merged.is_ok()
}

/// Backups, merged in each way.
pub(crate) fn corpus() -> Vec<Vec<u8>> {
    let files = backup::corpus();
    let ways = |how| files.iter().map(move |file| [&[how], &file[..]].concat());
    (0..4).flat_map(ways).collect()
}
