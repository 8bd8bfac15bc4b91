//! Searching one collection by words and meaning.

use super::collection::Collection;
use super::signals::Signals;
use super::slot::Slot;
use super::state::{Store, Views};
use crate::embedding::Embedding;
use crate::error::{Code, Error, Result};
use crate::index::embedder;
use crate::index::fuse::{Background, EVEN, Fused, Ranking, fuse};
use crate::index::lexical::{self, Contribution, LexicalIndex, Terms};
use crate::index::vector::{Wanted, bits_of};
use crate::log::RecordView;
use crate::ordered::in_order;
use crate::record::Kind;
use crate::scope::Scope;
use crate::sort::sorted;
use crate::time::Timestamp;
use std::ops::Range;

/// How many candidates each list hands to the fusion, per wanted result, and how many more than are wanted at most.
const CANDIDATES_PER_RESULT: usize = 4;
const MORE_CANDIDATES: usize = 60;
/// The least number of candidates of each list.
const MIN_CANDIDATES: usize = 50;
/// Of how many vectors of a collection the usual nearness to a query is taken.
const SAMPLE: usize = 256;
/// In how many deviations from what is usual the nearness to the vectors of the application's embedder counts as 1.
const DEVIATIONS: f32 = 3.5;
/// The cosine from which a text counts as related in meaning, with the application's embedder.
const RELATED: f32 = 0.25;
/// The same for the built-in embedder.
const RELATED_BUILT_IN: f32 = 0.4;

/// How many times as many vectors are looked for where too many of the nearest are of the same documents.
const MORE_OF_PARTS: usize = 4;

/// How many documents of others are passed over on the way to each neighbour.
const PASSED_OVER: usize = 4;

/// What to look for.
#[derive(Clone, Copy)]
pub struct Query<'a> {
    /// The words.
    pub text: &'a str,
    /// Their vector, if there is one.
    pub embedding: Option<&'a Embedding>,
    /// How many results at most.
    pub limit: usize,
    /// Only records that are part of the present at this time.
    pub now: Timestamp,
}

/// Among which records to look.
pub struct Among {
    /// Those that hold from a time of these on; messages, that were said then.
    pub times: Range<Timestamp>,
    /// Those whose key begins so.
    pub key_prefix: String,
    /// Whether each of them is a candidate, also one that has nothing in common with the query.
    pub all: bool,
    /// Whether vectors that are near to the query by no measure are candidates as well, where no more are wanted than there are.
    pub unrelated: bool,
    /// Whether also what is over, or not true yet, may be a result; never what has expired.
    pub ended: bool,
    /// What the condition on records is called; what it says of a revision is kept then, as long as no other has a name. Empty for one
    /// that asks for more than the record, or changes.
    pub condition: String,
}

impl Default for Among {
    fn default() -> Self {
        Self {
            times: Timestamp::MIN..Timestamp::MAX,
            key_prefix: String::new(),
            all: false,
            unrelated: false,
            ended: false,
            condition: String::new(),
        }
    }
}

/// A condition on records, asked of those that would be results.
pub type Accepts<'q> = &'q dyn Fn(&RecordView<'_>) -> bool;

/// A result.
#[derive(Debug, Clone, Copy)]
pub struct Found<'a> {
    /// The record.
    pub record: RecordView<'a>,
    /// How well it fits: by words, then by meaning. The raw score of the meaning is the cosine.
    pub score: Fused<2>,
    /// What else counts, as it is in the score; all 0 where only words and meaning do.
    pub signals: Signals,
    /// How surely it is about what is asked, 0 to 1; 0 until somebody judges it.
    pub relevance: f32,
    /// Which part of what is asked for it holds, and how well it fits who is asked about, 0 to 1 each; `None` as long as nobody judged.
    pub judged: Option<[f32; 2]>,
    /// Whether it speaks of what is asked only by what the built-in embedder knows of meaning: it has none of the words, in whatever
    /// form, and none of the attributes.
    pub is_guess: bool,
    /// The question that was said just before it.
    pub answers: Option<u32>,
}

