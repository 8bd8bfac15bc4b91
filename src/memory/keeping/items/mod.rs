//! Items: everything that is remembered, of whatever kind, seen and changed in one way.

mod change;
mod item;
mod list;
mod purge;

pub use change::{Edit, Pin};
pub use item::Item;
pub use list::ItemList;
pub(crate) use purge::Matching;
pub use purge::{Purge, Purged};

use crate::database::Database;
use crate::error::{Code, Error, Result};
use crate::log::RecordView;
use crate::memory::changes::Changes;
use crate::memory::profiles::Schemas;
use crate::ordered::in_order;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{Store, relation_ends};
use crate::time::Timestamp;
use std::rc::Rc;

/// The kinds that are items. Messages are threads' own, pages and segments the tiers', tasks the engine's, and proposals are not
/// remembered yet.
pub(crate) const ITEM_KINDS: [Kind; 11] = [
    Kind::Fact,
    Kind::Field,
    Kind::Entity,
    Kind::Relation,
    Kind::Document,
    Kind::Instruction,
    Kind::Episode,
    Kind::Summary,
    Kind::Trait,
    Kind::Block,
    Kind::Passage,
];

/// The items of every scope.
#[derive(Clone)]
pub struct Items {
    database: Database,
    changes: Changes,
    schemas: Rc<Schemas>,
}

impl Items {
    pub(crate) fn new(changes: Changes, database: Database, schemas: Rc<Schemas>) -> Self {
        Self { database, changes, schemas }
    }
}

/// Whether a record is an item that has not expired; a relation goes with its ends.
fn is_there(store: &Store, scope: &Scope, view: &RecordView<'_>, now: Timestamp) -> bool {
    let stays = |id| store.get(scope, id).is_some_and(|end| !end.expired_at(now));
    let ends = view.key.filter(|_| view.kind == Kind::Relation).and_then(relation_ends);
    ITEM_KINDS.contains(&view.kind)
        && !view.expired_at(now)
        && ends.is_none_or(|(from, to)| stays(from) && stays(to))
}

/// The kinds that were asked for; all of them when none were.
fn kinds(asked: Option<&Vec<Kind>>) -> Result<Vec<Kind>> {
    let Some(asked) = asked else { return Ok(ITEM_KINDS.to_vec()) };
    if let Some(other) = asked.iter().find(|kind| !ITEM_KINDS.contains(kind)) {
        return Err(Error::new(
            Code::InvalidInput,
            format!(
                "kinds holds {other:?}, which is not a kind of item; the kinds are fact, field, entity, relation, document, instruction, episode, summary, trait, block and passage"
            ),
        ));
    }
    Ok(in_order(asked.iter().copied()))
}
