//! Others: the people around the user, of whom a question asks who it is that something is true of: "Who of my friends has a dog?"

use super::kin::kin;
use crate::among::among;
use crate::index::lexical::Words;

/// What people around somebody are together.
const GROUPS: &str = "acquaintances buddies circle classmates colleagues contacts coworkers family flatmates friends housemates mates \
    neighbors neighbours pals relatives roommates teammates";
/// What one of them is to the user who is no kin, and who is of the family.
const NO_KIN: &[&[&str]] = &[
    &["friend", "buddy", "pal", "mate", "bestie"],
    &["colleague", "coworker", "co-worker", "teammate"],
    &["classmate"],
    &["acquaintance"],
];
const FAMILY: &str = "brother sister mother father husband wife son daughter niece nephew uncle aunt cousin grandmother grandfather \
    mother-in-law father-in-law sister-in-law brother-in-law partner parents children";
/// How a question asks for one of them.
const ASKING: &str = "who who's whose which what";
const ANYBODY: &str = "anybody anyone everybody everyone people somebody someone who";
/// Behind what the family stands of which one is asked for.
const WITHIN: &str = "among from in of within";
/// What says that the user is one of them.
const WITH_USER: &str = "i me myself";

/// The people around the user as a question names them.
pub(super) struct Others {
    /// The words that name them; they ask for nothing else.
    pub(super) words: Vec<String>,
    /// Whether the user may be one of them.
    pub(super) has_user: bool,
    /// What each of them is to the user, in words of which one is enough; none where they may be anybody.
    pub(super) kin: Vec<&'static [&'static str]>,
}

impl Others {
    /// Those of whom a question asks; `None` where it asks for no such group, or for all that belong to it.
    pub(super) fn of(words: &Words) -> Option<Self> {
        let word = |place: usize| words.lower(place);
        let asks_who = (0..words.len()).any(|place| among(ANYBODY, word(place)));
        // "My close friends"; "the family" is the user's own as well, and a family doctor is none of it.
        let is_group = |place: &usize| {
            let is_family = word(*place) == "family";
            let is_own = |back: usize| {
                let before = place.checked_sub(back).map_or("", word);
                matches!(before, "my" | "our") || before == "the" && is_family
            };
            let is_within = |back: usize| place.checked_sub(back).is_some_and(|at| among(WITHIN, word(at)));
            let stands = !is_family || asks_who && is_within(2);
            among(GROUPS, word(*place)) && (is_own(1) || is_own(2)) && stands
        };
        let around = |place: &usize| {
            let pair = (word(place - 1), word(*place));
            matches!(pair, ("around", "me" | "us") | ("i", "know"))
                && (0..*place).any(|at| among(ANYBODY, word(at)))
        };
        let group = (1..words.len()).find(is_group);
        let last = group.or_else(|| (1..words.len()).find(around))?;
        let is_asked = among(ASKING, word(0)) || asks_who;
        // "Who are my colleagues?"
        let is_for_all = matches!(word(0), "who" | "who's") && last <= 4 && last + 1 == words.len();
        if !is_asked || is_for_all || words.get(last).is_some_and(|word| word.owns) {
            return None;
        }
        let first = if group.is_some() { last } else { last - 1 };
        let mut named: Vec<String> = (first..=last).map(|place| word(place).to_owned()).collect();
        named.extend((0..first).map(word).filter(|word| among(ANYBODY, word)).map(str::to_owned));
        let includes = |place: usize| word(place) == "including" && among(WITH_USER, word(place + 1));
        let has_user = word(last) == "family" || (0..words.len()).any(includes);
        let kin = match word(last) {
            "family" | "relatives" => FAMILY.split_whitespace().filter_map(kin).collect(),
            "buddies" => line("buddy").into_iter().collect(),
            word => word.strip_suffix('s').and_then(line).into_iter().collect(),
        };
        Some(Self { words: named, has_user, kin })
    }
}

/// The words that mean the same as one for somebody around the user.
fn line(one: &str) -> Option<&'static [&'static str]> {
    NO_KIN.iter().find(|line| line.contains(&one)).copied().or_else(|| kin(one))
}

#[cfg(test)]
mod tests {
    use super::Others;
    use crate::index::lexical::Words;

    #[test]
    fn questions_for_the_people_around_the_user_are_known() {
        for (question, has_user) in [
            ("Who of my friends has a dog?", Some(false)),
            ("Which of my close friends is vegan?", Some(false)),
            ("which people around me have cats?", Some(false)),
            ("Who in my circle plays an instrument?", Some(false)),
            ("Do I know anyone who runs? Someone I know?", Some(false)),
            ("Who in the family plays an instrument?", Some(true)),
            ("Who of my friends drives a van, including me?", Some(true)),
            ("Where do my friends live?", None),
            ("Who is my boss?", None),
            ("What is my family's name?", None),
            ("Who is my family doctor?", None),
            ("Which church does my family attend?", None),
            ("Who are my colleagues?", None),
            ("Which trips are my neighbours planning?", Some(false)),
            ("Who is on the team?", None),
            ("What people like tea?", None),
        ] {
            let found = Others::of(&Words::of(question)).map(|others| others.has_user);
            assert_eq!(found, has_user, "{question}");
        }
    }
}
