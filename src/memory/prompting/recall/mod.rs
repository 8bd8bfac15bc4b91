//! Recall: what is worth telling the model now, within a number of tokens, each line explained.

mod fill;
mod graph;
mod hops;
mod known;
mod line;
mod named;
mod over;
mod queries;
mod reached;
mod sense;
mod told;

pub use super::compose::{Item, Section};
pub use crate::memory::finding::Known;
pub(crate) use fill::Filling;
pub(crate) use queries::Queries;

use crate::error::{Code, Error, Result};
use crate::filter::Filter;
use crate::memory::compose::{Defaults, Layout, Pack, Share, check_max_tokens, fit, line, shares, words};
use crate::memory::episodes::Episode;
use crate::memory::facts::Fact;
use crate::memory::limits;
use crate::memory::listing::Shown;
use crate::memory::message::{NewMessage, StoredMessage, check, check_either, thread};
use crate::memory::profiles::{Field, Profiles};
use crate::memory::rewriting::{Before, Rewriter, Rewritten};
use crate::memory::scoring::Scoring;
use crate::memory::search::Searcher;
use crate::memory::threads::Threads;
use crate::ports::Loaded;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::Store;
use line::instruction;
use reached::Walk;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::num::NonZeroUsize;
use std::rc::Rc;

/// What to recall for.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecallOptions {
    /// What the user says or asks now.
    pub query: String,
    /// The most tokens of the whole text; 1 to 1 000 000, 1000 by default.
    #[serde(default = "thousand", deserialize_with = "limits::max_tokens")]
    pub max_tokens: usize,
    /// How many facts and messages at most, 1 to 1000; as many as there is room for by default.
    #[serde(default, deserialize_with = "limits::limit_if_any")]
    pub limit: Option<usize>,
    /// The conversation that goes on, whose messages are left out: the model has them already.
    pub current_thread_id: Option<String>,
    /// The messages of a conversation that is not stored, or of which others than these are to be found, in place of one that is; at
    /// most 500. They are what a query is rewritten by.
    pub messages: Option<Vec<NewMessage>>,
    /// A condition on what facts and messages show.
    pub filter: Option<Value>,
    /// The least relevance of a fact, message or episode, 0 to 1. By default a fact is told from 0.15 on if it has 0.6 of the relevance
    /// of the best fact, anything else from 0.15 on if it has 0.4 of the best of its kind.
    pub threshold: Option<f32>,
    /// How facts and messages are scored; by words and meaning alone by default.
    #[serde(default)]
    pub scoring: Scoring,
    /// Of each section by its name the share of all tokens, from 0 to 1, or `{ priority, maxTokens }`. What the others leave goes to
    /// facts and messages that have no share of their own here.
    #[serde(default)]
    pub sections: Map<String, Value>,
    /// Whether the application's model is asked what else to search for; false by default.
    #[serde(default)]
    pub rewrite: bool,
    /// Over how many relations the graph is walked from whom the query names, 0 to 3; 0 by default.
    #[serde(default, deserialize_with = "limits::hops")]
    pub hops: usize,
    /// Whether what waits for its vector gets it first; false by default.
    #[serde(default, rename = "await")]
    pub waits: bool,
}

/// Of each section the share of all tokens, and its priority.
const SHARES: &Defaults = &[
    (Section::Instructions, 100, 90),
    (Section::Profile, 100, 80),
    (Section::Facts, 40, 70),
    (Section::Graph, 15, 60),
    (Section::Messages, 40, 50),
    (Section::Episodes, 10, 40),
    (Section::Summaries, 20, 30),
    (Section::Significant, 0, 10),
];

fn thousand() -> usize {
    1000
}

