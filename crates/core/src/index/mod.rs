//! Search: vectors, words, and the fusion of both. Pure data structures over document numbers; they know nothing of
//! records, storage or scopes.

pub mod embedder;
pub mod fuse;
mod hash;
pub mod lexical;
pub mod meaning;
pub mod substring;
pub mod vector;
