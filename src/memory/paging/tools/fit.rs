//! Fitting what a model is told into a number of tokens: JSON stays JSON, without its last items.

use crate::memory::counter::Counter;
use crate::memory::shorten::cut;
use serde_json::{Map, Value, json};

/// The most tokens of what a model is told of a call.
pub(crate) const RESULT_TOKENS: usize = 2000;
/// What is kept for saying that something was cut.
const NOTICE_TOKENS: usize = 40;
/// The fewest characters of a text within JSON that is shortened.
const SHORT_CHARACTERS: usize = 64;
/// The member that says how many items of which list were left out.
const TRUNCATED: &str = "truncated";

/// A text with so many tokens at most. Of JSON, and of lines of it, whole items are left out, the last first, and counted in
/// `truncated`; of other text it is the beginning, with a line that says so.
pub(super) fn fit(told: String, tokens: usize, counter: &Counter) -> String {
    let all = counter.count(&told);
    if all <= tokens {
        return told;
    }
    match serde_json::from_str(&told) {
        Ok(Value::Array(items)) => json(json!({ "items": items }), tokens, counter),
        Ok(value @ Value::Object(_)) => json(value, tokens, counter),
        _ if is_lines(&told) => lines(&told, tokens, counter),
        _ => words(&told, all, tokens, counter),
    }
}

fn is_lines(told: &str) -> bool {
    told.lines().all(|line| matches!(serde_json::from_str(line), Ok(Value::Object(_))))
}

/// The first of some lines of JSON.
fn lines(told: &str, tokens: usize, counter: &Counter) -> String {
    let all: Vec<&str> = told.lines().collect();
    let first = |count: usize| {
        let mut shown = all.get(..count).unwrap_or_default().to_vec();
        let notice = json!({ TRUNCATED: { "items": all.len() - count } }).to_string();
        shown.push(&notice);
        shown.join("\n")
    };
    let (mut fits, mut over) = (0, all.len());
    while over - fits > 1 {
        let middle = fits.midpoint(over);
        if counter.count(&first(middle)) <= tokens { fits = middle } else { over = middle }
    }
    first(fits)
}

/// The beginning of a text, in whole lines unless that leaves little.
fn words(told: &str, all: usize, tokens: usize, counter: &Counter) -> String {
    let kept = cut(told, tokens.saturating_sub(NOTICE_TOKENS), counter);
    let lines = kept.rsplit_once('\n').map(|(lines, _)| lines);
    let kept = lines.filter(|lines| lines.len() > kept.len() / 2).unwrap_or(kept);
    format!("{kept}\n[cut here: this is a part of {all} tokens; ask for less, or for something narrower]")
}

/// An object without the last items of its longest lists; when there are none left, with its longest texts shortened.
fn json(mut value: Value, tokens: usize, counter: &Counter) -> String {
    let mut left_out = Map::new();
    loop {
        let told = with_counts(&value, &left_out).to_string();
        if counter.count(&told) <= tokens {
            return told;
        }
        // The last item of a list is worth more than the whole of its texts.
        if !leave_out(&mut value, 2, &mut left_out)
            && !shorten(&mut value)
            && !leave_out(&mut value, 1, &mut left_out)
        {
            // Nothing but names: an object that says so, and no more.
            return json!({ TRUNCATED: true }).to_string();
        }
    }
}

/// Leaves out an eighth of the longest list that has so many items, and counts them; whether there is such a list.
fn leave_out(value: &mut Value, least: usize, left_out: &mut Map<String, Value>) -> bool {
    let Some((name, items)) = longest_list(value, "items", least) else { return false };
    let dropped = items.len().div_ceil(8);
    items.truncate(items.len() - dropped);
    let before = left_out.get(&name).and_then(Value::as_u64).unwrap_or(0);
    left_out.insert(name, (before + dropped as u64).into());
    true
}

/// Halves the longest text; whether there is one that is worth it.
fn shorten(value: &mut Value) -> bool {
    let Some(text) = longest_text(value) else { return false };
    let half = text.chars().count() / 2;
    *text = text.chars().take(half).chain(['\u{2026}']).collect();
    true
}

