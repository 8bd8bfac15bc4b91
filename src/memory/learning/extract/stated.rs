//! What a message states, which may be what one before it did, as this one corrects it; or takes back.

use super::{Batch, Extractor};
use crate::error::Result;
use crate::id::Id;
use crate::lowercase::lowercase;
use crate::memory::message::{StoredMessage, thread_prefix};
use crate::memory::rules::{self, Announced, Ending, Statement};
use crate::record::Kind;
use crate::time::{DAY_MS, Timestamp};
use std::cell::OnceCell;

/// Among how many messages before a correction it is looked for what it corrects, and before a statement whom it is about.
const BEFORE: usize = 6;
/// The same for what is named: "Ignore what I said about Rome".
const NAMED_BEFORE: usize = 40;

/// Among how many messages before, and for how long, a game goes on that was announced.
const PLAYED: (usize, Timestamp) = (16, DAY_MS / 4);

/// For so long somebody corrects and takes back what they said.
const FRESH: Timestamp = 7 * DAY_MS;

/// What was said before a message.
struct Before {
    message: Id,
    text: String,
    /// What others said in between, in lower case.
    between: String,
}

impl Extractor {
    /// What a message states, or the ones before it as it corrects them; and before that what it takes back of one of these as never
    /// meant, and of which.
    pub(super) fn stated(
        &self,
        batch: &Batch,
        earlier: &OnceCell<Vec<StoredMessage>>,
        message: &StoredMessage,
        text: &str,
    ) -> Result<Vec<(Vec<Statement>, Option<Id>)>> {
        let mut stated = rules::extract(text);
        // Only what states something is held against what was said before: that takes reading the thread.
        let earlier = if stated.is_empty() { &[][..] } else { self.before(batch, earlier)? };
        if !stated.is_empty() && is_played(text, &said_earlier(batch, earlier, message, PLAYED)) {
            return Ok(Vec::new());
        }
        if rules::leaves_out_subject(text, &stated) {
            stated = rules::of_user(text, stated, &said_earlier(batch, earlier, message, (BEFORE, FRESH)));
        }
        // "Just kidding, I work at a bank" does both.
        let goes_on = || rules::behind_withdrawal(text).is_some();
        let withdraws = (stated.is_empty() || goes_on()) && rules::withdraws_before(text);
        if !(withdraws || stated.is_empty() && rules::may_correct(text)) {
            return Ok(vec![(stated, None)]);
        }
        let named = rules::named_taken(text).filter(|_| withdraws);
        let Some(before) = self.said_before(batch, message, (text, named.as_deref()))? else {
            return Ok(vec![(stated, None)]);
        };
        let mut known = rules::extract(&before.text);
        if withdraws {
            known.retain(|it| named.as_ref().is_none_or(|named| lowercase(&it.value) == *named));
            known.iter_mut().for_each(|it| it.quote = 0..text.len());
            return Ok(vec![(known, Some(before.message)), (stated, None)]);
        }
        let Some(corrected) = rules::corrected(text, &before.text, &known) else {
            return Ok(vec![(stated, None)]);
        };
        let mut found = rules::extract(&corrected);
        let keys = |all: &[Statement]| all.iter().map(Statement::key).collect::<Vec<String>>();
        let (wrong, right) = (keys(&known), keys(&found));
        // "Here is the weather in Rome." "Not Rome, Milan."
        let is_of_reply =
            |it: &Statement| !right.contains(&it.key()) && before.between.contains(&lowercase(&it.value));
        if known.iter().any(is_of_reply) {
            return Ok(vec![(stated, None)]);
        }
        found.retain(|statement| !wrong.contains(&statement.key()));
        for statement in &mut found {
            let ended = known.iter().filter(|other| !right.contains(&other.key()));
            statement.ends.extend(ended.map(|other| Ending::of_value(other.slot, &other.value)));
            statement.quote = 0..text.len();
        }
        Ok(vec![(found, None)])
    }

