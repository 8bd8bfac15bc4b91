//! Consolidation: facts that say the same in other words become one, by the model's verdict, when the application asks.

use super::alike::{Pair, Rarity, groups};
use crate::database::Database;
use crate::embedding::Embedding;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::{Cause, RecordView};
use crate::memory::action::Action;
use crate::memory::changes::{Changes, anew};
use crate::memory::extract::ABOUT;
use crate::memory::facts::{Contests, Fact, FactValue, MAX_FACT_BYTES};
use crate::memory::limits;
use crate::memory::models::{Models, Question};
use crate::memory::prompts::{CONSOLIDATE_VERSION, Prompts, lines};
use crate::memory::proposals::{Reason, propose};
use crate::memory::source::{MAX_SOURCES, add_sources};
use crate::memory::span;
use crate::record::{Kind, Record};
use crate::schema::{Schema, Violation};
use crate::scope::Scope;
use crate::sort::sorted;
use crate::store::{Draft, Expect, Query, Store};
use crate::time::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};
use std::rc::Rc;

/// The most facts one request shows.
const MAX_SHOWN: usize = 60;
/// How many neighbours of a fact are looked at.
const NEIGHBOURS: usize = 5;
/// The most tokens of an answer.
const ANSWER_TOKENS: u32 = 2000;

/// What to consolidate.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Consolidate {
    /// How many of the newest facts are compared with the others, 1 to 1000; 200 by default.
    #[serde(deserialize_with = "limits::limit")]
    pub limit: usize,
}

impl Default for Consolidate {
    fn default() -> Self {
        Self { limit: 200 }
    }
}

/// An answer that passed its checks.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Answer {
    merges: Vec<Merge>,
    supersedes: Vec<Supersede>,
}

/// Facts that say the same, by number.
#[derive(Debug, Deserialize)]
struct Merge {
    keep: usize,
    drop: Vec<usize>,
    text: String,
}

/// A fact that is no longer true, and the one that shows it.
#[derive(Debug, Deserialize)]
struct Supersede {
    old: usize,
    by: usize,
}

/// The shape of an answer.
fn answer() -> Result<Schema> {
    Schema::of_text(
        r#"{
            "type": "object",
            "required": ["merges", "supersedes"],
            "properties": {
                "merges": { "type": "array", "items": {
                    "type": "object",
                    "required": ["keep", "drop", "text"],
                    "properties": {
                        "keep": { "type": "integer", "minimum": 1 },
                        "drop": { "type": "array", "minItems": 1, "items": { "type": "integer", "minimum": 1 } },
                        "text": { "type": "string", "minLength": 1, "maxLength": 1000 }
                    }
                } },
                "supersedes": { "type": "array", "items": {
                    "type": "object",
                    "required": ["old", "by"],
                    "properties": {
                        "old": { "type": "integer", "minimum": 1 },
                        "by": { "type": "integer", "minimum": 1 }
                    }
                } }
            }
        }"#,
    )
}

/// Consolidation of every scope's facts.
#[derive(Clone)]
pub struct Consolidation {
    database: Database,
    models: Rc<Models>,
    changes: Changes,
    prompts: Rc<Prompts>,
}

impl Consolidation {
    pub(crate) fn new(database: Database, models: Rc<Models>, prompts: Rc<Prompts>) -> Self {
        let changes = Changes::new(&database, &models);
        Self { database, models, changes, prompts }
    }

    /// Asks the model, once, which of the facts that resemble or contradict one another say the same, merges those, and ends those that a
    /// newer one shows to be over; all in one commit. Pinned facts stay as they are. Empty, without a request, when no facts
    /// do so.
    ///
    /// # Errors
    /// `InvalidInput`, `Model` and `Timeout` when there is no model or it fails, and those of storing; nothing is changed then.
    pub async fn consolidate(&self, scope: &Scope, asked: &Consolidate) -> Result<Vec<Action>> {
        self.database.check_writable()?;
        self.models.llm()?;
        let what = "the facts changed while they were judged";
        anew(what, &[Code::Conflict], &mut || Box::pin(self.once(scope, asked.limit))).await
    }

    async fn once(&self, scope: &Scope, limit: usize) -> Result<Vec<Action>> {
        let since = self.database.sequence();
        let facts = self.alike(scope, limit).await?;
        if facts.is_empty() {
            return Ok(Vec::new());
        }
        let shown = lines(facts.iter().enumerate().map(|(place, (group, fact))| {
            fact.dated(json!({ "number": place + 1, "group": group, "fact": fact.text }))
        }));
        let question = Question {
            purpose: "consolidate",
            prompt: CONSOLIDATE_VERSION,
            system: self.prompts.render("consolidate.system", &[]),
            user: self.prompts.render("consolidate.user", &[("facts", &shown)]),
            schema: answer()?,
            max_tokens: ANSWER_TOKENS,
        };
        let answer = self.models.ask(question, &|answer| check(answer, facts.len())).await?;
        let answer: Answer = crate::json::from_value(answer).map_err(|error| {
            Error::new(Code::Internal, format!("a checked answer is not readable: {error}"))
        })?;
        let mut draft = self.database.read(|store| self.plan(store, scope, &answer, &facts))?;
        draft.since = Some(since);
        Ok(self.changes.commit(draft).await?.actions)
    }

