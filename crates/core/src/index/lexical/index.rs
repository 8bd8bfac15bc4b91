//! The inverted index: which documents hold which terms, and how often.
//!
//! Every posting knows its document and every document its terms, so a removal touches nothing else and document
//! frequencies are exact at every moment. Documents have any number; inside, each takes the next free *slot*, so that
//! scores lie densely in memory, and the postings of a term are in the order of their slots.

use super::dictionary::Dictionary;
use super::gaps::{Gaps, List};
use super::postings::{Posting, Postings, SLOTS};
use super::search::Scratch;
use super::tokenize::{Role, tokenize};
use crate::growth::{doubled_bytes, list_bytes, push};
use crate::places::{Places, hash};
use std::cell::Cell;

/// Terms that no document holds any more are swept when there are this many, and more of them than others.
const MAX_UNUSED_TERMS: usize = 4096;

/// So many numbers of lists that were stored may stand for others, for each term: what that takes has to be known before they are stored.
const MOST_REPLACED: usize = 2;

/// Texts by document number, found by their words with BM25.
///
/// It keeps terms and counts, not the texts: about 6 bytes per distinct term of each document.
///
/// ```
/// use mnemic_core::index::lexical::LexicalIndex;
/// let mut index = LexicalIndex::default();
/// index.insert(7, "Ann adopted a cat in June");
/// index.insert(8, "Bob sails");
/// let hits = index.search("Who has adopted cats?", 10, &|_| true);
/// assert_eq!(hits[0].document, 7);
/// assert_eq!(hits.len(), 1);
/// ```
#[derive(Default)]
pub struct LexicalIndex {
    pub(super) terms: Dictionary,
    /// By term, ascending by slot.
    postings: Vec<Postings>,
    /// How many lists of postings are empty.
    unused_terms: usize,
    /// The slots by their documents.
    slots: Places,
    /// The greatest of all documents that ever were here.
    greatest: Option<u32>,
    /// By slot, as are the next two: the number of the document there.
    pub(super) documents: Vec<u32>,
    /// Lengths in key tokens.
    pub(super) lengths: Vec<u32>,
    /// The numbers of the document's terms.
    lists: Vec<List>,
    gaps: Gaps,
    free_slots: Vec<u32>,
    pub(super) scratch: Cell<Scratch>,
    /// The terms of the text being inserted, and the bytes of their gaps; kept for their memory.
    occurrences: Vec<u64>,
    room: Vec<u8>,
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
        self.slot(document).is_some()
    }

    /// How many terms the documents have, each counted once.
    #[must_use]
    pub fn terms(&self) -> usize {
        self.postings.len() - self.unused_terms
    }

    /// How many terms the documents have, each counted once for every document.
    #[must_use]
    pub fn postings(&self) -> usize {
        self.postings.iter().map(Postings::len).sum()
    }

    /// The slot of a document.
    pub(super) fn slot(&self, document: u32) -> Option<u32> {
        let is_its = |slot: u32| self.documents.get(slot as usize) == Some(&document);
        self.slots.get(hash(document.into()), is_its)
    }

    /// How many key tokens a document has; 0 when it is not there.
    #[must_use]
    pub fn length(&self, document: u32) -> u32 {
        let slot = self.slot(document);
        slot.and_then(|slot| self.lengths.get(slot as usize)).copied().unwrap_or_default()
    }

    /// The most bytes held on the heap for what is here, reserved ones included, but for what an allocator puts around each
    /// piece.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let postings: usize = self.postings.iter().map(Postings::bytes).sum();
        self.terms.memory_bytes()
            + postings
            + doubled_bytes(self.postings.len(), size_of::<Postings>())
            + self.gaps.memory_bytes(self.lists.len())
            + self.terms.len() * MOST_REPLACED * size_of::<u32>()
            + list_bytes(self.documents.len(), size_of::<List>() + 2 * size_of::<u32>())
            + self.slots.memory_bytes()
    }

    /// Indexes a text as a document, in place of what the document was. Tokens after the first
    /// [`MAX_TOKENS`](super::MAX_TOKENS) are ignored.
    #[inline(never)]
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
        if let Some(slot) = self.begin(document, length) {
            for same in occurrences.chunk_by(|a, b| a == b) {
                let term = same.first().and_then(|term| self.postings.get_mut(*term as usize));
                if let Some(postings) = term {
                    self.unused_terms -= usize::from(postings.is_empty());
                    postings.add(Posting::new(slot, same.len() as u32));
                }
            }
            occurrences.dedup();
            self.list(slot, &occurrences);
        }
        self.occurrences = occurrences;
    }

    /// Takes a document out; `false` when it was not there.
    #[inline(never)]
    pub fn remove(&mut self, document: u32) -> bool {
        self.displace(document)
    }

    /// The number of a term, a new one when it is new.
    fn number(&mut self, term: &str) -> u32 {
        let number = self.terms.number(term);
        if self.postings.len() < self.terms.len() {
            self.postings.push(Postings::default());
            self.unused_terms += 1;
        }
        number
    }

    /// Gives a document a slot, which has no terms yet; `None` when there is none left.
    pub(super) fn begin(&mut self, document: u32, length: u32) -> Option<u32> {
        if Some(document) <= self.greatest {
            self.displace(document);
        }
        if self.documents.len() >= SLOTS as usize && self.free_slots.is_empty() {
            return None;
        }
        let slot = self.free_slots.pop().unwrap_or_else(|| {
            push(&mut self.documents, 0);
            push(&mut self.lengths, 0);
            push(&mut self.lists, List::default());
            self.documents.len() as u32 - 1
        });
        let at = slot as usize;
        if let (Some(number), Some(len)) = (self.documents.get_mut(at), self.lengths.get_mut(at)) {
            (*number, *len) = (document, length);
        }
        self.greatest = self.greatest.max(Some(document));
        let documents = &self.documents;
        self.slots
            .insert(slot, |slot| hash(documents.get(slot as usize).copied().unwrap_or_default().into()));
        Some(slot)
    }

    /// Adds some postings of a term in slots that have none of it, ascending and behind all others of the term if `are_last`: the number
    /// of the term.
    pub(super) fn put(&mut self, term: &str, added: &[Posting], are_last: bool) -> u32 {
        let number = self.number(term);
        if let Some(postings) = self.postings.get_mut(number as usize) {
            self.unused_terms -= usize::from(postings.is_empty());
            postings.extend(added, are_last);
        }
        number
    }

    /// Notes the numbers of the terms, ascending, of the document in a slot.
    pub(super) fn list(&mut self, slot: u32, terms: &[u64]) {
        let list = self.gaps.add(terms.iter().map(|term| *term as u32), &mut self.room);
        if let Some(place) = self.lists.get_mut(slot as usize) {
            *place = list;
        }
    }

    /// Notes the numbers of the terms of the documents in some slots, given as bytes of lists with where each begins and ends, of which
    /// each number is the place of another one in `numbers`.
    pub(super) fn take_lists(
        &mut self,
        bytes: &[u8],
        numbers: Vec<u32>,
        lists: impl Iterator<Item = (u32, (u32, u32))>,
    ) {
        if numbers.is_empty() {
            return;
        }
        let is_kept = self.gaps.replaced() + numbers.len() <= self.terms.len() * MOST_REPLACED;
        let mut others = Gaps::default();
        let stored = if is_kept { &mut self.gaps } else { &mut others };
        let piece = stored.begin_piece(bytes, numbers);
        for (slot, (start, end)) in lists {
            let list = if is_kept {
                self.gaps.add_stored(piece, start, end)
            } else {
                let list = others.add_stored(piece, start, end);
                self.gaps.add(others.in_order(list).into_iter(), &mut self.room)
            };
            if let Some(place) = self.lists.get_mut(slot as usize) {
                *place = list;
            }
        }
        self.gaps.make_room(&mut self.lists);
    }

    fn displace(&mut self, document: u32) -> bool {
        let documents = &self.documents;
        let is_its = |slot: u32| documents.get(slot as usize) == Some(&document);
        let Some(slot) = self.slots.remove(hash(document.into()), is_its) else { return false };
        let list = self.lists.get_mut(slot as usize).map(std::mem::take).unwrap_or_default();
        for term in self.gaps.iter(list) {
            let Some(postings) = self.postings.get_mut(term as usize) else { continue };
            self.unused_terms += usize::from(postings.remove(slot) && postings.is_empty());
        }
        self.gaps.remove(list, &mut self.lists);
        self.free_slots.push(slot);
        true
    }

    /// The postings of a term; none when no document holds it.
    pub(super) fn postings_of(&self, term: u32) -> &[Posting] {
        self.postings.get(term as usize).map(Postings::as_slice).unwrap_or_default()
    }

    /// The posting of a term for the document in a slot.
    pub(super) fn posting(&self, term: u32, slot: u32) -> Option<&Posting> {
        self.postings.get(term as usize)?.of(slot)
    }

    /// The numbers of the terms of the document in a slot, in no order.
    pub(super) fn terms_in(&self, slot: u32) -> impl Iterator<Item = u32> {
        self.gaps.iter(self.lists.get(slot as usize).copied().unwrap_or_default())
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
        let old = std::mem::take(&mut self.gaps);
        for list in &mut self.lists {
            let numbers = old.in_order(*list).into_iter();
            let numbers = numbers.filter_map(|term| new_numbers.get(term as usize).copied());
            *list = self.gaps.add(numbers, &mut self.room);
        }
        self.unused_terms = 0;
    }
}
