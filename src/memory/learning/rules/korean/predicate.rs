//! Korean predicates: what is said when a clause ends in "live", "like", "work as" or the copula.

use super::change;
use super::grammar;
use super::noun;
use super::words;
use super::{Context, Finding, Word, is_other};
use crate::memory::rules::slot::Slot;
use crate::memory::rules::statement::{Ending, SPOUSES};
use crate::memory::rules::table::{among, ends_among};

/// What was found and how many words the predicate took.
pub(super) type Read = Option<(Vec<Finding>, usize)>;

/// Reads a clause whose arguments come before a predicate; both without the speaker.
pub(super) fn read(before: &[Word<'_>], predicate: &[Word<'_>], context: Context) -> Read {
    if let Some(read) = answer(before, predicate) {
        return Some(read);
    }
    let before = noun::without_adverbs(before);
    change::read(before, predicate, context)
        .or_else(|| verb(before, predicate, context))
        .or_else(|| identity(before, predicate, context))
}

/// How many words of a form in the table these words start with.
pub(super) fn form(table: &str, said: &[Word<'_>]) -> Option<usize> {
    let matched = |form: &str| {
        let mut words = said.iter();
        form.split('_').all(|part| words.next().is_some_and(|word| word.text.trim_end_matches('.') == part))
    };
    let length = table
        .split_ascii_whitespace()
        .filter(|form| matched(form))
        .map(|form| form.split('_').count())
        .max()?;
    let last = said.get(length.checked_sub(1)?)?.text;
    (complete(said.get(length), last)).then_some(length)
}

/// Whether a predicate stands: nothing after it turns it into something else.
pub(super) fn complete(next: Option<&Word<'_>>, last: &str) -> bool {
    let Some(next) = next else { return true };
    let speaker = among(words::FIRST_PERSON, next.text) || among(words::MY, next.text);
    let closes = ["요", "다", "고", "데", "서", "며", "지만"].iter().any(|ending| last.ends_with(ending));
    let turned = words::CONTINUATIONS.split_ascii_whitespace().any(|start| next.text.starts_with(start));
    // "알레르기가 있어서 못 먹어".
    let explains = last.ends_with('서') && next.text.starts_with(['못', '안']);
    speaker || (closes && (!turned || explains))
}

fn verb(before: &[Word<'_>], predicate: &[Word<'_>], context: Context) -> Read {
    let taken = |table: &str| form(table, predicate);
    if let Some(length) = taken(words::MARRIED).filter(|_| before.is_empty() && context.speaker) {
        let state = predicate.first()?.text;
        let told = match state.chars().next()? {
            '결' | '기' => "기혼",
            '미' => "미혼",
            _ => "이혼",
        };
        let value = state.get(..told.len()).unwrap_or(told);
        let finding = Finding::new(Slot::Relationship, value, relationship(told));
        let finding = match told {
            "이혼" => finding.ending(Ending::about(Slot::Family, SPOUSES, None)),
            _ => finding.happened(),
        };
        return Some((vec![finding], length));
    }
    if context.others && !context.named {
        return None;
    }
    if let Some(length) = taken(words::RAISE) {
        let (animal, count) = counted(before, "마리")?;
        let value = count.map_or_else(|| animal.to_owned(), |count| format!("{animal} {count}"));
        let finding = Finding::new(Slot::Pet, value, "사용자는 {}{을} 키운다.");
        return among(words::PETS, animal).then_some((vec![finding], length));
    }
    if let Some(length) = taken(words::HAVE).filter(|_| context.speaker) {
        return relative(before, length);
    }
    let (last, rest) = before.split_last()?;
    // "남편은 커피를 싫어해".
    if rest.iter().any(|word| grammar::and(word.text).is_none() && is_other(word.text)) {
        return None;
    }
    let last = last.text;
    let at = |particle: &str| last.strip_suffix(particle).filter(|stem| !stem.is_empty());
    let list = |slot, template, values: Vec<String>, length| {
        let findings = values.into_iter().map(|value| Finding::new(slot, value, template)).collect();
        Some((findings, length))
    };
    if let Some(length) = taken(words::LIVE) {
        let value = noun::place(rest, at("에서").or_else(|| at("에")).unwrap_or(last))?;
        return list(Slot::Place, "사용자는 {}에 산다.", vec![value], length);
    }
    if let Some(length) = taken(words::COME) {
        let value = noun::place(rest, at("에서")?)?;
        return list(Slot::Origin, "사용자는 {} 출신이다.", vec![value], length);
    }
    if let Some(length) = taken(words::DISLIKE) {
        return list(Slot::Dislike, "사용자는 {}{을} 싫어한다.", noun::things(rest, object(last))?, length);
    }
    if let Some(length) = taken(words::LIKE) {
        return list(Slot::Like, "사용자는 {}{을} 좋아한다.", noun::things(rest, object(last))?, length);
    }
    if let Some(length) = taken(words::PLEASE).filter(|_| context.speaker) {
        let stem = if last == "게" { Some(last) } else { grammar::subject(last) };
        return list(Slot::Like, "사용자는 {}{을} 좋아한다.", noun::things(rest, stem?)?, length);
    }
    if let Some(length) = taken(words::NOT_EAT) {
        let things =
            noun::things(rest, object(last)).filter(|it| !it.iter().any(|it| among("물 식사", it)))?;
        return list(Slot::Diet, "사용자는 {}{을} 먹거나 마시지 않는다.", things, length);
    }
    if let Some(length) = taken(words::WORK) {
        return work(rest, last, length);
    }
    if let Some(length) = taken(words::ATTEND) {
        let bare = || context.speaker.then_some(last);
        let value = noun::workplace(rest, at("에").or_else(|| grammar::object(last)).or_else(bare)?)?;
        // "동네 카페 다녀" tells of a guest.
        if ends_among(words::VISITED, &value) {
            return None;
        }
        return list(Slot::Employer, "사용자는 {}에 다닌다.", vec![value], length);
    }
    if let Some(length) = taken(words::ALLERGY) {
        let things = noun::things(rest, at("에").unwrap_or(last))
            .filter(|it| !it.iter().any(|it| among(words::NOT_ALLERGENS, it)))?;
        return list(Slot::Allergy, "사용자는 {} 알레르기가 있다.", things, length);
    }
    if let Some(length) = taken(words::BECOME) {
        let value = noun::occupation(rest, grammar::subject(last)?)?;
        return list(Slot::Goal, "사용자는 {}{이} 되고 싶어 한다.", vec![value], length);
    }
    if let Some(length) = taken(words::AIM) {
        let stem = if last == "게" { last } else { grammar::subject(last)? };
        return list(
            Slot::Goal,
            "사용자의 목표: {}.",
            noun::things(rest, stem).filter(|it| it.len() == 1)?,
            length,
        );
    }
    if let Some(length) = taken(words::MAJOR) {
        let value = noun::things(rest, grammar::object(last)?)?;
        return list(Slot::Study, "사용자의 전공: {}.", value, length);
    }
    if let Some(length) = taken(words::LEARN).filter(|_| rest.is_empty()) {
        let value = grammar::object(last).unwrap_or(last);
        let known = among(words::LANGUAGES, value) || among(words::SKILLS, value);
        let findings = vec![Finding::new(Slot::Goal, value, "사용자는 {}{을} 배우고 있다.")];
        return known.then_some((findings, length));
    }
    if let Some(length) = taken(words::SPEAK) {
        return spoken(before, length);
    }
    called(rest, last, predicate, context)
}

/// "딸 둘 있어요", "남자친구 생겼어".
fn relative(before: &[Word<'_>], length: usize) -> Read {
    let (relative, count) = counted(before, "명 명이")?;
    let value = count.map_or_else(|| relative.to_owned(), |count| format!("{relative} {count}"));
    let finding = Finding::new(Slot::Family, value, "사용자에게는 {}{이} 있다.");
    among(words::RELATIVES, relative).then_some((vec![finding], length))
}

/// What is counted, and how many there are, if more than one: "강아지를 두 마리".
fn counted<'a>(said: &[Word<'a>], units: &str) -> Option<(&'a str, Option<String>)> {
    let (counted, number) = said.split_first()?;
    let word = counted.text;
    let stem = grammar::object(word).or_else(|| grammar::subject(word)).unwrap_or(word);
    let is_number = |text: &str| among(words::COUNTS, text) || text.parse::<u8>().is_ok();
    let number = match number {
        [] => return Some((stem, None)),
        [number] if among("하나 둘 셋 넷", number.text) => number.text.to_owned(),
        [number] if units.split(' ').any(|unit| number.text.strip_suffix(unit).is_some_and(is_number)) => {
            number.text.to_owned()
        }
        [number, unit] if is_number(number.text) && among(units, unit.text) => {
            format!("{} {}", number.text, unit.text)
        }
        _ => return None,
    };
    let is_one =
        number.starts_with(['하', '한']) || number.trim_end_matches(|c: char| !c.is_ascii_digit()) == "1";
    Some((stem, (!is_one).then_some(number)))
}

