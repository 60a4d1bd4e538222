//! Conditions on the state: both branches are evaluated, then their values and their writes are selected.
//!
//! Invariant: writes in one branch are visible in that branch only, and the statements after a `return`, `break` or `continue` on the state
//! have no effect where that jump is taken.

use std::collections::BTreeMap;

use quote::ToTokens;

use super::booleans::{both, count, either};
use super::environment::{Jump, Mark};
use super::{Diverged, Interpreted, Reported, SymbolicInterpreter, Value};
use crate::expr::Node;

impl SymbolicInterpreter<'_> {
    /// Evaluates both branches of a condition on the state, each from the same variables, and selects their values and writes.
    pub(super) fn branch(
        &mut self,
        at: &dyn ToTokens,
        condition: Node,
        first: impl FnOnce(&mut Self) -> Interpreted,
        second: impl FnOnce(&mut Self) -> Interpreted,
    ) -> Interpreted {
        let mark = self.environment.open();
        let jumps = self.environment.begin_branch(condition);
        let one = first(self);
        let after_one = self.environment.end_branch(mark, jumps, matches!(one, Err(Diverged)));
        self.environment.undo(mark);
        let opposite = self.expressions.not(condition);
        let jumps = self.environment.begin_branch(opposite);
        let other = second(self);
        let after_other = self.environment.end_branch(mark, jumps, matches!(other, Err(Diverged)));
        let outcome = match (&one, &other) {
            (Err(Reported), _) | (_, Err(Reported)) => Err(Reported),
            _ => self.merge(at, condition, mark, (&after_one, one.is_ok()), (&after_other, other.is_ok())),
        };
        self.environment.close();
        outcome?;
        match (one, other) {
            (Ok(a), Ok(b)) => self.choose(at, condition, a, b),
            (Ok(value), Err(_)) | (Err(_), Ok(value)) => Ok(value),
            (Err(_), Err(_)) => Err(Diverged),
        }
    }

    /// Selects between the writes of two branches; the writes of a branch that diverged are dropped.
    fn merge(
        &mut self,
        at: &dyn ToTokens,
        condition: Node,
        mark: Mark,
        (one, one_ends): (&BTreeMap<usize, Value>, bool),
        (other, other_ends): (&BTreeMap<usize, Value>, bool),
    ) -> Interpreted<()> {
        let slots: std::collections::BTreeSet<usize> = one.keys().chain(other.keys()).copied().collect();
        for slot in slots {
            // The slots hold the values of the second branch, or the previous values where it wrote nothing.
            let y = self.environment.value(slot).clone();
            let x = match one.get(&slot) {
                Some(value) => value.clone(),
                None => self.environment.before(slot, mark),
            };
            let chosen = match (one_ends, other_ends) {
                (true, true) => self.choose(at, condition, x, y)?,
                (true, false) => x,
                (false, _) => y,
            };
            self.environment.write(slot, chosen);
        }
        Ok(())
    }

    /// Selects between the values at the `jumps` and, if control reached the end, the current values.
    pub(super) fn rejoin(&mut self, jumps: &[Jump], mut ended: Option<Value>) -> Interpreted {
        let saved: std::collections::BTreeSet<usize> =
            jumps.iter().flat_map(|jump| jump.saved.keys()).copied().collect();
        for slot in saved {
            let mut value = ended.is_some().then(|| self.environment.value(slot).clone());
            for jump in jumps.iter().rev() {
                let seen = jump.saved.get(&slot).unwrap_or(self.environment.value(slot)).clone();
                value = Some(self.taken(jump, seen, value)?);
            }
            if let Some(value) = value {
                self.environment.write(slot, value);
            }
        }
        for jump in jumps.iter().rev() {
            ended = Some(self.taken(jump, jump.value.clone(), ended)?);
        }
        ended.ok_or(Diverged)
    }

    /// Returns `value` where the jump is taken, else `other`.
    fn taken(&mut self, jump: &Jump, value: Value, other: Option<Value>) -> Interpreted {
        match (jump.condition, other) {
            (None, _) | (_, None) => Ok(value),
            (Some(condition), Some(other)) => self.choose(&jump.at, condition, value, other),
        }
    }

    /// Returns `a` where the condition holds, else `b`.
    pub(super) fn choose(&mut self, at: &dyn ToTokens, condition: Node, a: Value, b: Value) -> Interpreted {
        let parts = |this: &mut Self, a: Vec<Value>, b: Vec<Value>| -> Interpreted<Vec<Value>> {
            a.into_iter().zip(b).map(|(a, b)| this.choose(at, condition, a, b)).collect()
        };
        let e = &mut self.expressions;
        match (a, b) {
            (Value::Unknown, _) | (_, Value::Unknown) => Ok(Value::Unknown),
            (a, b) if a == b => Ok(a),
            (Value::Unset, value) | (value, Value::Unset) => Ok(value),
            (Value::Scalar(a), Value::Scalar(b)) => Ok(Value::Scalar(e.select(condition, a, b))),
            (Value::Matrix(a), Value::Matrix(b)) if e.shape(a) == e.shape(b) => {
                Ok(Value::Matrix(e.select(condition, a, b)))
            }
            (Value::Element(a), Value::Element(b)) if a.group == b.group => {
                let both = a.parts.into_iter().zip(b.parts);
                let parts = both.map(|(a, b)| e.select(condition, a, b)).collect();
                Ok(a.group.operand(parts).into())
            }
            (a @ (Value::Known(_) | Value::Bool(_)), b @ (Value::Known(_) | Value::Bool(_))) => {
                // (c and a) or (not c and b).
                let opposite = e.not(condition);
                let (one, other) = (both(e, Value::Bool(condition), a), both(e, Value::Bool(opposite), b));
                Ok(either(e, one, other))
            }
            (a, b) if let (Some(x), Some(y)) = (count(e, &a), count(e, &b)) => {
                if super::lists::counts(e, condition) {
                    return Ok(Value::Count(e.select(condition, x, y), a.is_signed() || b.is_signed()));
                }
                self.error_with_help(
                    at,
                    "an integer that depends on the state or on a parameter is not supported in a declaration",
                    "choose between scalars, as in `if x > 0.0 { 1.0 } else { 2.0 }`, or move the expression into an `#[opaque]` function",
                )
            }
            (Value::Tuple(a), Value::Tuple(b)) if a.len() == b.len() => parts(self, a, b).map(Value::Tuple),
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => parts(self, a, b).map(Value::Array),
            (Value::Optional(Some(a)), Value::Optional(Some(b))) => {
                Ok(Value::Optional(Some(Box::new(self.choose(at, condition, *a, *b)?))))
            }
            (Value::Struct(name, a), Value::Struct(other, b)) if name == other && a.len() == b.len() => {
                let (names, a): (Vec<String>, Vec<Value>) = a.into_iter().unzip();
                let b = b.into_iter().map(|(_, value)| value).collect();
                Ok(Value::Struct(name, names.into_iter().zip(parts(self, a, b)?).collect()))
            }
            (a, b) => {
                let (a, b) = (a.describe(&self.expressions), b.describe(&self.expressions));
                self.error_with_help(
                    at,
                    format_args!("the branches of this condition on the state have different types: {a} and {b}"),
                    "let both branches be scalars, or vectors of one size",
                )
            }
        }
    }
}
