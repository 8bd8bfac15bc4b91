//! Verdicts: what a condition said of records, so that each is asked once, by however many searches, until it changes.

/// So many documents have their verdicts in one word, two bits each: what was said, below whether anything was.
const PER_WORD: u32 = u64::BITS / 2;

/// What the last condition with a name said of the present revisions.
#[derive(Default)]
pub(super) struct Verdicts {
    name: String,
    /// Which condition it is: a search that began with another one leaves these alone.
    turn: u64,
    /// By the numbers of documents.
    words: Vec<u64>,
}

impl Verdicts {
    /// Begins with a condition, and answers its turn.
    pub(super) fn begin(&mut self, name: &str) -> u64 {
        if self.name != name {
            *self = Self { name: name.to_owned(), turn: self.turn + 1, words: Vec::new() };
        }
        self.turn
    }

    /// What was said of a document.
    pub(super) fn get(&self, turn: u64, document: u32) -> Option<bool> {
        let word = self.words.get((document / PER_WORD) as usize).filter(|_| self.turn == turn)?;
        let verdict = word >> shift(document);
        (verdict & 2 != 0).then_some(verdict & 1 != 0)
    }

    /// Notes what was said.
    pub(super) fn note(&mut self, turn: u64, document: u32, verdict: bool) {
        if self.turn != turn {
            return;
        }
        let place = (document / PER_WORD) as usize;
        if self.words.len() <= place {
            self.words.resize(place + 1, 0);
        }
        if let Some(word) = self.words.get_mut(place) {
            *word = *word & !(3 << shift(document)) | (2 | u64::from(verdict)) << shift(document);
        }
    }

    /// Lets go of what was said of a document, since it has changed.
    pub(super) fn forget(&mut self, document: u32) {
        if let Some(word) = self.words.get_mut((document / PER_WORD) as usize) {
            *word &= !(3 << shift(document));
        }
    }
}

fn shift(document: u32) -> u32 {
    document % PER_WORD * 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_of_one_condition_until_the_document_changes() {
        let mut verdicts = Verdicts::default();
        let first = verdicts.begin("one");
        assert_eq!(verdicts.get(first, 70), None);
        verdicts.note(first, 70, true);
        verdicts.note(first, 71, false);
        verdicts.note(first, 2, false);
        assert_eq!(verdicts.begin("one"), first);
        let all = [2, 69, 70, 71, 72].map(|document| verdicts.get(first, document));
        assert_eq!(all, [Some(false), None, Some(true), Some(false), None]);
        verdicts.forget(70);
        verdicts.forget(9_999);
        assert_eq!((verdicts.get(first, 70), verdicts.get(first, 71)), (None, Some(false)));
        verdicts.note(first, 70, false);
        verdicts.note(first, 70, true);
        assert_eq!(verdicts.get(first, 70), Some(true));
        let second = verdicts.begin("two");
        assert_eq!((verdicts.get(second, 70), verdicts.get(first, 70)), (None, None));
        verdicts.note(first, 70, true);
        assert_eq!(verdicts.get(second, 70), None, "a search that began before");
    }
}
