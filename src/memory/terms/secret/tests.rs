//! What is found, and what is left.

use super::kind::Secret;
use super::mask::Masker;
use super::national::National;
use super::number::luhn;
use super::scan::scan;
use super::{MaskedAt, Secrets};
use proptest::prelude::*;
use serde_json::{Value, json};

const ALL: [National; 7] =
    [National::De, National::Es, National::Fr, National::In, National::Jp, National::Kr, National::Us];

fn masked(text: &str) -> (String, Vec<&'static str>) {
    let (mut own, mut found) = (text.to_owned(), Secrets::default());
    Masker::default().text(&mut own, &mut found);
    (own, found.iter().map(Secret::as_str).collect())
}

fn national(text: &str) -> Vec<&str> {
    let find = |text: &str, place: usize| ALL.iter().find_map(|country| country.find(text, place));
    let found = scan(text, Some(&find)).into_iter().filter(|found| found.secret == Secret::NationalId);
    found.map(|found| &text[found.range]).collect()
}

#[test]
fn secrets_give_way_to_placeholders() {
    for (text, expected) in [
        // Keys of services; none of them was ever valid.
        ("use sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1w for it", "use [key] for it"),
        ("sk-ant-api03-Zx9Yw8Vu7Ts6Rq5Po4Nm3Lk2Ji1H", "[key]"),
        ("ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8.", "[key]."),
        ("AWS: AKIA2E0A8F3B244C9986 is it", "AWS: [key] is it"),
        ("key=AIzaSyD9x8W7v6U5t4S3r2Q1p0O9n8M7l6K5j4I", "key=[key]"),
        ("xoxb-1234567890-abcdefABCDEF", "[key]"),
        (
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
            "[key]",
        ),
        ("my api key: 9f8e7d6c5b4a39281706", "my api key: [key]"),
        ("{\"clientSecret\":\"q7W8e9R0t1Y2u3I4o5P6\"}", "{\"clientSecret\":\"[key]\"}"),
        ("Authorization: Bearer a1b2c3d4e5f6g7h8i9j0", "Authorization: Bearer [key]"),
        ("API 키는 9f8e7d6c5b4a39281706 입니다", "API 키는 [key] 입니다"),
        ("https://x.example/p?token=a1b2c3d4e5f6g7h8i9&x=1", "https://x.example/p?token=[key]&x=1"),
        // Private keys, also one that was cut off.
        (
            "it is\n-----BEGIN RSA PRIVATE KEY-----\nMIIB\nAAA=\n-----END RSA PRIVATE KEY-----\nkeep it",
            "it is\n[private key]\nkeep it",
        ),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz", "[private key]"),
        // Cards: test numbers of the issuers.
        ("my visa is 4111 1111 1111 1111, exp 12/27", "my visa is [card], exp 12/27"),
        ("4111-1111-1111-1111", "[card]"),
        ("(5555555555554444)", "([card])"),
        ("amex 3782 822463 10005.", "amex [card]."),
        ("카드번호는 4242424242424242야", "카드번호는 [card]야"),
        ("カードは４２４２４２４２４２４２４２４２です", "カードは[card]です"),
        // Accounts.
        ("IBAN: DE89 3704 0044 0532 0130 00.", "IBAN: [iban]."),
        ("send it to GB82WEST12345698765432 please", "send it to [iban] please"),
        ("nl91abna0417164300", "[iban]"),
        // Passwords.
        ("My password is hunter2.", "My password is [password]."),
        ("the password is Tr0ub4dor&3", "the password is [password]"),
        ("my wifi password is swordfish", "my wifi password is [password]"),
        ("password for netflix is \"correct horse battery\"", "password for netflix is \"[password]\""),
        ("PASSWORD=S3cr3t!x now", "PASSWORD=[password] now"),
        ("{\"password\": \"open sesame\", \"a\": 1}", "{\"password\": \"[password]\", \"a\": 1}"),
        ("{\\\"password\\\":\\\"open-it\\\"}", "{\\\"password\\\":\\\"[password]\\\"}"),
        ("비밀번호는 hunter2야", "비밀번호는 [password]야"),
        ("내 비번은 qwer1234 이고", "내 비번은 [password] 이고"),
        ("パスワードはhunter2です", "パスワードは[password]です"),
        ("パスワード：「あいことば」", "パスワード：「[password]」"),
        ("暗証番号は1234です", "暗証番号は[password]です"),
        ("my PIN is 4821", "my PIN is [password]"),
        ("cvv 123", "cvv [password]"),
        ("postgres://app:s3cret@db.example/x", "postgres://app:[password]@db.example/x"),
        ("postgres://app:$ecret1@db.example/x", "postgres://app:[password]@db.example/x"),
        ("password: $ecret1", "password: [password]"),
        ("password: (s3cret", "password: [password]"),
        // Keys in a list, of which only the first stands beside the word.
        (
            "keys: 9f8e7d6c5b4a39281706a1b2c3d4e5f6, 1a2b3c4d5e6f70819203a4b5c6d7e8f9, 0f1e2d3c4b5a69788796a5b4c3d2e1f0",
            "keys: [key], [key], [key]",
        ),
        // A secret within what looked like a path, and one between the word and what it names.
        ("password is /パスワードは://", "password is [password]]"),
        (
            "password for ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8 is swordfish",
            "password for [key] is [password]",
        ),
        ("password: /s3cret", "password: [password]"),
        ("password: %s3cret", "password: [password]"),
    ] {
        let (own, kinds) = masked(text);
        assert_eq!(own, expected, "{text}");
        assert!(!kinds.is_empty(), "{text}");
        assert_eq!(masked(&own), (own.clone(), Vec::new()), "a placeholder is no secret");
    }
}

