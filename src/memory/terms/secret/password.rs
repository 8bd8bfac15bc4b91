//! Passwords that somebody tells: "my password is ...", `password=...`, in English, Korean and Japanese.

/// Words that a password follows; the longer of two that begin alike comes first.
const WORDS: &[&str] = &[
    "passwords",
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "passwort",
    "contraseña",
    "mot de passe",
    "비밀번호",
    "패스워드",
    "비번",
    "암호",
    "パスワード",
    "パスコード",
];
/// Words that a number of 3 to 8 digits follows.
const PIN_WORDS: &[&str] = &[
    "pin code",
    "pin number",
    "pin",
    "cvv",
    "cvc",
    "security code",
    "verification code",
    "핀번호",
    "인증번호",
    "暗証番号",
    "認証番号",
];
/// What joins the word and the password; the longer first.
const JOINS: &[&str] =
    &["is:", "is ", "was ", "ist ", "es ", "は", "が", "：", "는", "은", "가", ":", "=", "->", "→"];
/// What a password is for, which may stand between.
const PURPOSES: &[&str] = &["for ", "of ", "to ", "on ", "at "];
/// What may follow a password that is a plain word.
const ENDINGS: &[&str] =
    &["야", "이야", "예요", "이에요", "입니다", "임", "이다", "です", "だ", "」", "』", "、", "。"];
/// Words of a sentence about a password that are none.
const NO_PASSWORDS: &str = " required optional empty missing weak strong short long wrong right correct incorrect invalid valid expired \
    hidden secret safe secure lost gone forgotten known unknown unchanged changed reset saved stored encrypted hashed compromised \
    leaked none null true false string text same different better good fine easy hard simple important private here there this that \
    these those being what why just only really very never always ";
/// How far the password may be from its word.
const FAR_BYTES: usize = 48;
/// The most characters of a password.
const MOST: usize = 128;
/// How far is read for the end of one, so that a long text without an end is not read again from every word in it.
const READ_BYTES: usize = 4 * MOST + 16;

/// Where a password begins and ends whose word begins at `start`.
pub(super) fn password(text: &str, start: usize) -> Option<(usize, usize)> {
    let of = |words: &'static [&'static str]| words.iter().find(|word| begins(text, start, word)).copied();
    let (word, is_pin) = of(WORDS).map(|word| (word, false)).or_else(|| Some((of(PIN_WORDS)?, true)))?;
    let end = start + word.len();
    let is_code = word.starts_with("cv");
    let from = joined(text, end).or_else(|| is_code.then(|| skip(text, end, is_space)))?;
    let from = skip(text, from, is_space);
    let open = text.get(from..)?.trim_start_matches('\\').chars().next()?;
    let value = skip(text, from, is_quote);
    let rest = text.get(value..)?;
    let rest = rest.get(..rest.floor_char_boundary(READ_BYTES))?;
    if is_pin {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let is_free = !rest.get(digits..)?.starts_with(|next: char| next.is_ascii_alphanumeric());
        return ((3..=8).contains(&digits) && is_free).then_some((value, value + digits));
    }
    if value > from && is_quote(open) {
        let close = match open {
            '\u{201c}' => '\u{201d}',
            '\u{300c}' => '\u{300d}',
            open => open,
        };
        let length = rest.find([close, '\\', '\n']).filter(|length| (1..=MOST).contains(length))?;
        let is_masked =
            rest.get(..length).is_none_or(|quoted| quoted.starts_with('[') || quoted.trim().is_empty());
        return (!is_masked).then_some((value, value + length));
    }
    let told = unquoted(rest, word.is_ascii());
    is_password(told, rest.get(told.len()..)?).then_some((value, value + told.len()))
}

/// Whether the name of a member says that its text is a password.
pub(super) fn names_password(name: &str) -> bool {
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(name))
}

/// Whether a word stands here, whatever its case.
fn begins(text: &str, start: usize, word: &str) -> bool {
    let rest = text.as_bytes().get(start..).unwrap_or_default();
    rest.get(..word.len()).is_some_and(|own| own.eq_ignore_ascii_case(word.as_bytes()))
        && !(word.is_ascii() && rest.get(word.len()).is_some_and(u8::is_ascii_alphabetic))
}

