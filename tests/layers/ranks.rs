//! The rooms of `src/memory` name one another in one direction.
//!
//! A rank is a folder of rooms. A room names rooms of the ranks above its own in [`RANKS`], and those that stand before it in its
//! own rank; so there is no circle.

use crate::source::{code_of, paths, reexports, without_test_items};
use crate::{files, parts};
use std::collections::BTreeMap;
use std::path::Path;

/// The ranks of `src/memory` and their rooms, from what knows nothing to what knows everything.
const RANKS: &[(&str, &[&str])] = &[
    (
        "terms",
        &[
            "schedule", "limits", "secret", "guard", "action", "category", "counter", "listing", "sentence",
            "message", "shorten", "source", "span", "ttl",
        ],
    ),
    ("asking", &["prompts", "models", "embedding", "transcript"]),
    ("finding", &["access", "known", "scoring", "turns", "address", "relevance", "newer", "search"]),
    ("changing", &["changes", "edit"]),
    (
        "keeping",
        &[
            "facts",
            "task",
            "profiles",
            "graph",
            "documents",
            "episodes",
            "instructions",
            "archive",
            "blocks",
            "pages",
            "threads",
            "past",
            "withheld",
            "proposals",
            "items",
        ],
    ),
    ("learning", &["rules", "extract", "alike", "consolidation", "ingest"]),
    ("prompting", &["compose", "rewriting", "recall", "assembly"]),
    ("paging", &["tiers", "tools", "context"]),
    ("forgetting", &["forget"]),
    ("running", &["expiry", "background"]),
    ("exchanging", &["merging"]),
];

/// Where a room stands.
fn place(room: &str) -> Option<usize> {
    RANKS.iter().flat_map(|(_, rooms)| rooms.iter()).position(|known| *known == room)
}

/// The room that a path below `crate::memory` leads to, such as `["facts", "Fact"]` or `["keeping", "facts"]`; `None` for a
/// name of the memory itself.
fn room_of<'a>(path: &'a [String], reexported: &'a BTreeMap<String, String>) -> Option<&'a str> {
    let known = |name: &'a str| place(name).map(|_| name);
    let first = path.first()?;
    if RANKS.iter().any(|(rank, _)| rank == first) {
        return known(path.get(1)?);
    }
    known(first).or_else(|| known(reexported.get(first)?))
}

/// What is wrong with a source file of the memory at `path`, such as `["memory", "keeping", "facts", "add"]`.
fn faults(path: &[&str], text: &str, reexported: &BTreeMap<String, String>) -> Vec<String> {
    let Some((&rank, &room)) = path.get(1).zip(path.get(2)) else { return Vec::new() };
    let listed = RANKS.iter().any(|(known, rooms)| *known == rank && rooms.contains(&room));
    let Some(own) = place(room).filter(|_| listed) else {
        return vec![format!("memory::{rank}::{room} has no place in RANKS; say where it belongs")];
    };
    let mut faults = Vec::new();
    for named in paths(&without_test_items(&code_of(text, true)), path) {
        let Some((first, rest)) = named.split_first() else { continue };
        let Some(target) = room_of(rest, reexported).filter(|_| first == "memory") else { continue };
        if place(target).is_some_and(|other| other > own) {
            faults.push(format!("{} names {target}, which stands after {room}", path.join("::")));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn memory() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src/memory")
    }

    #[test]
    fn the_rooms_of_the_memory_keep_their_ranks() {
        let source = memory();
        let reexported = reexports(&code_of(&std::fs::read_to_string(source.join("mod.rs")).unwrap(), true));
        let mut all = Vec::new();
        for path in files(&source, "rs") {
            let mut module = vec!["memory"];
            module.extend(parts(&path, &source));
            if module.last() == Some(&"tests") {
                continue;
            }
            if module.last() == Some(&"mod") {
                module.pop();
            }
            all.extend(faults(&module, &std::fs::read_to_string(&path).unwrap(), &reexported));
        }
        assert!(all.is_empty(), "{}", all.join("\n"));
    }

    #[test]
    fn every_room_has_one_place_and_every_place_a_room() {
        let mut listed = BTreeSet::new();
        for (rank, rooms) in RANKS {
            for room in *rooms {
                assert!(listed.insert(*room), "{room} is listed twice");
                let folder = memory().join(rank);
                let there =
                    folder.join(room).join("mod.rs").exists() || folder.join(format!("{room}.rs")).exists();
                assert!(there, "there is no room {rank}/{room}");
            }
        }
    }

    #[test]
    fn the_map_of_contributors_is_the_tree() {
        let text =
            std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("CONTRIBUTING.md")).unwrap();
        for (rank, rooms) in RANKS {
            let row = text.lines().find(|line| line.starts_with(&format!("| `src/memory/{rank}/` |")));
            let row = row.unwrap_or_else(|| panic!("CONTRIBUTING.md has no row for src/memory/{rank}/"));
            let rooms_of_row = row.split('|').nth(2).unwrap_or_default();
            let named: Vec<&str> = rooms_of_row.split('`').skip(1).step_by(2).collect();
            assert_eq!(named, *rooms, "the rooms of src/memory/{rank}/ in CONTRIBUTING.md");
        }
    }

    #[test]
    fn a_room_names_what_stands_before_it() {
        let reexported = reexports(
            "pub use keeping::{facts, threads};\npub(crate) use terms::limits;\npub use facts::Fact;",
        );
        let wrong = |path: &[&str], text: &str| faults(path, text, &reexported).len();
        assert_eq!(
            wrong(&["memory", "keeping", "facts"], "use crate::memory::limits; use crate::error::Result;"),
            0
        );
        assert_eq!(
            wrong(
                &["memory", "keeping", "facts", "add"],
                "use super::Facts; use crate::memory::{limits, facts::A};"
            ),
            0
        );
        assert_eq!(wrong(&["memory", "terms", "limits"], "use crate::memory::facts::A;"), 1);
        assert_eq!(
            wrong(&["memory", "terms", "limits"], "use crate::memory::{activity, keeping::facts::A};"),
            1
        );
        assert_eq!(wrong(&["memory", "terms", "limits"], "use super::super::threads;"), 1);
        assert_eq!(wrong(&["memory", "terms", "limits"], "use crate::memory::Fact;"), 1);
        assert_eq!(
            wrong(&["memory", "terms", "limits"], "#[cfg(test)] mod tests { use crate::memory::Fact; }"),
            0
        );
        assert_eq!(wrong(&["memory", "keeping", "facts"], "fn a() { crate::memory::threads::b() }"), 1);
        assert_eq!(wrong(&["memory", "keeping", "gadget"], ""), 1);
    }
}
