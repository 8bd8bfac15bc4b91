//! What was said or done at a time that a question names, in whatever words.

use crate::support::world::{DAY_MS, World};
use mnemic::ports::Platform;
use mnemic::time;
use serde_json::{Value, json};

/// The messages, in one thread each, that are told of a question on Saturday, 28 November 2026.
fn told(said: &[(&str, &str)], question: &str) -> (Value, Vec<String>) {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let now = time::parse("2026-11-28T10:00").unwrap();
    world.machine.pass(now - world.machine.platform().now());
    for (date, content) in said {
        let message = json!({ "role": "user", "content": content, "createdAt": time::parse(date).unwrap() + DAY_MS / 2 });
        world.call(&engine, "remember", json!({ "messages": [message], "threadId": date }));
    }
    world.idle(&engine);
    let recalled = world.call(&engine, "recall", json!({ "query": question }));
    let items = recalled["items"].as_array().unwrap();
    let told = items.iter().filter(|item| item["kind"] == "message");
    let told = told.map(|item| item["text"].as_str().unwrap().to_owned()).collect();
    (recalled, told)
}

/// Seven of the months were words that no message held, since they are indexed by their stems.
#[test]
fn every_month_finds_what_was_done_in_it() {
    let months =
        ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October"];
    let dates: Vec<String> = (1..=10).map(|month| format!("2026-{month:02}-05")).collect();
    let things = ["shed", "hall", "door", "gate", "attic", "fence", "stairs", "porch", "cellar", "loft"];
    let said: Vec<String> = things.iter().map(|thing| format!("painted the {thing}")).collect();
    let said: Vec<(&str, &str)> =
        dates.iter().map(String::as_str).zip(said.iter().map(String::as_str)).collect();
    for (month, thing) in months.iter().zip(things) {
        for question in [format!("What did I do in {month}?"), format!("What happened on {month} 5th?")] {
            let (recalled, told) = told(&said, &question);
            assert!(matches!(&told[..], [one] if one.contains(thing)), "{question}: {recalled}");
        }
    }
}

#[test]
fn every_day_finds_what_was_done_on_it() {
    let said = [
        ("2026-11-12", "repotted the fern"),
        ("2026-11-21", "went to the market"),
        ("2026-11-24", "fixed the bike chain"),
        ("2026-11-25", "cooked a lasagne"),
        ("2026-11-26", "cleaned the windows"),
        ("2026-11-27", "baked a loaf"),
    ];
    for (question, thing) in [
        ("What did I do yesterday?", "loaf"),
        ("What did I do the day before yesterday?", "windows"),
        ("What did I do three days ago?", "lasagne"),
        ("What happened last Tuesday?", "bike"),
        ("What did I do last weekend?", "market"),
        ("What did I do two weeks ago?", "fern"),
        ("그저께 뭐 했지?", "windows"),
        ("지지난주에 뭐 했지?", "fern"),
        ("先々週は何をした？", "fern"),
        ("上上周我做了什么？", "fern"),
    ] {
        let (recalled, told) = told(&said, question);
        assert!(matches!(&told[..], [one] if one.contains(thing)), "{question}: {recalled}");
    }
}

/// A year and a month were two dates, and so was a longer word the shorter one in it.
#[test]
fn a_month_is_of_the_year_beside_it() {
    let said = [
        ("2024-03-10", "제주도에 갔어요"),
        ("2025-03-10", "부산에 갔어요"),
        ("2025-07-10", "강릉에 갔어요"),
        ("2026-03-10", "속초에 갔어요"),
    ];
    for (question, thing) in [
        ("작년 3월에 어디 갔었지?", "부산"),
        ("去年の3月にどこへ行った？", "부산"),
        ("去年三月我去了哪里？", "부산"),
        ("What did I do in March last year?", "부산"),
        ("올해 3월에 뭐 했지?", "속초"),
        ("재작년에 뭐 했지?", "제주"),
        ("一昨年は何をした？", "제주"),
    ] {
        let (recalled, told) = told(&said, question);
        assert!(matches!(&told[..], [one] if one.contains(thing)), "{question}: {recalled}");
    }
}

/// What was to be was told above what was done.
#[test]
fn what_was_done_then_is_told_before_what_only_names_the_time() {
    let said =
        [("2026-08-20", "signed up for the run on October 4th"), ("2026-10-05", "painted the kitchen")];
    let (recalled, told) = told(&said, "What did I do in October?");
    assert!(told[0].contains("kitchen"), "{recalled}");
}

/// What was told the day after was told of the day on which it was said, and not of the one it named.
#[test]
fn what_a_message_says_of_the_time_tells_when() {
    let said = [
        ("2026-11-24", "yesterday I fixed the tap"),
        ("2026-11-25", "we had goulash last night"),
        ("2026-11-26", "on Monday I bought a tent"),
        ("2026-11-27", "I've repotted the fern. My sister called last week"),
        ("2026-11-17", "on Thursday I fly to Oslo"),
    ];
    for (question, things) in [
        ("What did I do on November 19th?", &["Oslo"][..]),
        ("What did I do on Monday?", &["tap", "tent"]),
        ("What did I do on November 24th?", &["goulash"]),
        ("What did I buy on Monday?", &["tent"]),
        ("What did I do yesterday?", &["fern"]),
        ("What did I say on Tuesday?", &["tap"]),
    ] {
        let (recalled, told) = told(&said, question);
        let are_told = things.iter().all(|thing| told.iter().any(|told| told.contains(thing)));
        assert!(are_told && told.len() == things.len(), "{question}: {recalled}");
    }
}

/// A message that names two days was told of neither, and one of what comes every week of each.
#[test]
fn each_day_that_a_message_names_is_read_and_none_that_recurs() {
    let said = [
        ("2026-11-27", "on Monday I waxed the skis, on Tuesday I sorted stamps"),
        ("2026-11-26", "every Monday I clean the aquarium"),
        ("2026-11-25", "저는 매주 월요일에 수영을 했어요"),
        ("2026-11-24", "I need the ladder on Monday"),
        ("2026-11-20", "my passport expires on Monday"),
    ];
    for (question, things) in [
        ("What did I do on Monday?", &["skis"][..]),
        ("What did I do on Tuesday?", &["skis"]),
        ("What did I do on November 16th?", &[]),
    ] {
        let (recalled, told) = told(&said, question);
        let are_told = things.iter().all(|thing| told.iter().any(|told| told.contains(thing)));
        assert!(are_told && told.len() == things.len(), "{question}: {recalled}");
    }
}
