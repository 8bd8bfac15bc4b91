//! Heat: how much a segment is used. It is made anew whenever it is read, so that time always counts.

use super::options::TierOptions;
use crate::time::Timestamp;
use serde::Serialize;

/// A segment's heat and what it is made of: `alpha * visits + beta * pages + gamma * recency`, as in "Memory OS of AI Agent"
/// (Kang et al., 2025).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Heat {
    /// The heat.
    pub value: f64,
    /// How often it was retrieved.
    pub visits: u32,
    /// How many pages came since it was last distilled.
    pub pages: u32,
    /// From 1 just after the last visit towards 0: `exp(-seconds since / mu)`.
    pub recency: f64,
}

impl Heat {
    /// The heat at a time. A visit that lies in the future counts as just now.
    pub(crate) fn at(
        now: Timestamp,
        visits: u32,
        pages: u32,
        last_visit_at: Timestamp,
        options: &TierOptions,
    ) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "times are below 2^53")]
        let seconds = (now - last_visit_at).max(0) as f64 / 1000.0;
        let recency = (-seconds / options.mu).exp();
        let value =
            options.alpha * f64::from(visits) + options.beta * f64::from(pages) + options.gamma * recency;
        Self { value, visits, pages, recency }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Map;

    #[test]
    fn is_what_the_formula_gives_by_hand() {
        let options = TierOptions::read(&Map::new()).unwrap();
        let second = 1000;
        let close = |heat: Heat, value: f64, recency: f64| {
            assert!((heat.value - value).abs() < 1e-12 && (heat.recency - recency).abs() < 1e-12, "{heat:?}");
        };
        close(Heat::at(5, 0, 0, 5, &options), 1.0, 1.0);
        close(Heat::at(5, 2, 3, 9, &options), 6.0, 1.0);
        // After mu seconds, about 116 days, 1/e is left; after twice as many its square.
        let e = std::f64::consts::E;
        close(Heat::at(10_000_000 * second, 2, 3, 0, &options), 5.0 + 1.0 / e, 1.0 / e);
        close(Heat::at(20_000_000 * second, 0, 1, 0, &options), 1.0 + 1.0 / (e * e), 1.0 / (e * e));
        // A day: exp(-86400 / 1e7) = exp(-0.00864).
        close(Heat::at(86_400 * second, 0, 4, 0, &options), 4.991_397_217_536_366, 0.991_397_217_536_365_4);
        let weighed = TierOptions { alpha: 0.5, beta: 2.0, gamma: 10.0, mu: 100.0, ..options };
        close(Heat::at(100 * second, 4, 3, 0, &weighed), 8.0 + 10.0 / e, 1.0 / e);
    }
}
