//! Boolean values and comparisons.

use quote::ToTokens;
use syn::BinOp;

use super::{Interpreted, SymbolicInterpreter, Value};
use crate::expr::{Node, Relation};

impl SymbolicInterpreter<'_> {
    pub(super) fn equality(&mut self, at: &syn::ExprBinary, left: Value, right: Value) -> Interpreted {
        match (left, right) {
            (Value::Integer(a), Value::Integer(b)) => Ok(Value::Known(a.value == b.value)),
            // Enum variants without data.
            (Value::Struct(a, one), Value::Struct(b, other)) if one.is_empty() && other.is_empty() => {
                Ok(Value::Known(a == b))
            }
            (a, b) if is_bool(&a) && is_bool(&b) => {
                let differ = self.differ(a, b);
                Ok(self.differ(differ, Value::Known(true)))
            }
            (left @ (Value::Count(..) | Value::Integer(_)), right @ (Value::Count(..) | Value::Integer(_))) => {
                let (a, b) = (self.count_of(&left), self.count_of(&right));
                Ok(Value::Bool(self.same_count(a, b)))
            }
            (Value::Scalar(a), Value::Scalar(b)) => {
                match (self.expressions.as_number(a), self.expressions.as_number(b)) {
                    #[allow(clippy::float_cmp)] // Same comparison as in user code.
                    (Some(x), Some(y)) => Ok(Value::Known(x == y)),
                    _ => self.error_with_help(
                        at,
                        "equality of run-time scalars is not supported",
                        "use `<` or `<=`: rounding decides whether two scalars are equal",
                    ),
                }
            }
            (left, right) => self.mismatch(at, &left, &right, "compared for equality"),
        }
    }

    /// Returns a ≤ b and b ≤ a, which is exact for integers.
    pub(super) fn same_count(&mut self, a: Node, b: Node) -> Node {
        let up = self.expressions.compare(Relation::LessOrEqual, a, b);
        let down = self.expressions.compare(Relation::LessOrEqual, b, a);
        self.expressions.and(up, down)
    }

    /// Compares two values: a < b or a ≤ b, with swapped operands if `turned`.
    pub(super) fn order(
        &mut self,
        at: &impl ToTokens,
        left: Value,
        right: Value,
        relation: Relation,
        turned: bool,
    ) -> Interpreted {
        match (left, right) {
            (Value::Scalar(a), Value::Scalar(b)) => {
                let (a, b) = if turned { (b, a) } else { (a, b) };
                match (self.expressions.as_number(a), self.expressions.as_number(b)) {
                    (Some(x), Some(y)) => Ok(Value::Known(match relation {
                        Relation::Less => x < y,
                        Relation::LessOrEqual => x <= y,
                    })),
                    _ => Ok(Value::Bool(self.expressions.compare(relation, a, b))),
                }
            }
            (Value::Integer(a), Value::Integer(b)) => {
                let (a, b) = if turned { (b, a) } else { (a, b) };
                Ok(Value::Known(match relation {
                    Relation::Less => a.value < b.value,
                    Relation::LessOrEqual => a.value <= b.value,
                }))
            }
            (left @ (Value::Count(..) | Value::Integer(_)), right @ (Value::Count(..) | Value::Integer(_))) => {
                let (a, b) = (self.count_of(&left), self.count_of(&right));
                let (a, b) = if turned { (b, a) } else { (a, b) };
                Ok(Value::Bool(self.expressions.compare(relation, a, b)))
            }
            (left, right) => self.mismatch(at, &left, &right, "compared"),
        }
    }

    /// Evaluates `&&` and `||`: the right side is evaluated only if the left side does not determine the result.
    pub(super) fn lazy(&mut self, binary: &syn::ExprBinary) -> Interpreted {
        let is_and = matches!(binary.op, BinOp::And(_));
        let left = self.expression(&binary.left)?;
        let condition = match &left {
            Value::Known(known) if *known != is_and => return Ok(left),
            Value::Known(_) => {
                let right = self.expression(&binary.right)?;
                return Ok(right);
            }
            Value::Bool(condition) => *condition,
            _ => {
                let right = self.expression(&binary.right)?;
                return self.mismatch(binary, &left, &right, "combined");
            }
        };
        let condition = if is_and { condition } else { self.expressions.not(condition) };
        // If the right side diverges, only the other case remains.
        let mut right = Value::Known(!is_and);
        self.branch(
            &binary.op,
            condition,
            |this| {
                let value = this.expression(&binary.right)?;
                right = value;
                Ok(Value::Unit)
            },
            |_| Ok(Value::Unit),
        )?;
        if !is_bool(&right) {
            return self.mismatch(binary, &left, &right, "combined");
        }
        Ok(if is_and { self.both(left, right) } else { self.either(left, right) })
    }

    /// Returns a and b.
    pub(super) fn both(&mut self, a: Value, b: Value) -> Value {
        match (a, b) {
            (Value::Known(true), other) | (other, Value::Known(true)) => other,
            (Value::Bool(a), Value::Bool(b)) => Value::Bool(self.expressions.and(a, b)),
            (Value::Known(false), Value::Bool(_) | Value::Known(_)) | (Value::Bool(_), Value::Known(false)) => {
                Value::Known(false)
            }
            _ => Value::Unknown,
        }
    }

    /// Returns a or b.
    pub(super) fn either(&mut self, a: Value, b: Value) -> Value {
        match (a, b) {
            (Value::Known(false), other) | (other, Value::Known(false)) => other,
            (Value::Bool(a), Value::Bool(b)) => Value::Bool(self.expressions.or(a, b)),
            (Value::Known(true), Value::Bool(_) | Value::Known(_)) | (Value::Bool(_), Value::Known(true)) => {
                Value::Known(true)
            }
            _ => Value::Unknown,
        }
    }

    /// Returns the exclusive or.
    pub(super) fn differ(&mut self, a: Value, b: Value) -> Value {
        let negated = |this: &mut Self, value: Value| match value {
            Value::Known(a) => Value::Known(!a),
            Value::Bool(a) => Value::Bool(this.expressions.not(a)),
            other => other,
        };
        let (not_a, not_b) = (negated(self, a.clone()), negated(self, b.clone()));
        let (one, other) = (self.both(a, not_b), self.both(not_a, b));
        self.either(one, other)
    }
}

pub(super) fn is_bool(value: &Value) -> bool {
    matches!(value, Value::Known(_) | Value::Bool(_))
}
