//! Threads by name, and the keys of their messages.

use crate::error::Result;
use crate::memory::limits::{self, invalid};

/// The name of the thread when none is given.
pub const DEFAULT_THREAD: &str = "default";
/// The most bytes of a thread's id.
pub const MAX_THREAD_ID_BYTES: usize = 128;

/// Between the thread's id and the message's in a message's key; neither may hold it.
const SEPARATOR: char = '\u{1f}';

/// The thread's id, checked.
pub(crate) fn thread(thread_id: Option<&str>) -> Result<&str> {
    let thread_id = thread_id.unwrap_or(DEFAULT_THREAD);
    name("threadId", thread_id, MAX_THREAD_ID_BYTES)?;
    Ok(thread_id)
}

/// The beginning of the keys of a thread's messages.
pub(crate) fn thread_prefix(thread_id: &str) -> String {
    format!("{thread_id}{SEPARATOR}")
}

/// The thread of a message's key.
pub(crate) fn thread_of(key: &str) -> &str {
    key.split(SEPARATOR).next().unwrap_or_default()
}

/// The beginning of a message's key that those of its thread share.
pub(crate) fn thread_start(key: &str) -> &str {
    key.find(SEPARATOR).and_then(|at| key.get(..=at)).unwrap_or(key)
}

/// The key of a message.
pub(crate) fn key(thread_id: &str, message_id: &str) -> String {
    format!("{thread_id}{SEPARATOR}{message_id}")
}

/// Refuses a name that is blank, too long or holds a control character.
pub(super) fn name(what: &str, text: &str, limit: usize) -> Result<()> {
    limits::text(what, text, limit)?;
    if text.chars().any(char::is_control) {
        return Err(invalid(format!("{what} holds a control character; use letters, digits and signs")));
    }
    Ok(())
}
