//! Filters and schemas from arbitrary JSON: compiling them and judging documents with them never panics.
//!
//! The input is two JSON documents with a zero byte between: what is compiled, and what is judged.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mnemic::Filter;
use mnemic::schema::Schema;
use serde_json::Value;

fuzz_target!(|data: &[u8]| {
    let (rules, document) = data.split_at(data.iter().position(|byte| *byte == 0).unwrap_or(data.len()));
    let Ok(rules) = serde_json::from_slice::<Value>(rules) else { return };
    let document: Value = serde_json::from_slice(document.get(1..).unwrap_or_default()).unwrap_or(Value::Null);
    if let Ok(filter) = Filter::compile(&rules) {
        filter.matches(&document);
    }
    if let Ok(schema) = Schema::compile(&rules) {
        schema.validate(&document);
    }
});
