//! What a scope calls its things: words that no other scope has.

use regex::Regex;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A word for names and one for contents, of each scope, all of one length, and the last for what is nowhere.
const WORDS: [(&str, &str); 6] = [
    ("quokka", "zarvix"),
    ("wombat", "yelmop"),
    ("numbat", "xudrek"),
    ("galago", "wiftol"),
    ("jerboa", "vombag"),
    ("tenrec", "utzelp"),
];

/// Scopes that are easily taken for one another.
const SCOPES: [&str; 12] = [
    r#"{"userId":"a"}"#,
    r#"{"userId":"a","agentId":"b"}"#,
    r#"{"userId":"a","agentId":"b","sessionId":"c"}"#,
    r#"{"userId":"a","sessionId":"b"}"#,
    r#"{"agentId":"a"}"#,
    r#"{"userId":"A"}"#,
    r#"{"userId":"a "}"#,
    r#"{"userId":"a\",\"agentId\":\"b"}"#,
    r#"{"userId":"a\u0000"}"#,
    r#"{"__proto__":"a"}"#,
    r#"{"userId":"ａ"}"#,
    r#"{"userId":"{\"userId\":\"a\"}"}"#,
];

/// How many scopes there are to choose from.
pub(super) const CHOICES: usize = SCOPES.len();
/// How many scopes a memory may have here.
pub(super) const MOST: usize = WORDS.len() - 1;

/// A scope with its names and ids.
#[derive(Debug, Clone)]
pub(super) struct Names {
    pub(super) scope: &'static str,
    /// In what its things are called.
    pub(super) name: &'static str,
    /// In what they say.
    pub(super) secret: &'static str,
    /// Its ids, by what they are of.
    pub(super) ids: BTreeMap<String, Vec<String>>,
}

impl Names {
    /// The scope of a number with the words of a place.
    pub(super) fn new(choice: usize, place: usize) -> Self {
        let (name, secret) = WORDS[place];
        Self { scope: SCOPES[choice % CHOICES], name, secret, ids: BTreeMap::new() }
    }

    /// Names that nothing has: as many ids of the same things as in `like`.
    pub(super) fn of_nothing(like: &Self) -> Self {
        let mut number = 0u64;
        let mut ids = like.ids.clone();
        for id in ids.values_mut().flatten() {
            number += 1;
            *id = format!("01900000-0000-7000-8000-{number:012x}");
        }
        let (name, secret) = WORDS[MOST];
        Self { scope: "", name, secret, ids }
    }

    /// Something called so: the word of the scope with what tells it apart.
    pub(super) fn called(&self, what: &str) -> String {
        format!("{}-{what}", self.name)
    }

    /// Something said.
    pub(super) fn says(&self, what: &str) -> String {
        format!("{} {what}", self.secret)
    }

    /// The first id of a kind; one that nothing has when there is none.
    pub(super) fn id(&self, kind: &str) -> &str {
        let ids = self.ids.get(kind);
        ids.and_then(|ids| ids.first()).map_or("01900000-0000-7000-8000-ffffffffffff", String::as_str)
    }

    /// All ids.
    pub(super) fn all_ids(&self) -> impl Iterator<Item = &str> {
        self.ids.values().flatten().map(String::as_str)
    }

    /// Whether a text tells of this scope: a word or an id of it.
    pub(super) fn told_in(&self, text: &str) -> Option<String> {
        let lower = text.to_ascii_lowercase();
        let words = [self.name, self.secret];
        let word = words.into_iter().chain(self.all_ids()).find(|word| lower.contains(*word));
        word.map(str::to_owned)
    }

    /// The same text for whoever's names: each name and id in its place, and what is new or a time, a score or a count of bytes
    /// without its value.
    pub(super) fn anonymous(&self, text: &str) -> String {
        let mut text = text.to_ascii_lowercase();
        for (number, id) in self.all_ids().enumerate() {
            let id = &id.to_ascii_lowercase();
            text = text
                .replace(id, &format!("<id {number}>"))
                .replace(&id.replace('-', ""), &format!("<id {number}>"));
        }
        text = text.replace(self.name, "<name>").replace(self.secret, "<secret>");
        static PATTERNS: OnceLock<Vec<(Regex, &str)>> = OnceLock::new();
        let patterns = PATTERNS.get_or_init(|| {
            let patterns = [
                ("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "<new>"),
                (r"\d{4}-\d\d-\d\d(?:[t ][\d:.]+z?)?", "<time>"),
                (r"\d{13,}", "<time>"),
                (r"\d+\.\d+(?:e-?\d+)?", "<score>"),
            ];
            patterns.map(|(pattern, stand)| (Regex::new(pattern).unwrap(), stand)).into()
        });
        for (pattern, stand) in patterns {
            text = pattern.replace_all(&text, *stand).into_owned();
        }
        text
    }

    /// Notes the ids of a list by what they are of.
    pub(super) fn note(&mut self, kind: &str, list: &Value, member: &str) {
        for item in list.as_array().into_iter().flatten() {
            let kind = item["kind"].as_str().unwrap_or(kind);
            let Some(id) = item[member].as_str() else { continue };
            let ids = self.ids.entry(kind.to_owned()).or_default();
            if !ids.iter().any(|known| known == id) {
                ids.push(id.to_owned());
            }
        }
    }
}
