//! Decides whether a text matches, in one backward pass.
//!
//! A program is a list of steps, as in Thompson's construction (1968). Instead of following it forward, the pass asks at
//! each place of the text, from its end to its start, and for each step: can the end of the program be reached from here?
//! A character step looks up the answer of the next place; all others look up answers of the same place, repeated until
//! nothing changes, since loops jump back. Each look-ahead is a program of its own whose first answer at a place says
//! whether it holds there, so that it costs no more than its length.

use super::Tree;
use super::class::{Class, Kind};
use super::parse::Edge;

/// Steps that a pattern may have once its counts are spelled out.
const MAX_STEPS: usize = 20_000;

#[derive(Debug)]
enum Step {
    /// The end: from here on, anything may follow.
    Match,
    /// One character of a class, then the next step.
    One(usize),
    /// Two ways to go on.
    Split(usize, usize),
    /// Goes on elsewhere.
    Jump(usize),
    /// The next step, if this place is such an edge.
    Edge(Edge),
    /// The next step, if the program with this number matches here, or does not.
    Look { program: usize, negated: bool },
}

/// A compiled pattern.
pub(super) struct Program {
    classes: Vec<Class>,
    /// Look-aheads before those that use them; the pattern itself is last.
    programs: Vec<Vec<Step>>,
    steps: usize,
}

impl Program {
    /// Lays out the steps of `tree`.
    pub(super) fn build(tree: &Tree, classes: Vec<Class>) -> Result<Self, String> {
        let mut program = Self { classes, programs: Vec::new(), steps: 0 };
        program.add(tree)?;
        Ok(program)
    }

    /// How many steps all programs have together.
    pub(super) fn steps(&self) -> usize {
        self.steps
    }

    fn add(&mut self, tree: &Tree) -> Result<usize, String> {
        let mut steps = Vec::new();
        self.lay(tree, &mut steps)?;
        self.push(&mut steps, Step::Match)?;
        self.programs.push(steps);
        Ok(self.programs.len() - 1)
    }

