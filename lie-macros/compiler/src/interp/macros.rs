//! Macro calls in bodies: `vector!`, `matrix!`, `vec!`, assertions.

use proc_macro2::TokenStream;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, Macro, Token};

use super::help::contains;
use super::matrices::MATRIX_METHODS;
use super::methods::{GROUP_METHODS, OPTION_METHODS, is_variable};
use super::mutating_methods::CHANGING;
use super::scalar_methods::SCALAR_METHODS;
use super::sequences::{ADVANCING, ITERATOR_METHODS};
use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::expr::Function;
use crate::syntax::{Rows, rows};

/// Assertions: the declared function evaluates them, the derivation ignores them.
const ASSERTIONS: &[&str] = &["assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne"];

impl SymbolicInterpreter<'_> {
    pub(super) fn macro_call(&mut self, call: &Macro) -> Interpreted {
        let name = call.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        let is_own = |item: &syn::Item| matches!(item, syn::Item::Macro(item) if item.ident.as_ref().is_some_and(|own| *own == name));
        // A macro of the module expands after this macro.
        let known = if self.model.items.iter().any(is_own) { "" } else { name.as_str() };
        match known {
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
            _ => self.error_with_help(
                call,
                format_args!("macro `{name}!` is not supported in a declaration"),
                "remove it, return a value in every branch, write a function of this module in place of an own macro, or move the expression \
                 into an `#[opaque]` function; simulations call code derived from this function, not the function",
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
            return Ok(Value::Array(entries));
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

/// A search for expressions that may change variables: everything except operators, fields, indices, closures and methods that are known
/// to change nothing.
struct Changes<'r, 'a> {
    interpreter: &'r SymbolicInterpreter<'a>,
    found: bool,
}

impl Changes<'_, '_> {
    /// Returns true for a method that may change its receiver.
    fn is_changing(&self, call: &syn::ExprMethodCall) -> bool {
        let name = call.method.to_string();
        let lists =
            [SCALAR_METHODS, MATRIX_METHODS, GROUP_METHODS, ITERATOR_METHODS, OPTION_METHODS, "is_finite is_nan"];
        let is_known = Function::named(&name).is_some() || lists.iter().any(|names| contains(names, &name));
        let is_helper = self.interpreter.model.helpers.iter().any(|helper| helper.item.sig.ident == name);
        let advances = ADVANCING.contains(&name.as_str()) && is_variable(&call.receiver);
        CHANGING.contains(&name.as_str()) || !(is_known || is_helper) || advances || self.has_mutable_self(&name)
    }

    /// Returns true if a type of the module has a method with this name and `&mut self`.
    fn has_mutable_self(&self, name: &str) -> bool {
        let changes = |item: &syn::ImplItem| match item {
            syn::ImplItem::Fn(item) if item.sig.ident == name => item
                .sig
                .receiver()
                .is_some_and(|receiver| receiver.reference.is_some() && receiver.mutability.is_some()),
            _ => false,
        };
        self.interpreter
            .model
            .items
            .iter()
            .any(|item| matches!(item, syn::Item::Impl(block) if block.items.iter().any(changes)))
    }
}

impl<'ast> Visit<'ast> for Changes<'_, '_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.found |= match expr {
            Expr::Assign(_) | Expr::Macro(_) => true,
            Expr::Reference(inner) => inner.mutability.is_some(),
            Expr::Binary(binary) => super::operators::operator(&binary.op).1,
            Expr::MethodCall(call) => self.is_changing(call),
            // A closure in a variable may have variables of its own.
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) => path
                    .path
                    .get_ident()
                    .is_some_and(|name| self.interpreter.environment.variable(&name.to_string()).is_some()),
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
