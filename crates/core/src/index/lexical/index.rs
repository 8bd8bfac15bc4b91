//! The inverted index: which documents hold which terms, and how often.
//!
//! Every posting knows its document and every document its postings, so a removal touches nothing else and document
//! frequencies are exact at every moment. Documents have any number; inside, each takes the next free *slot*, so that
//! scores lie densely in memory.

use super::dictionary::Dictionary;
use super::search::Scratch;
use super::tokenize::{Role, tokenize};
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// Terms that no document holds any more are swept when there are this many, and more of them than others.
const MAX_UNUSED_TERMS: usize = 4096;

/// A term in a document: 8 bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Posting {
    pub(super) slot: u32,
    pub(super) frequency: u32,
}

/// Where a document's posting for a term is: 8 bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) term: u32,
    pub(super) position: u32,
}

/// Texts by document number, found by their words with BM25.
///
/// It keeps terms and counts, not the texts: about 16 bytes per distinct term of each document.
///
/// ```
/// use mnemic_core::index::lexical::LexicalIndex;
/// let mut index = LexicalIndex::default();
/// index.insert(7, "Ann adopted a cat in June");
/// index.insert(8, "Bob sails");
/// let hits = index.search("Who has adopted cats?", 10, |_| true);
/// assert_eq!(hits[0].document, 7);
/// assert_eq!(hits.len(), 1);
/// ```
#[derive(Default)]
pub struct LexicalIndex {
    pub(super) terms: Dictionary,
    /// By term.
    pub(super) postings: Vec<Vec<Posting>>,
    /// How many lists of postings are empty.
    unused_terms: usize,
    pub(super) slots: FxHashMap<u32, u32>,
    /// By slot, as are the next two: the number of the document there.
    pub(super) documents: Vec<u32>,
    /// Lengths in key tokens.
    pub(super) lengths: Vec<u32>,
    /// Ascending by term.
    pub(super) places: Vec<Box<[Place]>>,
    free_slots: Vec<u32>,
    pub(super) total_length: u64,
    pub(super) scratch: Cell<Scratch>,
    /// The terms of the text being inserted; kept for its memory.
    occurrences: Vec<u64>,
}

impl LexicalIndex {
    /// How many documents there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there are no documents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Whether a document is there.
    #[must_use]
    pub fn contains(&self, document: u32) -> bool {
        self.slots.contains_key(&document)
    }

    /// Indexes a text as a document, in place of what the document was. Tokens after the first
    /// [`MAX_TOKENS`](super::MAX_TOKENS) are ignored.
    pub fn insert(&mut self, document: u32, text: &str) {
        self.sweep();
        let mut occurrences = std::mem::take(&mut self.occurrences);
        occurrences.clear();
        let mut length = 0;
        tokenize(text, |token, role| {
            occurrences.push(u64::from(self.number(token)));
            length += u32::from(role == Role::Key);
        });
        occurrences.sort_unstable();
        let counted = occurrences.chunk_by(|a, b| a == b);
        self.place(
            document,
            length,
            counted.filter_map(|same| Some((*same.first()? as u32, same.len() as u32))),
        );
        self.occurrences = occurrences;
    }

    /// Takes a document out; `false` when it was not there.
    pub fn remove(&mut self, document: u32) -> bool {
        self.displace(document)
    }

    /// The number of a term, a new one when it is new.
    pub(super) fn number(&mut self, term: &str) -> u32 {
        let number = self.terms.number(term);
        if self.postings.len() < self.terms.len() {
            self.postings.push(Vec::new());
            self.unused_terms += 1;
        }
        number
    }

    /// Puts a document in, given its length and its terms with their frequencies, ascending by term.
    pub(super) fn place(&mut self, document: u32, length: u32, terms: impl Iterator<Item = (u32, u32)>) {
        self.displace(document);
        let slot = self.free_slots.pop().unwrap_or_else(|| {
            self.documents.push(0);
            self.lengths.push(0);
            self.places.push(Box::default());
            self.documents.len() as u32 - 1
        });
        let mut places = Vec::with_capacity(terms.size_hint().0);
        for (term, frequency) in terms {
            if let Some(postings) = self.postings.get_mut(term as usize) {
                self.unused_terms -= usize::from(postings.is_empty());
                places.push(Place { term, position: postings.len() as u32 });
                postings.push(Posting { slot, frequency });
            }
        }
        let at = slot as usize;
        if let (Some(number), Some(len), Some(list)) =
            (self.documents.get_mut(at), self.lengths.get_mut(at), self.places.get_mut(at))
        {
            (*number, *len, *list) = (document, length, places.into_boxed_slice());
        }
        self.total_length += u64::from(length);
        self.slots.insert(document, slot);
    }

    fn displace(&mut self, document: u32) -> bool {
        let Some(slot) = self.slots.remove(&document) else { return false };
        let places = self.places.get_mut(slot as usize).map(std::mem::take).unwrap_or_default();
        for Place { term, position } in places {
            let Some(postings) = self.postings.get_mut(term as usize) else { continue };
            postings.swap_remove(position as usize);
            if let Some(moved) = postings.get(position as usize) {
                let others = self.places.get_mut(moved.slot as usize).map(AsMut::as_mut).unwrap_or_default();
                if let Ok(at) = others.binary_search_by_key(&term, |place| place.term)
                    && let Some(place) = others.get_mut(at)
                {
                    place.position = position;
                }
            } else if postings.is_empty() {
                *postings = Vec::new();
                self.unused_terms += 1;
            }
        }
        self.total_length -= u64::from(self.lengths.get(slot as usize).copied().unwrap_or_default());
        self.free_slots.push(slot);
        true
    }

    /// Numbers the terms anew without those that no document holds, when these are many. The order stays, so lists by
    /// term stay sorted.
    pub(super) fn sweep(&mut self) {
        if self.unused_terms <= MAX_UNUSED_TERMS || self.unused_terms * 2 <= self.terms.len() {
            return;
        }
        let old = std::mem::take(&mut self.terms);
        let mut new_numbers = Vec::with_capacity(old.len());
        for (number, postings) in (0..).zip(&self.postings) {
            new_numbers.push(if postings.is_empty() { 0 } else { self.terms.number(old.term(number)) });
        }
        self.postings.retain(|postings| !postings.is_empty());
        for place in self.places.iter_mut().flatten() {
            place.term = new_numbers.get(place.term as usize).copied().unwrap_or_default();
        }
        self.unused_terms = 0;
    }
}
