//! Corrections and withdrawals without a model: what somebody puts right or takes back, in the same message or the next.

use crate::statements::check;
use crate::support::world::World;
use serde_json::json;

/// Corrections that name only what is right were not understood.
#[test]
fn a_value_is_corrected_by_the_next_message() {
    check(&[
        (&["I live in Berlin.", "Sorry, not Berlin, Bonn."], &["The user lives in Bonn."]),
        (
            &["I'm based in Manchester.", "Actually it's Salford, not Manchester"],
            &["The user lives in Salford."],
        ),
        (&["I'm 34 years old.", "No wait, 35."], &["The user is 35 years old."]),
        (&["My birthday is on 12 March.", "Oops, 21 March."], &["The user's birthday is 21 March."]),
        (&["I have three brothers.", "I mean two brothers, sorry."], &["The user has two brothers."]),
        (&["I'm allergic to nuts.", "Sorry, not nuts, eggs"], &["The user is allergic to eggs."]),
        (&["I have a dog called Rex.", "Sorry, not Rex, Max"], &["The user has a dog called Max."]),
        (&["I live in Berlin.", "Sorry, Tom is here."], &["The user lives in Berlin."]),
        (&["I live in Berlin.", "Sorry, Tom"], &["The user lives in Berlin."]),
        (&["I live in Berlin.", "No wait, Rome"], &["The user lives in Rome."]),
        (&["I live in Berlin. We fly to Paris.", "No wait, Rome"], &["The user lives in Berlin."]),
        (&["I live in Valencia", "sorry, I meant Palencia"], &["The user lives in Palencia."]),
        (&["I live in Valencia", "wait no, I live in Palencia"], &["The user lives in Palencia."]),
        (&["I have a cat called Bigos", "*Bigosik"], &["The user has a cat called Bigosik."]),
        (&["I'm vegetarian", "just kidding"], &[]),
        (&["I live in Valencia", "Ignore what I said about Valencia."], &[]),
        (&["I'm vegetarian", "I like tea", "That was a joke"], &["The user is vegetarian."]),
        (
            &["I live in Berlin.", "I like tea.", "Sorry, not Berlin, Bonn."],
            &["The user likes tea.", "The user lives in Berlin."],
        ),
    ]);
}

/// Somebody who corrects themselves in one breath was taken at their first word.
#[test]
fn what_is_corrected_in_the_same_breath_is_not_believed() {
    check(&[
        (&["I'm 36. Actually 37."], &["The user is 37 years old."]),
        (&["I'm 34, no wait, 35"], &["The user is 35 years old."]),
        (&["I live in Lisbon. Sorry, not Lisbon, Berlin."], &["The user lives in Berlin."]),
        (&["I live in Porto, or rather Braga."], &["The user lives in Braga."]),
        (&["I work at Repsol. Sorry, I meant Iberdrola."], &["The user works at Iberdrola."]),
        (&["My favourite colour is green, or rather teal."], &["The user's favorite colour is teal."]),
        (
            &["My daughter is called Alba. No, scratch that, my daughter is called Alma."],
            &["The name of the user's daughter is Alma."],
        ),
        (&["My name is Jon. Sorry, John."], &["The user's name is John."]),
        (
            &["I'm Ana and I live in Rome, sorry, Milan"],
            &["The user lives in Milan.", "The user's name is Ana."],
        ),
        (&["I'm 34 and I have 2 kids, no wait, 3."], &["The user has 3 kids.", "The user is 34 years old."]),
        (&["I'm allergic to nuts. Sorry, I meant my son is."], &[]),
        (&["I'm vegetarian. Kidding."], &[]),
        (&["I'm vegetarian! Haha no"], &[]),
        (&["I'm married. Not really lol."], &[]),
        (&["I live in Lisbon, not."], &[]),
        (&["I have a dog. Had."], &[]),
        (&["I have a dog. He died in January."], &[]),
        (&["I'm married. Was, sorry."], &[]),
        (&["I work at Shell. Until last week, that is."], &[]),
        (&["I work at NASA. That's what I told my date anyway."], &[]),
    ]);
    check(&[
        (&["I live in Porto. Sorry for the long message."], &["The user lives in Porto."]),
        (&["I live in Porto. Well, it's lovely here."], &["The user lives in Porto."]),
        (&["I live in Porto. I mean, it rains a lot."], &["The user lives in Porto."]),
        (&["I have two kids. No pets."], &["The user has two kids."]),
        (&["I live in Porto. No, really."], &["The user lives in Porto."]),
        (&["I'm vegan. Actually I love it"], &["The user is vegan."]),
        (&["I live in Porto. Was born in Braga."], &["The user lives in Porto."]),
        (&["I like tea. Well, I like coffee too."], &["The user likes coffee.", "The user likes tea."]),
        (&["I live in Rome. Not kidding."], &["The user lives in Rome."]),
        (&["I live in Rome, no kidding."], &["The user lives in Rome."]),
        (&["I live in Oslo. I mean, Norway! How cool is that?"], &["The user lives in Oslo."]),
        (&["I live in Lyon. Actually, Lyon is great."], &["The user lives in Lyon."]),
        (&["I'm 34. No wait times at the clinic please."], &["The user is 34 years old."]),
        (&["I'm 34. I meant to tell you earlier."], &["The user is 34 years old."]),
    ]);
}

