//! Filters: conditions on what a record shows, in the form `{"path": {"$gte": 1}}`.

use crate::error::{Code, Error, Result};
use crate::time;
use serde_json::{Map, Value};
use std::cmp::Ordering;

/// How deep `$and`, `$or` and `$not` may nest.
pub const MAX_FILTER_DEPTH: usize = 16;
/// How many conditions a filter may have.
pub const MAX_FILTER_CONDITIONS: usize = 256;

/// A compiled filter.
///
/// - `{"a": 1}` is short for `{"a": {"$eq": 1}}`; several paths or operators must all hold.
/// - Operators: `$eq $ne $gt $gte $lt $lte $in $nin $exists`, combined by `$and $or $not`.
/// - Paths are dotted (`metadata.project`); a number names a place in a list (`likes.0`). A full stop that belongs to a name has a
///   backslash before it (`a\\.b`), and so has a backslash before one.
/// - A list equals an operand when it is the same list or holds the operand.
/// - `$gt` and its kin compare numbers with numbers, texts with texts, and ISO dates as dates, also against times in milliseconds.
/// - A missing path equals nothing: `$ne` and `$nin` hold for it, everything else but `{"$exists": false}` does not.
#[derive(Debug, Clone)]
pub struct Filter(Condition);

#[derive(Debug, Clone)]
enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    Field { path: Vec<String>, test: Test },
}

#[derive(Debug, Clone)]
enum Test {
    Equal(Value),
    NotEqual(Value),
    Order { operand: Value, accepts: fn(Ordering) -> bool },
    In(Vec<Value>),
    NotIn(Vec<Value>),
    Exists(bool),
}

impl Filter {
    /// Compiles a filter.
    ///
    /// # Errors
    /// `InvalidFilter` for an unknown operator, an operand of the wrong type, or a filter over the limits.
    ///
    /// ```
    /// # use serde_json::json;
    /// let filter = mnemic::Filter::compile(&json!({"category": "goal", "createdAt": {"$gte": "2026-01-01"}}))?;
    /// assert!(filter.matches(&json!({"category": "goal", "createdAt": 1_777_593_600_000_i64})));
    /// # Ok::<(), mnemic::Error>(())
    /// ```
    pub fn compile(filter: &Value) -> Result<Self> {
        let mut budget = MAX_FILTER_CONDITIONS;
        Ok(Self(object(filter, 0, &mut budget)?))
    }

    /// Compiles a filter on what has these fields and no others. What is inside of a field is not known.
    ///
    /// # Errors
    /// As [`compile`](Self::compile), and `InvalidFilter` for a path that begins with another field.
    pub fn on(filter: &Value, fields: &[&str]) -> Result<Self> {
        let compiled = Self::compile(filter)?;
        match compiled.0.stranger(fields) {
            None => Ok(compiled),
            Some(name) => Err(invalid(format!(
                "there is no field {name:?} to filter by; there are {}",
                fields.join(", ")
            ))
            .with("field", name)),
        }
    }

    /// Whether it has a condition on a field.
    #[must_use]
    pub fn asks_for(&self, field: &str) -> bool {
        self.0.asks_for(field)
    }

    /// Whether a JSON document meets the filter.
    #[must_use]
    pub fn matches(&self, document: &Value) -> bool {
        self.0.matches(document)
    }
}

impl Condition {
    /// A field it asks for that is not among `fields`.
    fn stranger(&self, fields: &[&str]) -> Option<&str> {
        match self {
            Self::All(conditions) | Self::Any(conditions) => {
                conditions.iter().find_map(|condition| condition.stranger(fields))
            }
            Self::Not(condition) => condition.stranger(fields),
            Self::Field { path, .. } => {
                path.first().map(String::as_str).filter(|name| !fields.contains(name))
            }
        }
    }

    fn asks_for(&self, field: &str) -> bool {
        match self {
            Self::All(conditions) | Self::Any(conditions) => {
                conditions.iter().any(|condition| condition.asks_for(field))
            }
            Self::Not(condition) => condition.asks_for(field),
            Self::Field { path, .. } => path.first().is_some_and(|name| name == field),
        }
    }

    fn matches(&self, document: &Value) -> bool {
        match self {
            Self::All(conditions) => conditions.iter().all(|condition| condition.matches(document)),
            Self::Any(conditions) => conditions.iter().any(|condition| condition.matches(document)),
            Self::Not(condition) => !condition.matches(document),
            Self::Field { path, test } => test.accepts(find(document, path)),
        }
    }
}