impl Found<'_> {
    /// A place in time, also among what was stored at once.
    pub(crate) fn order(&self) -> (Timestamp, u32) {
        (self.record.valid_from, self.score.document)
    }
}

/// What a collection is searched for, with what its scores are measured by.
pub struct Search<'s, 'q> {
    store: &'s Store,
    collection: &'s Collection,
    query: Query<'q>,
    /// The words of the query.
    terms: Terms,
    among: &'q Among,
    accepts: Option<Accepts<'q>>,
    /// The turn of its condition among those whose verdicts are kept.
    turn: Option<u64>,
    /// The candidates, in order; whoever searches wants each of them.
    pub candidates: Vec<u32>,
    /// The BM25 score of the best candidate, 0 when none shares a word.
    best: f32,
    /// What is usual among the vectors; `None` when they are not asked.
    background: Option<Background>,
}

impl Store {
    /// Whether stored vectors have the dimensions of a query's; where they have not, searches use words.
    ///
    /// # Errors
    /// `Embedder`, with both.
    pub fn check_dimensions(&self, query: &Embedding) -> Result<()> {
        let own = query.dimensions();
        let mut stored = self.collections.values().filter_map(Collection::dimensions);
        stored.find(|other| *other != own).map_or(Ok(()), |other| Err(other_dimensions(own, other)))
    }

    /// The living records of a scope and kind whose text may be the same as this one apart from case and spaces, in the
    /// order in which they were first stored; those that do not hold all of its words are left out, but for those that are being
    /// indexed.
    pub fn perhaps_same(&self, scope: &Scope, kind: Kind, text: &str) -> Views<'_> {
        let mut documents = self.collection(scope, kind).map_or_else(Vec::new, |collection| {
            let holders = collection.words.holders_of_all(text);
            holders.unwrap_or_else(|| collection.members.keys().copied().collect())
        });
        let is_there = |slot: &Slot| slot.kind == kind && self.scope(slot.scope) == Some(scope);
        let unindexed = self.unindexed.keys().copied();
        documents.extend(unindexed.filter(|document| self.slot(*document).is_some_and(is_there)));
        Box::new(in_order(documents).into_iter().filter_map(|document| self.view(document)))
    }

    /// The documents of a scope and kind that hold the rarest word of a text, in no order: of many about the newest, `most` of them.
    #[must_use]
    pub fn newest_holding(&self, scope: &Scope, kind: Kind, text: &str, most: usize) -> Vec<u32> {
        let Some(collection) = self.collection(scope, kind) else { return Vec::new() };
        let mut documents = collection.words.holders(text, most).unwrap_or_default();
        let is_there = |slot: &Slot| slot.kind == kind && self.scope(slot.scope) == Some(scope);
        let unindexed = self.unindexed.keys().copied();
        documents.extend(unindexed.filter(|document| self.slot(*document).is_some_and(is_there)));
        documents
    }

    /// The records of a collection that fit best, best first. A record that shares no word with the query and is not
    /// among the nearest by meaning is not a result; in a large memory neither is one that shares no word and is not related.
    ///
    /// # Errors
    /// Those of reading vectors.
    pub fn search<'a>(
        &'a self,
        scope: &Scope,
        kind: Kind,
        query: &Query<'_>,
        accepts: &dyn Fn(&RecordView<'_>) -> bool,
    ) -> Result<Vec<Found<'a>>> {
        let among = Among::default();
        let Some(search) = self.candidates(scope, kind, query, &among, Some(accepts))? else {
            return Ok(Vec::new());
        };
        let mut found = search.found(&search.candidates);
        found.truncate(query.limit);
        by_the_best(&mut found);
        Ok(found)
    }

    /// The candidates of a search among some records, from which more than words and meaning may choose; `None` where nothing is
    /// stored. Whether a record is among them is known before it is read; without `accepts` none is read.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    #[inline(never)]
    pub fn candidates<'s, 'q>(
        &'s self,
        scope: &Scope,
        kind: Kind,
        query: &Query<'q>,
        among: &'q Among,
        accepts: Option<Accepts<'q>>,
    ) -> Result<Option<Search<'s, 'q>>> {
        let Some(collection) = self.collection(scope, kind) else { return Ok(None) };
        let more = query
            .limit
            .saturating_add(MORE_CANDIDATES)
            .min(query.limit.saturating_mul(CANDIDATES_PER_RESULT));
        let limit = more.max(MIN_CANDIDATES);
        let mut search = Search {
            store: self,
            collection,
            query: *query,
            terms: collection.words.read(query.text),
            among,
            accepts,
            turn: (!among.condition.is_empty()).then(|| self.verdicts.borrow_mut().begin(&among.condition)),
            candidates: Vec::new(),
            best: 0.0,
            background: None,
        };
        let allowed = |document: u32| search.allows(document);
        let words = collection.words.search_for(&search.terms, limit, &allowed);
        let mut nearest = Vec::new();
        if let (Some(vectors), Some(embedding)) = (&collection.vectors, query.embedding)
            && !vectors.is_empty()
            && embedding.dimensions() == vectors.dimensions()
        {
            let (scale, codes) = (embedding.scale, &embedding.codes);
            let least = if among.unrelated { -1.0 } else { related(&embedding.embedder) };
            let parts = &collection.parts;
            let known = |numbers: &[u32]| bits_of(numbers, |number| search.may_be(parts.owner(number)));
            let read = |number: u32| search.accepts(parts.owner(number));
            let is_read = accepts.is_some() || among.ended || !among.key_prefix.is_empty();
            let wanted = Wanted { known: &known, read: is_read.then_some(&read) };
            let mut most = limit;
            loop {
                let hits = vectors.search_among(scale, codes, most, least, wanted)?;
                nearest = in_order(hits.iter().map(|hit| parts.owner(hit.document)));
                // Several vectors of one document are one result.
                if nearest.len() >= limit || hits.len() < most {
                    break;
                }
                most = most.saturating_mul(MORE_OF_PARTS);
            }
            search.background = Some(Background::of(&vectors.sample(scale, codes, SAMPLE)));
        }
        search.best = words.first().map_or(0.0, |hit| hit.score);
        let found = words.iter().map(|hit| hit.document).chain(nearest);
        search.candidates = in_order(found);
        if among.all {
            let members = collection.members.keys().copied();
            search.candidates = members.filter(|document| search.allows(*document)).collect();
        }
        Ok(Some(search))
    }
}

