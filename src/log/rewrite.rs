//! Rewriting: a commit's section without what is no longer to be kept.

use super::bytes::{length, put_block};
use super::commit::CommitView;
use super::op::{Missing, OpView, put_missing, put_op, put_place};
use crate::error::Result;
use crate::id::Id;
use crate::record::Kind;

/// What becomes of one operation of a commit that is rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rewrite {
    /// It stays.
    Stays,
    /// It goes, and leaves the mark that operations are missing.
    Goes,
    /// It goes, and leaves that mark and the place of its record.
    Leaves(Id, Kind),
    /// It goes, and is not missed.
    GoesUnmarked,
}

impl CommitView<'_> {
    /// The section as it is kept of a scope that is forgotten or locked: number, id, time and cause.
    ///
    /// # Errors
    /// `Corrupt` when an operation cannot be read.
    pub fn bare(&self) -> Result<Vec<u8>> {
        let bare = self.rewritten(Missing::Forgotten, true, &mut |_| Rewrite::GoesUnmarked)?;
        Ok(bare.unwrap_or_default())
    }

    /// The section without the operations that `rewrite` lets go, and without its scope if that is to go; `None` if nothing
    /// changes.
    ///
    /// # Errors
    /// `Corrupt` when an operation cannot be read.
    pub fn rewritten(
        &self,
        why: Missing,
        without_scope: bool,
        rewrite: &mut dyn FnMut(&OpView<'_>) -> Rewrite,
    ) -> Result<Option<Vec<u8>>> {
        let (mut ops, mut count) = (Vec::new(), 0usize);
        let (mut is_changed, mut misses, mut is_marked) = (without_scope, false, false);
        for op in self.raw_ops() {
            let (tag, body, op) = op?;
            let fate = rewrite(&op);
            is_changed |= fate != Rewrite::Stays;
            match fate {
                Rewrite::Stays => {
                    is_marked |= matches!(op, OpView::Missing(mark) if mark == why);
                    put_op(&mut ops, tag, body);
                    count += 1;
                }
                Rewrite::Leaves(id, kind) => {
                    misses = true;
                    put_place(&mut ops, id, kind);
                    count += 1;
                }
                Rewrite::Goes => misses = true,
                Rewrite::GoesUnmarked => {}
            }
        }
        if !is_changed {
            return Ok(None);
        }
        if misses && !is_marked {
            put_missing(&mut ops, why);
            count += 1;
        }
        let scope = if without_scope { "" } else { self.scope };
        let mut section = Vec::with_capacity(64 + scope.len() + ops.len());
        section.extend_from_slice(&self.sequence.to_le_bytes());
        section.extend_from_slice(&self.id.bytes());
        section.extend_from_slice(&self.time.to_le_bytes());
        section.push(self.cause as u8);
        put_block(&mut section, scope.as_bytes());
        section.extend_from_slice(&length(count).to_le_bytes());
        section.extend_from_slice(&ops);
        Ok(Some(section))
    }
}
