//! Patterns: what one way of saying something is made of, and how it is matched.
//!
//! In `words`, `*` stands for up to three adverbs, `a|b` for either word, `a?` for one that may be missing, `$topic` for one
//! captured word (`$kin`, `$mate`, `$boss`, `$pet` for one of those, `$eats` for eating or drinking), `$from` for a place that
//! may be left, `,` for a comma that may be missing; `^` stands before the word with which a deed begins, and alone where all
//! is read as the value; at the end, `+since` asks for "since 2019" behind the value, `+here` for "here" and `+longer` for "any more". In `sentence`, `{}` stands for the value
//! and `{topic}` for the captured word.

use super::super::slot::Slot;
use super::super::statement::PARTNERS;
use super::super::table::among;
use super::phrase::Clause;
use super::words;

/// How the value after a pattern is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grammar {
    /// A personal name the user announces as one.
    Name,
    /// A personal name with a capital, where other words may stand.
    Person,
    /// A personal name after a bare "I am": only well-known names, or any after a greeting.
    BareName,
    /// The name of whoever is the user's so-and-so: a known one, or any alone with a capital that is nothing else.
    Somebody,
    /// A place, of which any capitalised word will do.
    Place,
    /// A place that one moves to or comes from: any capitalised word that is nothing else of that kind.
    Town,
    /// A place known to the tables.
    KnownPlace,
    /// An occupation with its modifiers.
    Job,
    /// A title before "of" or "at": founder, CTO.
    Title,
    /// A company or a kind of workplace.
    Employer,
    /// A company that was joined.
    Joined,
    /// A workplace where one will start.
    Start,
    /// A field of study.
    Subject,
    /// What was studied, and perhaps where.
    Studied,
    /// Things or activities, possibly several.
    Things,
    /// One thing.
    Thing,
    /// The favourite of a topic.
    Favored,
    /// Food, possibly several.
    Food,
    /// Food that is eaten all the same.
    Eaten,
    /// Food that is eaten again.
    Resumed,
    /// What somebody is allergic to, possibly several things.
    Allergen,
    /// The same before "allergy": "a nut allergy".
    AllergyTo,
    /// A phrase to the end of the clause, starting with a verb.
    Doing,
    /// "become a nurse".
    Career,
    /// Languages, possibly several.
    Languages,
    /// One language or instrument to learn.
    Skill,
    /// A number of years of age, alone.
    Age,
    /// A number of years of age, then "years old".
    AgeInYears,
    /// A day and month.
    Date,
    /// A year of birth.
    Year,
    /// A nationality.
    Demonym,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// The pattern itself and what follows, to the end of the clause.
    Manner,
    /// A number or "a", then relatives.
    Relatives,
    /// A number or "a", then pets.
    Animals,
    /// What was done, to the end of the pattern, and perhaps where the work was: "quit my job at Acme".
    Deed,
    /// What was done to one of these: "sold my car".
    DeedTo(&'static str),
    /// What became of a pet, perhaps by its name: "my dog Rex died".
    Death,
    /// What became of somebody who has only a name: "Rex died".
    Mourned,
    /// Somebody who left a workplace.
    Gone,
    /// A workplace that was left for good.
    Former,
    /// Whom the user parted from.
    Parted,
    /// The same, where that is said before.
    PartedFrom,
    /// A place that one plans to move to.
    Destination,
    /// A deed after which the user is this: "tied the knot".
    Turned(&'static str),
    /// A move that does not tell where to.
    Moved,
    /// Who ended the user's work, and how: "Acme laid me off".
    Sacked,
    /// Who parted from the user: "Tom dumped me".
    Dumped,
    /// A pet that was put down, perhaps by its name.
    PutDown,
    /// A kind of workplace in which somebody works: "a call centre".
    Workplace,
    /// An industry or a department: "IT", "customer service".
    Industry,
    /// A workplace where somebody has begun.
    FirstDay,
    /// The occupation somebody rose to.
    Promotion,
    /// What somebody suffers from, possibly several things.
    Condition,
    /// What one is who suffers from something, or is pregnant.
    Ailing,
    /// What is taken against a lasting illness.
    Medicine,
}

/// One way of saying something.
pub(super) struct Pattern {
    pub(super) words: &'static str,
    pub(super) slot: Slot,
    pub(super) grammar: Grammar,
    pub(super) tells: Tells,
    pub(super) sentence: &'static str,
}

/// What a pattern tells of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tells {
    /// It holds.
    Holds,
    /// It holds no longer.
    IsOver,
    /// It came about, at a time that may be told, and ended what is in these slots.
    Happened(&'static [Slot]),
}

/// The end of a pattern behind whose value it is said since when.
pub(super) const SINCE: &str = "+since";
/// The same where "here" is said behind it, as in "Marcus here", and where "any more" is.
pub(super) const HERE: &str = "+here";
pub(super) const LONGER: &str = "+longer";

/// "I left Acme for Globex": of what else was left, "for" tells why.
pub(super) const FOR: &str = "for";
/// "Not at Acme any more, I'm at Globex now": only beside what was left.
pub(super) const AT: &str = ", and|but? i am * at|with";

/// The forms of eating and drinking, and how they are told.
const EATS: &[(&str, &str)] = &[("eat eating", "eat"), ("drink drinking", "drink")];

/// How relatives are called in a chat.
const SHORT: [(&str, &str); 6] = [
    ("gf", "girlfriend"),
    ("bf", "boyfriend"),
    ("hubby", "husband"),
    ("wifey", "wife"),
    ("bro", "brother"),
    ("sis", "sister"),
];

/// What a clause leaves out that goes on from another one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Elided {
    Nothing,
    /// Who: "I live in Rome and work at Acme".
    Subject,
    /// The verb as well: "I'm vegan and allergic to nuts", "a dog called Rex and a cat called Luna".
    Verb,
}

