//! What counts in the score of a result beside words and meaning.

use serde::Serialize;

/// What each signal adds to a score; 0 where it says nothing, which is not shown. With the shares of words and meaning they make up
/// the score.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Signals {
    /// The messages said just before and after.
    #[serde(skip_serializing_if = "is_nothing")]
    pub neighbours: f32,
    /// The thread, by the best of its messages.
    #[serde(skip_serializing_if = "is_nothing")]
    pub thread: f32,
    /// Who speaks is whom the query names.
    #[serde(skip_serializing_if = "is_nothing")]
    pub speaker: f32,
    /// It was said when the query says.
    #[serde(skip_serializing_if = "is_nothing")]
    pub date: f32,
    /// It tells a time, and the query asks when.
    #[serde(skip_serializing_if = "is_nothing")]
    pub time: f32,
    /// It is no mere interjection.
    #[serde(skip_serializing_if = "is_nothing")]
    pub length: f32,
    /// Who usually says what is asked for; below 0 for the assistant, unless the query asks what it said.
    #[serde(skip_serializing_if = "is_nothing")]
    pub role: f32,
    /// Below 0 for a question: what answers is asked for.
    #[serde(skip_serializing_if = "is_nothing")]
    pub question: f32,
    /// It replaces what would be above it.
    #[serde(skip_serializing_if = "is_nothing")]
    pub newer: f32,
    /// It is about whom and what is asked about; of messages, that they state it in other words.
    #[serde(skip_serializing_if = "is_nothing")]
    pub about: f32,
    /// It was reached over relations of the graph; then it is all there is.
    #[serde(skip_serializing_if = "is_nothing")]
    pub path: f32,
}

impl Signals {
    /// Their sum.
    #[must_use]
    pub fn sum(&self) -> f32 {
        let mut sum = 0.0;
        let mut all = *self;
        all.each_mut(|signal| sum += *signal);
        sum
    }

    /// Visits each.
    pub fn each_mut(&mut self, mut visit: impl FnMut(&mut f32)) {
        let Self { neighbours, thread, speaker, date, time, length, role, question, newer, about, path } =
            self;
        [neighbours, thread, speaker, date, time, length, role, question, newer, about, path]
            .into_iter()
            .for_each(&mut visit);
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn is_nothing(signal: &f32) -> bool {
    *signal == 0.0
}
