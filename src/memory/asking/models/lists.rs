//! Asking for lists: an answer that cannot be used as a whole is kept as far as it can.

use super::Models;
use super::ask::{Question, Refused, judged, last, violations_line, with_violations};
use super::salvage::salvage;
use crate::database::{Database, Event};
use crate::error::{Code, Error, Result};
use crate::schema::Violation;
use serde_json::{Map, Value};

/// How JSON is asked for that consists of lists.
pub(crate) struct Lists<'a> {
    /// The parts of items without which they say the same.
    pub(crate) without: &'a [&'a str],
    /// What the schema cannot say.
    pub(crate) check: &'a dyn Fn(&Value) -> Vec<Violation>,
    /// Whether it can be asked for in parts: then an answer that is too long is of no use.
    pub(crate) has_parts: bool,
    /// Whether an answer that cannot be used is asked for once more.
    pub(crate) again: bool,
    /// Whether an answer of which nothing can be used teaches nothing, rather than being asked for later: it was often enough.
    pub(crate) endures: bool,
}

impl Models {
    /// Asks for JSON that consists of lists. When the last answer cannot be used either, it is kept without those of its
    /// items that cannot, or without those of their parts it can do without, and the listeners of `database` are told.
    ///
    /// An answer is too long when it was cut off or a list has more items than it may. It is not asked for again: its beginning is
    /// kept, unless it can be asked for in parts. Nothing says that it can and is too long.
    ///
    /// # Errors
    /// As for [`Models::ask`], the last when nothing is left of the last answer, nor of the first.
    pub(crate) async fn ask_for_lists(
        &self,
        question: Question,
        lists: &Lists<'_>,
        database: &Database,
    ) -> Result<Option<Value>> {
        let judge = |answer: &Value| judged(&question.schema, answer, lists.check);
        let usable = |refused: &Refused| salvage(refused.answer.clone()?, lists.without, &judge);
        let is_none = |first: &Refused| first.is_too_long && lists.has_parts;
        let enough = |first: &Refused| {
            !lists.again || is_none(first) || (first.is_too_long && usable(first).is_some())
        };
        let refused = match self.asked(&question, lists.check, &|_| true, &enough).await? {
            Ok(answer) => return Ok(Some(answer)),
            Err(refused) => refused,
        };
        if matches!(refused.as_slice(), [first] if is_none(first)) {
            self.unusable(question.purpose);
            return Ok(None);
        }
        let nothing = || {
            let empty = refused.last()?.answer.as_ref().and_then(emptied).filter(|_| lists.endures)?;
            judge(&empty).is_empty().then(|| (empty, last(&refused).to_vec()))
        };
        let Some((answer, wrong)) = refused.iter().rev().find_map(usable).or_else(nothing) else {
            return Err(self.refused(question.purpose, &refused));
        };
        // Of what is complete in an answer that was cut off, nothing need be wrong.
        let wrong = if wrong.is_empty() { last(&refused) } else { &wrong };
        let left_out =
            format!("the model's answer was kept without its unusable parts: {}", violations_line(wrong));
        database.tell(&Event::Error(with_violations(Error::new(Code::Model, left_out), wrong)));
        Ok(Some(answer))
    }
}

/// An answer with nothing in its lists; `None` where it has none.
fn emptied(answer: &Value) -> Option<Value> {
    let lists = answer.as_object()?.iter().filter(|(_, list)| list.is_array());
    let empty: Map<String, Value> = lists.map(|(name, _)| (name.clone(), Value::Array(Vec::new()))).collect();
    (!empty.is_empty()).then_some(Value::Object(empty))
}
