//! Macro calls in bodies: `vector!`, `matrix!`, `vec!`, assertions.

use proc_macro2::TokenStream;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, Macro, Token};

use super::value::Callable;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::diagnostics::source;
use crate::parse::{Rows, rows};

/// Kept in the function, ignored in the derivation.
const ASSERTIONS: &[&str] = &["assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne"];

/// What ends the program.
const PANICS: &[&str] = &["panic", "unreachable", "todo", "unimplemented"];

/// What has no value and is seen outside.
const PRINTS: &[&str] = &["print", "println", "eprint", "eprintln"];

impl SymbolicInterpreter<'_> {
    pub(super) fn macro_call(&mut self, call: &Macro) -> Interpreted {
        let name = call.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        let items = &self.model.items;
        let is_own = |item: &syn::Item| matches!(item, syn::Item::Macro(item) if item.ident.as_ref().is_some_and(|own| *own == name));
        if items.iter().any(is_own) {
            return self.error_with_help(
                call,
                format_args!("the macro `{name}!` cannot be read: it expands after `mechanical_system`"),
                "write its expansion as a function of this module",
            );
        }
        match name.as_str() {
            name if ASSERTIONS.contains(&name) => self.assertion(call),
            "vec" if repeated(&call.tokens).is_some() => {
                let expr = repeated(&call.tokens).ok_or(Reported)?;
                let items = self.expression(&expr)?;
                self.ensure_copied(&items, call)?;
                Ok(items)
            }
            "vector" | "matrix" | "vec" => match rows(call) {
                Some(rows) => self.list(call, &name, &rows),
                None => self.error(&call.tokens, format_args!("`{name}!` takes expressions")),
            },
            "matches" => match matched(call) {
                Some((value, pattern, guard)) => self.matches(&value, &pattern, guard.as_ref()),
                None => self.error(&call.tokens, "`matches!` takes an expression and a pattern"),
            },
            name if PANICS.contains(&name) => self.error_with_help(
                call,
                format_args!("`{name}!` is reached here"),
                "give the expression a value in every case: the state may come to each of them",
            ),
            name if PRINTS.contains(&name) => self.error_with_help(
                call,
                format_args!("`{name}!` has no effect here: runs use kernels that are derived from this body"),
                "remove it; an `#[observable]` is recorded, and `.on_step(|state| …)` of a simulation is called after every step",
            ),
            "dbg" => self.error_with_help(
                call,
                "`dbg!` has no effect here: runs use kernels that are derived from this body",
                format_args!("write `{}`", source(&call.tokens)),
            ),
            "cfg" | "env" | "option_env" | "include" | "line" | "column" => self.error_with_help(
                call,
                format_args!("the value of `{name}!` is not known to the macro"),
                "write the value, `true` or a literal",
            ),
            _ => self.error_with_help(
                call,
                format_args!("the macro `{name}!` cannot be read: it expands after `mechanical_system`"),
                "write its expansion as a function of this module",
            ),
        }
    }

    fn list(&mut self, call: &Macro, name: &str, rows: &Rows) -> Interpreted {
        let width = rows.first().map_or(0, |row| row.0.len());
        let mut entries = Vec::new();
        for row in rows {
            if row.0.len() != width || width == 0 {
                return self.error(call, "the rows of this matrix are of different length");
            }
            entries.extend(self.expressions_of(&row.0)?);
        }
        if name == "vec" {
            return Ok(Value::Array(super::memory::alike_all(entries)));
        }
        if entries.is_empty() {
            return self.error(call, "a vector without entries");
        }
        let count = entries.len();
        let entries = self.all_scalars(&entries, call)?;
        let (rows, columns) = if name == "matrix" { (count / width, width) } else { (count, 1) };
        Ok(Value::Matrix(self.expressions.stack(entries, rows, columns)))
    }

    /// Assertions stop the declared function, not the derivation; what they compute must change nothing.
    fn assertion(&mut self, call: &Macro) -> Interpreted {
        let arguments = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(call.tokens.clone());
        let changes = match &arguments {
            Ok(arguments) => {
                let mut changes = Changes { reader: self, found: false };
                arguments.iter().for_each(|argument| changes.visit_expr(argument));
                changes.found
            }
            Err(_) => true,
        };
        if changes {
            return self.error_with_help(
                call,
                "an assertion that changes something cannot be read",
                "compute it before, and assert what came out",
            );
        }
        Ok(Value::Unit)
    }

    fn matches(&mut self, value: &Expr, pattern: &syn::Pat, guard: Option<&Expr>) -> Interpreted {
        let value = self.expression(value)?;
        let holds = self.test(pattern, &value)?;
        let Some(guard) = guard else { return Ok(holds) };
        self.guarded(holds, (pattern, &value), guard)
    }
}

