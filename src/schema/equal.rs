//! When two JSON values are the same: numbers by value, objects whatever their order.

use super::number::Decimal;
use crate::ordered::Ordered;
use serde_json::Value;

/// Whether `left` and `right` are the same JSON value.
pub(super) fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => Decimal::of(left) == Decimal::of(right),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| equal(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(name, left)| right.get(name).is_some_and(|right| equal(left, right)))
        }
        _ => left == right,
    }
}

/// The indexes, in order, of two items that are the same; nothing when all differ.
///
/// Looks up canonical texts, so that a long array costs n log n comparisons and not n^2.
pub(super) fn twins(items: &[Value]) -> Option<(usize, usize)> {
    let mut texts = Ordered::new();
    items.iter().enumerate().find_map(|(index, item)| {
        let mut text = String::new();
        write_canonical(item, &mut text);
        texts.insert(text, index).map(|first| (first, index))
    })
}

/// Writes a text that is the same for two values exactly when they are [`equal`].
fn write_canonical(value: &Value, text: &mut String) {
    match value {
        Value::Number(number) => text.push_str(&Decimal::of(number).to_string()),
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write_canonical(item, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::Object(members) => {
            let mut sorted = Ordered::new();
            for (place, name) in members.keys().enumerate() {
                sorted.insert(name.clone(), place);
            }
            text.push('{');
            for name in sorted.keys() {
                write_text(name, text);
                write_canonical(members.get(name).unwrap_or(&Value::Null), text);
                text.push(',');
            }
            text.push('}');
        }
        Value::String(string) => write_text(string, text),
        Value::Null => text.push('n'),
        Value::Bool(flag) => text.push(if *flag { 't' } else { 'f' }),
    }
}

/// A string with its length before it, so that no content can pass for structure.
fn write_text(string: &str, text: &mut String) {
    text.push('"');
    text.push_str(&string.len().to_string());
    text.push(':');
    text.push_str(string);
}

#[cfg(test)]
mod tests {
    use super::{equal, twins};
    use proptest::prelude::*;
    use serde_json::{Value, json};

    #[test]
    fn numbers_are_equal_by_value_and_objects_whatever_their_order() {
        assert!(equal(&json!([1, {"a": 1.0, "b": 2}]), &json!([1.0, {"b": 2.0, "a": 1}])));
        assert!(!equal(&json!(0), &json!(false)));
        assert!(!equal(&json!({"a": 1}), &json!({"a": 1, "b": 1})));
    }

    #[test]
    fn twins_are_found_and_named_in_order() {
        assert_eq!(twins(&[json!("x"), json!(1), json!(2), json!(1.0)]), Some((1, 3)));
        assert_eq!(twins(&[json!("1"), json!(1), json!([1]), json!({"1": 1})]), None);
        assert_eq!(twins(&[json!(["a", "b"]), json!(["a\",\"b"])]), None);
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-2_i64..3).prop_map(Value::from),
            prop_oneof![Just(1.0), Just(0.5), Just(-0.0)].prop_map(Value::from),
            "[a,:\"\\]]{0,3}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                prop::collection::vec(("[ab]", inner), 0..3)
                    .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn twins_agree_with_pairwise_equality(items in prop::collection::vec(value(), 0..6)) {
            let pairwise = items.iter().enumerate().any(|(index, item)| {
                items.iter().skip(index + 1).any(|other| equal(item, other))
            });
            prop_assert_eq!(twins(&items).is_some(), pairwise);
        }
    }
}
