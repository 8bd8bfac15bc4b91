//! A vector as the engine keeps it: unit length, 16-bit codes with one scale.
//!
//! Codes keep a cosine within about 2e-5 of the exact one at half the bytes of `f32`, and the same numbers are
//! in memory and in storage, so a reload changes no ranking.

use crate::error::{Code, Error, Result};

/// The largest number of dimensions an embedding may have.
pub const MAX_DIMENSIONS: usize = 4096;

/// The largest magnitude of a code: 13 bits with the sign, so that a sum of 4096 products fits in 2^36
/// and partial sums of up to 128 products fit in an `i32`.
pub const MAX_CODE: i16 = 4095;

/// A quantised unit vector and the id of the embedder that made it.
///
/// The value of dimension `i` is `codes[i] * scale`.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedding {
    /// Which embedder made it; vectors of different embedders are never compared.
    pub embedder: String,
    /// What one code step is worth.
    pub scale: f32,
    /// One code per dimension, each within ±[`MAX_CODE`].
    pub codes: Box<[i16]>,
}

/// Codes as they are stored: two bytes each, little-endian.
#[must_use]
pub fn codes_of(bytes: &[u8]) -> Vec<i16> {
    let mut codes = vec![0; bytes.len() / size_of::<i16>()];
    read_codes(bytes, &mut codes);
    codes
}

/// The same into a place for them, as many as there are of both. Nothing is looked at: whoever did not write them has to.
#[inline(never)]
pub fn read_codes(bytes: &[u8], codes: &mut [i16]) {
    let places: &mut [u8] = bytemuck::cast_slice_mut(codes);
    let count = bytes.len().min(places.len());
    if let (Some(places), Some(bytes)) = (places.get_mut(..count), bytes.get(..count)) {
        places.copy_from_slice(bytes);
    }
    if cfg!(target_endian = "big") {
        codes.iter_mut().for_each(|code| *code = code.swap_bytes());
    }
}

/// Writes codes as they are stored.
#[inline(never)]
pub fn put_codes(bytes: &mut Vec<u8>, codes: &[i16]) {
    if cfg!(target_endian = "little") {
        bytes.extend_from_slice(bytemuck::cast_slice(codes));
    } else {
        bytes.extend(codes.iter().flat_map(|code| code.to_le_bytes()));
    }
}

impl Embedding {
    /// Quantises a vector of any length but zero; it is scaled to unit length first.
    ///
    /// # Errors
    /// [`Code::Embedder`] when the vector is empty, has more than [`MAX_DIMENSIONS`] values, holds a value that is
    /// not finite, or has no length.
    ///
    /// ```
    /// let embedding = mnemic_core::Embedding::quantise("my-embedder", &[3.0, 4.0])?;
    /// assert!((f32::from(embedding.codes[1]) * embedding.scale - 0.8).abs() < 1e-3);
    /// # Ok::<(), mnemic_core::Error>(())
    /// ```
    #[inline(never)]
    pub fn quantise(embedder: &str, values: &[f32]) -> Result<Self> {
        if values.is_empty() || values.len() > MAX_DIMENSIONS {
            return Err(Error::new(
                Code::Embedder,
                format!("a vector has {} values; 1 to {MAX_DIMENSIONS} are allowed", values.len()),
            )
            .with("dimensions", values.len()));
        }
        let length = values.iter().map(|v| f64::from(*v) * f64::from(*v)).sum::<f64>().sqrt();
        if !length.is_finite() || length == 0.0 {
            return Err(Error::new(
                Code::Embedder,
                "a vector is all zeros or holds a value that is not finite; return finite numbers that are not all zero",
            ));
        }
        let largest = values.iter().fold(0.0f32, |most, v| most.max(v.abs()));
        let step = f64::from(largest) / f64::from(MAX_CODE);
        let codes = values
            .iter()
            .map(|v| {
                #[expect(clippy::cast_possible_truncation, reason = "within ±MAX_CODE by the choice of step")]
                let code = (f64::from(*v) / step).round() as i16;
                code
            })
            .collect();
        #[expect(clippy::cast_possible_truncation, reason = "a scale in f32 is precise enough by far")]
        let scale = (step / length) as f32;
        Ok(Self { embedder: embedder.to_owned(), scale, codes })
    }

    /// Refuses what [`quantise`](Self::quantise) would not make.
    ///
    /// # Errors
    /// [`Code::Embedder`] when there are no codes or too many, one is out of range, or the scale is not a positive
    /// number.
    #[inline(never)]
    pub fn check(&self) -> Result<()> {
        let sound = (1..=MAX_DIMENSIONS).contains(&self.codes.len())
            && self.codes.iter().all(|code| (-MAX_CODE..=MAX_CODE).contains(code))
            && self.scale.is_finite()
            && self.scale > 0.0;
        if sound {
            return Ok(());
        }
        Err(Error::new(
            Code::Embedder,
            "a vector's codes or scale are out of range; make vectors with `quantise`",
        ))
    }

    /// How many dimensions the vector has.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.codes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_has_no_direction() {
        for bad in [&[][..], &[0.0, 0.0], &[f32::NAN, 1.0], &[f32::INFINITY, 1.0]] {
            assert_eq!(Embedding::quantise("e", bad).unwrap_err().code, Code::Embedder, "{bad:?}");
        }
    }

    #[test]
    fn keeps_cosines_within_a_ten_thousandth() {
        let mut state = 0x9e37_79b9_u32;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            (state as f32 / u32::MAX as f32) - 0.5
        };
        for _ in 0..50 {
            let a: Vec<f32> = (0..384).map(|_| random()).collect();
            let b: Vec<f32> = (0..384).map(|_| random()).collect();
            let exact = {
                let dot: f32 = a.iter().zip(&b).map(|(x, y)| x * y).sum();
                let length = |v: &[f32]| v.iter().map(|x| x * x).sum::<f32>().sqrt();
                dot / (length(&a) * length(&b))
            };
            let (qa, qb) = (Embedding::quantise("e", &a).unwrap(), Embedding::quantise("e", &b).unwrap());
            let dot: i64 = qa.codes.iter().zip(&qb.codes).map(|(x, y)| i64::from(*x) * i64::from(*y)).sum();
            let kept = dot as f32 * qa.scale * qb.scale;
            assert!((exact - kept).abs() < 1e-4, "{exact} {kept}");
        }
    }
}
