//! The plan: what was learned, as changes of a draft.

use super::answer::{FactAction, FactAnswer, FieldAnswer};
use super::keep::Keep;
use super::quote::quoted;
use super::{ABOUT, Batch, Extractor};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::json::to_value;
use crate::lowercase::lowercase;
use crate::memory::facts::{DEFAULT_SIGNIFICANCE, Fact, FactValue, Origin, wording};
use crate::memory::profiles::{FieldPlan, FieldValue, key};
use crate::memory::source::{MAX_SOURCES, add_sources, joined, least, trust_of};
use crate::memory::span::{self, Dates, Span};
use crate::memory::task::Given;
use crate::record::{Kind, Provenance, Record, Trust};
use crate::store::{Change, Draft, Expect, Store};
use crate::time::Timestamp;
use serde_json::Value;

/// The least significance that is kept: over-extraction spoils recall.
const MIN_SIGNIFICANCE: u8 = 3;

/// A draft being filled from one batch.
pub(super) struct Plan<'a> {
    pub(super) extractor: &'a Extractor,
    pub(super) store: &'a Store,
    pub(super) draft: &'a mut Draft,
    pub(super) batch: &'a Batch,
    pub(super) now: Timestamp,
}

impl<'a> Plan<'a> {
    pub(super) fn new(
        extractor: &'a Extractor,
        store: &'a Store,
        draft: &'a mut Draft,
        batch: &'a Batch,
        now: Timestamp,
    ) -> Self {
        Self { extractor, store, draft, batch, now }
    }

    /// Carries out what the model said of a fact, and notes whom it is about. `known` are the facts it was shown, by number.
    pub(super) fn fact(&mut self, answer: &FactAnswer, known: &[Fact]) -> Result<()> {
        let Some(about) = &answer.about else { return self.change(answer, known) };
        let before: Vec<Id> = self.draft.ids().collect();
        self.change(answer, known)?;
        let target = answer.target.and_then(|number| known.get(number.checked_sub(1)?)).map(|fact| fact.id);
        self.note_about(about, &before, target);
        Ok(())
    }

    /// Notes whom the facts are about that this draft holds now and did not before, but for those that it ended; and of a target also
    /// when it did.
    pub(super) fn note_about(&mut self, about: &str, before: &[Id], target: Option<Id>) {
        let (store, scope) = (self.store, &self.batch.scope);
        for change in &mut self.draft.changes {
            if let Change::Put { record, .. } = change
                && record.kind == Kind::Fact
                && (record.valid_to.is_none_or(|to| to > self.now) || store.get(scope, record.id).is_none())
                && (!before.contains(&record.id) || Some(record.id) == target)
            {
                record.metadata.insert(ABOUT.to_owned(), about.into());
            }
        }
    }

