//! What a message states, which may be what one before it did, as this one corrects it; or takes back.

use super::{Batch, Extractor};
use crate::error::Result;
use crate::id::Id;
use crate::lowercase::lowercase;
use crate::memory::message::{StoredMessage, thread_prefix};
use crate::memory::rules::{self, Ending, Statement};
use crate::record::Kind;

/// Among how many messages before a correction it is looked for what it corrects.
const BEFORE: usize = 6;

/// What was said before a message.
struct Before {
    message: Id,
    text: String,
    /// What others said in between, in lower case.
    between: String,
}

impl Extractor {
    /// What a message states, or the ones before it as it corrects them; or takes back of one of these as never meant, and of which.
    pub(super) fn stated(
        &self,
        batch: &Batch,
        message: &StoredMessage,
        text: &str,
    ) -> Result<(Vec<Statement>, Option<Id>)> {
        let stated = rules::extract(text);
        let withdraws = rules::withdraws(text);
        if !stated.is_empty() || !(withdraws || rules::may_correct(text)) {
            return Ok((stated, None));
        }
        let Some(before) = self.said_before(batch, message, text)? else { return Ok((stated, None)) };
        let known = rules::extract(&before.text);
        if withdraws {
            let (lower, names) = (lowercase(text), rules::names_taken(text));
            let is_meant = |it: &Statement| !it.retracts && (!names || lower.contains(&lowercase(&it.value)));
            let taken = known.into_iter().filter(is_meant);
            let quote = 0..text.len();
            let taken =
                taken.map(|it| Statement { retracts: true, quote: quote.clone(), ends: Vec::new(), ..it });
            return Ok((taken.collect(), Some(before.message)));
        }
        let Some(corrected) = rules::corrected(text, &before.text, &known) else { return Ok((stated, None)) };
        let mut found = rules::extract(&corrected);
        let keys = |all: &[Statement]| all.iter().map(Statement::key).collect::<Vec<String>>();
        let (wrong, right) = (keys(&known), keys(&found));
        // "Here is the weather in Rome." "Not Rome, Milan."
        let is_of_reply =
            |it: &Statement| !right.contains(&it.key()) && before.between.contains(&lowercase(&it.value));
        if known.iter().any(is_of_reply) {
            return Ok((stated, None));
        }
        found.retain(|statement| !wrong.contains(&statement.key()));
        for statement in &mut found {
            let ended = known.iter().filter(|other| !right.contains(&other.key()));
            statement.ends.extend(ended.map(|other| Ending::of_value(other.slot, &other.value)));
            statement.quote = 0..text.len();
        }
        Ok((found, None))
    }

    /// What was said before a message that may correct or take it back, by the same person: as it is meant, where it was corrected already.
    fn said_before(&self, batch: &Batch, message: &StoredMessage, text: &str) -> Result<Option<Before>> {
        let (mut said, mut between) = (Vec::new(), String::new());
        self.database.read(|store| {
            let thread = store.by_key_prefix(&batch.scope, Kind::Message, &thread_prefix(&batch.thread_id));
            let before = thread.iter().rev().skip_while(|view| view.id != message.id).skip(1).take(BEFORE);
            for view in before {
                let other = StoredMessage::of(view)?;
                let other_text = other.text();
                if other.role == message.role && other.name == message.name {
                    let corrects = rules::may_correct(&other_text) && rules::extract(&other_text).is_empty();
                    said.push((other.id, other_text));
                    if !corrects {
                        break;
                    }
                    continue;
                }
                between.push_str(&lowercase(&other_text));
                // What is asked in between is what "No wait, 35" answers.
                if !rules::names_wrong(text) && other_text.contains('?') {
                    break;
                }
            }
            Ok(())
        })?;
        let mut meant: Option<(Id, String)> = None;
        for (id, text) in said.into_iter().rev() {
            let corrected =
                meant.and_then(|(_, before)| rules::corrected(&text, &before, &rules::extract(&before)));
            meant = Some((id, corrected.unwrap_or(text)));
        }
        Ok(meant.map(|(message, text)| Before { message, text, between }))
    }
}
