//! Finds every schema of a document: where it is, which base URI it has, and what its `$ref` points to.

use super::draft::Draft;
use super::uri;
use super::violation::{brief, join, quote};
use crate::ordered::Ordered;
use crate::{Code, Error};

use serde_json::{Map, Value};
use std::rc::Rc;

/// Levels of nesting that a schema document may have.
const MAX_DEPTH: usize = 128;

/// JSON values that a schema document may hold, names included.
const MAX_VALUES: usize = 50_000;

/// Bytes that the JSON Pointers of all schemas in a document may take together.
const MAX_POINTER_BYTES: usize = 8 << 20;

/// The number of a schema in its document; the root is 0.
pub(super) type NodeId = usize;

/// What a step of compiling answers; errors are boxed, which keeps the many places that pass them on small.
pub(super) type Compiled<T> = Result<T, Box<Error>>;

/// One schema of a document.
pub(super) struct Location<'d> {
    /// JSON Pointer from the root of the document.
    pub(super) pointer: String,
    /// The schema: an object or a boolean.
    pub(super) schema: &'d Value,
    /// What `$ref` points to, when there is one.
    pub(super) reference: Option<NodeId>,
    base: Rc<str>,
}

/// Every schema of a document.
pub(super) struct Locations<'d> {
    document: &'d Value,
    draft: Draft,
    list: Vec<Location<'d>>,
    by_pointer: Ordered<String, NodeId>,
    /// Schemas that have a URI of their own, by that URI without fragment.
    resources: Ordered<String, NodeId>,
    /// Schemas with an anchor, by URI and `#` and name.
    anchors: Ordered<String, NodeId>,
    pointer_bytes: usize,
}

/// What a keyword holds, as far as schemas go.
enum Holds {
    Schema,
    List,
    Map,
}

/// An [`Error`] about the keyword `name` of the schema at `pointer`.
#[cold]
#[inline(never)]
pub(super) fn invalid(pointer: &str, name: &str, problem: &str) -> Box<Error> {
    let place = if pointer.is_empty() { "at its root".to_owned() } else { format!("at {}", quote(pointer)) };
    let keyword = if name.is_empty() { String::new() } else { format!("{} ", quote(name)) };
    let at = if name.is_empty() { pointer.to_owned() } else { join(pointer, name) };
    let message = format!("schema {place}: {keyword}{problem}");
    Box::new(Error::new(Code::InvalidSchema, message).with("pointer", at))
}

impl<'d> Locations<'d> {
    /// Walks `document` and resolves its references.
    ///
    /// # Errors
    /// [`Code::InvalidSchema`] when the document is too deep or too large, names another draft, uses a refused keyword,
    /// holds something else where a schema belongs, names two things alike, or refers to what it does not contain.
    pub(super) fn find(document: &'d Value) -> Compiled<Self> {
        check_size(document)?;
        let draft = Draft::of(document).map_err(|reason| invalid("", "$schema", &reason))?;
        let mut found = Self {
            document,
            draft,
            list: Vec::new(),
            by_pointer: Ordered::new(),
            resources: Ordered::new(),
            anchors: Ordered::new(),
            pointer_bytes: 0,
        };
        found.resources.insert(String::new(), 0);
        found.walk(document, String::new(), &Rc::from(""))?;
        let mut next = 0;
        // Resolving may discover schemas in places that only a reference shows to be schemas; those come after.
        while let Some((base, pointer, object)) = found.list.get(next).map(|location| {
            (Rc::clone(&location.base), location.pointer.clone(), location.schema.as_object())
        }) {
            if let Some(reference) = object.and_then(|object| object.get("$ref")) {
                let target = found.resolve(&base, &pointer, reference)?;
                if let Some(location) = found.list.get_mut(next) {
                    location.reference = Some(target);
                }
            }
            next += 1;
        }
        Ok(found)
    }

    /// All schemas; the index is the [`NodeId`].
    pub(super) fn all(&self) -> &[Location<'d>] {
        &self.list
    }

    /// The schema at a pointer that [`find`](Self::find) walked over.
    #[cold]
    #[inline(never)]
    pub(super) fn at(&self, pointer: &str) -> Compiled<NodeId> {
        let missing =
            || Box::new(Error::new(Code::Internal, format!("no schema was found at {}", quote(pointer))));
        self.by_pointer.get(pointer).copied().ok_or_else(missing)
    }

