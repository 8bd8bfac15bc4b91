//! Distilling: what hot segments say for good goes into the profiles and facts, the traits, and what is known of the assistant.

use super::Tiers;
use super::distilled::{self, Distilled, bound};
use super::moving::shown_page;
use crate::database::Event;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::memory::changes::anew;
use crate::memory::extract::{Batch, Lesson};
use crate::memory::facts::fold;
use crate::memory::message::StoredMessage;
use crate::memory::models::{Lists, Models, Question};
use crate::memory::pages::Topic;
use crate::memory::pages::{AGENT, Dimension, PROFILE, Trait, TraitValue, put_profile, put_trait};
use crate::memory::pages::{Page, asked, mid_prefix, pages};
use crate::memory::pages::{drop_oldest, mark};
use crate::memory::prompts::{DISTIL_VERSION, lines};
use crate::memory::source::{MAX_SOURCES, add_sources};
use crate::memory::task::Generate;
use crate::ports::Loaded;
use crate::record::{Kind, Provenance, Record};
use crate::scope::Scope;
use crate::sort::sorted;
use crate::store::{Draft, Expect, Store};
use crate::time::Timestamp;
use serde_json::{Value, json};
use std::rc::Rc;

/// The most pages of one request.
const MOST_PAGES: usize = 16;
/// The most tokens of an answer.
const ANSWER_TOKENS: u32 = 3000;
/// How many known statements about the assistant are shown, the latest.
const SHOWN_STATEMENTS: usize = 30;
/// What an item of an answer says the same without. Not its page: what comes from nowhere is not kept.
const DISPENSABLE: [&str; 5] = ["category", "significance", "since", "until", "quote"];

/// What is learned from hot segments.
enum Taught<'a> {
    /// What the model answered to a lesson.
    ByModel(Lesson<'a>, Value),
    /// What the rules found.
    ByRules(Draft),
}

/// Hot segments and their pages that were not distilled yet.
struct Hot {
    topics: Vec<Topic>,
    batch: Batch,
    pages: Vec<Page>,
    /// Known statements about the assistant, as they are shown.
    statements: Vec<(Id, String)>,
}

impl Tiers {
    /// Distils what is hot in one request; the answer is how many segments that were. Only who has the turn may.
    ///
    /// # Errors
    /// `Model` and `Timeout` when the model fails, and those of storing: the segments stay hot then.
    pub(super) async fn distil(&self, scope: &Scope, models: &Rc<Models>) -> Result<usize> {
        let what = "the memory changed while it was distilled";
        anew(what, &[Code::Conflict, Code::NotFound], &mut || Box::pin(self.distil_once(scope, models))).await
    }

    async fn distil_once(&self, scope: &Scope, models: &Rc<Models>) -> Result<usize> {
        let (extractor, database) = (&self.inner.extractor, &self.inner.database);
        let since = database.sequence();
        let Some(hot) = self.hot(scope)? else { return Ok(0) };
        let answered = if models.has_llm() {
            let lesson = extractor.lesson(&hot.batch).await?;
            self.question(scope, &lesson, &hot, models).await?.map(|answer| (lesson, answer))
        } else {
            None
        };
        let taught = match answered {
            Some(answered) => Taught::ByModel(answered.0, answered.1),
            None => Taught::ByRules(extractor.lesson_by_rules(&hot.batch).await?),
        };
        let systems = Loaded::by(&*database.platform()).await?;
        let now = database.now();
        let mut draft = database.read(|store| {
            let learned = match taught {
                Taught::ByModel(lesson, answer) => {
                    let mut learned = lesson.plan(store, &answer, now)?;
                    mark(&mut learned);
                    self.characters(store, &mut learned, &Distilled::read(&answer)?, &hot, now)?;
                    learned
                }
                Taught::ByRules(mut learned) => {
                    mark(&mut learned);
                    learned
                }
            };
            let mut draft = extractor.settled(systems, store, learned, &hot.batch)?;
            drop_oldest(store, &mut draft, self.inner.options.knowledge)?;
            Ok(draft)
        })?;
        for topic in &hot.topics {
            topic.put(&mut draft, now)?;
        }
        draft.since = Some(since);
        self.inner.changes.commit(draft).await?;
        Ok(hot.topics.len())
    }

