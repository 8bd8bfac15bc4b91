//! JSON Schema, draft 2020-12: compile a schema once, then list where a value breaks it.
