//! Methods of the declaration: functions in `impl` blocks of its types, read like helpers.

use syn::{Expr, ExprCall, ExprMethodCall};

use super::{Reader, Reading, Value};

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
            Value::Configuration => model.configuration.item.ident.to_string(),
            Value::Velocity => "Velocity".to_owned(),
            Value::Struct(name, _) => name.clone(),
            _ => return None,
        };
        let name = &call.method;
        let method = model.helpers.iter().find(|helper| {
            helper.owner.as_ref().is_some_and(|known| *known == owner) && helper.item.sig.ident == *name
        })?;
        // Methods of one name that different types have are different functions.
        let mut function = method.item.clone();
        function.sig.ident = quote::format_ident!("{owner}_{name}");
        let arguments: Vec<Value> = [receiver].into_iter().chain(arguments).cloned().collect();
        let written = ExprCall {
            attrs: vec![],
            func: Box::new(Expr::Path(syn::ExprPath { attrs: vec![], qself: None, path: name.clone().into() })),
            paren_token: call.paren_token,
            args: [&*call.receiver].into_iter().chain(&call.args).cloned().collect(),
        };
        Some(self.inline(&written, &function, arguments))
    }
}
