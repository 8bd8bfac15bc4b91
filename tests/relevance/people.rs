//! Whom a question is about: the user by every name, relatives, others, the assistant.

use super::{best, filled, known, opened, search};
use crate::support::world::{DAY_MS, START, World};
use serde_json::{Value, json};

#[test]
fn who_speaks_is_meant_by_every_first_person() {
    let world = World::new();
    let engine = opened(
        &world,
        &[
            "I'm allergic to walnuts",
            "We\u{2019}ve rented a cottage in Wales",
            "Bo Lind is allergic to dust",
            "Bo Lind rents a garage",
        ],
    );
    for (query, answer) in [
        ("What am I allergic to?", "I'm allergic to walnuts"),
        ("What\u{2019}s the thing I\u{2019}m allergic to?", "I'm allergic to walnuts"),
        ("What have we rented?", "We\u{2019}ve rented a cottage in Wales"),
    ] {
        let (text, relevance) = best(&world, &engine, query);
        assert!(text == answer && relevance >= 0.5, "{query}: {text}: {relevance}");
    }
}

#[test]
fn what_only_shares_the_name_is_not_lifted_above_others() {
    let world = World::new();
    let engine = opened(
        &world,
        &[
            "Bo Lind keeps no sugar at home",
            "Bo Lind drives a van",
            "Bo Lind knits",
            "Bo Lind has three sons",
        ],
    );
    for (text, relevance) in
        search(&world, &engine, json!({ "query": "Which operas does Bo Lind adore?", "threshold": 0 }))
    {
        assert!(relevance < 0.3, "{text}: {relevance}");
    }
}

#[test]
fn the_newest_of_the_user_goes_above_by_whatever_name() {
    let world = World::new();
    let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } } });
    let engine = world.open(None, &json!({ "profiles": { "pet": schema, "profile": schema } }));
    for (schema, value) in [("pet", "Rex"), ("profile", "Nora Whitfield")] {
        world.call(&engine, "profiles.set", json!({ "schema": schema, "field": "name", "value": value }));
    }
    let first = json!({ "text": "Nora Whitfield lives in Bristol", "validFrom": START - 2 * DAY_MS });
    let last = json!({ "text": "The user lives in Cardiff", "validFrom": START - DAY_MS });
    // What was learned last stands first in the storage.
    world.add(&engine, last);
    world.add(&engine, first);
    world.add(&engine, json!({ "text": "Rex lives in a kennel" }));
    world.idle(&engine);
    assert_eq!(best(&world, &engine, "Where does Nora live?").0, "The user lives in Cardiff");
    // A pet's name is not the user's.
    assert_eq!(best(&world, &engine, "Where does Rex live?").0, "Rex lives in a kennel");
    let mine = search(&world, &engine, json!({ "query": "Where do I live?", "threshold": 0.5 }));
    assert!(mine.iter().all(|(text, _)| !text.starts_with("Rex")), "{mine:?}");
}

#[test]
fn relatives_are_known_in_a_large_memory() {
    let world = World::new();
    let engine = opened(&world, &["Ada Berg is the user's mother", "Ada Berg paints on silk"]);
    let others: Vec<Value> =
        (0..600).map(|number| json!({ "text": format!("The van {number} paints and sells silk") })).collect();
    world.call(&engine, "facts.import", json!({ "facts": others }));
    world.idle(&engine);
    let (text, relevance) = best(&world, &engine, "What does my mum paint on?");
    assert!(text == "Ada Berg paints on silk" && relevance >= 0.5, "{text}: {relevance}");
}

