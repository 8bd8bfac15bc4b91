//! Layouts: which sections a block of lines has, and what stands around them.

use super::Section;

/// What a block of lines looks like.
pub(crate) struct Layout {
    /// What opens and closes it; remembered text can hold neither. Empty where something else does.
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// Its sections, in order, each with what stands over its lines; nothing where that is empty.
    pub(super) sections: &'static [(Section, &'static str)],
}

impl Layout {
    /// What is remembered, in sections with headings.
    pub(crate) const MEMORY: Self = Self {
        open: "<memory>",
        close: "</memory>",
        sections: &[
            (Section::Instructions, "Instructions:"),
            (Section::Blocks, "Working memory:"),
            (Section::Profile, "Profile:"),
            (Section::Facts, "Facts:"),
            (Section::Significant, "Other facts:"),
            (Section::Episodes, "Examples:"),
            (Section::Graph, "People and things:"),
            (Section::Summaries, "Summaries of past conversations:"),
            (Section::Summary, "This conversation so far:"),
            (Section::Messages, "Earlier conversations:"),
            (Section::Question, "Question:"),
        ],
    };

    /// Lines without headings, in a template that has a place for them.
    pub(crate) const LINES: Self = Self { open: "", close: "", sections: &[(Section::Facts, "")] };
}
