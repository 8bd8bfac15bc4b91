//! Reading a large memory that is sound and not encrypted, some values at a time: what was read is let go of as soon as it is taken
//! in, so that opening needs little more memory than what it leads to.
//!
//! The head and the log are one read, and what the head names never changes while it is there. So a value that is missing was
//! folded by another engine meanwhile, or is damaged: then, as whenever anything is not as it should be, everything is read at once,
//! which says what is wrong.

use super::pace::Pace;
use super::room::Room;
use crate::error::Result;
use crate::log::{Column, HEAD_KEY, Head, LogSegment, Part, QUARANTINE, Replay, read_value, segment_key};
use crate::ordered::in_order;
use crate::ports::{Folding, Loaded, Pairs, Pending, Platform};
use crate::store::{Recovered, Store};
use crate::vault::{Contents, Vault};

/// Before the keys of segments and behind all others.
const SEGMENTS: &str = "segment/";
/// Just beyond every key of a segment.
const SEGMENTS_END: &str = "segment0";
/// What has fewer bytes is read at once: each reading takes about a millisecond in a browser.
const LARGE_BYTES: u64 = 4 << 20;
/// How many values of about a MiB are read at once.
const VALUES: u32 = 4;

/// Reads the storage; `None` when it is small, sealed, or not as it should be.
///
/// # Errors
/// Those of reading the storage, and `QuotaExceeded` when there is no room for what it holds.
pub(super) async fn read_sound(
    vault: &Vault,
    platform: &dyn Platform,
    embedder: &str,
    room: &Room,
) -> Result<Option<(Contents, Recovered)>> {
    let Some(pairs) = vault.read_plain("", SEGMENTS).await? else { return Ok(None) };
    let Some(head) = large_head(&pairs) else { return Ok(None) };
    match Loaded::by(platform).await {
        Ok(part) => take_sound(part, vault, platform, embedder, room, (pairs, head)).await,
        // It can be read without the part, too.
        Err(_) => Ok(None),
    }
}

/// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
#[inline(never)]
fn take_sound<'a>(
    part: Loaded<Folding>,
    vault: &'a Vault,
    platform: &'a dyn Platform,
    embedder: &'a str,
    room: &'a Room,
    begun: (Pairs, Head),
) -> Pending<'a, Result<Option<(Contents, Recovered)>>> {
    part.work(Box::pin(take(vault, platform, embedder, room, begun)))
}

async fn take(
    vault: &Vault,
    platform: &dyn Platform,
    embedder: &str,
    room: &Room,
    (pairs, head): (Pairs, Head),
) -> Result<Option<(Contents, Recovered)>> {
    let pace = &mut Pace::new(platform);
    let mut store = Store::new(embedder);
    let starts = starts(&head);
    for segment in &head.segments {
        if !take_column(vault, &mut store, (segment, Column::Commits), &starts, pace).await? {
            return Ok(None);
        }
        room.check_read(&store)?;
    }
    let Some((tail, stale)) = take_log(&mut store, &pairs, &head, pace).await else { return Ok(None) };
    if store.sequence() != head.sequence || store.counts().commits as u64 != head.sequence {
        return Ok(None);
    }
    for column in [Column::Terms, Column::Vectors] {
        for segment in &head.segments {
            if !take_column(vault, &mut store, (segment, column), &starts, pace).await? {
                return Ok(None);
            }
            room.check_read(&store)?;
        }
    }
    let mut first = 0;
    while let Some((next, work)) = store.index_texts_from(first) {
        first = next;
        pace.spend(work).await;
    }
    let recovered = Recovered {
        store,
        head,
        rebuilt: false,
        damage: Vec::new(),
        stale,
        tail: tail.into_iter().collect(),
    };
    Ok(Some((Contents { pairs, ..Contents::default() }, recovered)))
}

/// The head of a large memory of which nothing was set aside.
fn large_head(pairs: &Pairs) -> Option<Head> {
    if pairs.iter().any(|(key, _)| key.starts_with(QUARANTINE)) {
        return None;
    }
    let (_, value) = pairs.iter().find(|(key, _)| key == HEAD_KEY)?;
    let head = Head::decode(value).ok()?;
    let bytes: u64 = head.segments.iter().map(|segment| segment.bytes).sum();
    (bytes >= LARGE_BYTES).then_some(head)
}

/// The first key of each column that the head names, in order.
fn starts(head: &Head) -> Vec<String> {
    in_order(head.segments.iter().flat_map(|segment| {
        let columns = Column::ALL.into_iter().filter(|column| *column.of(&segment.values) > 0);
        columns.map(|column| segment_key(segment.id, column, 0))
    }))
}

/// Takes in a column of a segment; `false` when it is not as it should be. What lies between it and the next column that is named
/// is read along: a write that was cut short may have left it.
async fn take_column(
    vault: &Vault,
    store: &mut Store,
    (segment, column): (&LogSegment, Column),
    starts: &[String],
    pace: &mut Pace<'_>,
) -> Result<bool> {
    let count = *column.of(&segment.values);
    let next = starts.partition_point(|start| *start <= segment_key(segment.id, column, 0));
    for first in (0..count).step_by(VALUES as usize) {
        let end = count.min(first + VALUES);
        let own = (segment_key(segment.id, column, first), segment_key(segment.id, column, end));
        let start = if next == 1 && first == 0 { SEGMENTS } else { &own.0 };
        let beyond = || starts.get(next).map_or(SEGMENTS_END, String::as_str);
        let behind = if end == count { beyond() } else { &own.1 };
        let Some(pairs) = vault.read_plain(start, behind).await? else { return Ok(false) };
        let expected = (first..end).map(|number| segment_key(segment.id, column, number));
        if !pairs.iter().map(|(key, _)| key.as_str()).eq(expected) {
            return Ok(false);
        }
        for (key, value) in pairs {
            let Ok(parts) = read_value(&key, segment, column, &value) else { return Ok(false) };
            for part in &parts {
                let Ok(work) = store.take_in(part) else { return Ok(false) };
                pace.spend(work).await;
            }
        }
    }
    Ok(true)
}

/// Takes in the log: its commits with their bytes, and the keys of it that belong to no state; `None` when it is not as it should be.
async fn take_log(
    store: &mut Store,
    pairs: &Pairs,
    head: &Head,
    pace: &mut Pace<'_>,
) -> Option<(Vec<(u64, usize)>, Vec<String>)> {
    if store.sequence() != head.folded {
        return None;
    }
    let mut replay = Replay::begin(pairs, head.folded).ok()?;
    while replay.step().ok()?.is_some() {}
    let image = replay.end();
    if image.rebuilt || !image.damage.is_empty() {
        return None;
    }
    let mut tail = Vec::new();
    for part in &image.parts {
        pace.spend(store.take_in(part).ok()?).await;
        if let Part::Commit(commit) = part {
            tail.push((commit.sequence, commit.bytes()));
        }
    }
    Some((tail, image.stale))
}
