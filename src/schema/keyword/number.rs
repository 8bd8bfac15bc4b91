//! Keywords about numbers: `minimum`, `maximum`, their exclusive twins, `multipleOf`.

use super::{Keyword, Site};
use crate::Result;
use crate::schema::number::Decimal;
use crate::schema::validate::{Evaluation, Target};
use serde_json::{Number, Value};
use std::cmp::Ordering;

/// A check of a number against another.
pub(in crate::schema) struct Rule {
    check: Check,
    limit: Number,
    decimal: Decimal,
}

#[derive(Clone, Copy)]
enum Check {
    Minimum,
    ExclusiveMinimum,
    Maximum,
    ExclusiveMaximum,
    MultipleOf,
}

impl Check {
    const ALL: [Self; 5] =
        [Self::Minimum, Self::ExclusiveMinimum, Self::Maximum, Self::ExclusiveMaximum, Self::MultipleOf];

    /// The keyword, and what to say of a number that breaks it.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Minimum => ("minimum", "is less than the minimum"),
            Self::ExclusiveMinimum => ("exclusiveMinimum", "is not greater than"),
            Self::Maximum => ("maximum", "is greater than the maximum"),
            Self::ExclusiveMaximum => ("exclusiveMaximum", "is not less than"),
            Self::MultipleOf => ("multipleOf", "is not a multiple of"),
        }
    }
}

pub(super) fn compile(site: &Site<'_>, keywords: &mut Vec<Keyword>) -> Result<()> {
    for check in Check::ALL {
        let (name, _) = check.words();
        let Some(value) = site.get(name) else { continue };
        let Value::Number(limit) = value else { return Err(site.malformed(name, "a number", value)) };
        let decimal = Decimal::of(limit);
        if matches!(check, Check::MultipleOf) && !decimal.is_positive() {
            return Err(site.malformed(name, "a number greater than 0", value));
        }
        keywords.push(Keyword::Number(Rule { check, limit: limit.clone(), decimal }));
    }
    Ok(())
}

impl Rule {
    pub(super) fn check(&self, evaluation: &mut Evaluation<'_, '_>, target: Target<'_, '_>) -> bool {
        let Value::Number(number) = target.value else { return true };
        let decimal = Decimal::of(number);
        let order = decimal.cmp(&self.decimal);
        let valid = match self.check {
            Check::Minimum => order != Ordering::Less,
            Check::ExclusiveMinimum => order == Ordering::Greater,
            Check::Maximum => order != Ordering::Greater,
            Check::ExclusiveMaximum => order == Ordering::Less,
            Check::MultipleOf => decimal.is_multiple_of(self.decimal),
        };
        let (name, breaks) = self.check.words();
        valid || evaluation.report(target, name, || format!("{number} {breaks} {}", self.limit))
    }
}
