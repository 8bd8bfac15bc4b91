//! Keywords about arrays: `prefixItems`, `items`, `contains`, `uniqueItems`, item counts, `unevaluatedItems`.

use super::{Keyword, Site};
use crate::Result;
use crate::schema::equal::twins;
use crate::schema::locate::NodeId;
use crate::schema::validate::{Evaluation, Marks, Step, Target};
use crate::schema::violation::counted;
use serde_json::Value;

/// A check of an array.
pub(in crate::schema) enum Rule {
    /// `minItems`.
    MinItems(u64),
    /// `maxItems`.
    MaxItems(u64),
    /// `uniqueItems: true`.
    Unique,
    /// `prefixItems` and `items`: a schema for each of the first, and one for the rest.
    Items { prefix: Vec<NodeId>, rest: Option<NodeId> },
    /// `contains` with `minContains` and `maxContains`.
    Contains { schema: NodeId, least: u64, most: Option<u64> },
    /// `unevaluatedItems`.
    Unevaluated(NodeId),
}

pub(super) fn compile(site: &Site<'_>, keywords: &mut Vec<Keyword>) -> Result<()> {
    if let Some(least) = site.count("minItems")? {
        keywords.push(Keyword::Array(Rule::MinItems(least)));
    }
    if let Some(most) = site.count("maxItems")? {
        keywords.push(Keyword::Array(Rule::MaxItems(most)));
    }
    if site.flag("uniqueItems")? {
        keywords.push(Keyword::Array(Rule::Unique));
    }
    let (prefix, rest) = (site.schemas("prefixItems")?, site.schema("items")?);
    if !prefix.is_empty() || rest.is_some() {
        keywords.push(Keyword::Array(Rule::Items { prefix, rest }));
    }
    let (least, most) = (site.count("minContains")?.unwrap_or(1), site.count("maxContains")?);
    if let Some(schema) = site.schema("contains")? {
        keywords.push(Keyword::Array(Rule::Contains { schema, least, most }));
    }
    Ok(())
}

pub(super) fn compile_unevaluated(site: &Site<'_>, keywords: &mut Vec<Keyword>) -> Result<()> {
    if let Some(schema) = site.schema("unevaluatedItems")? {
        keywords.push(Keyword::Array(Rule::Unevaluated(schema)));
    }
    Ok(())
}

impl Rule {
    pub(super) fn check<'v>(
        &self,
        evaluation: &mut Evaluation<'_, 'v>,
        target: Target<'_, 'v>,
        marks: &mut Option<Marks>,
    ) -> bool {
        let Value::Array(items) = target.value else { return true };
        let length = u64::try_from(items.len()).unwrap_or(u64::MAX);
        let has = || counted("has ", items.len(), "item", "items");
        match self {
            Self::MinItems(least) => {
                length >= *least
                    || evaluation.report(target, "minItems", || format!("{}, fewer than {least}", has()))
            }
            Self::MaxItems(most) => {
                length <= *most
                    || evaluation.report(target, "maxItems", || format!("{}, more than {most}", has()))
            }
            Self::Unique => {
                evaluation.spend(items.len());
                let found = twins(items);
                found.is_none_or(|(first, second)| {
                    evaluation
                        .report(target, "uniqueItems", || format!("items {first} and {second} are the same"))
                })
            }
            Self::Items { prefix, rest } => check_items(evaluation, items, marks, prefix, *rest),
            Self::Contains { schema, least, most } => {
                let found = count_matches(evaluation, items, marks, *schema);
                let enough = found >= *least || {
                    evaluation.report(target, if *least == 1 { "contains" } else { "minContains" }, || {
                        format!(
                            "{found} of {} items match what the array must contain, fewer than {least}",
                            items.len()
                        )
                    })
                };
                let within = most.is_none_or(|most| {
                    found <= most || {
                        evaluation.report(target, "maxContains", || {
                            format!("{found} items match what the array may contain, more than {most}")
                        })
                    }
                });
                enough && within
            }
            Self::Unevaluated(schema) => {
                let mut valid = true;
                for (index, item) in items.iter().enumerate() {
                    if marks.as_ref().is_some_and(|marks| marks.has(index)) {
                        continue;
                    }
                    valid &= evaluation.descend(Step::Index(index), *schema, item);
                    mark(marks, index);
                    if !valid && evaluation.may_stop() {
                        return false;
                    }
                }
                valid
            }
        }
    }
}

fn mark(marks: &mut Option<Marks>, index: usize) {
    if let Some(marks) = marks {
        marks.set(index);
    }
}

fn check_items<'v>(
    evaluation: &mut Evaluation<'_, 'v>,
    items: &'v [Value],
    marks: &mut Option<Marks>,
    prefix: &[NodeId],
    rest: Option<NodeId>,
) -> bool {
    let mut valid = true;
    for (index, item) in items.iter().enumerate() {
        let Some(schema) = prefix.get(index).copied().or(rest) else { break };
        valid &= evaluation.descend(Step::Index(index), schema, item);
        mark(marks, index);
        if !valid && evaluation.may_stop() {
            return false;
        }
    }
    valid
}

/// How many items match `schema`; those are marked.
fn count_matches<'v>(
    evaluation: &mut Evaluation<'_, 'v>,
    items: &'v [Value],
    marks: &mut Option<Marks>,
    schema: NodeId,
) -> u64 {
    let mut found = 0;
    for (index, item) in items.iter().enumerate() {
        if evaluation.quietly(|evaluation| evaluation.descend(Step::Index(index), schema, item)) {
            found += 1;
            mark(marks, index);
        }
    }
    found
}
