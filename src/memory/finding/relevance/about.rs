//! Whom a fact is about, by how it begins.

use super::attributes::{Attributes, HOME, WORK, kind_of_token, tokens_of};
use super::called::{name_behind, names_behind};
use super::first_person::first_person;
use super::kin::kin;
use super::left_out::leaves_out_user;
use super::wide;
use crate::among::among;
use crate::index::lexical::{Word, Words, is_stop_word};
use crate::index::meaning::Meaning;

/// The most words of a name that a fact begins with.
const MAX_NAME: usize = 4;

/// How a fact begins that tells what somebody or something is called.
const NAME_OF: [&str; 2] = ["The name of ", "the name of "];

/// What may stand before "my sister".
const BEFORE_KIN: &[&str] = &["actually", "and", "but", "no", "oh", "so", "the", "well", "yes"];

/// Pets, of whom something is told that is not so of who they belong to.
const PETS: &str = "cat dog hamster horse kitten parrot puppy rabbit";

/// Others who belong to somebody, of whom it is the same.
const PERSONS: &str = "classmate client colleague coworker ex ex-boyfriend ex-girlfriend ex-husband ex-wife friend kid landlady landlord neighbour neighbours pal therapist";

/// Whether a word says what somebody is to the user who is no relative.
pub(super) fn is_person(word: &str) -> bool {
    among(PERSONS, word)
}

/// What is named after a pet, and is none.
const OF_PETS: &str = "allergies allergy bed bite dander food fur hair lover owner person phobia race racing riding shelter show sitter toy walk walker walks";
/// What stands between two things, of which the first is what is told of.
const BETWEEN: &str = "about and at but by for from in of on or than to with";

/// What is said of persons, behind their names.
pub(super) const OF_PERSONS: &str = "can does drives eats grew had has hates is lives loves likes moved needs owns plays prefers studies suffers takes \
    wants was went will works";

/// Behind which words somebody is called, and what is said to whom one calls.
const GREETINGS: &str = "afternoon bye cheers congrats congratulations dear evening goodbye hello hey hi morning night ok okay please \
    sorry thanks welcome yo you";
const OF_ADDRESS: &str = "can could do how please what whats when where why would you you're your";
/// How many words somebody may be called with who stands at the beginning.
const SHORT: usize = 3;

/// How a sentence begins that supposes something.
const SUPPOSING: &str = "if imagine say suppose supposing unless whether";
/// What somebody does whose words follow behind a colon or a quotation mark.
const REPORTING: &str = "asked replied reads said says shouted texted told wrote";
/// With what a request begins whose material follows there, and behind "I" what is not so, or not yet.
const TASKS: &str =
    "compose correct draft paraphrase proofread rephrase rewrite summarise summarize translate write";
const SUPPOSED: &str = "could might wish";

/// How somebody tells what they want, and may never have.
const WISHES: &str = "fancy hope hopes hoping maybe might perhaps want wanted wants wish wishes would";
/// With what questions begin that ask for something, and what follows it; a statement has it behind who it is about.
const ASKING: &str = "how what when where which who why";
const PRONOUNS: &str = "he i it she that they this we you";
const AUXILIARIES: &str = "am are can could did do does is should was were will would";
/// How questions begin; how requests do, and what they ask for that are questions.
const QUESTIONS: &str =
    "am are did do does had has have how is was were what when where which who whom whose why";
const REQUESTS: &str = "can could do will would";
const TELLING: &str = "know recall remember remind say tell";

/// Words that end as verbs do which tell what somebody does.
const NO_VERBS: &str =
    "afterwards always besides hers ours perhaps plus sometimes theirs this thus unless yours";

/// What facts call the user in German, Spanish, French and Russian.
const USER_ELSEWHERE: &str =
    "nutzer nutzerin benutzer usuario usuaria l'utilisateur l'utilisatrice пользователь";

/// Whose something is.
const OWNERS: &str = "her his my our their whose your";

