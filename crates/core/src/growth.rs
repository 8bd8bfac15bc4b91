//! Lists that grow by a quarter or a half of themselves, and not to twice their length: what they reserve beyond their items is
//! memory too.

/// Up to this many items a list grows by a half, for growing takes time.
const SHORT: usize = 64;

/// What an entry of a hash map takes beside itself.
const CONTROL_BYTES: usize = 1;

/// The most bytes that a list of so many items has which grew by [`push`]. It depends on what is in the list and not on how it
/// grew, as do the next two, so that what is counted before it is stored is no less than what is counted when it is read again.
#[must_use]
pub fn list_bytes(items: usize, item: usize) -> usize {
    let part = if items < SHORT { 2 } else { 4 };
    (items + items / part) * item
}

/// The most bytes that a list of so many items has which grew to twice its length each time.
#[must_use]
pub fn doubled_bytes(items: usize, item: usize) -> usize {
    2 * items * item
}

/// The most bytes that a hash map of so many entries has: its places are a power of two, of which up to seven eighths are taken.
#[must_use]
pub fn map_bytes(entries: usize, entry: usize) -> usize {
    entries * 16 / 7 * (entry + CONTROL_BYTES)
}

/// Adds an item behind the others.
pub fn push<T>(items: &mut Vec<T>, item: T) {
    reserve(items, 1);
    items.push(item);
}

/// Makes room for so many items behind the others, and for as many as [`push`] does: making room for a few again and again would
/// move them all each time.
pub fn reserve<T>(items: &mut Vec<T>, more: usize) {
    if items.capacity() - items.len() < more {
        let part = if items.len() < SHORT { 2 } else { 4 };
        items.reserve_exact(more.max(items.len() / part + 1));
    }
}
