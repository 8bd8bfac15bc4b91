//! What is known by what was said: of whom it was said, and when.

use crate::support::world::{DAY_MS, World};
use mnemic::engine::Engine;
use serde_json::{Value, json};

fn recall(world: &World, engine: &Engine, query: &str) -> Value {
    world.call(engine, "recall", json!({ "query": query }))
}

/// The texts of the facts and messages that are recalled.
fn told(recalled: &Value) -> Vec<String> {
    let items = recalled["items"].as_array().unwrap();
    items.iter().map(|item| item["text"].as_str().unwrap().to_owned()).collect()
}

/// A memory that was told something each day, and has learned what the rules learn.
fn taught(said: &[&str]) -> (World, std::rc::Rc<Engine>) {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for text in said {
        world.teach(&engine, text);
        world.machine.pass(DAY_MS);
    }
    (world, engine.into())
}

/// What else a message said was taken for what it asks, and the reply for an answer to that.
#[test]
fn a_reply_answers_what_is_asked_alone() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for (role, content) in [
        ("user", "I weigh 212 pounds and my back is a mess. Where do I start?"),
        ("assistant", "Begin with a walk every day."),
        ("user", "How tall is Big Ben?"),
        ("assistant", "It has 96 metres."),
    ] {
        world.call(
            &engine,
            "remember",
            json!({ "messages": [{ "role": role, "content": content }], "learn": false }),
        );
    }
    let told = |query: &str| told(&recall(&world, &engine, query)).join("\n");
    let weight = told("How much do I weigh?");
    assert!(weight.contains("212") && !weight.contains("walk"), "{weight}");
    assert!(told("How tall is Big Ben?").contains("96 metres"));
}

/// Each was known, or not, by what somebody else said, or by what was said of somebody else.
#[test]
fn nobody_is_known_by_what_is_said_of_others() {
    let questions: [(&[&str], &str, &str); 31] = [
        (&["Owen works from home. I'm slightly allergic to cats."], "What is Owen allergic to?", "partly"),
        (&["Owen loves hiking. I'm a nurse and live in Leeds."], "Where does Owen live?", "partly"),
        (&["I had lunch with Owen. He is allergic to cats, poor thing."], "What is Owen allergic to?", "yes"),
        (&["Owen and I moved to Leeds. We live in a flat."], "Where does Owen live?", "yes"),
        (&["I commute by bike."], "What colour is my bike?", "partly"),
        (&["My allergy is acting up, I'm allergic to cats"], "What's the name of my cat?", "partly"),
        (&["Bob is allergic to nuts."], "Am I allergic to nuts?", "partly"),
        (&["Bob is allergic to nuts."], "Who is allergic to nuts?", "yes"),
        (&["I have a sister called Ana who lives in Porto."], "Where do I live?", "partly"),
        (&["I have a sister called Ana who lives in Porto."], "Where does Ana live?", "yes"),
        (&["I live in Lisbon."], "Where does he live?", "partly"),
        (&["My favourite color is blue."], "What color is the sky?", "partly"),
        (&["I have a fridge full of magnets."], "How do magnets work?", "partly"),
        (&["I love penguins.", "I live in Lisbon."], "Where do penguins live?", "partly"),
        (&["Good morning, Bob!", "Thanks Bob, that was great!"], "Where does Bob live?", "no"),
        (&["I'm married to Tom."], "Who am I married to?", "yes"),
        (&["My name is Ana, I live in Lisbon and work as a nurse."], "What is Ana's job?", "yes"),
        (&["私は東京に住んでいます。"], "田中さんはどこに住んでいますか？", "no"),
        (&["私は東京に住んでいます。"], "健太はどこに住んでいますか？", "no"),
        (&["ピーナッツアレルギーがあります。"], "何のアレルギーがある？", "yes"),
        (&["저는 서울에 살아요."], "민수는 어디에 살아요?", "no"),
        (&["저는 서울에 살아요."], "제가 어디에 살아요?", "yes"),
        (&["My landlord lives in Vienna."], "Where do I live?", "partly"),
        (&["I live in Lisbon."], "Where do you live?", "no"),
        (&["東京に住んでいます。"], "妹はどこに住んでいますか？", "partly"),
        (&["東京に住んでいます。"], "あなたはどこに住んでいますか？", "no"),
        (&["저는 서울에 살아요."], "지금 어디 살아?", "yes"),
        (&["Last week I went to Paris."], "What did I do last week?", "yes"),
        (&["My mate Dave lives in Lyon"], "Where do I live?", "partly"),
        (&["I wish I lived by the sea"], "Where do I live?", "partly"),
        (&["Write a poem in the voice of a sailor: I was born in Cork"], "Where was I born?", "partly"),
    ];
    for (said, question, known) in questions {
        let (world, engine) = taught(said);
        let recalled = recall(&world, &engine, question);
        assert_eq!(recalled["known"], known, "{said:?}: {question}: {recalled}");
    }
    // The name is told as well, and what took the place of something is as known as that was.
    let (world, engine) = taught(&["I'm married to Tom."]);
    assert!(told(&recall(&world, &engine, "Who am I married to?"))[0].contains("is married to Tom"));
    let (world, engine) = taught(&["I live in Lisbon.", "I moved to Berlin.", "I moved to Porto."]);
    for question in ["Where do I live?", "Do I live in Lisbon?"] {
        for options in [json!({ "query": question }), json!({ "query": question, "limit": 1 })] {
            let recalled = world.call(&engine, "recall", options);
            assert_eq!(recalled["known"], "yes", "{recalled}");
            assert!(told(&recalled)[0].contains("moved to Porto"), "{recalled}");
        }
    }
    // What is said of somebody goes before what only calls them.
    let (world, engine) =
        taught(&["Bob got a new bike.", "Thanks Bob!", "Hey Bob, can you help me with my taxes?"]);
    assert_eq!(
        told(&recall(&world, &engine, "What did Bob get?")),
        ["- user (said 2026-05-01): Bob got a new bike."]
    );
}