/// Whom a fact is about, and whom it names.
pub(super) struct About<'t> {
    pub(super) words: Words,
    /// How many of the words are the name that it begins with; 0 when it begins otherwise.
    subject: usize,
    pub(super) is_of_user: bool,
    /// What the relative or pet of somebody is, where it is about them and not about who they belong to.
    pub(super) kin: Option<Attributes>,
    /// Where the relative or pet is named, and where their name is: "My sister Ida lives in Oslo".
    kin_place: Option<usize>,
    called: Option<usize>,
    text: &'t str,
    /// The text, where names are not told by capitals; else empty.
    pub(super) wide: &'t str,
}

/// The words of the user's name.
pub(super) type OwnName = [String];

impl<'t> About<'t> {
    pub(super) fn of(text: &'t str, own: &OwnName) -> Self {
        // "The name of the user's wife is Dana" is about the wife.
        let words = Words::of(NAME_OF.iter().find_map(|begun| text.strip_prefix(begun)).unwrap_or(text));
        let is_user = |place: usize| first_person(&words, place).is_some();
        let begins_with_user = is_user(0)
            || words.lower(0) == "the" && is_user(1)
            || wide::begins_with_user(text)
            || leaves_out_user(&words, text)
            || calls_user(&words);
        let mut subject = 0;
        while !begins_with_user && subject < MAX_NAME {
            let word = words.get(subject).filter(|word| word.is_capital && (subject == 0 || word.joins));
            let Some(word) = word else { break };
            subject += 1;
            if word.owns {
                break;
            }
        }
        let is_of_user = begins_with_user || is_own(words.iter().take(subject), own);
        let wide = if wide::is_wide(text) { text } else { "" };
        let place = kin_place(&words, subject);
        let called = place.and_then(|place| name_behind(&words, place));
        // Where a landlord lives is asked for by their name.
        let kin = place.map(|place| words.lower(place)).map(|word| {
            spoken_of(word) & if among(PERSONS, word) { !(HOME | WORK) } else { Attributes::MAX }
        });
        let kin = kin.or_else(|| wide::kin_of(wide));
        Self { words, subject, is_of_user, kin, kin_place: place, called, text, wide }
    }

    /// The words of the name that it begins with.
    pub(super) fn subject(&self) -> impl Iterator<Item = &str> {
        self.words.iter().take(self.subject)
    }

    /// How many they are.
    pub(super) fn subject_length(&self) -> usize {
        self.subject
    }

    /// What is read.
    pub(super) fn text(&self) -> &str {
        self.text
    }

    /// The first word of the name that it begins with; empty where it begins with none.
    pub(super) fn given(&self) -> &str {
        self.subject().next().unwrap_or_default()
    }

    /// Whether a word is one of the name that it begins with.
    pub(super) fn is_of(&self, word: &str) -> bool {
        self.subject().any(|own| own == word)
    }

    /// What the relative or friend is called whom it is about.
    pub(super) fn called(&self) -> Option<&str> {
        self.called.map(|place| self.words.lower(place))
    }

    /// Whether it is about a relative of one of some names: of "Ana Reis" where it calls them so, or "Ana".
    pub(super) fn is_called(&self, names: &[String]) -> bool {
        self.called().is_some_and(|called| names.iter().any(|name| name == called))
            && !self.called.is_some_and(|place| self.has_other_last_name(place, names))
    }

    /// Whether it calls somebody by the first of some names, and by another last name: "Ana Lind", of "Ana Reis".
    pub(super) fn is_namesake(&self, names: &[String]) -> bool {
        let mut places = (0..self.words.len())
            .filter(|place| names.first().is_some_and(|first| first == self.words.lower(*place)))
            .peekable();
        places.peek().is_some() && places.all(|place| self.has_other_last_name(place, names))
    }

    /// Whether a last name follows the first one at a place that is none of several names.
    fn has_other_last_name(&self, place: usize, names: &[String]) -> bool {
        let last = self.words.get(place + 1).filter(|word| word.is_capital && word.joins && !word.begins);
        let owns = self.words.get(place).is_some_and(|word| word.owns);
        names.len() > 1
            && !owns
            && last.is_some()
            && !names.iter().any(|name| name == self.words.lower(place + 1))
    }