/// Where the text goes on behind what joins a word to what it names.
fn joined(text: &str, end: usize) -> Option<usize> {
    let near = skip(text, skip(text, end, is_quote), is_space);
    let joins = |place: usize| {
        let rest = text.as_bytes().get(place..).unwrap_or_default();
        let fits = |join: &&&str| {
            rest.get(..join.len()).is_some_and(|own| own.eq_ignore_ascii_case(join.as_bytes()))
        };
        JOINS.iter().find(fits).map(|join| place + join.len())
    };
    joins(near).or_else(|| {
        PURPOSES.iter().find(|purpose| begins(text, near, purpose.trim_end()))?;
        let rest = text.get(near..text.floor_char_boundary(near + FAR_BYTES))?;
        let sentence = rest.split(['.', '!', '?', ',', '\n']).next()?;
        let mut spaces = sentence
            .match_indices([' ', ':', '='])
            .map(|(place, sign)| near + place + usize::from(sign == " "));
        spaces.find_map(joins)
    })
}

/// The letters up to what cannot be part of a password; behind words of languages without spaces only ASCII is.
fn unquoted(rest: &str, is_latin: bool) -> &str {
    let ends = |letter: char| {
        letter.is_whitespace()
            || matches!(letter, '"' | '\'' | '`' | '<' | '\\')
            || !(is_latin || letter.is_ascii())
    };
    let told = rest.split(ends).next().unwrap_or_default();
    // The next parameter of an address is none of it.
    let parameter = told.find('&').filter(|place| told.get(*place..).is_some_and(|next| next.contains('=')));
    let told = told.get(..parameter.unwrap_or(told.len())).unwrap_or_default();
    told.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '}'])
}

/// Whether what stands where a password would is a name for one, such as `${PASSWORD}`, `[password]` or `$DB_PASSWORD`, stars, or
/// where it is kept.
pub(super) fn is_placeholder(told: &str, rest: &str) -> bool {
    let encloses = |open: char, close: char| {
        told.starts_with(open) && (told.ends_with(close) || rest.starts_with(close))
    };
    let is_name = |name: &str| {
        name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    };
    told.starts_with(['<', '*'])
        || told.starts_with("${")
        || told.starts_with("{{")
        || told.starts_with("%(")
        || encloses('[', ']')
        || encloses('{', '}')
        || encloses('(', ')')
        || told.strip_prefix('$').is_some_and(is_name)
        || told.strip_prefix('%').is_some_and(|name| is_name(name.trim_end_matches('%')))
        || told.strip_prefix('/').is_some_and(|path| path.contains('/'))
}

fn is_password(told: &str, rest: &str) -> bool {
    let letters = told.chars().count();
    if !(3..=MOST).contains(&letters) || is_placeholder(told, rest) {
        return false;
    }
    let has = |wanted: fn(char) -> bool| told.chars().any(wanted);
    let is_symbol =
        |letter: char| letter.is_ascii_punctuation() && !matches!(letter, '-' | '\'' | '/' | '.' | ',');
    let is_mixed = told.chars().skip(1).any(char::is_uppercase) && has(char::is_lowercase);
    if has(|letter| letter.is_ascii_digit()) {
        return letters > 3 && !told.contains("-char");
    }
    if has(is_symbol) || is_mixed || told.matches('-').count() >= 3 {
        return true;
    }
    let is_last = rest.trim_start_matches(' ').is_empty()
        || rest.starts_with(['.', ',', ';', '!', '?', '\n', ')'])
        || ENDINGS.iter().any(|ending| rest.trim_start().starts_with(ending));
    let lower = told.to_ascii_lowercase();
    letters > 3
        && is_last
        && !told.contains('-')
        && !NO_PASSWORDS.split_ascii_whitespace().any(|word| word == lower)
}

fn skip(text: &str, from: usize, wanted: fn(char) -> bool) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    from + rest.len() - rest.trim_start_matches(wanted).len()
}

fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\u{3000}' | '\u{a0}')
}

fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '\'' | '`' | '\\' | '\u{201c}' | '\u{300c}')
}
