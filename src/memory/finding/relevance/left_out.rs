//! Texts that leave out that they are about the user: "Just moved to Porto", "Allergic to nuts".

use super::kin::kin;
use crate::among::among;
use crate::index::lexical::Words;

/// What somebody did who writes only that, and what may stand before it.
const DONE: &str = "adopted became bought cancelled divorced finished got graduated joined lost married moved quit replaced retired sold started \
    switched traded upgraded";
/// How what was got or lost begins, or to whom one was married.
const OBJECTS: &str =
    "a an another divorced engaged fired hired in laid married my new on our promoted some the to";
const BEFORE_DONE: &str = "also and finally just recently so today yesterday";

/// What somebody is or does of whom only that is written; and what "is" and "has" stand before that is no such text.
const STATES: &str = "allergic born colour-blind diabetic divorced engaged fluent left-handed pregnant retired right-handed scared single teetotal \
    unemployed vegan vegetarian widowed";
const DOES: &str = "attends collects cooks dislikes drinks drives eats enjoys grew hates keeps lives likes loves needs owns plans plays prefers reads \
    rides runs smokes speaks studies suffers supports swims takes teaches uses volunteers wants wears works";
const OTHER_SUBJECTS: &str = "any anybody anyone each every everybody everyone everything he her his i it my nobody nothing one our she someone \
    something that the their there these they this those we who you your";

/// Whether a text leaves out that it is about the user: "Just moved to Porto", "Allergic to nuts", "Has a greyhound".
pub(super) fn leaves_out_user(words: &Words, text: &str) -> bool {
    let (begins, next) = (words.lower(0), words.lower(1));
    let is_plain = || words.get(1).is_some_and(|word| !word.is_capital && word.joins);
    let is_said = match begins {
        "name" => next == "is",
        "has" | "had" | "is" | "was" => is_plain() && !among(OTHER_SUBJECTS, next),
        "one" | "two" | "three" | "four" => kin(next).is_some(),
        _ => among(STATES, begins) || among(DOES, begins) && words.len() > 1,
    };
    if is_said && !text.contains('?') {
        return true;
    }
    let first = usize::from(among(BEFORE_DONE, begins));
    // "Got it", "Lost Boys" and "Married couples" are nothing that was done.
    let is_vague = among("got lost married", words.lower(first));
    among(DONE, words.lower(first)) && (!is_vague || among(OBJECTS, words.lower(first + 1)))
}
