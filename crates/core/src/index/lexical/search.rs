//! Queries: scores are summed term by term into one dense array, and the best are picked from what was touched.

use super::bm25::Bm25;
use super::forms::forms_of;
use super::index::LexicalIndex;
use super::postings::{MAX_FREQUENCY, Posting};
use super::query::{QueryToken, query_tokens};
use super::tokenize::{MAX_TOKENS, tokenize};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The most distinct terms of a query that count; the first ones do.
pub const MAX_QUERY_TERMS: usize = 256;

/// A document that holds a term of the query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The number it was inserted with.
    pub document: u32,
    /// Its BM25 score, above zero.
    pub score: f32,
}

/// What one term of the query adds to a document's score.
#[derive(Debug, Clone, PartialEq)]
pub struct Contribution {
    /// The term as it is indexed: folded, and stemmed when it is an English word.
    pub term: String,
    /// Its part of the score.
    pub score: f32,
}

/// What a token of a query asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// The token as it is indexed.
    pub token: String,
    /// What it counts beside its rarity.
    pub factor: f32,
    /// How many documents hold it.
    pub documents: usize,
}

/// Memory that searches use again: a score per slot, all zero between searches, and the slots that are not.
#[derive(Default)]
pub(super) struct Scratch {
    scores: Vec<f32>,
    touched: Vec<u32>,
}

/// A hit ordered so that the worst is the greatest, as the top of a heap of the best must be.
struct Worst(Hit);

impl Ord for Worst {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.score.total_cmp(&self.0.score).then(self.0.document.cmp(&other.0.document))
    }
}

impl PartialOrd for Worst {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Worst {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Worst {}

/// A term of a query that documents hold.
struct Term {
    number: u32,
    weight: f32,
    /// Whether it counts only in documents that hold a term which is not so.
    supports: bool,
}

/// A query, read once for all that is asked of an index as long as that does not change.
pub struct Terms {
    /// Those that only support others come last.
    known: Vec<Term>,
    wanted: Vec<Wanted>,
}

impl Terms {
    /// The distinct tokens of the query that say what is asked for, also those that no document holds. Stop words are left out.
    #[must_use]
    pub fn wanted(&self) -> &[Wanted] {
        &self.wanted
    }
}

impl LexicalIndex {
    /// The best documents for a query among those that are `allowed`, best first, equals by document number; at most
    /// `limit`. A document is a hit when it holds a term of the query. A term that stands several times in the query counts
    /// more, but not as often; words of asking, such as "kind", count less. Stop words are looked for only when the query
    /// has nothing else.
    #[must_use]
    pub fn search(&self, query: &str, limit: usize, allowed: &dyn Fn(u32) -> bool) -> Vec<Hit> {
        self.search_for(&self.read(query), limit, allowed)
    }

    /// The same for a query that was [`read`](Self::read).
    #[must_use]
    #[inline(never)]
    pub fn search_for(&self, query: &Terms, limit: usize, allowed: &dyn Fn(u32) -> bool) -> Vec<Hit> {
        let mut scratch = self.scratch.take();
        let Scratch { scores, touched } = &mut scratch;
        scores.resize(self.documents.len(), 0.0);
        for term in &query.known {
            for posting in self.postings_of(term.number) {
                let slot = posting.slot() as usize;
                if let (Some(score), Some(length)) = (scores.get_mut(slot), self.lengths.get(slot)) {
                    if *score == 0.0 {
                        if term.supports {
                            continue;
                        }
                        touched.push(posting.slot());
                    }
                    *score += Bm25::contribution(term.weight, posting.frequency(), *length);
                }
            }
        }
        let mut best = BinaryHeap::new();
        let mut least = f32::MIN;
        for slot in touched.drain(..) {
            let Some(score) = scores.get_mut(slot as usize).map(std::mem::take) else { continue };
            let Some(document) = self.documents.get(slot as usize).copied() else { continue };
            if score < least || !allowed(document) {
                continue;
            }
            best.push(Worst(Hit { document, score }));
            if best.len() > limit {
                best.pop();
            }
            if best.len() == limit {
                least = best.peek().map_or(f32::MAX, |worst| worst.0.score);
            }
        }
        self.scratch.set(scratch);
        best.into_sorted_vec().into_iter().map(|worst| worst.0).collect()
    }

    /// The score of each of some documents, in the order given; 0 where [`search`](Self::search) would give no hit. A
    /// fusion needs it for the documents that only another ranking found.
    #[must_use]
    #[inline(never)]
    pub fn scores(&self, query: &Terms, documents: &[u32]) -> Vec<f32> {
        // Summed from zero in the order of the query, as a search does.
        let score = |document| self.parts(query, document).fold(0.0, |sum, (_, part)| sum + part);
        documents.iter().map(|document| score(*document)).collect()
    }

    /// The documents that hold every token of a text at least as often as it does, in no order: whoever has the same words is
    /// among them. `None` when the text has no token to go by.
    #[must_use]
    pub fn holders_of_all(&self, text: &str) -> Option<Vec<u32>> {
        let (mut terms, mut is_there, mut count) = (Vec::new(), true, 0);
        tokenize(text, |token, _| {
            count += 1;
            match self.terms.find(token) {
                // As wide as the terms of a text that is indexed, which are put in order by the same code.
                Some(term) => terms.push(u64::from(term)),
                None => is_there = false,
            }
        });
        if count == 0 || !is_there {
            return (count > 0).then(Vec::new);
        }
        terms.sort_unstable();
        let counted = terms.chunk_by(|one, other| one == other);
        let wanted: Vec<(u32, u32)> = counted
            .filter_map(|same| Some((*same.first()? as u32, (same.len() as u32).min(MAX_FREQUENCY))))
            .collect();
        let (rarest, _) = wanted.iter().min_by_key(|(term, _)| self.postings_of(*term).len())?;
        let holds = |slot, (term, least): &(u32, u32)| {
            self.posting(*term, slot).is_some_and(|posting| posting.frequency() >= *least)
        };
        // A long text ends where its tokens do, and other punctuation may move that end.
        let all = self.postings_of(*rarest).iter().map(|posting| posting.slot());
        let all = all.filter(|slot| count >= MAX_TOKENS || wanted.iter().all(|wanted| holds(*slot, wanted)));
        Some(all.filter_map(|slot| self.documents.get(slot as usize)).copied().collect())
    }