    pub(super) fn mentions(&self, word: &str) -> bool {
        self.words.iter().any(|own| own == word)
    }

    /// Whether somebody is called by a name, and nothing said of them: "Thanks Bob!", "Bob, can you help me?", "See you, Bob."
    pub(super) fn addresses(&self, name: &str) -> bool {
        let joins = |place: usize| self.words.get(place).is_some_and(|word| word.joins);
        let is_to_you = || self.words.len() <= SHORT || self.words.iter().any(|word| among(OF_ADDRESS, word));
        let calls = |place: usize| {
            let greets =
                place.checked_sub(1).is_some_and(|before| among(GREETINGS, self.words.lower(before)));
            let ends = place + 1 == self.words.len();
            let stands_apart = !joins(place) && (is_to_you() || place > 0 && ends);
            !joins(place + 1) && (greets || stands_apart)
        };
        let mut places = (0..self.words.len()).filter(|place| self.words.lower(*place) == name).peekable();
        places.peek().is_some() && places.all(calls)
    }

    /// Whether it is said as being so by who speaks: "If I lived in Rome" supposes it, and in "Bob said: I live in Rome" Bob says it.
    pub(super) fn is_asserted(&self) -> bool {
        let is_supposed = among(SUPPOSING, self.words.lower(0));
        let is_quote = |c: char| matches!(c, ':' | '"' | '\u{201c}' | '\u{ab}');
        let quoted = || self.text.find(is_quote).and_then(|at| self.text.get(..at));
        let reports = |before: &str| {
            let words = Words::of(before);
            let last = |back: usize| words.len().checked_sub(back).map_or("", |place| words.lower(place));
            let is_by_user = (0..words.len()).any(|place| words.lower(place) == "i");
            among(TASKS, words.lower(0)) || !is_by_user && (1..=2).any(|back| among(REPORTING, last(back)))
        };
        let is_unreal =
            (0..3).any(|at| self.words.lower(at) == "i" && among(SUPPOSED, self.words.lower(at + 1)));
        !(is_supposed || is_unreal || quoted().is_some_and(reports))
    }

    /// Whether a question tells nothing of who asks it: "Where do I live?" and "Do you know where I live?", but not "Can you help me find a
    /// cake for Ida?"
    pub(super) fn is_inquiry(&self) -> bool {
        let first = self.words.lower(0);
        let first = first.split_once(['\'', '\u{2019}']).map_or(first, |(first, _)| first);
        let is_request = among(REQUESTS, first) && self.words.lower(1) == "you";
        !self.wide.is_empty()
            || among(QUESTIONS, first)
            || is_request && (self.words.iter().any(|word| among(TELLING, word)) || !self.mentions_user())
    }

    /// Whether it is a question that nobody marked: "what time should I stop drinking coffee".
    pub(super) fn is_unmarked_question(&self) -> bool {
        let asks = |place: usize| among(AUXILIARIES, self.words.lower(place));
        // "When I was ten" and "What I do is" ask nothing.
        let is_said = among(PRONOUNS, self.words.lower(1));
        among(ASKING, self.words.lower(0)) && !is_said && (1..=2).any(asks)
            || asks(0) && matches!(self.words.lower(1), "i" | "we" | "you")
    }

    /// Whether it is about the user themselves, and not about who or what belongs to them.
    pub(super) fn is_of_user_alone(&self) -> bool {
        self.is_of_user && self.kin.is_none()
    }

    /// Whether it names the user, in whatever place.
    pub(super) fn mentions_user(&self) -> bool {
        (0..self.words.len()).any(|place| first_person(&self.words, place).is_some())
            || wide::mentions_user(self.text)
    }

