//! What rules learn of plain words is found by plain questions, and nothing else is told beside it.

use super::opened;
use crate::support::world::World;
use mnemic::engine::Engine;
use serde_json::{Value, json};

const SAID: &[&str] = &[
    "my name is Alice",
    "i'm 34",
    "i live in Porto",
    "i grew up in Leeds",
    "i'm Polish",
    "i work at Acme",
    "i'm a product manager",
    "my boss is Tom",
    "my wife Dana is great",
    "my brother Sam lives in Oslo",
    "my mom's name is Ruth",
    "we have two kids",
    "i have a dog called Rex",
    "i speak Spanish and Dutch",
    "i'm vegetarian",
    "i'm allergic to peanuts",
    "i love hiking",
    "i hate coriander",
    "my favorite color is green",
    "my birthday is May 3",
    "i have asthma",
    "i take metformin",
    "i want to learn Japanese",
    "i studied physics at Leeds",
    "i sold my bike",
    "i go by Ally",
];

const FACTS: &[&str] = &["facts"];
const ALL: &[&str] = &["facts", "messages"];

fn told(world: &World, said: &[&str]) -> Engine {
    let engine = world.open(None, &json!({}));
    for text in said {
        world.call(&engine, "remember", json!({ "messages": [{ "role": "user", "content": text }] }));
    }
    world.idle(&engine);
    engine
}

/// Whether it is known, and the lines of facts, or those of messages as well.
fn recalled(world: &World, engine: &Engine, (query, sections): (&str, &[&str])) -> (String, Vec<String>) {
    let recalled = world.call(engine, "recall", json!({ "query": query }));
    let text = |item: &Value| item["text"].as_str().unwrap().to_owned();
    let items = recalled["items"].as_array().unwrap().iter();
    let items = items.filter(|item| sections.contains(&item["section"].as_str().unwrap()));
    let lines = items.map(text).collect();
    (recalled["known"].as_str().unwrap().to_owned(), lines)
}

/// "The name of the user's wife is Dana" was found by no question for her, and everything else by it.
#[test]
fn what_is_learned_is_told_to_who_asks_for_it() {
    let world = World::new();
    let engine = told(&world, SAID);
    for (query, answers) in [
        ("What's my name?", &["Alice"][..]),
        ("How old am I?", &["34", "May 3"]),
        ("Where do I live?", &["Porto"]),
        ("Where am I from?", &["Polish", "Leeds"]),
        ("What's my nationality?", &["Polish", "Leeds"]),
        ("Where do I work?", &["Acme"]),
        ("What do I do?", &["Acme", "manager"]),
        ("What do I do for a living?", &["Acme", "manager"]),
        ("What's my job?", &["manager", "Acme"]),
        ("Who is my boss?", &["Tom"]),
        ("Who is my wife?", &["Dana"]),
        ("What's my wife's name?", &["Dana"]),
        ("Who is Dana?", &["Dana"]),
        ("Am I married?", &["Dana"]),
        ("Who is my brother?", &["Sam"]),
        ("What is my brother called?", &["Sam"]),
        ("Do I have siblings?", &["Sam"]),
        ("What's my mother's name?", &["Ruth"]),
        ("Who is my mum?", &["Ruth"]),
        ("Do I have children?", &["kids"]),
        ("Who is in my family?", &["Dana", "Sam", "Ruth", "kids"]),
        ("Tell me about my family", &["Dana", "Sam", "Ruth", "kids"]),
        ("Do I have pets?", &["Rex"]),
        ("What's my dog's name?", &["Rex"]),
        ("Do I eat meat?", &["vegetarian", "peanuts", "coriander"]),
        ("What am I allergic to?", &["peanuts"]),
        ("What do I dislike?", &["coriander"]),
        ("What's my favourite colour?", &["green"]),
        ("When is my birthday?", &["May 3"]),
        ("When's my bday?", &["May 3", "34"]),
        ("Do I have any health problems?", &["asthma"]),
        ("What medication do I take?", &["metformin", "asthma"]),
        ("What meds am I on?", &["metformin"]),
        ("What did I study?", &["physics"]),
    ] {
        let (known, lines) = recalled(&world, &engine, (query, FACTS));
        assert_ne!(known, "no", "{query} {lines:?}");
        let is_right = |line: &String| answers.iter().any(|answer| line.contains(answer));
        assert!(lines.iter().all(is_right), "{query} {lines:?}");
        let is_told = |answer: &&str| lines.iter().any(|line| line.contains(answer));
        assert!(answers.iter().all(is_told), "{query} {lines:?}");
    }
    for query in
        ["Who is my husband?", "What's my phone number?", "Who is my best friend?", "Do I have a cat?"]
    {
        let (known, lines) = recalled(&world, &engine, (query, FACTS));
        assert_ne!(known, "yes", "{query} {lines:?}");
    }
}

