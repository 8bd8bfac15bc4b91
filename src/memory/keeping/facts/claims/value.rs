//! What has one value only: a budget, a phone number, the day of a wedding, which hand somebody writes with.

use super::predicate::{Add, BORN, folded, is_article};
use super::words::{Words, is_in, one_of};
use super::{Day, What};

/// What one has one of, whose values are names.
const SINGLE: &str = "name,full name,first name,middle name,last name,surname,native language,mother tongue,time zone,star sign,boss,manager,landlord,hometown";
/// Of what one has one favourite, whose values do not contain one another as "Italian" contains "pizza".
const FAVORITES: &str = "actor,actress,author,band,book,city,color,composer,country,day,director,film,football club,football team,fruit,month,movie,novel,number,painter,poet,programming language,season,singer,song,vegetable,writer";
/// What takes a number behind it, by the word that measures.
const MEASURING: &str = "weigh,earn,make,cost,pay";
const WEEKDAYS: &str = "monday,tuesday,wednesday,thursday,friday,saturday,sunday";
/// By how many of its last digits a number is compared: a phone number is written with and without its country.
const DIGITS: usize = 7;
/// What stands before a job that is none: "a good cook".
const NO_JOB: &str = "amateur,amazing,bad,decent,excellent,fantastic,former,good,great,hobby,keen,passionate,retired,student,terrible,trainee,wonderful";
/// The most words of a topic, and of its value.
const TOPIC: usize = 5;
const VALUE: usize = 6;
/// Jobs of which nobody has two at once, in all of their names.
const JOBS: &[&str] = &[
    "nurse",
    "teacher",
    "doctor,physician,surgeon",
    "dentist",
    "vet,veterinarian",
    "pharmacist",
    "lawyer,attorney,solicitor,barrister",
    "judge",
    "accountant",
    "architect",
    "librarian",
    "journalist,reporter",
    "developer,programmer,engineer",
    "pilot",
    "chef,cook",
    "baker",
    "butcher",
    "barista,waiter,waitress",
    "hairdresser,barber",
    "plumber",
    "electrician",
    "carpenter",
    "mechanic",
    "farmer",
    "firefighter",
    "policeman,policewoman",
];
/// What somebody eats, from nothing of animals (0) to meat (3): the least and the most of each word.
const EATS: &[(&str, u8, u8)] = &[
    ("cheese,dairy,egg,milk,butter,honey", 1, 3),
    ("fish,seafood,salmon,tuna,shrimp", 2, 3),
    ("meat,beef,pork,chicken,steak,ham,bacon,lamb,sausage", 3, 3),
];
const DIETS: &[(&str, u8, u8)] = &[("vegan", 0, 0), ("vegetarian", 0, 1), ("pescatarian,pescetarian", 2, 2)];
const EATING: &[&str] = &["vegan", "vegetarian", "pescatarian", "pescetarian", "eats", "eat"];
const HANDS: &[&str] = &["left-handed,lefty", "right-handed", "ambidextrous"];

/// "Ann's birthday is 3 May", and where it is nobody's, "The wedding is on 3 May".
pub(super) fn attribute(words: &Words<'_>, start: usize, is_owned: bool, add: Add<'_>) {
    let Some(is) = words.from(start).iter().position(|word| *word == "is") else { return };
    let topic = words.from(start).get(..is).unwrap_or_default();
    let value = words.from(start + is + 1);
    if value.is_empty()
        || value.len() > VALUE
        || topic.len() > TOPIC
        || matches!(value, ["not" | "no" | "never", ..])
    {
        return;
    }
    let anchor = topic.join(" ");
    let named = topic.join(" ").replace("colour", "color");
    let of = |topic: String, anchors: &[&str], add: Add<'_>| {
        let value = value.iter().map(|word| folded(word)).filter(|word| word != "the").collect();
        add(What::Value(topic, value), anchors);
    };
    match topic {
        _ if !is_owned => measured(&named, value, &[&anchor], add),
        ["birthday"] | ["date", "of", "birth"] => {
            if let Some(day) = Day::of(value) {
                add(What::Birth(day), BORN);
            }
        }
        ["blood", "type" | "group"] => of("blood".to_owned(), &["blood"], add),
        ["eye", "color" | "colour"] => of(named, &["eye color", "eye colour"], add),
        ["shoe", "size"] => of("shoe".to_owned(), &["shoe size"], add),
        ["favorite" | "favourite", ..] => {
            let topic = named.split_once(' ').map_or("", |(_, topic)| topic);
            if is_in(FAVORITES, topic) {
                let topic = topic.replace("movie", "film").replace("club", "team");
                of(topic, &["favorite", "favourite"], add);
            }
        }
        _ if is_in(SINGLE, &named) && words.are_names(start + is + 1) => of(named, &[&anchor], add),
        _ => measured(&named, value, &[&anchor], add),
    }
}