    /// Whether it is about somebody else than the user, or what belongs to them: "Bob is allergic to nuts", "Bob's dog", "田中さんは".
    pub(super) fn is_of_another(&self) -> bool {
        let does = |place: usize| {
            let verb = self.words.lower(place);
            verb.len() > 3
                && verb.ends_with('s')
                && !verb.ends_with("ss")
                && !verb.contains('\'')
                && !among(NO_VERBS, verb)
        };
        // "My mate Dave lives in Lyon."
        if self.words.lower(0) == "my" && self.words.get(2).is_some_and(|word| word.is_capital) && does(3) {
            return true;
        }
        if self.is_of_user || self.mentions_user() {
            return false;
        }
        if !self.wide.is_empty() {
            return wide::begins_with_titled(self.wide);
        }
        let is_unknown = || is_unknown(self.words.lower(0));
        // "priya is a nurse"
        let Some(last) = self.subject.checked_sub(1) else {
            return among(OF_PERSONS, self.words.lower(1))
                && !is_stop_word(self.words.lower(0))
                && is_unknown();
        };
        let owns = self.words.get(last).is_some_and(|word| word.owns);
        let verb = self.words.lower(last + 1);
        // "Rhiannon runs marathons."
        owns || (does(last + 1) || among(OF_PERSONS, verb)) && is_unknown()
    }

    /// Whether a word says who it is about: a name that does not begin it, or a relative.
    pub(super) fn names_somebody_at(&self, place: usize) -> bool {
        let is_name =
            |word: &Word| word.is_capital && !word.begins && first_person(&self.words, place).is_none();
        self.words.get(place).is_some_and(is_name) || kin(self.words.lower(place)).is_some()
    }

    /// Whether two facts are about the same one.
    pub(super) fn is_of_the_same(&self, other: &Self) -> bool {
        if !self.wide.is_empty() && !other.wide.is_empty() {
            return wide::are_of_the_same(self.wide, other.wide);
        }
        self.is_of_user == other.is_of_user
            && (self.is_of_user
                || self.subject().next() == other.subject().next()
                    && self.subject().last() == other.subject().last())
    }

    /// The user's name, where it tells that: "The user's name is Ana Silva."
    pub(super) fn own_name(&self) -> Option<Vec<String>> {
        if !self.words.iter().take(4).eq(["the", "user", "name", "is"]) {
            return None;
        }
        let is_name = |place: &usize| self.words.get(*place).is_some_and(|word| word.is_capital);
        let name = (4..4 + MAX_NAME).take_while(is_name).map(|place| self.words.lower(place).to_owned());
        Some(name.collect()).filter(|name: &Vec<String>| !name.is_empty())
    }

    /// Whether it says of whom it is about that they are the user's so-and-so, who may be called by name: "Nora's mother", of Nora.
    pub(super) fn is_kin(&self, kin: &[&str]) -> bool {
        let mut places = self.kin_places(kin);
        (self.is_of_user || self.mentions_user())
            && places.any(|place| self.is_owned_by_user(place).unwrap_or_else(|| !self.is_title(place)))
    }

    /// Whether a word for somebody's boss is what somebody is by profession: "works as a product manager".
    fn is_title(&self, place: usize) -> bool {
        let has = |word| among("get gets got had has have meet meets met named called", word);
        among("boss manager supervisor", self.words.lower(place)) && !self.words.iter().any(has)
    }

    /// The names of those who are the user's so-and-so: "Tom is the user's brother", "my brother Tom", "I have two sons, Leo and Max", of
    /// Nora "Nora's brother Tom".
    pub(super) fn names_of_kin(&self, kin: &[&str]) -> Vec<Vec<String>> {
        let mut names = Vec::new();
        for place in self.kin_places(kin) {
            let behind = names_behind(&self.words, place);
            // "My sister has a son, Leo" is about the sister.
            let has = || self.is_of_user && self.kin_place.is_none_or(|of| of == place);
            match self.is_owned_by_user(place) {
                Some(true) if !self.is_of_user => {
                    names.extend(self.subject().next().map(|_| self.subject_name()))
                }
                Some(true) => names.extend(behind),
                None if has() => names.extend(behind),
                Some(false) | None => {}
            }
        }
        // "The user is married to Elif."
        if self.is_of_user_alone() && of_a_partner(kin) {
            let to = |place: &usize| {
                among("engaged married", self.words.lower(*place)) && self.words.lower(place + 1) == "to"
            };
            let places = (0..self.words.len()).filter(to);
            names.extend(places.flat_map(|place| names_behind(&self.words, place + 1)));
        }
        names
    }

