//! Sections: the named parts of a prompt, in the order in which they stand there.

use crate::error::Result;
use serde::{Serialize, Serializer};

/// A part of what a model is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// What it is to do and how.
    Instructions,
    /// The blocks of its working memory.
    Blocks,
    /// Fields of the profiles.
    Profile,
    /// Facts.
    Facts,
    /// Facts that are not related to what is asked, and matter.
    Significant,
    /// How things went.
    Episodes,
    /// Entities and relations.
    Graph,
    /// What other conversations were about.
    Summaries,
    /// What this conversation was about so far.
    Summary,
    /// What was said.
    Messages,
    /// What the user says or asks now.
    Question,
}

impl Section {
    /// Every section, in order.
    pub const ALL: [Self; 11] = [
        Self::Instructions,
        Self::Blocks,
        Self::Profile,
        Self::Facts,
        Self::Significant,
        Self::Episodes,
        Self::Graph,
        Self::Summaries,
        Self::Summary,
        Self::Messages,
        Self::Question,
    ];

    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Blocks => "blocks",
            Self::Profile => "profile",
            Self::Facts => "facts",
            Self::Significant => "significant",
            Self::Episodes => "episodes",
            Self::Graph => "graph",
            Self::Summaries => "summaries",
            Self::Summary => "summary",
            Self::Messages => "messages",
            Self::Question => "question",
        }
    }
}

impl Serialize for Section {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
