//! What answers and what only asks: questions in messages, replies to them, and what has nothing of a question but the time.

use crate::support::world::{DAY_MS, World};
use mnemic::engine::Engine;
use serde_json::{Value, json};

/// The recall of a question after a conversation in which who speaks is told by "+", the user, or "-", the assistant.
fn asked(said: &[&str], question: &str) -> Value {
    let (world, engine) = conversation(said);
    world.machine.pass(3 * DAY_MS);
    world.call(&engine, "recall", json!({ "query": question }))
}

fn conversation(said: &[&str]) -> (World, Engine) {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for text in said {
        let (mark, content) = text.split_at(2);
        let role = if mark == "+ " { "user" } else { "assistant" };
        world.call(&engine, "remember", json!({ "messages": [{ "role": role, "content": content }] }));
        world.machine.pass(60_000);
    }
    world.idle(&engine);
    (world, engine)
}

fn told(recalled: &Value) -> Vec<&str> {
    let items = recalled["items"].as_array().unwrap();
    items.iter().map(|item| item["text"].as_str().unwrap()).collect()
}

/// A question that was asked before was its own answer, and so was that nobody knew.
#[test]
fn what_only_asks_answers_nothing() {
    for (said, question) in [
        (&["+ What's my blood type?", "- I don't know your blood type yet."][..], "What's my blood type?"),
        (&["+ Where do I live?", "- I don't know, you haven't told me."], "Where do I live?"),
        (&["+ Do I have a dentist appointment?"], "When is my dentist appointment?"),
        (&["+ Can you tell me my blood type?"], "What\u{2019}s my blood type?"),
        (&["+ when is my dentist appointment"], "When is my dentist appointment?"),
        (&["+ 私の血液型は何ですか？", "- まだ知りません。"], "私の血液型は何？"),
        (&["+ 我的血型是什么？", "- 我不知道。"], "我的血型是什么？"),
    ] {
        let recalled = asked(said, question);
        assert_eq!(recalled["known"], "no", "{question}: {recalled}");
        assert!(told(&recalled).is_empty(), "{question}: {recalled}");
    }
}

#[test]
fn what_a_question_tells_beside_is_known_in_part() {
    for (said, question, word) in [
        (&["+ How do I get my cat Tom to eat?", "- Try warming the food."][..], "Do I have a cat?", "Tom"),
        (&["+ Can you help me plan my trip to Lisbon in May?"], "Where am I travelling in May?", "Lisbon"),
    ] {
        let recalled = asked(said, question);
        assert_eq!(recalled["known"], "partly", "{question}: {recalled}");
        assert!(told(&recalled)[0].contains(word), "{question}: {recalled}");
    }
}

/// Each was told as what the user has, is or does.
#[test]
fn what_is_wanted_asked_or_of_others_is_known_in_part() {
    for (said, question) in [
        (&["+ I want a dog so bad"][..], "Do I have a dog?"),
        (&["+ maybe a cat when I'm settled"], "Do I have a cat?"),
        (&["+ can you suddenly become allergic to something at 34?"], "What am I allergic to?"),
        (&["+ what time should I stop drinking coffee"], "Do I drink coffee?"),
        (&["+ she lives in Ludlow with my stepdad"], "Where do I live?"),
        (&["+ Rhiannon runs marathons"], "Did I run a marathon?"),
    ] {
        let recalled = asked(said, question);
        assert_eq!(recalled["known"], "partly", "{question}: {recalled}");
    }
    let recalled = asked(&["+ I want a dog so bad"], "Do I want a dog?");
    assert_eq!(recalled["known"], "yes", "{recalled}");
}

/// Without a question mark the advice was left out, and what asked for it was told.
#[test]
fn advice_is_told_where_it_was_asked_for_without_a_question_mark() {
    for (said, question, advice) in [
        (
            ["+ 내일 뮤지컬 보러 가. 옷 뭐 입지", "- 니트에 슬랙스를 추천해요. 신발은 로퍼가 좋아요."],
            "뮤지컬 볼 때 뭐 입으라고 했지?",
            "로퍼",
        ),
        (
            ["+ 明天去看音乐剧，穿什么好呢", "- 推荐针织衫配休闲裤，鞋子选乐福鞋。"],
            "看音乐剧的时候你推荐我穿什么？",
            "乐福鞋",
        ),
    ] {
        let recalled = asked(&said, question);
        assert!(told(&recalled).iter().any(|line| line.contains(advice)), "{question}: {recalled}");
    }
}

/// The fact that was learned from it was told alone: "the user has a cat".
#[test]
fn a_message_is_told_for_what_its_fact_leaves_out() {
    let said = ["+ 我养猫了，从救助站领的，取名叫豆包。"];
    let recalled = asked(&said, "我家猫叫什么？");
    assert!(told(&recalled).iter().any(|line| line.contains("豆包")), "{recalled}");
}

/// What somebody's relatives do was known by their word for the relative alone.
#[test]
fn relatives_are_known_by_other_words() {
    for (said, question, line) in [
        ("+ 아빠는 택시 기사예요.", "아버지 직업이 뭐예요?", "기사"),
        ("+ 我爸是出租车司机。", "我爸爸是做什么的？", "司机"),
        ("+ My sister teaches maths.", "What does my sister do for work?", "maths"),
        ("+ 엄마는 간호사야", "어머니는 뭐 하셔?", "간호사"),
        ("+ 我妈是老师", "妈妈做什么工作?", "老师"),
        ("+ 母は教師です", "お母さんの仕事は何？", "教師"),
    ] {
        let recalled = asked(&["+ I live in Leeds.", said], question);
        assert!(told(&recalled)[0].contains(line), "{question}: {recalled}");
    }
}

