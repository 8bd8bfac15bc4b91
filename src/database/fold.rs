//! When the log is folded into a segment, and segments into larger ones.

use super::database::{Database, Event};
use crate::error::Code;
use crate::log::{Column, HEAD_KEY, Head, MAX_VALUE_BYTES, Segment, log_key, segment_key};
use crate::ports::Batch;

/// Fold when the log has this many commits. Reading a value costs 20 to 40 microseconds in IndexedDB, so a log of this
/// length adds at most about 10 ms to opening.
const FOLD_COMMITS: u64 = 256;
/// Or when its frames have this many bytes.
const FOLD_BYTES: u64 = 1 << 20;
/// A segment is taken into a fold when it is at most this many times as large as what is folded: each byte is rewritten
/// a logarithmic number of times, and the number of segments stays logarithmic too.
const MERGE_RATIO: u64 = 2;

impl Database {
    /// Folds the log when it is long enough. A fold that fails changes nothing; the log goes on growing, the listeners
    /// are told, and the next write tries again.
    pub(super) async fn fold_if_due(&self) {
        let due = {
            let state = self.inner.state.borrow();
            state.head.sequence - state.head.folded >= FOLD_COMMITS || state.tail_bytes >= FOLD_BYTES
        };
        if !due {
            return;
        }
        let (batch, head, expected) = self.folding();
        match self.inner.storage.write(&batch, expected).await {
            Ok(()) => {
                let mut state = self.inner.state.borrow_mut();
                state.head = head;
                state.tail_bytes = 0;
            }
            Err(error) if error.code == Code::Conflict => {
                if let Err(error) = self.catch_up().await {
                    self.tell(&Event::Error(error));
                }
            }
            Err(error) => self.tell(&Event::Error(error)),
        }
    }

    /// The write that folds: the new segment's values, the head that names it, and what it replaces.
    fn folding(&self) -> (Batch, Head, u64) {
        let state = self.inner.state.borrow();
        let mut head = state.head.clone();
        let expected = head.counter;
        let mut deletes = self.log_keys(&head, state.tail_bytes);
        let mut first = head.folded + 1;
        let mut bytes = state.tail_bytes;
        while let Some(last) = head.segments.pop_if(|last| last.bytes <= bytes.saturating_mul(MERGE_RATIO)) {
            first = last.first;
            bytes += last.bytes;
            for (column, count) in Column::ALL.into_iter().zip(last.values) {
                deletes.extend((0..count).map(|number| segment_key(last.id, column, number as usize)));
            }
        }
        let folded = state.store.fold(first, head.sequence);
        let id = head.next_segment;
        let mut puts = Vec::new();
        let mut counts = [0u32; 3];
        for ((column, values), count) in Column::ALL.into_iter().zip(folded.values).zip(&mut counts) {
            for (number, value) in values.into_iter().enumerate() {
                *count += 1;
                puts.push((segment_key(id, column, number), value));
            }
        }
        let bytes = puts.iter().map(|(_, value)| value.len() as u64).sum();
        head.segments.push(Segment { id, first, last: head.sequence, bytes, values: counts });
        head.next_segment = id + 1;
        head.folded = head.sequence;
        head.counter += 1;
        puts.push((HEAD_KEY.to_owned(), head.encode()));
        // A damaged value stays where it is until it has been copied aside.
        deletes.retain(|key| !state.damage.iter().any(|damage| key.starts_with(&damage.key)));
        (Batch { puts, deletes }, head, expected)
    }

    /// The keys of the log's commits. A commit can have as many parts as its share of the bytes allows; deleting a key
    /// that is not there is no error.
    fn log_keys(&self, head: &Head, tail_bytes: u64) -> Vec<String> {
        let most = usize::try_from(tail_bytes).unwrap_or(usize::MAX) / MAX_VALUE_BYTES;
        (head.folded + 1..=head.sequence)
            .flat_map(|sequence| (0..=most).map(move |part| log_key(sequence, part)))
            .collect()
    }
}
