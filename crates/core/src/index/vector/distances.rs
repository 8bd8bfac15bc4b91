//! The distances of many sketches, of which a search needs the least.

use super::kernel;
use super::reach::Histogram;

/// How many distances are looked at together; most such groups have no row to score.
const GROUP: usize = 64;

/// Distances in the order of their rows.
pub(super) struct Distances {
    distances: Vec<u16>,
    /// The least of each group.
    least: Vec<u16>,
    /// The greatest that can be.
    farthest: u16,
}

impl Distances {
    pub(super) fn new(distances: Vec<u16>, farthest: u16) -> Self {
        let least = |group: &[u16]| group.iter().fold(u16::MAX, |least, distance| least.min(*distance));
        let least = distances.chunks(GROUP).map(least).collect();
        Self { distances, least, farthest }
    }

    /// The smallest distance within which there are at least `rows` rows; the largest distance when there are not.
    pub(super) fn holding(&self, rows: usize) -> u16 {
        // So many groups have a row each as near as this or nearer, which leaves few to be counted.
        let enough = Histogram::new(self.farthest, self.least.iter().copied()).holding(rows);
        let near = self.within(0, enough).map(|(_, distance)| distance);
        Histogram::new(self.farthest, near).holding(rows)
    }

    /// The distances from `nearest` to `farthest` with their places, in order.
    pub(super) fn within(&self, nearest: u16, farthest: u16) -> impl Iterator<Item = (usize, u16)> {
        let groups = self.distances.chunks(GROUP).zip(&self.least).zip((0..).step_by(GROUP));
        let groups = groups.filter(move |((_, least), _)| **least <= farthest);
        groups.flat_map(move |((group, _), start)| {
            let mut left = kernel::within(group, nearest, farthest);
            std::iter::from_fn(move || {
                let at = left.trailing_zeros() as usize;
                let distance = *group.get(at)?;
                left &= left - 1;
                Some((start + at, distance))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_in_every_group() {
        let distances: Vec<u16> = (0..1003).map(|i| i * 7 % 50).collect();
        let expected: Vec<(usize, u16)> =
            (0..).zip(distances.iter().copied()).filter(|(_, distance)| (3..=5).contains(distance)).collect();
        let distances = Distances::new(distances, 50);
        assert_eq!(distances.within(3, 5).collect::<Vec<_>>(), expected);
        assert_eq!(distances.within(6, 5).count(), 0);
        assert_eq!(distances.within(0, u16::MAX).count(), 1003);
    }

    #[test]
    fn it_tells_which_distance_holds_enough() {
        let distances: Vec<u16> = (0..1000_u32).map(|i| (i * i % 389) as u16).collect();
        for count in [0, 1, 7, 64, 1000] {
            let mut sorted = distances.get(..count).unwrap().to_vec();
            sorted.sort_unstable();
            let of = Distances::new(distances.get(..count).unwrap().to_vec(), 400);
            for rows in [1, 2, 15, 16, 17, 63, 64, 999, 1000, 1001] {
                assert_eq!(
                    of.holding(rows),
                    sorted.get(rows - 1).copied().unwrap_or(400),
                    "{rows} of {count}"
                );
            }
        }
    }
}
