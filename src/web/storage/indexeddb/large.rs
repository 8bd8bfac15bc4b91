//! Large values are Blobs in Chromium. It keeps them in files either way, but what is no Blob it copies while the thread waits, so that
//! reading takes about three times as long. Other browsers keep what they are given, and Safari has lost Blobs.

use super::unreadable;
use crate::error::Result;
use crate::web::thrown::Thrown;
use js_sys::{Array, Reflect, Uint8Array, global};
use std::collections::VecDeque;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

/// From how many bytes on a value is large: Chromium keeps those in files.
const LARGE_BYTES: usize = 64 * 1024;
/// How many are read at once.
const AT_ONCE: usize = 4;

/// Whether this browser is to keep large values as Blobs. Chromium alone has this property, and on secure pages only.
pub(super) fn are_blobs() -> bool {
    let navigator = Reflect::get(&global(), &"navigator".into()).unwrap_or_default();
    navigator.is_object() && Reflect::has(&navigator, &"userAgentData".into()).unwrap_or_default()
}

/// What is to be stored of a value.
pub(super) fn kept(value: &[u8], are_blobs: bool) -> Result<JsValue, JsValue> {
    let bytes = Uint8Array::from(value);
    if !are_blobs || value.len() < LARGE_BYTES {
        return Ok(bytes.into());
    }
    Blob::new_with_u8_array_sequence(&Array::of1(&bytes)).map(JsValue::from)
}

/// Reads Blobs into the values that they are of.
pub(super) async fn read(blobs: Vec<(usize, Blob)>, pairs: &mut [(String, Vec<u8>)]) -> Result<()> {
    let mut blobs = blobs.into_iter();
    let mut reading = VecDeque::with_capacity(AT_ONCE);
    loop {
        while reading.len() < AT_ONCE
            && let Some((place, blob)) = blobs.next()
        {
            reading.push_back((place, JsFuture::from(blob.array_buffer())));
        }
        let Some((place, buffer)) = reading.pop_front() else { return Ok(()) };
        let buffer = buffer.await;
        let Some((key, value)) = pairs.get_mut(place) else { continue };
        let buffer = buffer.map_err(|error| unreadable(key, &Thrown::new(&error)))?;
        *value = Uint8Array::new(&buffer).to_vec();
    }
}