    /// The hot segments as they will be, hottest first, and what there is to read of them; `None` when none is hot.
    fn hot(&self, scope: &Scope) -> Result<Option<Hot>> {
        let options = &self.inner.options;
        let now = self.inner.database.now();
        self.inner.database.read(|store| {
            let mut all = self.topics(store, scope)?;
            all.retain(|topic| topic.is_hot(now, options));
            let heat = |topic: &Topic| topic.heat(now, options).value;
            let (mut topics, mut read): (_, Vec<(Page, StoredMessage)>) = (Vec::new(), Vec::new());
            for topic in sorted(&all, |a, b| heat(b).total_cmp(&heat(a))) {
                let views = pages(store, scope, &mid_prefix(topic.shown.id));
                let known = views.len().saturating_sub(topic.fresh as usize);
                let room = MOST_PAGES.saturating_sub(read.len());
                if room == 0 {
                    break;
                }
                let mut topic = topic.clone();
                for view in views.iter().skip(known).take(room) {
                    read.push((Page::of(view)?, asked(view)?));
                    topic.fresh -= 1;
                }
                // Should pages be missing, there is nothing to wait for.
                if views.len() <= known + room {
                    topic.fresh = 0;
                }
                topics.push(topic);
            }
            if topics.is_empty() {
                return Ok(None);
            }
            // In the order of time, whatever segments they are of: what was said last holds.
            let read = sorted(&read, |(a, _), (b, _)| a.created_at.cmp(&b.created_at).then(a.id.cmp(&b.id)));
            let (pages, messages): (Vec<Page>, Vec<StoredMessage>) = read.into_iter().cloned().unzip();
            let statements = store.by_key_prefix(scope, Kind::Trait, AGENT);
            let latest = statements.iter().rev().take(SHOWN_STATEMENTS);
            let statements = latest.map(|view| (view.id, view.text.unwrap_or_default().to_owned())).collect();
            let batch = Batch {
                scope: scope.clone(),
                thread_id: String::new(),
                tasks: Vec::new(),
                earlier: Vec::new(),
                messages,
                given: Vec::new(),
                options: Generate::default(),
                participants: Vec::new(),
                attempts: 0,
            };
            Ok(Some(Hot { topics, batch, pages, statements }))
        })
    }