impl Test {
    fn accepts(&self, found: Option<&Value>) -> bool {
        match self {
            Self::Equal(operand) => found.is_some_and(|value| equal(value, operand)),
            Self::NotEqual(operand) => !found.is_some_and(|value| equal(value, operand)),
            Self::Order { operand, accepts } => {
                found.and_then(|value| compare(value, operand)).is_some_and(accepts)
            }
            Self::In(operands) => {
                found.is_some_and(|value| operands.iter().any(|operand| equal(value, operand)))
            }
            Self::NotIn(operands) => {
                !found.is_some_and(|value| operands.iter().any(|operand| equal(value, operand)))
            }
            Self::Exists(expected) => found.is_some() == *expected,
        }
    }
}

fn object(filter: &Value, depth: usize, budget: &mut usize) -> Result<Condition> {
    let Value::Object(pairs) = filter else {
        return Err(invalid(format!(
            "a filter is an object such as {{\"category\": \"goal\"}}, not {}",
            shown(filter)
        )));
    };
    if depth > MAX_FILTER_DEPTH {
        return Err(invalid(format!("the filter nests deeper than {MAX_FILTER_DEPTH}; flatten it")));
    }
    let mut conditions = Vec::new();
    for (name, operand) in pairs {
        match name.as_str() {
            "$and" => conditions.push(Condition::All(list(name, operand, depth, budget)?)),
            "$or" => conditions.push(Condition::Any(list(name, operand, depth, budget)?)),
            "$not" => conditions.push(Condition::Not(Box::new(object(operand, depth + 1, budget)?))),
            unknown if unknown.starts_with('$') => {
                return Err(invalid(format!(
                    "unknown operator {unknown:?} where a path is expected; use $and, $or or $not"
                )));
            }
            path => field(path, operand, budget, &mut conditions)?,
        }
    }
    Ok(match conditions.len() {
        1 => conditions.remove(0),
        _ => Condition::All(conditions),
    })
}

fn list(name: &str, operand: &Value, depth: usize, budget: &mut usize) -> Result<Vec<Condition>> {
    let Value::Array(filters) = operand else {
        return Err(invalid(format!("{name} takes a list of filters, not {}", shown(operand))));
    };
    filters.iter().map(|filter| object(filter, depth + 1, budget)).collect()
}

fn field(path: &str, operand: &Value, budget: &mut usize, conditions: &mut Vec<Condition>) -> Result<()> {
    let steps: Vec<String> = split(path, '.').into_iter().map(plain).collect();
    if steps.iter().any(String::is_empty) {
        return Err(invalid(format!("the path {path:?} has an empty step; write it as a.b")));
    }
    let mut push = |test: Test| -> Result<()> {
        *budget = budget.checked_sub(1).ok_or_else(|| {
            invalid(format!("the filter has more than {MAX_FILTER_CONDITIONS} conditions; use $in"))
        })?;
        conditions.push(Condition::Field { path: steps.clone(), test });
        Ok(())
    };
    let Some(operators) = operators(path, operand)? else { return push(Test::Equal(operand.clone())) };
    for (name, value) in operators {
        let ordered = |accepts| match value {
            Value::Number(_) | Value::String(_) => Ok(Test::Order { operand: value.clone(), accepts }),
            other => Err(invalid(format!(
                "{name} at {path:?} takes a number, a text or a date, not {}",
                shown(other)
            ))),
        };
        let values = || match value {
            Value::Array(values) => Ok(values.clone()),
            other => Err(invalid(format!("{name} at {path:?} takes a list, not {}", shown(other)))),
        };
        push(match name.as_str() {
            "$eq" => Test::Equal(value.clone()),
            "$ne" => Test::NotEqual(value.clone()),
            "$gt" => ordered(Ordering::is_gt)?,
            "$gte" => ordered(Ordering::is_ge)?,
            "$lt" => ordered(Ordering::is_lt)?,
            "$lte" => ordered(Ordering::is_le)?,
            "$in" => Test::In(values()?),
            "$nin" => Test::NotIn(values()?),
            "$exists" => Test::Exists(value.as_bool().ok_or_else(|| {
                invalid(format!("$exists at {path:?} takes true or false, not {}", shown(value)))
            })?),
            unknown => {
                return Err(invalid(format!(
                    "unknown operator {unknown:?} at {path:?}; there are $eq $ne $gt $gte $lt $lte $in $nin $exists"
                )));
            }
        })?;
    }
    Ok(())
}

