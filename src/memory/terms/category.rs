//! What a fact is about.

use serde::{Deserialize, Serialize};

/// What a fact is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// What the user likes, dislikes or prefers.
    Preference,
    /// Who the user is.
    #[serde(rename = "personal info")]
    PersonalInfo,
    /// What the user works towards.
    Goal,
    /// What the user has difficulty with.
    #[serde(rename = "pain point")]
    PainPoint,
    /// What the user has made up their mind about.
    Decision,
    /// What happened to the user.
    Event,
    /// How the user wants to be answered.
    Instruction,
    /// Anything else.
    #[default]
    Other,
}

impl Category {
    /// Every category.
    pub const ALL: [Self; 8] = [
        Self::Preference,
        Self::PersonalInfo,
        Self::Goal,
        Self::PainPoint,
        Self::Decision,
        Self::Event,
        Self::Instruction,
        Self::Other,
    ];

    /// The category's name, such as `"personal info"`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Preference => "preference",
            Self::PersonalInfo => "personal info",
            Self::Goal => "goal",
            Self::PainPoint => "pain point",
            Self::Decision => "decision",
            Self::Event => "event",
            Self::Instruction => "instruction",
            Self::Other => "other",
        }
    }
}
