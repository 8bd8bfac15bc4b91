//! What ends, and what only sounds as if it did.

use super::{check, kept};
use crate::support::world::{DAY_MS, World};
use serde_json::json;

/// It depended on a table of names.
#[test]
fn whoever_was_parted_from_is_the_partner_no_longer() {
    for name in ["Callum", "Tom", "Saoirse"] {
        let called = format!("My boyfriend is called {name}.");
        let parted = format!("{name} and I broke up.");
        check(&[(&[&called, &parted], &[&format!("The user and {name} broke up.")])]);
    }
}

/// The death of a pet was learned only beside what it is.
#[test]
fn a_pet_that_is_known_by_its_name_dies_by_its_name() {
    for (died, told) in [
        ("Pickle died.", "The user's pet Pickle died."),
        ("Pickle died on Tuesday.", "The user's pet Pickle died."),
        ("Sadly, Pickle passed away yesterday.", "The user's pet Pickle passed away."),
    ] {
        check(&[(&["I have a cat called Pickle.", died], &[told]), (&[died], &[])]);
        check(&[(&["I have a dog called Rex.", died], &["The user has a dog called Rex."])]);
    }
}

#[test]
fn what_is_no_longer_eaten_or_drunk_is_liked_no_longer() {
    check(&[
        (&["I like coffee.", "I no longer drink coffee."], &["The user no longer drinks coffee."]),
        (&["I like coffee.", "I stopped drinking coffee."], &["The user no longer drinks coffee."]),
        (&["I love coffee.", "I gave up coffee."], &["The user gave up coffee."]),
        (&["I'm vegetarian.", "I'm not vegetarian anymore."], &[]),
        (&["I'm vegetarian.", "I ate a burger yesterday, I'm not vegetarian anymore."], &[]),
        (&["I don't eat meat, but I do eat fish."], &["The user does not eat meat.", "The user eats fish."]),
        (&["I do eat fish.", "I don't eat fish."], &["The user does not eat fish."]),
        (&["I don't eat fish.", "I do eat fish."], &["The user eats fish."]),
    ]);
}

/// Each of these ended nothing.
#[test]
fn what_is_over_in_korean_and_japanese_ends() {
    let parted = "사용자는 연인과 헤어졌다.";
    check(&[
        (&["나 서울 살아", "이사했어"], &["사용자는 이사했다."]),
        (&["나 삼성 다녀", "퇴사함"], &["사용자는 퇴사했다."]),
        (&["나 삼성 다녀", "나 삼성 그만뒀어"], &[]),
        (&["나 여친 있어", "헤어졌어"], &[parted]),
        (&["여자친구 이름은 지수야", "지수랑 헤어졌어"], &[parted]),
        (&["지수랑 헤어졌어"], &[]),
        (&["나 솔로야", "나 여친 생겼어"], &["사용자에게는 여친이 있다."]),
        (&["고양이 키워", "고양이가 죽었어"], &["사용자의 고양이가 죽었다."]),
        (&["고양이 이름은 나비야", "나비가 무지개다리 건넜어"], &["사용자의 나비가 죽었다."]),
        (&["나비가 죽었어"], &[]),
        (&["커피 좋아해", "커피 끊었어"], &["사용자는 커피를 끊었다."]),
        (&["나 학생이야", "나 졸업했어"], &["사용자는 졸업했다."]),
        (&["東京に住んでる", "引っ越した"], &["ユーザーは引っ越した。"]),
        (&["トヨタで働いてる", "会社辞めた"], &["ユーザーは会社辞めた。"]),
        (&["トヨタで働いてる", "トヨタ辞めた"], &[]),
        (&["彼女いる", "別れた"], &["ユーザーは恋人と別れました。"]),
        (&["彼女の名前はさくらです", "さくらと別れた"], &["ユーザーは恋人と別れました。"]),
        (&["さくらと別れた"], &[]),
        (&["猫飼ってる", "猫が死んじゃった"], &["ユーザー: 猫が死んじゃった。"]),
        (&["ミケという猫を飼っています", "ミケが死んだ"], &["ユーザー: ミケが死んだ。"]),
        (&["コーヒー好き", "コーヒーをやめた"], &["ユーザーはコーヒーをやめた。"]),
        (&["大学生です", "大学を卒業しました"], &["ユーザーは大学を卒業しました。"]),
    ]);
    kept(
        "나 서울 살아",
        "사용자는 서울에 산다.",
        &["우리 회사 이사했어", "이사했어?", "누나 얘긴데, 이사했어"],
    );
    kept("강아지 두 마리 키워", "사용자는 강아지 두 마리를 키운다.", &["강아지가 죽었어"]);
    kept("犬を2匹飼ってます", "ユーザーは犬2匹を飼っています。", &["犬が死んだ"]);
    kept("東京に住んでる", "ユーザーは東京に住んでいます。", &["友達が引っ越した", "ブログ引っ越しました"]);
}

