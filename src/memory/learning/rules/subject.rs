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
    Slot::Favorite,
];

/// Whom a Chinese message brings up who is not the user.
const OTHERS_CHINESE: &str = "他 她 它 儿子 女儿 孩子 宝宝 老婆 老公 妻子 丈夫 爱人 对象 男朋友 女朋友 男友 女友 妈 爸 母亲 父亲 爷爷 奶奶 外公 外婆 哥 姐 弟 妹 \
    舅 叔 姑 姨 朋友 闺蜜 同事 同学 老板 领导 上司 室友 邻居 老师 怎么样 聊聊";

/// Whether a Chinese message without "I" follows one that is about somebody else.
fn follows_another(message: &str, before: &[String]) -> bool {
    let names_user = |text: &str| ["我", "俺", "本人", "咱"].iter().any(|own| text.contains(own));
    let Some(last) = before.first().filter(|_| !names_user(message)) else { return false };
    let is_chinese = |text: &str| matches!(Script::of(text), Script::Han);
    let plain = chinese::simplified(last);
    is_chinese(message) && is_chinese(last) && OTHERS_CHINESE.split(' ').any(|other| plain.contains(other))
}

/// Whether some of what a message states is the user's only because nobody else is named.
pub(crate) fn leaves_out_subject(message: &str, stated: &[Statement]) -> bool {
    if !stated.is_empty() && matches!(Script::of(message), Script::Han) {
        return true;
    }
    let is_written_so = !matches!(Script::of(message), Script::Latin);
    is_written_so && !stated.is_empty() && extract_of(message, true) != stated
}

/// What remains of what a message states, where the same person said those `before`, the last one first.
pub(crate) fn of_user(message: &str, mut stated: Vec<Statement>, before: &[String]) -> Vec<Statement> {
    if follows_another(message, before) {
        return Vec::new();
    }
    let about = if stated.is_empty() { About::User } else { about(before) };
    keep(message, &mut stated, about);
    stated
}

/// Keeps what is the user's, where the messages before leave the talk with somebody.
fn keep(message: &str, stated: &mut Vec<Statement>, about: About) {
    if about == About::User {
        return;
    }
    let sure = extract_of(message, true);
    let ends = |it: &Statement, slot: Slot| it.ends.iter().any(|ending| ending.slot == slot);
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
