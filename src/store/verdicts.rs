//! Verdicts: what a condition said of records, so that each revision is asked once, by however many searches.

/// What the last condition with a name said.
#[derive(Default)]
pub(super) struct Verdicts {
    name: String,
    /// Which condition it is: a search that began with another one leaves these alone.
    turn: u64,
    /// By the number of a document the sequence number of the commit that brought it, and what was said: 0 where nothing was.
    each: Vec<u32>,
}

/// From this sequence number on nothing is noted.
const MOST: u64 = 1 << 31;

impl Verdicts {
    /// Begins with a condition, and answers its turn.
    pub(super) fn begin(&mut self, name: &str) -> u64 {
        if self.name != name {
            let turn = self.turn + 1;
            *self = Self { name: name.to_owned(), turn, each: Vec::new() };
        }
        self.turn
    }

    /// What was said of a document that a commit brought.
    pub(super) fn get(&self, turn: u64, (document, sequence): (u32, u64)) -> Option<bool> {
        let verdict = *self.each.get(document as usize).filter(|_| self.turn == turn)?;
        (u64::from(verdict >> 1) == sequence).then_some(verdict & 1 == 1)
    }

    /// Notes what was said.
    pub(super) fn note(&mut self, turn: u64, (document, sequence): (u32, u64), verdict: bool) {
        if self.turn != turn || sequence >= MOST {
            return;
        }
        let place = document as usize;
        if self.each.len() <= place {
            self.each.resize(place + 1, 0);
        }
        if let Some(noted) = self.each.get_mut(place) {
            *noted = (sequence as u32) << 1 | u32::from(verdict);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_of_one_condition_and_one_revision() {
        let mut verdicts = Verdicts::default();
        let first = verdicts.begin("one");
        assert_eq!(verdicts.get(first, (7, 3)), None);
        verdicts.note(first, (7, 3), true);
        verdicts.note(first, (2, 1), false);
        assert_eq!(verdicts.begin("one"), first);
        assert_eq!((verdicts.get(first, (7, 3)), verdicts.get(first, (2, 1))), (Some(true), Some(false)));
        assert_eq!(verdicts.get(first, (7, 4)), None, "another revision");
        let second = verdicts.begin("two");
        assert_eq!((verdicts.get(second, (7, 3)), verdicts.get(first, (7, 3))), (None, None));
        verdicts.note(first, (7, 3), true);
        assert_eq!(verdicts.get(second, (7, 3)), None, "a search that began before");
        verdicts.note(second, (7, MOST), true);
        assert_eq!(verdicts.get(second, (7, MOST)), None);
    }
}
