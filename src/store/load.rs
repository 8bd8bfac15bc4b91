//! Loading: a store from what a storage holds.

use super::apply::Indexing;
use super::state::{Place, Store};
use crate::error::Result;
use crate::log::{
    CommitView, Damage, Head, Image, LogCommit, MAX_SEQUENCE, Part, TermRows, VectorRows, gaps, log_prefix,
};
use crate::ordered::Ordered;

/// A loaded store, and what there is to know about its storage.
pub struct Recovered {
    /// The state.
    pub store: Store,
    /// The head it was read under.
    pub head: Head,
    /// Whether that head had to be put together; then it names no segments, and everything must be folded anew before
    /// it may be written.
    pub rebuilt: bool,
    /// What could not be read.
    pub damage: Vec<Damage>,
    /// Keys that can be deleted.
    pub stale: Vec<String>,
    /// The commits of the log and the bytes of their frames.
    pub tail: Ordered<u64, usize>,
}

enum Source<'a, 'b> {
    Segment { section: &'a [u8], place: Place, key: &'b str, is_bare: bool },
    Log(&'b LogCommit<'a>),
}

impl Source<'_, '_> {
    /// Whether nothing is known of its scope, so that another source of the same commit may say more.
    fn is_bare(&self) -> bool {
        matches!(self, Self::Segment { is_bare: true, .. })
    }
}

impl Store {
    /// Builds the state from an image of a whole storage. Damage is reported, not an error.
    #[must_use]
    pub fn load(embedder: &str, image: Image<'_>) -> Recovered {
        let mut store = Self::new(embedder);
        let mut damage = image.damage;
        let last = if image.rebuilt { MAX_SEQUENCE } else { image.head.folded };
        let sources = store.sources(&image.parts, last, &mut damage);
        for (sequence, source) in sources.iter() {
            let applied = match source {
                Source::Segment { section, place, .. } => {
                    store.apply_section(section, Some(*place), Indexing::Later).map(|_| ())
                }
                Source::Log(commit) => store.apply_logged(commit),
            };
            if let Err(error) = applied {
                let key = if let Source::Segment { key, .. } = source {
                    (*key).to_owned()
                } else {
                    log_prefix(*sequence)
                };
                damage.push(Damage { key, message: format!("{}; this commit is lost", error.message) });
            }
        }
        let mut head = image.head;
        if image.rebuilt {
            head.sequence = head.sequence.max(store.sequence());
            head.time = store.time();
            head.segments.clear();
        }
        store.name_lost_commits(head.sequence, &mut damage);
        for part in &image.parts {
            let (key, applied) = match part {
                Part::Terms { key, rows } => (key, store.load_terms(rows)),
                Part::Vectors { key, rows, last } => (key, store.load_vectors(rows, *last)),
                Part::Commits { .. } | Part::Commit(_) => continue,
            };
            if let Err(error) = applied {
                damage.push(Damage {
                    key: key.clone(),
                    message: format!("{}; it is made again", error.message),
                });
            }
        }
        store.index_missing_texts();
        let folded = head.folded;
        let logged = image.parts.iter().filter(|_| !image.rebuilt).filter_map(|part| match part {
            Part::Commit(commit) if commit.sequence > folded => Some((commit.sequence, commit.bytes())),
            _ => None,
        });
        // What reads well and could not be applied is damage, which a fold takes away in its own way.
        let tail = logged.filter(|(sequence, _)| store.commit_of(*sequence).is_some()).collect();
        Recovered { store, head, rebuilt: image.rebuilt, damage, stale: image.stale, tail }
    }

    fn apply_logged(&mut self, commit: &LogCommit<'_>) -> Result<()> {
        let (section, embeds) = commit.split()?;
        self.apply(section, &embeds).map(|_| ())
    }

    /// Names the commits of which nothing was found, also when they were lost long ago and folded over since.
    fn name_lost_commits(&self, last: u64, damage: &mut Vec<Damage>) {
        let present = self.commits.iter().map(|commit| commit.sequence);
        for (first, last) in gaps(1..last + 1, present) {
            let key = log_prefix(first);
            if first != last || damage.iter().all(|damage| damage.key != key) {
                let message = format!("commits {first} to {last} are lost");
                damage.push(Damage { key, message });
            }
        }
    }

