//! Text into tokens: the one analysis that documents and queries share.
//!
//! - Words of any script are folded (case, width, common diacritics); English stop words become spare tokens, and other
//!   words of `a` to `z` are stemmed. A contraction loses its tail ("Ann's" is "ann"); a negated auxiliary ("don't")
//!   is a stop word. An Arabic word loses its article.
//! - Han and Kana, Hangul, and the unspaced scripts of South-East Asia become overlapping pairs of characters; a Hangul
//!   word first loses its particle. A single Han character of a longer run is a spare token.
//! - An emoji is a token, a flag one token.
//!
//! Work is linear in the text, and memory is constant.

use super::arabic::without_article;
use super::fold::fold;
use super::korean::without_particle;
use super::stem::stem;
use super::stop::is_stop_word;

/// The most bytes a token keeps; the rest of a longer word is ignored.
pub const MAX_TOKEN_BYTES: usize = 128;

/// The most tokens of one text; what follows is not indexed.
pub const MAX_TOKENS: usize = 65_535;

/// What a token is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It says what the text is about: it counts in the text's length, and queries look for it.
    Key,
    /// It is looked for only when a query has no key token, such as the stop words of "who am I?".
    Spare,
}

/// Calls `emit` with each token of the text in turn, at most [`MAX_TOKENS`] times.
///
/// ```
/// use mnemic_core::index::lexical::{Role, tokenize};
/// let mut keys = Vec::new();
/// tokenize("What did Ann's CAFÉ serve?", |token, role| {
///     if role == Role::Key {
///         keys.push(token.to_owned());
///     }
/// });
/// assert_eq!(keys, ["ann", "cafe", "serv"]);
/// ```
pub fn tokenize(text: &str, mut emit: impl FnMut(&str, Role)) {
    let mut run = Run {
        script: Script::Break,
        buffer: String::new(),
        stemmed: String::new(),
        last: None,
        pairs: 0,
        room: MAX_TOKENS,
        emit: &mut emit,
    };
    for c in fold(text) {
        run.push(c);
        if run.room == 0 {
            return;
        }
    }
    run.end();
}

/// How the characters of a run become tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// Letters and digits of scripts with spaces: the run is a word.
    Word,
    /// Hangul: pairs, after the particle is taken off.
    Hangul,
    /// Han and Kana: pairs.
    Han,
    /// Thai, Lao, Burmese, Khmer: pairs.
    Unspaced,
    /// Halves of flags: pairs.
    Flag,
    /// A token by itself.
    Emoji,
    /// Between tokens.
    Break,
}

/// The script of a character that was folded.
#[must_use]
pub fn script(c: char) -> Script {
    match c {
        'a'..='z' | '0'..='9' => Script::Word,
        '\0'..='\u{7f}' => Script::Break,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17d3}'
            if c.is_alphabetic() || matches!(c, '\u{1039}' | '\u{103a}' | '\u{17d2}') =>
        {
            Script::Unspaced
        }
        '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' | '\u{ac00}'..='\u{d7a3}' => Script::Hangul,
        '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{3096}'
        | '\u{309d}'..='\u{309f}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{30fc}'..='\u{30ff}'
        | '\u{31f0}'..='\u{31ff}' => Script::Han,
        _ if is_ideograph(c) => Script::Han,
        '\u{1f1e6}'..='\u{1f1ff}' => Script::Flag,
        '\u{2600}'..='\u{27bf}' | '\u{2b50}' | '\u{2b55}' | '\u{1f000}'..='\u{1faff}' => Script::Emoji,
        _ if c.is_alphanumeric() || is_virama(c) => Script::Word,
        _ => Script::Break,
    }
}

/// Whether a character is one of the Chinese characters, which are words or parts of words.
#[must_use]
pub fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// The sign that joins two consonants of an Indian script: not a letter, but inside words.
fn is_virama(c: char) -> bool {
    c == '\u{dca}' || (matches!(c, '\u{900}'..='\u{d7f}') && u32::from(c) & 0x7f == 0x4d)
}

/// The run of characters of one script that is being read.
struct Run<'a> {
    script: Script,
    /// A word so far, or the token being built.
    buffer: String,
    /// The stem of the last word; kept for its memory.
    stemmed: String,
    /// The last character, of runs that become pairs.
    last: Option<char>,
    /// How many pairs the run has given.
    pairs: usize,
    /// How many tokens may still be emitted.
    room: usize,
    /// Behind a pointer, so that the analysis is compiled once and not for each caller.
    emit: &'a mut dyn FnMut(&str, Role),
}

