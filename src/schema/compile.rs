//! From a JSON document to a schema that is quick to check against.

use super::keyword::{self, Keyword, Site};
use super::locate::{Compiled, Locations, NodeId, follow, invalid};
use super::property::{PropertySchema, applicable};
use super::validate::Evaluation;
use super::violation::Violation;
use crate::{Code, Error, Result};
use serde_json::Value;

/// Schemas that may apply to one and the same value, one inside the other.
const MAX_CHAIN: usize = 64;

/// One schema of the document, ready to check.
pub(super) struct Node {
    /// JSON Pointer from the root of the document.
    pub(super) pointer: String,
    /// What to check, in order; empty for `true`.
    pub(super) keywords: Vec<Keyword>,
    /// Whether it asks what the schemas applied beside it left unevaluated.
    pub(super) needs_marks: bool,
}

/// A compiled JSON Schema, draft 2020-12.
///
/// Everything of the validation vocabularies works inside one document, including `unevaluatedProperties`, `$anchor` and
/// embedded `$id`. What cannot be honoured is refused when compiling: references to other documents, `$dynamicRef`,
/// patterns with look-behind or back references. Draft-07 and 2019-09 schemas are taken when each of their keywords means
/// the same in 2020-12; otherwise the error says what to write instead. Numbers compare as the decimals they are written
/// as, strings count code points, and patterns follow ECMAScript with the `u` flag.
///
/// ```
/// use mnemic::schema::Schema;
/// use serde_json::json;
///
/// let schema = Schema::compile(&json!({
///     "type": "object",
///     "properties": { "name": { "type": "string", "minLength": 1 }, "age": { "type": "integer", "minimum": 0 } },
///     "required": ["name"],
///     "additionalProperties": false,
/// }))?;
/// assert!(schema.is_valid(&json!({ "name": "Ada", "age": 36 })));
///
/// let violations = schema.validate(&json!({ "name": "Ada", "age": -1 }));
/// assert_eq!(violations[0].instance, "/age");
/// assert_eq!(violations[0].keyword, "/properties/age/minimum");
/// assert_eq!(violations[0].message, "-1 is less than the minimum 0");
/// # Ok::<(), mnemic::Error>(())
/// ```
pub struct Schema {
    document: Value,
    pub(super) nodes: Vec<Node>,
    /// The root and what it includes by `$ref` and `allOf`: the schemas whose `properties` are those of the root.
    pub(super) layers: Vec<NodeId>,
}

impl std::fmt::Debug for Schema {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Schema").field(&self.document).finish()
    }
}

impl Schema {
    /// Compiles a schema; `format` stays an annotation, as the specification has it by default.
    ///
    /// # Errors
    /// [`Code::InvalidSchema`](crate::Code::InvalidSchema) when the schema is malformed, uses what is not supported, refers
    /// to itself without end, or is too deep or too large. The message names the place, the keyword and the cure;
    /// `details.pointer` is the JSON Pointer of the keyword.
    pub fn compile(document: &Value) -> Result<Self> {
        Self::build(document, false).map_err(|error| *error)
    }

    /// Compiles a schema that is a text of ours: it takes a third of the bytes that building the value does.
    ///
    /// # Errors
    /// As [`compile`](Self::compile), and `Internal` for what is not JSON.
    pub(crate) fn of_text(document: &str) -> Result<Self> {
        let document = serde_json::from_str(document);
        Self::compile(
            &document.map_err(|error| Error::new(Code::Internal, format!("a schema of ours: {error}")))?,
        )
    }

    /// Compiles a schema that also checks `format`, for `date`, `date-time`, `time`, `email`, `uri`, `uuid`, `ipv4` and
    /// `ipv6`; other formats stay annotations.
    ///
    /// # Errors
    /// As [`compile`](Self::compile).
    ///
    /// ```
    /// use mnemic::schema::Schema;
    /// use serde_json::json;
    ///
    /// let birthday = json!({ "type": "string", "format": "date" });
    /// assert!(Schema::compile(&birthday)?.is_valid(&json!("in May")));
    /// assert!(!Schema::compile_with_formats(&birthday)?.is_valid(&json!("in May")));
    /// # Ok::<(), mnemic::Error>(())
    /// ```
    pub fn compile_with_formats(document: &Value) -> Result<Self> {
        Self::build(document, true).map_err(|error| *error)
    }