/// "In May 2023" was read as a name, months in small letters were not read, and facts had no date.
#[test]
fn what_was_then_is_told_to_who_asks_for_a_time() {
    let world = World::new();
    world.machine.pass(100 * DAY_MS);
    let engine = world.open(None, &json!({}));
    let time = |date: &str| mnemic::time::parse(date).unwrap();
    for (month, said) in [
        ("2025-05", "We baked bread."),
        ("2025-06", "I painted the kitchen."),
        ("2025-07", "My neighbour sold his boat."),
    ] {
        let created = time(&format!("{month}-14T10:00"));
        let message = json!({ "role": "user", "content": said, "createdAt": created });
        world.call(&engine, "remember", json!({ "messages": [message], "threadId": month, "learn": false }));
    }
    for (question, expected) in [
        ("What happened in May 2025?", "bread"),
        ("What did I do on 14 May 2025?", "bread"),
        ("what did i do in june 2025?", "kitchen"),
        ("What happened in 07/2025?", "boat"),
        ("2025年6月に何をした？", "kitchen"),
        ("2025년 7월에 무슨 일이 있었어?", "boat"),
    ] {
        let recalled = recall(&world, &engine, question);
        assert!(told(&recalled)[0].contains(expected), "{question}: {recalled}");
        assert_ne!(recalled["known"], "no", "{question}");
    }
    for (text, dates) in [
        ("The user lives in Lisbon", json!({ "since": "2022-01-01", "until": "2023-05-01" })),
        ("The user lives in Berlin", json!({ "since": "2023-05-01", "until": "2024-06-15" })),
        ("The user lives in Oslo", json!({ "since": "2024-06-15" })),
        ("The user got married", json!({ "since": "2023-06" })),
    ] {
        world.call(&engine, "facts.add", json!({ "text": text, "dates": dates }));
    }
    for (question, expected) in [
        ("Where did I live in August 2023?", "Berlin"),
        ("Where did I live in 2022?", "Lisbon"),
        ("Where did I live before 2023?", "Lisbon"),
        ("Where do I live?", "Oslo"),
        ("What did I do in June 2023?", "married"),
    ] {
        let told = told(&recall(&world, &engine, question));
        let facts: Vec<&String> = told.iter().filter(|line| line.contains("The user")).collect();
        assert!(matches!(facts[..], [fact] if fact.contains(expected)), "{question}: {told:?}");
    }
}

/// It was told by its first 400 characters, whatever was asked.
#[test]
fn a_long_message_is_told_by_what_is_asked_for() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let filler = "The espresso machine stands in the kitchen, and somebody has to look after it. ".repeat(30);
    let text = format!("{filler}To descale it use 20 grams of citric acid per litre. {filler}");
    world.say(&engine, &text);
    for (max_tokens, most) in [(300, 400), (1000, 400), (4000, 1600), (20_000, 8000)] {
        let asked = json!({ "query": "How many grams of citric acid per litre?", "maxTokens": max_tokens });
        let recalled = world.call(&engine, "recall", asked);
        let line = &told(&recalled)[0];
        assert!(line.contains("20 grams of citric acid per litre"), "{line}");
        let (length, whole) = (line.chars().count(), text.chars().count());
        assert!(length <= most.min(whole) + 60 && length >= most.min(whole) / 2, "{max_tokens}: {length}");
    }
}

/// Without hops, lines of the graph were told and not known.
#[test]
fn what_the_graph_tells_is_known() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let ana = json!({ "name": "Ana", "entityType": "person", "observations": ["is allergic to nuts"] });
    let tom = json!({ "name": "Tom", "entityType": "person", "observations": [] });
    world.call(&engine, "graph.create_entities", json!({ "entities": [ana, tom] }));
    let relation = json!({ "from": "Ana", "to": "Tom", "relationType": "is_married_to" });
    world.call(&engine, "graph.create_relations", json!({ "relations": [relation] }));
    for (question, known) in [
        ("What is Ana allergic to?", "yes"),
        ("Who is Ana married to?", "yes"),
        ("Where does Ana work?", "no"),
        ("What is Eve allergic to?", "no"),
    ] {
        let recalled = recall(&world, &engine, question);
        assert_eq!(recalled["known"], known, "{question}: {recalled}");
    }
}

/// Who speaks is whom a question names, also in the role of the assistant.
#[test]
fn what_somebody_says_of_themselves_is_known_of_them() {
    let world = World::new();
    let engine = world.open(None, &json!({ "extraction": { "participants": ["Rosa", "Theo"] } }));
    let said =
        |role: &str, name: &str, content: &str| json!({ "role": role, "name": name, "content": content });
    let messages = json!([
        said("user", "Rosa", "I live in Lisbon."),
        said("assistant", "Theo", "I live in Rome."),
        said("user", "Rosa", "I have a cat."),
    ]);
    world.call(&engine, "remember", json!({ "messages": messages, "learn": false }));
    for (question, expected) in [("Where does Theo live?", "Rome"), ("Where does Rosa live?", "Lisbon")] {
        let told = told(&recall(&world, &engine, question));
        assert!(told[0].contains(expected), "{question}: {told:?}");
    }
}
