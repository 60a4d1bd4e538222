//! Type checks of the arguments of calls.

use syn::{ExprCall, FnArg, PatType, Signature, Type};

use super::integers::{NARROW, is_signed};
use super::{Interpreted, SymbolicInterpreter, Value};
use crate::diagnostics::source;
use crate::group::Group;
use crate::model::OutputShape;

impl SymbolicInterpreter<'_> {
    /// Reports the first argument whose type certainly differs from the declared type.
    pub(super) fn ensure_arguments(
        &mut self,
        call: &ExprCall,
        signature: &Signature,
        values: &[Value],
    ) -> Interpreted<()> {
        let typed: Vec<&PatType> = signature
            .inputs
            .iter()
            .filter_map(|input| if let FnArg::Typed(typed) = input { Some(typed) } else { None })
            .collect();
        if typed.len() != values.len() || typed.len() != call.args.len() {
            return Ok(());
        }
        let Some(first) = (0..typed.len()).find(|&at| !self.fits(&values[at], &typed[at].ty)) else { return Ok(()) };
        let name = &signature.ident;
        let help = format!("pass arguments of the declared types, `{}`", declaration(signature));
        let (found, wanted) = (values[first].describe(&self.expressions), source(typed[first]));
        self.error_with_help(
            &call.args[first],
            format_args!("mismatched types: `{name}` expects `{wanted}`, found {found}"),
            help,
        )
    }

    /// Returns false if a value certainly has another type.
    fn fits(&self, value: &Value, ty: &Type) -> bool {
        match ty {
            Type::Reference(inner) => return self.fits(value, &inner.elem),
            Type::Paren(inner) => return self.fits(value, &inner.elem),
            Type::Group(inner) => return self.fits(value, &inner.elem),
            Type::Array(inner) => {
                return match value {
                    Value::Array(items) => items.iter().all(|item| self.fits(item, &inner.elem)),
                    _ => is_open(value),
                };
            }
            Type::Tuple(tuple) => {
                return match value {
                    Value::Tuple(parts) => {
                        parts.len() == tuple.elems.len()
                            && parts.iter().zip(&tuple.elems).all(|(part, ty)| self.fits(part, ty))
                    }
                    Value::Unit => tuple.elems.is_empty(),
                    _ => is_open(value),
                };
            }
            _ => {}
        }
        if is_open(value) {
            return true;
        }
        if let Some(shape) = shape(ty) {
            return match (value, shape) {
                (Value::Scalar(_), OutputShape::Scalar) => true,
                (Value::Matrix(node), OutputShape::Vector(rows)) => self.expressions.shape(*node) == (rows, 1),
                (Value::Matrix(node), OutputShape::Matrix(rows, columns)) => {
                    self.expressions.shape(*node) == (rows, columns)
                }
                _ => false,
            };
        }
        let Type::Path(path) = ty else { return true };
        let Some(name) = path.path.get_ident().map(ToString::to_string) else { return true };
        if let Some(group) = Group::named(&name) {
            return match value {
                Value::Element(element) => element.group.is_same(&group),
                Value::Matrix(node) => {
                    group.is_vector_space() && self.expressions.shape(*node) == (group.dimension(), 1)
                }
                _ => false,
            };
        }
        let model = self.model;
        let whole = if model.parameters.as_ref().is_some_and(|parameters| parameters.item.ident == name) {
            Some(Value::Parameters)
        } else if model.inputs.as_ref().is_some_and(|inputs| inputs.item.ident == name) {
            Some(Value::Inputs)
        } else if model.configuration.item.ident == name {
            Some(Value::Configuration)
        } else {
            (name == "Velocity").then_some(Value::Velocity)
        };
        match whole {
            // A struct literal has the fields of the struct.
            Some(whole) => *value == whole || matches!(value, Value::Struct(own, _) if *own == name),
            None if name == "bool" => matches!(value, Value::Known(_) | Value::Bool(_)),
            None if is_signed(&name).is_some() || NARROW.contains(&name.as_str()) => {
                matches!(value, Value::Integer(_) | Value::Count(..))
            }
            None => true,
        }
    }
}

/// Returns true for values without a known type.
fn is_open(value: &Value) -> bool {
    matches!(value, Value::Unknown | Value::Unset | Value::Sequence(_) | Value::Callable(_) | Value::Opaque(_))
}

/// Returns the shape of a type in canonical form.
fn shape(ty: &Type) -> Option<OutputShape> {
    let Type::Path(path) = ty else { return None };
    let segment = path.path.segments.last().filter(|_| path.path.segments.len() == 1)?;
    if segment.ident == "f64" {
        Some(OutputShape::Scalar)
    } else {
        crate::syntax::shape_named(&segment.ident.to_string())
    }
}

/// Returns a declaration such as `fn spring(k: f64, x: &Vector3<f64>) -> f64`.
fn declaration(signature: &Signature) -> String {
    let inputs: Vec<String> = signature.inputs.iter().map(source).collect();
    let output = match &signature.output {
        syn::ReturnType::Type(_, ty) => format!(" -> {}", source(ty)),
        syn::ReturnType::Default => String::new(),
    };
    format!("fn {}({}){output}", signature.ident, inputs.join(", "))
}
