//! Withholding: deleting means not being told.
//!
//! Whoever deletes or rewords what was learned wants it told no more. So the words it was learned from are withheld in the same
//! commit: they stay in their messages for who reads the thread, and leave recall, searches, prompts, summaries, pages and
//! learning. What else was learned from the same words and says the same follows.

mod lost;
mod sources;
mod twins;

use crate::error::Result;
use crate::id::Id;
use crate::memory::changes::{Follow, Followed, Planning};
use crate::memory::pages::forget_pages;
use crate::memory::profiles::Schemas;
use crate::memory::threads::forget_changed;
use crate::ordered::in_order;
use crate::ports::{Loaded, Systems};
use lost::Lost;
use rustc_hash::FxHashMap;
use sources::Sources;
use std::rc::Rc;

/// What follows from letting go of what was learned.
pub(crate) struct Withholding {
    schemas: Rc<Schemas>,
}

impl Withholding {
    pub(crate) fn new(schemas: &Rc<Schemas>) -> Rc<Self> {
        Rc::new(Self { schemas: schemas.clone() })
    }
}

impl Follow for Withholding {
    fn follow(
        &self,
        systems: Loaded<Systems>,
        planning: &mut Planning<'_>,
    ) -> Result<FxHashMap<Id, Followed>> {
        withhold_lost(systems, &self.schemas, planning)
    }
}

/// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
#[inline(never)]
fn withhold_lost(
    _: Loaded<Systems>,
    schemas: &Schemas,
    planning: &mut Planning<'_>,
) -> Result<FxHashMap<Id, Followed>> {
    let mut lost = Lost::all(planning)?;
    let mut followed: FxHashMap<Id, Followed> = FxHashMap::default();
    for place in 0..lost.len() {
        let Some(one) = lost.get(place) else { continue };
        let (owner, twins, more) = (one.id, Vec::new(), twins::settle(one, schemas, planning)?);
        let entry = followed.entry(owner).or_insert_with(|| Followed { twins, ..Followed::default() });
        for (twin, gone) in more {
            entry.twins.push(twin);
            lost.extend(gone);
        }
    }
    let mut sources = Sources::new(planning);
    let mut touched = Vec::new();
    for one in &lost {
        touched.push((one.owner, sources.withhold(one)?));
    }
    let changed = sources.finish(&mut planning.draft)?;
    if changed.is_empty() {
        return Ok(followed);
    }
    for (owner, ids) in touched {
        let withheld = &mut followed.entry(owner).or_default().withheld;
        withheld.extend(ids.into_iter().filter(|id| changed.contains(id)));
        *withheld = in_order(std::mem::take(withheld));
    }
    forget_changed(planning.store, &mut planning.draft)?;
    forget_pages(planning.store, &mut planning.draft, planning.now)?;
    Ok(followed)
}
