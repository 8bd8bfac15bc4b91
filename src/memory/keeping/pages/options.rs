//! How the tiers are kept, as an application says when it opens a memory.

use crate::error::Result;
use crate::memory::limits::invalid;
use serde_json::{Map, Value};

/// The numbers of the tiers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TierOptions {
    /// How many pages stand in the short-term queue.
    pub(crate) capacity: usize,
    /// How many segments the middle tier holds.
    pub(crate) segments: usize,
    /// From which likeness on a page joins a segment.
    pub(crate) similarity: f64,
    /// From which heat on a segment is distilled.
    pub(crate) heat: f64,
    /// What a visit weighs.
    pub(crate) alpha: f64,
    /// What a page weighs.
    pub(crate) beta: f64,
    /// What recency weighs.
    pub(crate) gamma: f64,
    /// In how many seconds recency falls to 1/e.
    pub(crate) mu: f64,
    /// How many facts, and how many traits of the assistant, distilling keeps.
    pub(crate) knowledge: usize,
    /// How many segments, pages and facts a retrieval answers.
    pub(crate) top_segments: usize,
    pub(crate) top_pages: usize,
    pub(crate) top_knowledge: usize,
}

/// The options: name, default, least, most, and whether only whole numbers will do.
const NUMBERS: [(&str, f64, f64, f64, bool); 12] = [
    ("capacity", 7.0, 1.0, 100.0, true),
    ("segments", 200.0, 1.0, 2000.0, true),
    ("similarity", 0.6, 0.0, 2.0, false),
    ("heat", 5.0, 0.0, 1e6, false),
    ("alpha", 1.0, 0.0, 1e3, false),
    ("beta", 1.0, 0.0, 1e3, false),
    ("gamma", 1.0, 0.0, 1e3, false),
    ("mu", 1e7, 1.0, 1e10, false),
    ("knowledge", 100.0, 1.0, 1000.0, true),
    ("topSegments", 5.0, 1.0, 100.0, true),
    ("topPages", 10.0, 1.0, 100.0, true),
    ("topKnowledge", 10.0, 1.0, 100.0, true),
];

impl TierOptions {
    /// Reads the options by name; what is not given has its default.
    ///
    /// # Errors
    /// `InvalidInput` that names the option and its range.
    pub(crate) fn read(given: &Map<String, Value>) -> Result<Self> {
        if let Some(name) = given.keys().find(|name| NUMBERS.iter().all(|number| number.0 != *name)) {
            let names: Vec<&str> = NUMBERS.iter().map(|number| number.0).collect();
            return Err(invalid(format!(
                "tiers.{name} is not an option; the options are {}",
                names.join(", ")
            )));
        }
        let mut read = NUMBERS.map(|(_, default, ..)| default);
        for (slot, (name, _, least, most, whole)) in read.iter_mut().zip(NUMBERS) {
            let Some(value) = given.get(name).filter(|value| !value.is_null()) else { continue };
            *slot = number(&format!("tiers.{name}"), value, least, most, whole)?;
        }
        let [capacity, segments, similarity, heat, alpha, beta, gamma, mu, knowledge, tops @ ..] = read;
        let [top_segments, top_pages, top_knowledge] = tops.map(count);
        let (capacity, segments, knowledge) = (count(capacity), count(segments), count(knowledge));
        Ok(Self {
            capacity,
            segments,
            similarity,
            heat,
            alpha,
            beta,
            gamma,
            mu,
            knowledge,
            top_segments,
            top_pages,
            top_knowledge,
        })
    }

    /// How many pages go into one move when the queue has just overflowed: two thirds of what stands in it.
    pub(crate) fn batch(&self) -> usize {
        self.capacity - self.capacity / 3
    }
}

/// A number in its range.
fn number(name: &str, value: &Value, least: f64, most: f64, whole: bool) -> Result<f64> {
    let number = value.as_f64().filter(|number| (least..=most).contains(number));
    number.filter(|number| !whole || number.fract() == 0.0).ok_or_else(|| {
        let kind = if whole { "whole numbers" } else { "numbers" };
        let (least, most) = (Value::from(least), Value::from(most));
        invalid(format!("{name} is {value}; {kind} from {least} to {most} are allowed"))
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole and in its range, as was checked"
)]
fn count(number: f64) -> usize {
    number as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;
    use serde_json::json;

    fn read(given: &Value) -> Result<TierOptions> {
        TierOptions::read(given.as_object().unwrap())
    }

    #[test]
    fn what_is_not_given_has_its_default() {
        let options = read(&json!({ "heat": 3.5, "topPages": 4 })).unwrap();
        assert_eq!((options.capacity, options.segments, options.knowledge), (7, 200, 100));
        assert_eq!((options.top_segments, options.top_pages, options.top_knowledge), (5, 4, 10));
        assert_eq!((options.similarity, options.heat, options.mu), (0.6, 3.5, 1e7));
        assert_eq!(options.batch(), 5);
        let batch = |capacity: usize| TierOptions { capacity, ..options.clone() }.batch();
        assert_eq!((batch(1), batch(2), batch(3), batch(9)), (1, 2, 2, 6));
    }

    #[test]
    fn what_is_out_of_range_is_named() {
        for (given, told) in [
            (json!({ "capacity": 0 }), "tiers.capacity is 0"),
            (json!({ "capacity": 2.5 }), "whole numbers"),
            (json!({ "similarity": -1 }), "from 0.0 to 2.0"),
            (json!({ "mu": "long" }), "tiers.mu is \"long\""),
            (json!({ "pages": 5 }), "tiers.pages is not an option"),
        ] {
            let error = read(&given).unwrap_err();
            assert_eq!(error.code, Code::InvalidInput);
            assert!(error.message.contains(told), "{}", error.message);
        }
    }
}
