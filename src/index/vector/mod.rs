//! Finding the nearest vectors.
