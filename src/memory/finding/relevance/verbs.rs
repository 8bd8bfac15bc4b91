//! English words whose forms share no stem: who asks "where did I meet him" is told "met him in Rome".

use crate::index::lexical::tokenize;
use rustc_hash::FxHashMap;
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
];

/// The form that stands for all forms of a token's word: itself, if there is no other.
pub(super) fn base(token: &str) -> &str {
    static BASES: OnceLock<FxHashMap<String, String>> = OnceLock::new();
    let bases = BASES.get_or_init(|| {
        let mut bases = FxHashMap::default();
        for forms in FORMS {
            let mut tokens: Vec<String> = Vec::new();
            tokenize(forms, |token, _| tokens.push(token.to_owned()));
            let mut tokens = tokens.into_iter();
            let first = tokens.next().unwrap_or_default();
            bases.extend(tokens.map(|token| (token, first.clone())));
        }
        bases
    });
    bases.get(token).map_or(token, String::as_str)
}

/// All forms of a base, to search with; none when it has no other.
pub(super) fn forms(token: &str) -> &'static str {
    let of_token = |forms: &&&str| {
        let mut is_first = None;
        tokenize(forms, |form, _| is_first = is_first.or(Some(form == token)));
        is_first == Some(true)
    };
    FORMS.iter().find(of_token).copied().unwrap_or_default()
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
    }
}