/// "앞으로 짧게 대답해 줘": how the user wants to be answered.
fn answer(before: &[Word<'_>], predicate: &[Word<'_>]) -> Read {
    let length = form(words::ANSWER, predicate)?;
    let (manner, rest) = before.split_last()?;
    let is_plain =
        among(words::MANNERS, manner.text) && rest.iter().all(|word| among(words::ALWAYS, word.text));
    let finding = Finding::new(Slot::Instruction, manner.text, "사용자는 {} 대답해 주기를 원한다.");
    is_plain.then_some((vec![finding], length))
}

/// Nouns of one syllable.
const SHORT: &str =
    "차 술 빵 꽃 책 개 새 떡 면 회 콩 배 귤 감 밤 무 김 닭 옷 춤 비 봄 달 산 강 굴 죽 햄 잼 껌 꿀";

/// The object, which is often left bare or made the topic.
fn object(word: &str) -> &str {
    let named =
        |stem: &&str| stem.chars().count() > 1 || among(SHORT, stem) || among(words::NOT_THINGS, stem);
    let only = || word.strip_suffix('만').filter(|_| !among(words::PLACES, word));
    grammar::object(word)
        .or_else(|| grammar::topic(word).filter(named))
        .or_else(|| word.strip_suffix('도').filter(named))
        .or_else(|| only().filter(named))
        .unwrap_or(word)
}

