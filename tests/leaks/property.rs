//! The property, for random scopes and operations.

use super::calls::{FILES, WHOLE, options, tools};
use super::names::{CHOICES, MOST, Names};
use super::table::methods;
use super::world::{Tenants, asked};
use mnemic::Code;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Ways to write an id that somebody may take for the same.
type Spelling = fn(&str) -> String;
const SPELLINGS: [Spelling; 5] = [
    str::to_owned,
    str::to_ascii_uppercase,
    |id| id.replace('-', ""),
    |id| format!("{{{id}}}"),
    |id| format!(" {id}"),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_scope_tells_another(
        scopes in prop::sample::subsequence((0..CHOICES).collect::<Vec<_>>(), 2..=MOST).prop_shuffle(),
        operations in prop::collection::vec((any::<usize>(), any::<usize>(), any::<usize>()), 10..60),
        spelling in 0..SPELLINGS.len(),
        forgotten: bool,
    ) {
        let mut tenants = Tenants::new(&scopes);
        tenants.plant();
        let methods = asked();
        for (who, method, choice) in operations {
            let who = who % scopes.len();
            let method = &methods[method % methods.len()];
            let options = options(method, &tenants.names[who]).unwrap();
            if !options.is_empty() {
                // Whether it is done does not matter.
                drop(tenants.call(who, method, options[choice % options.len()].clone()));
            }
        }
        tenants.rest();
        tenants.note();
        for who in 0..scopes.len() {
            tenants.snapshot(who);
        }
        tenants.check();
        exports(&tenants);
        if forgotten {
            tenants.call(1, "forget", json!({ "scope": true })).unwrap();
        }
        probe(&tenants, SPELLINGS[spelling], forgotten);
    }
}

/// Few by default: a case asks a memory some thousand times.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(4)
}

/// The first scope asks and changes with the names and ids of the second: it is answered as it is in the same memory with those
/// of nobody. What the others are told stays as it is.
fn probe(tenants: &Tenants, spelling: Spelling, is_forgotten: bool) {
    let spelled = |mut names: Names| {
        names.ids.values_mut().flatten().for_each(|id| *id = spelling(id));
        names
    };
    let (few, nobody) = (tenants.few(1), Names::of_nothing(&tenants.few(1)));
    let (theirs, nothing) = (spelled(few), spelled(nobody.clone()));
    let [with_theirs, with_nothing] = [None, Some(&nobody)].map(|nobody| tenants.copy(nobody));
    let before: Vec<_> = (1..tenants.names.len()).map(|who| with_theirs.snapshot(who)).collect();
    for method in asked() {
        let calls = options(&method, &theirs).unwrap().into_iter().zip(options(&method, &nothing).unwrap());
        for (of_them, of_nothing) in calls.filter(|(of_them, of_nothing)| of_them != of_nothing) {
            let [told, expected] =
                [(&with_theirs, &theirs, &of_them), (&with_nothing, &nothing, &of_nothing)].map(
                    |(tenants, names, options)| {
                        let answer = tenants.call(0, &method, options.clone());
                        names.anonymous(
                            &answer.map_or_else(|error| format!("{error:?}"), |answer| answer.to_string()),
                        )
                    },
                );
            // The commits of a scope that was forgotten name no scope: whoever has the id of one is told that, and nothing else.
            if method == "undo" && told.starts_with("error(particulars { code: forgotten") {
                assert!(
                    is_forgotten && told.ends_with("with it, or of what it did\", details: {} })"),
                    "{told}"
                );
                continue;
            }
            // What is found by meaning depends on the words.
            if of_them.to_string().contains("query") {
                continue;
            }
            assert_eq!(told, expected, "{method} {of_them}");
        }
    }
    for (before, who) in before.iter().zip(1..) {
        let after = with_theirs.snapshot(who);
        for ((call, before), (_, after)) in before.iter().zip(&after) {
            let of = &with_theirs.names[who];
            assert_eq!(of.anonymous(before), of.anonymous(after), "{call} of {}", of.scope);
        }
    }
}

/// The file of a scope holds nothing of another.
fn exports(tenants: &Tenants) {
    for (who, own) in tenants.names.iter().enumerate() {
        let file = tenants.world.export(&tenants.engine, own.scope);
        let text = String::from_utf8_lossy(&file).to_ascii_lowercase();
        let holds = |id: &str| file.windows(16).any(|bytes| bytes == bytes_of(id));
        assert!(text.contains(own.secret) && own.all_ids().any(holds), "{} exports nothing", own.scope);
        for (place, other) in tenants.names.iter().enumerate().filter(|(place, _)| *place != who) {
            for word in [other.name, other.secret] {
                assert!(!text.contains(word), "the file of scope {who} holds {word} of scope {place}");
            }
            let id = other.all_ids().find(|id| holds(id));
            assert_eq!(id, None, "the file of scope {who} holds an id of scope {place}");
        }
    }
}

/// An id as it is stored.
fn bytes_of(id: &str) -> Vec<u8> {
    let hex = id.replace('-', "");
    (0..hex.len()).step_by(2).map(|place| u8::from_str_radix(&hex[place..place + 2], 16).unwrap()).collect()
}

/// A method without a case fails here, and so does a case without a method.
#[test]
fn every_method_is_tried() {
    let names = Names::new(0, 0);
    for method in methods() {
        let is_known = WHOLE.contains(&method.as_str()) || FILES.contains(&method.as_str());
        assert!(is_known || options(&method, &names).is_some(), "{method} is tried nowhere");
    }
    for method in WHOLE.iter().chain(&FILES) {
        assert!(methods().contains(*method), "there is no {method} any more");
    }
}

#[test]
fn every_tool_is_tried() {
    let tenants = Tenants::new(&[0]);
    let offered = tenants.call(0, "tools", json!({ "format": "mcp" })).unwrap();
    let tried = tools(&Names::of_nothing(&{
        let mut names = Names::new(0, 0);
        names.ids.insert("fact".to_owned(), vec![String::new()]);
        names
    }));
    for tool in offered.as_array().unwrap() {
        assert!(tried.iter().any(|call| call["name"] == tool["name"]), "{} is tried nowhere", tool["name"]);
    }
    assert_eq!(offered.as_array().map(Vec::len), Some(25));
}

/// What belongs to the whole memory is not answered to a scope.
#[test]
fn a_scope_is_not_told_of_the_whole_memory() {
    let tenants = Tenants::new(&[0, 1]);
    for method in WHOLE {
        for view in ["read:", ""] {
            let answer = tenants.call(0, &format!("{view}{method}"), Value::Object(serde_json::Map::new()));
            assert_eq!(answer.map_err(|error| error.code), Err(Code::InvalidInput), "{view}{method}");
        }
    }
}
