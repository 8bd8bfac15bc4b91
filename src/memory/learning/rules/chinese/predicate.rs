//! Chinese statements that begin with their predicate, the speaker before it cut off.

use super::super::finding::Finding;
use super::super::slot::Slot;
use super::super::statement::{Ending, PARTNERS};
use super::change::{changed, likings, studies};
use super::{Reading, Time, named, tail, value, words};
use crate::memory::rules::table::{among, ends_among, strip_end, strip_start};

/// Reads a predicate and its value. `time` is what stands before it, as in "去年"; `greeted` whether the speaker introduces
/// themselves.
pub(super) fn read(said: &str, time: Time, greeted: bool) -> Option<Reading> {
    if let Some(reading) = changed(said, time).or_else(|| happened(said, time)) {
        return Some(reading);
    }
    if time != Time::Untold {
        return None;
    }
    left(said)
        .or_else(|| retraction(said))
        .map(Reading::retracted)
        .or_else(|| taste(said))
        .or_else(|| home(said))
        .or_else(|| work(said))
        .or_else(|| identity(said, greeted))
        .or_else(|| kept(said))
        .or_else(|| health(said))
}

#[inline(never)]
fn one(slot: Slot, value: Option<&str>, sentence: &'static str) -> Option<Reading> {
    value.map(|value| Reading::one(slot, value, sentence))
}

#[inline(never)]
fn each(slot: Slot, values: Option<Vec<&str>>, sentence: &'static str) -> Option<Reading> {
    values.map(|values| Reading::each(slot, values, sentence))
}

/// A text without how long it has been so, where that goes on: the "住北京" of "住北京三年了".
pub(super) fn without_duration(said: &str) -> Option<&str> {
    let plain = tail(said).trim_end();
    let unit = strip_end(plain, "年 多年 年多 年半 个月 个多月").filter(|_| said.contains('了'))?;
    let rest = unit
        .trim_end_matches(|c: char| c.is_ascii_digit() || "一二两三四五六七八九十几好快半多有".contains(c));
    (rest.len() < unit.len() && said.trim_end().ends_with('了')).then(|| tail(rest))
}

/// What may have a time before it: ages, what is learnt or planned.
fn happened(said: &str, time: Time) -> Option<Reading> {
    let plain = tail(said);
    if let Some(age) = value::age(plain) {
        // "我去年25岁": of today it tells nothing.
        if matches!(time, Time::Past | Time::Future) {
            return None;
        }
        return one(Slot::Age, Some(age), "用戶{}歲。");
    }
    if among(words::GRADUATE, plain) && said.ends_with('了') {
        let graduated = Finding::new(Slot::Event, plain, "用戶{}了。").happened();
        return Some(Reading::of(vec![Finding { ends: studies(), ..graduated }]));
    }
    if among(words::EVENTS, plain) && said.ends_with('了') {
        return one(Slot::Event, Some(plain), "用戶{}了。");
    }
    if let Some(skill) = strip_start(said, words::LEARN) {
        let skill = tail(skill);
        let known = among(words::LANGUAGES, skill) || among(words::SKILLS, skill);
        return one(Slot::Goal, known.then_some(skill), "用戶在學{}。");
    }
    if let Some(job) = strip_start(said, words::BECOME) {
        return one(Slot::Goal, value::occupation(tail(job)), "用戶想成為{}。");
    }
    if let Some(decided) = strip_start(said, "决定 下定决心") {
        return one(Slot::Decision, value::thing(tail(decided)), "用戶決定{}。");
    }
    let planned = tail(strip_start(said, words::PLAN)?);
    let planned = strip_start(planned, words::FUTURE).unwrap_or(planned);
    one(Slot::Goal, value::thing(planned).filter(|_| ends_among(words::PLANS, planned)), "用戶打算{}。")
}

