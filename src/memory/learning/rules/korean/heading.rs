//! Korean statements that name their subject first: "제 이름은 ...", "가장 좋아하는 색은 ...".

use super::grammar;
use super::noun;
use super::predicate::{Read, copula};
use super::words;
use super::{Context, Finding, Word};
use crate::memory::rules::slot::Slot;
use crate::memory::rules::table::among;

/// Subjects that need no "my".
const OWN: &str = "이름 취미 직업 고향 목표 꿈 전공 생일 나이 국적 별명 모국어 장래희망";

/// Topics of which people have a favourite.
const TOPICS: &str = "색 색깔 음식 영화 책 노래 가수 밴드 배우 작가 게임 운동 스포츠 팀 계절 음료 과일 채소 동물 장르 드라마 과목 도시 나라 \
    간식 디저트 꽃 언어 악기 소설 시인 애니 만화 요일 커피 술 맥주 차 캐릭터 선수 아이돌 숫자";

/// Reads "my X is Y"; `before` is what stands between the speaker and the copula's word.
pub(super) fn read(before: &[Word<'_>], predicate: &[Word<'_>], context: Context) -> Read {
    let (last, length) = copula(predicate)?;
    let at = before.iter().position(|word| {
        word.text != "좋아하는"
            && (grammar::topic(word.text).is_some_and(|stem| !among(words::TIMES, stem) || among(OWN, stem))
                || own_subject(word.text).is_some())
    })?;
    let (head, value) = (before.get(..at)?, before.get(at + 1..)?);
    let subject = before.get(at)?.text;
    let subject = grammar::topic(subject).or_else(|| own_subject(subject))?;
    let value = noun::without_adverbs(value);
    let owners: Vec<&str> =
        head.iter().map(|word| word.text).filter(|word| !among(words::OPENERS, word)).collect();
    let finding = match owners.as_slice() {
        [] | ["좋아하는" | "가장" | "제일", ..] if context.others => return None,
        [] => own(subject, value, last)?,
        [my] if among(words::MY, my) => own(subject, value, last)?,
        [.., "좋아하는"] => favorite(&owners, subject, value, last)?,
        [.., owner] if subject == "이름" => named(&owners, owner, value, last)?,
        _ => return None,
    };
    Some((vec![finding], length))
}

/// What is the user's own where it is the subject: "고향이 부산이에요".
fn own_subject(word: &str) -> Option<&str> {
    grammar::subject(word).filter(|stem| among(OWN, stem))
}

fn own(subject: &str, value: &[Word<'_>], last: &str) -> Option<Finding> {
    let alone = value.is_empty();
    let thing = || noun::things(value, last).filter(|values| values.len() == 1)?.pop();
    let finding = match subject {
        "이름" if alone => Finding::new(Slot::Name, noun::name(last)?, "사용자의 이름은 {}이다."),
        "이름" => {
            let [first] = value else { return None };
            let latin = |word: &str| word.chars().all(|c| c.is_ascii_alphabetic());
            let full = noun::joined(value, last);
            let fits = latin(first.text) && latin(last);
            return fits.then(|| Finding::new(Slot::Name, full, "사용자의 이름은 {}이다."));
        }
        "별명" if alone => Finding::new(Slot::Nickname, noun::name(last)?, "사용자의 별명은 {}이다."),
        "직업" => Finding::new(Slot::Job, noun::occupation(value, last)?, "사용자의 직업은 {}이다."),
        "고향" => Finding::new(Slot::Origin, noun::place(value, last)?, "사용자의 고향은 {}이다."),
        "나이" => Finding::new(Slot::Age, noun::age(value, last)?, "사용자는 {}살이다."),
        "전공" => Finding::new(Slot::Study, thing()?, "사용자의 전공: {}."),
        "취미" => Finding::new(Slot::Like, thing()?, "사용자의 취미: {}."),
        "목표" | "꿈" | "장래희망" => Finding::new(Slot::Goal, thing()?, "사용자의 목표: {}."),
        "국적" if alone && among(words::PLACES, last) => {
            Finding::new(Slot::Nationality, last, "사용자의 국적은 {}이다.")
        }
        "모국어" if alone && among(words::LANGUAGES, last) => {
            Finding::new(Slot::Language, last, "사용자의 모국어는 {}이다.")
        }
        "생일" => Finding::new(Slot::Birthday, birthday(value, last)?, "사용자의 생일은 {}이다."),
        _ => return None,
    };
    Some(finding)
}

/// "5월 3일", with or without a space.
fn birthday(value: &[Word<'_>], last: &str) -> Option<String> {
    let written = noun::joined(value, last);
    let compact: String = written.chars().filter(|c| !c.is_whitespace()).collect();
    let compact = compact.split_once('년').map_or(compact.as_str(), |(_, rest)| rest);
    let (month, day) = compact.strip_suffix('일')?.split_once('월')?;
    let month: u32 = month.parse().ok()?;
    let day: u32 = day.parse().ok()?;
    ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some(written)
}

fn favorite(owners: &[&str], topic: &str, value: &[Word<'_>], last: &str) -> Option<Finding> {
    let plain = owners
        .iter()
        .all(|word| among("제일 가장 좋아하는", word) || among(words::MY, word) || among("제가 내가", word));
    let value = noun::things(value, last).filter(|values| values.len() == 1 && plain)?.pop()?;
    let known = among(TOPICS, topic);
    known.then(|| Finding::new(Slot::Favorite, value, "사용자가 가장 좋아하는 {topic}: {}.").about(topic))
}

/// "우리 강아지 이름은 초코예요".
fn named(owners: &[&str], owner: &str, value: &[Word<'_>], last: &str) -> Option<Finding> {
    let mine = match owners {
        [_] => true,
        [whose, _] | [whose, "집", _] => among("우리 저희", whose) || among(words::MY, whose),
        _ => false,
    };
    let name = noun::name(last).filter(|_| mine && value.is_empty())?;
    let template = "사용자의 {topic} 이름은 {}이다.";
    if among(words::PETS, owner) {
        return Some(Finding::new(Slot::Pet, name, template).about(owner));
    }
    let relative = among(words::PERSONS, owner) && !among("선생님 사장님 팀장님 친구 동료 상사", owner);
    relative.then(|| Finding::new(Slot::Family, name, template).about(owner))
}
