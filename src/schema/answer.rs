//! Reads the JSON in what a language model answered: behind code fences or prose, with trailing commas or comments.

use serde_json::{Map, Value};

/// Bytes that an answer may have.
const MAX_BYTES: usize = 4 << 20;

/// Levels of nesting that an answer may have.
const MAX_DEPTH: usize = 100;

/// What stands behind a model's thoughts.
const THOUGHT: &str = "</think>";

/// The most values that are taken of one answer: the last ones.
const MAX_VALUES: usize = 16;

/// The JSON value that `text` holds, read with the leniency that model answers need.
///
/// An answer that is JSON as a whole is taken as it is, whatever its type. Otherwise the last object that can be read is taken, or
/// the last array where there is no object, behind the first code fence (three backticks) if there is one there: text around it is
/// skipped, as is what a model thought before `</think>`, and inside it `//` comments, a comma before a closing bracket and raw
/// line ends in strings are tolerated. An array of scalars in the prose, such as `[1]`, passes for an answer that has no object;
/// validate what you get.
///
/// Nothing when there is no such value, when it is cut off before it closes, when it nests deeper than 100 levels, or when
/// the text is longer than 4 MiB. Takes time linear in the length of the text.
///
/// ```
/// use mnemic::schema::parse_lenient;
/// use serde_json::json;
///
/// let answer = "Sure! Here you are:\n```json\n{ \"name\": \"Ada\", // as she said\n}\n```";
/// assert_eq!(parse_lenient(answer), Some(json!({ "name": "Ada" })));
/// assert_eq!(parse_lenient("<think>{ \"name\": \"Bo\" }?</think>{ \"name\": \"Ada\" }"), Some(json!({ "name": "Ada" })));
/// assert_eq!(parse_lenient("I found nothing."), None);
/// assert_eq!(parse_lenient("{ \"name\": \"Ad"), None);
/// ```
#[must_use]
pub fn parse_lenient(text: &str) -> Option<Value> {
    let mut values = parse_values(text);
    let last = last_object(&values)?;
    Some(values.swap_remove(last))
}

/// Where the last object of some values is, or the last of all where there is none.
pub(crate) fn last_object(values: &[Value]) -> Option<usize> {
    values.iter().rposition(Value::is_object).or(values.len().checked_sub(1))
}

/// The values that `text` holds, in order, of which [`parse_lenient`] takes one: drafts and examples come before what is meant.
pub(crate) fn parse_values(text: &str) -> Vec<Value> {
    if text.len() > MAX_BYTES || is_only_thought(text) {
        return Vec::new();
    }
    if let Some(value) = strict(text.strip_prefix('\u{feff}').unwrap_or(text)) {
        return vec![value];
    }
    let fenced = text.find("```").map(|fence| values(text.get(fence..).unwrap_or_default()));
    let found = fenced.filter(|values| !values.is_empty()).unwrap_or_else(|| values(text));
    if found.iter().any(Value::is_object) {
        return found;
    }
    // What was thought may have begun something that it did not end.
    let behind = values(answered(text));
    if behind.is_empty() { found } else { behind }
}

/// Whether a text begins with thoughts and ends before they do.
fn is_only_thought(text: &str) -> bool {
    text.trim_start().starts_with("<think>") && !text.contains(THOUGHT)
}

/// What a model answered when it had thought.
fn answered(text: &str) -> &str {
    match text.rsplit_once(THOUGHT) {
        Some((_, answer)) => answer,
        None if is_only_thought(text) => "",
        None => text,
    }
}

/// The beginning of an object that `text` ends in the middle of, as when a model was cut off at its most tokens, of a text in which
/// [`parse_lenient`] finds nothing: without the item of a list, or the member, that is not complete. Nothing when there is none.
pub(crate) fn parse_beginning(text: &str) -> Option<Value> {
    let mut rest = if text.len() > MAX_BYTES { "" } else { answered(text) };
    while let Some(start) = rest.find('{') {
        let mut reader = Reader { rest: rest.get(start..)?, depth: 0, ends_early: true };
        if let Some(value) = reader.value() {
            return Some(value);
        }
        rest = reader.rest;
    }
    None
}

/// The value that `text` is, by the rules of JSON; in one place, since each use of the parser would be a copy of it.
#[inline(never)]
fn strict(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

/// The objects and arrays in `text` that can be read to their end, behind what was thought.
fn values(text: &str) -> Vec<Value> {
    let (mut rest, mut values) = (text, Vec::new());
    while let Some(start) = rest.find(['{', '[']) {
        let (skipped, opened) = rest.split_at(start);
        if skipped.contains(THOUGHT) {
            values.clear();
        }
        let mut reader = Reader { rest: opened, depth: 0, ends_early: false };
        values.extend(reader.value());
        // Going on where reading ended or failed, not at the next bracket, keeps the time linear.
        rest = reader.rest;
    }
    if rest.contains(THOUGHT) {
        values.clear();
    }
    values.split_off(values.len().saturating_sub(MAX_VALUES))
}

/// A reader of JSON; when a read fails, `rest` starts where it failed, and is shorter than before.
struct Reader<'t> {
    rest: &'t str,
    depth: usize,
    /// Whether what is begun where the text ends is read as far as it is complete.
    ends_early: bool,
}