    /// The newest facts that resemble or contradict others, with those, in groups.
    async fn alike(&self, scope: &Scope, limit: usize) -> Result<Vec<(usize, Fact)>> {
        let now = self.database.now();
        let newest: Vec<(Id, String)> = self.database.read(|store| {
            let present =
                store.records(scope, Kind::Fact).rev().filter(|view| view.holds_at(now) && !view.pinned);
            Ok(present.take(limit).map(|view| (view.id, view.text.unwrap_or_default().to_owned())).collect())
        })?;
        let texts: Vec<String> = newest.iter().map(|(_, text)| text.clone()).collect();
        let embeddings = self.models.embed(&texts).await?;
        self.database.read(|store| {
            let rarity = Rarity::of(texts.iter());
            let (mut pairs, mut contests): (Vec<Pair>, Contests) = Default::default();
            for ((id, text), embedding) in newest.iter().zip(&embeddings) {
                pairs.extend(self.pairs(store, scope, (*id, text), embedding.as_ref(), now, &rarity)?);
                let Some(view) = store.get(scope, *id) else { continue };
                let contested = contests.of((store, scope), &view, now)?.into_iter().map(|other| other.id);
                let is_loose = |other: &Id| store.get(scope, *other).is_some_and(|view| !view.pinned);
                let contested = contested.filter(is_loose);
                pairs.extend(contested.map(|other| Pair::contested([(*id).min(other), (*id).max(other)])));
            }
            let mut facts = Vec::new();
            for (number, group) in groups(&pairs, MAX_SHOWN).iter().enumerate() {
                let of_group =
                    group.iter().filter_map(|id| store.get(scope, *id)).map(|view| Fact::of(&view));
                let of_group = of_group.collect::<Result<Vec<Fact>>>()?;
                // The oldest first: what was said later may end what was said before.
                let in_time = sorted(&of_group, |a, b| a.valid_from.cmp(&b.valid_from).then(a.id.cmp(&b.id)));
                facts.extend(in_time.into_iter().map(|fact| (number + 1, fact.clone())));
            }
            Ok(facts)
        })
    }

    /// A fact with others that may say the same, or end it.
    fn pairs(
        &self,
        store: &Store,
        scope: &Scope,
        (id, text): (Id, &str),
        embedding: Option<&Embedding>,
        now: Timestamp,
        rarity: &Rarity,
    ) -> Result<Vec<Pair>> {
        let about = |view: &RecordView<'_>| -> Result<Option<Value>> { Ok(view.metadata()?.remove(ABOUT)) };
        let own = store.get(scope, id).map(|view| about(&view)).transpose()?.flatten();
        let query = Query { text, embedding, limit: NEIGHBOURS, now };
        let found = store.search(scope, Kind::Fact, &query, &|view| view.id != id && !view.pinned)?;
        let mut pairs = Vec::new();
        for found in &found {
            // What is known of two people is not the same, however alike it is said.
            if about(&found.record)? != own {
                continue;
            }
            let ids = [id.min(found.record.id), id.max(found.record.id)];
            let texts = [text, found.record.text.unwrap_or_default()];
            let [_, meaning] = found.score.terms;
            let near = meaning.raw.filter(|_| self.models.is_alike(found));
            pairs.extend(Pair::of(ids, texts, near, rarity));
        }
        Ok(pairs)
    }