impl<'s> Search<'s, '_> {
    /// Whether a document of the collection may be a result.
    #[must_use]
    pub fn allows(&self, document: u32) -> bool {
        self.may_allow(document) && self.accepts(document)
    }

    /// What is known of a document without reading it.
    fn may_allow(&self, document: u32) -> bool {
        let Self { store, among, query, .. } = self;
        let is_in_time =
            |slot: &Slot| among.times.contains(&slot.valid_from) && (among.ended || slot.holds_at(query.now));
        store.slot(document).is_some_and(is_in_time)
    }

    /// The same, also by what the condition said before. All documents are asked where none is near, and most of them are refused: that
    /// takes no look at what is known of them.
    fn may_be(&self, document: u32) -> bool {
        self.verdict(document) != Some(false) && self.may_allow(document)
    }

    /// What takes reading it.
    fn accepts(&self, document: u32) -> bool {
        let Self { store, among, query, accepts, .. } = self;
        let prefix = among.key_prefix.as_bytes();
        let is_kept = || store.view(document).is_some_and(|view| !view.expired_at(query.now));
        (!among.ended || store.holds_at(document, query.now) || is_kept())
            && (prefix.is_empty() || store.stored().key(document).starts_with(prefix))
            && accepts.is_none_or(|accepts| self.is_accepted(document, accepts))
    }

    /// Whether the condition holds for a document; its verdict is kept where it has a name.
    fn is_accepted(&self, document: u32, accepts: Accepts<'_>) -> bool {
        self.verdict(document).unwrap_or_else(|| {
            let verdict = self.store.view(document).is_some_and(|view| accepts(&view));
            if let Some(turn) = self.turn {
                self.store.verdicts.borrow_mut().note(turn, document, verdict);
            }
            verdict
        })
    }

    /// What the condition said of a document before.
    fn verdict(&self, document: u32) -> Option<bool> {
        self.store.verdicts.borrow().get(self.turn?, document)
    }

    /// Takes in as candidates what was said at certain times: first what shares words with the query, then what was said
    /// first.
    pub fn add_of(&mut self, is_of: &dyn Fn(Timestamp) -> bool) {
        let then = |document: u32| self.store.slot(document).is_some_and(|slot| is_of(slot.valid_from));
        let allowed = |document: u32| then(document) && self.allows(document);
        let words = self.collection.words.search_for(&self.terms, MIN_CANDIDATES, &allowed);
        let mut found: Vec<u32> = words.into_iter().map(|hit| hit.document).collect();
        if found.len() < MIN_CANDIDATES {
            let all = self.collection.members.keys().copied().filter(|document| allowed(*document));
            found.extend(all.take(MIN_CANDIDATES));
        }
        self.candidates = in_order(found.into_iter().chain(std::mem::take(&mut self.candidates)));
    }

    /// Takes in as candidates those of some documents that may be results.
    pub fn add(&mut self, documents: impl Iterator<Item = u32>) {
        let allowed: Vec<u32> = documents.filter(|document| self.allows(*document)).collect();
        self.candidates = in_order(allowed.into_iter().chain(std::mem::take(&mut self.candidates)));
    }

    /// When it is searched.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.query.now
    }

    /// Takes in as candidates what fits other words best, and tokens as the index holds them; the scores stay those of the query.
    pub fn add_with(&mut self, words: &str, tokens: &[&str]) {
        let index = &self.collection.words;
        let terms = index.read_with(words, tokens);
        let found = index.search_for(&terms, MIN_CANDIDATES, &|document| self.allows(document));
        let found = found.into_iter().map(|hit| hit.document);
        self.candidates = in_order(found.chain(std::mem::take(&mut self.candidates)));
    }

    /// The text of a document, if it lives and has one.
    #[must_use]
    pub fn text(&self, document: u32) -> Option<&'s str> {
        self.store.view(document)?.text
    }

    /// The tokens of the query that say what is asked for.
    #[must_use]
    pub fn wanted(&self) -> &[lexical::Wanted] {
        self.terms.wanted()
    }

    /// Whether a document holds a token.
    #[must_use]
    pub fn holds(&self, document: u32, token: &str) -> bool {
        self.collection.words.holds(document, token)
    }

    /// The words of the collection.
    #[must_use]
    pub fn words(&self) -> &'s LexicalIndex {
        &self.collection.words
    }

    /// Whether the query's vector is that of the application's embedder; `None` when meaning is not searched.
    #[must_use]
    pub fn is_of_the_application(&self) -> Option<bool> {
        self.background?;
        self.query.embedding.map(|embedding| embedding.embedder != embedder::EMBEDDER)
    }

    /// Whether a result is related to the query by itself: it shares a word, or is near enough in meaning.
    #[must_use]
    pub fn is_related(&self, found: &Found<'_>) -> bool {
        let [words, meaning] = found.score.terms;
        let least = self.query.embedding.map_or(RELATED, |embedding| related(&embedding.embedder));
        words.raw.is_some() || meaning.raw.is_some_and(|cosine| cosine >= least)
    }

    /// The key of a document; empty when it has none.
    #[must_use]
    pub fn key(&self, document: u32) -> &'s str {
        std::str::from_utf8(self.store.stored().key(document)).unwrap_or_default()
    }

    /// How many words a document's text has, without stop words.
    #[must_use]
    pub fn length(&self, document: u32) -> u32 {
        self.collection.words.length(document)
    }

    /// What a document has in common with the query: the terms, with what each adds to its score.
    #[must_use]
    pub fn in_common(&self, document: u32) -> Vec<Contribution> {
        self.collection.words.explain(&self.terms, document)
    }

    /// Documents of the collection with their scores by words and meaning, best first; those that do not live are left
    /// out. Each gets both scores, whichever list it came from.
    #[must_use]
    #[inline(never)]
    pub fn found(&self, documents: &[u32]) -> Vec<Found<'s>> {
        let scores = self.collection.words.scores(&self.terms, documents);
        let words: Vec<(u32, f32)> = documents.iter().copied().zip(scores).collect();
        let meaning: Vec<(u32, f32)> =
            documents.iter().filter_map(|document| Some((*document, self.similarity(*document)?))).collect();
        let (weight, deviations) = self.query.embedding.map_or((EVEN, DEVIATIONS), weight);
        let Background { mean, deviation } = self.background.unwrap_or_else(|| Background::of(&[]));
        let fused = fuse([
            Ranking { unit: self.best.max(f32::MIN_POSITIVE), ..Ranking::by_best(1.0 - weight, &words) },
            Ranking { weight, least: mean, unit: deviation * deviations, candidates: &meaning },
        ]);
        let found = fused.into_iter().filter_map(|mut score| {
            let [words, _] = &mut score.terms;
            words.raw = words.raw.filter(|score| *score > 0.0);
            Some(Found {
                record: self.store.view(score.document)?,
                score,
                signals: Signals::default(),
                relevance: 0.0,
                judged: None,
                is_guess: false,
                answers: None,
            })
        });
        found.collect()
    }

    /// How near a document is to another vector of the query's embedder.
    #[must_use]
    pub fn nearness(&self, document: u32, embedding: &Embedding) -> Option<f32> {
        self.background?;
        self.collection.similarity(document, embedding.scale, &embedding.codes)
    }

    fn similarity(&self, document: u32) -> Option<f32> {
        self.nearness(document, self.query.embedding?)
    }

    /// The living documents that were stored before and after one, the nearest first, up to `count` on each side whose keys
    /// begin as `prefix` says; others between them are passed over, but not many.
    #[must_use]
    pub fn around(&self, document: u32, prefix: &str, count: usize) -> [Vec<u32>; 2] {
        let ever = &self.collection.ever;
        let at = ever.partition_point(|other| *other < document);
        let (before, behind) = ever.split_at(at.min(ever.len()));
        let stored = self.store.stored();
        let same = |other: &&u32| {
            self.collection.members.contains(*other) && stored.key(**other).starts_with(prefix.as_bytes())
        };
        let reach = count * PASSED_OVER;
        [
            before.iter().rev().take(reach).filter(same).take(count).copied().collect(),
            behind.iter().skip(1).take(reach).filter(same).take(count).copied().collect(),
        ]
    }
}