    fn change(&mut self, answer: &FactAnswer, known: &[Fact]) -> Result<()> {
        let is_given = answer.message.is_some_and(|message| message > self.batch.messages.len());
        let least = if is_given { MIN_SIGNIFICANCE } else { 0 };
        let significance = answer.significance.unwrap_or(DEFAULT_SIGNIFICANCE).max(least);
        let said_at = self.said_at(answer.message, answer.quote.as_deref());
        let since = said(answer.since.as_deref());
        // A plan is known since it was said, whenever it is for.
        let begun = since.clone().filter(|since| since.begins <= said_at);
        let from = begun.as_ref().map_or(said_at, |since| since.begins).min(self.now);
        // What was over when it was said is told as that, and goes on to be told.
        let until = said(answer.until.as_deref()).filter(|until| until.ends > from);
        let to = until.as_ref().map(|until| until.ends).filter(|ends| *ends > said_at);
        let target = answer.target.and_then(|number| known.get(number.checked_sub(1)?));
        let mut action = answer.action;
        if let Some(target) = target
            && self.current(target)?.pinned
        {
            // What is pinned stays; what is new is kept beside it.
            if action == FactAction::End {
                return Ok(());
            }
            action = FactAction::Add;
        }
        let value = FactValue {
            category: answer.category,
            origin: Origin::Model,
            supersedes: None,
            superseded_by: None,
            rule: None,
            trust: None,
            dates: Dates { since: begun.clone(), until: until.clone() }.value(),
            undated: false,
        };
        let provenance = self.provenance(answer.message, answer.quote.as_deref());
        if let Some(target) = target.filter(|target| target.trust > believed(&provenance)) {
            self.draft.doubted.push(target.id);
        }
        match (action, target) {
            (FactAction::Add, _) if significance < MIN_SIGNIFICANCE => Ok(()),
            (FactAction::Add, _) => {
                if self.restate(&answer.text, &provenance)? {
                    return Ok(());
                }
                self.add(&answer.text, value, significance, (from, to), provenance).map(|_| ())
            }
            (FactAction::Update, Some(target)) => {
                let mut record = self.current(target)?;
                record.text = Some(answer.text.trim().to_owned());
                let FactValue { supersedes, superseded_by, .. } = FactValue::read(&record.value)?;
                let dates = target.dates.clone();
                record.value = to_value(&FactValue { supersedes, superseded_by, dates, ..value })?;
                if begun.is_some() {
                    record.valid_from = from;
                    span::set_since(&mut record.value, begun.as_ref());
                }
                if until.is_some() {
                    record.valid_to = to.or(record.valid_to);
                    span::set_until(&mut record.value, until.as_ref());
                }
                record.significance = significance.max(target.significance);
                add_sources(&mut record, &provenance, MAX_SOURCES);
                self.keep(&mut record);
                self.put(record, Expect::Revision(target.revision));
                Ok(())
            }
            // What was said before a known fact began, as in a conversation that is imported later, does not end it.
            (FactAction::Supersede, Some(target)) if said_at < target.valid_from => {
                if self.was_known(&answer.text, from, target.valid_from) {
                    return Ok(());
                }
                let significance = significance.max(MIN_SIGNIFICANCE);
                self.add_before(target, &answer.text, value, significance, from, provenance)
            }
            (FactAction::End, Some(target)) if said_at < target.valid_from => Ok(()),
            (FactAction::Supersede, Some(target)) => {
                let ended = self.end_as_said(target, since.as_ref(), said_at)?;
                // What another present fact says already is not said twice.
                if self.restate(&answer.text, &provenance)? {
                    return Ok(());
                }
                let from = begun_after(target, begun.as_ref(), ended).unwrap_or(from);
                let significance = significance.max(MIN_SIGNIFICANCE);
                let value = FactValue { supersedes: Some(target.id), ..value };
                let id = self.add(&answer.text, value, significance, (from, to), provenance)?;
                self.succeed(target.id, id);
                Ok(())
            }
            // Nothing follows it, so it held until that was over.
            (FactAction::End, Some(target)) => {
                let said = since.map(|said| Span { begins: said.ends.min(said_at), ..said });
                self.end_as_said(target, said.as_ref(), said_at).map(|_| ())
            }
            (_, None) => Err(Error::new(Code::Internal, "a checked answer names no known fact")),
        }
    }

    /// Adds a fact that the application gave, unless it is known.
    pub(super) fn give(&mut self, given: &Given) -> Result<()> {
        if self.restate(&given.text, &[])? {
            return Ok(());
        }
        let value = FactValue {
            category: given.category(),
            origin: Origin::User,
            supersedes: None,
            superseded_by: None,
            rule: None,
            trust: None,
            dates: None,
            undated: false,
        };
        self.add(&given.text, value, DEFAULT_SIGNIFICANCE, (self.now, None), Vec::new()).map(|_| ())
    }

    /// Carries out what the model said of a field.
    pub(super) fn field(&mut self, answer: &FieldAnswer) -> Result<()> {
        let provenance = self.provenance(answer.message, answer.quote.as_deref());
        let value = FieldValue {
            extracted: answer.said.clone(),
            context: answer.context.clone(),
            ..FieldValue::new(answer.value.clone(), Origin::Model)
        };
        self.set_field(&answer.schema, &answer.field, value, provenance)
    }

