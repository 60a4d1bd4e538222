//! Operators, with the shapes and meanings of nalgebra and of the groups.

use quote::ToTokens;
use syn::{BinOp, Expr, UnOp};

use super::booleans::{count, equality, negated, order};
use super::help::{POWERS, help_for};
use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::diagnostics::source;
use crate::expr::{Expressions, Function, Node, Relation};

impl SymbolicInterpreter<'_> {
    pub(super) fn unary(&mut self, unary: &syn::ExprUnary) -> Interpreted {
        let value = self.expression(&unary.expr)?;
        match (&unary.op, value) {
            // `x ** 2` is parsed as the product of `x` and `*2`.
            (UnOp::Deref(_), _) if is_literal(&unary.expr) => {
                self.error_with_help(unary, "Rust has no operator `**`", POWERS)
            }
            (UnOp::Deref(_), value) => Ok(value),
            (UnOp::Neg(_), Value::Scalar(a)) => Ok(Value::Scalar(self.expressions.neg(a))),
            (UnOp::Neg(_), Value::Matrix(a)) => Ok(Value::Matrix(self.expressions.neg(a))),
            (UnOp::Neg(_), Value::Integer(a)) => match super::integers::Integer::new(-a.value, true) {
                Some(a) => Ok(Value::Integer(a)),
                None => self.out_of_range(unary),
            },
            (UnOp::Neg(_), Value::Count(a, true)) => Ok(Value::Count(self.expressions.neg(a), true)),
            (UnOp::Not(_), value @ (Value::Known(_) | Value::Bool(_))) => Ok(negated(&mut self.expressions, value)),
            (_, Value::Unknown) => Err(Reported),
            (_, other) => {
                let found = other.describe(&self.expressions);
                self.error_with_help(
                    unary,
                    format_args!("cannot apply this operator to {found}"),
                    help_for(&other, &self.expressions),
                )
            }
        }
    }

    pub(super) fn binary(&mut self, binary: &syn::ExprBinary) -> Interpreted {
        if let BinOp::And(_) | BinOp::Or(_) = binary.op {
            return self.lazy(binary);
        }
        let (op, assigns) = operator(&binary.op);
        if assigns {
            // Rust evaluates the value or the place first, depending on the types: the value must not change variables.
            let right = self.sealed(|this| this.expression(&binary.right))?;
            let place = self.place(&binary.left)?;
            let left = self.at(&place);
            let value = self.combined(binary, op, &left, &right)?;
            return self.put(&place, value, &binary.left).map(|()| Value::Unit);
        }
        // Both sides are evaluated, to report the errors of both.
        let left = self.expression(&binary.left);
        if op == "^" && matches!(left, Ok(Value::Scalar(_) | Value::Matrix(_))) {
            return self.error_with_help(binary, "`^` is the exclusive or of integers", POWERS);
        }
        let right = self.expression(&binary.right);
        let (left, right) = (left?, right?);
        self.combined(binary, op, &left, &right)
    }

    fn combined(&mut self, binary: &syn::ExprBinary, op: &str, left: &Value, right: &Value) -> Interpreted {
        match op {
            "+" | "-" | "*" | "/" | "%" => {
                let value = self.arithmetic(binary, op, left, right)?;
                self.finite(value, binary)
            }
            "<" => self.compare(binary, Relation::Less, left, right),
            ">" => self.compare(binary, Relation::Less, right, left),
            "<=" => self.compare(binary, Relation::LessOrEqual, left, right),
            ">=" => self.compare(binary, Relation::LessOrEqual, right, left),
            "==" => self.equal(binary, left, right),
            "!=" => self.equal(binary, left, right).map(|equal| negated(&mut self.expressions, equal)),
            _ => self.outside(binary, "an operation on bits"),
        }
    }

    /// Returns the comparison a < b or a ≤ b.
    pub(super) fn compare(&mut self, at: &impl ToTokens, relation: Relation, a: &Value, b: &Value) -> Interpreted {
        match order(&mut self.expressions, relation, a, b) {
            Some(value) => Ok(value),
            None => self.mismatch(at, a, b, "compared"),
        }
    }

    /// Returns the comparison a = b.
    pub(super) fn equal(&mut self, at: &impl ToTokens, a: &Value, b: &Value) -> Interpreted {
        match (equality(&mut self.expressions, a, b), a, b) {
            (Some(value), ..) => Ok(value),
            (None, Value::Scalar(_), Value::Scalar(_)) => self.error_with_help(
                at,
                "equality of run-time scalars is not supported",
                "use `<` or `<=`, or a guard, as in `x if x < 1.0 => …`: rounding decides whether two scalars are equal",
            ),
            _ => self.mismatch(at, a, b, "compared for equality"),
        }
    }

    fn out_of_range(&mut self, at: impl ToTokens) -> Interpreted {
        let text = source(&at);
        self.error_with_help(
            at,
            format_args!("the integer `{text}` is negative, too large, or divided by zero"),
            "compute with scalars, as in `i as f64 - 1.0`, or with signed integers, as in `i as i32 - 1`",
        )
    }

    /// Returns `left op right` for the operators `+ - * / %`.
    pub(super) fn arithmetic(&mut self, at: &impl ToTokens, op: &str, left: &Value, right: &Value) -> Interpreted {
        let e = &mut self.expressions;
        if let (Value::Integer(a), Value::Integer(b)) = (left, right) {
            return match a.combine(op, *b) {
                Some(value) => Ok(Value::Integer(value)),
                None => self.out_of_range(at),
            };
        }
        if let (Some(a), Some(b)) = (count(e, left), count(e, right)) {
            let value = scalars(e, op, a, b);
            let value = if op == "/" { e.function(Function::Trunc, value) } else { value };
            let is_signed = left.is_signed() || right.is_signed();
            // Rust panics or wraps below zero. Indices and lengths are known where elements are unrolled, parameters are not.
            if op == "-" && !is_signed && e.has_parameters(value) {
                let text = source(at);
                return self.error_with_help(
                    at,
                    format_args!("the unsigned integer `{text}` can be negative"),
                    "compute with scalars, as in `p.count as f64 - 1.0`, or declare the parameter as `i32`",
                );
            }
            return Ok(Value::Count(value, is_signed));
        }
        if let (Value::Element(a), Value::Element(b), "*") = (left, right, op)
            && a.group == b.group
            && !a.group.has_sphere()
            && let Some(parts) = a.group.rules.compose(e, &a.parts, &b.parts)
        {
            self.records.factors.insert(parts.clone(), (a.group, [a.parts.clone(), b.parts.clone()]));
            return Ok(a.group.operand(parts).into());
        }
        match product(e, op, left, right) {
            Some(value) => Ok(value),
            None => {
                let verb = match op {
                    "+" => "added",
                    "-" => "subtracted",
                    "*" => "multiplied",
                    _ => "divided",
                };
                self.mismatch(at, left, right, verb)
            }
        }
    }
}