#[test]
fn people_are_told_apart_in_korean_japanese_and_chinese() {
    for (facts, asked, strangers) in [
        (
            &[
                "사용자의 남편 한도윤은 약국에서 근무한다",
                "문상호 씨는 부산에 산다",
                "차 선생님은 사용자에게 중국어를 가르친다",
                "서진은 땅콩 알레르기가 있다",
            ][..],
            &[
                ("문상호 씨는 어디에 살아요?", "문상호 씨는 부산에 산다"),
                ("도윤 씨는 어디에서 근무해?", "사용자의 남편 한도윤은 약국에서 근무한다"),
                ("우리 남편은 어디에서 근무해?", "사용자의 남편 한도윤은 약국에서 근무한다"),
                ("차쌤은 뭘 가르치셔?", "차 선생님은 사용자에게 중국어를 가르친다"),
            ][..],
            &["문상철 씨는 어디에 살아요?", "우리 누나는 어디에서 근무해?"][..],
        ),
        (
            &["ユーザーの兄の健太は札幌に住んでいる", "中村さんは将棋が好きだ", "佐野先生は書道を教えている"],
            &[
                ("兄はどこに住んでいますか？", "ユーザーの兄の健太は札幌に住んでいる"),
                ("健太はどこに住んでる？", "ユーザーの兄の健太は札幌に住んでいる"),
                ("中村さんは何が好き？", "中村さんは将棋が好きだ"),
            ],
            &["姉はどこに住んでいますか？", "中川さんは何が好き？"],
        ),
        (
            &["用户的妻子苏婉清在医院工作", "许老师住在西湖边", "老何喜欢下象棋"],
            &[
                ("我老婆在哪里工作？", "用户的妻子苏婉清在医院工作"),
                ("许老师住在哪里？", "许老师住在西湖边"),
                ("老何喜欢什么？", "老何喜欢下象棋"),
            ],
            &["我弟弟在哪里工作？", "谭老师住在哪里？"],
        ),
    ] {
        let world = &World::new();
        let engine = opened(world, facts);
        for (query, answer) in asked {
            let (text, relevance) = best(world, &engine, query);
            assert!(text == *answer && relevance >= 0.15, "{query}: {text}: {relevance}");
        }
        for query in strangers {
            let (text, relevance) = best(world, &engine, query);
            assert!(relevance < 0.15, "{query}: {text}: {relevance}");
        }
    }
}

/// "The user's sister lives in Oslo" answered where the user lives.
#[test]
fn what_is_of_a_relative_is_not_known_of_the_user() {
    let sets = [
        ("The user's sister lives in Oslo", "My sister lives in Oslo.", "Where do I live?"),
        ("사용자의 여동생은 오슬로에 산다", "제 여동생은 오슬로에 살아요.", "나 어디 살아?"),
        ("ユーザーの妹はオスロに住んでいる", "妹はオスロに住んでいます。", "私はどこに住んでいますか？"),
        ("用户的妹妹住在奥斯陆", "我妹妹住在奥斯陆。", "我住在哪里？"),
    ];
    for (fact, said, question) in sets {
        let world = World::new();
        let engine = world.open(None, &json!({}));
        world.add(&engine, json!({ "text": fact }));
        let recalled = world.call(&engine, "recall", json!({ "query": question }));
        assert_ne!(recalled["known"], "yes", "{recalled}");
        let world = World::new();
        let engine = world.open(None, &json!({}));
        let message = json!({ "role": "user", "content": said });
        world.call(&engine, "remember", json!({ "messages": [message], "learn": false }));
        let recalled = world.call(&engine, "recall", json!({ "query": question }));
        assert_ne!(recalled["known"], "yes", "{recalled}");
    }
    // Who asks whether they have a sister is told of her.
    let world = World::new();
    let engine = world.open(None, &json!({}));
    world.add(&engine, json!({ "text": "The user's sister lives in Oslo" }));
    for question in ["Do I have a sister?", "Where does my sister live?"] {
        let recalled = world.call(&engine, "recall", json!({ "query": question }));
        assert_eq!(recalled["known"], "yes", "{question} {recalled}");
    }
}

/// A question that says "I" and names a child is about the child too.
#[test]
fn what_is_of_a_relative_is_told_to_who_names_them() {
    let world = World::new();
    let engine = opened(
        &world,
        &[
            "The user's son Emil is allergic to peanuts, so recipes must do without them.",
            "The user lives in Bergen",
        ],
    );
    let recalled = world.call(&engine, "recall", json!({ "query": "What may I cook for Emil?" }));
    let told = recalled["items"]
        .as_array()
        .unwrap()
        .iter()
        .any(|item| item["kind"] == "fact" && item["text"].as_str().unwrap().contains("peanuts"));
    assert!(told, "{recalled}");
}

