//! Our validator against the `jsonschema` crate on generated schemas and values, and against anything at all as a schema.

use mnemic::Code;
use mnemic::schema::Schema;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn object(pairs: Vec<(String, Value)>) -> Value {
    Value::Object(pairs.into_iter().collect())
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![Just("a"), Just("b"), Just("ab"), Just("c/d")].prop_map(str::to_owned)
}

/// Values from a small world, so that schemas often match them.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2_i64..6).prop_map(Value::from),
        prop_oneof![Just(0.5), Just(1.0), Just(2.5), Just(0.3), Just(19.99)].prop_map(Value::from),
        prop_oneof![Just(""), Just("a"), Just("ab"), Just("abc"), Just("\u{e9}\u{e9}"), Just("b1")]
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((name(), inner), 0..4).prop_map(object),
        ]
    })
}

fn types() -> impl Strategy<Value = Value> {
    let one = prop_oneof![
        Just("null"),
        Just("boolean"),
        Just("object"),
        Just("array"),
        Just("number"),
        Just("string"),
        Just("integer")
    ];
    prop_oneof![
        2 => one.clone().prop_map(Value::from),
        1 => prop::collection::btree_set(one, 1..4).prop_map(|names| names.into_iter().collect()),
    ]
}

fn pattern() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("^a"),
        Just("b$"),
        Just("^[a-c]{2,}$"),
        Just("\\d"),
        Just("^(a|ab)(c|bc)?$"),
        Just("^\\p{L}+$")
    ]
    .prop_map(str::to_owned)
}

/// Keywords that hold no schema.
fn plain() -> impl Strategy<Value = (String, Value)> {
    let keyword = |name: &'static str, value: BoxedStrategy<Value>| {
        value.prop_map(move |value| (name.to_owned(), value))
    };
    let count = || (0_u64..4).prop_map(Value::from).boxed();
    let bound = || prop_oneof![(-1_i64..5).prop_map(Value::from), Just(json!(1.5))].boxed();
    let names = || {
        prop::collection::btree_set(name(), 0..3)
            .prop_map(|names| names.into_iter().collect::<Value>())
            .boxed()
    };
    let counts = prop_oneof![
        keyword("minLength", count()),
        keyword("maxLength", count()),
        keyword("minItems", count()),
        keyword("maxItems", count()),
        keyword("minProperties", count()),
        keyword("maxProperties", count()),
        keyword("minContains", count()),
        keyword("maxContains", count()),
    ];
    let bounds = prop_oneof![
        keyword("minimum", bound()),
        keyword("maximum", bound()),
        keyword("exclusiveMinimum", bound()),
        keyword("exclusiveMaximum", bound()),
        keyword(
            "multipleOf",
            prop_oneof![Just(json!(2)), Just(json!(0.5)), Just(json!(0.1)), Just(json!(0.01))].boxed()
        ),
    ];
    let dependent = vec((name(), names()), 0..3).prop_map(object).boxed();
    let others = prop_oneof![
        keyword("type", types().boxed()),
        keyword("enum", vec(value(), 0..4).prop_map(Value::from).boxed()),
        keyword("const", value().boxed()),
        keyword("pattern", pattern().prop_map(Value::from).boxed()),
        keyword("uniqueItems", any::<bool>().prop_map(Value::from).boxed()),
        keyword("required", names()),
        keyword("dependentRequired", dependent),
        keyword("made-up", value().boxed()),
    ];
    prop_oneof![1 => counts, 1 => bounds, 2 => others]
}

/// Keywords that hold schemas.
fn applicator(schema: BoxedStrategy<Value>) -> impl Strategy<Value = (String, Value)> {
    const ONE: [&str; 10] = [
        "not",
        "if",
        "then",
        "else",
        "items",
        "contains",
        "additionalProperties",
        "propertyNames",
        "unevaluatedProperties",
        "unevaluatedItems",
    ];
    const LIST: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];
    const NAMED: [&str; 2] = ["properties", "dependentSchemas"];
    prop_oneof![
        5 => (prop::sample::select(ONE.as_slice()), schema.clone()).prop_map(|(name, one)| (name.to_owned(), one)),
        4 => (prop::sample::select(LIST.as_slice()), vec(schema.clone(), 1..4))
            .prop_map(|(name, list)| (name.to_owned(), list.into())),
        3 => (prop::sample::select(NAMED.as_slice()), vec((name(), schema.clone()), 0..4))
            .prop_map(|(name, named)| (name.to_owned(), object(named))),
        1 => vec((pattern(), schema), 0..3).prop_map(|named| ("patternProperties".to_owned(), object(named))),
    ]
}

