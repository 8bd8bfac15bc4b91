//! The pack: lines in their sections, within a number of tokens.

use super::Item;
use crate::id::Id;
use crate::memory::counter::Counter;
use crate::record::Kind;

/// What opens and closes the block; remembered text can hold neither.
const OPEN: &str = "<memory>";
const CLOSE: &str = "</memory>";
/// What the end of a line may cost.
const LINE_END: usize = 1;

/// Lines that fit into a number of tokens.
pub(super) struct Pack {
    counter: Counter,
    max_tokens: usize,
    left: usize,
    sections: [(&'static str, Kind, Vec<Item>); 5],
}

impl Pack {
    pub(super) fn new(max_tokens: usize, counter: Counter) -> Self {
        // Each line but the last has its end to pay for.
        let block = counter.count(OPEN) + LINE_END + counter.count(CLOSE);
        Self {
            left: max_tokens.saturating_sub(block),
            counter,
            max_tokens,
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
        let title = if items.is_empty() { self.counter.count(title) + LINE_END } else { 0 };
        let price = title + item.tokens + LINE_END;
        let fits = price <= self.left;
        if fits {
            self.left -= price;
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

    /// The text, its tokens, and its lines. The tokens of a text need not be the sum of those of its lines; what is over the
    /// limit then is left out, from the end.
    pub(super) fn finish(mut self) -> (String, usize, Vec<Item>) {
        loop {
            let text = self.text();
            let tokens = self.counter.count(&text);
            let last = self.sections.iter_mut().rev().find(|(_, _, items)| !items.is_empty());
            match last {
                Some((_, _, items)) if tokens > self.max_tokens => {
                    items.pop();
                }
                None => return (String::new(), 0, Vec::new()),
                _ => {
                    let items = self.sections.into_iter().flat_map(|(_, _, items)| items).collect();
                    return (text, tokens, items);
                }
            }
        }
    }

    fn text(&self) -> String {
        let mut lines = vec![OPEN];
        for (title, _, items) in &self.sections {
            if !items.is_empty() {
                lines.push(title);
                lines.extend(items.iter().map(|item| item.text.as_str()));
            }
        }
        lines.push(CLOSE);
        lines.join("\n")
    }
}
