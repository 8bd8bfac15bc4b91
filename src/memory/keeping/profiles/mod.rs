//! Profiles: fields validated by a schema, each a record with its own revisions.

mod change;
mod field;
mod get;
mod past;
mod plan;
mod schemas;

pub use change::{DeleteField, FieldName, ProfilePatch, SetField};
pub use field::{Field, MAX_FIELD_BYTES, Profile};
pub use get::Profiles;
pub use past::{Compare, Difference, Part, Rollback};
pub use schemas::{MAX_SCHEMA_ID_CHARACTERS, Schemas};

pub(crate) use field::{FieldValue, key};
pub(crate) use plan::FieldPlan;
