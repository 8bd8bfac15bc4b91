//! What the model says of pages that move: which go on with what, what they are about, and under which themes.

use crate::error::Result;
use crate::json::Complaint;
use crate::memory::pages::{CHAIN_CHARACTERS, SUMMARY_CHARACTERS, clipped, kept};
use crate::schema::{Schema, Violation};
use serde::Deserialize;
use serde_json::Value;

/// An answer that passed its checks.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Answer {
    pub(super) pages: Vec<PageAnswer>,
    pub(super) themes: Vec<Theme>,
}

/// What is said of one page.
#[derive(Debug, Default, Deserialize)]
pub(super) struct PageAnswer {
    /// Its number, from 1.
    pub(super) page: usize,
    /// Whether it goes on with what the page before it was about.
    pub(super) continues: bool,
    pub(super) chain: String,
    pub(super) keywords: Vec<String>,
    /// The number of its theme, from 1.
    pub(super) theme: usize,
}

/// A theme of some pages.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Theme {
    /// The number of the known segment of the same topic; its summary is of both then.
    #[serde(default)]
    pub(super) segment: Option<usize>,
    pub(super) summary: String,
}

/// The shape of an answer. Whatever is too long is cut, so no length is refused.
pub(super) fn schema() -> Result<Schema> {
    Schema::of_text(
        r#"{
            "type": "object",
            "required": ["pages", "themes"],
            "properties": {
                "pages": { "type": "array", "items": {
                    "type": "object",
                    "required": ["page", "continues", "chain", "keywords", "theme"],
                    "properties": {
                        "page": { "type": "integer", "minimum": 1 },
                        "continues": { "type": "boolean" },
                        "chain": { "type": "string", "minLength": 1 },
                        "keywords": { "type": "array", "items": { "type": "string" } },
                        "theme": { "type": "integer", "minimum": 1 }
                    }
                } },
                "themes": { "type": "array", "items": {
                    "type": "object",
                    "required": ["summary"],
                    "properties": {
                        "segment": { "type": ["integer", "null"], "minimum": 1 },
                        "summary": { "type": "string", "minLength": 1 }
                    }
                } }
            }
        }"#,
    )
}

impl Answer {
    pub(super) fn read(answer: &Value) -> std::result::Result<Self, Complaint> {
        let mut read: Self = crate::json::from_value(answer.clone())?;
        for page in &mut read.pages {
            page.chain = clipped(&page.chain, CHAIN_CHARACTERS);
            page.keywords = kept(&page.keywords);
        }
        for theme in &mut read.themes {
            theme.summary = clipped(&theme.summary, SUMMARY_CHARACTERS);
        }
        Ok(read)
    }

    /// What the schema cannot say: that every page is there once, and nothing is named that is not.
    pub(super) fn refused(answer: &Value, pages: usize, segments: usize) -> Vec<Violation> {
        let Ok(read) = Self::read(answer) else {
            return vec![Violation::new("".to_owned(), "the answer is not readable".to_owned())];
        };
        let mut wrong = Vec::new();
        for number in 1..=pages {
            let times = read.pages.iter().filter(|page| page.page == number).count();
            if times != 1 {
                wrong.push(Violation::new(
                    "/pages".to_owned(),
                    format!("page {number} stands there {times} times; name each page once"),
                ));
            }
        }
        for page in &read.pages {
            let number = page.page;
            if number > pages {
                wrong.push(Violation::new(
                    "/pages".to_owned(),
                    format!("there is no page {number}; there are {pages}"),
                ));
            }
            if page.theme > read.themes.len() {
                let (theme, themes) = (page.theme, read.themes.len());
                wrong.push(Violation::new(
                    "/pages".to_owned(),
                    format!("page {number} has the theme {theme}; there are {themes} themes"),
                ));
            }
            if page.keywords.is_empty() || page.chain.is_empty() {
                wrong.push(Violation::new(
                    "/pages".to_owned(),
                    format!("page {number} needs keywords and a chain"),
                ));
            }
        }
        for theme in &read.themes {
            if let Some(segment) = theme.segment.filter(|segment| *segment > segments) {
                wrong.push(Violation::new(
                    "/themes".to_owned(),
                    format!("there is no segment {segment}; there are {segments}; use null"),
                ));
            }
            if theme.summary.is_empty() {
                wrong.push(Violation::new("/themes".to_owned(), "a summary is empty; write it".to_owned()));
            }
        }
        wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn page(page: usize, theme: usize) -> Value {
        json!({ "page": page, "continues": false, "chain": "About tea.", "keywords": ["tea"], "theme": theme })
    }

    fn complaints(pages: &[Value], themes: &[Value]) -> String {
        let answer = json!({ "pages": pages, "themes": themes });
        assert!(schema().unwrap().validate(&answer).is_empty(), "{answer}");
        let violations = Answer::refused(&answer, 2, 1);
        violations.into_iter().map(|violation| violation.message).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn only_what_was_shown_may_be_named() {
        let theme = json!({ "segment": 1, "summary": "Tea." });
        assert_eq!(complaints(&[page(1, 1), page(2, 1)], std::slice::from_ref(&theme)), "");
        for (pages, themes, wrong) in [
            (vec![page(1, 1)], vec![theme.clone()], "page 2 stands there 0 times"),
            (vec![page(1, 1), page(1, 1), page(2, 1)], vec![theme.clone()], "page 1 stands there 2 times"),
            (vec![page(1, 1), page(2, 1), page(9, 1)], vec![theme.clone()], "no page 9"),
            (vec![page(1, 1), page(2, 4)], vec![theme.clone()], "page 2 has the theme 4"),
            (vec![page(1, 1), page(2, 1)], vec![json!({ "segment": 7, "summary": "Tea." })], "no segment 7"),
            (vec![page(1, 1), page(2, 1)], vec![json!({ "summary": " " })], "a summary is empty"),
            (vec![], vec![], "page 1 stands there 0 times"),
        ] {
            let told = complaints(&pages, &themes);
            assert!(told.contains(wrong), "{told}");
        }
        let mut blank = page(1, 1);
        blank["keywords"] = json!([" "]);
        assert!(complaints(&[blank, page(2, 1)], &[theme]).contains("page 1 needs keywords"));
    }

    #[test]
    fn what_is_too_long_is_cut() {
        let many: Vec<String> = (0..1000).map(|number| format!("word{number}")).collect();
        let mut long = page(1, 1);
        (long["keywords"], long["chain"]) = (json!(many), json!("x".repeat(100_000)));
        let answer = json!({ "pages": [long], "themes": [{ "summary": "y".repeat(100_000) }] });
        assert!(Answer::refused(&answer, 1, 0).is_empty());
        let read = Answer::read(&answer).unwrap();
        assert_eq!((read.pages[0].keywords.len(), read.pages[0].chain.chars().count()), (8, 301));
        assert_eq!(read.themes[0].summary.chars().count(), 601);
    }
}
