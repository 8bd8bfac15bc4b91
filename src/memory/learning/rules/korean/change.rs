//! Korean changes: moves, work that ended or began, partings, what people gave up; and what each ends.

use super::grammar;
use super::noun;
use super::predicate::{Read, complete, form, work};
use super::words;
use super::{Context, Finding, Word};
use crate::memory::rules::slot::Slot;
use crate::memory::rules::statement::{Ending, PARTNERS, STUDIES};
use crate::memory::rules::table::{among, ends_among, strip_end};
use std::borrow::Cow;

/// Reads a change, with the words before its predicate.
pub(super) fn read(before: &[Word<'_>], predicate: &[Word<'_>], context: Context) -> Read {
    if context.others {
        return None;
    }
    let before = without_times(before, words::WHEN);
    let done = |table: &str| past(table, predicate);
    if let Some(length) = done(words::QUIT).filter(|_| before.is_empty()) {
        return event(predicate, length, &[Slot::Employer, Slot::Job]);
    }
    if let Some(length) = done(words::SWITCH).filter(|_| before.is_empty()) {
        return event(predicate, length, &[Slot::Employer]);
    }
    if let Some(length) =
        done(words::RELOCATE).filter(|_| before.iter().all(|word| among(words::WE, word.text)))
    {
        return event(predicate, length, &[Slot::Place]);
    }
    if let Some(length) = done(words::GRADUATE).filter(|_| before.iter().all(|word| is_school(word.text))) {
        let (mut graduated, length) = event(predicate, length, &[Slot::Study])?;
        let studies = Ending::about(Slot::Job, STUDIES, None);
        graduated.iter_mut().for_each(|finding| finding.ends.push(studies.clone()));
        return Some((graduated, length));
    }
    let parted =
        |ends: Ending| Finding::new(Slot::Relationship, "싱글", "사용자는 연인과 헤어졌다.").ending(ends);
    if let Some(length) = done(words::PART).filter(|_| before.is_empty()) {
        return Some((vec![parted(Ending::about(Slot::Family, PARTNERS, None))], length));
    }
    let (last, rest) = before.split_last()?;
    let last = last.text;
    let at = |particle: &str| last.strip_suffix(particle).filter(|stem| !stem.is_empty());
    let to = || grammar::role(last).or_else(|| at("에"));
    let place = |rest: &[Word<'_>]| {
        let from = rest.first().is_some_and(|word| word.text.ends_with("에서"));
        noun::place(rest.get(usize::from(from)..)?, to()?)
    };
    let plan = |place: &str| grammar::sentence("{}{로} 이사", "", place);
    let one = |finding: Finding, length| Some((vec![finding], length));
    if let Some(length) = done(words::MOVE) {
        let we = |word: &Word<'_>| among(words::WE, word.text) || among(words::FIRST_PERSON, word.text);
        let moved = rest.split_first().filter(|(first, _)| we(first));
        let place = place(moved.map_or(rest, |(_, rest)| without_times(rest, words::WHEN)))?;
        let plan = Ending::about(Slot::Goal, "", Some(&plan(&place)));
        return one(Finding::new(Slot::Place, place, "사용자는 {}{로} 이사했다.").ending(plan), length);
    }
    if let Some(length) = form(words::MOVING, predicate) {
        let place = place(without_times(rest, words::SOON))?;
        return one(Finding::new(Slot::Goal, plan(&place), "사용자의 계획: {}."), length);
    }
    if let Some(length) = form(words::NOT_LIVE, predicate) {
        let place = noun::place(rest, at("에는").or_else(|| at("에서")).or_else(|| at("에"))?)?;
        return one(Finding::new(Slot::Place, place, "사용자는 더 이상 {}에 살지 않는다.").over(), length);
    }
    // "회사를 옮겨서 이제 네이버에서 일해요".
    let switched = without_times(rest, words::SWITCHED);
    if switched.len() < rest.len() {
        let switched = without_times(switched, words::OPENERS);
        let works = form(words::WORK, predicate).and_then(|length| work(switched, last, length));
        let (findings, length) = works.or_else(|| {
            let place = noun::workplace(switched, at("에")?)?;
            one(Finding::new(Slot::Employer, place, "사용자는 {}에 다닌다."), form(words::ATTEND, predicate)?)
        })?;
        return Some((findings.into_iter().map(Finding::happened).collect(), length));
    }
    if let Some(length) = done(words::JOIN) {
        let place = noun::workplace(rest, to()?)?;
        return one(Finding::new(Slot::Employer, place, "사용자는 {}에 다닌다.").happened(), length);
    }
    if let Some(length) = done(words::LEAVE) {
        let place = noun::workplace(rest, at("에서").or_else(|| grammar::object(last)).unwrap_or(last))?;
        return one(
            Finding::new(Slot::Employer, place, "사용자는 더 이상 {}에 다니지 않는다.").over(),
            length,
        );
    }
    if let Some(length) = done(words::RENAME) {
        let renamed = matches!(rest, [my] if among("이름을 이름", my.text));
        let name = noun::name(grammar::role(last)?).filter(|_| renamed)?;
        return one(Finding::new(Slot::Name, name, "사용자의 이름은 {}이다.").happened(), length);
    }
    if let Some(length) = done(words::PART) {
        let partner = grammar::and(last).filter(|_| rest.is_empty())?;
        if among(PARTNERS, partner) {
            return one(parted(Ending::about(Slot::Family, partner, None)), length);
        }
        let named = Ending::about(Slot::Family, PARTNERS, Some(noun::name(partner)?));
        return one(parted(named).presuming(), length);
    }
    if let Some(length) = done(words::GIVE_UP) {
        let habit = grammar::object(last).unwrap_or(last);
        let known = rest.is_empty() && among(words::HABITS, habit);
        let finding = Finding::new(Slot::Event, habit, "사용자는 {}{을} 끊었다.")
            .ending(Ending::of_value(Slot::Like, habit));
        return known.then_some((vec![finding], length));
    }
    let length = done(words::DIE)?;
    let named = grammar::subject(last).unwrap_or(last);
    let died =
        |told: String, ending| Finding::new(Slot::Event, told, "사용자의 {}{이} 죽었다.").ending(ending);
    let Some((owner, pet)) = rest.split_first() else {
        // "나비가 죽었어": only a pet that is known.
        let ending = if among(words::PETS, named) {
            Ending::about(Slot::Pet, named, None)
        } else {
            let name = noun::name(named).filter(|name| !among(words::DEVICES, name))?;
            Ending::about(Slot::Pet, words::PETS, Some(name))
        };
        return one(died(named.to_owned(), ending).presuming(), length);
    };
    let (pet, name) = match pet {
        [] => (named, None),
        [pet] => (pet.text, Some(named.to_owned())),
        _ => return None,
    };
    let mine = among("우리 저희 우리집", owner.text) || among(words::MY, owner.text);
    let ending = Ending::about(Slot::Pet, pet, name.as_deref());
    let told = name.map_or_else(|| pet.to_owned(), |name| format!("{pet} {name}"));
    (mine && among(words::PETS, pet)).then_some((vec![died(told, ending)], length))
}

