//! What a text tells by how it is built, where no word of it stands for the attribute: "is a retired carpenter", "moved to Porto".

use super::about::spoken_of;
use super::attributes::{Attributes, PETS};
use super::called::name_behind;
use super::kin::{kin, pet};
use crate::among::among;
use crate::index::lexical::Words;

/// How words of professions end, and others that end so.
const PROFESSIONS: &str = "er or ist ian man woman nurse wife chef cook clerk pilot judge medic tress";
const NO_PROFESSIONS: &str = "brother sister mother father daughter partner neighbour neighbor member owner vegetarian smoker lover supporter wife pescatarian \
    housewife woman man believer beginner cancer winter summer number letter order colour color";

/// How somebody begins to work somewhere.
pub(super) const JOINED: &str = "joined";

/// Whether a text says what somebody is by profession, "is a retired carpenter at ...", or where they began to work: "joined Globex".
pub(super) fn tells_work(words: &Words) -> bool {
    let is = |place: usize, among: &[&str]| among.contains(&words.lower(place));
    let is_name = |place: usize| words.get(place).is_some_and(|word| word.is_capital && word.joins);
    (0..words.len()).any(|place| {
        let is_said = || {
            is(place, &["is", "was", "am", "as", "became", "i'm"])
                // "His wife is Priya, a pediatrician".
                || words.get(place).is_some_and(|word| word.is_capital)
                    && words.get(place + 1).is_some_and(|word| !word.joins && !word.begins)
        };
        // Who "sold their bike" did so once.
        is(place, &["sells"])
            || is(place, &["sell"]) && place.checked_sub(1).is_some_and(|before| is(before, &["i", "we"]))
            || is(place, &[JOINED]) && is_name(place + 1)
            || is_said() && is(place + 1, &["a", "an", "the"]) && {
                let behind = words.iter().skip(place + 2).take(4);
                let ends = [
                    "of", "at", "in", "for", "with", "on", "who", "that", "to", "and", "from", "named",
                    "called",
                ];
                let head = behind.take_while(|word| !ends.contains(word)).last();
                head.is_some_and(|head| {
                    !among(NO_PROFESSIONS, head) && PROFESSIONS.split(' ').any(|end| head.ends_with(end))
                })
            }
    })
}

/// Whether a text says what somebody works as: "now works as a restorer", "got a job as a clerk".
pub(super) fn tells_profession(words: &Words) -> bool {
    (1..words.len()).any(|place| {
        words.lower(place) == "as"
            && among("a an the head", words.lower(place + 1))
            && among("employed job position post work worked working works", words.lower(place - 1))
    })
}

/// What follows "book" where something is reserved, and "car" where it is something else.
const RESERVED: &str = "a an the me us him her them";
const OF_CARS: &str = "boot crash insurance keys park parks port ride sharing show sick wash";

/// Whether a text speaks of what is read, and not only of what was booked; of a car, and not only of a car park; and of a lock, and
/// not only of what is named so.
pub(super) fn tells_things(words: &Words, attribute: Attributes) -> bool {
    let is_other = |place: usize| match words.lower(place) {
        "booked" | "booking" | "bookings" => true,
        "book" => among(RESERVED, words.lower(place + 1)),
        "car" => among(OF_CARS, words.lower(place + 1)),
        // "Lock 12" is on a canal.
        "lock" | "locks" => words.get(place).is_some_and(|word| word.is_capital && !word.begins),
        _ => false,
    };
    let mut own = (0..words.len()).filter(|place| spoken_of(words.lower(*place)) & attribute != 0).peekable();
    own.peek().is_none() || own.any(|place| !is_other(place))
}

/// Whether a text calls a relative or a pet by name: "the user's sister Ana", "Rex is the user's dog".
pub(super) fn tells_name(words: &Words) -> bool {
    let is_kin = |place: &usize| kin(words.lower(*place)).is_some() || pet(words.lower(*place)).is_some();
    let begins = words.get(0).is_some_and(|word| word.is_capital && !word.owns);
    let is_told = |place: usize| {
        let (is, of) = (words.lower(place), (words.lower(place + 1), words.lower(place + 2)));
        begins && is == "is" && (of == ("the", "user") || of.0 == "my")
    };
    let told = || (1..=3).find(|place| is_told(*place)).map(|place| place + 2);
    (0..words.len()).filter(is_kin).any(|place| {
        name_behind(words, place).is_some() || told().is_some_and(|from| (from..from + 4).contains(&place))
    })
}

/// Whether a text names a pet by a word without a capital, or by one that it begins with; any does in other scripts.
pub(super) fn has_pet(words: &Words) -> bool {
    let is_written = |place: usize| words.get(place).is_some_and(|word| !word.is_capital || word.begins);
    let is_pet = |place: usize| spoken_of(words.lower(place)) & PETS != 0;
    (0..words.len()).any(|place| !words.lower(place).is_ascii() || is_written(place) && is_pet(place))
}

/// Whether a text tells what somebody or something is called, and not whom one calls: "People call the user Ally".
pub(super) fn calls(words: &Words) -> bool {
    let is_name = |place: usize| words.get(place).is_some_and(|word| word.is_capital);
    let behind = |place: usize| place + 1 + usize::from(words.lower(place + 1) == "the");
    (0..words.len()).any(|place| match words.lower(place) {
        "call" | "calls" => is_name(behind(place) + 1),
        word => among("as by called name named names nickname", word),
    })
}

/// Where somebody moved, lives: "moved to Porto", "relocated from Rome to Bonn", "has settled in Leeds".
const MOVED: &str = "moved moves relocated settled emigrated immigrated";

