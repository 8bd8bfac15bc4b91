//! Keywords about values of any type: `type`, `enum`, `const`.

use super::{Keyword, Site};
use crate::schema::equal::equal;
use crate::schema::number::Decimal;
use crate::schema::validate::{Evaluation, Target};
use crate::schema::violation::{brief, list};
use crate::{Error, Result};
use serde_json::Value;

/// The types a value may have, in the order messages list them; a bit each.
const TYPES: [(&str, u8); 7] = [
    ("null", 1),
    ("boolean", 2),
    ("object", 4),
    ("array", 8),
    ("number", 16),
    ("string", 32),
    ("integer", 64),
];

/// A check of the value as a whole.
pub(in crate::schema) enum Rule {
    /// `type`: one bit for each that is allowed.
    Types(u8),
    /// `enum` or `const`: the keyword, the values, and how many values they hold inside.
    Equal { name: &'static str, allowed: Vec<Value>, work: usize },
}

pub(super) fn compile(site: &Site<'_>, keywords: &mut Vec<Keyword>) -> Result<()> {
    if let Some(value) = site.get("type") {
        keywords.push(Keyword::Any(Rule::Types(types(site, value)?)));
    }
    let only = site.get("const").map(std::slice::from_ref);
    for (name, allowed) in [("enum", site.array("enum")?), ("const", only)] {
        let Some(allowed) = allowed else { continue };
        let work = allowed.iter().map(size).sum();
        keywords.push(Keyword::Any(Rule::Equal { name, allowed: allowed.to_vec(), work }));
    }
    Ok(())
}

fn types(site: &Site<'_>, value: &Value) -> Result<u8> {
    let malformed = || -> Error {
        let wanted = format!(
            "one or a list of different names out of {}",
            list(TYPES.iter().map(|(name, _)| (*name).to_owned()))
        );
        site.malformed("type", &wanted, value)
    };
    let names = match value {
        Value::Array(names) if !names.is_empty() => names.as_slice(),
        single => std::slice::from_ref(single),
    };
    let mut allowed = 0;
    for name in names {
        let known = TYPES.iter().find(|(known, _)| name.as_str() == Some(*known));
        let (_, bit) = known.ok_or_else(malformed)?;
        if allowed & bit != 0 {
            return Err(malformed());
        }
        allowed |= bit;
    }
    Ok(allowed)
}

/// The bits of all types that `value` has; a whole number has two.
fn types_of(value: &Value) -> u8 {
    match value {
        Value::Null => 1,
        Value::Bool(_) => 2,
        Value::Object(_) => 4,
        Value::Array(_) => 8,
        Value::Number(number) if Decimal::of(number).is_whole() => 16 | 64,
        Value::Number(_) => 16,
        Value::String(_) => 32,
    }
}

impl Rule {
    /// Whether this is a `type` that `value` has not.
    pub(in crate::schema) fn excludes_type_of(&self, value: &Value) -> bool {
        matches!(self, Self::Types(allowed) if allowed & types_of(value) == 0)
    }

    pub(super) fn check(&self, evaluation: &mut Evaluation<'_, '_>, target: Target<'_, '_>) -> bool {
        let value = target.value;
        match self {
            Self::Types(allowed) => {
                let valid = allowed & types_of(value) != 0;
                valid || {
                    evaluation.report(target, "type", || {
                        let names = TYPES.iter().filter(|(_, bit)| allowed & bit != 0);
                        let names: Vec<_> = names.map(|(name, _)| (*name).to_owned()).collect();
                        format!("{} is not of type {}", brief(value), names.join(" or "))
                    })
                }
            }
            Self::Equal { name, allowed, work } => {
                evaluation.spend(*work);
                allowed.iter().any(|one| equal(one, value)) || {
                    evaluation.report(target, name, || match allowed.as_slice() {
                        [only] => format!("{} is not {}", brief(value), brief(only)),
                        _ => format!("{} is none of {}", brief(value), list(allowed.iter().map(brief))),
                    })
                }
            }
        }
    }
}

/// How many values `value` is made of, itself included; schemas are not deep, so neither is this.
fn size(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(size).sum::<usize>(),
        _ => 1,
    }
}
