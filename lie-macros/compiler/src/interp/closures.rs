//! Closures and functions as values.
//!
//! A closure has copies of the variables that it names: it cannot change them, and rustc ensures that nothing else changes them before its
//! last call. A `return` in a closure leaves the closure only.

use std::collections::BTreeSet;
use std::rc::Rc;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, ExprCall};

use super::value::Callable;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};

impl SymbolicInterpreter<'_> {
    /// Evaluates a closure expression.
    pub(super) fn closure(&mut self, closure: &syn::ExprClosure) -> Interpreted {
        if closure.asyncness.is_some() || closure.constness.is_some() {
            return self.outside(closure, "an `async` closure");
        }
        let mut names = BTreeSet::new();
        identifiers(closure.body.to_token_stream(), &mut names);
        let captured = self.environment.capture(|name| names.contains(name));
        Ok(Value::Callable(Callable::Closure {
            closure: Rc::new(closure.clone()),
            captured: Rc::new(captured),
            inlining: self.environment.inlining.as_slice().into(),
        }))
    }

    /// Calls a closure or function.
    pub(super) fn apply(&mut self, callable: &Callable, arguments: Vec<Value>, at: &dyn ToTokens) -> Interpreted {
        self.spend(1, &at.to_token_stream())?;
        match callable {
            Callable::Function(path) => {
                // Errors of the arguments are reported at the name of the function.
                let path = (**path).clone();
                let placeholder = Expr::Path(path.clone());
                let call = ExprCall {
                    attrs: Vec::new(),
                    func: Box::new(placeholder.clone()),
                    paren_token: syn::token::Paren::default(),
                    args: arguments.iter().map(|_| placeholder.clone()).collect(),
                };
                self.call_path(&call, &path, arguments)
            }
            Callable::Closure { closure, captured, inlining } => {
                if closure.inputs.len() != arguments.len() {
                    let (takes, given) = (closure.inputs.len(), arguments.len());
                    return self.error(at, format_args!("this closure expects {takes} arguments, found {given}"));
                }
                let outer = self.environment.enter_scopes((**captured).clone());
                // The caller of the closure is not an enclosing function of the closure, which may call this helper again.
                let callers = std::mem::replace(&mut self.environment.inlining, inlining.to_vec());
                let result = self.sealed(|this| {
                    this.function(at, |this| {
                        for (pattern, value) in closure.inputs.iter().zip(arguments) {
                            this.bind(pattern, value)?;
                        }
                        this.expression(&closure.body)
                    })
                });
                self.environment.inlining = callers;
                self.environment.restore_scopes(outer);
                match &closure.output {
                    syn::ReturnType::Type(_, ty) => self.typed(result?, ty),
                    syn::ReturnType::Default => result,
                }
            }
        }
    }

    /// Returns a function argument of a method.
    pub(super) fn callable(&mut self, value: &Value, at: &dyn ToTokens) -> Interpreted<Callable> {
        match value {
            Value::Callable(callable) => Ok(callable.clone()),
            Value::Unknown => Err(Reported),
            other => {
                let found = other.describe(&self.expressions);
                self.error(at, format_args!("expected a function, found {found}"))
            }
        }
    }
}

/// Collects all identifiers among the tokens.
fn identifiers(tokens: TokenStream, names: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                names.insert(ident.to_string());
            }
            TokenTree::Group(group) => identifiers(group.stream(), names),
            // Format strings such as `"{x}"` occur in messages only.
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
