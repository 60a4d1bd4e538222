//! The environment of the functions under evaluation: constants, variables, path conditions, and pending jumps.
//!
//! Invariant: writes since an open condition can be undone, and a pending jump keeps the values at the jump of all variables that are
//! written later.

use std::collections::{BTreeMap, HashMap};

use proc_macro2::TokenStream;

use super::value::Value;
use crate::expr::{Expressions, Node};

/// The constants of a declaration.
#[derive(Default)]
pub(super) struct FoldedConstants {
    /// The constants used so far, by path; `None` for constants that cannot be folded.
    pub values: HashMap<String, Option<Value>>,
    /// The constants that are being folded.
    pub folding: Vec<String>,
}

/// The kinds of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    Function,
    Loop,
}

/// A function or loop under evaluation.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub kind: FrameKind,
    /// The first slot of its own variables; in a loop, of the variables of one iteration.
    pub floor: usize,
    pub iteration: usize,
    /// Number of path conditions at its entry.
    path: usize,
}

/// A pending jump out of a frame by `return`, `break` or `continue`.
pub(super) struct Jump {
    pub frame: usize,
    /// True for `continue`.
    pub is_next: bool,
    /// The first slot of the variables that are out of scope at its target.
    floor: usize,
    /// The condition under which it is taken; `None`: always.
    pub condition: Option<Node>,
    pub value: Value,
    /// The values at the jump of the variables that were written later.
    pub saved: BTreeMap<usize, Value>,
    pub at: TokenStream,
}

/// The variables, conditions and jumps of a role function and of the helpers that it calls.
#[derive(Default)]
pub(super) struct FunctionEnvironment {
    /// The values of all variables, by slot.
    slots: Vec<Value>,
    /// Slots written since the first open condition, with their previous values.
    trail: Vec<(usize, Value)>,
    /// Number of open conditions.
    open: usize,
    /// The first slot that the current closure or operand can write to.
    sealed: Option<usize>,
    /// The variable names of the current function, innermost scope last.
    scopes: Vec<HashMap<String, usize>>,
    /// The active path conditions (conditions on the state), outermost first.
    path: Vec<Node>,
    /// The enclosing functions and loops, outermost first.
    pub frames: Vec<Frame>,
    jumps: Vec<Jump>,
    /// The paths of the helpers being inlined, outermost first.
    pub inlining: Vec<String>,
    /// The length of the array that is being declared.
    pub expected_length: Option<usize>,
    /// Number of steps in the current function.
    pub steps: usize,
    /// The name of the current role function.
    pub role: String,
}

impl FunctionEnvironment {
    /// Creates the environment of a role function.
    pub fn new(role: String) -> Self {
        Self { scopes: vec![HashMap::new()], role, ..Self::default() }
    }

    // ---- Variables -------------------------------------------------------------------------------------------------

    /// Returns the value of a slot.
    pub fn value(&self, slot: usize) -> &Value {
        &self.slots[slot]
    }

    /// Allocates a variable without a name.
    fn allocate(&mut self, value: Value) -> usize {
        self.slots.push(value);
        self.slots.len() - 1
    }

