//! The pack: lines in their sections, within a number of tokens.

use super::{Item, Layout, Room, Section};
use crate::id::Id;
use crate::memory::counter::Counter;
use crate::ordered::Ordered;
use crate::record::Kind;
use std::cell::OnceCell;

/// What the end of a line may cost.
const LINE_END: usize = 1;

/// Lines that fit into a number of tokens.
pub(crate) struct Pack {
    counter: Counter,
    layout: &'static Layout,
    pub(crate) room: Room,
    /// In the order of the layout.
    shelves: Vec<Shelf>,
    /// How many facts stand in the part that does not depend on the query.
    settled: usize,
}

/// The lines of one section.
struct Shelf {
    section: Section,
    title: &'static str,
    /// What the title costs, once it was measured.
    title_tokens: OnceCell<usize>,
    /// How many tokens it may have.
    most: usize,
    tokens: usize,
    items: Vec<Item>,
    /// The records whose lines found no room, and how many lines of no record.
    dropped: (Ordered<Id, ()>, usize),
}

impl Shelf {
    fn drop(&mut self, id: Option<Id>) {
        match id {
            Some(id) => {
                self.dropped.0.insert(id, ());
            }
            None => self.dropped.1 += 1,
        }
    }
}

impl Pack {
    /// An empty pack with room for so many tokens, what opens and closes it included.
    pub(crate) fn new(layout: &'static Layout, max_tokens: usize, counter: Counter) -> Self {
        // Each line but the last has its end to pay for.
        let frame = if layout.open.is_empty() {
            0
        } else {
            counter.count(layout.open) + LINE_END + counter.count(layout.close)
        };
        let shelf = |(section, title): &(Section, &'static str)| Shelf {
            section: *section,
            title,
            title_tokens: OnceCell::new(),
            most: usize::MAX,
            tokens: 0,
            items: Vec::new(),
            dropped: (Ordered::new(), 0),
        };
        Self {
            counter,
            layout,
            room: Room::new(max_tokens.saturating_sub(frame)),
            shelves: layout.sections.iter().map(shelf).collect(),
            settled: 0,
        }
    }

    /// Limits a section to so many tokens.
    pub(crate) fn limit(&mut self, section: Section, tokens: usize) {
        if let Some(shelf) = self.shelf_mut(section) {
            shelf.most = tokens;
        }
    }

    /// Limits a section no longer.
    pub(crate) fn lift(&mut self, section: Section) {
        self.limit(section, usize::MAX);
    }

    fn shelf_mut(&mut self, section: Section) -> Option<&mut Shelf> {
        self.shelves.iter_mut().find(|shelf| shelf.section == section)
    }

    /// How many tokens a line of a section may have now.
    pub(crate) fn room_of(&self, section: Section) -> usize {
        let Some(shelf) = self.shelves.iter().find(|shelf| shelf.section == section) else { return 0 };
        self.room.left().min(shelf.most.saturating_sub(shelf.tokens)).saturating_sub(self.extra(shelf))
    }

    /// What the first line of a section costs beside its text, or a further one.
    fn extra(&self, shelf: &Shelf) -> usize {
        if !shelf.items.is_empty() || shelf.title.is_empty() {
            return LINE_END;
        }
        LINE_END + LINE_END + shelf.title_tokens.get_or_init(|| self.counter.count(shelf.title))
    }

    /// Adds a line if there is room for it; answers whether there was.
    pub(crate) fn add(&mut self, item: Item) -> bool {
        let Some(place) = self.shelves.iter().position(|shelf| shelf.section == item.section) else {
            return false;
        };
        let price = item.tokens + self.shelves.get(place).map_or(0, |shelf| self.extra(shelf));
        let Some(shelf) = self.shelves.get_mut(place) else { return false };
        let fits = price <= shelf.most.saturating_sub(shelf.tokens) && self.room.take(price);
        if fits {
            shelf.tokens += price;
            if let Some(id) = item.id {
                shelf.dropped.0.remove(&id);
            }
            shelf.items.push(item);
        } else {
            shelf.drop(item.id);
        }
        fits
    }

    /// Notes that the line of a record was left out of a section for want of room, until it is added.
    pub(crate) fn leave_out(&mut self, section: Section, id: Option<Id>) {
        if let Some(shelf) = self.shelf_mut(section) {
            shelf.drop(id);
        }
    }

    /// Whether there is a line of this record.
    pub(crate) fn tells(&self, id: Id) -> bool {
        self.ids().any(|told| told == id)
    }

