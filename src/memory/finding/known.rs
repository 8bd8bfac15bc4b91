//! Whether what fits answers what is asked.

use serde::Serialize;

/// From which relevance on what fits answers, as a rule.
const ANSWERS: f32 = 0.5;
/// From which on it has to do with what is asked.
pub(crate) const TOUCHES: f32 = 0.15;

/// Whether what is asked is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Known {
    /// Something fits that answers, as a rule.
    Yes,
    /// Something has to do with it.
    Partly,
    /// Nothing fits.
    No,
}

impl Known {
    /// Whether a result of so much relevance answers.
    pub(crate) fn by(relevance: f32) -> Self {
        match relevance {
            relevance if relevance >= ANSWERS => Self::Yes,
            relevance if relevance >= TOUCHES => Self::Partly,
            _ => Self::No,
        }
    }
}
