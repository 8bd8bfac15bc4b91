//! What recall packs into its tokens, in which order, and what it leaves out.

use crate::support::world::{Scripted, World, texts};
use mnemic::Code;
use mnemic::engine::Engine;
use serde_json::{Value, json};

fn open(world: &World) -> Engine {
    world.open(None, &json!({ "extraction": { "auto": false } }))
}

fn recall(world: &World, engine: &Engine, query: &str, options: Value) -> Value {
    let mut asked = options;
    asked["query"] = query.into();
    world.call(engine, "recall", asked)
}

/// The lines of a recall that stand in a section.
fn lines(recalled: &Value, section: &str) -> Vec<String> {
    let items = recalled["items"].as_array().unwrap().iter();
    let of_section = items.filter(|item| item["section"] == section);
    of_section.map(|item| item["text"].as_str().unwrap().to_owned()).collect()
}

fn tokens(recalled: &Value, section: &str) -> u64 {
    let items = recalled["items"].as_array().unwrap().iter();
    items.filter(|item| item["section"] == section).map(|item| item["tokens"].as_u64().unwrap()).sum()
}

fn say(world: &World, engine: &Engine, thread: &str, text: &str) {
    let message = json!({ "role": "user", "content": text });
    world.call(engine, "remember", json!({ "messages": [message], "threadId": thread, "learn": false }));
}

/// Twenty lines were told at most, though there was room for more.
#[test]
fn as_many_lines_are_told_as_there_is_room_for() {
    let world = World::new();
    let engine = open(&world);
    let facts: Vec<Value> =
        (0..200).map(|number| json!({ "text": format!("Trip {number} went to Lisbon") })).collect();
    world.call(&engine, "facts.import", json!({ "facts": facts }));
    for (max_tokens, least) in [(200, 8), (1000, 50), (4000, 190)] {
        let recalled = recall(&world, &engine, "Lisbon", json!({ "maxTokens": max_tokens }));
        let told = lines(&recalled, "facts").len();
        assert!(told >= least, "{told} lines in {max_tokens} tokens");
        assert!(recalled["tokens"].as_u64().unwrap() <= max_tokens);
    }
    let few = recall(&world, &engine, "Lisbon", json!({ "limit": 3 }));
    assert_eq!(few["items"].as_array().unwrap().len(), 3);
    assert_eq!(
        world.fails(&engine, "recall", json!({ "query": "Lisbon", "limit": 0 })).code,
        Code::InvalidInput
    );
}

#[test]
fn facts_have_a_share_and_messages_what_is_left() {
    let world = World::new();
    let engine = open(&world);
    for number in 0..60 {
        world.add(&engine, json!({ "text": format!("Trip {number} went to Lisbon by train") }));
        say(
            &world,
            &engine,
            &format!("t{number}"),
            &format!("On day {number} I ate cod in Lisbon, by the river"),
        );
    }
    let recalled = recall(&world, &engine, "What about Lisbon?", json!({ "maxTokens": 600 }));
    let (facts, messages) = (tokens(&recalled, "facts"), tokens(&recalled, "messages"));
    assert!((150..=400).contains(&facts) && messages >= 150, "{facts} and {messages} tokens");
    // A share of the caller's own is never exceeded, and its rest goes to the others.
    let own = json!({ "maxTokens": 600, "sections": { "facts": 0.1 } });
    let recalled = recall(&world, &engine, "What about Lisbon?", own);
    assert!(tokens(&recalled, "facts") <= 60 && tokens(&recalled, "messages") >= 350, "{recalled}");
    let none = json!({ "maxTokens": 600, "sections": { "facts": 0, "significant": 0 } });
    let recalled = recall(&world, &engine, "What about Lisbon?", none);
    assert!(lines(&recalled, "facts").is_empty() && !lines(&recalled, "messages").is_empty());
    // Alone, each takes all of it.
    let alone = json!({ "maxTokens": 600, "sections": { "messages": 0 } });
    let recalled = recall(&world, &engine, "What about Lisbon?", alone);
    assert!(tokens(&recalled, "facts") >= 450, "{recalled}");
    for wrong in [json!({ "fact": 1 }), json!({ "blocks": 0.1 }), json!({ "facts": 2 })] {
        let error = world.fails(&engine, "recall", json!({ "query": "Lisbon", "sections": wrong }));
        assert_eq!(error.code, Code::InvalidInput, "{error:?}");
    }
}

