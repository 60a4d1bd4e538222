//! Help texts for operands of the wrong type.
//!
//! Invariant: in a help "write `…`", the text replaces the underlined tokens or the call that contains them. It uses the user's names, and
//! it compiles.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{BinOp, Expr, ExprBinary};

use super::pretty_print::{
    atom, first_factor, is_quotient, last_factor, operand, power, real, real_atom, starred, unwrapped, vector,
};
use super::suggestions::translation_of;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::diagnostics::source;
use crate::expr::{Node, Rotation};
use crate::group::Element;

/// An error with its position, message and help.
struct Advice {
    at: TokenStream,
    message: String,
    help: String,
}

#[allow(clippy::unnecessary_wraps)] // All match arms return an `Option`.
fn advice(at: &impl ToTokens, message: impl Into<String>, help: impl Into<String>) -> Option<Advice> {
    Some(Advice { at: at.to_token_stream(), message: message.into(), help: help.into() })
}

impl SymbolicInterpreter<'_> {
    // ---- Operators -------------------------------------------------------------------------------------------------

    /// Reports `x ** 2`, and `x ^ 2` of a scalar.
    pub(super) fn ensure_no_power(&mut self, binary: &ExprBinary, left: &Value) -> Interpreted<()> {
        let (exponent, written) = match (starred(binary), &binary.op) {
            (Some(exponent), _) => (exponent, "**"),
            (None, BinOp::BitXor(_)) if matches!(left, Value::Scalar(_) | Value::Matrix(_)) => {
                (first_factor(&binary.right), "^")
            }
            _ => return Ok(()),
        };
        let value = self.expression(exponent)?;
        let base = last_factor(&binary.left);
        let op = &binary.op;
        let at = if written == "^" {
            quote!(#base #op #exponent)
        } else {
            let right = &binary.right;
            quote!(#base #op #right)
        };
        let message = if written == "^" { "`^` is the exclusive or of integers" } else { "Rust has no operator `**`" };
        let help = match left {
            Value::Matrix(a) if self.expressions.shape(*a).1 == 1 => format!("{}.norm_squared()", atom(base)),
            Value::Matrix(_) => format!("{0} * {0}", operand(base)),
            Value::Integer(_) => power(&real_atom(base), exponent, &value, &self.expressions),
            _ => power(&atom(base), exponent, &value, &self.expressions),
        };
        self.error_with_help(at, message, format_args!("write `{help}`"))
    }

    /// Reports the operand of an operator that has the wrong type.
    pub(super) fn ensure_sides(&mut self, binary: &ExprBinary, left: &Value, right: &Value) -> Interpreted<()> {
        let (a, b) = (&*binary.left, &*binary.right);
        let found = self
            .operand_help(binary, (a, left), right, true)
            .or_else(|| self.operand_help(binary, (b, right), left, false))
            .or_else(|| self.product_help(binary, left, right));
        match found {
            Some(Advice { at, message, help }) => self.error_with_help(at, message, help),
            None => Ok(()),
        }
    }

    /// Returns help for an operand of the wrong type, given the other operand.
    fn operand_help(
        &self,
        binary: &ExprBinary,
        (expr, value): (&Expr, &Value),
        other: &Value,
        is_left: bool,
    ) -> Option<Advice> {
        let is_number = matches!(other, Value::Scalar(_) | Value::Matrix(_));
        match value {
            Value::Integer(_) | Value::Count(..) if is_number => {
                let text = real(expr);
                // `i as f64 < x` would be parsed as the beginning of generic arguments.
                let text = if is_left && matches!(binary.op, BinOp::Lt(_)) { format!("({text})") } else { text };
                let message = if is_quotient(expr) {
                    format!(
                        "expected a scalar, found `{}`, an integer division that rounds towards zero",
                        source(unwrapped(expr))
                    )
                } else {
                    "expected a scalar, found an integer".to_owned()
                };
                advice(expr, message, format!("write `{text}`"))
            }
            Value::Known(_) | Value::Bool(_) if is_number => advice(
                expr,
                "expected a scalar, found a `bool`",
                format!("write `f64::from({})`", source(unwrapped(expr))),
            ),
            value if self.rotation_of(value) == Some(Rotation::SO2) && matches!(other, Value::Scalar(_)) => {
                advice(expr, "expected a scalar, found an element of SO(2)", format!("write `{}.angle()`", atom(expr)))
            }
            Value::Element(point) if point.group.has_sphere() && !other.is_group_element() => {
                advice(expr, "expected a vector, found a point of S²", format!("write `{}.direction()`", atom(expr)))
            }
            Value::Array(items) if is_number && items.iter().all(|item| matches!(item, Value::Scalar(_))) => advice(
                expr,
                format!("expected a vector, found an array of {}", items.len()),
                format!("write `{}::from({})`", vector(items.len()), source(unwrapped(expr))),
            ),
            Value::Optional(_) | Value::Invertible(_) if !matches!(other, Value::Optional(_)) => {
                advice(expr, "expected a value, found an `Option`", format!("write `{}.unwrap()`", atom(expr)))
            }
            _ => None,
        }
    }

    /// Returns help for products and sums of group elements with operands on which they do not act.
    #[allow(clippy::too_many_lines)] // One arm for each pair of operands.
    fn product_help(&self, binary: &ExprBinary, left: &Value, right: &Value) -> Option<Advice> {
        let (a, b) = (operand(&binary.left), operand(&binary.right));
        let e = &self.expressions;
        let shape = |value: &Value| if let Value::Matrix(node) = value { e.shape(*node) } else { (0, 0) };
        let (found, other) = (left.describe(e), right.describe(e));
        match (&binary.op, left, right) {
            (BinOp::Mul(_), element, Value::Matrix(_))
                if self.rotation_of(element).is_some() && shape(right) == (3, 3) =>
            {
                advice(
                    &binary.left,
                    format!("expected a matrix, found {found}"),
                    format!("write `{}.rotation_matrix()`", atom(&binary.left)),
                )
            }
            (BinOp::Mul(_), Value::Matrix(_), element) if self.rotation_of(element).is_some() && shape(left).1 == 3 => {
                advice(
                    &binary.right,
                    format!("expected a matrix, found {other}"),
                    format!("write `{}.rotation_matrix()`", atom(&binary.right)),
                )
            }
            (BinOp::Mul(_), Value::Matrix(_), element) if element.is_group_element() => {
                advice(binary, "a group element must be the left factor", format!("write `{b} * {a}`"))
            }
            (BinOp::Mul(_), Value::Scalar(_), Value::Element(element))
            | (BinOp::Mul(_), Value::Element(element), Value::Scalar(_)) => {
                let (scalar, of) = if matches!(left, Value::Scalar(_)) { (&a, &b) } else { (&b, &a) };
                let help = format!("write `{}::exp(&({scalar} * {of}.log()))`", element.group.name);
                advice(binary, format!("{found} and {other} cannot be multiplied"), help)
            }
            (BinOp::Add(_) | BinOp::Sub(_), Value::Element(element), Value::Matrix(_))
                if self.translation(element).is_some_and(|x| e.shape(x) == shape(right)) =>
            {
                advice(
                    &binary.left,
                    format!("expected a vector, found {found}"),
                    format!("write `{}`", translation_of(&atom(&binary.left), element)),
                )
            }
            (BinOp::Add(_) | BinOp::Sub(_), Value::Matrix(_), Value::Element(element))
                if self.translation(element).is_some_and(|x| e.shape(x) == shape(left)) =>
            {
                advice(
                    &binary.right,
                    format!("expected a vector, found {other}"),
                    format!("write `{}`", translation_of(&atom(&binary.right), element)),
                )
            }
            (BinOp::Add(_), left, right) if left.is_group_element() && right.is_group_element() => {
                advice(binary, "group elements cannot be added: the composition is `*`", format!("write `{a} * {b}`"))
            }
            (BinOp::Sub(_), left, right) if left.is_group_element() && right.is_group_element() => advice(
                binary,
                "group elements cannot be subtracted: their difference is a logarithm",
                format!("write `({b}.inverse() * {a}).log()`"),
            ),
            (BinOp::Add(_) | BinOp::Sub(_), element, Value::Matrix(_)) if self.rotation_of(element).is_some() => {
                advice(
                    binary,
                    format!("cannot add {found} and a vector: group elements act by `*`"),
                    format!("write `{a} * {b}`"),
                )
            }
            (BinOp::Add(_) | BinOp::Sub(_), Value::Matrix(_), element) if self.rotation_of(element).is_some() => {
                advice(
                    binary,
                    format!("cannot add {other} and a vector: group elements act by `*`"),
                    format!("write `{b} * {a}`"),
                )
            }
            (BinOp::Mul(_), Value::Matrix(_), Value::Matrix(_))
                if shape(left).1 == 1 && shape(left) == shape(right) =>
            {
                advice(
                    binary,
                    format!("{found} and {other} cannot be multiplied"),
                    format!(
                        "write `{}.dot(&{b})` for the inner product, or `.cross(&{b})`, or `.component_mul(&{b})`",
                        atom(&binary.left)
                    ),
                )
            }
            _ => None,
        }
    }

    /// Returns the rotation type of an element.
    pub(super) fn rotation_of(&self, value: &Value) -> Option<Rotation> {
        match value {
            Value::Element(Element { parts, .. }) if parts.len() == 1 => self.expressions.rotation(parts[0]),
            _ => None,
        }
    }

    /// Returns the translation of a pose.
    fn translation(&self, element: &Element) -> Option<Node> {
        match *element.parts {
            [rotation, translation] if self.expressions.rotation(rotation).is_some() => Some(translation),
            _ => None,
        }
    }

    /// Reports operands whose types do not match.
    pub(super) fn mismatch(&mut self, at: &impl ToTokens, left: &Value, right: &Value, verb: &str) -> Interpreted {
        if matches!(left, Value::Unknown) || matches!(right, Value::Unknown) {
            return Err(Reported);
        }
        let (a, b) = (left.describe(&self.expressions), right.describe(&self.expressions));
        let message = format!("{a} and {b} cannot be {verb}");
        let help = match (left, right) {
            (Value::Integer(_) | Value::Count(..), _) | (_, Value::Integer(_) | Value::Count(..)) => {
                "convert the integers to scalars, `n as f64`".to_owned()
            }
            (Value::List(_), _) | (_, Value::List(_)) => {
                "let the term run over members, and use the item of each member, `list[index]`".to_owned()
            }
            (Value::Matrix(a), Value::Matrix(b)) if verb == "multiplied" => {
                let ((_, columns), (rows, _)) = (self.expressions.shape(*a), self.expressions.shape(*b));
                format!(
                    "change the shapes: the left factor has {columns} columns, but the right factor has {rows} rows"
                )
            }
            (Value::Scalar(_), Value::Matrix(_)) | (Value::Matrix(_), Value::Scalar(_)) if verb != "multiplied" => {
                "use an entry such as `v[0]`, or a vector of equal entries".to_owned()
            }
            (left, right) if left.is_group_element() && right.is_group_element() => {
                "use two elements of the same group".to_owned()
            }
            (left, Value::Matrix(_)) if left.is_group_element() => {
                "multiply a rotation or pose only by vectors of the space on which it acts".to_owned()
            }
            (Value::Struct(owner, _), _) | (_, Value::Struct(owner, _)) => {
                let owner = owner.split("::").next().unwrap_or_default();
                format!(
                    "declare a method in `impl {owner}`: operators of user-defined types are trait functions, which are not supported"
                )
            }
            (Value::Tuple(_) | Value::Array(_) | Value::Optional(_), _) if verb.starts_with("compared") => {
                "compare the scalars in them one by one".to_owned()
            }
            _ => return self.error(at, message),
        };
        self.error_with_help(at, message, help)
    }
}