fn relationship(state: &str) -> &'static str {
    match state {
        "기혼" => "사용자는 결혼했다.",
        "미혼" => "사용자는 미혼이다.",
        _ => "사용자는 이혼했다.",
    }
}

/// "work as" and "work at", in either order: "구글에서 디자이너로 일해요".
pub(super) fn work(rest: &[Word<'_>], last: &str, length: usize) -> Read {
    if let Some(stem) = last.strip_suffix("에서") {
        let value = noun::workplace(rest, stem)?;
        return Some((vec![Finding::new(Slot::Employer, value, "사용자는 {}에서 일한다.")], length));
    }
    let stem = grammar::role(last)?;
    let split = rest.iter().rposition(|word| word.text.ends_with("에서")).map_or(0, |at| at + 1);
    let (place, modifiers) = rest.split_at_checked(split)?;
    let job = noun::occupation(modifiers, stem)?;
    let mut findings = Vec::new();
    if let Some((last, before)) = place.split_last() {
        let stem = last.text.strip_suffix("에서")?;
        // "서울에서 간호사로": a town is where the work is, not the employer.
        match noun::workplace(before, stem) {
            Some(value) => findings.push(Finding::new(Slot::Employer, value, "사용자는 {}에서 일한다.")),
            // "병원에서 간호사로": the kind of place adds nothing to the occupation.
            None if before.is_empty() && among("회사 학교 학원 은행 병원 집", stem) => {}
            None => drop(noun::place(before, stem)?),
        }
    }
    findings.push(Finding::new(Slot::Job, job, "사용자는 {}{로} 일한다."));
    Some((findings, length))
}

/// "영어와 일본어를 할 줄 알아요".
fn spoken(before: &[Word<'_>], length: usize) -> Read {
    let mut findings = Vec::new();
    for word in before {
        let stem = grammar::and(word.text).or_else(|| grammar::object(word.text)).unwrap_or(word.text);
        if !among(words::LANGUAGES, stem) {
            return None;
        }
        findings.push(Finding::new(Slot::Language, stem, "사용자는 {}를 할 줄 안다."));
    }
    Some((findings, length))
}

/// "민수라고 해요", "저를 민이라고 불러 주세요".
fn called(rest: &[Word<'_>], last: &str, predicate: &[Word<'_>], context: Context) -> Read {
    let stem = grammar::strip(last, "이라고", "라고")?;
    let me = rest.iter().all(|word| among("저를 절 나를 날 그냥 편하게 앞으로", word.text));
    if !me {
        return None;
    }
    if let Some(length) = form(words::CALL_ME, predicate) {
        let value = noun::name(stem)?;
        let finding = Finding::new(Slot::Nickname, value, "사용자는 '{}'라고 불리고 싶어 한다.");
        return Some((vec![finding], length));
    }
    let length = form(words::CALLED, predicate).filter(|_| rest.is_empty() && context.speaker)?;
    Some((vec![Finding::new(Slot::Name, noun::name(stem)?, "사용자의 이름은 {}이다.")], length))
}

/// The noun before a copula in the first word, or in the first two: "간호사예요", "간호사 입니다".
pub(super) fn copula<'a>(said: &[Word<'a>]) -> Option<(&'a str, usize)> {
    let first = said.first()?.text.trim_end_matches('.');
    if first.ends_with("라고") {
        return None;
    }
    let apart = said.get(1).is_some_and(|next| {
        among("입니다 이에요 예요 이야 에요 이예요", next.text.trim_end_matches('.'))
            && complete(said.get(2), next.text)
    });
    if apart {
        return Some((first, 2));
    }
    if !complete(said.get(1), if first.ends_with('야') { "" } else { "요" }) {
        return None;
    }
    // "취미는 게임".
    if ends_among("게임 모임 책임 선임 후임 담임 타임 슬라임 라임", first) {
        return None;
    }
    let closed = words::COPULA_CLOSED.split_ascii_whitespace().find_map(|ending| {
        first
            .strip_suffix(ending)
            .filter(|stem| !stem.is_empty() && (grammar::closed(stem) || stem.is_ascii()))
    });
    let open = || {
        words::COPULA_OPEN.split_ascii_whitespace().find_map(|ending| {
            first.strip_suffix(ending).filter(|stem| !stem.is_empty() && !grammar::closed(stem))
        })
    };
    closed.or_else(open).map(|stem| (grammar::whole(first, stem), 1))
}