#[test]
fn the_graph_tells_of_whom_the_query_names() {
    let world = World::new();
    let engine = open(&world);
    let entity =
        |name: &str, seen: &[&str]| json!({ "name": name, "entityType": "thing", "observations": seen });
    let seen = [
        "is blue",
        "was built in Porto",
        "has a mast of nine metres",
        "leaks",
        "is old",
        "is dear",
        "is fast",
    ];
    let entities =
        json!({ "entities": [entity("Petrel", &seen), entity("Porto", &[]), entity("Bob", &["sails"])] });
    world.call(&engine, "graph.create_entities", entities);
    let relation = |to: &str, kind: &str| json!({ "from": "Petrel", "to": to, "relationType": kind });
    let relations = json!({ "relations": [relation("Porto", "lies_in"), relation("Bob", "is_owned_by")] });
    world.call(&engine, "graph.create_relations", relations);
    let recalled = recall(&world, &engine, "Who owned the Petrel with its long mast?", json!({}));
    assert_eq!(
        lines(&recalled, "graph"),
        [
            "- Petrel (thing): has a mast of nine metres; leaks; is old; is dear; is fast",
            "- Petrel is_owned_by Bob",
            "- Petrel lies_in Porto",
        ]
    );
    let without = recall(&world, &engine, "Who owned the Petrel?", json!({ "sections": { "graph": 0 } }));
    assert!(lines(&without, "graph").is_empty());
    assert!(lines(&recall(&world, &engine, "Who owns what?", json!({})), "graph").is_empty());
}

/// A message and the fact that was learned from it were both told.
#[test]
fn a_message_is_not_told_beside_its_fact() {
    let world = World::new();
    let fact = json!({ "action": "add", "target": null, "text": "The user moved to Lisbon.", "significance": 6,
                       "message": 1, "quote": "I moved to Lisbon" });
    let llm = Scripted::new([json!({ "facts": [fact], "profile": [] })]);
    let engine = world.open(Some(llm), &json!({}));
    world.say(&engine, "I moved to Lisbon and adopted a cat.");
    world.call(&engine, "flush", json!({}));
    let recalled = recall(&world, &engine, "When did I move to Lisbon?", json!({}));
    assert_eq!(lines(&recalled, "facts"), ["- The user moved to Lisbon. (said 2026-05-01)"]);
    assert!(lines(&recalled, "messages").is_empty(), "{recalled}");
    // It goes on to tell what the fact does not.
    let recalled = recall(&world, &engine, "Which cat did I adopt in Lisbon?", json!({}));
    assert_eq!(lines(&recalled, "facts").len(), 1);
    assert_eq!(
        lines(&recalled, "messages"),
        ["- user (said 2026-05-01): I moved to Lisbon and adopted a cat."]
    );
}

#[test]
fn no_two_lines_say_the_same() {
    let world = World::new();
    let engine = open(&world);
    world.add(&engine, json!({ "text": "The user lives in Lisbon." }));
    world.add(&engine, json!({ "text": "The user lived in Lisbon." }));
    world.add(&engine, json!({ "text": "The user does not live in Lisbon." }));
    for thread in ["a", "b", "c"] {
        say(&world, &engine, thread, "I live in Lisbon");
        say(&world, &engine, thread, "Lisbon has good C++ jobs.");
        say(&world, &engine, thread, "Lisbon has good C# jobs!");
    }
    let entity = |name: &str| json!({ "name": name, "entityType": "thing", "observations": [] });
    world.call(&engine, "graph.create_entities", json!({ "entities": [entity("User"), entity("Lisbon")] }));
    let relation = json!({ "from": "User", "to": "Lisbon", "relationType": "lives_in" });
    world.call(&engine, "graph.create_relations", json!({ "relations": [relation] }));
    let recalled = recall(&world, &engine, "Where in Lisbon do I live?", json!({}));
    assert_eq!(lines(&recalled, "facts").len(), 3, "{recalled}");
    let messages = lines(&recalled, "messages");
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(
        messages.iter().any(|line| line.contains("C++")) && messages.iter().any(|line| line.contains("C#"))
    );
    assert_eq!(lines(&recalled, "graph"), ["- Lisbon (thing)"]);
}