#[test]
fn what_only_looks_alike_stays() {
    for text in [
        "call me at +1 (555) 010-4477 or 010-1234-5678",
        "phone 4111 111 1111",
        "order 4111111111111112 arrives 2026-11-22",
        "order #4111111111111111",
        "it cost $4111111111111111.00, or 1,234,567.89 €",
        "1700000000000 is a time in milliseconds",
        "ISBN 978-3-16-148410-0",
        "the id is 550e8400-e29b-41d4-a716-446655440000",
        "the token id is 550e8400-e29b-41d4-a716-446655440000",
        "4111111111111111111111",
        "DE89 3704 0044 0532 0130 01",
        "my password is weak",
        "I forgot my password. It is gone",
        "my password manager is Bitwarden",
        "the password is required.",
        "password: ${DB_PASSWORD1}",
        "password=$DB_PASSWORD_1",
        "password: {{ secret1 }}",
        "password: /run/secrets/db1",
        "password: %PASS1%",
        "password: (8 letters)",
        "postgres://app:${PASS1}@db.example/x",
        "postgres://app:[password]@db.example/x",
        "the password is case-sensitive",
        "the password is 8 characters long",
        "passwords: why they fail",
        "비밀번호는 8자 이상이어야 해",
        "비밀번호를 잊어버렸어",
        "パスワードを忘れました",
        "パスワードはブラウザに保存しています",
        "I use sk-learn and scikit-learn-extra-utilities",
        "token-based-authentication is what we use",
        "a key to success: practice",
        "monkey: abcdef1234567890abcdef",
        "the commit is 1e3f3559bd5fdd0b2a39b82f5fa9ced2aa1a8dc1",
        "my pin is on the board",
        "https://example.com:8080/a@b",
        "see data:image/png;base64,iVBORw0KGgo=",
        "key: user_20241010",
        "key: 0192f3a4-b5c6-7d8e-9f01-23456789abcd/0192f3a4-b5c6-7d8e-9f01-23456789abce/works_with",
    ] {
        assert_eq!(masked(text), (text.to_owned(), Vec::new()));
    }
}

#[test]
fn national_numbers_are_found_by_form_and_check_digit() {
    for (text, expected) in [
        ("tax id 86 095 742 719", "86 095 742 719"),
        ("47036892816", "47036892816"),
        ("DNI 12345678Z.", "12345678Z"),
        ("X-1234567L", "X-1234567L"),
        ("1 84 12 76 451 089 46", "1 84 12 76 451 089 46"),
        ("aadhaar 2341 2341 2346", "2341 2341 2346"),
        ("マイナンバーは123456789018です", "123456789018"),
        ("주민번호 900101-1234567", "900101-1234567"),
        ("SSN 219-09-9999", "219-09-9999"),
    ] {
        assert_eq!(national(text), [expected], "{text}");
    }
    for text in [
        "86 095 742 718",
        "12345678A",
        "1 84 12 76 451 089 47",
        "2341 2341 2345",
        "123456789019",
        "901301-1234567",
        "000-12-3456",
        "666-12-3456",
        "219-00-9999",
        "010-1234-5678",
        "1700000000000",
    ] {
        assert!(national(text).is_empty(), "{text}");
        assert_eq!(masked(text).1, Vec::<&str>::new(), "without the option nothing is looked for");
    }
}

