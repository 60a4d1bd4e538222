//! Free functions of the standard library: `Some`, `array::from_fn`, `f64::from`.

use syn::{ExprCall, ExprPath};

use super::booleans::count;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};

impl SymbolicInterpreter<'_> {
    /// Calls a function of the standard library; returns `None` if the path names no supported function.
    pub(super) fn standard_function(
        &mut self,
        call: &ExprCall,
        path: &ExprPath,
        segments: &[String],
        arguments: &[Value],
    ) -> Interpreted<Option<Value>> {
        let names: Vec<&str> = segments.iter().map(String::as_str).collect();
        Ok(Some(match (names.as_slice(), arguments) {
            (["Some"] | ["Option", "Some"], [value]) => Value::Optional(Some(Box::new(value.clone()))),
            (["core", "array", "from_fn"], [function]) => {
                let Some(length) = self.environment.expected_length.take().or_else(|| array_length(path)) else {
                    return self.error_with_help(
                        call,
                        "cannot infer the length of this array",
                        "write `let a: [f64; 3] = std::array::from_fn(|i| …);`",
                    );
                };
                let function = self.callable(function, &call.args)?;
                Value::Array(self.at_indices(length, &function, &call.func)?)
            }
            (["f64", "from"], [value]) => match value {
                Value::Scalar(_) => value.clone(),
                Value::Known(truth) => Value::Scalar(self.expressions.number(if *truth { 1.0 } else { 0.0 })),
                Value::Bool(truth) => {
                    let (one, zero) = (self.expressions.number(1.0), self.expressions.number(0.0));
                    Value::Scalar(self.expressions.select(*truth, one, zero))
                }
                Value::Unknown => return Err(Reported),
                value => return Ok(count(&mut self.expressions, value).map(Value::Scalar)),
            },
            (["Vec", "new"], []) | (["Vec", "with_capacity"], [_]) => Value::Array(Vec::new()),
            _ => return Ok(None),
        }))
    }

    /// Calls the constructor of a tuple struct of the module.
    pub(super) fn tuple_struct(&mut self, name: &str, arguments: &[Value]) -> Interpreted<Option<Value>> {
        let model = self.model;
        let fields = model.items.iter().find_map(|item| match item {
            syn::Item::Struct(item) if item.ident == name => match &item.fields {
                syn::Fields::Unnamed(fields) => Some(&fields.unnamed),
                _ => None,
            },
            _ => None,
        });
        let Some(fields) = fields.filter(|fields| fields.len() == arguments.len()) else { return Ok(None) };
        let mut named = Vec::new();
        for (at, (field, value)) in fields.iter().zip(arguments).enumerate() {
            named.push((at.to_string(), self.of_field(value.clone(), Some(&field.ty))?));
        }
        Ok(Some(Value::Struct(name.to_owned(), named)))
    }
}

/// Returns true for `array::from_fn(|i| …)`, whose length follows from the declared array type.
pub(super) fn is_from_fn(call: &ExprCall) -> bool {
    let is_direct = call.args.iter().all(|argument| matches!(argument, syn::Expr::Closure(_) | syn::Expr::Path(_)));
    let syn::Expr::Path(path) = &*call.func else { return false };
    let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    is_direct && matches!(names.as_slice(), [.., array, name] if array == "array" && name == "from_fn")
}

/// Returns the length in `from_fn::<f64, 3, _>`.
fn array_length(path: &ExprPath) -> Option<usize> {
    let syn::PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Const(syn::Expr::Lit(literal)) => match &literal.lit {
            syn::Lit::Int(value) => value.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    })
}
