//! Lines: records as they are told.

use crate::error::Result;
use crate::filter::Filter;
use crate::json::to_value;
use crate::log::RecordView;
use crate::memory::compose::{Excerpts, Fit, Item, Section, line, line_of};
use crate::memory::counter::Counter;
use crate::memory::episodes::{Episode, EpisodeValue};
use crate::memory::facts::Fact;
use crate::memory::graph::{Entity, Relation};
use crate::memory::listing::Shown;
use crate::memory::message::StoredMessage;
use crate::memory::source::least;
use crate::memory::span;
use crate::memory::threads::SummaryValue;
use crate::record::{Kind, Provenance, Trust};
use crate::scope::Scope;
use crate::store::Store;
use crate::time::{self, Timestamp};
use serde_json::Value;

/// The most characters of the line of a summary.
const SUMMARY_CHARACTERS: usize = 3000;

/// What a filter sees of a record.
pub(super) fn shown(
    (store, scope, now): (&Store, &Scope, Timestamp),
    view: &RecordView<'_>,
    filter: &Filter,
) -> Result<Value> {
    match view.kind {
        Kind::Message => to_value(&StoredMessage::of(view)?),
        Kind::Episode => to_value(&Episode::of(view)?),
        Kind::Summary => view.value(),
        _ if Fact::is_own(filter) => Fact::part(view, filter),
        _ => to_value(&Fact::shown(store, scope, view, now)?),
    }
}

/// An instruction, whole: a line for each of its own.
pub(crate) fn instruction(view: &RecordView<'_>, counter: &Counter) -> Result<Item> {
    let lines = view.text.unwrap_or_default().lines().filter(|text| !text.trim().is_empty());
    let source = view.provenance()?;
    let mark = mark(&source);
    let lines: Vec<String> = lines.map(|text| line_of(&format!("{mark}{text}"), usize::MAX)).collect();
    item_of(view, lines.join("\n"), Fit::always(), view.created_at, source, counter)
}

/// The line of a fact, and of the newest of those that contradict it; of one that is over, that it is.
pub(super) fn fact(
    view: &RecordView<'_>,
    (fact, now): (Fact, Timestamp),
    fit: Fit,
    (excerpts, counter): (&Excerpts, &Counter),
) -> Result<Item> {
    let mut notes = vec![span::told(fact.dates.as_ref(), fact.said())];
    if view.ends() <= now && fact.date("until").is_none() {
        notes.push(format!("no longer so{}", span::over(None, view.ends())));
    }
    if let Some((other, others)) = fact.contested.split_first() {
        let when = span::told(other.dates.as_ref(), Some(other.valid_from).filter(|_| !other.undated));
        let when = if when.is_empty() { when } else { format!(", {when}") };
        let more = if others.is_empty() { String::new() } else { format!(", and {} more", others.len()) };
        notes.push(format!("contested by \"{}{}\"{when}{more}", other.trust.mark(), other.text));
    }
    notes.retain(|note| !note.is_empty());
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
    // What is pinned reads the same whatever is asked, so that a prompt may be cached.
    let told = if view.pinned { excerpts.of_beginning(&fact.text) } else { excerpts.of(&fact.text) };
    let text = format!("{}{told}{notes}", fact.trust.mark());
    let item = item_of(view, excerpts.line(&text), fit, fact.created_at, fact.source, counter)?;
    Ok(Item { contested: fact.contested, superseded_by: fact.superseded_by, ..item })
}

/// The line of a message, and what of it is over.
pub(super) fn message(
    view: &RecordView<'_>,
    over: &str,
    fit: Fit,
    (excerpts, counter): (&Excerpts, &Counter),
) -> Result<Item> {
    let message = StoredMessage::of(view)?;
    let name = message.name.as_ref().map_or_else(String::new, |name| format!("{name}, "));
    let (speaker, date) = (message.speaker(), time::date(message.created_at));
    let text = format!("{speaker} ({name}said {date}{over}): {}", excerpts.of(&message.text()));
    let source = Provenance {
        message_id: message.id,
        thread_id: message.thread_id,
        quote: String::new(),
        trust: None,
    };
    item_of(view, excerpts.line(&text), fit, message.created_at, vec![source], counter)
}