fn schema() -> impl Strategy<Value = Value> {
    let reference = prop_oneof![
        Just("#"),
        Just("root.json#/$defs/one"),
        Just("root.json#/$defs/two"),
        Just("root.json#named"),
        Just("other.json")
    ];
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(Value::from),
        1 => reference.prop_map(|target| json!({ "$ref": target })),
        6 => vec(plain(), 0..3).prop_map(object),
    ];
    let inner = leaf.prop_recursive(3, 24, 4, |inner| {
        (vec(applicator(inner.boxed()), 0..4), vec(plain(), 0..2)).prop_map(|(mut pairs, more)| {
            pairs.extend(more);
            object(pairs)
        })
    });
    let with = |name: &'static str, uri: &'static str| {
        inner.clone().prop_map(move |schema| match schema {
            Value::Object(mut members) => {
                members.insert(name.to_owned(), uri.into());
                Value::Object(members)
            }
            other => json!({ name: uri, "allOf": [other] }),
        })
    };
    (inner.clone(), with("$anchor", "named"), with("$id", "other.json")).prop_map(|(root, one, two)| {
        let mut members = match root {
            Value::Object(members) => members,
            other => Map::from_iter([("allOf".to_owned(), json!([other]))]),
        };
        members.insert("$id".to_owned(), "https://example.org/root.json".into());
        members.insert("$defs".to_owned(), json!({ "one": one, "two": true, "three": two }));
        Value::Object(members)
    })
}

/// Schemas that are often broken: any keyword with any value.
fn nonsense() -> impl Strategy<Value = Value> {
    let keyword = prop_oneof![
        Just("type"),
        Just("enum"),
        Just("minimum"),
        Just("multipleOf"),
        Just("minLength"),
        Just("pattern"),
        Just("format"),
        Just("items"),
        Just("prefixItems"),
        Just("contains"),
        Just("uniqueItems"),
        Just("required"),
        Just("properties"),
        Just("patternProperties"),
        Just("dependentRequired"),
        Just("dependentSchemas"),
        Just("$ref"),
        Just("$id"),
        Just("$anchor"),
        Just("$defs"),
        Just("$schema"),
        Just("$dynamicRef"),
        Just("allOf"),
        Just("oneOf"),
        Just("not"),
        Just("if"),
        Just("unevaluatedItems"),
        Just("unevaluatedProperties"),
        Just("title"),
    ];
    let text = prop_oneof![
        "[a-z#/$~%(\\[*]{0,6}",
        Just("#".to_owned()),
        Just("#/allOf/0".to_owned()),
        Just("#/items".to_owned()),
        Just("string".to_owned()),
        Just("//a/../b?c#d".to_owned()),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            1 => vec(inner.clone(), 0..4).prop_map(Value::from),
            3 => vec((keyword.clone().prop_map(str::to_owned), inner), 0..4).prop_map(object),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn validity_agrees_with_the_oracle(document in schema(), values in vec(value(), 1..6)) {
        let ours = match Schema::compile(&document) {
            Ok(schema) => schema,
            Err(error) => {
                // The only thing wrong that is generated on purpose: references that never step into the value.
                prop_assert!(error.message.contains("without end"), "{error}: {document}");
                return Ok(());
            }
        };
        let oracle = jsonschema::draft202012::new(&document).unwrap();
        for value in values {
            let violations = ours.validate(&value);
            let expected = oracle.is_valid(&value);
            prop_assert_eq!(violations.is_empty(), expected, "{} under {}: {:?}", value, document, violations);
            prop_assert_eq!(ours.is_valid(&value), expected);
            for violation in violations {
                prop_assert!(value.pointer(&violation.instance).is_some(), "{violation:?}");
                prop_assert!(document.pointer(&violation.keyword).is_some(), "{violation:?} in {document}");
            }
        }
    }

    /// Checking the fields one by one finds what is wrong with `properties`, and nothing else.
    #[test]
    fn fields_agree_with_the_oracle(properties in vec((name(), schema()), 1..3), values in vec((name(), value()), 1..4)) {
        let document = json!({ "properties": object(properties) });
        let Ok(ours) = Schema::compile(&document) else { return Ok(()) };
        let whole = object(values);
        let oracle = jsonschema::draft202012::new(&document).unwrap();
        let one_by_one = whole.as_object().unwrap().iter().all(|(name, value)| {
            ours.property(name).is_none_or(|property| property.is_valid(value))
        });
        prop_assert_eq!(one_by_one, oracle.is_valid(&whole));
    }

    #[test]
    fn anything_is_a_schema_or_refused(document in nonsense(), value in value()) {
        match Schema::compile_with_formats(&document) {
            Ok(schema) => prop_assert_eq!(schema.validate(&value).is_empty(), schema.is_valid(&value)),
            Err(error) => prop_assert_eq!(error.code, Code::InvalidSchema, "{}", error),
        }
    }
}
