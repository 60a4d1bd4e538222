//! Help for values that an expression cannot use: one text for each kind of value.

use quote::ToTokens;

use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::expr::{Expressions, Rotation};
use crate::group::Element;

/// Help for `x ^ 2`, `x ** 2` and `pow(x, 2)`.
pub(super) const POWERS: &str =
    "use `x.powi(2)` for a power, `x.powf(1.5)` for a real exponent, and `v.norm_squared()` for a vector";

/// Help for a list whose length is known at run time.
pub(super) const LISTS: &str =
    "let the term run over members, and use the item of each member, `list[index]`, or declare an array, `[f64; 3]`";

/// Names of functions in other languages and libraries, with their names in Rust or nalgebra.
const OTHER_NAMES: &str = "arcsin=asin arccos=acos arctan=atan arctan2=atan2 fabs=abs fmin=min fmax=max fmod=rem_euclid sign=signum \
     sgn=signum log1p=ln_1p expm1=exp_m1 inv=inverse det=determinant length=norm mag=norm squared_norm=norm_squared \
     normalized=normalize unit=normalize inner=dot hat=cross_matrix skew=cross_matrix";

/// Returns true if a list of names contains a name.
pub(super) fn contains(names: &str, name: &str) -> bool {
    names.split(' ').any(|known| known == name)
}

/// Returns the Rust or nalgebra name of a method or function.
pub(super) fn rust_name(name: &str) -> &str {
    OTHER_NAMES
        .split(' ')
        .filter_map(|pair| pair.split_once('='))
        .find(|(other, _)| *other == name)
        .map_or(name, |(_, here)| here)
}

/// Returns the expressions that use a value of this kind.
pub(super) fn help_for(value: &Value, e: &Expressions) -> &'static str {
    match value {
        Value::Scalar(_) => "use the operators `+ - * / %`, comparisons and the methods of `f64`",
        Value::Matrix(node) if e.shape(*node) == (6, 1) => {
            "use `v.angular()` and `v.linear()` of a twist, an entry, `v[0]`, or the operations of nalgebra"
        }
        Value::Matrix(_) => {
            "use an entry, `v.x` or `m[(0, 1)]`, or an operation of nalgebra: `a.dot(&b)`, `a.cross(&b)`, `a.component_mul(&b)`, `m * v`, \
             `m.tr_mul(&v)`, `m.try_inverse().unwrap()`"
        }
        Value::Integer(_) | Value::Count(..) => {
            "convert integers to scalars: `2.0` in place of `2`, and `n as f64` in place of `n`; an integer division rounds towards zero"
        }
        Value::Known(_) | Value::Bool(_) => {
            "write `if x > 0.0 { … } else { … }`, or convert the condition to a scalar, `f64::from(x > 0.0)`"
        }
        Value::Element(element) => element_help(element, e),
        Value::Array(_) => "use an item, `a[0]`, an iterator, `a.iter()`, or a vector, `Vector3::from(a)`",
        Value::List(_) => LISTS,
        Value::Tuple(_) => "use a part, `t.0`",
        Value::Struct(..) => {
            "use a field, or declare a method with `&self` in an `impl` of the type in this module; operators and traits of user-defined \
             types are not supported"
        }
        Value::Range(..) | Value::Sequence(_) => "use `map`, `sum`, `fold`, `collect`, or a `for` loop",
        Value::Optional(_) | Value::Invertible(_) => "call `unwrap()`",
        Value::Callable(_) => "call the function, `f(x)`",
        Value::Parameters | Value::Inputs | Value::Configuration | Value::Velocity => "use a field",
        Value::Text => "use strings in messages of assertions and in observables only",
        _ => "move the expression into an `#[opaque]` function",
    }
}

fn element_help(element: &Element, e: &Expressions) -> &'static str {
    let rotation = if let [part] = element.parts[..] { e.rotation(part) } else { None };
    let has_fields = element.group.storage.fields().contains(&"translation");
    match rotation {
        _ if element.group.has_sphere() => "use the unit vector of the point, `p.direction()`",
        Some(Rotation::SO2) => "use `r.angle()`, and products of rotations",
        Some(_) => {
            "use `r.rotation_matrix()`, `r.log()`, `r.inverse()` and products: `r * x` rotates the vector `x`, `a * b` is the \
             composition, and `(a.inverse() * b).log()` is the difference of two rotations"
        }
        None if has_fields => {
            "use `pose.rotation`, `pose.translation`, `pose.inverse()`, `pose.log()` and products: `pose * x` moves the point `x`"
        }
        None => {
            "use `pose.rotation()`, `pose.position()`, `pose.inverse()`, `pose.log()` and products: `pose * x` moves the point `x`"
        }
    }
}

impl SymbolicInterpreter<'_> {
    /// Reports operands whose types do not match.
    pub(super) fn mismatch(&mut self, at: &impl ToTokens, left: &Value, right: &Value, verb: &str) -> Interpreted {
        if matches!(left, Value::Unknown) || matches!(right, Value::Unknown) {
            return Err(Reported);
        }
        // The help belongs to the operand of the less common type.
        let rank = |value: &Value| match value {
            Value::Scalar(_) => 0,
            Value::Matrix(_) => 1,
            _ => 2,
        };
        let odd = if rank(left) >= rank(right) { left } else { right };
        // One message for all iterations of a loop.
        let found = |value: &Value| match value {
            Value::Integer(_) => "an integer".to_owned(),
            value => value.describe(&self.expressions),
        };
        if let (Value::Element(element), Value::Element(_), "added" | "subtracted") = (left, right, verb)
            && !element.group.has_sphere()
        {
            let message = format!("elements of {} are composed with `*`, and cannot be {verb}", element.group.notation);
            return self.error_with_help(at, message, help_for(left, &self.expressions));
        }
        let (a, b) = (found(left), found(right));
        self.error_with_help(at, format_args!("{a} and {b} cannot be {verb}"), help_for(odd, &self.expressions))
    }
}
