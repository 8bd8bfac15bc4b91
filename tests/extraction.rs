//! Extraction as a whole: conversations in three languages, recorded answers of a careful model, and hostile ones.

use crate::support::recordings::{Conversation, Player, Session, read};
use crate::support::world::{DAY_MS, World};
use mnemic::engine::Engine;
use mnemic::ports::{Llm, ModelRequest, Pending};
use mnemic::{Code, Result};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

fn open(world: &World, llm: Rc<dyn Llm>) -> Engine {
    let profiles = json!({ "user-profile": read::<Value>("conversations/profile.json") });
    world.open(Some(llm), &json!({ "profiles": profiles, "extraction": { "trigger": { "messages": 1 } } }))
}

/// Hands a session over, and waits until it is learned from or that failed.
fn hand(world: &World, engine: &Engine, session: &Session) -> Value {
    let messages = json!({ "threadId": session.thread_id, "messages": session.messages });
    world.call(engine, "remember", messages);
    world.idle(engine)
}

fn profile(world: &World, engine: &Engine) -> Value {
    world.profile(engine, "user-profile")
}

fn facts(world: &World, engine: &Engine) -> Vec<Value> {
    world.call(engine, "facts.list", json!({})).as_array().unwrap().clone()
}

/// Everything that is remembered, to compare with what is there later.
fn everything(world: &World, engine: &Engine) -> [Value; 4] {
    [
        world.call(engine, "profiles.get", json!({})),
        world.call(engine, "facts.list", json!({ "includeEnded": true })),
        world.call(engine, "threads.list", json!({})),
        world.call(engine, "graph.read_graph", json!({})),
    ]
}

/// Every fact and every field names words that stand in the message it names, and that message is the recorded one.
fn every_quote_resolves(world: &World, engine: &Engine) {
    let profile = world.call(engine, "profiles.get", json!({}));
    let fields = profile["user-profile"]["fields"].as_object().unwrap();
    for item in fields.values().chain(&facts(world, engine)) {
        let why = world.call(engine, "explain", json!({ "id": item["id"] }));
        assert_eq!(why["origin"], json!("model"), "{why}");
        let source = &why["source"][0];
        let quote = source["quote"].as_str().unwrap();
        assert!(!quote.is_empty() && source["message"].as_str().unwrap().contains(quote), "{why}");
        assert_eq!(source["role"], json!("user"), "{why}");
    }
}

/// Hears a whole conversation, checks what holds for all of them, and answers the memory.
fn hear(name: &str) -> (World, Engine, Rc<Player>) {
    let world = World::new();
    let player = Rc::new(Player::new(name));
    let engine = open(&world, player.clone());
    let sessions = Conversation::read(name).sessions;
    for session in &sessions {
        assert_eq!(hand(&world, &engine, session), json!({ "pending": 0, "failed": [] }));
        every_quote_resolves(&world, &engine);
    }
    assert_eq!(player.asked.borrow().len(), sessions.len(), "one call for each session");
    let reloaded = open(&world, player.clone());
    assert_eq!(everything(&world, &reloaded), everything(&world, &engine));
    assert_eq!(player.asked.borrow().len(), sessions.len(), "nothing is asked again after a reload");
    (world, reloaded, player)
}

#[test]
fn english_is_learned_and_what_changed_takes_the_place_of_what_was() {
    let (world, engine, _) = hear("english");
    assert_eq!(
        profile(&world, &engine),
        json!({ "name": "Nora", "place": "Bergen", "job": "tugboat pilot", "likes": ["green tea"], "tone": "short" })
    );
    let texts = world.facts(&engine);
    assert_eq!(texts.len(), 6, "{texts:?}");
    for word in ["Root", "administrator", "seafood", "loves coffee", "ferry"] {
        assert!(!texts.iter().any(|text| text.contains(word)), "{word} in {texts:?}");
    }
    let facts = facts(&world, &engine);
    let tugboat = facts.iter().find(|fact| fact["text"].as_str().unwrap().contains("tugboat")).unwrap();
    assert_eq!(tugboat["validFrom"], json!(mnemic::time::parse("2026-04-27").unwrap()));
    for (question, word) in [
        ("what may I cook for Emil?", "peanuts"),
        ("which drink does she like?", "green tea"),
        ("where does the tugboat go?", "Bergen"),
        ("when does she get up?", "four"),
        ("how long should answers be?", "short"),
        ("what is her name?", "Nora"),
    ] {
        let recalled = world.call(&engine, "recall", json!({ "query": question, "limit": 3 }));
        assert!(recalled["text"].as_str().unwrap().contains(word), "{question}: {recalled}");
    }
}