/// Results, best first, equals by document number.
pub(crate) fn best_first<'s>(found: &[Found<'s>]) -> Vec<Found<'s>> {
    let by_score = |a: &Found<'_>, b: &Found<'_>| {
        b.score.score.total_cmp(&a.score.score).then(a.score.document.cmp(&b.score.document))
    };
    sorted(found, by_score).into_iter().copied().collect()
}

/// Measures scores, and what they are made of, by the best of them.
pub(crate) fn by_the_best(found: &mut [Found<'_>]) {
    let best = found.iter().map(|found| found.score.score).fold(0.0, f32::max);
    if best > 0.0 {
        for Found { score, signals, .. } in found {
            score.score /= best;
            for term in &mut score.terms {
                term.share /= best;
            }
            signals.each_mut(|signal| *signal /= best);
        }
    }
}

/// The cosine from which a text counts as related in meaning, with the vectors of an embedder.
pub(crate) fn related(embedder: &str) -> f32 {
    if embedder == embedder::EMBEDDER { RELATED_BUILT_IN } else { RELATED }
}

/// What the nearness of vectors weighs beside words, and in how many deviations it is measured: the built-in embedder sees
/// many of the same words once more.
fn weight(embedding: &Embedding) -> (f32, f32) {
    if embedding.embedder == embedder::EMBEDDER { embedder::weight(embedding) } else { (EVEN, DEVIATIONS) }
}

fn other_dimensions(query: usize, stored: usize) -> Error {
    Error::new(
        Code::Embedder,
        format!(
            "the query's vector has {query} dimensions, stored ones have {stored}, and words are used; give each embedder an id of its own"
        ),
    )
}
