//! Checking a value: the walk, its bounds, and what it has found.

use super::compile::Node;
use super::keyword::Keyword;
use super::locate::NodeId;
use super::violation::{Violation, push_segment};
use serde_json::Value;

/// Violations that are listed; more would not help anybody repair the value.
const MAX_VIOLATIONS: usize = 32;

/// Schemas that may be open inside each other, which bounds the call stack.
const MAX_DEPTH: usize = 400;

/// Units of work for one value: about one for each schema applied and for each 16 steps of a pattern.
const MAX_WORK: usize = 4_000_000;

/// Levels of nesting that a value may have.
const MAX_VALUE_DEPTH: usize = 128;

/// A value, and the schema it is checked against.
#[derive(Clone, Copy)]
pub(super) struct Target<'n, 'v> {
    /// JSON Pointer of the schema.
    pub(super) pointer: &'n str,
    /// The value.
    pub(super) value: &'v Value,
}

/// One step from a value into a part of it.
#[derive(Clone, Copy)]
pub(super) enum Step<'v> {
    /// To a property.
    Key(&'v str),
    /// To an item.
    Index(usize),
}

/// Which items of an array or properties of an object, counted in their order, some schema has evaluated.
pub(super) struct Marks(Vec<bool>);

impl Marks {
    fn none(value: &Value) -> Self {
        Self(vec![
            false;
            match value {
                Value::Array(items) => items.len(),
                Value::Object(members) => members.len(),
                _ => 0,
            }
        ])
    }

    /// Whether the part at `index` is evaluated.
    pub(super) fn has(&self, index: usize) -> bool {
        self.0.get(index).copied().unwrap_or(false)
    }

    /// Notes that the part at `index` is evaluated.
    pub(super) fn set(&mut self, index: usize) {
        if let Some(mark) = self.0.get_mut(index) {
            *mark = true;
        }
    }

    fn add(&mut self, other: &Self) {
        for (mark, theirs) in self.0.iter_mut().zip(&other.0) {
            *mark |= theirs;
        }
    }
}

/// One check of one value.
pub(super) struct Evaluation<'n, 'v> {
    nodes: &'n [Node],
    path: Vec<Step<'v>>,
    violations: Vec<Violation>,
    /// How many callers only want to know whether, not where.
    quiet: usize,
    depth: usize,
    work_left: usize,
    /// Why the check was given up, once it was.
    gave_up: Option<Violation>,
}

impl<'n, 'v> Evaluation<'n, 'v> {
    /// A check that lists what it finds.
    pub(super) fn reporting(nodes: &'n [Node]) -> Self {
        Self {
            nodes,
            path: Vec::new(),
            violations: Vec::new(),
            quiet: 0,
            depth: 0,
            work_left: MAX_WORK,
            gave_up: None,
        }
    }

    /// A check that only decides.
    pub(super) fn silent(nodes: &'n [Node]) -> Self {
        Self { quiet: 1, ..Self::reporting(nodes) }
    }

    /// Checks `value`, which is the property `name` of a larger one if given, against all of `schemas`.
    pub(super) fn run(
        mut self,
        schemas: &[NodeId],
        name: Option<&'v str>,
        value: &'v Value,
    ) -> (bool, Vec<Violation>) {
        self.path.extend(name.map(Step::Key));
        if is_too_deep(value) {
            self.give_up("", || format!("nests deeper than {MAX_VALUE_DEPTH} levels; flatten it"));
        }
        let mut valid = true;
        for schema in schemas {
            valid &= self.evaluate(*schema, value, None);
        }
        // Under `not`, giving up would pass for a match; so it is judged here and nowhere else.
        valid &= self.gave_up.is_none();
        self.violations.extend(self.gave_up);
        (valid, self.violations)
    }

    /// Whether `value` matches the schema `id`; what that evaluated is added to `outer` if it does.
    pub(super) fn evaluate(&mut self, id: NodeId, value: &'v Value, outer: Option<&mut Marks>) -> bool {
        let Some(node) = self.nodes.get(id) else { return true };
        if !self.enter(node) {
            return false;
        }
        let mut marks = (node.needs_marks || outer.is_some()).then(|| Marks::none(value));
        self.spend(marks.as_ref().map_or(0, |marks| marks.0.len() / 16));
        let target = Target { pointer: &node.pointer, value };
        let mut valid = true;
        for keyword in &node.keywords {
            valid &= keyword.check(self, target, &mut marks);
            if !valid && self.may_stop() {
                break;
            }
        }
        if let (true, Some(outer), Some(marks)) = (valid, outer, marks) {
            outer.add(&marks);
        }
        self.depth -= 1;
        valid
    }

