//! Keys and tokens of services: by what they begin with, or by chance-like letters beside a word that says what they are.

/// How keys of large services begin, and how many characters follow at least.
const PREFIXES: &[(&str, usize)] = &[
    ("sk-", 20),
    ("sk_live_", 16),
    ("sk_test_", 16),
    ("rk_live_", 16),
    ("rk_test_", 16),
    ("whsec_", 20),
    ("ghp_", 30),
    ("gho_", 30),
    ("ghu_", 30),
    ("ghs_", 30),
    ("ghr_", 30),
    ("github_pat_", 22),
    ("glpat-", 20),
    ("xoxb-", 20),
    ("xoxp-", 20),
    ("xoxa-", 20),
    ("xoxr-", 20),
    ("xoxs-", 20),
    ("xapp-", 20),
    ("AKIA", 16),
    ("ASIA", 16),
    ("AIza", 35),
    ("ya29.", 20),
    ("GOCSPX-", 20),
    ("hf_", 30),
    ("gsk_", 40),
    ("r8_", 30),
    ("xai-", 40),
    ("pplx-", 40),
    ("nvapi-", 40),
    ("tvly-", 20),
    ("npm_", 36),
    ("pypi-", 50),
    ("dop_v1_", 64),
    ("shpat_", 32),
    ("shpss_", 32),
    ("SG.", 40),
    ("dapi", 32),
    ("lin_api_", 32),
    ("ntn_", 40),
    ("hvs.", 24),
    ("sbp_", 40),
    ("figd_", 30),
    ("glsa_", 32),
    ("sntrys_", 40),
    ("sq0csp-", 40),
    ("AGE-SECRET-KEY-1", 50),
];

/// Words beside which letters like those of a key are one.
const WORDS: &[&str] = &[
    "key",
    "keys",
    "token",
    "tokens",
    "secret",
    "secrets",
    "credential",
    "credentials",
    "bearer",
    "authorization",
    "auth",
    "apikey",
    "password",
];
/// The same in Korean and Japanese, whose words have no ends.
const ROOTS: &[&str] = &["키", "토큰", "시크릿", "キー", "トークン", "シークレット"];

/// What ends a sentence.
const ENDS: &[&str] = &[". ", "? ", "! ", "。"];

/// How far before a key such a word may stand.
const NEAR_BYTES: usize = 40;
/// How far apart the keys of a list may be.
const LIST_BYTES: usize = 8;
/// The fewest characters of a key without a prefix, and of its longest piece between hyphens, full stops and the like.
const LEAST: usize = 16;
const LEAST_PIECE: usize = 12;
/// The fewest different characters of such a piece.
const LEAST_VARIETY: usize = 8;

/// Where a key ends that begins at `start`, where a word begins; `last` is where the key before it ended. Of keys in a list each
/// announces the next.
pub(super) fn key(text: &str, start: usize, last: Option<usize>) -> Option<usize> {
    let rest = text.get(start..)?;
    let length = rest.bytes().take_while(|byte| is_of_key(char::from(*byte))).count();
    let word = rest.get(..length)?.trim_end_matches(['.', '-', '/', '+']);
    if word.len() < LEAST {
        return None;
    }
    let is_key = has_prefix(word)
        || is_web_token(word)
        || (is_random(word)
            && (is_announced(text, start) || last.is_some_and(|last| is_near(text, last, start))));
    // What fills the last letters of base64 up belongs to it.
    let padding = rest.get(word.len()..)?.bytes().take_while(|byte| *byte == b'=').take(2).count();
    is_key.then_some(start + word.len() + padding)
}

/// Whether a letter may be within a key.
pub(super) fn is_of_key(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '/' | '+' | '~')
}

/// Whether it begins like a key of a service, and goes on without words.
fn has_prefix(word: &str) -> bool {
    let rest = |(prefix, least): &(&str, usize)| {
        let rest = word.strip_prefix(prefix).filter(|rest| rest.len() >= *least)?;
        // AWS ids are of one length, and capitals.
        let is_id = prefix.len() == 4 && prefix.ends_with("IA");
        let is_plain = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
        (!is_id || (rest.len() == *least && rest.bytes().all(is_plain))).then_some(rest)
    };
    let is_like_key = |rest: &str| {
        let longest = rest.split(['-', '_', '.', '/']).map(str::len).max().unwrap_or_default();
        longest >= 10 && rest.bytes().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
    };
    PREFIXES.iter().filter_map(rest).any(is_like_key)
}

/// Whether it is a JSON Web Token: three pieces of base64, of which the first two are objects.
fn is_web_token(word: &str) -> bool {
    let mut pieces = word.split('.');
    let is_object = |piece: Option<&str>| piece.is_some_and(|piece| piece.starts_with("eyJ"));
    is_object(pieces.next()) && is_object(pieces.next()) && pieces.next().is_some_and(|last| last.len() >= 16)
}

/// Whether a piece of it looks like chance: letters and digits mixed, many different ones. An id in the form of a UUID does not.
pub(super) fn is_random(word: &str) -> bool {
    let parts = word.split('/').filter(|part| !is_uuid(part));
    parts.flat_map(|part| part.split(['-', '_', '.', '~'])).any(|piece| {
        let mut seen = 0_u128;
        for byte in piece.bytes() {
            seen |= 1_u128.checked_shl(u32::from(byte)).unwrap_or_default();
        }
        let has = |wanted: fn(&u8) -> bool| piece.as_bytes().iter().any(wanted);
        piece.len() >= LEAST_PIECE
            && usize::try_from(seen.count_ones()).is_ok_and(|variety| variety >= LEAST_VARIETY)
            && has(u8::is_ascii_digit)
            && has(u8::is_ascii_alphabetic)
    })
}

fn is_uuid(word: &str) -> bool {
    let lengths = word.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && word.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

/// Whether a word that says that a key comes stands shortly before it, in the same sentence.
fn is_announced(text: &str, start: usize) -> bool {
    let from = text.ceil_char_boundary(start.saturating_sub(NEAR_BYTES));
    let before = text.get(from..start).unwrap_or_default();
    let ends = ENDS.iter().filter_map(|end| before.rfind(end)).max().unwrap_or_default();
    let sentence = before.get(ends..).unwrap_or_default();
    ROOTS.iter().any(|root| sentence.contains(root)) || words(sentence).any(is_word)
}

/// Whether what stands between two keys leaves them in one list: little, and no end of a sentence.
fn is_near(text: &str, last: usize, start: usize) -> bool {
    let between = text.get(last..start).unwrap_or_default();
    between.len() <= LIST_BYTES && !ENDS.iter().any(|end| between.contains(end))
}

fn is_word(word: &str) -> bool {
    WORDS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// The words of a text, also those within a name such as `clientSecret` or `api_key`.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphabetic()).flat_map(|name| {
        let inner = name.rfind(|letter: char| letter.is_ascii_uppercase()).unwrap_or_default();
        [Some(name), name.get(inner..).filter(|_| inner > 0)].into_iter().flatten()
    })
}

/// Whether the name of a member says that its text is a key, such as `apiKey` or `access_token`; `key` alone may name anything.
pub(super) fn names_key(name: &str) -> bool {
    name != "key" && words(name).last().is_some_and(is_word)
}
