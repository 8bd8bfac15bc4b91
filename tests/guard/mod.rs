//! The guard before storing: secrets, the trust of sources, and text that instructs.

mod secrets;
mod trust;