    /// Sets a field; null empties it. A field that was set before in this draft is set anew. A value that goes on from the one
    /// before keeps its sources.
    pub(super) fn set_field(
        &mut self,
        schema: &str,
        field: &str,
        value: FieldValue,
        provenance: Vec<Provenance>,
    ) -> Result<()> {
        let key = key(schema, field);
        let before = self.field_before(schema, field)?;
        let stored = self.store.by_key(&self.batch.scope, Kind::Field, &key);
        if let Some(view) = stored.filter(|view| !view.expired_at(self.now))
            && (view.pinned || !self.batch.concerns(&view.metadata()?))
        {
            return Ok(());
        }
        let id = stored.map(|view| view.id);
        if let Some(view) = stored
            && trust_of(&view.to_record(&self.batch.scope)?) > believed(&provenance)
        {
            self.draft.doubted.push(view.id);
        }
        self.draft.changes.retain(|change| match change {
            Change::Put { record, .. } => record.key.as_deref() != Some(&key),
            Change::Delete { id: deleted, .. } => Some(*deleted) != id,
            Change::Embed(_) | Change::Touch { .. } => true,
        });
        if value.value.is_null() && self.extractor.schemas.check(schema, field, &value.value).is_err() {
            if let Some(view) = stored {
                self.draft.delete(view.id, Expect::Revision(view.revision));
            }
            return Ok(());
        }
        let provenance = match before {
            Some((old, sources)) if goes_on(&old, &value) => continued(&old, sources, &value, &provenance),
            _ => provenance,
        };
        let value = FieldValue { labels: self.batch.options.labels.clone(), ..value };
        let keep = Keep { batch: self.batch, ttl: self.extractor.ttl, now: self.now };
        let keep = |record: &mut Record| {
            keep.apply(record);
            Ok(())
        };
        let plan = FieldPlan { schema, field, value, source: provenance, keep: &keep };
        self.extractor.profiles.plan(self.store, self.draft, plan)?;
        Ok(())
    }

    /// A field's value as it is by now in this draft; null when it has none.
    pub(super) fn field_value(&self, schema: &str, field: &str) -> Result<Value> {
        Ok(self.field_before(schema, field)?.map_or(Value::Null, |(value, _)| value))
    }

    /// A field's value as it is by now in this draft, and where it comes from.
    fn field_before(&self, schema: &str, field: &str) -> Result<Option<(Value, Vec<Provenance>)>> {
        let key = key(schema, field);
        let drafted = self.draft.changes.iter().find_map(|change| match change {
            Change::Put { record, .. } if record.key.as_deref() == Some(&key) => Some(record),
            _ => None,
        });
        if let Some(record) = drafted {
            let value = FieldValue::from_json(record.value.clone(), record.id)?.value;
            return Ok(Some((value, record.provenance.clone())));
        }
        // What is not to be consolidated is replaced.
        let view = self.store.by_key(&self.batch.scope, Kind::Field, &key);
        let view = view.filter(|view| self.batch.options.consolidates() && !view.expired_at(self.now));
        let view = view.filter(|view| !self.is_deleted(view.id));
        view.map(|view| Ok((FieldValue::of(&view)?.value, view.provenance()?))).transpose()
    }

    pub(super) fn is_deleted(&self, id: Id) -> bool {
        self.draft
            .changes
            .iter()
            .any(|change| matches!(change, Change::Delete { id: deleted, .. } if *deleted == id))
    }

    /// Adds a fact that holds from one time, and perhaps only until another; its id.
    pub(super) fn add(
        &mut self,
        text: &str,
        value: FactValue,
        significance: u8,
        (since, until): (Timestamp, Option<Timestamp>),
        provenance: Vec<Provenance>,
    ) -> Result<Id> {
        let id = self.extractor.database.new_id();
        let mut record = Record::new(id, Kind::Fact, self.batch.scope.clone(), self.now);
        record.text = Some(text.trim().to_owned());
        record.value = to_value(&value)?;
        record.significance = significance;
        record.valid_from = since;
        record.valid_to = until;
        record.provenance = provenance;
        self.keep(&mut record);
        self.draft.claim(self.store, Kind::Fact, wording(text));
        self.put(record, Expect::Absent);
        Ok(id)
    }

