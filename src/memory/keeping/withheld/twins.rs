//! Twins: a fact and a field that were learned from the same words and say the same.

use super::lost::Lost;
use crate::error::Result;
use crate::log::RecordView;
use crate::memory::action::{Done, Twin};
use crate::memory::changes::Planning;
use crate::memory::edit::{reword, written_anew};
use crate::memory::facts::{MAX_FACT_BYTES, claim};
use crate::memory::message::terms_of;
use crate::memory::profiles::{FieldValue, Schemas};
use crate::memory::source::Origin;
use crate::record::{Kind, Provenance, Record};
use crate::store::{Change, Expect};
use serde_json::Value;

/// What becomes of the twins of something that is let go, and what they let go of then.
pub(super) fn settle(
    lost: &Lost,
    schemas: &Schemas,
    planning: &mut Planning<'_>,
) -> Result<Vec<(Twin, Option<Lost>)>> {
    let kind = match lost.before.kind {
        Kind::Fact => Kind::Field,
        Kind::Field => Kind::Fact,
        _ => return Ok(Vec::new()),
    };
    let (store, scope) = (planning.store, planning.scope().clone());
    let (mut settled, now) = (Vec::new(), planning.now);
    for view in store.records(&scope, kind).filter(|view| view.holds_at(now)) {
        let sources = view.provenance()?;
        let is_shared = sources.iter().any(|source| rests_on(source, &lost.before.provenance));
        let is_planned = || planning.draft.ids().any(|id| id == view.id);
        if !is_shared || is_planned() {
            continue;
        }
        let before = view.to_record(&scope)?;
        if !says_the_same(&lost.before, &before) {
            continue;
        }
        let rests_alone = sources.iter().all(|source| rests_on(source, &lost.before.provenance));
        let is_users = before.value.get("origin").and_then(Value::as_str) == Some(Origin::User.as_str());
        let is_free = !view.pinned && !is_users;
        let (action, gone) = match &lost.after {
            _ if !is_free => (Done::Unchanged, None),
            None if rests_alone => {
                planning.end(&view);
                (Done::Deleted, Lost::of(&view, before, None, lost.owner)?)
            }
            None => (Done::Unchanged, None),
            Some(after) => match follow(&view, &before, (&lost.before, after), schemas, planning)? {
                Some(mut record) => {
                    let gone = Lost::of(&view, before, Some(&mut record), lost.owner)?;
                    planning.draft.put(record, Expect::Revision(view.revision), None);
                    (Done::Updated, gone)
                }
                None => (Done::Unchanged, None),
            },
        };
        settled.push((Twin { id: view.id, kind, action }, gone));
    }
    Ok(settled)
}

/// Whether one of some sources is the same words.
fn rests_on(source: &Provenance, sources: &[Provenance]) -> bool {
    sources.iter().any(|other| {
        source.message_id == other.message_id
            && (source.quote.contains(&*other.quote) || other.quote.contains(&*source.quote))
    })
}

/// Whether a fact and a field, in whichever order, are about the same: the fact tells all of the value, or of a value that is no text
/// the name.
fn says_the_same(one: &Record, other: &Record) -> bool {
    let (fact, field) = if one.kind == Kind::Fact { (one, other) } else { (other, one) };
    let value = field.value.get("value").cloned().unwrap_or_default();
    let mut words = String::new();
    leaves(&value, &mut |leaf| {
        if !leaf.is_boolean() {
            words.push_str(&text_of(leaf));
            words.push(' ');
        }
    });
    if words.trim().is_empty() {
        let name = field.key.as_deref().and_then(|key| key.split_once('/')).map_or("", |(_, name)| name);
        for c in name.chars() {
            if c.is_uppercase() {
                words.push(' ');
            }
            words.push(c);
        }
    }
    let told = terms_of(fact.text.as_deref().unwrap_or_default());
    let terms = terms_of(&words);
    !terms.is_empty() && terms.is_subset(&told)
}