    /// What the model makes of them; `None` when nothing of its answer could be used twice, so that the rules have to do: what
    /// stays hot for ever keeps the rest from being distilled.
    async fn question(
        &self,
        scope: &Scope,
        lesson: &Lesson<'_>,
        hot: &Hot,
        models: &Rc<Models>,
    ) -> Result<Option<Value>> {
        let (schema, form) = distilled::schema(&self.inner.extractor)?;
        let (known, agent_profile) = self.inner.database.read(|store| {
            let traits = Trait::all(store, scope)?;
            let traits = traits.iter().map(|known| {
                let word = Dimension::named(&known.name).map_or(&*known.name, |dimension| dimension.word);
                json!({ "name": word, "level": known.level, "confidence": known.confidence })
            });
            let profile = store.by_key_prefix(scope, Kind::Trait, PROFILE);
            let profile = profile.iter().map(|view| json!(view.text));
            Ok((lines(traits), lines(profile)))
        })?;
        let statements = hot.statements.iter().enumerate();
        let agent = lines(statements.map(|(place, (_, text))| json!({ "number": place + 1, "text": text })));
        let shown = hot.pages.iter().enumerate();
        let shown = lines(shown.map(|(place, page)| shown_page(place + 1, "message", page)));
        let memory = lesson.memory();
        let sections = lesson.sections();
        let words = Dimension::words();
        let question = Question {
            purpose: "distil",
            prompt: DISTIL_VERSION,
            system: self
                .inner
                .prompts
                .render("distil.system", &[("sections", &sections), ("traits", &words), ("answer", &form)]),
            user: self.inner.prompts.render(
                "distil.user",
                &[
                    ("memory", &memory),
                    ("known_traits", &known),
                    ("agent_profile", &agent_profile),
                    ("agent", &agent),
                    ("pages", &shown),
                ],
            ),
            schema,
            max_tokens: ANSWER_TOKENS,
        };
        let (pages, statements) = (hot.pages.len(), hot.statements.len());
        let refused = |answer: &Value| {
            let mut wrong = lesson.refused(answer);
            wrong.extend(Distilled::refused(answer, pages, statements));
            wrong
        };
        let database = &self.inner.database;
        let lists =
            Lists { without: &DISPENSABLE, check: &refused, has_parts: false, again: true, endures: false };
        match models.ask_for_lists(question, &lists, database).await {
            Ok(answer) => Ok(answer.map(|mut answer| {
                bound(&mut answer, self.inner.options.knowledge);
                answer
            })),
            Err(error) if error.details.contains_key("violations") => {
                database.tell(&Event::Error(error));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Adds traits, and what is known of the assistant, to a draft.
    fn characters(
        &self,
        store: &Store,
        draft: &mut Draft,
        distilled: &Distilled,
        hot: &Hot,
        now: Timestamp,
    ) -> Result<()> {
        let database = &self.inner.database;
        let source = |number: Option<usize>| {
            let message = hot.batch.messages.get(number?.checked_sub(1)?)?;
            let (message_id, thread_id) = (message.id, message.thread_id.clone());
            Some(Provenance {
                message_id,
                thread_id,
                quote: String::new(),
                trust: hot.batch.source_trust(message),
            })
        };
        for found in &distilled.traits {
            let Some(dimension) = Dimension::named(&found.name) else { continue };
            let value = TraitValue {
                name: dimension.name.to_owned(),
                group: dimension.group,
                level: found.level,
                confidence: found.confidence,
                evidence: vec![found.evidence.clone()],
            };
            put_trait(store, draft, value, source(found.message), database.new_id(), now)?;
        }
        for part in &distilled.agent_profile {
            let (said, source) = ((part.name.as_str(), part.value.as_str()), source(part.message));
            put_profile(store, draft, said, source, database.new_id(), now)?;
        }
        let mut known: Vec<String> = store
            .by_key_prefix(&draft.scope, Kind::Trait, AGENT)
            .iter()
            .map(|view| fold(view.text.unwrap_or_default()))
            .collect();
        for statement in &distilled.agent {
            let folded = fold(&statement.text);
            if known.contains(&folded) {
                continue;
            }
            known.push(folded);
            let target = statement.target.and_then(|number| hot.statements.get(number.checked_sub(1)?));
            let target = target.map(|(id, _)| {
                store.get(&draft.scope, *id).ok_or_else(|| {
                    Error::new(Code::Conflict, format!("the statement {id} was deleted meanwhile"))
                })
            });
            // What is pinned stays; what is new is kept beside it.
            let target = target.transpose()?.filter(|view| !view.pinned);
            let (mut record, expect) = match target {
                Some(view) => (view.to_record(&draft.scope)?, Expect::Revision(view.revision)),
                None => {
                    let id = database.new_id();
                    let mut record = Record::new(id, Kind::Trait, draft.scope.clone(), now);
                    record.key = Some(format!("{AGENT}{id}"));
                    (record, Expect::Absent)
                }
            };
            add_sources(&mut record, source(statement.message).as_slice(), MAX_SOURCES);
            record.text = Some(statement.text.clone());
            draft.put(record, expect, None);
        }
        Ok(())
    }
}
