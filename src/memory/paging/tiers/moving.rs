//! Moving: the oldest pages of the queue go into segments, several at once, by one request to the model or by their own words.

use super::answer::Answer;
use super::likeness::{cosine, jaccard};
use super::shelf::{Leaf, Shelf};
use super::written::written;
use super::{Inner, Tiers};
use crate::embedding::Embedding;
use crate::error::{Code, Result};
use crate::id::Id;
use crate::json::to_value;
use crate::log::Cause;
use crate::memory::changes::anew;
use crate::memory::models::{Models, Question};
use crate::memory::pages::Topic;
use crate::memory::pages::indexed_words;
use crate::memory::pages::{KEYWORDS, clipped, kept, linked, title};
use crate::memory::pages::{Page, PageValue, SHORT, mid_key, pages};
use crate::memory::prompts::{TIER_VERSION, lines};
use crate::ports::Pending;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::sort::sorted;
use crate::store::{Draft, Expect, Store};
use crate::time;
use serde_json::{Value, json as object};
use std::rc::Rc;

/// The most pages of one move, and the most bytes of their texts.
const MOST_PAGES: usize = 10;
const MOST_BYTES: usize = 512 * 1024;
/// The most tokens of an answer.
const ANSWER_TOKENS: u32 = 2000;
/// How many known segments the model is shown.
const SHOWN_SEGMENTS: usize = 8;
/// How many characters of a question, and of an answer, it is shown.
pub(super) const QUERY_CHARACTERS: usize = 2000;
pub(super) const RESPONSE_CHARACTERS: usize = 1000;
/// From which cosine on a page that shares no keyword goes on with the one before it, where no model says so.
const GOES_ON: f64 = 0.3;

/// Pages that move together, the oldest first.
struct Batch {
    pages: Vec<Moving>,
    /// The last commit when they were read.
    since: u64,
    /// The page before them.
    before: Option<Page>,
    before_embedding: Option<Embedding>,
}

/// A page that moves.
struct Moving {
    page: Page,
    record: Record,
    value: PageValue,
    embedding: Option<Embedding>,
    /// The rarest of its own words.
    own: Vec<String>,
}

/// What is said of a page that moves.
struct Said {
    continues: bool,
    chain: String,
    leaf: Leaf,
}

/// What a move did.
#[derive(Debug, Default)]
pub(super) struct Moved {
    pub(super) pages: usize,
    /// The segments that pages went into.
    pub(super) segments: Vec<Id>,
}

impl Inner {
    /// How many pages stand in the queue.
    pub(super) fn waiting(store: &Store, scope: &Scope) -> usize {
        pages(store, scope, SHORT).len()
    }
}

impl Tiers {
    /// Moves the oldest pages, if there are more than the queue holds; says nothing was moved when others did it. Only who has
    /// the turn may.
    ///
    /// # Errors
    /// `Model` and `Timeout` when the model fails, and those of embedding and storing: the pages stay in the queue then.
    pub(super) async fn shift(&self, scope: &Scope, models: &Rc<Models>) -> Result<Moved> {
        let Some(mut batch) = self.batch(scope)? else { return Ok(Moved::default()) };
        let texts = |moving: &&mut Moving| moving.embedding.is_none();
        let mut missing: Vec<&mut Moving> = batch.pages.iter_mut().filter(texts).collect();
        let wanted: Vec<String> =
            missing.iter().map(|moving| moving.record.text.clone().unwrap_or_default()).collect();
        for (moving, embedding) in missing.iter_mut().zip(embed(models, &wanted).await?) {
            moving.embedding = embedding;
        }
        let answered = if models.has_llm() { self.ask(scope, &batch, models).await? } else { None };
        let mut said = answered.unwrap_or_else(|| own_words(&batch));
        let mut abouts: Vec<String> = Vec::new();
        for said in &said {
            if !abouts.contains(&said.leaf.about) {
                abouts.push(said.leaf.about.clone());
            }
        }
        let embeddings = embed(models, &abouts).await?;
        for said in &mut said {
            let place = abouts.iter().position(|about| *about == said.leaf.about);
            said.leaf.about_embedding = place.and_then(|place| embeddings.get(place).cloned().flatten());
        }
        let put_in =
            &mut || -> Pending<'_, Result<Moved>> { Box::pin(self.put_in(scope, &batch, &said, models)) };
        anew("the segments changed while pages moved", &[Code::Conflict, Code::NotFound], put_in).await
    }

