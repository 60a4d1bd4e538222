//! Calls of opaque functions, and their hand-written derivatives.

use syn::ExprCall;

use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::model::{Opaque, OutputShape};

impl SymbolicInterpreter<'_> {
    pub(super) fn opaque_call(&mut self, call: &ExprCall, index: usize, arguments: &[Value]) -> Interpreted {
        let opaque = &self.model.opaques[index];
        if opaque.arguments.len() != arguments.len() {
            let count = opaque.arguments.len();
            let is_opaque = |item: &&syn::Item| matches!(item, syn::Item::Fn(item) if item.sig.ident == opaque.name);
            let declared = match self.model.items.iter().find(is_opaque) {
                Some(syn::Item::Fn(item)) => item.sig.inputs.iter().map(crate::diagnostics::source).collect(),
                _ => vec![],
            };
            return self.wrong_argument_count(call, &opaque.name, count, &declared.join(", "));
        }
        let mut nodes = Vec::new();
        for ((value, expected), at) in arguments.iter().zip(&opaque.arguments).zip(&call.args) {
            match (value, expected) {
                (Value::Scalar(node), OutputShape::Scalar) => nodes.push(*node),
                (Value::Matrix(node), OutputShape::Vector(rows)) if self.expressions.shape(*node) == (*rows, 1) => {
                    nodes.push(*node);
                }
                (Value::Unknown, _) => return Err(Reported),
                _ => {
                    let found = value.describe(&self.expressions);
                    let message = format!("mismatched types: `{}` does not accept {found} here", opaque.name);
                    let help = match (value, expected) {
                        (Value::Integer(value), OutputShape::Scalar) => format!("write `{}.0`", value.value),
                        (_, OutputShape::Vector(rows)) => format!("pass a {rows}-vector"),
                        _ => "pass a scalar".to_owned(),
                    };
                    return self.error_with_help(at, message, help);
                }
            }
        }
        let rows = match opaque.output {
            OutputShape::Vector(rows) => rows,
            _ => 1,
        };
        let node = self.expressions.opaque(index, nodes, Vec::new(), rows);
        Ok(if matches!(opaque.output, OutputShape::Scalar) { Value::Scalar(node) } else { Value::Matrix(node) })
    }

    /// Registers the hand-written derivatives of opaque functions.
    pub(super) fn link_hand_derivatives(&mut self) {
        let model = self.model;
        for (index, opaque) in model.opaques.iter().enumerate() {
            let Some(wanted) = &opaque.derivative else { continue };
            match model.opaques.iter().position(|other| other.name == *wanted) {
                Some(at) if at != index => {
                    if self.is_gradient(opaque, &model.opaques[at], wanted) {
                        self.expressions.set_hand_derivative(index, at);
                    }
                }
                _ => self.diagnostics.error_with_help(
                    wanted,
                    format_args!("`{wanted}` is not an `#[opaque]` function of this module"),
                    format_args!(
                        "declare an `#[opaque]` function with the arguments of `{}` that returns the gradient",
                        opaque.name
                    ),
                ),
            }
        }
    }

    /// Returns true if `derivative` has the arguments of `function` and returns its gradient; otherwise reports an error.
    fn is_gradient(&mut self, function: &Opaque, derivative: &Opaque, at: &syn::Ident) -> bool {
        let name = &function.name;
        if function.output != OutputShape::Scalar {
            self.diagnostics.error_with_help(
                at,
                format_args!("`derivative = …` is not supported for `{name}`, which returns a vector"),
                format_args!(
                    "remove `derivative` to differentiate `{name}` by dual numbers, or declare one scalar function for each entry"
                ),
            );
            return false;
        }
        let size =
            function.arguments.iter().map(|argument| if let OutputShape::Vector(n) = argument { *n } else { 1 }).sum();
        let gradient = if size == 1 { OutputShape::Scalar } else { OutputShape::Vector(size) };
        let same = |output: OutputShape| match output {
            // rustc distinguishes a vector of one entry from a scalar.
            OutputShape::Vector(1) if function.arguments == [OutputShape::Vector(1)] => true,
            output => output == gradient,
        };
        if derivative.arguments == function.arguments && same(derivative.output) {
            return true;
        }
        let types: Vec<String> = function.arguments.iter().map(|argument| generic(*argument)).collect();
        self.diagnostics.error_with_help(
            at,
            format_args!("`{at}` is not the gradient of `{name}`"),
            format_args!(
                "use the arguments of `{name}`, and return the derivatives with respect to all of them: \
                 `fn {at}<S: Scalar>({}) -> {}`",
                types.iter().enumerate().map(|(i, ty)| format!("a{i}: {ty}")).collect::<Vec<_>>().join(", "),
                generic(gradient)
            ),
        );
        false
    }
}

/// Returns the type of an opaque function's argument or result.
fn generic(shape: OutputShape) -> String {
    match shape {
        OutputShape::Vector(n @ 1..=6) => format!("Vector{n}<S>"),
        OutputShape::Vector(n) => format!("SVector<S, {n}>"),
        _ => "S".to_owned(),
    }
}
