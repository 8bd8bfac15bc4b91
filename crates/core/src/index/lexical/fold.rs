//! Folding of characters: case, full and half width, common diacritics, decomposed Kana and Hangul.
//!
//! A page of ranges instead of the full Unicode tables (which would weigh more than the rest of the index): exact for
//! Latin, Greek, Cyrillic, Vietnamese, Japanese, Korean and Arabic as people type them. Other letters keep their marks.

use crate::lowercase;
use std::iter::Peekable;
use std::str::Chars;

/// The characters of a text in their folded form; invisible characters and combining marks are left out.
#[derive(Debug)]
pub struct Folded<'a> {
    rest: Peekable<Chars<'a>>,
    /// The second letter of one that folds to two.
    pending: Option<char>,
}

/// The characters of a text as words are compared by them: in small letters, without marks such as accents, composed however they are
/// written. Lazily.
///
/// ```
/// use mnemic_core::index::lexical::fold;
///
/// assert_eq!(fold("Se\u{301}ance").collect::<String>(), fold("s\u{e9}ance").collect::<String>());
/// ```
#[must_use]
pub fn fold(text: &str) -> Folded<'_> {
    Folded { rest: text.chars().peekable(), pending: None }
}

impl Iterator for Folded<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        if let Some(letter) = self.pending.take() {
            return Some(letter);
        }
        loop {
            let c = self.rest.next()?;
            if c.is_ascii() {
                return Some(c.to_ascii_lowercase());
            }
            if is_mark(c) {
                continue;
            }
            let c = width(c);
            let c = lowercase::letter(c);
            if let Some(letters) = latin(c) {
                let mut letters = letters.chars();
                let first = letters.next();
                self.pending = letters.next();
                return first;
            }
            return Some(match c {
                '\u{3046}'..='\u{30db}' => self.voiced(c),
                '\u{1100}'..='\u{1112}' => self.syllable(c),
                _ => letter(c),
            });
        }
    }
}

impl Folded<'_> {
    /// Joins a Kana with the voicing mark that follows it, if one does.
    fn voiced(&mut self, kana: char) -> char {
        let joined = self.rest.peek().and_then(|mark| match mark {
            '\u{3099}' | '\u{ff9e}' => voiced(kana, 1),
            '\u{309a}' | '\u{ff9f}' => voiced(kana, 2),
            _ => None,
        });
        if joined.is_some() {
            self.rest.next();
        }
        joined.unwrap_or(kana)
    }

    /// Joins a leading Hangul consonant with the vowel and the trailing consonant that follow it (The Unicode Standard,
    /// section 3.12).
    fn syllable(&mut self, leading: char) -> char {
        let Some(vowel) = self.rest.next_if(|c| ('\u{1161}'..='\u{1175}').contains(c)) else {
            return leading;
        };
        let trailing = self.rest.next_if(|c| ('\u{11a8}'..='\u{11c2}').contains(c));
        let trailing = trailing.map_or(0, |c| u32::from(c) - 0x11a7);
        let index = ((u32::from(leading) - 0x1100) * 21 + (u32::from(vowel) - 0x1161)) * 28 + trailing;
        char::from_u32(0xac00 + index).unwrap_or(leading)
    }
}

/// The Kana with a voicing mark: 1 voiced, 2 half voiced.
fn voiced(kana: char, mark: u32) -> Option<char> {
    // Katakana lie 0x60 above Hiragana.
    let shift = if kana >= '\u{30a0}' { 0x60 } else { 0 };
    let hiragana = u32::from(kana) - shift;
    let joined = match (hiragana, mark) {
        (0x3046, 1) => 0x3094,
        (0x304b..=0x3061, 1) if hiragana % 2 == 1 => hiragana + 1,
        (0x3064 | 0x3066 | 0x3068, 1) => hiragana + 1,
        (0x306f..=0x307b, _) if hiragana % 3 == 0 => hiragana + mark,
        _ => return None,
    };
    char::from_u32(joined + shift)
}

/// Characters that never count: combining marks of scripts that read the same without them, joiners, direction and
/// variation marks, skin tones.
fn is_mark(c: char) -> bool {
    // The common letters above the Latin marks and below the rare blocks are answered by one comparison.
    if c < '\u{300}' {
        return c == '\u{ad}';
    }
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}'
        | '\u{5c4}' | '\u{5c5}' | '\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}'
        | '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e4}' | '\u{6e7}' | '\u{6e8}' | '\u{6ea}'..='\u{6ed}'
        | '\u{93c}' | '\u{9bc}' | '\u{a3c}' | '\u{abc}' | '\u{b3c}' | '\u{cbc}' | '\u{e47}'..='\u{e4e}'
        | '\u{ec8}'..='\u{ecd}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{200c}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{20d0}'..='\u{20ff}' | '\u{302a}'..='\u{302f}'
        | '\u{3099}' | '\u{309a}' | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}' | '\u{feff}'
        | '\u{ff9e}' | '\u{ff9f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0000}'..='\u{e01ef}')
}