    /// The pages that are to move; `None` when the queue holds no more than it may.
    fn batch(&self, scope: &Scope) -> Result<Option<Batch>> {
        let options = &self.inner.options;
        self.inner.database.read(|store| {
            let queue = pages(store, scope, SHORT);
            if queue.len() <= options.capacity {
                return Ok(None);
            }
            let left = options.capacity + 1 - options.batch();
            let count = (queue.len() - left).min(MOST_PAGES);
            let (mut moving, mut bytes) = (Vec::with_capacity(count), 0);
            for view in queue.into_iter().take(count) {
                bytes += view.text.map_or(0, str::len);
                if !moving.is_empty() && bytes > MOST_BYTES {
                    break;
                }
                let (page, record, value) = (Page::of(&view)?, view.to_record(scope)?, view.content()?);
                let embedding = store.embedding(scope, view.id);
                let mut own = written(view.text.unwrap_or_default(), &store.rarest_words(scope, view.id));
                own.truncate(KEYWORDS);
                moving.push(Moving { page, record, value, embedding, own });
            }
            let before = moving.first().and_then(|first| first.value.previous);
            let before = before.and_then(|id| store.get(scope, id)).filter(|view| view.kind == Kind::Page);
            let before_embedding = before.and_then(|view| store.embedding(scope, view.id));
            let before = before.map(|view| Page::of(&view)).transpose()?;
            Ok(Some(Batch { pages: moving, since: store.sequence(), before, before_embedding }))
        })
    }

    /// The model's answer about a batch; `None` when it was unusable twice. The words of the pages are used then, so that the
    /// queue keeps moving.
    async fn ask(&self, scope: &Scope, batch: &Batch, models: &Rc<Models>) -> Result<Option<Vec<Said>>> {
        let known = self.inner.database.read(|store| near(store, scope, batch))?;
        let segments = known.iter().enumerate().map(|(place, topic)| {
            let shown = &topic.shown;
            object!({ "segment": place + 1, "summary": shown.summary, "keywords": shown.keywords })
        });
        let before = batch.before.as_ref().map(|page| {
            object!({ "chain": page.chain, "query": clipped(&page.query, 300), "response": clipped(&page.response, 300) })
        });
        let told =
            batch.pages.iter().enumerate().map(|(place, moving)| shown_page(place + 1, "page", &moving.page));
        let (before, segments, pages) = (lines(before.into_iter()), lines(segments), lines(told));
        let values = [("before", before.as_str()), ("segments", &segments), ("pages", &pages)];
        let question = Question {
            purpose: "tier",
            prompt: TIER_VERSION,
            system: self.inner.prompts.render("tier.system", &[]),
            user: self.inner.prompts.render("tier.user", &values),
            schema: super::answer::schema()?,
            max_tokens: ANSWER_TOKENS,
        };
        let refused = |answer: &Value| Answer::refused(answer, batch.pages.len(), known.len());
        let answer = match models.ask(question, &refused).await {
            Ok(answer) => answer,
            Err(error) if error.details.contains_key("violations") => return Ok(None),
            Err(error) => return Err(error),
        };
        let Ok(answer) = Answer::read(&answer) else { return Ok(None) };
        let mut said = Vec::with_capacity(batch.pages.len());
        for (place, moving) in batch.pages.iter().enumerate() {
            let page = answer.pages.iter().find(|page| page.page == place + 1);
            let theme = page.and_then(|page| answer.themes.get(page.theme.checked_sub(1)?));
            let (Some(page), Some(theme)) = (page, theme) else { return Ok(None) };
            let rewrites = theme.segment.and_then(|number| known.get(number.checked_sub(1)?));
            said.push(Said {
                continues: page.continues,
                chain: page.chain.clone(),
                leaf: Leaf {
                    embedding: moving.embedding.clone(),
                    keywords: page.keywords.clone(),
                    about: theme.summary.clone(),
                    about_embedding: None,
                    rewrites: rewrites.map(|topic| topic.shown.id),
                    theme: Some(page.theme),
                },
            });
        }
        Ok(Some(said))
    }

