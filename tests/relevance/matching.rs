//! What a question asks for, told from what only shares words with it.

use super::{FACTS, best, filled, known, opened, search};
use crate::support::world::{ALICE, World};
use serde_json::{Value, json};

#[test]
fn what_answers_is_told_from_what_only_shares_words() {
    let world = World::new();
    let engine = filled(&world);
    for (query, answer) in [
        ("What is Nora Castellan allergic to?", "Nora Castellan is allergic to penicillin"),
        ("Where does Tom Okafor live?", "Tom Okafor lives in Hackney"),
        // The user by all that names them.
        ("Where do I live?", "The user lives in Bristol"),
        ("Where does Nora Whitfield live?", "The user lives in Bristol"),
        // In other words than the fact has.
        ("What is Tom Whitfield's profession?", "Tom Whitfield works as a paramedic"),
        ("Who is Helen Marsh's husband?", "Helen Marsh is married to a judge"),
        // With typing errors.
        ("what is nora castelan alergic to", "Nora Castellan is allergic to penicillin"),
        // By what somebody is to the user.
        ("Which instrument does my brother play?", "Tom Whitfield plays bass guitar"),
    ] {
        let (text, relevance) = best(&world, &engine, query);
        assert_eq!(text, answer, "{query}");
        assert!(relevance >= 0.3, "{query}: {relevance}");
    }
    for query in [
        "What is Tom Hartley allergic to?",
        "What is Ingrid allergic to?",
        "Where does my sister live?",
        "Which bank am I with?",
        "Where does Helena live?",
        "Can you write me a haiku?",
    ] {
        let (text, relevance) = best(&world, &engine, query);
        assert!(relevance < 0.3, "{query}: {text}: {relevance}");
    }
}

/// A first name alone means the user before anybody else who is called so.
#[test]
fn a_first_name_is_the_users_before_a_namesakes() {
    let world = World::new();
    let engine = filled(&world);
    for text in ["Nora Castellan drives a Seat", "The user drives a Volvo", "Nora Jones drives a Fiat"] {
        world.add(&engine, json!({ "text": text }));
    }
    world.idle(&engine);
    for (query, answer) in [
        ("What does Nora drive?", "The user drives a Volvo"),
        ("What do I drive?", "The user drives a Volvo"),
        ("What does Nora Jones drive?", "Nora Jones drives a Fiat"),
        ("What does my friend Nora drive?", "Nora Jones drives a Fiat"),
        ("What is Nora allergic to?", "Nora Castellan is allergic to penicillin"),
    ] {
        assert_eq!(best(&world, &engine, query).0, answer, "{query}");
    }
}

#[test]
fn unrelated_results_are_left_out_unless_they_are_asked_for() {
    let world = World::new();
    let engine = filled(&world);
    let query = "Where does Tom Okafor live?";
    let default = search(&world, &engine, json!({ "query": query }));
    let all = search(&world, &engine, json!({ "query": query, "threshold": 0, "limit": 100 }));
    assert!(default.len() < all.len() && default.iter().all(|(_, relevance)| *relevance >= 0.03), "{all:?}");
    let half = search(&world, &engine, json!({ "query": query, "threshold": 0.5 }));
    assert_eq!(
        half.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>(),
        ["Tom Okafor lives in Hackney"]
    );
    let refused = world.fails(&engine, "facts.search", json!({ "query": query, "threshold": 50 }));
    assert!(
        refused.message.contains("threshold is 50") && refused.message.contains("from 0 to 1"),
        "{refused}"
    );
}

#[test]
fn facts_about_others_hardly_change_the_relevance() {
    let world = World::new();
    let engine = filled(&world);
    let asked =
        ["Where does Tom Okafor live?", "Which instrument does my brother play?", "Which bank am I with?"];
    let before: Vec<f64> = asked.iter().map(|query| best(&world, &engine, query).1).collect();
    let others: Vec<Value> =
        (0..500).map(|number| json!({ "text": format!("Pump {number} of the mill was greased") })).collect();
    world.call(&engine, "facts.import", json!({ "facts": others }));
    world.idle(&engine);
    for (query, before) in asked.iter().zip(before) {
        let after = best(&world, &engine, query).1;
        assert!((after - before).abs() < 0.05, "{query}: {before}, then {after}");
    }
}