/// Four wordings of one statement filled the pack.
#[test]
fn what_is_said_in_the_same_words_in_another_order_is_told_once() {
    let world = World::new();
    let engine = open(&world);
    for (thread, text) in [
        ("a", "My dog Rex loves long walks on the beach."),
        ("b", "Rex, my dog, loves long walks on the beach"),
        ("c", "As I said, my dog Rex really loves long walks on the beach!"),
        ("d", "My dog Rex loves long walks on the beach at low tide."),
        ("e", "My dog Rex did not love long walks on the beach."),
        ("f", "Does my dog Rex love long walks on the beach?"),
        ("g", "My dog bit Rex"),
        ("h", "My dog Rex bit"),
    ] {
        say(&world, &engine, thread, text);
    }
    let recalled = recall(&world, &engine, "What does my dog Rex love or bite?", json!({ "threshold": 0 }));
    let told = lines(&recalled, "messages");
    let count = |words: &str| told.iter().filter(|line| line.contains(words)).count();
    assert_eq!(count("long walks") - count("low tide") - count("did not") - count("Does"), 1, "{told:?}");
    assert_eq!([count("low tide"), count("did not"), count("bit Rex"), count("Rex bit")], [1; 4], "{told:?}");
}

/// Facts that models word now one way and now another filled the pack; what only looks alike stays.
#[test]
fn what_is_put_in_other_words_is_told_once() {
    for (query, wordings, others) in [
        (
            "What is Nora allergic to?",
            &["Nora is allergic to peanuts", "Nora has a peanut allergy", "Nora has an allergy to peanuts"][..],
            &[
                "Nora is not allergic to peanuts",
                "Nora's son has a peanut allergy",
                "Nora is allergic to hazelnuts",
            ][..],
        ),
        (
            "Where does Nora work?",
            &["Nora works at Acme", "Nora is employed by Acme", "Nora works for Acme"],
            &["Nora worked at Acme", "Nora works at Acme as a nurse"],
        ),
        (
            "Where does Nora live?",
            &["Nora lives in Leeds", "Nora is based in Leeds", "Nora resides in Leeds"],
            &["Nora lives near Leeds"],
        ),
        (
            "What dog has Nora?",
            &["Nora has a dog named Rex", "Nora owns a dog called Rex"],
            &["Nora has a cat called Rex"],
        ),
        (
            "What does Nora like?",
            &["Nora enjoys hiking", "Nora likes hiking", "Nora is fond of hiking"],
            &["Nora dislikes hiking"],
        ),
        ("What is Nora's job?", &["Nora works as a nurse", "Nora is a nurse"], &["Nora trains as a nurse"]),
    ] {
        let world = World::new();
        let engine = open(&world);
        for text in others.iter().chain(wordings) {
            world.add(&engine, json!({ "text": text }));
        }
        let recalled = recall(&world, &engine, query, json!({ "threshold": 0 }));
        let told = lines(&recalled, "facts");
        let count = |texts: &[&str]| {
            let of = |line: &&String| texts.iter().any(|text| line.starts_with(&format!("- {text} (")));
            told.iter().filter(of).count()
        };
        assert_eq!((count(wordings), count(others)), (1, others.len()), "{told:?}");
    }
}

/// What has the same words in other places, or a word of another meaning, is not the same.
#[test]
fn what_only_has_words_of_the_same_is_told() {
    for [one, other] in [
        ["My cat has allergies", "I have a cat allergy"],
        ["My dog is allergic", "I'm allergic to dogs"],
        ["My dog has a food allergy", "I am allergic to dog food"],
        ["I have an allergy to my son", "My son has an allergy"],
        ["I have allergy pills", "I am allergic to pills"],
        ["I am from an allergy clinic", "I have a clinic allergy"],
        ["I have a 12 year old dog", "I have 12 dogs"],
        ["I called my brother", "I named my brother"],
        ["My boss called Bob", "My boss named Bob"],
        ["I don't own a car", "I don't have a car"],
        ["The cheese is aged", "The cheese is good"],
        ["I have hepatitis A", "I have hepatitis"],
    ] {
        let world = World::new();
        let engine = open(&world);
        for text in [one, other] {
            world.add(&engine, json!({ "text": text }));
        }
        let recalled = recall(&world, &engine, &format!("{one} {other}"), json!({ "threshold": 0 }));
        assert_eq!(lines(&recalled, "facts").len(), 2, "{recalled}");
    }
}

