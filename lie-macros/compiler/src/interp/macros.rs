//! Macro calls in bodies: `vector!`, `matrix!`, `vec!`, assertions.

use proc_macro2::TokenStream;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, Macro, Token};

use super::mutating_methods::CHANGING;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::diagnostics::source;
use crate::syntax::{Rows, rows};

/// Assertions: the declared function evaluates them, the derivation ignores them.
const ASSERTIONS: &[&str] = &["assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne"];

/// Macros that end the program.
const PANICS: &[&str] = &["panic", "unreachable", "todo", "unimplemented"];

/// Macros with an output and no value.
const PRINTS: &[&str] = &["print", "println", "eprint", "eprintln"];

impl SymbolicInterpreter<'_> {
    pub(super) fn macro_call(&mut self, call: &Macro) -> Interpreted {
        let name = call.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        let items = &self.model.items;
        let is_own = |item: &syn::Item| matches!(item, syn::Item::Macro(item) if item.ident.as_ref().is_some_and(|own| *own == name));
        if items.iter().any(is_own) {
            return self.error_with_help(
                call,
                format_args!("macro `{name}!` is not supported: it expands after `mechanical_system`"),
                "write a function in this module instead",
            );
        }
        match name.as_str() {
            name if ASSERTIONS.contains(&name) => self.assertion(call),
            "vec" if repeated(&call.tokens).is_some() => {
                let expr = repeated(&call.tokens).ok_or(Reported)?;
                let items = self.expression(&expr)?;
                Ok(items)
            }
            "vector" | "matrix" | "vec" => match rows(call) {
                Some(rows) => self.list(call, &name, &rows),
                None => self.error(&call.tokens, format_args!("`{name}!` expects expressions")),
            },
            "matches" => self.outside(call, "`matches!`"),
            name if PANICS.contains(&name) => self.error_with_help(
                call,
                format_args!("`{name}!` is reachable"),
                "return a value in every branch: each of them is evaluated for some state",
            ),
            name if PRINTS.contains(&name) => self.error_with_help(
                call,
                format_args!("`{name}!` has no effect: simulations call code derived from this function, not the function"),
                "remove it; to record a value, declare an `#[observable]` or call `.on_step(|state| …)` on the simulation",
            ),
            "dbg" => self.error_with_help(
                call,
                "`dbg!` has no effect: simulations call code derived from this function, not the function",
                format_args!("write `{}`", source(&call.tokens)),
            ),
            "cfg" | "env" | "option_env" | "include" | "line" | "column" => self.error_with_help(
                call,
                format_args!("`{name}!` is not supported: its value is unknown to `mechanical_system`"),
                "write the value, `true` or a literal",
            ),
            _ => self.error_with_help(
                call,
                format_args!("macro `{name}!` is not supported: it expands after `mechanical_system`"),
                "write a function in this module instead",
            ),
        }
    }

    fn list(&mut self, call: &Macro, name: &str, rows: &Rows) -> Interpreted {
        let width = rows.first().map_or(0, |row| row.0.len());
        let mut entries = Vec::new();
        for row in rows {
            if row.0.len() != width || width == 0 {
                return self.error(call, "the rows of this matrix have different lengths");
            }
            entries.extend(self.expressions_of(&row.0)?);
        }
        if name == "vec" {
            return Ok(Value::Array(super::memory::alike_all(entries)));
        }
        if entries.is_empty() {
            return self.error(call, "this vector has no entries");
        }
        let count = entries.len();
        let entries = self.all_scalars(&entries, call)?;
        let (rows, columns) = if name == "matrix" { (count / width, width) } else { (count, 1) };
        Ok(Value::Matrix(self.expressions.stack(entries, rows, columns)))
    }

    /// Checks an assertion. Assertions belong to the declared function, not to the derivation, and must not change variables.
    fn assertion(&mut self, call: &Macro) -> Interpreted {
        let arguments = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(call.tokens.clone());
        let changes = match &arguments {
            Ok(arguments) => {
                let mut changes = Changes { interpreter: self, found: false };
                arguments.iter().for_each(|argument| changes.visit_expr(argument));
                changes.found
            }
            Err(_) => true,
        };
        if changes {
            return self.error_with_help(
                call,
                "an assertion must not change variables",
                "compute the value before the assertion",
            );
        }
        Ok(Value::Unit)
    }
}

/// Methods without side effects of values that other methods change.
const LOOKING: &[&str] =
    &["len", "is_empty", "iter", "first", "last", "get", "contains", "is_some", "is_none", "clone"];

/// A search for expressions that may change variables.
struct Changes<'r, 'a> {
    interpreter: &'r SymbolicInterpreter<'a>,
    found: bool,
}

impl Changes<'_, '_> {
    /// Returns true for a method that may change the variable at the beginning of its receiver.
    fn is_changing(&self, call: &syn::ExprMethodCall) -> bool {
        let mut receiver = &*call.receiver;
        let root = loop {
            receiver = match receiver {
                Expr::Field(inner) => &inner.base,
                Expr::Index(inner) => &inner.expr,
                Expr::Paren(inner) => &inner.expr,
                Expr::Path(path) => break path.path.get_ident(),
                _ => break None,
            };
        };
        let name = call.method.to_string();
        match root.and_then(|root| self.interpreter.variable(&root.to_string())) {
            Some(Value::Matrix(_)) => CHANGING.contains(&name.as_str()) || name.ends_with("_mut"),
            Some(
                Value::Array(_)
                | Value::Tuple(_)
                | Value::Sequence(_)
                | Value::Range(..)
                | Value::Optional(_)
                | Value::Struct(..),
            ) => {
                let is_own = |helper: &crate::model::Within<syn::ItemFn>| helper.item.sig.ident == name;
                !LOOKING.contains(&name.as_str()) && !self.interpreter.model.helpers.iter().any(is_own)
            }
            _ => false,
        }
    }
}

impl<'ast> Visit<'ast> for Changes<'_, '_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.found |= match expr {
            Expr::Assign(_) | Expr::Macro(_) => true,
            Expr::Reference(inner) => inner.mutability.is_some(),
            Expr::Binary(binary) => super::operators::assigns(&binary.op),
            Expr::MethodCall(call) => self.is_changing(call),
            // A closure in a variable may have variables of its own.
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) => {
                    path.path.get_ident().is_some_and(|name| self.interpreter.variable(&name.to_string()).is_some())
                }
                _ => true,
            },
            _ => false,
        };
        visit::visit_expr(self, expr);
    }
}

/// `vec![x; n]` as the array `[x; n]`.
fn repeated(tokens: &TokenStream) -> Option<Expr> {
    match syn::parse2(quote::quote!([#tokens])) {
        Ok(expr @ Expr::Repeat(_)) => Some(expr),
        _ => None,
    }
}