#[test]
fn a_message_has_the_relevance_of_what_it_holds() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let messages = ["We went to the opera in Verona", "The printer is out of toner", "I bought a red kettle"];
    let messages: Vec<Value> =
        messages.iter().map(|text| json!({ "role": "user", "content": text })).collect();
    world.call(&engine, "remember", json!({ "messages": messages, "learn": false }));
    let relevance = |query: &str| {
        let found = world.call(&engine, "threads.search", json!({ "query": query, "threshold": 0 }));
        found[0]["relevance"].as_f64().unwrap_or_default()
    };
    assert!(relevance("What did I see at the opera in Verona?") > 0.4);
    assert!(relevance("Which dentist does the mayor of Verona recommend to tourists?") < 0.4);
    assert!(relevance("How are you?") < 0.1);
}

/// What others do was told to who asks about themselves as soon as something answered, and whom a message names did not count.
#[test]
fn messages_about_others_answer_less_and_nobody_is_known_by_what_others_said() {
    let world = World::new();
    let engine = world.open(None, &json!({ "extraction": { "auto": false } }));
    let say = |text: &str| {
        let said = json!({ "messages": [{ "role": "user", "content": text }], "learn": false });
        world.call(&engine, "remember", said);
    };
    for text in
        ["My sister Ana lives in Porto.", "I live in Lisbon.", "Bob's dog is ill.", "My dog is called Rex."]
    {
        say(text);
    }
    let told = |query: &str| -> (String, Vec<(String, f64)>) {
        let recalled = world.call(&engine, "recall", json!({ "query": query }));
        let items = recalled["items"].as_array().unwrap().iter();
        let items = items
            .map(|item| (item["text"].as_str().unwrap().to_owned(), item["relevance"].as_f64().unwrap()));
        (known(&recalled).to_owned(), items.collect())
    };
    let relevance = |items: &[(String, f64)], word: &str| {
        items.iter().find(|(text, _)| text.contains(word)).map_or(0.0, |(_, relevance)| *relevance)
    };
    for (query, answer, other) in [
        ("Where do I live?", "Lisbon", "Porto"),
        ("What is my dog called?", "Rex", "Bob"),
        ("Where does Ana live?", "Porto", "Lisbon"),
    ] {
        let (is_known, items) = told(query);
        let [answer, other] = [answer, other].map(|word| relevance(&items, word));
        assert!(is_known != "no" && answer > 0.35 && other < 0.8 * answer, "{query}: {items:?}");
    }
    for (query, others) in [("Where does Carla live?", "no"), ("Is Bob ill?", "partly")] {
        let (is_known, items) = told(query);
        assert_eq!(is_known, others, "{query}: {items:?}");
    }
    for query in ["ありがとうございます！", "고마워요", "谢谢你。"] {
        say(query);
        let (is_known, items) = told(query);
        assert!(is_known == "no" && items.is_empty(), "{query}: {items:?}");
    }
}

#[test]
fn a_search_of_documents_ranks_all_when_it_is_asked_to() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for (key, text) in
        [("a", "the harbour of Genoa"), ("b", "a recipe for bread"), ("c", "how to tune a harp")]
    {
        let put = json!({ "namespace": ["notes"], "key": key, "value": { "text": text } });
        world.call(&engine, "documents.put", put);
    }
    let search = |threshold: Value| {
        let mut options = json!({ "prefix": ["notes"], "query": "harbour of Genoa" });
        if !threshold.is_null() {
            options["threshold"] = threshold;
        }
        world.call(&engine, "documents.search", options).as_array().unwrap().clone()
    };
    let found = search(Value::Null);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0]["relevance"].as_f64().unwrap() > 0.7);
    let all = search(json!(0));
    assert_eq!(all.len(), 3);
    for document in &all {
        assert!(document["score"].is_number() && document["relevance"].is_number(), "{document}");
        assert!(document["terms"]["meaningRaw"].is_number(), "{document}");
    }
    let refused = world.try_call(
        &engine,
        "documents.search",
        ALICE,
        json!({ "prefix": ["notes"], "query": "x", "threshold": 2 }),
    );
    assert!(refused.unwrap_err().message.contains("from 0 to 1"));
}

