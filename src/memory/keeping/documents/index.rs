//! Which parts of a document are searched: paths into it, and the words at their ends.

use super::document::MAX_TEXT_BYTES;
use crate::error::{Error, Result};
use crate::filter::{plain, split};
use crate::json::shown;
use crate::memory::limits::invalid;
use crate::record::{MAX_PARTS, PART};
use serde_json::Value;

/// The most paths one document may be searched by.
const MAX_PATHS: usize = 100;

/// The paths whose ends are searched; none when the document is not.
#[derive(Debug, Clone)]
pub(super) struct Index(Vec<Vec<Step>>);

#[derive(Debug, Clone)]
enum Step {
    /// A property of an object.
    Name(String),
    /// A place in a list; from its end when negative.
    Place(i64),
    /// Every item of a list.
    Every,
}

impl Index {
    /// Reads a list of paths such as `a.b`, `list[*].x`, `list[0]`, `list[-1]` and `$`, which is the whole document; or
    /// `false`, which is none. A full stop, a bracket or a backslash that belongs to a name has a backslash before it.
    ///
    /// # Errors
    /// `InvalidInput` for anything else.
    pub(super) fn read(option: &Value) -> Result<Self> {
        let paths = match option {
            Value::Bool(false) => &[],
            Value::Array(paths) => paths.as_slice(),
            _ => return Err(wrong(option)),
        };
        if paths.len() > MAX_PATHS {
            return Err(invalid(format!(
                "index has {} paths, over the limit of {MAX_PATHS}; name the objects that hold them, or \"$\"",
                paths.len()
            )));
        }
        let mut read = Vec::with_capacity(paths.len());
        for path in paths {
            read.push(steps(path.as_str().ok_or_else(|| wrong(option))?)?);
        }
        Ok(Self(read))
    }

    /// The words by which a document is found: what each path leads to is a part of its own, and each item of a list that it
    /// leads to by `[*]`; what is said twice is said once, and the last of many parts takes the rest. In a part stands one line for each
    /// text, number or truth value: alone when the path itself leads to it, else behind its name. `None` when there are none. What is
    /// beyond the limit is not searched.
    pub(super) fn text(&self, document: &Value) -> Option<String> {
        let mut parts = Parts::default();
        for path in &self.0 {
            follow(document, path, &mut parts);
        }
        let mut text = parts.text;
        let mut end = text.len().min(MAX_TEXT_BYTES);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        let text = text.trim().trim_end_matches(PART);
        (!text.is_empty()).then(|| text.to_owned())
    }
}

/// Texts that become one.
#[derive(Default)]
struct Parts {
    text: String,
    count: usize,
}

impl Parts {
    fn is_full(&self) -> bool {
        self.text.len() > MAX_TEXT_BYTES
    }

    fn add(&mut self, part: &str) {
        let part = part.trim();
        let is_known = self.count < MAX_PARTS && self.text.split(PART).any(|other| other == part);
        if part.is_empty() || is_known {
            return;
        }
        match self.count {
            0 => {}
            MAX_PARTS.. => self.text.push('\n'),
            _ => self.text.push(PART),
        }
        self.text.push_str(part);
        self.count += 1;
    }
}

fn wrong(option: &Value) -> Error {
    let option = shown(option);
    invalid(format!("index is {option}; pass a list of paths such as [\"title\"], or false for none"))
}

fn steps(path: &str) -> Result<Vec<Step>> {
    if path == "$" {
        return Ok(Vec::new());
    }
    let mut steps = Vec::new();
    for part in split(path, '.') {
        let name = split(part, '[').first().copied().unwrap_or_default();
        let places = part.get(name.len()..).unwrap_or_default();
        if name.is_empty() {
            return Err(unreadable(path));
        }
        steps.push(Step::Name(plain(name)));
        let mut rest = places;
        while !rest.is_empty() {
            let inner = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
            let (place, behind) = inner.ok_or_else(|| unreadable(path))?;
            steps.push(match place {
                "*" => Step::Every,
                place => Step::Place(place.parse().map_err(|_| unreadable(path))?),
            });
            rest = behind;
        }
    }
    Ok(steps)
}

fn unreadable(path: &str) -> Error {
    invalid(format!("the index path {path:?} is not one; write it as a.b, list[*].x, list[0], list[-1] or $"))
}

fn follow(value: &Value, path: &[Step], parts: &mut Parts) {
    if parts.is_full() {
        return;
    }
    match (path.split_first(), value) {
        (None, value) => {
            let mut text = String::new();
            write("", value, &mut text);
            parts.add(&text);
        }
        (Some((Step::Name(name), rest)), Value::Object(pairs)) => {
            if let Some(value) = pairs.get(name) {
                follow(value, rest, parts);
            }
        }
        (Some((Step::Every, rest)), Value::Array(items)) => {
            items.iter().for_each(|item| follow(item, rest, parts));
        }
        (Some((Step::Place(place), rest)), Value::Array(items)) => {
            let from_end = usize::try_from(place.unsigned_abs()).unwrap_or(usize::MAX);
            let place = if *place < 0 { items.len().checked_sub(from_end) } else { Some(from_end) };
            if let Some(item) = place.and_then(|place| items.get(place)) {
                follow(item, rest, parts);
            }
        }
        _ => {}
    }
}