/// "저는 X예요": only what certainly is an occupation, an age, a nationality, an origin, a diet or a full name.
fn identity(before: &[Word<'_>], predicate: &[Word<'_>], context: Context) -> Read {
    let (last, length) = copula(predicate)?;
    let origin = match last {
        "출신" | "사람" => before.split_last().and_then(|(place, rest)| noun::place(rest, place.text)),
        _ => last.strip_suffix("출신").and_then(|place| noun::place(before, place)),
    };
    if let Some(place) = origin.filter(|_| !context.others && (context.speaker || last != "사람")) {
        return Some((vec![Finding::new(Slot::Origin, place, "사용자는 {} 출신이다.")], length));
    }
    if !context.speaker {
        return None;
    }
    let finding = if let Some(age) = noun::age(before, last) {
        Finding::new(Slot::Age, age, "사용자는 {}살이다.")
    } else if let Some(job) = noun::occupation(before, last) {
        Finding::new(Slot::Job, job, "사용자의 직업은 {}이다.")
    } else if before.is_empty() && among(words::NATIONALITIES, last) {
        Finding::new(Slot::Nationality, last, "사용자는 {}이다.")
    } else if before.is_empty() && among(words::DIETS, last) {
        Finding::new(Slot::Diet, last, "사용자는 {}이다.")
    } else if before.is_empty() && among(words::STATES, last) {
        Finding::new(Slot::Relationship, last, "사용자는 {}이다.")
    } else if before.is_empty() {
        Finding::new(Slot::Name, noun::full_name(last)?, "사용자의 이름은 {}이다.")
    } else {
        return None;
    };
    Some((vec![finding], length))
}
