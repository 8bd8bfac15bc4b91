//! Words whose forms share no stem: who asks "where did I meet him" is told "met him in Rome".

use crate::index::lexical::{Vocabulary, tokenize};
use std::sync::OnceLock;

/// The forms of a word on one line.
const FORMS: &[&str] = &[
    "begin began begun",
    "bite bitten",
    "break broke broken",
    "bring brought",
    "build built",
    "buy bought",
    "catch caught",
    "choose chose chosen",
    "draw drew drawn",
    "drink drank drunk",
    "drive drove driven",
    "eat ate eaten",
    "fall fell fallen",
    "feed fed",
    "fight fought",
    "fly flew flown flies",
    "forget forgot forgotten",
    "freeze froze frozen",
    "give gave given",
    "grow grew grown",
    "hide hid hidden",
    "hold held",
    "keep kept",
    "know knew known",
    "lend lent",
    "lose lost",
    "meet met",
    "pay paid",
    "ride rode ridden",
    "run ran",
    "sell sold",
    "send sent",
    "sing sang sung",
    "sit sat",
    "sleep slept",
    "speak spoke spoken",
    "spend spent",
    "steal stole stolen",
    "swim swam swum",
    "take took taken",
    "teach taught",
    "throw threw thrown",
    "wake woke woken",
    "wear wore worn",
    "win won",
    "write wrote written",
    "child children",
    "foot feet",
    "tooth teeth",
    "wife wives",
    "vivo vive vivir",
    "trabajo trabaja",
    "wohne wohnt wohnst",
    "arbeite arbeitet",
    "habite habites",
    "travail travaille",
    "живу живет живёт",
    "работаю работает",
];

/// The tokens of the forms, each with the number of its line, from 1 on, and the tokens of each line.
fn known() -> &'static (Vocabulary, Vec<Vec<String>>) {
    static KNOWN: OnceLock<(Vocabulary, Vec<Vec<String>>)> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let (mut lines, mut all) = (Vocabulary::default(), Vec::new());
        for (line, forms) in (1..).zip(FORMS) {
            let mut tokens = Vec::new();
            tokenize(forms, |token, _| {
                lines.set(token, line);
                tokens.push(token.to_owned());
            });
            all.push(tokens);
        }
        (lines, all)
    })
}

/// The line of a token's word.
fn line(token: &str) -> Option<usize> {
    (known().0.get(token) as usize).checked_sub(1)
}

/// The tokens of all forms of a token's word; none when it has no other.
pub(super) fn tokens(token: &str) -> &'static [String] {
    line(token).and_then(|line| known().1.get(line)).map_or(&[], Vec::as_slice)
}

/// The form that stands for all forms of a token's word: itself, if there is no other.
pub(super) fn base(token: &str) -> &str {
    tokens(token).first().map_or(token, String::as_str)
}

/// All forms of a token's word; none when it has no other.
pub(super) fn forms(token: &str) -> &'static str {
    line(token).and_then(|line| FORMS.get(line)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_have_one_base() {
        assert_eq!(
            [base("met"), base("drove"), base("driven"), base("garden")],
            ["meet", "drive", "drive", "garden"]
        );
        assert_eq!((forms("meet"), forms("garden")), ("meet met", ""));
        for forms in FORMS {
            tokenize(forms, |token, _| assert_eq!(super::forms(token), *forms, "{token} is of two words"));
        }
    }
}
