//! Values of segments in their order, some of them read ahead: a storage takes a while to answer, and has the next ones ready while
//! these are taken in.

use crate::error::Result;
use crate::log::{Column, Head, LogSegment, segment_key};
use crate::ordered::in_order;
use crate::ports::{Pairs, Pending};
use crate::vault::Vault;
use futures_util::future::{MaybeDone, maybe_done};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::ops::Range;
use std::pin::Pin;
use std::task::Poll;

/// Before the keys of segments and behind all others.
pub(super) const SEGMENTS: &str = "segment/";
/// Just beyond every key of a segment.
const SEGMENTS_END: &str = "segment0";
/// How many values of about a MiB are read at once, and how many such readings are under way.
const VALUES: u32 = 2;
const READINGS: usize = 6;

/// Values of a column that follow one another.
pub(super) struct Values<'a> {
    pub(super) segment: &'a LogSegment,
    pub(super) column: Column,
    numbers: Range<u32>,
    /// Whether they are the last of their column.
    pub(super) are_last: bool,
    /// From which key on and up to which one is read for them. What lies between a column and the next one that is named is read along:
    /// a write that was cut short may have left it.
    keys: (String, String),
}

impl Values<'_> {
    /// Whether these are all that was asked for, and nothing else.
    fn are(&self, pairs: &Pairs) -> bool {
        let expected = self.numbers.clone().map(|number| segment_key(self.segment.id, self.column, number));
        pairs.iter().map(|(key, _)| key.as_str()).eq(expected)
    }
}

type Reading<'a> = MaybeDone<Pending<'a, Result<Option<Pairs>>>>;

/// The values of some columns.
pub(super) struct Ahead<'a> {
    vault: &'a Vault,
    /// Those that are not asked for yet.
    rest: Box<dyn Iterator<Item = Values<'a>> + 'a>,
    asked: VecDeque<(Values<'a>, Reading<'a>)>,
}

impl<'a> Ahead<'a> {
    /// The values of some columns, each column through all segments, where each that the head names begins at one of the `starts`.
    pub(super) fn new(
        (vault, starts): (&'a Vault, &'a [String]),
        segments: &'a [LogSegment],
        columns: &'static [Column],
    ) -> Self {
        let of = move |(column, segment): (Column, &'a LogSegment)| {
            let count = *column.of(&segment.values);
            let key = move |number| segment_key(segment.id, column, number);
            (0..count).step_by(VALUES as usize).map(move |first| {
                let end = count.min(first.saturating_add(VALUES));
                let is_first = first == 0 && starts.first() == Some(&key(0));
                let from = if is_first { SEGMENTS.to_owned() } else { key(first) };
                let until = if end == count { beyond(starts, &key(end)).to_owned() } else { key(end) };
                Values { segment, column, numbers: first..end, are_last: end == count, keys: (from, until) }
            })
        };
        let named = columns.iter().flat_map(|column| segments.iter().map(|segment| (*column, segment)));
        Self { vault, rest: Box::new(named.flat_map(of)), asked: VecDeque::with_capacity(READINGS) }
    }

    /// The next values with what was read for them, which is `None` when it is not as it should be; nothing behind the last.
    pub(super) async fn next(&mut self) -> Option<(Values<'a>, Result<Option<Pairs>>)> {
        poll_fn(|context| {
            for (_, reading) in &mut self.asked {
                // Those behind the first go on, too.
                Pin::new(reading).poll(context).is_ready();
            }
            // Of a storage that answers at once no more is asked for than is taken in next.
            while self.asked.len() < READINGS && !self.asked.back().is_some_and(is_done) {
                let Some(mut values) = self.rest.next() else { break };
                let (vault, (from, until)) = (self.vault, std::mem::take(&mut values.keys));
                let reading: Pending<'a, _> = Box::pin(async move { vault.read_plain(&from, &until).await });
                let mut reading = maybe_done(reading);
                Pin::new(&mut reading).poll(context).is_ready();
                self.asked.push_back((values, reading));
            }
            if self.asked.front().is_none_or(is_done) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        let (values, mut reading) = self.asked.pop_front()?;
        let read = Pin::new(&mut reading).take_output()?;
        let read = read.map(|pairs| pairs.filter(|pairs| values.are(pairs)));
        Some((values, read))
    }
}

fn is_done((_, reading): &(Values<'_>, Reading<'_>)) -> bool {
    matches!(reading, MaybeDone::Done(_))
}

/// The first key of each column that the head names, in order.
pub(super) fn starts(head: &Head) -> Vec<String> {
    in_order(head.segments.iter().flat_map(|segment| {
        let columns = Column::ALL.into_iter().filter(|column| *column.of(&segment.values) > 0);
        columns.map(|column| segment_key(segment.id, column, 0))
    }))
}

/// Where the next column that is named begins, at a key or behind it.
pub(super) fn beyond<'a>(starts: &'a [String], key: &str) -> &'a str {
    let next = starts.partition_point(|start| start.as_str() < key);
    starts.get(next).map_or(SEGMENTS_END, String::as_str)
}
