//! What rules end: what the user says has changed, and what only sounds like it.

use super::{open, profile};
use crate::support::world::{DAY_MS, World, texts};
use mnemic::engine::Engine;
use mnemic::time;
use serde_json::{Value, json};

/// The user said something at a time.
fn said(world: &World, engine: &Engine, text: &str, at: &str) {
    let at = time::parse(at).unwrap();
    let message = json!({ "role": "user", "content": text, "createdAt": at });
    world.call(engine, "remember", json!({ "messages": [message] }));
    world.idle(engine);
}

/// A memory that was told something, then something else a day later.
fn told(first: &str, then: &str) -> (World, Engine) {
    let world = World::new();
    let engine = open(&world, None);
    world.teach(&engine, first);
    world.machine.pass(DAY_MS);
    world.teach(&engine, then);
    (world, engine)
}

/// The facts that hold, and each that was ended with what took its place.
fn state(world: &World, engine: &Engine) -> (Vec<String>, Vec<(String, Option<String>)>) {
    let all = world.call(engine, "facts.list", json!({ "includeEnded": true }));
    let text = |fact: &Value| fact["text"].as_str().unwrap().to_owned();
    let (mut current, mut ended) = (Vec::new(), Vec::new());
    for fact in all.as_array().unwrap().iter().rev() {
        if fact.get("validTo").is_none() {
            current.push(text(fact));
            continue;
        }
        let by = all.as_array().unwrap().iter().find(|other| Some(&other["id"]) == fact.get("supersededBy"));
        ended.push((text(fact), by.map(text)));
    }
    (current, ended)
}

#[test]
fn a_change_ends_what_it_changes() {
    for (first, then, current, ended) in [
        (
            "I live in Lisbon.",
            "I moved from Lisbon to Berlin.",
            vec!["The user moved to Berlin."],
            vec!["The user lives in Lisbon."],
        ),
        (
            "I live in Lisbon.",
            "We moved to Berlin.",
            vec!["The user moved to Berlin."],
            vec!["The user lives in Lisbon."],
        ),
        (
            "I live in Lisbon.",
            "I don't live in Lisbon anymore, I live in Berlin.",
            vec!["The user lives in Berlin."],
            vec!["The user lives in Lisbon."],
        ),
        (
            "I live in Lisbon.",
            "I used to live in Lisbon. Now I live in Berlin.",
            vec!["The user lives in Berlin."],
            vec!["The user lives in Lisbon."],
        ),
        (
            "I live in Lisbon.",
            "I live in Berlin, not in Lisbon.",
            vec!["The user lives in Berlin."],
            vec!["The user lives in Lisbon."],
        ),
        (
            "I'm moving to Berlin.",
            "I moved to Berlin.",
            vec!["The user moved to Berlin."],
            vec!["The user is moving to Berlin."],
        ),
        (
            "I work at Acme.",
            "I started a new job at Globex.",
            vec!["The user works at Globex."],
            vec!["The user works at Acme."],
        ),
        (
            "I work at Acme.",
            "I left Acme for Globex.",
            vec!["The user works at Globex."],
            vec!["The user works at Acme."],
        ),
        (
            "저는 카카오에서 일해요.",
            "회사를 옮겨서 이제 네이버에서 일해요.",
            vec!["사용자는 네이버에서 일한다."],
            vec!["사용자는 카카오에서 일한다."],
        ),
        (
            "서울에 살아요.",
            "지난달에 우리 부산으로 이사 갔어요.",
            vec!["사용자는 부산으로 이사했다."],
            vec!["사용자는 서울에 산다."],
        ),
        (
            "楽天で働いています。",
            "転職してソニーで働いています。",
            vec!["ユーザーはソニーで働いています。"],
            vec!["ユーザーは楽天で働いています。"],
        ),
        ("我住在上海。", "我们搬到北京了。", vec!["用户搬到了北京。"], vec!["用户住在上海。"]),
        (
            "I work as a nurse at Acme.",
            "I quit my job.",
            vec!["The user quit their job."],
            vec!["The user works as a nurse.", "The user works at Acme."],
        ),
        (
            "I work as a nurse at Acme.",
            "I got laid off from Acme last week.",
            vec!["The user was laid off from Acme."],
            vec!["The user works as a nurse.", "The user works at Acme."],
        ),
        (
            "I work as a nurse at Acme.",
            "I'm retired now.",
            vec!["The user is retired."],
            vec!["The user works as a nurse.", "The user works at Acme."],
        ),
        ("I'm married.", "I got divorced.", vec!["The user got divorced."], vec!["The user is married."]),
        (
            "I'm engaged. My boyfriend is called Tom.",
            "Tom and I broke up.",
            vec!["The user and Tom broke up."],
            vec!["The user is engaged.", "The name of the user's boyfriend is Tom."],
        ),
        ("I'm single.", "We got married!", vec!["The user got married."], vec!["The user is single."]),
        (
            "My dog is called Rex.",
            "My dog Rex died.",
            vec!["The user's dog Rex died."],
            vec!["The name of the user's dog is Rex."],
        ),
        (
            "I have a dog.",
            "My dog passed away last week.",
            vec!["The user's dog passed away."],
            vec!["The user has a dog."],
        ),
        (
            "My name is Ana.",
            "I changed my name to Alex.",
            vec!["The user's name is Alex."],
            vec!["The user's name is Ana."],
        ),
    ] {
        let (world, engine) = told(first, then);
        let (holds, over) = state(&world, &engine);
        assert_eq!(holds, current, "{then}");
        let by = Some(current[0].to_owned());
        let ended: Vec<_> = ended.into_iter().map(|text| (text.to_owned(), by.clone())).collect();
        assert_eq!(over, ended, "{then}");
    }
}

