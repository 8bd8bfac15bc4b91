//! What is wrong with an answer beyond its schema: that only what was shown may be named, that each person speaks for themselves, and
//! that fields fit their own schemas.

use super::answer::{Answer, FactAction, FactAnswer, FieldAnswer};
use super::guidance::Guidance;
use super::known::{Known, USER};
use super::quote::quoted;
use super::{ABOUT, Batch};
use crate::memory::facts::Fact;
use crate::memory::message::{Role, StoredMessage};
use crate::memory::profiles::Schemas;
use crate::memory::rules::Slot;
use crate::memory::span::Span;
use crate::schema::Violation;
use serde_json::Value;

/// How many letters of a quote tell another message than the one that is named.
const LEAST_QUOTED: usize = 6;

/// How facts begin that tell the user's name.
const NAMED: [&str; 4] = ["The user's name is ", "The user is called ", "The user is named ", "My name is "];

/// What is wrong with an answer about a batch of which this is known.
pub(super) fn check(
    answer: &Value,
    guidance: &Guidance,
    known: &Known,
    batch: &Batch,
    schemas: &Schemas,
) -> Vec<Violation> {
    match Answer::read(answer.clone(), guidance) {
        Ok(mut answer) => {
            answer.attribute(batch);
            let mut check = Check { violations: Vec::new(), batch, people: batch.people() };
            check.facts(&answer.facts, &known.facts);
            check.fields(&answer.profile, schemas, known);
            check.graph(&answer, known);
            check.violations
        }
        Err(error) => vec![Violation::new(String::new(), error.to_string())],
    }
}

/// A check under way.
struct Check<'a> {
    violations: Vec<Violation>,
    /// What was shown.
    batch: &'a Batch,
    /// The participants who speak in it.
    people: Vec<&'a str>,
}

