//! What is learned, in whatever words it is said.

use super::{check, kept, learned};
use serde_json::json;

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