#[test]
fn recall_tells_what_is_asked_for_and_whether_it_is_known() {
    let world = World::new();
    let engine = filled(&world);
    let recall = |query: &str, more: Value| {
        let mut options = json!({ "query": query });
        options.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        world.call(&engine, "recall", options)
    };
    let facts = |recalled: &Value| -> Vec<String> {
        let items = recalled["items"].as_array().unwrap().iter().filter(|item| item["kind"] == "fact");
        items.map(|item| item["text"].as_str().unwrap().to_owned()).collect()
    };
    let told = recall("Where does Tom Okafor live?", json!({}));
    assert_eq!(told["known"], "yes", "{told}");
    assert!(told["reason"].as_str().unwrap().contains("the best fact has 100 %"), "{told}");
    let lines = facts(&told);
    assert!(lines.len() == 1 && lines[0].contains("Tom Okafor lives in Hackney"), "{lines:?}");
    // A field of the profile is known, too.
    assert_eq!(recall("What is my name?", json!({}))["known"], "yes");
    for (query, reason) in [
        ("What is Tom Hartley allergic to?", "nothing is known about whom"),
        ("Can you write me a haiku?", "no fact, message or field"),
    ] {
        let told = recall(query, json!({}));
        assert!(told["known"] == "no" && facts(&told).is_empty(), "{told}");
        assert!(told["reason"].as_str().unwrap().contains(reason), "{told}");
    }
    // What asks for nothing, and what a message tells of somebody else.
    assert_eq!(recall("How are you?", json!({}))["known"], "no");
    world.call(
        &engine,
        "remember",
        json!({ "messages": [{ "role": "user", "content": "I live in Lisbon." }], "learn": false }),
    );
    world.idle(&engine);
    assert_ne!(recall("Where does Edmund Fairweather live?", json!({}))["known"], "yes");
    // Nouns of German have capitals, and name nobody.
    world.add(&engine, json!({ "text": "Die Adresse von Ingrid Whitfield ist Lindenweg 4" }));
    world.idle(&engine);
    let told = recall("Wie ist die Adresse von Ingrid Whitfield?", json!({}));
    assert_eq!(told["known"], "yes", "{told}");
    // All of it on demand: what has little to do with it, and what matters anyway.
    assert!(facts(&recall("Where does Tom Okafor live?", json!({ "threshold": 0 }))).len() > 1);
    let all = recall("Can you write me a haiku?", json!({ "sections": { "significant": 1 } }));
    assert_eq!(facts(&all).len(), FACTS.len() + 1, "{all}");
    assert!(all["items"][1]["section"] == "significant" && all["known"] == "no", "{all}");
}

#[test]
fn forms_of_a_word_professions_and_short_forms_are_understood() {
    let world = World::new();
    let engine = opened(
        &world,
        &[
            "Bo Lind taught chemistry in Lund",
            "Bo Lind is a retired plumber",
            "Bo Lind has no radio",
            "Bo Lind plans a sauna",
            "Ada Berg lives in Malmö",
        ],
    );
    for (query, answer) in [
        ("What does Bo Lind teach?", "Bo Lind taught chemistry in Lund"),
        ("What did Bo Lind do for a living?", "Bo Lind is a retired plumber"),
    ] {
        let (text, relevance) = best(&world, &engine, query);
        assert!(text == answer && relevance >= 0.3, "{query}: {text}: {relevance}");
    }
    // "BBC" names nobody, and a plane is no plan with a typing error.
    for query in ["Does Bo Lind like the BBC?", "Which plane did Bo Lind board?"] {
        let (text, relevance) = best(&world, &engine, query);
        assert!(relevance < 0.3, "{query}: {text}: {relevance}");
    }
}

/// Facts, and questions with what answers them.
type Set = (&'static [&'static str], &'static [(&'static str, &'static str)]);