    fn subject_name(&self) -> Vec<String> {
        self.subject().map(str::to_owned).collect()
    }

    /// Whether it begins with something by a word for it: "The tenant pays", of "tenant".
    pub(super) fn begins_with_thing(&self, is_one: impl Fn(&str) -> bool) -> bool {
        self.words.lower(0) == "the" && (1..=2).any(|place| is_one(self.words.lower(place)))
    }

    /// Where one of some relatives is told of, and not whose relative somebody else is: "my wife", but not in "my wife's parents".
    fn kin_places<'k>(&'k self, of: &'k [&str]) -> impl Iterator<Item = usize> + 'k {
        let owns_kin = |at: usize| {
            self.words.get(at).is_some_and(|word| word.owns) && kin(self.words.lower(at + 1)).is_some()
        };
        (0..self.words.len()).filter(move |place| {
            of.contains(&self.words.lower(*place)) && !owns_kin(*place) && !owns_kin(*place + 1)
        })
    }

    /// Whether whose relative stands at a place is the user; `None` where nobody's is.
    fn is_owned_by_user(&self, place: usize) -> Option<bool> {
        let owns = |at: &usize| {
            self.words.get(*at).is_some_and(|word| word.owns) || among(OWNERS, self.words.lower(*at))
        };
        let owner = (1..=3).filter_map(|back| place.checked_sub(back)).find(owns)?;
        Some(
            matches!(self.words.lower(owner), "user" | "my" | "our")
                || self.is_of_user && owner < self.subject,
        )
    }
}

/// Whether nothing is known of what a word means, as of most names.
pub(super) fn is_unknown(word: &str) -> bool {
    let (tokens, of) = tokens_of(word);
    of == 0 && !tokens.is_empty() && !tokens.iter().any(|token| Meaning::of(token).is_some())
}

/// What a word, such as one for a relative, speaks of, also by the kind that it is of.
pub(super) fn spoken_of(word: &str) -> Attributes {
    let (tokens, spoken) = tokens_of(word);
    tokens.iter().fold(spoken, |all, token| all | kind_of_token(token))
}

/// Whether relatives are partners.
fn of_a_partner(kin: &[&str]) -> bool {
    kin.iter().any(|word| among("fiancé fiancée husband partner spouse wife", word))
}

/// Whether words tell what somebody wants: one of the first says so.
pub(super) fn wishes(words: &Words) -> bool {
    words.iter().take(3).any(|word| among(WISHES, word))
}

/// Whether a text begins with what the user is called in other languages of Latin letters, or in Russian.
fn calls_user(words: &Words) -> bool {
    let is_user = |place: usize| among(USER_ELSEWHERE, words.lower(place));
    is_user(0) || matches!(words.lower(0), "der" | "die" | "el" | "la") && is_user(1)
}

/// Where a relative or a pet is named, if a text begins with them: "Tom Ward's boss", or "My older sister lives in Oslo", which speaks of
/// the user no more. `subject` is how many words the name takes that it begins with.
fn kin_place(words: &Words, subject: usize) -> Option<usize> {
    let owns = |place: &usize| words.get(*place).is_some_and(|word| word.owns);
    let of_named = subject.checked_sub(1).filter(owns);
    let owner = of_named.unwrap_or(usize::from(BEFORE_KIN.contains(&words.lower(0))));
    let own = owns(&owner) || matches!(words.lower(owner), "my" | "our");
    // "My sister and I", but "My cousin lives with me".
    let is_object = |place: &usize| {
        let stands_behind_and = place.checked_sub(1).is_some_and(|before| words.lower(before) == "and");
        among("me mine my our ours us", words.lower(*place)) && !stands_behind_and
    };
    let mut selves = (0..words.len()).filter(|place| first_person(words, *place).is_some());
    if !own || of_named.is_none() && (selves.next() != Some(owner) || !selves.all(|place| is_object(&place)))
    {
        return None;
    }
    let is_kin = |place: &usize| {
        let word = words.lower(*place);
        kin(word).is_some() && words.lower(place + 1) != "tongue" || among(PERSONS, word)
    };
    let is_kept = |place: &usize| among(PETS, words.lower(*place)) && is_pet(words, *place);
    // In "Tom's trip with wife Eva" the wife is Tom's, and the trip is what is told.
    let mut near = (1..=3).map(|on| owner + on).take_while(|place| !among(BETWEEN, words.lower(*place)));
    near.find(is_kin).or_else(|| Some(owner + 1).filter(is_kept))
}