#[test]
fn what_is_over_without_anything_in_its_place_ends() {
    for (first, then) in [
        ("I live in Lisbon.", "I moved out of Lisbon."),
        ("I work at Acme.", "I no longer work at Acme."),
        ("I work at Acme.", "I left Acme."),
        ("我住在上海。", "我不再住在上海了。"),
        ("我住在上海。", "我已经不住在上海了。"),
        ("我住在上海。", "我已經不住在上海了。"),
        ("我搬到了上海。", "我不再住在上海了。"),
        ("I'm vegetarian.", "I'm no longer vegetarian."),
        ("I'm married.", "I'm no longer married."),
        ("I don't drink coffee.", "I started drinking coffee again."),
        ("I'm moving to Berlin.", "I'm not moving to Berlin anymore."),
    ] {
        let (world, engine) = told(first, then);
        let (current, ended) = state(&world, &engine);
        assert_eq!((current.len(), ended.len()), (0, 1), "{then}: {current:?} {ended:?}");
    }
}

#[test]
fn what_only_sounds_like_a_change_ends_nothing() {
    let known = "I live in Lisbon and work as a nurse. I work at Acme. I'm engaged. My dog is called Rex. I'm vegetarian.";
    for then in [
        "Did I move to Berlin?",
        "If I moved to Berlin, would I need a visa?",
        "I didn't move to Berlin and I didn't quit my job.",
        "Tom said I moved to Berlin.",
        "My sister moved to Berlin. She quit her job and got divorced.",
        "I moved the sofa to Berlin street.",
        "I left my keys at Acme.",
        "I just left Acme.",
        "We broke up the meeting.",
        "My phone died and my neighbor's dog died.",
        "I quit the app.",
        "I want to quit my job.",
        "I'm moving to Berlin next month.",
        "My cat Tom died.",
        "I left Globex last year.",
        "My friends Tom and Lisa broke up.",
        "I moved to Berlin in 2005.",
    ] {
        let (world, engine) = told(known, then);
        let (current, ended) = state(&world, &engine);
        for text in [
            "The user lives in Lisbon.",
            "The user works as a nurse.",
            "The user works at Acme.",
            "The user is engaged.",
            "The name of the user's dog is Rex.",
            "The user is vegetarian.",
        ] {
            assert!(current.iter().any(|fact| fact == text), "{then} ended {text:?}: {current:?}");
        }
        assert!(ended.iter().all(|(_, by)| by.is_some()), "{then}: {ended:?}");
    }
}

#[test]
fn who_is_not_named_is_ended_only_when_nobody_else_can_be_meant() {
    let (world, engine) = told("My dog is called Rex. My dog is called Max.", "My dog died.");
    assert_eq!(state(&world, &engine).1, []);
    world.teach(&engine, "My dog Max died.");
    let ended = state(&world, &engine).1;
    assert_eq!(ended.len(), 1);
    assert_eq!(ended[0].0, "The name of the user's dog is Max.");
}

#[test]
fn no_job_that_is_lost_ends_studies() {
    let (world, engine) = told("I'm a phd student. I work at Acme.", "I quit my job.");
    assert_eq!(state(&world, &engine).0, ["The user is a phd student.", "The user quit their job."]);
}