/// The operators of `{"$gt": 1}`; `None` for a plain value, which means equality.
fn operators<'a>(path: &str, operand: &'a Value) -> Result<Option<&'a Map<String, Value>>> {
    let Value::Object(pairs) = operand else { return Ok(None) };
    let named = pairs.keys().filter(|name| name.starts_with('$')).count();
    if named == 0 && pairs.is_empty() {
        return Err(invalid(format!("the condition at {path:?} is empty; give a value or an operator")));
    }
    if named != 0 && named != pairs.len() {
        return Err(invalid(format!(
            "the condition at {path:?} mixes operators and plain names; use one or the other"
        )));
    }
    Ok((named != 0).then_some(pairs))
}

/// A path cut at every sign that no backslash stands before.
pub(crate) fn split(path: &str, sign: char) -> Vec<&str> {
    let mut is_escaped = false;
    path.split(|letter: char| {
        let ends = letter == sign && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        ends
    })
    .collect()
}

/// A name as it is, without the backslashes before full stops, brackets and backslashes.
pub(crate) fn plain(name: &str) -> String {
    let mut plain = String::new();
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped =
            if letter == '\\' { letters.next_if(|next| ['.', '[', '\\'].contains(next)) } else { None };
        plain.push(escaped.unwrap_or(letter));
    }
    plain
}

fn find<'a>(document: &'a Value, path: &[String]) -> Option<&'a Value> {
    path.iter().try_fold(document, |value, step| match value {
        Value::Object(pairs) => pairs.get(step),
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        _ => None,
    })
}

fn equal(value: &Value, operand: &Value) -> bool {
    same(value, operand)
        || matches!(value, Value::Array(items) if items.iter().any(|item| same(item, operand)))
}

/// JSON equality in which 1 and 1.0 are the same number.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => one == other,
    }
}

fn compare(value: &Value, operand: &Value) -> Option<Ordering> {
    match (value, operand) {
        (Value::Number(a), Value::Number(b)) => a.as_f64()?.partial_cmp(&b.as_f64()?),
        (Value::String(a), Value::String(b)) => match (time::parse(a), time::parse(b)) {
            (Some(a), Some(b)) => Some(a.cmp(&b)),
            _ => Some(a.cmp(b)),
        },
        (Value::Number(a), Value::String(b)) => a.as_i64().zip(time::parse(b)).map(|(a, b)| a.cmp(&b)),
        (Value::String(a), Value::Number(b)) => time::parse(a).zip(b.as_i64()).map(|(a, b)| a.cmp(&b)),
        _ => None,
    }
}

fn invalid(message: String) -> Error {
    Error::new(Code::InvalidFilter, message)
}