impl<'t> Reader<'t> {
    fn value(&mut self) -> Option<Value> {
        match self.rest.bytes().next()? {
            b'{' => self.nested(Self::object),
            b'[' => self.nested(Self::array),
            b'"' => self.string().map(Value::String),
            b'-' | b'0'..=b'9' => self.number(),
            _ => self.literal(),
        }
    }

    /// Reads a container, whose opening bracket comes next.
    fn nested(&mut self, read: fn(&mut Self) -> Option<Value>) -> Option<Value> {
        self.skip(1);
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Option<Value> {
        let mut members = Map::new();
        loop {
            self.space();
            if self.eat("}") {
                return Some(Value::Object(members));
            }
            let Some((name, value)) = self.member() else {
                // An object in another one is complete or nothing.
                return Some(Value::Object(members)).filter(|_| self.depth == 1 && self.is_at_end());
            };
            members.insert(name, value);
            self.space();
            if !self.eat(",") && !self.rest.starts_with('}') {
                return Some(Value::Object(members)).filter(|_| self.depth == 1 && self.is_at_end());
            }
        }
    }

    fn member(&mut self) -> Option<(String, Value)> {
        let name = self.string()?;
        self.space();
        if !self.eat(":") {
            return None;
        }
        self.space();
        self.value().map(|value| (name, value))
    }

    fn array(&mut self) -> Option<Value> {
        let mut items = Vec::new();
        loop {
            self.space();
            if self.eat("]") {
                return Some(Value::Array(items));
            }
            let item = self.value();
            let is_item = item.is_some();
            items.extend(item);
            self.space();
            if !is_item || (!self.eat(",") && !self.rest.starts_with(']')) {
                return Some(Value::Array(items)).filter(|_| self.is_at_end());
            }
        }
    }

    /// Whether what is begun may be read as it is: the text ends here, but for a word that is cut off.
    fn is_at_end(&self) -> bool {
        self.ends_early && ["true", "false", "null"].iter().any(|word| word.starts_with(self.rest))
    }

    /// Reads a string; raw control characters in it, which JSON forbids, are kept.
    fn string(&mut self) -> Option<String> {
        let body = self.rest.strip_prefix('"')?;
        let mut escaped = false;
        let end = body.bytes().position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        });
        let Some((inner, _)) = end.and_then(|end| body.split_at_checked(end)) else {
            // No quote is left in the text, so nothing after this can be read either.
            self.rest = "";
            return None;
        };
        let mut quoted = String::with_capacity(inner.len() + 2);
        quoted.push('"');
        for character in inner.chars() {
            if character < ' ' {
                quoted.push_str(&format!("\\u{:04x}", u32::from(character)));
            } else {
                quoted.push(character);
            }
        }
        quoted.push('"');
        let value = strict(&quoted);
        self.skip(inner.len() + 2);
        if let Some(Value::String(string)) = value { Some(string) } else { None }
    }

    fn number(&mut self) -> Option<Value> {
        let is_part = |character: char| character.is_ascii_digit() || "+-.eE".contains(character);
        let length = self.rest.find(|character| !is_part(character)).unwrap_or(self.rest.len());
        let number = self.rest.get(..length).and_then(strict);
        self.skip(length);
        number
    }

    fn literal(&mut self) -> Option<Value> {
        let known = [("true", Value::Bool(true)), ("false", Value::Bool(false)), ("null", Value::Null)];
        known.into_iter().find_map(|(word, value)| self.eat(word).then_some(value))
    }

    fn space(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if !self.rest.starts_with("//") {
                return;
            }
            self.skip(self.rest.find('\n').unwrap_or(self.rest.len()));
        }
    }

    fn eat(&mut self, wanted: &str) -> bool {
        let after = self.rest.strip_prefix(wanted);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or("");
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_BYTES, MAX_DEPTH, MAX_VALUES, parse_beginning, parse_lenient, parse_values};
    use proptest::prelude::*;
    use serde_json::{Value, json};

    #[test]
    fn json_is_found_behind_what_models_put_around_it() {
        for (text, expected) in [
            (r#"{"a": 1}"#, json!({"a": 1})),
            (" 42 ", json!(42)),
            ("\u{feff}[1]", json!([1])),
            ("```json\n{\"a\": 1}\n```", json!({"a": 1})),
            ("```\n[1, 2,]\n```\nHope that helps!", json!([1, 2])),
            ("See [1]. ```json\n{\"a\": \"```\"}\n```", json!({"a": "```"})),
            (
                "As {name} asked: {\"a\": {\"b\": [1, {\"c\": null}]}} - done {really}",
                json!({"a": {"b": [1, {"c": null}]}}),
            ),
            (
                "{ // why\n \"a\": 1, // because\n \"b\": \"// no comment\",\n}",
                json!({"a": 1, "b": "// no comment"}),
            ),
            ("x {\"a\": \"line\nline\\n\\\"}\\u00e9\"}", json!({"a": "line\nline\n\"}\u{e9}"})),
            ("x [-1.5e3, true, false, null]", json!([-1500.0, true, false, null])),
            ("[oops {\"a\": 1}", json!({"a": 1})),
            ("Answer: {}", json!({})),
        ] {
            assert_eq!(parse_lenient(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn each_value_is_found_and_none_that_was_only_thought() {
        let (draft, answer) = (json!({"a": [1]}), json!({"a": [2]}));
        for (text, expected) in [
            (format!("Draft: {draft}, or rather {answer}."), vec![draft.clone(), answer.clone()]),
            (
                format!("```json\n{draft}\n```\nand then:\n```json\n{answer}\n```"),
                vec![draft.clone(), answer.clone()],
            ),
            (format!("<think>Perhaps {draft}? No.</think>\n{answer}"), vec![answer.clone()]),
            (
                format!("<think>\n```json\n{draft}\n```\n</think>\n```json\n{answer}\n```"),
                vec![answer.clone()],
            ),
            (format!("I thought: {draft}</think>{answer}"), vec![answer.clone()]),
            (format!("<think>{{\"a: 1 is wrong</think>{answer}"), vec![answer.clone()]),
            ("<think>Perhaps {\"a\": 1}, or".to_owned(), vec![]),
            ("<think>{\"a\": 1}</think>{\"a\": \"</think>\"}".to_owned(), vec![json!({"a": "</think>"})]),
        ] {
            assert_eq!(parse_values(&text), expected, "{text}");
            assert_eq!(parse_lenient(&text).as_ref(), expected.last(), "{text}");
        }
        assert_eq!(parse_lenient(&format!("{answer} [1]")), Some(answer));
        assert_eq!(parse_values(&"{} ".repeat(100)).len(), MAX_VALUES);
        assert_eq!(parse_beginning("<think>{\"a\": 1}</think>{\"a\": [2], "), Some(json!({"a": [2]})));
    }

    #[test]
    fn what_cannot_be_read_is_nothing() {
        for text in [
            "",
            "no",
            "{",
            "{\"a\": 1",
            "{\"a\" 1}",
            "[1 2]",
            "{,}",
            "x [1, 01]",
            "x {\"a\": \"\\x\"}",
            "```",
        ] {
            assert_eq!(parse_lenient(text), None, "{text}");
        }
        assert_eq!(parse_lenient(&" ".repeat(MAX_BYTES + 1)), None);
    }

    #[test]
    fn what_is_cut_off_is_read_as_far_as_it_is_complete() {
        for (text, beginning) in [
            ("{\"a\": [{\"b\": 1}, {\"b\": \"x", json!({"a": [{"b": 1}]})),
            (
                "Sure!\n```json\n{\"a\": [{\"b\": 1}], \"c\": [{\"d\": [1, 2",
                json!({"a": [{"b": 1}], "c": []}),
            ),
            ("{\"a\": [{\"b\": 1},", json!({"a": [{"b": 1}]})),
            ("{\"a\": [{\"b\": 1}", json!({"a": [{"b": 1}]})),
            ("{\"a\": [{\"b\": 1, \"c\": tru", json!({"a": []})),
            ("{\"a\": [1, 2], \"b", json!({"a": [1, 2]})),
            ("{\"a\": [", json!({"a": []})),
            ("{\"a\": ", json!({})),
        ] {
            assert_eq!(parse_lenient(text), None, "{text}");
            assert_eq!(parse_beginning(text), Some(beginning), "{text}");
        }
        for text in ["", "no", "[[[", "[1, 2", "{\"a\" 1", "{\"a\": [1 2], ", "{\"a\": oops"] {
            assert_eq!(parse_beginning(text), None, "{text}");
        }
        assert_eq!(parse_beginning(&format!("{{{}", " ".repeat(MAX_BYTES))), None);
    }

    #[test]
    fn nesting_is_bounded() {
        let nested = |depth: usize| format!("x {}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse_lenient(&nested(MAX_DEPTH)).is_some());
        // Too deep to read from its start; what opens past the limit is read instead, and the stack stays small.
        assert_eq!(parse_lenient(&nested(MAX_DEPTH + 1)), None);
        let _ = parse_lenient(&"[{\"a\":".repeat(200_000));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_not_without_panic(text in "[\\[\\]{}\",:/\\\\a1`\n \u{e9}-]{0,40}") {
            let _ = (parse_lenient(&text), parse_beginning(&text));
        }

        #[test]
        fn prose_and_fences_change_nothing(number in any::<i64>(), text in "\\PC*", fenced in any::<bool>()) {
            let value: Value = json!({ "number": number, "text": text });
            let body = if fenced { format!("```json\n{value:#}\n```") } else { value.to_string() };
            let answer = format!("Here is what I found: {body} Let me know.");
            prop_assert_eq!(parse_lenient(&answer), Some(value));
        }
    }
}
