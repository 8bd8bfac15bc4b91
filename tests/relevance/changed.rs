//! What took the place of something without the words of the question, and what the user states in other words.

use crate::support::world::{DAY_MS, World};
use serde_json::{Value, json};

/// The recall of a question after something was said each day.
fn asked(said: &[&str], question: &str) -> Value {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for text in said {
        world.teach(&engine, text);
        world.machine.pass(DAY_MS);
    }
    world.call(&engine, "recall", json!({ "query": question }))
}

fn told(recalled: &Value) -> Vec<&str> {
    let items = recalled["items"].as_array().unwrap();
    items.iter().map(|item| item["text"].as_str().unwrap()).collect()
}

/// The place of a line that holds some words.
fn place(told: &[&str], words: &str) -> Option<usize> {
    told.iter().position(|line| line.contains(words))
}

/// The old statement was told alone, as if it held.
#[test]
fn what_is_over_by_another_statement_is_told_with_it() {
    for (said, question, newer) in [
        (&["I drive a Volvo.", "I sold the Volvo and bought a Fiat."][..], "What car do I drive?", "Fiat"),
        (&["I have a small boat, the Karolina.", "I sold the Karolina."], "Do I have a boat?", "sold"),
        (
            &["My van is a white Ford Transit.", "I replaced the Transit with a Vivaro."],
            "What van do I drive?",
            "Vivaro",
        ),
        (&["I have a dog called Rex.", "Rex died last week."], "Do I have a dog?", "died"),
        (&["I drive a Golf.", "Sold the Golf and bought a Volvo."], "What car do I drive?", "Volvo"),
        (&["I have a Pixel 7.", "Finally upgraded to an iPhone 15."], "What phone do I have?", "iPhone"),
        (&["I earn 62k a year.", "Good news, my salary goes up to 68k!"], "How much do I earn?", "68k"),
        (&["제 차는 소나타예요.", "소나타를 팔았어요."], "제 차는 뭐예요?", "팔았"),
        (&["제 남자친구 도윤이는 인천에 살아요.", "나 도윤이랑 헤어졌어"], "나 남자친구 있어?", "헤어졌"),
        (&["我男朋友在南京，他叫子豪。", "我跟子豪分手了"], "我男朋友叫什么？", "分手"),
    ] {
        let recalled = asked(said, question);
        assert!(place(&told(&recalled), newer).is_some(), "{question}: {recalled}");
    }
    // Messages: the newest first, over a chain of changes, whose order and dates are kept.
    let cars = ["I drive a Golf.", "I sold the Golf and bought a Volvo.", "I swapped the Volvo for a Fiat."];
    let recalled = asked(&cars, "What car do I drive?");
    let told = told(&recalled);
    let places = ["Fiat", "bought a Volvo", "drive a Golf"].map(|words| place(&told, words));
    assert_eq!(places, [Some(0), Some(1), Some(2)], "{told:?}");
}

/// What only shares a word with something, or says nothing of an end, takes no place.
#[test]
fn what_is_of_something_else_replaces_nothing() {
    for (said, question, other) in [
        (["My flight to Rome is on Friday.", "I lost my Rome guidebook."], "When is my flight?", "guidebook"),
        (["I have a dog called Rex.", "My neighbour Rex Miller moved away."], "Do I have a dog?", "Miller"),
        (["I drive a Volvo.", "Tom sold his Volvo."], "What car do I drive?", "Tom"),
        (["I have a dog called Rex.", "Has Rex died?"], "Do I have a dog?", "died"),
    ] {
        let recalled = asked(&said, question);
        assert_eq!(place(&told(&recalled), other), None, "{question}: {recalled}");
    }
}

