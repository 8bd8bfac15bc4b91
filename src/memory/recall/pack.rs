//! The pack: lines in their sections, within a number of tokens.

use super::Item;
use crate::id::Id;
use crate::record::Kind;
use crate::tokens;

/// What opens and closes the block; remembered text can hold neither.
const OPEN: &str = "<memory>";
const CLOSE: &str = "</memory>";

/// Lines that fit into a number of tokens.
pub(super) struct Pack {
    left: usize,
    sections: [(&'static str, Kind, Vec<Item>); 5],
}

impl Pack {
    pub(super) fn new(max_tokens: usize) -> Self {
        Self {
            left: max_tokens.saturating_sub(tokens::estimate(OPEN) + tokens::estimate(CLOSE)),
            sections: [
                ("Instructions:", Kind::Instruction, Vec::new()),
                ("Profile:", Kind::Field, Vec::new()),
                ("Facts:", Kind::Fact, Vec::new()),
                ("Examples:", Kind::Episode, Vec::new()),
                ("Earlier conversations:", Kind::Message, Vec::new()),
            ],
        }
    }

    /// Adds a line if there is room for it; answers whether there was.
    pub(super) fn add(&mut self, item: Item) -> bool {
        let Some((title, _, items)) = self.sections.iter_mut().find(|(_, kind, _)| *kind == item.kind) else {
            return false;
        };
        let title = if items.is_empty() { tokens::estimate(title) } else { 0 };
        let fits = title + item.tokens <= self.left;
        if fits {
            self.left -= title + item.tokens;
            items.push(item);
        }
        fits
    }

    /// Whether there is a line of this record.
    pub(super) fn tells(&self, id: Id) -> bool {
        self.ids().any(|told| told == id)
    }

    /// The records there are lines of.
    pub(super) fn ids(&self) -> impl Iterator<Item = Id> + '_ {
        self.sections.iter().flat_map(|(_, _, items)| items).map(|item| item.id)
    }

    /// How many facts and messages there are.
    pub(super) fn told(&self) -> usize {
        self.sections
            .iter()
            .filter(|(_, kind, _)| matches!(kind, Kind::Fact | Kind::Message))
            .map(|(_, _, items)| items.len())
            .sum()
    }

    pub(super) fn finish(self) -> (String, usize, Vec<Item>) {
        let mut lines = vec![OPEN.to_owned()];
        let mut all = Vec::new();
        for (title, _, items) in self.sections {
            if !items.is_empty() {
                lines.push(title.to_owned());
                lines.extend(items.iter().map(|item| item.text.clone()));
                all.extend(items);
            }
        }
        if all.is_empty() {
            return (String::new(), 0, all);
        }
        lines.push(CLOSE.to_owned());
        let text = lines.join("\n");
        let tokens = tokens::estimate(&text);
        (text, tokens, all)
    }
}
