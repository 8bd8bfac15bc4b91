//! Recall: what is worth telling the model now, within a number of tokens, each line explained.

mod fill;
mod line;

pub use super::compose::{Item, Section};
pub(crate) use fill::Filling;

use crate::error::{Code, Error, Result};
use crate::filter::Filter;
use crate::memory::compose::{Layout, Pack, check_max_tokens, fit, line, words};
use crate::memory::episodes::Episode;
use crate::memory::facts::Fact;
use crate::memory::limits;
use crate::memory::listing::Shown;
use crate::memory::message::{StoredMessage, thread};
use crate::memory::profiles::{Field, Profiles};
use crate::memory::scoring::Scoring;
use crate::memory::search::Searcher;
use crate::memory::threads::Threads;
use crate::record::Kind;
use crate::scope::Scope;
use line::instruction;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::rc::Rc;

/// What to recall for.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecallOptions {
    /// What the user says or asks now.
    pub query: String,
    /// The most tokens of the whole text; 1 to 1 000 000, 1000 by default.
    #[serde(default = "thousand")]
    pub max_tokens: usize,
    /// How many facts and messages at most, 1 to 1000; 20 by default.
    #[serde(default = "twenty")]
    pub limit: usize,
    /// The present conversation, whose messages are left out: the model has them already.
    pub thread_id: Option<String>,
    /// A condition on what facts and messages show.
    pub filter: Option<Value>,
    /// The least score of a fact or message. When given, only what is related to the query is recalled; by default
    /// the most significant other facts fill what room is left.
    pub threshold: Option<f32>,
    /// How facts and messages are scored; by words and meaning alone by default.
    #[serde(default)]
    pub scoring: Scoring,
}

fn thousand() -> usize {
    1000
}

fn twenty() -> usize {
    20
}

/// What was recalled.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Recalled {
    /// Ready for the prompt; empty when there is nothing to tell.
    pub text: String,
    /// Its tokens; never more than asked for.
    pub tokens: usize,
    /// Every line, explained.
    pub items: Vec<Item>,
    /// What could not be used, such as an embedder that failed; the rest is there all the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Error>,
}

/// Recall over every scope.
#[derive(Clone)]
pub struct Recall {
    searcher: Searcher,
    profiles: Profiles,
    threads: Threads,
}

impl Recall {
    pub(crate) fn new(searcher: Searcher, profiles: Profiles, threads: Threads) -> Self {
        Self { searcher, profiles, threads }
    }

    /// Puts together the instructions, the profile, the facts, the episodes, the summaries of the last three other threads and the
    /// earlier messages that matter for a query, in that order, within a number of tokens. Room goes to instructions and fields
    /// first, then to pinned facts, then to what is related to the query, then to the summaries, then to the most significant
    /// other facts.
    ///
    /// # Errors
    /// `InvalidInput`, `InvalidFilter`, and those of reading. A failing embedder is a warning, not an error.
    pub async fn recall(&self, scope: &Scope, options: &RecallOptions) -> Result<Recalled> {
        limits::text("query", &options.query, limits::MAX_QUERY_BYTES)?;
        limits::limit(options.limit)?;
        options.scoring.check()?;
        check_max_tokens(options.max_tokens)?;
        let fields = [Fact::FIELDS, StoredMessage::FIELDS, Episode::FIELDS].concat();
        let filter = options.filter.as_ref().map(|filter| Filter::on(filter, &fields)).transpose()?;
        let present = options.thread_id.as_deref().map(|id| thread(Some(id))).transpose()?;
        let (embedding, mut warnings) = match self.searcher.models.embed_query(&options.query).await {
            Ok(embedding) => (embedding, Vec::new()),
            Err(error) => (None, vec![error]),
        };
        let now = self.searcher.database.now();
        let mut pack = Pack::new(&Layout::MEMORY, options.max_tokens, self.searcher.counter.clone());
        for item in self.instructions(scope)? {
            let warning = too_long("instruction", &item);
            if !pack.add(item) {
                warnings.push(warning);
            }
        }
        for item in self.fields(scope)? {
            pack.add(item);
        }
        let filling = Filling {
            searcher: &self.searcher,
            scope,
            options,
            filter: filter.as_ref(),
            present,
            embedding: embedding.as_ref(),
            threads: &self.threads,
            now,
        };
        filling.fill(&mut pack, &mut warnings)?;
        let write = |pack: &Pack| {
            let (head, tail) = pack.text();
            let text = head + &tail;
            let tokens = self.searcher.counter.count(&text);
            (text, tokens)
        };
        let written = fit(&mut pack, options.max_tokens, write, |pack, _| pack.pop());
        let (text, tokens) = written.unwrap_or_default();
        Ok(Recalled { text, tokens, items: pack.into_items(), warnings })
    }

    pub(crate) fn threads(&self) -> &Threads {
        &self.threads
    }

    /// What searching takes.
    pub(crate) fn searcher(&self) -> &Searcher {
        &self.searcher
    }

    /// The pinned instructions; when none is, the first.
    pub(crate) fn instructions(&self, scope: &Scope) -> Result<Vec<Item>> {
        let now = self.searcher.database.now();
        self.searcher.database.read(|store| {
            let mut views: Vec<_> = store.pinned(scope, Kind::Instruction).collect();
            views.retain(|view| view.holds_at(now));
            if views.is_empty() {
                views.extend(store.records(scope, Kind::Instruction).find(|view| view.holds_at(now)));
            }
            views.iter().map(|view| instruction(view, &self.searcher.counter)).collect()
        })
    }

    /// The fields of the profiles.
    pub(crate) fn fields(&self, scope: &Scope) -> Result<Vec<Item>> {
        let counter = &self.searcher.counter;
        let several = self.profiles.schemas().iter().nth(1).is_some();
        let item = |(schema, name, field): (String, String, Rc<Field>)| {
            let name = if several { format!("{schema}.{name}") } else { name };
            let text = line(&format!("{}{name}: {}", field.trust.mark(), words(&field.value)));
            Item {
                id: Some(field.id),
                created_at: field.updated_at,
                source: field.source.clone(),
                ..Item::of(Section::Profile, Kind::Field, text, counter)
            }
        };
        Ok(self.profiles.present(scope)?.into_iter().map(item).collect())
    }
}

/// That something found no room.
pub(crate) fn too_long(what: &str, item: &Item) -> Error {
    let (tokens, id) = (item.tokens, item.id.map_or_else(String::new, |id| format!(" {id}")));
    let message =
        format!("the {what}{id} has {tokens} tokens, more than are left; shorten it or raise maxTokens");
    let error = Error::new(Code::BudgetExceeded, message);
    match item.id {
        Some(id) => error.with("id", id.to_string()),
        None => error,
    }
}