    /// Whether a part of the present value matches the schema `id`.
    pub(super) fn descend(&mut self, step: Step<'v>, id: NodeId, part: &'v Value) -> bool {
        self.path.push(step);
        let valid = self.evaluate(id, part, None);
        self.path.pop();
        valid
    }

    /// Checks a value that is no part of the present one, such as the name of a property; what is wrong, if anything.
    pub(super) fn apart(&mut self, value: &Value, id: NodeId) -> Option<String> {
        let mut inner =
            Evaluation { work_left: self.work_left, depth: self.depth, ..Evaluation::reporting(self.nodes) };
        let valid = inner.evaluate(id, value, None);
        self.work_left = inner.work_left;
        self.gave_up = self.gave_up.take().or(inner.gave_up);
        let reason = inner.violations.into_iter().next().map(|violation| violation.message);
        (!valid).then(|| reason.unwrap_or_else(|| "it breaks the schema for names".to_owned()))
    }

    /// Runs `check` without listing what it finds.
    pub(super) fn quietly(&mut self, check: impl FnOnce(&mut Self) -> bool) -> bool {
        self.quiet += 1;
        let valid = check(self);
        self.quiet -= 1;
        valid
    }

    /// Whether nothing is gained by looking further once something is wrong.
    pub(super) fn may_stop(&self) -> bool {
        self.quiet > 0 || self.violations.len() >= MAX_VIOLATIONS || self.gave_up.is_some()
    }

    /// Lists a violation of the keyword `name`, if anybody wants to know; always answers `false`.
    pub(super) fn report(
        &mut self,
        target: Target<'_, '_>,
        name: &str,
        message: impl FnOnce() -> String,
    ) -> bool {
        if !self.may_stop() {
            let violation = self.violation(target.pointer, name, message());
            self.violations.push(violation);
        }
        false
    }

    /// Counts work that is not the application of a schema.
    pub(super) fn spend(&mut self, work: usize) {
        self.work_left = self.work_left.saturating_sub(work);
    }

    /// Whether the schema `id` is `false`.
    pub(super) fn is_never(&self, id: NodeId) -> bool {
        self.nodes.get(id).is_some_and(|node| matches!(node.keywords.as_slice(), [Keyword::Never]))
    }

    /// Whether the schema `id`, or one that it includes, asks for another type than `value` has.
    pub(super) fn excludes_type_of(&self, id: NodeId, value: &Value) -> bool {
        self.nodes.get(id).into_iter().flat_map(|node| &node.keywords).any(|keyword| match keyword {
            Keyword::Any(rule) => rule.excludes_type_of(value),
            Keyword::Never => true,
            other => other.included().iter().any(|included| self.excludes_type_of(*included, value)),
        })
    }

    fn enter(&mut self, node: &Node) -> bool {
        if self.work_left == 0 {
            self.give_up(&node.pointer, || {
                "is too costly to check; shorten it or simplify the schema".to_owned()
            });
        } else if self.depth >= MAX_DEPTH {
            self.give_up(&node.pointer, || {
                "nests too deep to check; flatten it or simplify the schema".to_owned()
            });
        }
        if self.gave_up.is_some() {
            return false;
        }
        self.work_left -= 1;
        self.depth += 1;
        true
    }

    fn give_up(&mut self, pointer: &str, message: impl FnOnce() -> String) {
        if self.gave_up.is_none() {
            self.gave_up = Some(self.violation(pointer, "", message()));
        }
    }

    fn violation(&self, pointer: &str, name: &str, message: String) -> Violation {
        let mut instance = String::new();
        for step in &self.path {
            match step {
                Step::Key(key) => push_segment(&mut instance, key),
                Step::Index(index) => push_segment(&mut instance, &index.to_string()),
            }
        }
        let mut keyword = pointer.to_owned();
        if !name.is_empty() {
            push_segment(&mut keyword, name);
        }
        Violation { instance, keyword, message }
    }
}

/// Whether `value` nests too deep, told without recursion.
fn is_too_deep(value: &Value) -> bool {
    let mut open = vec![(value, 0)];
    while let Some((value, depth)) = open.pop() {
        if depth > MAX_VALUE_DEPTH {
            return true;
        }
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(members) => open.extend(members.values().map(|member| (member, depth + 1))),
            _ => {}
        }
    }
    false
}
