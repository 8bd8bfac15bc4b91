//! Sorting by any order, in one small piece of code: the standard library's is compiled anew for each type and each order.

use std::cmp::Ordering;

/// The items in an order, equals in the order given.
///
/// ```
/// let words = ["cherry", "fig", "apple", "kiwi"];
/// let by_length = mnemic_core::sort::sorted(&words, |a, b| a.len().cmp(&b.len()));
/// assert_eq!(by_length, [&"fig", &"kiwi", &"apple", &"cherry"]);
/// ```
pub fn sorted<T>(items: &[T], compare: impl Fn(&T, &T) -> Ordering) -> Vec<&T> {
    let places = places(items.len(), &|a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    places.into_iter().filter_map(|place| items.get(place)).collect()
}

/// Merges runs of one, two, four and so on.
fn places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    let mut merged = Vec::with_capacity(count);
    let mut run = 1;
    while run < count {
        merged.clear();
        for two in places.chunks(run * 2) {
            let (mut left, mut right) = two.split_at(run.min(two.len()));
            while let (Some((one, lefts)), Some((other, rights))) = (left.split_first(), right.split_first())
            {
                if compare(*other, *one) == Ordering::Less {
                    merged.push(*other);
                    right = rights;
                } else {
                    merged.push(*one);
                    left = lefts;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        std::mem::swap(&mut places, &mut merged);
        run *= 2;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_the_stable_order(items in prop::collection::vec((0..20u8, any::<u8>()), 0..300)) {
            let mut expected: Vec<&(u8, u8)> = items.iter().collect();
            expected.sort_by_key(|item| std::cmp::Reverse(item.0));
            prop_assert_eq!(sorted(&items, |a, b| b.0.cmp(&a.0)), expected);
        }
    }
}