/// Writes the texts of a value, one a line, those of an object behind their names.
fn write(name: &str, value: &Value, text: &mut String) {
    if text.len() > MAX_TEXT_BYTES {
        return;
    }
    let words = match value {
        Value::Null => return,
        Value::Object(pairs) => return pairs.iter().for_each(|(name, value)| write(name, value, text)),
        Value::Array(items) => return items.iter().for_each(|item| write(name, item, text)),
        Value::String(words) => words.clone(),
        other => other.to_string(),
    };
    let words = words.trim();
    if words.is_empty() {
        return;
    }
    if !name.is_empty() {
        put(name, text);
        text.push_str(": ");
    }
    put(words, text);
    text.push('\n');
}

/// Adds words; what would divide them is a space.
fn put(words: &str, text: &mut String) {
    text.extend(words.chars().map(|c| if c == PART { ' ' } else { c }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn text(paths: Value, document: &Value) -> Option<String> {
        Index::read(&paths).unwrap().text(document)
    }

    #[test]
    fn paths_lead_to_words() {
        let document = json!({
            "a": { "b": "deep" }, "n": 7, "no": null, "blank": " ",
            "a.b": { "c[0]": "dotted" }, "list": [{ "x": "first" }, { "x": "second", "y": [true] }, "third"],
        });
        for (paths, expected) in [
            (json!(["a.b"]), Some("deep")),
            (json!(["a\\.b.c\\[0]"]), Some("dotted")),
            (json!(["n", "a.b"]), Some("7\u{1e}deep")),
            (json!(["list[*].x"]), Some("first\u{1e}second")),
            (
                json!(["list[*]", "list"]),
                Some("x: first\u{1e}x: second\ny: true\u{1e}third\u{1e}x: first\nx: second\ny: true\nthird"),
            ),
            (json!(["list[0].x", "list[*].x", "a.b", "list[1].x"]), Some("first\u{1e}second\u{1e}deep")),
            (json!(["list[0]"]), Some("x: first")),
            (json!(["list[-1]"]), Some("third")),
            (json!(["list[-3].x"]), Some("first")),
            (json!(["list[1].y[0]"]), Some("true")),
            (json!(["list[3]", "list[-4]", "a.c", "n.b", "a[0]", "no", "blank"]), None),
            (json!(["a"]), Some("b: deep")),
            (json!(["$"]), Some("b: deep\nn: 7\nc[0]: dotted\nx: first\nx: second\ny: true\nlist: third")),
            (json!([]), None),
            (json!(false), None),
        ] {
            assert_eq!(text(paths.clone(), &document).as_deref(), expected, "{paths}");
        }
        let divided = json!({ "a": "one\u{1e}two", "b\u{1e}": { "c\u{1e}": 1 } });
        assert_eq!(text(json!(["a", "b\u{1e}"]), &divided).unwrap(), "one two\u{1e}c : 1");
        let many = json!({ "list": (0..MAX_PARTS + 2).collect::<Vec<_>>() });
        let many = text(json!(["list[*]"]), &many).unwrap();
        assert_eq!(many.split(PART).count(), MAX_PARTS);
        assert!(many.ends_with("\u{1e}99\n100\n101"), "{many:?}");
        let long = json!({ "a": "\u{e9}".repeat(MAX_TEXT_BYTES) });
        assert!(text(json!(["$"]), &long).unwrap().len() <= MAX_TEXT_BYTES);
    }

    #[test]
    fn refuses_what_is_no_path() {
        for bad in ["", ".", "a..b", "a.", "[0]", "a[", "a[]", "a[x]", "a[0]b", "a[0", "a[1.5]"] {
            assert!(Index::read(&json!([bad])).unwrap_err().message.contains("write it as"), "{bad}");
        }
        for bad in [json!(true), json!("a"), json!([1]), json!({})] {
            assert!(Index::read(&bad).unwrap_err().message.contains("or false for none"), "{bad}");
        }
        assert!(Index::read(&json!(vec!["a"; MAX_PATHS + 1])).is_err());
    }

    proptest! {
        #[test]
        fn never_panics(path in r"[ab.$*\[\]0-9-]{0,12}") {
            if let Ok(index) = Index::read(&json!([path])) {
                index.text(&json!({ "a": [{ "b": ["x"] }], "b": { "a": "y" }, "$": [1] }));
            }
        }
    }
}
