//! What Japanese users tell of those around them, counted or not, and of how to be answered.

use super::{each, one, value, words};
use crate::memory::rules::finding::Finding;
use crate::memory::rules::slot::Slot;
use crate::memory::rules::table::{among, strip_end, strip_start};

/// 「短く答えて」: how the user wants to be answered.
pub(super) fn wish(body: &str) -> Option<Vec<Finding>> {
    let manner = strip_end(body, words::ANSWER)?;
    let manner = strip_start(manner, words::ALWAYS).unwrap_or(manner);
    let known = among(words::MANNERS, manner).then(|| manner.to_owned());
    one(Slot::Instruction, known, "ユーザーは{}答えてほしいです。")
}

/// 「彼女いる」, 「息子が二人いる」.
pub(super) fn relatives(body: &str) -> Option<Vec<Finding>> {
    let said = value::without_adverbs(strip_end(body, words::HAVE)?);
    let said = said.strip_suffix('が').unwrap_or(said);
    if let Some((relative, count)) = counted(said, "人") {
        let known = among(words::HAD, relative).then(|| format!("{relative}{count}"));
        return one(Slot::Family, known, "ユーザーには{}がいます。");
    }
    let known = |part: &str| among(words::HAD, part).then(|| part.to_owned());
    each(Slot::Family, said.split('と').map(known).collect(), "ユーザーには{}がいます。")
}

/// 「猫と犬」, 「犬を2匹」, 「ポチという犬」: what somebody keeps.
pub(super) fn pets(said: &str) -> Option<Vec<Finding>> {
    const SENTENCE: &str = "ユーザーは{}を飼っています。";
    let said = value::without_adverbs(said);
    if let Some((name, pet)) = said.split_once("という").or_else(|| said.split_once("って")) {
        let pet = strip_start(pet, "名前の いう").unwrap_or(pet);
        let finding =
            Finding::new(Slot::Pet, value::name(name)?, "ユーザーの{topic}の名前は{}です。").about(pet);
        return among(words::PETS, pet).then_some(vec![finding]);
    }
    if let Some((pet, count)) = counted(said, "匹 頭 羽") {
        let is_one = count.starts_with(['1', '１', '一']) && count.chars().count() == 2;
        let value = if is_one { pet.to_owned() } else { format!("{pet}{count}") };
        return one(Slot::Pet, among(words::PETS, pet).then_some(value), SENTENCE);
    }
    let known = |part: &str| among(words::PETS, part).then(|| part.to_owned());
    each(Slot::Pet, said.split('と').map(known).collect(), SENTENCE)
}

/// What is counted, and the number with its unit: 「息子が二人」, 「犬2匹」.
fn counted<'a>(said: &'a str, units: &str) -> Option<(&'a str, &'a str)> {
    let number = strip_end(said, units)?;
    let is_digit =
        |c: char| c.is_ascii_digit() || ('０'..='９').contains(&c) || "一二三四五六七八九十".contains(c);
    let counted = number.trim_end_matches(is_digit);
    let count = said.get(counted.len()..).filter(|_| counted.len() < number.len())?;
    Some((counted.strip_suffix(['が', 'を', 'は']).unwrap_or(counted), count))
}

/// Whether a text is for how long something has been so: 「10年」, 「もう3年間」.
pub(super) fn is_span(text: &str) -> bool {
    let text = value::without_adverbs(text);
    let text = strip_end(text, "以上 くらい ほど").unwrap_or(text);
    counted(text, "年 年間 ヶ月 か月 カ月 ヶ月間").is_some_and(|(before, _)| before.is_empty())
        || text == "ずっと"
}