/// Whether a word is a school that grown-ups finish: "대학교를".
fn is_school(word: &str) -> bool {
    let school = grammar::object(word).unwrap_or(word);
    let is_known = ends_among("학교 대학 대학원 학과", school) || among(words::SCHOOLS, school);
    is_known && !ends_among("초등학교 중학교", school)
}

/// Pasts told as nouns, and how they are spelled with an ending.
const SHORT_PASTS: [(&str, &str); 5] =
    [("함", "했음"), ("헤어짐", "헤어졌음"), ("그만둠", "그만뒀음"), ("끊음", "끊었음"), ("잘림", "잘렸음")];

/// A past with its ending: "퇴사함" as "퇴사했음".
fn spelled_out(word: &str) -> Cow<'_, str> {
    let word = word.trim_end_matches('.');
    let spelled =
        SHORT_PASTS.iter().find_map(|(short, long)| Some(format!("{}{long}", word.strip_suffix(short)?)));
    spelled.map_or(Cow::Borrowed(word), Cow::Owned)
}

/// What was done, told by the predicate alone.
fn event(predicate: &[Word<'_>], length: usize, ends: &[Slot]) -> Read {
    let (last, before) = predicate.get(..length)?.split_last()?;
    let last = spelled_out(last.text);
    let stem = strip_end(&last, words::PAST)?;
    let told = format!("{}다", noun::joined(before, stem));
    Some((vec![Finding::new(Slot::Event, told, "사용자는 {}.").closing(ends)], length))
}

/// How many words of a past form these words start with; the table has them without their endings.
fn past(table: &str, said: &[Word<'_>]) -> Option<usize> {
    let matched = |form: &&str| {
        let count = form.split('_').count();
        form.split('_').zip(said).enumerate().all(|(at, (part, word))| {
            let word = spelled_out(word.text);
            let ends = || word.strip_prefix(part).is_some_and(|end| among(words::PAST, end));
            if at + 1 == count { ends() } else { word == *part }
        }) && said.len() >= count
    };
    let length = table.split_ascii_whitespace().filter(matched).map(|form| form.split('_').count()).max()?;
    let last = said.get(length.checked_sub(1)?)?.text;
    complete(said.get(length), last).then_some(length)
}

/// The words behind the times that they start with: "지난달에", "5월에", "2년 전에".
#[inline(never)]
fn without_times<'a, 'b>(mut said: &'a [Word<'b>], table: &str) -> &'a [Word<'b>] {
    while let Some((first, rest)) = said.split_first() {
        let unit = first.text.trim_start_matches(|c: char| c.is_ascii_digit());
        let counted = unit.len() < first.text.len();
        let next = rest.first().map_or("", |word| word.text);
        let pair = format!("{}_{next}", first.text);
        said = if among(table, first.text) || counted && among("월에 년에 일에 년도에", unit) {
            rest
        } else if among(table, &pair)
            || counted && ends_among("년 월 달 주 일", unit) && among("전에 월에", next)
        {
            rest.get(1..).unwrap_or_default()
        } else {
            break;
        };
    }
    said
}
