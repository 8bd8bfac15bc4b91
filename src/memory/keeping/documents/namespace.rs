//! Namespaces: lists of labels, and the record keys they make.
//!
//! A record's key is every label followed by a full stop, one more full stop, and the document's key as it is: `a.b..key`. A
//! label is not empty and a full stop in it is written in another way, so the first two in a row end the namespace, whatever the key
//! holds; and the keys below a namespace are those that begin with its labels, each with its full stop.

use crate::error::{Error, Result};
use crate::memory::limits::invalid;
use crate::record::{MAX_KEY_BYTES, MAX_NAMESPACE_BYTES};

/// The root that other stores keep for themselves.
const RESERVED: &str = "langgraph";
const END: char = '.';
/// A full stop within a label, and the sign that this begins with, as they are written.
const STOP: &str = "\u{1}p";
const SIGN: (&str, &str) = ("\u{1}", "\u{1}e");

/// The record's key of a document.
///
/// # Errors
/// `InvalidInput` that names the label, the rule and the cure.
pub(super) fn key(namespace: &[String], key: &str) -> Result<String> {
    if namespace.is_empty() {
        return Err(invalid(
            "the namespace is empty; give it at least one label, such as [\"notes\"]".to_owned(),
        ));
    }
    if key.is_empty() {
        return Err(invalid("the key is empty; give the document a name within its namespace".to_owned()));
    }
    if key.len() > MAX_KEY_BYTES {
        return Err(long("key", key.len(), MAX_KEY_BYTES));
    }
    Ok(format!("{}{END}{key}", prefix(namespace)?))
}

/// What the record keys of all documents below a namespace begin with; empty for the empty list, which is above all.
///
/// # Errors
/// `InvalidInput` that names the label, the rule and the cure.
pub(super) fn prefix(labels: &[String]) -> Result<String> {
    if labels.first().is_some_and(|root| root == RESERVED) {
        return Err(invalid(format!(
            "the first label of a namespace must not be {RESERVED:?}, which is reserved; put another label before it"
        )));
    }
    check(labels)?;
    let mut whole = String::new();
    for label in labels {
        whole.push_str(&label.replace(SIGN.0, SIGN.1).replace(END, STOP));
        whole.push(END);
    }
    if whole.len() > MAX_NAMESPACE_BYTES {
        return Err(long("namespace", whole.len(), MAX_NAMESPACE_BYTES));
    }
    Ok(whole)
}

fn long(what: &str, bytes: usize, limit: usize) -> Error {
    let error = invalid(format!("the {what} has {bytes} bytes, over the limit of {limit}; shorten it"));
    error.with("bytes", bytes).with("limit", limit)
}

/// Checks what every label must be.
///
/// # Errors
/// `InvalidInput` that names the label, the rule and the cure.
pub(super) fn check(labels: &[String]) -> Result<()> {
    for (place, label) in labels.iter().enumerate() {
        if label.is_empty() {
            return Err(invalid(format!(
                "label {place} of the namespace {labels:?} is empty; leave it out or name it"
            )));
        }
    }
    Ok(())
}

/// The namespace part of a record's key, and the document's key.
pub(super) fn split(key: &str) -> (&str, &str) {
    key.split_once("..").unwrap_or((key, ""))
}

/// What the record keys are not less than, and less than, that begin with a text.
pub(super) fn beginning_with(text: &str) -> (Vec<u8>, Vec<u8>) {
    // No text has this byte, so it is behind all that can follow.
    (text.into(), [text.as_bytes(), &[u8::MAX]].concat())
}

/// The labels of a namespace part.
pub(super) fn labels(part: &str) -> Vec<String> {
    part.split(END).map(|label| label.replace(STOP, ".").replace(SIGN.1, SIGN.0)).collect()
}

/// A namespace as a text that sorts as its labels do, one after the other: what ends a label is less than whatever it holds.
pub(super) fn sortable(labels: &[String]) -> String {
    let labels: Vec<String> = labels.iter().map(|label| label.replace('\0', "\0\u{1}")).collect();
    labels.join("\0\0")
}

