//! Ranking messages by more than their own words: a conversation says what is asked for in the turn before or after as well,
//! in the thread as a whole, by who speaks and when.
//!
//! Every signal is an amount that is added to the score, so that a result explains itself. The amounts were measured on five
//! sets of conversations at once; `docs/ranking.md` says what each is worth.

mod asked;
mod change;
mod dates;
mod happened;
mod past;
mod relative;
mod signs;
mod words;

pub(super) use asked::{is_of_a_change, is_of_the_past, is_of_the_present, is_past_korean};
pub(super) use change::Change;
pub(in crate::memory) use dates::BEFORE_MONTHS;
pub(super) use dates::Dates;
pub(in crate::memory) use past::past;
pub(super) use signs::find_word;
pub(in crate::memory) use signs::{count, is_weekday};
pub(in crate::memory) use words::beginning;
pub(super) use words::{GIVEN_UP, holds, words};

use crate::index::lexical::is_stop_word;
use crate::log::RecordView;
use crate::memory::message::{Role, Roles, StoredMessage, thread_start};
use crate::memory::sentence::asks;
use crate::ordered::in_order;
use crate::sort::sorted;
use crate::store::{Found, Search, best_first};
use crate::time::Timestamp;
use asked::Asked;

/// What a message gets of the scores of the two before it, and of the two behind it.
const BEFORE: f32 = 0.15;
const BEHIND: f32 = 0.1;
/// What it gets besides of the score of the one before it, if that is a question.
const ANSWER: f32 = 0.2;
/// How many messages on each side count.
const REACH: usize = 2;
/// What the best thread adds, judged by the sum of so many of its best messages.
const THREAD: f32 = 0.3;
const OF_THREAD: usize = 3;
/// What it adds that the speaker is named.
const SPEAKER: f32 = 0.3;
/// What it adds that it was said then.
const DATE: f32 = 0.7;
/// What it adds that a time is told, where the query asks for one.
const TIME: f32 = 0.1;
/// What a text of a usual length adds, and how many words that is.
const LENGTH: f32 = 0.1;
const USUAL_LENGTH: f64 = 20.0;
/// What is left of what somebody else than the user says, and of a question.
const OTHERS: f32 = 0.5;
const QUESTION: f32 = 0.95;
/// The most words of a message that is a question and nothing else.
const QUESTION_WORDS: u32 = 60;

/// What is known of a message.
struct Turn<'s> {
    found: Found<'s>,
    /// The beginning of the keys of its thread.
    thread: &'s str,
    /// Who speaks, where that is told.
    speaker: Option<String>,
    is_question: bool,
    /// Whether it is related to the query by itself.
    is_related: bool,
}

/// A message that may be meant, with those said before and after it, the nearest first.
struct Meant {
    document: u32,
    before: Vec<u32>,
    behind: Vec<u32>,
}

impl<'s> Turn<'s> {
    fn of(found: &Found<'s>, search: &Search<'s, '_>) -> Self {
        let text = found.record.text.unwrap_or_default().trim_end();
        // A caption in brackets may follow.
        let said = text.rsplit_once(" [").filter(|_| text.ends_with(']')).map_or(text, |(said, _)| said);
        let is_question = (said.ends_with(['?', '？']) || asks(said))
            && search.length(found.score.document) <= QUESTION_WORDS;
        let (thread, speaker) = (found.record.key.map_or("", thread_start), speaker(&found.record));
        Self { found: *found, thread, speaker, is_question, is_related: search.is_related(found) }
    }

    /// The score by words and meaning alone.
    fn plain(&self) -> f32 {
        self.found.score.score
    }
}