/// What the rules learn was not found by plain questions in the same language.
#[test]
fn plain_questions_find_plain_facts_in_other_languages() {
    let sets: [Set; 6] = [
        (
            &["사용자는 부산에 산다.", "사용자는 간호사로 일한다.", "사용자는 커피를 싫어한다."],
            &[
                ("나 어디 살아?", "부산"),
                ("내가 어디에 살지?", "부산"),
                ("나는 어디에 사나요?", "부산"),
                ("내 직업은?", "간호사"),
                ("내 직업이 뭐야?", "간호사"),
            ],
        ),
        (
            &[
                "ユーザーは大阪に住んでいます。",
                "ユーザーの職業は看護師です。",
                "ユーザーはコーヒーが嫌いです。",
            ],
            &[("私の住所は？", "大阪"), ("私の仕事は？", "看護師"), ("何が嫌い？", "コーヒー")],
        ),
        (
            &["用户住在杭州。", "用户的职业是护士。", "用户不喜欢咖啡。"],
            &[
                ("我住哪儿？", "杭州"),
                ("我家在哪里？", "杭州"),
                ("我做什么工作？", "护士"),
                ("我的工作是什么？", "护士"),
                ("我是做什么的？", "护士"),
            ],
        ),
        (
            &["Der Nutzer wohnt in Berlin.", "Der Nutzer arbeitet als Krankenpfleger."],
            &[("Wo wohne ich?", "Berlin"), ("Was arbeite ich?", "Krankenpfleger")],
        ),
        (
            &["El usuario vive en Madrid.", "El usuario trabaja como enfermero."],
            &[("¿Dónde vivo?", "Madrid"), ("¿De qué trabajo?", "enfermero")],
        ),
        (
            &["Пользователь живёт в Москве.", "Пользователь работает медбратом."],
            &[("Где я живу?", "Москве"), ("Кем я работаю?", "медбратом")],
        ),
    ];
    for (facts, questions) in sets {
        let world = World::new();
        let engine = opened(&world, facts);
        for (question, answer) in questions {
            let recalled = world.call(&engine, "recall", json!({ "query": question }));
            let items = recalled["items"].as_array().unwrap();
            assert!(
                known(&recalled) != "no"
                    && items.len() == 1
                    && items[0]["text"].as_str().unwrap().contains(answer),
                "{question}: {recalled}"
            );
        }
    }
}

/// Dogs and cats are both pets, but who asks for the cat was told the dog's name.
#[test]
fn what_is_of_another_kind_answers_nothing() {
    for (facts, question) in [
        (["The user has a dog called Bolt", "The user's name is Marta"], "What is my cat called?"),
        (["ユーザーの犬の名前はポチです。", "ユーザーの名前は佐藤美咲です。"], "私の猫の名前は？"),
        (["用户的狗叫豆豆。", "用户的名字是李雨桐。"], "我的猫叫什么？"),
        (["사용자의 강아지 이름은 콩이이다.", "사용자의 이름은 이서연이다."], "내 고양이 이름은?"),
    ] {
        let world = World::new();
        let engine = opened(&world, &facts);
        let recalled = world.call(&engine, "recall", json!({ "query": question }));
        assert_ne!(known(&recalled), "yes", "{question}: {recalled}");
    }
    let world = World::new();
    let engine = opened(&world, &["The user has a dog called Bolt"]);
    for question in ["What is my dog called?", "What are my pets called?"] {
        let recalled = world.call(&engine, "recall", json!({ "query": question }));
        assert_eq!(known(&recalled), "yes", "{question}: {recalled}");
    }
}

/// The occupation of the user was not found by who asked for it casually.
#[test]
fn work_is_asked_for_in_casual_korean() {
    for fact in ["사용자는 개발자로 일한다", "사용자의 직업은 교사이다"] {
        let world = World::new();
        let engine = opened(&world, &[fact, "사용자는 부산에 산다", "사용자는 커피를 좋아한다"]);
        for query in ["나 무슨 일 해?", "나 무슨 일 하지?", "내 직업이 뭐야?"] {
            let (text, relevance) = best(&world, &engine, query);
            assert!(text == fact && relevance >= 0.3, "{query}: {text}: {relevance}");
        }
    }
}

/// What has one word of the question in another sense was told.
#[test]
fn a_word_of_a_phrase_is_not_taken_by_itself() {
    let world = World::new();
    let engine = opened(
        &world,
        &[
            "The user is left-handed",
            "The user's birthday is on 17 May",
            "Bo Lind has an old Labrador",
            "Bo Lind bakes bread on Sundays",
            "Ida Lind looks after the user's cat",
        ],
    );
    for query in [
        "Which herb should be left out of the soup?",
        "How late may I ring the office?",
        "How old is Bo Lind?",
        "What is Bo Lind allergic to?",
        "How tall is Ida Lind?",
    ] {
        let (text, relevance) = best(&world, &engine, query);
        assert!(relevance < 0.36, "{query}: {text}: {relevance}");
    }
}