/// What is so only in one number, at one time or on one day: "5,000 euros", "on 3 May", "on Friday", "at 9 am".
fn measured(topic: &str, value: &[&str], anchors: &[&str], add: Add<'_>) {
    if topic.is_empty() {
        return;
    }
    match value {
        ["on", day] | [day] if is_in(WEEKDAYS, day) => {
            add(What::Value(format!("{topic} weekday"), vec![(*day).to_owned()]), anchors);
        }
        ["on", day @ ..] => {
            if let Some(day) = Day::of(day) {
                add(What::Date(topic.to_owned(), day), anchors);
            }
        }
        value => {
            if let Some(day) = Day::of(value).filter(|_| value.len() > 1) {
                add(What::Date(topic.to_owned(), day), anchors);
            } else if let Some((unit, number)) = number(value) {
                add(What::Value(format!("{topic} {unit}"), vec![number]), anchors);
            }
        }
    }
}

/// A number with its unit: of "5,000 euros a month" the unit and "5000".
fn number(value: &[&str]) -> Option<(String, String)> {
    let is_number = |word: &&str| word.contains(|c: char| c.is_ascii_digit());
    // "5k", "2nd", "A4" and the like are written in other ways as well.
    let is_plain = |c: char| c.is_ascii_digit() || "+-,.:€$£%".contains(c);
    let is_rounded = |word: &&str| matches!(*word, "thousand" | "million" | "billion");
    let (numbers, words): (Vec<&str>, Vec<&str>) = value.iter().partition(|word| is_number(word));
    // A phone number may stand in several words, and nothing else then.
    let is_one = numbers.len() == 1 || words.is_empty();
    let number = numbers.concat();
    if !is_one || !number.chars().all(is_plain) || words.iter().any(is_rounded) {
        return None;
    }
    let signs = number.chars().filter(|c| !c.is_ascii_digit() && !"+-,.".contains(*c)).map(String::from);
    let unit: Vec<String> =
        signs.chain(words.iter().filter(|word| !is_article(word)).map(|word| folded(word))).collect();
    let number = number.strip_suffix(".00").unwrap_or(&number);
    let digits: String = number.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    Some((unit.join(" "), digits.get(digits.len().saturating_sub(DIGITS)..)?.to_owned()))
}

/// "Drives a Golf", "weighs 80 kg", "is left-handed", "is vegan", "works as a nurse".
pub(super) fn valued(words: &Words<'_>, start: usize, verb: &str, add: Add<'_>) {
    let rest = words.from(start + 1);
    let bare: Vec<&str> = rest.iter().copied().filter(|word| !is_article(word)).collect();
    match (verb, bare.as_slice()) {
        ("drive", car @ [.., _]) if car.len() <= 3 && words.is_name(start + rest.len()) => {
            let car = car.iter().map(|word| folded(word)).collect();
            add(What::Value("drive".to_owned(), car), &["drives", "drive"]);
        }
        ("be", [_, _, "tall"] | [_, "tall"]) => measured("height", rest, &["tall"], add),
        ("eat", [food]) => {
            if let Some((_, least, most)) = EATS.iter().find(|(foods, ..)| is_in(foods, &folded(food))) {
                add(What::Diet(*least, *most), EATING);
            }
        }
        ("be", [diet]) if DIETS.iter().any(|(diets, ..)| is_in(diets, diet)) => {
            for (_, least, most) in DIETS.iter().filter(|(diets, ..)| is_in(diets, diet)) {
                add(What::Diet(*least, *most), EATING);
            }
        }
        ("be", [hand]) if one_of(HANDS, hand).is_some() => {
            let hand = one_of(HANDS, hand).unwrap_or_default().to_owned();
            let hands: Vec<&str> = HANDS.iter().flat_map(|hands| hands.split(',')).collect();
            add(What::Value("hand".to_owned(), vec![hand]), &hands);
        }
        ("work", ["as", job @ ..]) | ("be", job) if job.len() <= 3 => {
            let is_job = !job.iter().any(|word| is_in(NO_JOB, word));
            if let Some(job) = job.last().and_then(|job| one_of(JOBS, job)).filter(|_| is_job) {
                let jobs: Vec<&str> = JOBS.iter().flat_map(|jobs| jobs.split(',')).collect();
                add(What::Value("job".to_owned(), vec![job.to_owned()]), &jobs);
            }
        }
        (verb, _) if is_in(MEASURING, verb) => measured(verb, rest, &[verb, words.at(start)], add),
        _ => {}
    }
}

/// "Is Carol", "is called Carol" of the only one of some relatives, in all words for them.
pub(super) fn called(words: &Words<'_>, start: usize, kin: &str, add: Add<'_>) {
    let at = match words.from(start) {
        ["is", "called" | "named", ..] => start + 2,
        ["is", ..] => start + 1,
        _ => return,
    };
    if words.are_names(at) {
        let name = words.from(at).iter().map(|word| (*word).to_owned()).collect();
        let anchors: Vec<&str> = kin.split(',').collect();
        add(What::Value("name".to_owned(), name), &anchors);
    }
}