impl Check<'_> {
    fn wrong(&mut self, list: &str, place: usize, name: &str, message: String) {
        let instance = format!("/{list}/{place}/{name}");
        self.violations.push(Violation::new(instance, message));
    }

    /// Where something was said: in a message there is.
    fn message(&mut self, list: &str, place: usize, message: Option<usize>) {
        let lines = self.batch.lines();
        if message.is_some_and(|message| message > lines) {
            self.wrong(list, place, "message", format!("there are only {lines} messages"));
        }
    }

    /// What changes what is known names a message, or words that somebody said.
    fn cites(&mut self, list: &str, place: usize, message: Option<usize>, said: Option<&StoredMessage>) {
        if message.is_none() && said.is_none() {
            self.wrong(list, place, "message", "name the message that says it".to_owned());
        }
    }

    /// What is new is said by somebody who speaks for themselves: the words of the assistant alone are no statement of the user. What
    /// they would change waits for the user's yes.
    fn speaker(&mut self, list: &str, place: usize, message: Option<usize>, said: Option<&StoredMessage>) {
        self.message(list, place, message);
        if let Some(said) = said.filter(|said| self.is_assistants(said)) {
            let numbered = |number: &usize| self.batch.messages.get(number.checked_sub(1)?);
            let is_numbered = |number: &usize| numbered(number).is_some_and(|one| one.id == said.id);
            let told = "is the assistant's alone; name the message in which the user says or confirms it, or leave it out";
            let message = message.filter(is_numbered);
            let which = message.map_or("the quote".to_owned(), |message| format!("message {message}"));
            self.wrong(list, place, "message", format!("{which} {told}"));
        }
    }

    /// The participant that an entity is, if somebody else says this.
    fn of_another<'n>(&self, name: &'n str, said: &StoredMessage) -> Option<&'n str> {
        let is_person = self.people.contains(&name) && self.batch.participant(said) != Some(name);
        is_person.then_some(name)
    }

    fn is_assistants(&self, said: &StoredMessage) -> bool {
        said.role == Role::Assistant && !self.batch.is_person(said)
    }

    /// A date that cannot be read is asked for again, rather than lost; without it the rest is kept.
    fn date(&mut self, list: &str, place: usize, name: &str, date: Option<&str>) -> Option<Span> {
        let is_none = |date: &str| ["", "null", "none", "n/a", "unknown"].contains(&date);
        let date = date.filter(|date| !is_none(&date.trim().to_ascii_lowercase()))?;
        let span = Span::said(date);
        if span.is_none() {
            let forms = r#"write "2021-05-14", "2021-05", "spring 2021", "2021" or null"#;
            self.wrong(list, place, name, format!("{date:?} is no date; {forms}"));
        }
        span
    }

    fn facts(&mut self, facts: &[FactAnswer], shown: &[Fact]) {
        let mut targets = Vec::new();
        let known = shown.len();
        for (place, fact) in facts.iter().enumerate() {
            let target = fact.target.and_then(|number| shown.get(number.checked_sub(1)?));
            let is_others = target.is_some_and(|target| self.is_of_another(target, fact.about.as_deref()));
            let wrong = match (fact.action, fact.target) {
                (FactAction::Add, None) => None,
                (FactAction::Add, Some(_)) => Some("\"add\" takes no target; use null".to_owned()),
                (_, None) => Some("name the number of the known fact this changes".to_owned()),
                (_, Some(target)) if target > known => {
                    Some(format!("there is no known fact {target}; there are {known}"))
                }
                (_, Some(target)) if targets.contains(&target) => {
                    Some(format!("fact {target} is changed twice; change it once"))
                }
                (_, Some(target)) if is_others => {
                    Some(format!("fact {target} is about another person; leave it as it is"))
                }
                (_, Some(target)) => {
                    targets.push(target);
                    None
                }
            };
            if let Some(message) = wrong {
                self.wrong("facts", place, "target", message);
            }
            if fact.action != FactAction::End && !fact.text.contains(char::is_alphanumeric) {
                self.wrong("facts", place, "text", "the text is empty; write the fact".to_owned());
            }
            let said = self.batch.said(fact.message, fact.quote.as_deref());
            match fact.action {
                // A greeting says no more than the name that the user's own messages have.
                FactAction::Add if self.tells_name(&fact.text) => {
                    self.message("facts", place, fact.message);
                }
                FactAction::Add => self.speaker("facts", place, fact.message, said),
                _ => {
                    self.message("facts", place, fact.message);
                    self.cites("facts", place, fact.message, said);
                }
            }
            self.person(place, fact, said);
            let since = self.date("facts", place, "since", fact.since.as_deref());
            let until = self.date("facts", place, "until", fact.until.as_deref());
            if let (Some(since), Some(until)) = (&since, until)
                && until.ends <= since.begins
            {
                let message = format!("{} is before {}, since when it holds", until.text, since.text);
                self.wrong("facts", place, "until", message);
            }
            let holds_since = target.and_then(|target| Some((target, target.date("since")?)));
            if let (FactAction::End, Some(ended), Some((target, begun))) = (fact.action, since, holds_since)
                && ended.ends <= target.valid_from
            {
                let message = format!("the fact holds since {begun}; it did not end in {}", ended.text);
                self.wrong("facts", place, "since", message);
            }
        }
    }

    /// Whether a known fact is about somebody else than a new one: another participant, or the user who speaks under no name.
    fn is_of_another(&self, known: &Fact, about: Option<&str>) -> bool {
        match (known.metadata.get(ABOUT).and_then(Value::as_str), about) {
            (Some(known), Some(about)) => known != about,
            (Some(_), None) => !self.people.is_empty(),
            // What has no name is the user's, unless its words say whom it is about.
            (None, Some(about)) => {
                let is_user = |said: &StoredMessage| {
                    said.role == Role::User && self.batch.participant(said) == Some(about)
                };
                quoted(&known.text, about).is_none() && !self.batch.messages.iter().any(is_user)
            }
            (None, None) => false,
        }
    }

    /// Everybody speaks for themselves: what is said of a participant counts only in their own words.
    fn person(&mut self, place: usize, fact: &FactAnswer, said: Option<&StoredMessage>) {
        let Some(about) = fact.about.as_deref() else {
            if !self.people.is_empty() && !said.is_some_and(|said| self.batch.is_nameless(said)) {
                let message = format!("say whom it is about: {}", self.people.join(", "));
                self.wrong("facts", place, "about", message);
            }
            return;
        };
        let names = |name: &str| quoted(&fact.text, name).is_some();
        let mut others = self.batch.participants.iter().map(String::as_str).filter(|name| *name != about);
        if !names(about) && others.any(names) {
            let message = format!("the fact does not name {about}; say of each what they say of themselves");
            self.wrong("facts", place, "text", message);
        }
        let speaks = |said: &StoredMessage| self.batch.participant(said) == Some(about);
        if !said.is_some_and(speaks)
            && fact.message.is_none_or(|message| message <= self.batch.messages.len())
        {
            let message = format!("name a message in which {about} says it, or leave it out");
            self.wrong("facts", place, "message", message);
        }
    }

    fn fields(&mut self, fields: &[FieldAnswer], schemas: &Schemas, known: &Known) {
        for (place, field) in fields.iter().enumerate() {
            if !field.value.is_null()
                && let Err(error) = schemas.check(&field.schema, &field.field, &field.value)
            {
                self.wrong("profile", place, "value", error.into());
            }
            // As of a fact that tells the name.
            let name = field.value.as_str().unwrap_or_default();
            if Slot::Name.field_names().contains(&field.field.as_str()) && self.is_users_name(name) {
                self.message("profile", place, field.message);
                continue;
            }
            let said = self.batch.said(field.message, field.quote.as_deref());
            let profile = known.profiles.get(&field.schema);
            if profile.is_some_and(|profile| profile.fields.contains(&field.field)) {
                self.cites("profile", place, field.message, said);
            }
            self.speaker("profile", place, field.message, said);
            if said.is_some_and(|said| said.role == Role::Assistant && self.batch.is_person(said)) {
                let told =
                    "the profile is that of who speaks as \"user\"; name their message, or leave it out";
                self.wrong("profile", place, "message", told.to_owned());
            }
        }
    }

    /// Whether a fact tells nothing but the name that the user's own messages have.
    fn tells_name(&self, text: &str) -> bool {
        let text = text.trim().trim_end_matches('.');
        let name = NAMED.iter().find_map(|before| text.strip_prefix(before));
        name.is_some_and(|name| self.is_users_name(name))
    }

    fn is_users_name(&self, name: &str) -> bool {
        self.batch.messages.iter().any(|said| {
            said.role == Role::User && said.trust().is_own() && said.name.as_deref() == Some(name)
        })
    }

    fn graph(&mut self, answer: &Answer, known: &Known) {
        let is_known = |name: &str| {
            name == USER
                || known.entities.iter().any(|entity| entity.name == name)
                || known
                    .relations
                    .iter()
                    .any(|known| known.relation.from == name || known.relation.to == name)
                || answer.entities.iter().any(|entity| entity.name.trim() == name)
        };
        let missing =
            |name: &str| format!("there is no entity {name:?}; put it under entities, or leave this out");
        for (place, entity) in answer.entities.iter().enumerate() {
            if entity.name.trim().is_empty() {
                self.wrong("entities", place, "name", "the name is empty; write it".to_owned());
            }
            if let Some(name) = entity.same_as.as_deref().filter(|name| !is_known(name.trim())) {
                self.wrong("entities", place, "same_as", missing(name));
            }
            let said = self.batch.said(entity.message, entity.quote.as_deref());
            self.speaker("entities", place, entity.message, said);
            for (number, observation) in entity.observations.iter().enumerate() {
                let (message, quote) = entity.source(observation);
                let name = format!("observations/{number}");
                if observation.message.is_some_and(|message| message > self.batch.lines()) {
                    let message = format!("an observation names a message over {}", self.batch.lines());
                    self.wrong("entities", place, &name, message);
                } else if !self.batch.is_quoted(message, quote) {
                    let message = "no message has the quote of this observation; copy the words that show it";
                    self.wrong("entities", place, &name, message.to_owned());
                } else if let Some(said) = self.batch.said(message, quote) {
                    if self.is_assistants(said) {
                        let message =
                            "the quote of this observation is the assistant's; name what the user says";
                        self.wrong("entities", place, &name, message.to_owned());
                    } else if let Some(person) = self.of_another(entity.name.trim(), said) {
                        let message = format!("name a message in which {person} says it, or leave it out");
                        self.wrong("entities", place, &name, message);
                    }
                }
            }
        }
        for (place, relation) in answer.relations.iter().enumerate() {
            for (end, name) in [("from", &relation.from), ("to", &relation.to)] {
                if !is_known(name.trim()) {
                    self.wrong("relations", place, end, missing(name));
                }
            }
            let said = self.batch.said(relation.message, relation.quote.as_deref());
            self.speaker("relations", place, relation.message, said);
            if let Some(said) = said.filter(|said| self.batch.participant(said) != Some(relation.to.trim()))
                && let Some(person) = self.of_another(relation.from.trim(), said)
            {
                let message = format!("name a message in which {person} says it, or leave it out");
                self.wrong("relations", place, "message", message);
            }
            if relation.ended {
                self.cites("relations", place, relation.message, said);
            }
            self.date("relations", place, "since", relation.since.as_deref());
        }
    }
}

