//! A page: a question and its answer, and where it is by now.

use crate::error::Result;
use crate::id::Id;
use crate::json::to_value;
use crate::log::RecordView;
use crate::memory::message::{Role, StoredMessage};
use crate::record::{Kind, Record, Trust};
use crate::scope::Scope;
use crate::sort::sorted;
use crate::store::Store;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The beginning of the keys of pages in the queue. A page has one key, and so is in one place.
pub(crate) const SHORT: &str = "short/";

/// What a page's record holds. Its text is the question, a line end and the answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PageValue {
    /// How many bytes of the text are the question.
    pub(crate) asked: usize,
    /// The thread it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) thread_id: Option<String>,
    /// The messages it is made of, when they are kept as such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) messages: Option<[Id; 2]>,
    /// The page it came after; after a move only when it goes on with what that was about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) previous: Option<Id>,
    /// What the pages up to this one that go on with one another are about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) chain: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) keywords: Vec<String>,
    /// How far the question is trusted, where it is not the user's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) trust: Option<Trust>,
}

/// Where a page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// In the queue of the latest pages.
    Short,
    /// In a segment.
    Mid,
}

/// A page, as applications see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// Its id.
    pub id: Id,
    /// What the user said.
    pub query: String,
    /// What was answered.
    pub response: String,
    /// When that was.
    pub created_at: Timestamp,
    /// The thread it belongs to, if it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    /// What the pages up to this one that go on with one another are about; absent before it was moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chain: Option<String>,
    /// Where it is.
    pub tier: Tier,
    /// The segment it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segment_id: Option<Id>,
    /// What it is about; empty before it was moved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// What the application keeps with it.
    pub metadata: Map<String, Value>,
    /// How far the question is trusted, where it is not the user's own.
    #[serde(skip)]
    pub(crate) trust: Option<Trust>,
}

impl Page {
    pub(crate) fn of(view: &RecordView<'_>) -> Result<Self> {
        let value: PageValue = view.content()?;
        let (query, response) = parts(view.text.unwrap_or_default(), value.asked);
        let segment_id = view.key.and_then(segment_of);
        Ok(Self {
            id: view.id,
            query: query.to_owned(),
            response: response.to_owned(),
            created_at: view.valid_from,
            thread_id: value.thread_id,
            chain: value.chain,
            tier: if segment_id.is_some() { Tier::Mid } else { Tier::Short },
            segment_id,
            keywords: value.keywords,
            metadata: view.metadata()?,
            trust: value.trust,
        })
    }

    /// What begins the question in a prompt: see [`Trust::mark`].
    pub(crate) fn mark(&self) -> &'static str {
        self.trust.map_or("", Trust::mark)
    }
}

/// The question of a page as a message of the user's: the one it is kept as too, or else of the page's own id.
pub(crate) fn asked(view: &RecordView<'_>) -> Result<StoredMessage> {
    let value: PageValue = view.content()?;
    let (query, _) = parts(view.text.unwrap_or_default(), value.asked);
    Ok(StoredMessage {
        id: value.messages.map_or(view.id, |[asked, _]| asked),
        message_id: None,
        thread_id: value.thread_id.unwrap_or_default(),
        role: Role::User,
        content: query.into(),
        name: None,
        tool_calls: None,
        tool_call_id: None,
        created_at: view.valid_from,
        trust: value.trust,
        metadata: Map::new(),
        withheld: Vec::new(),
    })
}

/// The question and the answer of a page's text.
fn parts(text: &str, asked: usize) -> (&str, &str) {
    let (query, response) = text.split_at_checked(asked).unwrap_or((text, ""));
    (query, response.strip_prefix('\n').unwrap_or(response))
}

/// The key of a page in a segment.
pub(crate) fn mid_key(segment: Id, page: Id) -> String {
    format!("{}{page}", mid_prefix(segment))
}

/// The beginning of the keys of a segment's pages.
pub(crate) fn mid_prefix(segment: Id) -> String {
    format!("mid/{segment}/")
}

/// The segment of a page's key.
pub(crate) fn segment_of(key: &str) -> Option<Id> {
    Id::parse(key.strip_prefix("mid/")?.split_once('/')?.0).ok()
}

/// The record of a new page.
pub(crate) fn record(
    id: Id,
    scope: &Scope,
    (query, response): (&str, &str),
    value: &PageValue,
    now: Timestamp,
) -> Result<Record> {
    let mut record = Record::new(id, Kind::Page, scope.clone(), now);
    record.key = Some(format!("{SHORT}{id}"));
    record.value = to_value(value)?;
    record.text = Some(format!("{query}\n{response}"));
    Ok(record)
}

/// The pages whose keys begin so, the oldest first.
pub(crate) fn pages<'a>(store: &'a Store, scope: &Scope, prefix: &str) -> Vec<RecordView<'a>> {
    let pages = store.by_key_prefix(scope, Kind::Page, prefix);
    // Their keys have the order in which they were stored; what is handed over later may be older.
    let in_time = sorted(&pages, |a, b| a.created_at.cmp(&b.created_at).then(a.id.cmp(&b.id)));
    in_time.into_iter().copied().collect()
}
