//! The index as bytes: what each document's text came to, so that opening a store reads no text again.
//!
//! A block of columns holds rows numbered from 0; which document a row is, the caller knows. All numbers are varints
//! (little-endian groups of seven bits, LEB128):
//!
//! ```text
//! terms:  count, then per term, ascending by bytes: length in bytes, UTF-8
//! rows:   count, then per row: length in key tokens, count of distinct terms, then per term, ascending by number:
//!         gap << 1 | repeated      gap = number - previous number - 1 (the first: number)
//!         frequency - 2            only when `repeated` is 1; otherwise the frequency is 1
//! ```
//!
//! Blocks carry no version and no checksum; the frame around them does. Still every byte is checked here: damaged bytes
//! give [`Code::Corrupt`] and never more memory than a small multiple of the block.

use super::gaps::write_number;
use super::index::LexicalIndex;
use super::postings::{MAX_FREQUENCY, Posting};
use super::tokenize::MAX_TOKENS;
use crate::error::{Code, Error, Result};
use crate::sort::sorted;

/// The number of a term, and how often it is in a row.
type Counted = (u32, u32);

/// A row that is being read: its length in key tokens, and its terms.
#[derive(Default)]
struct Row {
    length: u32,
    terms: Vec<Counted>,
}

/// A block whose terms are read and whose rows are yet to be.
struct Columns<'a> {
    terms: Vec<&'a str>,
    rows: u32,
    rest: Reader<'a>,
}

impl<'a> Columns<'a> {
    fn open(bytes: &'a [u8]) -> Result<Self> {
        let mut rest = Reader { bytes };
        // A term takes two bytes at least, as does a row.
        let count = rest.count(2)?;
        let mut terms: Vec<&str> = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let term = rest.text()?;
            if terms.last().is_some_and(|last| *last >= term) {
                return Err(damaged("its terms are out of order"));
            }
            terms.push(term);
        }
        let rows = rest.count(2)?;
        Ok(Self { terms, rows, rest })
    }

    /// Reads each row in turn; fails when bytes are damaged or left over.
    fn each(&self, mut visit: impl FnMut(u32, &Row)) -> Result<()> {
        let mut rest = Reader { bytes: self.rest.bytes };
        let mut row = Row::default();
        for number in 0..self.rows {
            rest.row(self.terms.len(), &mut row)?;
            visit(number, &row);
        }
        if rest.bytes.is_empty() { Ok(()) } else { Err(damaged("bytes are left over")) }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn number(&mut self) -> Result<u32> {
        // Most take a byte.
        if let Some((byte, rest)) = self.bytes.split_first().filter(|(byte, _)| **byte < 0x80) {
            self.bytes = rest;
            return Ok(u32::from(*byte));
        }
        let mut number = 0;
        for shift in [0, 7, 14, 21, 28] {
            let (byte, rest) = self.bytes.split_first().ok_or_else(|| damaged("it ends too soon"))?;
            self.bytes = rest;
            let bits = u32::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(damaged("a number is too large"))
    }

    /// A count of things that take `size` bytes each at least.
    fn count(&mut self, size: usize) -> Result<u32> {
        let count = self.number()?;
        if count as usize > self.bytes.len() / size {
            Err(damaged("a count is too large"))
        } else {
            Ok(count)
        }
    }

    fn text(&mut self) -> Result<&'a str> {
        let length = self.number()? as usize;
        let (text, rest) = self.bytes.split_at_checked(length).ok_or_else(|| damaged("it ends too soon"))?;
        self.bytes = rest;
        std::str::from_utf8(text).map_err(|_| damaged("a term is not UTF-8"))
    }

    fn row(&mut self, terms: usize, row: &mut Row) -> Result<()> {
        row.terms.clear();
        row.length = self.number()?;
        let count = self.count(1)?;
        let mut next = 0;
        let mut tokens = 0;
        // A term that counts as often as one can may have been there more often.
        let mut is_cut = false;
        for _ in 0..count {
            let tagged = self.number()?;
            let term = next + (tagged >> 1) as usize;
            let frequency = if tagged & 1 == 0 { 1 } else { self.number()?.saturating_add(2) };
            tokens += u64::from(frequency);
            is_cut |= frequency >= MAX_FREQUENCY;
            if term >= terms || tokens > MAX_TOKENS as u64 {
                return Err(damaged("a term number or frequency is out of range"));
            }
            row.terms.push((term as u32, frequency));
            next = term + 1;
        }
        let most = if is_cut { MAX_TOKENS as u64 } else { tokens };
        if u64::from(row.length) > most { Err(damaged("a row is longer than its terms")) } else { Ok(()) }
    }
}

/// Two numbers as one, so that everything here is sorted by the same code.
fn packed(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

fn unpacked(packed: u64) -> (u32, u32) {
    ((packed >> 32) as u32, packed as u32)
}

fn damaged(what: &str) -> Error {
    Error::new(
        Code::Corrupt,
        format!("a block of the word index is damaged: {what}; rebuild it from the texts"),
    )
}

fn write_terms<'a>(bytes: &mut Vec<u8>, terms: impl ExactSizeIterator<Item = &'a str>) {
    write_number(bytes, terms.len() as u32);
    for term in terms {
        write_number(bytes, term.len() as u32);
        bytes.extend_from_slice(term.as_bytes());
    }
}

