//! What is known of a record beside its bytes: a slot in memory for each, living or not.
//!
//! There are as many slots as records, so a slot holds what most records need, and what few need is aside. Commits are numbered in 32
//! bits here: applying refuses others.

use super::blobs::Place;
use crate::record::Kind;
use crate::time::Timestamp;
use std::ops::Range;

/// One record; its place in the list is its document number.
pub(super) struct Slot {
    pub(super) scope: u32,
    pub(super) kind: Kind,
    /// How much the latest version matters, 1 to 10; 0 when nobody said.
    pub(super) significance: u8,
    /// Whether the latest version has a text.
    pub(super) has_text: bool,
    /// Whether there is a version.
    has_version: bool,
    /// The latest version. Where there is none its commit is the one that keeps the place.
    latest: Version,
    /// The commit that brought the vector, or a later one of its segment; 0 when there is none.
    vector_sequence: u32,
    /// From when the latest version holds; of a message, when it was said.
    pub(super) valid_from: Timestamp,
    /// What does not follow from a first version that ends of itself never and was not used yet.
    more: Option<Box<More>>,
}

/// What few records need.
#[derive(Clone)]
struct More {
    /// Every version, when there are several.
    versions: Vec<Version>,
    /// The commit that stored it first, also when nothing is left of that version.
    begun: u32,
    /// Versions up to this commit do not count: some of them are gone. 0 when none is.
    gone: u32,
    /// The commit in which the text became what it is, and the revision.
    text_sequence: u32,
    text_revision: u32,
    /// When the latest version stops holding, by its validity or its time to live.
    ends: Timestamp,
    /// When the record was last recalled or found; the least of all times when it never was.
    accessed: Timestamp,
}

/// One version of a record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Version {
    sequence: u32,
    pub(super) revision: u32,
    /// Where the record's bytes are; without length for a deletion.
    place: Place,
}

impl Version {
    pub(super) fn new(sequence: u64, revision: u32, place: Option<Place>) -> Self {
        Self { sequence: short(sequence), revision, place: place.unwrap_or_default() }
    }

    /// The commit that made it.
    pub(super) fn sequence(&self) -> u64 {
        self.sequence.into()
    }

    /// How many bytes the record has; none for a deletion.
    pub(super) fn bytes(&self) -> u64 {
        u64::from(self.place.length)
    }

    /// Follows its commit from one place to another.
    pub(super) fn shift(&mut self, old: Place, new: Place) {
        if self.place.length > 0 {
            self.place = new.part((self.place.offset - old.offset) as usize, self.place.length as usize);
        }
    }

    /// Where the record's bytes are; `None` for a deletion.
    pub(super) fn place(&self) -> Option<Place> {
        Some(self.place).filter(|place| place.length > 0)
    }
}

impl Slot {
    /// A record of which no version is there yet, whose place the commit `begun` keeps.
    pub(super) fn new(scope: u32, kind: Kind, begun: u64) -> Self {
        Self {
            scope,
            kind,
            significance: 0,
            has_text: false,
            has_version: false,
            latest: Version::new(begun, 0, None),
            vector_sequence: 0,
            valid_from: Timestamp::MIN,
            more: None,
        }
    }

    /// Every version, in order.
    pub(super) fn versions(&self) -> &[Version] {
        match &self.more {
            Some(more) if more.versions.len() > 1 => &more.versions,
            _ if self.has_version => std::slice::from_ref(&self.latest),
            _ => &[],
        }
    }

    pub(super) fn latest(&self) -> Option<&Version> {
        self.has_version.then_some(&self.latest)
    }

    /// Whether the record lives.
    pub(super) fn lives(&self) -> bool {
        self.latest().is_some_and(|latest| latest.place().is_some())
    }

    /// Whether there is more than a present version.
    pub(super) fn has_past(&self) -> bool {
        self.versions().len() > 1 || self.has_version && !self.lives()
    }

