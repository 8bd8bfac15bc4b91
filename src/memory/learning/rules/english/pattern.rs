//! The English patterns: how a user says something about themselves, as a table.
//!
//! In `words`, `*` stands for up to three adverbs, `a|b` for either word, `a?` for one that may be missing, `$topic` for one
//! captured word, `$from` for a place that may be left, `,` for a comma that may be missing; `^` stands before the word with
//! which a deed begins; `+since` at the end asks for "since 2019" behind the value. In `sentence`, `{}` stands for the value and `{topic}` for the captured word.

use super::super::slot::Slot;
use super::words;

/// How the value after a pattern is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grammar {
    /// A personal name the user announces as one.
    Name,
    /// A personal name after a bare "I am": only well-known names, or any after a greeting.
    BareName,
    /// A place, of which any capitalised word will do.
    Place,
    /// A place known to the tables.
    KnownPlace,
    /// An occupation with its modifiers.
    Job,
    /// A title before "of" or "at": founder, CTO.
    Title,
    /// A company or a kind of workplace.
    Employer,
    /// Things or activities, possibly several.
    Things,
    /// One thing.
    Thing,
    /// The favourite of a topic.
    Favored,
    /// Food, possibly several.
    Food,
    /// What somebody is allergic to, possibly several things.
    Allergen,
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
    /// A workplace that was left for good.
    Former,
    /// Whom the user parted from.
    Parted,
    /// The same, where that is said before.
    PartedFrom,
    /// A place that one plans to move to.
    Destination,
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

const fn says(words: &'static str, slot: Slot, grammar: Grammar, sentence: &'static str) -> Pattern {
    Pattern { words, slot, grammar, tells: Tells::Holds, sentence }
}

const fn unsays(words: &'static str, slot: Slot, grammar: Grammar, sentence: &'static str) -> Pattern {
    Pattern { words, slot, grammar, tells: Tells::IsOver, sentence }
}

const fn happened(
    words: &'static str,
    slot: Slot,
    grammar: Grammar,
    ends: &'static [Slot],
    sentence: &'static str,
) -> Pattern {
    Pattern { words, slot, grammar, tells: Tells::Happened(ends), sentence }
}

/// The end of a pattern behind whose value it is said since when.
pub(super) const SINCE: &str = "+since";

/// What ends with a job.
const WORK: &[Slot] = &[Slot::Employer, Slot::Job];

const DIETS: &[&str] = &[
    "vegetarian",
    "vegan",
    "pescatarian",
    "pescetarian",
    "gluten-free",
    "gluten free",
    "dairy-free",
    "dairy free",
    "lactose intolerant",
    "lactose-intolerant",
    "celiac",
    "coeliac",
    "gluten intolerant",
];

const STATES: &[&str] = &["married", "divorced", "widowed", "single", "engaged"];

/// Where the user went when a workplace was left.
pub(super) const ONWARD: &[Pattern] = &[
    happened(
        ", and? then? * started working|work? a? new? job|position|role? at|with|for",
        Slot::Employer,
        Grammar::Employer,
        &[],
        WORKS,
    ),
    happened(", and? then? * joined", Slot::Employer, Grammar::Employer, &[], WORKS),
    happened("to join", Slot::Employer, Grammar::Employer, &[], WORKS),
    happened(FOR, Slot::Employer, Grammar::Employer, &[], WORKS),
];

/// "I left Acme for Globex": of what else was left, "for" tells why.
pub(super) const FOR: &str = "for";

const WORKS: &str = "The user works at {}.";
const PARTED: &str = "The user and {} broke up.";