/// Messages were found by their own words alone.
#[test]
fn messages_are_found_by_what_they_state() {
    for (said, question, stated) in [
        (&["I adopted a cat, her name is Miso."][..], "Do I have any pets?", "Miso"),
        (&["I work at Acme.", "I joined Globex last month."], "Where do I work?", "Globex"),
        (&["I live in Lisbon.", "I just moved to a new flat in Porto."], "Where do I live?", "Porto"),
        (
            &["I'm a vegetarian.", "I had a steak yesterday, I'm back to eating meat."],
            "Am I a vegetarian?",
            "steak",
        ),
    ] {
        let recalled = asked(said, question);
        assert_eq!(recalled["known"], "yes", "{question}: {recalled}");
        assert!(place(&told(&recalled), stated).is_some(), "{question}: {recalled}");
    }
    let others = ["My sister adopted a dog.", "I joined a gym."];
    for question in ["Do I have any pets?", "Where do I work?"] {
        let recalled = asked(&others, question);
        assert_eq!((&recalled["known"], told(&recalled).len()), (&json!("no"), 0), "{question}: {recalled}");
    }
}

/// What is supposed, what somebody else says, and what only names whom is asked about were known.
#[test]
fn what_nobody_states_is_not_known() {
    for (said, question) in [
        ("If I lived in Paris I would eat croissants.", "Where do I live?"),
        ("My friend said: I live in Tokyo.", "Where do I live?"),
        ("Bob wrote \"I work at Acme\" on the card.", "Where do I work?"),
        ("Dan called me yesterday.", "How old is Dan?"),
        ("Dan called me yesterday.", "Where does Dan live?"),
    ] {
        let recalled = asked(&[said], question);
        assert_ne!(recalled["known"], "yes", "{question}: {recalled}");
    }
    for (said, question) in [
        ("I said: I live in Tokyo.", "Where do I live?"),
        ("Dan called me yesterday.", "When did Dan call?"),
        ("Dan is forty.", "How old is Dan?"),
    ] {
        assert_eq!(asked(&[said], question)["known"], "yes", "{question}");
    }
}

/// A fact that tells a change without the words of the question stood below the one it replaced; but what only tells of a change as
/// well replaces nothing.
#[test]
fn a_change_is_told_above_what_it_changed_and_nothing_else() {
    for (facts, question, first) in [
        (
            ["Morag lives in a bungalow in Pitlochry", "Morag has moved into a sheltered flat in Perth"],
            "Where does Morag live?",
            "Perth",
        ),
        (
            [
                "The user and Bilal play squash on Tuesdays",
                "The user and Bilal have given up squash for padel",
            ],
            "Do Bilal and I still play squash?",
            "padel",
        ),
        (["Tom is a lawyer", "Tom is a teacher"], "What is Tom's job?", "teacher"),
        (
            ["The user's phone number is 555 1234", "The user's phone number is 555 9999"],
            "What is my phone number?",
            "9999",
        ),
        (["The user works at Acme", "The user traded the Skoda for a Renault"], "Where do I work?", "Acme"),
        (["The user lives in Leeds", "The user recently cleaned the house"], "Where do I live?", "Leeds"),
        (["The user lives in Leeds", "The user moved the desk in the house"], "Where do I live?", "Leeds"),
        (["Rex's vet is Dr Hill", "Rex now eats at 6 every day"], "Who is Rex's vet?", "Hill"),
    ] {
        let world = World::new();
        let engine = world.open(None, &json!({}));
        for text in facts {
            world.add(&engine, json!({ "text": text }));
            world.machine.pass(DAY_MS);
        }
        let recalled = world.call(&engine, "recall", json!({ "query": question }));
        assert_eq!(place(&told(&recalled), first), Some(0), "{question}: {recalled}");
    }
}

/// "I started eating meat again" ended no "I'm a vegetarian", and "I started smoking again" no "I quit smoking".
#[test]
fn what_is_begun_again_ends_that_it_was_given_up() {
    for (said, ended) in [
        (["I'm vegetarian.", "I started eating meat again."], "vegetarian"),
        (["I quit smoking.", "I started smoking again."], "quit"),
        (["I started vaping again.", "I quit vaping."], "started"),
    ] {
        let world = World::new();
        let engine = world.open(None, &json!({}));
        world.teach(&engine, said[0]);
        world.machine.pass(DAY_MS);
        assert!(world.facts(&engine).iter().any(|fact| fact.contains(ended)), "{said:?}");
        world.teach(&engine, said[1]);
        assert!(!world.facts(&engine).iter().any(|fact| fact.contains(ended)), "{:?}", world.facts(&engine));
    }
}
