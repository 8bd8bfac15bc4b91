//! Finding the best matching texts by their words.