/// The labels of a sortable text.
pub(super) fn from_sortable(text: &str) -> Vec<String> {
    text.split("\0\0").map(|label| label.replace("\0\u{1}", "\0")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn owned(labels: &[&str]) -> Vec<String> {
        labels.iter().map(|label| (*label).to_owned()).collect()
    }

    #[test]
    fn names_what_is_wrong() {
        for (namespace, expected) in [
            (&[][..], "the namespace is empty"),
            (&["a", ""], "label 1 of the namespace [\"a\", \"\"] is empty"),
            (&["langgraph", "a"], "must not be \"langgraph\""),
        ] {
            let message = key(&owned(namespace), "k").unwrap_err().message.clone();
            assert!(message.contains(expected), "{message}");
        }
        assert!(key(&owned(&["a"]), "").unwrap_err().message.contains("the key is empty"));
        let long = |bytes| "x".repeat(bytes);
        assert!(key(&owned(&[&long(MAX_NAMESPACE_BYTES - 1)]), &long(MAX_KEY_BYTES)).is_ok());
        let refused =
            |namespace: &str, name: &str| key(&owned(&[namespace]), name).unwrap_err().message.clone();
        assert!(
            refused("a", &long(MAX_KEY_BYTES + 1)).contains("the key has 1025 bytes, over the limit of 1024")
        );
        assert!(refused(&long(MAX_NAMESPACE_BYTES), "k").contains("the namespace has 4097 bytes"));
        assert!(refused(&".".repeat(MAX_NAMESPACE_BYTES / 2), "k").contains("the namespace has 4097 bytes"));
        // Reserved is the root alone, and the whole label.
        assert!(key(&owned(&["a", "langgraph"]), "k").is_ok());
        assert!(key(&owned(&["langgraphs"]), "k").is_ok());
    }

    fn namespace() -> impl Strategy<Value = Vec<String>> {
        let label = prop_oneof!["[ab*]{1,2}", "[.\u{1}pe]{1,4}", ".{1,4}"];
        prop::collection::vec(label, 1..4)
            .prop_filter("reserved", |labels| labels.first().is_some_and(|root| root != RESERVED))
    }

    proptest! {
        #[test]
        fn keys_neither_collide_nor_lose_anything(
            one in (namespace(), prop_oneof!["[ab.]{1,5}", ".{1,5}"]),
            other in (namespace(), prop_oneof!["[ab.]{1,5}", ".{1,5}"]),
        ) {
            prop_assume!(!one.1.is_empty() && !other.1.is_empty());
            let first = key(&one.0, &one.1).unwrap();
            let second = key(&other.0, &other.1).unwrap();
            prop_assert_eq!(first == second, one == other);
            let (part, own) = split(&first);
            prop_assert_eq!((labels(part), own.to_owned()), one);
        }

        #[test]
        fn sortable_texts_sort_as_the_labels_do(
            one in prop::collection::vec(prop_oneof!["[\0\u{1}.ab]{1,3}", ".{1,3}"], 1..4),
            other in prop::collection::vec(prop_oneof!["[\0\u{1}.ab]{1,3}", ".{1,3}"], 1..4),
        ) {
            prop_assert_eq!(sortable(&one).cmp(&sortable(&other)), one.cmp(&other));
            prop_assert_eq!(from_sortable(&sortable(&one)), one);
        }

        #[test]
        fn a_prefix_of_whole_labels_is_a_prefix_of_keys(
            above in namespace(),
            below in namespace(),
            own in prop_oneof!["[ab.]{1,5}", ".{1,5}"],
        ) {
            prop_assume!(!own.is_empty());
            let whole = key(&below, &own).unwrap();
            prop_assert_eq!(whole.starts_with(&prefix(&above).unwrap()), below.starts_with(&above));
        }
    }
}