#[test]
fn a_change_is_dated_as_it_was_said() {
    for (then, since, begins) in [
        ("I moved to Berlin last month.", "2024-02", "2024-02-01"),
        ("Last month I moved to Berlin.", "2024-02", "2024-02-01"),
        ("We moved from Lisbon to Berlin in January.", "2024-01", "2024-01-01"),
        ("Two years ago I moved to Berlin.", "2022", "2022-01-01"),
        ("I moved to Berlin yesterday.", "2024-03-12", "2024-03-12"),
    ] {
        let world = World::new();
        let engine = open(&world, None);
        said(&world, &engine, "I live in Lisbon.", "2020-06-01");
        said(&world, &engine, then, "2024-03-13T10:00");
        let all = world.call(&engine, "facts.list", json!({ "includeEnded": true }));
        let (berlin, lisbon) = (&all[0], &all[1]);
        assert_eq!(berlin["dates"], json!({ "since": since }), "{then}");
        assert_eq!(berlin["validFrom"], json!(time::parse(begins)), "{then}");
        assert_eq!(lisbon["dates"], json!({ "until": since }), "{then}");
        assert_eq!(
            (&lisbon["validTo"], &lisbon["supersededBy"]),
            (&berlin["validFrom"], &berlin["id"]),
            "{then}"
        );
    }
    // What is told of one's past comes before what is known.
    let world = World::new();
    let engine = open(&world, None);
    said(&world, &engine, "I live in Lisbon.", "2024-03-12");
    said(&world, &engine, "I moved to Berlin in 2005.", "2024-03-13");
    assert_eq!(world.facts(&engine), ["The user lives in Lisbon."]);
    let then = world.call(&engine, "facts.list", json!({ "validAt": time::parse("2010-01-01") }));
    assert_eq!(texts(&then), ["The user moved to Berlin."]);
}

#[test]
fn times_are_read_in_every_language() {
    for (first, then, since) in [
        ("I live in Lisbon.", "I moved to Rome in the summer of 2021.", "summer 2021"),
        ("I live in Lisbon.", "In the spring of 2021 we moved to Rome.", "spring 2021"),
        ("I live in Lisbon.", "I moved to Rome last spring.", "spring 2023"),
        ("I live in Lisbon.", "I moved to Rome in early 2021.", "2021"),
        ("I work at Acme.", "I left Acme for Globex last month.", "2024-02"),
        ("I work at Acme.", "I left Acme last month and joined Globex.", "2024-02"),
        ("我住在上海。", "上个月我搬到了北京。", "2024-02"),
        ("我住在上海。", "上个月，我搬到了北京。", "2024-02"),
        ("我住在上海。", "我上個月搬到了台北。", "2024-02"),
        ("我住在上海。", "上個月我們搬到了台北。", "2024-02"),
        ("서울에 살아요.", "지난달에 우리 부산으로 이사 갔어요.", "2024-02"),
        ("저는 카카오에서 일해요.", "지난달에 회사를 옮겨서 이제 네이버에서 일해요.", "2024-02"),
        ("東京に住んでいます。", "先月、大阪に引っ越しました。", "2024-02"),
        ("楽天で働いています。", "先月転職してソニーで働いています。", "2024-02"),
    ] {
        let world = World::new();
        let engine = open(&world, None);
        said(&world, &engine, first, "2020-06-01");
        said(&world, &engine, then, "2024-03-13T10:00");
        let all = world.call(&engine, "facts.list", json!({ "includeEnded": true }));
        let (new, old) = (&all[0], &all[1]);
        assert_eq!(new["dates"], json!({ "since": since }), "{then}");
        assert_eq!(old["dates"], json!({ "until": since }), "{then}");
        assert_eq!((&old["validTo"], &old["supersededBy"]), (&new["validFrom"], &new["id"]), "{then}");
    }
}

#[test]
fn who_quits_and_starts_elsewhere_is_known_to_work_there() {
    let (world, engine) = told("I work as a nurse at Acme.", "I quit my job at Acme and started at Globex.");
    let (current, ended) = state(&world, &engine);
    assert_eq!(current, ["The user quit their job at Acme.", "The user works at Globex."]);
    assert_eq!(ended.len(), 2);
}

#[test]
fn what_is_over_leaves_the_profile() {
    let (world, engine) = told("I live in Lisbon and work as a nurse.", "I quit my job.");
    assert_eq!(profile(&world, &engine), json!({ "place": "Lisbon" }));
    world.teach(&engine, "I moved out of Lisbon.");
    assert_eq!(profile(&world, &engine), json!({}));
}

#[test]
fn what_is_over_is_found_no_longer_and_told_with_what_took_its_place() {
    let (world, engine) = told("I work at Acme.", "I got laid off.");
    let search = |options: Value| world.call(&engine, "facts.search", options);
    assert!(!texts(&search(json!({ "query": "Do I work at Acme?" }))).contains(&"The user works at Acme."));
    let found = search(json!({ "query": "Do I work at Acme?", "includeEnded": true }));
    let acme = found.as_array().unwrap().iter().find(|fact| fact["text"] == "The user works at Acme.");
    let by = world.call(&engine, "facts.get", json!({ "id": acme.unwrap()["supersededBy"] }));
    assert_eq!(by["text"], "The user was laid off.");
}
