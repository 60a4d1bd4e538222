//! The values of variables, and the writes since the open conditions.

use std::collections::BTreeMap;

use super::value::Value;

/// The variables of the current function and of its callers.
#[derive(Default)]
pub(crate) struct Store {
    pub(super) slots: Vec<Value>,
    /// Slots written since the first open condition, with their previous values.
    pub(super) trail: Vec<(usize, Value)>,
    /// The first slot that the current compound assignment has written.
    pub(super) first_write: usize,
    /// Number of open conditions.
    pub(super) open: usize,
    /// The first slot that the current closure or operand can write to.
    pub(super) sealed: Option<usize>,
}

impl Store {
    /// Returns the number of variables, which is the slot of the next one.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn write(&mut self, slot: usize, value: Value) {
        let before = std::mem::replace(&mut self.slots[slot], value);
        if self.open > 0 {
            self.trail.push((slot, before));
        }
    }

    /// Returns the current values of the slots below `base` that were written since `mark`.
    pub(super) fn written(&self, mark: usize, base: usize) -> BTreeMap<usize, Value> {
        let slots = self.trail[mark..].iter().map(|(slot, _)| *slot).filter(|slot| *slot < base);
        slots.map(|slot| (slot, self.slots[slot].clone())).collect()
    }

    /// Returns the value of a slot at `mark`.
    pub(super) fn before(&self, slot: usize, mark: usize) -> Value {
        let first = self.trail[mark..].iter().find(|(at, _)| *at == slot);
        first.map_or_else(|| self.slots[slot].clone(), |(_, value)| value.clone())
    }

    /// Undoes the writes since `mark`.
    pub(super) fn undo(&mut self, mark: usize) {
        for (slot, value) in self.trail.drain(mark..).rev() {
            self.slots[slot] = value;
        }
    }
}
