//! What has one value only: a budget, a phone number, the day of a wedding, which hand somebody writes with.
//!
//! Each is of a list, so that nothing of which there may be several is among them, such as appointments, prices and pets.

use super::predicate::{Add, BORN, folded, is_article};
use super::words::{Words, is_in, one_of};
use super::{Day, What};

/// What one has one of, whose values are names.
const NAMES: &str = "name,full name,first name,middle name,last name,surname,star sign";
/// Of what one has one favourite, whose values do not contain one another as "Italian" contains "pizza".
const FAVORITES: &str = "actor,actress,author,band,book,city,color,composer,country,day,director,film,football club,football team,fruit,month,movie,novel,number,painter,poet,programming language,season,singer,song,vegetable,writer";
/// What has one number, alone or "for" something.
const AMOUNTS: &str = "budget,rent,monthly rent,salary,monthly salary,annual salary,yearly salary,income,monthly income,annual income,height,weight";
const PHONES: &str = "phone number,mobile number,cell number,telephone number,phone,mobile";
/// What has one day.
const EVENTS: &str =
    "wedding,wedding day,wedding date,due date,graduation,moving day,move-in date,retirement";
const WEEKDAYS: &str = "monday,tuesday,wednesday,thursday,friday,saturday,sunday";
/// By how many of its last digits a phone number is compared: it is written with and without its country.
const DIGITS: usize = 7;
/// The most words of a value.
const VALUE: usize = 6;
/// Jobs of which nobody has two at once, in all of their names.
const JOBS: &[&str] = &[
    "nurse",
    "teacher",
    "doctor,physician,surgeon",
    "dentist",
    "veterinarian",
    "pharmacist",
    "lawyer,attorney,solicitor,barrister",
    "judge",
    "accountant",
    "architect",
    "librarian",
    "journalist,reporter",
    "developer,programmer,engineer",
    "pilot",
    "chef,cook,baker",
    "butcher",
    "barista,waiter,waitress",
    "hairdresser,barber",
    "plumber",
    "electrician",
    "carpenter",
    "mechanic",
    "farmer",
    "firefighter",
];
/// Makes of cars: a model may be of any.
const MAKES: &[&str] = &[
    "audi",
    "bmw",
    "citroen",
    "dacia",
    "fiat",
    "ford",
    "honda",
    "hyundai",
    "kia",
    "mazda",
    "mercedes",
    "nissan",
    "opel",
    "peugeot",
    "porsche",
    "renault",
    "seat",
    "skoda",
    "subaru",
    "tesla",
    "toyota",
    "volkswagen,vw",
    "volvo",
];
/// What somebody eats, from nothing of animals (0) to meat (3): the least and the most of each word.
const DIETS: &[(&str, u8, u8)] =
    &[("vegan", 0, 0), ("vegetarian", 0, 1), ("pescatarian", 2, 2), ("pescetarian", 2, 2)];
const FOODS: &[(&str, u8, u8)] = &[
    ("cheese,dairy,egg,milk,butter,honey", 1, 3),
    ("fish,seafood,salmon,tuna,shrimp", 2, 3),
    ("meat,beef,pork,chicken,steak,ham,bacon,lamb,sausage", 3, 3),
];
/// Words of which each fact about a diet has one.
const EATING: &[&str] = &["vegan", "vegetarian", "pescatarian", "pescetarian", "eats", "eat"];
const HANDS: &[&str] = &["left-handed", "right-handed", "ambidextrous"];

/// "Ann's birthday is 3 May", and where it is nobody's, "The wedding is on 3 May".
pub(super) fn attribute(words: &Words<'_>, start: usize, is_owned: bool, add: Add<'_>) {
    let Some(is) = words.from(start).iter().position(|word| *word == "is") else { return };
    let topic = words.from(start).get(..is).unwrap_or_default();
    let value = words.from(start + is + 1);
    if value.is_empty() || value.len() > VALUE || matches!(value, ["not" | "no" | "never", ..]) {
        return;
    }
    let anchor = topic.join(" ");
    let of = |topic: &str, anchors: &[&str], add: Add<'_>| {
        let value = value.iter().map(|word| folded(word)).filter(|word| word != "the");
        let value = value.map(|word| word.replace("gray", "grey")).collect();
        add(What::Value(topic.to_owned(), value), anchors);
    };
    match topic {
        ["birthday"] | ["date", "of", "birth"] if is_owned => {
            if let Some(day) = Day::of(value) {
                add(What::Birth(day), BORN);
            }
        }
        ["blood", "type" | "group"] if is_owned => of("blood", &["blood"], add),
        ["eye", "color" | "colour"] if is_owned => of("eyes", &["eye color", "eye colour"], add),
        ["shoe", "size"] if is_owned => of("shoe", &["shoe size"], add),
        ["favorite" | "favourite", favorite @ ..] if is_owned => {
            let favorite = favorite.join(" ").replace("colour", "color");
            if is_in(FAVORITES, &favorite) {
                of(
                    &favorite.replace("movie", "film").replace("club", "team"),
                    &["favorite", "favourite"],
                    add,
                );
            }
        }
        _ if is_owned && is_in(NAMES, &anchor) && words.are_names(start + is + 1) => {
            of(&anchor, &[&anchor], add)
        }
        _ if is_in(PHONES, &anchor) => {
            let digits: String = value.concat().chars().filter(char::is_ascii_digit).collect();
            let last = digits.len().checked_sub(DIGITS).and_then(|from| digits.get(from..));
            if let Some(last) = last {
                add(What::Value(anchor.clone(), vec![last.to_owned()]), &[&anchor]);
            }
        }
        _ if is_in(AMOUNTS, anchor.split(" for ").next().unwrap_or_default()) => {
            amount(&anchor, value, &[&anchor], add)
        }
        _ if is_in(EVENTS, &anchor) => event(&anchor, value, add),
        _ => {}
    }
}

