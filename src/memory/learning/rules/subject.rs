//! Subject: whom a message is about that names nobody, which the messages before it tell. Korean and Japanese leave the subject out.

use super::slot::Slot;
use super::statement::Statement;
use super::{Script, chinese, extract, extract_of, japanese, korean, prose};
use crate::memory::sentence::sentences;

/// Whom a message leaves the talk with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    User,
    /// The user, who told of a pet: what follows may be about either.
    Pet,
    /// The user's partner, from whom the user may part.
    Partner,
    Other,
}

/// What is said of pets as well as of people.
const OF_PETS: &[Slot] = &[
    Slot::Name,
    Slot::Nickname,
    Slot::Age,
    Slot::Birthday,
    Slot::Like,
    Slot::Dislike,
    Slot::Diet,
    Slot::Allergy,
    Slot::Health,
    Slot::Favorite,
];

/// Whom a Chinese message brings up who is not the user, and who is the user's partner.
const OTHERS_CHINESE: &str = "他 她 它 儿子 女儿 孩子 宝宝 妈妈 我妈 老妈 爸爸 我爸 老爸 母亲 父亲 爷爷 奶奶 外公 外婆 哥哥 我哥 表哥 堂哥 姐姐 我姐 表姐 \
    堂姐 弟弟 我弟 表弟 妹妹 我妹 表妹 舅舅 叔叔 姑姑 阿姨 姨妈 闺蜜 同事 同学 老板 领导 上司 室友 邻居 老师 怎么样 聊聊";
/// What has their signs, and is none of them: a guitar, others.
const NOBODY_CHINESE: [&str; 2] = ["吉他", "其他"];
const PARTNERS_CHINESE: &str = "老婆 老公 妻子 丈夫 爱人 对象 男朋友 女朋友 男友 女友";

/// Whom a Chinese message without "I" is about, behind those `before`.
fn about_chinese(message: &str, before: &[String]) -> About {
    let names_user = |text: &str| ["我", "俺", "本人", "咱"].iter().any(|own| text.contains(own));
    let is_chinese = |text: &str| matches!(Script::of(text), Script::Han);
    let Some(last) = before.first().filter(|last| is_chinese(last)) else { return About::User };
    if !is_chinese(message) || names_user(message) {
        return About::User;
    }
    let plain =
        NOBODY_CHINESE.iter().fold(chinese::simplified(last), |plain, nobody| plain.replace(nobody, ""));
    let names = |table: &str| table.split(' ').any(|other| plain.contains(other));
    match () {
        () if names(OTHERS_CHINESE) => About::Other,
        () if names(PARTNERS_CHINESE) => About::Partner,
        () if plain.contains("朋友") => About::Other,
        () => About::User,
    }
}

/// Whether some of what a message states is the user's only because nobody else is named.
pub(crate) fn leaves_out_subject(message: &str, stated: &[Statement]) -> bool {
    !stated.is_empty()
        && match Script::of(message) {
            Script::Latin => false,
            Script::Han => true,
            Script::Hangul | Script::Kana => extract_of(message, true) != stated,
        }
}

/// What remains of what a message states, where the same person said those `before`, the last one first.
pub(crate) fn of_user(message: &str, mut stated: Vec<Statement>, before: &[String]) -> Vec<Statement> {
    match about_chinese(message, before) {
        About::Other => stated.clear(),
        About::Partner => stated.retain(|it| ends(it, Slot::Family)),
        About::User | About::Pet => {}
    }
    let about = if stated.is_empty() { About::User } else { about(before) };
    keep(message, &mut stated, about);
    stated
}

/// Whether a statement ends something of a kind.
fn ends(statement: &Statement, slot: Slot) -> bool {
    statement.ends.iter().any(|ending| ending.slot == slot)
}

/// Keeps what is the user's, where the messages before leave the talk with somebody.
fn keep(message: &str, stated: &mut Vec<Statement>, about: About) {
    if about == About::User {
        return;
    }
    let sure = extract_of(message, true);
    stated.retain(|it| {
        let is_own = match about {
            About::Pet => !OF_PETS.contains(&it.slot),
            About::Partner => ends(it, Slot::Family),
            About::User | About::Other => false,
        };
        // Of whom "나비가 죽었어" tells is named.
        is_own || sure.contains(it) || ends(it, Slot::Pet)
    });
}

/// Whom messages leave the talk with, the last one first.
fn about(before: &[String]) -> About {
    let Some((last, earlier)) = before.split_first() else { return About::User };
    let prose = prose::mask(last);
    let mut told = sentences(&prose).into_iter().filter_map(|sentence| {
        let text = prose.get(sentence.range)?;
        match Script::of(text) {
            Script::Hangul => korean::topic(text),
            Script::Han | Script::Kana => japanese::topic(text),
            Script::Latin => None,
        }
    });
    if let Some(about) = told.next_back() {
        return about;
    }
    // What was said of somebody else without naming them leaves the talk with them.
    let mut stated = extract(last);
    if stated.is_empty() {
        return About::User;
    }
    let (count, before) = (stated.len(), about(earlier));
    keep(last, &mut stated, before);
    if stated.len() < count { before } else { About::User }
}