    #[cold]
    #[inline(never)]
    fn walk(&mut self, schema: &'d Value, pointer: String, outer: &Rc<str>) -> Compiled<()> {
        if self.by_pointer.contains(&pointer) {
            return Ok(());
        }
        let empty = Map::new();
        let object = match schema {
            Value::Object(object) => object,
            Value::Bool(_) => &empty,
            other => {
                return Err(invalid(
                    &pointer,
                    "",
                    &format!("must be an object or a boolean, got {}", brief(other)),
                ));
            }
        };
        if let Some((name, problem)) = self.draft.refuses(object) {
            return Err(invalid(&pointer, name, &problem));
        }
        self.pointer_bytes += pointer.len();
        if self.pointer_bytes > MAX_POINTER_BYTES {
            return Err(invalid("", "", "is too large: shorten its names or split it"));
        }
        let id = self.list.len();
        let base = self.name(object, &pointer, outer, id)?;
        self.by_pointer.insert(pointer.clone(), id);
        self.list.push(Location {
            pointer: pointer.clone(),
            schema,
            reference: None,
            base: Rc::clone(&base),
        });
        if let Value::Object(object) = schema {
            for (name, value) in object {
                self.walk_keyword(name, value, &pointer, &base)?;
            }
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn walk_keyword(&mut self, name: &str, value: &'d Value, pointer: &str, base: &Rc<str>) -> Compiled<()> {
        let Some(holds) = holds(name) else { return Ok(()) };
        let place = join(pointer, name);
        match (holds, value) {
            (Holds::Schema, schema) => self.walk(schema, place, base),
            (Holds::List, Value::Array(schemas)) if !schemas.is_empty() => schemas
                .iter()
                .enumerate()
                .try_for_each(|(index, schema)| self.walk(schema, join(&place, &index.to_string()), base)),
            (Holds::Map, Value::Object(schemas)) => {
                schemas.iter().try_for_each(|(key, schema)| self.walk(schema, join(&place, key), base))
            }
            (Holds::List, other) => Err(invalid(
                pointer,
                name,
                &format!("must be an array with at least one schema, got {}", brief(other)),
            )),
            (Holds::Map, other) => {
                Err(invalid(pointer, name, &format!("must map names to schemas, got {}", brief(other))))
            }
        }
    }

    /// Registers the names a schema gives itself, and answers with the base URI that holds inside it.
    #[cold]
    #[inline(never)]
    fn name(
        &mut self,
        object: &Map<String, Value>,
        pointer: &str,
        outer: &Rc<str>,
        id: NodeId,
    ) -> Compiled<Rc<str>> {
        let mut base = Rc::clone(outer);
        if let Some(value) = object.get("$id") {
            let text = value.as_str();
            let text =
                text.ok_or_else(|| invalid(pointer, "$id", &format!("must be a URI, got {}", brief(value))))?;
            let (uri, fragment) = uri::resolve(outer, text);
            if fragment.is_some_and(|fragment| !fragment.is_empty()) {
                return Err(invalid(
                    pointer,
                    "$id",
                    &format!("is {} with a fragment; use $anchor for that", quote(text)),
                ));
            }
            if !uri.is_empty() && self.resources.insert(uri.clone(), id).is_some() {
                return Err(invalid(
                    pointer,
                    "$id",
                    &format!("is {}, which another schema here already has", quote(&uri)),
                ));
            }
            base = Rc::from(uri);
        }
        for keyword in ["$anchor", "$dynamicAnchor"] {
            let Some(value) = object.get(keyword) else { continue };
            let Some(anchor) = value.as_str().filter(|anchor| is_anchor(anchor)) else {
                let problem = format!("must be a name of letters, digits, - . and _, got {}", brief(value));
                return Err(invalid(pointer, keyword, &problem));
            };
            let taken = self.anchors.insert(format!("{base}#{anchor}"), id).is_some_and(|other| other != id);
            if taken {
                return Err(invalid(
                    pointer,
                    keyword,
                    &format!("is {}, a name already taken", quote(anchor)),
                ));
            }
        }
        Ok(base)
    }

    #[cold]
    #[inline(never)]
    fn resolve(&mut self, base: &str, pointer: &str, reference: &Value) -> Compiled<NodeId> {
        let problem = |problem: &str| invalid(pointer, "$ref", problem);
        let Some(text) = reference.as_str() else {
            return Err(problem(&format!("must be a URI reference, got {}", brief(reference))));
        };
        let (uri, fragment) = uri::resolve(base, text);
        let fragment = uri::percent_decoded(fragment.unwrap_or_default());
        let fragment =
            fragment.ok_or_else(|| problem(&format!("is {}, which has a broken escape", quote(text))))?;
        let Some(resource) = self.resources.get(&uri) else {
            let advice = "is outside this document; copy that schema under $defs and refer to it there";
            return Err(problem(&format!("is {}, which {advice}", quote(text))));
        };
        let missing = || problem(&format!("is {}, which points to nothing", quote(text)));
        if !fragment.is_empty() && !fragment.starts_with('/') {
            return self.anchors.get(&format!("{uri}#{fragment}")).copied().ok_or_else(missing);
        }
        let root = self.list.get(*resource).map_or("", |location| location.pointer.as_str());
        let target = format!("{root}{fragment}");
        if let Some(id) = self.by_pointer.get(&target) {
            return Ok(*id);
        }
        let schema = follow(self.document, &target).ok_or_else(missing)?;
        let inherited = self.base_around(&target);
        self.walk(schema, target.clone(), &inherited)?;
        self.at(&target)
    }

    /// The base URI of the closest schema around a place that is not known as a schema.
    #[cold]
    #[inline(never)]
    fn base_around(&self, pointer: &str) -> Rc<str> {
        let mut around = pointer;
        while let Some(slash) = around.rfind('/') {
            around = around.get(..slash).unwrap_or_default();
            if let Some(location) = self.by_pointer.get(around).and_then(|id| self.list.get(*id)) {
                return Rc::clone(&location.base);
            }
        }
        Rc::from("")
    }
}

/// Which keywords hold schemas, and how.
fn holds(name: &str) -> Option<Holds> {
    match name {
        "additionalProperties"
        | "propertyNames"
        | "items"
        | "contains"
        | "not"
        | "if"
        | "then"
        | "else"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "contentSchema" => Some(Holds::Schema),
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Some(Holds::List),
        "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions" => Some(Holds::Map),
        _ => None,
    }
}

/// The part of `document` that a JSON Pointer (RFC 6901) names.
pub(super) fn follow<'d>(document: &'d Value, pointer: &str) -> Option<&'d Value> {
    pointer.split('/').skip(1).try_fold(document, |value, segment| match value {
        Value::Object(members) => members.get(&unescaped(segment)),
        Value::Array(_) if segment.len() > 1 && segment.starts_with('0') => None,
        Value::Array(items) if segment.bytes().all(|byte| byte.is_ascii_digit()) => {
            items.get(segment.parse::<usize>().ok()?)
        }
        _ => None,
    })
}

