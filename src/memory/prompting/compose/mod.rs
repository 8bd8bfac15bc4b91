//! Composing: a prompt within a number of tokens, out of lines in sections and turns of a conversation.
//!
//! A line is measured once, when it is made; what is put in takes its tokens from one room. Turns are told from the last one back,
//! each as a whole or not at all. What is written is counted once more as a whole, and shortened only if it is over.

mod excerpt;
mod fit;
mod item;
mod layout;
mod line;
mod pack;
mod room;
mod section;
mod share;
mod turns;

pub(crate) use excerpt::Excerpts;
pub(crate) use fit::fit;
pub(crate) use item::Fit;
pub use item::Item;
pub(crate) use layout::Layout;
pub(crate) use line::{LINE_CHARACTERS, escape, line, line_of, paragraph, words};
pub(crate) use pack::Pack;
pub(crate) use room::{Room, check_max_tokens};
pub use section::Section;
pub(crate) use share::{Defaults, Share, shares};
pub(crate) use turns::Turns;
