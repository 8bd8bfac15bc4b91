//! Typing errors: one letter too few, too many or another, or two in the wrong order.

/// The most bytes of a word that is looked at.
const LONGEST: usize = 32;

/// From how many letters on a word may have another letter, or end in one more: shorter ones are other words then, as "side" and
/// "size" or "plan" and "plane" are.
const LONG: usize = 7;

/// Whether a word is another one with a typing error: one in words of four letters or more, two in one of eight or more. The first
/// letters are the same. A word is not looked at when it is longer than words are.
pub(super) fn is_typo(word: &str, known: &str) -> bool {
    if first(word) != first(known) {
        return false;
    }
    let length = word.len().max(known.len());
    let most = match (word.len().min(known.len()), length) {
        (0..4, _) => 0,
        (_, 4..8) => 1,
        _ => 2,
    };
    if known.is_ascii() && word.len().abs_diff(known.len()) > most {
        return false;
    }
    let is_another = length < LONG
        && (word.starts_with(known)
            || known.starts_with(word)
            || word.len() == known.len() && !is_swap(word, known));
    most > 0 && length <= LONGEST && !is_another && word.is_ascii() && distance(word, known) <= most
}

/// The same of a name: one error in five letters or more, and none that only ends in another letter, as Helena and Helen do.
pub(super) fn is_name_typo(word: &str, known: &str) -> bool {
    let is_beginning = word.starts_with(known) || known.starts_with(word);
    !is_beginning
        && word.len().min(known.len()) >= 4
        && (5..=LONGEST).contains(&word.len().max(known.len()))
        && first(word) == first(known)
        && distance(word, known) <= 1
}

/// Whether two words of one length differ by two letters in the wrong order alone.
fn is_swap(word: &str, known: &str) -> bool {
    let differ = |(one, other): (u8, u8)| (one != other).then_some([one, other]);
    let mut different = word.bytes().zip(known.bytes()).filter_map(differ);
    match [different.next(), different.next(), different.next()] {
        [Some([a, b]), Some([c, d]), None] => a == d && b == c,
        _ => false,
    }
}

fn first(word: &str) -> Option<char> {
    word.chars().next()
}

/// How many errors lie between two words.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let width = other.len() + 1;
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..width).collect();
    for (row, a) in one.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, b) in other.iter().enumerate() {
            let at = |line: &[usize], place: usize| line.get(place).copied().unwrap_or(usize::MAX / 2);
            let mut least = (at(&last, column) + usize::from(a != b))
                .min(at(&last, column + 1) + 1)
                .min(at(&next, column) + 1);
            let swapped =
                row > 0 && column > 0 && one.get(row - 1) == Some(b) && other.get(column - 1) == Some(a);
            if swapped {
                least = least.min(at(&before, column - 1) + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut last, next);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_told_from_other_words() {
        for (word, known) in [("allergc", "allerg"), ("birhtday", "birthday"), ("whitfeild", "whitfield")] {
            assert!(is_typo(word, known), "{word}");
        }
        for (word, other) in [("side", "size"), ("plane", "plan"), ("lock", "look"), ("bank", "back")] {
            assert!(!is_typo(word, other), "{word}");
        }
        assert!(is_typo("trun", "turn") && is_typo("seson", "season") && is_typo("relavant", "relevant"));
        assert!(!is_typo("cat", "car") && !is_typo("house", "horse1") && !is_typo("bristol", "pistol"));
        assert!(is_name_typo("castelan", "castellan") && !is_name_typo("helena", "helen"));
        assert!(!is_name_typo("maya", "mia") && !is_name_typo("beatrice", "beatrix"));
    }
}
