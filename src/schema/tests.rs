//! What the official suite does not ask: refusals, messages, limits, properties one by one.

use super::{Schema, Violation};
use crate::Code;
use serde_json::{Value, json};

fn compile(document: Value) -> Schema {
    Schema::compile(&document).unwrap_or_else(|error| panic!("{error}"))
}

fn refusal(document: Value) -> String {
    let error = Schema::compile(&document).expect_err("refused");
    assert_eq!(error.code, Code::InvalidSchema);
    error.message.clone()
}

/// The violations as "instance keyword message".
fn found(document: Value, value: Value) -> Vec<String> {
    let violations = compile(document).validate(&value);
    violations
        .into_iter()
        .map(|Violation { instance, keyword, message }| format!("{instance} {keyword} {message}"))
        .collect()
}

#[test]
fn refusals_name_the_place_the_keyword_and_the_cure() {
    for (document, parts) in [
        (
            json!({"properties": {"a/b": {"minimum": "5"}}}),
            ["/properties/a~1b", "minimum", "must be a number, got \"5\""],
        ),
        (json!(7), ["root", "object or a boolean", "got 7"]),
        (json!({"type": "text"}), ["type", "string", "got \"text\""]),
        (json!({"type": ["string", "string"]}), ["type", "different", "array of 2"]),
        (json!({"required": true}), ["required", "property names", "true"]),
        (json!({"exclusiveMinimum": true}), ["exclusiveMinimum", "number", "true"]),
        (json!({"minLength": -1}), ["minLength", "0 or more", "-1"]),
        (json!({"multipleOf": 0}), ["multipleOf", "greater than 0", "0"]),
        (json!({"items": [{}]}), ["items", "prefixItems", "list"]),
        (json!({"additionalItems": false}), ["additionalItems", "prefixItems", "2020-12"]),
        (json!({"dependencies": {}}), ["dependencies", "dependentRequired", "dependentSchemas"]),
        (json!({"$dynamicRef": "#a"}), ["$dynamicRef", "$defs", "$ref"]),
        (json!({"$ref": "https://example.org/a.json"}), ["$ref", "outside this document", "$defs"]),
        (json!({"$ref": "#/$defs/none"}), ["$ref", "points to nothing", "#/$defs/none"]),
        (json!({"$ref": "#none"}), ["$ref", "points to nothing", "#none"]),
        (json!({"$ref": "#"}), ["root", "without end", "property"]),
        (json!({"$defs": {"a": {"not": {"$ref": "#/$defs/a"}}}}), ["/$defs/a", "without end", "property"]),
        (json!({"pattern": "(?<=a)"}), ["pattern", "(?<=a)", "looks behind"]),
        (json!({"patternProperties": {"(": {}}}), ["patternProperties", "(", "not closed"]),
        (json!({"$schema": "http://json-schema.org/draft-04/schema#"}), ["$schema", "draft-04", "2020-12"]),
        (json!({"allOf": []}), ["allOf", "at least one schema", "array of 0"]),
        (json!({"properties": {"a": 1}}), ["/properties/a", "object or a boolean", "got 1"]),
        (json!({"$id": "#a"}), ["$id", "$anchor", "#a"]),
        (json!({"$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}}}), ["$anchor", "taken", "/$defs/b"]),
        (json!({"description": 1}), ["description", "string", "1"]),
    ] {
        let message = refusal(document.clone());
        for part in parts {
            assert!(message.contains(part), "{document}: {part:?} is not in: {message}");
        }
    }
}

#[test]
fn older_drafts_are_taken_when_they_mean_the_same() {
    let seven = |extra: Value| {
        let mut document = json!({"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"a": {"type": "string"}}});
        document.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        document
    };
    let schema = compile(seven(json!({"title": "A", "$ref": "#/definitions/a"})));
    assert!(schema.is_valid(&json!("x")) && !schema.is_valid(&json!(1)));
    assert!(refusal(seven(json!({"$ref": "#/definitions/a", "minLength": 1}))).contains("allOf"));
    assert!(refusal(seven(json!({"unevaluatedProperties": false}))).contains("2020-12"));
    assert!(refusal(seven(json!({"items": [{"type": "string"}]}))).contains("prefixItems"));
    let nineteen = "https://json-schema.org/draft/2019-09/schema";
    assert!(Schema::compile(&json!({"$schema": nineteen, "unevaluatedProperties": false})).is_ok());
    assert!(refusal(json!({"$schema": nineteen, "unevaluatedItems": false})).contains("2020-12"));
    assert!(refusal(json!({"$schema": nineteen, "$recursiveRef": "#"})).contains("$ref"));
}

#[test]
fn violations_tell_what_is_wrong_and_where() {
    let profile = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "maxLength": 3},
            "age": {"type": ["integer", "null"]},
            "mood": {"enum": ["good", "bad"]},
            "price": {"multipleOf": 0.01},
            "tags": {"items": {"$ref": "#/$defs/tag"}, "uniqueItems": true, "minItems": 1},
            "nick": {"anyOf": [{"type": "string", "minLength": 2}, {"type": "null"}]},
        },
        "required": ["name", "city"],
        "additionalProperties": false,
        "$defs": {"tag": {"pattern": "^[a-z]+$"}},
    });
    let value = json!({
        "name": "Augusta", "age": 1.5, "mood": "fine", "price": 1.005, "tags": ["a", "B~", "a"], "nick": "x", "a/b": 1,
    });
    assert_eq!(
        found(profile, value),
        [
            " /required the property \"city\" is missing",
            "/name /properties/name/maxLength \"Augusta\" has 7 characters, more than 3",
            "/age /properties/age/type 1.5 is not of type null or integer",
            "/mood /properties/mood/enum \"fine\" is none of \"good\", \"bad\"",
            "/price /properties/price/multipleOf 1.005 is not a multiple of 0.01",
            "/tags /properties/tags/uniqueItems items 0 and 2 are the same",
            "/tags/1 /$defs/tag/pattern \"B~\" does not match the pattern ^[a-z]+$",
            "/nick /properties/nick/anyOf/0/minLength \"x\" has 1 character, fewer than 2",
            " /additionalProperties the property \"a/b\" is not allowed; the schema lists \"age\", \"mood\", \"name\", \
             \"nick\", \"price\", \"tags\"",
        ]
    );
    assert_eq!(found(json!({"oneOf": [true, {"type": "null"}]}), json!(null)).len(), 1);
    assert_eq!(
        found(json!({"propertyNames": {"maxLength": 1}}), json!({"abc": 1})),
        [" /propertyNames the property name \"abc\" is not allowed: \"abc\" has 3 characters, more than 1"]
    );
}

#[test]
fn violations_serialize_in_camel_case() {
    let violation = compile(json!(false)).validate(&json!("x".repeat(100))).remove(0);
    let expected = json!({"instance": "", "keyword": "", "message": "no value is allowed here"});
    assert_eq!(serde_json::to_value(violation).unwrap(), expected);
}

#[test]
fn the_list_of_violations_and_their_messages_are_bounded() {
    let all = found(json!({"items": {"maxLength": 1}}), json!(vec!["long".repeat(1000); 100]));
    assert_eq!(all.len(), 32);
    assert!(all.iter().all(|violation| violation.len() < 200));
}

#[test]
fn hostile_schemas_are_refused() {
    let nested = (0..200).fold(json!({}), |inner, _| json!({"not": inner}));
    assert!(refusal(nested).contains("128 levels"));
    assert!(refusal(json!({"enum": vec![0; 60_000]})).contains("50000 values"));
    let chain: serde_json::Map<String, Value> = (0..100)
        .map(|index| (format!("s{index}"), json!({"$ref": format!("#/$defs/s{}", index + 1)})))
        .collect();
    let mut chain = json!({"$defs": chain, "$ref": "#/$defs/s0"});
    chain["$defs"]["s100"] = json!(true);
    assert!(refusal(chain).contains("64 schemas"));
    let long_name = "x".repeat(200_000);
    let many: Vec<Value> = vec![json!({}); 100];
    assert!(refusal(json!({"properties": {long_name: {"allOf": many}}})).contains("too large"));
}

#[test]
fn hostile_values_are_violations_and_never_pass_under_not() {
    // 2^40 ways to the same place.
    let mut document = json!({"$defs": {"s40": {"type": "string"}}, "not": {"$ref": "#/$defs/s0"}});
    for index in 0..40 {
        let next = json!({"$ref": format!("#/$defs/s{}", index + 1)});
        document["$defs"][format!("s{index}")] = json!({"allOf": [next, next]});
    }
    let schema = Schema::compile(&document).err().map(|error| error.message.clone());
    assert!(schema.is_some_and(|message| message.contains("64 schemas")), "80 schemas apply to one value");
    let mut document = json!({"$defs": {"s25": {"type": "string"}}, "not": {"$ref": "#/$defs/s0"}});
    for index in 0..25 {
        let next = json!({"$ref": format!("#/$defs/s{}", index + 1)});
        document["$defs"][format!("s{index}")] = json!({"allOf": [next, next]});
    }
    let costly = found(document, json!("x"));
    assert!(costly.iter().any(|violation| violation.contains("too costly")), "{costly:?}");

    let tree = compile(json!({"not": {"not": {"additionalProperties": {"$ref": "#"}}}}));
    let deep = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!({"a": inner}));
    assert!(tree.is_valid(&deep(60)));
    let violations = tree.validate(&deep(120));
    assert!(violations.iter().any(|violation| violation.message.contains("too deep")), "{violations:?}");
    assert!(compile(json!(true)).validate(&deep(200))[0].message.contains("128 levels"));
}