/// The messages that a search may find, best first.
#[inline(never)]
pub(super) fn rank<'s>(search: &mut Search<'s, '_>, query: &str, now: Timestamp) -> Vec<Found<'s>> {
    let asked = Asked::of(query, now);
    if asked.names_dates() {
        search.add_of(&|time| asked.is_then(time));
    }
    // The neighbours of candidates may be meant as well; those of these only count.
    let meant = beside(search, &all_of(&beside(search, &search.candidates)));
    let known = all_of(&meant);
    let turns: Vec<Turn<'s>> = sorted(&search.found(&known), |a, b| a.score.document.cmp(&b.score.document))
        .into_iter()
        .map(|found| Turn::of(found, search))
        .collect();
    let turn = |document: u32| turn_of(&turns, document);
    let threads = threads(search.candidates.iter().filter_map(|document| turn(*document)));
    let speaker = asked.speaker(turns.iter().filter_map(|turn| turn.speaker.as_deref()));
    let user = Roles(vec![Role::User]);
    let mut found: Vec<Found<'s>> = Vec::new();
    for Meant { document, before, behind } in &meant {
        let Some(turn) = turn(*document) else { continue };
        if search.candidates.binary_search(document).is_err() && !search.allows(*document) {
            continue;
        }
        let mut result = turn.found;
        let is_then = asked.happened_then(&result.record);
        let mut near = before.iter().chain(behind).filter_map(|of| turn_of(&turns, *of));
        if result.record.text.is_none() || !(turn.is_related || is_then || near.any(|near| near.is_related)) {
            continue;
        }
        let sum = |side: &[u32]| -> f32 {
            side.iter().filter_map(|of| turn_of(&turns, *of)).map(Turn::plain).sum()
        };
        let signals = &mut result.signals;
        signals.neighbours = BEFORE * sum(before) + BEHIND * sum(behind);
        if let Some(first) =
            before.first().and_then(|first| turn_of(&turns, *first)).filter(|turn| turn.is_question)
        {
            signals.neighbours += ANSWER * first.plain();
            result.answers = Some(first.found.score.document);
        }
        let of_thread = threads.iter().find(|(thread, _)| *thread == turn.thread);
        signals.thread = THREAD * of_thread.map_or(0.0, |(_, score)| *score);
        let mut score = turn.plain() + signals.neighbours + signals.thread;
        let is_by_named = speaker.is_some() && turn.speaker.as_deref() == speaker;
        if !asked.of_others && !is_by_named && !StoredMessage::is_of(&result.record, &user) {
            signals.role = -score * (1.0 - OTHERS);
            score += signals.role;
        }
        if turn.is_question {
            signals.question = -score * (1.0 - QUESTION);
        }
        if is_by_named {
            signals.speaker = SPEAKER;
        }
        if is_then {
            signals.date = DATE;
        }
        if asked.when {
            signals.time = TIME * asked::tells_time(result.record.text.unwrap_or_default());
        }
        let length = (1.0 + f64::from(search.length(*document))).ln() / (1.0 + USUAL_LENGTH).ln();
        signals.length = LENGTH * length.min(1.0) as f32;
        result.score.score += signals.sum();
        found.push(result);
    }
    best_first(&found)
}

fn turn_of<'t, 's>(turns: &'t [Turn<'s>], document: u32) -> Option<&'t Turn<'s>> {
    turns.get(turns.binary_search_by_key(&document, |turn| turn.found.score.document).ok()?)
}

/// Documents with those beside them in their threads.
fn beside(search: &Search<'_, '_>, documents: &[u32]) -> Vec<Meant> {
    let around = |document: &u32| {
        let [before, behind] = search.around(*document, thread_start(search.key(*document)), REACH);
        Meant { document: *document, before, behind }
    };
    documents.iter().map(around).collect()
}

/// All of them, in order.
fn all_of(meant: &[Meant]) -> Vec<u32> {
    let all = |Meant { document, before, behind }: &Meant| -> Vec<u32> {
        [*document].iter().chain(before).chain(behind).copied().collect()
    };
    in_order(meant.iter().flat_map(all))
}

/// Each thread by its best candidates, the best as 1; none when there is but one.
fn threads<'t, 's: 't>(candidates: impl Iterator<Item = &'t Turn<'s>>) -> Vec<(&'s str, f32)> {
    let mut threads: Vec<(&'s str, Vec<f32>)> = Vec::new();
    for turn in candidates {
        match threads.iter_mut().find(|(thread, _)| *thread == turn.thread) {
            Some((_, scores)) => scores.push(turn.plain()),
            None => threads.push((turn.thread, vec![turn.plain()])),
        }
    }
    if threads.len() < 2 {
        return Vec::new();
    }
    let best =
        |scores: &[f32]| -> f32 { sorted(scores, |a, b| b.total_cmp(a)).into_iter().take(OF_THREAD).sum() };
    let scores: Vec<(&'s str, f32)> =
        threads.iter().map(|(thread, scores)| (*thread, best(scores))).collect();
    let most = scores.iter().map(|(_, score)| *score).fold(f32::MIN_POSITIVE, f32::max);
    scores.into_iter().map(|(thread, score)| (thread, score / most)).collect()
}

/// Who speaks in a message, by its name or by the label at its beginning, as in a transcript.
fn speaker(record: &RecordView<'_>) -> Option<String> {
    if record.raw_value().contains("\"name\":") {
        let value = record.value().ok()?;
        return value.get("name")?.as_str().map(str::to_owned);
    }
    let (label, _) = record.text?.split_once(": ")?;
    let is_name = label.chars().count() <= 30
        && label.chars().all(|c| c.is_alphabetic() || c == ' ')
        && label.split(' ').count() <= 3
        // "My notes: ..." and "What I need: ..." are headings.
        && !is_stop_word(&label.split(' ').next().unwrap_or_default().to_ascii_lowercase());
    is_name.then(|| label.to_owned())
}