/// U+FF66 to U+FF9D, half-width Katakana, in their usual width.
const HALF_WIDTH_KATAKANA: &str = "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン";

/// Full-width ASCII and half-width Katakana in their usual width.
fn width(c: char) -> char {
    let code = u32::from(c);
    let usual = match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(code - 0xfee0),
        '\u{ff66}'..='\u{ff9d}' => HALF_WIDTH_KATAKANA.chars().nth((code - 0xff66) as usize),
        _ => None,
    };
    usual.unwrap_or(c)
}

/// The ASCII letters of a lower-case Latin letter with diacritics, or of a ligature.
fn latin(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{e0}'..='\u{e5}' | '\u{101}'..='\u{105}' | '\u{1ce}' | '\u{1e01}' | '\u{1ea0}'..='\u{1eb7}' => "a",
        '\u{e6}' => "ae",
        '\u{1e02}'..='\u{1e07}' => "b",
        '\u{e7}' | '\u{107}'..='\u{10d}' | '\u{1e09}' => "c",
        '\u{f0}' | '\u{10f}'..='\u{111}' | '\u{1e0a}'..='\u{1e13}' => "d",
        '\u{e8}'..='\u{eb}' | '\u{113}'..='\u{11b}' | '\u{1e14}'..='\u{1e1d}' | '\u{1eb8}'..='\u{1ec7}' => {
            "e"
        }
        '\u{1e1f}' => "f",
        '\u{11d}'..='\u{123}' | '\u{1e7}' | '\u{1f5}' | '\u{1e21}' => "g",
        '\u{125}'..='\u{127}' | '\u{1e22}'..='\u{1e2b}' | '\u{1e96}' => "h",
        '\u{ec}'..='\u{ef}'
        | '\u{129}'..='\u{131}'
        | '\u{1d0}'
        | '\u{1e2c}'..='\u{1e2f}'
        | '\u{1ec8}'..='\u{1ecb}' => "i",
        '\u{133}' => "ij",
        '\u{135}' | '\u{1f0}' => "j",
        '\u{137}' | '\u{138}' | '\u{1e9}' | '\u{1e30}'..='\u{1e35}' => "k",
        '\u{13a}'..='\u{142}' | '\u{1e36}'..='\u{1e3d}' => "l",
        '\u{1e3e}'..='\u{1e43}' => "m",
        '\u{f1}' | '\u{144}'..='\u{14b}' | '\u{1f9}' | '\u{1e44}'..='\u{1e4b}' => "n",
        '\u{f2}'..='\u{f6}'
        | '\u{f8}'
        | '\u{14d}'..='\u{151}'
        | '\u{1a1}'
        | '\u{1d2}'
        | '\u{1eb}'
        | '\u{1e4c}'..='\u{1e53}'
        | '\u{1ecc}'..='\u{1ee3}' => "o",
        '\u{153}' => "oe",
        '\u{1e54}'..='\u{1e57}' => "p",
        '\u{155}'..='\u{159}' | '\u{1e58}'..='\u{1e5f}' => "r",
        '\u{15b}'..='\u{161}' | '\u{17f}' | '\u{219}' | '\u{1e60}'..='\u{1e69}' => "s",
        '\u{df}' => "ss",
        '\u{163}'..='\u{167}' | '\u{21b}' | '\u{1e6a}'..='\u{1e71}' | '\u{1e97}' => "t",
        '\u{fe}' => "th",
        '\u{f9}'..='\u{fc}'
        | '\u{169}'..='\u{173}'
        | '\u{1b0}'
        | '\u{1d4}'..='\u{1dc}'
        | '\u{1e72}'..='\u{1e7b}'
        | '\u{1ee4}'..='\u{1ef1}' => "u",
        '\u{1e7c}'..='\u{1e7f}' => "v",
        '\u{175}' | '\u{1e80}'..='\u{1e89}' | '\u{1e98}' => "w",
        '\u{1e8a}'..='\u{1e8d}' => "x",
        '\u{fd}' | '\u{ff}' | '\u{177}' | '\u{1e8e}' | '\u{1e8f}' | '\u{1e99}' | '\u{1ef2}'..='\u{1ef9}' => {
            "y"
        }
        '\u{17a}'..='\u{17e}' | '\u{1e90}'..='\u{1e95}' => "z",
        '\u{fb00}' => "ff",
        '\u{fb01}' => "fi",
        '\u{fb02}' => "fl",
        _ => return None,
    })
}

