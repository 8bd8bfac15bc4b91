//! Lists that grow by a quarter or a half of themselves, and not to twice their length: what they reserve beyond their items is
//! memory too.

/// Up to this many items a list grows by a half, for growing takes time.
const SHORT: usize = 64;

/// Adds an item behind the others.
pub fn push<T>(items: &mut Vec<T>, item: T) {
    if items.len() == items.capacity() {
        let part = if items.len() < SHORT { 2 } else { 4 };
        items.reserve_exact(items.len() / part + 1);
    }
    items.push(item);
}
