//! Methods of scalars.

use super::Value;
use crate::expr::{Expressions, Function, Node, Relation};

/// The methods of scalars that are not elementary functions, for "did you mean" suggestions.
pub(super) const SCALAR_METHODS: &str = "powi powf recip hypot mul_add sin_cos atan2 min max clamp signum copysign to_radians to_degrees \
     log10 log2 log exp2 fract rem_euclid div_euclid is_sign_negative is_sign_positive";

/// Calls a method of a scalar; returns `None` if there is no such method.
#[allow(clippy::too_many_lines)] // One arm for each method.
pub(super) fn scalar_method(e: &mut Expressions, a: Node, name: &str, arguments: &[Value]) -> Option<Value> {
    if let (Some(function), []) = (Function::named(name), arguments) {
        return Some(Value::Scalar(e.function(function, a)));
    }
    let number = |value: &Value| match value {
        Value::Scalar(node) => Some(*node),
        _ => None,
    };
    let result = match (name, arguments) {
        ("powi", [Value::Integer(n)]) => e.power(a, i32::try_from(n.value).ok()?),
        ("powf", [b]) => e.real_power(a, number(b)?),
        ("recip", []) => {
            let one = e.number(1.0);
            e.divide(one, a)
        }
        ("hypot", [b]) => {
            let b = number(b)?;
            let (aa, bb) = (e.scale(a, a), e.scale(b, b));
            let sum = e.add(aa, bb);
            e.function(Function::Sqrt, sum)
        }
        ("mul_add", [b, c]) => {
            let product = e.scale(a, number(b)?);
            e.add(product, number(c)?)
        }
        ("sin_cos", []) => {
            let sine = Value::Scalar(e.function(Function::Sin, a));
            let cosine = Value::Scalar(e.function(Function::Cos, a));
            return Some(Value::Tuple(vec![sine, cosine]));
        }
        ("atan2", [x]) => e.atan2(a, number(x)?),
        ("min", [b]) => {
            let b = number(b)?;
            // An infinite start value of a fold is dropped at compile time.
            if let Some(other) = without(e, a, b, f64::INFINITY) {
                return Some(Value::Scalar(other));
            }
            let less = e.compare(Relation::Less, a, b);
            e.select(less, a, b)
        }
        ("max", [b]) => {
            let b = number(b)?;
            if let Some(other) = without(e, a, b, f64::NEG_INFINITY) {
                return Some(Value::Scalar(other));
            }
            let less = e.compare(Relation::Less, b, a);
            e.select(less, a, b)
        }
        ("clamp", [low, high]) => {
            let (low, high) = (number(low)?, number(high)?);
            let below = e.compare(Relation::Less, a, low);
            let above = e.compare(Relation::Less, high, a);
            let upper = e.select(above, high, a);
            e.select(below, low, upper)
        }
        ("signum", []) => {
            let (zero, one, minus) = (e.number(0.0), e.number(1.0), e.number(-1.0));
            let negative = e.compare(Relation::Less, a, zero);
            e.select(negative, minus, one)
        }
        ("to_radians", []) => {
            let factor = e.number(std::f64::consts::PI / 180.0);
            e.scale(factor, a)
        }
        ("to_degrees", []) => {
            let factor = e.number(180.0 / std::f64::consts::PI);
            e.scale(factor, a)
        }
        ("copysign", [sign]) => {
            let (sign, zero) = (number(sign)?, e.number(0.0));
            let size = e.function(Function::Abs, a);
            let (opposite, negative) = (e.neg(size), e.compare(Relation::Less, sign, zero));
            e.select(negative, opposite, size)
        }
        ("log10" | "log2", []) => {
            use std::f64::consts::{LN_2, LN_10};
            let is_two = name == "log2";
            // Constants with Rust's rounding.
            if let Some(x) = e.as_number(a) {
                return Some(Value::Scalar(e.number(if is_two { x.log2() } else { x.log10() })));
            }
            let (logarithm, base) = (e.function(Function::Ln, a), e.number(if is_two { LN_2 } else { LN_10 }));
            e.divide(logarithm, base)
        }
        ("log", [base]) => {
            let base = number(base)?;
            let (logarithm, base) = (e.function(Function::Ln, a), e.function(Function::Ln, base));
            e.divide(logarithm, base)
        }
        ("exp2", []) => {
            if let Some(x) = e.as_number(a) {
                return Some(Value::Scalar(e.number(x.exp2())));
            }
            let factor = e.number(std::f64::consts::LN_2);
            let product = e.scale(factor, a);
            e.function(Function::Exp, product)
        }
        ("fract", []) => {
            let whole = e.function(Function::Trunc, a);
            e.sub(a, whole)
        }
        ("rem_euclid", [b]) => {
            let b = number(b)?;
            let (remainder, zero) = (e.remainder(a, b), e.number(0.0));
            let size = e.function(Function::Abs, b);
            let (negative, raised) = (e.compare(Relation::Less, remainder, zero), e.add(remainder, size));
            e.select(negative, raised, remainder)
        }
        ("div_euclid", [b]) => {
            let b = number(b)?;
            let (zero, one) = (e.number(0.0), e.number(1.0));
            let (quotient, remainder) = (e.divide(a, b), e.remainder(a, b));
            let whole = e.function(Function::Trunc, quotient);
            let (lower, upper) = (e.sub(whole, one), e.add(whole, one));
            let positive = e.compare(Relation::Less, zero, b);
            let moved = e.select(positive, lower, upper);
            let negative = e.compare(Relation::Less, remainder, zero);
            e.select(negative, moved, whole)
        }
        ("is_sign_negative" | "is_sign_positive", []) => {
            let zero = e.number(0.0);
            let negative = e.compare(Relation::Less, a, zero);
            return Some(Value::Bool(if name == "is_sign_negative" { negative } else { e.not(negative) }));
        }
        _ => return None,
    };
    Some(Value::Scalar(result))
}

/// Returns the other operand if one of the two is `limit`.
fn without(e: &Expressions, a: Node, b: Node, limit: f64) -> Option<Node> {
    if e.as_number(a) == Some(limit) {
        return Some(b);
    }
    (e.as_number(b) == Some(limit)).then_some(a)
}
