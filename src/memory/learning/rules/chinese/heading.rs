//! Chinese statements that name their subject first: "名字是...", "妹妹叫...", "最喜欢的颜色是...".

use super::super::finding::Finding;
use super::super::slot::Slot;
pub(super) use super::change::{death, death_by_name};
use super::{Reading, named, tail, value, words};
use crate::memory::rules::table::{among, strip_end, strip_start};

/// "叫我小明就好".
pub(super) fn call_me(body: &str) -> Option<Reading> {
    let body = strip_start(body, words::CALL_ME_FIRST).unwrap_or(body);
    let said = tail(strip_start(body, words::CALL_ME)?);
    let said = strip_end(said, words::CALL_ME_LAST).unwrap_or(said);
    Some(Reading::one(Slot::Nickname, value::name(said)?, "用戶希望被稱為{}。"))
}

/// What follows "my".
pub(super) fn read(body: &str) -> Option<Reading> {
    if let Some(day) = body.strip_prefix("生日").and_then(|day| value::birthday(tail(day))) {
        return Some(Reading::one(Slot::Birthday, day, "用戶的生日是{}。"));
    }
    favorite(body)
        .or_else(|| death(body))
        .or_else(|| death_by_name(body.strip_prefix('家')?))
        .or_else(|| owned(body))
        .or_else(|| {
            let (subject, said) = split(body)?;
            own(subject, tail(said))
        })
}

/// Cuts a clause at its first copula.
fn split(body: &str) -> Option<(&str, &str)> {
    let at = ["是", "叫", "在", "有"].iter().filter_map(|mark| body.find(mark)).min()?;
    let (subject, said) = body.split_at_checked(at)?;
    // Every one of them is one letter of three bytes.
    Some((subject, said.get(3..)?.trim_start()))
}

fn own(subject: &str, said: &str) -> Option<Reading> {
    let one = |slot, value: Option<&str>, sentence| value.map(|value| Reading::one(slot, value, sentence));
    match subject {
        "名字" | "姓名" | "本名" | "全名" | "中文名" | "英文名" => {
            let said = said.strip_prefix('叫').unwrap_or(said);
            one(Slot::Name, value::name(said), "用戶的名字是{}。")
        }
        "昵称" | "外号" | "小名" | "网名" | "绰号" => {
            one(Slot::Nickname, value::name(said), "用戶的暱稱是{}。")
        }
        "生日" | "出生日期" => one(Slot::Birthday, value::birthday(said), "用戶的生日是{}。"),
        "年龄" => one(Slot::Age, value::age(said), "用戶{}歲。"),
        "职业" | "工作" => {
            let said = said.strip_prefix("一名").unwrap_or(said);
            one(Slot::Job, value::occupation(said), "用戶的職業是{}。")
        }
        "专业" => one(Slot::Study, value::thing(said), "用戶的專業是{}。"),
        "家乡" | "老家" | "故乡" | "籍贯" | "祖籍" => {
            one(Slot::Origin, value::place(said), "用戶來自{}。")
        }
        "家" | "住处" => one(Slot::Place, value::place(said), "用戶住在{}。"),
        "国籍" => {
            let country = among(words::COUNTRIES, said).then_some(said);
            one(Slot::Nationality, country, "用戶的國籍是{}。")
        }
        "爱好" | "兴趣" | "兴趣爱好" | "业余爱好" => {
            value::things(said).map(|values| Reading::each(Slot::Like, values, "用戶喜歡{}。"))
        }
        "母语" => {
            value::languages(said).map(|values| Reading::each(Slot::Language, values, "用戶的母語是{}。"))
        }
        "过敏原" | "过敏源" => {
            value::things(said).map(|values| Reading::each(Slot::Allergy, values, "用戶對{}過敏。"))
        }
        "目标" | "梦想" | "理想" | "人生目标" | "今年的目标" | "长期目标" => {
            let career = strip_start(said, "成为 当 做 成为一名 当一名").and_then(value::occupation);
            match career {
                Some(job) => one(Slot::Goal, Some(job), "用戶想成為{}。"),
                None => one(Slot::Goal, value::thing(said), "用戶的目標是{}。"),
            }
        }
        _ => None,
    }
}

/// "妹妹叫小红", "猫的名字是咪咪".
fn owned(body: &str) -> Option<Reading> {
    let body = strip_start(body, "家的 家里的 家").unwrap_or(body);
    let owner = longest(body, words::RELATIVES).map(|owner| (Slot::Family, owner));
    let (slot, owner) = owner.or_else(|| longest(body, words::PETS).map(|pet| (Slot::Pet, pet)))?;
    let said = strip_start(body.get(owner.len()..)?, words::CALLED)?;
    named(slot, owner, tail(said))
}

/// The longest entry of a table that a text starts with.
fn longest<'a>(text: &'a str, table: &str) -> Option<&'a str> {
    let rest = strip_start(text, table)?;
    text.get(..text.len() - rest.len())
}

/// "最喜欢的颜色是蓝色".
fn favorite(body: &str) -> Option<Reading> {
    let (topic, said) = strip_start(body, "最喜欢的 最爱的 喜欢的 最喜爱的 特别喜欢的")?.split_once('是')?;
    let value = value::thing(tail(said)).filter(|_| among(words::TOPICS, topic))?;
    Some(Reading::of(vec![Finding::new(Slot::Favorite, value, "用戶最喜歡的{topic}是{}。").about(topic)]))
}
