//! Phrases in a short text.

/// Where a phrase stands in a text, in order; places may overlap. Hundreds of phrases are looked for in one question: what
/// [`str::match_indices`] prepares for each takes longer than the looking. Nowhere, for an empty phrase.
///
/// ```
/// use mnemic_core::phrase::starts;
///
/// assert_eq!(starts("to and fro and to", "and").collect::<Vec<_>>(), [3, 11]);
/// ```
pub fn starts<'t>(text: &'t str, phrase: &'t str) -> impl Iterator<Item = usize> + 't {
    let mut from = 0;
    std::iter::from_fn(move || {
        let place = find(text.as_bytes(), phrase.as_bytes(), from)?;
        from = place + 1;
        Some(place)
    })
}

/// Whether a text holds a phrase, which is not empty.
#[must_use]
pub fn holds(text: &str, phrase: &str) -> bool {
    find(text.as_bytes(), phrase.as_bytes(), 0).is_some()
}

#[inline(never)]
fn find(text: &[u8], phrase: &[u8], from: usize) -> Option<usize> {
    let first = phrase.first()?;
    let last = text.len().checked_sub(phrase.len())?;
    let starts = text.get(from..=last)?;
    let is_there = |at: &usize| text.get(*at..).is_some_and(|rest| rest.starts_with(phrase));
    let begins = starts.iter().enumerate().filter(|(_, byte)| *byte == first);
    begins.map(|(at, _)| from + at).find(is_there)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_finds_what_the_standard_library_finds(text in "[abé猫 ]{0,20}", phrase in "[abé猫 ]{1,3}") {
            prop_assert_eq!(starts(&text, &phrase).next(), text.find(&phrase));
            prop_assert_eq!(holds(&text, &phrase), text.contains(&phrase));
            let all: Vec<usize> = (0..text.len()).filter(|at| text.as_bytes()[*at..].starts_with(phrase.as_bytes())).collect();
            prop_assert_eq!(starts(&text, &phrase).collect::<Vec<_>>(), all);
        }
    }

    #[test]
    fn an_empty_phrase_is_nowhere() {
        assert_eq!(starts("a", "").next(), None);
        assert_eq!(starts("", "a").next(), None);
    }
}