    /// Whether it is part of the present at a time, if it lives.
    pub(super) fn holds_at(&self, time: Timestamp) -> bool {
        let begun = self.kind == Kind::Message || self.valid_from <= time;
        begun && time < self.ends()
    }

    /// The commit that stored it first, also when nothing is left of that version.
    pub(super) fn begun(&self) -> u64 {
        self.more.as_ref().map_or(self.latest.sequence, |more| more.begun).into()
    }

    /// Versions up to this commit do not count: some of them are gone. 0 when none is.
    pub(super) fn gone(&self) -> u64 {
        self.more.as_ref().map_or(0, |more| more.gone).into()
    }

    /// When the latest version stops holding, by its validity or its time to live.
    pub(super) fn ends(&self) -> Timestamp {
        self.more.as_ref().map_or(Timestamp::MAX, |more| more.ends)
    }

    /// When the record was last recalled or found; the least of all times when it never was.
    pub(super) fn accessed(&self) -> Timestamp {
        self.more.as_ref().map_or(Timestamp::MIN, |more| more.accessed)
    }

    /// The revision in which the text became what it is.
    pub(super) fn text_revision(&self) -> u32 {
        self.more.as_ref().map_or(self.latest.revision, |more| more.text_revision)
    }

    /// The commit that did it.
    pub(super) fn text_sequence(&self) -> u64 {
        let first = if self.has_version { self.latest.sequence } else { 0 };
        self.more.as_ref().map_or(first, |more| more.text_sequence).into()
    }

    /// The commit that brought the vector, or a later one of its segment; 0 when there is none.
    pub(super) fn vector_sequence(&self) -> u64 {
        self.vector_sequence.into()
    }

    /// Whether it lives with the text that it has had since a revision.
    pub(super) fn lives_with(&self, revision: u32) -> bool {
        self.has_text && self.text_revision() == revision && self.lives()
    }

    pub(super) fn set_vector_sequence(&mut self, sequence: u64) {
        self.vector_sequence = short(sequence);
    }

    pub(super) fn push(&mut self, version: Version) {
        if self.has_version || self.latest.sequence != version.sequence {
            let (has_version, latest) = (self.has_version, self.latest);
            let more = self.more();
            if has_version && more.versions.is_empty() {
                more.versions.push(latest);
            }
            more.versions.push(version);
        }
        (self.latest, self.has_version) = (version, true);
    }

    /// Says in which revision, by which commit, the text became what it is.
    pub(super) fn set_text(&mut self, revision: u32, sequence: u64) {
        if (self.text_revision(), self.text_sequence()) != (revision, sequence) {
            let more = self.more();
            (more.text_revision, more.text_sequence) = (revision, short(sequence));
        }
    }

    /// Says when the latest version stops holding.
    pub(super) fn set_ends(&mut self, ends: Timestamp) {
        if self.ends() != ends {
            self.more().ends = ends;
        }
    }

    /// Notes that the record was recalled or found.
    pub(super) fn access(&mut self, time: Timestamp) {
        if self.accessed() < time {
            self.more().accessed = time;
        }
    }

    /// Says that versions up to this commit do not count.
    pub(super) fn set_gone(&mut self, gone: u64) {
        if self.gone() != gone {
            self.more().gone = short(gone);
        }
    }

    /// Takes out a run of versions.
    pub(super) fn remove(&mut self, run: Range<usize>) {
        let mut versions = self.versions().to_vec();
        if run.start < run.end && run.end <= versions.len() {
            let more = self.more();
            versions.drain(run);
            more.versions.clone_from(&versions);
            self.has_version = !versions.is_empty();
            if let Some(last) = versions.last() {
                self.latest = *last;
            }
        }
    }

    /// Says where the version of a commit is now.
    pub(super) fn place(&mut self, sequence: u64, place: Place) {
        self.each_version(&mut |version| {
            if version.sequence() == sequence {
                version.place = place;
            }
        });
    }

    /// Changes versions where they are.
    pub(super) fn each_version(&mut self, change: &mut dyn FnMut(&mut Version)) {
        let more = self.more.iter_mut().flat_map(|more| &mut more.versions);
        if self.has_version {
            change(&mut self.latest);
        }
        more.for_each(change);
    }

