//! What counts in the score of a result beside words and meaning.

/// What each signal adds to a score; 0 where it says nothing. With the shares of words and meaning they make up the score.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Signals {
    /// The messages said just before and after.
    pub neighbours: f32,
    /// The thread, by the best of its messages.
    pub thread: f32,
    /// Who speaks is whom the query names.
    pub speaker: f32,
    /// It was said when the query says.
    pub date: f32,
    /// It tells a time, and the query asks when.
    pub time: f32,
    /// It is no mere interjection.
    pub length: f32,
    /// Who usually says what is asked for; below 0 for the assistant, unless the query asks what it said.
    pub role: f32,
    /// Below 0 for a question: what answers is asked for.
    pub question: f32,
    /// It replaces what would be above it.
    pub newer: f32,
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
        let Self { neighbours, thread, speaker, date, time, length, role, question, newer } = self;
        [neighbours, thread, speaker, date, time, length, role, question, newer]
            .into_iter()
            .for_each(&mut visit);
    }
}
