//! Constants of the declaration, which are folded, and of the standard library.

use std::collections::HashMap;

use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::diagnostics::source;
use crate::model::path_within;

impl SymbolicInterpreter<'_> {
    /// Returns the value of the constant of the declaration with this path, folded at its first use; `None` if there is none.
    ///
    /// A constant that cannot be folded is reported once, at its definition.
    pub(super) fn constant(&mut self, path: &str) -> Option<Interpreted> {
        if let Some(value) = self.constants.values.get(path) {
            return Some(value.clone().ok_or(Reported));
        }
        let model = self.model;
        let constant = &model.constants.iter().find(|constant| constant.path == path)?.item;
        if self.constants.folding.iter().any(|open| open == path) {
            let message = format!("cycle in the definition of the constant `{path}`");
            return Some(self.error_with_help(
                &constant.expr,
                message,
                "define one constant of the cycle by a literal",
            ));
        }
        self.constants.folding.push(path.to_owned());
        let outer = self.environment.enter_scopes(HashMap::new());
        let value = self.expression(&constant.expr).and_then(|value| self.typed(value, &constant.ty));
        self.environment.restore_scopes(outer);
        self.constants.folding.pop();
        self.constants.values.insert(path.to_owned(), value.as_ref().ok().cloned());
        Some(value)
    }

    /// Returns the number of a literal, or of the constant with this path in the declaration or in the standard library. `None` for other
    /// values, and after an error.
    pub fn constant_number(&mut self, expression: &syn::Expr) -> Option<f64> {
        let value = match expression {
            syn::Expr::Path(written) => {
                let names: Vec<String> =
                    written.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
                let library = names.iter().map(|name| if name == "std" { "core".to_owned() } else { name.clone() });
                if let Some(number) = standard_constant(&library.collect::<Vec<_>>()) {
                    return Some(number);
                }
                let known = path_within(&written.path).and_then(|path| self.constant(&path));
                known.unwrap_or_else(|| self.report_outside(written))
            }
            _ => self.expression(expression),
        };
        let Ok(Value::Scalar(node)) = value else { return None };
        self.expressions.as_number(node)
    }

    /// Reports a path outside of the module.
    pub(super) fn report_outside(&mut self, path: &syn::ExprPath) -> Interpreted {
        let written = source(path);
        self.error_with_help(
            path,
            format_args!("`{}` is outside the module of the declaration", written.trim_start_matches("::")),
            "declare the function or constant inside this module, or declare an `#[opaque]` function in it that calls the function; use plain \
             vectors and the groups of the library for rotations and poses",
        )
    }
}

/// Returns `core::f64::consts::PI`, `f64::EPSILON`, and other constants of the standard library.
pub(super) fn standard_constant(segments: &[String]) -> Option<f64> {
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    crate::syntax::standard_constant(&segments)
}
