//! What a storage holds beside the state. Of a large memory that is not encrypted it is found a part at a time.

use super::ahead::SEGMENTS;
use super::database::Database;
use super::fold::{Extent, MERGED_BYTES};
use super::open::{END, checked};
use super::pace::Pace;
use crate::error::{Code, Error, Result};
use crate::log::{
    Column, HEAD_KEY, Head, Joining, LogSegment, MAX_VALUE_BYTES, Part, QUARANTINE, Replay,
    parse_segment_key, read_value, segment_key, segment_prefix,
};
use crate::ordered::in_order;
use crate::ports::{Folding, Loaded, Pairs, Pending, head_counter};
use crate::store::Draft;
use crate::vault::Contents;

/// How many bytes are searched in about a microsecond in a browser.
const SEARCHED: usize = 128;

/// What a storage holds beside the state.
pub(super) struct Litter {
    /// Keys that belong to no state: leftovers, and damaged values that were set aside.
    pub(super) keys: Vec<String>,
    /// The segments that are to be written anew: from the first on that is damaged, for damaged bytes may hold anything; and of a large
    /// memory those that hold something of what goes.
    pub(super) extent: Extent,
}

/// What a storage holds, without the values of the state.
#[derive(Default)]
pub(super) struct Stored {
    /// The counter of the head.
    pub(super) counter: u64,
    /// The keys of the log and of segments.
    pub(super) keys: Vec<String>,
    /// What was set aside.
    pub(super) aside: Pairs,
    /// Keys of the vault that belong to no state.
    pub(super) stale: Vec<String>,
}

impl Database {
    /// Looks for whatever may hold a byte of what a draft erases.
    ///
    /// # Errors
    /// `Conflict` when the storage is no longer as the state knows it; those of reading it.
    ///
    /// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    pub(super) fn litter<'a>(
        &'a self,
        part: Loaded<Folding>,
        draft: &'a Draft,
    ) -> Pending<'a, Result<Litter>> {
        part.work(Box::pin(self.find_litter(draft)))
    }

    async fn find_litter(&self, draft: &Draft) -> Result<Litter> {
        let (head, cuts) = {
            let state = self.inner.state.borrow();
            // What cannot be erased is refused when it is prepared.
            let cuts = state.store.erasure(draft).unwrap_or_default();
            state.store.check_read()?;
            (state.head.clone(), cuts)
        };
        let mut pace = Pace::new(&*self.inner.platform);
        let mut litter = Litter { keys: Vec::new(), extent: Extent::from(u64::MAX) };
        let (parts, mut joining) = (self.stored_parts(), Joining::default());
        if parts.len() > 1 {
            litter.extent.alone = Some(Vec::new());
        }
        for (number, part) in parts.iter().enumerate() {
            let contents = self.stored_part(part).await?;
            if number > 0 {
                let holds = |part: &Part<'_>| self.inner.state.borrow().store.holds(part, &cuts);
                litter.search(&head, (&contents, &mut joining), &holds, &mut pace).await?;
                continue;
            }
            // The first part has all segments or none.
            let after = if parts.len() > 1 { head.folded } else { 0 };
            let image = checked(Replay::begin(&contents.pairs, after)?, &mut pace).await?;
            if image.rebuilt || image.head != head {
                return Err(changed());
            }
            let aside = contents.pairs.iter().map(|(key, _)| key).filter(|key| key.starts_with(QUARANTINE));
            litter.keys.extend(image.stale.iter().chain(&contents.stale).chain(aside).cloned());
            image.damage.iter().for_each(|damage| litter.notice(&head, &damage.key));
        }
        Ok(litter)
    }

    /// The keys that are stored, and what was set aside.
    ///
    /// # Errors
    /// As [`litter`](Self::litter).
    ///
    /// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    pub(super) fn stored(&self, part: Loaded<Folding>) -> Pending<'_, Result<Stored>> {
        part.work(Box::pin(async move {
            let mut stored = Stored::default();
            for part in self.stored_parts() {
                let Contents { pairs, mut stale, .. } = self.stored_part(&part).await?;
                stored.stale.append(&mut stale);
                for (key, value) in pairs {
                    if key == HEAD_KEY {
                        stored.counter = head_counter(Some(&value))?;
                    }
                    if key.starts_with(QUARANTINE) {
                        stored.aside.push((key, value));
                    } else if key.starts_with("log/") || key.starts_with("segment/") {
                        stored.keys.push(key);
                    }
                }
            }
            Ok(stored)
        }))
    }

    /// All ranges of keys of what is stored, of about 8 MiB each, or less where less may be in memory. Of what is sealed, and of what is
    /// not more than that, it is one; else the first has all but segments.
    fn stored_parts(&self) -> Vec<(String, String)> {
        let state = self.inner.state.borrow();
        let most = MERGED_BYTES.min(self.inner.room.most_cached());
        let all: u64 = state.head.segments.iter().map(|segment| segment.bytes).sum();
        let mut ends = Vec::new();
        if all > most && !self.inner.vault.is_sealed() {
            ends.push(SEGMENTS.to_owned());
            let pieces = state.head.segments.iter().flat_map(|segment| {
                if segment.bytes <= most {
                    return vec![(segment_prefix(segment.id), segment.bytes)];
                }
                let numbers =
                    |column| (0..*Column::of(column, &segment.values)).map(move |number| (column, number));
                let values = Column::ALL.into_iter().flat_map(numbers);
                let key = |(column, number)| segment_key(segment.id, column, number);
                values.map(|value| (key(value), MAX_VALUE_BYTES as u64)).collect()
            });
            let mut bytes = 0;
            for (start, more) in in_order(pieces) {
                if bytes > 0 && bytes + more > most {
                    ends.push(start);
                    bytes = 0;
                }
                bytes += more;
            }
        }
        ends.push(END.to_owned());
        let starts = std::iter::once(String::new()).chain(ends.clone());
        starts.zip(ends).collect()
    }

    /// What stands in such a range.
    ///
    /// # Errors
    /// `Conflict` when it is sealed and the rest was not; those of reading it.
    async fn stored_part(&self, (start, end): &(String, String)) -> Result<Contents> {
        let vault = &self.inner.vault;
        if start.is_empty() && end == END {
            return vault.read(start, end, 0).await;
        }
        let pairs = vault.read_plain(start, end).await?.ok_or_else(changed)?;
        Ok(Contents { pairs, ..Contents::default() })
    }
}

