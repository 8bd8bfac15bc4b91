//! One scope never tells another: not in an answer, a tool's result, an error, an event, a model's prompt or an export, not by
//! ids and names taken from one and used in the other, and not by what changes.

mod calls;
mod model;
mod names;
mod property;
mod table;
mod world;