    /// Declares a variable in the innermost scope.
    pub fn declare(&mut self, name: &syn::Ident, value: Value) {
        let slot = self.allocate(value);
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_string(), slot);
        }
    }

    /// Captures copies of the variables in scope whose names satisfy `names`.
    pub fn capture(&mut self, names: impl Fn(&str) -> bool) -> HashMap<String, usize> {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for scope in &self.scopes {
            seen.extend(scope.iter().filter(|(name, _)| names(name)).map(|(name, slot)| (name.clone(), *slot)));
        }
        seen.into_iter().map(|(name, slot)| (name, self.allocate(self.slots[slot].clone()))).collect()
    }

    /// Returns the slot of a variable in scope.
    pub fn slot(&self, name: &str) -> Option<usize> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    /// Returns a variable in scope.
    pub fn variable(&self, name: &str) -> Option<&Value> {
        self.slot(name).map(|slot| &self.slots[slot])
    }

    /// Returns the name of a variable in scope that holds a value.
    pub fn name_of(&self, value: &Value) -> Option<String> {
        let names = self.scopes.iter().flatten().filter(|(_, slot)| self.slots[**slot] == *value);
        names.map(|(name, _)| name).min().cloned()
    }

    /// Opens a scope.
    pub fn push_scope(&mut self) {
        self.scopes.push(HashMap::new());
    }

    /// Closes the innermost scope.
    pub fn pop_scope(&mut self) {
        self.scopes.pop();
    }

    /// Replaces all scopes by the scope of a function with these captured variables, and returns the replaced scopes.
    pub fn enter_scopes(&mut self, captured: HashMap<String, usize>) -> Vec<HashMap<String, usize>> {
        std::mem::replace(&mut self.scopes, vec![captured, HashMap::new()])
    }

    /// Restores replaced scopes.
    pub fn restore_scopes(&mut self, scopes: Vec<HashMap<String, usize>>) {
        self.scopes = scopes;
    }

    // ---- Writes ----------------------------------------------------------------------------------------------------

    /// Forbids writes to the present variables; returns the previous state.
    pub fn seal(&mut self) -> Option<usize> {
        self.sealed.replace(self.slots.len())
    }

    /// Restores the state before [`seal`](Self::seal).
    pub fn unseal(&mut self, outer: Option<usize>) {
        self.sealed = outer;
    }

    /// Returns true if the slot must not be written to.
    pub fn is_sealed(&self, slot: usize) -> bool {
        self.sealed.is_some_and(|floor| slot < floor)
    }

    /// Assigns to a variable; pending jumps keep its previous value.
    pub fn assign(&mut self, slot: usize, value: Value) {
        let before = &self.slots[slot];
        for jump in self.jumps.iter_mut().filter(|jump| slot < jump.floor) {
            jump.saved.entry(slot).or_insert_with(|| before.clone());
        }
        self.write(slot, value);
    }

    /// Writes a selected value to a variable.
    pub fn write(&mut self, slot: usize, value: Value) {
        let before = std::mem::replace(&mut self.slots[slot], value);
        if self.open > 0 {
            self.trail.push((slot, before));
        }
    }

    // ---- Conditions ------------------------------------------------------------------------------------------------

    /// Opens a condition on the state; returns its mark.
    pub fn open(&mut self) -> Mark {
        self.open += 1;
        Mark { trail: self.trail.len(), floor: self.slots.len() }
    }

    /// Closes the innermost condition.
    pub fn close(&mut self) {
        self.open -= 1;
        if self.open == 0 {
            self.trail.clear();
        }
    }

    /// Begins a branch in which `condition` holds; returns the number of pending jumps.
    pub fn begin_branch(&mut self, condition: Node) -> usize {
        self.path.push(condition);
        self.jumps.len()
    }

    /// Ends a branch and returns its writes. If it diverged, its jumps keep them.
    pub fn end_branch(&mut self, mark: Mark, jumps: usize, diverged: bool) -> BTreeMap<usize, Value> {
        self.path.pop();
        let slots = self.trail[mark.trail..].iter().map(|(slot, _)| *slot).filter(|slot| *slot < mark.floor);
        let written: BTreeMap<usize, Value> = slots.map(|slot| (slot, self.slots[slot].clone())).collect();
        let first = jumps.min(self.jumps.len());
        for jump in self.jumps[first..].iter_mut().filter(|_| diverged) {
            for (slot, value) in written.iter().filter(|(slot, _)| **slot < jump.floor) {
                jump.saved.entry(*slot).or_insert_with(|| value.clone());
            }
        }
        written
    }

    /// Undoes the writes since `mark`.
    pub fn undo(&mut self, mark: Mark) {
        for (slot, value) in self.trail.drain(mark.trail..).rev() {
            self.slots[slot] = value;
        }
    }

    /// Returns the value of a slot at `mark`.
    pub fn before(&self, slot: usize, mark: Mark) -> Value {
        let first = self.trail[mark.trail..].iter().find(|(at, _)| *at == slot);
        first.map_or_else(|| self.slots[slot].clone(), |(_, value)| value.clone())
    }

    /// Returns the conditions under which the current expression is evaluated: the path, and the jumps that were not taken.
    pub fn conditions(&self, e: &mut Expressions) -> Vec<Node> {
        let gone = self.jumps.iter().filter_map(|jump| jump.condition).map(|condition| e.not(condition));
        self.path.iter().copied().chain(gone).collect()
    }

    // ---- Functions, loops and jumps --------------------------------------------------------------------------------

    /// Enters a function or loop; returns its number.
    pub fn enter(&mut self, kind: FrameKind) -> usize {
        let floor = self.slots.len();
        self.frames.push(Frame { kind, floor, iteration: floor, path: self.path.len() });
        self.frames.len() - 1
    }

    /// Leaves the innermost function or loop; returns the jumps out of it.
    pub fn leave(&mut self) -> Vec<Jump> {
        self.frames.pop();
        let frame = self.frames.len();
        self.drain(|jump| jump.frame == frame)
    }

    /// Begins an iteration of the innermost loop.
    pub fn begin_iteration(&mut self) {
        let floor = self.slots.len();
        if let Some(frame) = self.frames.last_mut() {
            frame.iteration = floor;
        }
    }

    /// Removes and returns the jumps that satisfy `lead_here`.
    pub fn drain(&mut self, lead_here: impl Fn(&Jump) -> bool) -> Vec<Jump> {
        let (here, others) = std::mem::take(&mut self.jumps).into_iter().partition(lead_here);
        self.jumps = others;
        here
    }

    /// Returns the number of pending jumps to the innermost frame.
    pub fn pending(&self) -> usize {
        self.jumps.iter().filter(|jump| jump.frame + 1 == self.frames.len()).count()
    }

    /// Records a jump out of a frame; with `is_next`, to the next iteration of a loop.
    pub fn jump(&mut self, e: &mut Expressions, frame: usize, is_next: bool, value: Value, at: TokenStream) {
        let Frame { floor, iteration, path, .. } = self.frames[frame];
        let mut conditions = self.path[path..].to_vec();
        // A path that has jumped to an inner frame does not reach this jump.
        let nearer = |jump: &&Jump| jump.frame > frame || (jump.frame == frame && jump.is_next && !is_next);
        let gone = self.jumps.iter().filter(nearer).filter_map(|jump| jump.condition);
        conditions.extend(gone.map(|condition| e.not(condition)));
        let condition = conditions.into_iter().reduce(|a, b| e.and(a, b));
        let floor = if is_next { iteration } else { floor };
        self.jumps.push(Jump { frame, is_next, floor, condition, value, saved: BTreeMap::new(), at });
    }
}

/// The state of the variables at the beginning of a condition.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    trail: usize,
    floor: usize,
}

#[cfg(test)]
#[path = "../../tests/unit/environment.rs"]
mod tests;
