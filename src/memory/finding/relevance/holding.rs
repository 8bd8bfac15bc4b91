//! What a fact holds of what is asked for: by the numbers of its tokens in the index, or by its text where these do not tell.

use super::attributes::{self, Attributes};
use super::question::Question;
use super::term::{Term, variants};
use super::traditional::simplified;
use super::{tells, tells_elsewhere};
use super::{typo, wide, wide_names};
use crate::index::lexical::{
    LexicalIndex, Role, Words, base_form, forms_of, is_ideograph, is_stop_word, tokenize,
};
use crate::lowercase::lowercase;
use crate::ordered::in_order;
use crate::sort::sorted;

/// The least letters of a word that is a part of another.
const PART: usize = 3;

/// What a fact holds.
pub(super) struct Holding<'a> {
    /// By the number of a word whether it holds the word.
    words: Vec<bool>,
    /// By the place of a term what words of like meaning count for it.
    likes: Vec<f32>,
    pub(super) attributes: Attributes,
    /// Whether it tells where somebody lives by how they came there, and where they work by what they are.
    pub(super) tells_home: bool,
    pub(super) tells_employer: bool,
    /// Whether it tells what somebody works as.
    pub(super) tells_profession: bool,
    /// Of what it names a kind.
    pub(super) kinds: Attributes,
    /// Whether it tells what somebody is called, where that is asked for.
    pub(super) calls: bool,
    tokens: Tokens<'a>,
}

/// The tokens of a fact.
enum Tokens<'a> {
    /// Each with a line end behind it.
    Of(String),
    At(&'a LexicalIndex, u32),
}

impl<'a> Holding<'a> {
    /// What a text holds of what a question asks for.
    pub(super) fn of(question: &Question, text: &str, words: &Words) -> Self {
        let mut found = Self::of_nothing(question, Tokens::Of(String::new()));
        let mut tokens = String::new();
        tokenize(text, |token, role| {
            if question.asked != 0 {
                found.attributes |= attributes::told_by(token);
                found.kinds |= attributes::kind_of_token(token);
            }
            if role == Role::Key {
                found.mark(question.words.get(base_form(token)) as usize);
                if let Some(simple) = question.is_wide.then(|| simplified(token)).flatten() {
                    found.mark(question.words.get(&simple) as usize);
                }
                tokens.extend([token, "\n"]);
            }
            // Also a Chinese character within a longer run.
            for (place, counts) in question.likes().of_token(token) {
                found.note_like(place, counts);
            }
        });
        found.tokens = Tokens::Of(tokens);
        found.speak(question.asked, text, words);
        found
    }

    /// What holds nothing yet.
    fn of_nothing(question: &Question, tokens: Tokens<'a>) -> Self {
        Self {
            words: question.no_words(),
            likes: vec![0.0; question.terms.len()],
            attributes: 0,
            tells_home: false,
            tells_employer: false,
            tells_profession: false,
            kinds: 0,
            calls: true,
            tokens,
        }
    }

    fn mark(&mut self, word: usize) {
        if let Some(word) = self.words.get_mut(word) {
            *word = true;
        }
    }

    fn note_like(&mut self, place: usize, counts: f32) {
        if let Some(most) = self.likes.get_mut(place) {
            *most = most.max(counts);
        }
    }

    /// What words of like meaning to the term at a place count.
    pub(super) fn holds_like(&self, place: usize) -> f32 {
        self.likes.get(place).copied().unwrap_or_default()
    }

