//! Random histories with erasures, by two engines.

use super::{EMBEDDER, SMALL, check_kept, check_reopened, holds, told, with_two};
use crate::support::image::{id, record, scope};
use mnemic::database::{Database, History};
use mnemic::log::Cause;
use mnemic::storage::MemoryStorage;
use mnemic::store::{Draft, Expect};
use mnemic::{Embedding, Kind};
use proptest::prelude::*;

/// One step of a random history: which record, and what happens.
#[derive(Debug, Clone, Copy)]
enum Step {
    Put(u8, bool),
    Delete(u8),
    Touch(u8),
    Fold,
    Erase(u8, u8, bool),
    EraseScope,
}

fn step() -> impl Strategy<Value = Step> {
    let number = || 1..6_u8;
    prop_oneof![
        6 => (number(), any::<bool>()).prop_map(|(number, bob)| Step::Put(number, bob)),
        2 => number().prop_map(Step::Delete),
        1 => number().prop_map(Step::Touch),
        2 => Just(Step::Fold),
        2 => (number(), number(), any::<bool>()).prop_map(|(one, other, puts)| Step::Erase(one, other, puts)),
        1 => Just(Step::EraseScope),
    ]
}

fn of(name: &str, number: u8) -> u8 {
    if name == "bob" { number + 10 } else { number }
}

/// A random history with erasures, by two engines: what is erased is nowhere, what is not is as in a memory that never had it
/// otherwise, and a storage that is opened anew says the same.
async fn random(image: &MemoryStorage, databases: &mut [Database; 2], steps: &[Step], history: History) {
    // The words of each record's versions, and those that must be gone.
    let mut words: std::collections::BTreeMap<u8, Vec<String>> = std::collections::BTreeMap::new();
    let mut gone: Vec<String> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let database = &databases[at % 2];
        database.refresh().await.unwrap();
        let word = format!("word{at}w");
        let lives = |number: u8, name: &str| {
            database.read(|store| Ok(store.get(&scope(name), id(number)).is_some())).unwrap()
        };
        match *step {
            Step::Put(number, bob) => {
                let name = if bob { "bob" } else { "alice" };
                let number = of(name, number);
                let mut draft = Draft::new(&scope(name), Cause::User);
                let vector = Embedding::quantise(EMBEDDER, &[f32::from(number), 1.0, 0.5]).unwrap();
                draft.put(record(number, Kind::Fact, &scope(name), &word), Expect::Any, Some(vector));
                database.commit(draft).await.unwrap();
                words.entry(number).or_default().push(word);
            }
            Step::Delete(number) if lives(number, "alice") => {
                let mut draft = Draft::new(&scope("alice"), Cause::User);
                draft.delete(id(number), Expect::Any);
                database.commit(draft).await.unwrap();
            }
            Step::Touch(number) => {
                let mut draft = Draft::new(&scope("alice"), Cause::Access);
                draft.changes.push(mnemic::store::Change::Touch { id: id(number), time: 5 });
                database.commit(draft).await.unwrap();
            }
            Step::Erase(one, other, puts) => {
                let mut draft = Draft::new(&scope("alice"), Cause::Forget);
                for number in std::collections::BTreeSet::from([one, other]) {
                    draft.erase.push(id(number));
                    gone.extend(words.remove(&number).unwrap_or_default());
                    if puts && number == one && lives(number, "alice") {
                        draft.put(record(number, Kind::Fact, &scope("alice"), &word), Expect::Any, None);
                        words.insert(number, vec![word.clone()]);
                    } else if lives(number, "alice") {
                        draft.delete(id(number), Expect::Any);
                    }
                }
                database.commit(draft).await.unwrap();
            }
            Step::EraseScope => {
                let numbers: Vec<u8> = (1..6).filter(|number| words.contains_key(number)).collect();
                let mut draft = Draft::new(&scope("alice"), Cause::Forget);
                draft.erase_scope = true;
                for number in numbers {
                    draft.erase.push(id(number));
                    gone.extend(words.remove(&number).unwrap_or_default());
                    if lives(number, "alice") {
                        draft.delete(id(number), Expect::Any);
                    }
                }
                database.commit(draft).await.unwrap();
                assert!(!holds(image, b"alice"));
            }
            Step::Fold => database.fold().await.unwrap(),
            Step::Delete(_) => {}
        }
        for word in &gone {
            assert!(!holds(image, word.as_bytes()), "{word} after step {at}");
        }
        // Whatever history keeps is there, and the present always is.
        for (number, words) in &words {
            let name = if *number > 10 { "bob" } else { "alice" };
            let told = database.read(|store| store.history(&scope(name), id(*number))).unwrap();
            let said = told.iter().filter_map(|revision| revision.record.as_ref()?.text.clone());
            let said: Vec<String> = said.collect();
            if history == History::WHOLE {
                assert_eq!(&said, words, "record {number} after step {at}");
            } else {
                assert!(words.ends_with(&said), "record {number} after step {at}");
            }
        }
        let here = told(database);
        databases[1 - at % 2].refresh().await.unwrap();
        assert_eq!(told(&databases[1 - at % 2]), here, "the other engine after step {at}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_histories_with_erasures(steps in prop::collection::vec(step(), 1..30)) {
        let image = MemoryStorage::default();
        let after = with_two(&image, async |mut databases, _| {
            random(&image, &mut databases, &steps, History::WHOLE).await;
            told(&databases[0])
        });
        check_reopened(&image, &after);
    }

    #[test]
    fn random_histories_that_are_bounded(steps in prop::collection::vec(step(), 1..30), revisions in 0..3_usize) {
        let image = MemoryStorage::default();
        let history = History { revisions, ..SMALL };
        let after = with_two(&image, async |mut databases, _| {
            databases.iter().for_each(|database| database.keep_history(history));
            random(&image, &mut databases, &steps, history).await;
            told(&databases[0])
        });
        check_kept(&image, &after, history);
    }
}
