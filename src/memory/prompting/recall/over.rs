//! Over: what messages tell that holds no longer, by the facts that were learned from them and have ended.

use crate::error::Result;
use crate::id::Id;
use crate::index::lexical::{Words, is_stop_word};
use crate::log::RecordView;
use crate::memory::facts::FactValue;
use crate::memory::finding::{HEIR, STEP, TOUCHES, beginning};
use crate::memory::search::{judge, times_asked};
use crate::memory::sentence::statements;
use crate::memory::span;
use crate::ordered::in_order;
use crate::scope::Scope;
use crate::store::{Found, Store, best_first};
use crate::time::Timestamp;

/// How much more than the fact that has ended a sentence may have of what is asked for, and tell nothing else.
const MORE: f32 = 1.2;
/// How much of the relevance of what has ended a fact has that its message tells as well, and that still holds.
const AS_WELL: f32 = 0.6;
/// How much of the relevance of the best what has ended has that is put in the order of its changes.
const ALIKE: f32 = 0.3;
/// How many times in a row something may have changed.
const CHAIN: usize = 20;
/// What is left of what stands on the other side of a turn than a question asks for.
const BEYOND: f32 = 0.3;

/// What took the place of something that has ended, and most of its relevance: who asks where they live is answered by where they moved
/// last.
pub(super) fn heirs(
    found: &[Found<'_>],
    (store, scope, now): (&Store, &Scope, Timestamp),
) -> Result<Vec<(Id, f32)>> {
    let ended = |found: &&Found<'_>| found.record.ends() <= now && found.relevance >= TOUCHES;
    let mut heirs = Vec::new();
    for past in found.iter().filter(ended) {
        let mut next = FactValue::of(&past.record)?.superseded_by;
        for _ in 0..CHAIN {
            let Some(id) = next else { break };
            heirs.push((id, HEIR * past.relevance));
            let ended = store.get(scope, id).filter(|view| view.ends() <= now);
            next = ended.map(|view| FactValue::of(&view)).transpose()?.and_then(|value| value.superseded_by);
        }
    }
    Ok(heirs)
}

/// Puts what has ended in the order of its changes, the newest first: who asks where they lived before is told the last of their
/// homes before the ones before it. Who names a time is told what held then, and who asks what was before or after something what was
/// so just before or after it.
pub(super) fn in_turn(
    found: &mut [Found<'_>],
    asked: &str,
    (store, scope, now): (&Store, &Scope, Timestamp),
) -> Result<()> {
    let turn = Turn::of(asked, found);
    if let Some(turn) = &turn {
        turn.weigh(found, (store, scope))?;
    }
    let times = times_asked(asked, now);
    let held = |view: &RecordView<'_>| times.is_empty() || times.iter().any(|time| view.held_in(time));
    let is_asked =
        |found: &Found<'_>| turn.as_ref().is_none_or(|turn| turn.is_before && turn.asks_for(found));
    // "What was my first home?" is of the oldest.
    let is_first = Words::of(asked).iter().any(|word| word == "first");
    let ended = found.iter().enumerate().filter(|(_, found)| {
        (found.record.ends() <= now || is_first) && held(&found.record) && is_asked(found)
    });
    let link = |value: FactValue| if is_first { value.superseded_by } else { value.supersedes };
    // From the one that is told last to the one that is told first, so that a chain keeps its order.
    let mut order = in_order(ended.map(|(place, found)| (found.order(), place)));
    if is_first {
        order.reverse();
    }
    let mut lifted: Vec<(Id, f32, f32)> = Vec::with_capacity(order.len());
    // What names one of them asks for that one: "When did I live in Lisbon?"
    let best = found.iter().map(|found| found.relevance).fold(0.0, f32::max);
    for (_, place) in order {
        let Some(newer) = found.get_mut(place) else { continue };
        let (mut score, mut relevance) = (newer.score.score, newer.relevance);
        let mut before = link(FactValue::of(&newer.record)?).filter(|_| newer.relevance >= ALIKE * best);
        for _ in 0..CHAIN {
            let Some(id) = before else { break };
            if let Some((_, most, of_older)) = lifted.iter().find(|(older, ..)| *older == id) {
                score = score.max(most + STEP);
                relevance = relevance.max(HEIR * of_older);
                break;
            }
            let older = store.get(scope, id);
            before = older.map(|view| FactValue::of(&view)).transpose()?.and_then(link);
        }
        newer.signals.newer += score - newer.score.score;
        (newer.score.score, newer.relevance) = (score, relevance);
        lifted.push((newer.record.id, score, relevance));
    }
    let ordered = best_first(found);
    found.copy_from_slice(&ordered);
    Ok(())
}

/// A turn that a question names: "Where did I live before Porto?"
struct Turn {
    is_before: bool,
    at: (Timestamp, u32),
    /// What it is.
    fact: Id,
    relevance: f32,
}

impl Turn {
    /// That of a question: the first of what was found that has all names behind "before" or "after".
    fn of(asked: &str, found: &[Found<'_>]) -> Option<Self> {
        let words = Words::of(asked);
        let place = (0..words.len()).find(|place| matches!(words.lower(*place), "before" | "after"))?;
        let named = (place + 1..words.len()).filter(|at| words.get(*at).is_some_and(|word| word.is_capital));
        let named: Vec<&str> = named.map(|at| words.lower(at)).filter(|word| *word != "i").collect();
        // "Before blue": a value that changed, and not "before breakfast".
        let are_names = !named.is_empty();
        let others = (place + 1..words.len()).map(|at| words.lower(at)).filter(|word| !is_stop_word(word));
        let named = if are_names { named } else { others.collect() };
        let tells = |found: &&Found<'_>| {
            let told = Words::of(beginning(found.record.text.unwrap_or_default()));
            named.iter().all(|name| told.iter().any(|word| word == *name))
        };
        let has_changed = |found: &&Found<'_>| {
            let value = found.record.value().and_then(|value| FactValue::read(&value));
            are_names || value.is_ok_and(|value| value.supersedes.or(value.superseded_by).is_some())
        };
        let fact = found.iter().filter(|_| !named.is_empty()).filter(tells).filter(has_changed);
        let fact = fact.min_by_key(|found| found.order())?;
        let is_before = words.lower(place) == "before";
        Some(Self { is_before, at: fact.order(), fact: fact.record.id, relevance: fact.relevance })
    }

    /// Whether something is on the side that is asked for.
    fn asks_for(&self, found: &Found<'_>) -> bool {
        if self.is_before { found.order() < self.at } else { found.order() > self.at }
    }

    /// Lowers what is on the other side; and lifts what came after it, the next first.
    fn weigh(&self, found: &mut [Found<'_>], (store, scope): (&Store, &Scope)) -> Result<()> {
        let most = found.iter().map(|found| found.score.score).fold(0.0, f32::max);
        for found in found.iter_mut().filter(|found| !self.asks_for(found)) {
            found.signals.newer -= (1.0 - BEYOND) * found.score.score;
            found.score.score *= BEYOND;
            found.relevance *= BEYOND;
        }
        let mut next = if self.is_before { None } else { Some(self.fact) };
        for place in 0..CHAIN {
            let Some(view) = next.and_then(|id| store.get(scope, id)) else { break };
            next = FactValue::of(&view)?.superseded_by;
            if let Some(heir) = found.iter_mut().find(|found| Some(found.record.id) == next) {
                let score = heir.score.score.max(most + STEP * (CHAIN - place) as f32);
                heir.signals.newer += score - heir.score.score;
                heir.score.score = score;
                heir.relevance = heir.relevance.max(HEIR * self.relevance);
            }
        }
        Ok(())
    }
}

/// Gives each of what was found what it has by what it took the place of.
pub(super) fn inherit(found: &mut [Found<'_>], heirs: &[(Id, f32)]) {
    for (id, relevance) in heirs {
        if let Some(heir) = found.iter_mut().find(|found| found.record.id == *id) {
            heir.relevance = heir.relevance.max(*relevance);
        }
    }
}

/// How relevant the best is of what has ended.
pub(super) fn most_ended(found: &[Found<'_>], now: Timestamp) -> f32 {
    let ended = found.iter().filter(|found| found.record.ends() <= now);
    ended.map(|found| found.relevance).fold(0.0, f32::max)
}

/// The statements of a message.
fn statements_in(said: &str) -> impl Iterator<Item = String> {
    statements(beginning(said)).map(|said| said.trim().to_owned())
}

/// What of a message is over.
struct Past {
    message: Id,
    told: String,
    is_all: bool,
}

/// What is over of the messages that may fit.
#[derive(Default)]
pub(super) struct Over(Vec<Past>);

impl Over {
    /// Takes in what a query found among facts, also those that have ended.
    pub(super) fn take(
        &mut self,
        asked: &str,
        (store, scope, now): (&Store, &Scope, Timestamp),
        found: &[Found<'_>],
    ) -> Result<()> {
        let has_ended = |found: &Found<'_>| found.record.ends() <= now;
        if !found.iter().any(has_ended) {
            return Ok(());
        }
        let mut sources = Vec::new();
        for found in found {
            for source in found.record.provenance()? {
                sources.push((source.message_id, source.quote, found));
            }
        }
        let mut seen: Vec<Id> = Vec::new();
        for (message, ..) in sources.iter().filter(|(.., fact)| has_ended(fact)) {
            let said = store.get(scope, *message).and_then(|view| view.text);
            let (Some(said), false) = (said, seen.contains(message)) else { continue };
            seen.push(*message);
            let of_message = || sources.iter().filter(|(other, ..)| other == message);
            let ended = || of_message().filter(|(.., fact)| has_ended(fact));
            let text = |fact: &Found<'_>| fact.record.text.unwrap_or_default().to_owned();
            let mut statements: Vec<String> = Vec::new();
            statements.extend(ended().flat_map(|(_, quote, fact)| [text(fact), quote.clone()]));
            let own = statements.len();
            statements.extend(statements_in(said));
            let judged = judge(asked, store, scope, &statements);
            let (of_ended, judged) = judged.split_at(judged.len().min(own));
            let most = of_ended.iter().fold(0.0, |most: f32, (relevance, _)| most.max(*relevance));
            let is_quoted = |sentence: &str| {
                ended().any(|(_, quote, _)| {
                    !quote.is_empty() && (sentence.contains(quote.as_str()) || quote.contains(sentence))
                })
            };
            let mut judged = judged.iter().zip(statements.iter().skip(own));
            let tells_more = judged.any(|((relevance, _), sentence)| {
                *relevance >= TOUCHES && (!is_quoted(sentence) || *relevance > MORE * most)
            });
            let most_of_ended = ended().map(|(.., fact)| fact.relevance).fold(0.0, f32::max);
            let holds = of_message()
                .any(|(.., fact)| !has_ended(fact) && fact.relevance >= TOUCHES.max(AS_WELL * most_of_ended));
            let is_all = most_of_ended >= TOUCHES && most >= TOUCHES && !tells_more && !holds;
            match self.0.iter_mut().find(|past| past.message == *message) {
                Some(past) => past.is_all &= is_all,
                None => {
                    let Some((_, quote, fact)) = ended().next() else { continue };
                    let over = span::over(fact.record.value()?.get("dates"), fact.record.ends());
                    let words = if quote.is_empty() { &text(fact) } else { quote };
                    let told = format!("; no longer so{over}: \"{words}\"");
                    self.0.push(Past { message: *message, told, is_all });
                }
            }
        }
        Ok(())
    }

    /// What of a message is over, as its line tells it; empty where nothing is.
    pub(super) fn of(&self, message: Id) -> &str {
        self.0.iter().find(|past| past.message == message).map_or("", |past| &past.told)
    }

    /// Whether a message tells nothing about what is asked but what is over.
    pub(super) fn is_all(&self, message: Id) -> bool {
        self.0.iter().any(|past| past.message == message && past.is_all)
    }

    /// Such messages.
    pub(super) fn all(&self) -> Vec<Id> {
        self.0.iter().filter(|past| past.is_all).map(|past| past.message).collect()
    }
}