/// Every pattern, the more specific of two that start alike first.
pub(super) const PATTERNS: &[Pattern] = &[
    unsays("my name is|'s * not", Slot::Name, Grammar::Name, "The user's name is not {}."),
    says("my * name is|'s *", Slot::Name, Grammar::Name, "The user's name is {}."),
    says("my first|full|given name is|'s *", Slot::Name, Grammar::Name, "The user's name is {}."),
    says("my nickname is|'s", Slot::Nickname, Grammar::Name, "The user is called {}."),
    says("name 's", Slot::Name, Grammar::Name, "The user's name is {}."),
    says("i am called", Slot::Name, Grammar::Name, "The user's name is {}."),
    says("i go by", Slot::Nickname, Grammar::Name, "The user goes by {}."),
    says("please * call me", Slot::Nickname, Grammar::Name, "The user wants to be called {}."),
    says("you can|may * call me", Slot::Nickname, Grammar::Name, "The user wants to be called {}."),
    says("just call me", Slot::Nickname, Grammar::Name, "The user wants to be called {}."),
    says("call me", Slot::Nickname, Grammar::Name, "The user wants to be called {}."),
    says(
        "everyone|everybody|people|friends * call|calls me",
        Slot::Nickname,
        Grammar::Name,
        "People call the user {}.",
    ),
    says(
        "my friends|family|coworkers|colleagues * call me",
        Slot::Nickname,
        Grammar::Name,
        "People close to the user call them {}.",
    ),
    happened("i * changed my * name to", Slot::Name, Grammar::Name, &[], "The user's name is {}."),
    unsays("i|we do not * live in", Slot::Place, Grammar::Place, "The user does not live in {}."),
    unsays("i|we live not in", Slot::Place, Grammar::Place, "The user does not live in {}."),
    unsays("i|we no longer live in", Slot::Place, Grammar::Place, "The user no longer lives in {}."),
    unsays("i|we used to live in", Slot::Place, Grammar::Place, "The user no longer lives in {}."),
    unsays(
        "i|we have? * moved out|away of|from",
        Slot::Place,
        Grammar::KnownPlace,
        "The user no longer lives in {}.",
    ),
    says("i * live|reside in", Slot::Place, Grammar::Place, "The user lives in {}."),
    says("i am * living|based in", Slot::Place, Grammar::Place, "The user lives in {}."),
    says("i have been living in", Slot::Place, Grammar::Place, "The user lives in {}."),
    says("i have lived in +since", Slot::Place, Grammar::Place, "The user lives in {}."),
    says("i have lived in", Slot::Place, Grammar::Place, "The user has lived in {}."),
    happened(
        "i|we have? * moved|relocated back? $from to",
        Slot::Place,
        Grammar::KnownPlace,
        &[Slot::Goal],
        "The user moved to {}.",
    ),
    unsays(
        "i|we am|are not moving|relocating back? to",
        Slot::Goal,
        Grammar::Destination,
        "The user is not moving to {}.",
    ),
    says(
        "i|we am|are|will * going? to? move|moving|relocate|relocating back? $from to",
        Slot::Goal,
        Grammar::Destination,
        "The user is moving to {}.",
    ),
    unsays("i am not from", Slot::Origin, Grammar::KnownPlace, "The user is not from {}."),
    says("i am * from", Slot::Origin, Grammar::KnownPlace, "The user is from {}."),
    says("i * come from", Slot::Origin, Grammar::KnownPlace, "The user comes from {}."),
    says("i was born in", Slot::BirthYear, Grammar::Year, "The user was born in {}."),
    says("i was born in", Slot::Origin, Grammar::KnownPlace, "The user was born in {}."),
    says(
        "i was born and raised in",
        Slot::Origin,
        Grammar::KnownPlace,
        "The user was born and raised in {}.",
    ),
    says("i * grew up in", Slot::Origin, Grammar::KnownPlace, "The user grew up in {}."),
    says("my hometown is|'s", Slot::Origin, Grammar::Place, "The user's hometown is {}."),
    says("i am *", Slot::Nationality, Grammar::Demonym, "The user is {}."),
    unsays("i am not", Slot::Job, Grammar::Job, "The user is not a {}."),
    unsays("i am no longer", Slot::Job, Grammar::Job, "The user is no longer a {}."),
    unsays("i no longer work as", Slot::Job, Grammar::Job, "The user no longer works as a {}."),
    unsays("i used to be|work as?", Slot::Job, Grammar::Job, "The user is no longer a {}."),
    happened("i am|have * ^retired", Slot::Job, Grammar::Deed, &[Slot::Employer], "The user is {}."),
    happened("i * ^retired", Slot::Job, Grammar::Deed, &[Slot::Employer], "The user is {}."),
    happened("i am * ^unemployed|jobless", Slot::Job, Grammar::Deed, &[Slot::Employer], "The user is {}."),
    happened(
        "i|we have? * ^quit|left|lost my job|position",
        Slot::Event,
        Grammar::Deed,
        WORK,
        "The user {}.",
    ),
    happened("i have? * got|was|been * ^laid off", Slot::Event, Grammar::Deed, WORK, "The user was {}."),
    happened("i have? * got|was|been * ^fired|sacked", Slot::Event, Grammar::Deed, WORK, "The user was {}."),
    happened("i have? * was|been * ^made redundant", Slot::Event, Grammar::Deed, WORK, "The user was {}."),
    unsays("i have? * resigned from", Slot::Employer, Grammar::Former, "The user no longer works at {}."),
    happened("i have? * ^resigned", Slot::Event, Grammar::Deed, WORK, "The user {}."),
    happened(
        "i have? * ^changed|switched jobs",
        Slot::Event,
        Grammar::Deed,
        &[Slot::Employer],
        "The user {}.",
    ),
    says("i am *", Slot::Job, Grammar::Title, "The user is {}."),
    says("i am *", Slot::Job, Grammar::Job, "The user is a {}."),
    says("i * work as", Slot::Job, Grammar::Job, "The user works as a {}."),
    happened("i have? * started working|work as", Slot::Job, Grammar::Job, &[], "The user works as a {}."),
    happened("i have? * started a new job as", Slot::Job, Grammar::Job, &[], "The user works as a {}."),
    says("i am * working|employed as", Slot::Job, Grammar::Job, "The user works as a {}."),
    says("i have been working as", Slot::Job, Grammar::Job, "The user works as a {}."),
    says("my job|occupation|profession is", Slot::Job, Grammar::Job, "The user is a {}."),
    says("my job title is|'s", Slot::Job, Grammar::Job, "The user's job title is {}."),
    unsays("i do not work at|for", Slot::Employer, Grammar::Employer, "The user does not work at {}."),
    unsays("i no longer work at|for", Slot::Employer, Grammar::Employer, "The user no longer works at {}."),
    unsays(
        "i am no longer working|employed at|for|by",
        Slot::Employer,
        Grammar::Employer,
        "The user no longer works at {}.",
    ),
    unsays("i used to work at|for", Slot::Employer, Grammar::Employer, "The user no longer works at {}."),
    unsays(
        "i have? recently? finally? left|quit",
        Slot::Employer,
        Grammar::Former,
        "The user no longer works at {}.",
    ),
    happened(
        "i have? * started|got|found|landed a new job|position|role at|with",
        Slot::Employer,
        Grammar::Employer,
        &[],
        "The user works at {}.",
    ),
    happened(
        "i have? * started working|work at|for",
        Slot::Employer,
        Grammar::Employer,
        &[],
        "The user works at {}.",
    ),
    says("i * work at|for", Slot::Employer, Grammar::Employer, "The user works at {}."),
    says("i am * working|employed at|for|by", Slot::Employer, Grammar::Employer, "The user works at {}."),
    says("i have worked at|for +since", Slot::Employer, Grammar::Employer, "The user works at {}."),
    says("i have been working at|for", Slot::Employer, Grammar::Employer, "The user works at {}."),
    says("i am majoring in", Slot::Study, Grammar::Thing, "The user studies {}."),
    says("i major in", Slot::Study, Grammar::Thing, "The user studies {}."),
    says("my major is", Slot::Study, Grammar::Thing, "The user studies {}."),
    says("i * speak", Slot::Language, Grammar::Languages, "The user speaks {}."),
    says("i am * fluent in", Slot::Language, Grammar::Languages, "The user speaks {}."),
    says(
        "my native|first language|tongue is",
        Slot::Language,
        Grammar::Languages,
        "The user's native language is {}.",
    ),
    says("my mother tongue is", Slot::Language, Grammar::Languages, "The user's native language is {}."),
    unsays("i am no longer", Slot::Relationship, Grammar::OneOf(STATES), "The user is no longer {}."),
    unsays("i used to be", Slot::Relationship, Grammar::OneOf(STATES), "The user is no longer {}."),
    says("i am *", Slot::Relationship, Grammar::OneOf(STATES), "The user is {}."),
    happened("i|we have? * got ^married|engaged", Slot::Relationship, Grammar::Deed, &[], "The user got {}."),
    happened(
        "i|we have? * got ^divorced",
        Slot::Relationship,
        Grammar::Deed,
        &[Slot::Family],
        "The user got {}.",
    ),
    happened(
        "i have? * broke|broken|split up with",
        Slot::Relationship,
        Grammar::Parted,
        &[Slot::Family],
        PARTED,
    ),
    happened(
        "i|we have? * broke|broken|split up",
        Slot::Relationship,
        Grammar::PartedFrom,
        &[Slot::Family],
        PARTED,
    ),
    happened(
        "my $mate broke|split up with me",
        Slot::Relationship,
        Grammar::PartedFrom,
        &[Slot::Family],
        PARTED,
    ),
    happened("my|our ^$pet", Slot::Event, Grammar::Death, &[Slot::Pet], "The user's {}."),
    happened(
        "i|we have? * ^sold my|our",
        Slot::Event,
        Grammar::DeedTo(words::BELONGINGS),
        &[],
        "The user {}.",
    ),
    says("my $kin 's name is", Slot::Family, Grammar::Name, "The name of the user's {topic} is {}."),
    says("my $kin is called|named", Slot::Family, Grammar::Name, "The name of the user's {topic} is {}."),
    says("my $pet 's name is", Slot::Pet, Grammar::Name, "The name of the user's {topic} is {}."),
    says("my $pet is called|named", Slot::Pet, Grammar::Name, "The name of the user's {topic} is {}."),
    says("i * have a|an $pet named|called", Slot::Pet, Grammar::Name, "The user has a {topic} called {}."),
    says(
        "i * have a|one $kin named|called",
        Slot::Family,
        Grammar::Name,
        "The user has a {topic} called {}.",
    ),
    says("i * have", Slot::Family, Grammar::Relatives, "The user has {}."),
    says("i * have", Slot::Pet, Grammar::Animals, "The user has {}."),
    says(
        "my favorite $topic * is|are|'s",
        Slot::Favorite,
        Grammar::Favored,
        "The user's favorite {topic} is {}.",
    ),
    says(
        "my favorite $topic $topic * is|are|'s",
        Slot::Favorite,
        Grammar::Favored,
        "The user's favorite {topic} is {}.",
    ),
    says("i * like|love|enjoy|adore", Slot::Like, Grammar::Things, "The user likes {}."),
    says("i * prefer", Slot::Like, Grammar::Thing, "The user prefers {}."),
    says("i am * a fan of", Slot::Like, Grammar::Things, "The user is a fan of {}."),
    says("i am * a big|huge|massive fan of", Slot::Like, Grammar::Things, "The user is a fan of {}."),
    says("i am * into", Slot::Like, Grammar::Things, "The user is into {}."),
    says("i am * fond of", Slot::Like, Grammar::Things, "The user is fond of {}."),
    says("i am * passionate about", Slot::Like, Grammar::Things, "The user is passionate about {}."),
    says("i am obsessed with", Slot::Like, Grammar::Things, "The user is obsessed with {}."),
    says("my hobby is|'s", Slot::Like, Grammar::Things, "The user's hobby is {}."),
    says("my hobbies are|include", Slot::Like, Grammar::Things, "The user's hobbies include {}."),
    says("i * hate|dislike|despise|detest|loathe", Slot::Dislike, Grammar::Things, "The user dislikes {}."),
    says("i do not * like|enjoy", Slot::Dislike, Grammar::Things, "The user does not like {}."),
    says("i can not stand", Slot::Dislike, Grammar::Things, "The user cannot stand {}."),
    unsays("i used to * like|love|enjoy", Slot::Like, Grammar::Things, "The user no longer likes {}."),
    says("i no longer like|love|enjoy", Slot::Dislike, Grammar::Things, "The user no longer likes {}."),
    says("i stopped liking|enjoying", Slot::Dislike, Grammar::Things, "The user no longer likes {}."),
    says("i am not * a fan of", Slot::Dislike, Grammar::Things, "The user is not a fan of {}."),
    says("i am not * a big|huge fan of", Slot::Dislike, Grammar::Things, "The user is not a fan of {}."),
    says("i am not * into", Slot::Dislike, Grammar::Things, "The user is not into {}."),
    unsays("i am no longer", Slot::Diet, Grammar::OneOf(DIETS), "The user is no longer {}."),
    unsays("i am not", Slot::Diet, Grammar::OneOf(DIETS), "The user is not {}."),
    unsays("i used to be", Slot::Diet, Grammar::OneOf(DIETS), "The user is no longer {}."),
    says("i am *", Slot::Diet, Grammar::OneOf(DIETS), "The user is {}."),
    happened(
        "i have? * stopped|quit eating|drinking",
        Slot::Diet,
        Grammar::Food,
        &[],
        "The user no longer eats or drinks {}.",
    ),
    unsays(
        "i have? * started eating|drinking",
        Slot::Diet,
        Grammar::Food,
        "The user eats or drinks {} again.",
    ),
    happened(
        "i have? * ^quit|stopped|gave|given up?",
        Slot::Event,
        Grammar::DeedTo(words::HABITS),
        &[],
        "The user {}.",
    ),
    says("i do not * eat|drink", Slot::Diet, Grammar::Food, "The user does not eat or drink {}."),
    says("i never eat|drink", Slot::Diet, Grammar::Food, "The user does not eat or drink {}."),
    says("i can not eat|drink", Slot::Diet, Grammar::Food, "The user cannot eat or drink {}."),
    says("i am * allergic to", Slot::Allergy, Grammar::Allergen, "The user is allergic to {}."),
    says("my * goal|dream|ambition is to", Slot::Goal, Grammar::Doing, "The user's goal is to {}."),
    says(
        "my main|big|biggest|ultimate|long-term|career|life goal|dream is to",
        Slot::Goal,
        Grammar::Doing,
        "The user's goal is to {}.",
    ),
    says("i * want to", Slot::Goal, Grammar::Career, "The user wants to {}."),
    says("i hope|aim|plan to", Slot::Goal, Grammar::Career, "The user hopes to {}."),
    says("i am * training for", Slot::Goal, Grammar::Thing, "The user is training for {}."),
    says("i am * saving up for", Slot::Goal, Grammar::Thing, "The user is saving up for {}."),
    says("i am * learning|studying", Slot::Goal, Grammar::Skill, "The user is learning {}."),
    says("i * want to learn", Slot::Goal, Grammar::Skill, "The user wants to learn {}."),
    says("i am * learning to play the", Slot::Goal, Grammar::Skill, "The user is learning to play the {}."),
    says("i * struggle with", Slot::Struggle, Grammar::Thing, "The user struggles with {}."),
    says("i * suffer from", Slot::Struggle, Grammar::Thing, "The user suffers from {}."),
    says("i * have trouble", Slot::Struggle, Grammar::Thing, "The user has trouble {}."),
    says("i have a hard time", Slot::Struggle, Grammar::Thing, "The user has a hard time {}."),
    says("i * decided to", Slot::Decision, Grammar::Doing, "The user decided to {}."),
    says("i have * decided to", Slot::Decision, Grammar::Doing, "The user decided to {}."),
    happened("i have? * ^got promoted", Slot::Event, Grammar::Deed, &[], "The user {}."),
    says("i am *", Slot::Age, Grammar::AgeInYears, "The user is {} years old."),
    says("i am *", Slot::Age, Grammar::Age, "The user is {} years old."),
    says("i * turned", Slot::Age, Grammar::Age, "The user is {} years old."),
    says("my age is", Slot::Age, Grammar::Age, "The user is {} years old."),
    says("my birthday is|'s on", Slot::Birthday, Grammar::Date, "The user's birthday is {}."),
    says("my birthday is|'s", Slot::Birthday, Grammar::Date, "The user's birthday is {}."),
    says("i was born on", Slot::Birthday, Grammar::Date, "The user was born on {}."),
    says("i am *", Slot::Name, Grammar::BareName, "The user's name is {}."),
    says(
        "always answer|reply|respond|write|speak|talk|explain|use",
        Slot::Instruction,
        Grammar::Manner,
        "The user asks to {}.",
    ),
    says(
        "from now on , * answer|reply|respond|write|speak|talk|explain|use",
        Slot::Instruction,
        Grammar::Manner,
        "The user asks: {}.",
    ),
    says("never use", Slot::Instruction, Grammar::Manner, "The user asks to {}."),
    says("please do not use", Slot::Instruction, Grammar::Manner, "The user asks: {}."),
    says("please never use", Slot::Instruction, Grammar::Manner, "The user asks: {}."),
];
