//! The index as bytes: what each document's text came to, so that opening a store reads no text again and puts nothing in order.
//!
//! A block of columns holds rows numbered from 0; which document a row is, the caller knows. All numbers are varints
//! (little-endian groups of seven bits, LEB128):
//!
//! ```text
//! terms:    count, then per term, ascending by bytes: length in bytes, UTF-8
//! rows:     count, then per row: length in key tokens
//! postings: per term: how many rows hold it, then per row, ascending by number:
//!           gap << 1 | repeated      gap = number - previous number - 1 (the first: number)
//!           frequency - 2            only when `repeated` is 1; otherwise the frequency is 1
//! lists:    per row: how many bytes its list has; then the lists: per term that the row holds, ascending by number, the gap
//! ```
//!
//! Before, a block had rows in place of the last three:
//!
//! ```text
//! rows:     count, then per row: length in key tokens, count of distinct terms, then per term as above: gap << 1 | repeated, frequency - 2
//! ```
//!
//! Blocks carry no version and no checksum; the frame around them does. Still every byte is checked here: damaged bytes
//! give [`Code::Corrupt`] and never more memory than a small multiple of the block.

use super::gaps::write_number;
use super::postings::{MAX_FREQUENCY, Posting};
use super::tokenize::MAX_TOKENS;
use crate::error::{Code, Error, Result};
use std::borrow::Cow;

/// The number of a term, and how often it is in a row.
type Counted = (u32, u32);

/// How a block is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// The postings of each term, and the list of each row, as blocks are written.
    Postings,
    /// The terms of each row alone, as they once were.
    Rows,
}

/// What a block holds, by the numbers of its rows.
pub(super) struct Columns<'a> {
    pub(super) terms: Vec<&'a str>,
    /// Of each row, in key tokens.
    pub(super) lengths: Vec<u32>,
    /// Where the postings of each term begin, and those of the last one end.
    starts: Vec<usize>,
    /// With the row of each in place of a slot.
    postings: Vec<Posting>,
    /// Where the list of each row ends.
    ends: Vec<u32>,
    pub(super) lists: Cow<'a, [u8]>,
}

impl<'a> Columns<'a> {
    #[inline(never)]
    pub(super) fn read(block: &'a [u8], layout: Layout) -> Result<Self> {
        let mut reader = Reader { bytes: block };
        let terms = reader.terms()?;
        match layout {
            Layout::Rows => Ok(reader.rows(terms.len())?.columns(terms)),
            Layout::Postings => reader.columns(terms),
        }
    }

    /// The postings of each term, in the order of the terms.
    pub(super) fn postings(&self) -> impl Iterator<Item = &[Posting]> {
        let stretches = self.starts.iter().zip(self.starts.iter().skip(1));
        stretches.map(|(start, end)| self.postings.get(*start..*end).unwrap_or_default())
    }

    /// Where the list of each row is among the bytes of all: where it begins, and where it ends.
    pub(super) fn stretches(&self) -> impl Iterator<Item = (u32, u32)> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(self.ends.iter().copied())
    }

    /// The block, as [`read`](Self::read) reads it.
    #[inline(never)]
    pub(super) fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_number(&mut bytes, self.terms.len() as u32);
        for term in &self.terms {
            write_number(&mut bytes, term.len() as u32);
            bytes.extend_from_slice(term.as_bytes());
        }
        write_number(&mut bytes, self.lengths.len() as u32);
        self.lengths.iter().for_each(|length| write_number(&mut bytes, *length));
        for postings in self.postings() {
            write_number(&mut bytes, postings.len() as u32);
            let mut next = 0;
            for posting in postings {
                let (row, frequency) = (posting.slot(), posting.frequency());
                write_number(&mut bytes, (row - next) << 1 | u32::from(frequency > 1));
                if frequency > 1 {
                    write_number(&mut bytes, frequency - 2);
                }
                next = row + 1;
            }
        }
        self.stretches().for_each(|(start, end)| write_number(&mut bytes, end - start));
        bytes.extend_from_slice(&self.lists);
        bytes
    }
}

/// Rows with their terms, before these have postings.
#[derive(Default)]
pub(super) struct Rows {
    /// Of each row, in key tokens.
    lengths: Vec<u32>,
    /// Where the terms of each row end.
    ends: Vec<usize>,
    /// Ascending in each row.
    terms: Vec<Counted>,
}

