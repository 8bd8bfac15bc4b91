//! What is asked in the words that people use finds what facts say in theirs.

use super::opened;
use crate::support::world::World;
use mnemic::engine::Engine;
use serde_json::{Value, json};

/// Whether it is known, and the texts that are told.
fn recalled(world: &World, engine: &Engine, query: &str) -> (String, Vec<String>) {
    let recalled = world.call(engine, "recall", json!({ "query": query }));
    let text = |item: &Value| item["text"].as_str().unwrap().to_owned();
    let lines = recalled["items"].as_array().unwrap().iter().map(text).collect();
    (recalled["known"].as_str().unwrap().to_owned(), lines)
}

/// That each query is told its answer first, and known.
#[track_caller]
fn answers_first(facts: &[&str], queries: &[(&str, &str)]) {
    let world = World::new();
    let engine = opened(&world, facts);
    for (query, answer) in queries {
        let (known, lines) = recalled(&world, &engine, query);
        let is_first = lines.first().is_some_and(|line| line.contains(answer));
        assert!(known != "no" && is_first, "{query}: {known} {lines:?}");
    }
}

/// Of typed-cjk 25 of 69 answerable questions were not known.
#[test]
fn attributes_are_known_by_their_usual_words_in_other_languages() {
    answers_first(
        &[
            "사용자는 부산에서 태어나고 자랐다",
            "사용자는 1991년 11월 4일생이다",
            "사용자는 화장품 회사에서 일한다",
            "사용자는 전세 대출이 남아 있다",
            "사용자는 푸들을 키운다",
        ],
        &[
            ("고향이 어디였지", "부산"),
            ("생일 언제야?", "1991"),
            ("나 뭐 해서 먹고살아?", "화장품"),
            ("빚 얼마나 남았어", "대출"),
            ("강아지 품종이 뭐야?", "푸들"),
        ],
    );
    answers_first(
        &[
            "ユーザーの姉の香織は美容師をしている",
            "ユーザーは毎月NISAで積み立てている",
            "ユーザーは貧血で鉄剤を飲んでいる",
            "ユーザーは弓道部だった",
        ],
        &[("姉の職業は？", "美容師"), ("投資はしてる？", "NISA"), ("今どんな薬を服用してる？", "鉄剤")],
    );
    answers_first(
        &["用户是湖南长沙人", "用户和晓雯去年领的证", "用户的房贷每个月要还一万二", "用户养了一只边牧"],
        &[
            ("我老家哪的？", "长沙"),
            ("结婚纪念日是哪天", "领的证"),
            ("每个月供房多少钱", "房贷"),
            ("我养的什么狗", "边牧"),
        ],
    );
}

/// "車" of "電車" was a car, and "花" of "花粉" a plant.
#[test]
fn a_part_of_a_longer_word_is_no_word() {
    let world = World::new();
    let engine = opened(&world, &["ユーザーは電車で通勤している", "ユーザーは花粉症だ", "用户住在酒店里"]);
    for query in ["何の車に乗ってる？", "花を育ててる？", "我喝什么酒？"] {
        let (_, lines) = recalled(&world, &engine, query);
        assert!(lines.is_empty(), "{query} {lines:?}");
    }
}

/// Without a question mark, and in the past of who tries to recall, the old one was told first.
#[test]
fn what_replaced_something_is_first_in_other_languages() {
    answers_first(
        &[
            "ユーザーは横浜市に住んでいる",
            "ユーザーは川崎市へ引っ越した",
            "ユーザーは毎日タバコを吸う",
            "ユーザーは正月に禁煙した",
        ],
        &[
            ("今どこに住んでるっけ", "川崎"),
            ("住所どこだったっけ", "川崎"),
            ("タバコ吸ってる？", "禁煙"),
            ("前はどこに住んでた？", "横浜"),
        ],
    );
    answers_first(
        &["사용자는 아이폰 14를 쓴다", "사용자는 갤럭시 S26으로 바꿨다"],
        &[
            ("나 휴대폰 기종 뭐야", "갤럭시"),
            ("휴대폰이 뭐였지", "갤럭시"),
            ("예전에 쓰던 폰이 뭐야?", "아이폰"),
        ],
    );
    answers_first(
        &["用户用的手机是小米14", "用户把手机换成了华为"],
        &[("我手机啥牌子的", "华为"), ("我以前用什么手机？", "小米")],
    );
}

/// Friends and pets were not followed by the names that facts give them, nor was a name of one character.
#[test]
fn who_is_named_behind_what_they_are_is_asked_for_by_name() {
    for (facts, query) in [
        (["ユーザーの友人の大輔は消防士である", "健吾はお酒が一滴も飲めない"], "大輔はお酒飲める？"),
        (
            ["ユーザーの息子の蓮は中学生である", "私はそばアレルギーがあります"],
            "蓮には何かアレルギーがありますか？",
        ),
        (["사용자의 친구 태오는 은행원이다", "사용자는 새우 알레르기가 있다"], "태오는 알레르기 있어?"),
        (["用户的发小阿杰在深圳", "用户对花粉过敏"], "阿杰对什么过敏？"),
        (["用户养了一只叫芝麻的边牧", "用户的儿子今年三岁"], "芝麻几岁了"),
    ] {
        let world = World::new();
        let engine = opened(&world, &facts);
        let (_, lines) = recalled(&world, &engine, query);
        assert!(!lines.iter().any(|line| line.contains(facts[1])), "{query} {lines:?}");
    }
}

/// Of who called her so, nothing was known of "Mum"; her cousin's namesake was told; a rent beside a fact of another number.
#[test]
fn relatives_and_namesakes_are_kept_apart() {
    answers_first(
        &[
            "The user's mother Amélia is a retired pharmacist",
            "Amélia lives with Duarte in Faro",
            "The user lives in Trieste",
            "The user pays 850 euros a month in rent",
            "The user's migraines have dropped to one every two months",
        ],
        &[("Where is Mum staying these days?", "Faro"), ("How much rent do I pay?", "850")],
    );
    let world = World::new();
    let facts = [
        "The user's cousin Marta Queiroz is a journalist",
        "Marta Kranjc quit smoking",
        "Marta Kranjc bakes",
    ];
    let engine = opened(&world, &facts);
    let (_, lines) = recalled(&world, &engine, "What do you know about Marta Kranjc?");
    assert!(lines.len() == 2 && !lines.iter().any(|line| line.contains("Queiroz")), "{lines:?}");
    let (_, lines) = recalled(&world, &engine, "Is my cousin Marta a smoker?");
    assert!(!lines.iter().any(|line| line.contains("Kranjc")), "{lines:?}");
}

/// Who works anywhere was told to who asks for the plumber, and a street festival was a home.
#[test]
fn words_that_mean_something_else_tell_nothing() {
    let world = World::new();
    let facts =
        ["The user works as a data analyst for the port", "The user met Davor at a street festival in Pula"];
    let engine = opened(&world, &facts);
    for query in ["Who is my plumber?", "Where do I live?"] {
        let (known, lines) = recalled(&world, &engine, query);
        assert!(known == "no" && lines.is_empty(), "{query} {known} {lines:?}");
    }
    let (known, lines) = recalled(&world, &engine, "What is my job?");
    assert!(known == "yes" && lines.len() == 1 && lines[0].contains("analyst"), "{known} {lines:?}");
}
