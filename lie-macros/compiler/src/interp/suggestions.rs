//! Replacements for missing fields, entries, methods and functions.
//!
//! The invariant of `type_help` holds here: the help compiles in place of the underlined tokens.

use quote::ToTokens;
use syn::{Expr, ExprCall, ExprMethodCall, Member};

use super::matrices::MATRIX_METHODS;
use super::pretty_print::{atom, operand, power, real, real_atom, rust_name, vector};
use super::scalar_methods::SCALAR_METHODS;
use super::{SymbolicInterpreter, Value};
use crate::diagnostics::source;
use crate::expr::Function;
use crate::expr::Rotation;
use crate::group::Element;

impl SymbolicInterpreter<'_> {
    // ---- Fields and indices ----------------------------------------------------------------------------------------

    /// Returns the replacement for a missing field.
    pub(super) fn instead_of_field(&self, base: &Expr, value: &Value, member: &Member) -> Option<String> {
        let (base, name) = (atom(base), member.to_token_stream().to_string());
        let name = name.as_str();
        let is_place = matches!(name, "translation" | "position" | "linear" | "pos" | "vector" | "coords" | "0");
        let is_turning = matches!(name, "rotation" | "attitude" | "orientation" | "angular" | "quaternion");
        let is_axis = matches!(name, "x" | "y" | "z");
        match value {
            Value::Matrix(node) => match self.expressions.shape(*node) {
                (6, 1) if is_turning => Some(format!("{base}.angular()")),
                (6, 1) if is_place => Some(format!("{base}.linear()")),
                (3, 1) if name == "angular" => Some(base),
                (_, 1) if is_place => Some(base),
                (rows, 1) if name.parse::<usize>().is_ok_and(|at| at < rows) => Some(format!("{base}[{name}]")),
                _ => None,
            },
            Value::Scalar(_) if is_axis || is_turning || is_place => Some(base),
            Value::Element(element) if element.group.has_sphere() => {
                is_axis.then(|| format!("{base}.direction().{name}"))
            }
            Value::Element(element) => match self.rotation_of(value) {
                Some(Rotation::SO2) => Some(format!("{base}.angle()")),
                Some(_) if is_turning => Some(base),
                Some(_) if is_axis => Some(format!("{base}.log().{name}")),
                Some(_) => Some(format!("{base}.rotation_matrix()")),
                None if is_place => Some(translation_of(&base, element)),
                None if is_axis => Some(format!("{}.{name}", translation_of(&base, element))),
                None if is_turning => Some(rotation_part_of(&base, element)),
                None => None,
            },
            Value::Array(items) if name.parse::<usize>().is_ok_and(|at| at < items.len()) => {
                Some(format!("{base}[{name}]"))
            }
            _ => None,
        }
    }

    /// Returns the replacement for an index of a value without entries.
    pub(super) fn instead_of_entry(&self, index: &syn::ExprIndex, value: &Value) -> Option<String> {
        let (base, at) = (atom(&index.expr), source(&index.index));
        let is_pair = matches!(*index.index, Expr::Tuple(_));
        match value {
            Value::Scalar(_) => Some(base),
            Value::Element(element) if element.group.has_sphere() => Some(format!("{base}.direction()[{at}]")),
            Value::Element(element) => match self.rotation_of(value) {
                Some(Rotation::SO2) if !is_pair => Some(format!("{base}.angle()")),
                Some(_) if is_pair => Some(format!("{base}.rotation_matrix()[{at}]")),
                Some(_) => Some(format!("{base}.log()[{at}]")),
                None if is_pair => Some(format!("{}.rotation_matrix()[{at}]", rotation_part_of(&base, element))),
                None => Some(format!("{}[{at}]", translation_of(&base, element))),
            },
            Value::Tuple(_) if matches!(*index.index, Expr::Lit(_)) => Some(format!("{base}.{at}")),
            Value::Sequence(_) => Some(format!("{base}.nth({at}).unwrap()")),
            Value::Optional(_) | Value::Invertible(_) => Some(format!("{base}.unwrap()[{at}]")),
            _ => None,
        }
    }

    // ---- Methods and functions -------------------------------------------------------------------------------------

    /// Returns the replacement for a missing method, or for a method with the wrong arguments.
    pub(super) fn instead_of_method(
        &self,
        call: &ExprMethodCall,
        receiver: &Value,
        name: &str,
        arguments: &[Value],
    ) -> Option<String> {
        let given: Vec<&Expr> = call.args.iter().collect();
        let on = |base: &str| format!("{base}.{}({})", rust_name(name), listed(&given));
        let (base, here) = (atom(&call.receiver), rust_name(name));
        let is_scalar = Function::named(here).is_some();
        let is_number = is_scalar || SCALAR_METHODS.contains(&here);
        let is_matrix = MATRIX_METHODS.contains(&here);
        let is_action =
            matches!(name, "rotate" | "apply" | "transform" | "act" | "transform_vector" | "transform_point");
        match (receiver, name, arguments) {
            (Value::Scalar(_), "pow" | "power" | "powi" | "powf", [value]) => {
                Some(power(&base, given.first()?, value, &self.expressions))
            }
            (Value::Scalar(_), "sqr" | "square" | "squared" | "norm_squared" | "magnitude_squared", []) => {
                Some(format!("{base}.powi(2)"))
            }
            (Value::Scalar(_), "norm" | "magnitude", []) => Some(format!("{base}.abs()")),
            (Value::Scalar(_), "dot", [Value::Scalar(_)]) => Some(format!("{base} * {}", operand(given.first()?))),
            (Value::Scalar(_), "angle", []) => Some(base),
            (Value::Scalar(_), "log", []) => Some(format!("{base}.ln()")),
            (Value::Scalar(_), ..) if is_number && arguments.iter().any(|value| matches!(value, Value::Integer(_))) => {
                Some(format!("{base}.{here}({})", as_reals(&given, arguments)))
            }
            (Value::Scalar(_), ..) if here != name && is_number => Some(on(&base)),
            (Value::Integer(_), ..) if is_number => Some(on(&real_atom(&call.receiver))),
            // The value of an integer parameter is known when the system is constructed.
            (Value::Count(..), "pow" | "powi" | "powf", [value]) => {
                Some(power(&real_atom(&call.receiver), given.first()?, value, &self.expressions))
            }
            (Value::Count(..), ..) if is_number => {
                Some(format!("{}.{here}({})", real_atom(&call.receiver), as_reals(&given, arguments)))
            }
            (Value::Element(_), _, [Value::Matrix(_)]) if is_action => {
                Some(format!("{base} * {}", operand(given.first()?)))
            }
            (Value::Element(_), "inv", []) => Some(format!("{base}.inverse()")),
            (Value::Element(element), "x" | "y" | "z", []) if element.group.has_sphere() => {
                Some(format!("{base}.direction().{name}"))
            }
            (Value::Element(element), ..) if element.group.has_sphere() => {
                is_matrix.then(|| on(&format!("{base}.direction()")))
            }
            (Value::Element(element), ..) => match self.rotation_of(receiver) {
                Some(Rotation::SO2) if here == "norm" => Some(format!("{base}.angle().abs()")),
                Some(Rotation::SO2) if is_number => Some(on(&format!("{base}.angle()"))),
                Some(_) if matches!(here, "norm" | "norm_squared" | "dot") => Some(on(&format!("{base}.log()"))),
                Some(_) if matches!(name, "to_rotation_matrix" | "to_matrix" | "as_matrix" | "to_homogeneous") => {
                    Some(format!("{base}.rotation_matrix()"))
                }
                Some(_) if here == "matrix" => Some(format!("{base}.rotation_matrix()")),
                Some(_) if is_matrix => Some(on(&format!("{base}.rotation_matrix()"))),
                None if matches!(here, "angle" | "matrix" | "rotation_matrix") => {
                    Some(on(&rotation_part_of(&base, element)))
                }
                None if is_matrix => Some(on(&translation_of(&base, element))),
                None if matches!(name, "translation" | "origin") && given.is_empty() => {
                    Some(translation_of(&base, element))
                }
                _ => None,
            },
            (Value::Matrix(_), "inverse" | "inv", []) => Some(format!("{base}.try_inverse().unwrap()")),
            // The exponential of a matrix is not the matrix of the exponentials of its entries.
            (Value::Matrix(node), "exp" | "pow", _) if self.expressions.shape(*node).1 > 1 => None,
            (Value::Matrix(node), ..) if is_scalar => {
                let (_, columns) = self.expressions.shape(*node);
                Some(on(&format!("{base}{}", if columns == 1 { "[0]" } else { "[(0, 0)]" })))
            }
            (Value::Matrix(node), ..) if self.expressions.shape(*node) == (6, 1) => match name {
                "rotation" | "attitude" => Some(format!("{base}.angular()")),
                "translation" | "position" => Some(format!("{base}.linear()")),
                _ => (here != name && is_matrix).then(|| on(&base)),
            },
            (Value::Matrix(_), ..) if here != name && is_matrix => Some(on(&base)),
            (Value::Array(items), ..) if is_matrix && items.iter().all(|item| matches!(item, Value::Scalar(_))) => {
                Some(on(&format!("{}::from({})", vector(items.len()), source(&call.receiver))))
            }
            _ => None,
        }
    }

    /// The replacement for a constructor of rotations in other libraries.
    pub(super) fn instead_of_rotation(call: &ExprCall, ty: &str, name: &str, arguments: &[Value]) -> Option<String> {
        if !matches!(ty, "SO3" | "S3") {
            return None;
        }
        let given: Vec<&Expr> = call.args.iter().collect();
        let turn = |axis: &str, angle: &Expr| format!("{ty}::exp(&(Vector3::{axis}() * {}))", operand(angle));
        match (name, given.as_slice(), arguments) {
            ("from_axis_angle", [axis, angle], [Value::Matrix(_), Value::Scalar(_)]) => {
                Some(format!("{ty}::exp(&({} * {}))", operand(axis), operand(angle)))
            }
            ("from_scaled_axis" | "new", [vector], [Value::Matrix(_)]) => Some(format!("{ty}::exp(&{})", atom(vector))),
            ("from_euler_angles", [roll, pitch, yaw], [Value::Scalar(_), Value::Scalar(_), Value::Scalar(_)]) => {
                Some(format!("{} * {} * {}", turn("z", yaw), turn("y", pitch), turn("x", roll)))
            }
            _ => None,
        }
    }

    /// Returns the replacement for a free function that is a method in Rust.
    pub(super) fn instead_of_function(&self, call: &ExprCall, name: &str, arguments: &[Value]) -> Option<String> {
        let given: Vec<&Expr> = call.args.iter().collect();
        let (receiver, rest) = given.split_first()?;
        let (value, others) = arguments.split_first()?;
        let here = rust_name(name);
        let is_number = Function::named(here).is_some() || SCALAR_METHODS.contains(&here);
        let base = match value {
            Value::Integer(_) => real_atom(receiver),
            value if self.rotation_of(value) == Some(Rotation::SO2) => format!("{}.angle()", atom(receiver)),
            _ => atom(receiver),
        };
        match (name, rest) {
            ("pow" | "power" | "powi" | "powf", [exponent]) => {
                Some(power(&base, exponent, others.first()?, &self.expressions))
            }
            ("sqr" | "square", []) => Some(format!("{base}.powi(2)")),
            // The natural logarithm, as in all numerical languages.
            ("log", []) => Some(format!("{base}.ln()")),
            _ if is_number => {
                let rest = if here == "powi" { listed(rest) } else { as_reals(rest, others) };
                Some(format!("{base}.{here}({rest})"))
            }
            _ if MATRIX_METHODS.contains(&here) || here == "inverse" => {
                let rest: Vec<String> = rest
                    .iter()
                    .zip(others)
                    .map(|(expr, value)| match (value, expr) {
                        (Value::Matrix(_), Expr::Reference(_)) | (Value::Scalar(_) | Value::Integer(_), _) => {
                            source(expr)
                        }
                        _ => format!("&{}", atom(expr)),
                    })
                    .collect();
                Some(format!("{base}.{here}({})", rest.join(", ")))
            }
            _ => None,
        }
    }
}

fn listed(expressions: &[&Expr]) -> String {
    expressions.iter().map(source).collect::<Vec<_>>().join(", ")
}

/// Returns a list of arguments with integers as scalars.
fn as_reals(given: &[&Expr], values: &[Value]) -> String {
    let text = |(expr, value): (&&Expr, &Value)| match value {
        Value::Integer(_) | Value::Count(..) => real(expr),
        _ => source(expr),
    };
    given.iter().zip(values).map(text).collect::<Vec<_>>().join(", ")
}

/// Returns the translation of a pose, as a field or by a method.
pub(super) fn translation_of(base: &str, element: &Element) -> String {
    let has_field = element.group.storage.fields().contains(&"translation");
    if has_field { format!("{base}.translation") } else { format!("{base}.position()") }
}

/// Returns the rotation of a pose, as a field or by a method.
fn rotation_part_of(base: &str, element: &Element) -> String {
    let has_field = element.group.storage.fields().contains(&"rotation");
    if has_field { format!("{base}.rotation") } else { format!("{base}.rotation()") }
}
