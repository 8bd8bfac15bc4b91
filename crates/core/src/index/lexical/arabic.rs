//! Arabic articles, which are written with their noun, as are the conjunctions and prepositions before them.

/// The article by itself and behind "and", "with", "like", "so" and "for", longest first.
const ARTICLES: [&str; 6] = ["وال", "بال", "كال", "فال", "لل", "ال"];

/// Forms of "father" and "mother" that begin like "and the" and have three letters behind it; shorter ones keep theirs.
const PARENTS: [&str; 5] = ["والدت", "والدين", "والديه", "والدها", "والدنا"];

/// A folded word without its article; the word where fewer than three letters would be left.
pub(super) fn without_article(word: &str) -> &str {
    if !word.starts_with(['ا', 'و', 'ب', 'ك', 'ف', 'ل'])
        || PARENTS.iter().any(|parent| word.starts_with(parent))
    {
        return word;
    }
    let noun = ARTICLES.iter().find_map(|article| word.strip_prefix(article));
    noun.filter(|noun| noun.chars().nth(2).is_some()).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_article_off_and_leaves_words_that_begin_like_it() {
        for (word, noun) in [
            ("الكتاب", "كتاب"),
            ("والبيت", "بيت"),
            ("بالقطار", "قطار"),
            ("للبيت", "بيت"),
            ("الله", "الله"),
            ("والدتي", "والدتي"),
            ("والدي", "والدي"),
            ("والديها", "والديها"),
            ("والدنا", "والدنا"),
            ("والدار", "دار"),
            ("والدكتور", "دكتور"),
            ("الي", "الي"),
            ("كتاب", "كتاب"),
            ("cat", "cat"),
        ] {
            assert_eq!(without_article(word), noun, "{word}");
        }
        assert!(ARTICLES.is_sorted_by_key(|article| std::cmp::Reverse(article.chars().count())));
    }
}
