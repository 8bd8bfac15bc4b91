//! Importing facts: many in one commit, with their vectors if they have some.

use super::{Facts, NewFact, wording};
use crate::embedding::Embedding;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::Cause;
use crate::memory::changes::Planning;
use crate::memory::limits::invalid;
use crate::memory::secret::MaskedAt;
use crate::scope::Scope;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// The most facts of one call.
pub const MAX_IMPORT: usize = 1000;

/// Facts to import.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Import {
    /// The facts, 1 to 1000.
    pub facts: Vec<NewFact>,
}

/// What an import did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    /// How many facts are new.
    pub added: usize,
    /// How many were known already, by their source ids or their words.
    pub known: usize,
    /// The commit, for undoing it; none when nothing was new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit_id: Option<Id>,
    /// The secrets that were masked; absent when there were none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub masked: Vec<MaskedAt>,
}

/// That all vectors have as many dimensions as the first.
///
/// # Errors
/// `Embedder`, with the place of one that has others.
fn check_dimensions(embeddings: &[Option<Embedding>]) -> Result<()> {
    let mut given =
        embeddings.iter().enumerate().filter_map(|(place, own)| Some((place, own.as_ref()?.dimensions())));
    let Some((first, most)) = given.next() else { return Ok(()) };
    let Some((place, other)) = given.find(|(_, dimensions)| *dimensions != most) else { return Ok(()) };
    let message =
        format!("facts[{place}].embedding has {other} dimensions; pass {most}, as in facts[{first}]");
    Err(Error::new(Code::Embedder, message).with("index", place))
}

impl Facts {
    /// Adds facts in one commit: all of them or, on an error, none. What is known already, or stands twice, is not stored again.
    ///
    /// # Errors
    /// `InvalidInput` that names the place of a fact that cannot be, `Embedder` for a vector of another dimension than the others,
    /// and those of storing.
    pub async fn import(&self, scope: &Scope, mut import: Import) -> Result<Imported> {
        let facts = &mut import.facts;
        if facts.is_empty() || facts.len() > MAX_IMPORT {
            return Err(invalid(format!(
                "facts has {} items; 1 to {MAX_IMPORT} are allowed in one call",
                facts.len()
            )));
        }
        let mut masked = Vec::new();
        for (index, fact) in facts.iter_mut().enumerate() {
            let place = format!("facts[{index}]");
            fact.take_dates().map_err(|error| error.about(&place).with("index", index))?;
            // It was not said when it is imported.
            fact.undated = fact.valid_from.is_none();
            let found = self.mask(fact, &place)?;
            masked.extend(found.iter().map(|secret| MaskedAt { index, kind: secret.as_str() }));
        }
        let facts = &*facts;
        let mut embeddings = Vec::with_capacity(facts.len());
        for (place, fact) in facts.iter().enumerate() {
            let embedding = fact.check(self.database.now()).and_then(|()| self.vector(fact));
            embeddings.push(
                embedding.map_err(|error| error.about(&format!("facts[{place}]")).with("index", place))?,
            );
        }
        check_dimensions(&embeddings)?;
        let texts = &mut facts.iter().map(|fact| fact.text.as_str());
        let _prepared = self.models.prepare(&self.database, texts).await;
        let mut added = 0;
        let plan = &mut |planning: &mut Planning<'_>| {
            added = 0;
            let (mut texts, mut names) = (FxHashSet::default(), FxHashSet::default());
            for (fact, embedding) in facts.iter().zip(&embeddings) {
                let words = wording(&fact.text);
                let again =
                    texts.contains(&words) || fact.source_id.as_ref().is_some_and(|name| !names.insert(name));
                if !again && self.plan(planning, fact, &words, embedding.as_ref())? {
                    added += 1;
                }
                texts.insert(words);
            }
            Ok(())
        };
        let commit_id = self.changes.run(scope, Cause::User, plan).await?.commit_id;
        Ok(Imported { added, known: facts.len() - added, commit_id, masked })
    }
}
