//! Japanese changes: moves, work that ended or began, partings, what people gave up; and what each ends.

use super::{value, words};
use crate::memory::rules::digits;
use crate::memory::rules::finding::Finding;
use crate::memory::rules::slot::Slot;
use crate::memory::rules::statement::{Ending, PARTNERS, STUDIES};
use crate::memory::rules::table::{among, ends_among, strip_end, strip_start};

/// What changes, and what that ends.
pub(super) fn changed(body: &str) -> Option<Finding> {
    let said = after_time(body);
    let cut = |table: &str| strip_end(said, table);
    let place = |said: &str| value::place(said.split_once("から").map_or(said, |(_, to)| to));
    let plan = |place: &str| format!("{place}に引っ越し");
    if let Some(place) = cut(words::MOVE).and_then(place) {
        let plan = Ending::about(Slot::Goal, "", Some(&plan(&place)));
        return Some(Finding::new(Slot::Place, place, "ユーザーは{}に引っ越しました。").ending(plan));
    }
    if let Some(to) = cut(words::MOVING) {
        let place = place(strip_start(to, words::FUTURE).unwrap_or(to))?;
        return Some(Finding::new(Slot::Goal, plan(&place), "ユーザーは{}の予定です。"));
    }
    if let Some(place) = cut(words::NOT_LIVE).and_then(place) {
        return Some(Finding::new(Slot::Place, place, "ユーザーは{}に住んでいません。").over());
    }
    let switched = || strip_end(strip_start(said, words::SWITCHED)?, words::AT);
    if let Some(place) = cut(words::JOIN).or_else(switched).and_then(value::workplace) {
        return Some(Finding::new(Slot::Employer, place, "ユーザーは{}で働いています。").happened());
    }
    if let Some(place) = cut(words::LEAVE).and_then(value::workplace) {
        return Some(Finding::new(Slot::Employer, place, "ユーザーは{}で働いていません。").over());
    }
    if let Some(name) =
        said.strip_prefix("名前を").and_then(|said| strip_end(said, "に変えました に変えた に改名しました"))
    {
        return Some(Finding::new(Slot::Name, value::name(name)?, "ユーザーの名前は{}です。").happened());
    }
    let became = cut("歳になりました 歳になった 才になりました 才になった")
        .or_else(|| cut("になりました になった").filter(|_| body.starts_with("今年")));
    if let Some(years) = became.and_then(digits::age).filter(|years| is_grown(years)) {
        return Some(Finding::new(Slot::Age, years, "ユーザーは{}歳です。").happened());
    }
    let done = cut(words::DONE)?;
    let event = |ends: &[Slot]| Some(Finding::new(Slot::Event, said, "ユーザーは{}。").closing(ends));
    if among(words::QUIT, done) {
        return event(&[Slot::Employer, Slot::Job]);
    }
    if among(words::SWITCH, done) {
        return event(&[Slot::Employer]);
    }
    if among(words::RELOCATE, done) {
        return event(&[Slot::Place]);
    }
    if among(words::GRADUATE, done) {
        let mut graduated = event(&[Slot::Study])?;
        graduated.ends.push(Ending::about(Slot::Job, STUDIES, None));
        return Some(graduated);
    }
    if among(words::GIVE_UP, done) {
        let habit = strip_end(done, "をやめ を辞め やめ 辞め");
        let liked = habit.map(|habit| Ending::of_value(Slot::Like, habit));
        let given_up = event(&[])?;
        return Some(liked.into_iter().fold(given_up, Finding::ending));
    }
    let parted =
        |ends: Ending| Finding::new(Slot::Relationship, "独身", "ユーザーは恋人と別れました。").ending(ends);
    if done == "別れ" {
        return Some(parted(Ending::about(Slot::Family, PARTNERS, None)));
    }
    let is_name = |name: &str| {
        let is_other = [words::RELATIVES, words::PERSONS, words::OTHERS, words::DEVICES]
            .iter()
            .any(|it| ends_among(it, name));
        !is_other && !name.contains(['の', 'で', 'が', 'に'])
    };
    if let Some(partner) = strip_end(done, words::PART) {
        if among(PARTNERS, partner) {
            return Some(parted(Ending::about(Slot::Family, partner, None)));
        }
        let name = value::name(partner).filter(|_| is_name(partner))?;
        return Some(parted(Ending::about(Slot::Family, PARTNERS, Some(&name))).presuming());
    }
    let dead = strip_end(done, words::DIE)?;
    let died = |ending: Ending| Finding::new(Slot::Event, said, "ユーザー: {}。").ending(ending);
    let Some(owned) = strip_start(dead, "うちの 私の 僕の 俺の 飼っていた 飼い 我が家の 愛")
    else {
        // 「ミケが死んだ」: only a pet that is known.
        if among(words::PETS, dead) {
            return Some(died(Ending::about(Slot::Pet, dead, None)).presuming());
        }
        let name = value::name(dead).filter(|_| is_name(dead))?;
        return Some(died(Ending::about(Slot::Pet, words::PETS, Some(&name))).presuming());
    };
    let (pet, name) = owned.split_once('の').map_or((owned, None), |(pet, name)| (pet, Some(name)));
    let name = match name {
        Some(name) => Some(value::name(name)?),
        None => None,
    };
    among(words::PETS, pet).then(|| died(Ending::about(Slot::Pet, pet, name.as_deref())))
}

/// Whether an age is one at which people tell it of themselves without saying "I".
pub(super) fn is_grown(years: &str) -> bool {
    digits::number(years).is_some_and(|years| years >= 18)
}

/// What follows a time: "先月", "2年前に".
#[inline(never)]
pub(super) fn after_time(mut body: &str) -> &str {
    loop {
        let unit = body.trim_start_matches(|c: char| {
            c.is_ascii_digit() || ('０'..='９').contains(&c) || "一二三四五六七八九十数".contains(c)
        });
        let dated = strip_start(unit, words::DATES).filter(|_| unit.len() < body.len());
        let Some(rest) = dated.or_else(|| strip_start(body, words::TIMES)) else { return body };
        body = rest.strip_prefix('に').unwrap_or(rest);
    }
}
