//! URIs (RFC 3986): split, resolve against a base, and check.

/// The five parts of a URI reference; `authority`, `query` and `fragment` come without their delimiters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Parts<'u> {
    scheme: Option<&'u str>,
    authority: Option<&'u str>,
    path: &'u str,
    query: Option<&'u str>,
    fragment: Option<&'u str>,
}

impl<'u> Parts<'u> {
    /// Splits as RFC 3986 appendix B does; every text can be split.
    fn of(text: &'u str) -> Self {
        let (rest, fragment) = cut(text, '#');
        let (rest, query) = cut(rest, '?');
        let (scheme, rest) = match rest.split_once(':') {
            Some((scheme, rest)) if !scheme.contains('/') && !scheme.is_empty() => (Some(scheme), rest),
            _ => (None, rest),
        };
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => {
                let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                (Some(authority), path)
            }
            None => (None, rest),
        };
        Self { scheme, authority, path, query, fragment }
    }

    fn write(self) -> String {
        let mut text = String::new();
        if let Some(scheme) = self.scheme {
            text.push_str(scheme);
            text.push(':');
        }
        if let Some(authority) = self.authority {
            text.push_str("//");
            text.push_str(authority);
        }
        text.push_str(self.path);
        if let Some(query) = self.query {
            text.push('?');
            text.push_str(query);
        }
        text
    }
}

fn cut(text: &str, delimiter: char) -> (&str, Option<&str>) {
    match text.split_once(delimiter) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// `reference` resolved against `base` (RFC 3986 section 5.2) without its fragment, and the fragment.
pub(super) fn resolve<'r>(base: &str, reference: &'r str) -> (String, Option<&'r str>) {
    let from = Parts::of(base);
    let to = Parts::of(reference);
    let path;
    let resolved = if to.scheme.is_some() {
        path = without_dots(to.path);
        Parts { path: &path, ..to }
    } else if to.authority.is_some() {
        path = without_dots(to.path);
        Parts { scheme: from.scheme, path: &path, ..to }
    } else if to.path.is_empty() {
        Parts { query: to.query.or(from.query), ..from }
    } else {
        path = without_dots(&merged(&from, to.path));
        Parts { path: &path, query: to.query, ..from }
    };
    (resolved.write(), to.fragment)
}

/// `path` put beside the last segment of the base's path (section 5.2.3).
fn merged(base: &Parts<'_>, path: &str) -> String {
    if path.starts_with('/') {
        return path.to_owned();
    }
    match base.path.rfind('/') {
        Some(slash) => format!("{}/{path}", base.path.get(..slash).unwrap_or_default()),
        None if base.authority.is_some() => format!("/{path}"),
        None => path.to_owned(),
    }
}

/// `path` without its `.` and `..` segments (section 5.2.4); a path without a leading slash, as in a URN, is kept.
fn without_dots(path: &str) -> String {
    let Some(rooted) = path.strip_prefix('/') else { return path.trim_start_matches("./").to_owned() };
    let mut kept: Vec<&str> = Vec::new();
    let mut ends_in_slash = false;
    for segment in rooted.split('/') {
        ends_in_slash = matches!(segment, "." | "..");
        match segment {
            "." => {}
            ".." => drop(kept.pop()),
            other => kept.push(other),
        }
    }
    let slash = if ends_in_slash && !kept.is_empty() { "/" } else { "" };
    format!("/{}{slash}", kept.join("/"))
}

/// `text` with its percent-encoded bytes decoded; nothing when an escape is broken or the bytes are no UTF-8.
pub(super) fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let high = char::from(rest.next()?).to_digit(16)?;
            let low = char::from(rest.next()?).to_digit(16)?;
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// Whether `text` is an absolute URI with its parts in order, as `format: "uri"` asks.
pub(super) fn is_uri(text: &str) -> bool {
    let parts = Parts::of(text);
    parts.scheme.is_some_and(is_scheme)
        && parts.authority.is_none_or(is_authority)
        && is_made_of(parts.path, ":@/")
        && parts.query.is_none_or(|query| is_made_of(query, ":@/?"))
        && parts.fragment.is_none_or(|fragment| is_made_of(fragment, ":@/?"))
}

fn is_scheme(scheme: &str) -> bool {
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character))
}

fn is_authority(authority: &str) -> bool {
    let (user, place) = match authority.rsplit_once('@') {
        Some((user, place)) => (user, place),
        None => ("", authority),
    };
    let (host, port) = match place.rfind(']') {
        Some(end) => place.split_at(end + 1),
        None => place.split_at(place.find(':').unwrap_or(place.len())),
    };
    let is_host = match host.strip_prefix('[') {
        Some(literal) => literal.strip_suffix(']').is_some_and(is_ip_literal),
        None => is_made_of(host, ""),
    };
    let digits = port.strip_prefix(':').unwrap_or(port);
    is_host && is_made_of(user, ":") && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// What may stand in brackets: an IPv6 address, or a future kind with its version (`v1.abc`).
fn is_ip_literal(literal: &str) -> bool {
    if let Some((version, address)) = literal.strip_prefix(['v', 'V']).and_then(|rest| rest.split_once('.')) {
        let is_version = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_hexdigit());
        return is_version && !address.is_empty() && !address.contains('%') && is_made_of(address, ":");
    }
    literal.parse::<std::net::Ipv6Addr>().is_ok()
}

/// Whether `text` has only unreserved characters, sub-delimiters, whole percent escapes and those of `also`.
fn is_made_of(text: &str, also: &str) -> bool {
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let fits = if character == '%' {
            let mut is_hex = || characters.next().is_some_and(|digit| digit.is_ascii_hexdigit());
            is_hex() && is_hex()
        } else {
            character.is_ascii_alphanumeric()
                || "-._~!$&'()*+,;=".contains(character)
                || also.contains(character)
        };
        if !fits {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{is_uri, percent_decoded, resolve};

    /// The normal and abnormal examples of RFC 3986 section 5.4 that a schema can meet.
    #[test]
    fn references_resolve_as_the_rfc_lists() {
        let base = "http://a/b/c/d;p?q";
        for (reference, expected) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
            ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"),
        ] {
            assert_eq!(resolve(base, reference), (expected.to_owned(), None), "{reference}");
        }
        assert_eq!(resolve(base, "g#s"), ("http://a/b/c/g".to_owned(), Some("s")));
        assert_eq!(resolve("urn:example:a", "#s"), ("urn:example:a".to_owned(), Some("s")));
        assert_eq!(resolve("", "#/$defs/a"), (String::new(), Some("/$defs/a")));
    }

    #[test]
    fn percent_escapes_decode_or_are_refused() {
        assert_eq!(percent_decoded("a%25%C3%A9").as_deref(), Some("a%\u{e9}"));
        assert_eq!(percent_decoded("%2"), None);
        assert_eq!(percent_decoded("%zz"), None);
        assert_eq!(percent_decoded("%ff"), None);
    }

    #[test]
    fn uris_are_absolute_and_cleanly_written() {
        for good in ["https://example.org/a?b#c", "mailto:a@b.c", "urn:isbn:0", "http://[v1.a:b]/", "a:"] {
            assert!(is_uri(good), "{good}");
        }
        for bad in ["", "//a/b", "a b:c", "http://a:b/", "http://[::1", "http://a/%", "1a:b", "a:#b#c"] {
            assert!(!is_uri(bad), "{bad}");
        }
    }
}