/// The name alone was learned, told, and taken for the answer, in place of the words that had more.
#[test]
fn a_message_that_says_more_than_its_fact_is_told() {
    let world = World::new();
    let engine = told(&world, &["my wife Anna is a teacher", "i live in Porto"]);
    let (_, lines) = recalled(&world, &engine, ("What does my wife do?", ALL));
    assert!(lines.iter().any(|line| line.contains("teacher")), "{lines:?}");
    let (_, lines) = recalled(&world, &engine, ("Where do I live?", ALL));
    assert_eq!(lines.len(), 1, "the fact says what the message says: {lines:?}");
}

/// A cousin's diet was the user's, and what is only wanted was so.
#[test]
fn what_is_said_of_others_or_wanted_does_not_answer_of_the_user() {
    let world = World::new();
    let engine = told(
        &world,
        &["my cousin Jen is a vegan and lives with me", "priya is a nurse", "i want to become a pilot"],
    );
    for query in ["Am I vegan?", "Where do I live?", "Am I a nurse?", "Am I a pilot?"] {
        let (known, lines) = recalled(&world, &engine, (query, FACTS));
        assert_ne!(known, "yes", "{query} {lines:?}");
    }
    assert_eq!(recalled(&world, &engine, ("Who is a nurse?", ALL)).0, "yes");
}

/// "Is Tom my husband?" was yes, by a boss of this name.
#[test]
fn who_is_something_else_is_not_confirmed_to_be_what_is_asked() {
    let world = World::new();
    let said = [
        "my boss is Tom",
        "my sister is Anna",
        "my wife Dana is great",
        "i have a dog called Rex",
        "i play the guitar",
    ];
    let engine = told(&world, &said);
    for query in [
        "Is Tom my husband?",
        "Is Tom my brother?",
        "Is Anna my wife?",
        "Is Dana my sister?",
        "Is Rex my cat?",
        "Do I play the piano?",
    ] {
        let (known, lines) = recalled(&world, &engine, (query, ALL));
        assert_ne!(known, "yes", "{query} {lines:?}");
    }
    for (query, answer) in [
        ("Is Tom my boss?", "Tom"),
        ("Is my boss called Tom?", "Tom"),
        ("Is Anna my sister?", "Anna"),
        ("Is Dana my wife?", "Dana"),
        ("Is Rex my dog?", "Rex"),
        ("Do I play the guitar?", "guitar"),
    ] {
        let (known, lines) = recalled(&world, &engine, (query, ALL));
        assert!(known == "yes" && lines.iter().any(|line| line.contains(answer)), "{query} {lines:?}");
    }
}

/// The home of today was told as the one before it, of which nothing is known.
#[test]
fn what_holds_now_is_not_what_was_before_it() {
    let (world, other) = (World::new(), World::new());
    let now = told(&world, &["i live in Porto", "i work at Acme"]);
    let moved = told(&other, &["i live in Leeds", "i moved to Porto", "i work at Acme"]);
    for query in ["Where did I live before?", "Where did I use to live?", "Where did I live previously?"] {
        let (known, lines) = recalled(&world, &now, (query, ALL));
        assert_ne!(known, "yes", "{query} {lines:?}");
        let (known, lines) = recalled(&other, &moved, (query, ALL));
        assert!(known == "yes" && lines.iter().any(|line| line.contains("Leeds")), "{query} {lines:?}");
    }
}

/// The name of a dog answered for that of a cat.
#[test]
fn the_name_of_another_is_none_of_whom_is_asked_for() {
    let world = World::new();
    let engine = told(&world, &["犬の名前はポチです", "제 강아지 이름은 초코예요"]);
    for query in ["猫の名前は？", "妻の名前は？", "고양이 이름이 뭐야?", "我老公叫什么名字？"]
    {
        let (known, lines) = recalled(&world, &engine, (query, ALL));
        assert_ne!(known, "yes", "{query} {lines:?}");
    }
    for (query, answer) in [("犬の名前は？", "ポチ"), ("강아지 이름이 뭐야?", "초코")] {
        let (known, lines) = recalled(&world, &engine, (query, ALL));
        assert!(known == "yes" && lines.iter().any(|line| line.contains(answer)), "{query} {lines:?}");
    }
}