impl Batch {
    /// The message that says something: the one of this number if it has the words, or else one that has them, of somebody who speaks for
    /// themselves before the assistant's, and of now before those of earlier; the one of this number where none has, or where the words
    /// are so few that they may stand anywhere.
    pub(super) fn said(&self, message: Option<usize>, quote: Option<&str>) -> Option<&StoredMessage> {
        let numbered = match message {
            // What the application gave is no message.
            Some(number) => Some(self.messages.get(number.checked_sub(1)?)?),
            None => None,
        };
        let Some(quote) = quote else { return numbered };
        let is_short = || quote.chars().filter(|c| c.is_alphanumeric()).count() < LEAST_QUOTED;
        if let Some(said) = numbered.filter(|said| is_short() || has(said, quote)) {
            return Some(said);
        }
        let mut first = None;
        for said in self.messages.iter().chain(&self.earlier).filter(|said| has(said, quote)) {
            if self.is_person(said) {
                return Some(said);
            }
            first = first.or(Some(said));
        }
        first.or(numbered)
    }

    /// Whether words were really said; what was given by the application needs none.
    fn is_quoted(&self, message: Option<usize>, quote: Option<&str>) -> bool {
        let is_given = message.is_some_and(|message| message > self.messages.len());
        is_given
            || quote
                .is_some_and(|quote| self.messages.iter().chain(&self.earlier).any(|said| has(said, quote)))
    }
}

/// Whether words stand in a message.
fn has(said: &StoredMessage, quote: &str) -> bool {
    quoted(&said.text(), quote).is_some()
}
