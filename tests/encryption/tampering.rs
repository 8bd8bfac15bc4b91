//! Values that are damaged, altered, moved, put back: each is told from the others, and the rest opens.

use super::*;
use crate::support::image::counter_of;
use mnemic::Code;

/// The messages of what `verify` reports.
fn report(image: &MemoryStorage, known: Option<u64>) -> Vec<(String, String)> {
    with_known(image.clone(), Some(WORDS), known, async |database| {
        let report = database.verify().await.unwrap();
        assert_eq!(report.ok, report.damage.is_empty());
        report.damage.into_iter().map(|damage| (damage.key, damage.message)).collect()
    })
    .unwrap()
}

fn says(report: &[(String, String)], key: &str, message: &str) -> bool {
    report.iter().any(|(found, said)| found.starts_with(key) && said.contains(message))
}

/// A frame whose checksums are right and whose last byte is another: whoever altered it knows the format.
fn forged(value: &[u8]) -> Vec<u8> {
    let mut frame = value.to_vec();
    *frame.last_mut().unwrap() ^= 1;
    let payload = crc32fast::hash(&frame[16..]);
    frame[8..12].copy_from_slice(&payload.to_le_bytes());
    let header = crc32fast::hash(&frame[..12]);
    frame[12..16].copy_from_slice(&header.to_le_bytes());
    frame
}

#[test]
fn damaged_altered_moved_and_plain_values_are_told_apart() {
    let image = filled(Some(WORDS));
    let [fifth, sixth] = ["log/0000000000000005/0000", "log/0000000000000006/0000"];
    let damaged = altered(&image, |pairs| *pairs.get_mut(fifth).unwrap().last_mut().unwrap() ^= 1);
    let forgery = altered(&image, |pairs| *pairs.get_mut(fifth).unwrap() = forged(&pairs[fifth]));
    let moved = altered(&image, |pairs| *pairs.get_mut(fifth).unwrap() = pairs[sixth].clone());
    let plain = value(&filled(None), fifth);
    let planted = altered(&image, |pairs| *pairs.get_mut(fifth).unwrap() = plain);
    for (image, message) in [
        (damaged, "checksum"),
        (forgery, "was altered"),
        (moved, "was moved here from \"log/0000000000000006/0000\""),
        (planted, "of another kind"),
    ] {
        let found = report(&image, None);
        assert!(says(&found, "log/0000000000000005", message), "{message}: {found:?}");
        assert!(found.iter().all(|(key, _)| key.starts_with("log/0000000000000005")), "{found:?}");
        with(image, Some(WORDS), async |database| {
            assert_eq!(texts(&database, "alice").len(), 3);
            assert_eq!(texts(&database, "bob").len(), 2);
            // The damaged value was set aside, and the next fold changes nothing of that.
            database.fold().await.unwrap();
            assert_eq!(texts(&database, "bob").len(), 2);
        })
        .unwrap();
    }
}

#[test]
fn every_altered_byte_of_every_value_is_noticed() {
    let image = filled(Some(WORDS));
    let pairs = pairs_of(&image);
    for (key, value) in &pairs {
        // The bytes of the frame's header, of the label, of the nonce, and some of the ciphertext.
        let offset = if key == "head" { 8 } else { 0 };
        for byte in (offset..value.len()).filter(|byte| *byte < 90 || byte % 97 == 0) {
            let image = altered(&image, |pairs| pairs.get_mut(key).unwrap()[byte] ^= 0x20);
            let opened = with(image, Some(WORDS), async |database| {
                let report = database.verify().await.unwrap();
                (report.ok, report.damage)
            });
            match opened {
                Ok((ok, damage)) => assert!(!ok, "{key} byte {byte}: {damage:?}"),
                Err(error) => {
                    let codes = [Code::Corrupt, Code::WrongKey, Code::UnsupportedVersion, Code::Locked];
                    assert!(codes.contains(&error.code), "{key} byte {byte}: {error}");
                }
            }
        }
    }
}

/// An earlier head is put back: the values it does not know of are of later writes, so it is not believed, nothing of them
/// is swept away, and it is said.
#[test]
fn a_head_that_is_put_back_is_found() {
    let image = filled(Some(WORDS));
    let earlier = value(&image, "head");
    with(image.clone(), Some(WORDS), async |database| {
        for number in 20..23 {
            database.commit(put("bob", number, "willow")).await.unwrap();
        }
    })
    .unwrap();
    let rolled_back = altered(&image, |pairs| *pairs.get_mut("head").unwrap() = earlier);
    let found = report(&rolled_back, None);
    assert!(says(&found, "head", "the head was rolled back"), "{found:?}");
    with(rolled_back, Some(WORDS), async |database| assert_eq!(texts(&database, "bob").len(), 5)).unwrap();
}

/// The whole storage is put back: only somebody outside of it can know.
#[test]
fn a_storage_that_is_put_back_is_found_by_who_knows_its_counter() {
    let image = filled(Some(WORDS));
    let earlier = altered(&image, |_| ());
    with(image.clone(), Some(WORDS), async |database| {
        database.commit(put("bob", 20, "willow")).await.unwrap();
    })
    .unwrap();
    let counter = counter_of(&image);
    assert_eq!(report(&image, Some(counter)), []);
    let found = report(&earlier, Some(counter));
    assert!(says(&found, "head", "the memory was rolled back"), "{found:?}");
    assert_eq!(report(&earlier, None), []);
}

/// The value `keys` of before a change of the passphrase is put back: whoever knows the earlier one gets nothing by it that
/// seems to be in order, and the present one is refused.
#[test]
fn keys_that_are_put_back_are_found() {
    let image = filled(Some(WORDS));
    let earlier = value(&image, "keys");
    with(image.clone(), Some(WORDS), async |database| {
        database.encrypt(encryption("another")).await.unwrap();
    })
    .unwrap();
    let rolled_back = altered(&image, |pairs| *pairs.get_mut("keys").unwrap() = earlier);
    let error = with(rolled_back.clone(), Some(WORDS), async |_| ()).unwrap_err();
    assert_eq!((error.code, error.details["rolledBack"].as_bool()), (Code::Corrupt, Some(true)));
    assert_eq!(with(rolled_back, Some("another"), async |_| ()).unwrap_err().code, Code::WrongKey);
}

#[test]
fn a_lost_head_loses_no_commit() {
    let image = filled(Some(WORDS));
    let lost = altered(&image, |pairs| drop(pairs.remove("head")));
    assert_eq!(with(lost.clone(), None, async |_| ()).unwrap_err().code, Code::Locked);
    for _ in 0..2 {
        with(lost.clone(), Some(WORDS), async |database| {
            check(&database);
            assert!(!database.verify().await.unwrap().ok);
        })
        .unwrap();
        assert_eq!(told(&pairs_of(&lost)), [""; 0]);
    }
}

#[test]
fn lost_keys_are_said_and_nothing_is_changed() {
    let image = filled(Some(WORDS));
    let table =
        pairs_of(&image).into_iter().map(|(key, _)| key).find(|key| key.starts_with("keys/")).unwrap();
    for key in ["keys", table.as_str()] {
        let lost = altered(&image, |pairs| drop(pairs.remove(key)));
        let pairs = pairs_of(&lost);
        let error = with(lost.clone(), Some(WORDS), async |_| ()).unwrap_err();
        assert_eq!((error.code, pairs_of(&lost)), (Code::Corrupt, pairs), "{error}");
    }
}
