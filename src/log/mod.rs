//! The log: every change as bytes, framed, checksummed and versioned. Pure; storage and state are elsewhere.
//!
//! `docs/format.md` describes the bytes; a change here needs a new version, a fixture and a line there.

mod backup;
mod bytes;
mod commit;
mod frame;
mod head;
mod joining;
mod op;
mod part;
mod record;
mod replay;
mod rewrite;
mod segment;
mod vectors;

pub use backup::{Backup, BackupReader, BackupStart, BackupWriter};
pub(crate) use bytes::{Reader, corrupt, put_block};
pub use commit::{Cause, Commit, CommitView, Embed, EmbedView};
pub(crate) use frame::{
    FrameKind, HEADER_BYTES as VALUE_HEADER_BYTES, decode as decode_frame, encode as encode_frame, is_of,
};
pub use head::{
    HEAD_KEY, Head, KEYS, LogSegment, MAX_SEQUENCE, MAX_VALUE_BYTES, QUARANTINE, keys_key, log_key,
    log_prefix, quarantine_key, segment_key, segment_prefix,
};
pub(crate) use head::{parse_keys_key, parse_log_key, parse_segment_key};
pub(crate) use joining::Joining;
pub use op::{Missing, Op, OpView};
pub use part::{LogCommit, Part};
pub(crate) use part::{commits_in, has_sound_vectors, is_spread, read_value, vectors_in, vectors_in_front};
pub(crate) use record::key_of;
pub use record::{RecordNames, RecordView};
pub(crate) use replay::gaps;
pub use replay::{Damage, Image, Replay, replay};
pub use rewrite::Rewrite;
pub use segment::{Column, OwnedValue, SegmentWriter, TermRows};
pub use vectors::{VectorRow, VectorRows};