/// Whether a word for a pet is one where it stands: a "cat allergy" is no cat.
pub(super) fn is_pet(words: &Words, place: usize) -> bool {
    !among(OF_PETS, words.lower(place + 1))
}

/// Whether a name is the user's: all of it, or its first word.
pub(super) fn is_own<'n>(name: impl Iterator<Item = &'n str> + Clone, own: &OwnName) -> bool {
    let mut rest = name.clone();
    let is_first = rest.next().is_some_and(|first| own.first().is_some_and(|own| own == first));
    is_first && rest.all(|word| own.iter().any(|own| own == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relatives_of_the_user_are_not_the_user() {
        for text in [
            "My older sister lives in Oslo",
            "The user's sister lives in Oslo",
            "Yes, my sister does",
            "Tom Ward's boss is allergic to nuts",
            "Alice's younger sister lives in Oslo",
            "Bob's dog Rex is allergic to nuts",
            "Bob's dog was ill",
            "Bob's dog hates thunder",
            "My cat sleeps all day",
            "Alice's only son is allergic to nuts",
            "My other sister lives in Oslo",
            "사용자의 여동생은 오슬로에 산다",
            "제 여동생은 오슬로에 살아요",
            "ユーザーの妹はオスロに住んでいる",
            "妹はオスロに住んでいる",
            "我妹妹住在奥斯陆",
            "用户的妹妹住在奥斯陆",
            "The user's colleague Nora is pregnant",
            "my cousin Jen is a vegan and lives with me",
            "My brother works for my uncle",
        ] {
            assert!(About::of(text, &[]).kin.is_some(), "{text}");
        }
        for text in [
            "I live in Oslo",
            "My sister and I live in Oslo",
            "my wife and me live in Oslo",
            "My favourite colour is blue",
            "Alice's cat allergy is severe",
            "Tom's trip with wife Eva starts on 3 May",
            "The user lives with the user's sister",
            "Lives with my sister",
            "사용자는 여동생과 산다",
            "ユーザーは妹と住んでいる",
            "我和妹妹住在奥斯陆",
            "我妹妹和我住在奥斯陆",
        ] {
            assert!(About::of(text, &[]).kin.is_none(), "{text}");
        }
    }

    #[test]
    fn relatives_of_relatives_are_not_the_users() {
        let own = ["nora".to_owned()];
        let mother: &[&str] = &["mother", "mum"];
        for text in ["The user's mother lives in Rome", "Nora's mother lives in Rome", "My mum Eva is ill"] {
            assert!(About::of(text, &own).is_kin(mother), "{text}");
        }
        for text in [
            "The user's wife's mother lives in Rome",
            "Nora's friend Joanna's mother lives in Rome",
            "Nora's mother Anna's sister lives in Rome",
            "The user met his mother",
        ] {
            let about = About::of(text, &own);
            assert!(!about.is_kin(mother) && about.names_of_kin(mother).is_empty(), "{text}");
        }
        for text in ["Tom is the user's brother", "Nora's brother Tom is ill", "I have a brother called Tom"]
        {
            assert_eq!(About::of(text, &own).names_of_kin(&["brother"]), [["tom"]], "{text}");
        }
        for text in ["My friend has a brother called Tom", "I know a man whose brother Tom is ill"] {
            assert!(About::of(text, &own).names_of_kin(&["brother"]).is_empty(), "{text}");
        }
    }
}