/// Both counts held, and the facts were contested.
#[test]
fn a_newer_count_replaces_the_older_one() {
    check(&[
        (&["I have two kids.", "I have three kids."], &["The user has three kids."]),
        (&["I have a sister.", "I have two sisters."], &["The user has two sisters."]),
        (&["I have two cats.", "We have three cats."], &["The user has three cats."]),
        (&["I have two kids.", "I have two cats."], &["The user has two cats.", "The user has two kids."]),
    ]);
}

#[test]
fn the_newest_boss_is_the_boss() {
    check(&[
        (&["My boss is called Imogen.", "My new manager is Deepak."], &["The user's manager is Deepak."]),
        (
            &["My new manager is Deepak.", "My manager is now Charlotte."],
            &["The user's manager is Charlotte."],
        ),
        (&["My boss is Deepak.", "Deepak left the company."], &[]),
        (&["My boss is annoying.", "My manager is German."], &[]),
    ]);
}

/// What is so on some days ended what is so on the others.
#[test]
fn what_is_so_at_times_ends_nothing() {
    let known = ["I live in Leeds.", "I work at Acme.", "I have two kids.", "I'm a nurse."];
    let kept = [
        "The user has two kids.",
        "The user is a nurse.",
        "The user lives in Leeds.",
        "The user works at Acme.",
    ];
    for said in [
        "I live in Rome at the weekends.",
        "I live in Rome every summer.",
        "I also live in Rome.",
        "I live in Rome too.",
        "I live in Rome in summer.",
        "I live in Rome for work during the week.",
        "I live in Rome with my girlfriend on weekends.",
        "I live in Rome for the time being.",
        "I also work at Globex.",
        "I work at Globex part-time.",
        "I work at Globex two days a week.",
        "I work at Globex as a second job.",
        "I work at Globex on Fridays.",
        "I work at Starbucks most mornings because the wifi is good.",
        "I have three kids in my class who are sick.",
        "I'm not a nurse for nothing.",
        "I became a tutor for my niece.",
        "I became a referee on Sundays.",
    ] {
        let story: Vec<&str> = known.iter().copied().chain([said]).collect();
        check(&[(&story, &kept)]);
    }
}

/// What was taken back in other words, or had another state in its place, stayed.
#[test]
fn what_is_no_longer_so_ends() {
    check(&[
        (&["I'm allergic to peanuts.", "I'm not allergic to peanuts any more."], &[]),
        (&["I'm allergic to peanuts.", "I'm no longer allergic to peanuts."], &[]),
        (&["I speak Dutch.", "I don't speak Dutch any more."], &[]),
        (&["I'm learning Spanish.", "I stopped learning Spanish."], &[]),
        (&["I'm learning Spanish.", "I gave up Spanish."], &[]),
        (&["I'm vegan.", "I stopped being vegan."], &[]),
        (&["I'm vegetarian.", "I'm vegan now."], &["The user is vegan."]),
        (&["I'm vegetarian.", "I went vegan last year."], &["The user is vegan."]),
        (&["I'm unemployed.", "I work at Lidl."], &["The user works at Lidl."]),
        (&["I'm unemployed.", "I found a job at Lidl."], &["The user works at Lidl."]),
        (&["I work as a nurse.", "I became a teacher last year."], &["The user is a teacher."]),
        (&["I'm single.", "I have a boyfriend called Tom."], &["The user has a boyfriend called Tom."]),
        (&["I have a cat.", "I don't have a cat any more."], &["The user no longer has a cat."]),
        (&["I have a cat.", "We gave our cat away."], &["The user gave their cat away."]),
        (&["I have a cat called Tom.", "Tom ran away."], &["The user's pet Tom ran away."]),
        (&["I live in Hull.", "These days I live in Derby."], &["The user lives in Derby."]),
        (&["I live in Hull.", "I moved to Derby to be closer to my mum."], &["The user moved to Derby."]),
        (&["I live in Hull.", "I've settled in Derby."], &["The user lives in Derby."]),
        (&["I live in Hull.", "Correction: I live in Derby."], &["The user lives in Derby."]),
        (&["I don't have a cat."], &[]),
        (&["I don't speak Dutch."], &[]),
        (
            &["I have a dog.", "I don't have a cat any more."],
            &["The user has a dog.", "The user no longer has a cat."],
        ),
    ]);
}

