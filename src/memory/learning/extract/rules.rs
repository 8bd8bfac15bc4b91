//! Learning by rules, when there is no model: plain statements become facts, and fill the profile fields named for them.

use super::plan::{Plan, begun_after};
use super::ruled::Rule;
use super::{Batch, Extractor};
use crate::database::Pace;
use crate::error::Result;
use crate::id::Id;
use crate::json::to_value;
use crate::memory::facts::{Fact, FactValue, Origin};
use crate::memory::finding::past;
use crate::memory::message::{Role, StoredMessage};
use crate::memory::profiles::FieldValue;
use crate::memory::rules::{Slot, Statement, fold};
use crate::memory::search::own_name;
use crate::memory::span::{Dates, Span};
use crate::ports::{Loaded, Pending, Rules};
use crate::record::Provenance;
use crate::schema::PropertySchema;
use crate::store::Draft;
use crate::time::{DAY_MS, Timestamp};
use serde_json::{Value, json};
use std::cell::OnceCell;

/// What happened so long before a known fact was told is how that came to be, rather than what became of it.
const LONG_BEFORE: Timestamp = 2 * 365 * DAY_MS;

/// How many bytes of messages the rules read in about a microsecond in a browser.
const READ: usize = 2;

/// What is known while a batch is learned from.
#[derive(Default)]
struct Course<'b> {
    /// Who says it, if it is not the user.
    about: Option<&'b str>,
    /// The statements that hold so far, with the fact each was stored as; one that was made earlier in this draft has none yet.
    known: Vec<(Option<Fact>, Statement)>,
    /// What was said to hold no longer in this batch, and may be followed by what holds now.
    over: Vec<(Id, Statement)>,
}

impl Course<'_> {
    /// Takes out what a statement ends that was known by a time.
    fn take_ended(&mut self, statement: &Statement, by: Timestamp) -> Vec<(Option<Fact>, Statement)> {
        let mut ended = Vec::new();
        let mut take = |known: &mut Vec<_>, is_ended: &dyn Fn(&Statement) -> bool| {
            let (taken, kept): (Vec<(Option<Fact>, Statement)>, Vec<_>) =
                known.drain(..).partition(|(_, older)| is_ended(older));
            *known = kept;
            ended.extend(taken);
            ended.is_empty()
        };
        let mut is_none = take(&mut self.known, &|older| statement.supersedes(older));
        for ending in &statement.ends {
            let is_known = |fact: &Option<Fact>| fact.as_ref().is_none_or(|fact| fact.valid_from <= by);
            let meant = self.known.iter().filter(|(fact, older)| ending.concerns(older) && is_known(fact));
            // Of several pets one died, and it is not said which.
            let is_vague = ending.value.is_none() && ending.slot.holds_many() && meant.count() > 1;
            if !(is_vague || ending.along && is_none) {
                is_none = take(&mut self.known, &|older| ending.concerns(older));
            }
        }
        ended
    }
}

/// A statement as it was said.
struct Said {
    statement: Statement,
    /// The line of the message that makes it.
    line: usize,
    /// The words in it.
    quote: Option<String>,
    /// The message that said it before, where this one takes it back as never meant.
    unsays: Option<Id>,
}

/// What somebody says of themselves: the user, or a participant by name.
type Spoken<'b> = (Option<&'b str>, Vec<Said>);

