//! How the window of a model is used.

use crate::error::Result;
use crate::memory::blocks::MAX_BLOCKS;
use crate::memory::blocks::{SetBlock, check_label};
use crate::memory::limits::{self, invalid};
use serde::Deserialize;

/// The fewest and most tokens of a window; in fewer there is no room for messages beside the functions.
const WINDOW: std::ops::RangeInclusive<usize> = 4000..=10_000_000;
/// The most calls of one step.
pub(super) const MAX_CALLS: usize = 1000;
/// The most bytes of the application's instructions.
const MAX_INSTRUCTIONS_BYTES: usize = 64 * 1024;

/// How the window of a model is used.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ContextOptions {
    /// The tokens of the model's window, answer included, 4000 to 10 000 000; 8000 by default. Instructions that are long need a
    /// larger one.
    pub window: usize,
    /// How many of them are for the answer, 100 up to half of the window; 1000 by default.
    pub reserve: usize,
    /// From which share of the queue's room the model is told to save what matters, above 0 and below 1; 0.7 by default.
    pub warning: f64,
    /// Who the model is to be and what it is to do, up to 64 KiB; never evicted. None by default.
    pub instructions: Option<String>,
    /// The blocks a scope has before anybody changes them; `persona` and `human`, both empty, by default.
    pub blocks: Option<Vec<SetBlock>>,
    /// How many calls one step may make, 1 to 1000; 10 by default.
    pub max_calls: usize,
    /// How many tokens one step may send and receive in all; no limit by default.
    pub max_tokens: Option<usize>,
}

impl Default for ContextOptions {
    fn default() -> Self {
        Self {
            window: 8000,
            reserve: 1000,
            warning: 0.7,
            instructions: None,
            blocks: None,
            max_calls: 10,
            max_tokens: None,
        }
    }
}

impl ContextOptions {
    /// Refuses what cannot be honoured.
    ///
    /// # Errors
    /// `InvalidInput` that names the option, the limits and the cure.
    pub(crate) fn check(&self) -> Result<()> {
        limits::whole("context.window", self.window, WINDOW)?;
        limits::whole("context.reserve", self.reserve, 100..=self.window / 2)?;
        if !(self.warning > 0.0 && self.warning < 1.0) {
            return Err(invalid("context.warning is a share above 0 and below 1, such as 0.7".to_owned()));
        }
        check_calls("context.maxCalls", self.max_calls)?;
        if let Some(instructions) = &self.instructions {
            limits::bytes("context.instructions", instructions, MAX_INSTRUCTIONS_BYTES)?;
        }
        let blocks = self.blocks.as_deref().unwrap_or_default();
        if blocks.len() > MAX_BLOCKS {
            let count = blocks.len();
            return Err(invalid(format!(
                "context.blocks has {count} items; at most {MAX_BLOCKS} are allowed"
            )));
        }
        for (place, block) in blocks.iter().enumerate() {
            let at = |error: crate::Error| error.about(&format!("context.blocks[{place}]"));
            check_label(&block.label).map_err(at)?;
            block.fresh().check().map_err(at)?;
            if blocks.iter().take(place).any(|other| other.label == block.label) {
                return Err(invalid(format!(
                    "context.blocks has {:?} twice; labels are unique",
                    block.label
                )));
            }
        }
        Ok(())
    }

    /// The blocks of a scope where nobody changed them.
    pub(crate) fn blocks(&self) -> Vec<SetBlock> {
        self.blocks.clone().unwrap_or_else(|| {
            let empty = |label: &str, description: &str| SetBlock {
                description: Some(description.to_owned()),
                ..SetBlock::named(label)
            };
            vec![
                empty("persona", "Who you are: your name, your manner, how you speak with this person."),
                empty("human", "What you know about the person you speak with."),
            ]
        })
    }
}

/// Refuses a number of calls that is none.
pub(super) fn check_calls(name: &str, calls: usize) -> Result<()> {
    limits::whole(name, calls, 1..=MAX_CALLS)
}
