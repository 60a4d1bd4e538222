//! Whole numbers that are known at run time: they are computed as real numbers, which are exact up to 2^53.
//!
//! Invariant: what the state chooses between stays where Rust's type does not overflow and a real number is exact. Parameters are looked at
//! when a system is made, and numbers of members are small.

use std::collections::HashSet;

use quote::ToTokens;

use super::integers::Kind;
use super::{Interpreted, SymbolicInterpreter, Value};
use crate::expr::{Function, Node, Op};

/// Whole numbers beyond are not all real ones.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The least and the greatest.
pub(super) type Bounds = (f64, f64);

impl SymbolicInterpreter<'_> {
    /// The value, unless it is a whole number that may be none of its type, or none that a real number holds.
    pub(super) fn whole(&mut self, value: Value, at: &dyn ToTokens) -> Interpreted {
        let Value::Count(node, kind) = value else { return Ok(value) };
        let Some((least, greatest)) = self.bounds(node) else { return Ok(value) };
        let at = at.to_token_stream();
        if least <= -EXACT || greatest >= EXACT {
            return self.error_with_help(
                at,
                "this may be beyond 2^53, where an integer that depends on the state is not exact",
                "choose between scalars, as in `1e16`, or between smaller integers",
            );
        }
        if !within((least, greatest), kind) && !self.is_guarded(node) {
            let worst = if least < 0.0 && !kind.is_signed() { least } else { greatest };
            return self.error_with_help(
                at,
                format_args!("this may be {worst}, which `{}` does not represent", kind.name()),
                "compute with a wider type, as in `n as i64 + m as i64`, or with scalars, as in `n as f64`",
            );
        }
        Ok(value)
    }

    /// True inside of a condition that has to do with what the number is made of: `if n > 2 { n - 3 }`.
    fn is_guarded(&self, node: Node) -> bool {
        let is_choice = |node: &Node| !matches!(self.expressions.op(*node), Op::Leaf(_) | Op::Number(_));
        let parts: HashSet<Node> = self.expressions.reachable(&[node]).into_iter().filter(is_choice).collect();
        self.expressions.reachable(&self.path).iter().any(|condition| parts.contains(condition))
    }

    /// True if the number is surely of that type; `None` if what it may be is not known.
    pub(super) fn is_within(&mut self, node: Node, kind: Kind) -> Option<bool> {
        self.bounds(node).map(|bounds| within(bounds, kind))
    }

    /// The least and the greatest that a number may be which is chosen between known ones.
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
            // A quotient of whole numbers is not larger than what is divided, a remainder not as large as what divides.
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

/// The larger size of two bounds.
fn size((least, greatest): Bounds) -> f64 {
    least.abs().max(greatest.abs())
}

#[allow(clippy::cast_possible_truncation)] // They are whole.
fn within((least, greatest): Bounds, kind: Kind) -> bool {
    kind.holds(least as i128) && kind.holds(greatest as i128)
}