    /// The last messages of the thread before those of a batch, the latest first, read once.
    fn before<'c>(
        &self,
        batch: &Batch,
        earlier: &'c OnceCell<Vec<StoredMessage>>,
    ) -> Result<&'c [StoredMessage]> {
        if let (None, Some(first)) = (earlier.get(), batch.messages.first()) {
            let read = self.database.read(|store| {
                let thread =
                    store.by_key_prefix(&batch.scope, Kind::Message, &thread_prefix(&batch.thread_id));
                let before = thread.iter().rev().skip_while(|view| view.id != first.id).skip(1);
                before.take(PLAYED.0).map(StoredMessage::of).collect()
            })?;
            // It was empty just now.
            earlier.set(read).unwrap_or_default();
        }
        Ok(earlier.get().map_or(&[], Vec::as_slice))
    }

    /// What was said before a message that may correct or take it back, by the same person: as it is meant, where it was corrected already.
    /// What is `named` is sought further back.
    fn said_before(
        &self,
        batch: &Batch,
        message: &StoredMessage,
        (text, named): (&str, Option<&str>),
    ) -> Result<Option<Before>> {
        let (mut said, mut between) = (Vec::new(), String::new());
        let is_named = |said: &[Statement]| {
            named.is_some_and(|named| said.iter().any(|statement| lowercase(&statement.value) == named))
        };
        self.database.read(|store| {
            let thread = store.by_key_prefix(&batch.scope, Kind::Message, &thread_prefix(&batch.thread_id));
            let before = thread.iter().rev().skip_while(|view| view.id != message.id).skip(1);
            for view in before.take(if named.is_some() { NAMED_BEFORE } else { BEFORE }) {
                let other = StoredMessage::of(view)?;
                if message.created_at.saturating_sub(other.created_at) > FRESH {
                    break;
                }
                let other_text = other.text();
                let asks = other_text.contains('?') && named.is_none() && !rules::names_wrong(text);
                if other.role == message.role && other.name == message.name {
                    // What was asked and answered in between is what "Actually, 35" is of.
                    if asks && !between.is_empty() {
                        break;
                    }
                    let stated = rules::extract(&other_text);
                    let corrects = stated.is_empty() && rules::may_correct(&other_text);
                    let goes_on = corrects || named.is_some() && !is_named(&stated);
                    said.push((other.id, other_text));
                    if !goes_on {
                        break;
                    }
                    continue;
                }
                // What is asked in between is what "No wait, 35" answers.
                if asks {
                    break;
                }
                between.push_str(&lowercase(&other_text));
            }
            Ok(())
        })?;
        let mut meant: Option<(Id, String)> = None;
        for (id, text) in said.into_iter().rev() {
            if named.is_some() && meant.as_ref().is_some_and(|(_, before)| is_named(&rules::extract(before)))
            {
                break;
            }
            let corrected =
                meant.and_then(|(_, before)| rules::corrected(&text, &before, &rules::extract(&before)));
            meant = Some((id, corrected.unwrap_or(text)));
        }
        Ok(meant.map(|(message, text)| Before { message, text, between }))
    }
}

/// What the speaker of a message said among so many messages before it, and within such a time; the latest first. `earlier` are those before
/// the batch.
fn said_earlier(
    batch: &Batch,
    earlier: &[StoredMessage],
    message: &StoredMessage,
    (most, within): (usize, Timestamp),
) -> Vec<String> {
    let own = batch.messages.iter().rev().skip_while(|other| other.id != message.id).skip(1);
    let before = own.chain(earlier).take(most);
    let before = before.take_while(|other| message.created_at.saturating_sub(other.created_at) <= within);
    let is_same = |other: &&StoredMessage| other.role == message.role && other.name == message.name;
    before.filter(is_same).map(StoredMessage::text).collect()
}

/// Whether a message belongs to a game or a role that its speaker announced before, or is to be worked on.
fn is_played(text: &str, said: &[String]) -> bool {
    if rules::announced(text) == Announced::Over {
        return false;
    }
    for (place, text) in said.iter().enumerate() {
        match rules::announced(text) {
            Announced::Play => return true,
            Announced::Work if place == 0 => return true,
            Announced::Over => return false,
            Announced::Work | Announced::Nothing => {}
        }
    }
    false
}
