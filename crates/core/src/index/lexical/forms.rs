//! Words whose forms share no stem: who asks "where did I meet him" is told "met him in Rome".

use super::tokenize::tokenize;
use super::vocabulary::Vocabulary;
use std::sync::OnceLock;

/// The forms of a word on one line.
const FORMS: &str = "begin began begun|bite bitten|break broke broken|bring brought|build built|buy bought|catch caught|\
    choose chose chosen|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|\
    fight fought|fly flew flown flies|forget forgot forgotten|freeze froze frozen|give gave given|grow grew grown|\
    hide hid hidden|hold held|keep kept|know knew known|lend lent|lose lost|meet met|pay paid|ride rode ridden|run ran|\
    sell sold|send sent|sing sang sung|sit sat|sleep slept|speak spoke spoken|spend spent|steal stole stolen|\
    swim swam swum|take took taken|teach taught|throw threw thrown|wake woke woken|wear wore worn|win won|\
    write wrote written|become became|bend bent|bind bound|blow blew blown|burn burnt|come came|dig dug|dream dreamt|\
    feel felt|find found|get got gotten|go went gone|hang hung|hear heard|learn learnt|make made|mean meant|\
    ring rang rung|say said|see saw seen|seek sought|sew sewn|shake shook shaken|shine shone|show shown|\
    shrink shrank shrunk|spill spilt|spin spun|stand stood|stick stuck|strike struck|swear swore sworn|sweep swept|\
    tear tore torn|tell told|think thought|understand understood|weep wept|knife knives|man men|mouse mice|shelf shelves|\
    woman women|child children|foot feet|tooth teeth|wife wives|vivo vive vivir|trabajo trabaja|wohne wohnt wohnst|\
    arbeite arbeitet|habite habites|travail travaille|живу живет живёт|работаю работает";

/// The tokens of the forms, each with the number of its line, from 1 on, and the tokens of each line.
fn known() -> &'static (Vocabulary, Vec<Vec<String>>) {
    static KNOWN: OnceLock<(Vocabulary, Vec<Vec<String>>)> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let (mut lines, mut all) = (Vocabulary::default(), Vec::new());
        for (line, forms) in (1..).zip(FORMS.split('|')) {
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

/// The tokens of all forms of a token's word, the first of which stands for all; none when it has no other.
#[must_use]
pub fn forms_of(token: &str) -> &'static [String] {
    let (lines, all) = known();
    let line = (lines.get(token) as usize).checked_sub(1);
    line.and_then(|line| all.get(line)).map_or(&[], Vec::as_slice)
}

/// The form that stands for all forms of a token's word: itself, if there is no other.
#[must_use]
pub fn base_form(token: &str) -> &str {
    forms_of(token).first().map_or(token, String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_have_one_base() {
        assert_eq!(
            [base_form("met"), base_form("drove"), base_form("driven"), base_form("garden")],
            ["meet", "drive", "drive", "garden"]
        );
        assert_eq!((forms_of("meet").join(" ").as_str(), forms_of("garden").len()), ("meet met", 0));
        for forms in FORMS.split('|') {
            let mut all = Vec::new();
            tokenize(forms, |token, _| all.push(token.to_owned()));
            all.iter().for_each(|token| assert_eq!(forms_of(token), all, "{token} is of two words"));
        }
    }
}
