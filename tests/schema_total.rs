//! Schemas made of right and wrong keywords: compiling one and judging with it never panics; the same property as the
//! fuzz target `compile`.

use mnemic::schema::Schema;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "type",
            "properties",
            "items",
            "prefixItems",
            "required",
            "enum",
            "const",
            "pattern",
            "format",
            "$ref",
            "$defs",
            "allOf",
            "anyOf",
            "oneOf",
            "not",
            "if",
            "then",
            "else",
            "minimum",
            "multipleOf",
            "maxLength",
            "minItems",
            "additionalProperties",
            "patternProperties",
            "dependentRequired",
            "unevaluatedProperties",
            "contains",
            "string",
            "object",
            "array",
            "number",
            "integer",
            "null",
            "#",
            "#/$defs/a",
            "#/properties/a",
            "a",
            "^a+$",
            "(",
            "date-time",
        ])
        .prop_map(str::to_owned),
        ".{0,4}",
    ]
}

fn document() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i8>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((word(), inner), 0..6)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_schema_compiles_or_is_refused(schema in document(), value in document()) {
        if let Ok(compiled) = Schema::compile(&schema) {
            prop_assert_eq!(compiled.is_valid(&value), compiled.validate(&value).is_empty());
        }
    }
}