/// Writes a row whose terms are ascending.
fn write_row(bytes: &mut Vec<u8>, row: &Row) {
    write_number(bytes, row.length);
    write_number(bytes, row.terms.len() as u32);
    let mut next = 0;
    for (term, frequency) in &row.terms {
        write_number(bytes, (term - next) << 1 | u32::from(*frequency > 1));
        if *frequency > 1 {
            write_number(bytes, frequency - 2);
        }
        next = term + 1;
    }
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

        let mut bytes = Vec::new();
        write_terms(&mut bytes, terms.iter().map(|(term, _)| *term));
        write_number(&mut bytes, documents.len() as u32);
        let mut row = Row::default();
        let mut counts = Vec::new();
        for slot in slots() {
            row.length = slot.and_then(|slot| self.lengths.get(slot as usize)).copied().unwrap_or_default();
            counts.clear();
            counts.extend(
                terms_of(slot)
                    .filter_map(|term| Some(packed(number(term)?, self.posting(term, slot?)?.frequency()))),
            );
            counts.sort_unstable();
            row.terms.clear();
            row.terms.extend(counts.iter().copied().map(unpacked));
            write_row(&mut bytes, &row);
        }
        bytes
    }

    /// Adds the rows of a block for which `document_of` names a document, in place of what the document was. Nothing is
    /// added when an error is returned.
    ///
    /// # Errors
    /// [`Code::Corrupt`] when the block is damaged.
    #[inline(never)]
    pub fn import(&mut self, block: &[u8], document_of: &mut dyn FnMut(u32) -> Option<u32>) -> Result<()> {
        let columns = Columns::open(block)?;
        // Every row is read once, before anything is changed: its length, and where its terms end.
        let mut lengths: Vec<u32> = Vec::with_capacity(columns.rows as usize);
        let mut ends: Vec<usize> = Vec::with_capacity(columns.rows as usize);
        // Each takes a byte at least.
        let mut terms: Vec<Counted> = Vec::with_capacity(columns.rest.bytes.len());
        columns.each(|_, row| {
            lengths.push(row.length);
            terms.extend_from_slice(&row.terms);
            ends.push(terms.len());
        })?;
        self.sweep();
        // What is in place of another, or where another was, stands before others.
        let behind = self.documents.len() as u32;
        let begun = (0..).zip(&lengths).map(|(row, length)| self.begin(document_of(row)?, *length));
        let mut slots: Vec<Option<u32>> = begun.collect();
        let mut taken = slots.iter().flatten();
        let are_last = taken.clone().is_sorted_by(|one, next| one < next)
            && taken.next().is_none_or(|first| *first >= behind);
        if !are_last {
            forget_earlier(&mut slots);
        }
        let rows = Rows { slots, ends, terms };
        let (starts, postings) = rows.by_term(columns.terms.len());
        let stretches = starts.iter().zip(starts.iter().skip(1));
        let numbered = columns.terms.iter().zip(stretches).map(|(term, (start, end))| {
            let added = postings.get(*start..*end).filter(|added| !added.is_empty());
            // One that none of the rows has is left out.
            added.map_or(0, |added| self.put(term, added, are_last))
        });
        let numbers: Vec<u32> = numbered.collect();
        let mut own: Vec<u64> = Vec::new();
        rows.each(&mut |slot, terms| {
            own.clear();
            let known = terms.iter().filter_map(|(term, _)| numbers.get(*term as usize));
            own.extend(known.map(|number| u64::from(*number)));
            own.sort_unstable();
            self.list(slot, &own);
        });
        Ok(())
    }
}

/// Rows that were read: the slot of each that is taken in, where its terms end, and the terms of all.
struct Rows {
    slots: Vec<Option<u32>>,
    ends: Vec<usize>,
    terms: Vec<Counted>,
}

impl Rows {
    /// Visits those that are taken in, in their order.
    fn each(&self, visit: &mut dyn FnMut(u32, &[Counted])) {
        let mut start = 0;
        for (slot, end) in self.slots.iter().zip(&self.ends) {
            if let (Some(slot), Some(terms)) = (slot, self.terms.get(start..*end)) {
                visit(*slot, terms);
            }
            start = *end;
        }
    }

    /// The postings in the order of their terms, of which there are so many, so that those of a term can be added at once: where each term
    /// begins and the last one ends, and the postings.
    fn by_term(&self, terms: usize) -> (Vec<usize>, Vec<Posting>) {
        let mut starts: Vec<usize> = vec![0; terms + 1];
        self.each(&mut |_, terms| {
            for (term, _) in terms {
                if let Some(count) = starts.get_mut(*term as usize + 1) {
                    *count += 1;
                }
            }
        });
        let mut all = 0;
        for start in &mut starts {
            all += *start;
            *start = all;
        }
        let (mut postings, mut next) = (vec![Posting::default(); all], starts.clone());
        self.each(&mut |slot, terms| {
            for (term, frequency) in terms {
                let Some(place) = next.get_mut(*term as usize) else { continue };
                if let Some(posting) = postings.get_mut(*place) {
                    *posting = Posting::new(slot, *frequency);
                }
                *place += 1;
            }
        });
        (starts, postings)
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