/// Whether a text tells where somebody lives by how they came there.
pub(super) fn tells_home(words: &Words) -> bool {
    let is_place = |place: usize| {
        let is_name = |at: usize| words.get(at).is_some_and(|word| word.is_capital && word.joins);
        among("to in back from", words.lower(place)) && (is_name(place + 1) || is_name(place + 2))
    };
    (0..words.len()).any(|place| among(MOVED, words.lower(place)) && is_place(place + 1))
}

/// Whether a text that says what somebody is by profession, as [`tells_work`] tells, says where, too: "is an engineer at a startup", "is a
/// nurse at St Mary's".
pub(super) fn tells_employer(words: &Words) -> bool {
    let is_place = |place: usize| {
        words.lower(place) == "at"
            && (among("a an the", words.lower(place + 1))
                || words.get(place + 1).is_some_and(|word| word.is_capital))
    };
    (0..words.len()).any(is_place)
}

/// What is taken that is no medicine.
const NO_MEDICINE: &str = "a after an baths breaks bus buses care classes courses lessons metro naps notes part photos pictures showers taxi taxis that the time train trains tram walks";

/// Whether a text says what the user takes, as it is told of medicine: "The user takes ozempic."
pub(super) fn tells_medicine(words: &Words) -> bool {
    words.iter().take(3).eq(["the", "user", "takes"])
        && words.len() <= 5
        && !among(NO_MEDICINE, words.lower(3))
}

/// Whether a text tells what somebody speaks, and not where they are from.
pub(super) fn tells_language(words: &Words) -> bool {
    words.iter().any(|word| {
        among("fluent learn learning learns speak speaking speaks studies study studying teaches", word)
    })
}

/// The words for the numbers that ages are told by; digits are known as they are.
const NUMBERS: &str = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen \
    twenty thirty forty fifty sixty seventy eighty ninety";

/// Whether a word is one of the numbers that ages are told by: "twenty-one".
pub(super) fn is_age_word(word: &str) -> bool {
    among(NUMBERS, word.split('-').next().unwrap_or_default())
}

/// Whether a text says how old somebody is: "is fourteen", "will be 90 in November".
pub(super) fn tells_age(words: &Words) -> bool {
    let is_number = |word: &str| {
        (word.len() <= 3 && word.parse::<u8>().is_ok_and(|years| years <= 120)) || is_age_word(word)
    };
    let ends =
        ["years", "year", "in", "on", "next", "this", "and", "today", "tomorrow", "now", "last", "months"];
    (0..words.len()).any(|place| {
        ["is", "was", "am", "i'm", "be", "turned", "turns", "turning"].contains(&words.lower(place))
            && is_number(words.lower(place + 1))
            && words.get(place + 2).is_none_or(|_| {
                let behind = words.lower(place + 2);
                is_number(behind) || ends.contains(&behind)
            })
    })
}

#[cfg(test)]
mod tests {
    use super::super::attributes::{AGE, CAR, KEYS, MEDICINE, NAME, READING, WORK, of_token, tokens_of};
    use super::*;

    #[test]
    fn ages_are_told_by_numbers_alone() {
        assert_eq!(of_token("birthday"), AGE);
        let tells = |text: &str| tells_age(&Words::of(text));
        assert!(tells("Ebba is fourteen") && tells("Bo will be 90 in June") && tells("Bo turned twenty-one"));
        assert!(
            !tells("Bo is two metres tall") && !tells("Bo is one in a million") && !tells("Bo has 3 sons")
        );
    }

    #[test]
    fn things_are_told_by_words_that_mean_them() {
        let tells = |text: &str, attribute| tells_things(&Words::of(text), attribute);
        assert!(tells("Bo is writing a book", READING) && !tells("Bo booked a flight", READING));
        assert!(tells("Bo washes his car", CAR) && !tells("Bo hates the car park", CAR));
        assert!(tells("The lock is broken", KEYS) && !tells("The pump in Lock 12 leaks", KEYS));
        assert!(
            tells_profession(&Words::of("Bo now works as a restorer"))
                && !tells_profession(&Words::of("Bo is as tall as a tree"))
        );
    }

    #[test]
    fn medicine_is_told_by_who_takes_it() {
        assert_eq!(of_token(&tokens_of("medicine").0.concat()) & MEDICINE, MEDICINE);
        let tells = |text: &str| tells_medicine(&Words::of(text));
        assert!(tells("The user takes ozempic.") && tells("The user takes blood thinners."));
        assert!(
            !tells("The user takes the bus.")
                && !tells("The user takes photos.")
                && !tells("Bo takes ozempic.")
        );
    }

    #[test]
    fn relatives_are_told_by_name() {
        assert_eq!(of_token(&tokens_of("called").0.concat()) & NAME, NAME);
        let tells = |text: &str| tells_name(&Words::of(text));
        assert!(tells("The user's sister Ana lives in Porto") && !tells("The user's sister lives in Porto"));
    }

    #[test]
    fn professions_are_told_by_what_somebody_is() {
        assert!(of_token("job") & WORK != 0);
        let tells = |text: &str| tells_work(&Words::of(text));
        assert!(tells("bo is a retired carpenter at sea") && tells("bo trained as a plumber"));
        assert!(
            tells("bo sells insurance") && tells("I sell insurance") && !tells("the user sold their bike")
        );
        assert!(
            !tells("bo is the user's brother") && !tells("bo is a vegetarian") && !tells("bo has a lathe")
        );
    }
}
