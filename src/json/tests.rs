//! Reading types as serde does, but for what is stricter on purpose.

use super::{from_options, from_value, loosely};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Choice {
    One,
    Two,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Options {
    text: String,
    count: Option<u8>,
    time: Option<i64>,
    share: Option<f32>,
    flag: Option<bool>,
    choice: Option<Choice>,
    #[serde(default)]
    more: Vec<Options>,
    #[serde(default)]
    by_name: Map<String, Value>,
    any: Option<Value>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stored {
    any: Value,
    #[serde(alias = "other_name")]
    other_name: Option<u32>,
    #[serde(default = "seven")]
    count: u32,
    pair: Option<[u32; 2]>,
    #[serde(default, deserialize_with = "loosely")]
    loose: Vec<Options>,
}

fn seven() -> u32 {
    7
}

#[test]
fn what_is_not_given_is_a_default_or_a_complaint() {
    let stored = Stored { any: Value::Null, other_name: None, count: 7, pair: None, loose: Vec::new() };
    assert_eq!(from_value::<Stored>(json!({ "any": null, "more": 1 })).unwrap(), stored);
    let complaint = from_value::<Stored>(json!({ "otherName": 1 })).unwrap_err();
    assert_eq!(
        (complaint.place(), complaint.to_string()),
        ("any", "any is missing; pass any valid JSON value".to_owned())
    );
    let complaint = from_value::<Stored>(json!({ "any": 1, "pair": [1] })).unwrap_err();
    assert_eq!(complaint.place(), "pair");
    assert_eq!(complaint.to_string(), "pair has 1 items; pass an array of length 2");
}

#[test]
fn a_field_may_have_two_spellings() {
    for (value, read) in [
        (json!({ "any": 1, "otherName": 5, "count": 6 }), (Some(5), 6)),
        (json!({ "any": 1, "other_name": 5, "count": 6 }), (Some(5), 6)),
    ] {
        let stored: Stored = from_options(value).unwrap();
        assert_eq!((stored.other_name, stored.count), read);
    }
    let twice = json!({ "any": 1, "otherName": 5, "other_name": 5 });
    assert_eq!(
        from_value::<Stored>(twice).unwrap_err().to_string(),
        "other_name is given in two spellings; leave one out"
    );
    let made_up = json!({ "any": 1, "co_unt": 5 });
    assert_eq!(from_options::<Stored>(made_up).unwrap_err().place(), "co_unt");
}

#[test]
fn strangers_pass_where_it_says_so() {
    let loose = json!([{ "text": "a", "stranger": 1 }]);
    let stored: Stored = from_options(json!({ "any": 1, "loose": loose })).unwrap();
    assert_eq!(stored.loose.len(), 1);
    assert!(from_options::<Options>(json!({ "text": "a", "more": loose })).is_err());
    assert!(from_value::<Options>(json!({ "text": "a", "more": loose })).is_ok());
}

fn complaint(value: Value) -> (String, String) {
    let complaint = from_options::<Options>(value).unwrap_err();
    (complaint.place().to_owned(), complaint.told().to_owned())
}

#[test]
fn a_complaint_names_its_place() {
    for (value, place, told) in [
        (json!(7), "", "is 7; pass an object"),
        (json!([]), "", "is []; pass an object"),
        (json!({}), "text", "is missing; pass a string"),
        (json!({"text": null}), "text", "is null; pass a string"),
        (json!({"text": "", "count": 300}), "count", "is 300; pass a whole number from 0 to 255"),
        (json!({"text": "", "count": 1.5}), "count", "is 1.5; pass a whole number from 0 to 255"),
        (json!({"text": "", "share": "x"}), "share", "is \"x\"; pass a number"),
        (json!({"text": "", "choice": "three"}), "choice", "is \"three\"; pass \"one\" or \"two\""),
        (json!({"text": "", "more": {}}), "more", "is {}; pass a list"),
        (json!({"text": "", "more": [{"text": "a"}, {}]}), "more[1].text", "is missing; pass a string"),
        (
            json!({"text": "", "more": [{"text": "", "more": [{"text": true}]}]}),
            "more[0].more[0].text",
            "is true; pass a string",
        ),
    ] {
        assert_eq!(complaint(value), (place.to_owned(), told.to_owned()));
    }
    let (place, told) = complaint(json!({"text": "", "a b": 1}));
    assert_eq!(place, "[\"a b\"]");
    assert!(told.starts_with("is no option; the options are text, count, time"), "{told}");
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-300..300i64).prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-2.0..2.0f64).prop_map(Value::from),
        prop_oneof!["one", "[a-z]{0,3}"].prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        let name = prop_oneof![
            Just("text"),
            Just("count"),
            Just("time"),
            Just("share"),
            Just("flag"),
            Just("choice"),
            Just("more"),
            Just("byName"),
            Just("any"),
            Just("other"),
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((name, inner), 0..5).prop_map(|members| {
                let mut members: Map<String, Value> =
                    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
                members.entry("text").or_insert_with(|| Value::from(""));
                Value::Object(members)
            }),
        ]
    })
}

proptest! {
    #[test]
    fn reads_what_serde_json_reads(value in value()) {
        match (from_options::<Options>(value.clone()), serde_json::from_value::<Options>(value)) {
            (Ok(ours), Ok(theirs)) => prop_assert_eq!(ours, theirs),
            (Ok(ours), Err(theirs)) => prop_assert!(false, "{ours:?} {theirs}"),
            (Err(_), Err(_)) => {}
            (Err(ours), Ok(_)) => {
                let ours = ours.told();
                // What only serde_json takes: a list for an object, and an object for a name.
                let stricter = ours.starts_with("is [") && ours.ends_with("; pass an object")
                    || ours.starts_with("is {") && ours.ends_with("; pass \"one\" or \"two\"");
                prop_assert!(stricter, "{ours}");
            }
        }
    }
}