impl Rows {
    /// Adds a row, with its terms in order.
    pub(super) fn add(&mut self, length: u32, terms: impl Iterator<Item = Counted>) {
        self.terms.extend(terms);
        self.end(length);
    }

    /// Ends a row.
    fn end(&mut self, length: u32) {
        self.lengths.push(length);
        self.ends.push(self.terms.len());
    }

    /// The same with postings, of terms in order by whose places they are numbered.
    pub(super) fn columns(self, terms: Vec<&str>) -> Columns<'_> {
        let (starts, postings) = self.by_term(terms.len());
        let (mut lists, mut ends) =
            (Vec::with_capacity(self.terms.len()), Vec::with_capacity(self.ends.len()));
        self.each(&mut |_, own| {
            let mut next = 0;
            for (term, _) in own {
                write_number(&mut lists, term - next);
                next = term + 1;
            }
            ends.push(lists.len() as u32);
        });
        Columns { terms, lengths: self.lengths, starts, postings, ends, lists: lists.into() }
    }

    fn each(&self, visit: &mut dyn FnMut(u32, &[Counted])) {
        let mut start = 0;
        for (row, end) in (0..).zip(&self.ends) {
            visit(row, self.terms.get(start..*end).unwrap_or_default());
            start = *end;
        }
    }

    /// Where the postings of each term begin and those of the last one end, and the postings.
    fn by_term(&self, terms: usize) -> (Vec<usize>, Vec<Posting>) {
        let mut starts: Vec<usize> = vec![0; terms + 1];
        for (term, _) in &self.terms {
            if let Some(count) = starts.get_mut(*term as usize + 1) {
                *count += 1;
            }
        }
        let mut all = 0;
        for start in &mut starts {
            all += *start;
            *start = all;
        }
        let (mut postings, mut next) = (vec![Posting::default(); all], starts.clone());
        self.each(&mut |row, terms| {
            for (term, frequency) in terms {
                let Some(place) = next.get_mut(*term as usize) else { continue };
                if let Some(posting) = postings.get_mut(*place) {
                    *posting = Posting::new(row, *frequency);
                }
                *place += 1;
            }
        });
        (starts, postings)
    }
}

/// How many tokens a row has, as far as its terms tell.
#[derive(Clone, Copy, Default)]
struct Tokens(u32);

impl Tokens {
    fn add(&mut self, frequency: u32) -> Result<()> {
        // A term that counts as often as one can may have been there more often.
        let most = if frequency >= MAX_FREQUENCY { MAX_TOKENS as u32 } else { frequency };
        self.0 = self.0.saturating_add(most);
        if frequency as usize > MAX_TOKENS { Err(damaged("a frequency is out of range")) } else { Ok(()) }
    }