/// Each was taken for the end of what is so.
#[test]
fn what_is_said_with_a_limit_ends_nothing() {
    let kept = |known: &str, told: &str, said: &[&str]| {
        for said in said {
            check(&[(&[known, said], &[told])]);
        }
    };
    kept(
        "I'm allergic to nuts.",
        "The user is allergic to nuts.",
        &[
            "I'm not just allergic to nuts but also to eggs.",
            "I'm not allergic to nuts, I'm deathly allergic.",
            "I'm not allergic to nuts as badly as I was.",
            "I'm not allergic to nuts any more than you are.",
        ],
    );
    kept(
        "I'm learning Spanish.",
        "The user is learning Spanish.",
        &[
            "I stopped learning Spanish for the day.",
            "I stopped learning Spanish today because I was tired.",
            "I gave up Spanish for Lent.",
        ],
    );
    kept(
        "I'm vegetarian.",
        "The user is vegetarian.",
        &["I went vegan but only lasted a week.", "I went vegan last summer, it lasted two weeks."],
    );
    kept(
        "I have a cat called Misty.",
        "The user has a cat called Misty.",
        &[
            "Misty ran away from the hoover.",
            "Misty ran away but she's home now.",
            "I don't have a cat any more, I have two.",
        ],
    );
}

/// Only "The user ..." was ended, though the user has a name, and facts that leave them out are theirs as well.
#[test]
fn facts_that_name_the_user_or_leave_them_out_are_ended() {
    for stored in [
        "The user lives in Lisbon",
        "Nora lives in Lisbon",
        "Nora Lindqvist lives in Lisbon.",
        "Lives in Lisbon",
    ] {
        let world = World::new();
        let properties = json!({ "name": { "type": "string" } });
        let options = json!({ "profiles": { "user": { "type": "object", "properties": properties } } });
        let engine = world.open(None, &options);
        world.call(
            &engine,
            "facts.import",
            json!({ "facts": [{ "text": stored }, { "text": "Nora Jones lives in Bonn" }] }),
        );
        // What is learned before the name is known reads facts without it.
        world.teach(&engine, "I have a dog called Rex.");
        world.call(
            &engine,
            "profiles.set",
            json!({ "schema": "user", "field": "name", "value": "Nora Lindqvist" }),
        );
        world.machine.pass(DAY_MS);
        world.teach(&engine, "I live in Berlin now.");
        let mut facts = world.facts(&engine);
        facts.sort();
        assert_eq!(
            facts,
            ["Nora Jones lives in Bonn", "The user has a dog called Rex.", "The user lives in Berlin."],
            "{stored}"
        );
    }
}

/// What an application had stored stayed true beside what the user said of it later.
#[test]
fn what_an_application_stored_in_the_words_of_rules_is_ended() {
    for (stored, said, expected) in [
        ("The user is vegetarian.", "I'm vegan now.", vec!["The user is vegan."]),
        ("The user works at FreightLine.", "I got laid off.", vec!["The user was laid off."]),
        ("User lives in Denver, Colorado.", "We moved to Lakewood.", vec!["The user moved to Lakewood."]),
        ("The user has a cat named Miso.", "My cat Miso died.", vec!["The user's cat Miso died."]),
        ("The user is 34 years old.", "I'm 35 now", vec!["The user is 35 years old."]),
        ("The user lives in Denver.", "I live in Denver.", vec!["The user lives in Denver."]),
        (
            "Ana lives in Denver.",
            "We moved to Lakewood.",
            vec!["Ana lives in Denver.", "The user moved to Lakewood."],
        ),
    ] {
        let world = World::new();
        let engine = world.open(None, &json!({}));
        world.call(&engine, "facts.import", json!({ "facts": [{ "text": stored }] }));
        world.machine.pass(DAY_MS);
        world.teach(&engine, said);
        let mut facts = world.facts(&engine);
        facts.sort_unstable();
        assert_eq!(facts, expected, "{stored} {said}");
    }
}

/// "Any more" ended what "anymore" did not, and "last night" what "this morning" did not.
#[test]
fn what_is_over_is_over_in_whatever_words() {
    check(&[
        (&["I'm allergic to nuts.", "I'm not allergic to nuts anymore."], &[]),
        (&["I speak Dutch.", "I don't speak Dutch anymore."], &[]),
        (&["I'm married.", "I'm not married anymore."], &[]),
        (&["I'm married.", "I'm not married any more."], &[]),
        (&["I'm a nurse.", "I'm not a nurse anymore"], &[]),
        (&["I'm a nurse.", "I'm not a nurse any more"], &[]),
        (&["I'm a student.", "im not a student anymore"], &[]),
        (&["I'm allergic to peanuts.", "turns out im not allergic to peanuts after all"], &[]),
        (&["I'm vegetarian.", "ok confession i had a burger, guess im not vegetarian anymore"], &[]),
        (&["I work at Acme.", "I got laid off this morning."], &["The user was laid off."]),
        (&["I'm a nurse.", "i quit my job at the weekend"], &["The user quit their job."]),
        (&["I have a dog called Rex.", "Rex died this morning."], &["The user's pet Rex died."]),
        (&["I live in Oslo.", "We moved to Boise at the weekend."], &["The user moved to Boise."]),
        (&["I live in Oslo.", "we live in Austin now"], &["The user lives in Austin."]),
        (&["We live in Boise."], &["The user lives in Boise."]),
        (&["we live in a society"], &[]),
        (&["I guess I'm a nurse"], &[]),
    ]);
}

