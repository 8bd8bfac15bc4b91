//! Derivation: words of one root that stemming leaves apart, such as "allergy" and "allergic", or "bake" and "baker".

/// How such words end, each as it is indexed; nothing is an ending as well.
const ENDINGS: &[&str] = &["", "i", "al", "er", "ic", "ian", "ist"];
/// The fewest letters of a root.
const SHORTEST: usize = 4;

/// The other words of the root of an English token, as they would be indexed; most of them are no words at all.
pub(super) fn forms(token: &str) -> Vec<String> {
    let mut forms = Vec::new();
    if token.len() < SHORTEST || !token.bytes().all(|letter| letter.is_ascii_lowercase()) {
        return forms;
    }
    // "Bake" and "baker".
    if token.ends_with('e') {
        forms.push(format!("{token}r"));
    } else if let Some(shorter) = token.strip_suffix('r').filter(|shorter| shorter.ends_with('e')) {
        forms.push(shorter.to_owned());
    }
    for ending in ENDINGS {
        let Some(root) = token.strip_suffix(ending).filter(|root| root.len() >= SHORTEST) else { continue };
        for other in ENDINGS.iter().filter(|other| *other != ending) {
            forms.push(format!("{root}{other}"));
        }
        // "Swimmer" and "swim".
        if let [.., one, other] = root.as_bytes()
            && one == other
            && !ending.is_empty()
        {
            forms.push(root.get(..root.len() - 1).unwrap_or_default().to_owned());
        }
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::lexical::tokenize;

    fn token(word: &str) -> String {
        let mut found = String::new();
        tokenize(word, |token, _| found.push_str(token));
        found
    }

    #[test]
    fn words_of_one_root() {
        for (one, other) in [
            ("allergy", "allergic"),
            ("bake", "baker"),
            ("teach", "teacher"),
            ("paint", "painter"),
            ("swimmer", "swimming"),
            ("guitar", "guitarist"),
        ] {
            let (one, other) = (token(one), token(other));
            assert!(
                one == other || forms(&one).contains(&other) || forms(&other).contains(&one),
                "{one} {other}"
            );
        }
        for (one, other) in [("car", "career"), ("plan", "plane"), ("side", "size"), ("cat", "cater")] {
            assert!(!forms(&token(one)).contains(&token(other)), "{one} {other}");
        }
    }
}
