//! Finding the nearest vectors.
//!
//! [`FlatIndex`] scans in two stages. The first compares *sketches*: one bit per dimension, the sign of the vector
//! after a fixed rotation, so that the share of differing bits estimates the angle between two vectors. The second
//! takes the exact dot product of the few rows whose sketch is near enough, and it is the angle of the k-th best
//! hit so far that says what is near enough. Nothing is built or trained, so every change shows at once.
//!
//! `scalar` holds the loops; `simd128` holds the same ones for wasm, and the tests hold both to one oracle.

mod codes;
mod columns;
mod distances;
mod flat;
mod hit;
mod near;
mod reach;
mod rows;
mod sketch;

#[cfg_attr(
    all(target_arch = "wasm32", target_feature = "simd128", not(test)),
    expect(dead_code, reason = "the tests compare it with `simd128`")
)]
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use scalar as kernel;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd128 as kernel;

pub use codes::{CodePlace, CodeReader};
pub use flat::FlatIndex;
pub use hit::{Hit, Wanted, bits_of};
pub use rows::StoredRows;

#[cfg(test)]
mod tests;
