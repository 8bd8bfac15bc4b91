//! People and things: what the graph knows of whom the query names.

use super::fill::MISFITS;
use super::named::Naming;
use super::queries::fused;
use super::{Filling, Item, line};
use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::compose::{Fit, Pack};
use crate::memory::graph::{Entity, EntityValue, Relation, edges_of, name_of};
use crate::memory::pages::{indexed_words, shared_words};
use crate::memory::search::Terms;
use crate::ordered::in_order;
use crate::record::Kind;
use crate::store::Store;

/// How many observations of an entity are told at most.
const OBSERVATIONS: usize = 5;
/// What a line of the graph is called.
const ENTRY: &str = "entry of the graph";
/// How many observations are judged, to see whether what is asked is known.
const SEEN: usize = 50;
/// Among how many of the newest relations of an entity those that fit are looked for.
const RELATIONS: usize = 500;

impl Filling<'_> {
    /// Adds the entities that the query names, best first, what was reached from there, and their relations: those first that share
    /// most words with the query, then the newest.
    pub(crate) fn graph(&self, store: &Store, pack: &mut Pack) -> Result<()> {
        let texts = self.queries.texts();
        let asked: Vec<Naming> = texts.iter().map(|text| Naming::of(text)).collect();
        let (mut ids, mut seen): (Vec<Id>, Vec<(Id, String)>) = (Vec::new(), Vec::new());
        let mut misfits = 0;
        for (found, _) in fused(&self.find(store, Kind::Entity)?) {
            let view = &found.record;
            if misfits < MISFITS && asked.iter().any(|query| query.names(name_of(view))) {
                let [words, meaning] = found.score.terms;
                let (score, relevance) = (words.share + meaning.share, found.relevance);
                let fit = Fit { score, relevance, terms: Terms::of(&found) };
                let entity = Entity::of(view)?;
                // Facts may tell all that is seen of it.
                let is_told = !entity.observations.is_empty() && self.untold(&entity).next().is_none();
                if is_told || self.tell(store, view, fit, pack)? {
                    let told =
                        entity.observations.iter().map(|seen| (view.id, format!("{} {seen}", entity.name)));
                    seen.extend(told);
                    ids.push(view.id);
                } else {
                    misfits += 1;
                }
            }
        }
        seen.truncate(SEEN);
        self.see(store, ENTRY, &seen);
        self.tell_reached(store, pack)?;
        let asked = indexed_words(&texts);
        let mut edges: Vec<RecordView<'_>> = Vec::new();
        for id in &ids {
            edges.extend(edges_of(store, self.scope, &[*id], false, self.now).rev().take(RELATIONS));
        }
        let mut rated = Vec::with_capacity(edges.len());
        for (place, view) in edges.iter().enumerate() {
            let text = view.content::<Relation>()?.to_string();
            rated.push((usize::MAX - shared_words(&text, &asked), place));
        }
        misfits = 0;
        for view in in_order(rated).into_iter().filter_map(|(_, place)| edges.get(place)) {
            if misfits >= MISFITS {
                break;
            }
            let statement = view.content::<Relation>()?.to_string().replace('_', " ");
            let relevance = self.see(store, ENTRY, &[(view.id, statement)]).into_iter().fold(0.0, f32::max);
            misfits += usize::from(!self.tell(store, view, Fit { relevance, ..Fit::default() }, pack)?);
        }
        Ok(())
    }

    /// What is seen of an entity and no fact tells.
    fn untold<'e>(&'e self, entity: &'e Entity) -> impl Iterator<Item = &'e String> {
        let is_told = |seen: &str| self.told.borrow().says(&format!("{} {seen}", entity.name));
        entity.observations.iter().filter(move |seen| !is_told(seen))
    }

    /// The line of an entity, with those of its observations that fit the query best.
    pub(super) fn entity(&self, store: &Store, view: &RecordView<'_>, fit: Fit) -> Result<Item> {
        let value: EntityValue = view.content()?;
        let mut entity = Entity::of(view)?;
        entity.observations = self.untold(&entity).cloned().collect();
        entity.keep_best(OBSERVATIONS, &|text| shared_words(text, self.excerpts.asked()));
        let last = |messages: &mut dyn Iterator<Item = Id>| {
            let messages = messages.filter_map(|id| store.get(self.scope, id));
            messages.map(|message| message.valid_from).max()
        };
        let source = view.provenance()?;
        let said = |observation: Option<&str>| match observation {
            Some(observation) => last(&mut value.teachers(observation)),
            None => last(&mut source.iter().map(|source| source.message_id)),
        };
        line::entity(view, &entity, &said, fit, &self.searcher.counter)
    }
}
