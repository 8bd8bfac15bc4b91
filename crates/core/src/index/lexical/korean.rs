//! Korean particles: the endings that mark a noun's place in the sentence.

/// Common particles, longest first so that the longest one is taken.
const PARTICLES: &str = "에서는 으로는 에게서 한테서 까지는 부터는 이라고 에서 에게 으로 까지 부터 하고 한테 처럼 보다 마다 조차 밖에 이랑 \
    라고 께서 에는 에도 은 는 이 가 을 를 에 의 도 로 와 과 만 랑";

/// The word without its particle; `None` when it has none, or is nothing else.
#[must_use]
pub fn without_particle(word: &str) -> Option<&str> {
    PARTICLES.split(' ').find_map(|particle| word.strip_suffix(particle)).filter(|noun| !noun.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_longest_particle() {
        assert_eq!(without_particle("학교에서는"), Some("학교"));
        assert_eq!(without_particle("고양이가"), Some("고양이"));
        assert_eq!(without_particle("는"), None);
        assert_eq!(without_particle("학생"), None);
        assert!(
            PARTICLES.split(' ').is_sorted_by_key(|particle| std::cmp::Reverse(particle.chars().count()))
        );
    }
}
