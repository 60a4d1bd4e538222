//! Integers known at run time. They are computed as `f64` values, which are exact up to 2^53.
//!
//! Invariant: integers that depend on the state stay within their Rust type and within the exact range of `f64`. Integer parameters are
//! checked when a system is constructed, and the numbers of members are small.

use std::collections::HashSet;

use quote::ToTokens;

use super::integers::{Bounds, IntegerKind};
use super::{Interpreted, SymbolicInterpreter, Value};
use crate::expr::{Function, Node, Op};

/// Limit beyond which `f64` does not represent every integer.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl SymbolicInterpreter<'_> {
    /// Returns the value, or an error for an integer that may overflow its type or exceed the exact range of `f64`.
    pub(super) fn checked_integer(&mut self, value: Value, at: &dyn ToTokens) -> Interpreted {
        let Value::Count(node, kind) = value else { return Ok(value) };
        let Some((least, greatest)) = self.bounds(node) else { return Ok(value) };
        let at = at.to_token_stream();
        if least <= -EXACT || greatest >= EXACT {
            return self.error_with_help(
                at,
                "this integer depends on the state and may exceed 2^53, where it is not exact",
                "choose between scalars, as in `1e16`, or between smaller integers",
            );
        }
        if !within((least, greatest), kind) && !self.is_guarded(node) {
            let worst = if least < 0.0 && !kind.is_signed() { least } else { greatest };
            return self.error_with_help(
                at,
                format_args!("integer overflow: this may be {worst}, which `{}` does not represent", kind.name()),
                "compute with a wider type, as in `n as i64 + m as i64`, or with scalars, as in `n as f64`",
            );
        }
        Ok(value)
    }

    /// Returns true if a path condition constrains an operand of the number, as in `if n > 2 { n - 3 }`.
    fn is_guarded(&self, node: Node) -> bool {
        let is_choice = |node: &Node| !matches!(self.expressions.op(*node), Op::Leaf(_) | Op::Number(_));
        let parts: HashSet<Node> = self.expressions.reachable(&[node]).into_iter().filter(is_choice).collect();
        self.expressions.reachable(&self.path).iter().any(|condition| parts.contains(condition))
    }

    /// Returns true if the type certainly represents the number; `None` if its bounds are not known.
    pub(super) fn is_within(&mut self, node: Node, kind: IntegerKind) -> Option<bool> {
        self.bounds(node).map(|bounds| within(bounds, kind))
    }

    /// Returns the bounds of a number that is chosen between known numbers.
    fn bounds(&mut self, node: Node) -> Option<Bounds> {
        if let Some(known) = self.bounds.get(&node) {
            return *known;
        }
        let bounds = self.computed_bounds(node);
        self.bounds.insert(node, bounds);
        bounds
    }

    fn computed_bounds(&mut self, node: Node) -> Option<Bounds> {
        if let Some(number) = self.expressions.as_number(node) {
            return Some((number, number));
        }
        match *self.expressions.op(node) {
            Op::Select(_, a, b) => {
                let (a, b) = (self.bounds(a)?, self.bounds(b)?);
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            Op::Neg(a) => self.bounds(a).map(|(least, greatest)| (-greatest, -least)),
            Op::Add(a, b) => {
                let (a, b) = (self.bounds(a)?, self.bounds(b)?);
                Some((a.0 + b.0, a.1 + b.1))
            }
            Op::Scale(a, b) => {
                let (a, b) = (self.bounds(a)?, self.bounds(b)?);
                let corners = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
                Some((corners.into_iter().fold(f64::MAX, f64::min), corners.into_iter().fold(f64::MIN, f64::max)))
            }
            // A quotient of integers is at most as large as the dividend; a remainder is smaller than the divisor.
            Op::Function(Function::Trunc, quotient) => match *self.expressions.op(quotient) {
                Op::Divide(a, b) => {
                    let (a, b) = (self.bounds(a)?, self.bounds(b)?);
                    let size = if b.0 == b.1 { (size(a) / size(b)).trunc() } else { size(a) };
                    Some(if a.0 < 0.0 || b.0 < 0.0 { (-size, size) } else { (0.0, size) })
                }
                _ => self.bounds(quotient),
            },
            Op::Remainder(a, b) => {
                let (a, b) = (self.bounds(a)?, self.bounds(b)?);
                let size = size(a).min(size(b) - 1.0);
                Some((if a.0 < 0.0 { -size } else { 0.0 }, if a.1 > 0.0 { size } else { 0.0 }))
            }
            _ => None,
        }
    }
}

/// Returns the larger absolute value of two bounds.
fn size((least, greatest): Bounds) -> f64 {
    least.abs().max(greatest.abs())
}

#[allow(clippy::cast_possible_truncation)] // The bounds are integers.
fn within((least, greatest): Bounds, kind: IntegerKind) -> bool {
    kind.holds(least as i128) && kind.holds(greatest as i128)
}
