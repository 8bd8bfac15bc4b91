//! The words of a plain statement, and whom it begins with.

use crate::index::lexical::Vocabulary;
use crate::lowercase::letter;
use std::sync::OnceLock;

/// Words with which a statement is not plain any more.
const UNPLAIN: &str = "about,after,almost,although,and,approximately,around,because,before,between,but,could,during,either,except,former,formerly,hopes,if,mainly,maybe,might,most,mostly,nearly,neither,occasionally,often,once,only,or,over,partly,perhaps,plans,possibly,previously,probably,rarely,roughly,said,says,seldom,should,since,some,sometimes,than,thinks,though,temporarily,under,unless,until,used,usually,wants,when,whenever,where,while,will,would";
/// Capitalised words with which no name begins.
const NO_NAMES: &str = "a,all,an,both,each,every,everybody,everyone,her,his,it,its,my,no,nobody,our,she,he,some,that,the,their,there,these,they,this,those,we,you,your";
/// Words that change nothing.
const SILENT: &str = "actually,currently,now,really,still";

/// The signs that a plain statement may have.
const SIGNS: &str = " '\u{2019}-,&+#.:€$£%";

/// What a word is known for.
const IS_UNPLAIN: u64 = 1;
const IS_SILENT: u64 = 2;
const IS_NO_NAME: u64 = 4;

/// What a word of these lists is known for.
fn known(word: &str) -> u64 {
    static KNOWN: OnceLock<Vocabulary> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let mut known = Vocabulary::default();
        for (list, is) in [(UNPLAIN, IS_UNPLAIN), (SILENT, IS_SILENT), (NO_NAMES, IS_NO_NAME)] {
            list.split(',').for_each(|word| known.set(word, known.get(word) | is));
        }
        known
    });
    known.get(word)
}

/// Whether a word stands in a list.
pub(super) fn is_in(list: &str, word: &str) -> bool {
    list.split(',').any(|known| known == word)
}

/// The first of some words that mean the same, where a word is one of them.
pub(super) fn one_of(lists: &'static [&'static str], word: &str) -> Option<&'static str> {
    lists.iter().find(|list| is_in(list, word)).and_then(|list| list.split(',').next())
}

/// The words of a plain statement.
pub(super) struct Words<'a> {
    lower: Vec<&'a str>,
    is_capital: Vec<bool>,
}

impl<'a> Words<'a> {
    /// `None` for a text that is no plain statement in Latin letters; `lower` is the text in lower case, with plain apostrophes.
    pub(super) fn of(text: &str, lower: &'a str) -> Option<Self> {
        let text = text.trim().trim_end_matches(['.', '!']).trim_end();
        let is_plain = |c: char| c.is_alphanumeric() && u32::from(c) < 0x250 || SIGNS.contains(c);
        // Nearly all are ASCII, which is looked at by its bytes.
        let is_byte = |byte: u8| byte.is_ascii_alphanumeric() || SIGNS.as_bytes().contains(&byte);
        let is_statement = text.is_ascii() && text.bytes().all(is_byte) || text.chars().all(is_plain);
        if !is_statement {
            return None;
        }
        let (mut words, mut is_capital) = (Vec::new(), Vec::new());
        let lower = lower.trim().trim_end_matches(['.', '!']).split_ascii_whitespace();
        for (word, small) in text.split_ascii_whitespace().zip(lower) {
            let bare = small.trim_end_matches(',');
            // Behind the end of a statement there is another one.
            if bare.ends_with(['.', ':']) {
                return None;
            }
            let is = known(bare);
            if is & IS_UNPLAIN != 0 {
                return None;
            }
            if is & IS_SILENT != 0 {
                continue;
            }
            let capital = word.chars().next().is_some_and(|first| letter(first) != first);
            let parts: &[&str] = match bare {
                "i'm" => &["i", "am"],
                "cannot" | "can't" => &["can", "not"],
                "doesn't" => &["does", "not"],
                "don't" => &["do", "not"],
                "isn't" => &["is", "not"],
                "hasn't" => &["has", "not"],
                "haven't" => &["have", "not"],
                _ => &[small],
            };
            words.extend_from_slice(parts);
            is_capital.resize(words.len(), capital);
        }
        for end in [&["anymore"][..], &["any", "more"], &["at", "all"]] {
            if words.ends_with(end) {
                words.truncate(words.len() - end.len());
            }
        }
        Some(Self { lower: words, is_capital })
    }

    pub(super) fn at(&self, place: usize) -> &'a str {
        self.lower.get(place).copied().unwrap_or_default()
    }

    /// The lower-cased words from a place on.
    pub(super) fn from(&self, place: usize) -> &[&'a str] {
        self.lower.get(place..).unwrap_or_default()
    }

    /// Whether all words from a place on are names: capitalised, or numbers.
    pub(super) fn are_names(&self, place: usize) -> bool {
        let capital = self.is_capital.get(place..).unwrap_or_default();
        !capital.is_empty() && capital.iter().all(|is| *is)
    }

    /// Whom it begins with, whether that is somebody of whom something is told ("Ann's"), and where the rest begins.
    pub(super) fn subject(&self, own: &[String]) -> Option<(String, bool, usize)> {
        let user = |owns: bool, next: usize| Some(("user".to_owned(), owns, next));
        match (self.at(0), self.at(1)) {
            ("i" | "user", _) => return user(false, 1),
            ("the", "user") => return user(false, 2),
            ("my" | "user's", _) => return user(true, 1),
            ("the", "user's") => return user(true, 2),
            _ => {}
        }
        let (mut name, mut owns): (Vec<&str>, bool) = (Vec::new(), false);
        while !owns && name.len() < 3 && self.is_capital.get(name.len()).copied().unwrap_or_default() {
            let word = self.at(name.len());
            if known(word) & IS_NO_NAME != 0 || word.contains(|c: char| c.is_ascii_digit() || c == ',') {
                break;
            }
            owns = word.ends_with("'s");
            name.push(word.trim_end_matches("'s"));
        }
        let next = name.len();
        let is_own = match name.as_slice() {
            [] => return None,
            [first, rest @ ..] => {
                own.first().is_some_and(|own| own == first)
                    && rest.iter().all(|word| own.iter().any(|own| own == word))
            }
        };
        if is_own { user(owns, next) } else { Some((name.join(" "), owns, next)) }
    }
}