/// What was recalled.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Recalled {
    /// Ready for the prompt; empty when there is nothing to tell.
    pub text: String,
    /// Its tokens; never more than asked for.
    pub tokens: usize,
    /// The tokens of its beginning, which does not depend on the query.
    pub prefix_tokens: usize,
    /// Every line, explained.
    pub items: Vec<Item>,
    /// Whether what is asked is known.
    pub known: Known,
    /// Why, in a sentence.
    pub reason: String,
    /// How many records of the user wait for a vector, and are found by their words alone until then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unembedded: Option<NonZeroUsize>,
    /// What the query was rewritten to, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rewritten: Option<Rewritten>,
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
    rewriter: Rewriter,
}

impl Recall {
    pub(crate) fn new(searcher: Searcher, profiles: Profiles, threads: Threads, rewriter: Rewriter) -> Self {
        Self { searcher, profiles, threads, rewriter }
    }

    /// Puts together what matters for a query, within a number of tokens: the instructions, the profile, the facts, the episodes,
    /// what the graph knows of whom the query names, the summaries of the last three other threads and the earlier messages, in
    /// that order. Instructions, fields and pinned facts are the same whatever is asked, and come first. Then each section has its
    /// share; what is left goes to facts and messages that are related. Other significant facts are told if they have a share. What says
    /// the same as another line is left out, as is a message of which a fact is told.
    ///
    /// # Errors
    /// `InvalidInput`, `InvalidFilter`, and those of reading. A failing embedder is a warning, not an error, and a model that fails
    /// to rewrite the query is part of the answer.
    pub async fn recall(&self, scope: &Scope, options: &RecallOptions) -> Result<Recalled> {
        limits::text("query", &options.query, limits::MAX_QUERY_BYTES)?;
        limits::threshold(options.threshold)?;
        options.scoring.check()?;
        check_max_tokens(options.max_tokens)?;
        check_hops(options.hops)?;
        let shares = shares(SHARES, &options.sections, options.max_tokens)?;
        let fields = [Fact::FIELDS, StoredMessage::FIELDS, Episode::FIELDS].concat();
        let filter = options.filter.as_ref().map(|filter| Filter::on(filter, &fields)).transpose()?;
        let present = options.current_thread_id.as_deref().map(|id| thread(Some(id))).transpose()?;
        let said = options.messages.as_deref();
        check_either("currentThreadId", present, said)?;
        check(said.unwrap_or_default())?;
        let searcher = &self.searcher;
        let before = Before { thread: present, said };
        let asked = (options.query.as_str(), options.hops, options.waits);
        let (queries, rewritten, mut warnings) =
            self.queries(scope, asked, options.rewrite.then_some(before)).await?;
        let mut pack = Pack::new(&Layout::MEMORY, options.max_tokens, searcher.counter.clone());
        for share in &shares {
            pack.limit(share.section, share.most);
        }
        let of = (scope, present);
        let filling = Filling::new(searcher, &self.threads, of, options, filter.as_ref(), &queries);
        let unembedded = searcher.database.read(|store| {
            self.fill(store, &filling, &shares, &mut pack, &mut warnings)?;
            Ok(NonZeroUsize::new(store.count_unembedded(scope)))
        })?;
        let write = |pack: &Pack| {
            let (head, tail) = pack.text();
            let prefix_tokens = searcher.counter.count(&head);
            let text = head + &tail;
            let tokens = searcher.counter.count(&text);
            ((text, prefix_tokens), tokens)
        };
        let written = fit(&mut pack, options.max_tokens, write, |pack, _| pack.pop());
        let ((text, prefix_tokens), tokens) = written.unwrap_or_default();
        let (known, reason) = searcher.database.read(|store| filling.known(store, &shares, &pack))?;
        Ok(Recalled {
            text,
            tokens,
            prefix_tokens,
            items: pack.into_items(),
            known,
            reason,
            unembedded,
            rewritten,
            warnings,
        })
    }

