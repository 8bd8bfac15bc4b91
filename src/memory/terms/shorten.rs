//! Shortening texts to a number of tokens. Pure.

use crate::memory::counter::Counter;

/// How many bytes of a text are tried per token at first.
const BYTES_PER_TOKEN: usize = 4;
/// How many bytes of a text are shown per token at most.
pub(crate) const MOST_BYTES_PER_TOKEN: usize = 16;

/// The longest beginning of a text for which `fits` holds, found by halving; empty when not even one character does.
fn beginning<'a>(text: &'a str, guess: usize, fits: &dyn Fn(&str) -> bool) -> &'a str {
    let until = |bytes: usize| text.split_at(text.floor_char_boundary(bytes.min(text.len()))).0;
    let (mut low, mut high) = (0, guess.max(BYTES_PER_TOKEN));
    while high < text.len() && fits(until(high)) {
        low = high;
        high *= 2;
    }
    high = high.min(text.len());
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if fits(until(middle)) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    until(low)
}

/// The longest beginning of a text with so many tokens at most.
pub(crate) fn cut<'a>(text: &'a str, tokens: usize, counter: &Counter) -> &'a str {
    beginning(text, tokens * BYTES_PER_TOKEN, &|part| counter.count(part) <= tokens)
}

/// A text as `shape` shows it, with so many tokens and 16 times as many bytes of it at most: its beginning, and that it is one,
/// where the whole has more. Without anything of the text when `shape` alone has more.
pub(crate) fn shaped(text: &str, tokens: usize, counter: &Counter, shape: &dyn Fn(&str) -> String) -> String {
    // What some counters take for few tokens, such as spaces, is not let through without end.
    let most_bytes = tokens.saturating_mul(MOST_BYTES_PER_TOKEN);
    if text.len() <= most_bytes {
        let whole = shape(text);
        if counter.count(&whole) <= tokens {
            return whole;
        }
    }
    let all = text.chars().count();
    let marked = |part: &str| {
        let shown = part.chars().count();
        shape(&format!("{part} [shortened: the first {shown} of {all} characters]"))
    };
    let fits = |part: &str| part.len() <= most_bytes && counter.count(&marked(part)) <= tokens;
    let part = beginning(text, tokens * BYTES_PER_TOKEN, &fits);
    if part.is_empty() { shape("[shortened]") } else { marked(part) }
}

/// A text with so many tokens at most.
pub(crate) fn shortened(text: &str, tokens: usize, counter: &Counter) -> String {
    shaped(text, tokens, counter, &str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_shortened_fits(text in "(\\PC|[a-z]{1,8} |[가-힣]|\n){0,400}", tokens in 20..200usize) {
            let counter = Counter::default();
            let short = shortened(&text, tokens, &counter);
            prop_assert!(counter.count(&short) <= tokens);
            if counter.count(&text) <= tokens {
                prop_assert_eq!(short, text);
            }
        }

        #[test]
        fn a_cut_is_a_long_beginning(text in "([a-z]{1,8} |[가-힣]){0,200}", tokens in 0..60usize) {
            let counter = Counter::default();
            let part = cut(&text, tokens, &counter);
            prop_assert!(text.starts_with(part));
            prop_assert!(counter.count(part) <= tokens);
            prop_assert!(part == text || counter.count(part) + 8 >= tokens);
        }
    }
}
