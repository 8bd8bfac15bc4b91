//! Keywords that apply other schemas to the same value: `$ref`, `allOf`, `anyOf`, `oneOf`, `not`, `if`/`then`/`else`.

use super::{Keyword, Keywords, Site};
use crate::schema::locate::{Compiled, NodeId};
use crate::schema::validate::{Evaluation, Marks, Target};
use crate::schema::violation::brief;

/// Schemas applied to the same value.
pub(in crate::schema) enum Rule {
    /// `$ref`; a list of one, to be borrowed like `allOf`.
    Reference([NodeId; 1]),
    /// `allOf`.
    All(Vec<NodeId>),
    /// `anyOf`.
    Any(Vec<NodeId>),
    /// `oneOf`.
    One(Vec<NodeId>),
    /// `not`.
    Not(NodeId),
    /// `if` with `then` and `else`.
    If { condition: NodeId, then: Option<NodeId>, otherwise: Option<NodeId> },
}

#[cold]
#[inline(never)]
pub(super) fn compile(site: &Site<'_>, keywords: &mut Keywords) -> Compiled<()> {
    if let Some(target) = site.location.reference {
        keywords.push(Keyword::Combine(Rule::Reference([target])));
    }
    for (name, rule) in [("allOf", Rule::All as fn(_) -> _), ("anyOf", Rule::Any), ("oneOf", Rule::One)] {
        let schemas = site.schemas(name)?;
        if !schemas.is_empty() {
            keywords.push(Keyword::Combine(rule(schemas)));
        }
    }
    if let Some(schema) = site.schema("not")? {
        keywords.push(Keyword::Combine(Rule::Not(schema)));
    }
    if let Some(condition) = site.schema("if")? {
        let (then, otherwise) = (site.schema("then")?, site.schema("else")?);
        keywords.push(Keyword::Combine(Rule::If { condition, then, otherwise }));
    }
    Ok(())
}

impl Rule {
    /// The schemas that this applies, which is always to the very same value.
    pub(super) fn in_place(&self) -> Vec<NodeId> {
        match self {
            Self::Reference(target) => target.to_vec(),
            Self::All(schemas) | Self::Any(schemas) | Self::One(schemas) => schemas.clone(),
            Self::Not(schema) => vec![*schema],
            Self::If { condition, then, otherwise } => {
                [Some(*condition), *then, *otherwise].into_iter().flatten().collect()
            }
        }
    }

    /// The schemas that a value must match whenever it matches this.
    pub(super) fn included(&self) -> &[NodeId] {
        match self {
            Self::Reference(target) => target,
            Self::All(schemas) => schemas,
            _ => &[],
        }
    }

    #[inline(never)]
    pub(super) fn check<'v>(
        &self,
        evaluation: &mut Evaluation<'_, 'v>,
        target: Target<'_, 'v>,
        marks: &mut Option<Marks>,
    ) -> bool {
        let value = target.value;
        match self {
            Self::Reference(_) | Self::All(_) => {
                let mut valid = true;
                for schema in self.included() {
                    valid &= evaluation.evaluate(*schema, value, marks.as_mut());
                    if !valid && evaluation.may_stop() {
                        return false;
                    }
                }
                valid
            }
            Self::Any(schemas) => {
                let mut matched = false;
                for schema in schemas {
                    matched |=
                        evaluation.quietly(|evaluation| evaluation.evaluate(*schema, value, marks.as_mut()));
                    // With marks to keep, every alternative that matches has its say.
                    if matched && marks.is_none() {
                        break;
                    }
                }
                matched || none_matches(evaluation, target, "anyOf", schemas)
            }
            Self::One(schemas) => {
                let mut matches = Vec::new();
                for (index, schema) in schemas.iter().enumerate() {
                    if evaluation.quietly(|evaluation| evaluation.evaluate(*schema, value, marks.as_mut())) {
                        matches.push(index);
                    }
                    if matches.len() > 1 {
                        break;
                    }
                }
                match matches.as_slice() {
                    [] => none_matches(evaluation, target, "oneOf", schemas),
                    [_] => true,
                    [first, second, ..] => evaluation.report(target, "oneOf", &|| {
                        format!(
                            "{} matches alternatives {first} and {second}, but must match only one",
                            brief(value)
                        )
                    }),
                }
            }
            Self::Not(schema) => {
                let matches = evaluation.quietly(|evaluation| evaluation.evaluate(*schema, value, None));
                !matches
                    || evaluation.report(target, "not", &|| {
                        format!("{} matches a schema that it must not match", brief(value))
                    })
            }
            Self::If { condition, then, otherwise } => {
                let holds =
                    evaluation.quietly(|evaluation| evaluation.evaluate(*condition, value, marks.as_mut()));
                let next = if holds { then } else { otherwise };
                next.is_none_or(|schema| evaluation.evaluate(schema, value, marks.as_mut()))
            }
        }
    }
}

/// Reports that no alternative matches, or, when the type of the value leaves just one, what that one finds wrong.
fn none_matches<'v>(
    evaluation: &mut Evaluation<'_, 'v>,
    target: Target<'_, 'v>,
    name: &str,
    schemas: &[NodeId],
) -> bool {
    if evaluation.may_stop() {
        return false;
    }
    let mut meant = schemas.iter().filter(|schema| !evaluation.excludes_type_of(**schema, target.value));
    if let (Some(only), None) = (meant.next().copied(), meant.next()) {
        return evaluation.evaluate(only, target.value, None);
    }
    evaluation.report(target, name, &|| {
        format!("{} matches none of the {} alternatives", brief(target.value), schemas.len())
    })
}