/// Where one works no longer, if that is known: "离开腾讯了", "不在腾讯了".
fn left(said: &str) -> Option<Reading> {
    let at = strip_start(tail(said), "离开 不在").filter(|_| said.ends_with('了'))?;
    one(Slot::Employer, value::workplace(at), "用戶不在{}工作。").map(Reading::presuming)
}

/// What holds no longer: "不住在北京了".
fn retraction(said: &str) -> Option<Reading> {
    let plain = tail(said);
    if let Some(diet) = strip_start(plain, "不再是 不再 不是 不").filter(|diet| among(words::DIETS, diet))
    {
        let mut reading = Reading::one(Slot::Diet, diet, "用戶不{}。");
        let others = words::DIETS.split(' ').map(|other| Ending::of_value(Slot::Diet, other));
        reading.findings.iter_mut().for_each(|finding| finding.ends.extend(others.clone()));
        return Some(reading);
    }
    if let Some(place) = strip_start(plain, "不再住在 不住在 不住 没住在 搬离了 搬离 搬出了")
    {
        return one(Slot::Place, value::place(place), "用戶不住在{}。");
    }
    if let Some(job) = strip_start(plain, "不再是 不是 不当 不再当 不做 不再做") {
        let job = value::counted(job).or_else(|| job.strip_prefix("一名")).unwrap_or(job);
        return one(Slot::Job, value::occupation(job), "用戶不是{}。");
    }
    if let Some(at) = strip_start(plain, "不再在 不在 没在").and_then(|at| strip_end(at, "工作 上班 任职"))
    {
        return one(Slot::Employer, value::workplace(at), "用戶不在{}工作。");
    }
    if let Some(at) = plain.strip_prefix('从').and_then(|at| strip_end(at, "离职 辞职 离开 退休")) {
        return one(Slot::Employer, value::workplace(at), "用戶不在{}工作。");
    }
    if let Some(name) = plain.strip_prefix("不叫") {
        return one(Slot::Name, value::name(name), "用戶的名字不是{}。");
    }
    let allergen = strip_start(plain, "不再对 不对").and_then(|it| strip_end(it, "过敏"));
    let allergen = allergen.or_else(|| strip_end(plain.strip_prefix('对')?, "不过敏 不再过敏"));
    if let Some(allergen) = allergen {
        return each(Slot::Allergy, value::things(allergen), "用戶對{}不過敏。");
    }
    let pet = strip_start(plain, "不养 不再养 没养")?;
    one(Slot::Pet, among(words::PETS, pet).then_some(pet), "用戶不養{}。")
}

/// Likings, dislikes, food.
fn taste(said: &str) -> Option<Reading> {
    let cut = |table: &str| strip_start(said, table).map(|it| tail(begun(it)));
    if let Some(disliked) = cut(words::DISLIKE) {
        return each(Slot::Dislike, value::things(disliked), "用戶不喜歡{}。");
    }
    if let Some(food) = cut(words::NOT_EAT) {
        return given_up(said, each(Slot::Diet, value::things(food), "用戶不吃{}。"));
    }
    if let Some(drink) = cut(words::NOT_DRINK) {
        let drinks = value::things(drink).filter(|drinks| drinks.iter().all(|drink| !drink.ends_with('水')));
        return given_up(said, each(Slot::Diet, drinks, "用戶不喝{}。"));
    }
    if let Some(liked) =
        said.strip_prefix('对').and_then(|it| strip_end(tail(it), "感兴趣 很感兴趣 非常感兴趣"))
    {
        return each(Slot::Like, value::things(liked), "用戶對{}感興趣。");
    }
    let liked = cut(words::LIKE).filter(|liked| loves(said, liked))?;
    each(Slot::Like, value::things(liked), "用戶喜歡{}。")
}