impl Extractor {
    /// Reads the messages one by one, with the thread free for others in between. A function of its own, so that the build can cut it
    /// off: see [`crate::ports::Part`].
    #[inline(never)]
    pub(super) fn learn_by_rules<'a>(
        &'a self,
        rules: Loaded<Rules>,
        draft: &'a mut Draft,
        batch: &'a Batch,
    ) -> Pending<'a, Result<()>> {
        rules.work(Box::pin(async move {
            let platform = self.database.platform();
            let mut pace = Pace::after(&*platform, self.ruled.done.take());
            let own = self.database.read(|store| Ok(own_name(store, &batch.scope)))?;
            let earlier = OnceCell::new();
            let mut spoken = Vec::<Spoken<'_>>::new();
            for (place, message) in batch.messages.iter().enumerate() {
                let about = batch.participant(message);
                // What others say is theirs.
                if about.is_none() && (message.role != Role::User || batch.is_of_another(message, &own)) {
                    continue;
                }
                let known = spoken.iter().position(|(of, _)| *of == about);
                let number = known.unwrap_or(spoken.len());
                if known.is_none() {
                    spoken.push((about, Vec::new()));
                }
                let Some((_, said)) = spoken.get_mut(number) else { continue };
                let text = message.text();
                for (found, unsays) in self.stated(batch, &earlier, message, &text)? {
                    let found = found.into_iter().filter_map(|statement| match about {
                        Some(name) => statement.of_person(name),
                        None => Some(statement),
                    });
                    let unsaid = batch.messages.iter().position(|other| Some(other.id) == unsays);
                    if let Some(unsaid) = unsaid {
                        // What was learned from it in this batch is learned no more.
                        let taken: Vec<String> = found.map(|statement| statement.key()).collect();
                        said.retain(|one| one.line != unsaid + 1 || !taken.contains(&one.statement.key()));
                        continue;
                    }
                    // In the order of the times, whatever the order in which the messages were handed over.
                    let is_later = |one: &Said| {
                        batch
                            .messages
                            .get(one.line - 1)
                            .is_some_and(|other| other.created_at > message.created_at)
                    };
                    let at = said.iter().position(is_later).unwrap_or(said.len());
                    for (at, statement) in (at..).zip(found) {
                        let quote = text.get(statement.quote.clone()).map(str::to_owned);
                        said.insert(at, Said { statement, line: place + 1, quote, unsays });
                    }
                }
                pace.spend(text.len() / READ).await;
            }
            self.ruled.done.set(pace.done());
            for (about, said) in spoken {
                self.plan_by_rules(draft, batch, about, said)?;
            }
            self.database.read(|store| {
                let mut plan = Plan::new(self, store, draft, batch, self.database.now());
                batch.given.iter().try_for_each(|given| plan.give(given))
            })
        }))
    }

    fn plan_by_rules(
        &self,
        draft: &mut Draft,
        batch: &Batch,
        about: Option<&str>,
        said: Vec<Said>,
    ) -> Result<()> {
        let now = self.database.now();
        self.database.read(|store| {
            let mut course = Course { about, ..Course::default() };
            // What is not to be changed is not known.
            let changes_facts = self.guidance.facts && batch.options.consolidates();
            let slots: Vec<Slot> = said.iter().flat_map(|said| slots_of(&said.statement)).collect();
            if changes_facts && !slots.is_empty() {
                let own = own_name(store, &batch.scope);
                for id in self.ruled.concerned((store, &batch.scope), &slots, &own)? {
                    let Some(view) = store.get(&batch.scope, id).filter(|view| view.holds_at(now)) else {
                        continue;
                    };
                    if view.pinned || !batch.concerns(&view.metadata()?) {
                        continue;
                    }
                    if let Some(rule) =
                        Rule::read(&view, &own)?.filter(|rule| rule.about.as_deref() == course.about)
                    {
                        let statement = rule.statement(view.text.unwrap_or_default());
                        course.known.push((Some(Fact::of(&view)?), statement));
                    }
                }
            }
            let mut plan = Plan::new(self, store, draft, batch, now);
            let before: Vec<Id> = plan.draft.ids().collect();
            for said in said {
                plan.state(said, &mut course)?;
            }
            if let Some(about) = about {
                plan.note_about(about, &before, None);
            }
            Ok(())
        })
    }
}