    /// What is searched for: a query, and where it is to be rewritten after what was said `before`, what the model would ask; how far the
    /// graph is walked, and whether what waits for its vector gets it first.
    ///
    /// # Errors
    /// `Load` when what walks the graph cannot be loaded.
    pub(crate) async fn queries(
        &self,
        scope: &Scope,
        (query, hops, waits): (&str, usize, bool),
        before: Option<Before<'_>>,
    ) -> Result<(Queries, Option<Rewritten>, Vec<Error>)> {
        if waits {
            self.searcher.embeddings.catch_up_with_all().await;
        }
        let rewritten = match before {
            Some(before) => Some(self.rewriter.rewrite(scope, query, before).await),
            None => None,
        };
        let others = rewritten.as_ref().map_or(&[][..], |rewritten| &rewritten.queries);
        let (mut queries, warnings) = Queries::embedded(&self.searcher, query, others).await;
        if let Some(asked) = queries.all.first() {
            let kinds = &[Kind::Fact, Kind::Message];
            self.searcher.begin((scope, kinds), &asked.text, asked.embedding.as_ref()).await?;
        }
        if hops > 0 {
            let systems = Loaded::by(&*self.searcher.database.platform()).await?;
            queries.walk = Some(Walk { systems, hops });
        }
        Ok((queries, rewritten, warnings))
    }

    /// Fills a pack: first what does not depend on the query.
    fn fill(
        &self,
        store: &Store,
        filling: &Filling<'_>,
        shares: &[Share],
        pack: &mut Pack,
        warnings: &mut Vec<Error>,
    ) -> Result<()> {
        for item in self.instructions(filling.scope)? {
            let warning = too_long("instruction", &item);
            if !pack.add(item) {
                warnings.push(warning);
            }
        }
        let fields = self.profiles.present(filling.scope)?;
        for item in self.told(&fields) {
            pack.add(item);
        }
        let told = |(_, name, field): &(String, String, Rc<Field>)| {
            (field.id, format!("The user's {name}: {}", words(&field.value)))
        };
        filling.see(store, "field", &fields.iter().map(told).collect::<Vec<_>>());
        let related = filling.related(store, &[Kind::Fact, Kind::Message])?;
        filling.pinned(store, &related, pack)?;
        pack.settle();
        let is_wide = filling.options.threshold.is_none();
        for share in shares {
            match share.section {
                Section::Facts => filling.add_related(store, Kind::Fact, &related, pack)?,
                Section::Graph => filling.graph(store, pack)?,
                Section::Messages => filling.add_related(store, Kind::Message, &related, pack)?,
                Section::Episodes => filling.episodes(store, pack)?,
                Section::Summaries if is_wide => filling.summaries(store, pack)?,
                Section::Significant => filling.others(store, &related, pack)?,
                _ => {}
            }
        }
        for (section, kind) in [(Section::Facts, Kind::Fact), (Section::Messages, Kind::Message)] {
            if shares.iter().any(|share| share.section == section && !share.is_own) {
                pack.lift(section);
                filling.add_related(store, kind, &related, pack)?;
            }
        }
        filling.note(store, pack);
        Ok(())
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
        Ok(self.told(&self.profiles.present(scope)?))
    }

    fn told(&self, fields: &[(String, String, Rc<Field>)]) -> Vec<Item> {
        let counter = &self.searcher.counter;
        let several = self.profiles.schemas().iter().nth(1).is_some();
        let item = |(schema, name, field): &(String, String, Rc<Field>)| {
            let name = if several { format!("{schema}.{name}") } else { name.clone() };
            let text = line(&format!("{}{name}: {}", field.trust.mark(), words(&field.value)));
            Item {
                id: Some(field.id),
                created_at: field.updated_at,
                source: field.source.clone(),
                ..Item::of(Section::Profile, Kind::Field, text, counter)
            }
        };
        fields.iter().map(item).collect()
    }
}

/// Refuses more hops than the graph is walked.
pub(crate) fn check_hops(hops: usize) -> Result<()> {
    limits::whole("hops", hops, 0..=limits::MAX_HOPS)
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
