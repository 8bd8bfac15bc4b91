//! Play: what announces that the messages behind it are of somebody made up, or words to work on, and not of the user.

use crate::lowercase::lowercase;

/// What announces a game, a role or a story, for a while.
const PLAYED: &str = "let's roleplay|lets roleplay|roleplay time|wanna roleplay|want to roleplay|do a roleplay|start a roleplay|let's role-play|\
    lets role-play|role play with|roleplay with|lets play a game|let's play a game|play pretend|text adventure|let's pretend|lets pretend|\
    pretend you|pretend to be|playing the sims|playing sims|역할극 하|역할극 시작|롤플레이 하|롤플레이 시작|상황극 하|주인공 설정|캐릭터 설정|\
    ロールプレイしよう|ロールプレイを|ロールプレイし|主人公の設定|キャラ設定|キャラクター設定|来角色扮演|玩角色扮演|角色扮演吧|主角设定|主角的设定";
/// What ends it.
const OVER: &str = "out of character|ooc|back to reality|end of the game|stop the game|stop playing|end the role|stop the role|game over|for real now|\
    그만하자|끝났|現実に戻|終わりにし|おしまい|结束|結束|不玩了";
/// What announces that the next message is to be worked on.
const WORKED_ON: &str = "translate|translation|proofread|rephrase|paraphrase|rewrite|번역|교정|英訳|和訳|翻訳|添削|翻译|翻譯|润色|潤色";
/// The longest announcement: a long text speaks of more.
const LONGEST: usize = 200;

/// What a message announces of those behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Announced {
    /// Nothing.
    Nothing,
    /// That they are of a game, a role or a story.
    Play,
    /// That this is over.
    Over,
    /// That the next is to be translated or mended.
    Work,
}

/// What a message announces of those behind it.
pub(crate) fn announced(message: &str) -> Announced {
    if message.len() > LONGEST {
        return Announced::Nothing;
    }
    let lower = lowercase(message);
    let has = |phrases: &str| phrases.split('|').any(|phrase| lower.contains(phrase));
    match () {
        () if has(OVER) => Announced::Over,
        () if has(PLAYED) => Announced::Play,
        () if has(WORKED_ON) => Announced::Work,
        () => Announced::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_announced_and_ended() {
        for (message, expected) in [
            ("Let's roleplay!", Announced::Play),
            ("lets play a game", Announced::Play),
            ("I'm playing the sims", Announced::Play),
            ("i love roleplay games and minecraft", Announced::Nothing),
            ("我喜欢看小说", Announced::Nothing),
            ("역할극 하자", Announced::Play),
            ("ロールプレイしよう", Announced::Play),
            ("我们来角色扮演吧", Announced::Play),
            ("ok, out of character for a second", Announced::Over),
            ("translate this to French please", Announced::Work),
            ("영어로 번역해줘", Announced::Work),
            ("帮我翻译成英文", Announced::Work),
            ("I play tennis", Announced::Nothing),
            ("I live in Rome", Announced::Nothing),
        ] {
            assert_eq!(announced(message), expected, "{message}");
        }
        assert_eq!(announced(&"roleplay ".repeat(40)), Announced::Nothing, "a long text speaks of more");
    }
}