impl Plan<'_> {
    /// Carries out one statement.
    fn state(&mut self, said: Said, course: &mut Course<'_>) -> Result<()> {
        let Said { statement, line, quote, unsays } = said;
        let (about, quote) = (course.about, quote.as_deref());
        let provenance = self.provenance(Some(line), quote);
        if let Some(message) = unsays {
            return self.unsay_of(message, &statement, &provenance, course);
        }
        let is_known = |(_, older): &(_, Statement)| {
            let is_same = statement.retracts && statement.key() == older.key();
            is_same || statement.ends.iter().any(|ending| !ending.along && ending.concerns(older))
        };
        if statement.presumes && !course.known.iter().any(is_known) {
            return Ok(());
        }
        let same = course.known.iter().find(|(_, older)| older.key() == statement.key());
        let same = same.filter(|_| !statement.retracts).map(|(_, older)| older.text.clone());
        let said_at = self.said_at(Some(line), None);
        let is_dated = statement.happened || statement.lasts;
        let said = quote.filter(|_| is_dated).and_then(|quote| past(quote, said_at));
        let from = said.as_ref().map_or(said_at, |said| said.begins).min(self.now);
        let newer = course.known.iter().filter(|(_, other)| statement.supersedes(other));
        let newer = newer.filter_map(|(fact, _)| fact.as_ref()).min_by_key(|fact| fact.valid_from);
        // What began then and goes on took the place of what was known when it was said, not when it began.
        let changed = said.as_ref().filter(|_| statement.happened);
        let long_ago = changed.map_or(said_at, |said| said.ends.saturating_add(LONG_BEFORE));
        if let Some(newer) = newer.filter(|fact| same.is_none() && fact.valid_from > said_at.min(long_ago)) {
            // An old message was handed over late, or tells of old times: what it says was true until something newer was.
            // The profile stays as it is.
            if self.extractor.guidance.facts
                && !statement.retracts
                && !self.was_known(&statement.text, from, newer.valid_from)
            {
                let value = value_of(&statement, about, None, said)?;
                self.add_before(newer, &statement.text, value, statement.significance(), from, provenance)?;
            }
            return Ok(());
        }
        let (mut supersedes, mut all_ended, mut since) = (None, Vec::new(), from);
        for (fact, older) in course.take_ended(&statement, said_at.min(long_ago)) {
            match fact {
                Some(fact) => {
                    let ended = self.end_as_said(&fact, changed, said_at)?;
                    since = begun_after(&fact, changed, ended).unwrap_or(since);
                    // What it takes the place of rather than what else it ends.
                    supersedes = supersedes.filter(|_| older.slot != statement.slot).or(Some(fact.id));
                    all_ended.push(fact.id);
                    if statement.retracts {
                        course.over.push((fact.id, older.clone()));
                    }
                }
                None => match self.end_drafted(&older.text, from, changed, &provenance) {
                    Some(id) => {
                        supersedes = supersedes.filter(|_| older.slot != statement.slot).or(Some(id));
                        all_ended.push(id);
                    }
                    None => {
                        let (before, ended) = self.withdraw(&older.text)?;
                        supersedes = before.or(supersedes);
                        all_ended.extend(ended);
                    }
                },
            }
            if older.slot != statement.slot || statement.retracts {
                self.fill(about, &Statement { retracts: true, ..older }, &provenance)?;
            }
        }
        if let Some(text) = same {
            return self.restate(&text, &provenance).map(|_| ());
        }
        // Also what no fact tells leaves the profile, such as a liking that was put there by hand.
        for slot in statement.slot.opposites().iter().filter(|_| !statement.retracts) {
            self.fill(about, &Statement { slot: *slot, retracts: true, ..statement.clone() }, &provenance)?;
        }
        self.fill(about, &statement, &provenance)?;
        if !statement.retracts && !self.restate(&statement.text, &provenance)? {
            // "I don't live there any more, I live here" in one breath.
            let followed = course.over.iter().filter(|(_, over)| statement.supersedes(over));
            let followed: Vec<Id> = followed.map(|(id, _)| *id).collect();
            supersedes = supersedes.or(followed.last().copied());
            all_ended.extend(followed);
            if self.extractor.guidance.facts {
                let value = value_of(&statement, about, supersedes, said)?;
                let significance = statement.significance();
                let id = self.add(&statement.text, value, significance, (since, None), provenance)?;
                for ended in all_ended {
                    self.succeed(ended, id);
                }
            }
            course.known.push((None, statement));
        }
        Ok(())
    }

    /// Takes back what a message said that was never meant: what it had ended holds again. What was said at another time as well stays.
    fn unsay_of(
        &mut self,
        message: Id,
        statement: &Statement,
        provenance: &[Provenance],
        course: &mut Course<'_>,
    ) -> Result<()> {
        let Some(view) = self.store.get(&self.batch.scope, message) else { return Ok(()) };
        let at = StoredMessage::of(&view)?.created_at;
        let is_of = |fact: &Fact| fact.source.iter().all(|source| source.message_id == message);
        let is_it = |(fact, older): &(Option<Fact>, Statement)| {
            older.key() == statement.key() && fact.as_ref().is_some_and(is_of)
        };
        let place = course.known.iter().position(is_it).filter(|_| !statement.retracts);
        let withdrawn = place.and_then(|place| course.known.remove(place).0);
        let by = withdrawn.as_ref().map(|fact| fact.id);
        if let Some(id) = by {
            self.unsay(id)?;
            self.fill(course.about, &Statement { retracts: true, ..statement.clone() }, provenance)?;
        } else if !statement.retracts {
            return Ok(());
        }
        let (of, own) = ((self.store, &self.batch.scope), own_name(self.store, &self.batch.scope));
        for id in self.extractor.ruled.concerned(of, &slots_of(statement), &own)? {
            let Some(view) = self.store.get(&self.batch.scope, id) else { continue };
            let rule = Rule::read(&view, &own)?;
            let Some(rule) = rule.filter(|rule| rule.about.as_deref() == course.about) else { continue };
            let older = rule.statement(view.text.unwrap_or_default());
            let is_meant =
                statement.supersedes(&older) || statement.ends.iter().any(|ending| ending.concerns(&older));
            if let Some(again) = if is_meant { self.reinstate(id, (at, by))? } else { None } {
                self.fill(course.about, &older, &again.provenance)?;
                course.known.push((Some(Fact::of(&view)?), older));
            }
        }
        Ok(())
    }

    /// Puts the value into the field of each schema that is named for it, or takes it out; if profiles are wanted.
    fn fill(&mut self, about: Option<&str>, statement: &Statement, provenance: &[Provenance]) -> Result<()> {
        let extractor = self.extractor;
        // The profile is the user's.
        if about.is_some() || !extractor.guidance.profiles {
            return Ok(());
        }
        let names = statement.field_names();
        for (id, schema) in extractor.schemas.iter() {
            let Some((name, property)) = names.iter().find_map(|name| Some((name, schema.property(name)?)))
            else {
                continue;
            };
            let current = self.field_value(id, name)?;
            if let Some(value) = filled(statement, &current, &property)
                && value != current
            {
                let context = Some(statement.text.clone()).filter(|_| !statement.retracts);
                let value = FieldValue { context, ..FieldValue::new(value, Origin::Rules) };
                self.set_field(id, name, value, provenance.to_vec())?;
            }
        }
        Ok(())
    }
}

