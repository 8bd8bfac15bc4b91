//! The schema of one property, to check its value apart from the rest of the object.

use super::compile::Schema;
use super::keyword::Keyword;
use super::locate::NodeId;
use super::validate::Evaluation;
use super::violation::Violation;
use serde_json::Value;

/// The schema of one property of a [`Schema`], from [`Schema::property`].
///
/// Checks what `properties`, `patternProperties` and `additionalProperties` say of this property. What depends on several
/// properties at once, such as `required`, `if` or `maxProperties`, takes [`Schema::validate`] on the whole object.
#[derive(Debug)]
pub struct PropertySchema<'s> {
    whole: &'s Schema,
    name: String,
    described: Option<&'s Value>,
    schemas: Vec<NodeId>,
}

impl<'s> PropertySchema<'s> {
    /// The name of the property.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The schema under `properties`; nothing when the property is described by a pattern or as additional only.
    #[must_use]
    pub fn document(&self) -> Option<&'s Value> {
        self.described
    }

    /// Where `value` breaks the schema of this property; pointers begin with the name, as in the whole object.
    ///
    /// Limits are those of [`Schema::validate`].
    #[must_use]
    pub fn validate(&self, value: &Value) -> Vec<Violation> {
        Evaluation::reporting(&self.whole.nodes).run(&self.schemas, Some(&self.name), value).1
    }

    /// Whether `value` is valid for this property.
    #[must_use]
    pub fn is_valid(&self, value: &Value) -> bool {
        Evaluation::silent(&self.whole.nodes).run(&self.schemas, Some(&self.name), value).0
    }
}

/// The schema of the property `name` of `whole`; nothing when no layer describes it, or only to forbid what is not listed.
pub(super) fn applicable<'s>(
    whole: &'s Schema,
    name: &str,
    described: Option<&'s Value>,
) -> Option<PropertySchema<'s>> {
    let mut schemas = Vec::new();
    for keyword in whole.layers.iter().filter_map(|id| whole.nodes.get(*id)).flat_map(|node| &node.keywords) {
        let Keyword::Object(rule) = keyword else { continue };
        let (found, additional) = rule.schemas_of(name);
        for id in found {
            match whole.nodes.get(id).map(|node| node.keywords.as_slice()) {
                Some([Keyword::Never]) if additional => return None,
                // Allowing any additional property does not describe this one.
                Some([]) if additional => {}
                _ => schemas.push(id),
            }
        }
    }
    if schemas.is_empty() {
        return None;
    }
    Some(PropertySchema { whole, name: name.to_owned(), described, schemas })
}