/// Only the question was told, and what answered it was not.
#[test]
fn the_reply_to_the_same_question_answers() {
    for (said, question, reply) in [
        (
            &["+ What's the capital of Mongolia?", "- Ulaanbaatar."][..],
            "What's the capital of Mongolia?",
            "Ulaanbaatar",
        ),
        (
            &[
                "+ What should I pack for hiking?",
                "- Layers, a rain jacket and a map.",
                "+ Thanks",
                "- Enjoy!",
            ],
            "What should I pack for hiking?",
            "rain jacket",
        ),
        (&["- Where do you live?", "+ Lisbon."], "Where do I live?", "Lisbon"),
    ] {
        let recalled = asked(said, question);
        assert_eq!(recalled["known"], "yes", "{question}: {recalled}");
        assert_eq!(told(&recalled).len(), 1, "{question}: {recalled}");
        assert!(told(&recalled)[0].contains(reply), "{question}: {recalled}");
    }
}

/// Who looks for words finds the questions that hold them.
#[test]
fn questions_are_found_by_their_words() {
    let (world, engine) = conversation(&["+ Which mattress should I buy?"]);
    let found = world.call(&engine, "threads.search", json!({ "query": "mattress" }));
    assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
}

/// Whatever was said in a year that a question names was told.
#[test]
fn what_was_only_said_then_answers_no_more_than_when() {
    let said = [
        "+ I'm 34.",
        "+ Tell me a joke.",
        "- A romance!",
        "+ We went to the Azores on holiday.",
        "- Lovely!",
    ];
    let (world, engine) = conversation(&said);
    world.machine.pass(300 * DAY_MS);
    let recall = |query: &str| world.call(&engine, "recall", json!({ "query": query }));
    let recalled = recall("Where did I go on holiday last year?");
    let only_then = |line: &&str| ["joke", "romance", "Lovely"].iter().any(|word| line.contains(word));
    assert_eq!(told(&recalled).iter().filter(|line| only_then(line)).count(), 0, "{recalled}");
    assert!(told(&recalled).last().unwrap().contains("Azores"), "{recalled}");
    assert_eq!(recall("Which instrument did I play in 2026?")["known"], "no");
    // Who asks for all that was then is told it.
    assert!(told(&recall("What did I say in 2026?")).len() > 3);
}

/// What was said of somebody else in the same message had successors, which had as much relevance as what answers.
#[test]
fn what_fits_has_successors_and_not_what_stands_beside_it() {
    let recalled = asked(
        &[
            "+ I don't eat meat, but I do eat fish. And Callum is allergic to shellfish.",
            "+ Callum and I broke up last week. I'm a mess.",
        ],
        "Can I eat cheese?",
    );
    assert!(told(&recalled).iter().all(|line| !line.contains("broke up")), "{recalled}");
}

#[test]
fn what_belongs_to_others_is_not_the_users() {
    for (said, question) in [
        (&["+ Her birthday is on July 9 and I have no idea what to get her."][..], "When is my birthday?"),
        (
            &["+ We adopted a dog yesterday! A greyhound called Waffle.", "+ My manager is now Charlotte."],
            "What is Charlotte's dog called?",
        ),
    ] {
        assert_eq!(asked(said, question)["known"], "partly", "{question}");
    }
}

/// Phones write apostrophes that are not of ASCII, and people greet, and sign with pictures.
#[test]
fn small_talk_is_known_in_any_signs() {
    let (world, engine) = conversation(&["+ I live in Leeds.", "+ I love my time at the sea"]);
    for (query, known) in [
        ("What\u{2019}s the time?", "no"),
        ("Great \u{1f44d}", "no"),
        ("hey can u remind me where i live pls", "yes"),
    ] {
        assert_eq!(world.call(&engine, "recall", json!({ "query": query }))["known"], known, "{query}");
    }
}

/// A heading was taken for a speaker whom every question with "my" named.
#[test]
fn headings_speak_nowhere() {
    let (world, engine) = conversation(&["+ My notes: buy milk", "+ What I need: rest", "+ Howard: hello"]);
    for query in ["What are my notes?", "What do I need?", "How old is he?", "howard, where are you?"] {
        let found = world.call(&engine, "threads.search", json!({ "query": query, "threshold": 0 }));
        let speakers = found.as_array().unwrap().iter().filter(|found| !found["terms"]["speaker"].is_null());
        assert_eq!(speakers.count(), usize::from(query.starts_with("howard")), "{query}: {found}");
    }
}

/// The limit cut off what the threshold left, where something else had more of the words.
#[test]
fn a_limit_counts_what_the_threshold_leaves() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for text in [
        "Bob lives in Leeds and Bob's work in Leeds is where Bob lives",
        "The user's sister Ann has a house by the sea",
    ] {
        world.add(&engine, json!({ "text": text }));
    }
    for limit in [1, 2] {
        let options = json!({ "query": "Where does Ann live and work?", "limit": limit, "threshold": 0.2 });
        let found = world.call(&engine, "facts.search", options);
        assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
    }
}

/// Of "plays" alone it was known which instrument somebody plays.
#[test]
fn what_has_nothing_of_the_kind_that_is_asked_for_is_no_sure_answer() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    world.add(&engine, json!({ "text": "Marek plays online chess most nights before bed." }));
    let known = |query: &str| world.call(&engine, "recall", json!({ "query": query }))["known"].clone();
    assert_eq!(known("What instrument does Marek play?"), "partly");
    assert_eq!(known("Which game does Marek play?"), "yes");
}