/// "what is marcus allergic to" was answered with what the user and others are allergic to, and each fact about Marcus was told.
#[test]
fn names_in_small_letters_are_names() {
    let world = World::new();
    let facts = [
        "Marcus lives in Toronto",
        "Marcus is a sound engineer",
        "Anjali is a Hindu and doesn't eat beef",
        "Anjali is learning Spanish on Duolingo",
        "The user's manager is Ruth Adeyemi",
        "The user has a black cat named Olive",
        "Olive is 14 years old and has kidney disease",
        "The user is allergic to penicillin",
        "Theo is allergic to sesame",
        "Theo is the user's husband",
        "Theo's birthday is on 3 May",
        "Zadie is the user's daughter and plays the cello",
        "Zadie's best friend is Noor",
        "The user works from home on Mondays",
    ];
    let engine = opened(&world, &facts);
    for query in [
        "what is marcus allergic to",
        "where does ruth live?",
        "is oliver allergic to anything?",
        "when is anjali's birthday?",
        "whats zadies shoe size",
        "does gloria have kids",
        "does my sister have kids",
    ] {
        let (known, lines) = recalled(&world, &engine, (query, ALL));
        assert!(known != "yes" && lines.len() <= 1, "{query} {known} {lines:?}");
    }
    for (query, answer) in [
        ("where does marcus live?", "Toronto"),
        ("what does marcus do for work", "engineer"),
        ("does anjali eat beef", "beef"),
        ("what should I avoid cooking when anjali comes for dinner", "beef"),
        ("whens theos birthday", "3 May"),
        ("what does zadie play", "cello"),
        ("who is zadie's best friend", "Noor"),
        ("how old is olive", "14"),
        ("who is ruth", "Ruth Adeyemi"),
    ] {
        let (known, lines) = recalled(&world, &engine, (query, ALL));
        let is_first = lines.first().is_some_and(|line| line.contains(answer));
        assert!(known != "no" && is_first && lines.len() <= 2, "{query} {known} {lines:?}");
    }
}

/// "What's wrong with the cat?" told that there is one, and nothing of Olive.
#[test]
fn a_pet_is_told_of_by_its_name() {
    let world = World::new();
    let facts = [
        "The user has a black cat named Olive",
        "Olive is 14 years old and has kidney disease",
        "Rex is the user's dog",
        "Rex is insured with Petplan",
        "Rex is afraid of fireworks",
        "The user is afraid of public speaking",
        "The user insures the car with Aviva",
        "Kit is the user's son and three years old",
        "The user is watching Slow Horses with Theo",
    ];
    let engine = opened(&world, &facts);
    for (query, answer) in [
        ("what's wrong with the cat", "kidney"),
        ("how old is my cat", "14"),
        ("is my dog insured?", "Petplan"),
        ("What is my dog afraid of?", "fireworks"),
        ("what's my dog called", "Rex"),
        ("What is my cat's name?", "Olive"),
        ("what am I afraid of", "public speaking"),
    ] {
        let (known, lines) = recalled(&world, &engine, (query, ALL));
        let is_first = lines.first().is_some_and(|line| line.contains(answer));
        assert!(known != "no" && is_first && lines.len() <= 2, "{query} {known} {lines:?}");
    }
    let (_, lines) = recalled(&world, &engine, ("what pets do we have?", ALL));
    assert!(lines.len() == 2 && !lines.iter().any(|line| line.contains("Slow")), "{lines:?}");
}

/// A second fact about somebody made it unknown who they are.
#[test]
fn more_than_one_fact_about_somebody_tells_who_they_are() {
    for (facts, queries) in [
        (
            ["사용자의 친구 민규는 은행원이다", "민규는 9월에 결혼한다", "사용자는 일산에 산다"],
            ["민규 누구지", "민규가 누구야?", "민규에 대해 말해줘", "민규 요즘 뭐 해?"],
        ),
        (
            ["ユーザーの友人の大輔は消防士である", "大輔は去年離婚した", "ユーザーは川崎に住んでいる"],
            ["大輔って誰？", "大輔は誰？", "大輔について教えて", "大輔のこと教えて"],
        ),
        (
            ["用户的领导是赵磊", "赵磊喜欢喝茶", "用户住在苏州"],
            ["赵磊是谁", "说说赵磊", "介绍一下赵磊", "赵磊是谁来着"],
        ),
    ] {
        let world = World::new();
        let engine = opened(&world, &facts);
        for query in queries {
            let (known, lines) = recalled(&world, &engine, (query, ALL));
            let is_told = |fact: &str| lines.iter().any(|line| line.contains(fact));
            assert!(
                known == "yes" && facts[..2].iter().all(|fact| is_told(fact)),
                "{query} {known} {lines:?}"
            );
            assert!(!is_told(facts[2]), "{query} {lines:?}");
        }
    }
}