impl Run<'_> {
    fn push(&mut self, c: char) {
        let next = match script(c) {
            // An apostrophe inside a word belongs to it.
            Script::Break if c == '\'' && self.script == Script::Word => Script::Word,
            next => next,
        };
        if next != self.script {
            self.end();
            self.script = next;
        }
        match next {
            Script::Break => {}
            Script::Word => {
                if self.buffer.len() + c.len_utf8() <= MAX_TOKEN_BYTES {
                    self.buffer.push(c);
                }
            }
            Script::Hangul => {
                if self.buffer.len() + c.len_utf8() > MAX_TOKEN_BYTES {
                    self.end_hangul();
                }
                self.buffer.push(c);
            }
            Script::Emoji => self.emit_characters(&[c], Role::Key),
            Script::Han | Script::Unspaced | Script::Flag => self.push_pair(c),
        }
    }

    fn end(&mut self) {
        match self.script {
            Script::Word => self.end_word(),
            Script::Hangul => self.end_hangul(),
            _ => self.end_pairs(),
        }
    }

    fn emit(&mut self, token: &str, role: Role) {
        if self.room > 0 {
            self.room -= 1;
            (self.emit)(token, role);
        }
    }

    fn emit_characters(&mut self, characters: &[char], role: Role) {
        let mut token = std::mem::take(&mut self.buffer);
        token.clear();
        token.extend(characters);
        self.emit(&token, role);
        token.clear();
        self.buffer = token;
    }

    fn push_pair(&mut self, c: char) {
        if let Some(last) = self.last.replace(c) {
            if self.pairs == 0 && is_ideograph(last) {
                self.emit_characters(&[last], Role::Spare);
            }
            self.emit_characters(&[last, c], Role::Key);
            if is_ideograph(c) {
                self.emit_characters(&[c], Role::Spare);
            }
            self.pairs += 1;
        }
    }

    fn end_pairs(&mut self) {
        if let Some(last) = self.last.take()
            && self.pairs == 0
        {
            self.emit_characters(&[last], Role::Key);
        }
        self.pairs = 0;
    }

    fn end_hangul(&mut self) {
        let word = std::mem::take(&mut self.buffer);
        let noun = without_particle(&word);
        let single = noun.filter(|noun| noun.chars().nth(1).is_none());
        // A noun of one syllable may be no noun at all, so the pair with what looks like its particle stays too.
        if let Some(noun) = single {
            self.emit(noun, Role::Key);
        }
        for c in if single.is_some() { &word } else { noun.unwrap_or(&word) }.chars() {
            self.push_pair(c);
        }
        self.end_pairs();
    }

    fn end_word(&mut self) {
        let mut word = std::mem::take(&mut self.buffer);
        if word.contains('\'') {
            self.emit_contraction(word.trim_end_matches('\''));
        } else {
            self.emit_word(&word);
        }
        word.clear();
        self.buffer = word;
    }

    fn emit_contraction(&mut self, word: &str) {
        if word.ends_with("n't") {
            return self.emit(&word.replace('\'', ""), Role::Spare);
        }
        let head = match word.rsplit_once('\'') {
            Some((head, "s" | "m" | "d" | "re" | "ve" | "ll")) => head,
            _ => word,
        };
        for part in head.split('\'').filter(|part| !part.is_empty()) {
            self.emit_word(part);
        }
    }

    fn emit_word(&mut self, word: &str) {
        if is_stop_word(word) {
            return self.emit(word, Role::Spare);
        }
        let mut stemmed = std::mem::take(&mut self.stemmed);
        stemmed.clear();
        stemmed.push_str(without_article(word));
        stem(&mut stemmed);
        // "cans" are no "can".
        self.emit(if is_stop_word(&stemmed) { word } else { &stemmed }, Role::Key);
        self.stemmed = stemmed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokens(text: &str, wanted: Role) -> Vec<String> {
        let mut tokens = Vec::new();
        tokenize(text, |token, role| {
            if role == wanted {
                tokens.push(token.to_owned());
            }
        });
        tokens
    }

    #[track_caller]
    fn assert_keys(text: &str, expected: &[&str]) {
        assert_eq!(tokens(text, Role::Key), expected, "{text}");
    }

    #[test]
    fn words() {
        assert_keys("I'm going hiking in May, won't you?", &["go", "hike", "may"]);
        assert_keys(
            "Who won? The dogs' owner can't; they’re Ann's cans.",
            &["won", "dog", "owner", "ann", "cans"],
        );
        assert_keys("O'Brien's rock'n'roll 'quoted'", &["o", "brien", "rock", "n", "roll", "quot"]);
        assert_keys(
            "B12 on 2023-05-08, e-mail snake_case",
            &["b12", "2023", "05", "08", "e", "mail", "snake", "case"],
        );
        assert_keys("Élève Привет Δρόμος नमस्ते שלום", &["elev", "привет", "δρομοσ", "नमस्ते", "שלום"]);
        assert_eq!(tokens("Who am I? Don't dont", Role::Spare), ["who", "am", "i", "dont", "dont"]);
    }

    #[test]
    fn words_of_other_languages() {
        assert_keys("Straße STRASSE schöne Größe", &["strass", "strass", "schone", "gross"]);
        assert_keys("¿Dónde está el NIÑO?", &["dond", "esta", "el", "nino"]);
        assert_keys("L’école d'été, Noël, cœur", &["l", "ecol", "d", "ete", "noel", "coeur"]);
        assert_keys("Всё ещё ЁЛКА, кто-то", &["все", "еще", "елка", "кто", "то"]);
        assert_keys("الْكِتَابُ كتـــاب أحمد إلى آخر مدرسة", &["كتاب", "كتاب", "احمد", "الي", "اخر", "مدرسه"]);
        // A nukta typed with its letter or by itself, and the two signs of a nasal vowel.
        assert_keys("हाँ हां ज़िंदगी ज\u{93c}िंदगी", &["हां", "हां", "जिंदगी", "जिंदगी"]);
    }

    #[test]
    fn scripts_without_spaces_become_pairs() {
        assert_keys("東京タワー", &["東京", "京タ", "タワ", "ワー"]);
        assert_eq!(tokens("東京タワー", Role::Spare), ["東", "京"]);
        assert_keys("猫 AI大会", &["猫", "ai", "大会"]);
        assert_keys("แมวดำ", &["แม", "มว", "วด", "ดำ"]);
        assert_keys("ｶﾞｽ", &["ガス"]);
    }

    #[test]
    fn korean_words_lose_their_particle() {
        assert_keys("고양이가 학교에서", &["고양", "양이", "학교"]);
        assert_keys("집을", &["집", "집을"]);
        assert_keys("저 나", &["저", "나"]);
    }

    #[test]
    fn emoji_and_flags() {
        assert_keys("I ❤️ it 👍🏽🎉 👩‍💻 🇩🇪", &["❤", "👍", "🎉", "👩", "💻", "🇩🇪"]);
    }

    #[test]
    fn hostile_text_keeps_its_limits() {
        let text = "x".repeat(10_000_000);
        assert_eq!(tokens(&text, Role::Key), ["x".repeat(MAX_TOKEN_BYTES)]);
        let zalgo = format!("h{}i", "\u{30f}\u{336}".repeat(1_000_000));
        assert_keys(&zalgo, &["hi"]);
        let apostrophes = format!("a{}b", "'".repeat(1_000_000));
        assert!(tokens(&apostrophes, Role::Key).is_empty());
        let korean = "가".repeat(100);
        assert!(tokens(&korean, Role::Key).iter().all(|token| token.len() <= 6));
        let mut count = 0;
        tokenize(&"漢".repeat(1_000_000), |_, _| count += 1);
        assert_eq!(count, MAX_TOKENS);
    }

    proptest! {
        #[test]
        fn any_text_gives_bounded_tokens(text in ".*|[a-z' ]{0,40}|[가-힣 이가]{0,40}|[ぁ-ん一-丁\u{3099}\u{1100}-\u{1200}]{0,40}") {
            tokenize(&text, |token, _| assert!(!token.is_empty() && token.len() <= MAX_TOKEN_BYTES, "{token:?}"));
        }

        #[test]
        fn case_and_marks_do_not_matter(text in "[a-zA-Z ']{0,60}") {
            let marked: String = text.chars().flat_map(|c| [c.to_ascii_uppercase(), '\u{301}']).collect();
            prop_assert_eq!(tokens(&text, Role::Key), tokens(&marked, Role::Key));
        }
    }
}