#[test]
fn korean_is_learned_in_korean() {
    let (world, engine, player) = hear("korean");
    assert_eq!(
        profile(&world, &engine),
        json!({ "name": "박지우", "place": "대전", "job": "고등학교 수학 교사", "likes": ["금정산", "수영"], "allergies": ["새우"] })
    );
    let texts = world.facts(&engine);
    assert!(texts.contains(&"사용자는 새우 알레르기가 있다.".to_owned()), "{texts:?}");
    assert!(!texts.iter().any(|text| text.contains("관리자")), "{texts:?}");
    let recalled =
        world.call(&engine, "recall", json!({ "query": "도시락에 뭘 넣을까요? 새우?", "limit": 3 }));
    assert!(recalled["text"].as_str().unwrap().contains("새우 알레르기"), "{recalled}");
    // The message that closes the block is shown to the model, and closes nothing.
    let asked = player.asked.borrow();
    assert_eq!(asked[0].messages[1].content.matches("</conversation>").count(), 1);
}

#[test]
fn japanese_is_learned_in_japanese() {
    let (world, engine, _) = hear("japanese");
    let profile = profile(&world, &engine);
    assert_eq!(
        (&profile["name"], &profile["place"], &profile["tone"]),
        (&json!("佐藤健太"), &json!("京都"), &json!("casual"))
    );
    assert_eq!(profile["goals"].as_array().unwrap().len(), 2);
    let texts = world.facts(&engine);
    assert!(!texts.iter().any(|text| text.contains("二匹") || text.contains("sk-12345")), "{texts:?}");
    let recalled = world.call(&engine, "recall", json!({ "query": "飼っている猫はどの子?", "limit": 3 }));
    assert!(recalled["text"].as_str().unwrap().contains("モモだけ"), "{recalled}");
}

#[test]
fn each_fact_keeps_the_language_it_was_said_in() {
    let (world, engine, _) = hear("mixed");
    let texts = world.facts(&engine);
    for start in ["The user", "사용자는", "ユーザーは"] {
        assert!(texts.iter().any(|text| text.starts_with(start)), "{start} in {texts:?}");
    }
}

#[test]
fn what_was_learned_can_be_undone_and_the_past_stays() {
    let (world, engine, _) = hear("english");
    let history = |field: &str| {
        let history =
            world.call(&engine, "profiles.history", json!({ "schema": "user-profile", "field": field }));
        let history = history.as_array().unwrap();
        history
            .iter()
            .map(|revision| (revision["value"].clone(), revision["commitId"].clone()))
            .collect::<Vec<_>>()
    };
    let jobs = history("job");
    assert_eq!(
        jobs.iter().map(|(value, _)| value).collect::<Vec<_>>(),
        [&json!("ferry captain"), &json!("tugboat pilot")]
    );
    let all = world.call(&engine, "facts.list", json!({ "includeEnded": true }));
    assert_eq!(all.as_array().unwrap().len(), 8);
    world.machine.pass(DAY_MS);
    world.call(&engine, "undo", json!({ "commitId": jobs[1].1 }));
    assert_eq!(profile(&world, &engine)["job"], json!("ferry captain"));
    assert_eq!(profile(&world, &engine)["likes"], json!(["coffee"]));
    assert!(world.facts(&engine).contains(&"The user loves coffee.".to_owned()));
    assert_eq!(history("job").len(), 3);
}

/// A model that gives one answer to everything, until it comes to its senses.
struct Hostile {
    answer: RefCell<Value>,
    sane: Cell<bool>,
    player: Player,
}

impl Llm for Hostile {
    fn complete<'a>(&'a self, request: &'a ModelRequest, timeout_ms: u32) -> Pending<'a, Result<Value>> {
        if self.sane.get() {
            return self.player.complete(request, timeout_ms);
        }
        self.player.asked.borrow_mut().push(request.clone());
        let answer = self.answer.borrow().clone();
        Box::pin(async move { Ok(answer) })
    }
}

impl Hostile {
    fn new(answer: Value) -> Rc<Self> {
        let answer = RefCell::new(answer);
        Rc::new(Self { answer, sane: Cell::new(false), player: Player::new("english") })
    }
}

fn hostile() -> Vec<Value> {
    read::<Value>("hostile.json")["answers"].as_array().unwrap().clone()
}

/// The answer as the model gives it; a long one is written down as what is repeated.
fn given(hostile: &Value) -> Value {
    let Some(times) = hostile["times"].as_u64() else { return hostile["answer"].clone() };
    let part = hostile["repeat"].as_str().unwrap().repeat(usize::try_from(times).unwrap());
    Value::String(hostile["answer"].as_str().unwrap().replace("{}", &part))
}