    /// Puts the pages into segments, and takes out segments that are too many, in one commit.
    async fn put_in(
        &self,
        scope: &Scope,
        batch: &Batch,
        said: &[Said],
        models: &Rc<Models>,
    ) -> Result<Moved> {
        let (database, options) = (&self.inner.database, &self.inner.options);
        let now = database.now();
        let topics = database.read(|store| {
            let still = |moving: &Moving| {
                let view = store.get(scope, moving.page.id);
                view.is_some_and(|view| view.revision == moving.record.revision)
            };
            let before = batch.before.as_ref().is_none_or(|page| store.get(scope, page.id).is_some());
            if !before || !batch.pages.iter().all(still) || store.forgot_since(scope, batch.since) {
                return Ok(None);
            }
            let mut topics = self.topics(store, scope)?;
            for topic in &mut topics {
                topic.embedding = store.embedding(scope, topic.shown.id);
            }
            Ok(Some(topics))
        })?;
        // Somebody else moved or removed them.
        let Some(topics) = topics else { return Ok(Moved::default()) };
        let mut shelf = Shelf::new(topics, options, now);
        let leaves: Vec<&Leaf> = said.iter().map(|said| &said.leaf).collect();
        let places = shelf.place_all(&leaves, &mut || database.new_id());
        let evicted = shelf.evict();
        let mut reworded: Vec<&mut Topic> =
            shelf.topics.iter_mut().filter(|topic| topic.is_reworded).collect();
        let summaries: Vec<String> = reworded.iter().map(|topic| topic.shown.summary.clone()).collect();
        for (topic, embedding) in reworded.iter_mut().zip(embed(models, &summaries).await?) {
            topic.embedding = embedding;
        }
        let mut draft = Draft::new(scope, Cause::Extract);
        draft.since = Some(batch.since);
        for topic in shelf.topics.iter().filter(|topic| topic.is_changed) {
            topic.put(&mut draft, now)?;
        }
        let mut previous = batch.before.as_ref().map(|page| page.id);
        let mut moved = Moved { pages: batch.pages.len(), segments: Vec::new() };
        for ((moving, said), segment) in batch.pages.iter().zip(said).zip(&places) {
            let expect = Expect::Revision(moving.record.revision);
            if evicted.iter().any(|topic| topic.shown.id == *segment) {
                draft.delete(moving.page.id, expect);
            } else {
                let value = PageValue {
                    previous: previous.filter(|_| said.continues),
                    chain: Some(said.chain.clone()),
                    keywords: said.leaf.keywords.clone(),
                    ..moving.value.clone()
                };
                let key = Some(mid_key(*segment, moving.page.id));
                let record = Record { key, value: to_value(&value)?, ..moving.record.clone() };
                draft.put(record, expect, moving.embedding.clone());
                if !moved.segments.contains(segment) {
                    moved.segments.push(*segment);
                }
            }
            previous = Some(moving.page.id);
        }
        database.read(|store| {
            evicted.iter().for_each(|topic| topic.end(store, &mut draft));
            Ok(())
        })?;
        self.inner.changes.commit(draft).await?;
        Ok(moved)
    }
}

/// A page as a model is shown it, by its number under a name.
pub(super) fn shown_page(number: usize, name: &str, page: &Page) -> Value {
    let mut line = object!({
        "date": time::minute(page.created_at),
        "query": clipped(&page.query, QUERY_CHARACTERS),
        "response": clipped(&page.response, RESPONSE_CHARACTERS),
    });
    if let Value::Object(line) = &mut line {
        line.insert(name.to_owned(), number.into());
    }
    line
}

/// The segments that are nearest to any of the pages.
fn near(store: &Store, scope: &Scope, batch: &Batch) -> Result<Vec<Topic>> {
    let mut rated = Vec::new();
    for topic in Topic::all(store, scope)? {
        let similarity = |moving: &Moving| {
            let embedding = moving.embedding.as_ref()?;
            store.similarity(scope, topic.shown.id, embedding)
        };
        let best = batch.pages.iter().filter_map(similarity).fold(-1.0, f32::max);
        rated.push((best, topic));
    }
    let rated = sorted(&rated, |a, b| b.0.total_cmp(&a.0));
    Ok(rated.into_iter().take(SHOWN_SEGMENTS).map(|(_, topic)| topic.clone()).collect())
}

/// What the pages say of themselves: the rarest words are keywords, and a page that shares some of them with the one before it, or
/// is near to it, goes on with it.
fn own_words(batch: &Batch) -> Vec<Said> {
    let mut said: Vec<Said> = Vec::with_capacity(batch.pages.len());
    let mut before = batch.before.as_ref().map(|page| {
        let chain = page.chain.clone().unwrap_or_else(|| title(page));
        (indexed_words(&page.keywords), batch.before_embedding.clone(), chain)
    });
    for moving in &batch.pages {
        let about = title(&moving.page);
        let keywords = kept(if moving.own.is_empty() { std::slice::from_ref(&about) } else { &moving.own });
        let own = indexed_words(&keywords);
        let goes_on = before.as_ref().filter(|(words, embedding, _)| {
            jaccard(words, &own) > 0.0 || cosine(embedding.as_ref(), moving.embedding.as_ref()) >= GOES_ON
        });
        let chain = goes_on.map_or_else(|| about.clone(), |(_, _, chain)| linked(chain, &about));
        let continues = goes_on.is_some();
        before = Some((own, moving.embedding.clone(), chain.clone()));
        let leaf = Leaf {
            embedding: moving.embedding.clone(),
            keywords,
            about,
            about_embedding: None,
            rewrites: None,
            theme: None,
        };
        said.push(Said { continues, chain, leaf });
    }
    said
}

/// The vectors of texts; no call when there are none.
async fn embed(models: &Rc<Models>, texts: &[String]) -> Result<Vec<Option<Embedding>>> {
    if texts.is_empty() { Ok(Vec::new()) } else { models.embed(texts).await }
}
