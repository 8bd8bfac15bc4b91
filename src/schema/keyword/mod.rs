//! The keywords of a schema, by the kind of value they speak about; each file compiles and checks its own.

mod any;
mod array;
mod combine;
mod number;
mod object;
mod site;
mod text;

pub(super) use site::Site;

use super::locate::NodeId;
use super::validate::{Evaluation, Marks, Target};
use crate::Result;

/// One thing to check.
pub(super) enum Keyword {
    /// The schema `false`.
    Never,
    /// Speaks about values of any type.
    Any(any::Rule),
    /// Speaks about numbers.
    Number(number::Rule),
    /// Speaks about strings.
    Text(text::Rule),
    /// Speaks about arrays.
    Array(array::Rule),
    /// Speaks about objects.
    Object(object::Rule),
    /// Applies other schemas to the same value.
    Combine(combine::Rule),
}

/// Compiles the keywords of one schema, and tells whether it needs to know what was evaluated.
///
/// Those that ask what was left unevaluated come last, as they depend on all others.
pub(super) fn compile(site: &Site<'_>) -> Result<(Vec<Keyword>, bool)> {
    site.check_annotations()?;
    let mut keywords = Vec::new();
    any::compile(site, &mut keywords)?;
    number::compile(site, &mut keywords)?;
    text::compile(site, &mut keywords)?;
    array::compile(site, &mut keywords)?;
    object::compile(site, &mut keywords)?;
    combine::compile(site, &mut keywords)?;
    let others = keywords.len();
    array::compile_unevaluated(site, &mut keywords)?;
    object::compile_unevaluated(site, &mut keywords)?;
    let needs_marks = keywords.len() > others;
    Ok((keywords, needs_marks))
}

impl Keyword {
    /// Checks the target; marks what it evaluated, when marks are kept.
    pub(super) fn check<'v>(
        &self,
        evaluation: &mut Evaluation<'_, 'v>,
        target: Target<'_, 'v>,
        marks: &mut Option<Marks>,
    ) -> bool {
        match self {
            Self::Never => evaluation.report(target, "", || "no value is allowed here".to_owned()),
            Self::Any(rule) => rule.check(evaluation, target),
            Self::Number(rule) => rule.check(evaluation, target),
            Self::Text(rule) => rule.check(evaluation, target),
            Self::Array(rule) => rule.check(evaluation, target, marks),
            Self::Object(rule) => rule.check(evaluation, target, marks),
            Self::Combine(rule) => rule.check(evaluation, target, marks),
        }
    }

    /// The schemas that this applies to the very same value.
    pub(super) fn in_place(&self) -> Vec<NodeId> {
        match self {
            Self::Combine(rule) => rule.in_place(),
            Self::Object(rule) => rule.in_place(),
            _ => Vec::new(),
        }
    }

    /// The schemas that a value must match whenever it matches this: `$ref` and `allOf`.
    pub(super) fn included(&self) -> &[NodeId] {
        match self {
            Self::Combine(rule) => rule.included(),
            _ => &[],
        }
    }
}