    /// Takes in the term rows whose text is still the present one.
    fn load_terms(&mut self, rows: &TermRows<'_>) -> Result<()> {
        // All rows of a block are of one scope and kind.
        let collection = rows.rows.iter().find_map(|(id, _)| {
            let slot = self.slot(*self.documents.get(id)?)?;
            Some((slot.scope, slot.kind))
        });
        let Some(collection) = collection.and_then(|key| self.collections.get_mut(&key)) else {
            return Ok(());
        };
        collection.words.import(rows.columns, &mut |row| {
            let (id, revision) = rows.rows.get(row as usize)?;
            let document = *self.documents.get(id)?;
            let slot = self.slots.get(document as usize)?;
            let present = slot.text_revision == *revision && collection.members.contains(&document);
            present.then_some(document)
        })
    }

    /// Takes in the vectors of a segment up to commit `last` whose text is still the present one and for which the log
    /// has no newer vector.
    pub(super) fn load_vectors(&mut self, rows: &VectorRows<'_>, last: u64) -> Result<()> {
        let sequence = last.max(1);
        for embed in rows.embeds() {
            let embed = embed?;
            let document = self.embeddable(embed.embedder, embed.id, embed.revision);
            let Some(document) = document
                .filter(|document| self.slot(*document).is_some_and(|slot| slot.vector_sequence <= sequence))
            else {
                continue;
            };
            // All rows of a block are of one scope and kind.
            let Some(slot) = self.slots.get_mut(document as usize) else { continue };
            let collection = self.collections.entry((slot.scope, slot.kind)).or_default();
            collection.embed(document, embed.scale, &embed.codes())?;
            slot.vector_sequence = sequence;
        }
        Ok(())
    }

    /// Indexes the texts for which no term rows came: after damage, or when a fold was cut short. What is not folded, such
    /// as the runs of characters of entities, is indexed from all texts. Texts without a vector are to get one.
    pub(super) fn index_missing_texts(&mut self) {
        let mut missing = Vec::new();
        for (key, collection) in &mut self.collections {
            for document in collection.members.keys().copied() {
                let slot = self.slots.get(document as usize).filter(|slot| slot.has_text);
                if slot.is_some_and(|slot| slot.vector_sequence == 0) {
                    collection.unembedded.insert(document, ());
                }
                if slot.is_some() && collection.lacks_text(key.1, document) {
                    missing.push((*key, document));
                }
            }
        }
        for (key, document) in missing {
            let text = self.view(document).and_then(|view| view.text).map(str::to_owned);
            if let (Some(collection), Some(text)) = (self.collections.get_mut(&key), text) {
                collection.index_text(key.1, document, &text);
            }
        }
    }

    /// Keeps the commits of segments up to `last`, and puts all of them in order. One can stand in two places: under a head that
    /// had to be rebuilt, and bare beside the one of a scope with a lock. The first that is not bare counts.
    fn sources<'a, 'b>(
        &mut self,
        parts: &'b [Part<'a>],
        last: u64,
        damage: &mut Vec<Damage>,
    ) -> Ordered<u64, Source<'a, 'b>> {
        let mut sources = Ordered::new();
        let mut add = |sequence, source| {
            let is_bare = Source::is_bare(&source);
            if let Some(first) = sources.insert(sequence, source)
                && (is_bare || !first.is_bare())
            {
                sources.insert(sequence, first);
            }
        };
        for part in parts {
            match part {
                Part::Commits { key, payload, sections } => {
                    let kept = self.keep(payload);
                    for (offset, length) in sections {
                        let section = payload.get(*offset..offset + length).unwrap_or_default();
                        let commit = kept.clone().and_then(|kept| Ok((kept, CommitView::decode(section)?)));
                        match commit {
                            Ok((_, commit)) if commit.sequence > last => damage.push(Damage {
                                key: key.clone(),
                                message: format!("commit {} belongs to no segment", commit.sequence),
                            }),
                            Ok((kept, commit)) => {
                                let (place, is_bare) = (kept.part(*offset, *length), commit.scope.is_empty());
                                add(commit.sequence, Source::Segment { section, place, key, is_bare });
                            }
                            Err(error) => damage.push(Damage { key: key.clone(), message: error.into() }),
                        }
                    }
                }
                // Its number was checked against its key.
                Part::Commit(commit) => add(commit.sequence, Source::Log(commit)),
                Part::Terms { .. } | Part::Vectors { .. } => {}
            }
        }
        sources
    }
}
