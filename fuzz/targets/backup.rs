//! Arbitrary bytes as a backup: reading them never panics, and what is taken in can be written and read again.
//!
//! The input is frames: a kind, the length of the payload, the payload. Around them the target puts what makes a file of them, so that
//! fuzzing gets past the checksums; the raw bytes are tried as they are too.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mnemic::log::BackupReader;
use mnemic::store::Store;

fn read(file: &[u8]) {
    let mut reader = BackupReader::default();
    for piece in file.chunks(61) {
        if reader.push(piece).is_err() {
            return;
        }
    }
    if let Ok(backup) = reader.finish()
        && let Ok(store) = Store::restored("model", &backup)
    {
        let (frames, _, _) = store.backup_commits((1, u64::MAX), None, usize::MAX);
        assert!(frames.is_empty() == (store.sequence() == 0));
        for scope in store.scopes() {
            assert!(store.ids_ever(scope).into_iter().all(|id| store.past(id).is_some()));
        }
    }
}

fuzz_target!(|data: &[u8]| {
    read(data);
    let mut file = b"mnemic\r\n".to_vec();
    let (mut frames, mut bytes, mut commits, mut chain) = (0u32, 8u64, 0u64, 0u32);
    let mut rest = data;
    while let Some((head, more)) = rest.split_first_chunk::<3>() {
        let kind = [6, 3, 4, 3][usize::from(head[0] % 4)];
        let length = usize::from(u16::from_le_bytes([head[1], head[2]])).min(more.len());
        let (payload, more) = more.split_at(length);
        let frame = framed(kind, payload);
        chain = crc32(&[chain.to_le_bytes().as_slice(), &frame[..16]].concat());
        (frames, bytes) = (frames + 1, bytes + frame.len() as u64);
        commits += if kind == 3 { blocks(payload) } else { 0 };
        file.extend(frame);
        rest = more;
    }
    let end = [&frames.to_le_bytes()[..], &commits.to_le_bytes(), &bytes.to_le_bytes(), &chain.to_le_bytes()];
    file.extend(framed(7, &end.concat()));
    read(&file);
});

fn framed(kind: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![b'M', b'n', 1, kind];
    frame.extend((payload.len() as u32).to_le_bytes());
    frame.extend(crc32(payload).to_le_bytes());
    frame.extend(crc32(&frame).to_le_bytes());
    frame.extend(payload);
    frame
}

/// How many blocks a payload has, as far as it is readable.
fn blocks(mut payload: &[u8]) -> u64 {
    let mut count = 0;
    while let Some((length, rest)) = payload.split_first_chunk::<4>() {
        let Some(rest) = rest.get(u32::from_le_bytes(*length) as usize..) else { break };
        (payload, count) = (rest, count + 1);
    }
    count
}

fn crc32(bytes: &[u8]) -> u32 {
    mnemic_core::checksum::crc32(bytes)
}
