//! Play: what announces that the messages behind it are of somebody made up, or words to work on, and not of the user.

use super::chinese::simplified;
use super::extract;
use super::table::among;
use crate::lowercase::lowercase;

/// What announces a game or a role, for a while.
const PLAYED: &str = "let's roleplay|lets roleplay|roleplay time|wanna roleplay|want to roleplay|do a roleplay|start a roleplay|let's role-play|\
    lets role-play|role play with|roleplay with|lets play a game|let's play a game|let's pretend|lets pretend|pretend you|playing the sims|\
    playing sims|역할극 하|역할극 시작|롤플레이 하|롤플레이 시작|상황극 하|주인공 설정|캐릭터 설정|ロールプレイしよう|ロールプレイを|ロールプレイし|\
    主人公の設定|キャラ設定|キャラクター設定|来角色扮演|玩角色扮演|角色扮演吧|主角设定|角色设定|主角的设定";
/// Behind what the user takes a role, and how they give the other one: "You be the doctor and I'll be the patient".
const ROLES: &[[&str; 2]] = &[
    ["you be the ", "i'll be the "],
    ["you be the ", "i will be the "],
    ["you be the ", "i'm the "],
    ["you play the ", "i'll play the "],
    ["you play the ", "i'll be the "],
];
/// How else they take one, and of those who are played: "Pretend I'm five" asks for plain words.
const PRETENDING: &[&str] = &["pretend i'm a ", "pretend i'm an ", "pretend i am a ", "pretend that i'm a "];
const PLAYED_BY_USER: &str = "alien applicant caller candidate client customer detective guest king knight passenger patient pirate princess queen \
    robot spy superhero tourist vampire witch wizard";
/// How a longer message announces a game, where it begins with that.
const BEGUN: &str = "let's roleplay|lets roleplay|let's role-play|lets role-play|let's do a roleplay|lets do a roleplay|let's pretend|lets pretend";
/// What ends it.
const OVER: &str = "out of character|back to reality|end of the game|stop the game|stop playing|end the role|stop the role|stop roleplay|end roleplay|game is over|for real now|\
    역할극 끝|게임 끝|그만하자|現実に戻|終わりにし|游戏结束|扮演结束|不玩了";
/// What asks to work on the next message.
const WORKED_ON: &str = "translate this|translate the following|translate the next|translate my next|translate it|proofread this|proofread the|\
    rephrase this|paraphrase this|rewrite this|correct this|summarize this|summarise this|shorten this|improve this|fix my grammar|check my grammar|turn this into|say this in|번역해|교정해|英訳して|和訳して|翻訳して|添削して|翻译成|帮我翻译|翻译一下|润色一下";
/// What stands in a message that brings what is to be worked on.
const MATERIAL: [char; 8] = [':', '\n', '"', '\u{201c}', '「', '：', '『', '《'];
/// The most characters of an announcement, and of one that begins with it: a longer message tells of one, or brings all that it is for.
const LONGEST: usize = 40;
const LONGEST_BEGUN: usize = 160;

/// What a message announces of those behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Announced {
    /// Nothing.
    Nothing,
    /// That they are of a game or a role.
    Play,
    /// That this is over.
    Over,
    /// That the next is to be translated or mended.
    Work,
}

/// What a message announces of those behind it.
pub(crate) fn announced(message: &str) -> Announced {
    let length = message.chars().count();
    if length > LONGEST_BEGUN {
        return Announced::Nothing;
    }
    let lower = simplified(&lowercase(message).replace('\u{2019}', "'"));
    if begins_a_game(lower.trim_start()) {
        return Announced::Play;
    }
    if length > LONGEST {
        return Announced::Nothing;
    }
    let has = |phrases: &str| phrases.split('|').any(|phrase| lower.contains(phrase));
    match () {
        () if has(PLAYED) => Announced::Play,
        () if has(OVER) => Announced::Over,
        () if has(WORKED_ON) && !message.contains(MATERIAL) && extract(message).is_empty() => Announced::Work,
        () => Announced::Nothing,
    }
}

/// Whether a message, in lower case, gives out roles, or begins with the announcement of a game.
fn begins_a_game(message: &str) -> bool {
    let begun = ["ok ", "okay ", "ok, ", "okay, ", "hey ", "so ", "please ", "now "];
    let message = begun.iter().find_map(|begun| message.strip_prefix(begun)).unwrap_or(message);
    BEGUN.split('|').any(|phrase| message.starts_with(phrase))
        || ROLES.iter().any(|[yours, mine]| message.starts_with(yours) && message.contains(mine))
        || PRETENDING.iter().any(|taken| {
            let role = message.strip_prefix(taken).unwrap_or_default();
            let role = role.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            among(PLAYED_BY_USER, role)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_announced_and_ended() {
        for (message, expected) in [
            ("Let's roleplay!", Announced::Play),
            ("Let\u{2019}s roleplay", Announced::Play),
            ("let's roleplay a little scene in which we are pirates at sea, ok?", Announced::Play),
            ("You be the doctor and I'll be the patient", Announced::Play),
            ("ok, you play the interviewer, i'll play the candidate who is nervous", Announced::Play),
            ("Pretend I'm a customer who wants a refund", Announced::Play),
            ("lets play a game on zoom", Announced::Play),
            ("I'm playing the sims", Announced::Play),
            ("역할극 하자", Announced::Play),
            ("ロールプレイしよう", Announced::Play),
            ("我们来角色扮演吧", Announced::Play),
            ("角色設定：海盜", Announced::Play),
            ("ok, out of character for a second", Announced::Over),
            ("translate this to French please", Announced::Work),
            ("영어로 번역해줘", Announced::Work),
            ("幫我翻譯成英文", Announced::Work),
        ] {
            assert_eq!(announced(message), expected, "{message}");
        }
        for message in [
            "I play tennis",
            "my kids play pretend",
            "I can't pretend to be happy",
            "my pooch is asleep",
            "i love roleplay games and minecraft",
            "I work in translation",
            "Translate this: hello",
            "저는 번역가예요",
            "我是翻译",
            "我喜欢看小说",
            "숙제 끝났어",
            "My kids said let's play a game, and we did",
            "My therapist said that we should let's roleplay at home",
            "You be the judge",
            "Pretend I'm five and explain gravity",
            "Imagine you are a doctor",
            "you are the best, I'll be the first to say so",
            "let's play a game tonight with Emma, any ideas?",
        ] {
            assert_eq!(announced(message), Announced::Nothing, "{message}");
        }
        assert_eq!(announced(&"let's roleplay ".repeat(20)), Announced::Nothing, "a long text tells of one");
    }
}
