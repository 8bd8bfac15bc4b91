//! What plain English statements teach and end without a model: each was said by somebody who tried it, and was missed or taken wrongly.

use crate::support::world::{DAY_MS, World};
use mnemic::time;
use serde_json::{Value, json};

/// The present facts after things were said a day apart, the last of them on Saturday, 14 March 2026.
fn learned(said: &[&str]) -> Vec<Value> {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let last = time::parse("2026-03-14T10:00").unwrap();
    for (number, content) in said.iter().enumerate() {
        let days = i64::try_from(said.len() - 1 - number).unwrap();
        let message = json!({ "role": "user", "content": content, "createdAt": last - days * DAY_MS });
        world.call(&engine, "remember", json!({ "messages": [message] }));
        world.idle(&engine);
    }
    world.call(&engine, "facts.list", json!({})).as_array().unwrap().clone()
}

/// Holds what each story leaves known against what is expected.
pub(crate) fn check(stories: &[(&[&str], &[&str])]) {
    let mut wrong = String::new();
    for (said, expected) in stories {
        let facts = learned(said);
        let mut texts: Vec<&str> = facts.iter().map(|fact| fact["text"].as_str().unwrap()).collect();
        texts.sort_unstable();
        let is_contested = facts.iter().any(|fact| fact["contestedBy"].is_string());
        if texts != *expected || is_contested {
            wrong.push_str(&format!("{said:?}\n  expected {expected:?}\n  found    {texts:?}\n"));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Only towns of a table were moved to.
#[test]
fn a_move_to_any_town_replaces_the_home() {
    for town in ["York", "Bath", "Hull", "Lincoln", "Swindon", "Kiel", "Essen", "Ghent", "Tampere", "Boise"] {
        let moved = format!("I moved to {town} last month.");
        let expected = format!("The user moved to {town}.");
        check(&[(&["I live in Leeds.", &moved], &[&expected])]);
    }
    check(&[
        (&["I moved from Leeds to Kiel."], &["The user moved to Kiel."]),
        (&["I'm moving to Kiel.", "Moved to Kiel last week!"], &["The user moved to Kiel."]),
        (&["I live in Leeds.", "We're in! Moved to Kiel on Friday."], &["The user moved to Kiel."]),
        (&["I moved to Marketing."], &[]),
    ]);
}

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
fn a_new_job_is_learned_however_it_is_told() {
    check(&[
        (&["I work at Brightwell.", "I left Brightwell for Globex."], &["The user works at Globex."]),
        (
            &["I work at Brightwell.", "I joined Globex as a designer."],
            &["The user works as a designer.", "The user works at Globex."],
        ),
        (
            &["I started as a UX designer at Brightwell two weeks ago."],
            &["The user works as a UX designer.", "The user works at Brightwell."],
        ),
        (
            &["I work at Brightwell.", "I'm now a team lead at Monzo."],
            &["The user is a team lead.", "The user works at Monzo."],
        ),
        (
            &[
                "I work at Brightwell.",
                "I quit my job at Brightwell! I start at Monzo on April 2 as a senior product designer.",
            ],
            &[
                "The user is starting at Monzo on April 2 as a senior product designer.",
                "The user quit their job at Brightwell.",
            ],
        ),
        (&["I start at Monzo on Monday.", "I started at Monzo."], &["The user works at Monzo."]),
    ]);
}

/// A union, a gym and a bank are joined and left as well: each was learned as a workplace, and ended the one that was known.
#[test]
fn what_is_joined_or_left_need_not_be_a_workplace() {
    let works = "The user works at Brightwell.";
    for said in ["I joined Unison.", "I started at PureGym.", "I left Vodafone for EE.", "I quit Netflix."] {
        check(&[(&["I work at Brightwell.", said], &[works]), (&[said], &[])]);
    }
}

/// Each was learned, and ended what was so.
#[test]
fn what_is_taken_back_made_up_or_somebody_elses_is_not_learned() {
    let home = "The user lives in Bath.";
    for said in [
        "Just moved to Manchester! My sister, I mean.",
        "Moved to Leeds at last, my brother that is",
        "Moved to Manchester! Not me, my flatmate.",
        "I moved to Leeds. April fools!",
        "I live in Paris, my brother that is.",
        "I moved to Kiel. Well, my brother did.",
        "I moved to Kiel - my sister, I mean.",
        "I'm moving to Spain next month. I wish!",
        "My wizard is level nine. I live in Neverwinter and I have a cat familiar.",
        "D&D night! My character is a bard. I live in the Shadow Forest.",
        "I'm based in Oslo this week.",
        "I've lived in London, Porto and Oslo.",
    ] {
        check(&[(&["I live in Bath.", said], &[home])]);
    }
    for said in [
        "I wish I lived in Spain.",
        "They picked Tom, it was not me they meant.",
        "My brother likes jazz, not me.",
        "The setup wizard is slow.",
        "It builds my character.",
    ] {
        check(&[(&[&format!("I live in Bath. {said}")], &[home])]);
    }
    for said in [
        "Got married! (my niece)",
        "I'm basically a doctor now, I've watched all of House",
        "I'm practically a nurse",
        "I'm pretty much a chef",
        "I'm vegetarian until someone fries bacon.",
        "I'm Scottish when I'm drunk.",
        "I stopped smoking yesterday and started again today.",
        "I have three cats' worth of hair on this sofa.",
        "I go by bus.",
        "Quit my job!! ...in the dream I had last night",
    ] {
        check(&[(&[said], &[])]);
    }
    check(&[(&["Moved to Leeds with my brother."], &["The user moved to Leeds."])]);
}

/// Of a clause without a particle, what followed was taken for the user's; why nothing is eaten for what is not.
#[test]
fn what_is_said_of_others_in_other_scripts_is_not_the_users() {
    for said in [
        "隣の席の人、大阪出身だよ",
        "あの店員さん、川崎在住です",
        "この俳優、大阪出身です",
        "同期の子、鎌倉に引っ越した",
        "相手の人、辛いものが大好き",
        "うちの先生、猫を飼ってる",
        "배불러서 케이크 못 먹어",
        "바빠서 커피 못 마셔",
        "我不喝咖啡会死",
        "我喜欢吃辣的男朋友",
    ] {
        check(&[(&[said], &[])]);
    }
    check(&[
        (&["去年、大阪に引っ越した"], &["ユーザーは大阪に引っ越しました。"]),
        (&["実は、猫を飼ってる"], &["ユーザーは猫を飼っています。"]),
        (&["나 매운 김치 못 먹어"], &["사용자는 매운 김치를 먹거나 마시지 않는다."]),
        (&["我男朋友叫子豪。", "我跟子豪分手了"], &["用户分手了。"]),
    ]);
}

/// Each was said plainly, and learned by nobody.
#[test]
fn plain_statements_in_other_scripts_are_learned() {
    check(&[
        (&["저는 서른두 살이에요"], &["사용자는 32살이다."]),
        (&["저 결혼했어요"], &["사용자는 결혼했다."]),
        (&["저 사람 결혼했어요"], &[]),
        (&["저 아저씨는 서른두 살이에요"], &[]),
        (&["고향이 부산이에요"], &["사용자의 고향은 부산이다."]),
        (&["나 네이버 다녀"], &["사용자는 네이버에 다닌다."]),
        (&["10월부터 네이버에서 일해"], &["사용자는 네이버에서 일한다."]),
        (&["우리 집 고양이 이름은 호두야"], &["사용자의 고양이 이름은 호두이다."]),
        (&["先月会社を辞めたんだ"], &["ユーザーは会社を辞めた。"]),
        (&["卵アレルギーなんだ"], &["ユーザーは卵アレルギーがあります。"]),
        (&["仕事は看護師"], &["ユーザーの職業は看護師です。"]),
        (&["住んでるのは川崎"], &["ユーザーは川崎に住んでいます。"]),
        (&["母の仕事は看護師"], &[]),
        (&["我三十二岁了"], &["用户三十二岁。"]),
        (&["我今年三十二岁"], &["用户三十二岁。"]),
    ]);
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

/// Two weeks ago fell into two months, and only the year was kept; of a weekday there was no date.
#[test]
fn times_that_are_told_become_dates() {
    for (said, since) in [
        ("I moved to Berlin two weeks ago.", "2026-02"),
        ("Anna and I broke up last week.", "2026-03"),
        ("I moved to Bristol last Saturday!", "2026-03-07"),
        ("I moved to Bristol on Tuesday.", "2026-03-10"),
        ("I started as a UX designer at Brightwell two weeks ago.", "2026-02"),
        ("I adopted a cat last week.", "2026-03"),
    ] {
        for fact in learned(&[said]) {
            assert_eq!(fact["dates"]["since"], json!(since), "{said} {fact}");
        }
        assert!(!learned(&[said]).is_empty(), "{said}");
    }
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

/// Of several things said of oneself in one sentence, only the first was learned.
#[test]
fn what_is_added_to_a_statement_is_learned() {
    check(&[
        (&["I've been vegetarian since 2012."], &["The user is vegetarian."]),
        (&["I'm vegetarian.", "No longer vegetarian."], &[]),
        (
            &["I'm Carol, a retired teacher from Ohio."],
            &["The user is a retired teacher.", "The user is from Ohio.", "The user's name is Carol."],
        ),
        (&["I'm 41, divorced and broke."], &["The user is 41 years old.", "The user is divorced."]),
        (&["I'm from Somalia but grew up in Utrecht."], &["The user grew up in Utrecht."]),
    ]);
}

/// Whose words they are was told by what stands before a dash, or by who sat at the keyboard.
#[test]
fn the_words_of_others_are_not_believed() {
    for said in [
        "From his email - I work at Siemens and I speak German fluently.",
        "Her bio - I live in Rome and I have two cats.",
        "My goal for 2030 - I live in Lisbon and I have two dogs.",
        "What he told her? I'm single and I live in Milan.",
        "Guess what my mum told the neighbours? I'm a doctor and I'm engaged.",
        "For argument's sake I'm a billionaire and I live in Monaco.",
        "Hi, this is Luka, Anna's husband. I'm a chef.",
        "It's Luka here, using Anna's account. I live in Split.",
        "(my daughter is typing) I'm 9 and I love horses.",
        "We have a dog at work.",
        "I have a dog this week.",
        "I'm vegan in January.",
    ] {
        check(&[(&[said], &[])]);
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

/// Keeps what is known through each of these.
fn kept(known: &str, told: &str, said: &[&str]) {
    for said in said {
        check(&[(&[known, said], &[told])]);
    }
}

/// Who studies somewhere was learned to work there, and had no longer the work they have.
#[test]
fn a_student_does_not_work_where_they_study() {
    let works = "The user works at Target.";
    check(&[
        (&["I'm a student at UBC."], &["The user is a student at UBC."]),
        (
            &["I work at Target.", "i'm a student at Ohio State"],
            &["The user is a student at Ohio State.", works],
        ),
        (
            &["I work at Target and I'm a student at Ohio State"],
            &["The user is a student at Ohio State.", works],
        ),
        (&["I work at Target.", "im a freshman at Yale"], &["The user is a freshman at Yale.", works]),
        (&["I'm a PhD student at MIT"], &["The user is a PhD student at MIT."]),
        (&["I'm a student nurse at Mercy"], &["The user is a student nurse.", "The user works at Mercy."]),
        (&["I'm a postdoc at MIT"], &["The user is a postdoc.", "The user works at MIT."]),
        (&["I'm a professor at Yale"], &["The user is a professor.", "The user works at Yale."]),
        (&["I'm a student at UBC", "dropped out last week, dont judge"], &["The user dropped out."]),
        (&["I'm a student", "I graduated today!"], &["The user graduated."]),
        (&["I'm studying law at Leeds", "graduated today!!! finally"], &["The user graduated."]),
        (
            &["I'm a phd student at MIT", "I graduated from UCLA"],
            &["The user graduated from UCLA.", "The user is a phd student at MIT."],
        ),
    ]);
    let others = ["my sister graduated today", "dropped out of the race", "dropped out of the chat"];
    kept("I'm a student.", "The user is a student.", &others);
}

/// A stay, a figure of speech or a program was taken for the home, the workplace, the pet or the state that is new.
#[test]
fn what_is_for_a_while_or_a_joke_changes_nothing() {
    kept(
        "I live in Oslo.",
        "The user lives in Oslo.",
        &[
            "we moved to Rome for the second half of the holiday",
            "we moved to Rome for our honeymoon",
            "I live in Excel all day",
            "i live in Slack all day",
            "I live in Word most of the day",
            "I live in Bed",
            "I live in Westeros",
            "I moved this morning, felt good",
            "we moved desks at the weekend",
            "we moved yesterday's meeting",
            "my friend moved at the weekend",
        ],
    );
    check(&[
        (&["I live in Oslo.", "I moved to Rome for work last month."], &["The user moved to Rome."]),
        (&["I moved to Rome for a job that starts in two weeks"], &["The user moved to Rome."]),
    ]);
    kept(
        "I work at Google.",
        "The user works at Google.",
        &[
            "I work at Google Docs all day",
            "I work for Free",
            "I work for Fun",
            "I work for Tips",
            "I work at Night",
        ],
    );
    check(&[(
        &["I live in Berlin.", "I live in Berlin Mitte."],
        &["The user lives in Berlin Mitte.", "The user lives in Berlin."],
    )]);
    kept(
        "I'm married.",
        "The user is married.",
        &[
            "im single again lol wife is away this weekend",
            "im single tonight lol",
            "im single again this weekend",
            "I'm not married to the idea",
            "I'm not married any more than you are",
        ],
    );
    for said in [
        "i have a cat called Luna to look after this week",
        "I have a dog called Bo for the weekend",
        "i have a dog called Bo to walk on tuesdays",
        "My boss is Satan",
        "My boss is Hitler",
        "My name is Bond, James Bond",
        "My name is Inigo Montoya",
        "I'm a chef this morning",
        "I don't eat meat this morning",
    ] {
        check(&[(&[said], &[])]);
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

/// Only who said "I" was heard.
#[test]
fn the_user_is_heard_without_a_subject() {
    check(&[
        (&["im 46", "turned 47 on tuesday lol"], &["The user is 47 years old."]),
        (&["just turned 50 last week and my knees know it"], &["The user is 50 years old."]),
        (&["I work at Shopify.", "left shopify to start my own company"], &[]),
        (&["I live in Chicago.", "well we made it, living in austin now!!"], &["The user lives in austin."]),
        (&["I work at Walmart.", "not at walmart anymore, im at Target now"], &["The user works at Target."]),
        (&["I'm learning German.", "gave up on german, duolingo owl can cry"], &[]),
        (&["based in Leeds atm, what's on this weekend?"], &["The user lives in Leeds."]),
        (&["been a paramedic for 12 yrs and im burnt out"], &["The user is a paramedic."]),
        (
            &["born in 1988 in Cork, if that helps"],
            &["The user was born in 1988.", "The user was born in Cork."],
        ),
        (
            &["i'm from Gdansk originally, living in Dublin now"],
            &["The user is from Gdansk.", "The user lives in Dublin."],
        ),
        (&["got promoted to shift supervisor today"], &["The user is a shift supervisor."]),
        (&["lactose intolerant here, any good ice cream?"], &["The user is lactose intolerant."]),
        (&["hi! Marcus here, can u help me"], &["The user's name is Marcus."]),
        (&["its Katie with a K lol, not Cathy"], &["The user's name is Katie."]),
        (&["call me Gus pls, nobody uses August"], &["The user wants to be called Gus."]),
        (&["my bday is on march 3rd"], &["The user's birthday is march 3rd."]),
        (&["sold my motorbike on friday, kinda sad"], &["The user sold their motorbike."]),
    ]);
    check(&[
        (&["I have a brother, living in Milan now"], &["The user has a brother."]),
        (&["I'm divorced and living in Denver now"], &["The user is divorced.", "The user lives in Denver."]),
    ]);
    let known = "The user works at Walmart.";
    kept(
        "I work at Walmart.",
        known,
        &["im at Target now", "not at Walmart yet", "not at Costco anymore, im at Target now"],
    );
    kept(
        "im 34",
        "The user is 34 years old.",
        &["turned 40 pages", "I turned 30 in 2015", "turned 60, dad did"],
    );
    for said in [
        "Living in Paris: a guide",
        "Born in 1980, he was a singer",
        "Currently living in Rome, she works at Acme",
        "Nothing here",
        "Austin here we come!",
        "its Max, my dog, he's sick",
        "is it vegan here?",
        "not vegan here",
        "been a nurse for a day",
        "gave up on life",
    ] {
        check(&[(&[said], &[])]);
    }
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

/// Words behind a correction kept it from being one.
#[test]
fn a_correction_may_go_on() {
    check(&[
        (&["im 28", "no wait 29, my bday was last week"], &["The user is 29 years old."]),
        (&["i live in Brooklyn", "sorry typo, Brookline not brooklyn"], &["The user lives in Brookline."]),
        (&["my wife's name is Erin", "*Erica, damn autocorrect"], &["The name of the user's wife is Erica."]),
        (&["i work at Tesla", "haha jk i wish, i work at a car wash"], &["The user works at a car wash."]),
        (
            &["I work at Acme.", "I got fired.", "lol jk, I got promoted"],
            &["The user got promoted.", "The user works at Acme."],
        ),
        (&["Hi, I'm Dave. Just kidding, I'm Steve."], &["The user's name is Steve."]),
    ]);
    kept(
        "im 28",
        "The user is 28 years old.",
        &["no wait", "no, 29 people came", "sorry, my bday was last week"],
    );
}

#[test]
fn who_is_named_behind_what_they_are_is_learned() {
    let wife = "The name of the user's wife is Dana.";
    check(&[
        (&["my wife Dana is a vegetarian, i'm not. dinner ideas?"], &[wife]),
        (&["my daughter Lily turns 6 on saturday"], &["The name of the user's daughter is Lily."]),
        (
            &["my golden retriever Biscuit keeps eating grass"],
            &["The name of the user's retriever is Biscuit."],
        ),
        (&["our dog Ziggy is 14"], &["The name of the user's dog is Ziggy."]),
        (&["my grandpa Walt lives with us"], &["The name of the user's grandpa is Walt."]),
        (&["My sister Ana's dog is cute"], &["The name of the user's sister is Ana."]),
        (&["my boss Karen is mean"], &["The user's boss is Karen."]),
        (&["my husbands name is Piotr"], &["The name of the user's husband is Piotr."]),
        (&["ive got a twin sister called Bea"], &["The user has a sister called Bea."]),
        (&["my dog Rex died"], &["The user's dog Rex died."]),
    ]);
    for said in [
        "My Dog Ate My Homework is a book",
        "got my mom Dyson for christmas",
        "looking for my son Lego sets",
        "if my sister Ana calls, wake me",
        "she said my brother Tom is rude",
        "my friend's wife Dana is nice",
        "my mum Monday to Friday works",
        "MY WIFE IS MAD",
        "my ex husband Greg is here",
        "My late husband Greg loved tea",
        "my son Minecraft obsessed",
        "we will call our daughter Emma",
        "my mom Facebook messaged me",
    ] {
        check(&[(&[said], &[])]);
    }
}

/// Nothing was known of the user's health but allergies.
#[test]
fn lasting_illness_is_learned() {
    check(&[
        (&["i've got asthma so running in the cold is hard"], &["The user has asthma."]),
        (&["i have type 1 diabetes and was wondering if i can fast"], &["The user has type 1 diabetes."]),
        (&["i was diagnosed with adhd last year at 41"], &["The user has adhd."]),
        (&["I'm diabetic"], &["The user is diabetic."]),
        (&["I'm 6 weeks pregnant and so tired"], &["The user is pregnant."]),
        (&["i take metformin every morning"], &["The user takes metformin."]),
        (&["I have asthma and eczema"], &["The user has asthma.", "The user has eczema."]),
        (&["I have asthma.", "I don't have asthma anymore."], &[]),
        (&["I take metformin.", "I stopped taking metformin."], &[]),
        (&["i'm pregnant, due in july", "i had a miscarriage last week"], &["The user had a miscarriage."]),
    ]);
    kept("I take insulin.", "The user takes insulin.", &["I don't take insulin with coffee"]);
    for said in [
        "I have diabetes in my family",
        "I have cancer research homework",
        "I have ocd about my desk",
        "my son has asthma",
        "do i have adhd",
        "i think i have adhd",
        "i might have diabetes",
        "I'm pregnant with ideas",
        "i'm on lithium batteries now",
        "asking for a friend: i'm pregnant and i smoke, what do i do",
    ] {
        check(&[(&[said], &[])]);
    }
}

/// What sounds like a change of the user's life, and is none: each was believed.
#[test]
fn what_only_sounds_like_a_change_changes_nothing() {
    let (work, home): (&[&str], &[&str]) = (&["The user works at Acme."], &["The user lives in Leeds."]);
    for said in [
        "My boss almost fired me today",
        "My boss basically fired me from the lunch order job",
        "They almost laid me off",
        "They fired me from a cannon at the circus",
        "Yeah right, I work at NASA lol",
    ] {
        check(&[(&["I work at Acme.", said], work)]);
    }
    for said in [
        "we moved at the weekend - the meeting, I mean",
        "we moved at the weekend, our meeting",
        "we moved at the weekend (in The Sims)",
        "Living in Rome now must be hot.",
        "Living in Berlin now would be a dream.",
        "Oh sure, I live in Monaco.",
    ] {
        check(&[(&["I live in Leeds.", said], home)]);
    }
    for said in [
        "turned 47 on the dial and nothing happened",
        "Turned 40 on the amp and my ears bled",
        "Turned 90 yesterday, my nan!",
        "Been a plumber for 12 years, he has",
        "I take statins very seriously in my thesis.",
        "I take insulin for granted",
        "I have PTSD from that exam lol",
        "My uncle Sam poster arrived.",
        "my cousin Vinny quotes are the best",
    ] {
        check(&[(&[said], &[])]);
    }
    check(&[
        (
            &["My wife is called Dana.", "Dana left me for a week to visit her mom"],
            &["The name of the user's wife is Dana."],
        ),
        (&["My wife is called Dana.", "Dana left me for my brother"], &["The user and Dana broke up."]),
        (&["I'm 34.", "no wait, 35 actually"], &["The user is 35 years old."]),
        (&["Turned 47 on Tuesday lol"], &["The user is 47 years old."]),
        (&["Living in Austin now!!"], &["The user lives in Austin."]),
    ]);
}