/// The second correction was taken for one of the first, and was not understood.
#[test]
fn what_was_corrected_is_corrected_again() {
    check(&[
        (&["I'm 34, no wait, 35, no wait, 36"], &["The user is 36 years old."]),
        (&["I'm 34. No wait, 35. Sorry, 36."], &["The user is 36 years old."]),
        (&["I'm 34", "No wait, 35.", "Oops, 36"], &["The user is 36 years old."]),
        (&["I live in Rome", "no wait, Milan", "no wait, Turin"], &["The user lives in Turin."]),
        (&["I live in Rome, no wait, Milan, just kidding"], &[]),
        (
            &["I'm 34", "No wait, 35.", "I like tea", "No wait, 36"],
            &["The user is 35 years old.", "The user likes tea."],
        ),
    ]);
    let without_end = format!("I'm 34{}", ", no wait, 35".repeat(2000));
    check(&[(&[without_end.as_str()], &["The user is 35 years old."])]);
}

/// A change that was a joke stayed, and what it had ended was over.
#[test]
fn what_a_joke_had_changed_holds_again() {
    let lisbon: &[&str] = &["The user lives in Lisbon."];
    check(&[
        (&["I live in Lisbon", "I moved to Rome", "just kidding"], lisbon),
        (&["I live in Lisbon", "I live in Rome now", "Ignore what I said about Rome. Thanks!"], lisbon),
        (&["I live in Lisbon", "I moved to Rome", "jk", "I moved to Bonn"], &["The user moved to Bonn."]),
        (
            &["I live in Lisbon", "I live in Rome", "No wait, Milan", "just kidding"],
            &["The user lives in Rome."],
        ),
        (&["I'm vegetarian", "I'm vegetarian", "just kidding"], &["The user is vegetarian."]),
        (&["I moved to Rome", "just kidding"], &[]),
        (&["I live in Lisbon", "I moved to Rome", "Just kidding. Anyway, what's for dinner?"], lisbon),
        (&["I live in Lisbon", "I moved to Rome", "lol jk, where would I even sleep"], lisbon),
        (
            &["I'm allergic to nuts.", "I'm not allergic to nuts any more.", "jk"],
            &["The user is allergic to nuts."],
        ),
        (
            &["I work at Acme as a nurse.", "I quit my job.", "Just kidding."],
            &["The user works as a nurse.", "The user works at Acme."],
        ),
        (&["I live in Lisbon.", "I don't live in Lisbon any more.", "Only joking!"], lisbon),
        (
            &["I live in Lisbon", "I moved to Rome", "I'm 34", "Ignore what I said about Rome."],
            &["The user is 34 years old.", "The user lives in Lisbon."],
        ),
    ]);
}

/// What only looked like a withdrawal or a correction ended an allergy, a home or an age.
#[test]
fn what_takes_nothing_back_ends_nothing() {
    let nuts: &[&str] = &["The user is allergic to nuts."];
    for said in [
        "Scratch that?",
        "> Just kidding.\nWhat does he mean by that?",
        "\"Just kidding.\" That's what he wrote.",
        "That was a joke, what the waiter did.",
        "Ignore what I said about the nuts in the shopping list.",
    ] {
        check(&[(&["I'm allergic to nuts.", said], nuts)]);
    }
    check(&[
        (
            &["I live in Lisbon.", "Ignore what I said about the hotel in Lisbon."],
            &["The user lives in Lisbon."],
        ),
        (
            &["I live in Lisbon.", "Berlin, not Lisbon, is the capital of Germany."],
            &["The user lives in Lisbon."],
        ),
    ]);
    let said = ["I'm 34. How many guests should I invite?", "30.", "Actually, 35."];
    assert_eq!(known_after(said), ["The user is 34 years old."]);
}