    fn push(&mut self, steps: &mut Vec<Step>, step: Step) -> Result<usize, String> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Err(format!(
                "has more than {MAX_STEPS} steps when its counts are spelled out; use maxLength"
            ));
        }
        steps.push(step);
        Ok(steps.len() - 1)
    }

    fn lay(&mut self, tree: &Tree, steps: &mut Vec<Step>) -> Result<(), String> {
        let start = steps.len();
        match tree {
            Tree::One(class) => drop(self.push(steps, Step::One(*class))?),
            Tree::Edge(edge) => drop(self.push(steps, Step::Edge(*edge))?),
            Tree::Look { inner, negated } => {
                let program = self.add(inner)?;
                self.push(steps, Step::Look { program, negated: *negated })?;
            }
            Tree::Sequence(parts) => parts.iter().try_for_each(|part| self.lay(part, steps))?,
            Tree::Either(branches) => self.lay_either(branches, steps)?,
            Tree::Repeat { inner, least, most } => self.lay_repeat(inner, *least, *most, steps)?,
        }
        if steps.len() == start {
            // Nothing at all still takes a step, so that repeating it counts towards the limit.
            self.push(steps, Step::Jump(start + 1))?;
        }
        Ok(())
    }

    fn lay_either(&mut self, branches: &[Tree], steps: &mut Vec<Step>) -> Result<(), String> {
        let mut ends = Vec::new();
        for branch in branches {
            let split = self.push(steps, Step::Split(0, 0))?;
            self.lay(branch, steps)?;
            ends.push(self.push(steps, Step::Jump(0))?);
            let next = steps.len();
            set(steps, split, Step::Split(split + 1, next));
        }
        // The last branch has no other to turn to: its split falls into a step that leads nowhere.
        let nowhere = steps.len();
        self.push(steps, Step::Jump(nowhere))?;
        for end in ends {
            set(steps, end, Step::Jump(nowhere + 1));
        }
        Ok(())
    }

    fn lay_repeat(
        &mut self,
        inner: &Tree,
        least: u32,
        most: Option<u32>,
        steps: &mut Vec<Step>,
    ) -> Result<(), String> {
        for _ in 0..least {
            self.lay(inner, steps)?;
        }
        let Some(most) = most else {
            let split = self.push(steps, Step::Split(0, 0))?;
            self.lay(inner, steps)?;
            let back = self.push(steps, Step::Jump(split))?;
            set(steps, split, Step::Split(split + 1, back + 1));
            return Ok(());
        };
        let mut splits = Vec::new();
        for _ in least..most {
            splits.push(self.push(steps, Step::Split(0, 0))?);
            self.lay(inner, steps)?;
        }
        let end = steps.len();
        for split in splits {
            set(steps, split, Step::Split(split + 1, end));
        }
        Ok(())
    }

    /// Whether some part of `text` matches.
    pub(super) fn is_match(&self, text: &str) -> bool {
        let mut here: Vec<Vec<bool>> = self.programs.iter().map(|steps| vec![false; steps.len()]).collect();
        let mut next = here.clone();
        let mut place = Place { fits: vec![false; self.classes.len()], before: None, after: None };
        let mut characters = text.chars().rev();
        loop {
            place.before = characters.next();
            for (class, fits) in self.classes.iter().zip(&mut place.fits) {
                *fits = place.after.is_some_and(|character| class.has(character));
            }
            for (index, steps) in self.programs.iter().enumerate() {
                let (looks, rest) = here.split_at_mut(index);
                if let (Some(row), Some(row_after)) = (rest.first_mut(), next.get(index)) {
                    answer(steps, &place, looks, row, row_after);
                }
            }
            if here.last().is_some_and(|row| first(row)) {
                return true;
            }
            if place.before.is_none() {
                return false;
            }
            std::mem::swap(&mut here, &mut next);
            place.after = place.before;
        }
    }
}

/// A place between two characters.
struct Place {
    /// For each class, whether the character after this place is in it.
    fits: Vec<bool>,
    before: Option<char>,
    after: Option<char>,
}

impl Place {
    fn is(&self, edge: Edge) -> bool {
        let is_word = |character: Option<char>| character.is_some_and(|character| Kind::Word.has(character));
        match edge {
            Edge::Start => self.before.is_none(),
            Edge::End => self.after.is_none(),
            Edge::Word => is_word(self.before) != is_word(self.after),
            Edge::NoWord => is_word(self.before) == is_word(self.after),
        }
    }
}

/// Fills `row`: for each step, whether the end can be reached from it at this place.
fn answer(steps: &[Step], place: &Place, looks: &[Vec<bool>], row: &mut [bool], row_after: &[bool]) {
    row.fill(false);
    let at = |row: &[bool], index: usize| row.get(index).copied().unwrap_or(false);
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (index, step) in steps.iter().enumerate().rev() {
            if at(row, index) {
                continue;
            }
            let reached = match *step {
                Step::Match => true,
                Step::One(class) => at(&place.fits, class) && at(row_after, index + 1),
                Step::Split(one, other) => at(row, one) || at(row, other),
                Step::Jump(target) => at(row, target),
                Step::Edge(edge) => place.is(edge) && at(row, index + 1),
                Step::Look { program, negated } => {
                    looks.get(program).is_some_and(|look| first(look)) != negated && at(row, index + 1)
                }
            };
            if let (true, Some(cell)) = (reached, row.get_mut(index)) {
                *cell = true;
                changed = true;
            }
        }
    }
}

fn first(row: &[bool]) -> bool {
    row.first().copied().unwrap_or(false)
}

fn set(steps: &mut [Step], index: usize, step: Step) {
    if let Some(place) = steps.get_mut(index) {
        *place = step;
    }
}