#[test]
fn each_line_has_the_date_that_was_given() {
    let world = World::new();
    let engine = open(&world);
    for fact in [
        json!({ "text": "Ada sails since school", "dates": { "since": "spring 1998" } }),
        json!({ "text": "Ada sailed a race", "dates": { "since": "2019", "until": "2031" } }),
        json!({ "text": "Ada sails for a club", "dates": { "until": "2031" } }),
        json!({ "text": "Ada sails alone" }),
    ] {
        world.add(&engine, fact);
    }
    let message = json!({ "role": "user", "content": "Ada sails a ketch", "name": "Bob", "createdAt": 1_700_000_000_000_i64 });
    world.call(&engine, "remember", json!({ "messages": [message], "threadId": "t", "learn": false }));
    let recalled = recall(&world, &engine, "Ada sails", json!({}));
    for line in [
        "- Ada sails since school (since spring 1998)",
        "- Ada sailed a race (since 2019, until 2031)",
        "- Ada sails for a club (said 2026-05-01, until 2031)",
        "- Ada sails alone (said 2026-05-01)",
        "- user (Bob, said 2023-11-14): Ada sails a ketch",
    ] {
        assert!(texts(&recalled["items"]).contains(&line), "{line} in {recalled}");
    }
}

/// The order of pinned facts followed the query.
#[test]
fn the_beginning_is_the_same_whatever_is_asked() {
    let world = World::new();
    let profile = json!({ "type": "object", "properties": { "diet": { "type": "string" } } });
    let engine = world.open(None, &json!({ "profiles": { "user": profile } }));
    world.call(&engine, "instructions.set", json!({ "name": "tone", "text": "Answer in short sentences." }));
    world.call(&engine, "profiles.set", json!({ "schema": "user", "field": "diet", "value": "vegan" }));
    for text in ["Ada is allergic to nuts", "Ada's boat is called Petrel", "Ada plays the cello"] {
        let id = world.add(&engine, json!({ "text": text }));
        world.call(&engine, "items.pin", json!({ "id": id, "pinned": true }));
    }
    world.add(&engine, json!({ "text": "Ada sails in May" }));
    let mut beginnings = Vec::new();
    for query in ["What plays Ada?", "Which boat has Ada?", "When does Ada sail?"] {
        let recalled = recall(&world, &engine, query, json!({ "sections": { "significant": 1 } }));
        let (text, prefix) = (recalled["text"].as_str().unwrap(), recalled["prefixTokens"].as_u64().unwrap());
        let end = text.find("- Ada sails in May").unwrap();
        let beginning = text[..end].trim_end_matches("Other facts:\n").to_owned();
        assert_eq!(mnemic::tokens::estimate(&beginning) as u64, prefix, "{text}");
        beginnings.push(beginning);
    }
    assert!(
        beginnings[0].contains("cello") && beginnings.iter().all(|one| *one == beginnings[0]),
        "{beginnings:?}"
    );
}

#[test]
fn a_whole_prompt_tells_what_was_said_in_other_threads() {
    let world = World::new();
    let engine = open(&world);
    say(&world, &engine, "monday", "My boat is called Petrel.");
    say(&world, &engine, "today", "Hello, it is about my boat.");
    let asked = json!({ "threadId": "today", "query": "What is my boat called?", "maxTokens": 1000 });
    let prompt = world.call(&engine, "assemble", asked.clone());
    let text = prompt["text"].as_str().unwrap();
    assert!(
        text.contains("Earlier conversations:\n- user (said 2026-05-01): My boat is called Petrel.\n"),
        "{text}"
    );
    assert_eq!(text.matches("Hello, it is about my boat.").count(), 1, "{text}");
    let mut none = asked;
    none["sections"] = json!({ "messages": 0 });
    let prompt = world.call(&engine, "assemble", none);
    assert!(!prompt["text"].as_str().unwrap().contains("Petrel"));
}

