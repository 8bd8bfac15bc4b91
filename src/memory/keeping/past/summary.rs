//! What a commit did, in words: how many of which kinds, and nothing of what they say.

use super::commits::Counted;
use crate::log::Cause;
use crate::record::Kind;
use crate::store::Action;

/// A commit in words, such as "Learned 2 facts and 1 profile field from a conversation". `is_said` says that it ended work on
/// what was said.
pub(super) fn summary(cause: Cause, changes: &[Counted], is_said: bool) -> String {
    let most = [is_aside as fn(Cause, &Counted) -> bool, |_, _| false].into_iter().find_map(|left_out| {
        let told: Vec<&Counted> = changes.iter().filter(|change| !left_out(cause, change)).collect();
        (!told.is_empty()).then_some(told)
    });
    let told = most.unwrap_or_default();
    let is_one = told.iter().map(|change| change.count).sum::<usize>() == 1;
    let mut phrases = Vec::new();
    for action in [Action::Created, Action::Updated, Action::Deleted] {
        let nouns = told.iter().filter(|change| change.action == action);
        let nouns: Vec<String> = nouns.map(|change| noun(change, is_one)).collect();
        if !nouns.is_empty() {
            phrases.push(format!("{} {}", verb(cause, action, &told), joined(&nouns, " and ")));
        }
    }
    let last = if phrases.iter().any(|phrase| phrase.contains(" and ")) { ", and " } else { " and " };
    let (subject, end) = match cause {
        Cause::User => ("You ", ""),
        Cause::Tool => ("The assistant ", ""),
        Cause::Undo => ("Undoing ", ""),
        Cause::Expire => ("Expiry ", ""),
        Cause::Extract if is_said => ("", " from a conversation"),
        _ => ("", ""),
    };
    let words = format!("{subject}{}{end}", joined(&phrases, last));
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        std::iter::once(first.to_ascii_uppercase()).chain(letters).collect()
    })
}

/// What changes along with what somebody means to change: also messages of which words are withheld, and what is made anew without
/// what was forgotten.
fn is_aside(cause: Cause, change: &Counted) -> bool {
    let is_changed = change.action == Action::Updated;
    matches!(change.kind, Kind::Page | Kind::Summary | Kind::Proposal)
        || change.kind == Kind::Message && is_changed && cause != Cause::Remember
        || cause == Cause::Forget && is_changed
}

fn verb(cause: Cause, action: Action, told: &[&Counted]) -> &'static str {
    let is_proposed = told.iter().all(|change| change.kind == Kind::Proposal);
    match (cause, action) {
        (Cause::Extract, Action::Created) if is_proposed => "proposed",
        (Cause::Remember, Action::Created) => "stored",
        (Cause::Remember, Action::Updated) => "replaced",
        (Cause::Extract, Action::Created) => "learned",
        (Cause::Extract, Action::Updated) => "updated",
        (Cause::Extract, Action::Deleted) => "dropped",
        (Cause::Undo, Action::Created) => "brought back",
        (Cause::User | Cause::Tool, Action::Deleted) => "deleted",
        (Cause::Forget, Action::Deleted) => "forgot",
        (_, Action::Created) => "added",
        (_, Action::Updated) => "changed",
        (_, Action::Deleted) => "removed",
    }
}

/// How many of a kind; the only one of all is not counted.
fn noun(change: &Counted, is_one: bool) -> String {
    let (one, many) = match change.kind {
        Kind::Message => ("message", "messages"),
        Kind::Fact => ("fact", "facts"),
        Kind::Field => ("profile field", "profile fields"),
        Kind::Task => ("task", "tasks"),
        Kind::Entity => ("entity", "entities"),
        Kind::Relation => ("relation", "relations"),
        Kind::Document => ("document", "documents"),
        Kind::Instruction => ("instruction", "instructions"),
        Kind::Episode => ("episode", "episodes"),
        Kind::Proposal if change.action == Action::Created => ("change", "changes"),
        Kind::Proposal => ("proposed change", "proposed changes"),
        Kind::Summary => ("summary", "summaries"),
        Kind::Page => ("page", "pages"),
        Kind::Segment => ("segment", "segments"),
        Kind::Trait => ("trait", "traits"),
        Kind::Block => ("block", "blocks"),
        Kind::Passage => ("passage", "passages"),
    };
    let article = if one.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    match change.count {
        1 if is_one => format!("{article} {one}"),
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

/// Some things as one: "a, b and c".
fn joined(things: &[String], last: &str) -> String {
    match things {
        [] => String::new(),
        [only] => only.clone(),
        [others @ .., end] => format!("{}{last}{end}", others.join(", ")),
    }
}
