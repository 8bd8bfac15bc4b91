//! What is asked for: who relatives are, names, colours, what is the user's, what is so now; and what could not be remembered.

use super::{known, opened};
use crate::support::world::World;
use serde_json::json;

const FACTS: &[&str] = &[
    "The user's wife is Priya, a pediatrician.",
    "User and Priya have a daughter, Amara.",
    "Amara is afraid of thunderstorms.",
    "The lease ends on July 31.",
    "The user believes remote work makes teams more productive.",
    "The user's mate Colin has a fishing boat.",
    "The user lives in Nelson, New Zealand.",
    "The user plays bridge on Mondays.",
    "The user sings in a choir on Wednesdays.",
    "Imogen lives in Lisbon.",
    "The user got married in 2013.",
    "The user plays chess with Raj.",
    "The user goes to bed at 22:15.",
];

/// What is known of a question, and the first fact that is told.
fn asked(world: &World, engine: &mnemic::engine::Engine, question: &str) -> (String, String) {
    let recalled = world.call(engine, "recall", json!({ "query": question }));
    let first = recalled["items"].get(0).map(|item| item["text"].as_str().unwrap().to_owned());
    (known(&recalled).to_owned(), first.unwrap_or_default())
}

#[test]
fn relatives_are_known_by_what_they_are_called() {
    let world = World::new();
    let engine = opened(&world, FACTS);
    for (question, told) in [
        ("What's my wife's name?", "wife is Priya"),
        ("What is my wife's job?", "a pediatrician"),
        ("What is my daughter scared of?", "thunderstorms"),
        ("What's my daughter's name?", "a daughter, Amara"),
        ("When does my lease end?", "July 31"),
        ("Where is Imogen now?", "Lisbon"),
        ("Where's Imogen living these days?", "Lisbon"),
        ("What am I up to on Mondays?", "bridge"),
    ] {
        let (known, first) = asked(&world, &engine, question);
        assert_eq!(known, "yes", "{question}: {first}");
        assert!(first.contains(told), "{question}: {first}");
    }
    let recalled = world.call(&engine, "recall", json!({ "query": "What am I up to on Mondays?" }));
    assert_eq!(recalled["items"].as_array().unwrap().len(), 1, "another day: {recalled}");
}

#[test]
fn what_has_no_such_value_does_not_answer() {
    let world = World::new();
    let engine = opened(&world, FACTS);
    for question in [
        "What's the name of Colin's boat?",
        "What colour is Colin's boat?",
        "Have I ever lived in Paris?",
        "Is Raj married?",
        "Where do I work?",
    ] {
        let (known, first) = asked(&world, &engine, question);
        assert_ne!(known, "yes", "{question}: {first}");
    }
    for question in [
        "Who is the prime minister of New Zealand?",
        "What's 22 times 15?",
        "What is 18 % of 240?",
        "What day is it today?",
    ] {
        let (known, first) = asked(&world, &engine, question);
        assert_eq!((known.as_str(), first.as_str()), ("no", ""), "{question}");
    }
}

#[test]
fn what_is_so_of_another_thing_does_not_answer() {
    let world = World::new();
    let engine = opened(
        &world,
        &[
            "The user is allergic to peanuts.",
            "The user owes Sven 40 pounds.",
            "The user speaks French.",
            "The user drinks coffee with milk.",
            "Dr Cho is the user's dentist.",
            "The user lives in Nelson.",
        ],
    );
    for question in [
        "Am I allergic to eggs?",
        "How much does Sven owe me?",
        "Do I speak Spanish?",
        "Do I drink tea?",
        "Where does Dr Cho practise?",
    ] {
        let (known, first) = asked(&world, &engine, question);
        assert_ne!(known, "yes", "{question}: {first}");
    }
    for (question, told) in [
        ("Am I allergic to peanuts?", "peanuts"),
        ("Do I have any food allergies?", "peanuts"),
        ("What am I allergic to?", "peanuts"),
        ("How much do I owe Sven?", "40 pounds"),
        ("Which languages do I speak?", "French"),
        ("What do I like to drink?", "coffee"),
        ("Who is my dentist?", "Dr Cho"),
        ("Where do I live?", "Nelson"),
    ] {
        let (known, first) = asked(&world, &engine, question);
        assert_eq!(known, "yes", "{question}: {first}");
        assert!(first.contains(told), "{question}: {first}");
    }
}

#[test]
fn facts_without_a_subject_are_the_user_s() {
    let world = World::new();
    let engine = opened(
        &world,
        &[
            "Allergic to nuts",
            "Has a greyhound named Comet",
            "The flat is in Bergamo",
            "Married to Elif",
            "Born on 12 October 1984",
            "Prefers trains to planes",
            "Speaks German",
        ],
    );
    for (question, told) in [
        ("Am I allergic to nuts?", "nuts"),
        ("Do I speak German?", "German"),
        ("Who is my wife?", "Elif"),
        ("What is my dog called?", "Comet"),
        ("Where do I live?", "Bergamo"),
        ("When is my birthday?", "1984"),
    ] {
        let (known, first) = asked(&world, &engine, question);
        assert!(known != "no" && first.contains(told), "{question}: {known} {first}");
    }
}