    /// Takes in what it speaks of in other ways than by its tokens.
    fn speak(&mut self, asked: Attributes, text: &str, words: &Words) {
        if asked != 0 {
            let lower = lowercase(text);
            self.attributes |= attributes::of_phrases(&lower, asked);
            self.kinds |= attributes::kinds_of_phrases(&lower, asked);
        }
        self.tells_home = asked & attributes::HOME != 0 && tells::tells_home(words);
        if asked & attributes::WORK != 0 && tells::tells_work(words) {
            self.attributes |= attributes::WORK;
            self.tells_employer = tells::tells_employer(words);
            self.tells_profession = tells::tells_profession(words);
        }
        for attribute in [attributes::READING, attributes::CAR, attributes::KEYS] {
            if asked & self.attributes & attribute != 0
                && text.is_ascii()
                && !tells::tells_things(words, attribute)
            {
                self.attributes &= !attribute;
            }
        }
        if wide::is_wide(text) {
            self.tells_home |= asked & attributes::HOME != 0 && tells_elsewhere::tells_home(text);
            let work = if tells_elsewhere::tells_work(text) { attributes::WORK } else { 0 };
            let origin = if tells_elsewhere::tells_origin(text) { attributes::origin() } else { 0 };
            self.attributes |= asked & (work | origin);
        }
        if asked & attributes::NAME != 0 && text.is_ascii() && !tells::calls(words) {
            self.calls = false;
            self.attributes &= !attributes::NAME;
        }
        // A pet with a capital is in a title: "Slow Horses".
        if asked & attributes::PETS != 0 && self.kinds & attributes::PETS != 0 && !tells::has_pet(words) {
            self.kinds &= !attributes::PETS;
        }
        if asked & attributes::NAME != 0 && (tells::tells_name(words) || wide_names::calls_by_name(text)) {
            self.attributes |= attributes::NAME;
        }
        if asked & attributes::MEDICINE != 0 && tells::tells_medicine(words) {
            self.attributes |= attributes::MEDICINE;
        }
        // Who speaks Dutch need not be Dutch.
        if tells::tells_language(words) {
            self.kinds &= !attributes::nationality();
        }
        if asked & attributes::AGE != 0 && tells::tells_age(words) {
            self.attributes |= attributes::AGE;
        }
    }

    /// Whether it holds a term, in whatever form.
    pub(super) fn holds(&self, term: &Term) -> bool {
        term.word > 0 && self.words.get(term.word).copied().unwrap_or_default()
    }

    /// Whether it holds a word of which a term is a typing error.
    pub(super) fn holds_mistyped(&self, term: &Term) -> bool {
        self.has_token(|token| typo::is_typo(&term.token, token))
    }

    /// Whether it holds a word that a term is a part of, or the other way round: "peanuts" and "nuts".
    pub(super) fn holds_part(&self, term: &Term) -> bool {
        let is_part = |one: &str, other: &str| one.len() >= PART && other.ends_with(one);
        self.has_token(|token| is_part(&term.token, token) || is_part(token, &term.token))
    }

    fn has_token(&self, is: impl Fn(&str) -> bool) -> bool {
        match &self.tokens {
            Tokens::Of(tokens) => tokens.lines().any(is),
            Tokens::At(index, document) => index.terms_of(*document).into_iter().flatten().any(|number| {
                let token = index.token(number);
                is(token) && !is_stop_word(token)
            }),
        }
    }
}

/// What tokens of an index mean for a question.
pub(super) struct Marks<'a> {
    question: &'a Question,
    index: &'a LexicalIndex,
    /// The numbers of the tokens, in order, with the word that each is and what it speaks of.
    marks: Vec<(u32, usize, [Attributes; 2])>,
    /// The numbers of words of like meaning, in order, with the places of the terms and what they count.
    likes: Vec<(u32, usize, f32)>,
    /// Tokens that a text may hold without being looked for in it.
    unsure: Vec<u32>,
}

impl<'a> Marks<'a> {
    pub(super) fn of(question: &'a Question, index: &'a LexicalIndex) -> Self {
        let mut marks: Vec<(u32, usize, [Attributes; 2])> = Vec::new();
        let mut unsure = Vec::new();
        for term in &question.terms {
            let forms = forms_of(&term.token).iter().map(String::as_str);
            for form in variants(&term.token) {
                let word = question.words.get(base_form(&form)) as usize;
                let others = forms_of(&form).iter().map(String::as_str);
                let numbers = others.chain([form.as_str()]).filter_map(|form| index.term(form));
                marks.extend(numbers.map(|number| (number, word, [0; 2])));
            }
            for number in forms.chain([term.token.as_str()]).filter_map(|token| index.term(token)) {
                marks.push((number, term.word, [0; 2]));
            }
            // A Chinese character is a token of each word that it is in, but there it is not looked for.
            if term.token.chars().all(is_ideograph) && term.token.chars().nth(1).is_none() {
                unsure.extend(index.term(&term.token));
            }
        }
        for (token, attributes) in attributes::tokens_that_tell(question.asked) {
            marks.extend(index.term(token).map(|number| (number, 0, attributes)));
        }
        let marks = in_order(marks);
        let likes = question.likes().all();
        let likes: Vec<(u32, usize, f32)> =
            likes.filter_map(|(word, place, counts)| Some((index.term(word)?, place, counts))).collect();
        let likes = sorted(&likes, |one, other| (one.0, one.1).cmp(&(other.0, other.1)));
        let likes = likes.into_iter().copied().collect();
        Self { question, index, marks, likes, unsure }
    }

