//! Which messages answer: not a question, nor who says that they do not know, but the reply to the same question.

use super::about::About;
use super::holding::Holding;
use super::named::OTHERS;
use super::question::Question;
use super::{asking, attributes, is_by_user, wide};
use crate::index::lexical::{base_form, is_stop_word};
use crate::lowercase::lowercase;
use crate::memory::finding::turns::{beginning, holds};
use crate::memory::sentence::sentences;
use crate::store::Found;

/// What is left of a question, and of who says that they do not know: neither answers.
pub(super) const UNANSWERED: f32 = 0.1;
/// From how many other words on a question tells as much as a statement: "How do I cook for Ann, who ...".
const TELLS: usize = 5;
/// The least part of what is asked for that a message asks for as well, so that the next one may answer.
const ASKED: f32 = 0.4;
/// How somebody says that they do not know, also in Chinese, Japanese and Korean.
const IGNORANCE: &str = "don't know|do not know|don't have any information|don't have information|haven't mentioned|haven't shared|\
    haven't told|have not told|no idea|not sure|不知道|不清楚|没有告诉|知りません|わかりません|分かりません|모르|몰라";

impl Question {
    /// What is left of a question in a message: next to nothing where it asks for the same, and tells little more.
    pub(super) fn left_of_asking(&self, said: &str) -> f32 {
        let is_wide = wide::is_wide(said);
        let said = if is_wide { asking::without_asking(said) } else { said.to_owned() };
        let (tokens, _) = attributes::tokens_of(&said);
        let mut inside = String::new();
        tokens.iter().for_each(|token| asking::note_inside(token, &mut inside));
        let is_more = |token: &&String| {
            !is_stop_word(token)
                && self.words.get(base_form(token)) == 0
                && !self.names.contains(token)
                && !asking::lies_between(token, &inside)
        };
        // A word more is two pairs of characters, or more.
        let words = if is_wide { 2 } else { 1 };
        match tokens.iter().filter(is_more).count() / words {
            0 | 1 => UNANSWERED,
            more if more < TELLS => OTHERS,
            _ => 1.0,
        }
    }

    /// Which part of what is asked for a question in a message asks for as well, where the next one may answer it; 0 where that is too
    /// little. What the user asks must be the same question: an answer to "How do I get my cat to eat?" does not tell of the cat.
    pub(super) fn answered(&self, asked: &Found<'_>, reply: &Found<'_>) -> f32 {
        let [asks, replies] = [asked, reply].map(|found| beginning(found.record.text.unwrap_or_default()));
        if tells_ignorance(replies) {
            return 0.0;
        }
        let is_by_user = is_by_user(&asked.record);
        let questions = sentences(asks).into_iter().filter(|sentence| sentence.question);
        let coverages = questions.filter_map(|sentence| {
            let said = asks.get(sentence.range).unwrap_or_default();
            let about = About::of(said, &[]);
            let is_same = || self.left_of_asking(said) <= UNANSWERED;
            // What else the message says is not asked.
            let holding = Holding::of(self, said, &about.words);
            (about.is_inquiry() && (!is_by_user || is_same())).then(|| self.covered(&holding).0)
        });
        let coverage = coverages.fold(0.0, f32::max);
        if coverage >= ASKED { coverage } else { 0.0 }
    }
}

/// Whether somebody says that they do not know.
pub(super) fn tells_ignorance(said: &str) -> bool {
    holds(&lowercase(said).replace('\u{2019}', "'"), IGNORANCE)
}