#[test]
fn a_kind_answers_who_asks_for_the_whole_and_the_whole_who_asks_for_a_kind() {
    let world = World::new();
    let engine = opened(
        &world,
        &[
            "Helen Marsh has an old Labrador named Brontë",
            "Helen Marsh lives in Oxford",
            "Priya Raman is vegan",
            "Priya Raman rows on Sundays",
            "Daniel Reyes plays chess online",
            "Daniel Reyes brings rye bread to parties",
            "Nora Castellan is a pottery teacher",
            "Nora Castellan comes from Valencia",
        ],
    );
    for (query, answer) in [
        ("Does Helen have a dog?", "Helen Marsh has an old Labrador named Brontë"),
        ("May I make a cheese omelette for Priya?", "Priya Raman is vegan"),
        ("Which sport does Priya do?", "Priya Raman rows on Sundays"),
        ("What is Daniel's hobby?", "Daniel Reyes plays chess online"),
        // Of one root.
        ("What does Nora Castellan teach?", "Nora Castellan is a pottery teacher"),
    ] {
        let (text, relevance) = best(&world, &engine, query);
        assert_eq!(text, answer, "{query}");
        assert!(relevance >= 0.3, "{query}: {relevance}");
    }
    // One kind does not answer who asks for another.
    let (text, relevance) = best(&world, &engine, "Does Daniel eat cheese with tomatoes?");
    let bread = "Daniel Reyes brings rye bread to parties";
    let (other, of_kind) = best(&world, &engine, "Which cheese does Daniel buy?");
    assert!(text == bread && relevance > of_kind, "{text} {relevance}, {other} {of_kind}");
}

/// "Is Paulo a smoker?" was answered with what was a little nearer in meaning than all else about him.
#[test]
fn what_shares_no_word_and_is_a_little_near_is_told_to_nobody() {
    let world = World::new();
    let engine = opened(
        &world,
        &[
            "Aldo is retiring in the spring",
            "Bilal speaks Urdu at home",
            "Paulo roasts his own coffee",
            "Layla will wear braces until the spring of 2027",
            "Layla sold her car",
        ],
    );
    let recall = |query: &str, options: Value| {
        let mut options = options;
        options["query"] = json!(query);
        world.call(&engine, "recall", options)
    };
    for query in ["What phone does Bilal have?", "Is Paulo a smoker?"] {
        let all = recall(query, json!({ "threshold": 0 }));
        // As near as what would be told if it shared a word.
        assert!(all["items"][0]["relevance"].as_f64().unwrap() > 0.15, "{query}: {all}");
        let told = recall(query, json!({}));
        assert!(told["items"].as_array().unwrap().is_empty() && known(&told) == "no", "{query}: {told}");
    }
    let told = recall("Did Layla sell a vehicle?", json!({}));
    assert!(told["text"].as_str().unwrap().contains("sold her car"), "{told}");
}

/// "What did I buy?" found no "bought".
#[test]
fn forms_without_a_stem_are_one_word() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for content in ["I bought hiking boots.", "I went to Oslo.", "I caught a carp."] {
        world.call(&engine, "remember", json!({ "messages": [{ "role": "user", "content": content }] }));
    }
    world.idle(&engine);
    for (question, words) in
        [("What did I buy?", "boots"), ("Where did I go?", "Oslo"), ("What fish did I catch?", "carp")]
    {
        let recalled = world.call(&engine, "recall", json!({ "query": question }));
        assert!(recalled["text"].as_str().unwrap().contains(words), "{question}: {recalled}");
    }
}

/// Where a number was asked for, a fact that told none was as relevant.
#[test]
fn numbers_are_looked_for() {
    let relevance = |text: &str| {
        let world = World::new();
        let engine = opened(&world, &[text]);
        search(&world, &engine, json!({ "query": "How much do I pay the cleaner?", "threshold": 0 }))[0].1
    };
    assert!(
        relevance("The user pays a cleaner named Agata")
            < 0.8 * relevance("The user pays the cleaner 15 pounds")
    );
}
