//! The two stages of a search: the rows whose sketches are near, and their exact similarities.

use super::columns::Columns;
use super::distances::Distances;
use super::hit::{Best, Wanted};
use super::reach::{Histogram, reach};
use super::sketch::{self, Weighted};

/// By how much each further round may grow, and how many more rows are scored by their sketches alone.
const GROWTH: usize = 4;

/// So many reads of codes that are elsewhere end a search once their weighted distances are compared. In 200 000 hashed texts of which none is near, .99 of
/// the ten nearest are among the rows that take so many; all that may be near would take ten times as many.
const MOST_READS: usize = 1024;

/// What is looked for.
pub(super) struct Query<'a> {
    pub(super) scale: f32,
    pub(super) codes: &'a [i16],
}

/// A search for the nearest of many rows.
pub(super) struct Near<'a> {
    pub(super) columns: &'a Columns,
    pub(super) query: Query<'a>,
    /// How many hits are wanted.
    pub(super) limit: usize,
    /// The similarity below which a hit may be left out.
    pub(super) least: f32,
}

/// A row that may be a hit, and how far away its sketch is by weight.
struct Candidate {
    row: u32,
    distance: u16,
}

impl Near<'_> {
    /// Rows scored per wanted hit before the first look at how far to go.
    pub(super) const FIRST_ROUND: usize = 4;

    /// Scores the nearest rows of all, and then all of which the sketch is as near as that of a hit may be. When these are many, the
    /// weighted distances tell more of them apart.
    ///
    /// Whole distances are taken in, so the hits do not depend on the order of the rows, unless too much of what is elsewhere was read.
    pub(super) fn search(&self, best: &mut Best<'_>) {
        let sketch = sketch::of(self.query.codes);
        let bits = u16::try_from(sketch.len() * 64).unwrap_or(u16::MAX);
        let dimensions = u16::try_from(self.query.codes.len()).unwrap_or(u16::MAX);
        let mut distances = Vec::with_capacity(self.columns.len());
        self.columns.sketches().for_each(|rows| sketch::distances(&sketch, rows, &mut distances));
        let distances = Distances::new(distances, bits);
        let within = |nearest, farthest| -> Vec<u32> {
            distances.within(nearest, farthest).map(|(place, _)| place as u32).collect()
        };
        // Each row that is asked takes longer than to compare its sketch.
        let wanted = best.wanted();
        let held = self.held();
        let first = reach(self.least, bits, dimensions).min(distances.holding(held));
        self.score(&self.columns.wanted_of(&within(0, first), wanted), best);
        let left = within(first + 1, reach(best.least(self.least), bits, dimensions));
        if left.len() <= held.saturating_mul(GROWTH) {
            return self.score(&self.columns.wanted_of(&left, wanted), best);
        }
        let weighted = Weighted::new(self.query.codes);
        let distances = self.weighted(&weighted, &left);
        let left = left.into_iter().zip(distances).map(|(row, distance)| Candidate { row, distance });
        self.search_weighted(&weighted, (left.collect(), Some(wanted)), held, best);
    }

    /// The same among these rows, which are few of all: their sketches are far apart in memory, so they are compared by weight at once,
    /// which tells more and takes no second look at them.
    pub(super) fn search_among(&self, rows: &[u32], best: &mut Best<'_>) {
        let weighted = Weighted::new(self.query.codes);
        let distances = Distances::new(self.weighted(&weighted, rows), weighted.farthest());
        let within = |nearest, farthest| -> Vec<Candidate> {
            let places = distances.within(nearest, farthest);
            let candidate = |(place, distance)| Some(Candidate { row: *rows.get(place)?, distance });
            places.filter_map(candidate).collect()
        };
        let held = self.held();
        let first = weighted.reach(self.least).min(distances.holding(held));
        let nearest: Vec<u32> = within(0, first).iter().map(|one| one.row).collect();
        self.score(&nearest, best);
        let left = within(first + 1, weighted.reach(best.least(self.least)));
        self.search_weighted(&weighted, (left, None), held.saturating_mul(GROWTH), best);
    }

    /// How many rows are scored before the first look at how far to go.
    fn held(&self) -> usize {
        self.limit.max(1).saturating_mul(Self::FIRST_ROUND)
    }

    /// Takes the exact similarities of rows. These are far apart in memory: some are looked at together before they are compared, so
    /// that one does not wait for another to arrive.
    fn score(&self, rows: &[u32], best: &mut Best<'_>) {
        best.offer_all(rows.chunks(sketch::TOGETHER).flat_map(|some| {
            some.iter().for_each(|row| self.columns.codes.fetch(*row as usize));
            some.iter().map(|row| self.columns.score(&self.query, *row as usize))
        }));
    }

    /// How far away the sketch of each of these rows is by weight.
    fn weighted(&self, weighted: &Weighted, rows: &[u32]) -> Vec<u16> {
        let mut distances = Vec::with_capacity(rows.len());
        weighted.distances(self.columns.sketches_of(rows), &mut distances);
        distances
    }

    /// Scores rows in rounds of growing distance, until no farther row is likely to be a hit, or too much of what is elsewhere was
    /// read. In a round rows come in their order, in which codes that are elsewhere follow one another. Those of a round are asked whether
    /// they are `wanted`, where that is not known.
    fn search_weighted(
        &self,
        weighted: &Weighted,
        (mut candidates, wanted): (Vec<Candidate>, Option<Wanted<'_>>),
        mut held: usize,
        best: &mut Best<'_>,
    ) {
        let before = self.columns.codes.reads();
        while !candidates.is_empty() {
            let histogram = Histogram::new(weighted.farthest(), candidates.iter().map(|one| one.distance));
            let reach = weighted.reach(best.least(self.least));
            let farthest = reach.min(histogram.holding(held));
            let mut round = Vec::new();
            candidates.retain(|one| {
                if one.distance <= farthest {
                    round.push(one.row);
                }
                one.distance > farthest && one.distance <= reach
            });
            if let Some(wanted) = wanted {
                round = self.columns.wanted_of(&round, wanted);
            }
            self.score(&round, best);
            held = held.saturating_mul(GROWTH);
            if !self.columns.codes.are_kept() {
                let left = MOST_READS.saturating_sub(self.columns.codes.reads() - before);
                if left == 0 {
                    return;
                }
                held = held.min(left);
            }
        }
    }
}