/// What is no longer eaten or drunk is liked no longer.
fn given_up(said: &str, reading: Option<Reading>) -> Option<Reading> {
    let is_new = said.contains('了') || said.starts_with("不再");
    let mut reading = reading?;
    for finding in reading.findings.iter_mut().filter(|_| is_new) {
        finding.ends = likings(&finding.value);
    }
    Some(reading)
}

/// What somebody began to like: the "跑步" of "喜欢上跑步了", but all of "喜欢上海" and "喜欢上次的菜".
fn begun(liked: &str) -> &str {
    let begun = liked.strip_prefix('上').filter(|_| liked.ends_with('了'));
    let is_word = |begun: &&str| begun.starts_with(['次', '个', '一', '周', '月', '面', '回', '半', '当']);
    begun.filter(|begun| !is_word(begun) && strip_start(liked, words::ABOVE).is_none()).unwrap_or(liked)
}

/// Whether `爱` is what somebody does, rather than the beginning of a word or of a name: "我爱人", "我爱车坏了".
fn loves(said: &str, liked: &str) -> bool {
    let Some(loved) = said.strip_prefix('爱') else { return true };
    if let Some(hobby) = loved.strip_prefix('好') {
        return !among(words::NOT_HOBBIES, liked) && strip_start(hobby, "看 吃 喝 听 玩 笑 多 几").is_none();
    }
    if loved.starts_with(['吃', '喝', '看', '听']) || strip_start(said, "爱上了").is_some() {
        return true;
    }
    let is_word =
        strip_start(loved, words::NOT_LOVED_FIRST).is_some() && strip_start(loved, words::LOVED).is_none();
    let tells_more = loved.contains(['了', '叫']) || loved.contains('在') && !loved.starts_with('在');
    !is_word && !tells_more && !among(words::NOT_LOVED, liked)
}

/// Where the user lives and comes from, and when they were born.
fn home(said: &str) -> Option<Reading> {
    let plain = without_duration(said).unwrap_or_else(|| tail(said));
    if let Some(place) = strip_start(plain, words::LIVE) {
        return one(Slot::Place, value::place(place), "用戶住在{}。");
    }
    let born = strip_start(plain, "出生于 出生在 是 生于").unwrap_or(plain);
    let date = strip_end(born, "出生 生 生日 过生日").unwrap_or(born);
    if date != plain {
        if let Some(day) = value::birthday(date) {
            return one(Slot::Birthday, Some(day), "用戶的生日是{}。");
        }
        if let Some(year) = value::birth_year(date) {
            return one(Slot::BirthYear, Some(year), "用戶出生於{}年。");
        }
    }
    // "98年的", "98年出生".
    if (said.ends_with('的') || date != born)
        && let Some(year) = date.strip_suffix('年').and_then(value::year_of_people)
    {
        return one(Slot::BirthYear, Some(year), "用戶出生於{}年。");
    }
    if let Some(place) = strip_start(plain, words::COME) {
        return one(Slot::Origin, value::place(place), "用戶來自{}。");
    }
    let at = plain.strip_prefix('在')?;
    if let Some(place) = strip_end(at, "生活 居住 定居 住") {
        return one(Slot::Place, value::place(place), "用戶住在{}。");
    }
    let place = strip_end(at, "出生 长大 出生长大 土生土长")?;
    one(Slot::Origin, value::place(place), "用戶來自{}。")
}