/// A search for what changes variables when it is computed.
struct Changes<'r, 'a> {
    reader: &'r mut SymbolicInterpreter<'a>,
    found: bool,
}

impl Changes<'_, '_> {
    /// The value of a variable.
    fn value(&self, expr: &Expr) -> Option<Value> {
        let Expr::Path(path) = expr else { return None };
        self.reader.variable(&path.path.get_ident()?.to_string()).cloned()
    }

    /// A method that changes what it is called on.
    fn is_changing(&mut self, call: &syn::ExprMethodCall) -> bool {
        super::mutating_methods::CHANGING.iter().any(|name| call.method == name)
            || self.reader.advances(call)
            || self.reader.changes_self(&call.method)
    }
}

impl<'ast> Visit<'ast> for Changes<'_, '_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.found |= match expr {
            Expr::Assign(_) | Expr::Macro(_) => true,
            Expr::Reference(inner) => inner.mutability.is_some(),
            Expr::Binary(binary) => super::operators::assigns(&binary.op),
            Expr::MethodCall(call) => self.is_changing(call),
            _ => false,
        };
        // Who is handed a variable that is a mutable reference may write to it.
        if let Expr::Call(syn::ExprCall { args, .. }) | Expr::MethodCall(syn::ExprMethodCall { args, .. }) = expr {
            self.found |= args.iter().any(|given| matches!(self.value(given), Some(Value::Reference(_))));
        }
        if let Expr::Call(call) = expr {
            match self.value(&call.func) {
                Some(Value::Callable(Callable::Closure { closure, scopes, .. })) if !self.found => {
                    let outer = std::mem::replace(&mut self.reader.scopes, (*scopes).clone());
                    let mut inner = Changes { reader: self.reader, found: false };
                    inner.visit_expr(&closure.body);
                    self.found |= inner.found;
                    self.reader.scopes = outer;
                }
                _ => self.found |= !matches!(*call.func, Expr::Path(_)),
            }
        }
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

/// True of assertions.
pub(crate) fn is_assertion(call: &Macro) -> bool {
    call.path.segments.last().is_some_and(|last| ASSERTIONS.iter().any(|name| last.ident == name))
}

/// The value, the pattern and the guard of a call of `matches!`.
pub(crate) fn matched(call: &Macro) -> Option<(Expr, syn::Pat, Option<Expr>)> {
    matches_call.parse2(call.tokens.clone()).ok()
}

/// `value, pattern if guard`.
fn matches_call(input: syn::parse::ParseStream) -> syn::Result<(Expr, syn::Pat, Option<Expr>)> {
    let value = input.parse()?;
    input.parse::<Token![,]>()?;
    let pattern = syn::Pat::parse_multi_with_leading_vert(input)?;
    let guard = if input.peek(Token![if]) {
        input.parse::<Token![if]>()?;
        Some(input.parse()?)
    } else {
        None
    };
    if input.peek(Token![,]) {
        input.parse::<Token![,]>()?;
    }
    Ok((value, pattern, guard))
}