    /// The most bytes on the heap beside the slot itself.
    pub(super) fn memory_bytes(&self) -> usize {
        let versions = |more: &More| 2 * more.versions.len() * size_of::<Version>();
        self.more.as_ref().map_or(0, |more| size_of::<More>() + versions(more))
    }

    /// What few records need, beginning with what follows from the first version.
    fn more(&mut self) -> &mut More {
        let first = More {
            versions: Vec::new(),
            begun: short(self.begun()),
            gone: short(self.gone()),
            text_sequence: short(self.text_sequence()),
            text_revision: self.text_revision(),
            ends: self.ends(),
            accessed: self.accessed(),
        };
        self.more.get_or_insert_with(|| Box::new(first))
    }
}

fn short(sequence: u64) -> u32 {
    u32::try_from(sequence).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_most_records_need_is_short() {
        assert!(size_of::<Slot>() <= 56, "{}", size_of::<Slot>());
    }

    /// A version in a blob of the commit's number.
    fn version(sequence: u64, revision: u32) -> Version {
        Version::new(sequence, revision, Place::new(sequence as usize, 4, 5))
    }

    #[test]
    fn it_knows_its_versions_and_takes_little_for_one() {
        let mut slot = Slot::new(3, Kind::Fact, 7);
        assert!(!slot.lives() && slot.versions().is_empty() && slot.begun() == 7);
        slot.push(version(7, 1));
        slot.set_text(1, 7);
        slot.set_ends(Timestamp::MAX);
        slot.set_gone(0);
        slot.set_vector_sequence(9);
        assert_eq!((slot.memory_bytes(), slot.versions().len(), slot.lives()), (0, 1, true));
        assert_eq!((slot.text_revision(), slot.text_sequence(), slot.vector_sequence()), (1, 7, 9));
        assert!(!slot.has_past() && slot.accessed() == Timestamp::MIN && slot.ends() == Timestamp::MAX);
        slot.push(version(8, 2));
        slot.push(Version::new(9, 3, None));
        assert_eq!((slot.begun(), slot.text_revision(), slot.text_sequence()), (7, 1, 7));
        let sequences = |slot: &Slot| slot.versions().iter().map(Version::sequence).collect::<Vec<_>>();
        assert_eq!((sequences(&slot), slot.lives(), slot.has_past()), (vec![7, 8, 9], false, true));
        slot.place(8, Place::new(1, 2, 3).unwrap());
        assert_eq!(slot.versions()[1].bytes(), 3);
        slot.remove(0..1);
        assert_eq!((sequences(&slot), slot.begun()), (vec![8, 9], 7));
        slot.remove(1..2);
        assert_eq!((sequences(&slot), slot.lives()), (vec![8], true));
        assert_eq!(slot.latest().map(Version::bytes), Some(3));
        slot.place(8, Place::new(1, 2, 6).unwrap());
        assert_eq!(slot.versions()[0].bytes(), 6);
        slot.remove(0..1);
        assert_eq!((sequences(&slot), slot.lives(), slot.begun()), (vec![], false, 7));
        slot.push(version(12, 4));
        assert_eq!((sequences(&slot), slot.begun(), slot.text_revision()), (vec![12], 7, 1));
    }

    #[test]
    fn a_place_that_was_kept_is_filled_by_a_later_version() {
        let mut slot = Slot::new(3, Kind::Fact, 7);
        slot.push(version(11, 4));
        slot.set_text(4, 11);
        assert_eq!((slot.begun(), slot.versions().len(), slot.text_sequence()), (7, 1, 11));
        slot.access(5);
        slot.access(3);
        slot.set_ends(20);
        slot.set_gone(9);
        assert_eq!((slot.accessed(), slot.ends(), slot.gone()), (5, 20, 9));
        assert!(slot.holds_at(19) && !slot.holds_at(20));
    }
}
