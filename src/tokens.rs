//! Estimating how many tokens a text takes in a model's context.

/// How many letters of a Latin word make one token, on average over the common vocabularies.
const LETTERS_PER_TOKEN: usize = 6;
/// How many digits make one token.
const DIGITS_PER_TOKEN: usize = 3;

/// Estimates the tokens of a text without a tokenizer: words of Latin letters, digits, signs, and one token per character
/// of scripts written without spaces. 0 for an empty text.
///
/// ```
/// assert_eq!(mnemic::tokens::estimate("I like green tea."), 5);
/// ```
#[must_use]
pub fn estimate(text: &str) -> usize {
    let mut tokens = 0;
    let mut letters = 0;
    let mut digits = 0;
    let end = |tokens: &mut usize, letters: &mut usize, digits: &mut usize| {
        *tokens += letters.div_ceil(LETTERS_PER_TOKEN) + digits.div_ceil(DIGITS_PER_TOKEN);
        *letters = 0;
        *digits = 0;
    };
    for character in text.chars() {
        if character.is_ascii_digit() {
            digits += 1;
        } else if character.is_alphabetic() && u32::from(character) < 0x1100 {
            letters += 1;
        } else {
            end(&mut tokens, &mut letters, &mut digits);
            tokens += usize::from(!character.is_whitespace());
        }
    }
    end(&mut tokens, &mut letters, &mut digits);
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_with_the_text() {
        assert_eq!(estimate(""), 0);
        assert_eq!(estimate("   \n"), 0);
        assert_eq!(estimate("hello"), 1);
        assert_eq!(estimate("internationalisation"), 4);
        assert_eq!(estimate("123456"), 2);
        assert_eq!(estimate("서울에 살아요"), 6);
        assert_eq!(estimate("大阪に住んでいます"), 9);
    }
}