    /// Ends a fact where a time was said, or when that was said; the time.
    pub(super) fn end_as_said(
        &mut self,
        target: &Fact,
        said: Option<&Span>,
        said_at: Timestamp,
    ) -> Result<Timestamp> {
        let Some(said) = said else { return self.end(target, said_at) };
        let is_later = said.begins > target.valid_from;
        // Or else it ended in the same span in which it began.
        let ended = self.end(target, if is_later { said.begins } else { said.ends.min(said_at) })?;
        if let Some(Change::Put { record, .. }) = self.draft.changes.last_mut() {
            span::set_until(&mut record.value, Some(said));
        }
        Ok(ended)
    }

    /// Ends a fact: it was true until `time`, and stays in the history. The time, which is not before it began.
    pub(super) fn end(&mut self, target: &Fact, time: Timestamp) -> Result<Timestamp> {
        let mut record = self.current(target)?;
        let ended = time.max(record.valid_from);
        record.valid_to = Some(ended);
        self.put(record, Expect::Revision(target.revision));
        Ok(ended)
    }

    /// Whether a present fact, or one of this draft, says the same in the same words. It gets the sources then, unless it is
    /// pinned.
    pub(super) fn restate(&mut self, text: &str, provenance: &[Provenance]) -> Result<bool> {
        let words = wording(text);
        let same = |known: Option<&str>| known.is_some_and(|known| wording(known) == words);
        for change in &mut self.draft.changes {
            if let Change::Put { record, .. } = change
                && record.kind == Kind::Fact
                && record.valid_to.is_none()
                && same(record.text.as_deref())
            {
                add_sources(record, provenance, MAX_SOURCES);
                return Ok(true);
            }
        }
        let mut stored = self.store.perhaps_same(&self.batch.scope, Kind::Fact, &words);
        // What this draft changes is known as the draft has it.
        let known = stored.find(|view| {
            view.holds_at(self.now)
                && same(view.text)
                && self.draft.ids().all(|changed| changed != view.id)
                && view.metadata().is_ok_and(|metadata| self.batch.concerns(&metadata))
        });
        let Some(view) = known else { return Ok(false) };
        // What is not to be consolidated stays as it is, too.
        if !view.pinned && self.batch.options.consolidates() {
            let mut record = view.to_record(&self.batch.scope)?;
            // What the user says is the user's, whoever said it before.
            let is_users = !provenance.is_empty() && least(Trust::User, provenance) == Trust::User;
            if is_users && trust_of(&record) < Trust::User {
                record.provenance.clear();
            }
            if add_sources(&mut record, provenance, MAX_SOURCES) {
                Keep { batch: self.batch, ttl: self.extractor.ttl, now: self.now }.apply(&mut record);
                self.put(record, Expect::Revision(view.revision));
            }
        }
        Ok(true)
    }

    /// Whether a fact, or one of this draft, says the same in the same words of some of the time between `from` and `until`.
    pub(super) fn was_known(&self, text: &str, from: Timestamp, until: Timestamp) -> bool {
        let words = wording(text);
        let drafted = self.draft.changes.iter().any(|change| match change {
            Change::Put { record, .. } => {
                record.kind == Kind::Fact
                    && record.valid_from < until
                    && record.valid_to.is_none_or(|to| to > from)
                    && record.text.as_deref().is_some_and(|known| wording(known) == words)
            }
            _ => false,
        });
        let mut stored = self.store.perhaps_same(&self.batch.scope, Kind::Fact, &words);
        drafted
            || stored.any(|view| {
                view.valid_from < until
                    && view.ends() > from
                    && view.text.is_some_and(|known| wording(known) == words)
            })
    }

    /// Where something was said; the quote only when it really stands there.
    pub(super) fn provenance(&self, message: Option<usize>, quote: Option<&str>) -> Vec<Provenance> {
        let said = self.batch.said(message, quote);
        // What is learned from others always says so.
        let foreign = || self.batch.messages.iter().min_by_key(|message| message.trust());
        let said = said.or_else(|| foreign().filter(|_| self.batch.untrusted().is_some()));
        let Some(said) = said else { return Vec::new() };
        let text = said.text();
        let quote = quote.and_then(|quote| quoted(&text, quote)).unwrap_or_default().to_owned();
        let (message_id, thread_id) = (said.id, said.thread_id.clone());
        vec![Provenance { message_id, thread_id, quote, trust: self.batch.source_trust(said) }]
    }

