//! How conversations are summarised, as an application says when it opens a memory.

use super::level::Level;
use crate::error::Result;
use crate::memory::limits::invalid;
use serde::Deserialize;

/// How summaries are made.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SummaryOptions {
    /// Whether they are also made in the background where there is a model, each by a request of its own; false by default.
    pub auto: bool,
    /// What a summary leaves out; `sliding` by default.
    pub method: Method,
    /// How many of the last messages stay out of the summary, with `sliding`, 0 to 1000; 10 by default.
    pub keep: usize,
    /// How many more have to wait before they go into the summary, 1 to 1000; 10 by default.
    pub messages: usize,
    /// Or how many tokens of them, 1 to 1 000 000; no such limit by default.
    pub tokens: Option<usize>,
    /// What summaries are made of; threads, weeks and months by default.
    pub levels: Vec<Level>,
}

/// What a summary leaves out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// The last messages, which are in the prompt word for word.
    #[default]
    Sliding,
    /// Nothing.
    Recursive,
}

impl Default for SummaryOptions {
    fn default() -> Self {
        Self {
            auto: false,
            method: Method::Sliding,
            keep: 10,
            messages: 10,
            tokens: None,
            levels: vec![Level::Thread, Level::Week, Level::Month],
        }
    }
}

impl SummaryOptions {
    /// Checks the numbers, and that no level lacks the one it is made of.
    ///
    /// # Errors
    /// `InvalidInput` that names the option and its range.
    pub fn check(&self) -> Result<()> {
        let numbers = [
            ("keep", self.keep, 0, 1000),
            ("messages", self.messages, 1, 1000),
            ("tokens", self.tokens.unwrap_or(1), 1, 1_000_000),
        ];
        for (name, value, least, most) in numbers {
            if !(least..=most).contains(&value) {
                return Err(invalid(format!("summaries.{name} is {value}; {least} to {most} are allowed")));
            }
        }
        match self.levels.iter().find(|level| !self.levels.contains(&level.below())) {
            Some(level) => Err(invalid(format!(
                "summaries.levels holds {level:?} without {:?}, which it is made of; add it",
                level.below()
            ))),
            None => Ok(()),
        }
    }

    /// How many of the last messages stay out of a summary.
    pub(super) fn kept(&self) -> usize {
        if self.method == Method::Recursive { 0 } else { self.keep }
    }
}
