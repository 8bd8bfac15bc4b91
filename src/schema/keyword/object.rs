//! Keywords about objects: `properties` and its kin, `required`, `dependent...`, property counts, `unevaluatedProperties`.

use super::text::pattern;
use super::{Keyword, Keywords, Site};
use crate::ordered::Ordered;
use crate::schema::locate::{Compiled, NodeId};
use crate::schema::pattern::Pattern;
use crate::schema::validate::{Evaluation, Marks, Step, Target};
use crate::schema::violation::{counted, list, quote};
use serde_json::{Map, Value};

/// A check of an object.
pub(in crate::schema) enum Rule {
    /// `minProperties`.
    MinProperties(u64),
    /// `maxProperties`.
    MaxProperties(u64),
    /// `required`.
    Required(Vec<String>),
    /// `dependentRequired`: with the first, all the others.
    DependentRequired(Vec<(String, Vec<String>)>),
    /// `dependentSchemas`.
    DependentSchemas(Vec<(String, NodeId)>),
    /// `propertyNames`.
    Names(NodeId),
    /// `properties`, `patternProperties` and `additionalProperties`.
    Known(Known),
    /// `unevaluatedProperties`.
    Unevaluated(NodeId),
}

/// The three keywords that say which schema a property has.
pub(in crate::schema) struct Known {
    properties: Ordered<String, NodeId>,
    patterns: Vec<(Pattern, NodeId)>,
    additional: Option<NodeId>,
}

#[cold]
#[inline(never)]
pub(super) fn compile(site: &Site<'_>, keywords: &mut Keywords) -> Compiled<()> {
    if let Some(least) = site.count("minProperties")? {
        keywords.push(Keyword::Object(Rule::MinProperties(least)));
    }
    if let Some(most) = site.count("maxProperties")? {
        keywords.push(Keyword::Object(Rule::MaxProperties(most)));
    }
    if let Some(names) = site.get("required") {
        keywords.push(Keyword::Object(Rule::Required(site.names("required", names)?)));
    }
    if let Some(value) = site.get("dependentRequired") {
        let Value::Object(members) = value else {
            return Err(site.malformed("dependentRequired", "an object of lists of property names", value));
        };
        let read =
            |(name, names): (&String, &Value)| Ok((name.clone(), site.names("dependentRequired", names)?));
        keywords.push(Keyword::Object(Rule::DependentRequired(
            members.iter().map(read).collect::<Compiled<_>>()?,
        )));
    }
    let mut properties = Ordered::new();
    for (name, id) in site.named_schemas("properties")? {
        properties.insert(name, id);
    }
    let read = |(source, id): (String, NodeId)| Ok((pattern(site, "patternProperties", &source)?, id));
    let patterns =
        site.named_schemas("patternProperties")?.into_iter().map(read).collect::<Compiled<Vec<_>>>()?;
    let additional = site.schema("additionalProperties")?;
    if !properties.is_empty() || !patterns.is_empty() || additional.is_some() {
        keywords.push(Keyword::Object(Rule::Known(Known { properties, patterns, additional })));
    }
    if let Some(schema) = site.schema("propertyNames")? {
        keywords.push(Keyword::Object(Rule::Names(schema)));
    }
    let dependents = site.named_schemas("dependentSchemas")?;
    if !dependents.is_empty() {
        keywords.push(Keyword::Object(Rule::DependentSchemas(dependents)));
    }
    Ok(())
}

#[cold]
#[inline(never)]
pub(super) fn compile_unevaluated(site: &Site<'_>, keywords: &mut Keywords) -> Compiled<()> {
    if let Some(schema) = site.schema("unevaluatedProperties")? {
        keywords.push(Keyword::Object(Rule::Unevaluated(schema)));
    }
    Ok(())
}

impl Rule {
    /// The schemas that this applies to the very same value.
    pub(super) fn in_place(&self) -> Vec<NodeId> {
        match self {
            Self::DependentSchemas(dependents) => dependents.iter().map(|(_, id)| *id).collect(),
            _ => Vec::new(),
        }
    }

    /// The schemas of the property `name`, and whether they come from `additionalProperties`.
    pub(in crate::schema) fn schemas_of(&self, name: &str) -> (Vec<NodeId>, bool) {
        match self {
            Self::Known(known) => known.schemas_of(name),
            _ => (Vec::new(), false),
        }
    }

