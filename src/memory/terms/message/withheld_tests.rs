use super::*;
use crate::id::Id;
use crate::memory::message::NewMessage;
use crate::scope::Scope;
use proptest::prelude::*;
use serde_json::json;

fn record(message: Value) -> Record {
    let message: NewMessage = serde_json::from_value(message).unwrap();
    let scope = Scope::from_json(&json!({ "userId": "one" })).unwrap();
    message.into_record(Id::new(1, [1; 10]), &scope, "t", 1).unwrap()
}

fn said(content: Value) -> Record {
    record(json!({ "role": "user", "content": content }))
}

fn terms(words: &[&str]) -> FxHashSet<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// What is told of a text when a quote is withheld.
fn told(text: &str, quote: &str) -> String {
    let before = said(text.into());
    let mut telling = Telling::of(&before).unwrap();
    telling.withhold_quote(quote);
    telling.write(&before).unwrap().text.unwrap_or_default()
}

fn is_subsequence(part: &str, whole: &str) -> bool {
    let mut rest = whole.chars();
    part.chars().all(|c| rest.any(|other| other == c))
}

#[test]
fn sentences_with_the_quote_go_and_all_others_stay() {
    let text = "Hi! I have diabetes, Dr. Lee says. What can I cook?\nI have diabetes type 2";
    assert_eq!(told(text, "I have diabetes"), "Hi! What can I cook?");
    assert_eq!(
        told(text, "Dr. Lee says. What can"),
        "Hi!\u{20}I have diabetes type 2".replace("!\u{20}", "!")
    );
    assert_eq!(told("私は糖尿病です。京都に住んでいます。", "糖尿病"), "京都に住んでいます。");
    assert_eq!(told("عندي مرض السكري. أسكن في القاهرة؟ نعم", "مرض السكري"), "أسكن في القاهرة؟ نعم");
    assert_eq!(told("나는 당뇨가 있어요. 서울에 살아요.", "당뇨가 있어요"), "서울에 살아요.");
}

#[test]
fn hostile_quotes_leave_no_more_than_they_may() {
    assert_eq!(told("One. Two.", ""), "");
    assert_eq!(told("One. Two.", "  \n"), "");
    assert_eq!(told("One. Two.", "One. Two."), "");
    assert_eq!(told("One. Two.", "Three"), "One. Two.");
    assert_eq!(told("aaa. b. aa", "aa"), "b.");
    assert_eq!(told("a. a. b. b", "a. b"), "");
    assert_eq!(told("..!?", "!"), "");
}

#[test]
fn only_the_parts_that_tell_of_it_change() {
    let call = json!({ "type": "tool-call", "toolCallId": "c1", "toolName": "diabetes", "input": { "q": "diabetes diet" } });
    let image = json!({ "type": "image", "image": "https://example.com/diabetes.png" });
    let before = record(json!({ "role": "assistant", "content": [
        { "type": "thinking", "thinking": "they have diabetes", "signature": "x" },
        { "type": "text", "text": "Sorry about your diabetes." },
        { "type": "text", "text": "Eat well. Diabetes needs care." },
        call, image,
    ], "toolCalls": [{ "id": "c2", "function": { "name": "note", "arguments": "{\"text\":\"Has diabetes. Likes tea.\"}" } }] }));
    let mut telling = Telling::of(&before).unwrap();
    let diabetes = terms_of("diabetes");
    telling.withhold_terms(&diabetes, 1);
    telling.withhold_beside(&diabetes);
    let after = telling.write(&before).unwrap();
    assert_eq!(after.text.as_deref(), Some("Eat well."));
    assert_eq!(
        after.value["content"],
        json!([
            { "type": "text", "text": "Eat well." },
            { "type": "tool-call", "toolCallId": "c1", "toolName": "diabetes", "input": { "q": "" } },
            image,
        ])
    );
    assert_eq!(after.value["toolCalls"][0]["function"]["arguments"], r#"{"text":"Likes tea."}"#);
    assert_eq!(after.value["withheld"]["content"], before.value["content"]);
    assert_eq!(after.value["withheld"]["toolCalls"], before.value["toolCalls"]);
    // Withholding the same again changes nothing.
    let mut again = Telling::of(&after).unwrap();
    again.withhold_terms(&diabetes, 1);
    again.withhold_beside(&diabetes);
    assert_eq!(again.write(&after).unwrap(), after);
    assert_eq!(terms(&["diabet"]), diabetes);
}

#[test]
fn what_takes_a_messages_place_keeps_withholding() {
    let before = said("I have diabetes. I live in Rome.".into());
    let mut telling = Telling::of(&before).unwrap();
    telling.withhold_quote("diabetes");
    let before = telling.write(&before).unwrap();
    let same = carry_over(&before, said("I have diabetes. I live in Rome.".into())).unwrap();
    assert_eq!((same.text, same.value), (before.text.clone(), before.value.clone()));
    let more = carry_over(&before, said("I live in Rome. I have diabetes. Since May.".into())).unwrap();
    assert_eq!(more.text.as_deref(), Some("I live in Rome. Since May."));
    let other = carry_over(&before, said("I live in Bonn.".into())).unwrap();
    assert_eq!((other.text.as_deref(), other.value.get("withheld")), (Some("I live in Bonn."), None));
}

#[test]
fn japanese_is_told_apart_by_what_is_no_grammar() {
    assert_eq!(terms_of("私は糖尿病です"), terms(&["糖尿", "尿病"]));
    assert!(!terms_of("りんごです").is_empty());
}

proptest! {
    #[test]
    fn what_is_told_never_holds_the_quote(
        text in "[ab .!?\n。é]{0,40}|(One|two|three|[. \n])*",
        from in 0usize..30,
        length in 1usize..12,
    ) {
        let characters: Vec<char> = text.chars().collect();
        let quote: String = characters.iter().skip(from).take(length).collect();
        let rest = told(&text, &quote);
        prop_assert!(is_subsequence(&rest, &text), "{rest:?} of {text:?}");
        let quote = quote.trim();
        prop_assert!(rest.is_empty() || (!quote.is_empty() && !rest.contains(quote)), "{quote:?} in {rest:?}");
    }
}