/// Returns `left op right` of scalars, vectors, matrices and group elements.
fn product(e: &mut Expressions, op: &str, left: &Value, right: &Value) -> Option<Value> {
    Some(match (op, left, right) {
        (_, Value::Scalar(a), Value::Scalar(b)) => Value::Scalar(scalars(e, op, *a, *b)),
        ("*", Value::Scalar(a), Value::Matrix(b)) | ("*", Value::Matrix(b), Value::Scalar(a)) => {
            Value::Matrix(e.scale(*a, *b))
        }
        ("/", Value::Matrix(a), Value::Scalar(b)) => {
            let one = e.number(1.0);
            let factor = e.divide(one, *b);
            Value::Matrix(e.scale(factor, *a))
        }
        ("*", Value::Matrix(a), Value::Matrix(b)) if e.shape(*a).1 == e.shape(*b).0 => Value::Matrix(e.product(*a, *b)),
        ("+" | "-", Value::Matrix(a), Value::Matrix(b)) if e.shape(*a) == e.shape(*b) => {
            Value::Matrix(scalars(e, op, *a, *b))
        }
        ("*", Value::Element(a), Value::Matrix(x)) => Value::Matrix(a.group.rules.act(e, &a.parts, *x)?),
        _ => return None,
    })
}

/// Returns `a op b` of scalars, and the sum or difference of matrices.
fn scalars(e: &mut Expressions, op: &str, a: Node, b: Node) -> Node {
    match op {
        "+" => e.add(a, b),
        "-" => e.sub(a, b),
        "*" => e.scale(a, b),
        "/" => e.divide(a, b),
        _ => e.remainder(a, b),
    }
}

/// Returns true for a number, with or without a sign.
fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Unary(inner) => matches!(inner.op, UnOp::Neg(_)) && is_literal(&inner.expr),
        _ => false,
    }
}

/// Returns the text of an operator without the `=` of an assignment, and true for a compound assignment.
pub(super) fn operator(op: &BinOp) -> (&'static str, bool) {
    match op {
        BinOp::Add(_) => ("+", false),
        BinOp::AddAssign(_) => ("+", true),
        BinOp::Sub(_) => ("-", false),
        BinOp::SubAssign(_) => ("-", true),
        BinOp::Mul(_) => ("*", false),
        BinOp::MulAssign(_) => ("*", true),
        BinOp::Div(_) => ("/", false),
        BinOp::DivAssign(_) => ("/", true),
        BinOp::Rem(_) => ("%", false),
        BinOp::RemAssign(_) => ("%", true),
        BinOp::Lt(_) => ("<", false),
        BinOp::Gt(_) => (">", false),
        BinOp::Le(_) => ("<=", false),
        BinOp::Ge(_) => (">=", false),
        BinOp::Eq(_) => ("==", false),
        BinOp::Ne(_) => ("!=", false),
        BinOp::BitXor(_) => ("^", false),
        BinOp::And(_) | BinOp::Or(_) | BinOp::BitAnd(_) | BinOp::BitOr(_) | BinOp::Shl(_) | BinOp::Shr(_) => {
            ("&", false)
        }
        _ => ("&", true),
    }
}