#[test]
fn recursive_schemas_follow_deep_values() {
    let tree = compile(json!({
        "$ref": "#/$defs/node",
        "$defs": {"node": {"properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/node"}}}}},
    }));
    let value = (0..60).fold(json!({"children": 1}), |inner, _| json!({"children": [inner]}));
    let violations = tree.validate(&value);
    assert_eq!(violations.len(), 1);
    assert_eq!(violations[0].instance, "/children/0".repeat(60) + "/children");
}

#[test]
fn properties_come_in_order_from_all_that_the_root_includes() {
    let schema = compile(json!({
        "$ref": "#/$defs/person",
        "$defs": {"person": {
            "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
            "allOf": [{"properties": {"age": {"minimum": 0}, "city": true}}],
            "patternProperties": {"^x-": {"type": "string"}},
        }},
    }));
    let properties: Vec<_> = schema.properties().map(|(name, schema)| format!("{name} {schema}")).collect();
    assert_eq!(properties, ["name {\"type\":\"string\"}", "age {\"type\":\"integer\"}", "city true"]);

    let age = schema.property("age").unwrap();
    assert_eq!((age.name(), age.document()), ("age", Some(&json!({"type": "integer"}))));
    assert!(age.is_valid(&json!(3)) && !age.is_valid(&json!("3")));
    assert_eq!(age.validate(&json!(-1))[0].keyword, "/$defs/person/allOf/0/properties/age/minimum");
    assert!(!schema.property("x-a").unwrap().is_valid(&json!(1)));
    assert!(schema.property("other").is_none());
}

#[test]
fn additional_properties_describe_a_property_when_they_say_what_it_is() {
    assert!(compile(json!({"additionalProperties": {"type": "string"}})).property("any").is_some());
    assert!(compile(json!({"additionalProperties": {}})).property("any").is_none());
    assert!(
        compile(json!({"additionalProperties": false, "patternProperties": {"a": {}}}))
            .property("b")
            .is_none()
    );
    assert!(compile(json!(true)).property("any").is_none());
    assert_eq!(compile(json!(false)).properties().count(), 0);
}

#[test]
fn formats_are_checked_only_where_asked_for() {
    let document = json!({"format": "uuid"});
    assert!(compile(document.clone()).is_valid(&json!("no")));
    let violations = Schema::compile_with_formats(&document).unwrap().validate(&json!("no"));
    assert!(violations[0].message.contains("is not a UUID such as"));
    assert!(Schema::compile_with_formats(&json!({"format": "made-up"})).unwrap().is_valid(&json!("no")));
}