#[test]
fn a_time_is_no_place_and_another_drink_is_not_the_one() {
    let world = World::new();
    let engine = opened(
        &world,
        &[
            "Nora's judo class is on Wednesdays",
            "The user's house is yellow",
            "The user met Teun in 2016",
            "The user drinks whisky after dinner",
            "Teun speaks Spanish",
            "Marta gave the user a scarf",
            "The user is allergic to penicillin",
            "The user sings at the town hall on Thursdays",
        ],
    );
    for question in [
        "Where is Nora's judo class?",
        "Where is my house?",
        "Where did I meet Teun?",
        "Do I drink tea?",
        "Does Teun speak Turkish?",
        "What did I give Marta?",
        "Am I allergic to shrimp?",
    ] {
        let (known, first) = asked(&world, &engine, question);
        assert_ne!(known, "yes", "{question}: {first}");
    }
    for (question, told) in [
        ("Do I drink whisky?", "whisky"),
        ("Does Teun speak Spanish?", "Spanish"),
        ("What did Marta give me?", "scarf"),
        ("Where do I sing?", "town hall"),
    ] {
        let (known, first) = asked(&world, &engine, question);
        assert!(known == "yes" && first.contains(told), "{question}: {known} {first}");
    }
}

#[test]
fn what_others_are_is_not_told_of_the_user() {
    let world = World::new();
    let engine = opened(&world, &["Ann lives in Leeds.", "Ann is allergic to nuts.", "Dr Cho is a dentist."]);
    for question in ["Where do I live?", "Am I allergic to anything?", "What am I allergic to?"] {
        assert_eq!(asked(&world, &engine, question), ("no".to_owned(), String::new()), "{question}");
    }
    for (question, told) in [("Where does Ann live?", "Leeds"), ("Who is my dentist?", "Dr Cho")] {
        let (_, first) = asked(&world, &engine, question);
        assert!(first.contains(told), "{question}: {first}");
    }
}

#[test]
fn subjects_that_are_left_out_are_the_user() {
    let world = World::new();
    let chinese = ["手机用的是小米14", "房租每个月三千五", "我对芒果过敏", "狗叫豆豆"];
    let japanese = ["誕生日は7月21日です", "姉はベルリンに住んでいます"];
    let korean = ["혈압약을 매일 먹어요", "작은딸은 땅콩 알레르기가 있어요"];
    for (facts, question, told) in [
        (&chinese[..], "我用什么手机?", "小米"),
        (&chinese[..], "我房租多少钱", "三千五"),
        (&chinese[..], "我对什么东西过敏来着", "芒果"),
        (&chinese[..], "我對什麼過敏？", "芒果"),
        (&chinese[..], "我的手機是哪一款？", "小米"),
        (&chinese[..], "我房租多少錢？", "三千五"),
        (&["我對芒果過敏", "我的手機是小米14"], "我对什么过敏？", "芒果"),
        (&japanese[..], "誕生日はいつだっけ", "7月21日"),
        (&korean[..], "내가 먹는 약이 뭐가 있지?", "혈압약"),
    ] {
        let engine = opened(&world, facts);
        let (known, first) = asked(&world, &engine, question);
        assert!(known != "no" && first.contains(told), "{question}: {known} {first}");
    }
    for (facts, question) in [(&japanese[..], "姉の誕生日はいつ?"), (&chinese[..], "我家猫叫什么？")]
    {
        let engine = opened(&world, facts);
        let (known, first) = asked(&world, &engine, question);
        assert!(known != "yes" && !first.contains("7月21日"), "{question}: {first}");
    }
}

#[test]
fn a_turn_parts_what_was_before_from_what_was_after() {
    let world = World::new();
    let engine = world.open(None, &json!({ "extraction": { "trigger": { "messages": 1 } } }));
    for said in [
        ("2015-03-10", "I live in Lisbon."),
        ("2018-03-10", "I moved to Porto."),
        ("2021-03-10", "I moved to Madrid."),
        ("2023-03-10", "I moved to Berlin."),
    ] {
        let at = mnemic::time::parse(said.0).unwrap();
        let message = json!({ "role": "user", "content": said.1, "createdAt": at });
        world.call(&engine, "remember", json!({ "messages": [message] }));
        world.machine.pass(120_000);
        world.idle(&engine);
    }
    for (question, town) in [
        ("Where did I live in 2022?", "Madrid"),
        ("Where did I live in 2019?", "Porto"),
        ("Where did I live in 2016?", "Lisbon"),
        ("Where did I live before Porto?", "Lisbon"),
        ("Where did I live before Berlin?", "Madrid"),
        ("Where did I live after Lisbon?", "Porto"),
        ("Where did I live before?", "Madrid"),
        ("What was the first town I lived in?", "Lisbon"),
        ("Where do I live?", "Berlin"),
    ] {
        let (known, first) = asked(&world, &engine, question);
        assert!(known == "yes" && first.contains(town), "{question}: {known} {first}");
    }
}