/// The value with how many items are left out, added to what it says of that itself.
fn with_counts(value: &Value, left_out: &Map<String, Value>) -> Value {
    let mut value = value.clone();
    if let (Value::Object(members), false) = (&mut value, left_out.is_empty()) {
        let counts = members.entry(TRUNCATED).or_insert_with(|| Value::Object(Map::new()));
        if !counts.is_object() {
            *counts = Value::Object(Map::new());
        }
        for (name, count) in left_out {
            let before = counts.get(name).and_then(Value::as_u64).unwrap_or(0);
            let all = before + count.as_u64().unwrap_or(0);
            if let Value::Object(counts) = counts {
                counts.insert(name.clone(), all.into());
            }
        }
    }
    value
}

/// Of the lists with so many items the one that takes the most room, and the name it stands under.
fn longest_list<'a>(value: &'a mut Value, name: &str, least: usize) -> Option<(String, &'a mut Vec<Value>)> {
    let members: Vec<(String, &'a mut Value)> = match value {
        // The outermost is shortened first: items stay whole.
        Value::Array(items) => {
            return (items.len() >= least).then(|| (name.to_owned(), items));
        }
        Value::Object(members) => members.iter_mut().map(|(name, value)| (name.clone(), value)).collect(),
        _ => return None,
    };
    let lists = members.into_iter().filter_map(|(name, value)| longest_list(value, &name, least));
    lists.max_by_key(|(_, items)| items.iter().map(|item| item.to_string().len()).sum::<usize>())
}

/// The longest text that is worth shortening.
fn longest_text(value: &mut Value) -> Option<&mut String> {
    let texts: Vec<&mut String> = match value {
        Value::String(text) => return Some(text).filter(|text| text.chars().count() > SHORT_CHARACTERS),
        Value::Array(items) => items.iter_mut().filter_map(longest_text).collect(),
        Value::Object(members) => members.iter_mut().filter_map(|(_, value)| longest_text(value)).collect(),
        _ => return None,
    };
    texts.into_iter().max_by_key(|text| text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fitted(value: &Value, tokens: usize) -> Value {
        let counter = Counter::default();
        let told = fit(value.to_string(), tokens, &counter);
        assert!(counter.count(&told) <= tokens, "{told}");
        serde_json::from_str(&told).unwrap()
    }

    #[test]
    fn whole_items_are_left_out_and_counted() {
        let item = |number: usize| json!({ "name": format!("Ship {number}"), "tags": ["a", "b"] });
        let items: Vec<Value> = (0..500).map(item).collect();
        let told =
            fitted(&json!({ "entities": items, "relations": [], "truncated": { "entities": 7 } }), 300);
        let kept = told["entities"].as_array().unwrap();
        assert!(kept.len() > 5 && kept.as_slice() == &items[..kept.len()], "{told}");
        assert_eq!(told["truncated"]["entities"], 500 - kept.len() + 7);
        let told = fitted(&Value::from(items.clone()), 300);
        assert_eq!(told["truncated"]["items"], 500 - told["items"].as_array().unwrap().len());
        let lines: Vec<String> = items.iter().map(Value::to_string).collect();
        let told = fit(lines.join("\n"), 300, &Counter::default());
        let kept: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(kept.last().unwrap()["truncated"]["items"], 500 - (kept.len() - 1));
    }

    #[test]
    fn a_long_text_is_shortened_where_nothing_can_be_left_out() {
        let told = fitted(&json!({ "user": { "bio": "word ".repeat(2000), "age": 7 } }), 200);
        assert!(told["user"]["bio"].as_str().unwrap().starts_with("word word"));
        assert_eq!(told["user"]["age"], 7);
        let words = fit("word ".repeat(2000), 200, &Counter::default());
        assert!(words.contains("[cut here: "));
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<i32>().prop_map(Value::from),
            "(\\PC|[a-z ]{1,20}|\")".prop_map(|text| Value::from(text.repeat(20))),
        ];
        leaf.prop_recursive(4, 64, 12, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..12).prop_map(Value::from),
                prop::collection::vec(("[a-z]{1,8}|truncated", inner), 0..12)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        /// An answer was cut in the middle of its JSON.
        #[test]
        fn json_stays_json(value in any_json(), tokens in 40..400usize) {
            let told = fit(value.to_string(), tokens, &Counter::default());
            prop_assert!(Counter::default().count(&told) <= tokens);
            if value.is_array() || value.is_object() {
                prop_assert!(serde_json::from_str::<Value>(&told).is_ok(), "{}", told);
            }
        }
    }
}
