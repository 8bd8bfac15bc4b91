//! An embedder of the application: a function makes the vector of a text, and what was asked is kept.

use mnemic::ports::{Embedder, Pending, TextPurpose};
use mnemic::{Code, Error, Result};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The vector of a text.
type Vector = dyn Fn(&str) -> Vec<f32>;

/// An embedder that does as it is told.
pub(crate) struct ToyEmbedder {
    id: &'static str,
    vector: Box<Vector>,
    pub(crate) fails: Cell<bool>,
    /// How often it was called, also when it failed.
    pub(crate) calls: Cell<usize>,
    /// The texts of all calls.
    pub(crate) asked: RefCell<Vec<(TextPurpose, String)>>,
}

impl ToyEmbedder {
    pub(crate) fn new(id: &'static str, vector: impl Fn(&str) -> Vec<f32> + 'static) -> Rc<Self> {
        let vector = Box::new(vector);
        Rc::new(Self {
            id,
            vector,
            fails: Cell::default(),
            calls: Cell::default(),
            asked: RefCell::default(),
        })
    }

    /// Texts are near one another when they are as long.
    pub(crate) fn of_lengths() -> Rc<Self> {
        Self::new("lengths", |text| vec![1.0, text.len() as f32, 2.0])
    }

    /// One that fails, until it is told not to.
    pub(crate) fn failing() -> Rc<Self> {
        let embedder = Self::of_lengths();
        embedder.fails.set(true);
        embedder
    }

    /// The texts of all calls.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.asked.borrow().iter().map(|(_, text)| text.clone()).collect()
    }
}

impl Embedder for ToyEmbedder {
    fn id(&self) -> &str {
        self.id
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
        purpose: TextPurpose,
        _timeout_ms: u32,
    ) -> Pending<'a, Result<Vec<Vec<f32>>>> {
        self.calls.set(self.calls.get() + 1);
        self.asked.borrow_mut().extend(texts.iter().map(|text| (purpose, text.clone())));
        let answer = if self.fails.get() {
            Err(Error::new(Code::Embedder, "the embedder is out"))
        } else {
            Ok(texts.iter().map(|text| (self.vector)(text)).collect())
        };
        Box::pin(async move { answer })
    }
}
