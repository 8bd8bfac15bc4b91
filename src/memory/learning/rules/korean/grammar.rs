//! Korean particles and endings, whose form depends on the final consonant of what they follow.

use std::borrow::Cow;

/// Whether the last syllable closes with a consonant; anything but Hangul counts as open.
pub(super) fn closed(word: &str) -> bool {
    final_consonant(word) > 0
}

/// The number of the last syllable's final consonant; 0 is none, 8 is rieul.
fn final_consonant(word: &str) -> u32 {
    match word.chars().next_back() {
        Some(last @ '\u{ac00}'..='\u{d7a3}') => (u32::from(last) - 0xac00) % 28,
        _ => 0,
    }
}

fn latin(word: &str) -> bool {
    word.chars().next_back().is_some_and(|last| last.is_ascii_alphanumeric())
}

/// Takes a particle with two forms off a word: the first after a consonant, the second after a vowel.
pub(super) fn strip<'a>(word: &'a str, after_closed: &str, after_open: &str) -> Option<&'a str> {
    let fits = |stem: &&str, wanted: bool| !stem.is_empty() && (closed(stem) == wanted || latin(stem));
    let closed_stem =
        word.strip_suffix(after_closed).filter(|stem| fits(stem, true)).map(|stem| whole(word, stem));
    closed_stem.or_else(|| word.strip_suffix(after_open).filter(|stem| fits(stem, false)))
}

/// Nouns that end in a syllable which looks like the start of a particle: `고양이`, `떡볶이`.
const ENDING_IN_I: &[&str] = &[
    "고양이",
    "볶이",
    "호랑이",
    "거북이",
    "원숭이",
    "어린이",
    "걸이",
    "종이",
    "놀이",
    "송이",
    "덩이",
    "둥이",
    "쟁이",
    "팽이",
    "먹이",
    "받이",
    "풀이",
    "벌이",
    "높이",
    "깊이",
    "부엉이",
    "옹심이",
    "지렁이",
];

/// The stem with the syllable that belongs to it: of `고양이랑`, `고양이` rather than `고양`.
pub(super) fn whole<'a>(word: &'a str, stem: &'a str) -> &'a str {
    let longer = word.get(..stem.len() + '이'.len_utf8());
    longer.filter(|noun| ENDING_IN_I.iter().any(|ending| noun.ends_with(ending))).unwrap_or(stem)
}

/// Takes the object particle off.
pub(super) fn object(word: &str) -> Option<&str> {
    strip(word, "을", "를")
}

/// Takes the topic particle off.
pub(super) fn topic(word: &str) -> Option<&str> {
    strip(word, "은", "는")
}

/// Takes the subject particle off.
pub(super) fn subject(word: &str) -> Option<&str> {
    strip(word, "이", "가")
}

/// Takes "as" off: `으로` after a consonant other than rieul, `로` elsewhere.
pub(super) fn role(word: &str) -> Option<&str> {
    if let Some(stem) = word.strip_suffix("으로") {
        let fits = closed(stem) && final_consonant(stem) != 8;
        return fits.then_some(stem);
    }
    word.strip_suffix("로").filter(|stem| !stem.is_empty() && (!closed(stem) || final_consonant(stem) == 8))
}

/// Takes "and" off, which joins the items of a list.
pub(super) fn and(word: &str) -> Option<&str> {
    strip(word, "이랑", "랑")
        .or_else(|| strip(word, "과", "와"))
        .or_else(|| word.strip_suffix("하고").filter(|stem| !stem.is_empty()))
}

/// Verbs whose stem changes before the noun ending: the adnominal form and the noun.
const NOUN_FORMS: &[(&str, &str)] =
    &[("만드는", "만들기"), ("노는", "놀기"), ("여는", "열기"), ("부는", "불기"), ("파는", "팔기")];

/// Verbs whose adnominal form stands for two verbs.
const AMBIGUOUS: &[&str] = &["사는", "거는", "가는", "나는", "드는"];

/// Turns an adnominal verb (`읽는`) into the noun of its activity (`읽기`).
pub(super) fn activity(verb: &str) -> Option<String> {
    if let Some((adnominal, noun)) = NOUN_FORMS.iter().find(|(form, _)| verb.ends_with(form)) {
        return Some(format!("{}{noun}", verb.strip_suffix(adnominal)?));
    }
    if AMBIGUOUS.contains(&verb) {
        return None;
    }
    verb.strip_suffix("는").filter(|stem| !stem.is_empty()).map(|stem| format!("{stem}기"))
}

/// What follows a noun, which began with a particle behind an open syllable, behind this one.
pub(in crate::memory::learning::rules) fn with_particle<'a>(noun: &str, behind: &'a str) -> Cow<'a, str> {
    let forms = [("는", "은"), ("가", "이")].iter();
    let form =
        forms.filter(|_| closed(noun)).find_map(|(open, closed)| Some((closed, behind.strip_prefix(open)?)));
    form.map_or(Cow::Borrowed(behind), |(closed, rest)| Cow::Owned(format!("{closed}{rest}")))
}

/// Fills a sentence: `{}` is the value; `{을}`, `{이}`, `{로}` are the particles it takes.
pub(super) fn sentence(template: &str, topic: &str, value: &str) -> String {
    let closed = closed(value);
    let role = if closed && final_consonant(value) != 8 { "으로" } else { "로" };
    template
        .replace("{을}", if closed { "을" } else { "를" })
        .replace("{이}", if closed { "이" } else { "가" })
        .replace("{로}", role)
        .replace("{topic}", topic)
        .replace("{}", value)
}
