//! What a text says of a change: that something is otherwise now, or took the place of something.

use super::words::{GIVEN_UP, holds, words};
use crate::among::among;

/// English words of change.
const CHANGE: &str = "actually adjust adjusted adjusting anymore became boosted canceled cancelled change changed changing currently decided \
    decrease decreased delayed dropped expanded extend extended extending grown growth improved increase increased instead joined \
    latest longer lowered moved moving now postponed quit raised reached recently reduce reduced replace replaced reschedule \
    rescheduled revised shortened started stopped swapped switch switched traded update updated updating upgraded";
/// The same in Chinese, Japanese and Korean.
const CHANGE_ELSEWHERE: &str = "现在|最近|改|不再|换|转|涨|升|降|今は|変え|変わ|変更|やめ|になりました|になった|増や|減ら|이제|지금|바꿨|바뀌|옮겼|그만|올렸|내렸|올랐|됐|되었|늘렸|줄였";
/// The same by which what was replaced is told.
const REPLACES_ELSEWHERE: &str = "搬到|搬进|搬去|搬回|搬家|换成|换了|改成|改喝|改吃|改为|改用|转到|转学|调到|跳槽|辞职|离职|戒了|戒掉|涨到|升到|引っ越し|引っ越した|引越し|越してき|移り住|乗り換え|買い替え|切り替え|に変え|\
    転職|転校|異動|辞めて|やめて|辞めた|やめた|手放|禁煙した|移った|이사했|이사 했|이사왔|옮겨|갈아탔|갈아타|그만두|끊고|끊었|바꿨|바꾼|전학|이직했|옮겼";
/// English words by which what was replaced is told; the same in several words, beside what was given up; and what stands behind them
/// where a thing was only moved or switched off.
const REPLACES: &str = "changed moved quit replaced stopped swapped switched upgraded";
const REPLACES_IN_WORDS: &str = "taken up|took up";
const THINGS: &str = "a an her his its my our some that the their this";

/// What a text says of a change.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Change {
    None,
    Tells,
    /// Something took the place of something.
    Replaces,
}

impl Change {
    pub(in super::super) fn told(text: &str) -> Self {
        let lower = text.to_ascii_lowercase();
        let words = words(&lower);
        let replaces = |(place, word): (usize, &&str)| {
            among(REPLACES, word) && !words.get(place + 1).is_some_and(|next| among(THINGS, next))
        };
        match () {
            () if holds(&lower, GIVEN_UP) || holds(&lower, REPLACES_IN_WORDS) => Self::Replaces,
            () if words.iter().enumerate().any(replaces) || holds(text, REPLACES_ELSEWHERE) => Self::Replaces,
            () if words.iter().any(|word| among(CHANGE, word)) || holds(text, CHANGE_ELSEWHERE) => {
                Self::Tells
            }
            () => Self::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn change_is_told_by_words() {
        let tells = |text| Change::told(text) == Change::Tells;
        assert!(tells("It was Rescheduled to 4 PM") && tells("我不再吃肉") && tells("She moved her desk"));
        assert!(Change::told("I knowingly did it") == Change::None);
        for text in [
            "She moved to Perth",
            "They have given up squash",
            "I switched jobs",
            "我搬到成都了",
            "川崎に引っ越した",
            "아이폰으로 바꿨어",
        ] {
            assert!(Change::told(text) == Change::Replaces, "{text}");
        }
    }
}