/// What is known but finds no room was told to be known, with nothing to read.
#[test]
fn what_finds_no_room_is_not_told_to_be_known() {
    let world = World::new();
    let engine = open(&world);
    let fact = "The user lives in a flat with a green door near the old harbour of Lisbon";
    world.add(&engine, json!({ "text": fact }));
    let recalled = recall(&world, &engine, "Where do I live?", json!({ "maxTokens": 10 }));
    assert!(recalled["text"] == "" && recalled["known"] == "partly", "{recalled}");
    assert!(recalled["reason"].as_str().unwrap().contains("maxTokens"), "{recalled}");
    assert_eq!(recall(&world, &engine, "Where do I live?", json!({}))["known"], "yes");
    assert_eq!(recall(&world, &engine, "What do I drive?", json!({ "maxTokens": 10 }))["known"], "no");
}

/// Why nothing was told of what is known was not said, or another reason was given.
#[test]
fn the_reason_says_why_what_fits_best_is_not_told() {
    let world = World::new();
    let engine = open(&world);
    world.add(
        &engine,
        json!({ "text": "The user lives in a flat with a green door near the old harbour of Lisbon" }),
    );
    for (options, known, why) in [
        (json!({}), "yes", "%"),
        (json!({ "threshold": 0.99 }), "partly", ", less than the threshold asks for"),
        (json!({ "sections": { "facts": 0 } }), "partly", ", but finds no room in its section"),
        (json!({ "maxTokens": 10 }), "partly", ", but finds no room; raise maxTokens"),
        (
            json!({ "maxTokens": 10, "sections": { "significant": 0.2 } }),
            "partly",
            ", but finds no room; raise maxTokens",
        ),
    ] {
        let recalled = recall(&world, &engine, "Where do I live?", options.clone());
        assert_eq!(recalled["known"], known, "{options}: {recalled}");
        assert!(recalled["reason"].as_str().unwrap().ends_with(why), "{options}: {recalled}");
        assert_eq!(recalled["items"].as_array().unwrap().is_empty(), why != "%", "{options}");
    }
    // What is told and fits less well does not make it told, and what fits better does.
    for (said, known) in [
        ("My flat has a view of the river, where we live now with six cats.", "partly"),
        ("I live near the river.", "yes"),
    ] {
        say(&world, &engine, known, said);
        let recalled = recall(&world, &engine, "Where do I live?", json!({ "sections": { "facts": 0 } }));
        assert_eq!(
            (lines(&recalled, "messages").is_empty(), &recalled["known"]),
            (false, &json!(known)),
            "{recalled}"
        );
    }
}

/// Of a field, of a message whose fact is told, and of what a limit leaves out it was not told why, or wrongly.
#[test]
fn the_reason_is_that_of_the_kind_of_what_fits_best() {
    let world = World::new();
    let schemas = json!({ "profile": { "type": "object", "properties": { "city": { "type": "string" } } } });
    let engine = world.open(None, &json!({ "profiles": schemas }));
    world.teach(&engine, "I live in Lisbon.");
    let known = |query: &str, options: Value| {
        let recalled = recall(&world, &engine, query, options);
        (recalled["known"].as_str().unwrap().to_owned(), recalled["reason"].as_str().unwrap().to_owned())
    };
    // The message says what the fact says.
    let (is_known, reason) = known("Where do I live in Lisbon?", json!({ "sections": { "messages": 0 } }));
    assert!(is_known == "yes" && reason.ends_with('%'), "{reason}");
    for (text, significance) in [("The user works as a nurse", 1), ("The user worked as a cook", 10)] {
        world.add(&engine, json!({ "text": text, "significance": significance }));
    }
    let asked = json!({ "limit": 1, "threshold": 0.1, "scoring": { "mode": "product" } });
    let (is_known, reason) = known("Do I work as a nurse?", asked);
    assert!(is_known == "partly" && reason.ends_with(", but the limit leaves it out"), "{is_known} {reason}");
    world.call(&engine, "profiles.set", json!({ "schema": "profile", "field": "city", "value": "Porto" }));
    let (is_known, reason) =
        known("Which city?", json!({ "sections": { "profile": 0, "facts": 0, "messages": 0 } }));
    assert!(is_known == "partly" && reason.contains("field"), "{is_known} {reason}");
}

