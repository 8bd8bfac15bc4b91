//! The same as `tells` in Japanese, Chinese and Korean: what a text tells by how it is built.

use super::wide::is_chinese_character;

/// How words of professions end in Japanese and in Chinese, and others that end so.
const PROFESSIONS_JAPANESE: &str = "師員士者家官屋医長手";
const PROFESSIONS_CHINESE: &str = "师员匠官警者家手长士";
const NO_PROFESSIONS: &[&str] = &[
    "主義者",
    "患者",
    "初心者",
    "独身者",
    "会員",
    "一員",
    "部員",
    "実家",
    "一家",
    "我が家",
    "愛犬家",
    "愛猫家",
    "愛煙家",
    "努力家",
    "読書家",
    "苦手",
    "相手",
    "下手",
    "上手",
    "左手",
    "身長",
    "部屋",
    "名医",
    "会员",
    "成员",
    "学员",
    "队员",
    "球员",
    "患者",
    "主义者",
    "素食者",
    "爱好者",
    "大家",
    "国家",
    "回家",
    "老家",
    "全家",
    "我家",
    "自家",
    "在家",
    "左手",
    "右手",
    "高手",
    "好手",
    "新手",
    "分手",
    "身长",
    "很长",
    "家长",
    "博士",
    "硕士",
    "人士",
];

/// What stands behind a profession in Japanese.
const BEING_JAPANESE: &[&str] =
    &["である", "です", "だ", "をして", "をやって", "として", "になっ", "になり", "に転職"];

/// How Chinese says what somebody is or became.
const BEING_CHINESE: &[&str] = &["是", "当", "做", "成了", "成为"];

/// How one moved; and how it is said that one wants to.
const MOVED: &[&str] = &[
    "引っ越し",
    "引越し",
    "引っ越した",
    "越してき",
    "移り住",
    "転居",
    "搬到",
    "搬去",
    "搬进",
    "搬来",
    "搬回",
    "迁到",
    "移居",
    "定居",
    "로 이사",
    "이사했",
    "이사왔",
    "이사 왔",
    "이사갔",
    "이사 갔",
];
const WANTED: &[&str] = &[
    "たい",
    "つもり",
    "予定",
    "たがって",
    "考えて",
    "打算",
    "想",
    "计划",
    "准备",
    "예정",
    "계획",
    "싶",
    "려고",
];

/// Who is no native of a place, by the character before.
const NO_NATIVES: &str = "男女好老病客主本爱家工军名亲盲诗商大小成的个两三四五六每";

/// Whether a text says what somebody is by profession: "姉は美容師だ", "他是程序员".
pub(super) fn tells_work(text: &str) -> bool {
    if text.chars().any(|c| matches!(c, '\u{3041}'..='\u{309f}')) {
        let being = BEING_JAPANESE.iter().flat_map(|being| text.match_indices(being));
        return being
            .filter_map(|(at, _)| text.get(..at))
            .any(|before| is_profession(before, PROFESSIONS_JAPANESE));
    }
    let is_told = |clause: &str| {
        BEING_CHINESE.iter().any(|being| clause.contains(being)) && is_profession(clause, PROFESSIONS_CHINESE)
    };
    text.split(['，', '。', ',', '；', '、', ' ']).any(|clause| is_told(clause.trim_end_matches('了')))
}

/// Whether a text ends with a profession, of at least two characters.
fn is_profession(text: &str, endings: &str) -> bool {
    let mut signs = text.chars().rev();
    let last = signs.next().is_some_and(|c| endings.contains(c));
    last && signs.next().is_some_and(|c| c.is_alphabetic() && !matches!(c, '\u{3041}'..='\u{309f}'))
        && !NO_PROFESSIONS.iter().any(|other| text.ends_with(other))
}

/// Whether a text tells where somebody lives by how they came there: "川崎に引っ越した", "搬到了苏州".
pub(super) fn tells_home(text: &str) -> bool {
    MOVED.iter().any(|moved| text.contains(moved)) && !WANTED.iter().any(|wanted| text.contains(wanted))
}

/// Whether a text tells where somebody is from: "是湖南长沙人".
pub(super) fn tells_origin(text: &str) -> bool {
    let is_native = |clause: &str| {
        let Some((_, behind)) = clause.rsplit_once('是') else { return false };
        let Some(place) = behind.strip_suffix('人') else { return false };
        place.chars().nth(1).is_some()
            && place.chars().all(is_chinese_character)
            && !place.ends_with(|c| NO_NATIVES.contains(c))
    };
    text.split(['，', '。', ',', '；']).any(is_native)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn professions_are_told_by_how_their_words_end() {
        for text in [
            "ユーザーの姉は福岡で美容師をしている",
            "大輔は消防士である",
            "林晓雯是小学音乐老师，很忙",
            "阿杰当了飞行员",
            "父は左官です",
        ] {
            assert!(tells_work(text), "{text}");
        }
        for text in [
            "彼は菜食主義者だ",
            "数学が苦手です",
            "沈一诺在成都",
            "周航是素食者",
            "用户想回老家",
            "猫の部屋だ",
            "用户每天练习",
        ] {
            assert!(!tells_work(text), "{text}");
        }
    }

    #[test]
    fn homes_and_origins_are_told_by_how_they_are_put() {
        assert!(
            tells_home("ユーザーは川崎市へ引っ越した")
                && tells_home("用户搬到了苏州")
                && tells_home("일산으로 이사했다")
        );
        assert!(!tells_home("引っ越したいと思っている") && !tells_home("打算搬到杭州"));
        assert!(tells_origin("用户是湖南长沙人") && tells_origin("她是四川人，很能吃辣"));
        assert!(
            !tells_origin("他是好人") && !tells_origin("赵磊是个急性子的人") && !tells_origin("用户住在长沙")
        );
    }
}
