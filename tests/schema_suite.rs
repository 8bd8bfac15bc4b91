//! The official JSON Schema test suite, draft 2020-12: every required case, and those of the formats that are checked.
//!
//! Looks for the suite in `$MNEMIC_SHARED`, then in `../shared`; without it, the tests count as skipped.

#![expect(clippy::print_stdout, reason = "tells how much of the suite ran")]

use crate::support::shared::shared;
use mnemic::Code;
use mnemic::schema::Schema;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// Cases that are not supported, as file, case and reason; each must be refused with `InvalidSchema`.
///
/// An empty case stands for the whole file.
const REFUSED: &[(&str, &str, &str)] = &[
    ("refRemote", "", "refers to other documents"),
    ("defs", "validate definition against metaschema", "refers to the metaschema, another document"),
    ("ref", "remote ref, containing refs itself", "refers to the metaschema, another document"),
    ("vocabulary", "", "$schema names a dialect of its own"),
    ("dynamicRef", "", "dynamic references"),
    ("unevaluatedItems", "unevaluatedItems with $dynamicRef", "dynamic references"),
    ("unevaluatedProperties", "unevaluatedProperties with $dynamicRef", "dynamic references"),
];

/// Cases of [`REFUSED`] files that work after all.
const TAKEN: &[(&str, &str)] = &[(
    "dynamicRef",
    "A $ref to a $dynamicAnchor in the same schema resource behaves like a normal $ref to an $anchor",
)];

/// The formats that `compile_with_formats` checks.
const FORMATS: [&str; 8] = ["date", "date-time", "time", "email", "uri", "uuid", "ipv4", "ipv6"];

/// Optional files that pass as well, or fail for a reason that is listed in [`REFUSED`].
const OPTIONAL: [&str; 8] = [
    "anchor",
    "bignum",
    "float-overflow",
    "id",
    "no-schema",
    "non-bmp-regex",
    "refOfUnknownKeyword",
    "unknownKeyword",
];

/// The folder of the suite's tests.
fn suite() -> Option<PathBuf> {
    shared("json-schema-suite/tests/draft2020-12")
}

#[derive(Default)]
struct Tally {
    passed: usize,
    refused: usize,
    failures: Vec<String>,
}

impl Tally {
    /// Runs one file of the suite; `name` is how messages and exceptions call it.
    fn run(&mut self, path: &PathBuf, name: &str, compile: fn(&Value) -> mnemic::Result<Schema>) {
        let groups: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        for group in groups.as_array().unwrap() {
            let description = group["description"].as_str().unwrap();
            let compiled = compile(&group["schema"]);
            if is_refused(name, description) {
                match compiled {
                    Err(error) if error.code == Code::InvalidSchema => self.refused += 1,
                    other => {
                        self.failures.push(format!("{name}: {description}: should be refused, got {other:?}"))
                    }
                }
                continue;
            }
            let schema = match compiled {
                Ok(schema) => schema,
                Err(error) => {
                    self.failures.push(format!("{name}: {description}: {error}"));
                    continue;
                }
            };
            for case in group["tests"].as_array().unwrap() {
                let violations = schema.validate(&case["data"]);
                let expected = case["valid"].as_bool().unwrap();
                if violations.is_empty() == expected && schema.is_valid(&case["data"]) == expected {
                    self.passed += 1;
                } else {
                    let case = &case["description"];
                    self.failures.push(format!("{name}: {description}: {case}: {violations:?}"));
                }
            }
        }
    }

    fn assert(self, least: usize) {
        println!("{} cases passed, {} schemas refused", self.passed, self.refused);
        assert!(self.failures.is_empty(), "{} failures:\n{}", self.failures.len(), self.failures.join("\n"));
        assert!(self.passed >= least, "only {} cases were found", self.passed);
    }
}

fn is_refused(file: &str, description: &str) -> bool {
    REFUSED.iter().any(|(name, case, _)| *name == file && (case.is_empty() || *case == description))
        && !TAKEN.contains(&(file, description))
}

#[test]
fn required_cases_pass_or_are_refused() {
    let Some(folder) = suite() else { return };
    let mut tally = Tally::default();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            tally.run(&path, &name, Schema::compile);
        }
    }
    tally.assert(1200);
}

#[test]
fn cases_of_the_checked_formats_pass() {
    let Some(folder) = suite() else { return };
    let mut tally = Tally::default();
    for format in FORMATS {
        let path = folder.join("optional/format").join(format).with_extension("json");
        tally.run(&path, format, Schema::compile_with_formats);
    }
    tally.assert(250);
}

#[test]
fn optional_cases_pass() {
    let Some(folder) = suite() else { return };
    let mut tally = Tally::default();
    for name in OPTIONAL {
        tally.run(&folder.join("optional").join(name).with_extension("json"), name, Schema::compile);
    }
    tally.assert(30);
}
