//! One schema while it is compiled: reads its keywords and words what is wrong with them.

use crate::Error;
use crate::ordered::Ordered;
use crate::schema::locate::{Compiled, Location, Locations, NodeId, invalid};
use crate::schema::number;
use crate::schema::violation::{brief, join};
use serde_json::{Map, Value};

/// One schema while it is compiled.
pub(in crate::schema) struct Site<'d> {
    /// Its keywords.
    pub(in crate::schema) object: &'d Map<String, Value>,
    /// Where it is.
    pub(in crate::schema) location: &'d Location<'d>,
    /// Where all others are.
    pub(in crate::schema) locations: &'d Locations<'d>,
    /// Whether `format` is checked.
    pub(in crate::schema) formats: bool,
}

impl<'d> Site<'d> {
    /// The value of a keyword.
    pub(super) fn get(&self, name: &str) -> Option<&'d Value> {
        self.object.get(name)
    }

    /// The error that the keyword `name` is malformed: it "must be ... , got ...".
    #[cold]
    #[inline(never)]
    pub(super) fn malformed(&self, name: &str, wanted: &str, got: &Value) -> Box<Error> {
        self.invalid(name, &format!("must be {wanted}, got {}", brief(got)))
    }

    /// The error that the keyword `name` has a problem.
    #[cold]
    #[inline(never)]
    pub(super) fn invalid(&self, name: &str, problem: &str) -> Box<Error> {
        invalid(&self.location.pointer, name, problem)
    }

    /// A keyword that counts something.
    #[cold]
    #[inline(never)]
    pub(super) fn count(&self, name: &str) -> Compiled<Option<u64>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let count = value.as_number().and_then(number::count);
        count.map(Some).ok_or_else(|| self.malformed(name, "a whole number, 0 or more", value))
    }

    /// A keyword that is on or off; off when absent.
    #[cold]
    #[inline(never)]
    pub(super) fn flag(&self, name: &str) -> Compiled<bool> {
        let Some(value) = self.get(name) else { return Ok(false) };
        value.as_bool().ok_or_else(|| self.malformed(name, "true or false", value))
    }

    /// A keyword that is a string.
    #[cold]
    #[inline(never)]
    pub(super) fn text(&self, name: &str) -> Compiled<Option<&'d str>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        value.as_str().map(Some).ok_or_else(|| self.malformed(name, "a string", value))
    }

    /// A keyword that is an array.
    #[cold]
    #[inline(never)]
    pub(super) fn array(&self, name: &str) -> Compiled<Option<&'d [Value]>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        value
            .as_array()
            .map(|items| Some(items.as_slice()))
            .ok_or_else(|| self.malformed(name, "an array", value))
    }

    /// `value`, found under the keyword `name`, as a list of property names without repetition.
    #[cold]
    #[inline(never)]
    pub(super) fn names(&self, name: &str, value: &Value) -> Compiled<Vec<String>> {
        let wanted = || self.malformed(name, "an array of different property names", value);
        let mut names = Vec::new();
        let mut different = Ordered::new();
        for item in value.as_array().ok_or_else(wanted)? {
            let item = item.as_str().ok_or_else(wanted)?;
            if different.insert(item.to_owned(), names.len()).is_some() {
                return Err(wanted());
            }
            names.push(item.to_owned());
        }
        Ok(names)
    }

    /// The schema under a keyword.
    #[cold]
    #[inline(never)]
    pub(super) fn schema(&self, name: &str) -> Compiled<Option<NodeId>> {
        if self.get(name).is_none() {
            return Ok(None);
        }
        self.locations.at(&join(&self.location.pointer, name)).map(Some)
    }

    /// The schemas in the array under a keyword; empty when absent.
    #[cold]
    #[inline(never)]
    pub(super) fn schemas(&self, name: &str) -> Compiled<Vec<NodeId>> {
        let place = join(&self.location.pointer, name);
        let count = self.array(name)?.map_or(0, <[Value]>::len);
        (0..count).map(|index| self.locations.at(&join(&place, &index.to_string()))).collect()
    }

    /// The schemas in the object under a keyword, in its order; empty when absent.
    #[cold]
    #[inline(never)]
    pub(super) fn named_schemas(&self, name: &str) -> Compiled<Vec<(String, NodeId)>> {
        let place = join(&self.location.pointer, name);
        let Some(Value::Object(members)) = self.get(name) else { return Ok(Vec::new()) };
        members.keys().map(|key| Ok((key.clone(), self.locations.at(&join(&place, key))?))).collect()
    }

    /// Refuses annotations of the wrong type, which would otherwise reach prompts and forms.
    #[inline(never)]
    pub(super) fn check_annotations(&self) -> Compiled<()> {
        for name in ["title", "description", "$comment", "contentEncoding", "contentMediaType"] {
            self.text(name)?;
        }
        for name in ["deprecated", "readOnly", "writeOnly"] {
            self.flag(name)?;
        }
        self.array("examples").map(|_| ())
    }
}