    fn check(self, length: u32) -> Result<()> {
        if length > self.0.min(MAX_TOKENS as u32) {
            Err(damaged("a row is longer than its terms"))
        } else {
            Ok(())
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    #[inline(always)]
    fn number(&mut self) -> Result<u32> {
        // Most take a byte.
        match self.bytes.split_first().filter(|(byte, _)| **byte < 0x80) {
            Some((byte, rest)) => {
                self.bytes = rest;
                Ok(u32::from(*byte))
            }
            None => self.long_number(),
        }
    }

    #[inline(never)]
    fn long_number(&mut self) -> Result<u32> {
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
    #[inline(never)]
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

    fn terms(&mut self) -> Result<Vec<&'a str>> {
        // A term takes two bytes at least.
        let count = self.count(2)?;
        let mut terms: Vec<&str> = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let term = self.text()?;
            if terms.last().is_some_and(|last| *last >= term) {
                return Err(damaged("its terms are out of order"));
            }
            terms.push(term);
        }
        Ok(terms)
    }

    /// A number that stands behind others, `next` being the least it can be, and how often it is there.
    #[inline(always)]
    fn counted(&mut self, next: u32, most: usize) -> Result<Counted> {
        let tagged = self.number()?;
        let number = next.saturating_add(tagged >> 1);
        let frequency = if tagged & 1 == 0 { 1 } else { self.number()?.saturating_add(2) };
        if number as usize >= most {
            Err(damaged("a number is out of range"))
        } else {
            Ok((number, frequency))
        }
    }

    fn columns(mut self, terms: Vec<&'a str>) -> Result<Columns<'a>> {
        // A row takes two bytes at least: its length, and that of its list.
        let rows = self.count(2)? as usize;
        let lengths = (0..rows).map(|_| self.number()).collect::<Result<Vec<u32>>>()?;
        let mut tokens = vec![Tokens::default(); rows];
        let (mut starts, mut postings) = (Vec::with_capacity(terms.len() + 1), Vec::new());
        starts.push(0);
        let mut pairs = 0_u64;
        for term in 0..terms.len() as u32 {
            let count = self.count(1)?;
            postings.reserve(count as usize);
            let mut next = 0;
            for _ in 0..count {
                let (row, frequency) = self.counted(next, rows)?;
                if let Some(tokens) = tokens.get_mut(row as usize) {
                    tokens.add(frequency)?;
                }
                postings.push(Posting::new(row, frequency));
                pairs = pairs.wrapping_add(mixed(row, term));
                next = row + 1;
            }
            starts.push(postings.len());
        }
        tokens.iter().zip(&lengths).try_for_each(|(tokens, length)| tokens.check(*length))?;
        let mut ends = Vec::with_capacity(rows);
        let mut end = 0_u32;
        for _ in 0..rows {
            end = end.checked_add(self.number()?).ok_or_else(|| damaged("its lists are too long"))?;
            ends.push(end);
        }
        let lists = Cow::Borrowed(self.bytes);
        let columns = Columns { terms, lengths, starts, postings, ends, lists };
        self.lists(&columns, pairs)?;
        Ok(columns)
    }

    /// Checks the lists, which are all that is left: each names the terms whose postings name its row, of which `pairs` is the sum.
    fn lists(&mut self, columns: &Columns<'_>, pairs: u64) -> Result<()> {
        let mut lists = 0_u64;
        for (row, (start, end)) in (0..).zip(columns.stretches()) {
            let list = self.bytes.split_at_checked((end - start) as usize);
            let (list, rest) = list.ok_or_else(|| damaged("it ends too soon"))?;
            self.bytes = rest;
            let (mut list, mut next) = (Reader { bytes: list }, 0_u32);
            while !list.bytes.is_empty() {
                let term = next.saturating_add(list.number()?);
                if term as usize >= columns.terms.len() {
                    return Err(damaged("a list names a term that is not there"));
                }
                lists = lists.wrapping_add(mixed(row, term));
                next = term + 1;
            }
        }
        self.end()?;
        if lists == pairs { Ok(()) } else { Err(damaged("its lists are not of its postings")) }
    }

    fn rows(mut self, terms: usize) -> Result<Rows> {
        let count = self.count(2)? as usize;
        // Each term takes a byte at least.
        let terms_of_all = Vec::with_capacity(self.bytes.len());
        let mut rows = Rows { terms: terms_of_all, ..Rows::default() };
        for _ in 0..count {
            let length = self.number()?;
            let (mut next, mut tokens) = (0, Tokens::default());
            for _ in 0..self.count(1)? {
                let (term, frequency) = self.counted(next, terms)?;
                tokens.add(frequency)?;
                rows.terms.push((term, frequency));
                next = term + 1;
            }
            tokens.check(length)?;
            rows.end(length);
        }
        self.end()?;
        Ok(rows)
    }

    fn end(&self) -> Result<()> {
        if self.bytes.is_empty() { Ok(()) } else { Err(damaged("bytes are left over")) }
    }
}

/// A row and a term as one number, so that the sum of many tells them from other ones.
fn mixed(row: u32, term: u32) -> u64 {
    // The fraction of the golden ratio, whose bits look random. Without the shift a sum of pairs would be that of their parts.
    const MIXER: u64 = 0x9e37_79b9_7f4a_7c15;
    let product = (u64::from(row) << 32 | u64::from(term)).wrapping_add(1).wrapping_mul(MIXER);
    (product ^ product >> 32).wrapping_mul(MIXER)
}

#[cold]
#[inline(never)]
fn damaged(what: &str) -> Error {
    Error::new(
        Code::Corrupt,
        format!("a block of the word index is damaged: {what}; rebuild it from the texts"),
    )
}