    /// The documents that hold the rarest token of a text, in no order, of more than `most` of them those that were indexed last.
    /// `None` when the text has no token to go by.
    #[must_use]
    pub fn holders(&self, text: &str, most: usize) -> Option<Vec<u32>> {
        let mut rarest: Option<&[Posting]> = None;
        tokenize(text, |token, _| {
            let postings = self.terms.find(token).map_or(&[][..], |term| self.postings_of(term));
            if rarest.is_none_or(|rarest| postings.len() < rarest.len()) {
                rarest = Some(postings);
            }
        });
        let holders = rarest?.iter().rev().take(most);
        Some(holders.filter_map(|posting| self.documents.get(posting.slot() as usize)).copied().collect())
    }

    /// What each term of the query adds to the score of a document, in the order in which they count; terms that the document
    /// does not hold are left out. The sum is the score that [`search`](Self::search) gives.
    #[must_use]
    pub fn explain(&self, query: &Terms, document: u32) -> Vec<Contribution> {
        let parts = self.parts(query, document);
        parts.map(|(term, score)| Contribution { term: self.terms.term(term).to_owned(), score }).collect()
    }

    /// Whether a document holds a token, or another form of its word.
    #[must_use]
    pub fn holds(&self, document: u32, token: &str) -> bool {
        let holds = |slot| self.forms_in(token).into_iter().any(|term| self.posting(term, slot).is_some());
        self.slot(document).is_some_and(holds)
    }

    /// The numbers of a token and of the other forms of its word, of those that some document holds.
    fn forms_in(&self, token: &str) -> Vec<u32> {
        let others = forms_of(token).iter().map(String::as_str).filter(|form| *form != token);
        [token].into_iter().chain(others).filter_map(|form| self.terms.find(form)).collect()
    }

    /// The number of a token; `None` when no document holds it. It stays the same as long as the index does not change.
    #[must_use]
    pub fn term(&self, token: &str) -> Option<u32> {
        self.terms.find(token)
    }

    /// The token of a number.
    #[must_use]
    pub fn token(&self, term: u32) -> &str {
        self.terms.term(term)
    }

    /// The numbers of the tokens that a document holds, ascending, also of those of which its length tells nothing; `None` when it is
    /// not there.
    #[must_use]
    pub fn terms_of(&self, document: u32) -> Option<impl Iterator<Item = u32>> {
        let slot = self.slot(document)?;
        Some(self.terms_in(slot))
    }

    fn holding(&self, term: u32) -> usize {
        self.postings_of(term).len()
    }

    /// The terms that a document holds, and what they add to its score.
    fn parts(&self, query: &Terms, document: u32) -> impl Iterator<Item = (u32, f32)> {
        let slot = self.slot(document);
        let length = slot.and_then(|slot| self.lengths.get(slot as usize)).copied().unwrap_or_default();
        let mut is_hit = false;
        query.known.iter().filter_map(move |term| {
            let posting = self.posting(term.number, slot?)?;
            is_hit |= !term.supports;
            is_hit.then(|| (term.number, Bm25::contribution(term.weight, posting.frequency(), length)))
        })
    }

    /// Reads a query: what its tokens are here and what they count.
    #[must_use]
    #[inline(never)]
    pub fn read(&self, query: &str) -> Terms {
        let bm25 = Bm25::new(self.len());
        let (mut known, mut supporting, mut wanted) = (Vec::new(), Vec::new(), Vec::new());
        for token in query_tokens(query, MAX_QUERY_TERMS) {
            let QueryToken { text, factor, supports, is_key } = token;
            // All forms of a word are as rare as the word.
            let forms = self.forms_in(&text);
            let documents = forms.iter().map(|number| self.holding(*number)).sum();
            let terms = if supports { &mut supporting } else { &mut known };
            for number in forms {
                if !terms.iter().any(|term: &Term| term.number == number) {
                    terms.push(Term { number, weight: bm25.weight(documents, factor), supports });
                }
            }
            if is_key {
                wanted.push(Wanted { token: text, factor, documents });
            }
        }
        known.append(&mut supporting);
        Terms { known, wanted }
    }

    /// The same with up to `MAX_QUERY_TERMS` tokens more, each as a document holds it. They count as those of the query do, and are not
    /// wanted.
    #[must_use]
    pub fn read_with(&self, query: &str, tokens: &[&str]) -> Terms {
        let (bm25, mut terms) = (Bm25::new(self.len()), self.read(query));
        let mut more: Vec<Term> = Vec::new();
        for number in tokens.iter().filter_map(|token| self.terms.find(token)).take(MAX_QUERY_TERMS) {
            let is_known = terms.known.iter().chain(&more).any(|term| term.number == number);
            if !is_known {
                let weight = bm25.weight(self.holding(number), 1.0);
                more.push(Term { number, weight, supports: false });
            }
        }
        more.append(&mut terms.known);
        Terms { known: more, ..terms }
    }
}
