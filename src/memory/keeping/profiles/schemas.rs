//! The schemas an application registered, and what breaks them.

use super::field::{FieldValue, fits};
use crate::error::{Code, Error, Result};
use crate::json::to_value;
use crate::memory::facts::Origin;
use crate::ordered::Ordered;
use crate::record::Record;
use crate::schema::{Schema, Violation};
use crate::time::Timestamp;
use serde_json::{Map, Value};

/// The most characters of a schema's id.
pub const MAX_SCHEMA_ID_CHARACTERS: usize = 63;

/// The schemas an application registered.
#[derive(Debug, Default)]
pub struct Schemas(Ordered<String, Schema>);

impl Schemas {
    /// Compiles the schemas; formats such as `date` are asserted.
    ///
    /// # Errors
    /// `InvalidSchema` that names the schema and what is wrong with it.
    pub fn compile(documents: &Map<String, Value>) -> Result<Self> {
        let mut schemas = Ordered::new();
        for (id, document) in documents {
            let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            if id.is_empty() || id.len() > MAX_SCHEMA_ID_CHARACTERS || !id.chars().all(allowed) {
                return Err(Error::new(
                    Code::InvalidSchema,
                    format!(
                        "the schema id {id:?} must be 1 to {MAX_SCHEMA_ID_CHARACTERS} lower-case letters, digits and hyphens"
                    ),
                ));
            }
            let schema = Schema::compile_with_formats(document)
                .map_err(|error| error.about(&format!("profile schema {id:?}")))?;
            if schema.properties().next().is_none() {
                return Err(Error::new(
                    Code::InvalidSchema,
                    format!("the profile schema {id:?} names no fields; give it an object with `properties`"),
                ));
            }
            schemas.insert(id.clone(), schema);
        }
        Ok(Self(schemas))
    }

    /// The schemas by id.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Schema)> {
        self.0.iter().map(|(id, schema)| (id.as_str(), schema))
    }

    /// A schema by its id.
    ///
    /// # Errors
    /// `NotFound` that lists the ids there are.
    pub fn get(&self, id: &str) -> Result<&Schema> {
        self.0.get(id).ok_or_else(|| {
            let known: Vec<&str> = self.0.keys().map(String::as_str).collect();
            Error::new(
                Code::NotFound,
                format!("there is no profile schema {id:?}; registered are: {}", known.join(", ")),
            )
        })
    }

    /// Checks a field's value.
    ///
    /// # Errors
    /// `NotFound` for an unknown schema or field, `SchemaViolation` with the violations.
    pub fn check(&self, schema: &str, field: &str, value: &Value) -> Result<()> {
        let violations = self.violations(schema, field, value)?;
        if violations.is_empty() {
            return fits(schema, field, value);
        }
        let first = violations.first().map_or("", |violation| &violation.message);
        Err(Error::new(Code::SchemaViolation, format!("{schema}.{field}: {first}"))
            .with("violations", to_value(&violations)?))
    }

    /// Gives a field's record another value, as the user says.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub(crate) fn rewrite(&self, record: &mut Record, value: &Value, now: Timestamp) -> Result<()> {
        let key = record.key.as_deref().unwrap_or_default();
        let (schema, field) = key.split_once('/').unwrap_or_default();
        self.check(schema, field, value)?;
        if FieldValue::from_json(record.value.clone(), record.id)?.value == *value {
            return Ok(());
        }
        // What led to the old value does not explain the new one.
        FieldValue::new(value.clone(), Origin::User).write(record, Vec::new(), now)
    }

    pub(super) fn violations(&self, schema: &str, field: &str, value: &Value) -> Result<Vec<Violation>> {
        let compiled = self.get(schema)?;
        let Some(property) = compiled.property(field) else {
            let known: Vec<&str> = compiled.properties().map(|(name, _)| name).collect();
            return Err(Error::new(
                Code::NotFound,
                format!("the profile schema {schema:?} has no field {field:?}; it has: {}", known.join(", ")),
            ));
        };
        Ok(property.validate(value))
    }
}
