//! Words of grammar in languages other than English: which words of a query say how it is built, not what it is about.
//!
//! Articles, pronouns, prepositions, conjunctions, auxiliaries and question words. Most are in the lists of the package
//! `stop-words` (2025.11, BSD 3-Clause), which lack question words and pronouns of Arabic and Hindi. They stay in
//! documents, and a query of nothing else looks for them.

use super::search::MAX_QUERY_TERMS;
use super::tokenize::{Role, tokenize};
use super::vocabulary::Vocabulary;
use std::sync::OnceLock;

/// A language that is written in Latin letters, beside English.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Spanish.
    Spanish = 1,
    /// French.
    French = 2,
    /// German.
    German = 4,
}

/// The words of each, as they become tokens. What is an English stop word too is missing, for it is left out anyway.
const LATIN: [(Language, &str); 3] = [
    (
        Language::Spanish,
        "al aquel aunqu como con cual cuando cuanto de del desd dond e el ella ello en entr era ere es esa ese \
    eso est esta estaba estan estar esto estoy fue ha haber habia hace hacer hacia han hasta hay hizo la las \
    le les lo los mas meno mi mis muy ni nos nosotro o para pero por porqu que quien se ser si sin sobr son \
    soy su sus tambien te tener tengo tenia tien tu tus u un una uno ust y ya yo",
    ),
    (
        Language::French,
        "ai au aux avait avec avez avoir avon c ca car ce cela ces cet cett chez comment d dan de des donc du ell \
    en entr es est et etaient etait ete etr fair fait il j je l la le les leur lui m ma mai mes mon n ne ni \
    nos notr nous ont ou par pas plus pour pourquoi qu quand que quel quell qui quoi s sa san se ses si son \
    sont sous sui sur t ta te tes ton tu un une ver vos votr vous y",
    ),
    (
        Language::German,
        "aber al auch auf aus bei bin bist das dass dein dem den denn der des dich die dieser dir du durch \
    ein einem einen einer er es euch fur habe haben hat hatt ich ihm ihn ihnen ihr ist kann kein man mein \
    meinen meiner mich mir mit nach nicht noch nur ob oder ohn sehr sein sich sie sind uber um un und unser \
    unter vom von vor wann war waren warum weil welch welcher wem wen wenn wer werden wie wir wird wo wurd \
    zu zum zur",
    ),
];

/// Russian, Arabic and Hindi, which no other language here is written like.
const OTHERS: &str = "а без будет бы был была были было быть в вас во вот все вы где да даже для до его ее ему если есть еще \
    же за зачем и из или их к как какая какие какои когда кого кто куда ли меня мне мое моего моеи мои моя \
    мы на не него нет ни нибудь но о об обо он она они от по под почему при про с сам себя сколько со так \
    твои тебе тебя то тогда того тут ты у уже чего чем что чтоб чтобы эта эти это этом этот эту я اذا التي \
    الذي ذين الي ان انا انت او اي اين بعد بعض بل به بها بين تلك ثم حتي ذلك علي عليه عن عند عندما غير في \
    فيه فيها قبل قد كان كانت كل كم كيف لا لكن لم لماذا لن له لها ما ماذا متي مع من منه نحن هذا هذه هل هم هو \
    هي و ولا وما يكون अपना अपनी अपने आप आपका आपकी आपके इस उस एक और कब कर करता करते करना कहां का कि कितना \
    कितने किया किस की के कैसे को कौन क्या क्यों गया जो तक तुम तो था थी थे न नहीं ना ने पर भी मुझे में मेरा \
    मेरी मेरे मैं यह या ये लिए वह वे साथ से हम हमारा ही हुआ हुई है हैं हो";

/// What stands for a word of these, beside the languages.
const OTHER: u64 = 8;

/// The language of a query by its words of grammar; `None` when it is English, or not written in Latin letters, or cannot be told.
#[must_use]
pub fn language(query: &str) -> Option<Language> {
    let mut tokens: Vec<(String, Role, u32)> = Vec::new();
    tokenize(query, |token, role| {
        if tokens.len() < MAX_QUERY_TERMS {
            tokens.push((token.to_owned(), role, 1));
        }
    });
    Grammar::of(&tokens).0
}

/// The words of grammar that a query may hold.
pub(super) struct Grammar(Option<Language>);

impl Grammar {
    /// Of a query with some tokens. Among the languages that are written in Latin letters it is the one with the most such
    /// words, of equals the last: at least two, and more than there are English ones.
    pub(super) fn of(tokens: &[(String, Role, u32)]) -> Self {
        let english =
            tokens.iter().filter(|(token, role, _)| *role == Role::Spare && token.is_ascii()).count();
        let known: Vec<u64> = tokens.iter().map(|(token, ..)| words().get(token)).collect();
        let found = LATIN.iter().map(|(language, _)| {
            let count = known.iter().filter(|bits| *bits & *language as u64 != 0).count();
            (count, *language)
        });
        let most = found.max_by_key(|(count, _)| *count);
        Self(most.filter(|(count, _)| *count >= 2 && *count > english).map(|(_, language)| language))
    }

    pub(super) fn holds(&self, token: &str) -> bool {
        let language = self.0.map_or(0, |language| language as u64);
        words().get(token) & (language | OTHER) != 0
    }
}

/// All words of grammar, with whose they are.
fn words() -> &'static Vocabulary {
    static WORDS: OnceLock<Vocabulary> = OnceLock::new();
    WORDS.get_or_init(|| {
        let mut all = Vocabulary::default();
        let latin = LATIN.iter().map(|(language, words)| (*words, *language as u64));
        for (words, bits) in latin.chain([(OTHERS, OTHER)]) {
            words.split_ascii_whitespace().for_each(|word| all.set(word, all.get(word) | bits));
        }
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_what_a_query_becomes() {
        let mut wrong = Vec::new();
        for word in LATIN.iter().flat_map(|(_, words)| words.split(' ')).chain(OTHERS.split(' ')) {
            let mut keys = Vec::new();
            tokenize(word, |token, role| keys.extend((role == Role::Key).then(|| token.to_owned())));
            if keys != [word] {
                wrong.push((word, keys));
            }
        }
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    #[test]
    fn the_language_is_told_by_words_of_grammar() {
        assert_eq!(language("Wo wohnt die Schwester von Ana?"), Some(Language::German));
        assert_eq!(language("¿Dónde vive la hermana de Ana?"), Some(Language::Spanish));
        assert_eq!(language("Où est le chat de ma sœur ?"), Some(Language::French));
        assert_eq!(language("Where does the sister of Ana live?"), None);
        assert_eq!(language("여동생은 어디에 살아?"), None);
    }
}
