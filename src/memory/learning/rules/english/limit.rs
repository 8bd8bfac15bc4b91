//! Limits: what follows a statement and says that it is so only in part, at times or for now.

use super::super::slot::Slot;
use super::super::table::among;
use super::pattern::{Grammar, Pattern, Tells};
use super::patterns::PETLESS;
use super::{Source, words};
use crate::memory::finding::is_weekday;
use crate::memory::span::month;

/// How many words around the value of a home or workplace tell whether it is one beside another.
const BESIDE: usize = 10;

impl Source<'_> {
    /// Whether what follows says that it is so at times, or was: "vegetarian until somebody fries bacon", "in London, Porto and Oslo".
    pub(super) fn is_narrowed(&self, pattern: &Pattern, next: usize) -> bool {
        let word = self.clause.word(next);
        let is_state = matches!(
            pattern.slot,
            Slot::Diet | Slot::Origin | Slot::Nationality | Slot::Job | Slot::Relationship
        );
        let was = pattern.words.contains("lived")
            && (matches!(word, "," | "and")
                && self.clause.capital(next + 1)
                && self.clause.word(next + 1) != "i"
                || among(words::QUALIFIERS, word));
        let gave_up = pattern.words.contains("stopped");
        let again = gave_up
            && (next..self.clause.len())
                .any(|at| self.clause.word(at) == "again" && self.clause.word(at.wrapping_sub(1)) != "never");
        // "I live in Berlin until May."
        let for_now = matches!(pattern.slot, Slot::Place | Slot::Employer)
            && (among("until till", word) || self.is_at_times(next) || self.is_beside(pattern, next));
        // "I gave up on German, the owl can cry".
        let is_added = word == ","
            && pattern.words.contains("gave")
            && !among("for but then only just", self.clause.word(next + 1));
        let strict = is_strict(pattern) && !self.is_all(next) && !is_added;
        // "Three kids in my class", "not a nurse for nothing".
        let other = match pattern.slot {
            // "Single again, my wife is away this weekend".
            Slot::Relationship if matches!(pattern.grammar, Grammar::OneOf(_)) => {
                let is_single = (next.saturating_sub(2)..next).any(|at| self.clause.word(at) == "single");
                let is_away =
                    (next..self.clause.len()).any(|at| among("tonight weekend away", self.clause.word(at)));
                self.clause.is_today(next) || is_single && is_away
            }
            Slot::Pet if self.is_lent(next) => true,
            Slot::Family | Slot::Pet => {
                let behind = self.clause.word(next + 1);
                let is_elsewhere = matches!(word, "at") && among("work the school our", behind);
                let is_for_now = matches!(
                    (word, behind),
                    ("this", _) | ("for", "now" | "the") | ("now", "and") | ("with", "me")
                );
                word == "in" && among("her his my our the their", behind) || is_elsewhere || is_for_now
            }
            Slot::Diet => {
                let in_month = word == "in" && month(self.clause.word(next + 1)).is_some();
                pattern.tells == Tells::Holds && (in_month || self.clause.is_today(next))
            }
            // "A taxi driver for my kids", "a doctor now apparently".
            Slot::Job => {
                word == "for" && among("nothing my our", self.clause.word(next + 1)) || self.is_hearsay(next)
            }
            // "My name is Karen lol", but "It's Katie with a K lol".
            Slot::Name => {
                pattern.words.starts_with("my") && among("lol lmao today", word) || self.is_hearsay(next)
            }
            _ => false,
        };
        let compares = self.clause.any_more(next) && self.clause.word(next + 2) == "than";
        was || again
            || compares && pattern.tells == Tells::IsOver
            || for_now
            || other
            || strict
            || is_state && among("unless until till when whenever", word)
    }

    /// Whether what was said is only what seems so.
    fn is_hearsay(&self, next: usize) -> bool {
        (next..self.clause.len()).any(|at| self.clause.word(at) == "apparently")
    }

    /// Whether an animal is only looked after: "to walk on Tuesdays", "for the weekend", "for my neighbour".
    fn is_lent(&self, next: usize) -> bool {
        let word = |at: usize| self.clause.word(at);
        (next..next + BESIDE).take_while(|at| !self.clause.closes(*at)).any(|at| match word(at) {
            "to" => among("look walk feed watch mind sit groom train rehome foster return", word(at + 1)),
            "for" | "this" => {
                (at + 1..at + 4).any(|at| among(words::STAYS, word(at))) || self.clause.is_of_another(at + 1)
            }
            _ => false,
        })
    }

    /// Whether nothing follows but "any more", "after all" or a time.
    fn is_all(&self, next: usize) -> bool {
        let ends = |at: usize| self.clause.closes(at);
        let time =
            self.clause.time(next).filter(|_| !among("today tonight this at over", self.clause.word(next)));
        ends(next)
            || self.clause.any_more(next) && self.clause.word(next + 2) != "than"
            || self.clause.word(next) == "now" && ends(next + 1)
            || self.clause.after_all(next) && ends(next + 2)
            || time.is_some_and(ends)
    }

    /// Whether it is a home or workplace beside another, or for a part of the time: "I also work at", "part-time", "two days a week".
    fn is_beside(&self, pattern: &Pattern, next: usize) -> bool {
        if pattern.tells != Tells::Holds {
            return false;
        }
        let also = (next.saturating_sub(BESIDE)..next).any(|at| self.clause.word(at) == "also");
        let rest = (next..next + BESIDE).take_while(|at| !among("and but since , .", self.clause.word(*at)));
        also || rest.into_iter().any(|at| {
            let word = self.clause.word(at);
            let pair = (word, self.clause.word(at + 1));
            among(words::AT_TIMES, word) && !self.clause.capital(at)
                || matches!(
                    pair,
                    ("as", "well")
                        | ("a", "week")
                        | ("this", "week")
                        | ("on", "and")
                        | ("time", "being")
                        | ("second" | "side", "job")
                        | ("the", "side")
                )
        })
    }

    /// Whether what follows says that it is so on some days alone: "at the weekends", "on Fridays", "most mornings".
    fn is_at_times(&self, next: usize) -> bool {
        let word = |on: usize| self.clause.word(next + on);
        let is_days = |on: usize| {
            let day = word(on).strip_suffix('s').unwrap_or_default();
            matches!(day, "weekend" | "weekday" | "evening" | "morning" | "night" | "summer" | "winter")
                || is_weekday(day)
        };
        match word(0) {
            "at" | "on" | "in" => {
                is_days(1) || among("the a", word(1)) && (is_days(2) || word(2) == "weekend")
            }
            "most" | "some" => is_days(1),
            "every" => among("weekend summer winter second other", word(1)) || is_weekday(word(1)),
            "during" => true,
            _ => false,
        }
    }
}

/// Whether more words would make another thing of what a pattern tells: "I'm not allergic to nuts as badly as I was", "I became a tutor for
/// my niece", "I gave up Spanish for Lent".
fn is_strict(pattern: &Pattern) -> bool {
    let begins = |beginnings: &[&str]| beginnings.iter().any(|words| pattern.words.contains(words));
    let ends = pattern.tells == Tells::IsOver;
    ends && matches!(pattern.slot, Slot::Allergy | Slot::Goal | Slot::Language)
        && pattern.grammar != Grammar::Destination
        || pattern.sentence == PETLESS
        || begins(&["became", "went|gone"])
}
