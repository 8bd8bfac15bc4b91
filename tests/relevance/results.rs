//! What results, prompts and the archive say of how well they answer, and what few words ask for in scripts without spaces.

use super::{filled, known, opened};
use crate::support::world::World;
use serde_json::{Value, json};

/// Words of three characters and more asked for nothing, as their tokens have two; and cars and pets were asked for in few words.
#[test]
fn a_long_word_in_a_script_without_spaces_asks_for_its_kinds() {
    for (facts, questions) in [
        (["사용자는 소나타를 운전한다", "사용자는 커피를 좋아한다"], ["내 차 뭐야?", "나 무슨 차 몰아?"]),
        (["사용자는 고양이를 키운다", "사용자는 서울에 산다"], ["내 반려동물 뭐야?", "내 반려동물은?"]),
        (["ユーザーは猫を飼っている", "ユーザーは東京に住んでいる"], ["ペットは何？", "私のペットは？"]),
        (["用户开一辆丰田", "用户喜欢喝咖啡"], ["我的车是什么？", "我开什么车？"]),
        (["用户养了一只猫", "用户喜欢喝咖啡"], ["我養了什麼寵物？", "我的宠物是什么？"]),
    ] {
        let world = World::new();
        let engine = opened(&world, &facts);
        for question in questions {
            let recalled = world.call(&engine, "recall", json!({ "query": question }));
            assert_ne!(known(&recalled), "no", "{question}: {recalled}");
            let told = recalled["items"].as_array().unwrap();
            let told: Vec<&str> = told.iter().map(|item| item["text"].as_str().unwrap()).collect();
            assert!(told.len() == 1 && told[0].contains(facts[0]), "{question}: {told:?}");
        }
    }
    // A part of another word asks for nothing.
    for (fact, question) in [
        ("ユーザーは猫を飼っている", "カーペットの色は？"),
        ("ユーザーは猫を飼っている", "ペットボトルはいつ捨てる？"),
        ("사용자는 고양이를 키운다", "내 키워드 뭐야?"),
        ("사용자는 소나타를 운전한다", "내 차례 언제야?"),
    ] {
        let world = World::new();
        let engine = opened(&world, &[fact]);
        let recalled = world.call(&engine, "recall", json!({ "query": question }));
        assert_eq!(known(&recalled), "no", "{question}: {recalled}");
    }
}

#[test]
fn each_result_and_each_prompt_says_whether_it_answers() {
    let world = World::new();
    let engine = filled(&world);
    let found = world.call(
        &engine,
        "facts.search",
        json!({ "query": "Where do I live?", "threshold": 0, "limit": 100 }),
    );
    let found = found.as_array().unwrap();
    assert_eq!((&found[0]["text"], &found[0]["known"]), (&json!("The user lives in Bristol"), &json!("yes")));
    for hit in found {
        let expected = match hit["relevance"].as_f64().unwrap() {
            relevance if relevance >= 0.5 => "yes",
            relevance if relevance >= 0.15 => "partly",
            _ => "no",
        };
        assert_eq!(hit["known"], expected, "{hit}");
    }
    assert!(found.iter().any(|hit| hit["known"] == "no"));
    let assemble =
        |query: &str| world.call(&engine, "assemble", json!({ "query": query, "maxTokens": 1000 }));
    let prompt = assemble("Where do I live?");
    assert!(prompt["known"] == "yes" && prompt["reason"].as_str().unwrap().contains("fact"), "{prompt}");
    assert_eq!(assemble("Which bank is Tom Hartley with?")["known"], "no");
    // Nothing is asked.
    let said = json!([{ "role": "assistant", "content": "Hello." }]);
    let prompt = world.call(&engine, "assemble", json!({ "messages": said, "maxTokens": 1000 }));
    assert!(prompt.get("known").is_none() && prompt.get("reason").is_none(), "{prompt}");
}

#[test]
fn a_search_of_the_archive_takes_a_threshold() {
    let world = World::new();
    let engine = opened(&world, &[]);
    for text in ["The attic key hangs behind the clock.", "The pump is red."] {
        world.call(&engine, "context.archive.insert", json!({ "text": text }));
    }
    let found = |threshold: Value| {
        let asked = json!({ "query": "Where is the attic key?", "threshold": threshold });
        world.call(&engine, "context.archive.search", asked).as_array().unwrap().len()
    };
    assert_eq!(found(json!(0)), 2);
    assert_eq!(found(json!(0.3)), 1);
    assert_eq!(found(json!(1)), 0);
    let refused = world.fails(&engine, "context.archive.search", json!({ "query": "key", "threshold": 2 }));
    assert!(refused.message.contains("threshold is 2"), "{refused}");
}