/// Only "Who am I?" was answered, and in no order; "What do you know about me?" was told that nothing is.
#[test]
fn who_asks_for_all_that_is_known_of_them_is_told_what_matters_most() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for (significance, text) in [
        (2, "The user loved the film Parasite"),
        (5, "The user's favourite food is paneer tikka"),
        (9, "The user's name is Marta Silva"),
        (7, "The user lives in Lisbon"),
        (8, "Bo Lind lives in Oslo"),
    ] {
        world.add(&engine, json!({ "text": text, "significance": significance }));
    }
    for number in 0..80 {
        world.add(&engine, json!({ "text": format!("The user has seen film {number}"), "significance": 1 }));
    }
    world.idle(&engine);
    for question in [
        "What do you know about me?",
        "Tell me about myself",
        "Describe me",
        "Who am I?",
        "나에 대해 뭘 알아?",
        "私について何を知っていますか?",
        "你知道关于我的什么？",
        "Was weißt du über mich?",
        "¿Qué sabes de mí?",
        "Que sais-tu de moi ?",
    ] {
        let recalled = world.call(&engine, "recall", json!({ "query": question, "maxTokens": 400 }));
        assert_eq!(known(&recalled), "yes", "{question}: {recalled}");
        let texts: Vec<&str> =
            recalled["items"].as_array().unwrap().iter().map(|item| item["text"].as_str().unwrap()).collect();
        for (place, answer) in ["Marta", "Lisbon", "paneer", "Parasite"].iter().enumerate() {
            assert!(texts[place].contains(answer), "{question}: {texts:?}");
        }
        assert!(texts.iter().all(|text| !text.contains("Bo Lind")), "{question}: {texts:?}");
        let found = world.call(&engine, "facts.search", json!({ "query": question, "limit": 2 }));
        for found in found.as_array().unwrap() {
            let terms = found["terms"].as_object().unwrap();
            let sum: f64 = ["about", "words", "meaning", "newer"]
                .iter()
                .filter_map(|term| terms.get(*term))
                .map(|term| term.as_f64().or_else(|| term["share"].as_f64()).unwrap_or_default())
                .sum();
            assert!((sum - found["score"].as_f64().unwrap()).abs() < 1e-3, "{found}");
        }
    }
    let nobody = World::new();
    let engine = nobody.open(None, &json!({}));
    nobody.add(&engine, json!({ "text": "Bo Lind lives in Oslo" }));
    let recalled = nobody.call(&engine, "recall", json!({ "query": "What do you know about me?" }));
    assert_ne!(known(&recalled), "yes", "{recalled}");
}

/// Once the name was taken out of "Do I have Netflix?", nothing was left to ask for, and every fact held all of that.
#[test]
fn neither_names_that_nothing_knows_nor_small_talk_are_known() {
    let world = World::new();
    let engine = opened(
        &world,
        &[
            "The user lives in Lisbon",
            "The user loved the film Parasite",
            "The user was in Japan in 2019",
            "The user's best half marathon time is 1:58",
            "The user's name is Zoe",
        ],
    );
    for said in [
        "My sumatriptan did not help, Dr. Pires changed it.",
        "Yes please. The contract began on 1 March 2023.",
        "Dinner was great. I loved it.",
        "I'm training for the half marathon. My best time is 1:58.",
        "great",
        "Can you help me?",
    ] {
        let message = json!({ "role": "user", "content": said });
        world.call(&engine, "remember", json!({ "messages": [message], "learn": false }));
    }
    world.idle(&engine);
    for question in [
        "Have I been to China?",
        "Do I have Netflix?",
        "Why was I at Sony?",
        "Am I in Berlin?",
        "🙂",
        "the",
        "a",
        "I",
        "great",
        "yes please",
        "Can you help me?",
        "What's the time?",
        "What is love?",
    ] {
        let recalled = world.call(&engine, "recall", json!({ "query": question }));
        assert_eq!(known(&recalled), "no", "{question}: {recalled}");
        assert!(recalled["items"].as_array().unwrap().is_empty(), "{question}: {recalled}");
    }
    for question in
        ["When was I in Japan?", "Lisbon?", "Which film did I love?", "Tell me where I live", "name"]
    {
        let recalled = world.call(&engine, "recall", json!({ "query": question }));
        assert_eq!(known(&recalled), "yes", "{question}: {recalled}");
    }
    // A search finds what holds the word all the same.
    assert!(!search(&world, &engine, json!({ "query": "time" })).is_empty());
}

/// "Where do you live?" was answered with the user's home.
#[test]
fn what_is_asked_of_the_assistant_is_not_known_of_the_user() {
    let world = World::new();
    let engine = opened(
        &world,
        &[
            "The user lives in Bristol",
            "The user's favourite film is Paddington 2",
            "사용자는 부산에 산다",
            "The assistant's name is Robin",
        ],
    );
    for query in ["Where do you live?", "What's your favourite film?", "너 어디 살아?"] {
        let (text, relevance) = best(&world, &engine, query);
        assert!(relevance < 0.15, "{query}: {text}: {relevance}");
        let recalled = world.call(&engine, "recall", json!({ "query": query }));
        assert_eq!(
            (recalled["known"].as_str(), recalled["items"].as_array().unwrap().len()),
            (Some("no"), 0)
        );
    }
    for (query, answer) in [
        ("Where do I live?", "The user lives in Bristol"),
        ("Do you know where I live?", "The user lives in Bristol"),
        ("What's your name?", "The assistant's name is Robin"),
    ] {
        let (text, relevance) = best(&world, &engine, query);
        assert!(text == answer && relevance >= 0.4, "{query}: {text}: {relevance}");
    }
}

