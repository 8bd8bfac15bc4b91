//! Messages: what a conversation is made of, and the one reader of the shapes in which chat APIs write them.
//!
//! A content is kept as it was given. `Parts` reads it: OpenAI's chat messages, Anthropic's content blocks, and the model
//! messages of the AI SDK come out as the same texts, calls, answers and attachments.

mod answer;
mod attachment;
mod foreign;
#[expect(clippy::module_inception, reason = "the folder is the room, the file its one type")]
mod message;
mod part;
mod parts;
mod role;
mod thread;
mod unstored;
mod withheld;

pub(crate) use foreign::{rewrite, tidy};
pub use message::{MAX_CONTENT_BYTES, MAX_MESSAGE_ID_BYTES, MAX_MESSAGES, NewMessage, StoredMessage};
pub(crate) use part::{FUNCTION_CALL, FUNCTION_RESULT, NOTICE};
pub(crate) use parts::{Parts, is_of_steps};
pub use role::{Role, Roles};
pub use thread::{DEFAULT_THREAD, MAX_THREAD_ID_BYTES};
pub(crate) use thread::{key, thread, thread_of, thread_prefix, thread_start};
pub(crate) use unstored::{check, check_either};
pub(crate) use withheld::{Telling, carry_over, terms_of};
