//! Lists of words in one text, with a space between each two.

/// Whether a word is one of a list. Facts and queries are asked so many times; it takes half the time of `str::split`.
#[must_use]
#[inline(never)]
pub fn among(list: &str, word: &str) -> bool {
    let mut rest = list.as_bytes();
    loop {
        // Most words differ at once; comparing more is a call.
        if rest.first() == word.as_bytes().first()
            && let Some([] | [b' ', ..]) = rest.strip_prefix(word.as_bytes())
        {
            // Two words that follow one another are no word.
            return !word.contains(' ');
        }
        let Some(end) = rest.iter().position(|byte| *byte == b' ') else { return false };
        rest = rest.get(end + 1..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole() {
        let list = "am are 是 being";
        assert!(["am", "are", "是", "being"].into_iter().all(|word| among(list, word)));
        assert!(["a", "m", "re", "be", "", "am are", "beings"].into_iter().all(|word| !among(list, word)));
    }
}
