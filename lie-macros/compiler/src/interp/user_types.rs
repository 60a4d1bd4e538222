//! Methods of user-defined types: functions in `impl` blocks of the module, inlined like helpers.

use quote::ToTokens;
use syn::{Expr, ExprCall, ExprMethodCall, Ident, Item, TraitItem};

use super::{Interpreted, SymbolicInterpreter, Value};
use crate::model::Model;

/// Methods that copy their receiver or its items.
pub(super) const COPYING: &[&str] =
    &["clone", "cloned", "to_owned", "into_owned", "clone_owned", "to_vec", "concat", "fill", "extend_from_slice"];

impl SymbolicInterpreter<'_> {
    /// Calls a method of a user-defined type; returns `None` if there is no method with this name.
    pub(super) fn user_method(
        &mut self,
        call: &ExprMethodCall,
        receiver: &Value,
        arguments: &[Value],
    ) -> Option<Interpreted> {
        let model = self.model;
        let owner = match receiver {
            Value::Parameters => model.parameters.as_ref()?.item.ident.to_string(),
            Value::Inputs => model.inputs.as_ref()?.item.ident.to_string(),
            Value::Configuration => model.configuration.item.ident.to_string(),
            Value::Velocity => "Velocity".to_owned(),
            // A variant stands for its enum.
            Value::Struct(name, _) => name.split("::").next()?.to_owned(),
            _ => return self.ambiguous_trait_method(&call.method, "f64::sin(x)"),
        };
        let name = &call.method;
        let method = model.helpers.iter().find(|helper| {
            helper.owner.as_ref().is_some_and(|known| *known == owner) && helper.item.sig.ident == *name
        })?;
        // The receiver types determine which of two methods with the same name is called.
        if self.model.implements(&owner, |other| declares_in(model, other, name))
            && let Some(error) = self.ambiguous_trait_method(name, &format!("{owner}::{name}(&x)"))
        {
            return Some(error);
        }
        let arguments: Vec<Value> = [receiver].into_iter().chain(arguments).cloned().collect();
        let written = ExprCall {
            attrs: vec![],
            func: Box::new(Expr::Path(syn::ExprPath { attrs: vec![], qself: None, path: name.clone().into() })),
            paren_token: call.paren_token,
            args: [&*call.receiver].into_iter().chain(&call.args).cloned().collect(),
        };
        Some(self.inline(&written, method, arguments))
    }

    /// Returns true if a method with this name of a type of the module takes `&mut self`.
    pub(super) fn changes_self(&self, name: &Ident) -> bool {
        self.model.items.iter().any(|item| {
            let Item::Impl(block) = item else { return false };
            block.items.iter().any(|item| match item {
                syn::ImplItem::Fn(method) if method.sig.ident == *name => method
                    .sig
                    .receiver()
                    .is_some_and(|receiver| receiver.mutability.is_some() && receiver.reference.is_some()),
                _ => false,
            })
        })
    }

    /// Returns true if a type of the module has an inherent method with this name that [`user_method`](Self::user_method) does not support.
    pub(super) fn has_changing_method(&self, owner: &str, name: &str) -> bool {
        self.model.items.iter().any(|item| match item {
            Item::Impl(block) if block.trait_.is_none() && block.self_ty.to_token_stream().to_string() == owner => {
                block.items.iter().any(|item| matches!(item, syn::ImplItem::Fn(method) if method.sig.ident == name))
            }
            _ => false,
        })
    }

    /// Returns true if an `impl<T>` block has a method with this name.
    pub(super) fn has_generic_method(&self, owner: &str, name: &str) -> bool {
        let is_of_owner = |ty: &syn::Type| match ty {
            syn::Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == owner),
            _ => false,
        };
        self.model.items.iter().any(|item| match item {
            Item::Impl(block) if block.trait_.is_none() && is_of_owner(&block.self_ty) => {
                let is_it = |item: &syn::ImplItem| matches!(item, syn::ImplItem::Fn(it) if it.sig.ident == name);
                block.generics.lt_token.is_some() && block.items.iter().any(is_it)
            }
            _ => false,
        })
    }

    /// Returns the trait with this method that the module implements for one of its types.
    pub(super) fn trait_with_method(&self, owner: &str, name: &str) -> Option<String> {
        let model = self.model;
        let has = |item: &syn::ImplItem| matches!(item, syn::ImplItem::Fn(method) if method.sig.ident == name);
        let written = |owner: &str| {
            model.items.iter().find_map(|item| match item {
                Item::Impl(block)
                    if block.self_ty.to_token_stream().to_string() == owner && block.items.iter().any(has) =>
                {
                    block
                        .trait_
                        .as_ref()
                        .and_then(|(_, path, _)| path.segments.last())
                        .map(|last| last.ident.to_string())
                }
                _ => None,
            })
        };
        let provided = |owner: &str| {
            model.items.iter().find_map(|item| match item {
                Item::Trait(item)
                    if item.items.iter().any(|item| matches!(item, TraitItem::Fn(it) if it.sig.ident == name)) =>
                {
                    model.implements(owner, |name| *name == item.ident).then(|| item.ident.to_string())
                }
                _ => None,
            })
        };
        written(owner).or_else(|| provided(owner))
    }

    /// Reports a copy of a type with a hand-written `impl Clone`, which may return any value.
    pub(super) fn ensure_copied(&mut self, value: &Value, at: &dyn ToTokens) -> Interpreted<()> {
        let Some(owner) = self.hand_written_clone(value) else { return Ok(()) };
        self.error_with_help(
            at.to_token_stream(),
            format_args!("a copy of `{owner}` calls a hand-written `impl Clone`, which is not supported"),
            format_args!("derive `Clone`, or define a method with another name in `impl {owner}`"),
        )
    }

    /// Returns the type in a value that has a hand-written `impl Clone`.
    fn hand_written_clone(&self, value: &Value) -> Option<String> {
        let is_hand_written = |owner: &&str| self.model.implements(owner, |name| name == "Clone");
        match value {
            Value::Struct(name, fields) => {
                let owner = name.split("::").next().filter(is_hand_written);
                let part = || fields.iter().find_map(|(_, part)| self.hand_written_clone(part));
                owner.map(str::to_owned).or_else(part)
            }
            Value::Array(items) | Value::Tuple(items) | Value::Sequence(items) => {
                items.iter().find_map(|item| self.hand_written_clone(item))
            }
            Value::Optional(Some(value)) => self.hand_written_clone(value),
            // The types of their fields are not tracked.
            Value::Parameters | Value::Configuration | Value::Velocity | Value::Inputs => {
                self.model.items.iter().find_map(|item| match item {
                    Item::Struct(item) => Some(item.ident.to_string()).filter(|name| is_hand_written(&name.as_str())),
                    _ => None,
                })
            }
            _ => None,
        }
    }

    /// Reports a value of a type that implements `Drop`.
    pub(super) fn ensure_not_dropped(&mut self, owner: &str, at: &dyn ToTokens) -> Interpreted<()> {
        if !self.model.implements(owner, |name| name == "Drop") {
            return Ok(());
        }
        self.error_with_help(
            at.to_token_stream(),
            format_args!("`impl Drop for {owner}` is not supported: it is called at the end of this scope"),
            "remove the `impl Drop`, and call a function in place of it",
        )
    }

    /// Reports a method of a library type that may be a method of a trait of the module, which rustc may prefer.
    fn ambiguous_trait_method(&mut self, method: &Ident, example: &str) -> Option<Interpreted> {
        let name = self.model.items.iter().find_map(|item| match item {
            Item::Trait(item) if declares(item, method) => Some(&item.ident),
            _ => None,
        })?;
        let message = format!("ambiguous method `{method}`: it may be the method of the trait `{name}`");
        // No library method has this name.
        let text = method.to_string();
        if example.starts_with("f64") && !is_of_library(&text) {
            let help =
                format!("declare a function instead, `fn {text}(x: f64) -> f64`: trait methods are not supported");
            return Some(self.error_with_help(method, message, help));
        }
        Some(self.error_with_help(
            method,
            message,
            format_args!("rename the method of `{name}`, or call the intended function by its path, as in `{example}`"),
        ))
    }
}

/// Returns true if a trait declares a method with this name.
fn declares(item: &syn::ItemTrait, method: &Ident) -> bool {
    item.items.iter().any(|item| matches!(item, TraitItem::Fn(function) if function.sig.ident == *method))
}

/// Returns true if the trait `name` of the module declares this method.
fn declares_in(model: &Model, name: &Ident, method: &Ident) -> bool {
    model.items.iter().any(|item| matches!(item, Item::Trait(item) if item.ident == *name && declares(item, method)))
}

/// Returns true for the supported methods of scalars, vectors and arrays.
fn is_of_library(name: &str) -> bool {
    let lists =
        [super::scalar_methods::SCALAR_METHODS, super::matrices::MATRIX_METHODS, super::sequences::ITERATOR_METHODS];
    crate::expr::Function::named(name).is_some() || lists.iter().any(|list| list.contains(&name))
}
