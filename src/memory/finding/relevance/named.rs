//! Somebody whom a question names, and how well facts fit them.

use super::about::About;
use super::wide;

/// What is left of the relevance of a fact that is about somebody else, or about nobody who is asked about.
pub(super) const ELSE: f32 = 0.1;
/// The same of a fact that only mentions the one who is asked about; of one that may mean somebody else of this first name; of one
/// that is not about the user, who asks about themselves.
pub(super) const MENTIONED: f32 = 0.8;
pub(super) const NAMESAKE: f32 = 0.3;
/// The same of a fact about somebody who has the first name of the user, and another last name, where that alone is asked for.
const FIRST_NAME: f32 = 0.5;
pub(super) const OTHERS: f32 = 0.35;
/// The same where nobody is named, and of facts about the user there: Korean, Japanese and Chinese leave "I" out.
pub(super) const NOBODY: f32 = 0.75;
pub(super) const LIKELY_USER: f32 = 0.85;

/// Somebody or something that a question names.
#[derive(Debug)]
pub(super) struct Named {
    /// The names that it may stand for, each as its words.
    pub(super) names: Vec<Vec<String>>,
    /// What it is to the user, if it is named so.
    pub(super) kin: &'static [&'static str],
    pub(super) is_user: bool,
    /// The same in Korean, Japanese and Chinese: names as they stand, and lines of relatives.
    pub(super) wide: Option<(Vec<String>, Vec<usize>)>,
}

impl Named {
    pub(super) fn wide(names: Vec<String>, kin: Vec<usize>) -> Self {
        Self { names: Vec::new(), kin: &[], is_user: false, wide: Some((names, kin)) }
    }

    /// Whether it is somebody else than the user, by name or by what they are to the user.
    pub(super) fn is_another(&self) -> bool {
        !self.is_user && (self.wide.is_some() || !self.names.is_empty() || !self.kin.is_empty())
    }

    /// Whether a text is about somebody's relative of this name.
    pub(super) fn is_called_in(&self, about: &About<'_>) -> bool {
        self.names.iter().any(|name| about.is_called(name))
    }

    /// Whether a text names them, or may do so in another script.
    pub(super) fn is_named_in(&self, about: &About<'_>) -> bool {
        match &self.wide {
            Some((names, kin)) => about.wide.is_empty() || wide::place_of(names, kin, about.wide).is_some(),
            None => {
                let mut names =
                    self.names.iter().flatten().map(String::as_str).chain(self.kin.iter().copied());
                names.any(|name| about.mentions(name))
            }
        }
    }

    /// Whether it is somebody by what they are to the user.
    pub(super) fn is_kin(&self) -> bool {
        !self.kin.is_empty() || self.wide.as_ref().is_some_and(|(_, kin)| !kin.is_empty())
    }

    pub(super) fn fit(&self, about: &About<'_>) -> f32 {
        if let Some((names, kin)) = &self.wide {
            return match wide::place_of(names, kin, about.wide) {
                // In another script they may be called otherwise.
                _ if about.wide.is_empty() => NOBODY,
                Some(true) => 1.0,
                Some(false) => MENTIONED,
                None => 0.0,
            };
        }
        if self.is_user {
            if about.is_of_user {
                return 1.0;
            }
            let by_name = self.names.iter().map(|name| fit(name, about)).fold(0.0, f32::max);
            // "Nora" is the user before she is Nora Jones.
            let is_first = |name: &Vec<String>| matches!(name.as_slice(), [first] if about.given() == first);
            if about.subject_length() > 1 && self.names.iter().any(is_first) {
                return by_name.min(FIRST_NAME);
            }
            return if by_name != ELSE && about.mentions_user() { MENTIONED } else { by_name };
        }
        if !self.kin.is_empty() && about.is_kin(self.kin) {
            return 1.0;
        }
        if self.is_called_in(about) {
            return 1.0;
        }
        self.names.iter().map(|name| fit(name, about)).fold(0.0, f32::max)
    }
}

/// How well a fact fits a name.
fn fit(name: &[String], about: &About<'_>) -> f32 {
    let Some(first) = name.first() else { return 0.0 };
    let in_subject = |word: &String| about.is_of(word);
    if name.iter().all(in_subject) {
        // "Nora" alone may be the user, or Nora Castellan; "Whitfield" alone is a family.
        return 1.0;
    }
    if about.subject_length() == 1 && in_subject(first) {
        // Who is called as the user is has a name of their own there.
        return if about.is_of_user { NAMESAKE } else { 0.9 };
    }
    if in_subject(first) && name.len() > 1 {
        return ELSE;
    }
    if name.iter().all(|word| about.mentions(word)) {
        return MENTIONED;
    }
    match about.mentions(first) && name.len() > 1 {
        true if about.is_namesake(name) => ELSE,
        true => NAMESAKE,
        false => 0.0,
    }
}
