//! A model that says of the pages of a fixture what a careful one would, and what is stored, read past the engine.

use crate::support::world::{ALICE, World};
use mnemic::database::Database;
use mnemic::ports::{Llm, ModelRequest, Pending};
use mnemic::{Code, Error, Id, Kind, Result, Scope};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The scripted conversation.
pub(crate) fn fixture() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/tiers/conversation.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The model. It judges by the words of the questions.
#[derive(Default)]
pub(crate) struct Careful {
    fixture: Value,
    pub(crate) asked: RefCell<Vec<ModelRequest>>,
    /// The questions it was shown to distil, in turn.
    pub(crate) distilled: RefCell<Vec<Vec<String>>>,
    /// How many of its next calls fail.
    pub(crate) failing: Cell<usize>,
}

impl Careful {
    pub(crate) fn new() -> Rc<Self> {
        Rc::new(Self { fixture: fixture(), ..Self::default() })
    }

    pub(crate) fn calls(&self, purpose: &str) -> usize {
        self.asked.borrow().iter().filter(|request| request.purpose == purpose).count()
    }

    /// The topic of a question, if it is one of the fixture.
    pub(crate) fn topic(&self, query: &str) -> String {
        let pages = self.fixture["pages"].as_array().unwrap();
        let page = pages.iter().find(|page| page["query"] == query);
        page.map_or_else(|| query.to_owned(), |page| page["topic"].as_str().unwrap().to_owned())
    }

    fn tier(&self, prompt: &str) -> Value {
        let known = block(prompt, "memory");
        let mut themes: Vec<(String, Value)> = Vec::new();
        let mut pages = Vec::new();
        for page in block(prompt, "pages") {
            let topic = self.topic(page["query"].as_str().unwrap());
            let told = &self.fixture["topics"][&topic];
            let summary = told["summary"].as_str().map_or_else(|| format!("About {topic}"), str::to_owned);
            let keywords = if told.is_null() { json!([topic]) } else { told["keywords"].clone() };
            let theme = themes.iter().position(|(name, _)| *name == topic).unwrap_or_else(|| {
                let segment = known.iter().find(|known| known["summary"] == summary.as_str());
                let segment = segment.map_or(Value::Null, |known| known["segment"].clone());
                themes.push((topic.clone(), json!({ "segment": segment, "summary": summary })));
                themes.len() - 1
            });
            pages.push(json!({
                "page": page["page"], "continues": theme > 0, "chain": summary, "keywords": keywords, "theme": theme + 1,
            }));
        }
        let themes: Vec<Value> = themes.into_iter().map(|(_, theme)| theme).collect();
        json!({ "pages": pages, "themes": themes })
    }

    fn distil(&self, prompt: &str) -> Value {
        let known = prompt.split("<pages>").next().unwrap();
        let pages = block(prompt, "pages");
        let queries = pages.iter().map(|page| page["query"].as_str().unwrap().to_owned());
        self.distilled.borrow_mut().push(queries.collect());
        let (mut facts, mut agent) = (Vec::new(), Vec::new());
        for page in &pages {
            let query = page["query"].as_str().unwrap();
            let topic = self.topic(query);
            let text = format!("The user cares about their {topic}");
            let said = format!("The assistant gave advice on the {topic}");
            let new = |list: &[Value], text: &str| {
                !known.contains(text) && list.iter().all(|known| known["text"] != text)
            };
            if new(&facts, &text) {
                let quote = query.split(' ').next().unwrap();
                facts.push(json!({ "action": "add", "target": null, "text": text, "category": "goal", "significance": 6, "message": page["message"], "quote": quote }));
            }
            if new(&agent, &said) {
                agent.push(json!({ "target": null, "text": said, "message": page["message"] }));
            }
        }
        json!({
            "facts": facts,
            "traits": [{ "name": "curiosity", "level": "high", "confidence": 0.4, "evidence": "Asks many questions.", "message": 1 }],
            "agent_profile": [{ "name": "role", "value": "adviser" }],
            "agent": agent,
        })
    }
}

/// The lines of JSON in a block of a prompt.
fn block(prompt: &str, name: &str) -> Vec<Value> {
    let inside = prompt.split(&format!("<{name}>")).nth(1).unwrap();
    let inside = inside.split(&format!("</{name}>")).next().unwrap();
    inside.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

impl Llm for Careful {
    fn complete<'a>(&'a self, request: &'a ModelRequest, _timeout_ms: u32) -> Pending<'a, Result<Value>> {
        self.asked.borrow_mut().push(request.clone());
        let left = self.failing.get();
        if left > 0 {
            self.failing.set(left - 1);
            return Box::pin(async { Err(Error::new(Code::Model, "it is out")) });
        }
        let prompt = &request.messages[1].content;
        let answer = match request.purpose {
            "tier" => self.tier(prompt),
            "distil" => self.distil(prompt),
            _ => json!("Gladly."),
        };
        Box::pin(async move { Ok(answer) })
    }
}

/// Where the pages of Alice are, as the records say.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Places {
    /// The questions in the queue, in order.
    pub(crate) short: Vec<String>,
    /// The questions in each segment, in order, by its id.
    pub(crate) mid: BTreeMap<String, Vec<String>>,
    /// What each segment says of itself: pages, those that are fresh, summary.
    pub(crate) segments: BTreeMap<String, (u64, u64, String)>,
}

impl Places {
    pub(crate) fn read(world: &World) -> Self {
        let (storage, platform) = (Rc::new(world.storage.clone()), world.machine.platform());
        let scope = Scope::from_json(&serde_json::from_str(ALICE).unwrap()).unwrap();
        world.machine.run(async move {
            let database = Database::open(storage, platform, "none").await.unwrap();
            let mut places = Self::default();
            database
                .read(|store| {
                    for view in store.records(&scope, Kind::Page) {
                        let query = view.text.unwrap().split('\n').next().unwrap().to_owned();
                        match view.key.unwrap().split('/').collect::<Vec<_>>()[..] {
                            ["short", _] => places.short.push(query),
                            ["mid", segment, _] => {
                                places.mid.entry(segment.to_owned()).or_default().push(query);
                            }
                            _ => panic!("{:?}", view.key),
                        }
                    }
                    for view in store.records(&scope, Kind::Segment) {
                        let id: Id = view.id;
                        if view.key.unwrap().starts_with("segment/") {
                            let value = view.to_record(&scope).unwrap().value;
                            let told = (
                                value["pages"].as_u64().unwrap(),
                                value["fresh"].as_u64().unwrap(),
                                view.text.unwrap().to_owned(),
                            );
                            places.segments.insert(id.to_string(), told);
                        }
                    }
                    Ok(())
                })
                .unwrap();
            places
        })
    }

    /// Every page, wherever it is.
    pub(crate) fn all(&self) -> Vec<&str> {
        self.short.iter().chain(self.mid.values().flatten()).map(String::as_str).collect()
    }

    /// That segments and pages tell the same.
    pub(crate) fn check(&self) {
        for (segment, pages) in &self.mid {
            let told = self.segments.get(segment);
            assert_eq!(told.map(|told| told.0), Some(pages.len() as u64), "{segment}: {self:#?}");
        }
        assert_eq!(self.mid.len(), self.segments.len(), "a segment without pages: {self:#?}");
        let mut all = self.all();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count, "a page stands twice: {self:#?}");
    }
}