/// The line of an episode, summary or relation.
pub(super) fn item(view: &RecordView<'_>, fit: Fit, counter: &Counter) -> Result<Item> {
    let (text, source) = match view.kind {
        Kind::Relation => {
            let relation: Relation = view.content()?;
            let source = view.provenance()?;
            let dates = view.value()?;
            // What no message says was said at no time that is known.
            let said = Some(view.valid_from).filter(|_| !source.is_empty());
            let when = span::told(dates.get("dates"), said);
            let when = if when.is_empty() { when } else { format!(" ({when})") };
            (format!("{}{relation}{when}", mark(&source)), source)
        }
        Kind::Episode => {
            let value: EpisodeValue = view.content()?;
            let source = view.provenance()?;
            (format!("{}{}", mark(&source), value.said()), source)
        }
        _ => {
            let source = view.provenance()?;
            let said = view.text.unwrap_or_default();
            let SummaryValue { trust, from, to, .. } = view.content()?;
            let mark = trust.map_or("", Trust::mark);
            let (first, last) = (time::date(from), time::date(to));
            let until = if first == last { String::new() } else { format!(" to {last}") };
            let line = line_of(&format!("{mark}(said {first}{until}) {said}"), SUMMARY_CHARACTERS);
            return item_of(view, line, fit, view.updated_at, source, counter);
        }
    };
    item_of(view, line(&text), fit, view.created_at, source, counter)
}

/// The line of an entity, with when its observations were said, where that is known: the date stands behind the last of those that
/// share it.
pub(super) fn entity(
    view: &RecordView<'_>,
    entity: &Entity,
    said: &dyn Fn(Option<&str>) -> Option<Timestamp>,
    fit: Fit,
    counter: &Counter,
) -> Result<Item> {
    let source = view.provenance()?;
    let mut text = format!("{}{} ({})", mark(&source), entity.name, entity.entity_type);
    let told = |observation: Option<&str>| {
        said(observation).map_or_else(String::new, |said| format!(" (said {})", time::date(said)))
    };
    let mut dates: Vec<String> = entity.observations.iter().map(|seen| told(Some(seen))).collect();
    if dates.is_empty() {
        text.push_str(&told(None));
    }
    dates.push(String::new());
    for (place, (observation, date)) in entity.observations.iter().zip(dates.windows(2)).enumerate() {
        text.push_str(if place == 0 { ": " } else { "; " });
        text.push_str(observation);
        if let [date, next] = date
            && date != next
        {
            text.push_str(date);
        }
    }
    item_of(view, line(&text), fit, view.created_at, source, counter)
}

/// What begins the line of something with these sources.
fn mark(sources: &[Provenance]) -> &'static str {
    least(Trust::User, sources).mark()
}

/// Where the lines of a kind stand.
pub(super) fn section_of(kind: Kind) -> Section {
    match kind {
        Kind::Instruction => Section::Instructions,
        Kind::Episode => Section::Episodes,
        Kind::Message => Section::Messages,
        Kind::Summary => Section::Summaries,
        Kind::Entity | Kind::Relation => Section::Graph,
        _ => Section::Facts,
    }
}

fn item_of(
    view: &RecordView<'_>,
    text: String,
    fit: Fit,
    created_at: Timestamp,
    source: Vec<Provenance>,
    counter: &Counter,
) -> Result<Item> {
    Ok(Item {
        section: section_of(view.kind),
        kind: view.kind,
        id: Some(view.id),
        tokens: counter.count(&text),
        text,
        score: fit.score,
        relevance: fit.relevance,
        terms: fit.terms,
        significance: view.significance,
        created_at,
        valid_to: view.valid_to,
        superseded_by: None,
        contested: Vec::new(),
        source,
    })
}
