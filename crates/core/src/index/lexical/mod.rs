//! Finding the best matching texts by their words: one analysis for documents and queries, an inverted index with exact
//! BM25 scores, and the bytes that let a stored index open without reading a text again.

mod arabic;
mod bm25;
mod columns;
mod dictionary;
mod fold;
mod forms;
mod gaps;
mod grammar;
mod index;
mod korean;
mod postings;
mod query;
mod search;
mod stem;
mod stop;
mod stored;
mod tokenize;
mod vocabulary;
mod words;

#[cfg(test)]
mod tests;

pub use bm25::{B, K1, PIVOT};
pub use columns::Layout;
pub use fold::fold;
pub use forms::{base_form, forms_of};
pub use grammar::{Language, language};
pub use index::LexicalIndex;
pub use korean::without_particle;
pub use query::is_content_ideograph;
pub use search::{Contribution, Hit, MAX_QUERY_TERMS, Terms, Wanted};
pub use stop::is_stop_word;
pub use tokenize::{MAX_TOKEN_BYTES, MAX_TOKENS, Role, Script, is_ideograph, script, tokenize};
pub use vocabulary::Vocabulary;
pub use words::{Word, Words};
