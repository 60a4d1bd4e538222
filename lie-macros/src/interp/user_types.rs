//! Methods of the declaration: functions in `impl` blocks of its types, read like helpers.

use quote::ToTokens;
use syn::{Expr, ExprCall, ExprMethodCall, Ident, Item, ItemFn, TraitItem};

use super::{Interpreted, Stop, SymbolicInterpreter, Value};
use crate::model::{Model, Within};

/// Methods that copy what they are called on, or what is in it.
pub(super) const COPYING: &[&str] =
    &["clone", "cloned", "to_owned", "into_owned", "clone_owned", "to_vec", "concat", "fill", "extend_from_slice"];

impl SymbolicInterpreter<'_> {
    /// A method that the declaration gives the type of `receiver`; `None` if it gives none of that name.
    pub(super) fn own_method(
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
            // A variant by its enum.
            Value::Struct(name, _) => name.split("::").next()?.to_owned(),
            _ => return self.of_own_trait(&call.method, "f64::sin(x)"),
        };
        let name = &call.method;
        let method = model.helpers.iter().find(|helper| {
            helper.owner.as_ref().is_some_and(|known| *known == owner) && helper.item.sig.ident == *name
        })?;
        // Which of two methods of one name is meant depends on what they take `self` by.
        if self.model.implements(&owner, |other| declares_in(model, other, name))
            && let Some(error) = self.of_own_trait(name, &format!("{owner}::{name}(&x)"))
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

    /// True if a method of that name of a type of the module takes `&mut self`.
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

    /// True if a type of the module has a method of that name that is not [read](Self::own_method).
    pub(super) fn has_changing_method(&self, owner: &str, name: &str) -> bool {
        self.model.items.iter().any(|item| match item {
            Item::Impl(block) if block.trait_.is_none() && block.self_ty.to_token_stream().to_string() == owner => {
                block.items.iter().any(|item| matches!(item, syn::ImplItem::Fn(method) if method.sig.ident == name))
            }
            _ => false,
        })
    }

    /// True if an `impl<T>` block has a method of that name.
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

    /// The trait that the module implements for a type of its own and that has a method of that name.
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

    /// Reports a copy of what a type of the module makes in a way of its own: an `impl Clone` may make anything.
    pub(super) fn ensure_copied(&mut self, value: &Value, at: &dyn ToTokens) -> Interpreted<()> {
        let Some(owner) = self.copied_by_hand(value) else { return Ok(()) };
        self.error_with_help(
            at.to_token_stream(),
            format_args!("a copy of `{owner}` calls its `impl Clone`, which cannot be read"),
            format_args!("derive it, or declare what it makes as a method of `impl {owner}` with another name"),
        )
    }

    /// The type of the module with an `impl Clone` that a value is of, or has parts of.
    fn copied_by_hand(&self, value: &Value) -> Option<String> {
        let is_by_hand = |owner: &&str| self.model.implements(owner, |name| name == "Clone");
        match value {
            Value::Struct(name, fields) => {
                let owner = name.split("::").next().filter(is_by_hand);
                let part = || fields.iter().find_map(|(_, part)| self.copied_by_hand(part));
                owner.map(str::to_owned).or_else(part)
            }
            Value::Array(items) | Value::Tuple(items) | Value::Sequence(items) => {
                items.iter().find_map(|item| self.copied_by_hand(item))
            }
            Value::Optional(Some(value)) => self.copied_by_hand(value),
            // What is in them is not looked through.
            Value::Parameters | Value::Configuration | Value::Velocity | Value::Inputs => {
                self.model.items.iter().find_map(|item| match item {
                    Item::Struct(item) => Some(item.ident.to_string()).filter(|name| is_by_hand(&name.as_str())),
                    _ => None,
                })
            }
            _ => None,
        }
    }

    /// Reports what does something at the end of its scope.
    pub(super) fn ensure_not_dropped(&mut self, owner: &str, at: &dyn ToTokens) -> Interpreted<()> {
        if !self.model.implements(owner, |name| name == "Drop") {
            return Ok(());
        }
        self.error_with_help(
            at.to_token_stream(),
            format_args!("`impl Drop for {owner}` is called at the end of this scope and cannot be read"),
            "leave it out, and write what it does where it is meant",
        )
    }

    /// A method of a library's type may be that of a trait of the module, which rustc may prefer.
    fn of_own_trait(&mut self, method: &Ident, example: &str) -> Option<Interpreted> {
        let name = self.model.items.iter().find_map(|item| match item {
            Item::Trait(item) if declares(item, method) => Some(&item.ident),
            _ => None,
        })?;
        let message = format!("`{method}` may be the method of the trait `{name}` here");
        // Nothing else is called so.
        let text = method.to_string();
        if example.starts_with("f64") && !is_of_library(&text) {
            let help = format!("what traits do is not read: declare it as a function, `fn {text}(x: f64) -> f64`");
            return Some(self.error_with_help(method, message, help));
        }
        Some(self.error_with_help(
            method,
            message,
            format_args!(
                "give the method of `{name}` another name, or call what is meant as a function, as in `{example}`"
            ),
        ))
    }

    /// A method is declared for dual numbers as well by the type that it belongs to, which has to hold some for that.
    pub(super) fn ensure_lifted(&mut self, call: &ExprCall, helper: &Within<ItemFn>) -> Result<(), Stop> {
        let Some(owner) = helper.owner.as_ref().filter(|owner| !self.model.is_generic(owner)) else { return Ok(()) };
        let structs = self.model.real_structs();
        let ItemFn { sig: signature, .. } = &helper.item;
        let inputs = signature.inputs.iter().map(ToTokens::to_token_stream);
        let mut types = inputs.chain([signature.output.to_token_stream()]);
        if structs.contains(&owner) || !types.any(|tokens| self.model.holds_reals(tokens, &structs)) {
            return Ok(());
        }
        let name = &signature.ident;
        self.error_with_help(
            &call.func,
            format_args!("`{name}` computes with scalars, but its type `{owner}` has none"),
            format_args!("declare `{name}` as a function of the module that takes a `&{owner}`"),
        )
    }
}

/// True if a trait declares a method of that name.
fn declares(item: &syn::ItemTrait, method: &Ident) -> bool {
    item.items.iter().any(|item| matches!(item, TraitItem::Fn(function) if function.sig.ident == *method))
}

/// True if the trait of the module that is called `name` declares that method.
fn declares_in(model: &Model, name: &Ident, method: &Ident) -> bool {
    model.items.iter().any(|item| matches!(item, Item::Trait(item) if item.ident == *name && declares(item, method)))
}

/// True of the methods that are read of numbers, vectors and arrays.
fn is_of_library(name: &str) -> bool {
    let lists =
        [super::scalar_methods::SCALAR_METHODS, super::matrices::MATRIX_METHODS, super::sequences::ITERATOR_METHODS];
    crate::expr::Function::named(name).is_some() || lists.iter().any(|list| list.contains(&name))
}
