//! The names of all methods, read from the source of the call table, so that a new one cannot be overlooked.

use regex::Regex;
use std::collections::BTreeSet;

const TABLES: [&str; 16] = [
    include_str!("../../src/engine/call/backups.rs"),
    include_str!("../../src/engine/call/context.rs"),
    include_str!("../../src/engine/call/encryption.rs"),
    include_str!("../../src/engine/call/episodes.rs"),
    include_str!("../../src/engine/call/facts.rs"),
    include_str!("../../src/engine/call/graph.rs"),
    include_str!("../../src/engine/call/instructions.rs"),
    include_str!("../../src/engine/call/items.rs"),
    include_str!("../../src/engine/call/mod.rs"),
    include_str!("../../src/engine/call/profiles.rs"),
    include_str!("../../src/engine/call/proposals.rs"),
    include_str!("../../src/engine/call/rest.rs"),
    include_str!("../../src/engine/call/search.rs"),
    include_str!("../../src/engine/call/threads.rs"),
    include_str!("../../src/engine/call/tiers.rs"),
    include_str!("../../src/memory/keeping/documents/operation.rs"),
];

/// Every method that the tables name, of a scope or of the whole memory.
pub(super) fn methods() -> BTreeSet<String> {
    let line = Regex::new(
        r#"(?x) fn\ (?<function>\w+) [(<] | ^\s+ (?:
            "(?<plain>[\w.]+)"\ =>
            | \("(?<scoped>\w+)",\ \w+\)\ =>
            | Some\(\("(?<system>\w+)",\ "(?<name>\w+)"\)\) )"#,
    )
    .unwrap();
    let mut methods = BTreeSet::new();
    for table in TABLES {
        let mut system = None;
        for line in table.lines().filter_map(|text| line.captures(text)) {
            let [function, plain, scoped] = ["function", "plain", "scoped"].map(|name| line.name(name));
            if let Some(function) = function {
                let function = function.as_str().trim_start_matches("call_").trim_start_matches("seldom_");
                system = match function {
                    "call" | "once" | "whole_other" | "scope" | "search" | "other" => Some(String::new()),
                    "read" => Some("documents.".to_owned()),
                    "backups" | "context" | "encryption" | "episodes" | "facts" | "graph"
                    | "instructions" | "items" | "lock" | "profiles" | "proposals" | "threads" | "tiers" => {
                        Some(format!("{function}."))
                    }
                    _ => None,
                };
            } else if let (Some(name), Some(system)) = (plain.or(scoped), &system) {
                methods.insert(format!("{system}{}", name.as_str()));
            } else if let (Some(system), Some(name)) = (line.name("system"), line.name("name")) {
                methods.insert(format!("{}.{}", system.as_str(), name.as_str()));
            }
        }
    }
    methods.insert("documents.batch".to_owned());
    methods
}

/// How many files the folder of the tables has: one that is not read here would go unnoticed.
#[test]
fn every_table_is_read() {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/engine/call")).unwrap();
    // That of documents passes the name on to its operations, which are read instead.
    assert_eq!(files.count(), TABLES.len());
    let methods = methods();
    for known in ["usage", "recall", "undo", "facts.history", "commits.list", "backups.merge", "tiers.clear"]
    {
        assert!(methods.contains(known), "{known} is not among {methods:?}");
    }
    for known in ["documents.listNamespaces", "context.blocks.set", "graph.export_jsonl", "encryption.status"]
    {
        assert!(methods.contains(known), "{known} is not among {methods:?}");
    }
}