/// The namesake of the user was asked for, and what begins with the user's first name alone came with it.
#[test]
fn a_first_name_alone_is_the_users_where_it_is_theirs() {
    let world = World::new();
    let engine = filled(&world);
    world.add(&engine, json!({ "text": "Nora keeps a bicycle in the cellar" }));
    let relevance = |query: &str| {
        let found = search(&world, &engine, json!({ "query": query, "threshold": 0 }));
        found.into_iter().find(|(text, _)| text.starts_with("Nora keeps")).unwrap().1
    };
    assert!(relevance("Where does Nora Castellan keep her bicycle?") < 0.4);
    assert!(relevance("Where does Nora Whitfield keep her bicycle?") > 0.5);
    assert!(relevance("Where do I keep my bicycle?") > 0.5);
}

/// Who was only called was asked about: "Hey Bob, what do I drive?" was answered with Bob's car.
#[test]
fn who_is_called_in_a_question_is_not_asked_about() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for text in ["Bob drives a Volvo", "The user drives a Fiat"] {
        world.add(&engine, json!({ "text": text }));
    }
    for (question, car) in [
        ("Hey Bob, what do I drive?", "Fiat"),
        ("Bob, what do I drive?", "Fiat"),
        ("What does Bob drive?", "Volvo"),
        ("Did I tell you what Bob drives?", "Volvo"),
    ] {
        let recalled = world.call(&engine, "recall", json!({ "query": question }));
        assert!(recalled["items"][0]["text"].as_str().unwrap().contains(car), "{question}: {recalled}");
    }
}

/// "What am I working on?" was about somebody called "On", because a fact began with "On Friday nights".
#[test]
fn small_words_that_begin_facts_are_no_names() {
    let facts = ["The user works on a novel about whales", "The user lives in Leith"];
    let asked = ["What am I working on?", "Where is the place I live in?", "what do i work on"];
    let relevances = |more: &[&str]| {
        let world = World::new();
        let engine = opened(&world, &[&facts, more].concat());
        asked.map(|query| best(&world, &engine, query))
    };
    let others =
        ["On Friday nights the user drinks whisky", "The Tay Whales rehearse in Leith", "In May Ana came"];
    for (alone, beside) in relevances(&[]).into_iter().zip(relevances(&others)) {
        assert!(alone.0 == beside.0 && (alone.1 - beside.1).abs() < 0.01, "{alone:?} {beside:?}");
    }
}

/// "Bob's boss is allergic to nuts" was known of Bob.
#[test]
fn what_is_of_those_who_belong_to_somebody_is_not_known_of_them() {
    let world = World::new();
    let engine = opened(
        &world,
        &[
            "Bob's boss is allergic to nuts",
            "Tom Ward's wife Eva works at IBM",
            "Alice's dog has cancer",
            "The user's dog has a limp",
            "Alice's favourite dish is paella",
        ],
    );
    for query in [
        "Is Bob allergic to nuts?",
        "Where does Tom Ward work?",
        "Does Alice have cancer?",
        "Do I have a limp?",
    ] {
        let (text, relevance) = best(&world, &engine, query);
        assert!(relevance < 0.5, "{query}: {text}: {relevance}");
    }
    for (query, answer) in [
        ("Is Bob's boss allergic to nuts?", "Bob's boss is allergic to nuts"),
        ("Where does Eva work?", "Tom Ward's wife Eva works at IBM"),
        ("Is Alice's dog ill with cancer?", "Alice's dog has cancer"),
        ("Does my dog have a limp?", "The user's dog has a limp"),
        ("Which dish does Alice love?", "Alice's favourite dish is paella"),
    ] {
        let (text, relevance) = best(&world, &engine, query);
        assert!(text == answer && relevance >= 0.5, "{query}: {text}: {relevance}");
    }
}