    /// What a document with a text holds.
    pub(super) fn holding(&self, (document, text): (u32, &str), words: &Words) -> Holding<'a> {
        let Self { question, index, marks, likes, unsure } = self;
        let numbers = index.terms_of(document);
        // Only its text tells what it holds in other characters than the question.
        let is_other = question.is_wide && (question.is_traditional || simplified(text).is_some());
        let Some(numbers) = numbers.filter(|_| !is_other) else { return Holding::of(question, text, words) };
        let tokens = Tokens::At(index, document);
        let mut found = Holding::of_nothing(question, tokens);
        for number in numbers {
            if unsure.contains(&number) {
                return Holding::of(question, text, words);
            }
            let at = marks.partition_point(|(other, ..)| *other < number);
            let own = marks.get(at..).unwrap_or_default().iter().take_while(|(other, ..)| *other == number);
            for (_, word, [attributes, kinds]) in own {
                found.mark(*word);
                found.attributes |= attributes;
                found.kinds |= kinds;
            }
            let at = likes.partition_point(|(other, ..)| *other < number);
            let own = likes.get(at..).unwrap_or_default().iter().take_while(|(other, ..)| *other == number);
            for (_, place, counts) in own {
                found.note_like(*place, *counts);
            }
        }
        found.speak(question.asked, text, words);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::about::About;
    use super::*;

    const TEXTS: &[&str] = &[
        "The user lives in a flat near the harbour of Porto",
        "Ana grew up in Falmouth and met Bo in Rome",
        "Tom doesn't eat meat any more, and can't stand olives",
        "Tom's brother drove the old green van to work",
        "用户的妻子苏婉清是护士",
        "用户喜欢小猫",
        "사용자는 부산에서 고양이와 산다",
        "ユーザーは猫が好きだ",
    ];
    const QUESTIONS: &[&str] = &[
        "Where do I live these days?",
        "Where did Ana meet Bo?",
        "Does Tom eat meet or olivs?",
        "What does my brother drive for a living?",
        "猫",
        "我的妻子是做什么的？",
        "고양이 있어?",
        "harbor or harbuor of porto, grwe up",
        "Who is the driver?",
    ];

    #[test]
    fn the_index_tells_what_the_text_tells() {
        let mut index = LexicalIndex::default();
        for (document, text) in (0..).zip(TEXTS) {
            index.insert(document, text);
        }
        let abouts: Vec<About<'_>> = TEXTS.iter().map(|text| About::of(text, &[])).collect();
        let read: Vec<&About<'_>> = abouts.iter().collect();
        let (mut held, mut alike) = (0, 0);
        for asked in QUESTIONS {
            let question =
                Question::of(asked, index.read(asked).wanted(), Some(false), Some(&read), Vec::new());
            let marks = Marks::of(&question, &index);
            for ((document, text), about) in (0..).zip(TEXTS).zip(&abouts) {
                let by_index = marks.holding((document, text), &about.words);
                let by_text = Holding::of(&question, text, &about.words);
                let asked_of =
                    |fact: &Holding<'_>| [fact.attributes & question.asked, fact.kinds & question.asked];
                assert_eq!(asked_of(&by_index), asked_of(&by_text), "{asked}: {text}");
                for (place, term) in question.terms.iter().enumerate() {
                    let told = |fact: &Holding<'_>| {
                        (fact.holds(term), fact.holds_mistyped(term), fact.holds_like(place))
                    };
                    assert_eq!(told(&by_index), told(&by_text), "{asked}: {text}: {}", term.token);
                    held += usize::from(by_text.holds(term));
                    alike += usize::from(by_text.holds_like(place) > 0.0);
                }
            }
        }
        assert!(held >= 10 && alike >= 3, "{held}, {alike}");
    }

    #[test]
    fn of_a_long_question_few_words_are_taken_for_typing_errors() {
        let mut index = LexicalIndex::default();
        index.insert(0, TEXTS[0]);
        let unknown: String =
            (0..super::super::term::MAX_MISTYPED).map(|number| format!("xq{number} ")).collect();
        for (asked, is_told) in [("harbuor".to_owned(), true), (unknown + "harbuor", false)] {
            let question = Question::of(&asked, index.read(&asked).wanted(), None, None, Vec::new());
            let term = question.terms.last().unwrap();
            assert_eq!((term.token.as_str(), term.is_doubtful), ("harbuor", is_told));
        }
    }
}