/// The name that a step of a JSON Pointer stands for.
fn unescaped(segment: &str) -> String {
    let mut name = String::new();
    let mut characters = segment.chars().peekable();
    while let Some(character) = characters.next() {
        let replaced = match (character, characters.peek()) {
            ('~', Some('0')) => Some('~'),
            ('~', Some('1')) => Some('/'),
            _ => None,
        };
        if replaced.is_some() {
            characters.next();
        }
        name.push(replaced.unwrap_or(character));
    }
    name
}

fn is_anchor(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|character| character.is_ascii_alphanumeric() || "-._".contains(character))
}

/// Refuses what is nested too deep or has too many values, without recursion.
fn check_size(document: &Value) -> Compiled<()> {
    let mut values = 0;
    let mut open = vec![(document, 0)];
    while let Some((value, depth)) = open.pop() {
        values += 1;
        if depth > MAX_DEPTH {
            return Err(invalid(
                "",
                "",
                &format!("nests deeper than {MAX_DEPTH} levels; flatten it with $defs and $ref"),
            ));
        }
        if values > MAX_VALUES {
            return Err(invalid("", "", &format!("holds more than {MAX_VALUES} values; split it")));
        }
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(members) => open.extend(members.values().map(|member| (member, depth + 1))),
            _ => {}
        }
    }
    Ok(())
}
