//! Salvage: what of a model's answer can be used when the answer as a whole cannot.

use crate::schema::Violation;
use serde_json::Value;

/// Takes out of an answer that consists of lists what breaks its rules, until `judge` has nothing more to say: a part of an
/// item when it is among those it can do `without`, or what is wrong in a list that such a part is, else the item. What comes back is
/// the rest, and what was wrong.
///
/// Nothing, when the answer is wrong as a whole, such as for the want of a list, and when no item is left.
pub(crate) fn salvage(
    mut answer: Value,
    without: &[&str],
    judge: &dyn Fn(&Value) -> Vec<Violation>,
) -> Option<(Value, Vec<Violation>)> {
    let mut wrong = Vec::new();
    // Each time something is taken out, so this ends. The last first: the places before it stay what they are.
    while let Some(violation) = judge(&answer).pop() {
        let mut path = violation.instance.split('/').skip(1);
        let name = path.next()?;
        let Some(list) = answer.get_mut(name)?.as_array_mut() else {
            // What is no list is none.
            answer.as_object_mut()?.remove(name);
            wrong.push(violation);
            continue;
        };
        let place: usize = path.next()?.parse().ok()?;
        let item = list.get_mut(place)?;
        let part = path.next().filter(|part| without.contains(part));
        let inner = path.next().and_then(|place| place.parse().ok());
        let is_left_out = part.is_some_and(|part| leave_out(item, part, inner));
        if !is_left_out {
            list.remove(place);
        }
        wrong.push(violation);
    }
    let mut lists = answer.as_object()?.values().filter_map(Value::as_array);
    lists.any(|list| !list.is_empty()).then_some((answer, wrong))
}

/// Takes a part out of an item, or one place of the list that it is; whether there was such a part.
fn leave_out(item: &mut Value, part: &str, place: Option<usize>) -> bool {
    let Some(members) = item.as_object_mut() else { return false };
    match (members.get_mut(part).and_then(Value::as_array_mut), place) {
        (Some(list), Some(place)) if place < list.len() => {
            list.remove(place);
            true
        }
        _ => members.remove(part).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Schema;
    use serde_json::json;

    fn saved(answer: Value) -> Option<(Value, usize)> {
        let item = json!({
            "type": "object",
            "required": ["text"],
            "properties": { "text": { "type": "string", "minLength": 1 }, "weight": { "maximum": 10 }, "kind": { "enum": ["a"] } },
        });
        let lists = json!({ "facts": { "type": "array", "items": item, "maxItems": 4 }, "others": { "items": item } });
        let document = json!({ "type": "object", "required": ["facts"], "properties": lists });
        let schema = Schema::compile(&document).unwrap();
        let (rest, wrong) = salvage(answer, &["weight"], &|answer| schema.validate(answer))?;
        assert_eq!(schema.validate(&rest), []);
        Some((rest, wrong.len()))
    }

    #[test]
    fn what_is_wrong_goes_and_the_rest_stays() {
        let answer = json!({
            "facts": [{ "text": "" }, { "text": "one", "weight": 11 }, "two", { "text": "three", "kind": "b" }],
            "others": [{}, { "text": "four" }],
        });
        let rest = json!({ "facts": [{ "text": "one" }], "others": [{ "text": "four" }] });
        assert_eq!(saved(answer), Some((rest, 5)));
    }

    #[test]
    fn what_is_wrong_as_a_whole_is_of_no_use() {
        for answer in [
            json!("nothing"),
            json!([]),
            json!({}),
            json!({ "facts": null }),
            json!({ "facts": { "0": { "text": "" } } }),
            json!({ "facts": vec![json!({ "text": "one" }); 5] }),
            json!({ "facts": [{ "text": "" }] }),
        ] {
            assert_eq!(saved(answer.clone()), None, "{answer}");
        }
    }
}