/// The profile and the history say what holds: a home that never was is neither, and the one before it has no end.
#[test]
fn the_profile_forgets_a_joke() {
    let world = World::new();
    let schema = json!({ "type": "object", "properties": { "city": { "type": "string" } } });
    let engine = world.open(None, &json!({ "profiles": { "user": schema } }));
    let city = || world.call(&engine, "profiles.get", json!({}))["user"]["profile"]["city"].clone();
    for (said, expected) in
        [("I live in Lisbon.", "Lisbon"), ("I moved to Rome.", "Rome"), ("Just kidding!", "Lisbon")]
    {
        world.call(&engine, "remember", json!({ "messages": [{ "role": "user", "content": said }] }));
        world.idle(&engine);
        assert_eq!(city(), json!(expected), "{said}");
    }
    let history = world.call(&engine, "profiles.history", json!({ "schema": "user", "field": "city" }));
    let newest = history.as_array().unwrap().iter().max_by_key(|entry| entry["revision"].as_u64()).unwrap();
    assert!(
        newest.to_string().contains("I live in Lisbon") && !newest.to_string().contains("kidding"),
        "{newest}"
    );
    let facts = world.call(&engine, "facts.list", json!({ "includeEnded": true }));
    let of = |town: &str| {
        facts.as_array().unwrap().iter().find(|fact| fact["text"].as_str().unwrap().contains(town))
    };
    let (lisbon, rome) = (of("Lisbon").unwrap(), of("Rome").unwrap());
    assert!(lisbon["validTo"].is_null() && lisbon["supersededBy"].is_null(), "{lisbon}");
    assert_eq!((&rome["validTo"], &rome["supersedes"]), (&rome["validFrom"], &json!(null)), "{rome}");
}

/// An apology to somebody, and what no home can be, took the place of a home.
#[test]
fn not_everything_behind_sorry_is_a_correction() {
    check(&[
        (&["I moved to Austin", "Sorry, Boston!"], &["The user moved to Austin."]),
        (
            &["I live in Rome. Find me a good French restaurant, no wait, Italian"],
            &["The user lives in Rome."],
        ),
        (&["I live in Rome, no wait, Italian"], &["The user lives in Rome."]),
    ]);
}

/// What stood right before a correction was another's, or nothing that is learned: the user's own was taken for what is meant.
#[test]
fn only_what_stands_before_a_correction_is_corrected() {
    let rome: &[&str] = &["The user lives in Rome."];
    for said in [
        "I live in Rome and my mum lives in Milan, no wait, Turin.",
        "I live in Rome, find flights to Milan, no wait, Turin",
        "I live in Rome but my office is in Milan, sorry, Turin",
        "I live in Rome and my best friend is Tom. No wait, Tim.",
        "I live in Rome near Termini. No wait, Tiburtina.",
    ] {
        check(&[(&[said], rome)]);
    }
    check(&[
        (&["I'm allergic to nuts and want a pizza, no wait, salad"], &["The user is allergic to nuts."]),
        (&["I'm 34, my wife is 32, no wait, 33"], &["The user is 34 years old."]),
        (&["I work at Shell in Milan. No wait, Turin."], &["The user works at Shell."]),
        (&["I live in Rome", "*Exactly"], rome),
        (&["I live in Rome", "I meant Python"], rome),
        (&["I live in Rome", "Ignore what I said about Milan"], rome),
        (&["We flew via Pariss and I live in Rome", "*Paris"], rome),
        (&["I'm sick of using Outlook's account page. I live in Rome."], rome),
        (&["This is important, Anna's husband is sick. I live in Rome."], rome),
        (&["I live in Sa\u{303}o Paulo."], &["The user lives in Sa\u{303}o Paulo."]),
    ]);
}

/// Each dash and comma was a place where a message of thousands of them might correct itself: 20 kB took two minutes.
#[test]
fn dashes_and_commas_without_end_are_read_once() {
    check(&[(&[&"- ".repeat(10_000)], &[]), (&[&", ".repeat(10_000)], &[])]);
    for piece in ["- ", "-- ", "\u{2014} ", "foo - ", ", a nurse", ", not Rome, Milan", ", "] {
        check(&[(&[&format!("I live in Rome. {}", piece.repeat(8000))], &["The user lives in Rome."])]);
    }
}

/// What is known after the user said something, the assistant replied and the user said something else.
fn known_after(said: [&str; 3]) -> Vec<String> {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for (role, content) in ["user", "assistant", "user"].into_iter().zip(said) {
        world.call(&engine, "remember", json!({ "messages": [{ "role": role, "content": content }] }));
        world.idle(&engine);
    }
    world.facts(&engine)
}

/// What the assistant had done was corrected, and not what the user had said of themselves.
#[test]
fn a_reply_is_corrected_and_not_the_user() {
    let said = ["I live in Rome.", "Here is the weather in Rome.", "Not Rome, Milan."];
    assert_eq!(known_after(said), ["The user lives in Rome."]);
}

/// The assistant asked for something else, and the answer changed an age.
#[test]
fn an_answer_corrects_nothing() {
    let said = ["I'm 34 years old.", "How many guests do you expect?", "No wait, 35."];
    assert_eq!(known_after(said), ["The user is 34 years old."]);
}