    pub(super) fn said_at(&self, message: Option<usize>, quote: Option<&str>) -> Timestamp {
        self.batch
            .said(message, quote)
            .or(self.batch.messages.last())
            .map_or(self.now, |message| message.created_at)
    }

    /// Gives a fact what its call says: labels, metadata, time to live.
    fn keep(&self, record: &mut Record) {
        let labels = &self.batch.options.labels;
        if let Value::Object(value) = &mut record.value
            && !labels.is_empty()
        {
            value.insert("labels".to_owned(), labels.clone().into());
        }
        Keep { batch: self.batch, ttl: self.extractor.ttl, now: self.now }.apply(record);
    }

    /// The record of a fact that was shown, as this draft has it by now.
    fn current(&self, fact: &Fact) -> Result<Record> {
        let drafted = self.draft.changes.iter().find_map(|change| match change {
            Change::Put { record, .. } if record.id == fact.id => Some(record.as_ref().clone()),
            _ => None,
        });
        let stored = || self.store.record(&self.batch.scope, fact.id);
        drafted
            .map_or_else(stored, |record| Ok(Some(record)))?
            .ok_or_else(|| Error::new(Code::Conflict, format!("the fact {} was deleted meanwhile", fact.id)))
    }

    /// Puts a record, in place of what this draft had for it.
    pub(super) fn put(&mut self, record: Record, expect: Expect) {
        let is_other =
            |change: &Change| !matches!(change, Change::Put { record: known, .. } if known.id == record.id);
        self.draft.changes.retain(is_other);
        self.draft.put(record, expect, None);
    }
}

/// Since when what took the place of a fact holds, where it is said to have begun in a day or year in which that one began too:
/// since that ended.
pub(super) fn begun_after(fact: &Fact, said: Option<&Span>, ended: Timestamp) -> Option<Timestamp> {
    said.filter(|said| said.begins < fact.valid_from && fact.valid_from < said.ends).map(|_| ended)
}

/// How far words are believed that are to change something: as far as the most trusted of those who said them.
pub(super) fn believed(sources: &[Provenance]) -> Trust {
    sources.iter().map(|source| source.trust.unwrap_or(Trust::User)).max().unwrap_or(Trust::User)
}

/// Whether a value goes on from the one before, instead of taking its place: a model says what alone was said, and rules keep
/// what is in a list.
fn goes_on(old: &Value, new: &FieldValue) -> bool {
    let is_combined = new.extracted.as_ref().is_some_and(|said| !said.is_null() && *said != new.value);
    let lists = old.as_array().zip(new.value.as_array());
    is_combined || lists.is_some_and(|(old, new)| old.iter().any(|item| new.contains(item)))
}

/// The sources of a value that goes on from an old one. Where entries left a list, the words about them are no source of what is
/// left; and what only took something out is none either.
fn continued(
    old: &Value,
    sources: Vec<Provenance>,
    new: &FieldValue,
    more: &[Provenance],
) -> Vec<Provenance> {
    let Some((old, new)) = old.as_array().zip(new.value.as_array()) else {
        return joined(sources, more, MAX_SOURCES);
    };
    let gone: Vec<&Value> = old.iter().filter(|item| !new.contains(item)).collect();
    let names =
        |quote: &str, item: &Value| item.as_str().is_some_and(|item| quote.contains(&lowercase(item)));
    let tells = |source: &Provenance| {
        let quote = lowercase(&source.quote);
        new.iter().any(|item| names(&quote, item)) || !gone.iter().any(|item| names(&quote, item))
    };
    let sources = sources.into_iter().filter(tells).collect();
    let brings = gone.is_empty() || new.iter().any(|item| !old.contains(item));
    joined(sources, if brings { more } else { &[] }, MAX_SOURCES)
}

/// The time a model wrote, where that is one which an application could give.
pub(super) fn said(written: Option<&str>) -> Option<Span> {
    written.and_then(Span::read)
}