#[test]
fn values_are_masked_but_for_ids_and_files() {
    let mut value = json!([
        { "type": "tool_use", "id": "4111111111111111", "input": { "password": "open sesame", "note": "pay 4111111111111111", "card": 4_111_111_111_111_111_i64, "at": 1_795_347_000_000_i64 } },
        { "type": "text", "text": "my PIN is 4821" },
        { "apiKey": "q7W8e9R0t1Y2u3I4o5P6", "key": "user_20241010", "n": 4_111_111_111_111_111_i64 },
        { "type": "image", "data": "A1".repeat(2000) },
    ]);
    let mut found = Secrets::default();
    Masker::default().value(&mut value, &mut found);
    assert_eq!(
        value,
        json!([
            { "type": "tool_use", "id": "4111111111111111", "input": { "password": "[password]", "note": "pay [card]", "card": "[card]", "at": 1_795_347_000_000_i64 } },
            { "type": "text", "text": "my PIN is [password]" },
            { "apiKey": "[key]", "key": "user_20241010", "n": "[card]" },
            { "type": "image", "data": "A1".repeat(2000) },
        ])
    );
    assert_eq!(serde_json::to_value(found).unwrap(), json!(["key", "card", "password"]));
    let place = MaskedAt { index: 2, kind: "card" };
    assert_eq!(serde_json::to_value(place).unwrap(), json!({ "index": 2, "kind": "card" }));
}

/// A number of a card, with its check digit.
fn card() -> impl Strategy<Value = String> {
    prop::collection::vec(0..10_u8, 14).prop_map(|rest| {
        let mut digits = vec![4];
        digits.extend(rest);
        let check = (0..10).find(|check| luhn(&[&digits[..], &[*check]].concat())).unwrap();
        digits.push(check);
        digits.iter().map(|digit| char::from(b'0' + digit)).collect()
    })
}

/// The remainder by 97 of a number in letters and digits, as ISO 13616 reads it: an oracle one digit at a time.
fn rest_by_97(text: &str) -> u32 {
    let digits = text.chars().map(|letter| letter.to_digit(36).unwrap().to_string()).collect::<String>();
    digits.bytes().fold(0, |rest, digit| (rest * 10 + u32::from(digit - b'0')) % 97)
}

fn grouped(text: &str, separator: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(separator)
}

proptest! {
    #[test]
    fn cards_are_found_however_they_are_written(card in card(), separator in prop_oneof![Just(""), Just(" "), Just("-")]) {
        let text = format!("pay with {} today", grouped(&card, separator));
        prop_assert_eq!(masked(&text).0, "pay with [card] today");
    }

    #[test]
    fn a_wrong_digit_is_no_card(card in card(), place in 0..16_usize, add in 1..10_u8) {
        let mut digits = card.into_bytes();
        digits[place] = b'0' + (digits[place] - b'0' + add) % 10;
        let text = String::from_utf8(digits).unwrap();
        prop_assert_eq!(masked(&text).0, text);
    }

    #[test]
    fn accounts_are_found_by_their_check_digits(account in "[0-9]{18}", separator in prop_oneof![Just(""), Just(" ")], add in 1..97_u32) {
        let check = 98 - rest_by_97(&format!("{account}DE00"));
        let iban = |check: u32| grouped(&format!("DE{check:02}{account}"), separator);
        prop_assert_eq!(masked(&format!("to {}.", iban(check))).0, "to [iban].");
        let wrong = iban((check + add) % 97);
        if rest_by_97(&format!("{account}DE{:02}", (check + add) % 97)) != 1 {
            // The digits behind the letters may still be those of a card by chance; an account they are not.
            prop_assert!(!masked(&wrong).1.contains(&"iban"));
        }
    }

    // Letters of which no word for a code is made: "cvv 123" is none of these.
    #[test]
    fn ordinary_numbers_stay(number in 0..100_000_000_000_u64, cents in 0..100_u8, text in "[a-m]{0,12}") {
        for text in [
            format!("{text} {number}"),
            format!("{text} {number}.{cents:02} €"),
            format!("{text} +{number}"),
            format!("{text} 2026-11-22 {}", number % 10_000),
        ] {
            prop_assert_eq!(masked(&text), (text.clone(), Vec::new()));
        }
    }

    #[test]
    fn whatever_is_read_is_masked_once(text in "(password is |token |[a-zA-Z0-9:=\"' .\\-/_]|[가-힣]|パスワードは|４|://|-----BEGIN |eyJ){0,24}") {
        let (once, _) = masked(&text);
        prop_assert_eq!(&masked(&once).0, &once, "{}", text);
        let mut value = Value::String(text);
        Masker::default().value(&mut value, &mut Secrets::default());
        prop_assert_eq!(value, Value::String(once));
    }
}