impl Pattern {
    /// Matches a pattern's words from `at`.
    #[inline(never)]
    pub(super) fn matches(&self, clause: &Clause<'_>, at: usize, elided: Elided) -> Option<Matched> {
        let mut parts = self.words.split(' ').peekable();
        if elided != Elided::Nothing && parts.next_if(|part| matches!(*part, "i" | "i|we")).is_none() {
            return None;
        }
        let mut next = at;
        // "Me and Emma broke up", "me and my wife moved".
        if elided == Elided::Nothing
            && parts.peek() == Some(&"i|we")
            && clause.entry(at, at + 2) == "me_and"
            && clause.is_word(at + 2)
        {
            parts.next();
            next += if clause.word(at + 2) == "my" { 4 } else { 3 };
        }
        if elided == Elided::Verb {
            while parts.next_if(|part| matches!(*part, "*" | "have" | "got?" | "am" | "am|are")).is_some() {}
        }
        let mut deed = None;
        let mut topic: Option<String> = None;
        let mut from = None;
        for part in parts {
            let word = clause.word(next);
            let bare = part.strip_prefix('^').unwrap_or(part);
            deed = deed.or_else(|| (bare != part).then_some(next));
            let part = bare;
            match part {
                "*" => {
                    let adverbs = (next..next + 3).take_while(|at| among(words::ADVERBS, clause.word(*at)));
                    next += adverbs.count();
                }
                "," => next += usize::from(word == ","),
                SINCE | HERE | LONGER | "" => {}
                "$from" => {
                    if word == "from" {
                        from = Some(next + 1);
                        next = (next + 2..next + 7).find(|at| clause.word(*at) == "to")?;
                    }
                }
                "$eats" => {
                    let (_, verb) = EATS.iter().find(|(forms, _)| among(forms, word))?;
                    topic = Some((*verb).to_owned());
                    next += 1;
                }
                "$topic" | "$kin" | "$mate" | "$boss" | "$pet" => {
                    if !clause.is_word(next) {
                        return None;
                    }
                    let table = match part {
                        "$kin" => words::KIN,
                        "$mate" => PARTNERS,
                        "$boss" => words::BOSSES,
                        "$pet" => words::PETS,
                        _ => "",
                    };
                    // "My older sister", "my husbands name".
                    let behind = clause.word(next + 1);
                    let is_led = among(words::COUNT_MODIFIERS, word) && among(table, behind);
                    let word = if is_led { behind } else { word };
                    next += usize::from(is_led);
                    let owner = word.strip_suffix('s').filter(|_| clause.word(next + 1) == "name");
                    let word = owner.filter(|owner| among(table, owner)).unwrap_or(word);
                    let word = SHORT.iter().find(|(short, _)| *short == word).map_or(word, |(_, long)| *long);
                    if !table.is_empty() && !among(table, word) {
                        return None;
                    }
                    topic = Some(topic.map_or_else(|| word.to_owned(), |first| format!("{first} {word}")));
                    next += 1;
                }
                _ => {
                    let needed = part.strip_suffix('?');
                    if needed.unwrap_or(part).split('|').any(|choice| choice == word) {
                        next += 1;
                    } else if needed.is_none() {
                        return None;
                    }
                }
            }
        }
        let known = self.slot != Slot::Favorite
            || topic
                .as_deref()
                .and_then(|it| it.rsplit(' ').next())
                .is_some_and(|it| among(words::TOPICS, it));
        known.then_some(Matched { next, deed, from, topic })
    }
}

/// Where the value of a pattern starts, and its deed; the captured word.
pub(super) struct Matched {
    pub(super) next: usize,
    pub(super) deed: Option<usize>,
    /// Where the place stands that was left.
    pub(super) from: Option<usize>,
    pub(super) topic: Option<String>,
}