/// What others did to the user, and what is done by name, ended nothing.
#[test]
fn what_happened_ends_what_it_is_about() {
    check(&[
        (
            &["I'm a nurse.", "handed in my notice today!!"],
            &["The user handed in their notice.", "The user is a nurse."],
        ),
        (
            &["I work at FreightLine.", "well FreightLine laid me off this morning"],
            &["The user's employer laid them off."],
        ),
        (
            &["i'm working at a call centre", "they sacked me yesterday"],
            &["The user's employer sacked them."],
        ),
        (&["I live in Denver.", "we moved at the weekend, boxes everywhere"], &["The user moved."]),
        (&["I live in Boise. We moved last week."], &["The user lives in Boise."]),
        (
            &["my cat is called Miso", "we had to put Miso down yesterday :("],
            &["The user had to put Miso down."],
        ),
        (&["im engaged to Sam", "we tied the knot on saturday!!"], &["The user got married."]),
        (&["my husband is called Greg", "my divorce was finalised today."], &["The user got divorced."]),
        (&["my boyfriend's name is Theo", "Theo dumped me"], &["The user and Theo broke up."]),
        (
            &["my boyfriend's name is Theo", "my boyfriend left me"],
            &["The user and their boyfriend broke up."],
        ),
        (&["I proposed and she said yes!!"], &["The user got engaged."]),
        (&["we're engaged!"], &["The user is engaged."]),
        (&["my boss is Karen", "karen got fired lmao. new boss is called Dev"], &["The user's boss is Dev."]),
        (&["i'm unemployed", "GOT THE JOB!!!"], &["The user got the job."]),
        (
            &["I work at Kohl's.", "starting at Nike in august", "first day at Nike was great"],
            &["The user works at Nike."],
        ),
        (
            &["our dog Ziggy is 14", "Ziggy crossed the rainbow bridge this morning"],
            &["The user's pet Ziggy crossed the rainbow bridge."],
        ),
        (&["they sacked me yesterday"], &[]),
        (&["he proposed and she said yes"], &[]),
        (&["my sister tied the knot"], &[]),
        (&["my first day at Disney was great"], &[]),
    ]);
    kept(
        "I work at Acme.",
        "The user works at Acme.",
        &[
            "they fired me up",
            "they let me go home early",
            "Tinder let me go",
            "I got the job done",
            "Anna fired me",
        ],
    );
    let theo = "The name of the user's boyfriend is Theo.";
    kept(
        "my boyfriend is called Theo",
        theo,
        &["Theo left me a note", "Theo left me at home", "Theo dumped me in the lake"],
    );
    let rex = "The user has a dog called Rex.";
    kept("I have a dog called Rex.", rex, &["I put Rex down and he ran off", "we put Rex to sleep at 8"]);
    kept("My boss is Karen.", "The user's boss is Karen.", &["Karen quit smoking", "Karen was fired up"]);
    kept("I'm a nurse.", "The user is a nurse.", &["I got the job done"]);
}

/// As people type: without commas, with "me" first, and with what they only call a loss.
#[test]
fn what_is_typed_in_a_chat_ends_what_it_ends() {
    check(&[
        (&["my gf's name is Emma", "me and Emma broke up"], &["The user and Emma broke up."]),
        (&["my girlfriend's name is Emma", "I dumped Emma"], &["The user and Emma broke up."]),
        (&["my girlfriend's name is Emma", "im single now"], &["The user is single."]),
        (&["my wife is Karen", "I'm divorced now"], &["The user is divorced."]),
        (&["I live in Leeds", "me and my husband moved to Berlin"], &["The user moved to Berlin."]),
        (&["I live in Leeds", "omg I moved to Berlin finally!"], &["The user moved to Berlin."]),
        (&["I work at Tesco", "I quit today 😅"], &["The user works at Tesco."]),
        (&["I work at Tesco", "today was my last day at Tesco"], &[]),
        (&["I work at Tesco", "i got laid off too"], &["The user was laid off."]),
        (&["I have a cat called Luna", "Luna didnt make it"], &["The user's pet Luna didnt make it."]),
        (&["I have a cat called Luna", "Luna got run over"], &["The user's pet Luna got run over."]),
        (&["I have a dog called Rex", "Rex is gone"], &["The user's pet Rex is gone."]),
    ]);
}