/// Other letters and digits that are written in more than one way.
fn letter(c: char) -> char {
    match c {
        // Typographic apostrophes.
        '\u{2018}' | '\u{2019}' | '\u{2bc}' => '\'',
        // Greek: accents and the final sigma.
        '\u{3ac}' => '\u{3b1}',
        '\u{3ad}' => '\u{3b5}',
        '\u{3ae}' => '\u{3b7}',
        '\u{390}' | '\u{3af}' | '\u{3ca}' => '\u{3b9}',
        '\u{3cc}' => '\u{3bf}',
        '\u{3b0}' | '\u{3cb}' | '\u{3cd}' => '\u{3c5}',
        '\u{3ce}' => '\u{3c9}',
        '\u{3c2}' => '\u{3c3}',
        // Cyrillic letters that decompose.
        '\u{439}' | '\u{45d}' => '\u{438}',
        '\u{450}' | '\u{451}' => '\u{435}',
        '\u{453}' => '\u{433}',
        '\u{457}' => '\u{456}',
        '\u{45c}' => '\u{43a}',
        '\u{45e}' => '\u{443}',
        // Arabic: forms of alef, yeh, waw, kaf and teh marbuta; Persian kaf and yeh.
        '\u{622}' | '\u{623}' | '\u{625}' | '\u{671}' => '\u{627}',
        '\u{624}' => '\u{648}',
        '\u{626}' | '\u{649}' | '\u{6cc}' => '\u{64a}',
        '\u{6a9}' => '\u{643}',
        '\u{629}' => '\u{647}',
        // Devanagari and Bengali: the two signs of a nasal vowel, and letters with a nukta, which is left out elsewhere.
        '\u{901}' => '\u{902}',
        '\u{929}' | '\u{931}' | '\u{934}' => shifted(c, 0x929, 0x928),
        '\u{958}'..='\u{95a}' => shifted(c, 0x958, 0x915),
        '\u{95b}' => '\u{91c}',
        '\u{95c}' | '\u{95d}' => shifted(c, 0x95c, 0x921),
        '\u{95e}' => '\u{92b}',
        '\u{95f}' => '\u{92f}',
        '\u{9dc}' | '\u{9dd}' => shifted(c, 0x9dc, 0x9a1),
        '\u{9df}' => '\u{9af}',
        '\u{660}'..='\u{669}' => digit(c, 0x660),
        '\u{6f0}'..='\u{6f9}' => digit(c, 0x6f0),
        '\u{966}'..='\u{96f}' => digit(c, 0x966),
        _ => c,
    }
}

/// A letter of a run that lies elsewhere in the same order.
fn shifted(c: char, from: u32, to: u32) -> char {
    char::from_u32(u32::from(c) - from + to).unwrap_or(c)
}

/// The ASCII digit of a digit whose zero is at `zero`.
fn digit(c: char, zero: u32) -> char {
    char::from_digit(u32::from(c) - zero, 10).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::fold;

    fn folded(text: &str) -> String {
        fold(text).collect()
    }

    #[test]
    fn folds_case_width_and_diacritics() {
        for (text, expected) in [
            ("Straße CAFÉ Ærø Łódź", "strasse cafe aero lodz"),
            ("Nguyễn Đình Thơ ưu", "nguyen dinh tho uu"),
            ("İstanbul ŞİŞLİ ılık", "istanbul sisli ilik"),
            ("Ｈｅｌｌｏ１２", "hello12"),
            ("ｶﾞｷﾞﾊﾟｳﾞｦﾝ", "ガギパヴヲン"),
            ("Ὀδυσσεύς", "\u{1f40}δυσσευσ"),
            ("Ёлка Йод", "елка иод"),
            ("أحمد مدرسة", "احمد مدرسه"),
            ("٣۴५", "345"),
            ("ﬁne ﬂow", "fine flow"),
            ("don’t", "don't"),
        ] {
            assert_eq!(folded(text), expected, "{text}");
        }
    }

    #[test]
    fn composed_and_decomposed_text_fold_alike() {
        for (composed, decomposed) in [
            ("é", "e\u{301}"),
            ("ệ", "e\u{323}\u{302}"),
            ("й", "и\u{306}"),
            ("がぱう\u{3094}", "か\u{3099}は\u{309a}うう\u{3099}"),
            ("ヅド", "ツ\u{3099}ト\u{3099}"),
            ("한국어", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}\u{110b}\u{1165}"),
            ("سلام", "سَلَام"),
            ("\u{929}\u{931}\u{934}\u{958}", "\u{928}\u{93c}\u{930}\u{93c}\u{933}\u{93c}\u{915}\u{93c}"),
        ] {
            assert_eq!(folded(composed), folded(decomposed), "{composed}");
        }
    }

    #[test]
    fn invisible_characters_vanish() {
        assert_eq!(folded("a\u{ad}b\u{200d}c\u{feff}d\u{202e}e\u{fe0f}"), "abcde");
        assert_eq!(folded(&format!("z{}", "\u{35c}".repeat(1000))), "z");
    }

    #[test]
    fn half_width_table_is_complete() {
        assert_eq!(super::HALF_WIDTH_KATAKANA.chars().count(), 0xff9d - 0xff66 + 1);
    }
}
