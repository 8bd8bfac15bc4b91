//! Loading: a store from what a storage holds.

use super::state::Store;
use crate::error::Result;
use crate::log::{Damage, Head, Image, LogCommit, Part, TermRows, VectorRows};
use std::rc::Rc;

/// A loaded store, and what there is to know about its storage.
pub struct Recovered {
    /// The state.
    pub store: Store,
    /// The head it was read under.
    pub head: Head,
    /// What could not be read.
    pub damage: Vec<Damage>,
    /// Keys that can be deleted.
    pub stale: Vec<String>,
    /// Bytes of the log's frames.
    pub tail_bytes: u64,
}

enum Source<'a, 'b> {
    Segment { blob: Rc<[u8]>, offset: usize, length: usize, key: &'b str },
    Log(&'b LogCommit<'a>),
}

impl Store {
    /// Builds the state from an image of a whole storage.
    ///
    /// # Errors
    /// Only those of reading bytes that [`crate::log::replay`] has checked; damage is reported, not an error.
    pub fn load(embedder: &str, image: Image<'_>) -> Result<Recovered> {
        let mut store = Self::new(embedder);
        let mut damage = image.damage;
        let mut sources = sources(&image.parts, &mut damage);
        // Under a head that had to be rebuilt, a commit can stand in two places; the order is that of the numbers.
        sources.sort_by_key(|(sequence, _)| *sequence);
        sources.dedup_by_key(|(sequence, _)| *sequence);
        for (_, source) in &sources {
            let (key, applied) = match source {
                Source::Segment { blob, offset, length, key } => {
                    (*key, store.apply_section(blob, *offset, *length, false).map(|_| ()))
                }
                Source::Log(commit) => (commit.key.as_str(), store.apply_logged(commit)),
            };
            if let Err(error) = applied {
                damage.push(Damage {
                    key: key.to_owned(),
                    message: format!("{}; this commit is lost", error.message),
                });
            }
        }
        let mut head = image.head;
        head.sequence = head.sequence.max(store.sequence());
        head.time = head.time.max(store.time());
        for part in &image.parts {
            let (key, applied) = match part {
                Part::Terms { key, rows } => (key, store.load_terms(rows)),
                Part::Vectors { key, rows } => (key, store.load_vectors(rows, head.folded)),
                Part::Commits { .. } | Part::Commit(_) => continue,
            };
            if let Err(error) = applied {
                damage.push(Damage {
                    key: key.clone(),
                    message: format!("{}; it is made again", error.message),
                });
            }
        }
        store.index_missing_words();
        let tail_bytes = image.parts.iter().map(Part::log_bytes).sum();
        Ok(Recovered { store, head, damage, stale: image.stale, tail_bytes })
    }

    fn apply_logged(&mut self, commit: &LogCommit<'_>) -> Result<()> {
        let (section, embeds) = commit.split()?;
        self.apply(section, &embeds).map(|_| ())
    }

    /// Takes in the term rows whose text is still the present one.
    fn load_terms(&mut self, rows: &TermRows<'_>) -> Result<()> {
        // All rows of a value are of one scope and kind.
        let collection = rows.rows.iter().find_map(|(id, _)| {
            let slot = self.slot(*self.documents.get(id)?)?;
            Some((slot.scope, slot.kind))
        });
        let Some(collection) = collection.and_then(|key| self.collections.get_mut(&key)) else {
            return Ok(());
        };
        collection.words.import(rows.columns, |row| {
            let (id, revision) = rows.rows.get(row as usize)?;
            let document = *self.documents.get(id)?;
            let slot = self.slots.get(document as usize)?;
            let present = slot.text_revision == *revision && collection.members.contains(&document);
            present.then_some(document)
        })
    }

    fn load_vectors(&mut self, rows: &VectorRows<'_>, folded: u64) -> Result<()> {
        rows.embeds().try_for_each(|embed| self.apply_embed(&embed?, folded))
    }

    /// Indexes the texts for which no term rows came: after damage, or when a fold was cut short.
    fn index_missing_words(&mut self) {
        let mut missing = Vec::new();
        for (key, collection) in &self.collections {
            for document in &collection.members {
                if !collection.words.contains(*document)
                    && let Some(text) = self.view(*document).and_then(|view| view.text)
                {
                    missing.push((*key, *document, text.to_owned()));
                }
            }
        }
        for (key, document, text) in missing {
            if let Some(collection) = self.collections.get_mut(&key) {
                collection.words.insert(document, &text);
            }
        }
    }
}

fn sources<'a, 'b>(parts: &'b [Part<'a>], damage: &mut Vec<Damage>) -> Vec<(u64, Source<'a, 'b>)> {
    let mut sources = Vec::new();
    for part in parts {
        match part {
            Part::Commits { key, payload, sections } => {
                let blob: Rc<[u8]> = (*payload).into();
                for (offset, length) in sections {
                    let section = payload.get(*offset..offset + length).unwrap_or_default();
                    match crate::log::CommitView::decode(section) {
                        Ok(commit) => sources.push((
                            commit.sequence,
                            Source::Segment { blob: blob.clone(), offset: *offset, length: *length, key },
                        )),
                        Err(error) => damage.push(Damage { key: key.clone(), message: error.message }),
                    }
                }
            }
            Part::Commit(commit) => {
                match commit.split().and_then(|(section, _)| crate::log::CommitView::decode(section)) {
                    Ok(view) => sources.push((view.sequence, Source::Log(commit))),
                    Err(error) => damage.push(Damage { key: commit.key.clone(), message: error.message }),
                }
            }
            Part::Terms { .. } | Part::Vectors { .. } => {}
        }
    }
    sources
}
