//! Chinese corrections of what was said before, and withdrawals: "不是上海，是北京", "打错了 北京", "骗你的".

use super::super::slot::Slot;
use super::super::statement::Statement;
use super::super::table::{among, strip_end, strip_start};
use super::{clauses, script::simplified, tail, value, words};

/// The most bytes of a correction.
const LONGEST: usize = 90;

/// Whether a sentence does nothing but take back what was said before it.
pub(in super::super) fn withdraws(sentence: &str) -> bool {
    let plain = simplified(sentence);
    let mut said = clauses(&plain).into_iter().filter(|clause| !laughs(clause)).peekable();
    said.peek().is_some() && said.all(|clause| among(words::WITHDRAWN, tail(behind_laughter(clause))))
}

fn laughs(clause: &str) -> bool {
    clause.chars().all(|letter| "哈嘿呵嘻啦".contains(letter))
}

fn behind_laughter(clause: &str) -> &str {
    let clause = clause.trim_matches(|letter| "哈嘿呵嘻".contains(letter));
    strip_start(clause, words::BEFORE_WITHDRAWN).unwrap_or(clause)
}

/// What a correction has: the right value, and the wrong one if it names that.
struct Correction {
    wrong: Option<String>,
    right: String,
    /// Whether it says that something was wrong, rather than asks pardon.
    surely: bool,
}

/// Whether a message may be a correction.
pub(in super::super) fn may_correct(message: &str) -> bool {
    read(message).is_some()
}

/// What was said before as a correction has it.
pub(in super::super) fn corrected(message: &str, before: &str, stated: &[Statement]) -> Option<String> {
    let Correction { wrong, right, surely } = read(message)?;
    let is_meant = |one: &&Statement| {
        let is_wrong = wrong.as_ref().is_none_or(|wrong| simplified(&one.value) == simplified(wrong));
        // Of a word alone it is clear what it stands for only where it is a place or a number.
        let is_clear = match one.slot {
            Slot::Like | Slot::Dislike | Slot::Allergy | Slot::Favorite | Slot::Study => wrong.is_some(),
            Slot::Place | Slot::Age | Slot::Birthday => true,
            _ => surely,
        };
        is_wrong && is_clear && is_like(one.slot, &right) && one.value != right
    };
    let mut meant = stated.iter().filter(is_meant);
    let one = meant.next().filter(|_| meant.next().is_none() && (wrong.is_some() || stated.len() == 1))?;
    let mut places = before.match_indices(&one.value);
    let (at, old) = places.next().filter(|_| places.next().is_none())?;
    let (head, rest) = before.split_at(at);
    Some(format!("{head}{right}{}", rest.get(old.len()..)?))
}

/// Reads a message that is a correction and nothing else.
fn read(message: &str) -> Option<Correction> {
    let said = message.trim().trim_end_matches(['.', '!', '。', '！']);
    if said.len() > LONGEST || said.contains(['?', '？', '。', '\n']) {
        return None;
    }
    let plain = simplified(said);
    // As the user wrote it.
    let written = |part: &str| {
        let at = part.as_ptr().addr().checked_sub(plain.as_ptr().addr())?;
        said.get(at..at + part.len()).map(str::to_owned)
    };
    let clauses = clauses(&plain);
    let slips = |clause: &&&str| among(words::SLIPS, tail(clause));
    let marks =
        clauses.iter().take_while(|clause| slips(clause) || among(words::SORRY, tail(clause))).count();
    let (first, second) = match clauses.get(marks..)? {
        [one] => match one.strip_prefix("不是").and_then(|one| one.split_once('是')) {
            Some((wrong, right)) => (wrong, Some(right)),
            None => (*one, None),
        },
        [one, other] => (*one, Some(*other)),
        _ => return None,
    };
    let is = |text| strip_start(text, "应该是 其实是 而是 我是说 是").map(str::trim);
    let (wrong, right) = match second {
        // "不是上海，是北京" and "是北京，不是上海".
        Some(second) => match first.strip_prefix("不是") {
            Some(wrong) => (Some(wrong.trim()), is(second)?),
            None if !first.starts_with('不') && second.starts_with("不是") => {
                (second.strip_prefix("不是"), is(first)?)
            }
            None if marks == 0 && clauses.len() == 1 => (Some(first), second),
            None => return None,
        },
        None if marks > 0 => (None, is(first).unwrap_or(first)),
        None => (None, strip_start(first, words::SLIPS).and_then(|it| is(it.trim_start_matches('了')))?),
    };
    let right = written(tail(right)).filter(|right| !right.is_empty())?;
    let wrong = match wrong {
        Some(wrong) => Some(written(tail(wrong)).filter(|wrong| !wrong.is_empty())?),
        None => None,
    };
    let surely = wrong.is_some()
        || marks == 0
        || clauses.iter().take(marks).any(|clause| slips(&clause))
        || is(first).is_some();
    Some(Correction { wrong, right, surely })
}

/// Whether a value may stand in a slot.
fn is_like(slot: Slot, value: &str) -> bool {
    let plain = simplified(value);
    match slot {
        Slot::Place | Slot::Origin => value::place(&plain).is_some(),
        Slot::Employer => value::workplace(&plain).or_else(|| value::school(&plain)).is_some(),
        Slot::Job => value::occupation(&plain).is_some(),
        Slot::Name => value::name(&plain).is_some(),
        Slot::Pet | Slot::Family => value::name(&plain).or_else(|| value::pet_name(&plain)).is_some(),
        Slot::Birthday => value::birthday(&plain).is_some(),
        Slot::Age => value::years(strip_end(&plain, "岁").unwrap_or(&plain)).is_some(),
        Slot::Like | Slot::Dislike | Slot::Allergy | Slot::Favorite | Slot::Study => {
            value::thing(&plain).is_some()
        }
        _ => false,
    }
}