/// A twin that says what the other is to say; `None` when that does not follow from the edit, or may not be.
fn follow(
    view: &RecordView<'_>,
    twin: &Record,
    (before, after): (&Record, &Record),
    schemas: &Schemas,
    planning: &mut Planning<'_>,
) -> Result<Option<Record>> {
    let mut record = twin.clone();
    if view.kind == Kind::Field {
        let (old, new) =
            (before.text.as_deref().unwrap_or_default(), after.text.as_deref().unwrap_or_default());
        let value = FieldValue::of(view)?.value;
        let Some(value) = exchanged(&value, old, new) else { return Ok(None) };
        if schemas.rewrite(&mut record, &value, planning.now).is_err() {
            return Ok(None);
        }
        written_anew(&mut record, planning.author());
        return Ok(Some(record));
    }
    let text = twin.text.as_deref().unwrap_or_default();
    let (Some(old), Some(new)) = (before.value.get("value"), after.value.get("value")) else {
        return Ok(None);
    };
    let Some((old, new)) = difference(old, new) else { return Ok(None) };
    let (old, new) = (text_of(old), text_of(new));
    let [place] = places(text, &old)[..] else { return Ok(None) };
    let mut told = text.to_owned();
    told.replace_range(place..place + old.len(), &new);
    if reword(&mut record, &told, MAX_FACT_BYTES, planning.author()).is_err() || record.text == twin.text {
        return Ok(None);
    }
    let claims = planning.draft.claims.len();
    if claim(planning.store, &mut planning.draft, &record, planning.now).is_err()
        || is_said(planning, &record)
    {
        planning.draft.claims.truncate(claims);
        return Ok(None);
    }
    Ok(Some(record))
}

/// Whether the plan itself stores a fact of the same text.
fn is_said(planning: &Planning<'_>, fact: &Record) -> bool {
    planning.draft.changes.iter().any(|change| match change {
        Change::Put { record, .. } => record.kind == Kind::Fact && record.text == fact.text,
        _ => false,
    })
}

/// A value with that part of it changed which an edit of a text exchanged, and nothing else; `None` when it is none or several.
fn exchanged(value: &Value, old: &str, new: &str) -> Option<Value> {
    let mut found = Vec::new();
    leaves(value, &mut |leaf| {
        let text = text_of(leaf);
        let by = |place: usize| {
            let (head, tail) = (old.get(..place)?, old.get(place + text.len()..)?);
            let by = new.strip_prefix(head)?.strip_suffix(tail)?.trim();
            Some(by).filter(|by| !by.is_empty() && *by != text)
        };
        let new = places(old, &text).into_iter().find_map(by);
        let new = new.and_then(|new| match leaf {
            Value::String(_) => Some(Value::from(new)),
            Value::Number(_) => serde_json::from_str(new).ok().filter(Value::is_number),
            _ => None,
        });
        if let Some(new) = new {
            found.push((leaf.clone(), new));
        }
    });
    let [(leaf, new)] = found.as_slice() else { return None };
    let mut value = value.clone();
    exchange(&mut value, leaf, new);
    Some(value)
}

fn exchange(value: &mut Value, old: &Value, new: &Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| exchange(item, old, new)),
        Value::Object(members) => members.iter_mut().for_each(|(_, member)| exchange(member, old, new)),
        leaf if leaf == old => leaf.clone_from(new),
        _ => {}
    }
}

/// The one text or number in which two values of the same shape differ.
fn difference<'a>(old: &'a Value, new: &'a Value) -> Option<(&'a Value, &'a Value)> {
    match (old, new) {
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let mut differ = one.iter().zip(other).filter(|(one, other)| one != other);
            let (one, other) = differ.next()?;
            if differ.next().is_some() { None } else { difference(one, other) }
        }
        (Value::String(_) | Value::Number(_), Value::String(_) | Value::Number(_)) => Some((old, new)),
        _ => None,
    }
}

/// Where a text stands in another as a word of its own.
fn places(text: &str, word: &str) -> Vec<usize> {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let is_word = |place: &usize| {
        let before = text.get(..*place).and_then(|head| head.chars().next_back());
        let after = text.get(place + word.len()..).and_then(|tail| tail.chars().next());
        let within = word.chars().all(|c| !c.is_ascii_alphanumeric());
        within || !is_part(before) && !is_part(after)
    };
    if word.trim().is_empty() {
        return Vec::new();
    }
    text.match_indices(word).map(|(place, _)| place).filter(is_word).collect()
}

fn text_of(leaf: &Value) -> String {
    leaf.as_str().map_or_else(|| leaf.to_string(), str::to_owned)
}

/// Calls `see` with each text, number and truth value in a value.
fn leaves(value: &Value, see: &mut dyn FnMut(&Value)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| leaves(item, see)),
        Value::Object(members) => members.values().for_each(|member| leaves(member, see)),
        Value::Null => {}
        leaf => see(leaf),
    }
}
