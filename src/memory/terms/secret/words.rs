//! Words and shapes that keep something from being learned: what talks of a secret is not read at all.

use crate::lowercase::lowercase;

/// Words whose sentence is not read at all, in lower case.
const SECRET_WORDS: &[&str] = &[
    "password",
    "passwd",
    "passcode",
    "passphrase",
    "pin code",
    "pin is",
    "pin number",
    "api key",
    "apikey",
    "api_key",
    "secret",
    "credential",
    "access token",
    "bearer ",
    "private key",
    "seed phrase",
    "social security",
    "ssn",
    "cvv",
    "credit card",
    "card number",
    "account number",
    "iban",
    "passport number",
    "비밀번호",
    "비번",
    "암호",
    "주민등록",
    "주민번호",
    "카드번호",
    "카드 번호",
    "계좌",
    "인증번호",
    "여권번호",
    "パスワード",
    "暗証番号",
    "秘密",
    "マイナンバー",
    "カード番号",
    "口座",
    "パスポート番号",
    "密码",
    "密碼",
    "口令",
    "卡号",
    "卡號",
    "身份证号",
    "身分證",
    "护照号",
    "護照號",
];

/// Whether a sentence talks about something secret.
pub(crate) fn mentions_secret(sentence: &str) -> bool {
    let lower = lowercase(sentence);
    SECRET_WORDS.iter().any(|word| lower.match_indices(word).any(|(at, _)| ends(&lower, at + word.len())))
}

/// Whether a word ends here, or in an "s": a secretary has no secret.
fn ends(text: &str, at: usize) -> bool {
    let is_letter = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_lowercase);
    at.checked_sub(1).is_none_or(|last| !is_letter(last))
        || !is_letter(at + usize::from(text.as_bytes().get(at) == Some(&b's')))
}

/// Whether a value has the shape of a secret: many digits, an address, or a long mixed token.
pub(crate) fn looks_secret(value: &str) -> bool {
    let digits = value.chars().filter(char::is_ascii_digit).count();
    digits >= 7
        || value.contains('@')
        || value.contains("://")
        || value.split_whitespace().any(|token| {
            let length = token.chars().count();
            let mixed = token.chars().any(|c| c.is_ascii_digit())
                && token.chars().any(|c| c.is_ascii_alphabetic())
                && length >= 8;
            mixed || (token.is_ascii() && length > 24)
        })
}

#[cfg(test)]
mod tests {
    use super::mentions_secret;

    #[test]
    fn whole_words_talk_of_a_secret() {
        for said in
            ["My passwords are weak", "It's a secret.", "secrets!", "the PIN is 1234", "Bearer abc", "密码是"]
        {
            assert!(mentions_secret(said), "{said}");
        }
        for said in ["I work as a secretary", "I play an Ibanez", "My bearings are off"] {
            assert!(!mentions_secret(said), "{said}");
        }
    }
}