    /// The records there are lines of.
    pub(crate) fn ids(&self) -> impl Iterator<Item = Id> + '_ {
        self.shelves.iter().flat_map(|shelf| &shelf.items).filter_map(|item| item.id)
    }

    /// How many facts and messages there are.
    pub(crate) fn results(&self) -> usize {
        let is_result = |shelf: &&Shelf| {
            matches!(shelf.section, Section::Facts | Section::Significant | Section::Messages)
        };
        self.shelves.iter().filter(is_result).map(|shelf| shelf.items.len()).sum()
    }

    /// Whether a record found no room.
    pub(crate) fn leaves_out(&self, id: Id) -> bool {
        !self.tells(id) && self.shelves.iter().any(|shelf| shelf.dropped.0.contains(&id))
    }

    /// The most relevance of a line that was found for the query, in sections that count.
    pub(crate) fn most_relevant(&self, counts: impl Fn(Section) -> bool) -> f32 {
        let items = self.shelves.iter().filter(|shelf| counts(shelf.section)).flat_map(|shelf| &shelf.items);
        let judged = items.filter(|item| item.terms.coverage.is_some());
        judged.map(|item| item.relevance).fold(0.0, f32::max)
    }

    /// What is there now stands in every pack, whatever is asked.
    pub(crate) fn settle(&mut self) {
        self.settled = self.results();
    }

    /// Takes the last line away that is not settled, or else the last of all, and answers what it cost; `None` when there is
    /// none.
    pub(crate) fn pop(&mut self) -> Option<usize> {
        let settled = self.settled;
        let is_loose = |shelf: &Shelf| match shelf.section {
            Section::Instructions | Section::Blocks | Section::Profile => false,
            Section::Facts => shelf.items.len() > settled,
            _ => !shelf.items.is_empty(),
        };
        let place = self.shelves.iter().rposition(is_loose);
        let place = place.or_else(|| self.shelves.iter().rposition(|shelf| !shelf.items.is_empty()));
        let shelf = self.shelves.get_mut(place?)?;
        let item = shelf.items.pop()?;
        let gone = item.tokens + LINE_END;
        shelf.drop(item.id);
        shelf.tokens = shelf.tokens.saturating_sub(gone);
        Some(gone)
    }

    /// Puts the lines of a kind in the order of time, in the places that they have.
    pub(crate) fn in_time(&mut self, kind: Kind) {
        for Shelf { items, .. } in &mut self.shelves {
            // There are a few, so that each is compared with all before it.
            for at in 0..items.len() {
                for before in 0..at {
                    let is_later = |[one, other]: [&mut Item; 2]| {
                        one.kind == kind && other.kind == kind && one.created_at > other.created_at
                    };
                    if items.get_disjoint_mut([before, at]).is_ok_and(is_later) {
                        items.swap(before, at);
                    }
                }
            }
        }
    }

    /// Its lines, in order.
    pub(crate) fn into_items(self) -> Vec<Item> {
        self.shelves.into_iter().flat_map(|shelf| shelf.items).collect()
    }

    /// Of each section what its lines cost, and how many were left out.
    pub(crate) fn sections(&self) -> impl Iterator<Item = (Section, usize, usize)> + '_ {
        self.shelves.iter().map(|Shelf { section, tokens, dropped: (records, others), .. }| {
            (*section, *tokens, records.len() + others)
        })
    }

    /// The text: up to where it begins to depend on the query, and from there. Empty without lines.
    pub(crate) fn text(&self) -> (String, String) {
        let (mut head, mut tail) = (String::new(), String::new());
        for shelf in &self.shelves {
            let settled = match shelf.section {
                Section::Instructions | Section::Blocks | Section::Profile => shelf.items.len(),
                Section::Facts => self.settled,
                _ => 0,
            };
            for (place, item) in shelf.items.iter().enumerate() {
                let part = if place < settled { &mut head } else { &mut tail };
                if place == 0 && !shelf.title.is_empty() {
                    part.push_str(shelf.title);
                    part.push('\n');
                }
                part.push_str(&item.text);
                part.push('\n');
            }
        }
        let Layout { open, close, .. } = self.layout;
        if open.is_empty() || head.is_empty() && tail.is_empty() {
            return (head, tail);
        }
        // Where nothing is settled, the block itself depends on the query.
        if head.is_empty() {
            return (head, format!("{open}\n{tail}{close}"));
        }
        (format!("{open}\n{head}"), format!("{tail}{close}"))
    }
}