/// What a thing was before has fewer words of the question than what it is now, and was cut off.
#[test]
fn a_question_of_what_has_changed_is_told_both() {
    let world = World::new();
    let engine = open(&world);
    for text in [
        "Bo Lind trained as a nurse at the county hospital",
        "Bo Lind works as a tattoo artist",
        "Bo Lind has a parrot",
        "Bo Lind comes from Lund",
    ] {
        world.add(&engine, json!({ "text": text }));
    }
    let told = |query: &str| lines(&recall(&world, &engine, query, json!({})), "facts");
    let both = told("What was Bo Lind's job before he trained as a nurse?");
    assert!(both.len() == 2 && both.iter().any(|line| line.contains("tattoo")), "{both:?}");
}

/// A pinned fact was cut around what was asked: the prefix changed with each question, and what was pinned was not in it.
#[test]
fn a_long_pinned_fact_reads_the_same_whatever_is_asked() {
    let world = World::new();
    let engine = open(&world);
    let diary = "She keeps a diary about the weather. ".repeat(15);
    let text = format!("Alice may not have penicillin. {diary}Her cello is from 1890. {diary}");
    let id = world.add(&engine, json!({ "text": text }));
    world.call(&engine, "items.pin", json!({ "id": id }));
    let prefix = |query: &str| {
        let told = world.call(&engine, "recall", json!({ "query": query }));
        assert!(told["text"].as_str().unwrap().contains("penicillin"), "{told}");
        told["prefixTokens"].clone()
    };
    assert_eq!(prefix("Good morning!"), prefix("Tell me about the cello"));
}

/// "Ebba works at Acme" stood there twice, as a fact and as what is seen of Ebba, and "is married to" beside "married_to".
#[test]
fn the_graph_tells_nothing_that_a_fact_does() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for text in ["Ebba is married to Henrik", "Ebba works at Acme"] {
        world.add(&engine, json!({ "text": text }));
    }
    let entity =
        |name: &str, seen: &[&str]| json!({ "name": name, "entityType": "person", "observations": seen });
    let entities = [entity("Ebba", &["works at Acme", "sings alto"]), entity("Henrik", &[])];
    world.call(&engine, "graph.create_entities", json!({ "entities": entities }));
    let relation = |kind: &str| json!({ "from": "Ebba", "to": "Henrik", "relationType": kind });
    let relations = json!({ "relations": [relation("married_to"), relation("sails_with")] });
    world.call(&engine, "graph.create_relations", relations);
    let recalled = recall(&world, &engine, "Who is Ebba?", json!({}));
    assert_eq!(lines(&recalled, "graph"), ["- Ebba (person): sings alto", "- Ebba sails_with Henrik"]);
}

/// Nothing was found across languages without a model: their words were compared by their spelling alone.
#[test]
fn what_is_told_in_one_language_answers_in_another() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let facts = [
        "사용자는 고양이 모찌를 키운다.",
        "사용자는 새우 알레르기가 있다.",
        "ユーザーはビールが好きである。",
        "用户养了一只小狗。",
        "The user plays the violin.",
    ];
    for text in facts {
        world.add(&engine, json!({ "text": text }));
    }
    for (query, fact) in [
        ("Do I have a cat?", facts[0]),
        ("What am I allergic to?", facts[1]),
        ("我对什么过敏？", facts[1]),
        ("What do I like to drink?", facts[2]),
        ("我的小狗呢？", facts[3]),
        ("내가 연주하는 악기는 뭐야?", facts[4]),
    ] {
        let told = lines(&recall(&world, &engine, query, json!({})), "facts");
        assert!(told.first().is_some_and(|line| line.contains(fact)), "{query}: {told:?}");
    }
    let nothing = recall(&world, &engine, "What is my passport number?", json!({}));
    assert_eq!((&nothing["known"], &nothing["text"]), (&json!("no"), &json!("")));
}