/// Occupation, workplace, school.
fn work(said: &str) -> Option<Reading> {
    let plain = without_duration(said).unwrap_or_else(|| tail(said));
    let studied = strip_start(plain, "学 读 念 是学 是读 是念").filter(|_| said.ends_with('的'));
    if let Some(subject) = studied.filter(|subject| ends_among(words::SUBJECTS, subject)) {
        return one(Slot::Study, value::thing(subject), "用戶的專業是{}。");
    }
    if let Some(job) = plain.strip_prefix("从事") {
        let job = strip_end(job, "工作 行业 的工作 行业的工作 方面的工作").unwrap_or(job);
        return one(Slot::Job, trade(job), "用戶的職業是{}。");
    }
    if let Some(subject) = strip_start(plain, words::MAJOR) {
        let subject = strip_end(subject, "专业").unwrap_or(subject);
        return one(Slot::Study, value::thing(subject), "用戶的專業是{}。");
    }
    if let Some(job) = strip_start(plain, words::ACT) {
        return one(Slot::Job, trade(job), "用戶的職業是{}。");
    }
    let at = strip_start(plain, "在 就职于 任职于 供职于")?;
    if plain.len() - at.len() > 3 {
        return one(Slot::Employer, value::workplace(at), "用戶在{}工作。");
    }
    if let Some(place) = strip_end(at, "工作 上班 任职 就职") {
        // Where a town is told, nothing is learnt of the employer.
        return match value::workplace(place) {
            Some(employer) => one(Slot::Employer, Some(employer), "用戶在{}工作。"),
            None => value::place(place).map(|_| Reading::default()),
        };
    }
    if let Some(school) = strip_end(at, "读书 上学 念书 就读 学习 读大学 读研 读博") {
        return one(Slot::Employer, value::school(school), "用戶在{}上學。");
    }
    let (at, act) = at.char_indices().find_map(|(start, _)| {
        let rest = at.get(start..)?;
        let job = strip_start(rest, words::ACT).and_then(trade)?;
        Some((at.get(..start)?, job))
    })?;
    let mut reading = Reading::default();
    match value::workplace(at) {
        Some(employer) => reading.findings.push(Finding::new(Slot::Employer, employer, "用戶在{}工作。")),
        None => drop(value::place(at)?),
    }
    reading.findings.push(Finding::new(Slot::Job, act, "用戶的職業是{}。"));
    Some(reading)
}

/// An occupation or a trade.
fn trade(text: &str) -> Option<&str> {
    value::occupation(text).or_else(|| among(words::TRADES, text).then_some(text))
}

/// Who the user is: "叫小明", "是医生", "会说英语".
fn identity(said: &str, greeted: bool) -> Option<Reading> {
    let plain = tail(said);
    if let Some(name) = strip_start(plain, words::CALLED) {
        return one(Slot::Name, value::name(name), "用戶的名字是{}。");
    }
    if let Some(spoken) = strip_start(plain, words::SPEAK)
        && let Some(languages) = value::languages(spoken)
    {
        return each(Slot::Language, Some(languages), "用戶會說{}。");
    }
    if among(words::DIETS, plain) {
        return one(Slot::Diet, Some(plain), "用戶{}。");
    }
    let is = strip_start(plain, words::BE)?;
    if let Some(from) = is.strip_suffix('人') {
        return match among(words::COUNTRIES, from) {
            true => one(Slot::Nationality, Some(is), "用戶是{}。"),
            false => one(Slot::Origin, value::place(from), "用戶來自{}。"),
        };
    }
    if let Some(job) = value::occupation(is) {
        return one(Slot::Job, Some(job), "用戶的職業是{}。");
    }
    if let Some(trade) = strip_start(is, "做 搞 干 教").filter(|_| said.contains('的')) {
        return one(Slot::Job, among(words::TRADES, trade).then_some(trade), "用戶的職業是{}。");
    }
    if among(words::DIETS, is) {
        return one(Slot::Diet, Some(is), "用戶是{}。");
    }
    one(Slot::Name, value::name(is).filter(|_| greeted), "用戶的名字是{}。")
}