    #[inline(never)]
    pub(super) fn check<'v>(
        &self,
        evaluation: &mut Evaluation<'_, 'v>,
        target: Target<'_, 'v>,
        marks: &mut Option<Marks>,
    ) -> bool {
        let Value::Object(members) = target.value else { return true };
        let size = u64::try_from(members.len()).unwrap_or(u64::MAX);
        let has = || counted("has ", members.len(), "property", "properties");
        match self {
            Self::MinProperties(least) => {
                size >= *least
                    || evaluation
                        .report(target, "minProperties", &|| format!("{}, fewer than {least}", has()))
            }
            Self::MaxProperties(most) => {
                size <= *most
                    || evaluation.report(target, "maxProperties", &|| format!("{}, more than {most}", has()))
            }
            Self::Required(names) => require(evaluation, target, members, names, None),
            Self::DependentRequired(dependents) => {
                let mut valid = true;
                for (name, names) in dependents.iter().filter(|(name, _)| members.contains_key(name)) {
                    valid &= require(evaluation, target, members, names, Some(name));
                }
                valid
            }
            Self::DependentSchemas(dependents) => {
                let mut valid = true;
                for (_, schema) in dependents.iter().filter(|(name, _)| members.contains_key(name)) {
                    valid &= evaluation.evaluate(*schema, target.value, marks.as_mut());
                }
                valid
            }
            Self::Names(schema) => {
                let mut valid = true;
                for name in members.keys() {
                    let named = Value::String(name.clone());
                    let fits = evaluation.apart(&named, *schema);
                    valid &= fits.is_none_or(|reason| {
                        evaluation.report(target, "propertyNames", &|| {
                            format!("the property name {} is not allowed: {reason}", quote(name))
                        })
                    });
                }
                valid
            }
            Self::Known(known) => known.check(evaluation, target, members, marks),
            Self::Unevaluated(schema) => {
                let mut valid = true;
                for (index, (name, member)) in members.iter().enumerate() {
                    if marks.as_ref().is_some_and(|marks| marks.has(index)) {
                        continue;
                    }
                    valid &= if evaluation.is_never(*schema) {
                        evaluation.report(target, "unevaluatedProperties", &|| {
                            format!("the property {} is not allowed", quote(name))
                        })
                    } else {
                        evaluation.descend(Step::Key(name), *schema, member)
                    };
                    if let Some(marks) = marks {
                        marks.set(index);
                    }
                    if !valid && evaluation.may_stop() {
                        return false;
                    }
                }
                valid
            }
        }
    }
}

/// Reports each of `names` that is missing; `because` is the property that asks for them.
fn require(
    evaluation: &mut Evaluation<'_, '_>,
    target: Target<'_, '_>,
    members: &Map<String, Value>,
    names: &[String],
    because: Option<&str>,
) -> bool {
    let mut valid = true;
    evaluation.spend(names.len());
    for name in names.iter().filter(|name| !members.contains_key(*name)) {
        valid = match because {
            None => {
                evaluation.report(target, "required", &|| format!("the property {} is missing", quote(name)))
            }
            Some(other) => evaluation.report(target, "dependentRequired", &|| {
                format!("the property {} is missing, which {} requires", quote(name), quote(other))
            }),
        };
        if evaluation.may_stop() {
            break;
        }
    }
    valid
}

impl Known {
    fn schemas_of(&self, name: &str) -> (Vec<NodeId>, bool) {
        let mut schemas: Vec<NodeId> = self.properties.get(name).copied().into_iter().collect();
        schemas.extend(self.patterns.iter().filter(|(pattern, _)| pattern.is_match(name)).map(|(_, id)| *id));
        if schemas.is_empty() {
            schemas.extend(self.additional);
            return (schemas, true);
        }
        (schemas, false)
    }

    fn check<'v>(
        &self,
        evaluation: &mut Evaluation<'_, 'v>,
        target: Target<'_, 'v>,
        members: &'v Map<String, Value>,
        marks: &mut Option<Marks>,
    ) -> bool {
        let mut valid = true;
        for (index, (name, member)) in members.iter().enumerate() {
            evaluation.spend(self.patterns.iter().map(|(pattern, _)| pattern.work(name)).sum::<usize>() + 1);
            let (schemas, additional) = self.schemas_of(name);
            for schema in schemas {
                valid &= if additional && evaluation.is_never(schema) {
                    evaluation.report(target, "additionalProperties", &|| self.unknown(name))
                } else {
                    evaluation.descend(Step::Key(name), schema, member)
                };
                if let Some(marks) = marks {
                    marks.set(index);
                }
            }
            if !valid && evaluation.may_stop() {
                return false;
            }
        }
        valid
    }

    fn unknown(&self, name: &str) -> String {
        let allowed = list(&self.properties.keys().map(|known| quote(known)).collect::<Vec<_>>());
        let hint = if allowed.is_empty() {
            "none is listed".to_owned()
        } else {
            format!("the schema lists {allowed}")
        };
        format!("the property {} is not allowed; {hint}", quote(name))
    }
}
