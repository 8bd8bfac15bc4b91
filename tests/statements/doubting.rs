//! What is not to be believed: jokes, the words of others, and what only sounds like a change.

use super::{check, kept};
use crate::support::world::World;
use serde_json::json;

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

/// Each was taken for the user's, who had brought up somebody else in the message before.
#[test]
fn whom_a_message_brings_up_the_next_one_is_about() {
    check(&[
        (&["나 서울 살아", "우리 누나 얘긴데", "부산 살아"], &["사용자는 서울에 산다."]),
        (&["나 삼성 다녀", "남편 얘긴데", "퇴사했어"], &["사용자는 삼성에 다닌다."]),
        (&["고양이 입양했어!", "이름은 나비야"], &[]),
        (&["고양이 키워", "서울 살아"], &["사용자는 고양이를 키운다.", "사용자는 서울에 산다."]),
        (&["우리 누나 얘긴데", "나 부산 살아"], &["사용자는 부산에 산다."]),
        (&["トヨタで働いてる", "夫の話", "仕事を辞めた"], &["ユーザーはトヨタで働いています。"]),
        (&["彼女にプレゼントしたい", "趣味は登山です"], &[]),
        (&["夫の話", "私は看護師です"], &["ユーザーの職業は看護師です。"]),
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

/// What is known after things were said a minute apart.
fn known_after(said: &[&str]) -> Vec<String> {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for content in said {
        world.machine.pass(60_000);
        world.call(&engine, "remember", json!({ "messages": [{ "role": "user", "content": content }] }));
        world.idle(&engine);
    }
    let mut facts = world.facts(&engine);
    facts.sort();
    facts
}

/// A game was announced in one message, and the next was believed.
#[test]
fn what_is_said_in_a_game_or_to_be_translated_is_not_believed() {
    for announced in ["lets roleplay", "lets play a game!", "Translate this to French please", "역할극 하자"]
    {
        let known = known_after(&["I live in Bath.", announced, "I live in Rome"]);
        assert_eq!(known, ["The user lives in Bath."], "{announced}");
    }
    for said in [
        &["lets roleplay", "ok back to reality", "I live in Rome"][..],
        &["Translate this to French please", "thanks", "I live in Rome"],
    ] {
        assert_eq!(known_after(said), ["The user lives in Rome."], "{said:?}");
    }
    let known = known_after(&["i love roleplay games", "I live in Rome"]);
    assert_eq!(known, ["The user lives in Rome."]);
    check(&[
        (&["lets roleplay", "I live in Rome"], &["The user lives in Rome."]),
        (&["I'm a nurse", "im a taxi driver for my kids"], &["The user is a nurse."]),
        (&["My name is Jess", "my name is Karen lol"], &["The user's name is Jess."]),
    ]);
}
