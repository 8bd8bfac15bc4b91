//! The index to bytes and back.

use super::columns::{Columns, Layout, Rows};
use super::index::LexicalIndex;
use super::postings::Posting;
use crate::error::Result;
use crate::sort::sorted;

/// Two numbers as one, so that everything here is sorted by the same code.
fn packed(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

fn unpacked(packed: u64) -> (u32, u32) {
    ((packed >> 32) as u32, packed as u32)
}

impl LexicalIndex {
    /// The columns of some documents, a row for each in the order given. A document that is not there gives an empty
    /// row.
    #[must_use]
    #[inline(never)]
    pub fn export(&self, documents: &[u32]) -> Vec<u8> {
        let slots = || documents.iter().map(|document| self.slot(*document));
        let terms_of = |slot: Option<u32>| slot.into_iter().flat_map(|slot| self.terms_in(slot));
        // By number of a term: its number in the block and one; 0 for a term that is in none of the rows.
        let mut numbers = vec![0_u32; self.terms.len()];
        let mut used: Vec<u32> = Vec::new();
        for term in slots().flat_map(terms_of) {
            if let Some(number @ 0) = numbers.get_mut(term as usize) {
                *number = 1;
                used.push(term);
            }
        }
        let terms: Vec<(&str, u32)> = used.iter().map(|term| (self.terms.term(*term), *term)).collect();
        let terms = sorted(&terms, Ord::cmp);
        for (number, (_, term)) in (1..).zip(terms.iter().copied()) {
            if let Some(slot) = numbers.get_mut(*term as usize) {
                *slot = number;
            }
        }
        let number = |term: u32| numbers.get(term as usize)?.checked_sub(1);

        let (mut rows, mut counts) = (Rows::default(), Vec::new());
        for slot in slots() {
            let length = slot.and_then(|slot| self.lengths.get(slot as usize)).copied().unwrap_or_default();
            counts.clear();
            counts.extend(
                terms_of(slot)
                    .filter_map(|term| Some(packed(number(term)?, self.posting(term, slot?)?.frequency()))),
            );
            counts.sort_unstable();
            rows.add(length, counts.iter().copied().map(unpacked));
        }
        rows.columns(terms.iter().map(|(term, _)| *term).collect()).write()
    }

    /// Adds the rows of a block for which `document_of` names a document, in place of what the document was. Nothing is
    /// added when an error is returned.
    ///
    /// # Errors
    /// [`Code::Corrupt`](crate::Code::Corrupt) when the block is damaged.
    #[inline(never)]
    pub fn import(
        &mut self,
        block: &[u8],
        layout: Layout,
        document_of: &mut dyn FnMut(u32) -> Option<u32>,
    ) -> Result<()> {
        let columns = Columns::read(block, layout)?;
        self.sweep();
        // What is in place of another, or where another was, stands before others.
        let behind = self.documents.len() as u32;
        let begun = (0..).zip(&columns.lengths).map(|(row, length)| self.begin(document_of(row)?, *length));
        let mut slots: Vec<Option<u32>> = begun.collect();
        let mut taken = slots.iter().flatten();
        let are_last = taken.clone().is_sorted_by(|one, next| one < next)
            && taken.next().is_none_or(|first| *first >= behind);
        if !are_last {
            forget_earlier(&mut slots);
        }
        let (mut added, mut numbers) = (Vec::new(), Vec::with_capacity(columns.terms.len()));
        for (term, postings) in columns.terms.iter().zip(columns.postings()) {
            added.clear();
            let slot_of = |posting: &Posting| slots.get(posting.slot() as usize).copied().flatten();
            added.extend(postings.iter().filter_map(|posting| Some(posting.moved(slot_of(posting)?))));
            // One that none of the rows has is left out.
            numbers.push(if added.is_empty() { 0 } else { self.put(term, &added, are_last) });
        }
        let lists = slots.iter().zip(columns.stretches());
        self.take_lists(&columns.lists, numbers, lists.filter_map(|(slot, list)| Some(((*slot)?, list))));
        Ok(())
    }
}

/// Of several rows of one slot, which are of one document, only the last counts.
fn forget_earlier(slots: &mut [Option<u32>]) {
    let numbered = (0..).zip(slots.iter()).filter_map(|(row, slot)| Some(packed((*slot)?, row)));
    let mut pairs: Vec<u64> = numbered.collect();
    pairs.sort_unstable();
    for (one, next) in pairs.iter().zip(pairs.iter().skip(1)) {
        let ((slot, row), (next, _)) = (unpacked(*one), unpacked(*next));
        if slot == next
            && let Some(earlier) = slots.get_mut(row as usize)
        {
            *earlier = None;
        }
    }
}
