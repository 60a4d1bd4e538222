//! Boolean values and comparisons.

use syn::BinOp;

use super::{Interpreted, SymbolicInterpreter, Value};
use crate::expr::{Expressions, Node, Relation};

impl SymbolicInterpreter<'_> {
    /// Evaluates `&&` and `||`: the right side is evaluated only if the left side does not determine the result.
    pub(super) fn lazy(&mut self, binary: &syn::ExprBinary) -> Interpreted {
        let is_and = matches!(binary.op, BinOp::And(_));
        let left = self.expression(&binary.left)?;
        let condition = match &left {
            Value::Known(known) if *known != is_and => return Ok(left),
            Value::Known(_) => return self.expression(&binary.right),
            Value::Bool(condition) => *condition,
            _ => return self.no_condition(&binary.left, &left),
        };
        let condition = if is_and { condition } else { self.expressions.not(condition) };
        // If the right side diverges, only the other case remains.
        let mut right = Value::Known(!is_and);
        self.branch(
            &binary.op,
            condition,
            |this| {
                right = this.expression(&binary.right)?;
                Ok(Value::Unit)
            },
            |_| Ok(Value::Unit),
        )?;
        match (&right, is_and) {
            (Value::Known(_) | Value::Bool(_), true) => Ok(both(&mut self.expressions, left, right)),
            (Value::Known(_) | Value::Bool(_), false) => Ok(either(&mut self.expressions, left, right)),
            _ => self.no_condition(&binary.right, &right),
        }
    }
}

/// Returns the comparison a = b; `None` for values that cannot be compared.
pub(super) fn equality(e: &mut Expressions, a: &Value, b: &Value) -> Option<Value> {
    Some(match (a, b) {
        // Enum variants without data.
        (Value::Struct(a, one), Value::Struct(b, other)) if one.is_empty() && other.is_empty() => Value::Known(a == b),
        (Value::Known(_) | Value::Bool(_), Value::Known(_) | Value::Bool(_)) => {
            let (not_a, not_b) = (negated(e, a.clone()), negated(e, b.clone()));
            let (one, other) = (both(e, a.clone(), b.clone()), both(e, not_a, not_b));
            either(e, one, other)
        }
        (Value::Scalar(a), Value::Scalar(b)) => match (e.as_number(*a), e.as_number(*b)) {
            #[allow(clippy::float_cmp)] // Same comparison as in user code.
            (Some(x), Some(y)) => Value::Known(x == y),
            _ => return None,
        },
        (Value::Integer(a), Value::Integer(b)) => Value::Known(a.value == b.value),
        (a, b) => {
            let (a, b) = (count(e, a)?, count(e, b)?);
            Value::Bool(same_count(e, a, b))
        }
    })
}

/// Returns a ≤ b and b ≤ a, which is exact for integers.
pub(super) fn same_count(e: &mut Expressions, a: Node, b: Node) -> Node {
    let up = e.compare(Relation::LessOrEqual, a, b);
    let down = e.compare(Relation::LessOrEqual, b, a);
    e.and(up, down)
}

/// Returns the comparison a < b or a ≤ b; `None` for values that cannot be compared.
pub(super) fn order(e: &mut Expressions, relation: Relation, a: &Value, b: &Value) -> Option<Value> {
    let (a, b) = match (a, b) {
        (Value::Scalar(a), Value::Scalar(b)) => (*a, *b),
        (a, b) => (count(e, a)?, count(e, b)?),
    };
    Some(match (e.as_number(a), e.as_number(b), relation) {
        (Some(x), Some(y), Relation::Less) => Value::Known(x < y),
        (Some(x), Some(y), Relation::LessOrEqual) => Value::Known(x <= y),
        _ => Value::Bool(e.compare(relation, a, b)),
    })
}

/// Returns an integer as a scalar node.
pub(super) fn count(e: &mut Expressions, value: &Value) -> Option<Node> {
    match value {
        Value::Count(node, _) => Some(*node),
        Value::Integer(value) => Some(e.number(value.real())),
        _ => None,
    }
}

/// Returns a and b.
pub(super) fn both(e: &mut Expressions, a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::Known(true), other) | (other, Value::Known(true)) => other,
        (Value::Bool(a), Value::Bool(b)) => Value::Bool(e.and(a, b)),
        (Value::Known(false), Value::Bool(_) | Value::Known(_)) | (Value::Bool(_), Value::Known(false)) => {
            Value::Known(false)
        }
        _ => Value::Unknown,
    }
}

/// Returns a or b.
pub(super) fn either(e: &mut Expressions, a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::Known(false), other) | (other, Value::Known(false)) => other,
        (Value::Bool(a), Value::Bool(b)) => Value::Bool(e.or(a, b)),
        (Value::Known(true), Value::Bool(_) | Value::Known(_)) | (Value::Bool(_), Value::Known(true)) => {
            Value::Known(true)
        }
        _ => Value::Unknown,
    }
}

/// Returns not a.
pub(super) fn negated(e: &mut Expressions, value: Value) -> Value {
    match value {
        Value::Known(a) => Value::Known(!a),
        Value::Bool(a) => Value::Bool(e.not(a)),
        other => other,
    }
}
