//! Chinese statements of change, and what each ends: "搬到了北京", "分手了", "咪咪死了".

use super::super::finding::Finding;
use super::super::slot::Slot;
use super::super::statement::{Ending, PARTNERS, SPOUSES, STUDIES};
use super::predicate::without_duration;
use super::{Reading, Time, tail, value, words};
use crate::memory::rules::table::{among, strip_end, strip_start};

/// What changes, and what that ends.
pub(super) fn changed(said: &str, time: Time) -> Option<Reading> {
    let tell = |slot, value: &str, sentence| Finding::new(slot, value, sentence).happened();
    let of = |finding: Finding| Some(Reading::of(vec![finding]));
    let plain = tail(said);
    let moved =
        said.strip_prefix('从').and_then(|said| said.split_once("搬")).map(|(from, _)| from.len() + 3);
    let moved = moved.and_then(|at| said.get(at..)).unwrap_or(said);
    if let Some(to) = strip_start(moved, words::MOVE) {
        let to = tail(to);
        let place = value::place(to).or_else(|| value::place(tail(strip_end(to, "住 生活 定居")?)))?;
        let plan = format!("搬到{place}");
        return match time {
            Time::Future => Some(Reading::one(Slot::Goal, &plan, "用戶要{}。")),
            _ => {
                let plan = Ending::about(Slot::Goal, "", Some(&plan));
                of(tell(Slot::Place, place, "用戶搬到了{}。").ending(plan))
            }
        };
    }
    if time == Time::Future {
        return None;
    }
    let is_done = said.contains('了');
    let married = without_duration(said).filter(|said| *said == "结婚");
    if married.is_some() {
        return of(Finding::new(Slot::Relationship, "结婚", "用戶已婚。"));
    }
    for (table, sentence) in
        [(words::MARRIED, "用戶已婚。"), (words::SINGLE, "用戶單身。"), (words::DIVORCED, "用戶已離婚。")]
    {
        let whole = plain.strip_prefix('是').unwrap_or(plain);
        // "去年结的婚", "去年结婚的".
        let whole = match whole {
            "结的婚" => "结婚",
            "离的婚" => "离婚",
            _ => whole,
        };
        let is_done = is_done || time != Time::Untold && said.contains('的');
        if among(table, whole) && (!matches!(whole, "结婚" | "离婚" | "订婚") || is_done) {
            return match whole {
                "单身" | "单身狗" => {
                    let partner = Ending::about(Slot::Family, PARTNERS, None);
                    of(tell(Slot::Relationship, whole, sentence).ending(partner))
                }
                "离婚" => {
                    let spouse = Ending::about(Slot::Family, SPOUSES, None);
                    of(tell(Slot::Relationship, whole, sentence).ending(spouse))
                }
                "订婚" => of(tell(Slot::Relationship, whole, "用戶訂婚了。")),
                _ => of(tell(Slot::Relationship, whole, sentence)),
            };
        }
    }
    if let Some(employer) = strip_start(plain, words::JOIN) {
        return of(tell(Slot::Employer, value::workplace(employer)?, "用戶在{}工作。"));
    }
    if let Some(name) = strip_start(plain, words::RENAME) {
        return of(tell(Slot::Name, value::name(name)?, "用戶的名字是{}。"));
    }
    if is_done && let Some(reading) = parted(plain).or_else(|| resumed(plain)) {
        return Some(reading);
    }
    if is_done && among("分手 被甩 被分手 失恋", plain) {
        let partner = Ending::about(Slot::Family, PARTNERS, None);
        return of(tell(Slot::Relationship, "单身", "用戶分手了。").ending(partner));
    }
    if is_done && plain == "脱单" {
        let single = ["单身", "单身狗"].map(|state| Ending::of_value(Slot::Relationship, state));
        return of(Finding { ends: single.into(), ..tell(Slot::Event, plain, "用戶{}了。") });
    }
    if let Some(what) = strip_start(plain, "戒 戒掉 戒了 戒掉了")
        && is_done
        && among(words::GIVEN_UP, what)
    {
        return of(Finding { ends: likings(what), ..tell(Slot::Event, plain, "用戶{}了。") });
    }
    let ends: &[Slot] = match () {
        () if among(words::RELOCATE, plain) => &[Slot::Place],
        () if among(words::QUIT, plain) => &[Slot::Employer, Slot::Job],
        () if among(words::SWITCH, plain) => &[Slot::Employer],
        () => {
            let whom = strip_end(plain, "分手")?;
            let whom = strip_start(whom, "和 跟 与 同")?;
            let parted = tell(Slot::Relationship, "单身", "用戶分手了。");
            let ending = if among(PARTNERS, whom) {
                Ending::about(Slot::Family, whom, None)
            } else {
                Ending::about(Slot::Family, PARTNERS, Some(value::name(whom)?))
            };
            return of(parted.ending(ending)).filter(|_| is_done);
        }
    };
    of(Finding::new(Slot::Event, plain, "用戶{}了。").closing(ends)).filter(|_| is_done)
}

