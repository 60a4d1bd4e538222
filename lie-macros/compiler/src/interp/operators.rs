//! Operators, with the shapes and meanings of nalgebra and of the groups.

use quote::ToTokens;
use syn::{BinOp, UnOp};

use super::integers::IntegerKind;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::diagnostics::source;
use crate::expr::{Function, Node, Relation};

impl SymbolicInterpreter<'_> {
    pub(super) fn unary(&mut self, unary: &syn::ExprUnary) -> Interpreted {
        let value = self.expression(&unary.expr)?;
        match (&unary.op, value) {
            (UnOp::Deref(_), value) => Ok(value),
            (UnOp::Neg(_), Value::Scalar(a)) => Ok(Value::Scalar(self.expressions.neg(a))),
            (UnOp::Neg(_), Value::Matrix(a)) => Ok(Value::Matrix(self.expressions.neg(a))),
            (UnOp::Neg(_), Value::Integer(a)) => match a.negated() {
                Some(a) => Ok(Value::Integer(a)),
                None => self.overflow(unary),
            },
            (UnOp::Neg(_), Value::Count(a, kind)) if kind.is_signed() => {
                Ok(Value::Count(self.expressions.neg(a), kind))
            }
            (UnOp::Not(_), Value::Integer(_)) => self.outside(unary, "an operation on the bits of an integer"),
            (UnOp::Not(_), Value::Known(a)) => Ok(Value::Known(!a)),
            (UnOp::Not(_), Value::Bool(a)) => Ok(Value::Bool(self.expressions.not(a))),
            (_, Value::Unknown) => Err(Reported),
            (UnOp::Neg(_), element) if element.is_group_element() => self.error_with_help(
                unary,
                "group elements cannot be negated",
                "write `.inverse()` after the element instead of the minus",
            ),
            (_, other) => {
                let found = other.describe(&self.expressions);
                self.error(unary, format_args!("cannot apply this operator to {found}"))
            }
        }
    }

    pub(super) fn binary(&mut self, binary: &syn::ExprBinary) -> Interpreted {
        if let BinOp::And(_) | BinOp::Or(_) = binary.op {
            return self.lazy(binary);
        }
        if assigns(&binary.op) {
            // As in Rust: scalars evaluate the right side first, then the place. Vectors evaluate the place first.
            let floor = self.store.len();
            let outer = std::mem::replace(&mut self.store.first_write, usize::MAX);
            let right = self.expression(&binary.right)?;
            let place = self.place(&binary.left)?;
            let left = self.at(&place);
            if self.store.first_write < floor && matches!(left, Value::Matrix(_)) {
                return self.changed_inside(&binary.right);
            }
            self.store.first_write = self.store.first_write.min(outer);
            let value = self.combined(binary, left, right)?;
            return self.put(&place, value, &binary.left).map(|()| Value::Unit);
        }
        // Both sides are evaluated, to report the errors of both.
        let left = self.expression(&binary.left);
        if let Ok(left) = &left {
            self.ensure_no_power(binary, left)?;
        }
        let right = self.expression(&binary.right);
        let (left, right) = (left?, right?);
        self.combined(binary, left, right)
    }

    /// Evaluates `a.is_multiple_of(b)`: `a % b == 0`.
    pub(super) fn is_multiple(&mut self, call: &syn::ExprMethodCall, left: Value, right: Value) -> Interpreted {
        let (a, b) = (&call.receiver, call.args.first());
        let rest: syn::ExprBinary = syn::parse_quote!(#a % #b);
        match self.combined(&rest, left, right)? {
            Value::Integer(rest) => Ok(Value::Known(rest.value == 0)),
            rest => {
                let (rest, zero) = (self.count_of(&rest), self.expressions.number(0.0));
                Ok(Value::Bool(self.same_count(rest, zero)))
            }
        }
    }

    fn combined(&mut self, binary: &syn::ExprBinary, left: Value, right: Value) -> Interpreted {
        if is_of_bits(&binary.op) && !matches!(left, Value::Scalar(_) | Value::Matrix(_)) {
            return self.outside(binary, "an operation on bits");
        }
        if let (Value::Integer(a), Value::Integer(b)) = (&left, &right)
            && !matches!(
                binary.op,
                BinOp::Lt(_) | BinOp::Gt(_) | BinOp::Le(_) | BinOp::Ge(_) | BinOp::Eq(_) | BinOp::Ne(_)
            )
        {
            return match a.combine(&binary.op, *b) {
                Some(value) => Ok(Value::Integer(value)),
                None => self.overflow(binary),
            };
        }
        self.ensure_sides(binary, &left, &right)?;
        let value = match &binary.op {
            BinOp::Add(_) | BinOp::AddAssign(_) => self.sum(binary, left, right, false),
            BinOp::Sub(_) | BinOp::SubAssign(_) => self.sum(binary, left, right, true),
            BinOp::Mul(_) | BinOp::MulAssign(_) => self.multiply(binary, left, right),
            BinOp::Div(_) | BinOp::DivAssign(_) => self.quotient(binary, left, right),
            BinOp::Rem(_) | BinOp::RemAssign(_) => self.remainder(binary, left, right),
            BinOp::Lt(_) => self.order(binary, left, right, Relation::Less, false),
            BinOp::Gt(_) => self.order(binary, left, right, Relation::Less, true),
            BinOp::Le(_) => self.order(binary, left, right, Relation::LessOrEqual, false),
            BinOp::Ge(_) => self.order(binary, left, right, Relation::LessOrEqual, true),
            BinOp::Eq(_) | BinOp::Ne(_) => {
                let equal = self.equality(binary, left, right)?;
                if matches!(binary.op, BinOp::Eq(_)) { Ok(equal) } else { Ok(self.differ(equal, Value::Known(true))) }
            }
            _ => self.outside(binary, "this operator"),
        }?;
        self.finite(value, binary)
    }

    fn overflow(&mut self, at: impl ToTokens) -> Interpreted {
        let text = source(&at);
        self.error_with_help(
            at,
            format_args!("`{text}` overflows or divides by zero"),
            "compute with scalars, as in `n as f64`, or write a wider type, as in `3_i64`",
        )
    }

    fn remainder(&mut self, at: &syn::ExprBinary, left: Value, right: Value) -> Interpreted {
        match (left, right) {
            (Value::Scalar(a), Value::Scalar(b)) => Ok(Value::Scalar(self.expressions.remainder(a, b))),
            (left @ (Value::Count(..) | Value::Integer(_)), right @ (Value::Count(..) | Value::Integer(_))) => {
                let kind = kind_of(&left, &right);
                let (a, b) = (self.count_of(&left), self.count_of(&right));
                Ok(Value::Count(self.expressions.remainder(a, b), kind))
            }
            (left, right) => self.mismatch(at, &left, &right, "divided"),
        }
    }

    /// Returns the sum or difference.
    pub(super) fn sum(&mut self, at: &impl ToTokens, left: Value, right: Value, minus: bool) -> Interpreted {
        match (left, right) {
            (Value::Scalar(a), Value::Scalar(b)) => Ok(Value::Scalar(self.plus(a, b, minus))),
            (Value::Matrix(a), Value::Matrix(b)) if self.expressions.shape(a) == self.expressions.shape(b) => {
                Ok(Value::Matrix(self.plus(a, b, minus)))
            }
            (Value::Integer(a), Value::Integer(b)) => {
                let op: BinOp = if minus { syn::parse_quote!(-) } else { syn::parse_quote!(+) };
                match a.combine(&op, b) {
                    Some(sum) => Ok(Value::Integer(sum)),
                    None => self.overflow(at),
                }
            }
            (left @ (Value::Count(..) | Value::Integer(_)), right @ (Value::Count(..) | Value::Integer(_))) => {
                let kind = kind_of(&left, &right);
                let (a, b) = (self.count_of(&left), self.count_of(&right));
                Ok(Value::Count(self.plus(a, b, minus), kind))
            }
            (left, right) => self.mismatch(at, &left, &right, if minus { "subtracted" } else { "added" }),
        }
    }

    /// Converts an integer to a scalar node.
    pub(super) fn count_of(&mut self, value: &Value) -> Node {
        match value {
            Value::Count(node, _) => *node,
            Value::Integer(value) => self.expressions.number(value.real()),
            _ => self.expressions.number(0.0),
        }
    }

    fn plus(&mut self, a: Node, b: Node, minus: bool) -> Node {
        if minus { self.expressions.sub(a, b) } else { self.expressions.add(a, b) }
    }

    /// Returns the product.
    pub(super) fn multiply(&mut self, at: &impl ToTokens, left: Value, right: Value) -> Interpreted {
        let e = &mut self.expressions;
        match (left, right) {
            (Value::Scalar(a), Value::Scalar(b)) => Ok(Value::Scalar(e.scale(a, b))),
            (Value::Scalar(a), Value::Matrix(b)) | (Value::Matrix(b), Value::Scalar(a)) => {
                Ok(Value::Matrix(e.scale(a, b)))
            }
            (Value::Matrix(a), Value::Matrix(b)) if e.shape(a).1 == e.shape(b).0 => Ok(Value::Matrix(e.product(a, b))),
            (Value::Integer(a), Value::Integer(b)) => match a.combine(&syn::parse_quote!(*), b) {
                Some(product) => Ok(Value::Integer(product)),
                None => self.overflow(at),
            },
            (left @ (Value::Count(..) | Value::Integer(_)), right @ (Value::Count(..) | Value::Integer(_))) => {
                let kind = kind_of(&left, &right);
                let (a, b) = (self.count_of(&left), self.count_of(&right));
                Ok(Value::Count(self.expressions.scale(a, b), kind))
            }
            (Value::Element(a), Value::Element(b)) if a.group == b.group && !a.group.has_sphere() => {
                let Some(parts) = a.group.rules.compose(e, &a.parts, &b.parts) else { return Ok(Value::Unknown) };
                self.factors.insert(parts.clone(), (a.group, [a.parts, b.parts]));
                Ok(a.group.operand(parts).into())
            }
            (Value::Element(a), Value::Matrix(x)) => match a.group.rules.act(e, &a.parts, x) {
                Some(moved) => Ok(Value::Matrix(moved)),
                None => self.mismatch(at, &Value::Element(a), &Value::Matrix(x), "multiplied"),
            },
            (left, right) => self.mismatch(at, &left, &right, "multiplied"),
        }
    }

    fn quotient(&mut self, at: &syn::ExprBinary, left: Value, right: Value) -> Interpreted {
        match (left, right) {
            (Value::Scalar(a), Value::Scalar(b)) => Ok(Value::Scalar(self.expressions.divide(a, b))),
            (Value::Matrix(a), Value::Scalar(b)) => {
                let one = self.expressions.number(1.0);
                let factor = self.expressions.divide(one, b);
                Ok(Value::Matrix(self.expressions.scale(factor, a)))
            }
            (left @ (Value::Count(..) | Value::Integer(_)), right @ (Value::Count(..) | Value::Integer(_))) => {
                let kind = kind_of(&left, &right);
                let (a, b) = (self.count_of(&left), self.count_of(&right));
                let quotient = self.expressions.divide(a, b);
                Ok(Value::Count(self.expressions.function(Function::Trunc, quotient), kind))
            }
            (left, right) => self.mismatch(at, &left, &right, "divided"),
        }
    }
}

/// Returns true for the operators on the bits of integers, which are also the logical operators that evaluate both sides.
fn is_of_bits(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::BitAnd(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOr(_)
            | BinOp::BitOrAssign(_)
            | BinOp::BitXor(_)
            | BinOp::BitXorAssign(_)
            | BinOp::Shl(_)
            | BinOp::ShlAssign(_)
            | BinOp::Shr(_)
            | BinOp::ShrAssign(_)
    )
}

/// Returns true for compound assignment operators such as `+=`.
pub(super) fn assigns(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// Returns the type of an operation on two integers.
pub(super) fn kind_of(a: &Value, b: &Value) -> IntegerKind {
    let kind = |value: &Value| match value {
        Value::Count(_, kind) => Some(*kind),
        Value::Integer(integer) => integer.kind,
        _ => None,
    };
    kind(a).or(kind(b)).or(IntegerKind::named("i32")).unwrap_or(IntegerKind::USIZE)
}
