//! Learning by rules, when there is no model.

use super::{Batch, Extractor};
use crate::error::Result;
use crate::store::Draft;

impl Extractor {
    pub(super) fn learn_by_rules(&self, _draft: &mut Draft, _batch: &Batch) -> Result<()> {
        Ok(())
    }
}