/// Facts that name the user told nothing of "my mum", and who was only named behind "friend" was no person: another's allergy was told.
#[test]
fn relatives_of_the_named_user_and_friends_are_people() {
    let world = World::new();
    let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } } });
    let engine = world.open(None, &json!({ "profiles": { "profile": schema } }));
    let name = json!({ "schema": "profile", "field": "name", "value": "Nadia Lis" });
    world.call(&engine, "profiles.set", name);
    for text in [
        "Nadia's mother Halina lives in Gdynia",
        "Nadia's sister lives in Bath",
        "Halina speaks almost no English",
        "Nadia's friend Joanna is a midwife",
        "The user is allergic to penicillin",
        "The user's father is a baker",
    ] {
        world.add(&engine, json!({ "text": text }));
    }
    world.idle(&engine);
    let told = |question: &str| {
        let recalled = world.call(&engine, "recall", json!({ "query": question }));
        let items = recalled["items"].as_array().unwrap().iter();
        let facts = items.filter(|item| item["kind"] == "fact");
        facts.map(|item| item["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for (question, words) in [
        ("Where does my mum live?", "Gdynia"),
        ("Where does my sister live?", "Bath"),
        ("Does my mum speak English?", "almost no English"),
        ("What does Joanna do for a living?", "midwife"),
        ("Am I allergic to anything?", "penicillin"),
        ("What do my parents do for a living?", "baker"),
    ] {
        assert!(
            told(question).first().is_some_and(|told| told.contains(words)),
            "{question}: {:?}",
            told(question)
        );
    }
    for question in ["Is Joanna allergic to anything?", "What is Joanna allergic to?"] {
        assert_eq!(told(question), [""; 0], "{question}");
    }
}

/// Who of the friends has a dog was answered by the user's own dog, and by who is a friend.
#[test]
fn who_of_the_others_is_asked_for_is_not_the_user() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for text in [
        "The user's dog Biscuit has a heart murmur",
        "I have been close friends with Felix for eleven years",
        "Felix adopted a whippet puppy named Juniper",
        "Dana has two spaniels, Pip and Moss",
        "The user plays the clarinet",
        "Tomas plays drums in a punk band",
    ] {
        world.add(&engine, json!({ "text": text }));
    }
    let told = |query: &str| {
        let recalled = world.call(&engine, "recall", json!({ "query": query }));
        let items = recalled["items"].as_array().unwrap().iter();
        let mut texts: Vec<String> = items
            .map(|item| item["text"].as_str().unwrap()[2..].split(" (").next().unwrap().to_owned())
            .collect();
        texts.sort();
        texts
    };
    assert_eq!(
        told("Who of my friends has a dog?"),
        ["Dana has two spaniels, Pip and Moss", "Felix adopted a whippet puppy named Juniper"]
    );
    assert_eq!(told("Which people around me play drums?"), ["Tomas plays drums in a punk band"]);
    // Felix is known to be a friend, so others need not be meant.
    for text in
        ["Karen is the user's boss", "Karen runs marathons", "Lena is the user's friend", "Lena speaks Hindi"]
    {
        world.add(&engine, json!({ "text": text }));
    }
    let known = |query: &str| world.call(&engine, "recall", json!({ "query": query }))["known"].clone();
    assert_ne!(known("Who of my friends runs marathons?"), "yes");
    assert_eq!(known("Who of my friends speaks Hindi?"), "yes");
    assert_eq!(told("Do I have a dog?"), ["The user's dog Biscuit has a heart murmur"]);
}

/// "Jarvis" and "Claude" were asked for like any other word, and a user's own name made them one of two whom a question is about.
#[test]
fn whom_a_question_only_calls_is_not_asked_for() {
    let world = World::new();
    let options = json!({ "profiles": { "user": { "type": "object", "properties": { "name": { "type": "string" } } } } });
    let engine = world.open(None, &options);
    world.call(
        &engine,
        "profiles.set",
        json!({ "schema": "user", "field": "name", "value": "Nora Lindqvist" }),
    );
    for text in ["The user lives in Uppsala", "Ben lives in Rome", "The user's sister lives in Oslo"] {
        world.add(&engine, json!({ "text": text }));
    }
    let told = |query: &str| {
        let recalled = world.call(&engine, "recall", json!({ "query": query }));
        let items = recalled["items"].as_array().unwrap().iter().filter(|item| item["kind"] == "fact");
        let texts: Vec<String> =
            items.map(|item| format!("{} {}", item["relevance"], item["text"].as_str().unwrap())).collect();
        (recalled["known"].as_str().unwrap().to_owned(), texts)
    };
    let (of_user, of_ben) = (told("Where do I live?"), told("Where does Ben live?"));
    assert_eq!((of_user.0.as_str(), of_ben.0.as_str()), ("yes", "yes"));
    for query in ["Jarvis, where do I live?", "Hey Jarvis, where do I live?", "Ben, where do I live?"] {
        assert_eq!(told(query), of_user, "{query}");
    }
    for query in ["Claude, where does Ben live?", "Nora, where does Ben live?"] {
        assert_eq!(told(query), of_ben, "{query}");
    }
}