    #[cold]
    #[inline(never)]
    fn build(document: &Value, formats: bool) -> Compiled<Self> {
        let locations = Locations::find(document)?;
        let mut nodes = Vec::with_capacity(locations.all().len());
        for location in locations.all() {
            let (keywords, needs_marks) = match location.schema {
                Value::Object(object) => {
                    let site = Site { object, location, locations: &locations, formats };
                    keyword::compile(&site)?
                }
                Value::Bool(false) => (vec![Keyword::Never], false),
                _ => (Vec::new(), false),
            };
            nodes.push(Node { pointer: location.pointer.clone(), keywords, needs_marks });
        }
        let mut chains = Chains { nodes: &nodes, heights: vec![None; nodes.len()] };
        for id in 0..nodes.len() {
            chains.height(id, 0)?;
        }
        let mut layers = Vec::new();
        gather_layers(&nodes, 0, &mut vec![false; nodes.len()], &mut layers);
        Ok(Self { document: document.clone(), nodes, layers })
    }

    /// Where `value` breaks the schema, in the order of the value; empty when it is valid.
    ///
    /// Lists at most 32 violations. A value nested deeper than the checker can follow, or too costly to judge, has a
    /// violation that says so.
    #[must_use]
    pub fn validate(&self, value: &Value) -> Vec<Violation> {
        Evaluation::reporting(&self.nodes).run(&[0], None, value).1
    }

    /// Whether `value` is valid; quicker than [`validate`](Self::validate), as it stops at the first violation.
    #[must_use]
    pub fn is_valid(&self, value: &Value) -> bool {
        Evaluation::silent(&self.nodes).run(&[0], None, value).0
    }

    /// The schema as it was given.
    #[must_use]
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// The properties that the root describes, with their schemas, in the order of the schema.
    ///
    /// Properties that the root takes in by `$ref` or `allOf` are included; a name described twice comes once.
    pub fn properties(&self) -> impl Iterator<Item = (&str, &Value)> {
        let described = |id: NodeId| {
            let pointer = self.nodes.get(id).map_or("", |node| node.pointer.as_str());
            follow(&self.document, pointer)?.get("properties")?.as_object()
        };
        let known_before = move |count: usize, name: &str| {
            let mut before = self.layers.iter().take(count).filter_map(|id| described(*id));
            before.any(|properties| properties.contains_key(name))
        };
        self.layers.iter().enumerate().flat_map(move |(count, id)| {
            let own = described(*id).into_iter().flatten().map(|(name, schema)| (name.as_str(), schema));
            own.filter(move |(name, _)| !known_before(count, name))
        })
    }

    /// The schema of one property of the root, to check its value apart from the rest.
    ///
    /// Nothing when the schema does not describe a property of that name: not in `properties`, not by
    /// `patternProperties`, and not by an `additionalProperties` that allows it and says what it is.
    ///
    /// ```
    /// use mnemic::schema::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::compile(&json!({ "properties": { "age": { "type": "integer" } } }))?;
    /// let age = schema.property("age").expect("described");
    /// assert!(age.is_valid(&json!(36)));
    /// assert_eq!(age.validate(&json!("old"))[0].instance, "/age");
    /// assert!(schema.property("shoe size").is_none());
    /// # Ok::<(), mnemic::Error>(())
    /// ```
    #[must_use]
    pub fn property(&self, name: &str) -> Option<PropertySchema<'_>> {
        let described = self.properties().find(|(known, _)| *known == name).map(|(_, schema)| schema);
        applicable(self, name, described)
    }
}

/// Measures how many schemas apply to one value inside each other, and finds those that would never end.
struct Chains<'n> {
    nodes: &'n [Node],
    heights: Vec<Option<usize>>,
}

impl Chains<'_> {
    fn height(&mut self, id: NodeId, depth: usize) -> Compiled<usize> {
        if let Some(Some(known)) = self.heights.get(id) {
            return Ok(*known);
        }
        let Some(node) = self.nodes.get(id) else { return Ok(0) };
        let mut tallest = 0;
        if depth <= MAX_CHAIN {
            for inner in node.keywords.iter().flat_map(Keyword::in_place) {
                tallest = tallest.max(self.height(inner, depth + 1)? + 1);
            }
        }
        if depth > MAX_CHAIN || tallest > MAX_CHAIN {
            let problem = "applies itself to the same value without end, or through more than 64 schemas; \
                           let a reference step into a property or an item";
            return Err(invalid(&node.pointer, "", problem));
        }
        if let Some(height) = self.heights.get_mut(id) {
            *height = Some(tallest);
        }
        Ok(tallest)
    }
}

/// `id` and what it includes by `$ref` and `allOf`, each once.
fn gather_layers(nodes: &[Node], id: NodeId, gathered: &mut [bool], layers: &mut Vec<NodeId>) {
    let (Some(node), Some(gathered_before)) = (nodes.get(id), gathered.get_mut(id)) else { return };
    if std::mem::replace(gathered_before, true) {
        return;
    }
    layers.push(id);
    for included in node.keywords.iter().flat_map(Keyword::included) {
        gather_layers(nodes, *included, gathered, layers);
    }
}
