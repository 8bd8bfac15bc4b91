//! Filters and schemas from arbitrary JSON: compiling them and judging documents with them never panics.
//!
//! The input is two JSON documents with a zero byte between: what is compiled, and what is judged.

use mnemic::Filter;
use mnemic::schema::Schema;
use serde_json::Value;

/// Tries an input; answers whether it was compiled.
pub(crate) fn run(data: &[u8]) -> bool {
    let (rules, document) = data.split_at(data.iter().position(|byte| *byte == 0).unwrap_or(data.len()));
    let Ok(rules) = serde_json::from_slice::<Value>(rules) else { return false };
    let document: Value =
        serde_json::from_slice(document.get(1..).unwrap_or_default()).unwrap_or(Value::Null);
    let filter = Filter::compile(&rules).map(|filter| filter.matches(&document));
    let schema = Schema::compile(&rules).map(|schema| schema.validate(&document).len());
    filter.is_ok() || schema.is_ok()
}

pub(crate) fn corpus() -> Vec<Vec<u8>> {
    const INPUTS: [&str; 4] = [
        r#"{"a.b":{"$in":[1,"x"]},"$or":[{"c":{"$gte":"2026-01-01"}},{"$not":{"d":{"$contains":"e"}}}]}~{"a":{"b":1},"d":["e"]}"#,
        r#"{"type":"object","properties":{"a":{"type":"string","pattern":"^[a-z]{2,}(x|y)?$","format":"date"}},"required":["a"]}~{"a":"abx"}"#,
        r##"{"$defs":{"n":{"type":"array","items":{"$ref":"#/$defs/n"},"maxItems":3}},"$ref":"#/$defs/n"}~[[],[[]]]"##,
        r#"{"anyOf":[{"multipleOf":0.1},{"enum":[null,{"a":1}]},{"not":{"const":3}}],"maximum":1e30}~0.3"#,
    ];
    INPUTS.iter().map(|text| text.replace('~', "\0").into_bytes()).collect()
}