/// What happened to a pet: "的狗旺财死了".
pub(super) fn death(owned: &str) -> Option<Reading> {
    let body = strip_start(owned, "家的 家 养的").unwrap_or(owned);
    let end = tail(body);
    let named = strip_end(end, words::DIE).filter(|_| body.ends_with('了'))?;
    let rest = strip_start(named, words::PETS)?;
    if strip_start(rest, words::TIMES).is_some() {
        return None;
    }
    let pet = named.get(..named.len() - rest.len())?;
    let name = if rest.is_empty() { None } else { Some(value::pet_name(rest)?) };
    let ending = Ending::about(Slot::Pet, pet, name);
    Some(Reading::of(vec![Finding::new(Slot::Event, end, "用戶的{}了。").ending(ending)]))
}

/// The same of one that is known by its name: "咪咪死了".
pub(super) fn death_by_name(body: &str) -> Option<Reading> {
    let end = tail(body);
    let name = strip_end(end, words::DIE).filter(|_| body.ends_with('了')).and_then(value::pet_name)?;
    let ending = Ending::of_value(Slot::Pet, name);
    let died = Finding::new(Slot::Event, end, "用戶的寵物{}了。").ending(ending);
    Some(Reading::of(vec![died]).presuming())
}

/// A pet that one no longer has: "没有猫了", "把猫送人了".
fn parted(plain: &str) -> Option<Reading> {
    let gone = strip_start(plain, "没有 没").filter(|pet| among(words::PETS, pet));
    let given = || strip_end(plain.strip_prefix('把')?, "送人 送走 送养 送掉 弄丢");
    let pet = gone.or_else(given)?;
    let ending = match among(words::PETS, pet) {
        true => Ending::about(Slot::Pet, pet, None),
        false => Ending::of_value(Slot::Pet, value::pet_name(pet)?),
    };
    Some(Reading::of(vec![Finding::new(Slot::Event, plain, "用戶{}了。").ending(ending)]).presuming())
}

/// What one does again, or begins to: "又抽烟了", "又开始吃肉了". It ends that it was given up.
fn resumed(plain: &str) -> Option<Reading> {
    let done = strip_start(plain, "又 又开始 重新开始 开始")?;
    if among(words::DIETS, done) {
        return None;
    }
    let what = strip_start(done, "抽 吸 吃 喝")?;
    let what = value::thing(what)?;
    let given_up =
        ["戒", "戒掉", "戒了", "戒掉了"].map(|how| Ending::of_value(Slot::Event, &format!("{how}{what}")));
    let diets = words::DIETS.split(' ').map(|diet| Ending::of_value(Slot::Diet, diet));
    let diets = diets.filter(|_| done.starts_with('吃') && what.ends_with('肉'));
    let eaten = Ending::of_value(Slot::Diet, what);
    let ends = given_up.into_iter().chain([eaten]).chain(diets).collect();
    let finding = Finding { ends, ..Finding::new(Slot::Event, plain, "用戶{}了。").happened() };
    Some(Reading::of(vec![finding]).presuming())
}

/// What ends with studies: being a student, and where and what one studies.
pub(super) fn studies() -> Vec<Ending> {
    vec![
        Ending::about(Slot::Job, STUDIES, None),
        Ending::of(Slot::Study),
        Ending::about(Slot::Employer, STUDIES, None),
    ]
}

/// That something is liked, as one eats or drinks it.
pub(super) fn likings(what: &str) -> Vec<Ending> {
    ["", "喝", "吃", "抽"].map(|how| Ending::of_value(Slot::Like, &format!("{how}{what}"))).into()
}
