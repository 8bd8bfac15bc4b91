use super::Pattern;
use proptest::prelude::*;

fn matches(pattern: &str, text: &str) -> bool {
    Pattern::compile(pattern).unwrap_or_else(|reason| panic!("{pattern}: {reason}")).is_match(text)
}

#[test]
fn texts_match_as_in_ecmascript() {
    for (pattern, text, expected) in [
        ("a+", "xaay", true),
        ("^a*$", "aaa", true),
        ("^a*$", "aab", false),
        ("^(?:ab|c|)$", "", true),
        ("^(a|b)*c$", "abbac", true),
        ("^(?:a?){3}a{3}$", "aaa", true),
        ("^(?:)*$", "a", false),
        ("^(?:a*)*b", "aaab", true),
        ("^a{2,3}$", "aaaa", false),
        ("^a{2,}?$", "aaaa", true),
        ("^a{,2}$", "a{,2}", true),
        ("^x{a}$", "x{a}", true),
        ("^[\\w-]+$", "a-b", true),
        ("^[a-]$", "-", true),
        ("^[^]$", "\n", true),
        ("[]", "a", false),
        ("^.$", "\n", false),
        ("^[\\b]$", "\u{8}", true),
        ("\\bfoo\\b", "a foo b", true),
        ("\\bfoo\\b", "afoo", false),
        ("\\Boo", "foo", true),
        ("^\\d$", "\u{9ea}", false),
        ("^\\s$", "\u{feff}", true),
        ("^\\s$", "\u{85}", false),
        ("^\\u00e9$", "\u{e9}", true),
        ("^\\u{1f600}$", "\u{1f600}", true),
        ("^\\ud83d\\ude00$", "\u{1f600}", true),
        ("^[\\ud83d\\ude00-\\u{1f64f}]$", "\u{1f601}", true),
        ("^\\ca\\x41\\/\\-\\0$", "\u{1}A/-\0", true),
        ("^\\p{L}+$", "Stra\u{df}e\u{ac00}", true),
        ("^\\p{L}$", "\u{2160}", false),
        ("^\\P{L}$", "1", true),
        ("^(?<year>\\d{4})$", "2026", true),
        ("^(?!ab)a", "ab", false),
        ("^(?!ab)a", "ac", true),
        ("^(?=.*\\d)(?=.*[a-z]).{4,}$", "abc1", true),
        ("^(?=.*\\d)(?=.*[a-z]).{4,}$", "abcd", false),
        ("^(?=(?!.*b)a)", "aac", true),
        ("^(?=(?!.*b)a)", "aab", false),
        ("a(?!b)", "abac", true),
        ("$(?=x)", "x", false),
    ] {
        assert_eq!(matches(pattern, text), expected, "{pattern} on {text:?}");
    }
}

/// Zod prints this look-ahead for every e-mail address.
#[test]
fn the_email_pattern_of_a_common_generator_works() {
    let pattern =
        r"^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$";
    for (text, expected) in [
        ("ada@example.org", true),
        (".ada@example.org", false),
        ("a..b@example.org", false),
        ("ada@org", false),
    ] {
        assert_eq!(matches(pattern, text), expected, "{text}");
    }
}

#[test]
fn what_is_not_supported_or_malformed_is_refused_with_a_reason() {
    for (pattern, reason) in [
        ("(?<=a)b", "looks behind"),
        ("(?<!a)b", "looks behind"),
        ("(a)\\1", "refers back"),
        ("(?<n>a)\\k<n>", "refers back"),
        ("(?i)a", "starts with (?"),
        ("\\p{Lu}", "Unicode property"),
        ("a)", "not open"),
        ("(a", "not closed"),
        ("[a", "not closed"),
        ("a**", "cannot be repeated"),
        ("*a", "repeats nothing"),
        ("^*", "cannot be repeated"),
        ("[z-a]", "before its start"),
        ("a{3,2}", "before its start"),
        ("\\", "backslash"),
        ("\\a", "unknown escape"),
        ("\\u12", "without its digits"),
        ("\\u{110000}", "not a code point"),
        ("a{10001}", "maxLength"),
        ("((a{100}){100}){100}", "steps"),
        ("((){10000}){10000}", "steps"),
    ] {
        let refused = Pattern::compile(pattern).err().unwrap_or_else(|| panic!("{pattern} was taken"));
        assert!(refused.contains(reason), "{pattern}: {refused}");
    }
    assert!(Pattern::compile(&"(".repeat(8000)).is_err());
    assert!(Pattern::compile(&"a".repeat(9000)).is_err());
}

/// Backtracking engines take exponential time for these; the work here is steps times characters.
#[test]
fn notorious_patterns_take_linear_time() {
    let text = "a".repeat(20_000);
    assert!(!matches("^(a+)+$", &format!("{text}!")));
    assert!(!matches("^(a|a)*$", &format!("{text}!")));
    assert!(!matches("^(?=(?=(a*)*b)c)", &text));
}

proptest! {
    /// The oracle is another engine; the expressions are those that mean the same to both.
    #[test]
    fn matching_agrees_with_another_engine(
        pattern in r"(\^)?([ab.]|[ab]\*|\(a\|b\)\+|\[\^a\]|\(b\?\)\*|\\b|a\{1,2\}|\(\?:ab\)\{2,\}|\||\\w|c\?\?){1,6}(\$)?",
        text in "[abc .]{0,8}",
    ) {
        let oracle = regex::Regex::new(&pattern).unwrap();
        prop_assert_eq!(matches(&pattern, &text), oracle.is_match(&text), "{} on {:?}", pattern, text);
    }

    #[test]
    fn letters_agree_with_another_engine(character in any::<char>()) {
        let known = regex::Regex::new(r"^\P{Cn}$").unwrap().is_match(&character.to_string());
        for property in ["L", "N", "ASCII"] {
            let pattern = format!(r"^\p{{{property}}}$");
            let oracle = regex::Regex::new(&pattern).unwrap().is_match(&character.to_string());
            prop_assert!(!known || matches(&pattern, &character.to_string()) == oracle, "{} {:?}", property, character);
        }
    }

    #[test]
    fn no_expression_panics(pattern in r"[\\()\[\]{}^$|*+?.:=!<>,a-z0-9-]{0,24}", text in ".{0,12}") {
        if let Ok(compiled) = Pattern::compile(&pattern) {
            let _ = compiled.is_match(&text);
        }
    }
}