/// "On 3 May", "Friday".
fn event(topic: &str, value: &[&str], add: Add<'_>) {
    let day = if let ["on", day @ ..] = value { day } else { value };
    match day {
        [weekday] if is_in(WEEKDAYS, weekday) => {
            add(What::Value(format!("{topic} weekday"), vec![(*weekday).to_owned()]), &[topic]);
        }
        day => {
            if let Some(day) = Day::of(day) {
                add(What::Date(topic.to_owned(), day), &[topic]);
            }
        }
    }
}

/// A number first and its unit: "5,000 euros a month". Numbers of different units are of different topics.
fn amount(topic: &str, value: &[&str], anchors: &[&str], add: Add<'_>) {
    let Some((first, unit)) = value.split_first() else { return };
    let number = first.trim_start_matches(['€', '$', '£']);
    let sign = first.get(..first.len() - number.len()).unwrap_or_default();
    let has_more = unit.iter().any(|word| word.contains(|c: char| c.is_ascii_digit()));
    if has_more || unit.iter().any(|word| matches!(*word, "thousand" | "million" | "to")) {
        return;
    }
    if let Some(number) = plain_number(number) {
        let unit = unit.iter().filter(|word| !is_article(word)).map(|word| folded(word));
        let topic = [topic.to_owned(), sign.to_owned()].into_iter().chain(unit).collect::<Vec<_>>().join(" ");
        add(What::Value(topic, vec![number]), anchors);
    }
}

/// A number without its thousands' signs and without zeros at its end, as "1.80", "1,100" and "900,00" are also written; `None` for a
/// range, a time and anything else.
fn plain_number(number: &str) -> Option<String> {
    let mut parts = number.split(['.', ',']);
    let first = parts.next().filter(|first| !first.is_empty())?;
    let rest: Vec<&str> = parts.collect();
    let are_digits = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
    if !are_digits(&first) || !rest.iter().all(|part| !part.is_empty() && are_digits(part)) {
        return None;
    }
    let (thousands, fraction) = match rest.split_last() {
        Some((last, before)) if last.len() != 3 => (before, last.trim_end_matches('0')),
        _ => (rest.as_slice(), ""),
    };
    if thousands.iter().any(|part| part.len() != 3) {
        return None;
    }
    let whole = first.to_owned() + &thousands.concat();
    let whole = whole.trim_start_matches('0');
    Some(if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") })
}

/// "Drives a Volvo", "weighs 80 kg", "is left-handed", "is vegan", "works as a nurse".
pub(super) fn valued(words: &Words<'_>, start: usize, verb: &str, add: Add<'_>) {
    let rest = words.from(start + 1);
    let diet = |diets: &[(&str, u8, u8)], word: &str, add: Add<'_>| {
        if let Some((_, least, most)) = diets.iter().find(|(words, ..)| is_in(words, &folded(word))) {
            add(What::Diet(*least, *most), EATING);
        }
    };
    let one = |topic: &str, lists: &'static [&'static str], word: &str, add: Add<'_>| {
        if let Some(value) = one_of(lists, word) {
            let anchors: Vec<&str> = lists.iter().flat_map(|list| list.split(',')).collect();
            add(What::Value(topic.to_owned(), vec![value.to_owned()]), &anchors);
        }
    };
    match (verb, rest) {
        ("drive", ["a" | "an", car @ ..]) if car.len() <= 3 => {
            car.iter().for_each(|word| one("drive", MAKES, word, add));
        }
        ("weigh", weight) => amount("weigh", weight, &["weighs", "weigh"], add),
        ("earn", pay) => amount("earn", pay, &["earns", "earn"], add),
        ("be", [height @ .., "tall"]) => amount("tall", height, &["tall"], add),
        ("eat", [food]) => diet(FOODS, food, add),
        ("be", [word]) => {
            diet(DIETS, word, add);
            one("hand", HANDS, word, add);
        }
        ("work", ["as", "a" | "an", job]) | ("be", ["a" | "an", job]) => {
            diet(DIETS, job, add);
            one("job", JOBS, job, add);
        }
        _ => {}
    }
}

/// What somebody's mother or partner is called; `kin` has all words for her.
pub(super) fn called(words: &Words<'_>, start: usize, kin: &str, add: Add<'_>) {
    if matches!(words.from(start), ["is", "called" | "named", ..] | ["name", "is", ..])
        && words.are_names(start + 2)
    {
        let name = words.from(start + 2).iter().map(|word| (*word).to_owned()).collect();
        let anchors: Vec<&str> = kin.split(',').collect();
        add(What::Value("name".to_owned(), name), &anchors);
    }
}
