//! Keywords about strings: `minLength`, `maxLength`, `pattern`, `format`.

use super::{Keyword, Site};
use crate::Result;
use crate::schema::format::Format;
use crate::schema::pattern::Pattern;
use crate::schema::validate::{Evaluation, Target};
use crate::schema::violation::{brief, counted, quote};
use serde_json::Value;

/// A check of a string.
pub(in crate::schema) enum Rule {
    /// `minLength`, in code points.
    MinLength(u64),
    /// `maxLength`, in code points.
    MaxLength(u64),
    /// `pattern`.
    Pattern(Pattern),
    /// `format`, where it is asserted.
    Format(Format),
}

pub(super) fn compile(site: &Site<'_>, keywords: &mut Vec<Keyword>) -> Result<()> {
    if let Some(least) = site.count("minLength")? {
        keywords.push(Keyword::Text(Rule::MinLength(least)));
    }
    if let Some(most) = site.count("maxLength")? {
        keywords.push(Keyword::Text(Rule::MaxLength(most)));
    }
    if let Some(source) = site.text("pattern")? {
        keywords.push(Keyword::Text(Rule::Pattern(pattern(site, "pattern", source)?)));
    }
    if let Some(format) = site.text("format")?.filter(|_| site.formats).and_then(Format::named) {
        keywords.push(Keyword::Text(Rule::Format(format)));
    }
    Ok(())
}

/// Compiles `source`, found under the keyword `name`.
pub(super) fn pattern(site: &Site<'_>, name: &str, source: &str) -> Result<Pattern> {
    Pattern::compile(source)
        .map_err(|reason| site.invalid(name, &format!("is {}, which {reason}", quote(source))))
}

impl Rule {
    pub(super) fn check(&self, evaluation: &mut Evaluation<'_, '_>, target: Target<'_, '_>) -> bool {
        let value = target.value;
        let Value::String(text) = value else { return true };
        evaluation.spend(text.len() / 64);
        let length = || u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
        let with_length = || {
            format!("{}{}", brief(value), counted(" has ", text.chars().count(), "character", "characters"))
        };
        match self {
            Self::MinLength(least) => {
                length() >= *least || {
                    evaluation
                        .report(target, "minLength", || format!("{}, fewer than {least}", with_length()))
                }
            }
            Self::MaxLength(most) => {
                length() <= *most || {
                    evaluation.report(target, "maxLength", || format!("{}, more than {most}", with_length()))
                }
            }
            Self::Pattern(pattern) => {
                evaluation.spend(pattern.work(text));
                pattern.is_match(text) || {
                    evaluation.report(target, "pattern", || {
                        format!("{} does not match the pattern {}", brief(value), pattern.source())
                    })
                }
            }
            Self::Format(format) => {
                format.accepts(text) || {
                    evaluation
                        .report(target, "format", || format!("{} is not {}", brief(value), format.describe()))
                }
            }
        }
    }
}
