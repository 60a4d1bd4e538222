//! Methods of the declaration: functions in `impl` blocks of its types, read like helpers.

use quote::ToTokens;
use syn::{Expr, ExprCall, ExprMethodCall, Ident, Item, ItemFn, TraitItem};

use super::{Reader, Reading, Stop, Value};
use crate::model::{Model, Within};

impl Reader<'_> {
    /// A method that the declaration gives the type of `receiver`; `None` if it gives none of that name.
    pub(super) fn own_method(
        &mut self,
        call: &ExprMethodCall,
        receiver: &Value,
        arguments: &[Value],
    ) -> Option<Reading> {
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
                syn::ImplItem::Fn(method) if method.sig.ident == *name => {
                    method.sig.receiver().is_some_and(|receiver| receiver.mutability.is_some())
                }
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

    /// A method of a library's type may be that of a trait of the module, which rustc may prefer.
    fn of_own_trait(&mut self, method: &Ident, example: &str) -> Option<Reading> {
        let name = self.model.items.iter().find_map(|item| match item {
            Item::Trait(item) if declares(item, method) => Some(&item.ident),
            _ => None,
        })?;
        Some(self.error_with_help(
            method,
            format_args!("`{method}` may be the method of the trait `{name}` here"),
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
            format_args!("`{name}` computes with real numbers, and `{owner}`, whose it is, holds none"),
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