#[test]
fn a_hostile_answer_is_refused_whole_and_nothing_is_lost() {
    let first = &Conversation::read("english").sessions[0];
    for hostile in hostile().iter().filter(|hostile| hostile["outcome"] == json!("refused")) {
        let what = &hostile["what"];
        let llm = Hostile::new(given(hostile));
        let world = World::new();
        let engine = open(&world, llm.clone());
        let idle = hand(&world, &engine, first);
        assert_eq!(
            (&idle["pending"], &idle["failed"][0]["error"]["code"]),
            (&json!(1), &json!("Model")),
            "{what}: {idle}"
        );
        assert!(idle.to_string().len() < 10_000, "{what}: a report of {} bytes", idle.to_string().len());
        assert_eq!((facts(&world, &engine).len(), profile(&world, &engine)), (0, json!({})), "{what}");
        // It is asked twice, the second time with what was wrong; what it said is not sent back at any length.
        assert_eq!(llm.player.asked.borrow().len() as u64, hostile["asked"].as_u64().unwrap_or(2), "{what}");
        let sent: usize =
            llm.player.asked.borrow()[1].messages.iter().map(|message| message.content.len()).sum();
        assert!(sent < 100_000, "{what}: {sent} bytes are sent");
        let messages = world.call(&engine, "threads.messages", json!({ "threadId": "first" }));
        assert_eq!(messages.as_array().unwrap().len(), first.messages.len(), "{what}");
        llm.sane.set(true);
        world.machine.pass(DAY_MS);
        assert_eq!(
            (facts(&world, &engine).len(), &profile(&world, &engine)["name"]),
            (6, &json!("Nora")),
            "{what}"
        );
        assert_eq!(world.call(&engine, "verify", json!({}))["ok"], json!(true), "{what}");
    }
}

#[test]
fn a_sloppy_answer_is_used_as_far_as_it_is_true() {
    let first = &Conversation::read("english").sessions[0];
    for sloppy in hostile().iter().filter(|hostile| hostile["outcome"] != json!("refused")) {
        let what = &sloppy["what"];
        let usual = if sloppy["outcome"] == json!("used") { 1 } else { 2 };
        let calls = sloppy["asked"].as_u64().unwrap_or(usual);
        let world = World::new();
        let llm = Hostile::new(given(sloppy));
        let engine = open(&world, llm.clone());
        assert_eq!(hand(&world, &engine, first), json!({ "pending": 0, "failed": [] }), "{what}");
        assert_eq!(llm.player.asked.borrow().len() as u64, calls, "{what}");
        let facts = facts(&world, &engine);
        assert_eq!(json!(world.facts(&engine)), sloppy["facts"], "{what}");
        for fact in &facts {
            let why = world.call(&engine, "explain", json!({ "id": fact["id"] }));
            for source in why["source"].as_array().unwrap() {
                assert!(
                    source["message"].as_str().unwrap().contains(source["quote"].as_str().unwrap()),
                    "{what}: {why}"
                );
            }
        }
        let graph = world.call(&engine, "graph.list", json!({}));
        let names: Vec<&Value> = graph.as_array().unwrap().iter().map(|entity| &entity["name"]).collect();
        let expected = sloppy["entities"].as_array().map_or_else(Vec::new, |names| names.iter().collect());
        assert_eq!(names, expected, "{what}");
        let messages = &first.messages;
        for source in graph.as_array().unwrap().iter().flat_map(|entity| entity["source"].as_array().unwrap())
        {
            let quote = source["quote"].as_str().unwrap();
            assert!(
                messages.iter().any(|message| message["content"].as_str().unwrap().contains(quote)),
                "{what}: {graph}"
            );
        }
        // Whatever is known, it cannot end the block it is shown in.
        *llm.answer.borrow_mut() = json!({ "facts": [] });
        let more = json!([{ "role": "user", "content": "Who are Nora and Emil?" }]);
        world.call(&engine, "generate", json!({ "messages": more }));
        let asked = llm.player.asked.borrow();
        let shown = &asked.last().unwrap().messages[1].content;
        for tag in ["<memory>", "</memory>", "<conversation>", "</conversation>"] {
            assert_eq!(shown.matches(tag).count(), 1, "{what}: {shown}");
        }
        assert!(names.iter().all(|name| shown.contains(&name.as_str().unwrap()[..4])), "{what}: {shown}");
        drop(asked);
        // Whatever a fact holds, it is one line of the pack and cannot end it.
        let recalled = world.call(&engine, "recall", json!({ "query": "what is known of Nora?" }));
        let text = recalled["text"].as_str().unwrap();
        assert_eq!(
            (text.matches("<memory>").count(), text.matches("</memory>").count()),
            (1, 1),
            "{what}: {text}"
        );
        assert!(text.ends_with("</memory>"), "{what}: {text}");
    }
}

#[test]
fn a_model_of_another_scope_cannot_be_reached_through_an_answer() {
    // The facts of one scope are numbered for it alone: number 1 of another scope is nobody's.
    let second = &Conversation::read("english").sessions[1];
    let answer = json!({ "facts": [{ "action": "end", "target": 1, "text": "" }], "profile": [] });
    let world = World::new();
    let engine = open(&world, Hostile::new(answer));
    let other = engine.clone();
    world
        .machine
        .run(async move {
            let fact = json!({ "text": "The user plays the cello." }).to_string();
            other.call("facts.add", r#"{"userId":"two"}"#, &fact).await
        })
        .unwrap();
    let idle = hand(&world, &engine, second);
    assert_eq!(idle["failed"][0]["error"]["code"], json!(Code::Model.as_str()));
    let other = engine.clone();
    let kept = world
        .machine
        .run(async move { other.call("facts.list", r#"{"userId":"two"}"#, "{}").await })
        .unwrap();
    assert!(kept.contains("cello") && !kept.contains("validTo"), "{kept}");
}
