//! Shares: how much of a prompt each section may take, and which are filled first.

use super::Section;
use crate::error::Result;
use crate::json::shown;
use crate::memory::limits::invalid;
use crate::sort::sorted;
use serde_json::{Map, Value};

/// Of each section the share of all tokens in percent, and its priority.
pub(crate) type Defaults = [(Section, usize, i64)];

/// What a section may have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Share {
    pub(crate) section: Section,
    /// At most so many tokens.
    pub(crate) most: usize,
    /// Whether the application says so.
    pub(crate) is_own: bool,
    /// The greatest is filled first.
    priority: i64,
}

/// The shares as the application wants them, the first to be filled first.
///
/// # Errors
/// `InvalidInput` for an unknown section, for one that is none of `defaults`, and for what is neither a share nor
/// `{ priority, maxTokens }`.
pub(crate) fn shares(
    defaults: &Defaults,
    wanted: &Map<String, Value>,
    max_tokens: usize,
) -> Result<Vec<Share>> {
    let share = |(section, percent, priority): &(Section, usize, i64)| {
        let most = max_tokens * percent / 100;
        Share { section: *section, most, is_own: false, priority: *priority }
    };
    let mut shares: Vec<Share> = defaults.iter().map(share).collect();
    for (name, value) in wanted {
        let Some(share) = shares.iter_mut().find(|share| share.section.as_str() == name) else {
            let names: Vec<&str> = defaults.iter().map(|(section, ..)| section.as_str()).collect();
            return Err(invalid(format!(
                "sections.{name} has no share here; these have: {}",
                names.join(", ")
            )));
        };
        share.read(value, max_tokens).map_err(|told| invalid(format!("sections.{name}{told}")))?;
    }
    Ok(sorted(&shares, |a, b| b.priority.cmp(&a.priority)).into_iter().copied().collect())
}

impl Share {
    fn read(&mut self, value: &Value, max_tokens: usize) -> Result<(), String> {
        let Value::Object(members) = value else {
            let share = value.as_f64().filter(|share| (0.0..=1.0).contains(share));
            let share =
                share.ok_or_else(|| ": write a share from 0 to 1, or { priority, maxTokens }".to_owned())?;
            self.most = (share * max_tokens as f64) as usize;
            self.is_own = true;
            return Ok(());
        };
        for (name, value) in members {
            match (name.as_str(), value.as_i64()) {
                ("priority", Some(priority)) => self.priority = priority,
                ("maxTokens", Some(tokens)) if tokens >= 0 => {
                    (self.most, self.is_own) = (usize::try_from(tokens).unwrap_or(usize::MAX), true);
                }
                ("priority" | "maxTokens", _) => {
                    return Err(format!(".{name} is {}; write a whole number", shown(value)));
                }
                _ => return Err(format!(".{name} is not an option; the options are priority and maxTokens")),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const DEFAULTS: &Defaults = &[
        (Section::Instructions, 30, 90),
        (Section::Blocks, 25, 80),
        (Section::Facts, 25, 40),
        (Section::Graph, 10, 20),
    ];

    fn read(wanted: Value) -> Result<Vec<(&'static str, usize)>> {
        let shares = shares(DEFAULTS, wanted.as_object().unwrap(), 1000)?;
        Ok(shares.into_iter().map(|share| (share.section.as_str(), share.most)).collect())
    }

    #[test]
    fn the_greatest_priority_comes_first() {
        assert_eq!(read(json!({})).unwrap()[..2], [("instructions", 300), ("blocks", 250)]);
        let own = json!({ "graph": { "priority": 99, "maxTokens": 7 }, "facts": 0.5, "blocks": 0 });
        let own = read(own).unwrap();
        assert_eq!(own[0], ("graph", 7));
        assert!(own.contains(&("facts", 500)) && own.contains(&("blocks", 0)));
    }

    #[test]
    fn what_is_no_share_is_refused() {
        for (wanted, told) in [
            (json!({ "fact": 1 }), "sections.fact has no share here; these have: instructions, blocks"),
            (json!({ "facts": 1.5 }), "from 0 to 1"),
            (json!({ "facts": "half" }), "from 0 to 1"),
            (json!({ "facts": { "maxTokens": -1 } }), "a whole number"),
            (json!({ "facts": { "priority": 0.5 } }), "a whole number"),
            (json!({ "facts": { "share": 1 } }), "priority and maxTokens"),
            (json!({ "question": 0.5 }), "these have: instructions, blocks"),
        ] {
            let message = String::from(read(wanted).unwrap_err());
            assert!(message.contains(told), "{message}");
        }
    }
}