fn shown(value: &Value) -> String {
    value.to_string().chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn matches(filter: Value, document: &Value) -> bool {
        Filter::compile(&filter).unwrap().matches(document)
    }

    #[test]
    fn every_operator_holds_and_fails() {
        let document = json!({
            "n": 5, "s": "b", "d": "2026-05-01", "t": 1_777_593_600_000_i64, "list": ["x", "y"], "deep": {"a": [{"b": 1}]}, "null": null,
            "a.b": 1, "x\\": {"y": 2}, "x\\y": 3
        });
        for (filter, expected) in [
            (json!({}), true),
            (json!({"n": 5}), true),
            (json!({"n": 5.0}), true),
            (json!({"n": "5"}), false),
            (json!({"n": {"$eq": 5, "$gt": 4}}), true),
            (json!({"n": {"$ne": 5}}), false),
            (json!({"missing": {"$ne": 5}}), true),
            (json!({"missing": {"$nin": [5]}}), true),
            (json!({"missing": null}), false),
            (json!({"null": null}), true),
            (json!({"null": {"$exists": true}}), true),
            (json!({"missing": {"$exists": false}}), true),
            (json!({"missing": {"$gt": 1}}), false),
            (json!({"n": {"$gt": 5}}), false),
            (json!({"n": {"$gte": 5}}), true),
            (json!({"n": {"$lt": 5}}), false),
            (json!({"n": {"$lte": 5}}), true),
            (json!({"s": {"$gt": "a"}}), true),
            (json!({"s": {"$gt": 1}}), false),
            (json!({"d": {"$gt": "2026-04-30T23:00:00-02:00"}}), false),
            (json!({"d": {"$gte": "2026-04-30"}}), true),
            (json!({"t": {"$gte": "2026-05-01"}}), true),
            (json!({"t": {"$gt": "2026-05-01"}}), false),
            (json!({"d": {"$lte": 1_777_593_600_000_i64}}), true),
            (json!({"list": "x"}), true),
            (json!({"list": ["x", "y"]}), true),
            (json!({"list": ["x"]}), false),
            (json!({"list": {"$in": ["z", "y"]}}), true),
            (json!({"list": {"$nin": ["z", "y"]}}), false),
            (json!({"list.1": "y"}), true),
            (json!({"deep.a.0.b": 1}), true),
            (json!({"a\\.b": 1}), true),
            (json!({"a.b": 1}), false),
            (json!({"x\\\\.y": 2}), true),
            (json!({"x\\y": 3}), true),
            (json!({"deep": {"a": [{"b": 1}]}}), true),
            (json!({"$or": [{"n": 1}, {"s": "b"}]}), true),
            (json!({"$or": []}), false),
            (json!({"$and": [{"n": 5}, {"s": "c"}]}), false),
            (json!({"$not": {"n": 5}}), false),
            (json!({"$not": {"n": {"$gt": 10}}}), true),
        ] {
            assert_eq!(matches(filter.clone(), &document), expected, "{filter}");
        }
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        let mut deep = json!({"a": 1});
        for _ in 0..=MAX_FILTER_DEPTH {
            deep = json!({"$not": deep});
        }
        let wide = Value::Object((0..=MAX_FILTER_CONDITIONS).map(|n| (format!("k{n}"), json!(n))).collect());
        for bad in [
            json!(null),
            json!([]),
            json!({"$where": "1"}),
            json!({"a": {"$near": 1}}),
            json!({"a": {"$gt": 1, "b": 2}}),
            json!({"a": {}}),
            json!({"a..b": 1}),
            json!({"": 1}),
            json!({"a": {"$gt": null}}),
            json!({"a": {"$in": 1}}),
            json!({"a": {"$exists": 1}}),
            json!({"$and": {}}),
            json!({"$or": [1]}),
            deep,
            wide,
        ] {
            assert_eq!(Filter::compile(&bad).unwrap_err().code, Code::InvalidFilter, "{bad}");
        }
    }

    #[test]
    fn a_field_that_cannot_be_is_named_with_those_there_are() {
        let fields = &["text", "metadata"];
        for good in [json!({}), json!({"text": 1}), json!({"$not": {"metadata.a.b": 1}}), json!({"$or": []})]
        {
            Filter::on(&good, fields).unwrap();
        }
        for (bad, name) in [
            (json!({"test": 1}), "test"),
            (json!({"text": 1, "a.text": 2}), "a"),
            (json!({"$or": [{"text": 1}, {"$not": {"$and": [{"Text": {"$exists": false}}]}}]}), "Text"),
        ] {
            let error = Filter::on(&bad, fields).unwrap_err();
            assert_eq!(error.code, Code::InvalidFilter);
            let message = format!("there is no field {name:?} to filter by; there are text, metadata");
            assert_eq!(String::from(error), message);
        }
    }

    fn json_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-3i64..3).prop_map(Value::from),
            "[ab$.]{0,3}".prop_map(Value::from),
            Just(json!("2026-01-01")),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec(
                    (
                        prop_oneof![
                            Just("$and"),
                            Just("$or"),
                            Just("$not"),
                            Just("$gt"),
                            Just("$in"),
                            Just("a"),
                            Just("b.0")
                        ],
                        inner
                    ),
                    0..4
                )
                .prop_map(|pairs| Value::Object(pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn never_panics_and_not_is_the_complement(filter in json_value(), document in json_value()) {
            if let Ok(compiled) = Filter::compile(&filter)
                && let Ok(negated) = Filter::compile(&json!({"$not": filter}))
            {
                prop_assert_ne!(compiled.matches(&document), negated.matches(&document));
            }
        }
    }
}