impl Litter {
    /// Searches a part that has segments and nothing else.
    async fn search(
        &mut self,
        head: &Head,
        (contents, joining): (&Contents, &mut Joining),
        holds: &dyn Fn(&Part<'_>) -> bool,
        pace: &mut Pace<'_>,
    ) -> Result<()> {
        let named = |segment: &&LogSegment, column: Column, number| *column.of(&segment.values) > number;
        for (key, value) in &contents.pairs {
            let Some((id, column, number)) = parse_segment_key(key) else { continue };
            let of = head.segments.iter().find(|segment| segment.id == id);
            match of.filter(|segment| named(segment, column, number)) {
                Some(segment) => {
                    let whole = joining.take(key, value);
                    let is_held = whole.and_then(|whole| {
                        let Some((key, value)) = whole else { return Ok(false) };
                        Ok(read_value(&key, segment, column, &value, false)?.iter().any(holds))
                    });
                    match is_held {
                        Err(error) if error.code == Code::UnsupportedVersion => return Err(error),
                        Err(_) => {
                            *joining = Joining::default();
                            self.notice(head, key);
                        }
                        Ok(is_held) => {
                            let alone = self.extent.alone.get_or_insert_default();
                            if is_held && !alone.contains(&id) {
                                alone.push(id);
                            }
                        }
                    }
                }
                None => self.keys.push(key.clone()),
            }
            pace.spend(value.len() / SEARCHED).await;
        }
        Ok(())
    }

    /// Takes note of a key whose value is damaged.
    fn notice(&mut self, head: &Head, key: &str) {
        let is_of = |segment: &&LogSegment| key.starts_with(&segment_prefix(segment.id));
        if let Some(segment) = head.segments.iter().find(is_of) {
            self.extent.from = self.extent.from.min(segment.first);
        }
    }
}

fn changed() -> Error {
    Error::new(Code::Conflict, "the storage has changed; read again and retry")
}