    fn plan(&self, store: &Store, scope: &Scope, answer: &Answer, facts: &[(usize, Fact)]) -> Result<Draft> {
        let shown =
            |number: usize| number.checked_sub(1).and_then(|place| facts.get(place)).map(|(_, fact)| fact);
        let current = |number: usize| -> Result<(Record, Expect)> {
            let fact =
                shown(number).ok_or_else(|| Error::new(Code::Internal, "a checked answer names no fact"))?;
            let record = store.record(scope, fact.id)?.filter(|record| record.revision == fact.revision);
            let record = record.ok_or_else(|| {
                Error::new(Code::Conflict, format!("the fact {} changed while the model answered", fact.id))
            })?;
            Ok((record, Expect::Revision(fact.revision)))
        };
        let mut draft = Draft::new(scope, Cause::Extract);
        let trust = |number: usize| shown(number).map(|fact| fact.trust);
        let mut held: Vec<Id> = Vec::new();
        let mut heirs: Vec<(Id, Id)> = Vec::new();
        for merge in &answer.merges {
            // What is not of the conversation stays beside what is, and takes no words or sources of it.
            let is_alike = |number: &usize| {
                trust(*number)
                    .zip(trust(merge.keep))
                    .is_some_and(|(one, other)| one == other || (one.is_own() && other.is_own()))
            };
            if !merge.drop.iter().all(is_alike) {
                continue;
            }
            let (mut kept, expect) = current(merge.keep)?;
            for number in &merge.drop {
                let (dropped, expect) = current(*number)?;
                kept.significance = kept.significance.max(dropped.significance);
                span::join(&mut kept, &dropped);
                add_sources(&mut kept, &dropped.provenance, MAX_SOURCES);
                heirs.push((dropped.id, kept.id));
                draft.delete(dropped.id, expect);
            }
            kept.text = Some(merge.text.trim().to_owned());
            draft.put(kept, expect, None);
        }
        for supersede in &answer.supersedes {
            let (mut old, expect) = current(supersede.old)?;
            let (by, _) = current(supersede.by)?;
            if trust(supersede.by).is_some_and(|by| !by.is_own())
                && trust(supersede.by) < trust(supersede.old)
            {
                held.push(old.id);
            }
            old.valid_to = Some(by.valid_from.max(old.valid_from));
            succeeded(&mut old, heir(&heirs, by.id).unwrap_or(by.id));
            draft.put(old, expect, None);
        }
        follow(store, scope, &heirs, &mut draft)?;
        propose(&self.database, store, draft, &|change| {
            Ok(Some(Reason::Trust).filter(|_| held.contains(&change.id())))
        })
    }
}

/// Notes in a fact that is over which one took its place.
fn succeeded(old: &mut Record, by: Id) {
    if let Value::Object(value) = &mut old.value {
        value.insert("supersededBy".to_owned(), by.to_string().into());
    }
}

/// The fact that a dropped one became part of.
fn heir(heirs: &[(Id, Id)], dropped: Id) -> Option<Id> {
    heirs.iter().find(|(gone, _)| *gone == dropped).map(|(_, kept)| *kept)
}

/// Facts whose place a dropped one took name the one that it became part of.
fn follow(store: &Store, scope: &Scope, heirs: &[(Id, Id)], draft: &mut Draft) -> Result<()> {
    if heirs.is_empty() {
        return Ok(());
    }
    for view in store.records(scope, Kind::Fact).filter(|view| view.valid_to.is_some()) {
        let by = FactValue::of(&view)?.superseded_by.and_then(|by| heir(heirs, by));
        let is_changed = draft.changes.iter().any(|change| change.id() == view.id);
        let (Some(by), false) = (by, is_changed) else { continue };
        let Some(mut record) = store.record(scope, view.id)? else { continue };
        let expect = Expect::Revision(record.revision);
        succeeded(&mut record, by);
        draft.put(record, expect, None);
    }
    Ok(())
}

/// What the schema cannot say: that only what was shown may be named, and each fact once.
fn check(answer: &Value, facts: usize) -> Vec<Violation> {
    let answer = match crate::json::from_value::<Answer>(answer.clone()) {
        Ok(answer) => answer,
        Err(error) => return vec![Violation::new(String::new(), error.to_string())],
    };
    let mut violations = Vec::new();
    let mut changed = Vec::new();
    let mut name = |place: String, number: usize, is_changed: bool| {
        if number > facts {
            violations.push(Violation::new(place, format!("there is no fact {number}; there are {facts}")));
        } else if is_changed && changed.contains(&number) {
            violations.push(Violation::new(place, format!("fact {number} is named twice; name it once")));
        } else if is_changed {
            changed.push(number);
        }
    };
    for (place, merge) in answer.merges.iter().enumerate() {
        name(format!("/merges/{place}/keep"), merge.keep, true);
        for number in &merge.drop {
            name(format!("/merges/{place}/drop"), *number, true);
        }
    }
    for (place, supersede) in answer.supersedes.iter().enumerate() {
        name(format!("/supersedes/{place}/old"), supersede.old, true);
        name(format!("/supersedes/{place}/by"), supersede.by, false);
    }
    for (place, merge) in answer.merges.iter().enumerate() {
        let text = merge.text.trim();
        if text.is_empty() || text.len() > MAX_FACT_BYTES {
            let message = format!("the text must have 1 to {MAX_FACT_BYTES} bytes");
            violations.push(Violation::new(format!("/merges/{place}/text"), message));
        }
    }
    let by = |old| answer.supersedes.iter().find(|it| it.old == old).map(|it| it.by);
    for (place, supersede) in answer.supersedes.iter().enumerate() {
        let mut heirs = std::iter::successors(Some(supersede.by), |heir| by(*heir)).take(facts);
        if heirs.any(|heir| heir == supersede.old) {
            violations.push(Violation::new(
                format!("/supersedes/{place}/by"),
                "a fact cannot end itself, nor what takes its place".to_owned(),
            ));
        }
    }
    violations
}
