//! Expressions as text, for help texts.

use quote::ToTokens;
use syn::{BinOp, Expr, Lit, UnOp};

use super::Value;
use crate::diagnostics::source;
use crate::expr::Expressions;

/// Names in other languages and libraries, with the names in Rust or nalgebra.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("arcsin", "asin"),
    ("arccos", "acos"),
    ("arctan", "atan"),
    ("arctan2", "atan2"),
    ("fabs", "abs"),
    ("fmin", "min"),
    ("fmax", "max"),
    ("fmod", "rem_euclid"),
    ("sign", "signum"),
    ("sgn", "signum"),
    ("log1p", "ln_1p"),
    ("expm1", "exp_m1"),
    ("inv", "inverse"),
    ("det", "determinant"),
    ("t", "transpose"),
    ("length", "norm"),
    ("mag", "norm"),
    ("squared_norm", "norm_squared"),
    ("normalized", "normalize"),
    ("unit", "normalize"),
    ("inner", "dot"),
    ("hat", "cross_matrix"),
    ("skew", "cross_matrix"),
];

/// Returns the Rust or nalgebra name of a method or function.
pub(super) fn rust_name(name: &str) -> &str {
    OTHER_NAMES.iter().find(|(other, _)| *other == name).map_or(name, |(_, here)| here)
}

/// Returns an expression without enclosing parentheses.
pub(super) fn unwrapped(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => unwrapped(&inner.expr),
        Expr::Group(inner) => unwrapped(&inner.expr),
        other => other,
    }
}

/// Returns the text of an expression such that `.method()` can follow.
pub(super) fn atom(expr: &Expr) -> String {
    match expr {
        Expr::Reference(inner) => atom(&inner.expr),
        Expr::Unary(inner) if matches!(inner.op, UnOp::Deref(_)) => atom(&inner.expr),
        Expr::Group(inner) => atom(&inner.expr),
        Expr::Lit(literal) => match &literal.lit {
            Lit::Float(number) if number.suffix().is_empty() => format!("{}_f64", number.base10_digits()),
            Lit::Int(number) => format!("{}.0_f64", number.base10_digits()),
            _ => source(expr),
        },
        Expr::Path(_)
        | Expr::Field(_)
        | Expr::Call(_)
        | Expr::MethodCall(_)
        | Expr::Paren(_)
        | Expr::Index(_)
        | Expr::Macro(_)
        | Expr::Array(_)
        | Expr::Tuple(_) => source(expr),
        _ => format!("({})", source(expr)),
    }
}

/// Returns the text of an expression as an operand of an operator.
pub(super) fn operand(expr: &Expr) -> String {
    match expr {
        Expr::Reference(inner) => operand(&inner.expr),
        Expr::Lit(_) => source(expr),
        _ => atom(expr),
    }
}

/// Returns the text of an integer expression as a scalar: literals get a decimal point, quotients are converted by factors, all other
/// expressions are cast.
pub(super) fn real(expr: &Expr) -> String {
    match expr {
        Expr::Group(inner) => real(&inner.expr),
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => format!("{}.0", number.base10_digits()),
            _ => source(expr),
        },
        Expr::Unary(inner) if matches!(inner.op, UnOp::Neg(_)) => format!("-{}", real(&inner.expr)),
        Expr::Unary(inner) if matches!(inner.op, UnOp::Deref(_)) => format!("{} as f64", source(expr)),
        Expr::Binary(inner) if matches!(inner.op, BinOp::Div(_)) => {
            format!("{} / {}", real(&inner.left), real(&inner.right))
        }
        Expr::Paren(inner) if matches!(unwrapped(expr), Expr::Lit(_)) || is_quotient(expr) => {
            format!("({})", real(&inner.expr))
        }
        Expr::Path(_) | Expr::Field(_) | Expr::Call(_) | Expr::MethodCall(_) | Expr::Index(_) | Expr::Paren(_) => {
            format!("{} as f64", source(expr))
        }
        _ => format!("({}) as f64", source(expr)),
    }
}

/// Returns the text of an integer expression as a scalar, such that `.method()` can follow.
pub(super) fn real_atom(expr: &Expr) -> String {
    if let Expr::Lit(_) = unwrapped(expr) { atom(unwrapped(expr)) } else { format!("({})", real(unwrapped(expr))) }
}

/// Returns true for a quotient such as `i / 2`.
pub(super) fn is_quotient(expr: &Expr) -> bool {
    matches!(unwrapped(expr), Expr::Binary(inner) if matches!(inner.op, BinOp::Div(_)))
}

/// Returns the text of the integer expression `at` as a scalar; its `value`, if `at` is not a single expression.
pub(super) fn real_of(value: i128, at: &impl ToTokens) -> String {
    match syn::parse2::<Expr>(at.to_token_stream()) {
        Ok(expr) if !matches!(expr, Expr::Call(_) | Expr::Macro(_) | Expr::Closure(_)) => real(&expr),
        _ => format!("{value}.0"),
    }
}

/// Returns the text of a power with `powi` or `powf`, depending on the exponent.
pub(super) fn power(base: &str, exponent: &Expr, value: &Value, expressions: &Expressions) -> String {
    match value {
        Value::Integer(n) if n.kind.is_none_or(|kind| kind.name() == "i32") => {
            format!("{base}.powi({})", source(unwrapped(exponent)))
        }
        Value::Integer(_) => format!("{base}.powi({} as i32)", operand(exponent)),
        Value::Count(..) => format!("{base}.powf({})", real(exponent)),
        Value::Scalar(node) => match expressions.as_number(*node) {
            Some(number) if number.fract() == 0.0 && number.abs() < 100.0 => format!("{base}.powi({number:.0})"),
            _ => format!("{base}.powf({})", source(unwrapped(exponent))),
        },
        _ => format!("{base}.powi(2)"),
    }
}

/// Returns the intended base `x` in `a * x ^ 2`: the last factor on the left.
pub(super) fn last_factor(expr: &Expr) -> &Expr {
    match expr {
        Expr::Binary(binary) => last_factor(&binary.right),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => last_factor(&unary.expr),
        other => other,
    }
}

/// Returns the intended exponent `2` in `x ^ 2 * a`: the first factor on the right.
pub(super) fn first_factor(expr: &Expr) -> &Expr {
    match expr {
        Expr::Binary(binary) => first_factor(&binary.left),
        other => other,
    }
}

/// Returns the exponent of `x ** 2`, which Rust parses as a product of `x` and `*2`.
pub(super) fn starred(binary: &syn::ExprBinary) -> Option<&Expr> {
    let (BinOp::Mul(_), Expr::Unary(star)) = (&binary.op, &*binary.right) else { return None };
    let is_literal = match unwrapped(&star.expr) {
        Expr::Lit(_) => true,
        Expr::Unary(minus) => matches!(minus.op, UnOp::Neg(_)) && matches!(*minus.expr, Expr::Lit(_)),
        _ => false,
    };
    (matches!(star.op, UnOp::Deref(_)) && is_literal).then_some(&*star.expr)
}

/// Returns the vector type of this size.
pub(super) fn vector(size: usize) -> String {
    if (1..=6).contains(&size) { format!("Vector{size}") } else { format!("SVector::<f64, {size}>") }
}
