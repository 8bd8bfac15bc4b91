//! Messages that are handed over: as a list, and as they would be stored.

use super::{MAX_MESSAGES, NewMessage, StoredMessage};
use crate::error::Result;
use crate::id::Id;
use crate::memory::limits::invalid;
use crate::time::Timestamp;
use rustc_hash::FxHashSet;
use serde_json::Value;

/// Checks that messages are handed over in place of a thread and not beside it, whatever the option of the thread is called.
///
/// # Errors
/// `InvalidInput` when both are given.
pub(crate) fn check_either(name: &str, thread: Option<&str>, messages: Option<&[NewMessage]>) -> Result<()> {
    match (thread, messages) {
        (Some(_), Some(_)) => {
            Err(invalid(format!("{name} and messages are both given; pass only one of them")))
        }
        _ => Ok(()),
    }
}

/// Checks the messages of one call.
///
/// # Errors
/// `InvalidInput` when there are too many, one is not a message, or two have the same id.
pub(crate) fn check(messages: &[NewMessage]) -> Result<()> {
    if messages.len() > MAX_MESSAGES {
        return Err(invalid(format!(
            "messages has {} items; at most {MAX_MESSAGES} are allowed in one call",
            messages.len()
        )));
    }
    let mut own = FxHashSet::default();
    for (place, message) in messages.iter().enumerate() {
        message.check(place)?;
        if let Some(id) = &message.id
            && !own.insert(id)
        {
            return Err(invalid(format!(
                "messages[{place}].id {id:?} appears twice in this call; ids are unique in a thread"
            ))
            .with("index", place)
            .with("id", id.as_str()));
        }
    }
    Ok(())
}

impl NewMessage {
    /// The message as a thread would show it.
    pub(crate) fn unstored(&self, id: Id, now: Timestamp) -> StoredMessage {
        let message = self.clone();
        StoredMessage {
            id,
            message_id: message.id,
            thread_id: String::new(),
            role: message.role,
            content: if message.content.is_null() { Value::from("") } else { message.content },
            tool_calls: message.tool_calls,
            tool_call_id: message.tool_call_id,
            name: message.name,
            created_at: message.created_at.unwrap_or(now),
            trust: self.trust,
            metadata: message.metadata,
            withheld: Vec::new(),
        }
    }
}
