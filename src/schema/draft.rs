//! Which drafts of JSON Schema are read, and which of their keywords are refused because they mean something else today.

use super::violation::brief;
use serde_json::{Map, Value};

/// A draft whose plain keywords mean what they mean in 2020-12.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Draft {
    /// Draft-07: many generators still print it.
    Seven,
    /// Draft 2019-09.
    Nineteen,
    /// Draft 2020-12, also when a schema names none.
    Twenty,
}

/// Says why a `$schema` cannot be used.
const WANTED: &str = "use https://json-schema.org/draft/2020-12/schema or leave $schema out";

impl Draft {
    /// The draft that the root of a document declares.
    ///
    /// # Errors
    /// A sentence for the message, when the draft is another one or `$schema` is no string.
    pub(super) fn of(document: &Value) -> Result<Self, String> {
        let Some(declared) = document.get("$schema") else { return Ok(Self::Twenty) };
        Self::named(declared)
    }

    fn named(declared: &Value) -> Result<Self, String> {
        let uri = declared.as_str().ok_or_else(|| format!("must be a string, got {}", brief(declared)))?;
        let name = uri.trim_end_matches('#').trim_start_matches("https://").trim_start_matches("http://");
        match name {
            "json-schema.org/draft/2020-12/schema" => Ok(Self::Twenty),
            "json-schema.org/draft/2019-09/schema" => Ok(Self::Nineteen),
            "json-schema.org/draft-07/schema" => Ok(Self::Seven),
            _ => Err(format!("names {}, a dialect that is not supported; {WANTED}", brief(declared))),
        }
    }

    /// The keyword of `schema` that cannot be honoured in this draft, and what to write instead.
    pub(super) fn refuses(self, schema: &Map<String, Value>) -> Option<(&str, String)> {
        schema
            .iter()
            .find_map(|(name, value)| Some((name.as_str(), self.refuses_keyword(schema, name, value)?)))
    }

    fn refuses_keyword(self, schema: &Map<String, Value>, name: &str, value: &Value) -> Option<String> {
        let fixed = match name {
            "$schema" => {
                return match Self::named(value) {
                    Ok(draft) if draft == self => None,
                    Ok(_) => {
                        Some("differs from that of the whole document; use one draft throughout".to_owned())
                    }
                    Err(reason) => Some(reason),
                };
            }
            "$dynamicRef" | "$recursiveRef" | "$recursiveAnchor" => {
                "is not supported; name the schema under $defs and use $ref"
            }
            "dependencies" => "is gone from draft 2020-12; use dependentRequired and dependentSchemas",
            "additionalItems" => "is gone from draft 2020-12; use items beside prefixItems",
            "items" if value.is_array() => "must be one schema; use prefixItems for a list of them",
            "$ref" if self == Self::Seven && schema.keys().any(|sibling| constrains(sibling)) => {
                "hides the keywords beside it in draft-07 but not in 2020-12; move it into allOf"
            }
            _ if self.lacks(name) => "is unknown to the draft that $schema names; name draft 2020-12",
            _ => return None,
        };
        Some(fixed.to_owned())
    }

    /// Keywords that this draft ignores, or reads differently, while 2020-12 enforces them.
    fn lacks(self, name: &str) -> bool {
        match self {
            Self::Twenty => false,
            Self::Nineteen => matches!(name, "prefixItems" | "unevaluatedItems"),
            Self::Seven => matches!(
                name,
                "prefixItems"
                    | "unevaluatedItems"
                    | "unevaluatedProperties"
                    | "dependentRequired"
                    | "dependentSchemas"
                    | "minContains"
                    | "maxContains"
                    | "$anchor"
            ),
        }
    }
}

/// Whether a keyword beside `$ref` does more than describe or define.
fn constrains(name: &str) -> bool {
    matches!(
        name,
        "$id"
            | "type"
            | "enum"
            | "const"
            | "multipleOf"
            | "maximum"
            | "exclusiveMaximum"
            | "minimum"
            | "exclusiveMinimum"
            | "maxLength"
            | "minLength"
            | "pattern"
            | "format"
            | "items"
            | "maxItems"
            | "minItems"
            | "uniqueItems"
            | "contains"
            | "maxProperties"
            | "minProperties"
            | "required"
            | "properties"
            | "patternProperties"
            | "additionalProperties"
            | "propertyNames"
            | "if"
            | "then"
            | "else"
            | "allOf"
            | "anyOf"
            | "oneOf"
            | "not"
    )
}