/// Pets and relatives that one has: "养了一只猫叫咪咪", "有一个妹妹".
fn kept(said: &str) -> Option<Reading> {
    let held = tail(strip_start(said, words::KEEP)?);
    let counted = uncounted(held);
    let called = counted.strip_prefix("名叫").or_else(|| counted.strip_prefix('叫'));
    let (thing, name) = match called.and_then(|called| called.split_once('的')) {
        Some((name, thing)) => (thing, Some(name)),
        None => match ["名叫", "叫做", "叫"].iter().find_map(|call| counted.split_once(call)) {
            Some((thing, name)) => (strip_end(thing, "名字").unwrap_or(thing), Some(name)),
            None => (counted, None),
        },
    };
    if let Some(name) = name {
        return named(slot_of(thing, said)?, thing, name);
    }
    // "猫和狗".
    let parts: Vec<&str> = held.split(['、', '和', '与']).map(str::trim).collect();
    let mut reading = Reading::default();
    let mut last = None;
    for part in &parts {
        let thing = uncounted(part);
        let slot = slot_of(thing, said)?;
        let several =
            thing != *part && !part.starts_with(['一', '1']) && strip_start(part, words::NUMERALS).is_some();
        let one = slot == Slot::Pet || among(PARTNERS, thing) || strip_start(part, words::NUMERALS).is_none();
        let value = if one && !several { thing } else { part };
        let sentence = if slot == Slot::Pet { "用戶養了{}。" } else { "用戶有{}。" };
        reading.findings.push(Finding::new(slot, value, sentence));
        last = Some((slot, thing.to_owned()));
    }
    reading.introduces = last.filter(|_| parts.len() == 1);
    Some(reading)
}

/// What is had, without its number; nothing is counted in "对象", which begins as pairs do.
fn uncounted(held: &str) -> &str {
    let whole = among(words::RELATIVES, held);
    value::counted(held).filter(|_| !whole).unwrap_or(held)
}

/// Whether a word names a pet or a relative, whom nobody keeps.
fn slot_of(thing: &str, said: &str) -> Option<Slot> {
    match () {
        () if among(words::PETS, thing) => Some(Slot::Pet),
        () if among(words::RELATIVES, thing) && !said.starts_with('养') => Some(Slot::Family),
        () => None,
    }
}

/// Allergies and illnesses that last.
fn health(said: &str) -> Option<Reading> {
    let plain = tail(said);
    if let Some(allergen) = strip_end(plain, "过敏 严重过敏 过敏症 会过敏 都过敏") {
        let allergen = strip_start(allergen, "对 有").unwrap_or(allergen);
        let others =
            [words::PERSONS, words::RELATIVES].iter().any(|table| strip_start(allergen, table).is_some());
        if others {
            return None;
        }
        let allergens = value::things(allergen);
        let in_jest =
            |it: &&str| among(words::NOT_ALLERGENS, it) || ends_among(words::NOT_ALLERGENS_LAST, it);
        let meant = allergens.filter(|allergens| !allergens.iter().any(in_jest));
        return each(Slot::Allergy, meant, "用戶對{}過敏。");
    }
    let illness = strip_start(plain, words::SUFFER)?;
    let illness = strip_end(illness, "困扰 的困扰").unwrap_or(illness);
    one(Slot::Struggle, among(words::ILLNESSES, illness).then_some(illness), "用戶有{}。")
}

/// "以后请用中文回答我".
pub(super) fn instruction(said: &str) -> Option<Reading> {
    if among(words::BRIEFLY, strip_start(said, "请 麻烦 麻烦你").unwrap_or(said)) {
        return one(Slot::Instruction, Some(said), "{}。");
    }
    let asked = strip_start(said, words::STANDING)?;
    let asked = strip_start(asked, "请 都 都请 一直 你").unwrap_or(asked);
    let plain = strip_end(asked, "我 吧 我吧").unwrap_or(asked);
    let answered = strip_end(plain, "回答 回复 回应 和 跟我说话 跟我聊天");
    let language =
        answered.and_then(|it| it.strip_prefix('用')).is_some_and(|it| among(words::LANGUAGES, it));
    let fits = language || among("不要用表情 不要用表情符号 别用表情 简短回答 简洁回答 回答简短一点", plain);
    one(Slot::Instruction, fits.then_some(said), "{}。")
}
