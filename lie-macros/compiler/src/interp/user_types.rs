//! Methods of user-defined types: functions in `impl` blocks of the module, inlined like helpers.

use quote::ToTokens;
use syn::{Expr, ExprCall, ExprMethodCall, Item};

use super::{Interpreted, SymbolicInterpreter, Value};

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
            _ => return None,
        };
        let name = &call.method;
        let method = model.helpers.iter().find(|helper| {
            helper.owner.as_ref().is_some_and(|known| *known == owner) && helper.item.sig.ident == *name
        })?;
        let arguments: Vec<Value> = [receiver].into_iter().chain(arguments).cloned().collect();
        let written = ExprCall {
            attrs: vec![],
            func: Box::new(Expr::Path(syn::ExprPath { attrs: vec![], qself: None, path: name.clone().into() })),
            paren_token: call.paren_token,
            args: [&*call.receiver].into_iter().chain(&call.args).cloned().collect(),
        };
        Some(self.inline(&written, method, arguments))
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
}
