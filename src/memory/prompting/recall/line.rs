//! Lines: records as they are told.

use crate::error::Result;
use crate::json::to_value;
use crate::log::RecordView;
use crate::memory::compose::{Item, Section, line, line_of};
use crate::memory::counter::Counter;
use crate::memory::episodes::{Episode, EpisodeValue};
use crate::memory::facts::Fact;
use crate::memory::graph::{Entity, Relation};
use crate::memory::message::StoredMessage;
use crate::memory::search::Terms;
use crate::memory::source::least;
use crate::memory::threads::SummaryValue;
use crate::record::{Kind, Provenance, Trust};
use crate::time::{self, Timestamp};
use serde_json::Value;

/// The most characters of the line of a summary.
const SUMMARY_CHARACTERS: usize = 3000;

/// What a filter sees of a record.
pub(super) fn shown(view: &RecordView<'_>) -> Result<Value> {
    match view.kind {
        Kind::Message => to_value(&StoredMessage::of(view)?),
        Kind::Episode => to_value(&Episode::of(view)?),
        Kind::Summary => view.value(),
        _ => to_value(&Fact::of(view)?),
    }
}

/// An instruction, whole: a line for each of its own.
pub(crate) fn instruction(view: &RecordView<'_>, counter: &Counter) -> Result<Item> {
    let lines = view.text.unwrap_or_default().lines().filter(|text| !text.trim().is_empty());
    let source = view.provenance()?;
    let mark = mark(&source);
    let lines: Vec<String> = lines.map(|text| line_of(&format!("{mark}{text}"), usize::MAX)).collect();
    item_of(view, lines.join("\n"), (1.0, Terms::default()), view.created_at, source, counter)
}

/// The line of a fact, episode, message, entity or relation.
pub(crate) fn item(view: &RecordView<'_>, score: f32, terms: Terms, counter: &Counter) -> Result<Item> {
    let (text, created_at, source) = match view.kind {
        Kind::Message => {
            let message = StoredMessage::of(view)?;
            let speaker = match (message.speaker(), &message.name) {
                (speaker, Some(name)) => format!("{speaker} ({name})"),
                (speaker, None) => speaker.to_owned(),
            };
            let text = format!("{} {speaker}: {}", time::date(message.created_at), message.text());
            let source = Provenance {
                message_id: message.id,
                thread_id: message.thread_id,
                quote: String::new(),
                trust: None,
            };
            (text, message.created_at, vec![source])
        }
        Kind::Entity => {
            let Entity { name, entity_type, observations } = Entity::of(view)?;
            let source = view.provenance()?;
            let text = format!("{}{name} ({entity_type}): {}", mark(&source), observations.join("; "));
            (text, view.created_at, source)
        }
        Kind::Relation => {
            let relation: Relation = view.content()?;
            let source = view.provenance()?;
            (format!("{}{relation}", mark(&source)), view.created_at, source)
        }
        Kind::Episode => {
            let value: EpisodeValue = view.content()?;
            let source = view.provenance()?;
            (format!("{}{}", mark(&source), value.said()), view.created_at, source)
        }
        Kind::Summary => {
            let source = view.provenance()?;
            let said = view.text.unwrap_or_default();
            let mark = view.content::<SummaryValue>()?.trust.map_or("", Trust::mark);
            let text = format!("{mark}{} {said}", time::date(view.updated_at));
            let line = line_of(&text, SUMMARY_CHARACTERS);
            return item_of(view, line, (score, terms), view.updated_at, source, counter);
        }
        _ => {
            let fact = Fact::of(view)?;
            let mut when = String::new();
            for (name, date) in fact.dates.as_ref().and_then(Value::as_object).into_iter().flatten() {
                when.push_str(if when.is_empty() { "" } else { ", " });
                when.push_str(name);
                when.push(' ');
                when.push_str(date.as_str().unwrap_or_default());
            }
            if when.is_empty() {
                when = format!("said {}", time::date(fact.valid_from));
            }
            let text = format!("{}{} ({when})", fact.trust.mark(), fact.text);
            (text, fact.created_at, fact.source)
        }
    };
    item_of(view, line(&text), (score, terms), created_at, source, counter)
}

/// What begins the line of something with these sources.
fn mark(sources: &[Provenance]) -> &'static str {
    least(Trust::User, sources).mark()
}

fn item_of(
    view: &RecordView<'_>,
    text: String,
    (score, terms): (f32, Terms),
    created_at: Timestamp,
    source: Vec<Provenance>,
    counter: &Counter,
) -> Result<Item> {
    Ok(Item {
        section: match view.kind {
            Kind::Instruction => Section::Instructions,
            Kind::Episode => Section::Episodes,
            Kind::Message => Section::Messages,
            Kind::Summary => Section::Summaries,
            Kind::Entity | Kind::Relation => Section::Graph,
            _ => Section::Facts,
        },
        kind: view.kind,
        id: Some(view.id),
        tokens: counter.count(&text),
        text,
        score,
        terms,
        significance: view.significance,
        created_at,
        source,
    })
}