/// The slots of what a statement may end or change.
fn slots_of(statement: &Statement) -> Vec<Slot> {
    let ended = statement.ends.iter().map(|ending| ending.slot);
    ended.chain([statement.slot]).chain(statement.touched().iter().copied()).collect()
}

/// What the fact of a statement holds beside its text.
fn value_of(
    statement: &Statement,
    about: Option<&str>,
    supersedes: Option<Id>,
    since: Option<Span>,
) -> Result<FactValue> {
    Ok(FactValue {
        category: statement.category(),
        origin: Origin::Rules,
        supersedes,
        superseded_by: None,
        rule: Some(to_value(&Rule::of(statement, about))?),
        trust: None,
        dates: Dates { since, until: None }.value(),
        undated: false,
    })
}

/// The value of a field after a statement; `None` when the statement does not fit the field.
fn filled(statement: &Statement, current: &Value, property: &PropertySchema<'_>) -> Option<Value> {
    let said = Value::from(statement.value.clone());
    let same = |value: &Value| match value {
        Value::Number(number) => number.to_string() == statement.value,
        value => value.as_str().is_some_and(|value| fold(value) == fold(&statement.value)),
    };
    if statement.retracts {
        return match current {
            Value::Array(items) => {
                let left: Vec<Value> = items.iter().filter(|item| !same(item)).cloned().collect();
                Some(if left.is_empty() { Value::Null } else { left.into() })
            }
            value if same(value) => Some(Value::Null),
            _ => None,
        };
    }
    let list = || {
        let mut items = current.as_array().cloned().unwrap_or_default();
        if !items.iter().any(same) {
            items.push(said.clone());
        }
        Value::from(items)
    };
    let joined = || match current.as_str() {
        Some(text) if !text.is_empty() && !text.split(", ").any(|part| same(&part.into())) => {
            json!(format!("{text}, {}", statement.value))
        }
        Some(text) if !text.is_empty() => json!(text),
        _ => said.clone(),
    };
    let number = || statement.value.parse::<i64>().map_or(Value::Null, Value::from);
    let candidates = if statement.slot.holds_many() {
        [list(), joined(), number()]
    } else {
        [said.clone(), number(), list()]
    };
    candidates.into_iter().find(|candidate| !candidate.is_null() && property.is_valid(candidate))
}
